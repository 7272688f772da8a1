//! Move order: the table's move, then the hints of the game, then the killers of this ply, then
//! history.
//!
//! Killer moves: Akl & Newborn 1977; history heuristic: Schaeffer 1989 \[Sch89\]. Both identify a
//! move by its slot.

use proofplay_core::{Hints, Player, Position};

/// Move statistics of one search.
pub struct Ordering {
    slots: usize,
    /// `history[player][slot]`: how much a move cut elsewhere.
    history: Vec<u32>,
    /// Two slots per ply that cut there last.
    killers: Vec<[u32; 2]>,
    /// The hints of the game for the moves being sorted.
    promise: Vec<u8>,
}

const NONE: u32 = u32::MAX;
/// Upper limit of history numbers.
const MOST: u32 = 1 << 22;

/// Sorts by score, the highest first. Stable in effect: ties stay in the order of the moves.
fn best_first(order: &mut [(u32, u16)]) {
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
}

impl Ordering {
    /// Empty statistics, sized for the moves of `pos`.
    pub fn new<P: Position>(pos: &P) -> Ordering {
        Ordering {
            slots: pos.slots(),
            history: vec![0; 2 * pos.slots()],
            killers: Vec::new(),
            promise: Vec::new(),
        }
    }

    /// Sorts `moves` of `pos`, best guess first. `order` comes back as the indices of the moves
    /// before sorting.
    ///
    /// # Panics
    /// With more moves than a [`Position`] may have.
    pub fn sort<P: Position>(
        &mut self,
        pos: &P,
        ply: usize,
        table_move: Option<u16>,
        hints: &dyn Hints<P>,
        moves: &[P::Move],
        order: &mut Vec<(u32, u16)>,
    ) {
        assert!(moves.len() <= usize::from(u16::MAX), "{} moves: a position may have 65,535", moves.len());
        if moves.len() == 1 {
            order.push((0, 0));
            return;
        }
        let start = order.len();
        if self.promise.len() < moves.len() {
            self.promise.resize(moves.len(), 0);
        }
        let promises = hints.order(pos, moves, &mut self.promise[..moves.len()]);
        let killers = self.killers.get(ply).copied().unwrap_or([NONE; 2]);
        for (i, &mv) in moves.iter().enumerate() {
            let learnt = if self.slots == 0 {
                0
            } else {
                let slot = pos.slot(mv);
                match killers.iter().position(|&k| k == slot as u32) {
                    Some(i) => MOST + 2 - i as u32,
                    None => self.history[pos.turn().index() * self.slots + slot],
                }
            };
            let promise = if promises { u32::from(self.promise[i]) } else { 0 };
            let score = if table_move == Some(i as u16) { u32::MAX - 1 } else { promise << 23 | learnt };
            order.push((score, i as u16));
        }
        best_first(&mut order[start..]);
    }

    /// Learns that `mv` of `pos` cut at `ply`, above a subtree of `nodes` nodes.
    pub fn cut<P: Position>(&mut self, pos: &P, ply: usize, mv: P::Move, nodes: u64) {
        if self.slots == 0 {
            return;
        }
        let (player, slot): (Player, usize) = (pos.turn(), pos.slot(mv));
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NONE; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != slot as u32 {
            *killers = [slot as u32, killers[0]];
        }
        let entry = &mut self.history[player.index() * self.slots + slot];
        // Large subtrees count more, but only by their logarithm; old merits fade when the numbers
        // get large.
        *entry += 1 + nodes.max(1).ilog2();
        if *entry > MOST {
            self.history.iter_mut().for_each(|entry| *entry /= 2);
        }
    }
}
