//! How many moves more than the other side a player gets for certain out of places that both can use: small games with
//! numbers for positions, solved once.
//!
//! There are blocks of two dominoes, one of which makes the other safe; dominoes of which the other side destroys two at a
//! time; and dominoes of which it destroys one at a time. It may also move elsewhere. Numbers beyond [`MOST`] count as
//! that many, which is never better for the player (but see [`Shares::of`]).

use std::sync::LazyLock;

const MOST: usize = 24;

/// The lead for all numbers of blocks, pairs and singles, when the player is not to move and when he is.
pub(super) struct Shares {
    leads: Vec<[i16; 2]>,
    /// Blocks count for the other side as well.
    theirs_too: bool,
}

/// Blocks are squares, cut off from the rest: whoever moves there first gets two moves. A domino is worth its one move.
pub(super) static SQUARES: LazyLock<Shares> = LazyLock::new(|| {
    Shares::solve(1, true, |lead, [squares, pairs, singles]| {
        // The other side's moves in a square are its own: nobody else counts them.
        if squares > 0 { lead([squares - 1, pairs, singles]) - 2 } else { i16::MAX }
    })
});

/// Blocks are alcoves, and cells are counted: a domino is one move of the player's and one less of the other side's.
///
/// A move inside an alcove destroys both of its dominoes. One at its open side leaves the inner domino, which is then touched
/// by nothing else of ours, and may do so to two alcoves, or to an alcove and a domino beside it.
pub(super) static ALCOVES: LazyLock<Shares> = LazyLock::new(|| {
    Shares::solve(2, false, |lead, [alcoves, pairs, singles]| {
        let inside = if alcoves > 0 { lead([alcoves - 1, pairs, singles]) } else { i16::MAX };
        let between = if alcoves > 1 { lead([alcoves - 2, pairs, singles + 2]) } else { i16::MAX };
        let beside =
            if alcoves > 0 && pairs > 0 { lead([alcoves - 1, pairs - 1, singles + 1]) } else { i16::MAX };
        inside.min(between).min(beside)
    })
});

impl Shares {
    /// Solves the game in which a domino is worth `domino`, a block two dominoes, and the other side's best move in or at a
    /// block leads to the value `spoil`, which may ask for values after its move, when the player is to move.
    fn solve(
        domino: i16,
        theirs_too: bool,
        spoil: impl Fn(&dyn Fn([usize; 3]) -> i16, [usize; 3]) -> i16,
    ) -> Shares {
        let mut leads = vec![[0; 2]; (MOST + 1).pow(3)];
        // Every move makes the first number smaller, or keeps it and makes the second smaller, or the third.
        for blocks in 0..=MOST {
            for pairs in 0..=MOST {
                for singles in 0..=MOST {
                    let at = |numbers: [usize; 3], first: usize| leads[index(numbers)][first];
                    let mut first = i16::MIN;
                    let mut second = spoil(&|numbers| at(numbers, 1), [blocks, pairs, singles]);
                    if blocks > 0 {
                        first = first.max(2 * domino + at([blocks - 1, pairs, singles], 0));
                    }
                    if pairs > 0 {
                        first = first.max(domino + at([blocks, pairs - 1, singles], 0));
                        second = second.min(at([blocks, pairs.saturating_sub(2), singles], 1));
                    }
                    if singles > 0 {
                        first = first.max(domino + at([blocks, pairs, singles - 1], 0));
                        second = second.min(at([blocks, pairs, singles - 1], 1));
                    }
                    // Nothing is left: nobody gets anything more.
                    let first = if first == i16::MIN { 0 } else { first };
                    // Moving elsewhere destroys nothing.
                    leads[index([blocks, pairs, singles])] = [second.min(first), first];
                }
            }
        }
        Shares { leads, theirs_too }
    }

    /// The lead with these numbers; `first` if the player is to move. Squares beyond the table might be the other side's:
    /// nothing is known then.
    #[inline]
    pub(super) fn of(&self, blocks: u32, pairs: u32, singles: u32, first: bool) -> i32 {
        if self.theirs_too && blocks as usize > MOST {
            return i32::MIN / 2;
        }
        let numbers = [blocks, pairs, singles].map(|number| (number as usize).min(MOST));
        i32::from(self.leads[index(numbers)][usize::from(first)])
    }
}

#[inline]
fn index([blocks, pairs, singles]: [usize; 3]) -> usize {
    (blocks * (MOST + 1) + pairs) * (MOST + 1) + singles.min(MOST)
}
