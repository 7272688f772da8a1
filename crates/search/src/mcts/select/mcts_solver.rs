//! The exploration term of MCTS-Solver: UCT with its constant under the root.
//!
//! Winands, Björnsson & Saito, "Monte-Carlo Tree Search Solver", CG 2008 \[WBS08\], formula 1:
//! `select=root`. Its other term is in `progressive_bias.rs`.
//!
//! ```text
//! v_i + sqrt(C ln n_p / n_i)
//! ```
//!
//! The letters are those of the paper. Its formula 2, the probabilities P_c, is in
//! `crates/games/src/loa/transitions.rs`.

use proofplay_core::num;

/// The part that all children of a node share: sqrt(C ln n_p).
#[inline]
pub fn k(c: f32, n_p: u32) -> f32 {
    (c * num::ln_of_count(n_p)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{UCT, near, tree, value};
    use super::super::{Explore, Selection};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let root = Selection { explore: Explore::Root, ..UCT };
        near(value(root, &tree(), 1, Player::First), 0.5 + (0.7 * 2.0794415f32 / 4.0).sqrt());
    }
}
