//! The fast choice, where the formula is v + k / sqrt(n_i) and nothing else.

use super::super::proof::{Intervals, Proof};
use super::super::tree::{Fields, Node, UNIT};
use super::{Explore, Parent, Selection, argmax, sign};
use proofplay_core::{Bounds, Player};

/// The formula v + k / sqrt(n_i) and nothing else, made fast: what depends on visit counts is looked
/// up.
#[derive(Debug)]
pub struct Plain {
    selection: Selection,
    proof: Proof,
    k: Steps,
    /// 1 / sqrt(n) by the visits of the child, the same to the last bit.
    r: Box<[f32; Plain::KNOWN as usize]>,
}

impl Plain {
    const KNOWN: u32 = 1024;
    /// With this many children it pays to look for an unvisited one.
    const MANY: usize = 32;

    /// `None` if the formula has other parts.
    pub fn new(selection: Selection, proof: Proof) -> Option<Plain> {
        // Every field is named, so that a new one does not compile until it is handled here.
        let Selection { explore, c: _, fpu: _, reduce: _, rave, bias, threshold: _ } = selection;
        let biased = match proof {
            Proof::None | Proof::WinLoss | Proof::Exact => false,
            Proof::Bounds(Intervals { cut: _, gamma, delta, fade: _, relative: _ }) => {
                gamma != 0.0 || delta != 0.0
            }
        };
        // Only PUCT reduces its first-play urgency.
        let plain = explore != Explore::Puct && rave == 0.0 && bias == 0.0 && !biased;
        plain.then(|| Plain {
            selection,
            proof,
            k: Steps::of(|n_p| selection.k(n_p)),
            r: Box::new(std::array::from_fn(|n| inverse_root(n as u32))),
        })
    }

