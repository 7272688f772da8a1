//! The games of proofplay: one file or folder per game, nothing about search.
//!
//! Each game is a feature; [`each_family`] shows those that were compiled in.
#![forbid(unsafe_code)]
// A board that only some games use is not used where these are left out.
#![cfg_attr(not(feature = "all"), allow(dead_code))]

#[cfg(feature = "amazons")]
pub mod amazons;
pub mod board;
#[cfg(feature = "breakthrough")]
pub mod breakthrough;
#[cfg(feature = "cannon")]
pub mod cannon;
#[cfg(feature = "checkers")]
pub mod checkers;
#[cfg(feature = "chinese-checkers")]
pub mod chinese_checkers;
#[cfg(feature = "connect4")]
pub mod connect4;
#[cfg(feature = "domineering")]
pub mod domineering;
#[cfg(feature = "go")]
pub mod go;
#[cfg(any(feature = "connect4", feature = "mnk"))]
pub mod in_a_row;
#[cfg(feature = "loa")]
pub mod loa;
#[cfg(feature = "mnk")]
pub mod mnk;
#[cfg(feature = "nogo")]
pub mod nogo;
#[cfg(feature = "pentalath")]
pub mod pentalath;
#[cfg(feature = "seki")]
pub mod seki;
pub mod semeai;
#[cfg(feature = "tictactoe")]
pub mod tictactoe;
#[cfg(feature = "written")]
pub mod written;
#[cfg(feature = "y")]
pub mod y;

use proofplay_core::FamilyVisitor;

/// Shows a visitor every game that was compiled in: the list that the registry, tests and benchmarks
/// are made from.
pub fn each_family(visitor: &mut impl FamilyVisitor) {
    lines(visitor);
    territory(visitor);
    pieces(visitor);
}

/// Shows a visitor the games that are about lines and connections.
pub fn lines(visitor: &mut impl FamilyVisitor) {
    #[cfg(feature = "tictactoe")]
    visitor.visit::<tictactoe::TicTacToe>();
    #[cfg(feature = "mnk")]
    visitor.visit::<mnk::Setup>();
    #[cfg(feature = "connect4")]
    visitor.visit::<connect4::Setup>();
    #[cfg(feature = "y")]
    visitor.visit::<y::Setup>();
    let _ = visitor;
}

/// Shows a visitor the games in which what is placed takes room away.
pub fn territory(visitor: &mut impl FamilyVisitor) {
    #[cfg(feature = "domineering")]
    visitor.visit::<domineering::Setup>();
    #[cfg(feature = "nogo")]
    visitor.visit::<nogo::Setup>();
    #[cfg(feature = "seki")]
    visitor.visit::<seki::Setup>();
    #[cfg(feature = "pentalath")]
    visitor.visit::<pentalath::Setup>();
    #[cfg(feature = "go")]
    visitor.visit::<go::Setup>();
    let _ = visitor;
}

/// Shows a visitor the games in which pieces move, and written trees.
pub fn pieces(visitor: &mut impl FamilyVisitor) {
    #[cfg(feature = "amazons")]
    visitor.visit::<amazons::Setup>();
    #[cfg(feature = "breakthrough")]
    visitor.visit::<breakthrough::Setup>();
    #[cfg(feature = "loa")]
    visitor.visit::<loa::Setup>();
    #[cfg(feature = "checkers")]
    visitor.visit::<checkers::Setup>();
    #[cfg(feature = "cannon")]
    visitor.visit::<cannon::Setup>();
    #[cfg(feature = "chinese-checkers")]
    visitor.visit::<chinese_checkers::Setup>();
    #[cfg(feature = "written")]
    visitor.visit::<written::Written>();
    let _ = visitor;
}
