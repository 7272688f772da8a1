//! Certificates of the proofs that end games: written, checked by the rules alone, and kept only then.

use crate::seat::Seat;
use crate::{LabError, Match, PlayedGame, Trials};
use proofplay_core::{Bounds, Line, Player as Side, Score};
use proofplay_front::record::Record;
use proofplay_registry::{Certify, verify};
use proofplay_search::Limits;
use proofplay_search::checkpoint::write_whole;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

/// What the search for the moves of a certificate may take.
const TIME: Duration = Duration::from_secs(60);

/// What came of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The file.
    File(String),
    /// Why there is none.
    WhyNot(String),
}

/// The name of the file for a game.
fn file_name(number: u32) -> String {
    format!("{number}.proof")
}

impl Match {
    /// Refuses a folder with certificates that the games of this match which are not played yet would
    /// write over: they are those of other matches.
    pub fn check_certificates(&self, count: u32, played: &Trials<PlayedGame>) -> Result<(), LabError> {
        let Some(folder) = &self.terms.certificates else { return Ok(()) };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.strip_suffix(".proof")?.parse().ok().filter(|&number| name == file_name(number))
        });
        let is_played = |number: u32| played.iter().any(|game| game.0 == number);
        match numbers.filter(|&number| number < count && !is_played(number)).min() {
            None => Ok(()),
            Some(number) => Err(LabError::Plan(format!(
                "`{}` is there, and this match has not played game {number} yet: expected a folder without \
                 certificates of other matches",
                folder.join(file_name(number)).display()
            ))),
        }
    }

    /// Keeps the certificate of a proof of this score by the player to move, if that is wanted.
    pub(crate) fn certify(
        &self,
        prover: Seat,
        record: &Record,
        score: Score,
        number: u32,
        stop: &Arc<AtomicBool>,
    ) -> Option<Kept> {
        let folder = self.terms.certificates.as_ref()?;
        let Seat::Search(mut prover) = prover else { return None };
        let is_a = number.is_multiple_of(2) == (record.now().turn() == Side::First);
        let memory = if is_a { self.pace.memory } else { self.b_pace().memory };
        let moves = record.plies.iter().map(|ply| ply.mv.clone()).collect();
        let wanted = Certify {
            memory,
            limits: Limits { time: Some(TIME), ..Limits::default() },
            stop: Arc::clone(stop),
            ..Certify::new(Line { moves, ..Line::start(&self.game) }, Bounds::exact(score))
        };
        let why_not = |why: String| Some(Kept::WhyNot(why));
        let bytes = match prover.player.certify(&wanted)? {
            Ok(certified) => certified.written.bytes,
            Err(error) => return why_not(error.to_string()),
        };
        match verify(&bytes, memory, &mut |_| !stop.load(SeqCst)) {
            Err(error) => return why_not(error.to_string()),
            Ok((certificate, checked))
                if (&certificate.line.game, checked.bounds) != (&self.game, wanted.bounds) =>
            {
                let (game, bounds) = (&certificate.line.game, checked.bounds);
                return why_not(format!(
                    "it proves {bounds} in {game}, not {} in {}",
                    wanted.bounds, self.game
                ));
            }
            Ok(_) => {}
        }
        let file = folder.join(file_name(number));
        let written = write_whole(&file, &mut |mut to| to.write_all(&bytes));
        let file = file.display().to_string();
        Some(match written {
            Ok(()) => Kept::File(file),
            Err(error) => Kept::WhyNot(format!("`{file}`: {error}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Openings, Pace, Study, Terms};
    use proofplay_registry::game;

    /// Alpha-beta knows the value of the board at once, so that no move is played; the games go to whom
    /// they are proven for, and the proof is there for anybody.
    #[test]
    fn proofs_end_games_and_are_kept() {
        let folder = std::env::temp_dir().join(format!("proofplay-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let terms = Terms { ended_by_proof: true, certificates: Some(folder.clone()), ..Terms::default() };
        let contest = Match {
            game: "domineering:3x4".to_owned(),
            a: "alphabeta".parse().unwrap(),
            b: "alphabeta".parse().unwrap(),
            pace: Pace { playouts: None, nodes: Some(1_000_000), time: None, memory: 1 << 22 },
            openings: Openings::Random(1),
            seed: 1,
            most_plies: 100,
            terms,
        };
        let played = |contest: &Match, number| contest.trial(number, &Arc::default()).unwrap().unwrap();
        for number in 0..2 {
            let PlayedGame { plies, score, proven, certificate, half_points, .. } = played(&contest, number);
            assert_eq!((plies, score), (1, None));
            // A has the first move in the first game.
            let for_first = proven.unwrap();
            assert_eq!(half_points, if (for_first > 0) == (number == 0) { 2 } else { 0 });
            let Some(Kept::File(file)) = certificate else { panic!("{certificate:?}") };
            let bytes = std::fs::read(&file).unwrap();
            let (_, checked) = verify(&bytes, 1 << 22, &mut |_| true).unwrap();
            assert_eq!(checked.bounds, Bounds::exact(Score(for_first)));
        }
        // Nothing is written over a file of another match.
        let all: Trials<PlayedGame> = (0..2).map(|number| (number, played(&contest, number), 0.0)).collect();
        assert!(
            contest.check_certificates(2, &all).is_ok() && contest.check_certificates(0, &vec![]).is_ok()
        );
        let error = contest.check_certificates(9, &all[..1].to_vec()).unwrap_err().to_string();
        assert!(error.contains("1.proof` is there"), "{error}");
        // What does not fit is told, and changes nothing else.
        let pace = Pace { memory: 1 << 10, ..contest.pace };
        let poor = Match { pace, game: "domineering:5x5".to_owned(), ..contest.clone() };
        let game = played(&poor, 0);
        assert!(matches!(game.certificate, Some(Kept::WhyNot(_))) && game.ended_by() == "proof", "{game:?}");
        // Without the terms it is played to its end.
        let plain = Match { terms: Terms::default(), ..contest };
        assert_eq!(played(&plain, 0).ended_by(), "rules");
        assert!(game_is_over(&plain.game, &played(&plain, 0).moves));
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn game_is_over(name: &str, moves: &str) -> bool {
        let mut pos = game(name).unwrap().start();
        moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
        pos.outcome().is_some()
    }
}
