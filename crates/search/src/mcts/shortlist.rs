//! The leading children of a root with very many of them: comparing thousands of children would
//! take longer than the simulation.
//!
//! A visit changes the value of its own child only, except for the slow growth of the exploration
//! term. So only this child has to be sorted into the leading ones, until all of them have fallen
//! behind the others.

use super::select::{Parent, Plain};
use super::tree::{Fields, Node};
use std::cmp::Ordering;

/// The children that lead.
#[derive(Debug, Default)]
pub struct Shortlist {
    /// Values and numbers of the leading children, the best last; without the one that was chosen.
    leading: Vec<(f32, u32)>,
    chosen: Option<u32>,
    /// The smallest value among the leading ones when they were found, and for how many more
    /// choices they are valid.
    least: f32,
    left: usize,
}

impl Shortlist {
    /// Children for each of the leading ones.
    const SHARE: usize = 32;

    /// Whether a shortlist pays off for this many children.
    #[inline]
    pub fn is_for(children: usize) -> bool {
        children >= 4 * Shortlist::SHARE
    }

    /// The choice of [`Plain::pick`], except for the growth of the exploration term in a few
    /// simulations.
    pub fn pick(&mut self, plain: &Plain, children: &[Node], parent: Parent) -> Option<usize> {
        let is_open = |i: u32| plain.is_open(children[i as usize].bounds(), parent);
        let value = plain.value(parent);
        let value = |i: u32| {
            let child = &children[i as usize];
            value(i as usize, child, child.visits()).unwrap_or(f32::INFINITY)
        };
        if let Some(i) = self.chosen.take().filter(|&i| is_open(i)) {
            let known = (value(i), i);
            if known.0 > self.least {
                let at = self.leading.partition_point(|other| better(&known, other).is_lt());
                self.leading.insert(at, known);
            }
        }
        if self.left == 0 {
            self.leading.clear();
        }
        while self.chosen.is_none() {
            if let Some((_, i)) = self.leading.pop() {
                self.chosen = Some(i).filter(|&i| is_open(i));
            } else {
                self.leading
                    .extend((0..children.len() as u32).filter(|&i| is_open(i)).map(|i| (value(i), i)));
                let wanted = (children.len() / Shortlist::SHARE).min(self.leading.len());
                let (_, last, _) = self.leading.select_nth_unstable_by(wanted.checked_sub(1)?, better);
                (self.least, self.left) = (last.0, 2 * wanted);
                self.leading.truncate(wanted);
                self.leading.sort_unstable_by(|a, b| better(b, a));
            }
        }
        self.left -= 1;
        self.chosen.map(|i| i as usize)
    }
}

/// The larger value comes first, of equal ones the smaller number.
#[inline]
fn better(a: &(f32, u32), b: &(f32, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::super::config::Config;
    use super::super::proof::{Intervals, Proof};
    use super::super::tree::{Columns, ROOT, Room, Tree, Units};
    use super::*;
    use proofplay_core::{Bounds, Player, Rng, Score};

    /// At each visit a shortlist chooses the child with the largest value, except for a little
    /// growth of the exploration term, and never a closed one; also when one child is good enough
    /// to be chosen repeatedly.
    #[test]
    fn a_shortlist_chooses_the_best() {
        let uct = Config::default().selection;
        let mut rng = Rng::new(5);
        for proof in [Proof::None, Proof::Bounds(Intervals::default())] {
            let tree = Tree::new(1 << 20, Columns::default(), Bounds::WDL);
            tree.expand::<false>(&mut Room::default(), ROOT, 640, |i| {
                (i as u32, if i % 7 == 0 { Bounds::exact(Score::DRAW) } else { Bounds::WDL })
            });
            let (_, children) = tree.children(ROOT);
            let (plain, mut list) = (Plain::new(uct, proof).unwrap(), Shortlist::default());
            let (mut equal, mut most) = (0, 0);
            for visits in 1..20_000 {
                let parent =
                    Parent { mover: Player::Second, visits, bounds: Bounds::WDL, range: Bounds::WDL };
                let value = |i: usize| {
                    plain.value(parent)(i, &children[i], children[i].visits()).unwrap_or(f32::INFINITY)
                };
                let picked = list.pick(&plain, children, parent).unwrap();
                assert!(plain.is_open(children[picked].bounds(), parent));
                let best = plain.pick(children, parent).unwrap();
                assert!(value(picked) >= value(best) - 0.02, "{} {}", value(picked), value(best));
                equal += u32::from(value(picked) == value(best));
                most += u32::from(picked == 600);
                let reward = if picked == 600 || rng.below(2) == 0 { -1.0 } else { 1.0 };
                children[picked].add::<false>(1, Units::of(reward));
                if rng.below(100) == 0 {
                    children[rng.below(599) as usize].tighten::<false>(Bounds::exact(Score::DRAW));
                }
            }
            assert!(equal > 18_000 && most > 4_000, "{equal} {most}");
        }
    }
}
