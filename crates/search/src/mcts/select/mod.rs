//! Which child to descend into. One file a formula:
//!
//! ```text
//! uct.rs               v + C sqrt(ln n_p / n_i)                    [KS06]
//! mcts_solver.rs       v + sqrt(C ln n_p / n_i)                    formula 1 of [WBS08]
//! exact_win.rs         v + c sqrt(n_p / n_i)                       formula 2 of [CCL18]
//! puct.rs              v + c P_i sqrt(n_p) / (1 + n_i)             [Sil17]
//!
//! progressive_bias.rs  ... + W P_i / (n_i + 1)                     formula 1 of [WBS08]
//! rave.rs              v = (1 - b) v + b amaf,  b = sqrt(k / (3 n_i + k))   [GS07]
//! ../proof.rs          ... + gamma pess_i + delta opti_i           section 3.4 of [CS10]
//! ```
//!
//! v is the mean reward in the mover's view, n_i the visits of the child, n_p of the parent. An
//! unvisited child has the first-play urgency as its value; infinity means that every child is
//! tried once before the formula is used.

mod exact_win;
mod mcts_solver;
mod plain;
mod progressive_bias;
mod puct;
mod rave;
mod uct;

pub use plain::{Plain, inverse_root};

use super::custom::{Formula, Seen};
use super::proof::Proof;
use super::tree::{Columns, Fields, Id, Node, Tree, bits};
use proofplay_core::{Bounds, Player};

/// The exploration term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Explore {
    /// C sqrt(ln n_p / n_i)
    Log,
    /// sqrt(C ln n_p / n_i)
    Root,
    /// c sqrt(n_p / n_i)
    Sum,
    /// c P_i sqrt(n_p) / (1 + n_i)
    Puct,
}

/// A selection formula.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Selection {
    /// The shape of the exploration term.
    pub explore: Explore,
    /// Its constant.
    pub c: f32,
    /// The value of an unvisited child.
    pub fpu: f32,
    /// R of the reduction of `puct.rs`, which takes the place of `fpu`; 0 without.
    pub reduce: f32,
    /// The constant k of RAVE; 0 without.
    pub rave: f32,
    /// The weight W of progressive bias; 0 without.
    pub bias: f32,
    /// Below this many visits of a node the playout policy picks the child.
    pub threshold: u32,
}

/// What a formula uses of the node whose children it compares.
#[derive(Copy, Clone, Debug)]
pub struct Parent {
    /// Who moves.
    pub mover: Player,
    /// Visits of the node.
    pub visits: u32,
    /// What is certain about it.
    pub bounds: Bounds,
    /// Scores are scaled from this range to [-1, 1].
    pub range: Bounds,
}

/// Scales a score of `range` to [-1, 1].
#[inline]
pub fn scaled(score: i16, range: Bounds) -> f32 {
    let (low, high) = (f32::from(range.pess.0), f32::from(range.opti.0));
    if high > low { (2.0 * f32::from(score) - low - high) / (high - low) } else { 0.0 }
}

impl Selection {
    /// The columns that the formula reads.
    pub fn wants(&self) -> Columns {
        Columns { priors: self.explore == Explore::Puct || self.bias > 0.0, amaf: self.rave > 0.0 }
    }

    /// The factor of exploration below a node with `n_p` visits.
    #[inline]
    fn k(&self, n_p: u32) -> f32 {
        let n_p = n_p.max(1);
        match self.explore {
            Explore::Log => uct::k(self.c, n_p),
            Explore::Root => mcts_solver::k(self.c, n_p),
            Explore::Sum => exact_win::k(self.c, n_p),
            Explore::Puct => puct::k(self.c, n_p),
        }
    }

    /// The child with the largest value among those that `proof` does not leave out.
    pub fn pick(
        &self,
        tree: &Tree,
        first: Id,
        children: &[Node],
        parent: Parent,
        proof: Proof,
    ) -> Option<usize> {
        let (sign, k) = (sign(parent.mover), self.k(parent.visits));
        let open = |b: Bounds| !proof.cuts(b, parent.bounds, parent.mover);
        let prior = |(child, id)| (tree.prior(id), child);
        let fpu = match self.reduce > 0.0 {
            true => puct::urgency(self.reduce, sign, children.iter().zip(first..).map(prior)),
            false => self.fpu,
        };
        argmax(children, parent.range, open, |i, child, _| {
            Some(self.value(tree, first + i as Id, child, parent, proof, (sign, k, fpu)))
        })
    }

