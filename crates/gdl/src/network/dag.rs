//! Formulas over base propositions and moves: conjunctions of literals, each stored once.
//!
//! A literal is a node or its negation, so a disjunction is a negated conjunction. Inputs of a node have
//! smaller numbers than the node. Relations that depend on each other in a circle are members of a block: the
//! least set that its rules allow.

use crate::terms::Map;

/// Twice the number of a node, plus 1 for its negation.
pub(crate) type Lit = u32;
pub(crate) const FALSE: Lit = 0;
pub(crate) const TRUE: Lit = 1;

#[inline]
pub(crate) fn not(lit: Lit) -> Lit {
    lit ^ 1
}
#[inline]
pub(crate) fn node_of(lit: Lit) -> usize {
    (lit >> 1) as usize
}

/// What a node is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// Only number 0.
    False,
    Base(u32),
    Does(u32),
    /// The literals from, and up to before.
    And(u32, u32),
    /// Of a block.
    Member(u32),
}

/// A rule of a block: its head holds if all these members and `outside` do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BlockRule {
    /// Numbers of members, from 0.
    pub head: u32,
    pub members: Vec<u32>,
    pub outside: Lit,
}

/// Relations that depend on each other in a circle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The node of member number 0; the others follow.
    pub first: u32,
    pub count: u32,
    pub rules: Vec<BlockRule>,
}

/// All formulas.
#[derive(Clone, Debug)]
pub(crate) struct Dag {
    pub nodes: Vec<Node>,
    lits: Vec<Lit>,
    pub blocks: Vec<Block>,
    ands: Map<Box<[Lit]>, u32>,
    inputs: Map<(u32, u32), u32>,
}

/// Inputs up to which disjunctions are searched for common literals.
const MOST_FACTORED: usize = 4_000;

