//! A position of a game from a rule sheet.

use crate::interpreter::Interpreter;
use crate::scoring::{FAULTY, Fault};
use crate::tables::{Engine, Network, Tables};
use crate::terms::TermId;
use proofplay_core::{Bounds, Key, Player, Position, Rng, Score, mix};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

/// Words that a position has without a place of their own in memory.
const SHORT: usize = 6;

/// A position of a game from a rule sheet: what is true in it.
///
/// Where the rules turn out to make no game of a position, [`SheetPosition::fault`] says why, and its outcome lies
/// outside [`Position::range`]: every search refuses it, so nothing is ever proven with it.
#[derive(Clone)]
pub struct SheetPosition {
    pub(crate) tables: Arc<Tables>,
    pub(crate) state: State,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum State {
    /// A bit for each base proposition that is not of the clock, and the phase of the clock.
    Short([u64; SHORT], u32),
    Long(Box<[u64]>, u32),
    /// What is true, by number, sorted.
    Terms(Arc<[TermId]>),
}

impl State {
    pub fn new(bits: &[u64], phase: u32) -> State {
        if bits.len() > SHORT {
            return State::Long(bits.into(), phase);
        }
        let mut short = [0; SHORT];
        short[..bits.len()].copy_from_slice(bits);
        State::Short(short, phase)
    }

    pub fn bits(&self) -> (&[u64], u32) {
        match self {
            State::Short(bits, phase) => (bits, *phase),
            State::Long(bits, phase) => (bits, *phase),
            State::Terms(_) => (&[], 0),
        }
    }
}

impl PartialEq for SheetPosition {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && Arc::ptr_eq(&self.tables, &other.tables)
    }
}
impl Eq for SheetPosition {}
impl Hash for SheetPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.state.hash(state);
    }
}
impl fmt::Debug for SheetPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts().join(" "))
    }
}

fn player(role: usize) -> Player {
    if role == 0 { Player::First } else { Player::Second }
}

impl SheetPosition {
    /// Why the rules make no game of this position, if they do not.
    pub fn fault(&self) -> Option<Fault> {
        self.judge().err()
    }

    /// What is true, in alphabetical order: `cell(1,2,x)`.
    pub fn facts(&self) -> Vec<String> {
        match &self.tables.engine {
            Engine::Network(network) => {
                let (bits, phase) = self.state.bits();
                let holds = |base: &usize| match network.bit_of[*base] {
                    crate::network::layout::NONE => network.fixed(*base as u32, phase),
                    bit => bits[bit as usize / 64] >> (bit % 64) & 1 == 1,
                };
                let mut facts: Vec<String> = (0..network.base_texts.len())
                    .filter(holds)
                    .map(|base| network.base_texts[base].clone())
                    .collect();
                facts.sort_unstable();
                facts
            }
            Engine::Plain(lock) => Tables::plain(lock, |it| {
                let mut facts: Vec<String> = self.terms().iter().map(|&term| text(it, term)).collect();
                facts.sort_unstable();
                facts
            }),
        }
    }

    /// What a role, by its number, may do here: for who waits, the one thing there is to do. Nothing if the rules make no game of
    /// the position, or have too many consequences.
    pub fn legal_of(&self, role: usize) -> Vec<String> {
        match &self.tables.engine {
            Engine::Network(network) => self.with(network, |runner| {
                let (part, mut legal) = (network.part(runner.phase), Vec::new());
                if role < part.masks.len() {
                    runner.each(part, role, &mut |action| {
                        legal.push(network.action_texts[action as usize].clone())
                    });
                }
                legal
            }),
            Engine::Plain(lock) => Tables::plain(lock, |it| {
                let seen = it.see(self.terms()).ok();
                let legal = seen.and_then(|seen| seen.legal.into_iter().nth(role)).unwrap_or_default();
                legal.into_iter().map(|term| text(it, term)).collect()
            }),
        }
    }

    fn terms(&self) -> &[TermId] {
        match &self.state {
            State::Terms(terms) => terms,
            _ => &[],
        }
    }

