//! What a table says, as facts for searches.

use crate::{Set, Table, TableError};
use proofplay_core::{Bounds, Certain, Entry, Facts, Game, Numbering, Player, Position, Score};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A table of a game: what it says about positions with their histories and counters.
pub struct TableFacts<P: Position> {
    table: Table,
    numbering: Option<Arc<dyn Numbering<P>>>,
    /// The first thing that was wrong with the file when it was read.
    flaw: OnceLock<TableError>,
}

impl<P: Position> fmt::Debug for TableFacts<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TableFacts").field(&self.table).finish()
    }
}

/// The numbers of a table's positions if its set has a name; an error if the table is for another game.
pub(crate) fn numbering<G: Game>(
    table: &Table,
    game: &G,
) -> Result<Option<Arc<dyn Numbering<G::Pos>>>, TableError> {
    let head = table.head();
    if head.game != game.id() {
        return Err(TableError::OtherGame { found: head.game.clone(), asked: game.id() });
    }
    match &head.set {
        Set::Named(name) => {
            let numbering = game.numbering(name).map_err(|error| TableError::OtherSet(error.to_string()))?;
            if numbering.parts() != table.parts() {
                return Err(TableError::OtherSet("its parts have other sizes".to_owned()));
            }
            Ok(Some(numbering))
        }
        Set::After(text) => {
            let pos = game.parse(text).map_err(|error| TableError::OtherSet(error.to_string()))?;
            if pos.outcome().is_none() && pos.packed().is_none() {
                return Err(TableError::OtherSet("its positions have no numbers".to_owned()));
            }
            Ok(None)
        }
    }
}

impl<P: Position> TableFacts<P> {
    /// The facts of a table that is for this game.
    pub fn new<G: Game<Pos = P>>(table: Table, game: &G) -> Result<Self, TableError> {
        let numbering = numbering(&table, game)?;
        Ok(TableFacts { table, numbering, flaw: OnceLock::new() })
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What was wrong with the file when it was read, if anything was: from then on it says nothing about the positions there.
    pub fn flaw(&self) -> Option<&TableError> {
        self.flaw.get()
    }

    /// The entry of a position that is not over, its history and its counters left aside.
    pub fn entry(&self, pos: &P) -> Option<Entry> {
        let entry = match &self.numbering {
            Some(numbering) => self.table.entry(numbering.find(pos)?),
            None => self.table.entry_of(pos.packed()?),
        };
        match entry {
            Ok(entry) => Some(entry).filter(|entry| entry.is_position()),
            Err(flaw) => {
                // Other threads may have found one at the same time; any will do.
                let _ = self.flaw.set(flaw);
                None
            }
        }
    }

    /// What is certain about a position that is not over; `None` if the table does not have it.
    pub fn certain(&self, pos: &P) -> Option<Certain> {
        let entry = self.entry(pos)?;
        let room = self.numbering.as_ref().and_then(|numbering| numbering.room(pos));
        Some(Certain::of(pos, entry.value(pos.turn()), entry.plies(), room))
    }
}

impl<P: Position> Facts<P> for TableFacts<P> {
    fn bounds(&self, pos: &P) -> Bounds {
        self.certain(pos).map_or_else(|| pos.range(), |certain| certain.bounds)
    }
}

/// The facts of a game, and beside them those of tables.
pub struct Both<P: Position> {
    /// Of the game.
    pub own: Option<Arc<dyn Facts<P>>>,
    /// Of tables.
    pub tables: Vec<Arc<TableFacts<P>>>,
}

impl<P: Position> fmt::Debug for Both<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Both").field(&self.tables).finish()
    }
}

impl<P: Position> Both<P> {
    fn tighten(&self, pos: &P, bounds: Bounds) -> Bounds {
        let mut bounds = bounds;
        for table in &self.tables {
            if bounds.is_exact() {
                break;
            }
            bounds = bounds.tighten(table.bounds(pos));
        }
        bounds
    }
}

impl<P: Position> Facts<P> for Both<P> {
    fn bounds(&self, pos: &P) -> Bounds {
        self.tighten(pos, self.own.as_ref().map_or_else(|| pos.range(), |own| own.bounds(pos)))
    }

    fn enough(&self, pos: &P, out: &mut Vec<P::Move>) -> Bounds {
        let bounds = match &self.own {
            Some(own) => own.enough(pos, out),
            None => {
                pos.moves(out);
                pos.range()
            }
        };
        self.tighten(pos, bounds)
    }

    fn counts(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.counts())
    }

    fn counted(&self, pos: &P, player: Player) -> Option<Score> {
        self.own.as_ref()?.counted(pos, player)
    }
}
