//! What runs like a clock: base propositions that follow from each other whatever is played, such as whose turn
//! it is, or how many turns have passed. Together they go through one fixed list of phases.

use super::build::Formulas;
use super::dag::{Lit, Node, holds, node_of};

/// Phases of the longest clock.
const MOST_PHASES: usize = 1_000;
/// Values of the base propositions by which the network is split.
const MOST_SPLITS: usize = 8;

/// The clock of a game. A game without one has a single phase.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    /// Base propositions of the clock.
    pub bases: Vec<u32>,
    /// Their values in each phase.
    pub values: Vec<Vec<bool>>,
    /// The phase after the last one.
    pub back_to: usize,
    /// Whether the game is over in some phase, whatever else holds, so that no phase comes again.
    pub ends: bool,
    /// Those of the clock that change all the time, and their values together: the network is split by them.
    pub split_bases: Vec<u32>,
    pub splits: Vec<Vec<bool>>,
    /// The number among `splits` of each phase.
    pub split_of: Vec<usize>,
}

impl Phases {
    pub fn new(formulas: &Formulas) -> Phases {
        let mut bases = clock(formulas);
        let mut walk = walk(formulas, &bases);
        if walk.is_none() {
            bases.clear();
            walk = Some((vec![Vec::new()], 0));
        }
        let (values, back_to) = walk.unwrap_or_default();
        let ends = !bases.is_empty() && (0..values.len()).any(|phase| over(formulas, &bases, &values[phase]));
        // A proposition that changes seldom, such as one turn of many, would split the network into too many parts.
        let changes = |at: usize| {
            let next = |phase: usize| if phase + 1 < values.len() { phase + 1 } else { back_to };
            (0..values.len()).filter(|&phase| values[phase][at] != values[next(phase)][at]).count()
        };
        let mut often: Vec<usize> = (0..bases.len()).filter(|&at| 8 * changes(at) >= values.len()).collect();
        often.sort_by_key(|&at| std::cmp::Reverse(changes(at)));
        let pick =
            |chosen: &[usize], values: &[bool]| chosen.iter().map(|&at| values[at]).collect::<Vec<bool>>();
        let distinct = |chosen: &[usize]| {
            let mut splits: Vec<Vec<bool>> = values.iter().map(|values| pick(chosen, values)).collect();
            splits.sort();
            splits.dedup();
            splits
        };
        let mut chosen = Vec::new();
        for at in often {
            chosen.push(at);
            if distinct(&chosen).len() > MOST_SPLITS {
                chosen.pop();
            }
        }
        let splits = distinct(&chosen);
        let split_of = values.iter().map(|values| {
            let split = pick(&chosen, values);
            splits.iter().position(|other| *other == split).unwrap_or(0)
        });
        let split_of = split_of.collect();
        let split_bases = chosen.iter().map(|&at| bases[at]).collect();
        Phases { bases, values, back_to, ends, split_bases, splits, split_of }
    }
}

/// The base propositions that depend on none but each other.
fn clock(formulas: &Formulas) -> Vec<u32> {
    let dag = &formulas.dag;
    let mut free = vec![true; formulas.bases.len()];
    loop {
        // Whether a node depends on moves or on a base proposition that is not of the clock.
        let mut bound = vec![false; dag.nodes.len()];
        for node in 0..dag.nodes.len() {
            bound[node] = match dag.nodes[node] {
                Node::False => false,
                Node::Base(base) => !free[base as usize],
                Node::Does(_) | Node::Member(_) => true,
                Node::And(..) => dag.inputs(node).iter().any(|&lit| bound[node_of(lit)]),
            };
        }
        let before = free.iter().filter(|&&free| free).count();
        for (base, free) in free.iter_mut().enumerate() {
            *free &= !bound[node_of(formulas.next[base])];
        }
        if free.iter().filter(|&&free| free).count() == before {
            let moving = |&(base, &free): &(u32, &bool)| free && !formulas.constant[base as usize];
            return (0..).zip(&free).filter(moving).map(|(base, _)| base).collect();
        }
    }
}

/// The nodes that some literals depend on, in order.
fn cone(formulas: &Formulas, lits: impl Iterator<Item = Lit>) -> Vec<usize> {
    let dag = &formulas.dag;
    let mut needed = vec![false; dag.nodes.len()];
    lits.for_each(|lit| needed[node_of(lit)] = true);
    for node in (0..dag.nodes.len()).rev() {
        if needed[node] {
            dag.inputs(node).iter().for_each(|&lit| needed[node_of(lit)] = true);
        }
    }
    (0..dag.nodes.len()).filter(|&node| needed[node]).collect()
}

/// The values of a clock in each phase, and the phase after the last; `None` if there are too many.
fn walk(formulas: &Formulas, bases: &[u32]) -> Option<(Vec<Vec<bool>>, usize)> {
    let dag = &formulas.dag;
    let nodes = cone(formulas, bases.iter().map(|&base| formulas.next[base as usize]));
    let mut now: Vec<bool> = bases.iter().map(|&base| formulas.start[base as usize]).collect();
    let (mut phases, mut values) = (Vec::new(), vec![false; dag.nodes.len()]);
    let mut place = vec![usize::MAX; formulas.bases.len()];
    bases.iter().enumerate().for_each(|(at, &base)| place[base as usize] = at);
    loop {
        if let Some(before) = phases.iter().position(|phase| *phase == now) {
            return Some((phases, before));
        }
        if phases.len() == MOST_PHASES {
            return None;
        }
        for &node in &nodes {
            values[node] = match dag.nodes[node] {
                Node::Base(base) => now[place[base as usize]],
                Node::And(..) => dag.inputs(node).iter().all(|&lit| holds(&values, lit)),
                _ => false,
            };
        }
        let next = bases.iter().map(|&base| holds(&values, formulas.next[base as usize])).collect();
        phases.push(std::mem::replace(&mut now, next));
    }
}

/// Whether the game is over in a phase, whatever else holds.
fn over(formulas: &Formulas, bases: &[u32], phase: &[bool]) -> bool {
    let dag = &formulas.dag;
    let mut values: Vec<Option<bool>> = vec![None; dag.nodes.len()];
    values[0] = Some(false);
    let lit = |values: &[Option<bool>], lit: Lit| values[node_of(lit)].map(|value| value != (lit & 1 == 1));
    for node in cone(formulas, [formulas.terminal].into_iter()) {
        values[node] = match dag.nodes[node] {
            Node::False => Some(false),
            Node::Base(base) => bases.iter().position(|&other| other == base).map(|at| phase[at]),
            Node::Does(_) | Node::Member(_) => None,
            Node::And(..) => {
                let mut inputs = dag.inputs(node).iter().map(|&input| lit(&values, input));
                if inputs.clone().any(|input| input == Some(false)) {
                    Some(false)
                } else {
                    inputs.all(|input| input == Some(true)).then_some(true)
                }
            }
        };
    }
    lit(&values, formulas.terminal) == Some(true)
}
