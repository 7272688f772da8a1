//! Compares a network with what another program says of it.
//!
//!     cargo run --release -p proofplay-net --example agree -- positions go:9x9,komi=7.5,suicide=yes 100 1
//!     cargo run --release -p proofplay-net --example agree -- compare NET ANSWERS
//!
//! The first command prints positions of random games, one a line: the game, a tab, the moves. The
//! scripts `ask_katago.py` and `ask_leela.py` add what these programs say: tabs and the difference of
//! White's chances to win and to lose, the least difference that is seen in their figures, and
//! probabilities of cells by row from the top and then of the pass. The second command compares.

#[path = "../tests/answers/mod.rs"]
mod answers;

use answers::compare;
use proofplay_core::{Family, Game, GameVisitor, Position, Rng};
use proofplay_games::go::Setup;
use proofplay_net::NetFile;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["positions", game, count, seed] => {
            let parameters = game.strip_prefix("go:").ok_or("the game should be go:…")?;
            Setup::build(parameters, Positions { count: count.parse()?, seed: seed.parse()? })?;
            Ok(())
        }
        ["compare", net, answers] => {
            let file = NetFile::open(net.as_ref())?;
            let found = compare(&file, &std::fs::read_to_string(answers)?)?;
            println!("{found}");
            if found.agrees() { Ok(()) } else { Err("they do not agree".into()) }
        }
        _ => Err("expected: positions GAME COUNT SEED, or compare NET ANSWERS".into()),
    }
}

struct Positions {
    count: usize,
    seed: u64,
}

impl GameVisitor for Positions {
    type Out = ();

    /// Random games in which most stones are put near the one before, so that there are fights.
    fn visit<G: Game>(self, game: G) {
        let mut rng = Rng::new(self.seed);
        let cells = game.view(&game.start()).cells;
        let place = |name: &str| cells.iter().find(|cell| cell.name == name).map(|cell| (cell.x / 2, cell.y));
        for _ in 0..self.count {
            let (mut pos, mut line, mut last) = (game.start(), Vec::<String>::new(), None);
            for _ in 0..rng.below(cells.len() as u32) {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let near = |name: &String| {
                    let (Some((x, y)), Some((a, b))) = (place(name), last) else { return false };
                    i16::abs(x - a).max(i16::abs(y - b)) <= 2
                };
                let all: Vec<String> = moves.iter().map(|&mv| game.show_move(&pos, mv)).collect();
                let close: Vec<&String> = all.iter().filter(|name| near(name)).collect();
                let name = match rng.below(60) {
                    0..5 => "pass".to_owned(),
                    5..40 if !close.is_empty() => close[rng.below(close.len() as u32) as usize].clone(),
                    _ => all[rng.below(all.len() as u32) as usize].clone(),
                };
                let Ok(mv) = game.parse_move(&pos, &name) else { continue };
                if pos.after(mv).outcome().is_some() {
                    continue;
                }
                pos.play(mv);
                last = place(&name).or(last);
                line.push(name);
            }
            println!("{}\t{}", game.name(), line.join(" "));
        }
    }
}
