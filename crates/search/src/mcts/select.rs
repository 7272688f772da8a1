//! Which child to descend into.
//!
//! ```text
//! Log     v + C sqrt(ln n_p / n_i)                      UCT (Kocsis & Szepesvári 2006) [KS06]
//! Root    v + sqrt(C ln n_p / n_i)                      formula 1 of [WBS08]
//! Sum     v + c sqrt(n_p / n_i)                         formula 2 of [CCL18]
//! Puct    v + c P_i sqrt(n_p) / (1 + n_i)               (Silver et al. 2017) [Sil17]
//!
//! bias    ... + W P_i / (n_i + 1)                       progressive bias, formula 1 of [WBS08]
//! rave    v = (1 - b) v + b amaf,  b = sqrt(k / (3 n_i + k))   (Gelly & Silver 2007) [GS07]
//! bounds  ... + gamma pess_i + delta opti_i             section 3.4 of [CS10]
//! ```
//!
//! v is the mean reward in the mover's view, n_i the visits of the child, n_p of the parent. An unvisited child has the
//! first-play urgency as its value; infinity means that every child is tried once before the formula speaks.

use super::proof::{Intervals, Proof};
use super::tree::{Columns, Fields, Id, Node, Tree, UNIT, bits};
use proofplay_core::{Bounds, Player, num};

/// How exploration is paid.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
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
    /// The constant k of RAVE; 0 without.
    pub rave: f32,
    /// The weight W of progressive bias; 0 without.
    pub bias: f32,
    /// Below this many visits of a node the playout policy picks the child.
    pub threshold: u32,
}

/// What a formula needs to know about the node whose children it compares.
#[derive(Copy, Clone)]
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
            Explore::Log => self.c * num::ln_of_count(n_p).sqrt(),
            Explore::Root => (self.c * num::ln_of_count(n_p)).sqrt(),
            Explore::Sum | Explore::Puct => self.c * (n_p as f32).sqrt(),
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
        argmax(children, parent.range, open, |i, child, _| {
            Some(self.value(tree, first + i as Id, child, parent, proof, sign, k))
        })
    }

    /// The whole formula with all its parts.
    #[expect(clippy::too_many_arguments, reason = "the letters of the formula")]
    fn value(
        &self,
        tree: &Tree,
        id: Id,
        child: &Node,
        parent: Parent,
        proof: Proof,
        sign: f32,
        k: f32,
    ) -> f32 {
        let n = child.visits() as f32;
        let mut v = if n > 0.0 { sign * child.sum() as f32 / n } else { self.fpu };
        if self.rave > 0.0 {
            let (amaf_visits, amaf) = tree.amaf(id);
            if amaf_visits > 0.0 {
                let b = (self.rave / (3.0 * n + self.rave)).sqrt();
                v = if n > 0.0 { (1.0 - b) * v + b * sign * amaf } else { sign * amaf };
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
            v += self.bias * tree.prior(id) / (n + 1.0);
        }
        match self.explore {
            Explore::Puct => v + k * tree.prior(id) / (1.0 + n),
            _ if n == 0.0 => v,
            _ => v + k / n.sqrt(),
        }
    }
}

/// A formula that is nothing but v + k / sqrt(n_i), made fast: what depends on small visit counts is looked up, with the
/// same results to the last bit.
pub struct Plain {
    selection: Selection,
    proof: Proof,
    /// k by the visits of the parent, and 1 / sqrt(n) by those of the child.
    k: Box<[f32; Plain::KNOWN as usize]>,
    r: Box<[f32; Plain::KNOWN as usize]>,
}

impl Plain {
    const KNOWN: u32 = 1024;
    /// With so many children it pays to look for an unvisited one.
    const MANY: usize = 32;

    /// `None` if the formula has other parts.
    pub fn new(selection: Selection, proof: Proof) -> Option<Plain> {
        let biased = matches!(proof, Proof::Bounds(intervals) if intervals.is_biased());
        let plain =
            selection.explore != Explore::Puct && selection.rave == 0.0 && selection.bias == 0.0 && !biased;
        plain.then(|| Plain {
            selection,
            proof,
            k: Box::new(std::array::from_fn(|n| selection.k(n as u32))),
            r: Box::new(std::array::from_fn(|n| inverse_root(n as u32))),
        })
    }

    /// k below a node with so many visits.
    #[inline]
    pub fn k(&self, visits: u32) -> f32 {
        if visits < Plain::KNOWN { self.k[visits as usize] } else { self.selection.k(visits) }
    }

    /// Whether a child with these bounds may be chosen.
    #[inline]
    pub fn is_open(&self, bounds: Bounds, parent: Parent) -> bool {
        !self.proof.cuts(bounds, parent.bounds, parent.mover)
    }

