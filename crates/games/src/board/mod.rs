//! What board games share: sets of cells, rectangles, repetition, shared tables, reading text.

mod grid;
mod history;
mod intern;
mod order;
pub mod text;
mod word;

pub use grid::{Grid, OFF};
pub use history::History;
pub use intern::{Interned, intern};
pub use order::{Shuffled, shuffled};
pub use word::{Cells, U256, Word};
