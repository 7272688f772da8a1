//! A foreign program as a player of our games. The referee is on our side: what the program says is
//! checked by our rules, and what it does wrong loses it the game.

use super::client::{Client, Fault, Program, quoted};
use super::told_time::{Seconds, settings};
use super::vertex::{self, is_go};
use super::{go, gogui};
use proofplay_core::Player as Side;
use proofplay_front::clock::TimeControl;
use proofplay_front::game::Loss;
use proofplay_front::player::{Answer, Choice, Player, PlayerError, Turn};
use proofplay_front::record::Record;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// For a reply that needs no thinking.
const TO_REPLY: Duration = Duration::from_secs(60);
/// For a move without a clock.
const TO_MOVE: Duration = Duration::from_secs(10 * 60);
/// After its time is over, a program is waited for as long as so many margins, and at least a second:
/// if it answers by then it is late, otherwise silent.
const LATE_MARGINS: u32 = 10;

/// What a program calls itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Why a program does not play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// It does not answer as it should.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It is no player of this game under these conditions.
    #[error("{0}")]
    Cannot(String),
}

/// A program that plays one game.
#[derive(Debug)]
pub struct Foreign {
    /// It, or what it has lost the game by.
    state: Result<Talk, Loss>,
}

/// A program that answers.
#[derive(Debug)]
struct Talk {
    client: Client,
    /// The commands that it knows.
    known: BTreeSet<String>,
    seconds: Seconds,
    /// The game as far as it has followed it.
    line: Vec<String>,
    /// For a reply that needs no thinking.
    patience: Duration,
    stop: Arc<AtomicBool>,
}

impl Foreign {
    /// Starts a program for the game that this record begins, with a clock if there is one, and asks
    /// whether it can play it. Its first answer must come within this time.
    pub fn start(
        program: &Program,
        record: &Record,
        control: Option<TimeControl>,
        within: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<(Foreign, Identity), Unfit> {
        let mut talk = Talk {
            client: Client::start(program)?,
            known: BTreeSet::new(),
            seconds: Seconds::of(|_| false),
            line: Vec::new(),
            // A network may be loaded again for the size of the board.
            patience: within.max(TO_REPLY),
            stop: Arc::clone(stop),
        };
        let identity = talk.introduce(within)?;
        talk.set_up(record, control)?;
        talk.patience = TO_REPLY;
        Ok((Foreign { state: Ok(talk) }, identity))
    }

    /// A program that has lost the game already.
    pub fn lost(loss: Loss) -> Foreign {
        Foreign { state: Err(loss) }
    }

    /// The stones that are dead at the end of a game of Go, as the program says; `None` if it says
    /// nothing.
    pub fn dead(&mut self, record: &Record) -> Option<Vec<String>> {
        let talk = self.state.as_mut().ok().filter(|talk| talk.knows("final_status_list"))?;
        talk.follow(record).ok()?;
        let answer = talk.ask("final_status_list dead").ok()?;
        let words = answer.split_whitespace().map(str::to_lowercase);
        let stones: BTreeSet<String> = words.collect();
        let stones: Vec<String> = stones.into_iter().collect();
        go::are_chains(record.now(), &stones).then_some(stones)
    }
}

impl Talk {
    fn knows(&self, command: &str) -> bool {
        self.known.contains(command)
    }

    /// The reply to a command that needs no thinking.
    fn ask(&mut self, command: &str) -> Result<String, Fault> {
        self.client.ask(command, self.patience, &self.stop)
    }

    /// Asks the program who it is and what it knows.
    fn introduce(&mut self, within: Duration) -> Result<Identity, Unfit> {
        let protocol = self.client.ask("protocol_version", within, &self.stop)?;
        if protocol != "2" {
            let protocol = quoted(&protocol);
            return Err(Unfit::Cannot(format!("it speaks version `{protocol}` of the protocol: expected 2")));
        }
        let [name, version] = [self.ask("name")?, self.ask("version")?].map(|text| quoted(&text));
        self.known = self.ask("list_commands")?.split_whitespace().map(str::to_owned).collect();
        self.seconds = Seconds::of(|name| self.known.contains(name));
        Ok(Identity { name, version })
    }

    /// Sets up the board and the clock.
    fn set_up(&mut self, record: &Record, control: Option<TimeControl>) -> Result<(), Unfit> {
        let (pos, cannot) = (record.start(), |why: String| Err(Unfit::Cannot(why)));
        match gogui::size_of(pos) {
            Some((columns, rows)) if columns == rows && (is_go(pos) || self.knows("boardsize")) => {
                self.ask(&format!("boardsize {columns}"))?;
            }
            Some((columns, rows)) if self.knows("rectangular_boardsize") => {
                self.ask(&format!("rectangular_boardsize {columns} {rows}"))?;
            }
            Some((columns, rows)) if is_go(pos) => {
                return cannot(format!(
                    "it plays on square boards only, not on {columns}x{rows}: it does not know \
                     rectangular_boardsize"
                ));
            }
            _ => {}
        }
        if let Some(komi) = go::komi(pos)
            && self.knows("komi")
        {
            self.ask(&format!("komi {komi}"))?;
        }
        self.ask("clear_board")?;
        if let Some(control) = control {
            let command = settings(control, |name| self.knows(name)).map_err(Unfit::Cannot)?;
            self.ask(&command)?;
        }
        if self.knows("gogui-rules_legal_moves") {
            let answer = self.ask("gogui-rules_legal_moves")?;
            if let Some(why) = other_moves(&Record::new(pos.boxed()), &answer) {
                return cannot(why);
            }
        }
        Ok(())
    }

