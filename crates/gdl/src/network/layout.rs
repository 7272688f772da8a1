//! The formulas laid out for running: numbered nodes with counters, and for each node the nodes that it feeds.
//!
//! Nodes are numbered in four parts: slots of legal moves, other nodes that feed nothing, inner nodes with inputs
//! and members of blocks, and behind them the rules of blocks. A literal in this numbering is twice a node, plus
//! 1 for its negation.

use super::build::Formulas;
use super::dag::{Dag, FALSE, Lit, Node, TRUE, node_of};
use super::effects::Split;
use super::phases::Phases;
use crate::terms::Map;

pub(crate) const NONE: u32 = u32::MAX;

/// Where the targets of a node are: those of its truth, then those of its negation.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Fan {
    pub from: u32,
    pub middle: u32,
    pub to: u32,
}

/// A base proposition (by bit) and its value after a move; constants are `u32::MAX` and `u32::MAX - 1`.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Change {
    pub bit: u32,
    pub value: u32,
}
pub(crate) const TO_TRUE: u32 = u32::MAX;
pub(crate) const TO_FALSE: u32 = u32::MAX - 1;

/// What is particular to one split.
#[derive(Debug)]
pub(crate) struct Part {
    pub mover: Option<usize>,
    /// For each role the slots of its moves, as words of bits.
    pub masks: Vec<Vec<u64>>,
    /// The action of each slot.
    pub action_of: Vec<u32>,
    pub terminal: u32,
    /// Of each action, from and to in `changes`.
    pub ranges: Vec<(u32, u32)>,
    pub changes: Vec<Change>,
    pub consumed: Vec<bool>,
    /// Slots that say whether a live base proposition changes, as words of bits.
    pub changing: Vec<u64>,
    /// For each role: formulas of its goal values, in the numbering of `Dag`.
    pub goals: Vec<Vec<Lit>>,
    /// Nodes of `Dag` that the goals need and the network does not keep, in order.
    pub goal_nodes: Vec<u32>,
}

/// A rule of a block.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LiveRule {
    pub head: u32,
    /// The number of its members.
    pub need: u32,
    pub block: u32,
}

/// A block: its members' nodes and its rules.
#[derive(Clone, Debug)]
pub(crate) struct LiveBlock {
    pub members: Vec<u32>,
    pub rules: (u32, u32),
}

/// Everything that stays the same while a network runs.
#[derive(Debug)]
pub(crate) struct Net {
    pub slots: u32,
    /// Nodes from here on feed others.
    pub inner: u32,
    /// Rules of blocks have the numbers from here on.
    pub rules_from: u32,
    pub fans: Vec<Fan>,
    pub targets: Vec<u32>,
    /// The bit of each slot behind those of moves.
    pub bit_of_slot: Map<u32, u32>,
    /// The nodes of actions that are inputs.
    pub does: Map<u32, u32>,
    /// The node of each bit of a position.
    pub bit_nodes: Vec<u32>,
    /// For each phase the nodes of the clock that are true.
    pub clock_nodes: Vec<Vec<u32>>,
    pub rules: Vec<LiveRule>,
    pub blocks: Vec<LiveBlock>,
    /// Rules that a member of a block is a condition of.
    pub inside: Map<u32, Vec<u32>>,
    pub parts: Vec<Part>,
    /// Counters, slots and rules when every input is false.
    pub zero_counts: Vec<i32>,
    pub zero_legal: Vec<u64>,
    pub zero_have: Vec<u32>,
    pub zero_outside: Vec<bool>,
    /// The node for each node of `Dag`.
    pub live: Vec<u32>,
}

