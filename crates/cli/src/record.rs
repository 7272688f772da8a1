//! A line of play ply by ply: what `replay` tells and `play` leaves behind.

use crate::output::outcome_word;
use crate::setup::{Setup, play};
use anyhow::Result;
use proofplay_registry::{DynPosition, sgf};
use serde::Serialize;

/// One move that was made.
#[derive(Clone, Serialize, Debug)]
pub struct Ply {
    /// From 1.
    pub ply: usize,
    /// `first` or `second`.
    pub to_move: String,
    /// How many moves were legal.
    pub legal: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// A game so far.
pub struct Record {
    /// The moves.
    pub plies: Vec<Ply>,
    /// The positions before each move, and the one now.
    positions: Vec<Box<dyn DynPosition>>,
}

/// A record as JSON.
#[derive(Serialize)]
pub struct Json<'a> {
    game: String,
    plies: &'a [Ply],
    position: String,
    outcome: Option<String>,
    score: Option<i16>,
}

impl Record {
    /// The line that the arguments give.
    pub fn new(setup: &Setup) -> Result<Record> {
        let (start, line) = setup.line()?;
        let mut record = Record { plies: Vec::new(), positions: vec![start] };
        for mv in &line {
            record.play(mv)?;
        }
        Ok(record)
    }

    /// The position now.
    pub fn now(&self) -> &dyn DynPosition {
        self.positions.last().expect("a record has its start").as_ref()
    }

    /// Makes a move, or says why not.
    pub fn play(&mut self, mv: &str) -> Result<()> {
        let mut next = self.now().boxed();
        let ply = self.plies.len() + 1;
        play(next.as_mut(), ply, mv)?;
        let now = self.now();
        let (to_move, legal) = (now.turn().to_string(), now.legal().len());
        self.plies.push(Ply { ply, to_move, legal, mv: mv.to_owned() });
        self.positions.push(next);
        Ok(())
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.plies.pop().is_some();
        if undone {
            self.positions.pop();
        }
        undone
    }

    /// The record as `--json` prints it.
    pub fn json(&self) -> Json<'_> {
        let now = self.now();
        Json {
            game: now.game(),
            plies: &self.plies,
            position: now.text(),
            outcome: now.outcome().map(outcome_word),
            score: now.outcome().map(|score| score.0),
        }
    }

    /// The record as an SGF file.
    pub fn sgf(&self) -> Result<String> {
        let moves = self.plies.iter().map(|ply| ply.mv.clone()).collect();
        let record = sgf::Record { game: self.now().game(), position: self.positions[0].text(), moves };
        Ok(sgf::write(&record, self.now().outcome())?)
    }

    /// The moves as a table.
    pub fn table(&self) -> String {
        let mut text = String::from("  ply  mover  legal  move\n");
        for (ply, pos) in self.plies.iter().zip(&self.positions) {
            let side = pos.side(pos.turn());
            text += &format!("{:>5}  {side:<5}  {:>5}  {}\n", ply.ply, ply.legal, ply.mv);
        }
        text
    }
}
