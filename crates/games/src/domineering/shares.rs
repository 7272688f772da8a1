//! How many moves more than the other side a player certainly gets from places that both can use:
//! small games whose positions are numbers, solved once.
//!
//! There are blocks of two dominoes, one of which makes the other safe; couples of dominoes, which
//! the other side may destroy together; and single dominoes. It may also move elsewhere. Numbers
//! beyond [`MOST`] count as that many, which is never better for the player (but see
//! [`Shares::of`]).
//!
//! Why couples can be counted: join two dominoes when one move destroys both. They lie in
//! neighbouring lines, so the graph is bipartite, and by König's theorem as many dominoes as there
//! are disjoint couples at most meet all joins. Taking one of those leaves one couple less, its
//! partner becoming single; destroying two joined ones leaves one couple less as well.

use std::sync::LazyLock;

const MOST: usize = 24;

/// The lead for all numbers of blocks, couples and singles, when the player is not to move and when
/// they are.
pub(super) struct Shares {
    leads: Vec<[i16; 2]>,
    /// Blocks count for the other side as well.
    theirs_too: bool,
}

/// Blocks are squares, cut off from the rest: who moves there first gets two moves. A domino is
/// worth its one move.
pub(super) static SQUARES: LazyLock<Shares> = LazyLock::new(|| {
    Shares::solve(1, true, |lead, [squares, couples, singles]| {
        // The other side's moves in a square are counted only here.
        if squares > 0 { lead([squares - 1, couples, singles]) - 2 } else { i16::MAX }
    })
});

/// Blocks are alcoves, and cells are counted: a domino is one move of the player's and one less of
/// the other side's.
///
/// A move inside an alcove destroys both of its dominoes. One at its open side leaves the inner
/// domino, which is then touched by nothing else of ours, and may do so to two alcoves, or to an
/// alcove and a domino beside it.
pub(super) static ALCOVES: LazyLock<Shares> = LazyLock::new(|| {
    Shares::solve(2, false, |lead, [alcoves, couples, singles]| {
        let inside = if alcoves > 0 { lead([alcoves - 1, couples, singles]) } else { i16::MAX };
        let between = if alcoves > 1 { lead([alcoves - 2, couples, singles + 2]) } else { i16::MAX };
        let beside = match (alcoves, couples, singles) {
            (0, _, _) | (_, 0, 0) => i16::MAX,
            (_, _, 0) => lead([alcoves - 1, couples - 1, 2]),
            _ => lead([alcoves - 1, couples, singles]),
        };
        inside.min(between).min(beside)
    })
});

impl Shares {
    /// Solves the game in which a domino is worth `domino`, a block two dominoes, and the other
    /// side's best move in or at a block leads to the value `spoil`, which may read values after
    /// its move, with the player to move.
    fn solve(
        domino: i16,
        theirs_too: bool,
        spoil: impl Fn(&dyn Fn([usize; 3]) -> i16, [usize; 3]) -> i16,
    ) -> Shares {
        let mut leads = vec![[0; 2]; (MOST + 1).pow(3)];
        // Every move makes the first number smaller, or keeps it and makes the second smaller, or
        // the third.
        for blocks in 0..=MOST {
            for couples in 0..=MOST {
                for singles in 0..=MOST {
                    let at = |numbers: [usize; 3], first: usize| leads[index(numbers)][first];
                    let mut first = i16::MIN;
                    let mut second = spoil(&|numbers| at(numbers, 1), [blocks, couples, singles]);
                    if blocks > 0 {
                        first = first.max(2 * domino + at([blocks - 1, couples, singles], 0));
                    }
                    if couples > 0 {
                        first = first.max(domino + at([blocks, couples - 1, singles + 1], 0));
                        second = second.min(at([blocks, couples - 1, singles], 1));
                    }
                    if singles > 0 {
                        first = first.max(domino + at([blocks, couples, singles - 1], 0));
                        second = second.min(at([blocks, couples, singles - 1], 1));
                    }
                    // Nothing is left: no further moves.
                    let first = if first == i16::MIN { 0 } else { first };
                    // Moving elsewhere destroys nothing.
                    leads[index([blocks, couples, singles])] = [second.min(first), first];
                }
            }
        }
        Shares { leads, theirs_too }
    }

