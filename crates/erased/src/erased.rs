//! Games and positions without their types. Erasure happens once per search, never per move.

#[cfg(feature = "networks")]
use crate::guide::{AnyEncoder, Guide};
use crate::learn::{self, Course, Learned};
use crate::search::{AnySearch, Typed};
use crate::table::{self, Made, MakeError, MakeTable, Making};
use proofplay_certificate::{Certificate, Checked, VerifyError, Walked};
use proofplay_core::perft::divide;
use proofplay_core::{Bounds, Extras, Game, Key, Player, Position, Rng, Score, TextError, View};
#[cfg(feature = "networks")]
use proofplay_search::mcts::Mcts;
use proofplay_search::{Ask, Report, Resources, Run, SearchError, SearchSpec};
use proofplay_table::{Both, Table, TableError, TableFacts};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Nobody else implements the traits here, so that they can grow.
pub(crate) mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A game of any type, as [`Games::game`](crate::Games::game) makes it from `NAME` or `NAME:PARAMETERS`.
pub type AnyGame = Box<dyn DynGame>;

/// A position of whatever game.
pub type AnyPosition = Box<dyn DynPosition>;

/// A game with its parameters, whatever its type.
pub trait DynGame: Sealed + Send + Sync {
    /// A copy.
    fn boxed(&self) -> AnyGame;
    /// The name with its parameters.
    fn name(&self) -> String;
    /// How files name it: with the digest of its rules, if it has one ([`Game::id`]).
    fn id(&self) -> String;
    /// The position at the start.
    fn start(&self) -> AnyPosition;
    /// Reads a position.
    fn parse(&self, text: &str) -> Result<AnyPosition, TextError>;
    /// What a player is called.
    fn side(&self, player: Player) -> &str;
    /// Whether a line of play can repeat a position.
    fn repeats(&self) -> bool;
    /// The size of a position in memory.
    fn position_bytes(&self) -> usize;
    /// From its positions to numbers; an error if the game has no encoder of this name.
    #[cfg(feature = "networks")]
    fn encoder(&self, name: &str) -> Result<AnyEncoder, proofplay_net::NetError>;
    /// Learns how often moves of each category are played; `None` if the game has no categories.
    /// `progress` is called with the number of finished games.
    fn learn(
        &self,
        course: &Course,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Learned>, SearchError>;
    /// Checks a certificate of this game with its rules alone; `watch` is called with the progress
    /// and may stop it.
    fn verify(
        &self,
        certificate: &Certificate,
        memory: usize,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Checked, VerifyError>;
    /// Adds a table of this game to the facts of all its searches.
    fn take_table(&mut self, table: Table) -> Result<(), TableError>;
    /// Checks each entry of a table of this game with its rules alone; `watch` is called with the number of entries that were
    /// checked, and may stop it.
    fn verify_table(
        &self,
        table: &Table,
        threads: usize,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<proofplay_table::Checked, TableError>;
}

/// A position of some game: typed inside, text outside.
pub trait DynPosition: Sealed + Send + Sync {
    /// The name of the game, as [`DynGame::name`] has it.
    fn game(&self) -> String;
    /// How files name the game, as [`DynGame::id`] has it.
    fn game_id(&self) -> String;
    /// The position as text.
    fn text(&self) -> String;
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// What a player is called.
    fn side(&self, player: Player) -> &str;
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
    /// The number of legal moves.
    fn count_legal(&self) -> usize;
    /// Plays a move, written as [`DynPosition::legal`] writes it.
    fn play(&mut self, mv: &str) -> Result<(), TextError>;
    /// Plays the move that a person has typed, in any case; gives its text as it is written.
    fn enter(&mut self, typed: &str) -> Result<String, TextError>;
    /// The board as a picture.
    fn view(&self) -> View;
    /// Plays a uniformly random move and gives its text; `None`, and nothing, when the game is over.
    fn play_random(&mut self, rng: &mut Rng) -> Option<String>;
    /// The key: equal positions of a game have equal keys.
    fn key(&self) -> Key;
    /// A copy.
    fn boxed(&self) -> AnyPosition;
    /// The typed position, for code that knows the game.
    #[cfg(feature = "networks")]
    #[doc(hidden)]
    fn typed(&self) -> &dyn std::any::Any;
    /// The number of move sequences of length `depth` for each move, or `None` if `stop` was set.
    /// `progress` is called with the finished and the total number of parts, and the sequences so
    /// far.
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(usize, usize, u64) + Sync),
    ) -> Option<Vec<(String, u64)>>;
    /// Starts a search of this position and those after it.
    fn start_search(&self, spec: &SearchSpec, resources: Resources) -> Result<AnySearch, SearchError>;
    /// Starts a search whose leaves are estimated from outside. A search that estimates none ignores it.
    #[cfg(feature = "networks")]
    fn start_guided(
        &self,
        spec: &SearchSpec,
        resources: Resources,
        guide: &Guide,
    ) -> Result<AnySearch, SearchError>;
    /// Starts a search for one question.
    fn search(
        &self,
        spec: &SearchSpec,
        resources: Resources,
        ask: Ask,
        run: &mut Run<String>,
    ) -> Result<Report<String>, SearchError> {
        self.start_search(spec, resources)?.run(ask, run)
    }
    /// Makes a table of endgames of all that can follow, or of a set of the game, and writes it; `watch` is called with the progress.
    fn make_table(&self, wanted: &MakeTable, watch: &mut dyn FnMut(&Making)) -> Result<Made, MakeError>;
    /// Plays `count` random games from here: the sum of their scores and the number of their moves.
    fn playouts(&self, count: u64, rng: &mut Rng) -> (i64, u64);
}

/// A typed game without its type.
pub fn erase<G: Game>(game: G) -> AnyGame {
    Box::new(Erased { game, tables: Vec::new() })
}

/// A typed game behind [`DynGame`].
pub(crate) struct Erased<G: Game> {
    pub game: G,
    pub tables: Tables<G>,
}

/// Tables of a game, which its positions and searches share.
pub(crate) type Tables<G> = Vec<Arc<TableFacts<<G as Game>::Pos>>>;

/// A typed position with its game behind [`DynPosition`].
#[derive(Clone)]
pub(crate) struct At<G: Game> {
    pub game: G,
    pub tables: Tables<G>,
    pub pos: G::Pos,
}

impl<G: Game> Sealed for Erased<G> {}
impl<G: Game> Sealed for At<G> {}

impl Clone for AnyGame {
    fn clone(&self) -> AnyGame {
        self.boxed()
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> AnyPosition {
        self.boxed()
    }
}

impl fmt::Display for dyn DynGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Display for dyn DynPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Debug for dyn DynGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.name()).finish()
    }
}

