//! Structural baselines: bytes → [`outline`] → facts → the artifact. Pure; reads through [`source::Tree`] only.

pub mod artifact;
pub mod decode;
pub mod drift;
pub mod exclude;
pub mod golden;
pub mod guardrails;
pub mod hidden;
pub mod known;
pub mod lang;
pub mod language;
pub mod lexer;
pub mod measure;
mod neighbours;
mod opaque;
pub mod outline;
pub mod pairing;
pub mod paths;
pub mod probe;
pub mod renames;
pub mod source;
pub mod suppressions;
pub mod surroundings;
pub mod vocabulary;
