//! The games of proofplay: one file per game, nothing about search.
#![forbid(unsafe_code)]

pub mod board;
pub mod domineering;
pub mod seki;
pub mod semeai;
pub mod y;
