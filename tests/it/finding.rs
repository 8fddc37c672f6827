//! `git review-gate finding` from the command line: what is filed, listed, answered, confirmed and carried over.

mod add;
mod answer;
mod list;
mod mirror;
mod put_back;
