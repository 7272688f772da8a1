//! What a move changes: for each action, the base propositions that do not stay as they are.
//!
//! The formulas for the next position are simplified with what is known when an action is played: that it is
//! played and nothing else, that it is legal, and the values of the split. Most become constants, or "as before";
//! the rest are formulas over the position, which the network keeps up to date.

use super::build::Formulas;
use super::dag::{Dag, FALSE, Lit, Node, TRUE, node_of, not};
use super::phases::Phases;
use crate::terms::Map;

/// A base proposition and its value after a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Effect {
    pub base: u32,
    pub value: Lit,
}

/// The formulas of a game for some values of the split.
#[derive(Debug)]
pub(crate) struct Split {
    /// Of each action.
    pub legal: Vec<Lit>,
    pub terminal: Lit,
    pub goals: Vec<Vec<Lit>>,
    /// Who has a choice, if that is certain: everybody else waits.
    pub mover: Option<usize>,
    /// Of each action that may be legal.
    pub effects: Vec<Vec<Effect>>,
    /// Of live base propositions: whether they change when the actions that are inputs are played.
    pub changing: Vec<Effect>,
    /// Whether anything depends on an action being played.
    pub consumed: Vec<bool>,
}

/// Effects are given up when they need more nodes or entries than this.
const MOST_NODES: usize = 600_000;
const MOST_EFFECTS: usize = 3_000_000;

/// The splits of a game. `waits` says which actions are those of a role that waits. `live` are base propositions
/// without effects: the network keeps up to date whether they change. `None` if there would be too many effects.
pub(crate) fn splits(
    formulas: &mut Formulas,
    phases: &Phases,
    waits: &[bool],
    live: &[bool],
) -> Option<Vec<Split>> {
    // Those that never change have no effects either.
    let mut clock = formulas.constant.clone();
    phases.bases.iter().for_each(|&base| clock[base as usize] = true);
    let mut splits = Vec::new();
    for values in &phases.splits {
        let mut input = vec![None; formulas.bases.len()];
        for (&base, &value) in phases.split_bases.iter().zip(values) {
            input[base as usize] = Some(Lit::from(value));
        }
        let input = |node: Node| match node {
            Node::Base(base) => input[base as usize],
            _ => None,
        };
        let mut memo = Vec::new();
        let Formulas { dag, next, actions, legal, terminal, goals, .. } = formulas;
        let mut put = |lit: Lit| dag.substitute(&mut memo, lit, &input);
        let legal: Vec<Lit> = legal.iter().map(|&lit| put(lit)).collect();
        let terminal = put(*terminal);
        let goals =
            goals.iter().map(|role| role.iter().map(|&(_, lit)| put(lit)).collect()).collect::<Vec<_>>();
        let next: Vec<Lit> =
            next.iter().enumerate().map(|(base, &lit)| if clock[base] { FALSE } else { put(lit) }).collect();
        let (roles, actions) = (goals.len(), &*actions);
        let can = |role: usize| (0..actions.len()).filter(move |&action| actions[action].role == role);
        // A role waits if all it can do is one thing that is always legal, and known as waiting.
        let wait = |role: usize| {
            let mut possible = can(role).filter(|&action| legal[action] != FALSE);
            let only = possible.next().filter(|&action| legal[action] == TRUE && waits[action])?;
            possible.next().is_none().then_some(only)
        };
        let idle: Vec<Option<usize>> = (0..roles).map(wait).collect();
        let active: Vec<usize> = (0..roles).filter(|&role| idle[role].is_none()).collect();
        let mover = match active[..] {
            [one] if !can(one).any(|action| waits[action] && legal[action] != FALSE) => Some(one),
            _ => None,
        };
        let waiting: Vec<usize> =
            if mover.is_some() { idle.into_iter().flatten().collect() } else { Vec::new() };
        let mut split = Split {
            effects: vec![Vec::new(); actions.len()],
            consumed: vec![false; actions.len()],
            changing: Vec::new(),
            legal,
            terminal,
            goals,
            mover,
        };
        let played = |node: Node| match node {
            Node::Does(action) if waiting.contains(&(action as usize)) => Some(TRUE),
            Node::Does(action) if split.legal[action as usize] == FALSE => Some(FALSE),
            _ => None,
        };
        let (mut memo, mut changing) = (Vec::new(), Vec::new());
        for base in (0..next.len()).filter(|&base| live[base] && !clock[base]) {
            let (own, next) = (dag.base(base as u32), dag.substitute(&mut memo, next[base], &played));
            let (rises, falls) = (dag.and(&mut vec![next, not(own)]), dag.and(&mut vec![not(next), own]));
            let changes = not(dag.and(&mut vec![not(rises), not(falls)]));
            if changes != FALSE {
                changing.push(Effect { base: base as u32, value: changes });
            }
        }
        split.changing = changing;
        let needed = super::layout::cone(dag, split.changing.iter().map(|effect| effect.value));
        for node in needed {
            if let Node::Does(action) = dag.nodes[node as usize] {
                split.consumed[action as usize] = true;
            }
        }
        let none: Vec<bool> = clock.iter().zip(live).map(|(clock, live)| clock | live).collect();
        if !Builder::new(dag, &none, &next, &waiting).all(&mut split) {
            return None;
        }
        splits.push(split);
    }
    Some(splits)
}

