//! What the table stores about a position that was searched to some depth.

use super::value::{Found, Worth};
use crate::table::Content;

/// How the worth of a search with a window relates to that of a search without.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Exact,
    AtLeast,
    AtMost,
}

/// A search of a position to `depth` plies. Plies of the worth count from the position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    pub found: Found,
    pub kind: Kind,
    pub depth: u8,
    /// The number of the best move.
    pub best: u16,
}

impl Searched {
    /// What was found of a position at `ply`, with the window from `low` to `high`.
    #[inline]
    pub fn new(found: Found, low: Worth, high: Worth, depth: u8, best: u16, ply: usize) -> Searched {
        let kind = if found.worth >= high {
            Kind::AtLeast
        } else if found.worth <= low {
            Kind::AtMost
        } else {
            Kind::Exact
        };
        let found = Found { worth: found.worth.seen_from_position(ply), ..found };
        Searched { found, kind, depth, best }
    }

    /// The answer at `ply` to a search to `depth` with the window from `low` to `high`, if the
    /// entry has one. What is certain counts at any depth.
    #[inline]
    pub fn answer(&self, low: Worth, high: Worth, depth: u8, ply: usize) -> Option<Found> {
        let found = Found { worth: self.found.worth.seen_from_root(ply), ..self.found };
        let deep = self.depth >= depth;
        let at_least = found.at_least || deep && self.kind != Kind::AtMost;
        let at_most = found.at_most || deep && self.kind != Kind::AtLeast;
        let spares = at_least && (at_most || found.worth >= high) || at_most && found.worth <= low;
        spares.then_some(found)
    }
}

impl Content for Searched {
    #[inline]
    fn pack(self) -> u64 {
        let Found { worth, at_least, at_most } = self.found;
        let flags = self.kind as u64 | u64::from(at_least) << 2 | u64::from(at_most) << 3;
        u64::from(worth.0 as u16) | u64::from(self.best) << 16 | u64::from(self.depth) << 32 | flags << 40
    }

    #[inline]
    fn unpack(word: u64) -> Searched {
        Searched {
            found: Found {
                worth: Worth(word as i16),
                at_least: word >> 42 & 1 != 0,
                at_most: word >> 43 & 1 != 0,
            },
            kind: match word >> 40 & 3 {
                0 => Kind::Exact,
                1 => Kind::AtLeast,
                _ => Kind::AtMost,
            },
            depth: (word >> 32) as u8,
            best: (word >> 16) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_and_unpacks() {
        for kind in [Kind::Exact, Kind::AtLeast, Kind::AtMost] {
            for flags in 0..4 {
                let (at_least, at_most) = (flags & 1 != 0, flags & 2 != 0);
                for (worth, depth, best) in [(-32_000, 255, 65_535), (31_999, 0, 0), (-1, 7, 300)] {
                    let found = Found { worth: Worth(worth), at_least, at_most };
                    let searched = Searched { found, kind, depth, best };
                    let word = searched.pack();
                    assert_eq!(word >> 48, 0);
                    assert_eq!(Searched::unpack(word | 0xabcd << 48), searched);
                }
            }
        }
    }

    #[test]
    fn answers_when_it_is_deep_enough_or_certain() {
        let window = (Worth(-10), Worth(10));
        let ask = |worth, kind, sides: (bool, bool), depth| {
            let found = Found { worth: Worth(worth), at_least: sides.0, at_most: sides.1 };
            let searched = Searched { found, kind, depth: 3, best: 0 };
            searched.answer(window.0, window.1, depth, 2).is_some()
        };
        let guess = (false, false);
        assert!(ask(0, Kind::Exact, guess, 3) && ask(0, Kind::Exact, guess, 2));
        assert!(!ask(0, Kind::Exact, guess, 4));
        assert!(ask(10, Kind::AtLeast, guess, 3) && !ask(9, Kind::AtLeast, guess, 3));
        assert!(ask(-10, Kind::AtMost, guess, 3) && !ask(20, Kind::AtMost, guess, 3));
        assert!(ask(0, Kind::AtLeast, (true, true), 9));
        assert!(ask(10, Kind::AtLeast, (true, false), 9) && !ask(9, Kind::AtLeast, (true, false), 9));
        assert!(ask(-10, Kind::AtMost, (false, true), 9) && !ask(-9, Kind::Exact, (false, true), 9));
    }
}
