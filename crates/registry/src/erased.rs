//! Games and positions without their types. Erasure happens once per search, never per move.

use crate::certify::{CertifyError, certify};
use crate::learn::{self, Course, Learned};
use proofplay_certificate::{Certificate, Checked, Ends, Origin, VerifyError, Walked, Written};
use proofplay_core::perft::divide;
use proofplay_core::{Bounds, Game, Player, Position, Rng, Score, TextError, View};
use proofplay_search::alphabeta::{self, Prover, deepen};
use proofplay_search::mcts::Mcts;
use proofplay_search::{Growing, Limits, Observer, Report, SearchError, SearchSpec, Strategist, Windowed};
use std::sync::atomic::AtomicBool;

/// A game with its parameters, whatever its type.
pub trait DynGame: Send + Sync {
    /// The name with its parameters.
    fn name(&self) -> String;
    /// The position at the start.
    fn start(&self) -> Box<dyn DynPosition>;
    /// Reads a position.
    fn parse(&self, text: &str) -> Result<Box<dyn DynPosition>, TextError>;
    /// What a player is called.
    fn side(&self, player: Player) -> &'static str;
    /// Whether a line of play can repeat a position.
    fn repeats(&self) -> bool;
    /// The size of a position in memory.
    fn position_bytes(&self) -> usize;
    /// Learns how often moves of each category are played; `None` if the game has no categories. `progress` hears how
    /// many games are done.
    fn learn(
        &self,
        course: &Course,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Learned>, SearchError>;
    /// Checks a certificate of this game with its rules alone; `watch` hears of the progress and may stop it.
    fn verify(
        &self,
        certificate: &Certificate,
        memory: usize,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Checked, VerifyError>;
}

/// A position of some game: typed inside, text outside.
pub trait DynPosition: Send + Sync {
    /// The name of the game with its parameters.
    fn game(&self) -> String;
    /// The position as text.
    fn text(&self) -> String;
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// What a player is called.
    fn side(&self, player: Player) -> &'static str;
    /// The score when the game is over.
    fn outcome(&self) -> Option<Score>;
    /// The scores that the rules still allow.
    fn range(&self) -> Bounds;
    /// Whether a line of play can repeat a position.
    fn repeats(&self) -> bool;
    /// Whether certificates may end where a count decides.
    fn counts(&self) -> bool;
    /// The legal moves, none when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), TextError>;
    /// The board as a picture.
    fn view(&self) -> View;
    /// A copy.
    fn boxed(&self) -> Box<dyn DynPosition>;
    /// The number of move sequences of length `depth` for each move, or `None` if `stop` was set.
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Option<Vec<(String, u64)>>;
    /// Runs a search; `observer` hears of its progress.
    fn search(
        &self,
        spec: &SearchSpec,
        limits: &Limits,
        all_moves: bool,
        observer: &mut dyn FnMut(&Report<String>),
    ) -> Result<Report<String>, SearchError>;
    /// A player that thinks about this position and those after it, and keeps what it has learnt from move to move.
    fn thinker(&self, spec: &SearchSpec) -> Box<dyn Thinker>;
    /// Plays `count` random games from here: the sum of their scores and the number of their moves.
    fn playouts(&self, count: u64, rng: &mut Rng) -> (i64, u64);
}

/// A search that follows a game.
pub trait Thinker: Send {
    /// Searches the position now; with `all_moves` until every move's value is known.
    fn think(
        &mut self,
        limits: &Limits,
        all_moves: bool,
        observer: &mut dyn FnMut(&Report<String>),
    ) -> Result<Report<String>, SearchError>;
    /// Hears of a move.
    fn play(&mut self, mv: &str) -> Result<(), TextError>;
    /// A certificate that the value lies within `bounds`, which a search has proven of the position now; `origin` leads
    /// there. It takes half of the memory of `limits` and expects that the search has had the other half. `watch` hears of the progress and may stop it.
    fn certify(
        &self,
        origin: &Origin,
        bounds: Bounds,
        ends: Ends,
        limits: &Limits,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Written, CertifyError>;
}

/// A typed [`Thinker`].
struct Thinking<G: Game> {
    at: At<G>,
    spec: SearchSpec,
    /// What is kept from its first search on.
    kept: Kept<G::Pos>,
}

/// What a search keeps from move to move.
enum Kept<P: Position> {
    Nothing,
    /// The tree of a Monte-Carlo search.
    Tree(Box<Mcts<P>>),
    /// The table of an alpha-beta search that deepens.
    Table(deepen::Player<P>),
    /// The table of an alpha-beta search that has solved a position, for its certificate.
    Proofs(Growing),
}

impl<G: Game> Thinking<G> {
    /// Solves the position now, and keeps the table.
    fn solve(
        &mut self,
        config: alphabeta::Config,
        limits: &Limits,
        all_moves: bool,
        observer: &mut Observer<<G::Pos as Position>::Move>,
    ) -> Result<Report<<G::Pos as Position>::Move>, SearchError> {
        // Not two tables at once.
        self.kept = Kept::Nothing;
        let mut prover = alphabeta::prover(&self.at.pos, config, limits)?;
        let report = prover.exact(&self.at.pos, all_moves, true, observer)?;
        self.kept = Kept::Proofs(prover.into_table());
        Ok(report)
    }
}

impl<G: Game> Thinker for Thinking<G> {
    fn think(
        &mut self,
        limits: &Limits,
        all_moves: bool,
        observer: &mut dyn FnMut(&Report<String>),
    ) -> Result<Report<String>, SearchError> {
        if let SearchSpec::AlphaBeta(config) = self.spec {
            let here = At { game: self.at.game.clone(), pos: self.at.pos.clone() };
            let translate = |report: Report<_>| report.translate(|moves| here.line(moves));
            let report =
                self.solve(config, limits, all_moves, &mut |report| observer(&translate(report.clone())))?;
            return Ok(translate(report));
        }
        let At { game, pos } = &self.at;
        if let Kept::Nothing = self.kept {
            let knowledge = || game.knowledge().into();
            self.kept = match self.spec {
                SearchSpec::Mcts(config) => {
                    Kept::Tree(Box::new(Mcts::new(pos.clone(), config, knowledge(), limits)?))
                }
                SearchSpec::Deepen(config) => {
                    deepen::expect_no_checkpoint(limits)?;
                    Kept::Table(deepen::Player::new(pos, config, knowledge(), limits.memory))
                }
                _ => return self.at.search(&self.spec, limits, all_moves, observer),
            };
        }
        let translate = |report: Report<_>| report.translate(|moves| self.at.line(moves));
        let observer = &mut |report: &Report<_>| observer(&translate(report.clone()));
        Ok(translate(match &mut self.kept {
            Kept::Nothing | Kept::Proofs(_) => unreachable!("another search was made above"),
            Kept::Tree(tree) => tree.search(limits, all_moves, observer),
            Kept::Table(player) => player.search(pos, limits, all_moves, observer),
        }))
    }

    fn play(&mut self, mv: &str) -> Result<(), TextError> {
        let mv = self.at.game.parse_move(&self.at.pos, mv)?;
        self.at.pos.play(mv);
        if let Kept::Tree(tree) = &mut self.kept {
            tree.advance(mv);
        }
        Ok(())
    }

    fn certify(
        &self,
        origin: &Origin,
        bounds: Bounds,
        ends: Ends,
        limits: &Limits,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Written, CertifyError> {
        let At { game, pos } = &self.at;
        // One half of the memory is for the search, the other for the positions that were met.
        let half = limits.memory / 2;
        let memory = match &self.kept {
            Kept::Tree(_) | Kept::Table(_) => half / 2,
            Kept::Nothing | Kept::Proofs(_) => half,
        };
        let limits = Limits { memory, ..limits.clone() };
        let knowledge = game.knowledge();
        let rest = || self.spec.strategist(pos, &*knowledge, &limits);
        let mut strategist: Box<dyn Strategist<G::Pos> + '_> = match (&self.kept, &self.spec) {
            (Kept::Tree(tree), _) => tree.strategist(rest(), &limits),
            (Kept::Proofs(table), SearchSpec::AlphaBeta(config)) if table.bytes() <= memory => {
                Box::new(Prover::new(pos, *config, &limits).with_table(table.clone()))
            }
            _ => rest(),
        };
        certify(game, origin, bounds, ends, &mut *strategist, memory, watch)
    }
}

/// A typed game behind [`DynGame`].
pub(crate) struct Erased<G>(pub G);

/// A typed position with its game behind [`DynPosition`].
struct At<G: Game> {
    game: G,
    pos: G::Pos,
}

impl<G: Game> DynGame for Erased<G> {
    fn name(&self) -> String {
        self.0.name()
    }
    fn start(&self) -> Box<dyn DynPosition> {
        Box::new(At { game: self.0.clone(), pos: self.0.start() })
    }
    fn parse(&self, text: &str) -> Result<Box<dyn DynPosition>, TextError> {
        Ok(Box::new(At { game: self.0.clone(), pos: self.0.parse(text)? }))
    }
    fn side(&self, player: Player) -> &'static str {
        self.0.side(player)
    }
    fn repeats(&self) -> bool {
        !G::Pos::ACYCLIC
    }
    fn position_bytes(&self) -> usize {
        size_of::<G::Pos>()
    }
    fn learn(
        &self,
        course: &Course,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Learned>, SearchError> {
        learn::learn(&self.0, course, progress)
    }
    fn verify(
        &self,
        certificate: &Certificate,
        memory: usize,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Checked, VerifyError> {
        proofplay_certificate::verify(&self.0, certificate, memory, watch)
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

impl<G: Game> DynPosition for At<G> {
    fn game(&self) -> String {
        self.game.name()
    }
    fn text(&self) -> String {
        self.game.show(&self.pos)
    }
    fn turn(&self) -> Player {
        self.pos.turn()
    }
    fn side(&self, player: Player) -> &'static str {
        self.game.side(player)
    }
    fn outcome(&self) -> Option<Score> {
        self.pos.outcome()
    }
    fn range(&self) -> Bounds {
        self.pos.range()
    }
    fn repeats(&self) -> bool {
        !G::Pos::ACYCLIC
    }
    fn counts(&self) -> bool {
        G::Pos::COUNTS
    }
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.pos.outcome().is_none() {
            self.pos.moves(&mut moves);
        }
        moves.into_iter().map(|mv| self.game.show_move(&self.pos, mv)).collect()
    }
    fn play(&mut self, mv: &str) -> Result<(), TextError> {
        let mv = self.game.parse_move(&self.pos, mv)?;
        self.pos.play(mv);
        Ok(())
    }
    fn view(&self) -> View {
        self.game.view(&self.pos)
    }
    fn boxed(&self) -> Box<dyn DynPosition> {
        Box::new(At { game: self.game.clone(), pos: self.pos.clone() })
    }
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Option<Vec<(String, u64)>> {
        let counts = divide(&self.pos, depth, threads, stop, progress)?;
        Some(counts.into_iter().map(|(mv, n)| (self.game.show_move(&self.pos, mv), n)).collect())
    }
    fn search(
        &self,
        spec: &SearchSpec,
        limits: &Limits,
        all_moves: bool,
        observer: &mut dyn FnMut(&Report<String>),
    ) -> Result<Report<String>, SearchError> {
        let translate = |report: Report<_>| report.translate(|moves| self.line(moves));
        let report = spec.run(&self.pos, self.game.knowledge().into(), limits, all_moves, &mut |report| {
            observer(&translate(report.clone()));
        })?;
        Ok(translate(report))
    }
    fn thinker(&self, spec: &SearchSpec) -> Box<dyn Thinker> {
        let at = At { game: self.game.clone(), pos: self.pos.clone() };
        Box::new(Thinking { at, spec: spec.clone(), kept: Kept::Nothing })
    }
    fn playouts(&self, count: u64, rng: &mut Rng) -> (i64, u64) {
        let (mut sum, mut plies, mut buf) = (0, 0, Vec::new());
        for _ in 0..count {
            let mut pos = self.pos.clone();
            let score = pos.playout(rng, &mut buf, &mut |_, _| plies += 1);
            sum += i64::from(score.0);
        }
        (sum, plies)
    }
}
