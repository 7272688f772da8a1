//! The few children that may be chosen next at a node with many of them, so that most choices
//! compare only these.
//!
//! A visit changes the value v + k / sqrt(n_i) of its own child; those of its siblings change only
//! as k grows. So after comparing all children the choice is among the few largest, the leaders, as
//! long as the best of them is above the largest of the others plus what the growth of k can have
//! added to it. The choice is the same as that of [`Plain::pick`], which is called when the leaders
//! have fallen behind. In a shared tree the visits of other threads are not seen until then.

use super::select::{Parent, Plain, inverse_root};
use super::tree::{Fields, Id, Node};

/// How many children are leaders.
const FEW: usize = 4;

/// The leaders of recently used nodes.
#[derive(Debug)]
pub struct Leaders {
    places: Vec<Place>,
}

/// The leaders of one node.
#[derive(Debug, Copy, Clone)]
struct Place {
    id: Id,
    /// Visits of the node and k when all its children were compared.
    visits: u32,
    k: f32,
    /// The largest value of those that are not leaders, and the largest 1 / sqrt(n_i) of all.
    rest: f32,
    r: f32,
    /// In the order of their numbers.
    few: [u16; FEW],
}

impl Default for Leaders {
    fn default() -> Leaders {
        Leaders { places: vec![Place::NOBODY; 1 << Leaders::BITS] }
    }
}

impl Leaders {
    /// The binary logarithm of the number of nodes whose leaders are known.
    const BITS: u32 = 8;
    /// After this many visits of a node its leaders are found again.
    const LASTS: u32 = 64;

    /// Whether leaders pay off for this many children, given the visits of their parent.
    #[inline]
    pub fn are_for(children: usize, visits: u32) -> bool {
        children >= 32 && visits as usize >= 2 * children
    }

    /// Forgets everything, since nodes have moved.
    pub fn forget(&mut self) {
        self.places.fill(Place::NOBODY);
    }

    /// The choice of [`Plain::pick`] among the children of a node.
    #[inline]
    pub fn pick(&mut self, plain: &Plain, id: Id, children: &[Node], parent: Parent) -> Option<usize> {
        let place = &mut self.places[(id.wrapping_mul(0x9E37_79B9) >> (32 - Leaders::BITS)) as usize];
        if place.id == id && parent.visits.wrapping_sub(place.visits) < Leaders::LASTS {
            let leader = place.pick(plain, children, parent);
            if leader.is_some() {
                return leader;
            }
        }
        place.id = Id::MAX;
        plain.untried(children, parent).or_else(|| place.find(plain, id, children, parent))
    }
}

impl Place {
    const NOBODY: Place = Place { id: Id::MAX, visits: 0, k: 0.0, rest: 0.0, r: 0.0, few: [0; FEW] };
    /// More than the rounding error of a value.
    const ROUNDING: f32 = 1e-5;

    /// The best leader, unless one of the others may be better.
    #[inline]
    fn pick(&self, plain: &Plain, children: &[Node], parent: Parent) -> Option<usize> {
        let (value, k) = (plain.value(parent), plain.k(parent.visits));
        let (mut best, mut largest) = (None, self.rest + (k - self.k) * self.r + Place::ROUNDING);
        for i in self.few.map(usize::from) {
            let (child, (visits, bounds)) = (&children[i], children[i].seen());
            let open = plain.is_open(bounds, parent);
            if let Some(value) = value(i, child, visits).filter(|&value| open && value > largest) {
                (best, largest) = (Some(i), value);
            }
        }
        best
    }

