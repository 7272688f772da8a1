//! What board games share: sets of cells, rectangles, groups, histories, shared tables, reading
//! text.

mod adjacent;
mod choose;
mod grid;
mod history;
mod intern;
#[cfg(test)]
pub mod numbered;
mod pack;
mod repetition;
mod repetition_filter;
mod step;
pub mod text;
mod urn;
mod word;

pub use adjacent::{Adjacent, rows_of};
pub use choose::{CHOOSE, Choose};
pub use grid::{Grid, OFF};
pub use history::History;
pub use intern::{Interned, intern};
pub use pack::Packing;
pub use repetition::ReversibleMoves;
pub use repetition_filter::Seen;
pub use step::{PASS, Step, ends, is_legal, list_or_pass, step};
pub use urn::{Shuffled, Urn, shuffled};
pub use word::{Cells, U256, U384, Word};

/// The remark in the picture of a position that ends the game by repetition.
pub const THIRD_TIME: &str = "draw: the position is on the board for the third time";
