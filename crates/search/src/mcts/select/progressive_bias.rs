//! Progressive bias: the weight of a move counts until the move was visited often.
//!
//! Chaslot et al. 2008, as Winands, Björnsson & Saito use it in MCTS-Solver, CG 2008 \[WBS08\],
//! formula 1: `w=W`.
//!
//! ```text
//! ... + W P_i / (n_i + 1)
//! ```
//!
//! Paper -> here: P_c, the transition probability of a move's category -> P_i, its weight by
//! [`Hints`](proofplay_core::Hints).
//!
//! Below `t` visits of a node its children are picked by the playout policy instead
//! (`Selection::threshold`).

/// What is added for a child with the prior `p` and `n` visits.
#[inline]
pub fn bias(w: f32, p: f32, n: f32) -> f32 {
    w * p / (n + 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::Selection;
    use super::super::tests::{UCT, near, tree, value};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let (tree, biased) = (tree(), Selection { bias: 100.0, ..UCT });
        tree.set_prior(1, 0.25);
        let plain = value(UCT, &tree, 1, Player::First);
        near(value(biased, &tree, 1, Player::First), plain + 100.0 * 0.25 / 5.0);
    }
}
