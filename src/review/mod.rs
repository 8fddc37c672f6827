//! The review: goals, which reviews there are, what a reviewer reads, and what becomes of the answer.

pub mod budget;
pub mod causal;
pub mod delivered;
pub mod evidence;
pub mod gates;
pub mod goal;
pub mod ledger_text;
pub mod packet;
pub mod packet_text;
pub mod path;
pub mod registry;
pub mod reply;
pub mod runs;
pub mod source;
pub mod source_list;
pub mod standing;
pub mod status_line;
pub mod stored;
pub mod word_list;
