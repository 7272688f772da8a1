//! What all front ends share: records with undo, players, answers as sentences and as JSON, amounts as text.
//!
//! The command line is a thin layer above this; a page, a protocol or a binding is another one.
#![forbid(unsafe_code)]

pub mod amounts;
pub mod answer;
pub mod auto;
pub mod clock;
pub mod json;
pub mod player;
pub mod record;
