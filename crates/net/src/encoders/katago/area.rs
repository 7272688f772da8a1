//! Whose area each cell is, as far as a look can tell.
//!
//! Benson, "Life in the game of Go" \[Ben76\]: groups that live though their owner passes for ever. Their
//! stones and the regions around which they stand are their owner's: regions with at most one cell that
//! touches none of the owner's stones, whatever is in them, and regions without enemy stones. Regions
//! that only touch stones of one player, and stones, are that player's unless something better is known.

use super::stones::Stones;
use proofplay_core::Player;

/// A connected set of cells without stones of a player, one of them empty.
struct Region {
    cells: Vec<usize>,
    /// Groups beside it, by number.
    groups: Vec<usize>,
    /// Those of them that every cell that counts is a liberty of.
    vital: Vec<usize>,
    has_enemies: bool,
    /// Cells that touch no stone of the player.
    inner: usize,
    /// Whether all groups beside it live.
    is_safe: bool,
}

/// The owner of each cell.
pub fn areas(board: &Stones, suicide: bool) -> Vec<Option<Player>> {
    let mut owners = vec![None; board.shape.cells()];
    for player in Player::BOTH {
        add_areas(board, player, suicide, &mut owners);
    }
    for (cell, owner) in owners.iter_mut().enumerate() {
        *owner = owner.or(board.owner(cell));
    }
    owners
}

fn add_areas(board: &Stones, player: Player, suicide: bool, owners: &mut [Option<Player>]) {
    let cells = board.shape.cells();
    // The groups of the player, and the number of each stone's group.
    let (mut groups, mut group_of) = (Vec::new(), vec![None; cells]);
    for cell in 0..cells {
        if board.owner(cell) == Some(player) && group_of[cell].is_none() {
            let group = board.group(cell);
            group.iter().for_each(|&stone| group_of[stone] = Some(groups.len()));
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return;
    }
    let mut regions = regions(board, player, suicide, &group_of);
    let mut lives = vec![true; groups.len()];
    loop {
        let vital = |group: usize| {
            regions.iter().filter(|region| region.is_safe && region.vital.contains(&group)).count()
        };
        let dead: Vec<usize> = (0..groups.len()).filter(|&group| lives[group] && vital(group) < 2).collect();
        if dead.is_empty() {
            break;
        }
        dead.iter().for_each(|&group| lives[group] = false);
        for region in &mut regions {
            region.is_safe = region.groups.iter().all(|&group| lives[group]);
        }
    }
    for (group, _) in groups.iter().zip(lives).filter(|(_, lives)| *lives) {
        group.iter().for_each(|&cell| owners[cell] = Some(player));
    }
    for region in regions {
        let certain = region.is_safe && (region.inner <= 1 || !region.has_enemies);
        for cell in region.cells {
            if certain || (!region.has_enemies && owners[cell].is_none()) {
                owners[cell] = Some(player);
            }
        }
    }
}

fn regions(board: &Stones, player: Player, suicide: bool, group_of: &[Option<usize>]) -> Vec<Region> {
    let mut seen = vec![false; group_of.len()];
    let mut regions = Vec::new();
    for start in 0..group_of.len() {
        if board.owner(start).is_some() || seen[start] {
            continue;
        }
        let cells = board.joined(start, |cell| board.owner(cell) != Some(player));
        cells.iter().for_each(|&cell| seen[cell] = true);
        let beside = |cell: usize| board.shape.beside(cell).iter().filter_map(|&other| group_of[other]);
        let mut groups: Vec<usize> = cells.iter().flat_map(|&cell| beside(cell)).collect();
        groups.sort_unstable();
        groups.dedup();
        let counts = |&&cell: &&usize| suicide || board.owner(cell).is_none();
        let touched =
            |group: usize| cells.iter().filter(counts).all(|&cell| beside(cell).any(|other| other == group));
        regions.push(Region {
            vital: groups.iter().copied().filter(|&group| touched(group)).collect(),
            has_enemies: cells.iter().any(|&cell| board.owner(cell).is_some()),
            inner: cells.iter().filter(|&&cell| beside(cell).next().is_none()).count(),
            is_safe: true,
            groups,
            cells,
        });
    }
    regions
}
