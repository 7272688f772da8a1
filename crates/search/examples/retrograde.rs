//! Solves all positions that can follow one and says what that took: positions, moves, bytes, CPU time.
//!
//!     cargo run --release -p proofplay-search --example retrograde -- GAME PARAMETERS [MEMORY-IN-MIB [POSITION]]

use proofplay_core::{Extras, Family, Game, GameVisitor, Score};
use proofplay_games::{cannon, checkers, chinese_checkers, loa, pentalath};
use proofplay_search::retrograde::Retrograde;
use proofplay_search::{Ask, Resources, Run, Search};
use std::time::Instant;

struct Solve {
    memory: usize,
    position: Option<String>,
}

impl GameVisitor for Solve {
    type Out = ();

    fn visit<G: Game>(self, game: G) {
        let pos = self.position.map_or_else(|| game.start(), |text| game.parse(&text).expect("a position"));
        let resources = Resources { memory: self.memory << 20, ..Resources::default() };
        let mut search = Retrograde::new(&pos, Extras::none(), resources).expect("a game that can be solved");
        let began = Instant::now();
        let report = search.run(Ask::Distance, &mut Run::default()).expect("no checkpoint");
        let (positions, moves) = search.size();
        let value =
            report.bounds.value().map_or_else(|| report.bounds.to_string(), |Score(score)| score.to_string());
        println!(
            "{} {}: value {value}, plies {:?}, {}; {positions} positions, {} of them listed, {moves} moves, {} bytes, {:.1} a \
             position, {:.1} s",
            game.name(),
            game.show(&pos),
            report.plies,
            report.halt.word(),
            report.expansions,
            report.memory,
            report.memory as f64 / positions as f64,
            began.elapsed().as_secs_f64()
        );
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (name, parameters) = (words.next().expect("a game"), words.next().unwrap_or_default());
    let memory = words.next().map_or(1024, |text| text.parse().expect("a number of MiB"));
    let solve = Solve { memory, position: words.next() };
    match name.as_str() {
        "cannon" => cannon::Setup::build(&parameters, solve),
        "checkers" => checkers::Setup::build(&parameters, solve),
        "chinese-checkers" => chinese_checkers::Setup::build(&parameters, solve),
        "loa" => loa::Setup::build(&parameters, solve),
        "pentalath" => pentalath::Setup::build(&parameters, solve),
        _ => panic!("cannon, checkers, chinese-checkers, loa or pentalath"),
    }
    .expect("parameters of the game");
}
