//! Whether random moves and playouts have the distribution that they promise.

use crate::{Position, Rng, Score};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Checks that [`Position::random_move`] and the first move of [`Position::playout`] are uniform
/// over the legal moves of `pos`, and that playouts end with the same scores after as many moves as
/// plain generate-and-pick does.
///
/// Draws `samples` of each kind. Each comparison fails by chance with a probability of about 0.01
/// %, but the seed is fixed: what passes once passes always.
///
/// # Panics
/// With a description of what is not uniform; if the game is over or `samples` is below ten a legal
/// move.
pub fn check_uniform<P: Position>(pos: &P, samples: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let moves = uniform_moves(pos, samples, &mut rng);
    let mut buf = Vec::new();
    let (mut first_moves, mut fast, mut plain) = (Vec::new(), Sample::default(), Sample::default());
    for _ in 0..samples {
        let (mut end, mut first, mut length) = (pos.clone(), None, 0);
        let score = end.playout(&mut rng, &mut buf, &mut |_, mv| {
            first.get_or_insert(mv);
            length += 1;
        });
        first_moves.push(first.unwrap_or_else(|| panic!("{pos:?}: playout names no move")));
        fast.add(score, length);
        let (score, length) = plain_playout(pos.clone(), &mut rng, &mut buf);
        plain.add(score, length);
    }
    check_even(pos, "the first move of playout", &moves, &first_moves);
    fast.check_like(&plain, pos);
}

/// [`check_uniform`] of `random_move` alone, for games whose uniform playouts take long.
///
/// # Panics
/// As [`check_uniform`] does.
pub fn check_uniform_moves<P: Position>(pos: &P, samples: usize, seed: u64) {
    uniform_moves(pos, samples, &mut Rng::new(seed));
}

/// Checks `random_move` and returns the legal moves.
fn uniform_moves<P: Position>(pos: &P, samples: usize, rng: &mut Rng) -> Vec<P::Move> {
    assert_eq!(pos.outcome(), None, "{pos:?}: the game is over");
    let (mut moves, mut buf) = (Vec::new(), Vec::new());
    pos.moves(&mut moves);
    assert!(samples >= 10 * moves.len(), "{pos:?}: {samples} samples are too few for {} moves", moves.len());
    let drawn: Vec<_> = (0..samples).map(|_| pos.random_move(rng, &mut buf)).collect();
    check_even(pos, "random_move", &moves, &drawn);
    moves
}

/// Generate and pick: the definition that every faster playout must agree with.
fn plain_playout<P: Position>(mut pos: P, rng: &mut Rng, buf: &mut Vec<P::Move>) -> (Score, usize) {
    let mut length = 0;
    loop {
        if let Some(score) = pos.outcome() {
            return (score, length);
        }
        pos.moves(buf);
        let mv = buf[rng.below(buf.len() as u32) as usize];
        buf.clear();
        pos.play(mv);
        length += 1;
    }
}

/// Chi-square of draws against equal chances.
fn check_even<P: Position>(pos: &P, what: &str, moves: &[P::Move], drawn: &[P::Move]) {
    let mut counts: HashMap<_, usize> = moves.iter().map(|&mv| (mv, 0)).collect();
    for mv in drawn {
        *counts.get_mut(mv).unwrap_or_else(|| panic!("{pos:?}: {what} gave {mv:?}, which is not legal")) += 1;
    }
    let expected = drawn.len() as f64 / moves.len() as f64;
    let excess = |mv: &P::Move| (counts[mv] as f64 - expected).powi(2) / expected;
    let (chi2, limit) = (moves.iter().map(excess).sum::<f64>(), chi_square_limit(moves.len() - 1));
    assert!(chi2 <= limit, "{pos:?}: {what} is not uniform: chi-square {chi2:.1} above {limit:.1}");
}

