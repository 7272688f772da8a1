//! Whether a position of a playout may occur for the third time: a quick filter before the exact
//! answer of a history.
//!
//! Looking through a history takes longer than a random move does, and random play hardly ever
//! repeats a position. So a playout counts its positions in a small table by hash. Only where the
//! count allows a third occurrence is the history searched.

use super::ReversibleMoves;
use proofplay_core::{Player, splitmix64};

/// Entries: several times the moves of a long game.
const SIZE: usize = 1 << 14;

/// By player and cell: what a piece adds to the hash.
static PIECES: [[u16; 256]; 2] = {
    let (mut table, mut state, mut i) = ([[0; 256]; 2], 1, 0);
    while i < 512 {
        table[i / 256][i % 256] = splitmix64(&mut state) as u16;
        i += 1;
    }
    table
};

/// How often each hash has occurred, relative to the position where counting began.
#[derive(Debug)]
pub struct Seen {
    counts: [u8; SIZE],
    hash: u16,
}

impl Seen {
    /// Begins with the positions of a history: the one on the board, where it is the turn of
    /// `mover`, and those before it.
    #[inline]
    pub fn new<const N: usize>(history: &ReversibleMoves<N>, mover: Player) -> Seen {
        let mut seen = Seen { counts: [0; SIZE], hash: 0 };
        seen.count();
        let mut player = mover;
        for [from, to] in history.latest_first() {
            player = !player;
            seen.may_be_third(player, from, to);
        }
        seen.hash = 0;
        seen
    }

    /// Counts the position on the board and returns how often its hash has occurred.
    #[inline]
    fn count(&mut self) -> u8 {
        let count = &mut self.counts[usize::from(self.hash) % SIZE];
        *count = count.saturating_add(1);
        *count
    }

    /// Counts the position after a move and returns whether it may be its third occurrence. False
    /// is certain if this is called for every move without capture; captures may be left out.
    #[inline]
    pub fn may_be_third(&mut self, mover: Player, from: u8, to: u8) -> bool {
        let pieces = &PIECES[mover.index()];
        self.hash ^= pieces[usize::from(from)] ^ pieces[usize::from(to)];
        self.count() >= 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;

    /// Two pieces that walk back and forth: every third occurrence by the history passes the
    /// filter, also when the filter begins in the middle; and the filter stops most of the others.
    #[test]
    fn misses_nothing() {
        let (mut rng, mut thirds, mut passed, mut all) = (Rng::new(1), 0, 0, 0);
        for round in 0..2000 {
            let mut history = ReversibleMoves::<128>::default();
            let mut places = [10_u8, 20];
            let mut filter = None;
            for ply in 0..100 {
                let mover = Player::BOTH[ply % 2];
                if ply == round % 50 {
                    filter = Some(Seen::new(&history, mover));
                }
                let place = &mut places[mover.index()];
                let from = std::mem::replace(
                    place,
                    place.wrapping_add(255).wrapping_add(2 * rng.below(2) as u8) % 64,
                );
                history.push(from, *place);
                let third = history.recurrences::<crate::board::U256>() >= 2;
                if let Some(filter) = &mut filter {
                    let may_be = filter.may_be_third(mover, from, *place);
                    assert!(may_be || !third);
                    (thirds, passed, all) = (thirds + u32::from(third), passed + u32::from(may_be), all + 1);
                }
            }
        }
        assert!(thirds > 1000 && passed < 2 * thirds && 2 * passed < all, "{thirds} {passed} {all}");
    }
}
