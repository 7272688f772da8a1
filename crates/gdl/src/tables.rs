//! Everything about a game that its positions share: the network, or the interpreter where that is too large.

use crate::flaw::Flaw;
use crate::ground::Ground;
use crate::interpreter::{Interpreter, Seen};
use crate::network::build::{Action, Formulas};
use crate::network::dag::{Node, holds};
use crate::network::effects::{Split, circles_with_moves, far_reaching, splits};
use crate::network::latch::{self, Latch};
use crate::network::layout::{NONE, Net, Part};
use crate::network::phases::Phases;
use crate::network::rank::grows;
use crate::network::run::Runner;
use crate::scoring::{Fault, Scoring, value_of};
use crate::sheet::Sheet;
use crate::terms::TermId;
use proofplay_core::{Bounds, Key, Score, splitmix64};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What positions of a game share.
#[derive(Debug)]
pub(crate) struct Tables {
    pub sheet: Arc<Sheet>,
    pub scoring: Scoring,
    /// What a role does that waits, as text.
    waits: Vec<(usize, String)>,
    pub engine: Engine,
}

#[derive(Debug)]
pub(crate) enum Engine {
    Network(Box<Network>),
    /// Behind a lock, since it learns terms.
    Plain(Box<Mutex<Interpreter>>),
}

/// The network of a game and its names.
#[derive(Debug)]
pub(crate) struct Network {
    id: u64,
    pub formulas: Formulas,
    pub phases: Phases,
    pub net: Net,
    /// The base proposition of each bit of a position, and back.
    pub base_of: Vec<u32>,
    pub bit_of: Vec<u32>,
    /// As in a sheet but with brackets behind the name: `cell(1,2,x)`.
    pub base_texts: Vec<String>,
    pub base_numbers: HashMap<String, u32>,
    pub action_texts: Vec<String>,
    pub waits: Vec<bool>,
    pub bit_keys: Vec<Key>,
    pub phase_keys: Vec<Key>,
    goal_texts: Vec<Vec<String>>,
    goal_values: Vec<Vec<Option<i32>>>,
    latch: Latch,
    /// Nodes that the next position depends on.
    next_nodes: Vec<u32>,
    home: Runner,
    /// Whether a position can come again.
    pub repeats: bool,
}

/// A term with brackets behind its name and no blanks.
pub(crate) fn compact(text: &str) -> String {
    let mut out = String::new();
    let mut first = false;
    for part in text.split_inclusive([' ', '(', ')']) {
        let (word, end) = part.split_at(part.len() - usize::from(part.ends_with([' ', '(', ')'])));
        out.push_str(word);
        if first && !word.is_empty() {
            out.push('(');
            first = false;
        } else if end == " " {
            out.push(',');
        }
        match end {
            "(" => first = true,
            ")" => out.push(')'),
            _ => {}
        }
    }
    out
}

/// Plies that are looked at to see what those do who wait.
const WAITING_PLIES: usize = 8;

impl Tables {
    pub fn new(sheet: &Arc<Sheet>, engines: Engines) -> Result<Tables, Flaw> {
        let scoring = Scoring::new(sheet)?;
        let mut interpreter = Interpreter::new(sheet)?;
        let waits = waits(&mut interpreter);
        let network = match engines {
            Engines::Any => Ground::new(sheet).ok().and_then(|ground| Network::new(sheet, &ground, &waits)),
            Engines::Plain => None,
        };
        let engine = match network {
            Some(network) => Engine::Network(Box::new(network)),
            None => Engine::Plain(Box::new(Mutex::new(interpreter))),
        };
        Ok(Tables { sheet: Arc::clone(sheet), scoring, waits, engine })
    }

    /// Who is to move when the roles have these numbers of legal moves: the one with a choice, or else the one
    /// who does not just wait, or else the first.
    pub fn mover(&self, counts: &[usize], waits: &dyn Fn(usize) -> bool) -> Result<usize, Fault> {
        if let Some(role) = counts.iter().position(|&count| count == 0) {
            return Err(Fault::Stuck { role: self.sheet.roles()[role].clone() });
        }
        let mut choosing = (0..counts.len()).filter(|&role| counts[role] > 1);
        match (choosing.next(), choosing.next()) {
            (Some(_), Some(_)) => Err(Fault::Simultaneous),
            (Some(role), None) => Ok(role),
            _ => {
                let mut busy = (0..counts.len()).filter(|&role| !waits(role));
                Ok(match (busy.next(), busy.next()) {
                    (Some(role), None) => role,
                    _ => 0,
                })
            }
        }
    }

