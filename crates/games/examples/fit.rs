//! Fits the weights of an evaluation to the results of games that weights set by hand play against
//! each other, and tests the fitted weights against those:
//!
//! ```text
//! cargo run --release -p proofplay-games --example fit -- cannon 500 200
//! cargo run --release -p proofplay-games --example fit -- chinese-checkers 1000 300
//! ```
//!
//! The numbers are games to learn from and pairs of other games to test with. The players look two
//! plies ahead, after eight random moves. The value of a position is s / (1 + |s|) for the sum s of
//! features times weights, and the weights minimise the squared difference to the results, by
//! Gauss-Newton steps.

use proofplay_core::{Game, Player, Position, Rng};
use proofplay_games::cannon::{self, Cannon};
use proofplay_games::chinese_checkers::{self, ChineseCheckers};

const FEATURES: usize = 4;
type Vector = [f64; FEATURES];

/// A game, what counts in it, by text, First's minus Second's, and weights set by hand.
trait Subject: Game {
    const NAMES: [&'static str; FEATURES];
    const BY_HAND: Vector;
    fn features(&self, pos: &Self::Pos) -> Vector;
}

/// Rows of a position in text, and +1 if First is to move, else -1.
fn rows(text: &str, first: u8) -> (Vec<&[u8]>, f64) {
    let (board, side) = text.split_once(' ').expect("a side to move");
    (board.split('/').map(str::as_bytes).collect(), if side.as_bytes()[0] == first { 1.0 } else { -1.0 })
}

impl Subject for Cannon {
    const NAMES: [&'static str; FEATURES] = ["soldiers", "cannons", "rows forward", "to move"];
    const BY_HAND: Vector = [1.0 / 3.0, 0.2 / 3.0, 0.0, 0.0];

    fn features(&self, pos: &Self::Pos) -> Vector {
        let text = self.show(pos);
        let (rows, turn) = rows(&text, b'b');
        let mut sums = [0.0, 0.0, 0.0, turn];
        for (letter, sign) in [(b'b', 1.0), (b'w', -1.0)] {
            let has = |r: i32, c: i32| {
                let row = usize::try_from(r).ok().and_then(|r| rows.get(r));
                row.and_then(|row| row.get(usize::try_from(c).ok()?)) == Some(&letter)
            };
            for (r, c) in (0..10).flat_map(|r| (0..10).map(move |c| (r, c))).filter(|&(r, c)| has(r, c)) {
                sums[0] += sign;
                let lines = [(0, 1), (1, 0), (1, 1), (1, -1)];
                let cannon = |&(dr, dc): &(i32, i32)| has(r + dr, c + dc) && has(r + 2 * dr, c + 2 * dc);
                sums[1] += sign * lines.iter().filter(|line| cannon(line)).count() as f64;
                sums[2] += sign * f64::from(if letter == b'b' { 9 - r } else { r });
            }
        }
        sums
    }
}

impl Subject for ChineseCheckers<u128> {
    const NAMES: [&'static str; FEATURES] = ["rows forward", "rows of the last", "off the middle", "to move"];
    const BY_HAND: Vector = [1.0 / 9.0, 0.0, 0.0, 0.5 / 9.0];

    fn features(&self, pos: &Self::Pos) -> Vector {
        let text = self.show(pos);
        let (rows, turn) = rows(&text, b'1');
        let mut sums = [0.0, 0.0, 0.0, turn];
        for (letter, sign) in [(b'1', 1.0), (b'2', -1.0)] {
            let mut last = f64::MAX;
            for (r, row) in rows.iter().enumerate() {
                let forward = (if letter == b'1' { r } else { rows.len() - 1 - r }) as f64;
                for (c, _) in row.iter().enumerate().filter(|(_, cell)| **cell == letter) {
                    sums[0] += sign * forward;
                    sums[2] += sign * (c as f64 - (row.len() - 1) as f64 / 2.0).abs();
                    last = last.min(forward);
                }
            }
            sums[1] += sign * last;
        }
        sums
    }
}

fn dot(a: &Vector, b: &Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sign(player: Player) -> f64 {
    if player == Player::First { 1.0 } else { -1.0 }
}

/// The value for the mover by alpha-beta, and the best move, drawn among the equals by the order of
/// moves.
fn search<S: Subject>(
    game: &S,
    pos: &S::Pos,
    weights: &Vector,
    depth: u32,
    window: (f64, f64),
    rng: &mut Rng,
) -> (f64, Option<<S::Pos as Position>::Move>) {
    let own = sign(pos.turn());
    if let Some(score) = pos.outcome() {
        // Sooner is better.
        return (own * f64::from(score.0) * (1000.0 + f64::from(depth)), None);
    }
    if depth == 0 {
        return (own * dot(weights, &game.features(pos)), None);
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for i in (1..moves.len()).rev() {
        moves.swap(i, rng.below(i as u32 + 1) as usize);
    }
    let (mut alpha, mut best) = (f64::NEG_INFINITY, None);
    for mv in moves {
        let window = (-window.1, -alpha.max(window.0));
        let value = -search(game, &pos.after(mv), weights, depth - 1, window, rng).0;
        if value > alpha {
            (alpha, best) = (value, Some(mv));
        }
        if alpha >= -window.0 {
            break;
        }
    }
    (alpha, best)
}

const OPENING: u32 = 8;
const DEPTH: u32 = 2;
const LONGEST: usize = 400;

/// A game from a random opening, by the weights of First and of Second; `seen` is called with every
/// position after the opening.
fn play<S: Subject>(game: &S, by: [&Vector; 2], seed: [u64; 2], mut seen: impl FnMut(&S::Pos)) -> f64 {
    let (mut opening, mut rng) = (Rng::from_parts(&seed[..1]), Rng::from_parts(&seed));
    let (mut pos, mut buf) = (game.start(), Vec::new());
    for _ in 0..OPENING {
        if pos.outcome().is_none() {
            pos.play(pos.random_move(&mut opening, &mut buf));
        }
    }
    for _ in 0..LONGEST {
        if let Some(score) = pos.outcome() {
            return f64::from(score.0);
        }
        seen(&pos);
        let window = (f64::NEG_INFINITY, f64::INFINITY);
        let best = search(game, &pos, by[pos.turn().index()], DEPTH, window, &mut rng).1;
        pos.play(best.expect("a game that goes on has moves"));
    }
    0.0
}

/// Solves `a x = b` by elimination; `a` is positive definite.
fn solve(mut a: [Vector; FEATURES], mut b: Vector) -> Vector {
    for i in 0..FEATURES {
        let (pivot, value) = (a[i], b[i]);
        for k in i + 1..FEATURES {
            let factor = a[k][i] / pivot[i];
            (i..FEATURES).for_each(|j| a[k][j] -= factor * pivot[j]);
            b[k] -= factor * value;
        }
    }
    for i in (0..FEATURES).rev() {
        let known: f64 = (i + 1..FEATURES).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

fn squashed(sum: f64) -> f64 {
    sum / (1.0 + sum.abs())
}

fn error(samples: &[(Vector, f64)], weights: &Vector) -> f64 {
    let squares = samples.iter().map(|(x, result)| (result - squashed(dot(x, weights))).powi(2));
    squares.sum::<f64>() / samples.len() as f64
}

fn fitted(samples: &[(Vector, f64)], mut weights: Vector) -> Vector {
    for _ in 0..50 {
        let (mut a, mut b) = ([[0.0; FEATURES]; FEATURES], [0.0; FEATURES]);
        (0..FEATURES).for_each(|i| a[i][i] = 1e-6 * samples.len() as f64);
        for (x, result) in samples {
            let sum = dot(x, &weights);
            let slope = (1.0 + sum.abs()).powi(-2);
            for i in 0..FEATURES {
                b[i] += slope * x[i] * (result - squashed(sum));
                (0..FEATURES).for_each(|j| a[i][j] += slope * slope * x[i] * x[j]);
            }
        }
        // Steps are halved until they help.
        let (step, before) = (solve(a, b), error(samples, &weights));
        let tries = (0..20).map(|n| std::array::from_fn(|i| weights[i] + step[i] * 0.5_f64.powi(n)));
        match tries.into_iter().find(|tried| error(samples, tried) < before) {
            Some(better) => weights = better,
            None => break,
        }
    }
    weights
}

/// The mean score of `a` against `b` from -1 to 1 over pairs of games with one opening, and half
/// its 95 % interval.
fn contest<S: Subject>(game: &S, a: &Vector, b: &Vector, pairs: u64, seed: u64) -> (f64, f64) {
    let score = |pair: u64| {
        let seed = seed + pair;
        (play(game, [a, b], [seed, 1], |_| ()) - play(game, [b, a], [seed, 2], |_| ())) / 2.0
    };
    let scores: Vec<f64> = (0..pairs).map(score).collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (pairs - 1) as f64;
    (mean, 1.96 * (variance / pairs as f64).sqrt())
}

fn fit<S: Subject>(game: &S, learn: u64, test: u64) {
    println!("{:?}\nby hand {:.3?}", S::NAMES, S::BY_HAND);
    let mut samples = Vec::new();
    for seed in 0..learn {
        let mut positions = Vec::new();
        let result = play(game, [&S::BY_HAND; 2], [seed, 0], |pos| positions.push(game.features(pos)));
        // Neighbours are much alike.
        samples.extend(positions.into_iter().step_by(3).map(|x| (x, result)));
    }
    let weights = fitted(&samples, S::BY_HAND);
    let errors = [S::BY_HAND, weights].map(|weights| error(&samples, &weights));
    println!("fitted  {weights:.3?}; mean squares of {} positions {errors:.3?}", samples.len());
    let (mean, half) = contest(game, &weights, &S::BY_HAND, test, 9_000_000);
    println!("fitted against by hand: {mean:+.3} ± {half:.3} in {} games", 2 * test);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|text| text.parse().ok()).filter(|&n| n > 1);
    match (arguments.first().map(String::as_str), number(1), number(2)) {
        (Some("cannon"), Some(learn), Some(test)) => {
            fit(&Cannon::new(cannon::Setup::default()), learn, test);
        }
        (Some("chinese-checkers"), Some(learn), Some(test)) => {
            fit(&ChineseCheckers::new(chinese_checkers::Setup { side: 3 }), learn, test);
        }
        _ => eprintln!("fit cannon|chinese-checkers GAMES-TO-LEARN-FROM PAIRS-TO-TEST"),
    }
}
