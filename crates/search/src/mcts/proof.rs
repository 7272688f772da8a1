//! What simulations prove: four backup rules as one, interval minimax and then a coarsening.
//!
//! Winands, Björnsson & Saito, "Monte-Carlo Tree Search Solver", CG 2008 \[WBS08\]: only wins and
//! losses. Chen, Chen & Lin, "Exact-win strategy for overcoming AlphaZero", CIIS 2018 \[CCL18\]:
//! WIN, LOSS, DRAW or UNKNOWN. Cazenave & Saffidine, "Score bounded Monte-Carlo tree search", CG
//! 2010 \[CS10\]: an interval for every node.
//!
//! Paper -> here: infinity, marks, pess/opti -> `Bounds`; prop-pess and prop-opti (algorithms 1 and
//! 2) -> `Bounds::minimax` over the children, climbing until nothing changes; the dummy child ->
//! children that do not exist yet have the full range.
//! Invariant: the bounds of a node contain its value at any time, and only tighten.

use proofplay_core::{Bounds, Player};

/// What is proven, and how it steers the search.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// Statistics only.
    None,
    /// Wins and losses.
    WinLoss,
    /// Exact values.
    Exact,
    /// Intervals.
    Bounds(Intervals),
}

/// The settings of [`Proof::Bounds`].
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Intervals {
    /// Leave out children that cannot be better than the parent's certain score.
    pub cut: bool,
    /// Weight of a child's pess in the selection, in the mover's view.
    pub gamma: f32,
    /// Weight of a child's opti.
    pub delta: f32,
    /// Both weights fade: they are multiplied by fade / (fade + visits of the child). 0: they do
    /// not. (Future work of the paper.)
    pub fade: f32,
    /// The bias counts from the parent's bounds instead of from 0. (Future work of the paper.)
    pub relative: bool,
}

impl Default for Intervals {
    fn default() -> Intervals {
        Intervals { cut: true, gamma: 0.0, delta: 0.0, fade: 0.0, relative: false }
    }
}

impl Proof {
    /// The word for it in a spec.
    pub fn name(self) -> &'static str {
        match self {
            Proof::None => "none",
            Proof::WinLoss => "solver",
            Proof::Exact => "exact",
            Proof::Bounds(_) => "bounds",
        }
    }

    /// What it can prove, if not every value.
    pub fn proves_only(self) -> Option<&'static str> {
        match self {
            Proof::None => Some("it proves nothing"),
            Proof::WinLoss => Some("it proves wins and losses only"),
            Proof::Exact | Proof::Bounds(_) => None,
        }
    }

    /// What this rule stores of the certain interval `b` when the rules allow `full`.
    #[inline]
    pub fn coarsen(self, b: Bounds, full: Bounds) -> Bounds {
        match self {
            Proof::WinLoss if b.is_decisive() => b,
            Proof::Exact if b.is_exact() => b,
            Proof::Bounds(_) => b,
            _ => full,
        }
    }

    /// Whether nothing more can be proven below a node.
    #[inline]
    pub fn is_done(self, b: Bounds) -> bool {
        match self {
            Proof::None => false,
            Proof::WinLoss => b.is_decisive(),
            Proof::Exact | Proof::Bounds(_) => b.is_exact(),
        }
    }

    /// Whether a child may be left out: it is done, or its best is not better for the mover than
    /// the parent's worst.
    #[inline]
    pub fn cuts(self, child: Bounds, parent: Bounds, mover: Player) -> bool {
        match self {
            Proof::Bounds(Intervals { cut: true, .. }) => {
                child.is_exact() || child.seen_by(mover).opti <= parent.seen_by(mover).pess
            }
            _ => self.is_done(child),
        }
    }
}

impl Intervals {
    /// What the bounds of a child add to its value (section 3.4): gamma * pess + delta * opti, in
    /// the mover's view, the scores scaled to [-1, 1].
    #[inline]
    pub fn bias(&self, child: [f32; 2], parent: [f32; 2], visits: f32) -> f32 {
        let [pess, opti] = if self.relative { [child[0] - parent[0], child[1] - parent[1]] } else { child };
        let bias = self.gamma * pess + self.delta * opti;
        if self.fade > 0.0 { bias * self.fade / (self.fade + visits) } else { bias }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Score;

    const WIN: Bounds = Bounds::exact(Score::WIN);
    const DRAW: Bounds = Bounds::exact(Score::DRAW);
    const AT_MOST_DRAW: Bounds = Bounds::new(Score::LOSS, Score::DRAW);

    #[test]
    fn every_rule_keeps_what_its_paper_keeps() {
        let kept = |proof: Proof| [WIN, DRAW, AT_MOST_DRAW].map(|b| proof.coarsen(b, Bounds::WDL));
        let bounds = Proof::Bounds(Intervals::default());
        assert_eq!(kept(Proof::None), [Bounds::WDL; 3]);
        assert_eq!(kept(Proof::WinLoss), [WIN, Bounds::WDL, Bounds::WDL]);
        assert_eq!(kept(Proof::Exact), [WIN, DRAW, Bounds::WDL]);
        assert_eq!(kept(bounds), [WIN, DRAW, AT_MOST_DRAW]);
    }

    /// Figure 1 of \[CS10\], scores 0, 1/2, 1 written as -1, 0, +1: max node a has a solved child c
    /// of 1/2 and a min child d, which has a solved child f of 1/2. Then opti(d) = 1/2 <= pess(a) =
    /// 1/2, and d is cut. Figure 2, which needs the selection, is a test of `select/mod.rs`.
    #[test]
    fn figure_1() {
        let d = Bounds::minimax(Player::Second, [Bounds::WDL, DRAW]);
        assert_eq!(d, AT_MOST_DRAW);
        let a = Bounds::minimax(Player::First, [Bounds::WDL, DRAW, d]);
        assert_eq!(a, Bounds::new(Score::DRAW, Score::WIN));
        let cuts = |proof: Proof| proof.cuts(d, a, Player::First);
        assert!(cuts(Proof::Bounds(Intervals::default())));
        assert!(!cuts(Proof::Bounds(Intervals { cut: false, ..Intervals::default() })));
        assert!(!cuts(Proof::Exact) && Proof::Exact.cuts(DRAW, a, Player::First));
    }

    /// Section 3.4: Q'max = Qmax + gamma pess + delta opti; Q'min = Qmin - gamma opti - delta pess.
    #[test]
    fn bias_in_the_movers_view() {
        let weights = Intervals { gamma: 0.5, delta: -0.1, ..Intervals::default() };
        let view = |player| {
            let b = AT_MOST_DRAW.seen_by(player);
            [f32::from(b.pess.0), f32::from(b.opti.0)]
        };
        assert_eq!(weights.bias(view(Player::First), [-1.0, 1.0], 9.0), -0.5);
        assert_eq!(weights.bias(view(Player::Second), [-1.0, 1.0], 9.0), -0.1);
        let fading = Intervals { fade: 1.0, ..weights };
        assert_eq!(fading.bias([-1.0, 0.0], [-1.0, 1.0], 9.0), -0.05);
        let relative = Intervals { relative: true, ..weights };
        assert_eq!(relative.bias([-1.0, 0.0], [-1.0, 1.0], 9.0), 0.1);
    }
}
