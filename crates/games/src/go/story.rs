//! A position of Go for outsiders: the board as a list of cells, the latest turns and the boards before
//! them, whatever word the board fits into.
//!
//! A position keeps keys of earlier boards, no boards. But the keys of two boards in a row differ by the
//! keys of the stone that was put and of those that were taken off, so that the turn can be found, and
//! with it the board before. What was taken off were all stones of empty regions that are there now.
//! Passes leave no key: there was one wherever a player moved twice in a row.

use super::{Board, Go, PASS, STONES, Stone, key_of};
use crate::board::{U384, Word};
use proofplay_core::{Key, Player, Position};
use std::any::Any;

/// A position of Go and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Points for the second player, in half points.
    pub komi: i16,
    /// Whether a move may leave its own group without a liberty.
    pub suicide: bool,
    /// Who is to move.
    pub mover: Player,
    /// Passes in a row until now.
    pub passes: usize,
    /// The latest turns, newest first: who moved, and where unless they passed.
    pub turns: Vec<(Player, Option<usize>)>,
    /// The board now, and before each of these turns: the owners of its cells, row by row from the
    /// bottom.
    pub boards: Vec<Vec<Option<Player>>>,
    /// Empty cells on which a stone would repeat an earlier board.
    pub banned: Vec<usize>,
}

impl Story {
    /// The story of a position, with at most so many turns; `None` if it is not one of Go or is a race.
    pub fn of<P: Position>(pos: &P, most: usize) -> Option<Story> {
        let pos: &dyn Any = pos;
        let small = || Some(pos.downcast_ref::<Board<u64>>()?.story(most));
        let middle = || Some(pos.downcast_ref::<Board<u128>>()?.story(most));
        let large = || Some(pos.downcast_ref::<Board<U384>>()?.story(most));
        small().or_else(middle).or_else(large)?
    }

    /// The cell of a move; `None` to pass.
    pub fn cell_of(mv: Stone) -> Option<usize> {
        (mv != PASS).then_some(mv.into())
    }
}

impl<W: Word> Go<W> {
    /// Columns and rows.
    pub fn sides(&self) -> [usize; 2] {
        [self.setup.cols as usize, self.setup.rows as usize]
    }
}

impl<W: Word> Board<W> {
    fn story(&self, most: usize) -> Option<Story> {
        if self.rules.targets.is_some() {
            return None;
        }
        let cells = self.rules.grid.cols * self.rules.grid.rows;
        let board = |stones: [W; 2]| -> Vec<Option<Player>> {
            let owner = |cell| Player::BOTH.into_iter().find(|player| stones[player.index()].has(cell));
            (0..cells).map(owner).collect()
        };
        let mut story = Story {
            columns: self.rules.grid.cols as usize,
            rows: self.rules.grid.rows as usize,
            komi: self.rules.komi,
            suicide: self.rules.suicide,
            mover: self.mover,
            passes: self.passes.into(),
            turns: Vec::new(),
            boards: vec![board(self.stones)],
            banned: self.banned().cells().map(|cell| cell as usize).collect(),
        };
        let (mut stones, mut next) = (self.stones, self.mover);
        let mut keys = self.past.newest().skip(1);
        let mut key = self.key;
        for _ in 0..self.passes {
            next = !next;
            story.add(next, None, story.boards[0].clone());
        }
        while story.turns.len() < most {
            let Some(before) = keys.next() else {
                // A game begins with the empty board and First.
                if key == 0 && next == Player::Second {
                    story.add(Player::First, None, board(stones));
                }
                break;
            };
            let Some((player, cell, earlier)) = self.turn_between(stones, key ^ before) else { break };
            if player == next {
                next = !next;
                story.add(next, None, board(stones));
            }
            (stones, key, next) = (earlier, before, player);
            story.add(player, Some(cell as usize), board(stones));
        }
        story.turns.truncate(most);
        story.boards.truncate(most + 1);
        Some(story)
    }

    /// Empty cells on which a stone of the mover would repeat an earlier board. A lone stone without a
    /// liberty is no such move.
    fn banned(&self) -> W {
        let repeats = |&cell: &u32| {
            let removed = self.removed(cell);
            let lone = removed[0] == W::bit(cell);
            let suicide = !removed[0].is_empty() && (lone || !self.rules.suicide);
            !suicide && self.past.contains(self.key_with(cell, removed))
        };
        self.empty().cells().filter(repeats).fold(W::EMPTY, |set, cell| set | W::bit(cell))
    }

    /// Who put a stone where, and the stones before: `change` is the difference of the keys.
    fn turn_between(&self, stones: [W; 2], change: Key) -> Option<(Player, u32, [W; 2])> {
        let grid = &*self.rules.grid;
        let empty = grid.board & !(stones[0] | stones[1]);
        let all =
            || Player::BOTH.into_iter().flat_map(|p| stones[p.index()].cells().map(move |cell| (p, cell)));
        let without = |player: Player, cell: u32, taken: W| {
            let mut before = stones;
            before[player.index()] = before[player.index()] & !W::bit(cell);
            before[(!player).index()] = before[(!player).index()] | taken;
            (player, cell, before)
        };
        let rest = |player: Player, cell: u32| change ^ STONES[player.index()][cell as usize];
        // Most stones take nothing.
        if let Some((player, cell)) = all().find(|&(player, cell)| rest(player, cell) == 0) {
            return Some(without(player, cell, W::EMPTY));
        }
        let capture = all().find_map(|(player, cell)| {
            let beside = grid.neighbours(W::bit(cell)) & empty;
            let taken = taken(grid, empty, beside, !player, rest(player, cell))?;
            Some(without(player, cell, taken))
        });
        if capture.is_some() {
            return capture;
        }
        if !self.rules.suicide {
            return None;
        }
        // A group took its own last liberty and is gone.
        let mut rest = empty;
        while !rest.is_empty() {
            let region = grid.flood(W::bit(rest.lowest()), empty);
            rest = rest & !region;
            for player in Player::BOTH {
                let key = change ^ key_of(player, region);
                let cell = region.cells().find(|&cell| STONES[player.index()][cell as usize] == key);
                if let Some(cell) = cell {
                    let mut before = stones;
                    before[player.index()] = before[player.index()] | (region & !W::bit(cell));
                    return Some((player, cell, before));
                }
            }
        }
        None
    }
}