    /// The value of a child, or `None` for an unvisited one that must be tried now.
    #[inline]
    pub fn value(&self, parent: Parent) -> impl Fn(usize, &Node, u32) -> Option<f32> {
        let Parent { mover, visits, .. } = parent;
        let k = self.k(visits);
        let (unit, fpu) = (sign(mover) * UNIT as f32, self.selection.fpu);
        move |_, child: &Node, n: u32| {
            // v + k / sqrt(n), with v = sum / n and one division for both.
            let of = |r: f32| Some(r * (child.units() as f32 * unit * r + k));
            match n {
                1..Plain::KNOWN => of(self.r[n as usize]),
                0 => (fpu < f32::INFINITY).then_some(fpu),
                _ => of(inverse_root(n)),
            }
        }
    }

    /// An unvisited child, where all are tried before the formula speaks and there are many. They are tried in order, so that
    /// the first is mostly the one whose number is the visits of the parent after it got its children, else it is found by
    /// halving; where some are closed and never tried, it may be missed or be a later one.
    #[inline]
    pub fn untried(&self, children: &[Node], parent: Parent) -> Option<usize> {
        if children.len() < Plain::MANY || self.selection.fpu < f32::INFINITY {
            return None;
        }
        let tried = |i: usize| children[i].visits() > 0;
        let guess = (parent.visits as usize).wrapping_sub(1);
        let right = guess < children.len() && !tried(guess) && (guess == 0 || tried(guess - 1));
        let i = if right { guess } else { children.partition_point(|child| child.visits() > 0) };
        let child = children.get(i)?;
        self.is_open(child.bounds(), parent).then_some(i)
    }

    /// The same choice as [`Selection::pick`]. The cases are told apart outside the loop over the children: each arm is a
    /// tight loop of its own.
    #[inline]
    pub fn pick(&self, children: &[Node], parent: Parent) -> Option<usize> {
        if let Some(i) = self.untried(children, parent) {
            return Some(i);
        }
        let Parent { mover, bounds: Bounds { pess, opti }, range, .. } = parent;
        let value = self.value(parent);
        match (self.proof, mover) {
            (Proof::None, _) => argmax(children, range, |_| true, value),
            (Proof::Bounds(Intervals { cut: true, .. }), Player::First) => {
                argmax(children, range, |b| b.opti > pess && !b.is_exact(), value)
            }
            (Proof::Bounds(Intervals { cut: true, .. }), Player::Second) => {
                argmax(children, range, |b| b.pess < opti && !b.is_exact(), value)
            }
            _ => argmax(children, range, |b| !self.proof.is_done(b), value),
        }
    }
}

#[inline]
pub fn inverse_root(n: u32) -> f32 {
    1.0 / (n as f32).sqrt()
}

/// 1 for First, whose view is kept, -1 for Second.
#[inline]
fn sign(mover: Player) -> f32 {
    if mover == Player::First { 1.0 } else { -1.0 }
}

/// The first child with the largest value among the open ones; `value` gets number, node and visits of a child, and `None`
/// from it ends the search at that child. Most children have the bounds of the whole `range`: whether these are open is asked
/// once.
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
mod tests {
    use super::super::tree::{ROOT, Room, Units};
    use super::*;
    use proofplay_core::Score;

    /// Two children with 4 visits each of mean +1/2 and 0, a third never visited.
    fn tree() -> Tree {
        let tree = Tree::new(1 << 16, Columns { priors: true, amaf: true }, Bounds::WDL);
        tree.expand::<false>(&mut Room::default(), ROOT, 3, |i| (i as u32, Bounds::WDL));
        for _ in 0..4 {
            tree.node(1).add::<false>(1, Units::of(0.5));
            tree.node(2).add::<false>(1, Units::of(0.0));
        }
        tree
    }

    const UCT: Selection =
        Selection { explore: Explore::Log, c: 0.7, fpu: f32::INFINITY, rave: 0.0, bias: 0.0, threshold: 0 };
    const PARENT: Parent =
        Parent { mover: Player::First, visits: 8, bounds: Bounds::WDL, range: Bounds::WDL };

    fn value(selection: Selection, tree: &Tree, id: Id, mover: Player) -> f32 {
        let ln8 = 2.0794415f32;
        let k = match selection.explore {
            Explore::Log => selection.c * ln8.sqrt(),
            Explore::Root => (selection.c * ln8).sqrt(),
            _ => selection.c * 8f32.sqrt(),
        };
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        selection.value(tree, id, tree.node(id), Parent { mover, ..PARENT }, Proof::None, sign, k)
    }

