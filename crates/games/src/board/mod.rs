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
pub use step::{PASS, Step, ends, step};
pub use word::{Cells, U256, U384, Word};
