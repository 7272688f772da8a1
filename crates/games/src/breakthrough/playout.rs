//! Random games of Breakthrough at full speed, on lists of pawns that live for one playout.
//!
//! A pair of a pawn and a direction is drawn until it is a legal step: all legal steps are equally
//! likely. The foremost pawn always has one, and about every second pair is legal, so this is
//! faster than counting the steps.

use super::{Board, CELLS, Step};
use crate::board::{OFF, Word};
use proofplay_core::{Player, Rng, Score};

/// What stands on a cell: the index of its owner plus one, or one of these.
const EMPTY: u8 = 0;
const OFF_BOARD: u8 = 3;

/// `LEGAL[player][side]`: which of the above, as bits, a player may step on to the left, straight
/// and to the right.
const LEGAL: [[u8; 3]; 2] = [[0b101, 0b001, 0b101], [0b011, 0b001, 0b011]];

struct Pawns {
    /// The cells of the pawns of First and of Second; a side has at most half of the board.
    cells: [[u8; 64]; 2],
    len: [u8; 2],
    /// What stands on each cell. 256 entries, so that any byte is an index.
    at: [u8; 256],
    /// Where in its list the pawn on each cell is; undefined where there is none.
    place: [u8; 256],
}

impl Pawns {
    fn new<W: Word>(pos: &Board<W>) -> Pawns {
        let mut pawns = Pawns { cells: [[0; 64]; 2], len: [0; 2], at: [EMPTY; 256], place: [0; 256] };
        pawns.at[usize::from(OFF)] = OFF_BOARD;
        for player in 0..2 {
            for cell in pos.pawns[player].cells() {
                pawns.at[cell as usize] = player as u8 + 1;
                pawns.put(player, pawns.len[player], cell as u8);
                pawns.len[player] += 1;
            }
        }
        pawns
    }

    /// Makes `cell` the place of pawn number `n`.
    #[inline]
    fn put(&mut self, player: usize, n: u8, cell: u8) {
        self.cells[player][usize::from(n) % 64] = cell;
        self.place[usize::from(cell)] = n;
    }

    /// Takes the pawn on `cell` out of its list.
    #[inline]
    fn take(&mut self, player: usize, cell: u8) {
        self.len[player] -= 1;
        let last = self.cells[player][usize::from(self.len[player]) % 64];
        self.put(player, self.place[usize::from(cell)], last);
    }
}

/// Plays uniformly random steps to the end of a game that is not over.
#[inline]
pub(super) fn playout<W: Word>(
    pos: &mut Board<W>,
    rng: &mut Rng,
    trace: &mut impl FnMut(Player, Step),
) -> Score {
    let grid = pos.grid;
    let mut pawns = Pawns::new(pos);
    let last = grid.cols * (grid.rows - 1);
    let mut mover = pos.mover;
    let winner = loop {
        let player = mover.index();
        // The next cells below start at 0 in `eight`, those above at 5.
        let ahead = if mover == Player::First { 5 } else { 0 };
        let (n, from, to, side) = loop {
            let pair = rng.below(3 * u32::from(pawns.len[player]));
            let (n, side) = (pair as u8 / 3, pair as usize % 3);
            let from = pawns.cells[player][usize::from(n) % 64];
            let to = grid.eight(from)[ahead + side];
            if LEGAL[player][side] >> pawns.at[usize::from(to)] & 1 != 0 {
                break (n, from, to, side);
            }
        };
        trace(mover, Step::from(from) + side as Step * CELLS);
        if pawns.at[usize::from(to)] != EMPTY {
            pawns.take(1 - player, to);
        }
        pawns.at[usize::from(from)] = EMPTY;
        pawns.at[usize::from(to)] = player as u8 + 1;
        pawns.put(player, n, to);
        let through = match mover {
            Player::First => u32::from(to) >= last,
            Player::Second => u32::from(to) < grid.cols,
        };
        if through || pawns.len[1 - player] == 0 {
            break mover;
        }
        mover = !mover;
    };
    for player in 0..2 {
        let cells = &pawns.cells[player][..usize::from(pawns.len[player])];
        pos.pawns[player] = cells.iter().fold(W::EMPTY, |set, &cell| set | W::bit(u32::from(cell)));
    }
    pos.mover = !winner;
    Score::win_of(winner)
}
