//! A match between two evaluation functions of Lines of Action, both looking two moves ahead.
//!
//!     cargo run --release -p proofplay --example loa_evaluators -- GAMES A B
//!
//! A and B are 2000, 2002, 2006, or nine weights with commas between. Every pair of games begins with the same six random
//! moves, colours swapped. Among moves of the same worth the first one in a random order is played. A game of 200 moves is
//! a draw.

use proofplay::games::loa::{Board, Evaluator, Loa, PerFeature, Setup, points};
use proofplay::{Game, Player, Position, Rng};

const OPENING: u32 = 6;
const MOST_MOVES: u32 = 200;
/// More than any evaluation.
const WON: f32 = 1e6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, a, b] = &arguments[..] else { return Err("GAMES A B, see the head of the example".into()) };
    let (games, players) = (games.parse::<u64>()?, [weights(a)?, weights(b)?]);
    let mut sum = [0; 3];
    for number in 0..games {
        let first = number as usize % 2;
        let score = play([players[first], players[1 - first]], number);
        sum[(1 + if first == 0 { score } else { -score }) as usize] += 1;
    }
    let [lost, drawn, won] = sum;
    let share = (f64::from(won) + f64::from(drawn) / 2.0) / games as f64;
    // Of a share that comes from wins and losses alone: never too small.
    let error = 1.96 * (share * (1.0 - share) / games as f64).sqrt();
    println!(
        "{a} against {b}: {won} won, {drawn} drawn, {lost} lost, {:.1} % +- {:.1}",
        100.0 * share,
        100.0 * error
    );
    Ok(())
}

fn weights(text: &str) -> Result<PerFeature, Box<dyn std::error::Error>> {
    if let Some(evaluator) = Evaluator::of_year(text) {
        return Ok(evaluator.weights());
    }
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    Ok(numbers?.try_into().map_err(|_| "there are nine weights")?)
}

/// One game; the score in the view of the first of the players.
fn play(players: [PerFeature; 2], number: u64) -> i16 {
    let mut rng = Rng::from_parts(&[number / 2]);
    let mut pos: Board<u64> = Loa::new(Setup::default()).start();
    for ply in 0..MOST_MOVES {
        if let Some(score) = pos.outcome() {
            return score.0;
        }
        let mv = if ply < OPENING {
            pos.random_move(&mut rng, &mut Vec::new())
        } else {
            choose(&pos, &players[pos.turn().index()], &mut rng)
        };
        pos.play(mv);
    }
    0
}

/// The move after which the best reply leaves most.
fn choose(pos: &Board<u64>, weights: &PerFeature, rng: &mut Rng) -> u16 {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for i in (1..moves.len()).rev() {
        moves.swap(i, rng.below(i as u32 + 1) as usize);
    }
    let (mut best, mut chosen) = (f32::NEG_INFINITY, moves[0]);
    for &mv in &moves {
        let worth = after_best_reply(&pos.after(mv), weights, pos.turn(), best);
        if worth > best {
            (best, chosen) = (worth, mv);
        }
    }
    chosen
}

/// What is left for `player` after the opponent's best reply, as far as it is above `enough`.
fn after_best_reply(pos: &Board<u64>, weights: &PerFeature, player: Player, enough: f32) -> f32 {
    let sign = if player == Player::First { 1.0 } else { -1.0 };
    let worth = |pos: &Board<u64>| match pos.outcome() {
        Some(score) => sign * WON * f32::from(score.0),
        None => sign * points(pos, weights),
    };
    if pos.outcome().is_some() {
        return worth(pos);
    }
    let (mut replies, mut least) = (Vec::new(), f32::INFINITY);
    pos.moves(&mut replies);
    for reply in replies {
        least = least.min(worth(&pos.after(reply)));
        if least <= enough {
            break;
        }
    }
    least
}
