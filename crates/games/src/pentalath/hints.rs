//! Hints for Pentalath: rows that can still become long enough.

use super::{Board, SWAP, Stone, hexagon};
use crate::board::Word;
use proofplay_core::{Hints, Player, Position};

/// The hints of Pentalath.
#[derive(Copy, Clone, Debug)]
pub struct OpenRows;

/// How much more an open row is worth with one more stone. Untuned.
const GROWTH: f32 = 4.0;

/// The normalizer of the quality: the inverse of half a stone, times this, is below 1.
const NORMALIZER: f32 = 0.4;

/// What an open row with this many stones is worth: 0 without a stone, then 1, 4, 16 …
fn worth(stones: u32) -> f32 {
    if stones == 0 { 0.0 } else { GROWTH.powi(stones as i32 - 1) }
}

impl OpenRows {
    /// What the open rows of a player are worth: all rows of k cells without an enemy stone.
    fn open<W: Word>(pos: &Board<W>, player: Player) -> f32 {
        let [own, other] = [player, !player].map(|player| pos.stones[player.index()]);
        let rows = pos.hexagon.windows.iter().filter(|&&row| (row & other).is_empty());
        rows.map(|&row| worth((row & own).count())).sum()
    }

    /// The most stones side by side of a player in a row of k cells without an enemy stone.
    fn longest<W: Word>(pos: &Board<W>, player: Player) -> u32 {
        let [own, other] = [player, !player].map(|player| pos.stones[player.index()]);
        let rows = pos.hexagon.windows.iter().filter(|&&row| (row & other).is_empty());
        let run = |row: &W| {
            // A row lists its cells in order.
            let (mut longest, mut run) = (0, 0);
            for cell in row.cells() {
                run = if own.has(cell) { run + 1 } else { 0 };
                longest = longest.max(run);
            }
            longest
        };
        rows.map(run).max().unwrap_or(0)
    }
}

impl<W: Word> Hints<Board<W>> for OpenRows {
    /// The open rows of First against those of Second: (f - s) / (f + s + 1), the mover's a half
    /// more, since the mover extends one of them next. Counting rows that are still open is the
    /// usual evaluation of games of this kind; the numbers are ours.
    fn value(&self, pos: &Board<W>) -> f32 {
        if let Some(score) = pos.outcome() {
            return f32::from(score.0);
        }
        let weight = |player| if pos.mover == player { 1.5 } else { 1.0 };
        let [first, second] = Player::BOTH.map(|player| weight(player) * OpenRows::open(pos, player));
        (first - second) / (first + second + 1.0)
    }

    /// What a cell adds to own open rows and takes from those of the opponent, and one for any cell.
    fn weights(&self, pos: &Board<W>, moves: &[Stone], out: &mut [f32]) {
        let mut cells = [1.0; hexagon::BITS];
        let (own, other) = (pos.own(), pos.other());
        for &row in &pos.hexagon.windows {
            let [mine, theirs] = [own, other].map(|stones| (row & stones).count());
            if mine == 0 || theirs == 0 {
                let gain = worth(mine + 1) + worth(theirs);
                (row & !(own | other)).cells().for_each(|cell| cells[cell as usize] += gain);
            }
        }
        for (&mv, weight) in moves.iter().zip(out) {
            *weight = if mv == SWAP { 1.0 } else { cells[usize::from(mv)] };
        }
    }

    /// The inverse of the longest row of the loser that can be extended to k (Pepels et al.
    /// \[PTLW14\], section 6.1). A loser without any counts as having half a stone.
    fn quality(&self, end: &Board<W>) -> f32 {
        // Only the opponent of the mover can have won.
        NORMALIZER / (OpenRows::longest(end, end.mover) as f32).max(0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pentalath, Setup};
    use super::*;
    use proofplay_core::Game;

    fn game(k: u32) -> Pentalath<u64> {
        Pentalath::new(Setup { size: 3, k, swap: false })
    }

    /// By hand on side 3. B has two stones in a row that can become three; two that cannot, since W
    /// is on a3 and only a1 is left, which is no three; none at all.
    #[test]
    fn quality_is_the_inverse_of_the_longest_open_row() {
        let quality = |text| game(3).hints().quality(&game(3).parse(text).unwrap());
        assert_eq!(quality(".../bb../www../..../... b"), NORMALIZER / 2.0);
        assert_eq!(quality("b../..../www../..../..b b"), NORMALIZER);
        assert_eq!(quality(".../..../www../..../... b"), NORMALIZER / 0.5);
        // Side 2: B's stones are next to each other, but each of their lines of three meets W or is
        // short.
        let two = Pentalath::<u64>::new(Setup { size: 2, k: 3, swap: false });
        let end = two.parse("b./www/.b b").unwrap();
        assert_eq!(two.hints().quality(&end), NORMALIZER / 0.5);
    }

    /// Side 2, K = 3: three rows through the middle b2. W there with B to move: three rows with a
    /// stone, 3 / (3 + 1). B on a1 then closes one: 2 rows of W, none of B.
    #[test]
    fn worked_values() {
        let two = Pentalath::<u64>::new(Setup { size: 2, k: 3, swap: false });
        let value = |text| two.hints().value(&two.parse(text).unwrap());
        assert_eq!(value("../.../.. w"), 0.0);
        assert_eq!(value("../.w./.. b"), 3.0 / 4.0);
        assert_eq!(value("b./.w./.. w"), 3.0 / 4.0);
        assert_eq!(value("w./.b./.. w"), -2.0 / 3.0);
        assert_eq!(value("b./www/.b b"), 1.0);
    }

    /// The cell that completes a row weighs most, then the one that stops a row.
    #[test]
    fn weights_complete_and_stop_rows() {
        let (game, mut moves) = (game(4), Vec::new());
        let pos = game.parse(".../.bbb/www../..../... w").unwrap();
        pos.moves(&mut moves);
        let mut weights = vec![1.0; moves.len()];
        game.hints().weights(&pos, &moves, &mut weights);
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        let best: Vec<_> = order[..2].iter().map(|&i| game.show_move(&pos, moves[i])).collect();
        assert_eq!(best, ["c4", "b1"]);
    }
}
