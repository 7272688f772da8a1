//! What `proofplay table` prints.

use proofplay_registry::{CheckedTable, Counts, Head, Made, Set, Table};
use serde::Serialize;
use std::time::Duration;

/// A table of endgames: one that was made, or one that was checked.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct TableJson {
    /// Whether each entry was found right; null for a table that was made.
    pub valid: Option<bool>,
    /// The game, with the digest of its rules if it has one.
    pub game: String,
    /// The name of the set; null for what can follow a position.
    pub set: Option<String>,
    /// The position; null for a set with a name.
    pub after: Option<String>,
    /// Positions.
    pub positions: u64,
    /// Where the mover wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Where the mover loses.
    pub losses: u64,
    /// The longest way to a win, in plies.
    pub longest: u32,
    /// Moves that were made.
    pub moves: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Seconds.
    pub elapsed_s: f64,
}

impl TableJson {
    fn new(head: &Head, counts: Counts, moves: u64, bytes: u64, elapsed: Duration) -> TableJson {
        let (set, after) = match head.set.clone() {
            Set::Named(name) => (Some(name), None),
            Set::After(position) => (None, Some(position)),
        };
        let Counts { wins, draws, losses, longest } = counts;
        let (game, positions) = (head.game.clone(), counts.positions());
        TableJson {
            valid: None,
            game,
            set,
            after,
            positions,
            wins,
            draws,
            losses,
            longest,
            moves,
            bytes,
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    /// A table that was made.
    pub fn made(made: &Made, elapsed: Duration) -> TableJson {
        TableJson::new(&made.head, made.counts, made.making.moves, made.bytes, elapsed)
    }

    /// A table that was found right.
    pub fn checked(table: &Table, checked: &CheckedTable, elapsed: Duration) -> TableJson {
        let plain = TableJson::new(table.head(), checked.counts, checked.moves, table.bytes(), elapsed);
        TableJson { valid: Some(true), ..plain }
    }
}