/// Which of the empty regions beside a stone have stones of `owner` with these keys.
fn taken<W: Word>(
    grid: &crate::board::Grid<W>,
    empty: W,
    mut beside: W,
    owner: Player,
    key: Key,
) -> Option<W> {
    let (mut regions, mut count) = ([W::EMPTY; 4], 0);
    while !beside.is_empty() {
        regions[count] = grid.flood(W::bit(beside.lowest()), empty);
        beside = beside & !regions[count];
        count += 1;
    }
    (0..1_u32 << count).find_map(|chosen| {
        let chosen = regions.iter().enumerate().filter(|(number, _)| chosen >> number & 1 == 1);
        let set = chosen.fold(W::EMPTY, |set, (_, &region)| set | region);
        (key_of(owner, set) == key).then_some(set)
    })
}

impl Story {
    /// Adds the turn before all others, and the board before it.
    fn add(&mut self, player: Player, cell: Option<usize>, before: Vec<Option<Player>>) {
        self.turns.push((player, cell));
        self.boards.push(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Setup;
    use proofplay_core::{Family, Game, GameVisitor, Rng};

    struct Stories;

    impl GameVisitor for Stories {
        type Out = (usize, usize, usize);

        /// Random games, whose turns and boards are written down beside. Few passes, so that much is
        /// taken.
        fn visit<G: Game>(self, game: G) -> Self::Out {
            let mut rng = Rng::new(1);
            let (mut taken, mut passes, mut suicides) = (0, 0, 0);
            for _ in 0..12 {
                let (mut pos, mut moves) = (game.start(), Vec::new());
                let now = |pos: &G::Pos| Story::of(pos, 0).unwrap().boards.remove(0);
                let (mut boards, mut turns) = (vec![now(&pos)], Vec::new());
                for _ in 0..300 {
                    let story = Story::of(&pos, 8).unwrap();
                    let latest = turns.len().min(8);
                    assert_eq!(story.turns, turns.iter().rev().take(latest).copied().collect::<Vec<_>>());
                    let expected: Vec<_> = boards.iter().rev().take(latest + 1).cloned().collect();
                    assert_eq!(story.boards, expected, "{}", game.show(&pos));
                    if pos.outcome().is_some() {
                        break;
                    }
                    moves.clear();
                    pos.moves(&mut moves);
                    // The pass is the last move.
                    let others = moves.len() as u32 - 1;
                    let passes_now = others == 0 || rng.below(30) == 0;
                    let mv = moves[if passes_now { others } else { rng.below(others) } as usize];
                    let text = game.show_move(&pos, mv);
                    let cell = (text != "pass").then(|| proofplay_core::Move::code(mv) as usize);
                    turns.push((pos.turn(), cell));
                    pos.play(mv);
                    let stones = |board: &[Option<Player>]| board.iter().flatten().count();
                    let (before, after) = (stones(boards.last().unwrap()), now(&pos));
                    taken += usize::from(cell.is_some() && stones(&after) <= before);
                    suicides += usize::from(cell.is_some_and(|cell| after[cell].is_none()));
                    passes += usize::from(cell.is_none());
                    boards.push(after);
                }
            }
            (taken, passes, suicides)
        }
    }

    #[test]
    fn turns_are_found_from_keys() {
        for parameters in ["9x9", "5x4,suicide=yes", "13x13", "3x3,suicide=yes", "1x7", "19x19"] {
            let (taken, passes, suicides) = Setup::build(parameters, Stories).unwrap();
            assert!(taken > 20 && passes > 20, "{parameters}: {taken} {passes}");
            assert_eq!(suicides > 0, parameters.contains("suicide"), "{parameters}");
        }
        let story = Setup::build("seki=2,3", NoStory).unwrap();
        assert!(story, "a race has none");
    }

    struct NoStory;

    impl GameVisitor for NoStory {
        type Out = bool;
        fn visit<G: Game>(self, game: G) -> bool {
            Story::of(&game.start(), 8).is_none()
        }
    }

    /// A cell where a ko was taken is banned; suicide is not.
    #[test]
    fn banned_cells() {
        let game = Go::<u64>::new(Setup::parse("5x5").unwrap());
        let mut pos = game.parse(".bw../b.bw./.bw../...../..... w").unwrap();
        let banned = |pos: &Board<u64>| Story::of(pos, 3).unwrap().banned;
        assert_eq!(banned(&pos), [] as [usize; 0]);
        pos.play(game.parse_move(&pos, "b4").unwrap());
        assert_eq!(banned(&pos), [3 * 5 + 2]);
        assert_eq!(Story::of(&pos, 3).unwrap().turns, [(Player::Second, Some(16))]);
    }
}
