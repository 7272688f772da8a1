//! The exploration term of Exact-win MCTS: no logarithm.
//!
//! Chen, Chen & Lin, "Exact-win strategy for overcoming AlphaZero", CIIS 2018 \[CCL18\], formula 2:
//! `select=sum`.
//!
//! ```text
//! v_i + c sqrt(n_p / n_i)
//! ```
//!
//! Paper -> here: W(s, a) / N(s, a) -> v_i; N(s, a) -> n_i; the sum of N(s, p) over the children ->
//! n_p, the visits of the node; UC(s), the children without a mark -> what [`Proof`](super::Proof)
//! does not leave out.

/// The part that all children of a node share: c sqrt(n_p).
#[inline]
pub fn k(c: f32, n_p: u32) -> f32 {
    c * (n_p as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{UCT, near, tree, value};
    use super::super::{Explore, Selection};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let sum = Selection { explore: Explore::Sum, ..UCT };
        near(value(sum, &tree(), 1, Player::First), 0.5 + 0.7 * (8.0f32 / 4.0).sqrt());
    }
}
