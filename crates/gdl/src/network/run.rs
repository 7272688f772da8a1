//! A network at work: it holds the values of all nodes for one position, and moves to another by what differs.
//!
//! Forward propagation by counters: a conjunction counts the inputs that are still missing, as a number from
//! -inputs to 0, and is true at 0. A node that changes adds 1 to, or subtracts 1 from, what it feeds; whatever
//! crosses between -1 and 0 changes as well. Sums do not depend on the order, so at the end all is right whatever
//! was changed twice. Blocks follow additions in the same way. When a rule of a block fails, the block is
//! evaluated again once everything else is at rest, because its members could hold each other up.

use super::dag::{Dag, Lit, Node, node_of};
use super::layout::{LiveRule, Net, Part, TO_FALSE, TO_TRUE};

/// The values of all nodes for one position.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    pub bits: Vec<u64>,
    pub phase: u32,
    counts: Vec<i32>,
    /// Legal moves, by slot.
    pub legal: Vec<u64>,
    /// Nodes that changed, twice, plus 1 if they became true.
    stack: Vec<u32>,
    /// Of the rules of blocks: members that hold, and whether all else does.
    have: Vec<u32>,
    outside: Vec<bool>,
    dirty: Vec<bool>,
    any_dirty: bool,
    flips: Vec<u32>,
    /// For whoever evaluates formulas beside the network.
    pub scratch: Vec<bool>,
}

impl Runner {
    /// Nothing is true, in phase 0.
    pub fn new(net: &Net) -> Runner {
        let mut runner = Runner {
            bits: vec![0; net.bit_nodes.len().div_ceil(64)],
            phase: 0,
            counts: net.zero_counts.clone(),
            legal: net.zero_legal.clone(),
            stack: Vec::new(),
            have: net.zero_have.clone(),
            outside: net.zero_outside.clone(),
            dirty: vec![false; net.blocks.len()],
            any_dirty: false,
            flips: Vec::new(),
            scratch: Vec::new(),
        };
        net.clock_nodes[0].iter().for_each(|&node| runner.flip(net, node));
        runner.settle(net);
        runner
    }

    /// Moves to a position.
    #[inline]
    pub fn load(&mut self, net: &Net, bits: &[u64], phase: u32) {
        if self.phase == phase && self.bits == bits {
            return;
        }
        self.set_phase(net, phase);
        for (word, &bits) in bits.iter().enumerate() {
            let mut differ = self.bits[word] ^ bits;
            self.bits[word] = bits;
            while differ != 0 {
                let bit = 64 * word + differ.trailing_zeros() as usize;
                differ &= differ - 1;
                self.flip_bit(net, bit);
            }
        }
        self.settle(net);
    }

    fn set_phase(&mut self, net: &Net, phase: u32) {
        if self.phase != phase {
            let before = std::mem::replace(&mut self.phase, phase);
            for phase in [before, phase] {
                for &node in &net.clock_nodes[phase as usize] {
                    self.flip(net, node);
                }
            }
        }
    }

    /// Plays an action by its effects.
    #[inline]
    pub fn play(&mut self, net: &Net, part: &Part, action: u32, next_phase: u32) {
        let (from, to) = part.ranges[action as usize];
        self.flips.clear();
        for change in &part.changes[from as usize..to as usize] {
            let value = self.value(change.value);
            let old = self.bits[change.bit as usize / 64] >> (change.bit % 64) & 1 == 1;
            if value != old {
                self.flips.push(change.bit);
            }
        }
        if !part.changing.is_empty() {
            let does = net.does.get(&action).copied();
            does.iter().for_each(|&does| self.flip(net, does));
            self.settle(net);
            for (word, (mask, slots)) in part.changing.iter().zip(&self.legal).enumerate() {
                let mut changing = mask & slots;
                while changing != 0 {
                    let slot = 64 * word as u32 + changing.trailing_zeros();
                    self.flips.push(net.bit_of_slot[&slot]);
                    changing &= changing - 1;
                }
            }
            does.iter().for_each(|&does| self.flip(net, does));
        }
        self.set_phase(net, next_phase);
        for at in 0..self.flips.len() {
            let bit = self.flips[at] as usize;
            self.bits[bit / 64] ^= 1 << (bit % 64);
            self.flip_bit(net, bit);
        }
        self.settle(net);
    }

    /// The value of a literal of the network.
    #[inline]
    pub fn value(&self, lit: u32) -> bool {
        match lit {
            TO_TRUE => true,
            TO_FALSE => false,
            _ => (self.counts[(lit >> 1) as usize] >= 0) != (lit & 1 == 1),
        }
    }

    #[inline]
    fn flip_bit(&mut self, net: &Net, bit: usize) {
        let node = net.bit_nodes[bit];
        if node != super::layout::NONE {
            self.flip(net, node);
        }
    }

    /// Changes an input.
    #[inline]
    fn flip(&mut self, net: &Net, node: u32) {
        let count = &mut self.counts[node as usize];
        *count = -1 - *count;
        self.stack.push(2 * node + u32::from(*count == 0));
        self.spread(net);
    }

    /// Follows all changes.
    #[inline]
    fn spread(&mut self, net: &Net) {
        while let Some(change) = self.stack.pop() {
            let fan = net.fans[(change >> 1) as usize];
            let (yes, no) = ((fan.from, fan.middle), (fan.middle, fan.to));
            let (up, down) = if change & 1 == 1 { (yes, no) } else { (no, yes) };
            for &target in &net.targets[up.0 as usize..up.1 as usize] {
                self.raise(net, target);
            }
            for &target in &net.targets[down.0 as usize..down.1 as usize] {
                self.lower(net, target);
            }
        }
    }

