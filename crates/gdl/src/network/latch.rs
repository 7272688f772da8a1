//! What can no longer change, and which goals can therefore no longer be reached.
//!
//! Some base propositions keep their values whatever is played from here on: a stone that is never taken away, and with it the
//! cell that nobody else can fill. They are found all at once: begin with every base proposition, and take away those whose
//! formula does not follow from the values of the others that are left, until nothing changes. What is left stays: if all of it has
//! its values in a position, it has them in the next one, whatever the rest is and whatever is played.
//!
//! A move that cannot be legal while all of that stays is not made, so what it would change stays, too.
//! A goal that cannot hold while all of that stays will not be reached.

use super::build::Formulas;
use super::dag::{Lit, Node};
use super::layout::cone;

/// Rounds in which something is taken away. If they are not enough, nothing is known.
const ROUNDS: usize = 64;

const MAY: u8 = 1;
const MUST: u8 = 2;

/// The formulas that are asked.
#[derive(Clone, Debug)]
pub(crate) struct Latch {
    /// Nodes of what is legal, of the next position, and of goals, in order.
    legal: Vec<u32>,
    next: Vec<u32>,
    goals: Vec<u32>,
    /// Base propositions that may stay: all but those of the clock.
    stays: Vec<bool>,
}

/// Memory for questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    nodes: Vec<u8>,
    stays: Vec<bool>,
    /// Moves that may be legal.
    does: Vec<bool>,
}

impl Latch {
    pub fn new(formulas: &Formulas, clock: &[u32]) -> Latch {
        let legal = cone(&formulas.dag, formulas.legal.iter().copied());
        let next = cone(&formulas.dag, formulas.next.iter().copied());
        let goals = formulas.goals.iter().flatten().map(|goal| goal.1);
        let mut stays = vec![true; formulas.bases.len()];
        clock.iter().for_each(|&base| stays[base as usize] = false);
        Latch { legal, next, goals: cone(&formulas.dag, goals), stays }
    }

    /// Calls `f` with role and number of every goal that may still hold at the end; false, without a call, if that is not known.
    pub fn possible(
        &self,
        formulas: &Formulas,
        now: &[bool],
        scratch: &mut Scratch,
        f: &mut dyn FnMut(usize, usize),
    ) -> bool {
        let Scratch { nodes, stays, does } = scratch;
        nodes.clear();
        nodes.resize(formulas.dag.nodes.len(), 0);
        stays.clone_from(&self.stays);
        let mut rounds = 0;
        loop {
            evaluate(formulas, &self.legal, (now, stays, &[]), nodes);
            does.clear();
            does.extend(formulas.legal.iter().map(|&lit| holds(nodes, lit, MAY)));
            evaluate(formulas, &self.next, (now, stays, does), nodes);
            let mut changed = false;
            for (base, stays) in stays.iter_mut().enumerate().filter(|(_, stays)| **stays) {
                let next = formulas.next[base];
                let kept = if now[base] { holds(nodes, next, MUST) } else { !holds(nodes, next, MAY) };
                changed |= !kept;
                *stays = kept;
            }
            if !changed {
                break;
            }
            rounds += 1;
            if rounds == ROUNDS {
                return false;
            }
        }
        evaluate(formulas, &self.goals, (now, stays, does), nodes);
        for (role, goals) in formulas.goals.iter().enumerate() {
            for (number, &(_, lit)) in goals.iter().enumerate() {
                if holds(nodes, lit, MAY) {
                    f(role, number);
                }
            }
        }
        true
    }
}

/// Whether a literal may, or must, hold.
#[inline]
fn holds(nodes: &[u8], lit: Lit, how: u8) -> bool {
    let node = nodes[(lit >> 1) as usize];
    match lit & 1 {
        0 => node & how != 0,
        // A negation may hold where its node need not, and must where it may not.
        _ => node & (how ^ MAY ^ MUST) == 0,
    }
}

/// Of each node, whether it may and whether it must hold while some base propositions (the second list) stay as they are now (the
/// first) and only some moves (the third) can be made.
fn evaluate(
    formulas: &Formulas,
    which: &[u32],
    (now, stays, does): (&[bool], &[bool], &[bool]),
    nodes: &mut [u8],
) {
    let dag = &formulas.dag;
    for &node in which {
        let at = node as usize;
        nodes[at] = match dag.nodes[at] {
            Node::False => 0,
            Node::Does(action) => u8::from(does.get(action as usize) == Some(&true)) * MAY,
            Node::Base(base) if stays[base as usize] => {
                if now[base as usize] {
                    MAY | MUST
                } else {
                    0
                }
            }
            Node::Base(_) => MAY,
            Node::And(..) => {
                let mut value = MAY | MUST;
                for &lit in dag.inputs(at) {
                    let node = nodes[(lit >> 1) as usize];
                    // The bits of a negation are those of the node, turned over and exchanged.
                    let flipped = (!node & MAY) << 1 | (!node & MUST) >> 1;
                    value &= if lit & 1 == 0 { node } else { flipped };
                    if value == 0 {
                        break;
                    }
                }
                value
            }
            Node::Member(block) => {
                let block = &dag.blocks[block as usize];
                if node == block.first {
                    let may = block.least(&|lit| holds(nodes, lit, MAY));
                    let must = block.least(&|lit| holds(nodes, lit, MUST));
                    for (at, (may, must)) in (block.first as usize..).zip(may.into_iter().zip(must)) {
                        nodes[at] = (u8::from(may) * MAY) | (u8::from(must) * MUST);
                    }
                }
                continue;
            }
        };
    }
}