impl Net {
    pub fn new(formulas: &Formulas, phases: &Phases, splits: &[Split], bit_of: &[u32]) -> Net {
        let dag = &formulas.dag;
        let mut kept = vec![false; dag.nodes.len()];
        // Roots that are read by number, and so keep a node of their own.
        let mut pinned = vec![false; dag.nodes.len()];
        let mut pin = |lit: Lit, kept: &mut Vec<bool>| {
            pinned[node_of(lit)] = true;
            kept[node_of(lit)] = true;
        };
        for split in splits {
            pin(split.terminal, &mut kept);
            split.legal.iter().for_each(|&lit| kept[node_of(lit)] = true);
            split.effects.iter().flatten().for_each(|effect| pin(effect.value, &mut kept));
            split.changing.iter().for_each(|effect| kept[node_of(effect.value)] = true);
        }
        for (kept, node) in kept.iter_mut().zip(&dag.nodes) {
            *kept |= matches!(node, Node::Base(_));
        }
        let goal_lits = splits.iter().flat_map(|split| split.goals.iter().flatten().copied());
        let goal_cone = cone(dag, goal_lits);
        for &node in &goal_cone {
            kept[node as usize] |= matches!(dag.nodes[node as usize], Node::Member(_));
        }
        close(dag, &mut kept);

        let mut uses = vec![0_u32; dag.nodes.len()];
        for node in (0..dag.nodes.len()).filter(|&node| kept[node]) {
            dag.inputs(node).iter().for_each(|&lit| uses[node_of(lit)] += 1);
        }
        let live_blocks: Vec<usize> =
            (0..dag.blocks.len()).filter(|&block| kept[dag.blocks[block].first as usize]).collect();
        for &block in &live_blocks {
            dag.blocks[block].rules.iter().for_each(|rule| uses[node_of(rule.outside)] += 1);
        }

        // Slots: actions with one formula share one, unless they are legal in the same split.
        let mut slots: Vec<Lit> = Vec::new();
        let mut by_lit: Map<Lit, Vec<u32>> = Map::default();
        let mut slot_of: Vec<Vec<u32>> = Vec::new();
        for split in splits {
            let mut taken: Map<Lit, usize> = Map::default();
            let find = |&lit: &Lit| {
                if lit == FALSE {
                    return NONE;
                }
                let (count, known) = (taken.entry(lit).or_default(), by_lit.entry(lit).or_default());
                *count += 1;
                if *count > known.len() {
                    known.push(slots.len() as u32);
                    slots.push(lit);
                }
                known[*count - 1]
            };
            slot_of.push(split.legal.iter().map(find).collect());
        }
        // Behind them one for each live base proposition.
        let (mut bit_of_slot, mut changing) = (Map::default(), Vec::new());
        for split in splits {
            let mut mine = Vec::new();
            for effect in &split.changing {
                let slot = slots.len() as u32;
                by_lit.entry(effect.value).or_default().push(slot);
                bit_of_slot.insert(slot, bit_of[effect.base as usize]);
                slots.push(effect.value);
                mine.push(slot);
            }
            changing.push(mine);
        }
        // A conjunction that feeds nothing but one slot is that slot.
        let own = |lit: Lit| {
            let node = node_of(lit);
            let and = matches!(dag.nodes[node], Node::And(..));
            lit & 1 == 0
                && and
                && uses[node] == 0
                && !pinned[node]
                && by_lit[&lit].len() == 1
                && !by_lit.contains_key(&(lit ^ 1))
        };
        let mut live = vec![NONE; dag.nodes.len()];
        for (slot, &lit) in (0..).zip(&slots) {
            if own(lit) {
                live[node_of(lit)] = slot;
            }
        }
        let slot_count = slots.len() as u32;
        let wrapped: Vec<bool> = slots.iter().map(|&lit| !own(lit)).collect();
        slots
            .iter()
            .zip(&wrapped)
            .filter(|(_, wrapped)| **wrapped)
            .for_each(|(&lit, _)| uses[node_of(lit)] += 1);
        let (mut next, mut inner) = (slot_count, slot_count);
        for feeding in [false, true] {
            for node in 0..dag.nodes.len() {
                let input = !matches!(dag.nodes[node], Node::And(..));
                if kept[node] && live[node] == NONE && (input || uses[node] > 0) == feeding {
                    live[node] = next;
                    next += 1;
                }
            }
            if !feeding {
                inner = next;
            }
        }
        let rules_from = next;

        // Values when every input is false.
        let mut values = Vec::new();
        dag.evaluate(&mut values, &|_| false);
        let value = |lit: Lit| super::dag::holds(&values, lit);

        let (mut true_fans, mut false_fans) =
            (vec![Vec::new(); next as usize], vec![Vec::new(); next as usize]);
        let mut feed = |lit: Lit, target: u32| {
            let fans = if lit & 1 == 0 { &mut true_fans } else { &mut false_fans };
            fans[live[node_of(lit)] as usize].push(target);
        };
        let mut zero_counts = vec![0; next as usize];
        for node in (0..dag.nodes.len()).filter(|&node| kept[node]) {
            let at = live[node];
            zero_counts[at as usize] = match dag.nodes[node] {
                Node::And(..) => {
                    dag.inputs(node).iter().for_each(|&lit| feed(lit, at));
                    -(dag.inputs(node).iter().filter(|&&lit| !value(lit)).count() as i32)
                }
                _ => i32::from(values[node]) - 1,
            };
        }
        let mut zero_legal = vec![0; slots.len().div_ceil(64)];
        for (slot, (&lit, &wrapped)) in slots.iter().zip(&wrapped).enumerate() {
            if wrapped {
                if lit != TRUE {
                    feed(lit, slot as u32);
                }
                zero_counts[slot] = i32::from(value(lit)) - 1;
            }
            zero_legal[slot / 64] |= u64::from(value(lit)) << (slot % 64);
        }
        let (mut rules, mut blocks, mut inside) = (Vec::new(), Vec::new(), Map::<u32, Vec<u32>>::default());
        let (mut zero_have, mut zero_outside) = (Vec::new(), Vec::new());
        for (number, &block) in (0..).zip(&live_blocks) {
            let block = &dag.blocks[block];
            let member = |member: u32| live[(block.first + member) as usize];
            let from = rules.len() as u32;
            for rule in &block.rules {
                let target = rules_from + rules.len() as u32;
                if node_of(rule.outside) != 0 {
                    feed(rule.outside, target);
                }
                for &at in &rule.members {
                    inside.entry(member(at)).or_default().push(rules.len() as u32);
                }
                let holds = |&&at: &&u32| values[(block.first + at) as usize];
                zero_have.push(rule.members.iter().filter(holds).count() as u32);
                zero_outside.push(value(rule.outside));
                let need = rule.members.len() as u32;
                rules.push(LiveRule { head: member(rule.head), need, block: number });
            }
            let members = (0..block.count).map(member).collect();
            blocks.push(LiveBlock { members, rules: (from, rules.len() as u32) });
        }
        let (mut fans, mut targets) = (Vec::new(), Vec::new());
        for (yes, no) in true_fans.iter().zip(&false_fans) {
            let from = targets.len() as u32;
            targets.extend_from_slice(yes);
            let middle = targets.len() as u32;
            targets.extend_from_slice(no);
            fans.push(Fan { from, middle, to: targets.len() as u32 });
        }

        let lit_of = |lit: Lit| match lit {
            TRUE => TO_TRUE,
            FALSE => TO_FALSE,
            _ => 2 * live[node_of(lit)] + (lit & 1),
        };
        let words = slots.len().div_ceil(64);
        let part = |((split, slot_of), mine): ((&Split, Vec<u32>), Vec<u32>)| {
            let mut changing = vec![0; words];
            mine.iter().for_each(|&slot| changing[slot as usize / 64] |= 1 << (slot % 64));
            let mut masks = vec![vec![0; words]; formulas.goals.len()];
            let mut action_of = vec![NONE; slots.len()];
            for (action, &slot) in slot_of.iter().enumerate().filter(|(_, slot)| **slot != NONE) {
                action_of[slot as usize] = action as u32;
                masks[formulas.actions[action].role][slot as usize / 64] |= 1 << (slot % 64);
            }
            let (mut ranges, mut changes) = (Vec::new(), Vec::new());
            for effects in &split.effects {
                let from = changes.len() as u32;
                let change = |effect: &super::effects::Effect| Change {
                    bit: bit_of[effect.base as usize],
                    value: lit_of(effect.value),
                };
                changes.extend(effects.iter().map(change));
                ranges.push((from, changes.len() as u32));
            }
            let mut goal_nodes = cone(dag, split.goals.iter().flatten().copied());
            goal_nodes.retain(|&node| live[node as usize] == NONE);
            Part {
                mover: split.mover,
                masks,
                action_of,
                terminal: lit_of(split.terminal),
                ranges,
                changes,
                consumed: split.consumed.clone(),
                changing: if mine.is_empty() { Vec::new() } else { changing },
                goals: split.goals.clone(),
                goal_nodes,
            }
        };
        let parts = splits.iter().zip(slot_of).zip(changing).map(part).collect();
        let does = (0..dag.nodes.len()).filter_map(|node| match dag.nodes[node] {
            Node::Does(action) if live[node] != NONE => Some((action, live[node])),
            _ => None,
        });
        let does = does.collect();
        let node_of_base: Map<u32, u32> = (0..dag.nodes.len())
            .filter_map(|node| match dag.nodes[node] {
                Node::Base(base) => Some((base, live[node])),
                _ => None,
            })
            .collect();
        let mut bit_nodes = vec![NONE; bit_of.iter().filter(|&&bit| bit != NONE).count()];
        for (base, &bit) in bit_of.iter().enumerate().filter(|(_, bit)| **bit != NONE) {
            bit_nodes[bit as usize] = node_of_base.get(&(base as u32)).copied().unwrap_or(NONE);
        }
        let split_base = |base: &u32| phases.split_bases.contains(base);
        let clock_nodes = phases.values.iter().map(|values| {
            let on = phases.bases.iter().zip(values).filter(|(base, value)| **value && !split_base(base));
            on.filter_map(|(base, _)| node_of_base.get(base).copied()).collect()
        });
        let clock_nodes = clock_nodes.collect();
        Net {
            slots: slot_count,
            inner,
            rules_from,
            fans,
            targets,
            bit_of_slot,
            does,
            bit_nodes,
            clock_nodes,
            rules,
            blocks,
            inside,
            parts,
            zero_counts,
            zero_legal,
            zero_have,
            zero_outside,
            live,
        }
    }
}

/// Marks everything that marked nodes depend on.
fn close(dag: &Dag, kept: &mut [bool]) {
    for node in (0..dag.nodes.len()).rev() {
        if !kept[node] {
            continue;
        }
        dag.inputs(node).iter().for_each(|&lit| kept[node_of(lit)] = true);
        if let Node::Member(block) = dag.nodes[node] {
            let block = &dag.blocks[block as usize];
            block.rules.iter().for_each(|rule| kept[node_of(rule.outside)] = true);
            (block.first..block.first + block.count).for_each(|member| kept[member as usize] = true);
        }
    }
}

/// The nodes that literals depend on, in order.
pub(crate) fn cone(dag: &Dag, lits: impl Iterator<Item = Lit>) -> Vec<u32> {
    let mut needed = vec![false; dag.nodes.len()];
    lits.for_each(|lit| needed[node_of(lit)] = true);
    close(dag, &mut needed);
    (0..dag.nodes.len() as u32).filter(|&node| needed[node as usize]).collect()
}
