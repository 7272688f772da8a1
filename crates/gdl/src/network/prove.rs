//! Small proofs about formulas: what follows from some literals by going along the conjunctions, both ways.
//!
//! Unit propagation: a true conjunction has true inputs; a false one whose other inputs are true has a false one.
//! It finds many contradictions, not all: what it finds is certain.

use super::dag::{Dag, Lit, Node, node_of};

/// Propagates values through formulas.
pub(crate) struct Prover<'a> {
    dag: &'a Dag,
    above: Vec<Vec<u32>>,
    values: Vec<Option<bool>>,
    trail: Vec<u32>,
    /// Steps that may still be taken.
    pub work: u64,
    /// Whether to go from inputs to conjunctions, too, which finds more and takes longer.
    pub thorough: bool,
}

impl<'a> Prover<'a> {
    pub fn new(dag: &'a Dag, work: u64) -> Prover<'a> {
        let mut above = vec![Vec::new(); dag.nodes.len()];
        for node in 0..dag.nodes.len() {
            dag.inputs(node).iter().for_each(|&lit| above[node_of(lit)].push(node as u32));
        }
        let mut values = vec![None; dag.nodes.len()];
        values[0] = Some(false);
        Prover { dag, above, values, trail: Vec::new(), work, thorough: true }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[node_of(lit)].map(|value| value != (lit & 1 == 1))
    }

    /// Whether these literals cannot all be true.
    pub fn contradict(&mut self, lits: &[Lit]) -> bool {
        let contradiction = !self.assume(lits);
        self.forget();
        contradiction
    }

    /// The value of a literal if others, assumed before, decide it.
    pub fn known(&self, lit: Lit) -> Option<bool> {
        self.value(lit)
    }

    pub fn forget(&mut self) {
        for node in self.trail.drain(..) {
            self.values[node as usize] = None;
        }
    }

    /// Makes literals true, and what follows; false if that is a contradiction.
    pub fn assume(&mut self, lits: &[Lit]) -> bool {
        let mut at = self.trail.len();
        if !lits.iter().all(|&lit| self.set(lit)) {
            return false;
        }
        while let Some(&node) = self.trail.get(at) {
            at += 1;
            if !self.look(node as usize) {
                return false;
            }
            let above = if self.thorough { self.above[node as usize].len() } else { 0 };
            for i in 0..above {
                let above = self.above[node as usize][i] as usize;
                if !self.look(above) {
                    return false;
                }
            }
        }
        true
    }

    fn set(&mut self, lit: Lit) -> bool {
        match self.value(lit) {
            Some(value) => value,
            None => {
                self.values[node_of(lit)] = Some(lit & 1 == 0);
                self.trail.push(node_of(lit) as u32);
                true
            }
        }
    }

    /// What follows at one conjunction.
    fn look(&mut self, node: usize) -> bool {
        let Node::And(..) = self.dag.nodes[node] else { return true };
        let dag = self.dag;
        let inputs = dag.inputs(node);
        if self.values[node] == Some(true) {
            self.work = self.work.saturating_sub(inputs.len() as u64);
            return inputs.iter().all(|&lit| self.set(lit));
        }
        if self.work == 0 {
            return true;
        }
        let mut open = None;
        for &lit in inputs {
            self.work = self.work.saturating_sub(1);
            match self.value(lit) {
                Some(true) => {}
                Some(false) => return self.set(2 * node as Lit + 1),
                None if open.is_some() => return true,
                None => open = Some(lit),
            }
        }
        match (open, self.values[node]) {
            (None, _) => self.set(2 * node as Lit),
            (Some(lit), Some(false)) => self.set(lit ^ 1),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dag::{Dag, not};
    use super::*;

    #[test]
    fn follows_conjunctions_both_ways() {
        let mut dag = Dag::new();
        let [a, b, c] = [0, 1, 2].map(|base| dag.base(base));
        let ab = dag.and(&mut vec![a, b]);
        let either = not(dag.and(&mut vec![not(ab), not(c)]));
        let mut prover = Prover::new(&dag, 1_000);
        assert!(prover.contradict(&[ab, not(a)]));
        assert!(prover.contradict(&[either, not(c), not(b)]));
        assert!(prover.contradict(&[a, b, not(either)]));
        assert!(!prover.contradict(&[either, not(b)]));
        assert!(prover.assume(&[either, not(b)]));
        assert_eq!([a, b, c].map(|lit| prover.known(lit)), [None, Some(false), Some(true)]);
        prover.forget();
        assert_eq!(prover.known(c), None);
    }
}
