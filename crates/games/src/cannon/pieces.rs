//! The pieces on their points, and where they can go: sets of points that are left by the same
//! number of points.
//!
//! Point (c, r) is bit `11 r + c`: an unused bit lies between two rows, so that every direction is
//! one shift wherever it starts, and what leaves the board falls on an unused bit. A line of points
//! is followed point by point, each of which must be on the board.

use crate::board::Word;
use proofplay_core::Player;

/// Points in a row, and rows.
pub(super) const SIZE: u32 = 10;
/// From a point to the one above it.
const UP: i32 = 11;
/// One more than the highest point.
pub(super) const POINTS: usize = (SIZE * UP as u32) as usize;

/// All points.
pub(super) const BOARD: u128 = {
    let (mut rows, mut r) = (0, 0);
    while r < SIZE {
        rows |= ((1 << SIZE) - 1) << (r * UP as u32);
        r += 1;
    }
    rows
};

/// The point in column `c` and row `r`.
pub(super) fn point(c: u32, r: u32) -> u32 {
    r * UP as u32 + c
}

/// Column and row of a point.
pub(super) fn place(point: u32) -> (u32, u32) {
    (point % UP as u32, point / UP as u32)
}

/// The row where a player's town is.
pub(super) fn back_row(player: Player) -> u128 {
    let row = if player == Player::First { 0 } else { SIZE - 1 };
    ((1 << SIZE) - 1) << point(0, row)
}

/// The first and the last column.
pub(super) const CORNERS: u128 = {
    let top = (SIZE - 1) * UP as u32;
    1 | 1 << (SIZE - 1) | 1 << top | 1 << (top + SIZE - 1)
};

/// Left and right exchanged.
pub(super) fn mirrored(at: u32) -> u32 {
    let (c, r) = place(at);
    point(SIZE - 1 - c, r)
}

/// How many points apart the ends of a move are: 1 to 3.
#[inline]
pub(super) fn distance(from: u32, to: u32) -> u32 {
    match from.abs_diff(to) {
        1 | 10 | 11 | 12 => 1,
        2 | 20 | 22 | 24 => 2,
        _ => 3,
    }
}

/// The set moved by `by` bits.
#[inline(always)]
fn shifted(set: u128, by: i32) -> u128 {
    if by >= 0 { set << by } else { set >> -by }
}

/// The eight neighbours of a set; unused bits may be among them.
#[inline]
fn around(set: u128) -> u128 {
    let row = set << 1 | set | set >> 1;
    row << UP | row | row >> UP
}

/// Soldiers and towns of both players.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pieces {
    pub soldiers: [u128; 2],
    /// A single point each, or nothing: not placed yet, or taken.
    pub towns: [u128; 2],
}

impl Pieces {
    /// Soldiers and town of a player.
    #[inline]
    pub fn of(&self, player: Player) -> u128 {
        self.soldiers[player.index()] | self.towns[player.index()]
    }

    #[inline]
    pub fn empty(&self) -> u128 {
        BOARD & !(self.of(Player::First) | self.of(Player::Second))
    }

    /// Visits, for all moves that put no town: from where, and how many bits further. Captures are
    /// among the first. `overshoot`: see the rules.
    #[inline]
    pub fn moves(&self, mover: Player, overshoot: bool, visit: &mut impl FnMut(u128, i32)) {
        match mover {
            Player::First => self.moves_towards::<1>(mover, overshoot, visit),
            Player::Second => self.moves_towards::<-1>(mover, overshoot, visit),
        }
    }

    /// [`Pieces::moves`] when forward is up (1) or down (-1): a constant, so that all shifts are.
    #[inline]
    fn moves_towards<const F: i32>(&self, mover: Player, overshoot: bool, visit: &mut impl FnMut(u128, i32)) {
        let (own, enemy, empty) = (self.soldiers[mover.index()], self.of(!mover), self.empty());
        self.strikes::<F>(own, enemy, visit);
        self.cannons(own, empty, &mut |front, by| {
            self.shots(front, by, enemy, empty, overshoot, visit);
            visit(shifted(front, -2 * by), 3 * by);
        });
        for by in [F * UP - 1, F * UP, F * UP + 1] {
            visit(own & shifted(empty, -by), by);
        }
        let near = own & around(self.soldiers[(!mover).index()]);
        if near != 0 {
            for by in [-F * UP - 1, -F * UP, -F * UP + 1] {
                visit(near & shifted(empty, -by) & shifted(empty, -2 * by), 2 * by);
            }
        }
    }

