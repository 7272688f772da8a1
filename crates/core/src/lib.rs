//! The vocabulary of proofplay: players, scores, bounds, positions, games; perft and brute force.
//!
//! No search and no I/O lives here. Everything is in the view of [`Player::First`].
#![forbid(unsafe_code)]

mod bounds;
pub mod conformance;
mod facts;
mod family;
mod game;
pub mod guard;
mod hash;
mod hints;
mod line;
pub mod minimax;
pub mod num;
mod numbering;
mod own;
pub mod perft;
mod player;
mod position;
mod rng;
mod score;
pub mod threads;
mod view;

pub use bounds::Bounds;
pub use facts::Facts;
pub use family::{Family, FamilyVisitor, GameVisitor};
pub use game::{Game, TextError, shorten};
pub use hash::{Key, mix, zobrist};
pub use hints::{Extras, Hints, NoHints};
pub use line::Line;
pub use minimax::minimax;
pub use numbering::{Certain, Entry, Numbering, Place};
pub use own::Own;
pub use perft::perft;
pub use player::Player;
pub use position::{Move, Position};
pub use rng::{Digits, Rng, splitmix64};
pub use score::Score;
pub use view::{Cell, View, cell_name, column_name};
