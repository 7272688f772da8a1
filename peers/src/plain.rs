//! The limit line: plain UCT as one would write it in an afternoon. An arena of 32-byte nodes, children side by side,
//! uniform playouts, no proofs, no options.

use proofplay_core::{Player, Position, Rng};

struct Node {
    sum: f64,
    visits: u32,
    parent: u32,
    first: u32,
    count: u32,
    mv: u8,
}

const _: () = assert!(size_of::<Node>() == 32);

/// A tree of plain UCT.
pub struct Uct<P> {
    root: P,
    nodes: Vec<Node>,
    rng: Rng,
    buf: Vec<u8>,
    c: f64,
}

impl<P: Position<Move = u8>> Uct<P> {
    pub fn new(root: P, c: f64, seed: u64) -> Self {
        let nodes = vec![Node { sum: 0.0, visits: 0, parent: u32::MAX, first: 0, count: 0, mv: 0 }];
        Uct { root, nodes, rng: Rng::new(seed), buf: Vec::new(), c }
    }

    pub fn run(&mut self, iterations: u64) {
        for _ in 0..iterations {
            self.iterate();
        }
    }

    pub fn root_visits(&self) -> u32 {
        self.nodes[0].visits
    }

    fn iterate(&mut self) {
        let (mut pos, mut id) = (self.root.clone(), 0usize);
        let score = loop {
            if self.nodes[id].count == 0 {
                if let Some(score) = pos.outcome() {
                    break score;
                }
                if self.nodes[id].visits == 0 && id != 0 {
                    break pos.playout(&mut self.rng, &mut self.buf, &mut |_, _| ());
                }
                self.expand(id, &pos);
            }
            id = self.select(id, pos.turn());
            pos.play(self.nodes[id].mv);
        };
        let reward = f64::from(score.0);
        loop {
            let node = &mut self.nodes[id];
            node.visits += 1;
            node.sum += reward;
            if node.parent == u32::MAX {
                return;
            }
            id = node.parent as usize;
        }
    }

    fn expand(&mut self, id: usize, pos: &P) {
        self.buf.clear();
        pos.moves(&mut self.buf);
        let first = self.nodes.len() as u32;
        let parent = id as u32;
        let nodes = self.buf.drain(..).map(|mv| Node { sum: 0.0, visits: 0, parent, first: 0, count: 0, mv });
        self.nodes.extend(nodes);
        self.nodes[id].first = first;
        self.nodes[id].count = self.nodes.len() as u32 - first;
    }

    fn select(&self, id: usize, mover: Player) -> usize {
        let node = &self.nodes[id];
        let k = self.c * f64::from(node.visits.max(1)).ln().sqrt();
        let sign = if mover == Player::First { 1.0 } else { -1.0 };
        let (mut best, mut largest) = (0, f64::NEG_INFINITY);
        let first = node.first as usize;
        for (i, child) in self.nodes[first..first + node.count as usize].iter().enumerate() {
            if child.visits == 0 {
                return first + i;
            }
            let n = f64::from(child.visits);
            let value = sign * child.sum / n + k / n.sqrt();
            if value > largest {
                (best, largest) = (i, value);
            }
        }
        first + best
    }
}
