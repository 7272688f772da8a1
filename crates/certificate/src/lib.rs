//! Certificates: the proof of a value as a file that anyone can check with nothing but the rules of
//! the game.
//!
//! A certificate holds a strategy for each side, one move wherever its owner is to move.
//! [`write()`] gets these moves from a search; [`verify`] walks the strategy against every reply
//! and checks the ends. Verifying needs no search code, and this crate has none. The format is in
//! `docs/CERTIFICATES.md`.
//!
//! ```
//! use proofplay_certificate::{Certificate, Statement, verify, write};
//! use proofplay_core::{Bounds, Game, Line, Position, Score};
//! use proofplay_games::written::Written;
//! let game = Written::parse_tree("((+ -) = (- =))").unwrap();
//! // First takes the draw; a win would be claimed in vain.
//! let strategy = |pos: &<Written as Game>::Pos, _, _, good: &mut Vec<u16>| {
//!     good.push(u16::from(*pos == game.start()));
//!     Ok::<_, ()>(())
//! };
//! let bounds = Bounds::new(Score::DRAW, Score::WIN);
//! let statement = Statement::new(Line::start(&game.name()), bounds);
//! let file = write(&game, &statement, strategy, |_| true).unwrap().bytes;
//! let checked = verify(&game, &Certificate::parse(&file).unwrap(), 1 << 20, |_| true).unwrap();
//! assert_eq!((checked.bounds, checked.walked.positions), (bounds, 1));
//! ```
#![forbid(unsafe_code)]

mod claim;
mod file;
mod line_end;
mod move_order;
mod number;
mod position_set;
mod verify;
mod walk;
mod write;

pub use claim::Claim;
pub use file::{Certificate, Evidence, FormatError};
pub use line_end::Ends;
pub use verify::{Checked, Place, Refusal, VerifyError, verify};
pub use walk::{Fault, Shape, Walked};
pub use write::{Statement, WriteError, Written, write};