/// Base propositions that should be live: they depend on a block that depends on moves, or on so many actions that
/// a list for each would be long.
pub(crate) fn far_reaching(formulas: &Formulas) -> Vec<bool> {
    const SAMPLES: usize = 8;
    let dag = &formulas.dag;
    let mut reached = vec![0; formulas.bases.len()];
    let mut circles = vec![false; formulas.bases.len()];
    for sample in 0..SAMPLES {
        let action = (formulas.actions.len() * sample / SAMPLES) as u32;
        let by_it = depends(dag, &|node| node == Node::Does(action));
        for (base, &lit) in formulas.next.iter().enumerate() {
            reached[base] += u32::from(by_it.0[node_of(lit)]);
        }
    }
    let by_any = depends(dag, &|node| matches!(node, Node::Does(_)));
    for (base, &lit) in formulas.next.iter().enumerate() {
        circles[base] = by_any.1[node_of(lit)];
    }
    reached.iter().zip(circles).map(|(&reached, circles)| circles || reached > 2).collect()
}

/// Whether a block depends on moves.
pub(crate) fn circles_with_moves(formulas: &Formulas) -> bool {
    depends(&formulas.dag, &|node| matches!(node, Node::Does(_))).1.contains(&true)
}

/// Which nodes depend on chosen inputs, and which do by way of a block.
fn depends(dag: &Dag, chosen: &dyn Fn(Node) -> bool) -> (Vec<bool>, Vec<bool>) {
    let (mut all, mut blocks) = (vec![false; dag.nodes.len()], vec![false; dag.nodes.len()]);
    for node in 0..dag.nodes.len() {
        let kind = dag.nodes[node];
        let any = |marks: &[bool]| match kind {
            Node::Member(block) => {
                dag.blocks[block as usize].rules.iter().any(|rule| marks[node_of(rule.outside)])
            }
            _ => dag.inputs(node).iter().any(|&lit| marks[node_of(lit)]),
        };
        all[node] = chosen(kind) || any(&all);
        blocks[node] = matches!(kind, Node::Member(_)) && all[node] || any(&blocks);
    }
    (all, blocks)
}

struct Builder<'a> {
    dag: &'a mut Dag,
    next: &'a [Lit],
    /// Base propositions whose next value is a node or its negation.
    by_node: Map<u32, Vec<u32>>,
    /// What each node is when nobody plays anything, but those who wait do.
    quiet: Vec<Lit>,
    /// Nodes of `next` that depend on a node.
    above: Map<u32, Vec<u32>>,
    /// What changes when nobody plays anything.
    default: Vec<Effect>,
    does: Map<u32, u32>,
}