    /// Works with the network moved to this position.
    #[inline]
    fn with<T>(&self, network: &Network, work: impl FnOnce(&mut crate::network::run::Runner) -> T) -> T {
        let (bits, phase) = self.state.bits();
        network.with(|runner| {
            let words = runner.bits.len();
            runner.load(&network.net, &bits[..words], phase);
            work(runner)
        })
    }

    /// The outcome, or who is to move, or what is wrong.
    fn judge(&self) -> Result<Result<Score, usize>, Fault> {
        let tables = &*self.tables;
        match &tables.engine {
            Engine::Network(network) => self.with(network, |runner| {
                let part = network.part(runner.phase);
                if network.is_terminal(runner, part) {
                    return network.score(tables, runner, part).map(Ok);
                }
                network.mover(tables, runner, part).map(Err)
            }),
            Engine::Plain(lock) => Tables::plain(lock, |it| {
                let seen = it.see(self.terms()).map_err(|_| Fault::TooLarge)?;
                if seen.terminal {
                    let goals: Vec<Vec<String>> = seen
                        .goals
                        .iter()
                        .map(|goals| goals.iter().map(|&goal| text(it, goal)).collect())
                        .collect();
                    return tables.scoring.score(&tables.sheet, &goals).map(Ok);
                }
                tables.mover_of(it, &seen).map(Err)
            }),
        }
    }

    /// The legal moves of the mover, as texts, by the number of the move.
    pub(crate) fn text_of(&self, mv: u32) -> String {
        match &self.tables.engine {
            Engine::Network(network) => network.action_texts.get(mv as usize).cloned().unwrap_or_default(),
            Engine::Plain(lock) => {
                self.plain_moves(lock, |it, legal| legal.get(mv as usize).map(|&term| text(it, term)))
            }
        }
    }

    /// Calls `work` with the legal moves of the mover.
    fn plain_moves<T: Default>(
        &self,
        lock: &Mutex<Interpreter>,
        work: impl FnOnce(&Interpreter, &[TermId]) -> Option<T>,
    ) -> T {
        let found = Tables::plain(lock, |it| {
            let seen = it.see(self.terms()).ok()?;
            let mover = self.tables.mover_of(it, &seen).ok()?;
            work(it, &seen.legal[mover])
        });
        found.unwrap_or_default()
    }
}

/// A term as in the text of a position.
pub(crate) fn text(it: &Interpreter, term: TermId) -> String {
    crate::tables::compact(&it.terms.text(&it.sheet.names, term))
}

impl Position for SheetPosition {
    type Move = u32;

    fn turn(&self) -> Player {
        if let Engine::Network(network) = &self.tables.engine
            && let Some(role) = network.part(self.state.bits().1).mover
        {
            return player(role);
        }
        match self.judge() {
            Ok(Err(role)) => player(role),
            _ => Player::First,
        }
    }

    fn outcome(&self) -> Option<Score> {
        match self.judge() {
            Ok(Ok(score)) => Some(score),
            Ok(Err(_)) => None,
            Err(_) => Some(FAULTY),
        }
    }

    fn moves(&self, out: &mut Vec<u32>) {
        match &self.tables.engine {
            Engine::Network(network) => self.with(network, |runner| {
                let part = network.part(runner.phase);
                if let Ok(mover) = network.mover(&self.tables, runner, part) {
                    runner.each(part, mover, &mut |action| out.push(action));
                }
            }),
            Engine::Plain(lock) => {
                let count = self.plain_moves(lock, |_, legal| Some(legal.len()));
                out.extend(0..count as u32);
            }
        }
    }

    fn count_moves(&self, buf: &mut Vec<u32>) -> usize {
        if let Engine::Network(network) = &self.tables.engine {
            return self.with(network, |runner| {
                let part = network.part(runner.phase);
                network
                    .mover(&self.tables, runner, part)
                    .map_or(0, |mover| runner.count(part, mover) as usize)
            });
        }
        let start = buf.len();
        self.moves(buf);
        let count = buf.len() - start;
        buf.truncate(start);
        count
    }

