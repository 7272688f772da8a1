//! A game from a rule sheet, as the rest of proofplay knows games.

use crate::flaw::Flaw;
use crate::latched::Latched;
use crate::position::{SheetPosition, State, text};
use crate::scoring::Fault;
use crate::sheet::Sheet;
use crate::tables::{Engine, Engines, Tables};
use crate::view::{self, Grid};
use proofplay_core::{Facts, Game, Player, Position, Rng, TextError, View};
use std::sync::Arc;

/// A game from a rule sheet.
///
/// ```
/// use proofplay_core::{Game, Position, minimax};
/// use proofplay_gdl::{Sheet, SheetGame};
/// let rules = "(role a) (role b) (init (heap 3)) (init (turn a))
///     (<= (legal ?p (take ?n)) (true (turn ?p)) (true (heap ?h)) (left ?h ?n ?m))
///     (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
///     (left 3 1 2) (left 3 2 1) (left 2 1 1) (left 2 2 0) (left 1 1 0)
///     (<= (next (heap ?m)) (does ?p (take ?n)) (true (heap ?h)) (left ?h ?n ?m))
///     (<= (next (turn ?p)) (role ?p) (not (true (turn ?p))))
///     (<= terminal (true (heap 0)))
///     (<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))";
/// let game = SheetGame::new(&Sheet::read("heap", rules)?)?;
/// let start = game.start();
/// assert_eq!(game.show(&start), "heap(3) turn(a)");
/// assert_eq!(game.show_move(&start, game.parse_move(&start, "take(2)").unwrap()), "take(2)");
/// assert_eq!(minimax(&start).0, -1, "who takes from three loses");
/// # Ok::<(), proofplay_gdl::Flaw>(())
/// ```
#[derive(Clone, Debug)]
pub struct SheetGame {
    tables: Arc<Tables>,
    start: State,
    grid: Option<Arc<Grid>>,
    /// Behind `gdl:`.
    name: Arc<str>,
}

/// Games that are played to see whether the sheet keeps its promises, and plies of all of them together.
const TRIALS: u64 = 20;
const TRIAL_PLIES: usize = 2_000;
/// The same for the interpreter.
const SLOW_PLIES: usize = 20;

impl SheetGame {
    /// The game of a sheet. It is refused if the rules, or a few random games, show that it is none for two
    /// players in turns with goals of a constant sum, nor for one.
    pub fn new(sheet: &Sheet) -> Result<SheetGame, Flaw> {
        SheetGame::with(sheet, Engines::Any)
    }

    /// The game on the plain interpreter, without a network: slow, and made by other means, so that one can be
    /// compared with the other.
    pub fn interpreted(sheet: &Sheet) -> Result<SheetGame, Flaw> {
        SheetGame::with(sheet, Engines::Plain)
    }

    fn with(sheet: &Sheet, engines: Engines) -> Result<SheetGame, Flaw> {
        let tables = Arc::new(Tables::new(&Arc::new(sheet.clone()), engines)?);
        let start = match &tables.engine {
            Engine::Network(network) => {
                let (bits, phase) = network.start();
                State::new(bits, phase)
            }
            Engine::Plain(lock) => State::Terms(Tables::plain(lock, |it| it.start()).into()),
        };
        let grid = Grid::of(&tables.engine, tables.sheet.roles()).map(Arc::new);
        let name = sheet.name().into();
        let game = SheetGame { tables, start, grid, name };
        game.try_out()?;
        Ok(game)
    }

    /// The same game under another name: it is written `gdl:` and this name.
    pub fn named(self, name: &str) -> SheetGame {
        SheetGame { name: name.into(), ..self }
    }

    /// Plays a few random games.
    fn try_out(&self) -> Result<(), Flaw> {
        let mut left = if self.is_grounded() { TRIAL_PLIES } else { SLOW_PLIES };
        let mut buf = Vec::new();
        for number in 0..TRIALS {
            let (mut pos, mut rng) = (self.start(), Rng::new(number));
            for ply in 0.. {
                if let Some(fault) = pos.fault() {
                    return Err(
                        fault.flaw(&self.tables.sheet, &format!("met after {ply} moves of a random game"))
                    );
                }
                if left == 0 || pos.outcome().is_some() {
                    break;
                }
                left -= 1;
                let mv = pos.random_move(&mut rng, &mut buf);
                pos.play(mv);
            }
        }
        Ok(())
    }

    /// Whether the game runs on a network; if not, its sheet was too large for one, and the slow interpreter
    /// plays it.
    pub fn is_grounded(&self) -> bool {
        matches!(self.tables.engine, Engine::Network(_))
    }

    /// The rule sheet.
    pub fn sheet(&self) -> &Sheet {
        &self.tables.sheet
    }

    /// Why the rules make no game of a position, if they do not.
    pub fn fault(&self, pos: &SheetPosition) -> Option<Fault> {
        pos.fault()
    }

