//! A match between two evaluation functions of Lines of Action, both searching by alpha-beta.
//!
//!     cargo run --release -p proofplay --example loa_evaluators -- GAMES NODES A B
//!
//! A and B are 2000, 2002, 2006, or nine weights with commas between; NODES is what a search may visit for a move. Every
//! pair of games begins with the same six random moves, colours swapped. A game of 200 moves is a draw. The same arguments
//! give the same match.

use proofplay::games::loa::{Board, Evaluator, Loa, LoaKnowledge, PerFeature, Setup};
use proofplay::search::alphabeta::deepen;
use proofplay::{Game, Limits, Position, Rng};
use std::sync::Arc;

const OPENING: u32 = 6;
const MOST_MOVES: u32 = 200;
const MEMORY: usize = 16 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, nodes, a, b] = &arguments[..] else {
        return Err("GAMES NODES A B, see the head of the example".into());
    };
    let (games, nodes, players) = (games.parse::<u64>()?, nodes.parse()?, [weights(a)?, weights(b)?]);
    let mut sum = [0; 3];
    for number in 0..games {
        let first = number as usize % 2;
        let score = play([players[first], players[1 - first]], number, nodes);
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
fn play(players: [PerFeature; 2], number: u64, nodes: u64) -> i16 {
    let (mut rng, limits) =
        (Rng::from_parts(&[number / 2]), Limits { nodes: Some(nodes), ..Limits::default() });
    let mut pos: Board<u64> = Loa::new(Setup::default()).start();
    let config = deepen::Config::default();
    let mut players = players
        .map(|weights| deepen::Player::new(&pos, config, Arc::new(LoaKnowledge::new(weights)), MEMORY));
    for ply in 0..MOST_MOVES {
        if let Some(score) = pos.outcome() {
            return score.0;
        }
        let mv = if ply < OPENING {
            pos.random_move(&mut rng, &mut Vec::new())
        } else {
            let player = &mut players[pos.turn().index()];
            player.search(&pos, &limits, false, &mut |_| ()).best.expect("the game is not over")
        };
        pos.play(mv);
    }
    0
}