impl fmt::Debug for dyn DynPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Position").field(&self.game()).field(&self.text()).finish()
    }
}

impl<G: Game> DynGame for Erased<G> {
    fn boxed(&self) -> AnyGame {
        Box::new(Erased { game: self.game.clone(), tables: self.tables.clone() })
    }
    fn name(&self) -> String {
        self.game.name()
    }
    fn id(&self) -> String {
        self.game.id()
    }
    fn start(&self) -> AnyPosition {
        self.at(self.game.start())
    }
    fn parse(&self, text: &str) -> Result<AnyPosition, TextError> {
        Ok(self.at(self.game.parse(text)?))
    }
    fn side(&self, player: Player) -> &str {
        self.game.side(player)
    }
    fn repeats(&self) -> bool {
        self.game.start().repeats()
    }
    fn position_bytes(&self) -> usize {
        size_of::<G::Pos>()
    }
    #[cfg(feature = "networks")]
    fn encoder(&self, name: &str) -> Result<AnyEncoder, proofplay_net::NetError> {
        crate::guide::any_encoder(name, &self.game)
    }
    fn learn(
        &self,
        course: &Course,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Learned>, SearchError> {
        learn::learn(&self.game, course, progress)
    }
    fn verify(
        &self,
        certificate: &Certificate,
        memory: usize,
        watch: &mut dyn FnMut(&Walked) -> bool,
    ) -> Result<Checked, VerifyError> {
        proofplay_certificate::verify(&self.game, certificate, memory, watch)
    }
    fn take_table(&mut self, table: Table) -> Result<(), TableError> {
        self.tables.push(Arc::new(TableFacts::new(table, &self.game)?));
        Ok(())
    }
    fn verify_table(
        &self,
        table: &Table,
        threads: usize,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<proofplay_table::Checked, TableError> {
        table::verify(table, &self.game, threads, watch)
    }
}

impl<G: Game> Erased<G> {
    fn at(&self, pos: G::Pos) -> AnyPosition {
        Box::new(At { game: self.game.clone(), tables: self.tables.clone(), pos })
    }
}

impl<G: Game> DynPosition for At<G> {
    fn game(&self) -> String {
        self.game.name()
    }
    fn game_id(&self) -> String {
        self.game.id()
    }
    fn text(&self) -> String {
        self.game.show(&self.pos)
    }
    fn turn(&self) -> Player {
        self.pos.turn()
    }
    fn side(&self, player: Player) -> &str {
        self.game.side(player)
    }
    fn outcome(&self) -> Option<Score> {
        self.pos.outcome()
    }
    fn range(&self) -> Bounds {
        self.pos.range()
    }
    fn repeats(&self) -> bool {
        self.pos.repeats()
    }
    fn counts(&self) -> bool {
        self.game.facts().is_some_and(|facts| facts.counts())
    }
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.pos.outcome().is_none() {
            self.pos.moves(&mut moves);
        }
        moves.into_iter().map(|mv| self.game.show_move(&self.pos, mv)).collect()
    }
    fn count_legal(&self) -> usize {
        if self.pos.outcome().is_some() { 0 } else { self.pos.count_moves(&mut Vec::new()) }
    }
    fn play(&mut self, mv: &str) -> Result<(), TextError> {
        let mv = self.game.parse_move(&self.pos, mv)?;
        self.pos.play(mv);
        Ok(())
    }
    fn enter(&mut self, typed: &str) -> Result<String, TextError> {
        let mv = self.game.read_move(&self.pos, typed)?;
        let text = self.game.show_move(&self.pos, mv);
        self.pos.play(mv);
        Ok(text)
    }
    fn view(&self) -> View {
        self.game.view(&self.pos)
    }
    fn play_random(&mut self, rng: &mut Rng) -> Option<String> {
        if self.pos.outcome().is_some() {
            return None;
        }
        let mv = self.pos.random_move(rng, &mut Vec::new());
        let text = self.game.show_move(&self.pos, mv);
        self.pos.play(mv);
        Some(text)
    }
    fn key(&self) -> Key {
        self.pos.key()
    }
    #[cfg(feature = "networks")]
    fn typed(&self) -> &dyn std::any::Any {
        &self.pos
    }
    fn boxed(&self) -> AnyPosition {
        Box::new(At { game: self.game.clone(), tables: self.tables.clone(), pos: self.pos.clone() })
    }
    fn perft(
        &self,
        depth: u32,
        threads: usize,
        stop: &AtomicBool,
        progress: &(dyn Fn(usize, usize, u64) + Sync),
    ) -> Option<Vec<(String, u64)>> {
        let counts = divide(&self.pos, depth, threads, stop, progress)?;
        Some(counts.into_iter().map(|(mv, n)| (self.game.show_move(&self.pos, mv), n)).collect())
    }
    fn start_search(&self, spec: &SearchSpec, resources: Resources) -> Result<AnySearch, SearchError> {
        let spec = spec.for_game(&self.game.name(), false);
        let (spec, extras) = with_tables(&self.tables, extras(&self.game, &spec)?, spec);
        let search = spec.start(&self.pos, extras, resources)?;
        Ok(Box::new(Typed { game: self.game.clone(), tables: self.tables.clone(), search }))
    }
    fn make_table(&self, wanted: &MakeTable, watch: &mut dyn FnMut(&Making)) -> Result<Made, MakeError> {
        table::make(&self.game, &self.pos, wanted, watch)
    }
    #[cfg(feature = "networks")]
    fn start_guided(
        &self,
        spec: &SearchSpec,
        resources: Resources,
        guide: &Guide,
    ) -> Result<AnySearch, SearchError> {
        let spec = spec.for_game(&self.game.name(), true);
        let (spec, extras) = with_tables(&self.tables, self.game.extras(), spec);
        let SearchSpec::Mcts(config) = spec else {
            return self.start_search(&spec, resources);
        };
        let search = Mcts::new(self.pos.clone(), config, extras, resources)?;
        let search = Box::new(search.with_evaluator(guide.evaluator(self)));
        Ok(Box::new(Typed { game: self.game.clone(), tables: self.tables.clone(), search }))
    }
    fn playouts(&self, count: u64, rng: &mut Rng) -> (i64, u64) {
        let (mut plies, mut buf, hints) = (0, Vec::new(), self.game.hints());
        // The policy is asked once, and where there is none the loop over moves knows what is done with each.
        let sum = match hints.usual_policy() {
            None => total(&self.pos, count, |pos| pos.playout(rng, &mut buf, &mut |_, _| plies += 1)),
            Some(policy) => total(&self.pos, count, |pos| {
                hints.playout(policy, pos, rng, &mut buf, Some(&mut |_, _| plies += 1))
            }),
        };
        (sum, plies)
    }
}

/// The sum of the scores of games from `pos`.
fn total<P: Clone>(pos: &P, games: u64, mut play: impl FnMut(&mut P) -> Score) -> i64 {
    (0..games).map(|_| i64::from(play(&mut pos.clone()).0)).sum()
}

/// A search that asks the tables, if there are some.
fn with_tables<P: Position>(
    tables: &[Arc<TableFacts<P>>],
    extras: Extras<P>,
    spec: SearchSpec,
) -> (SearchSpec, Extras<P>) {
    if tables.is_empty() {
        return (spec, extras);
    }
    let both = Both { own: extras.facts, tables: tables.to_vec() };
    (spec.with_facts(), Extras { facts: Some(Arc::new(both)), ..extras })
}

/// What a game offers to a search, with the network that the search names.
pub(crate) fn extras<G: Game>(game: &G, spec: &SearchSpec) -> Result<Extras<G::Pos>, SearchError> {
    let extras = game.extras();
    #[cfg(feature = "networks")]
    if let Some(file) = spec.network() {
        let hints =
            proofplay_net::open_hints(file, game).map_err(|error| SearchError::Network(error.to_string()))?;
        return Ok(Extras { hints, ..extras });
    }
    let _ = spec;
    Ok(extras)
}