    /// k below a node with this many visits.
    #[inline]
    pub fn k(&self, visits: u32) -> f32 {
        self.k.at(visits.max(1))
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

    /// An unvisited child, where all are tried before the formula is used and there are many. They
    /// are tried in order, so the first is mostly the one whose number is the visits of the parent
    /// since it got its children; else binary search finds it. Where some are closed and never
    /// tried, it may be missed or be a later one.
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

    /// The same choice as [`Selection::pick`]. The cases are matched outside the loop over the
    /// children: each arm is a separate tight loop.
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

/// A smooth function of a count, such as c sqrt(ln n): known at the counts of nine leading bits and
/// interpolated between them. A logarithm, a division and a root that wait for each other would
/// take most of the time of a choice.
#[derive(Debug)]
struct Steps(Box<[f32]>);

impl Steps {
    /// The bits of a float behind those that choose a step.
    const REST: u32 = f32::MANTISSA_DIGITS - 1 - 8;
    /// The step of the count 1.
    const FIRST: u32 = 1.0_f32.to_bits() >> Steps::REST;

    fn of(function: impl Fn(u32) -> f32) -> Steps {
        let count = |step: u32| f32::from_bits(step << Steps::REST) as u32;
        let last = (u32::MAX as f32).to_bits() >> Steps::REST;
        Steps((Steps::FIRST..=last + 1).map(|step| function(count(step))).collect())
    }

    /// The function of a count from 1: exact below 512, else with a relative error below 2^-20.
    #[inline]
    fn at(&self, count: u32) -> f32 {
        let bits = (count as f32).to_bits();
        let step = ((bits >> Steps::REST) - Steps::FIRST) as usize;
        let part = (bits & ((1 << Steps::REST) - 1)) as f32 * (1.0 / (1 << Steps::REST) as f32);
        let [from, to] = [self.0[step], self.0[step + 1]];
        from + part * (to - from)
    }
}

/// 1 / sqrt(n)
#[inline]
pub fn inverse_root(n: u32) -> f32 {
    1.0 / (n as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::{Columns, Id, ROOT, Room, Tree, Units};
    use super::super::tests::{PARENT, UCT};
    use super::*;
    use proofplay_core::Score;

    /// Every way to set a selection and a rule of proof.
    fn settings() -> Vec<(Selection, Proof)> {
        let mut selections = Vec::new();
        for explore in [Explore::Log, Explore::Root, Explore::Sum, Explore::Puct] {
            for (fpu, rave, bias) in [(2.0, 0.0, 0.0), (-0.3, 0.0, 0.0), (2.0, 50.0, 0.0), (2.0, 0.0, 3.0)] {
                for threshold in [0, 5] {
                    let reduce = if explore == Explore::Puct { 0.5 } else { 0.0 };
                    selections.push(Selection { explore, c: 0.9, fpu, reduce, rave, bias, threshold });
                }
            }
        }
        let interval = |cut, gamma, delta, fade, relative| {
            Proof::Bounds(Intervals { cut, gamma, delta, fade, relative })
        };
        let proofs = [
            Proof::None,
            Proof::WinLoss,
            Proof::Exact,
            interval(true, 0.0, 0.0, 0.0, false),
            interval(false, 0.0, 0.0, 0.0, false),
            interval(true, 0.0, 0.0, 7.0, true),
            interval(true, 0.4, 0.0, 0.0, false),
            interval(true, 0.0, -0.3, 7.0, true),
        ];
        selections.into_iter().flat_map(|selection| proofs.map(|proof| (selection, proof))).collect()
    }

    /// The fast choice agrees with the whole formula for all settings, or is not used.
    #[test]
    fn plain_is_the_same_formula() {
        let (mut rng, mut taken) = (proofplay_core::Rng::new(6), 0);
        for round in 0..400 {
            let tree = Tree::new(1 << 16, Columns { priors: true, amaf: true }, Bounds::WDL);
            tree.expand::<false>(&mut Room::default(), ROOT, 8, |i| (i as u32, Bounds::WDL));
            let (first, children) = tree.children(ROOT);
            let mut visits = 1;
            for (id, child) in (first..).zip(children) {
                let n = rng.below([3, 50, 2000][round % 3]);
                visits += n;
                (0..n).for_each(|_| child.add::<false>(1, Units::of(rng.below(3) as f64 - 1.0)));
                tree.set_prior(id, rng.unit() as f32);
                (0..rng.below(4)).for_each(|_| tree.add_amaf::<false>(id, Units::of(rng.unit())));
                if rng.below(4) == 0 {
                    child.tighten::<false>(Bounds::exact(Score(rng.below(2) as i16 - 1)));
                }
            }
            let mover = Player::BOTH[round % 2];
            let bounds = Bounds::new(Score::LOSS, Score(rng.below(2) as i16)).seen_by(mover);
            let parent = Parent { mover, visits, bounds, ..PARENT };
            for (selection, proof) in settings() {
                let Some(plain) = Plain::new(selection, proof) else { continue };
                let whole = selection.pick(&tree, first, children, parent, proof);
                let fast = plain.pick(children, parent);
                let value = |i: Option<usize>| {
                    let (i, k) = (i.unwrap(), selection.k(visits));
                    let letters = (sign(mover), k, selection.fpu);
                    selection.value(&tree, first + i as Id, &children[i], parent, proof, letters)
                };
                // Rounding may make equal values differ.
                let same = fast == whole || (value(fast) - value(whole)).abs() < 1e-5;
                assert!(same, "{selection:?} {proof:?}: {fast:?} {whole:?}");
                taken += 1;
            }
        }
        assert!(taken > 10_000);
    }

    #[test]
    fn steps_are_near() {
        for explore in [Explore::Log, Explore::Root, Explore::Sum] {
            let selection = Selection { explore, ..UCT };
            let steps = Steps::of(|n| selection.k(n));
            let mut rng = proofplay_core::Rng::new(1);
            let random = (0..100_000).map(|i| (rng.next_u64() >> (32 + i % 23)) as u32 | 1);
            for n in (1..5000).chain(random).chain([u32::MAX - 1, u32::MAX, 1 << 31, (1 << 24) + 1]) {
                let (k, near) = (selection.k(n), steps.at(n));
                let most = if n < 512 { 0.0 } else { k / (1 << 20) as f32 };
                assert!((k - near).abs() <= most, "{explore:?} {n}: {k} {near}");
            }
        }
    }

    /// Many children are tried in order before the formula is used, and closed ones never.
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
}
