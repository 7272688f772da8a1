//! The settings of a Monte-Carlo tree search as plain data.

use super::final_move::FinalMove;
use super::leaf::{Leaf, Playout};
use super::proof::{Intervals, Proof};
use super::reward::Reward;
use super::select::{Explore, Selection};

/// All settings of a Monte-Carlo tree search, except its limits.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Config {
    /// Which child.
    pub selection: Selection,
    /// The facts of the game are used; below the root, only their set of moves that contains a best
    /// one is searched.
    pub facts: bool,
    /// What a leaf is worth.
    pub leaf: Leaf,
    /// What is proven.
    pub proof: Proof,
    /// What a simulation is worth.
    pub reward: Reward,
    /// What is played in the end.
    pub final_move: FinalMove,
    /// How the tree grows.
    pub growth: Growth,
    /// What goes up.
    pub backup: Backup,
    /// Shallow minimax searches in the tree.
    pub hybrids: Hybrids,
    /// Simulations to run if the limits have no number; 0: only the limits count.
    pub playouts: u64,
    /// Threads to use, if more than the resources have.
    pub threads: usize,
}

/// How the tree grows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// Expand a leaf at a visit after this many earlier ones.
    pub after: u32,
    /// All children are checked for ends of the game when they are made. Otherwise a child is
    /// checked when a simulation first reaches it, one node a simulation.
    pub all: bool,
    /// When memory is full, nodes that are done or seldom visited lose their children to make room;
    /// otherwise leaves stay leaves.
    pub recycle: bool,
}

/// What is backed up besides the plain reward. All off in the papers.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Backup {
    /// Rewards are clamped to what is certain at every node. (Future work of \[CS10\].)
    pub clamp: bool,
    /// From a proven node upwards, its value is backed up instead of the simulation's reward.
    pub proven: bool,
}

/// Baselines: MCTS-minimax hybrids of Baier & Winands \[BW15\]; see also `Playout::look_ahead`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hybrids {
    /// Depth of a minimax search when a leaf gets its children (MCTS-MS); 0: none.
    pub select: u32,
    /// Depth of a minimax search when a child turns out lost but the node is not proven (MCTS-MB);
    /// 0: none.
    pub backup: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            selection: Selection {
                explore: Explore::Log,
                c: 0.7,
                fpu: f32::INFINITY,
                reduce: 0.0,
                rave: 0.0,
                bias: 0.0,
                threshold: 0,
            },
            facts: false,
            leaf: Leaf::Playout(Playout::default()),
            proof: Proof::Bounds(Intervals::default()),
            reward: Reward::default(),
            final_move: FinalMove::Visits,
            growth: Growth { after: 1, all: true, recycle: true },
            backup: Backup::default(),
            hybrids: Hybrids::default(),
            playouts: 0,
            threads: 0,
        }
    }
}

impl Config {
    /// Bounds how far the search looks ahead at every step (`ms`, `mb`, `mr`); returns whether it
    /// looks ahead at all.
    pub fn look_ahead_at_most(&mut self, depth: u32) -> bool {
        let mut depths = vec![&mut self.hybrids.select, &mut self.hybrids.backup];
        if let Leaf::Playout(playout) = &mut self.leaf {
            depths.push(&mut playout.look_ahead);
        }
        let looks = depths.iter().any(|own| **own > 0);
        depths.into_iter().for_each(|own| *own = depth.min(*own));
        looks
    }
}