    /// Visits the captures of single soldiers on `targets`.
    #[inline]
    fn strikes<const F: i32>(&self, own: u128, targets: u128, visit: &mut impl FnMut(u128, i32)) {
        if own & around(targets) != 0 {
            for by in [F * UP - 1, F * UP, F * UP + 1, -1, 1] {
                visit(own & shifted(targets, -by), by);
            }
        }
    }

    /// Visits the front soldiers of all cannons with an empty point before them, direction by
    /// direction.
    #[inline]
    fn cannons(&self, own: u128, empty: u128, visit: &mut impl FnMut(u128, i32)) {
        for axis in [1, UP - 1, UP, UP + 1] {
            // The middle ones of three.
            let middle = own & shifted(own, axis) & shifted(own, -axis);
            if middle != 0 {
                for by in [axis, -axis] {
                    let front = shifted(middle, by) & shifted(empty, -by);
                    if front != 0 {
                        visit(front, by);
                    }
                }
            }
        }
    }

    /// Visits the shots of the cannons with these front soldiers in this direction at `targets`.
    #[inline]
    fn shots(
        &self,
        front: u128,
        by: i32,
        targets: u128,
        empty: u128,
        overshoot: bool,
        visit: &mut impl FnMut(u128, i32),
    ) {
        visit(front & shifted(targets, -2 * by), 2 * by);
        let second = if overshoot { BOARD } else { empty };
        visit(front & shifted(second, -2 * by) & shifted(targets, -3 * by), 3 * by);
    }

    /// Whether a player has a soldier that can step forward.
    #[inline]
    pub fn can_step(&self, player: Player) -> bool {
        let empty = self.empty();
        let beside = empty | empty << 1 | empty >> 1;
        let forward = if player == Player::First { beside >> UP } else { beside << UP };
        self.soldiers[player.index()] & forward != 0
    }

    /// Whether a player could take the opponent's town if it were that player's turn.
    #[inline(never)]
    pub fn can_take_town(&self, player: Player, overshoot: bool) -> bool {
        let (own, town, empty) = (self.soldiers[player.index()], self.towns[(!player).index()], self.empty());
        let mut taken = 0;
        let mut visit = |set, _| taken |= set;
        match player {
            Player::First => self.strikes::<1>(own, town, &mut visit),
            Player::Second => self.strikes::<-1>(own, town, &mut visit),
        }
        self.cannons(own, empty, &mut |front, by| {
            self.shots(front, by, town, empty, overshoot, &mut visit);
        });
        taken != 0
    }

    /// Makes a move of `mover`: puts the town if both ends are the same, else a soldier moves or a
    /// cannon shoots.
    #[inline]
    pub fn play(&mut self, mover: Player, from: u32, to: u32) {
        let (own, enemy) = (mover.index(), (!mover).index());
        let target = u128::bit(to);
        if from == to {
            self.towns[own] = target;
            return;
        }
        let captures = self.of(!mover) & target != 0;
        self.soldiers[enemy] &= !target;
        self.towns[enemy] &= !target;
        if !(captures && distance(from, to) > 1) {
            self.soldiers[own] ^= u128::bit(from) | target;
        }
    }

    /// How many cannons a player has, those that cannot shoot or slide included.
    pub fn count_cannons(&self, player: Player) -> u32 {
        let own = self.soldiers[player.index()];
        let middles = [1, UP - 1, UP, UP + 1].map(|axis| own & shifted(own, axis) & shifted(own, -axis));
        middles.into_iter().map(Word::count).sum()
    }
}