    /// [`Tables::mover`] of what the interpreter sees.
    pub fn mover_of(&self, it: &Interpreter, seen: &Seen) -> Result<usize, Fault> {
        let counts: Vec<usize> = seen.legal.iter().map(Vec::len).collect();
        self.mover(&counts, &|role| {
            let text = it.terms.text(&it.sheet.names, seen.legal[role][0]);
            self.waits.contains(&(role, text))
        })
    }

    /// The interpreter, for this thread alone.
    pub fn plain<T>(lock: &Mutex<Interpreter>, work: impl FnOnce(&mut Interpreter) -> T) -> T {
        work(&mut lock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Which engine a game gets.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Engines {
    /// The network, or the interpreter if that would be too large.
    Any,
    Plain,
}

/// What each role does while another has a choice, in the first plies of a line of play.
fn waits(it: &mut Interpreter) -> Vec<(usize, String)> {
    let mut waits = Vec::new();
    let mut state = it.start();
    for ply in 0..WAITING_PLIES {
        let Ok(seen) = it.see(&state) else { break };
        if seen.terminal || seen.legal.iter().any(Vec::is_empty) {
            break;
        }
        if seen.legal.iter().filter(|legal| legal.len() > 1).count() == 1 {
            for (role, legal) in seen.legal.iter().enumerate().filter(|(_, legal)| legal.len() == 1) {
                let wait = (role, it.terms.text(&it.sheet.names, legal[0]));
                if !waits.contains(&wait) {
                    waits.push(wait);
                }
            }
        }
        let joint: Vec<TermId> = seen.legal.iter().map(|legal| legal[ply * 7 % legal.len()]).collect();
        let Ok(next) = it.next(&state, &joint) else { break };
        state = next;
    }
    waits
}

/// Memory for [`Network::reachable`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    now: Vec<bool>,
    values: Vec<(usize, Option<i32>)>,
    latch: latch::Scratch,
}

thread_local! {
    /// The networks at work in this thread, the latest last.
    static RUNNERS: RefCell<Vec<(u64, Box<Runner>)>> = const { RefCell::new(Vec::new()) };
}
/// Networks that a thread keeps.
const MOST_RUNNERS: usize = 8;
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl Network {
    fn new(sheet: &Sheet, ground: &Ground, waits: &[(usize, String)]) -> Option<Network> {
        let formulas = Formulas::new(&sheet.names, ground);
        let text = |term: TermId| ground.terms.text(&sheet.names, term);
        let phases = Phases::new(&formulas);
        let wait = |action: &Action| waits.contains(&(action.role, text(action.term)));
        let waits: Vec<bool> = formulas.actions.iter().map(wait).collect();
        // Effects of all moves; if they are too many, only of what few moves reach.
        let none = vec![false; formulas.bases.len()];
        let live = || far_reaching(&formulas);
        let attempt = |live: &[bool]| {
            let mut formulas = formulas.clone();
            splits(&mut formulas, &phases, &waits, live).map(|parts| (formulas, parts))
        };
        let first = if circles_with_moves(&formulas) { None } else { attempt(&none) };
        let (formulas, parts) = first.or_else(|| attempt(&live()))?;
        let mut clock = formulas.constant.clone();
        phases.bases.iter().for_each(|&base| clock[base as usize] = true);
        let base_of: Vec<u32> = (0..clock.len() as u32).filter(|&base| !clock[base as usize]).collect();
        let mut bit_of = vec![NONE; clock.len()];
        (0..).zip(&base_of).for_each(|(bit, &base)| bit_of[base as usize] = bit);
        let net = Net::new(&formulas, &phases, &parts, &bit_of);
        let base_texts: Vec<String> = formulas.bases.iter().map(|&base| compact(&text(base))).collect();
        let base_numbers = base_texts.iter().cloned().zip(0..).collect();
        let action_texts = formulas.actions.iter().map(|action| compact(&text(action.term))).collect();
        let mut state = 0x6764_6c6b_6579_7321;
        let mut key = || Key::from(splitmix64(&mut state)) << 64 | Key::from(splitmix64(&mut state));
        let bit_keys = base_of.iter().map(|_| key()).collect();
        let phase_keys = phases.values.iter().map(|_| key()).collect();
        let goal_texts: Vec<Vec<String>> = formulas
            .goals
            .iter()
            .map(|goals| goals.iter().map(|&(value, _)| text(value)).collect())
            .collect();
        let values = |texts: &Vec<String>| texts.iter().map(|text| value_of(text)).collect();
        let goal_values = goal_texts.iter().map(values).collect();
        let mut home = Runner::new(&net);
        let mut bits = vec![0; base_of.len().div_ceil(64)];
        for bit in (0..base_of.len()).filter(|&bit| formulas.start[base_of[bit] as usize]) {
            bits[bit / 64] |= 1_u64 << (bit % 64);
        }
        home.load(&net, &bits, 0);
        let lits = formulas.next.iter().copied();
        let next_nodes = crate::network::layout::cone(&formulas.dag, lits);
        // Only what comes again can be a circle.
        let mut again = phases.split_of[phases.back_to..].to_vec();
        again.sort_unstable();
        again.dedup();
        let circle: Vec<&Split> = again.iter().map(|&split| &parts[split]).collect();
        let repeats = !phases.ends && !grows(&formulas.dag, formulas.bases.len(), &circle, &formulas.actions);
        let latch = Latch::new(&formulas, &phases.bases);
        let id = NEXT_ID.fetch_add(1, Relaxed);
        Some(Network {
            id,
            formulas,
            phases,
            net,
            base_of,
            bit_of,
            base_texts,
            base_numbers,
            action_texts,
            waits,
            bit_keys,
            phase_keys,
            goal_texts,
            goal_values,
            latch,
            next_nodes,
            home,
            repeats,
        })
    }

    /// Works with this thread's network.
    #[inline]
    pub fn with<T>(&self, work: impl FnOnce(&mut Runner) -> T) -> T {
        // Taken out while it works, so that work may ask for a network, too.
        let taken = RUNNERS.with_borrow_mut(|runners| {
            let at = runners.iter().position(|runner| runner.0 == self.id)?;
            Some(runners.swap_remove(at).1)
        });
        let mut runner = taken.unwrap_or_else(|| Box::new(self.home.clone()));
        let result = work(&mut runner);
        RUNNERS.with_borrow_mut(|runners| {
            if runners.len() == MOST_RUNNERS {
                runners.remove(0);
            }
            runners.push((self.id, runner));
        });
        result
    }

    pub fn start(&self) -> (&[u64], u32) {
        (&self.home.bits, self.home.phase)
    }

    #[inline]
    pub fn part(&self, phase: u32) -> &Part {
        &self.net.parts[self.phases.split_of[phase as usize]]
    }

    #[inline]
    fn next_phase(&self, phase: u32) -> u32 {
        let next = phase + 1;
        if (next as usize) < self.phases.values.len() { next } else { self.phases.back_to as u32 }
    }

    /// Who is to move.
    #[inline]
    pub fn mover(&self, tables: &Tables, runner: &Runner, part: &Part) -> Result<usize, Fault> {
        match part.mover {
            Some(role)
                if part.masks[role].iter().zip(&runner.legal).any(|(mask, legal)| mask & legal != 0) =>
            {
                Ok(role)
            }
            Some(role) => Err(Fault::Stuck { role: tables.sheet.roles()[role].clone() }),
            None => {
                let mut counts = [0; 2];
                let roles = tables.scoring.roles;
                for (role, count) in counts[..roles].iter_mut().enumerate() {
                    *count = runner.count(part, role) as usize;
                }
                tables.mover(&counts[..roles], &|role| self.waits[runner.pick(part, role, 0) as usize])
            }
        }
    }

    /// Plays an action, and for everybody else the only thing there is to do.
    #[inline]
    pub fn play(&self, runner: &mut Runner, action: u32) {
        let part = self.part(runner.phase);
        let next = self.next_phase(runner.phase);
        if part.mover.is_some() || !self.others_matter(runner, part, action) {
            runner.play(&self.net, part, action, next);
        } else {
            self.play_in_full(runner, part, action, next);
        }
    }

    /// The actions of the other roles.
    fn others(&self, runner: &Runner, part: &Part, action: u32) -> impl Iterator<Item = u32> {
        let role = self.formulas.actions[action as usize].role;
        let others = (0..part.masks.len()).filter(move |&other| other != role);
        others.map(|other| runner.pick(part, other, 0)).collect::<Vec<_>>().into_iter()
    }

    fn others_matter(&self, runner: &Runner, part: &Part, action: u32) -> bool {
        self.others(runner, part, action).any(|other| part.consumed[other as usize])
    }

    /// Evaluates the formulas of the next position one by one.
    fn play_in_full(&self, runner: &mut Runner, part: &Part, action: u32, next_phase: u32) {
        let dag = &self.formulas.dag;
        let played: Vec<u32> = self.others(runner, part, action).chain([action]).collect();
        let mut values = std::mem::take(&mut runner.scratch);
        values.clear();
        values.resize(dag.nodes.len(), false);
        for &node in &self.next_nodes {
            values[node as usize] = match dag.nodes[node as usize] {
                Node::False => false,
                Node::Base(base) => self.holds(runner, base),
                Node::Does(action) => played.contains(&action),
                Node::And(..) => dag.inputs(node as usize).iter().all(|&lit| holds(&values, lit)),
                Node::Member(block) => {
                    let block = &dag.blocks[block as usize];
                    if node == block.first {
                        let members = block.least(&|lit| holds(&values, lit));
                        (block.first as usize..).zip(members).for_each(|(at, member)| values[at] = member);
                    }
                    continue;
                }
            };
        }
        let mut bits = vec![0; runner.bits.len()];
        for (bit, &base) in self.base_of.iter().enumerate() {
            bits[bit / 64] |= u64::from(holds(&values, self.formulas.next[base as usize])) << (bit % 64);
        }
        runner.scratch = values;
        runner.load(&self.net, &bits, next_phase);
    }

    /// The value of a base proposition.
    fn holds(&self, runner: &Runner, base: u32) -> bool {
        match self.bit_of[base as usize] {
            NONE => self.fixed(base, runner.phase),
            bit => runner.bits[bit as usize / 64] >> (bit % 64) & 1 == 1,
        }
    }

    /// The value of a base proposition that has no bit: of the clock, or one that never changes.
    pub fn fixed(&self, base: u32, phase: u32) -> bool {
        match self.phases.bases.iter().position(|&other| other == base) {
            Some(at) => self.phases.values[phase as usize][at],
            None => self.formulas.start[base as usize],
        }
    }

    pub fn is_terminal(&self, runner: &Runner, part: &Part) -> bool {
        runner.value(part.terminal)
    }

    /// The score of an end.
    pub fn score(&self, tables: &Tables, runner: &mut Runner, part: &Part) -> Result<Score, Fault> {
        // How many goals each role has, and the value of the last one.
        let (mut counts, mut values) = ([0; 2], [0; 2]);
        runner.goals(&self.net, &self.formulas.dag, part, &mut |role, number| match self.goal_values[role]
            [number]
        {
            Some(value) => (counts[role], values[role]) = (counts[role] + 1, value),
            None => counts[role] = 2,
        });
        if counts[..self.goal_values.len()].iter().all(|&count| count == 1) {
            return tables.scoring.score_of(values);
        }
        tables.scoring.score(&tables.sheet, &self.goals(runner, part))
    }

    /// The scores that can still be reached from a position, as far as goals that can no longer be reached tell.
    pub fn reachable(&self, scoring: &Scoring, bits: &[u64], phase: u32, scratch: &mut Scratch) -> Bounds {
        scratch.now.clear();
        scratch.now.extend((0..self.bit_of.len()).map(|base| match self.bit_of[base] {
            NONE => self.fixed(base as u32, phase),
            bit => bits[bit as usize / 64] >> (bit % 64) & 1 == 1,
        }));
        let range = scoring.range();
        scratch.values.clear();
        let Scratch { now, values, latch } = scratch;
        let known = self.latch.possible(&self.formulas, now, latch, &mut |role, number| {
            values.push((role, self.goal_values[role][number]));
        });
        let of = |role: usize| values.iter().filter(move |value| value.0 == role).map(|value| value.1);
        if !known || values.iter().any(|value| value.1.is_none()) {
            return range;
        }
        let scores = of(0).flatten().filter_map(|first| match scoring.roles {
            1 => scoring.score_of([first, 0]).ok(),
            _ => of(1).flatten().find_map(|second| scoring.score_of([first, second]).ok()),
        });
        let (low, high) =
            scores.fold((range.opti, range.pess), |(low, high), score| (low.min(score), high.max(score)));
        if low <= high { Bounds::new(low, high) } else { range }
    }

    /// The texts of all goals that hold.
    fn goals(&self, runner: &mut Runner, part: &Part) -> Vec<Vec<String>> {
        let mut found = vec![Vec::new(); self.goal_texts.len()];
        runner.goals(&self.net, &self.formulas.dag, part, &mut |role, number| {
            found[role].push(self.goal_texts[role][number].clone());
        });
        found
    }
}
