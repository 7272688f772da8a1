//! What a network says of a position: its value and the likeliest moves.
//!
//!     cargo run --release -p proofplay-net --example guess -- NET go:9x9,komi=7.5 "e5 c3"
//!
//! The network may be in any of the formats; the game is written as on the command line.

use proofplay_core::{Family, FamilyVisitor, Game, GameVisitor, Position};
use proofplay_net::{NetError, NetFile, encoders};
use std::error::Error;

/// How many moves are shown.
const SHOWN: usize = 8;

/// How many evaluations are timed.
const TIMED: u32 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (path, game, moves) = match &words[..] {
        [path, game] => (path, game, ""),
        [path, game, moves] => (path, game, &moves[..]),
        _ => return Err("expected: a file, a game, and moves between quotes".into()),
    };
    let file = NetFile::open(path.as_ref())?;
    let (name, parameters) = game.split_once(':').unwrap_or((game, ""));
    let mut find = Find { name, parameters, moves, file, said: Err(format!("there is no game `{name}`")) };
    proofplay_games::each_family(&mut find);
    print!("{}", find.said?);
    Ok(())
}

struct Find<'a> {
    name: &'a str,
    parameters: &'a str,
    moves: &'a str,
    file: NetFile,
    said: Result<String, String>,
}

impl FamilyVisitor for Find<'_> {
    fn visit<F: Family>(&mut self) {
        if F::NAME == self.name {
            let said = F::build(self.parameters, Guess { file: &self.file, moves: self.moves });
            self.said = match said {
                Ok(Ok(said)) => Ok(said),
                Ok(Err(error)) => Err(error.to_string()),
                Err(error) => Err(error.to_string()),
            };
        }
    }
}

struct Guess<'a> {
    file: &'a NetFile,
    moves: &'a str,
}

impl GameVisitor for Guess<'_> {
    type Out = Result<String, NetError>;

    fn visit<G: Game>(self, game: G) -> Self::Out {
        let mut pos = game.start();
        for text in self.moves.split_ascii_whitespace() {
            let mv = game.read_move(&pos, text).map_err(|error| NetError::new(error.to_string()))?;
            pos.play(mv);
        }
        if pos.outcome().is_some() {
            return Err(NetError::new("the game is over"));
        }
        let hints = self.file.hints(&game)?;
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let mut priors = vec![1.0; moves.len()];
        hints.priors(&pos, &moves, &mut priors);
        let mut best: Vec<_> = moves.iter().zip(&priors).collect();
        best.sort_by(|a, b| b.1.total_cmp(a.1));
        let mut said =
            format!("value for {}: {:+.3}\n", game.side(proofplay_core::Player::First), hints.value(&pos));
        for (&mv, prior) in best.into_iter().take(SHOWN) {
            said += &format!("{:>6}  {:.1} %\n", game.show_move(&pos, mv), 100.0 * prior);
        }
        let encoder = encoders::encoder(&self.file.about.encoder, &game)?;
        let mut evaluator = proofplay_net::Evaluator::new(&self.file.net, encoder.board())?;
        let (mut planes, mut globals) = (vec![0.0; evaluator.planes()], vec![0.0; evaluator.globals()]);
        let start = seconds();
        (0..TIMED).for_each(|_| encoder.encode(&pos, &mut planes, &mut globals));
        let middle = seconds();
        let mut sum = 0.0;
        (0..TIMED).for_each(|_| sum += evaluator.evaluate(&planes, &globals).value());
        assert!(sum.is_finite());
        let [encode, evaluate] =
            [middle - start, seconds() - middle].map(|time| 1e3 * time / f64::from(TIMED));
        Ok(said + &format!("{encode:.3} ms to encode, {evaluate:.3} ms to evaluate\n"))
    }
}

/// Seconds of processor time that this thread has taken.
#[cfg(unix)]
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn seconds() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64())
}
