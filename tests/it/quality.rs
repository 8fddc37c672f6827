//! The quality of the review process: cases, commands, records and the gate.

mod cases;
mod gate;
mod records;
mod world;
