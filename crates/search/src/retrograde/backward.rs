//! Values and distances in a graph of positions, from the ends of games backwards (retrograde analysis).
//!
//! A player can reach a score s from a position if it is the player's turn and *one* successor lies in the set R(s) of positions
//! from which s can be reached, or if it is the opponent's turn and *all* do. R(s) grows from the ends with a score of at least s,
//! one ply at a time. What R(s) has and R(t) has not, for the next better score t, has the value s, and the step in which a
//! position joins is its distance: the player hurries, the opponent holds out. This is done for the scores above 0 of one player,
//! the best first, then of the other. What joins no set has the value 0: both players can avoid to lose, if need be for ever.
//!
//! Time is linear in the moves: each edge is followed back once for each player.

use crate::watch::Watch;
use proofplay_core::{Player, Score};

/// The graph, with edges backwards.
#[derive(Default)]
pub struct Graph {
    /// By position: Second is to move.
    pub second: Bits,
    /// The scores of ends of games: node number n + i, where n is the number of positions, is any end with score number i.
    pub ends: Vec<Score>,
    /// By node, where its predecessors begin; and one more.
    pub starts: Vec<u32>,
    /// Predecessors; a position with two moves to a node is there twice.
    pub before: Vec<u32>,
}

/// A set of numbers.
#[derive(Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Puts number `i`, the next one, in or not.
    pub fn push(&mut self, i: usize, inside: bool) {
        if i.is_multiple_of(64) {
            super::positions::push(&mut self.0, 0);
        }
        self.0[i / 64] |= u64::from(inside) << (i % 64);
    }

    /// Whether number `i` is in the set.
    pub fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}

impl Graph {
    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.second.bytes() + (self.starts.capacity() + self.before.capacity()) * size_of::<u32>()
    }

    fn positions(&self) -> usize {
        self.starts.len() - 1 - self.ends.len()
    }

    fn predecessors(&self, node: u32) -> std::ops::Range<usize> {
        self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize
    }
}

/// The work backwards, which can be interrupted after any step.
pub struct Backward {
    /// By position: its value as far as it is known, in the view of First; 0 if not.
    values: Vec<i16>,
    /// By position: the plies to the end of the game where the value is not 0. Before that, the successors from which the player
    /// who is not to move cannot yet reach what they try to reach.
    plies: Vec<u32>,
    /// The scores that are yet to be reached, the next one last.
    scores: Vec<Score>,
    /// What has joined in the last step, and what joins in this one.
    joined: Vec<u32>,
    joining: Vec<u32>,
    /// How much of `joined` has been followed back.
    followed: usize,
    /// The plies of what joins now.
    ply: u32,
}

impl Backward {
    /// Nothing is known yet.
    pub fn new(graph: &Graph) -> Backward {
        let n = graph.positions();
        let mut plies = vec![0; n];
        graph.before.iter().for_each(|&position| plies[position as usize] += 1);
        let mut scores: Vec<Score> = graph.ends.iter().copied().filter(|end| end.0 != 0).collect();
        // First's are the last ones, so they come first.
        scores.sort_by_key(|end| (end.winner() == Some(Player::First), end.0.abs()));
        Backward {
            values: vec![0; n],
            plies,
            scores,
            joined: Vec::new(),
            joining: Vec::new(),
            followed: 0,
            ply: 0,
        }
    }

    /// Bytes for this many positions, the lists at their longest included.
    pub fn bytes_for(positions: usize) -> usize {
        positions * (size_of::<i16>() + 2 * size_of::<u32>())
    }

    /// Goes on until all is known or the search must end; returns whether all is known.
    pub fn go_on(&mut self, graph: &Graph, watch: &mut Watch) -> bool {
        while let Some(&score) = self.scores.last() {
            if self.ply == 0 {
                let end = graph.ends.iter().position(|&end| end == score).expect("an end of the graph");
                self.joined = vec![(graph.positions() + end) as u32];
                (self.followed, self.ply) = (0, 1);
            }
            while !self.joined.is_empty() {
                while let Some(&node) = self.joined.get(self.followed) {
                    if watch.step(1) {
                        return false;
                    }
                    self.followed += 1;
                    self.follow(graph, node, score);
                }
                self.joined.clear();
                std::mem::swap(&mut self.joined, &mut self.joining);
                (self.followed, self.ply) = (0, self.ply + 1);
            }
            self.scores.pop();
            self.ply = 0;
        }
        (self.joined, self.joining) = Default::default();
        true
    }

    /// Follows all edges back from a node that has joined R(`score`).
    #[inline]
    fn follow(&mut self, graph: &Graph, node: u32, score: Score) {
        for &position in &graph.before[graph.predecessors(node)] {
            let i = position as usize;
            if self.values[i] != 0 {
                continue;
            }
            let chooses = graph.second.has(i) == (score.0 < 0);
            if !chooses {
                self.plies[i] -= 1;
            }
            if chooses || self.plies[i] == 0 {
                (self.values[i], self.plies[i]) = (score.0, self.ply);
                self.joining.push(position);
            }
        }
    }

    /// The value of a position when all is known, and the plies to the end of the game unless nobody wins.
    pub fn answer(&self, position: u32) -> (Score, Option<u32>) {
        let value = Score(self.values[position as usize]);
        (value, value.winner().map(|_| self.plies[position as usize]))
    }
}
