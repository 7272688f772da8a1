//! The games of proofplay: one file or folder per game, nothing about search.
#![forbid(unsafe_code)]

pub mod amazons;
pub mod board;
pub mod breakthrough;
pub mod cannon;
pub mod checkers;
pub mod chinese_checkers;
pub mod connect4;
pub mod domineering;
pub mod go;
pub mod in_a_row;
pub mod loa;
pub mod mnk;
pub mod nogo;
pub mod pentalath;
pub mod seki;
pub mod semeai;
pub mod written;
pub mod y;
