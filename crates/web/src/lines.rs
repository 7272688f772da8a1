//! Which game a request is about: the fields `game`, `position`, `sgf`, `variation`, `moves`, as `new` of
//! `proofplay serve-stdio` has them, or `text`, a file that was saved.

use crate::error::Refused;
use proofplay_front::record::Record;
use proofplay_front::request::{New, read_fields};
use proofplay_front::setup::Setup;
use proofplay_registry::SetupError;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// A game may have more moves than anybody plays, but not any number.
const MOST_MOVES: usize = 4000;
/// Nor may it take any time to play them.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The fields that say which game is meant.
const FIELDS: [&str; 6] = ["game", "position", "sgf", "variation", "moves", "text"];

/// Takes the fields of the game out of a request.
pub fn take(fields: &mut Map<String, Value>) -> Map<String, Value> {
    FIELDS.iter().filter_map(|&key| Some((key.to_owned(), fields.shift_remove(key)?))).collect()
}

/// The game that these fields mean.
pub fn record(mut fields: Map<String, Value>) -> Result<Record, Refused> {
    let setup = match fields.shift_remove("text") {
        Some(Value::String(text)) if fields.is_empty() => Setup::read(&text).map_err(Refused::bad)?,
        Some(Value::String(_)) => return Err(Refused::bad("field `text` stands alone: it is a whole game")),
        Some(_) => return Err(Refused::bad("field `text`: expected a text")),
        None => {
            let new: New = read_fields(fields, |fields| New::deserialize(Value::Object(fields)))
                .map_err(Refused::bad)?;
            if new.position.is_some() && new.sgf.is_some() {
                return Err(Refused::bad("expected `position` or `sgf`, not both"));
            }
            let New { game, position, sgf, variation, moves } = new;
            let game = game.ok_or_else(|| Refused::bad("expected a field `game`, e.g. `connect4`"))?;
            Setup { game, position, sgf, variation, moves: moves.0.join(" ") }
        }
    };
    let (begun, mut moves) = (Instant::now(), 0);
    let go_on = || {
        moves += 1;
        let is_long = moves > MOST_MOVES || begun.elapsed() > MOST_TIME;
        if is_long {
            Err(Refused::bad(format!("the game is too long: at most {MOST_MOVES} moves")))
        } else {
            Ok(())
        }
    };
    setup.record(usize::MAX, go_on)
}

impl From<SetupError> for Refused {
    fn from(error: SetupError) -> Refused {
        Refused::bad(error)
    }
}
