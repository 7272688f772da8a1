//! A search at work without its types: moves are text.

use crate::SetupError;
use crate::erased::sealed::Sealed;
use crate::erased::{AnyPosition, At, Tables};
use crate::games::enter_all;
use proofplay_certificate::Walked;
use proofplay_certify::{Certified, Certify, CertifyError, certify};
use proofplay_core::{Game, Position, TextError};
use proofplay_search::{Ask, NodeView, Report, Run, Search, SearchError, Tree};
use std::fmt;

/// A search of whatever game.
pub type AnySearch = Box<dyn DynSearch>;

/// A [`Search`] of some game.
pub trait DynSearch: Sealed + Tree<String> + Send {
    /// The position that it is about.
    fn position(&self) -> AnyPosition;
    /// Searches the current position.
    fn run(&mut self, ask: Ask, run: &mut Run<String>) -> Result<Report<String>, SearchError>;
    /// Plays a move: the next search is about the position after it.
    fn play(&mut self, mv: &str) -> Result<(), TextError>;
    /// Moves on to a position of the same game, as [`Search::set_position`] does: from this text, or
    /// else from the start, by these moves, in any case. After an error it stays where it is.
    fn go_to(&mut self, from: Option<&str>, moves: &[String]) -> Result<(), SetupError>;
    /// A certificate of what the search has proven about the current position. `watch` is called
    /// with the progress and may stop it.
    fn certify(
        &mut self,
        wanted: &Certify,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Certified, CertifyError>;
}

/// A typed [`DynSearch`].
pub(crate) struct Typed<G: Game> {
    pub game: G,
    pub tables: Tables<G>,
    pub search: Box<dyn Search<G::Pos>>,
}

impl<G: Game> Typed<G> {
    fn here(&self) -> At<G> {
        At { game: self.game.clone(), tables: self.tables.clone(), pos: self.search.position().clone() }
    }
}

impl<G: Game> Sealed for Typed<G> {}

impl fmt::Debug for dyn DynSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Search").field(&self.position()).finish()
    }
}

impl<G: Game> DynSearch for Typed<G> {
    fn position(&self) -> AnyPosition {
        Box::new(self.here())
    }

    fn run(&mut self, ask: Ask, run: &mut Run<String>) -> Result<Report<String>, SearchError> {
        let here = self.here();
        let translate = |report: Report<_>| report.translate(|moves| here.line(moves));
        let observer = &mut run.observer;
        let mut typed = Run {
            limits: run.limits,
            seed: run.seed,
            stop: run.stop.clone(),
            checkpoint: run.checkpoint.clone(),
            observer: Box::new(|report, tree| {
                observer(&translate(report.clone()), &InText { here: &here, tree });
            }),
        };
        let report = self.search.run(ask, &mut typed)?;
        Ok(translate(report))
    }

    fn play(&mut self, mv: &str) -> Result<(), TextError> {
        let mv = self.game.parse_move(self.search.position(), mv)?;
        self.search.play(mv);
        Ok(())
    }

    fn go_to(&mut self, from: Option<&str>, moves: &[String]) -> Result<(), SetupError> {
        let pos = from.map_or_else(|| Ok(self.game.start()), |text| self.game.parse(text))?;
        let mut at = At { pos, ..self.here() };
        enter_all(&mut at, moves)?;
        self.search.set_position(&at.pos);
        Ok(())
    }

    fn certify(
        &mut self,
        wanted: &Certify,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Certified, CertifyError> {
        certify(&self.game, &mut *self.search, wanted, watch)
    }
}

impl<G: Game> Tree<String> for Typed<G> {
    fn children(&self, path: &[String]) -> Vec<NodeView<String>> {
        let tree: &dyn Tree<_> = &*self.search;
        InText { here: &self.here(), tree }.children(path)
    }
}

/// A tree from a position on, as text.
struct InText<'a, G: Game> {
    here: &'a At<G>,
    tree: &'a dyn Tree<<G::Pos as Position>::Move>,
}

impl<G: Game> Tree<String> for InText<'_, G> {
    fn children(&self, path: &[String]) -> Vec<NodeView<String>> {
        let (mut pos, mut moves) = (self.here.pos.clone(), Vec::new());
        for text in path {
            let Ok(mv) = self.here.game.parse_move(&pos, text) else { return Vec::new() };
            moves.push(mv);
            pos.play(mv);
        }
        let show = |child: &NodeView<_>| child.with_move(self.here.game.show_move(&pos, child.mv));
        self.tree.children(&moves).iter().map(show).collect()
    }
}

impl<G: Game> At<G> {
    /// A line of play from here as text.
    fn line(&self, moves: &[<G::Pos as Position>::Move]) -> Vec<String> {
        let mut pos = self.pos.clone();
        moves
            .iter()
            .map(|&mv| {
                let text = self.game.show_move(&pos, mv);
                pos.play(mv);
                text
            })
            .collect()
    }
}
