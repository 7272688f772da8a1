//! RAVE: simulations in which a move was played later count for it as well, the less the more
//! visits it has itself.
//!
//! Gelly & Silver, "Combining online and offline knowledge in UCT", ICML 2007 \[GS07\]: `rave=K`.
//!
//! ```text
//! v_i = (1 - b) v_i + b amaf_i,   b = sqrt(K / (3 n_i + K))
//! ```

/// The value of a child with the mean `v` of its `n` visits and the mean `amaf` of the simulations
/// in which its move was played, all in the mover's view.
#[inline]
pub fn mixed(k: f32, v: f32, n: f32, amaf: f32) -> f32 {
    let b = (k / (3.0 * n + k)).sqrt();
    if n > 0.0 { (1.0 - b) * v + b * amaf } else { amaf }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Units;
    use super::super::Selection;
    use super::super::tests::{UCT, near, tree, value};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let (tree, rave) = (tree(), Selection { rave: 12.0, ..UCT });
        tree.add_amaf::<false>(1, Units::of(-1.0));
        let b = (12.0f32 / (3.0 * 4.0 + 12.0)).sqrt();
        near(value(rave, &tree, 1, Player::First), value(UCT, &tree, 1, Player::First) - b * 1.5);
    }
}
