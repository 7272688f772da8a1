//! What board games share: sets of cells, rectangles, groups, histories, shared tables, reading text.

mod adjacent;
mod grid;
mod history;
mod intern;
mod order;
mod reversible;
mod seen;
mod step;
pub mod text;
mod word;

pub use adjacent::{Adjacent, rows_of};
pub use grid::{Grid, OFF};
pub use history::History;
pub use intern::{Interned, intern};
pub use order::{Shuffled, Urn, shuffled};
pub use reversible::ReversibleMoves;
pub use seen::Seen;
pub use step::{PASS, Step, ends, is_legal, list_or_pass, step};
pub use word::{Cells, U256, U384, Word};

/// What a picture says of a position that ends the game by repetition.
pub const THIRD_TIME: &str = "draw: the position is on the board for the third time";
