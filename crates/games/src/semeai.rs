//! The semeai of random players: no game, but a table of exact chances.
//!
//! Cazenave & Saffidine, "Score Bounded Monte-Carlo Tree Search", CG 2010 \[CS10\], section 4,
//! table 1 (p = 0: both always play in the semeai).
//!
//! ```text
//!     P(a, 1) = 1                          the capture is played
//!     P(1, b) = 0                          otherwise: the opponent will capture
//!     P(a, b) = b/(a+b) (1 - P(b-1, a))    otherwise: a liberty of the opponent is filled, or one's own
//!             + a/(a+b) (1 - P(b, a-1))
//! ```
//!
//! With two liberties or more each the recursion has the closed form P(a, b) = a(a-1)(a+3b-2) /
//! ((a+b)(a+b-1)(a+b-2)), which the paper does not mention; the table is computed by the recursion,
//! and the tests compare the two.
//!
//! Paper -> here: own liberties (rows) -> `own`, a; opponent liberties (columns) -> `opponent`, b.
//! Differs from the paper: nothing; its figures are these chances, rounded to two decimals. None of
//! them lies halfway between two figures, so the way of rounding does not matter.

use std::fmt;

/// The most liberties a side may have. Time is the limit, not the fractions, which stay small.
pub const LARGEST: u32 = 200;

/// An exact chance: a fraction in lowest terms.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fraction {
    num: u128,
    den: u128,
}

impl Fraction {
    /// Impossible.
    pub const ZERO: Fraction = Fraction { num: 0, den: 1 };
    /// Certain.
    pub const ONE: Fraction = Fraction { num: 1, den: 1 };

    /// `num / den` in lowest terms; `den` must not be 0.
    pub const fn new(num: u128, den: u128) -> Fraction {
        let common = gcd(num, den);
        Fraction { num: num / common, den: den / common }
    }

    /// What is above the line.
    pub const fn numerator(self) -> u128 {
        self.num
    }

    /// What is below the line.
    pub const fn denominator(self) -> u128 {
        self.den
    }

    /// The chance of the opposite.
    fn opposite(self) -> Fraction {
        Fraction { num: self.den - self.num, ..self }
    }

    /// The product, unless it is too long.
    fn times(self, other: Fraction) -> Option<Fraction> {
        let (a, b) = (Fraction::new(self.num, other.den), Fraction::new(other.num, self.den));
        Some(Fraction { num: a.num.checked_mul(b.num)?, den: a.den.checked_mul(b.den)? })
    }

    /// The sum, unless it is too long.
    fn plus(self, other: Fraction) -> Option<Fraction> {
        let common = gcd(self.den, other.den);
        let (left, right) = (self.den / common, other.den / common);
        let num = self.num.checked_mul(right)?.checked_add(other.num.checked_mul(left)?)?;
        Some(Fraction::new(num, self.den.checked_mul(right)?))
    }
}

