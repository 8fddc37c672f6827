//! Structural baselines: bytes → [`outline`] → facts → the artifact. Pure; reads through [`source::Tree`] only.

pub mod lang;
pub mod outline;
pub mod pairing;
pub mod source;