    /// Bounds from goals that can no longer be reached; of a game on the interpreter they say nothing. They are not the
    /// [facts](Game::facts) of the game, which searches use without being asked: they take longer than they save.
    pub fn latched(&self) -> Arc<dyn Facts<SheetPosition>> {
        Arc::new(Latched(Arc::clone(&self.tables)))
    }

    fn position(&self, state: State) -> SheetPosition {
        SheetPosition { tables: Arc::clone(&self.tables), state }
    }
}

impl Game for SheetGame {
    type Pos = SheetPosition;

    fn name(&self) -> String {
        format!("gdl:{}", self.name)
    }

    fn digest(&self) -> Option<u64> {
        Some(self.tables.sheet.identity())
    }

    fn start(&self) -> SheetPosition {
        self.position(self.start.clone())
    }

    fn parse(&self, string: &str) -> Result<SheetPosition, TextError> {
        let bad = |expected: String| TextError::new("position", string, expected);
        let state = match &self.tables.engine {
            Engine::Network(network) => {
                let mut holds = vec![false; network.base_texts.len()];
                for fact in string.split_whitespace() {
                    let base = network
                        .base(fact)
                        .ok_or_else(|| bad(format!("`{fact}` is never true in this game")))?;
                    holds[base as usize] = true;
                }
                let agrees = |phase: u32| {
                    let mut fixed = (0..)
                        .zip(&holds)
                        .filter(|(base, _)| network.bit_of[*base as usize] == crate::network::layout::NONE);
                    fixed.all(|(base, &value)| network.fixed(base, phase) == value)
                };
                let phases = network.phases.values.len() as u32;
                let phase = (0..phases).find(|&phase| agrees(phase)).ok_or_else(|| {
                    bad("facts are missing, or cannot be true together: see those of another position"
                        .to_owned())
                })?;
                let mut bits = vec![0_u64; network.base_of.len().div_ceil(64)];
                for (bit, &base) in network.base_of.iter().enumerate() {
                    bits[bit / 64] |= u64::from(holds[base as usize]) << (bit % 64);
                }
                State::new(&bits, phase)
            }
            Engine::Plain(lock) => {
                let mut terms = Tables::plain(lock, |it| {
                    let facts = string.split_whitespace();
                    facts
                        .map(|fact| it.parse(fact).ok_or_else(|| bad(format!("`{fact}` is no fact"))))
                        .collect::<Result<Vec<_>, _>>()
                })?;
                terms.sort_unstable();
                terms.dedup();
                State::Terms(terms.into())
            }
        };
        let pos = self.position(state);
        match pos.fault() {
            Some(fault) => Err(bad(fault.to_string())),
            None => Ok(pos),
        }
    }

    fn show(&self, pos: &SheetPosition) -> String {
        pos.facts().join(" ")
    }

    fn show_move(&self, pos: &SheetPosition, mv: u32) -> String {
        pos.text_of(mv)
    }

    fn has_fixed_texts(&self) -> bool {
        self.is_grounded()
    }

    fn side(&self, player: Player) -> &str {
        let roles = self.tables.sheet.roles();
        match player {
            Player::First => &roles[0],
            Player::Second => roles.get(1).map_or("nobody", String::as_str),
        }
    }

    fn view(&self, pos: &SheetPosition) -> View {
        match &self.grid {
            Some(grid) => grid.draw(&pos.facts()),
            None => view::notes(&pos.facts()),
        }
    }
}

impl crate::interpreter::Interpreter {
    /// Reads a fact of a position: `cell(1,2,x)`.
    fn parse(&mut self, fact: &str) -> Option<crate::terms::TermId> {
        // Only what is a term of the sheet's words, and reads back.
        let kif: String = fact.replace(',', " ");
        let mut open = String::new();
        for part in kif.split_inclusive('(') {
            match part.strip_suffix('(') {
                Some(before) => {
                    let name = before.rfind([' ', '(']).map_or(0, |at| at + 1);
                    open.push_str(&before[..name]);
                    open.push('(');
                    open.push_str(&before[name..]);
                    open.push(' ');
                }
                None => open.push_str(part),
            }
        }
        let source = Arc::new(crate::flaw::Source { name: String::new(), text: open });
        let nodes = crate::reader::read(&source).ok()?;
        let [node] = &nodes[..] else { return None };
        let term = self.term(node)?;
        (text(self, term) == fact).then_some(term)
    }

    fn term(&mut self, node: &crate::reader::Node) -> Option<crate::terms::TermId> {
        match &node.what {
            crate::reader::What::Word(word) => {
                let sym = self.sheet.names.find(word)?;
                Some(self.terms.make(sym, &[]))
            }
            crate::reader::What::List(list) => {
                let (first, args) = list.split_first()?;
                let crate::reader::What::Word(word) = &first.what else { return None };
                let sym = self.sheet.names.find(word)?;
                let args: Vec<_> = args.iter().map(|arg| self.term(arg)).collect::<Option<_>>()?;
                Some(self.terms.make(sym, &args))
            }
        }
    }
}