    /// Compares all children: the best of them, and the leaders, if no child has to be tried now.
    #[inline]
    fn find(&mut self, plain: &Plain, id: Id, children: &[Node], parent: Parent) -> Option<usize> {
        let value = plain.value(parent);
        // The values of the leaders, largest first; of equal ones the first.
        let mut largest = [(f32::NEG_INFINITY, u16::MAX); FEW];
        let (mut rest, mut fewest) = (f32::NEG_INFINITY, u32::MAX);
        for (i, child) in children.iter().enumerate() {
            let (visits, bounds) = child.seen();
            if !plain.is_open(bounds, parent) {
                continue;
            }
            let Some(value) = value(i, child, visits) else { return Some(i) };
            if visits > 0 {
                // The value of an unvisited child does not grow.
                fewest = fewest.min(visits);
            }
            if value <= largest[FEW - 1].0 {
                rest = rest.max(value);
                continue;
            }
            rest = rest.max(largest[FEW - 1].0);
            let mut at = FEW - 1;
            while at > 0 && largest[at - 1].0 < value {
                largest[at] = largest[at - 1];
                at -= 1;
            }
            largest[at] = (value, i as u16);
        }
        let best = largest[0].1;
        if largest[FEW - 1].1 < u16::MAX {
            let mut few = largest.map(|(_, i)| i);
            few.sort_unstable();
            *self = Place {
                id,
                visits: parent.visits,
                k: plain.k(parent.visits),
                rest,
                r: inverse_root(fewest),
                few,
            };
        }
        // The value of an open child may be less than any number.
        if best < u16::MAX { Some(usize::from(best)) } else { plain.pick(children, parent) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof::{Intervals, Proof};
    use super::super::select::{Explore, Selection};
    use super::super::tree::{Columns, ROOT, Room, Tree, Units};
    use super::*;
    use proofplay_core::{Bounds, Player, Rng, Score};

    /// At each visit the choice is the same as among all children, while values change and children
    /// are closed. Most of the time the leaders are enough.
    #[test]
    fn the_choice_is_that_among_all() {
        let mut rng = Rng::new(4);
        for (round, proof) in [Proof::None, Proof::WinLoss, Proof::Exact, Proof::Bounds(Intervals::default())]
            .into_iter()
            .cycle()
            .take(40)
            .enumerate()
        {
            let mover = Player::BOTH[round / 4 % 2];
            let fpu = [f32::INFINITY, 0.4][round / 8 % 2];
            let selection = Selection {
                explore: Explore::Log,
                c: 0.7,
                fpu,
                reduce: 0.0,
                rave: 0.0,
                bias: 0.0,
                threshold: 0,
            };
            let plain = Plain::new(selection, proof).unwrap();
            let (tree, count) = (Tree::new(1 << 16, Columns::default(), Bounds::WDL), 32 + round);
            tree.expand::<false>(&mut Room::default(), ROOT, count, |i| (i as u32, Bounds::WDL));
            let (_, children) = tree.children(ROOT);
            let chances: Vec<u32> = (0..count).map(|_| 30 + rng.below(40)).collect();
            let (mut leaders, mut known, mut asked) = (Leaders::default(), 0, 0);
            for visits in 1..3000 {
                let parent = Parent { mover, visits, bounds: Bounds::WDL, range: Bounds::WDL };
                let choice = plain.pick(children, parent);
                if Leaders::are_for(count, visits) {
                    let place = leaders.places.iter().find(|place| place.id == ROOT);
                    let fresh = place.filter(|place| visits - place.visits < Leaders::LASTS);
                    known += u32::from(fresh.is_some_and(|p| p.pick(&plain, children, parent).is_some()));
                    asked += 1;
                    assert_eq!(leaders.pick(&plain, ROOT, children, parent), choice, "visit {visits}");
                }
                let Some(i) = choice else { break };
                let reward = if rng.below(100) < chances[i] { 1.0 } else { -1.0 };
                children[i].add::<false>(1, Units::of(reward));
                if rng.below(150) == 0 {
                    let closed = &children[rng.below(count as u32) as usize];
                    closed.tighten::<false>(Bounds::exact(Score::win_of(!mover)));
                }
            }
            assert!(known * 3 > asked * 2, "round {round}: {known} of {asked}");
        }
    }
}