impl From<Fraction> for f64 {
    /// Correct to the last digit or two.
    fn from(fraction: Fraction) -> f64 {
        fraction.num as f64 / fraction.den as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

/// The greatest common divisor; not both may be 0.
const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The chance that the player to move wins with `own` liberties against `opponent` liberties, or
/// `None` unless both are from 1 to [`LARGEST`].
///
/// ```
/// use proofplay_games::semeai::{Fraction, win_probability};
/// // Two liberties against three: fill an outside liberty of the opponent (3/5) and win half of what follows, since
/// // then the opponent has two against two; or fill an own one (2/5) and be captured.
/// assert_eq!(win_probability(2, 3), Some(Fraction::new(3, 10)));
/// ```
pub fn win_probability(own: u32, opponent: u32) -> Option<Fraction> {
    if own == 0 || opponent == 0 {
        return None;
    }
    Some(table(own.max(opponent))?[own as usize - 1][opponent as usize - 1])
}

/// The chances of the player to move: row `a - 1`, column `b - 1` for `a` own and `b` opponent
/// liberties up to `n`, or `None` if `n` is more than [`LARGEST`].
pub fn table(n: u32) -> Option<Vec<Vec<Fraction>>> {
    if n > LARGEST {
        return None;
    }
    let n = n as usize;
    let mut chances = vec![vec![Fraction::ZERO; n]; n];
    // Every chance rests on chances with one liberty less in all.
    for liberties in 2..=2 * n {
        for a in liberties.saturating_sub(n).max(1)..=n.min(liberties - 1) {
            let b = liberties - a;
            chances[a - 1][b - 1] = match (a, b) {
                (_, 1) => Fraction::ONE,
                (1, _) => Fraction::ZERO,
                _ => {
                    let share = |part| Fraction::new(part as u128, liberties as u128);
                    let filled_theirs = share(b).times(chances[b - 2][a - 1].opposite())?;
                    let filled_own = share(a).times(chances[b - 1][a - 2].opposite())?;
                    filled_theirs.plus(filled_own)?
                }
            };
        }
    }
    Some(chances)
}

/// What is printed in table 1 of \[CS10\] in hundredths: rows own, columns opponent liberties 1 to 9.
pub const PUBLISHED: [[u32; 9]; 9] = [
    [100, 0, 0, 0, 0, 0, 0, 0, 0],
    [100, 50, 30, 20, 14, 11, 8, 7, 5],
    [100, 70, 50, 37, 29, 23, 18, 15, 13],
    [100, 80, 63, 50, 40, 33, 28, 24, 20],
    [100, 86, 71, 60, 50, 42, 36, 31, 27],
    [100, 89, 77, 67, 58, 50, 44, 38, 34],
    [100, 92, 82, 72, 64, 56, 50, 45, 40],
    [100, 93, 85, 76, 69, 62, 55, 50, 45],
    [100, 95, 87, 80, 73, 66, 60, 55, 50],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_figures() {
        let table = table(9).unwrap();
        for (a, row) in table.iter().enumerate() {
            for (b, chance) in row.iter().enumerate() {
                // 100 num / den, rounded: the whole part after adding a half.
                let twice = 200 * chance.num + chance.den;
                assert_ne!(twice % (2 * chance.den), 0, "P({}, {}) = {chance} lies halfway", a + 1, b + 1);
                let rounded = twice / (2 * chance.den);
                assert_eq!(rounded, u128::from(PUBLISHED[a][b]), "P({}, {}) = {chance}", a + 1, b + 1);
            }
        }
    }

    /// By hand. P(2,2) = 1/2 (1 - P(1,2)) + 1/2 (1 - P(2,1)) = 1/2, P(3,2) = 2/5 (1 - P(1,3)) + 3/5
    /// (1 - P(2,2)).
    #[test]
    fn small_chances() {
        assert_eq!(win_probability(1, 1), Some(Fraction::ONE));
        assert_eq!(win_probability(2, 2), Some(Fraction::new(1, 2)));
        assert_eq!(win_probability(3, 2), Some(Fraction::new(7, 10)));
        assert_eq!(win_probability(3, 2).unwrap().to_string(), "7/10");
    }

    /// While both have two liberties or more, P(a,b) = a(a-1)(a+3b-2) / ((a+b)(a+b-1)(a+b-2)),
    /// which also solves the recursion: then moving first is no advantage, P(a,b) + P(b,a) = 1, and
    /// no fraction grows.
    #[test]
    fn closed_form() {
        let table = table(LARGEST).unwrap();
        for a in 2..=u128::from(LARGEST) {
            for b in 2..=u128::from(LARGEST) {
                let (chance, all) = (table[a as usize - 1][b as usize - 1], a + b);
                let closed = Fraction::new(a * (a - 1) * (a + 3 * b - 2), all * (all - 1) * (all - 2));
                assert_eq!(chance, closed, "P({a}, {b})");
                assert_eq!(chance.opposite(), table[b as usize - 1][a as usize - 1], "P({a}, {b})");
            }
        }
    }

    #[test]
    fn refuses_what_it_cannot_hold() {
        assert!(win_probability(LARGEST, LARGEST).is_some());
        for (own, opponent) in [(0, 1), (1, 0), (LARGEST + 1, 1), (1, u32::MAX)] {
            assert_eq!(win_probability(own, opponent), None);
        }
    }
}