    /// Tells it the moves that it does not know yet, and takes back what is not in the record.
    fn follow(&mut self, record: &Record) -> Result<(), Fault> {
        let same = self.line.iter().zip(&record.plies).take_while(|(mv, ply)| **mv == ply.mv).count();
        if same < self.line.len() && !self.knows("undo") {
            self.ask("clear_board")?;
            self.line.clear();
        }
        while self.line.len() > same {
            self.ask("undo")?;
            self.line.pop();
        }
        let mut pos = record.after(self.line.len());
        for ply in &record.plies[self.line.len()..] {
            let text = vertex::write(&*pos, &ply.mv);
            self.ask(&format!("play {} {text}", colour(pos.turn())))?;
            pos.play(&ply.mv).expect("it was legal before");
            self.line.push(ply.mv.clone());
        }
        Ok(())
    }

    /// What it does in this turn.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let (record, mover) = (turn.record, turn.record.now().turn());
        self.stop = Arc::clone(turn.stop);
        self.follow(record)?;
        let mut wait = TO_MOVE;
        if let Some(clock) = turn.clock {
            if self.knows("time_left") {
                let left = clock.left(mover, Duration::ZERO);
                self.ask(&self.seconds.left(colour(mover), clock.control(), left))?;
            }
            let late = LATE_MARGINS * clock.margin().unwrap_or_default();
            let whole = |time: Duration| Duration::from_millis(time.as_millis() as u64);
            wait = clock
                .endures(mover)
                .map_or(TO_MOVE, |time| whole(time.saturating_add(late.max(Duration::from_secs(1)))));
        }
        let answer = self.client.ask(&format!("genmove {}", colour(mover)), wait, &self.stop)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(Choice::Resign);
        }
        // No move is longer than what is quoted.
        Ok(match vertex::read(record, &quoted(&answer)) {
            Ok(mv) => {
                self.line.push(mv.clone());
                Choice::Move(Answer::new(mv))
            }
            Err(error) => Choice::Fail(Loss::Illegal(error.to_string())),
        })
    }
}

impl Player for Foreign {
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerError> {
        let choice = match &mut self.state {
            Err(loss) => return Ok(Choice::Fail(loss.clone())),
            Ok(talk) => talk.choose(turn),
        };
        Ok(choice.unwrap_or_else(|fault| {
            let loss = Loss::from(fault);
            self.state = Err(loss.clone());
            Choice::Fail(loss)
        }))
    }
}

fn colour(side: Side) -> &'static str {
    ["b", "w"][side.index()]
}

/// What the legal moves of a program show, if they are not ours: that it plays another game.
fn other_moves(record: &Record, answer: &str) -> Option<String> {
    let theirs = answer.split_whitespace().map(|text| vertex::read(record, text).map_err(|_| quoted(text)));
    let (mut known, mut odd) = (BTreeSet::new(), None);
    for mv in theirs {
        match mv {
            Ok(mv) => _ = known.insert(mv),
            Err(text) => odd = odd.or(Some(text)),
        }
    }
    let game = record.now().game();
    let lacks = || record.now().legal().into_iter().find(|mv| !known.contains(mv));
    match odd {
        Some(text) => {
            Some(format!("it plays another game than {game}: it begins with {text}, which is not legal"))
        }
        None => lacks().map(|mv| {
            let mv = vertex::write(record.now(), &mv);
            format!("it plays another game than {game}: it does not begin with {mv}, which is legal")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_registry::game;

    /// What a program is told of a game in which moves are taken back; it always plays A1.
    fn told(known: &str) -> Vec<String> {
        let log = std::env::temp_dir().join(format!("proofplay-told-{known}-{}", std::process::id()));
        let script = "while read -r name rest; do echo \"$name $rest\" >>\"$0\"; case $name in \
                      protocol_version) printf \"= 2\\n\\n\" ;; list_commands) printf \"= $1\\n\\n\" ;; \
                      genmove) printf \"= a1\\n\\n\" ;; *) printf \"=\\n\\n\" ;; esac; done";
        let program = format!("sh -c '{script}' {} {known}", log.display()).parse().unwrap();
        let (mut record, stop) = (Record::new(game("tictactoe").unwrap().start()), Arc::default());
        let (mut foreign, _) = Foreign::start(&program, &record, None, TO_REPLY, &stop).unwrap();
        let mut play = |record: &mut Record| {
            assert_eq!(foreign.choose(&Turn::new(record, &stop)).unwrap(), Choice::Move(Answer::new("a1")));
            record.play("a1").unwrap();
        };
        record.play("b2").unwrap();
        play(&mut record);
        while record.undo() {}
        record.play("c3").unwrap();
        play(&mut record);
        let told = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(&log).unwrap();
        let commands = told.lines().map(|line| line.trim().to_owned());
        commands.skip_while(|command| !command.starts_with("play")).collect()
    }

    #[test]
    fn moves_are_taken_back() {
        let [first, second] = [["play b B2", "genmove w"], ["play b C3", "genmove w"]];
        assert_eq!(told("undo"), [&first[..], &["undo", "undo"], &second].concat());
        assert_eq!(told("nothing"), [&first[..], &["clear_board"], &second].concat());
    }

    #[test]
    fn legal_moves_show_the_game() {
        let other = |name: &str, answer: &str| other_moves(&Record::new(game(name).unwrap().start()), answer);
        assert_eq!(other("connect4:4x4", "A1 B1 C1 D1"), None);
        assert_eq!(other("connect4:4x4", "d1 c1 b1 a1"), None);
        assert!(
            other("connect4:4x4", "A1 B1 C1").unwrap().contains("does not begin with D1, which is legal")
        );
        assert!(other("connect4:4x4", "A1 B1 C1 D1 E1").unwrap().contains("begins with E1, which is not"));
    }
}
