//! What to play when the search ends. A proven result always wins over statistics.
//!
//! Secure child, section 4.3 of \[WBS08\] after Chaslot et al. 2008: the largest v + A / sqrt(n).
//! The paper says A = 1, by which a single lucky simulation beats a hundred good ones: in Lines of
//! Action that lost 18 of 18 games against most visits. The name suggests a lower confidence bound,
//! as in the survey of Browne et al. \[Bro12\]: A = -1, our default.

use super::custom::FinalRule;
use super::tree::{Fields, Id, Node, Tree};
use proofplay_core::{Bounds, Move, Player, Position};
use std::cell::Cell;

/// How statistics choose the move.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum FinalMove {
    /// Most visits (robust child).
    Visits,
    /// Highest mean (max child).
    Value,
    /// Highest v + A / sqrt(n) (secure child).
    Secure {
        /// The constant A.
        a: f64,
    },
}

/// The numbers of the children, best first.
fn best_first(mut ranked: Vec<Ranked>) -> Vec<usize> {
    ranked.sort_by(better);
    ranked.into_iter().map(|(_, i)| i).collect()
}

impl FinalMove {
    /// The default of the constant A.
    pub const SAFE: f64 = -1.0;

    /// The word for it in a spec.
    pub fn name(self) -> &'static str {
        match self {
            FinalMove::Visits => "visits",
            FinalMove::Value => "value",
            FinalMove::Secure { .. } => "secure",
        }
    }

    /// The merit of a child with `n > 0` visits and mean `v` in the mover's view.
    fn merit(self, v: f64, n: f64) -> f64 {
        match self {
            FinalMove::Visits => n,
            FinalMove::Value => v,
            FinalMove::Secure { a } => v + a / n.sqrt(),
        }
    }

    /// The children of a node, best first. `scale` makes a reward of a score; `left` is how many
    /// nodes may still be visited to find the length of wins and losses.
    pub fn ranking<P: Position>(
        self,
        (tree, id): (&Tree, Id),
        pos: &P,
        own: Option<&dyn FinalRule>,
        scale: impl Fn(i16) -> f64,
        left: &Cell<u32>,
    ) -> Vec<usize> {
        best_first(self.ranks((tree, id), pos, own, scale, left).collect())
    }

    /// The first of the ranking.
    pub fn best<P: Position>(
        self,
        (tree, id): (&Tree, Id),
        pos: &P,
        own: Option<&dyn FinalRule>,
        scale: impl Fn(i16) -> f64,
        left: &Cell<u32>,
    ) -> Option<usize> {
        self.ranks((tree, id), pos, own, scale, left).min_by(better).map(|(_, i)| i)
    }

    /// The rank of each child of a node.
    ///
    /// Proven wins come first, the shortest first; then what is open, by merit, but behind a proven
    /// value that is better than the mean of the best open child; then what is proven to be worse;
    /// proven losses last, the longest first.
    fn ranks<P: Position>(
        self,
        (tree, id): (&Tree, Id),
        pos: &P,
        own: Option<&dyn FinalRule>,
        scale: impl Fn(i16) -> f64,
        left: &Cell<u32>,
    ) -> impl Iterator<Item = Ranked> {
        let (first, children) = tree.children(id);
        let mover = pos.turn();
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        let bounds = move |child: &Node| child.bounds().seen_by(mover);
        let mean = move |child: &Node| sign * child.sum() / f64::from(child.visits());
        let merit = move |child: &Node| match child.visits() {
            0 => f64::NEG_INFINITY,
            n => match own {
                Some(rule) => rule.merit(n, mean(child)),
                None => self.merit(mean(child), f64::from(n)),
            },
        };
        // What the mover certainly has, and the mean of the best open child.
        let certain = children.iter().map(|child| bounds(child).pess).max();
        let open = move |b: Bounds| !b.is_exact() && Some(b.opti) > certain;
        let best_open = children.iter().filter(|child| open(bounds(child)) && child.visits() > 0);
        let best_open = best_open.max_by(|x, y| merit(x).total_cmp(&merit(y)));
        let take_certain = best_open.is_none_or(|best| certain.is_some_and(|c| scale(c.0) > mean(best)));
        let rank = move |i: usize| -> (i32, f64, f64) {
            let (bounds, merit) = (bounds(&children[i]), merit(&children[i]));
            let length = || {
                let next = pos.after(P::Move::from_code(children[i].code()));
                f64::from(length(tree, first + i as Id, &next, left))
            };
            if bounds.pess.0 > 0 && Some(bounds.pess) == certain {
                (4, f64::from(bounds.pess.0), -length())
            } else if bounds.opti.0 < 0 {
                // Certain points count before length.
                (0, f64::from(bounds.pess.0), length())
            } else if open(bounds) {
                (2, merit, 0.0)
            } else if Some(bounds.pess) == certain {
                (if take_certain { 3 } else { 1 }, merit, 0.0)
            } else {
                (1, f64::from(bounds.opti.0), merit)
            }
        };
        (0..children.len()).map(move |i| (rank(i), i))
    }
}

/// The rank of a child, and its number.
type Ranked = ((i32, f64, f64), usize);

/// Smaller is better; equals stay in their order.
fn better((a, i): &Ranked, (b, j): &Ranked) -> std::cmp::Ordering {
    b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2)).then(i.cmp(j))
}

/// Moves until the end when the winner of a decided node takes the shortest way in the tree and the
/// loser resists as long as possible. With no nodes `left` to visit, the length counts as long.
fn length<P: Position>(tree: &Tree, id: Id, pos: &P, left: &Cell<u32>) -> u32 {
    const LONG: u32 = 1 << 16;
    let (first, children) = tree.children(id);
    let bounds = tree.node(id).bounds();
    if !bounds.is_decisive() || children.is_empty() {
        return 0;
    }
    if left.get() == 0 {
        return LONG;
    }
    left.set(left.get().saturating_sub(children.len() as u32));
    let winner = if bounds.pess.0 > 0 { Player::First } else { Player::Second };
    let lengths = (first..).zip(children).filter(|(_, child)| child.bounds().seen_by(winner).pess.0 > 0);
    let lengths =
        lengths.map(|(id, child)| length(tree, id, &pos.after(P::Move::from_code(child.code())), left));
    1 + if pos.turn() == winner { lengths.min() } else { lengths.max() }.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// v + A / sqrt(n) by hand; with a negative A one lucky simulation is not safer than a hundred
    /// good ones.
    #[test]
    fn the_secure_child_has_been_looked_at() {
        assert_eq!(FinalMove::Secure { a: 1.0 }.merit(0.5, 4.0), 1.0);
        let secure = FinalMove::Secure { a: FinalMove::SAFE };
        assert_eq!(secure.merit(0.5, 4.0), 0.0);
        assert!(secure.merit(0.6, 100.0) > secure.merit(1.0, 1.0));
        assert!(FinalMove::Value.merit(0.6, 100.0) < FinalMove::Value.merit(1.0, 1.0));
    }
}
