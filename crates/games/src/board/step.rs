//! Moves of one piece from a cell to a cell, as numbers of 16 bits.

use super::text::MAX_CELLS;

/// A move: [`MAX_CELLS`] times the cell it starts from and the cell it goes to; [`PASS`] in games
/// that have one.
pub type Step = u16;

/// The move of a player who has no other: from cell 0 to itself.
pub const PASS: Step = 0;

/// The move from a cell to a cell.
#[inline]
pub fn step(from: u32, to: u32) -> Step {
    (from * MAX_CELLS + to) as Step
}

/// The cells of a move.
#[inline]
pub fn ends(mv: Step) -> (u32, u32) {
    (u32::from(mv) / MAX_CELLS, u32::from(mv) % MAX_CELLS)
}

/// Lists moves, or [`PASS`] if there are none.
#[inline]
pub fn list_or_pass(steps: impl Iterator<Item = Step>, out: &mut Vec<Step>) {
    let start = out.len();
    out.extend(steps);
    if out.len() == start {
        out.push(PASS);
    }
}

/// Whether a move is one of these, or [`PASS`] where there are none.
pub fn is_legal(mut steps: impl Iterator<Item = Step>, mv: Step) -> bool {
    if mv == PASS { steps.next().is_none() } else { steps.any(|step| step == mv) }
}
