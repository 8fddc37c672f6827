//! The quality of the review process: cases, commands, records and the gate.

mod cases;
mod collect;
mod gate;
mod laws;
mod records;
mod world;
