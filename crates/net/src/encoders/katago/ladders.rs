//! Ladders: groups that are taken by one threat to take after the other.
//!
//! The attacker plays on one of two liberties, so that the group has one; the defender extends there or
//! takes a group of the attacker that has one liberty beside it; and so on, until the group has three
//! liberties, or none after its turn. A ko counts for the defender.

use super::stones::Stones;
use proofplay_core::Player;

/// The most stones that a search puts; beyond that there is no ladder.
const MOST_NODES: usize = 25_000;

/// A group that can be taken.
#[derive(Debug)]
pub struct Ladder {
    /// Its stones.
    pub stones: Vec<usize>,
    /// Where the attacker may begin, if it has two liberties.
    pub starts: Vec<usize>,
}

/// All groups with one liberty that cannot escape, and those with two that can be brought there.
pub fn ladders(board: &Stones) -> Vec<Ladder> {
    let mut seen = vec![false; board.shape.cells()];
    let mut found = Vec::new();
    for cell in 0..board.shape.cells() {
        let Some(owner) = board.owner(cell) else { continue };
        if seen[cell] {
            continue;
        }
        let stones = board.group(cell);
        stones.iter().for_each(|&stone| seen[stone] = true);
        let liberties = board.liberties_of(&stones);
        match liberties[..] {
            [_] if is_taken(board, cell) => found.push(Ladder { stones, starts: Vec::new() }),
            [_, _] => {
                let works =
                    |&start: &usize| board.after(!owner, start).is_some_and(|next| is_taken(&next, cell));
                let starts: Vec<usize> = liberties.into_iter().filter(works).collect();
                if !starts.is_empty() {
                    found.push(Ladder { stones, starts });
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether the group of a stone is taken though its owner is to move.
fn is_taken(board: &Stones, stone: usize) -> bool {
    let Some(defender) = board.owner(stone) else { return false };
    let mut board = board.clone();
    board.ko = None;
    let most_plies = board.shape.cells() * 3 / 2;
    let mut search = Search { stone, defender, nodes: 0, most_plies };
    search.defend(&board, 0).unwrap_or(false)
}

struct Search {
    stone: usize,
    defender: Player,
    nodes: usize,
    most_plies: usize,
}

impl Search {
    /// Plays on, if the move is legal. `None` if the search takes too long.
    fn after<'a>(&mut self, board: &Stones<'a>, player: Player, cell: usize) -> Option<Option<Stones<'a>>> {
        if self.nodes >= MOST_NODES {
            return None;
        }
        let next = board.after(player, cell);
        self.nodes += usize::from(next.is_some());
        Some(next)
    }

    /// Whether the group is taken; the defender is to move.
    fn defend(&mut self, board: &Stones, ply: usize) -> Option<bool> {
        if ply >= self.most_plies {
            return Some(true);
        }
        let group = board.group(self.stone);
        let liberties = board.liberties_of(&group);
        if liberties.len() >= 2 || board.ko.is_some() {
            return Some(false);
        }
        let mut moves = captures(board, &group);
        moves.extend(liberties);
        for cell in moves {
            let Some(next) = self.after(board, self.defender, cell)? else { continue };
            if !self.attack(&next, ply + 1)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the group is taken; the attacker is to move.
    fn attack(&mut self, board: &Stones, ply: usize) -> Option<bool> {
        if ply >= self.most_plies {
            return Some(true);
        }
        let group = board.group(self.stone);
        let [mut first, mut second] = board.liberties_of(&group)[..] else {
            return Some(board.liberties_of(&group).len() < 2);
        };
        if self.is_dead_by_two_kos(board, &group, [first, second]) {
            return Some(true);
        }
        // The defender wants the one that gives more liberties.
        let mut room = [first, second].map(|cell| board.empty_beside(cell));
        if room[1] > room[0] {
            std::mem::swap(&mut first, &mut second);
            room.swap(0, 1);
        }
        let apart = !board.shape.beside(first).contains(&second);
        let moves = match room {
            [_, (3..)] if apart => &[][..],
            [(3..), _] if apart => &[first],
            _ => &[first, second],
        };
        for &cell in moves {
            let Some(next) = self.after(board, !self.defender, cell)? else { continue };
            if self.defend(&next, ply + 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Both liberties are kos, to connect at one gives no third liberty, and nothing can be taken.
    fn is_dead_by_two_kos(&self, board: &Stones, group: &[usize], liberties: [usize; 2]) -> bool {
        let is_ko = |cell: usize| {
            let beside = board.shape.beside(cell);
            let own = beside.iter().all(|&other| board.owner(other) == Some(self.defender));
            let mut weak = beside.iter().filter(|&&other| board.liberties(other) == 1);
            own && matches!((weak.next(), weak.next()), (Some(&only), None) if board.group(only).len() == 1)
        };
        // To connect may be forbidden by a ko of now, which does not matter here.
        let mut free = board.clone();
        free.ko = None;
        let gains = |cell| free.after(self.defender, cell).is_some_and(|next| next.liberties(cell) > 2);
        let all = |is: &dyn Fn(usize) -> bool| liberties.into_iter().all(is);
        all(&|cell| board.empty_beside(cell) == 0)
            && all(&is_ko)
            && all(&|cell| !gains(cell))
            && captures(board, group).is_empty()
    }
}

/// Where a group can take another one: the last liberties of enemy groups beside it.
fn captures(board: &Stones, group: &[usize]) -> Vec<usize> {
    let enemy = board.owner(group[0]).map(|owner| !owner);
    let mut cells = Vec::new();
    let beside = group.iter().flat_map(|&cell| board.shape.beside(cell));
    for &other in beside.filter(|&&other| board.owner(other) == enemy) {
        if let [last] = board.liberties_of(&board.group(other))[..]
            && !cells.contains(&last)
        {
            cells.push(last);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::stones::Shape;
    use super::*;

    /// The stones that can be taken, from rows from the bottom: `b`, `w` and `.`.
    fn taken(rows: &[&str]) -> Vec<usize> {
        let shape = Shape::new(rows[0].len(), rows.len());
        let owner = |letter| match letter {
            'b' => Some(Player::First),
            'w' => Some(Player::Second),
            _ => None,
        };
        let owners: Vec<_> = rows.iter().flat_map(|row| row.chars()).map(owner).collect();
        ladders(&Stones::new(&shape, &owners, None)).into_iter().flat_map(|ladder| ladder.stones).collect()
    }

    #[test]
    fn corners_edges_and_breakers() {
        assert_eq!(taken(&["w.", ".."]), [0; 0]);
        assert_eq!(taken(&["wb...", ".....", ".....", ".....", "....."]), [0]);
        assert_eq!(taken(&["w.b..", "b....", ".....", ".....", "....."]), [0]);
        let middle = ["...bb....", "...bwb...", "...b.....", ".........", ".........", "........."];
        assert_eq!(taken(&middle), [13]);
        // A ladder to the right.
        assert_eq!(taken(&["...b....", "..bwb...", "..b.....", "........", "........", "........"]), [11]);
    }
}