/// Scores and lengths of many playouts.
#[derive(Default)]
struct Sample {
    scores: BTreeMap<Score, usize>,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, score: Score, length: usize) {
        *self.scores.entry(score).or_default() += 1;
        self.count += 1.0;
        self.sum += length as f64;
        self.squares += (length * length) as f64;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// The variance of the mean.
    fn spread(&self) -> f64 {
        (self.squares / self.count - self.mean().powi(2)).max(0.0) / self.count
    }

    /// Chi-square of two samples of equal size over the scores, and a z-test of their mean lengths.
    fn check_like<P: Position>(&self, plain: &Sample, pos: &P) {
        // Neighbouring scores are taken together until there are enough of them for the test to
        // hold.
        const ENOUGH: usize = 20;
        let scores: HashSet<_> = self.scores.keys().chain(plain.scores.keys()).copied().collect();
        let mut scores: Vec<_> = scores.into_iter().collect();
        scores.sort_unstable();
        let (mut classes, mut a, mut b) = (Vec::new(), 0, 0);
        for score in scores {
            a += self.scores.get(&score).unwrap_or(&0);
            b += plain.scores.get(&score).unwrap_or(&0);
            if a + b >= ENOUGH {
                classes.push((std::mem::take(&mut a), std::mem::take(&mut b)));
            }
        }
        if let Some(last) = classes.last_mut() {
            *last = (last.0 + a, last.1 + b);
        }
        let excess = |&(a, b): &(usize, usize)| (a as f64 - b as f64).powi(2) / (a + b) as f64;
        let (chi2, limit) =
            (classes.iter().map(excess).sum::<f64>(), chi_square_limit(classes.len().saturating_sub(1)));
        assert!(
            chi2 <= limit,
            "{pos:?}: scores of playout {:?} differ from those of plain random play {:?}: \
             chi-square {chi2:.1} above {limit:.1}",
            self.scores,
            plain.scores
        );
        // The two-sided 0.01 % point of the normal distribution; the slack is for lengths that do
        // not vary.
        let (gap, allowed) = (self.mean() - plain.mean(), 3.891 * (self.spread() + plain.spread()).sqrt());
        assert!(
            gap.abs() <= allowed + 1e-9,
            "{pos:?}: playouts last {:.3} moves, plain random play {:.3}: more than {allowed:.3} apart",
            self.mean(),
            plain.mean()
        );
    }
}

/// The 0.01 % point of chi-square with this many degrees of freedom, after Wilson & Hilferty
/// (1931): the cube root is nearly normal.
fn chi_square_limit(freedom: usize) -> f64 {
    if freedom == 0 {
        return 1e-9;
    }
    let (k, z) = (freedom as f64, 3.719);
    let c = 2.0 / (9.0 * k);
    k * (1.0 - c + z * c.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Player, mix};

    /// Take one to three from a pile; taking the last one wins. `flaw` breaks one promise.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Pile {
        left: u8,
        mover: Player,
        flaw: &'static str,
    }

    impl Position for Pile {
        type Move = u8;
        fn repeats(&self) -> bool {
            false
        }
        fn turn(&self) -> Player {
            self.mover
        }
        fn outcome(&self) -> Option<Score> {
            (self.left == 0).then(|| Score::win_of(!self.mover))
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(1..=self.left.min(3));
        }
        fn play(&mut self, mv: u8) {
            self.left -= mv;
            self.mover = !self.mover;
        }
        fn key(&self) -> Key {
            mix(Key::from(self.left) << 1 | self.mover.index() as Key)
        }
        fn random_move(&self, rng: &mut Rng, _: &mut Vec<u8>) -> u8 {
            let most = self.left.min(3);
            match self.flaw {
                // Wrong by one draw in twenty.
                "move" if rng.below(20) == 0 => 1,
                // Right at first, wrong later.
                "later" if self.left < 12 => 1,
                _ => 1 + rng.below(u32::from(most)) as u8,
            }
        }
    }

    fn pile(flaw: &'static str) {
        check_uniform(&Pile { left: 12, mover: Player::First, flaw }, 20_000, 1);
    }

    #[test]
    fn uniform_play_passes() {
        pile("");
    }

    #[test]
    #[should_panic(expected = "random_move is not uniform")]
    fn uneven_moves_are_found() {
        pile("move");
    }

    #[test]
    #[should_panic(expected = "differ from those of plain random play")]
    fn uneven_playouts_are_found() {
        pile("later");
    }

    /// For even degrees of freedom the chance to exceed `x` is that of less than `freedom / 2`
    /// Poisson events.
    #[test]
    fn limits_are_exceeded_once_in_ten_thousand() {
        for freedom in [2, 4, 10, 50, 120] {
            let half = chi_square_limit(freedom) / 2.0;
            let terms = (1..freedom / 2).scan(1.0, |term, i| {
                *term *= half / i as f64;
                Some(*term)
            });
            let chance = (-half).exp() * (1.0 + terms.sum::<f64>());
            assert!((0.5e-4..1.5e-4).contains(&chance), "{freedom} degrees of freedom: {chance}");
        }
    }
}
