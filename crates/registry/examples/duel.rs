//! Two searches play a match against each other, colours swapped after every game.
//!
//!     cargo run --release -p proofplay-registry --example duel -- GAMES OPENING GAME SEARCH GAME SEARCH
//!
//! Every pair of games begins with the same OPENING random moves. The games are the same but may differ in what they
//! know: `loa:8x8,eval=2000` against `loa:8x8,eval=2006`. A game of 300 moves is a draw.

use proofplay_core::{Player, Rng};
use proofplay_registry::{DynGame, game};
use proofplay_search::{Limits, SearchSpec};
use std::error::Error;
use std::time::Instant;

const MOST_MOVES: u32 = 300;

/// A player: what it knows and how it searches.
struct Duellist {
    game: Box<dyn DynGame>,
    spec: SearchSpec,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, opening, rest @ ..] = &arguments[..] else { return Err("see the head of duel.rs".into()) };
    let [game_a, spec_a, game_b, spec_b] = rest else { return Err("see the head of duel.rs".into()) };
    let duellist = |name: &str, spec: &str| -> Result<Duellist, Box<dyn Error>> {
        Ok(Duellist { game: game(name)?, spec: spec.parse()? })
    };
    let players = [duellist(game_a, spec_a)?, duellist(game_b, spec_b)?];
    let (games, opening, started) = (games.parse::<u64>()?, opening.parse::<u64>()?, Instant::now());
    let (mut wins, mut losses) = (0, 0);
    for number in 0..games {
        let first = number as usize % 2;
        let score = play([&players[first], &players[1 - first]], opening, number)?;
        match if first == 0 { score } else { -score } {
            1.. => wins += 1,
            0 => {}
            _ => losses += 1,
        }
    }
    let draws = games - wins - losses;
    let (count, mean) = (games as f64, (wins as f64 + draws as f64 / 2.0) / games as f64);
    let squares = wins as f64 * (1.0 - mean).powi(2)
        + draws as f64 * (0.5 - mean).powi(2)
        + losses as f64 * mean.powi(2);
    println!("{game_a} {spec_a} against {game_b} {spec_b}");
    println!(
        "{wins} won, {draws} drawn, {losses} lost: {:.1} % +- {:.1} (95 %), {:.0} s",
        100.0 * mean,
        100.0 * 1.96 * (squares / count).sqrt() / count.sqrt(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// One game; the score in the view of the first of the players.
fn play(players: [&Duellist; 2], opening: u64, number: u64) -> Result<i16, Box<dyn Error>> {
    let (mut random, mut rng) = (Rng::from_parts(&[number / 2]), Rng::from_parts(&[number, 1]));
    let mut positions = players.map(|player| player.game.start());
    for ply in 0..u64::from(MOST_MOVES) {
        if let Some(score) = positions[0].outcome() {
            return Ok(score.0.signum());
        }
        let mv = if ply < opening {
            let legal = positions[0].legal();
            legal[random.below(legal.len() as u32) as usize].clone()
        } else {
            let mover = usize::from(positions[0].turn() == Player::Second);
            let limits = Limits { memory: 1 << 26, seed: rng.next_u64(), ..Limits::default() };
            let report = positions[mover].search(&players[mover].spec, &limits, false, &mut |_| ())?;
            report.best.ok_or("a search without a move")?
        };
        for pos in &mut positions {
            pos.play(&mv)?;
        }
    }
    Ok(0)
}
