//! The way from the root, where positions can repeat, and what results lean on.
//!
//! Kishimoto & Müller, "A general solution to the graph history interaction problem", AAAI 2004 \[KM04\].
//!
//! Endless play is a draw, so a player who is to win by a score must do without repetition: a position that occurs again on the
//! path counts against that player, the *hunter*. What the hunter reaches is true on any path. That the hunter reaches nothing may
//! *lean* on a position of the path, and then it is kept with the path, under a key of its own, and is not used on another one.
//! Once the highest position that a result leans on is itself such a result, that one leans on nothing any more: the opponent,
//! who comes back to it again and again, stays in a closed set, and the hunter does not win from any position of it.
//!
//! A position deeper than [`Path::most`] counts against the hunter, too, and leans on the *ground* above the root. What leans on
//! the ground is never a result; the search goes on with a greater depth.

use proofplay_core::{Key, mix};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What a solved position leans on: the ply of the highest one on the path, plus 1; [`GROUND`], or [`NOTHING`].
pub type Lean = u32;
/// The greatest depth.
pub const GROUND: Lean = 0;
/// The result is true on any path.
pub const NOTHING: Lean = Lean::MAX;

/// The positions from the root to where the search is.
#[derive(Default)]
pub struct Path {
    plies: HashMap<Key, u32, BuildHasherDefault<LowBits>>,
    /// By ply, what tells this path from others.
    keys: Vec<Key>,
    /// Positions this deep are not searched.
    most: usize,
}

impl Path {
    /// The least and the greatest depth.
    pub const DEPTHS: [usize; 2] = [48, 768];

    /// Begins again at a root, and goes this deep.
    pub fn begin(&mut self, most: usize) {
        self.plies.clear();
        self.keys.clear();
        self.keys.push(mix(3 << 64 | most as Key));
        self.most = most;
    }

    /// Where positions are too deep.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Goes to a position, the next one down.
    pub fn enter(&mut self, key: Key) {
        let ply = self.plies.len() as u32;
        self.plies.insert(key, ply);
        self.keys.push(mix(self.keys[ply as usize] ^ key));
    }

    /// Goes back up from it.
    pub fn leave(&mut self, key: Key) {
        self.plies.remove(&key);
        self.keys.pop();
    }

    /// What a position leans on that is on the path already.
    #[inline]
    pub fn lean(&self, key: Key) -> Option<Lean> {
        self.plies.get(&key).map(|ply| ply + 1)
    }

    /// The key of a result on this path, `ply` plies down, given that of its position.
    #[inline]
    pub fn key(&self, key: Key, ply: usize) -> Key {
        key ^ self.keys[ply]
    }
}

/// Keys are random already.
#[derive(Default)]
pub struct LowBits(u64);

impl Hasher for LowBits {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers")
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
