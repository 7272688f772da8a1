//! Neural networks as evaluators: what a position is worth and which moves look good, as guesses.
//!
//! A [`Net`] is a residual convolution net as plain data; [`Evaluator`] is the same net made ready for
//! one board and one thread. Nothing here knows a search.
#![forbid(unsafe_code)]

mod compute;
pub mod encoders;
mod flaw;
pub mod formats;
mod hints;
pub mod model;
mod name;

pub use compute::{Evaluator, Output};
pub use encoders::{Encoder, MoveIndex};
pub use flaw::NetError;
pub use formats::{About, NetFile};
pub use hints::{NetHints, REMEMBERED, full_name, open_hints};
pub use model::Net;
pub use name::FOLDER;
