//! What a leaf is worth before it is expanded: the paper's init-leaf.

use super::goal::Judge;
use super::info::{Info, NodeKind, Status};
use proofplay_core::{Bounds, Extras, Position, guard};

/// How leaves are initialised.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Init {
    /// Uniform: (1, 1), or 1/2.
    Unit,
    /// By the number of moves (\[SC13\], section 3.2): (1, c) and (c, 1), or 1 - 1/2^c and 1/2^c.
    Mobility,
    /// By the game's evaluation function v: p = (v + 1) / 2, as the paper's experiment with Y does.
    Eval,
}

impl Init {
    /// The words for [`Init::ALL`] in a spec.
    pub const WORDS: [&'static str; 3] = ["unit", "mobility", "eval"];
    /// All ways.
    pub const ALL: [Init; 3] = [Init::Unit, Init::Mobility, Init::Eval];
}

/// The row of the setting `init` in the table of a search that has a field of this name.
macro_rules! init_row {
    ($meaning:literal) => {
        $crate::settings::Setting {
            key: "init",
            values: $crate::settings::Values::Words(&$crate::proof::Init::WORDS),
            meaning: $meaning,
            show: |config| $crate::proof::Init::WORDS[config.init as usize].to_owned(),
            set: |config, text, _| {
                let words = $crate::proof::Init::WORDS.iter();
                let known = words.zip($crate::proof::Init::ALL).find(|(word, _)| **word == text);
                known.map(|(_, init)| config.init = init).is_some()
            },
        }
    };
}
pub(crate) use init_row;

/// Initialises new positions for one goal.
pub struct Leaves<P: Position> {
    /// What is certain about a position.
    pub judge: Judge,
    /// What is guessed where facts decide nothing.
    pub init: Init,
    /// With the facts, if they are used, and the hints of a game.
    pub extras: Extras<P>,
}

impl<P: Position> Leaves<P> {
    /// Whose choice a position that is not over is.
    #[inline]
    pub fn kind(&self, pos: &P) -> NodeKind {
        if pos.turn() == self.judge.goal().player { NodeKind::Or } else { NodeKind::And }
    }

    /// What is certain without a search.
    #[inline]
    pub fn status(&mut self, pos: &P) -> Status {
        self.judge.judge(match (guard::ended(pos), &self.extras.facts) {
            (Some(score), _) => Bounds::exact(score),
            (None, Some(facts)) => facts.bounds(pos),
            (None, None) => pos.range(),
        })
    }

    /// The numbers of a leaf that is not over. `buf` is for counting moves.
    #[inline]
    pub fn open<I: Info>(&self, pos: &P, buf: &mut Vec<P::Move>) -> I {
        match self.init {
            Init::Unit => I::unit(),
            Init::Mobility => I::mobility(self.kind(pos), pos.count_moves(buf)),
            Init::Eval => {
                let first = f64::from(self.extras.hints.value(pos));
                let own =
                    if self.judge.goal().player == proofplay_core::Player::First { first } else { -first };
                I::chance((own + 1.0) / 2.0)
            }
        }
    }
}