    #[test]
    fn formulas_by_hand() {
        let tree = tree();
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
        near(value(UCT, &tree, 1, Player::First), 0.5 + 0.7 * (2.0794415f32 / 4.0).sqrt());
        near(value(UCT, &tree, 1, Player::Second), -0.5 + 0.7 * (2.0794415f32 / 4.0).sqrt());
        let root = Selection { explore: Explore::Root, ..UCT };
        near(value(root, &tree, 1, Player::First), 0.5 + (0.7 * 2.0794415f32 / 4.0).sqrt());
        let sum = Selection { explore: Explore::Sum, ..UCT };
        near(value(sum, &tree, 1, Player::First), 0.5 + 0.7 * (8.0f32 / 4.0).sqrt());
        tree.set_prior(1, 0.25);
        let puct = Selection { explore: Explore::Puct, ..UCT };
        near(value(puct, &tree, 1, Player::First), 0.5 + 0.7 * 0.25 * 8f32.sqrt() / 5.0);
        let bias = Selection { bias: 100.0, ..UCT };
        near(value(bias, &tree, 1, Player::First), value(UCT, &tree, 1, Player::First) + 100.0 * 0.25 / 5.0);
        tree.add_amaf::<false>(1, Units::of(-1.0));
        let rave = Selection { rave: 12.0, ..UCT };
        let b = (12.0f32 / (3.0 * 4.0 + 12.0)).sqrt();
        near(value(rave, &tree, 1, Player::First), value(UCT, &tree, 1, Player::First) - b * 1.5);
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

    /// The fast way chooses as the whole formula does.
    #[test]
    fn plain_is_the_same_formula() {
        let mut rng = proofplay_core::Rng::new(6);
        for round in 0..2000 {
            let tree = Tree::new(1 << 16, Columns::default(), Bounds::WDL);
            tree.expand::<false>(&mut Room::default(), ROOT, 8, |i| (i as u32, Bounds::WDL));
            let (first, children) = tree.children(ROOT);
            let mut visits = 1;
            for child in children {
                let n = rng.below([3, 50, 5000][round % 3]);
                visits += n;
                (0..n).for_each(|_| child.add::<false>(1, Units::of(rng.below(3) as f64 - 1.0)));
                if rng.below(4) == 0 {
                    child.tighten::<false>(Bounds::exact(Score(rng.below(2) as i16 - 1)));
                }
            }
            let mover = Player::BOTH[round % 2];
            let bounds = Bounds::new(Score::LOSS, Score(rng.below(2) as i16)).seen_by(mover);
            let parent = Parent { mover, visits, bounds, ..PARENT };
            for proof in [Proof::None, Proof::WinLoss, Proof::Exact, Proof::Bounds(Intervals::default())] {
                let selection = Selection { fpu: 2.0, ..UCT };
                let fast = Plain::new(selection, proof).unwrap().pick(children, parent);
                let whole = selection.pick(&tree, first, children, parent, proof);
                let value = |i: Option<usize>| {
                    i.map(|i| {
                        selection.value(
                            &tree,
                            first + i as Id,
                            &children[i],
                            parent,
                            proof,
                            sign(mover),
                            selection.k(visits),
                        )
                    })
                };
                // Rounding may tell equal values apart.
                assert!(
                    fast == whole || (value(fast).unwrap() - value(whole).unwrap()).abs() < 1e-5,
                    "{fast:?} {whole:?}"
                );
            }
        }
    }

    /// Many children are tried in order before the formula speaks, and closed ones never.
    #[test]
    fn many_children_are_tried_in_order() {
        let tree = Tree::new(1 << 20, Columns::default(), Bounds::WDL);
        tree.expand::<false>(&mut Room::default(), ROOT, 100, |i| {
            (i as u32, if i % 9 == 4 { Bounds::exact(Score::DRAW) } else { Bounds::WDL })
        });
        let (_, children) = tree.children(ROOT);
        let plain = Plain::new(UCT, Proof::Bounds(Intervals::default())).unwrap();
        let open = children.iter().filter(|child| !child.bounds().is_exact()).count();
        for _ in 0..open {
            let i = plain.pick(children, PARENT).unwrap();
            assert!(children[i].visits() == 0 && !children[i].bounds().is_exact());
            children[i].add::<false>(1, Units::of(0.0));
        }
        let i = plain.pick(children, PARENT).unwrap();
        assert!(children[i].visits() == 1, "all are tried, the formula decides");
    }

    #[test]
    fn scores_are_scaled() {
        let points = Bounds::new(Score(-9), Score(9));
        assert_eq!([-9, 0, 9].map(|s| scaled(s, points)), [-1.0, 0.0, 1.0]);
        assert_eq!(scaled(3, Bounds::exact(Score(3))), 0.0);
    }
}