    /// The lead with these numbers; `first` if the player is to move. With more squares than the
    /// table has, which might all be the other side's, no lead is claimed.
    #[inline]
    pub(super) fn of(&self, blocks: u32, couples: u32, singles: u32, first: bool) -> i32 {
        if self.theirs_too && blocks as usize > MOST {
            return i32::MIN / 2;
        }
        let numbers = [blocks, couples, singles].map(|number| (number as usize).min(MOST));
        i32::from(self.leads[index(numbers)][usize::from(first)])
    }
}

#[inline]
fn index([blocks, couples, singles]: [usize; 3]) -> usize {
    (blocks * (MOST + 1) + couples) * (MOST + 1) + singles.min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;
    use std::collections::HashMap;

    /// The lead in dominoes 0, 1, 2 … of which a move destroys one or two that are joined, by brute
    /// force.
    fn exact(left: u32, joins: &[(u32, u32)], first: bool, memo: &mut HashMap<(u32, bool), i16>) -> i16 {
        if left == 0 {
            return 0;
        }
        if let Some(&lead) = memo.get(&(left, first)) {
            return lead;
        }
        let singles = (0..32).map(|i| 1 << i).filter(|bit| left & bit != 0);
        let lead = if first {
            singles.map(|bit| 1 + exact(left & !bit, joins, false, memo)).max()
        } else {
            let couples = joins.iter().map(|(a, b)| 1 << a | 1 << b).filter(|both| left & both == *both);
            let destroyed = singles.chain(couples).chain([0]);
            destroyed.map(|gone| exact(left & !gone, joins, true, memo)).min()
        };
        memo.insert((left, first), lead.expect("there is a domino"));
        memo[&(left, first)]
    }

    /// The most disjoint joins.
    fn matching(joins: &[(u32, u32)], used: u32) -> u32 {
        let Some((&(a, b), rest)) = joins.split_first() else { return 0 };
        let both = 1 << a | 1 << b;
        let with = if used & both == 0 { 1 + matching(rest, used | both) } else { 0 };
        with.max(matching(rest, used))
    }

    #[test]
    fn couples_promise_no_more_than_is_there() {
        let (mut rng, mut equal) = (Rng::new(1), 0);
        for _ in 0..600 {
            let (even, odd) = (rng.below(6), rng.below(5));
            let all = (0..even).flat_map(|a| (0..odd).map(move |b| (a, even + b)));
            let joins: Vec<_> = all.filter(|_| rng.below(3) == 0).collect();
            let couples = matching(&joins, 0);
            let (singles, mut memo) = (even + odd - 2 * couples, HashMap::new());
            for first in [false, true] {
                let lead = exact((1 << (even + odd)) - 1, &joins, first, &mut memo);
                let promised = SQUARES.of(0, couples, singles, first);
                assert!(promised <= i32::from(lead), "{joins:?}: {promised} instead of {lead}");
                equal += u32::from(promised == i32::from(lead));
            }
        }
        assert!(equal > 600, "the promise is reached only {equal} times");
    }

    /// What the other side can do beyond the game at hand must never help it: fewer couples of as
    /// many dominoes, or more dominoes, are at least as good.
    #[test]
    fn better_is_never_worse() {
        for shares in [&*SQUARES, &*ALCOVES] {
            for (blocks, couples, singles) in
                (0..8).flat_map(|a| (0..8).flat_map(move |b| (0..8).map(move |c| (a, b, c))))
            {
                for first in [false, true] {
                    let lead = shares.of(blocks, couples, singles, first);
                    assert!(shares.of(blocks, couples, singles + 1, first) >= lead);
                    assert!(couples == 0 || shares.of(blocks, couples - 1, singles + 2, first) >= lead);
                }
            }
        }
    }
}
