//! A board of Go as a list of cells, with groups and liberties: slow, small, and for looking ahead a few
//! moves.

use proofplay_core::Player;

/// The size of a board and which cells are beside each other.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Columns.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    beside: Vec<Vec<usize>>,
}

impl Shape {
    /// A rectangle.
    pub fn new(columns: usize, rows: usize) -> Shape {
        let beside = |cell: usize| {
            let (x, y) = (cell % columns, cell / columns);
            let mut cells = Vec::with_capacity(4);
            cells.extend((y > 0).then(|| cell - columns));
            cells.extend((x > 0).then(|| cell - 1));
            cells.extend((x + 1 < columns).then_some(cell + 1));
            cells.extend((y + 1 < rows).then_some(cell + columns));
            cells
        };
        Shape { columns, rows, beside: (0..columns * rows).map(beside).collect() }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cells beside a cell.
    pub fn beside(&self, cell: usize) -> &[usize] {
        &self.beside[cell]
    }
}

/// Stones on a board.
#[derive(Clone, Debug)]
pub struct Stones<'a> {
    /// The board.
    pub shape: &'a Shape,
    owners: Vec<Option<Player>>,
    /// The empty cell where nobody may take a ko.
    pub ko: Option<usize>,
}

impl<'a> Stones<'a> {
    /// These stones.
    pub fn new(shape: &'a Shape, owners: &[Option<Player>], ko: Option<usize>) -> Stones<'a> {
        Stones { shape, owners: owners.to_vec(), ko }
    }

    /// Whose stone is on a cell.
    pub fn owner(&self, cell: usize) -> Option<Player> {
        self.owners[cell]
    }

    /// The cells that are joined to a cell by cells of the same owner, or of none.
    pub fn group(&self, cell: usize) -> Vec<usize> {
        self.joined(cell, |other| self.owners[other] == self.owners[cell])
    }

    /// The cells that are joined to a cell by cells that belong.
    pub fn joined(&self, cell: usize, belongs: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.shape.cells()];
        let mut cells = vec![cell];
        seen[cell] = true;
        let mut next = 0;
        while let Some(&cell) = cells.get(next) {
            next += 1;
            for &other in self.shape.beside(cell) {
                if !seen[other] && belongs(other) {
                    seen[other] = true;
                    cells.push(other);
                }
            }
        }
        cells
    }

    /// The empty cells beside a group.
    pub fn liberties_of(&self, group: &[usize]) -> Vec<usize> {
        let beside = group.iter().flat_map(|&cell| self.shape.beside(cell)).copied();
        let mut empty: Vec<usize> = beside.filter(|&cell| self.owners[cell].is_none()).collect();
        empty.sort_unstable();
        empty.dedup();
        empty
    }

    /// How many liberties the group of a stone has.
    pub fn liberties(&self, cell: usize) -> usize {
        self.liberties_of(&self.group(cell)).len()
    }

    /// How many empty cells are beside a cell.
    pub fn empty_beside(&self, cell: usize) -> usize {
        self.shape.beside(cell).iter().filter(|&&other| self.owners[other].is_none()).count()
    }

    /// The board after a stone; `None` if that is illegal: on a stone, on the ko, or without a liberty.
    pub fn after(&self, player: Player, cell: usize) -> Option<Stones<'a>> {
        if self.owners[cell].is_some() || self.ko == Some(cell) {
            return None;
        }
        let mut after = self.clone();
        after.owners[cell] = Some(player);
        let mut taken = Vec::new();
        for &other in self.shape.beside(cell) {
            if after.owners[other] == Some(!player) {
                let group = after.group(other);
                if after.liberties_of(&group).is_empty() {
                    group.iter().for_each(|&cell| after.owners[cell] = None);
                    taken.extend(group);
                }
            }
        }
        let group = after.group(cell);
        let liberties = after.liberties_of(&group).len();
        let is_ko = taken.len() == 1 && group.len() == 1 && liberties == 1;
        after.ko = if is_ko { taken.pop() } else { None };
        (liberties > 0).then_some(after)
    }
}