    /// The whole formula with all its parts.
    fn value(
        &self,
        tree: &Tree,
        id: Id,
        child: &Node,
        parent: Parent,
        proof: Proof,
        (sign, k, fpu): (f32, f32, f32),
    ) -> f32 {
        let n = child.visits() as f32;
        let mut v = if n > 0.0 { sign * child.sum() as f32 / n } else { fpu };
        if self.rave > 0.0 {
            let (amaf_visits, amaf) = tree.amaf(id);
            if amaf_visits > 0.0 {
                v = rave::mixed(self.rave, v, n, sign * amaf);
            }
        }
        if let Proof::Bounds(intervals) = proof {
            let view = |b: Bounds| {
                let b = b.seen_by(parent.mover);
                let range = parent.range.seen_by(parent.mover);
                [scaled(b.pess.0, range), scaled(b.opti.0, range)]
            };
            v += intervals.bias(view(child.bounds()), view(parent.bounds), n);
        }
        if self.bias > 0.0 {
            v += progressive_bias::bias(self.bias, tree.prior(id), n);
        }
        match self.explore {
            Explore::Puct => v + puct::explore(k, tree.prior(id), n),
            _ if n == 0.0 => v,
            _ => v + k / n.sqrt(),
        }
    }
}

/// The child with the largest value of a custom formula among those that `proof` does not leave
/// out.
pub fn pick_by(
    formula: &dyn Formula,
    tree: &Tree,
    first: Id,
    children: &[Node],
    parent: Parent,
    proof: Proof,
) -> Option<usize> {
    let sign = sign(parent.mover);
    let own = |bounds: Bounds| bounds.seen_by(parent.mover);
    let above = Seen::new(parent.visits, None, own(parent.bounds), 1.0);
    let open = |b: Bounds| !proof.cuts(b, parent.bounds, parent.mover);
    argmax(children, parent.range, open, |i, child, visits| {
        let mean = (visits > 0).then(|| sign * child.sum() as f32 / visits as f32);
        let prior = if formula.wants_priors() { tree.prior(first + i as Id) } else { 1.0 };
        Some(formula.value(&above, &Seen::new(visits, mean, own(child.bounds()), prior)))
    })
}

/// 1 for First, -1 for Second: makes First's view the mover's.
#[inline]
fn sign(mover: Player) -> f32 {
    if mover == Player::First { 1.0 } else { -1.0 }
}

