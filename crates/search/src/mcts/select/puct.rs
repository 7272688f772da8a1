//! PUCT: exploration by the prior of a move.
//!
//! Silver et al., "Mastering the game of Go without human knowledge", Nature 2017 \[Sil17\]:
//! `select=puct`.
//!
//! ```text
//! v_i + c P_i sqrt(n_p) / (1 + n_i)
//! ```

/// The part that all children of a node share: c sqrt(n_p).
#[inline]
pub fn k(c: f32, n_p: u32) -> f32 {
    c * (n_p as f32).sqrt()
}

/// What is added for a child with the prior `p` and `n` visits.
#[inline]
pub fn explore(k: f32, p: f32, n: f32) -> f32 {
    k * p / (1.0 + n)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{UCT, near, tree, value};
    use super::super::{Explore, Selection};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let (tree, puct) = (tree(), Selection { explore: Explore::Puct, ..UCT });
        tree.set_prior(1, 0.25);
        near(value(puct, &tree, 1, Player::First), 0.5 + 0.7 * 0.25 * 8f32.sqrt() / 5.0);
    }
}
