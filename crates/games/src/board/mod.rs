//! What board games share: sets of cells, rectangles, shared tables, reading text.

mod grid;
mod intern;
mod order;
pub mod text;
mod word;

pub use grid::{Grid, OFF};
pub use intern::{Interned, intern};
pub use order::{Shuffled, Urn, shuffled};
pub use word::{Cells, U256, Word};
