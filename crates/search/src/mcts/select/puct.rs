//! PUCT: exploration by the prior of a move.
//!
//! Silver et al., "Mastering the game of Go without human knowledge", Nature 2017 \[Sil17\]:
//! `select=puct`.
//!
//! ```text
//! v_i + c P_i sqrt(n_p) / (1 + n_i)
//! ```
//!
//! A child that was never visited has no mean. `reduce=R` gives it that of its visited siblings, less
//! the more of the prior these have, as Leela Zero does (R = 1/2 in our scale, where a win is 1 and a
//! loss -1; its own winning rates go from 0 to 1, and R is 1/4):
//!
//! ```text
//! fpu = v_s - R sqrt(sum of P_s)        over the visited siblings s
//! ```
//!
//! Differs from Leela Zero: the mean is that of the visited siblings, not the network's value of the
//! parent, which the tree does not store. Without a visited sibling it is 0, and priors decide.

use super::super::tree::Fields;
use super::super::tree::Node;

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

/// The value of an unvisited child among `children`, which come with their priors.
#[inline]
pub fn urgency<'a>(reduce: f32, sign: f32, children: impl Iterator<Item = (f32, &'a Node)>) -> f32 {
    let (mut visits, mut sum, mut p) = (0.0, 0.0, 0.0);
    for (prior, child) in children {
        let n = child.visits();
        if n > 0 {
            (visits, sum, p) = (visits + n as f32, sum + child.sum() as f32, p + prior);
        }
    }
    if visits > 0.0 { sign * sum / visits - reduce * p.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::super::proof::Proof;
    use super::super::super::tree::{Fields, ROOT, Units};
    use super::super::tests::{PARENT, UCT, near, tree, value};
    use super::super::{Explore, Selection};
    use super::*;
    use proofplay_core::Player;

    #[test]
    fn by_hand() {
        let (tree, puct) = (tree(), Selection { explore: Explore::Puct, ..UCT });
        tree.set_prior(1, 0.25);
        near(value(puct, &tree, 1, Player::First), 0.5 + 0.7 * 0.25 * 8f32.sqrt() / 5.0);
    }

    /// Children with 4 visits each of mean 1/2 and 0, priors 0.09 and 0.16, and one without visits.
    #[test]
    fn urgency_by_hand() {
        let tree = tree();
        let (first, children) = tree.children(ROOT);
        for (id, prior) in [(1, 0.09), (2, 0.16), (3, 0.75)] {
            tree.set_prior(id, prior);
        }
        let of = |sign| {
            urgency(0.5, sign, children.iter().zip(first..).map(|(child, id)| (tree.prior(id), child)))
        };
        near(of(1.0), 0.25 - 0.5 * 0.25f32.sqrt());
        near(of(-1.0), -0.25 - 0.5 * 0.25f32.sqrt());
        near(urgency(0.5, 1.0, [(1.0, &children[2])].into_iter()), 0.0);

        // c = 0.02: values 0.5 + 0.02 * 0.09 * sqrt 8 / 5 and 0 + 0.75 * 0.02 * sqrt 8. Without a
        // reduction the third child would come first.
        let puct = Selection { explore: Explore::Puct, c: 0.02, ..UCT };
        let pick = |selection: Selection| selection.pick(&tree, first, children, PARENT, Proof::None);
        assert_eq!(pick(puct), Some(2));
        let reducing = Selection { reduce: 0.5, ..puct };
        assert_eq!(pick(reducing), Some(0));
        (0..200).for_each(|_| tree.node(1).add::<false>(1, Units::of(-1.0)));
        assert_eq!(pick(reducing), Some(1), "a mean of 0 is more than -0.96 - 0.25");
    }
}
