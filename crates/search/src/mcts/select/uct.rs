//! UCT: the mean reward, and more for a child that was seldom visited.
//!
//! Kocsis & Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 \[KS06\]: `select=uct`.
//!
//! ```text
//! v_i + C sqrt(ln n_p / n_i)
//! ```

use proofplay_core::num;

/// The part that all children of a node share: C sqrt(ln n_p).
#[inline]
pub fn k(c: f32, n_p: u32) -> f32 {
    c * num::ln_of_count(n_p).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{UCT, near, tree, value};
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let explore = 0.7 * (2.0794415f32 / 4.0).sqrt();
        near(value(UCT, &tree(), 1, Player::First), 0.5 + explore);
        near(value(UCT, &tree(), 1, Player::Second), -0.5 + explore);
    }
}