    fn random_move(&self, rng: &mut Rng, buf: &mut Vec<u32>) -> u32 {
        if let Engine::Network(network) = &self.tables.engine {
            return self.with(network, |runner| {
                let part = network.part(runner.phase);
                let mover = network.mover(&self.tables, runner, part).unwrap_or(0);
                let count = runner.count(part, mover).max(1);
                runner.pick(part, mover, rng.below(count))
            });
        }
        let start = buf.len();
        self.moves(buf);
        let mv = buf[start + rng.below((buf.len() - start) as u32) as usize];
        buf.truncate(start);
        mv
    }

    fn play(&mut self, mv: u32) {
        let next = match &self.tables.engine {
            Engine::Network(network) => self.with(network, |runner| {
                network.play(runner, mv);
                State::new(&runner.bits, runner.phase)
            }),
            Engine::Plain(lock) => Tables::plain(lock, |it| {
                let step = |it: &mut Interpreter| {
                    let seen = it.see(self.terms()).map_err(|_| Fault::TooLarge)?;
                    let mover = self.tables.mover_of(it, &seen)?;
                    let choice = |role: usize| seen.legal[role][if role == mover { mv as usize } else { 0 }];
                    let joint: Vec<TermId> = (0..seen.legal.len()).map(choice).collect();
                    it.next(self.terms(), &joint).map_err(|_| Fault::TooLarge)
                };
                match step(it) {
                    Ok(next) => State::Terms(next.into()),
                    Err(_) => self.state.clone(),
                }
            }),
        };
        self.state = next;
    }

    fn playout(&mut self, rng: &mut Rng, buf: &mut Vec<u32>, trace: &mut impl FnMut(Player, u32)) -> Score {
        let Engine::Network(network) = &self.tables.engine else {
            loop {
                if let Some(score) = self.outcome() {
                    return score;
                }
                let mv = self.random_move(rng, buf);
                trace(self.turn(), mv);
                self.play(mv);
            }
        };
        let tables = &*self.tables;
        let (score, state) = self.with(network, |runner| {
            loop {
                let part = network.part(runner.phase);
                if network.is_terminal(runner, part) {
                    let score = network.score(tables, runner, part).unwrap_or(FAULTY);
                    return (score, State::new(&runner.bits, runner.phase));
                }
                let Ok(mover) = network.mover(tables, runner, part) else {
                    return (FAULTY, State::new(&runner.bits, runner.phase));
                };
                let action = runner.pick(part, mover, rng.below(runner.count(part, mover)));
                trace(player(mover), action);
                network.play(runner, action);
            }
        });
        self.state = state;
        score
    }

    fn key(&self) -> Key {
        match &self.tables.engine {
            Engine::Network(network) => {
                let (bits, phase) = self.state.bits();
                let mut key = network.phase_keys[phase as usize];
                for (word, &bits) in bits.iter().enumerate() {
                    let mut left = bits;
                    while left != 0 {
                        key ^= network.bit_keys[64 * word + left.trailing_zeros() as usize];
                        left &= left - 1;
                    }
                }
                key
            }
            Engine::Plain(lock) => Tables::plain(lock, |it| {
                let hash = |term: &TermId| {
                    it.terms
                        .text(&it.sheet.names, *term)
                        .bytes()
                        .fold(mix(7), |key, byte| mix(key ^ Key::from(byte)))
                };
                self.terms().iter().map(hash).fold(mix(1), |key, term| key ^ term)
            }),
        }
    }

    fn repeats(&self) -> bool {
        match &self.tables.engine {
            Engine::Network(network) => network.repeats,
            Engine::Plain(_) => true,
        }
    }

    fn range(&self) -> Bounds {
        self.tables.scoring.range()
    }

    fn slots(&self) -> usize {
        match &self.tables.engine {
            Engine::Network(network) => network.action_texts.len(),
            Engine::Plain(_) => 0,
        }
    }

    fn slot(&self, mv: u32) -> usize {
        mv as usize
    }
}
