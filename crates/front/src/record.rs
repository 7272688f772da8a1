//! A line of play, ply by ply: what `replay` prints, and what `play` saves and loads.
//!
//! As a file it is plain text; [`Setup::read`](crate::setup::Setup::read) reads it:
//!
//! ```text
//! game: tictactoe
//! start: .../.../... x
//! moves: b2 a1 c3
//! ```

use crate::sgf::{self, NotFollowed, Source};
use proofplay_core::{Player, TextError};
use proofplay_registry::{DynPosition, SetupError};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// One move that was made.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Ply {
    /// From 1.
    pub ply: usize,
    /// `first` or `second`.
    #[serde(serialize_with = "as_text")]
    pub to_move: Player,
    /// How many moves were legal.
    pub legal_count: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The old name of `legal_count`.
    pub legal: usize,
}

fn as_text<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player)
}

/// A game so far.
pub struct Record {
    /// The moves.
    pub plies: Vec<Ply>,
    start: Box<dyn DynPosition>,
    now: Box<dyn DynPosition>,
    /// The SGF file that it is from.
    source: Option<Arc<Source>>,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, start) = (self.start.game(), self.start.text());
        f.debug_struct("Record")
            .field("game", &game)
            .field("start", &start)
            .field("moves", &self.moves())
            .finish()
    }
}

impl Record {
    /// A game that begins here.
    pub fn new(start: Box<dyn DynPosition>) -> Record {
        Record { plies: Vec::new(), now: start.boxed(), start, source: None }
    }

    /// The same game as one of a file, which [`Record::sgf`] adds to.
    pub fn from_file(self, source: Source) -> Record {
        Record { source: Some(Arc::new(source)), ..self }
    }

    /// What the file of this game has beside the line that was followed.
    pub fn not_followed(&self) -> Option<NotFollowed> {
        self.source.as_ref()?.not_followed()
    }

    /// Which moves, from 1, the file of this game does not have: passes between two moves of one colour.
    pub fn added_passes(&self) -> &[usize] {
        let passes = self.source.as_ref().map_or(&[][..], |source| source.added_passes());
        &passes[..passes.partition_point(|&pass| pass <= self.plies.len())]
    }

    /// What a person should know about the file of this game, a line each.
    pub fn remarks(&self) -> String {
        let passes: Vec<String> = self.added_passes().iter().map(usize::to_string).collect();
        let passes = (!passes.is_empty()).then(|| {
            format!(
                "the file has two moves of one colour in a row; so there is a pass that it does not have: move {}",
                passes.join(", ")
            )
        });
        let remarks = self.not_followed().map(|more| more.to_string()).into_iter().chain(passes);
        remarks.map(|remark| remark + "\n").collect()
    }

    /// The moves, separated by blanks.
    pub fn moves(&self) -> String {
        self.plies.iter().map(|ply| ply.mv.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Where it began.
    pub fn start(&self) -> &dyn DynPosition {
        self.start.as_ref()
    }

    /// The position now.
    pub fn now(&self) -> &dyn DynPosition {
        self.now.as_ref()
    }

    /// The position now, alone.
    pub fn into_now(self) -> Box<dyn DynPosition> {
        self.now
    }

    /// The position after so many moves.
    pub fn after(&self, plies: usize) -> Box<dyn DynPosition> {
        let mut pos = self.start.boxed();
        self.plies.iter().take(plies).for_each(|ply| pos.play(&ply.mv).expect("it was legal before"));
        pos
    }

    /// The move that was typed, in any case, as the game writes it; the error names its ply and what
    /// was legal.
    pub fn check(&self, mv: &str) -> Result<String, SetupError> {
        let ply = self.plies.len() + 1;
        self.now.boxed().enter(mv).map_err(|error| SetupError::Move { ply, error })
    }

    /// Makes a move, typed in any case; the error names its ply and what was legal.
    pub fn play(&mut self, mv: &str) -> Result<(), SetupError> {
        let ply = self.plies.len() + 1;
        let (to_move, legal) = (self.now.turn(), self.now.count_legal());
        let mv = self.now.enter(mv).map_err(|error| SetupError::Move { ply, error })?;
        self.plies.push(Ply { ply, to_move, legal_count: legal, mv, legal });
        Ok(())
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        self.undo_plies(1)
    }

    /// Takes so many moves back; `false` if there are fewer, and nothing changes.
    pub fn undo_plies(&mut self, count: usize) -> bool {
        let Some(left) = self.plies.len().checked_sub(count) else { return false };
        self.plies.truncate(left);
        self.now = self.after(left);
        true
    }

    /// The record as a file of text.
    pub fn text(&self) -> String {
        let (game, start, moves) = (self.start.game(), self.start.text(), self.moves());
        format!("game: {game}\nstart: {start}\nmoves: {moves}\n")
    }

    /// The record as an SGF file, perhaps with comments on its moves. If it is from such a file, that
    /// is the file with all that it had: moves that it does not have continue its line or become a
    /// variation, and comments are added to those that are there.
    pub fn sgf(&self, comments: &[String]) -> Result<String, TextError> {
        let (game, outcome) = (self.now().game(), self.now().outcome());
        match &self.source {
            Some(source) => source.with(&game, &self.plies, outcome, comments),
            None => sgf::fresh(&game, &self.start.text())?.with(&game, &self.plies, outcome, comments),
        }
    }

    /// The record as a new SGF file with the names of both players, first of the one who began, and with
    /// this result.
    pub fn sgf_between(&self, names: [&str; 2], result: &str) -> Result<String, TextError> {
        let game = self.now().game();
        let text = sgf::fresh(&game, &self.start.text())?.with(&game, &self.plies, None, &[])?;
        sgf::described(&text, &[("PB", names[0]), ("PW", names[1]), ("RE", result)])
    }

    /// The moves as a table.
    pub fn table(&self) -> String {
        let mut text = String::from("  ply  mover  legal  move\n");
        for ply in &self.plies {
            let side = self.start.side(ply.to_move);
            text += &format!("{:>5}  {side:<5}  {:>5}  {}\n", ply.ply, ply.legal_count, ply.mv);
        }
        text
    }
}
