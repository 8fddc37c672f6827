//! Structural baselines: bytes → [`outline`] → facts → the artifact. Pure; reads through [`source::Tree`] only.

pub mod exclude;
pub mod lang;
pub mod language;
pub mod outline;
pub mod pairing;
pub mod paths;
pub mod source;