    #[inline]
    fn raise(&mut self, net: &Net, target: u32) {
        let Some(count) = self.counts.get_mut(target as usize) else {
            return self.raise_rule(net, target - net.rules_from);
        };
        *count += 1;
        if *count == 0 {
            self.changed(net, target, 1);
        }
    }

    #[inline]
    fn lower(&mut self, net: &Net, target: u32) {
        let Some(count) = self.counts.get_mut(target as usize) else {
            return self.lower_rule(net, target - net.rules_from);
        };
        *count -= 1;
        if *count == -1 {
            self.changed(net, target, 0);
        }
    }

    #[inline]
    fn changed(&mut self, net: &Net, node: u32, now: u32) {
        if node < net.slots {
            self.legal[node as usize / 64] ^= 1 << (node % 64);
        } else if node >= net.inner {
            self.stack.push(2 * node + now);
        }
    }

    fn raise_rule(&mut self, net: &Net, rule: u32) {
        self.outside[rule as usize] = true;
        let live = net.rules[rule as usize];
        if !self.dirty[live.block as usize] && self.have[rule as usize] == live.need {
            self.derive(net, live.head, true);
        }
    }

    fn lower_rule(&mut self, net: &Net, rule: u32) {
        self.outside[rule as usize] = false;
        let live = net.rules[rule as usize];
        if self.have[rule as usize] == live.need {
            self.dirty[live.block as usize] = true;
            self.any_dirty = true;
        }
    }

    /// A member of a block holds, and what follows from it within the block.
    fn derive(&mut self, net: &Net, member: u32, tell: bool) {
        let mut open = vec![member];
        while let Some(member) = open.pop() {
            let count = &mut self.counts[member as usize];
            if *count == 0 {
                continue;
            }
            *count = 0;
            if tell {
                self.stack.push(2 * member + 1);
            }
            for &rule in net.inside.get(&member).into_iter().flatten() {
                self.have[rule as usize] += 1;
                let live = net.rules[rule as usize];
                if self.outside[rule as usize] && self.have[rule as usize] == live.need {
                    open.push(live.head);
                }
            }
        }
    }

    /// Evaluates blocks in which a rule has failed.
    #[inline]
    fn settle(&mut self, net: &Net) {
        while self.any_dirty {
            let Some(block) = self.dirty.iter().position(|&dirty| dirty) else {
                self.any_dirty = false;
                return;
            };
            self.dirty[block] = false;
            let live = &net.blocks[block];
            let before: Vec<i32> = live.members.iter().map(|&member| self.counts[member as usize]).collect();
            live.members.iter().for_each(|&member| self.counts[member as usize] = -1);
            for rule in live.rules.0..live.rules.1 {
                self.have[rule as usize] = 0;
            }
            for rule in live.rules.0..live.rules.1 {
                let LiveRule { head, need, .. } = net.rules[rule as usize];
                if need == 0 && self.outside[rule as usize] {
                    self.derive(net, head, false);
                }
            }
            for (&member, before) in live.members.iter().zip(before) {
                let now = self.counts[member as usize];
                if now != before {
                    self.stack.push(2 * member + u32::from(now == 0));
                }
            }
            self.spread(net);
        }
    }

    /// The number of legal moves of a role.
    #[inline]
    pub fn count(&self, part: &Part, role: usize) -> u32 {
        part.masks[role].iter().zip(&self.legal).map(|(mask, legal)| (mask & legal).count_ones()).sum()
    }

    /// The action of legal move number `number` of a role.
    #[inline]
    pub fn pick(&self, part: &Part, role: usize, mut number: u32) -> u32 {
        for (word, (mask, legal)) in part.masks[role].iter().zip(&self.legal).enumerate() {
            let mut moves = mask & legal;
            let count = moves.count_ones();
            if number >= count {
                number -= count;
                continue;
            }
            for _ in 0..number {
                moves &= moves - 1;
            }
            return part.action_of[64 * word + moves.trailing_zeros() as usize];
        }
        super::layout::NONE
    }

    /// Calls `f` with every legal action of a role.
    #[inline]
    pub fn each(&self, part: &Part, role: usize, f: &mut dyn FnMut(u32)) {
        for (word, (mask, legal)) in part.masks[role].iter().zip(&self.legal).enumerate() {
            let mut moves = mask & legal;
            while moves != 0 {
                f(part.action_of[64 * word + moves.trailing_zeros() as usize]);
                moves &= moves - 1;
            }
        }
    }

    /// Calls `f` with role and number of every goal value that holds.
    pub fn goals(&mut self, net: &Net, dag: &Dag, part: &Part, f: &mut dyn FnMut(usize, usize)) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.resize(dag.nodes.len(), false);
        let holds = |scratch: &[bool], lit: Lit| {
            let node = node_of(lit);
            let value = match net.live[node] {
                super::layout::NONE => scratch[node],
                live => self.counts[live as usize] >= 0,
            };
            value != (lit & 1 == 1)
        };
        for &node in &part.goal_nodes {
            let node = node as usize;
            scratch[node] = match dag.nodes[node] {
                Node::And(..) => dag.inputs(node).iter().all(|&lit| holds(&scratch, lit)),
                _ => false,
            };
        }
        for (role, values) in part.goals.iter().enumerate() {
            for (number, &lit) in values.iter().enumerate() {
                if holds(&scratch, lit) {
                    f(role, number);
                }
            }
        }
        self.scratch = scratch;
    }
}