/// The first child with the largest value among the open ones; `value` gets number, node and visits
/// of a child, and `None` from it ends the search at that child. Most children have the bounds of
/// the whole `range`: whether these are open is computed once.
#[inline]
fn argmax(
    children: &[Node],
    range: Bounds,
    open: impl Fn(Bounds) -> bool,
    value: impl Fn(usize, &Node, u32) -> Option<f32>,
) -> Option<usize> {
    let (usual, usual_open) = (bits(range), open(range));
    let is_open = |child: &Node, bits: u32| if bits == usual { usual_open } else { open(child.bounds()) };
    let (mut best, mut largest) = (None, f32::NEG_INFINITY);
    for (i, child) in children.iter().enumerate() {
        let (visits, bits) = child.glance();
        if is_open(child, bits) {
            let Some(value) = value(i, child, visits) else { return Some(i) };
            if value > largest {
                (best, largest) = (Some(i), value);
            }
        }
    }
    // The value of an open child may be less than any number.
    best.or_else(|| children.iter().position(|child| open(child.bounds())))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::proof::Intervals;
    use super::super::tree::{ROOT, Room, Units};
    use super::*;
    use proofplay_core::Score;

    /// Two children with 4 visits each of mean +1/2 and 0, a third never visited.
    pub fn tree() -> Tree {
        let tree = Tree::new(1 << 16, Columns { priors: true, amaf: true }, Bounds::WDL);
        tree.expand::<false>(&mut Room::default(), ROOT, 3, |i| (i as u32, Bounds::WDL));
        for _ in 0..4 {
            tree.node(1).add::<false>(1, Units::of(0.5));
            tree.node(2).add::<false>(1, Units::of(0.0));
        }
        tree
    }

    pub const UCT: Selection = Selection {
        explore: Explore::Log,
        c: 0.7,
        fpu: f32::INFINITY,
        reduce: 0.0,
        rave: 0.0,
        bias: 0.0,
        threshold: 0,
    };
    pub const PARENT: Parent =
        Parent { mover: Player::First, visits: 8, bounds: Bounds::WDL, range: Bounds::WDL };

    /// The value of a child below a node with eight visits.
    pub fn value(selection: Selection, tree: &Tree, id: Id, mover: Player) -> f32 {
        let parent = Parent { mover, ..PARENT };
        let letters = (sign(mover), selection.k(8), selection.fpu);
        selection.value(tree, id, tree.node(id), parent, Proof::None, letters)
    }

    pub fn near(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn unvisited_first_and_cut_never() {
        let tree = tree();
        let (first, children) = tree.children(ROOT);
        let pick = |s: Selection, proof| s.pick(&tree, first, children, PARENT, proof);
        assert_eq!(pick(UCT, Proof::None), Some(2));
        assert_eq!(pick(Selection { fpu: -1.0, ..UCT }, Proof::None), Some(0));
        tree.node(1).tighten::<false>(Bounds::exact(Score::LOSS));
        let greedy = Selection { fpu: -1.0, ..UCT };
        assert_eq!(pick(greedy, Proof::None), Some(0), "without proofs the mean decides");
        assert_eq!(pick(greedy, Proof::Exact), Some(1));
        tree.node(2).tighten::<false>(Bounds::exact(Score::DRAW));
        tree.node(3).tighten::<false>(Bounds::exact(Score::DRAW));
        assert_eq!(pick(UCT, Proof::Bounds(Intervals::default())), None, "nothing is open");
    }

    /// The situation of figure 2 of \[CS10\], section 3.4, with numbers of ours: by its playouts
    /// child b looks better than c, by its bounds c does. Q'_max = Q + gamma pess + delta opti, and
    /// for a min node mirrored.
    #[test]
    fn figure_2() {
        let points = Bounds::new(Score(-10), Score(10));
        for (mover, sign) in [(Player::First, 1.0), (Player::Second, -1.0)] {
            let tree = Tree::new(1 << 16, Columns::default(), points);
            tree.expand::<false>(&mut Room::default(), ROOT, 2, |i| (i as u32, points));
            let (first, children) = tree.children(ROOT);
            let known = [Bounds::new(Score(-10), Score(4)), Bounds::new(Score(0), Score(10))];
            for ((child, mean), bounds) in children.iter().zip([0.2, 0.1]).zip(known) {
                (0..500).for_each(|_| child.add::<false>(1, Units::of(sign * mean)));
                child.tighten::<false>(bounds.seen_by(mover));
            }
            let parent = Parent { mover, visits: 1000, bounds: points, range: points };
            let pick = |gamma, delta| {
                let intervals = Intervals { gamma, delta, ..Intervals::default() };
                UCT.pick(&tree, first, children, parent, Proof::Bounds(intervals))
            };
            assert_eq!(pick(0.0, 0.0), Some(0), "b by the mean");
            assert_eq!([pick(0.2, 0.0), pick(0.0, 0.2), pick(0.1, 0.1)], [Some(1); 3], "c by its bounds");
            // Q' by hand: b 0.2 - 0.05 * 1, c 0.1 + 0.05 * 0; then b 0.2 - 0.15 * 1, c 0.1.
            assert_eq!([pick(0.05, 0.0), pick(0.15, 0.0)], [Some(0), Some(1)]);
        }
    }

    #[test]
    fn scores_are_scaled() {
        let points = Bounds::new(Score(-9), Score(9));
        assert_eq!([-9, 0, 9].map(|s| scaled(s, points)), [-1.0, 0.0, 1.0]);
        assert_eq!(scaled(3, Bounds::exact(Score(3))), 0.0);
    }
}