impl Dag {
    pub fn new() -> Dag {
        Dag {
            nodes: vec![Node::False],
            lits: Vec::new(),
            blocks: Vec::new(),
            ands: Map::default(),
            inputs: Map::default(),
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn input(&mut self, kind: u32, number: u32, node: Node) -> Lit {
        if let Some(&found) = self.inputs.get(&(kind, number)) {
            return 2 * found;
        }
        let found = self.add(node);
        self.inputs.insert((kind, number), found);
        2 * found
    }

    pub fn base(&mut self, number: u32) -> Lit {
        self.input(0, number, Node::Base(number))
    }

    pub fn does(&mut self, number: u32) -> Lit {
        self.input(1, number, Node::Does(number))
    }

    /// The inputs of a conjunction; nothing for other nodes.
    #[inline]
    pub fn inputs(&self, node: usize) -> &[Lit] {
        match self.nodes[node] {
            Node::And(from, to) => &self.lits[from as usize..to as usize],
            _ => &[],
        }
    }

    /// The conjunction of literals, which are sorted and may change.
    pub fn and(&mut self, lits: &mut Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        if lits.first() == Some(&FALSE) || lits.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
            return FALSE;
        }
        if lits.first() == Some(&TRUE) {
            lits.remove(0);
        }
        match lits[..] {
            [] => return TRUE,
            [one] => return one,
            _ => {}
        }
        if let Some(&found) = self.ands.get(&lits[..]) {
            return 2 * found;
        }
        let from = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        let node = self.add(Node::And(from, self.lits.len() as u32));
        self.ands.insert(lits.as_slice().into(), node);
        2 * node
    }

    /// The disjunction of conjunctions, with common literals taken out.
    pub fn or_of_ands(&mut self, mut ands: Vec<Vec<Lit>>) -> Lit {
        for and in &mut ands {
            and.sort_unstable();
            and.dedup();
            if let Some(at) = and.iter().position(|&lit| lit == TRUE) {
                and.remove(at);
            }
        }
        ands.retain(|and| and.first() != Some(&FALSE) && !and.windows(2).any(|pair| pair[0] ^ 1 == pair[1]));
        ands.sort_unstable();
        ands.dedup();
        if ands.iter().any(Vec::is_empty) {
            return TRUE;
        }
        let size: usize = ands.iter().map(Vec::len).sum();
        let mut parts = Vec::new();
        if size <= MOST_FACTORED && ands.len() > 1 {
            let mut counts: Map<Lit, u32> = Map::default();
            loop {
                counts.clear();
                ands.iter()
                    .filter(|and| and.len() > 1)
                    .flatten()
                    .for_each(|&lit| *counts.entry(lit).or_default() += 1);
                // The smallest of the most common ones: the order of a map does not matter.
                let best = counts.iter().map(|(&lit, &count)| (count, std::cmp::Reverse(lit))).max();
                let Some((2.., std::cmp::Reverse(common))) = best else { break };
                let takes = |and: &Vec<Lit>| and.len() > 1 && and.contains(&common);
                let (with, without): (Vec<_>, Vec<_>) = ands.into_iter().partition(takes);
                ands = without;
                let rest = with.into_iter().map(|and| and.into_iter().filter(|&lit| lit != common).collect());
                let rest = self.or_of_ands(rest.collect());
                let part = self.and(&mut vec![common, rest]);
                parts.push(not(part));
            }
        }
        for mut and in ands {
            parts.push(not(self.and(&mut and)));
        }
        not(self.and(&mut parts))
    }

    /// Makes a block whose rules are found by `rules`, given the literals of its members.
    pub fn block(&mut self, count: u32, rules: Vec<BlockRule>) -> Vec<Lit> {
        let block = self.blocks.len() as u32;
        let first = self.nodes.len() as u32;
        for _ in 0..count {
            self.add(Node::Member(block));
        }
        self.blocks.push(Block { first, count, rules });
        (first..first + count).map(|node| 2 * node).collect()
    }

    /// What `value` says with all inputs of formulas replaced by literals: `Base` and `Does` by `input`.
    pub fn substitute(&mut self, memo: &mut Vec<Lit>, lit: Lit, input: &dyn Fn(Node) -> Option<Lit>) -> Lit {
        const OPEN: Lit = Lit::MAX;
        memo.resize(self.nodes.len().max(memo.len()), OPEN);
        let mut stack = vec![node_of(lit)];
        while let Some(&node) = stack.last() {
            if memo.get(node).is_some_and(|&done| done != OPEN) {
                stack.pop();
                continue;
            }
            let result = match self.nodes[node] {
                Node::False => FALSE,
                kind @ (Node::Base(_) | Node::Does(_)) => input(kind).unwrap_or(2 * node as Lit),
                Node::And(..) => {
                    let before = stack.len();
                    let open = |&&lit: &&Lit| memo[node_of(lit)] == OPEN;
                    stack.extend(self.inputs(node).iter().filter(open).map(|&lit| node_of(lit)));
                    if stack.len() > before {
                        continue;
                    }
                    let mut lits: Vec<Lit> =
                        self.inputs(node).iter().map(|&lit| memo[node_of(lit)] ^ lit & 1).collect();
                    self.and(&mut lits)
                }
                Node::Member(block) => {
                    let before = stack.len();
                    let outside = self.blocks[block as usize].rules.iter().map(|rule| node_of(rule.outside));
                    stack.extend(outside.filter(|&node| memo[node] == OPEN));
                    if stack.len() > before {
                        continue;
                    }
                    self.substitute_block(block, memo);
                    stack.pop();
                    continue;
                }
            };
            memo.resize(self.nodes.len().max(memo.len()), OPEN);
            memo[node] = result;
            stack.pop();
        }
        memo[node_of(lit)] ^ lit & 1
    }

    /// The members of a block, when the literals outside are replaced.
    fn substitute_block(&mut self, block: u32, memo: &mut Vec<Lit>) {
        let Block { first, count, mut rules } = self.blocks[block as usize].clone();
        rules.iter_mut().for_each(|rule| rule.outside = memo[node_of(rule.outside)] ^ rule.outside & 1);
        let members = if rules == self.blocks[block as usize].rules {
            (first..first + count).map(|node| 2 * node).collect()
        } else {
            rules.retain(|rule| rule.outside != FALSE);
            let known = self.blocks.iter().find(|other| other.count == count && other.rules == rules);
            match known.map(|block| block.first) {
                Some(first) => (first..first + count).map(|node| 2 * node).collect(),
                None => self.block(count, rules),
            }
        };
        memo.resize(self.nodes.len().max(memo.len()), Lit::MAX);
        for (member, lit) in (first..).zip(members) {
            memo[member as usize] = lit;
        }
    }

    /// The value of every node, in order, given those of inputs.
    pub fn evaluate(&self, values: &mut Vec<bool>, input: &dyn Fn(Node) -> bool) {
        values.clear();
        for node in 0..self.nodes.len() {
            let value = match self.nodes[node] {
                Node::False => false,
                kind @ (Node::Base(_) | Node::Does(_)) => input(kind),
                Node::And(..) => self.inputs(node).iter().all(|&lit| holds(values, lit)),
                Node::Member(block) => {
                    let block = &self.blocks[block as usize];
                    if node == block.first as usize {
                        let members = block.least(&|lit| holds(values, lit));
                        values.extend(members);
                    }
                    continue;
                }
            };
            values.push(value);
        }
    }
}

/// The value of a literal.
#[inline]
pub(crate) fn holds(values: &[bool], lit: Lit) -> bool {
    values[node_of(lit)] != (lit & 1 == 1)
}

impl Block {
    /// Which members hold.
    pub fn least(&self, outside: &dyn Fn(Lit) -> bool) -> Vec<bool> {
        let mut members = vec![false; self.count as usize];
        let mut rules: Vec<&BlockRule> = self.rules.iter().filter(|rule| outside(rule.outside)).collect();
        loop {
            let before = rules.len();
            rules.retain(|rule| {
                let fires = rule.members.iter().all(|&member| members[member as usize]);
                if fires {
                    members[rule.head as usize] = true;
                }
                !fires
            });
            if rules.len() == before {
                return members;
            }
        }
    }
}