impl<'a> Builder<'a> {
    fn new(dag: &'a mut Dag, clock: &[bool], next: &'a [Lit], waiting: &[usize]) -> Builder<'a> {
        let mut by_node: Map<u32, Vec<u32>> = Map::default();
        let mut needed = vec![false; dag.nodes.len()];
        for base in (0..next.len()).filter(|&base| !clock[base]) {
            let node = node_of(next[base]);
            by_node.entry(node as u32).or_default().push(base as u32);
            needed[node] = true;
        }
        let (mut above, mut does): (Map<u32, Vec<u32>>, Map<u32, u32>) = Default::default();
        for node in (0..dag.nodes.len()).rev() {
            if !needed[node] {
                continue;
            }
            if let Node::Does(action) = dag.nodes[node] {
                does.insert(action, node as u32);
            }
            for &lit in dag.inputs(node) {
                needed[node_of(lit)] = true;
                above.entry(node_of(lit) as u32).or_default().push(node as u32);
            }
        }
        let input = |node: Node| match node {
            Node::Does(action) => Some(Lit::from(waiting.contains(&(action as usize)))),
            _ => None,
        };
        let mut quiet = Vec::new();
        for node in (0..needed.len()).filter(|&node| needed[node]) {
            dag.substitute(&mut quiet, 2 * node as Lit, &input);
        }
        let mut default = Vec::new();
        for base in (0..next.len()).filter(|&base| !clock[base]) {
            let value = quiet[node_of(next[base])] ^ next[base] & 1;
            if value != dag.base(base as u32) {
                default.push(Effect { base: base as u32, value });
            }
        }
        Builder { dag, next, by_node, quiet, above, default, does }
    }

    /// The effects of all actions that may be legal; false if they are too many.
    fn all(mut self, split: &mut Split) -> bool {
        let mut total = 0;
        for action in 0..split.legal.len() {
            split.consumed[action] |= self.does.contains_key(&(action as u32));
            if split.legal[action] != FALSE {
                split.effects[action] = self.of(action as u32, split.legal[action]);
                total += split.effects[action].len();
                if total > MOST_EFFECTS || self.dag.nodes.len() > MOST_NODES {
                    return false;
                }
            }
        }
        true
    }

    fn of(&mut self, action: u32, legal: Lit) -> Vec<Effect> {
        // What holds when the action is legal.
        let mut known: Map<u32, bool> = Map::default();
        let mut open = vec![legal];
        while let Some(lit) = open.pop() {
            if known.insert(node_of(lit) as u32, lit & 1 == 0).is_none() && lit & 1 == 0 {
                open.extend_from_slice(self.dag.inputs(node_of(lit)));
            }
        }
        let simple = |known: &Map<u32, bool>, lit: Lit| match known.get(&(node_of(lit) as u32)) {
            Some(&value) => Lit::from(value) ^ lit & 1,
            None => lit,
        };
        // Nodes that depend on the action, in order.
        let mut cone: Vec<u32> = Vec::new();
        let mut changed: Map<u32, Lit> = Map::default();
        if let Some(&does) = self.does.get(&action) {
            cone.push(does);
            changed.insert(does, TRUE);
            let mut at = 0;
            while let Some(&node) = cone.get(at) {
                at += 1;
                for &next in self.above.get(&node).into_iter().flatten() {
                    if changed.insert(next, FALSE).is_none() {
                        cone.push(next);
                    }
                }
            }
            cone.sort_unstable();
        }
        let mut lits = Vec::new();
        for &node in &cone {
            if self.does.get(&action) != Some(&node) {
                lits.clear();
                for &input in self.dag.inputs(node as usize) {
                    let inner = node_of(input) as u32;
                    let lit = changed.get(&inner).copied().unwrap_or_else(|| self.quiet[inner as usize]);
                    lits.push(simple(&known, lit ^ input & 1));
                }
                changed.insert(node, self.dag.and(&mut lits));
            }
        }
        let mut effects = Vec::new();
        let mut note = |dag: &mut Dag, base: u32, value: Lit| {
            let own = dag.base(base);
            if value != own && value != simple(&known, own) {
                effects.push(Effect { base, value });
            }
        };
        for &Effect { base, value } in &self.default {
            if !changed.contains_key(&(node_of(self.next[base as usize]) as u32)) {
                note(self.dag, base, simple(&known, value));
            }
        }
        for node in &cone {
            for &base in self.by_node.get(node).into_iter().flatten() {
                let value = changed[node] ^ self.next[base as usize] & 1;
                note(self.dag, base, simple(&known, value));
            }
        }
        effects.sort_unstable_by_key(|effect| effect.base);
        effects
    }
}
