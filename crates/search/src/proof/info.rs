//! The numbers of a node in a proof search, and the four operations on them.
//!
//! Saffidine & Cazenave, "Developments on Product Propagation", CG 2013 \[SC13\], Algorithm 1.
//!
//! Paper -> here: info-term -> [`Info::solved`]; init-leaf -> [`Info::unit`], [`Info::mobility`],
//! [`Info::chance`]; select-child -> [`Info::before`]; update -> [`Info::combine`]; Max and Min ->
//! [`NodeKind::Or`] and [`NodeKind::And`].
//!
//! Invariant: a node is [`Status::Proven`] or [`Status::Disproven`] only because terminal positions
//! below it make it so. Whatever numbers an open node has, no rounding, overflow or underflow in
//! [`Info::combine`] may close it.

use crate::ProofNumbers;
use std::fmt::Debug;

/// Whose choice a node is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The goal's player moves: one proven child proves the node.
    Or,
    /// The opponent moves: one disproven child disproves the node.
    And,
}

/// What is known of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Nothing certain.
    Open,
    /// The goal is reached by force.
    Proven,
    /// The opponent can prevent the goal.
    Disproven,
}

impl Status {
    /// Proven or disproven.
    #[inline]
    pub fn is_solved(self) -> bool {
        self != Status::Open
    }

    /// Whether a child of this status decides a node of this kind by itself.
    #[inline]
    pub fn decides(self, kind: NodeKind) -> bool {
        match kind {
            NodeKind::Or => self == Status::Proven,
            NodeKind::And => self == Status::Disproven,
        }
    }
}

/// Whether numbers are those of a solved node. A function, not a closure: the code that takes it is
/// compiled once for a kind of numbers, not once for a game.
pub(super) fn is_solved<I: Info>(info: u64) -> bool {
    I::from_bits(info).status().is_solved()
}

/// The numbers of a node: 8 bytes in the view of the goal's player.
pub trait Info: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Of a node that is certain.
    fn solved(proven: bool) -> Self;

    /// Of a leaf about which nothing is known.
    fn unit() -> Self;

    /// Of a leaf with `c` legal moves, at least one.
    fn mobility(kind: NodeKind, c: usize) -> Self;

    /// Of a leaf that an evaluation function gives the chance `p` of being proven; any `p` makes an
    /// open leaf.
    fn chance(p: f64) -> Self;

    /// Of a node with these children.
    fn combine(kind: NodeKind, children: impl Iterator<Item = Self>) -> Self;

    /// Whether the search descends into a child with `a` rather than into one with `b`. Never into
    /// a solved child of an open node when there is an open one.
    fn before(kind: NodeKind, a: Self, b: Self) -> bool;

    /// What is certain.
    fn status(self) -> Status;

    /// Whether a search could have made these numbers: those of a solved node, or of an open one.
    fn is_valid(self) -> bool;

    /// For display.
    fn shown(self) -> ProofNumbers;

    /// As a word, for a store that does not know the type.
    fn to_bits(self) -> u64;

    /// Back from a word.
    fn from_bits(bits: u64) -> Self;
}
