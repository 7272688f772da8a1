//! Answers about what there is: games, searches, categories of moves.

use super::{Here, Pair};
use crate::json::pair;
use proofplay_core::Line;
use proofplay_registry::{Entry, GAMES, Learned, SetupError, game};
use proofplay_search::SearchKind;
use serde::Serialize;

/// A game that can be played: `games`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct GameInfo {
    /// Its name.
    pub name: String,
    /// The form of its parameters.
    pub parameters: String,
    /// An example with parameters.
    pub example: String,
    /// The rules in a sentence.
    pub rules: String,
    /// The scores that the start of the example allows.
    pub score_range: Pair,
    /// Whether positions can repeat.
    pub repeats: bool,
}

impl GameInfo {
    /// An entry of the registry.
    pub fn new(entry: &Entry) -> Result<GameInfo, SetupError> {
        let game = game(entry.example())?;
        Ok(GameInfo {
            name: entry.name().to_owned(),
            parameters: entry.parameters().to_owned(),
            example: entry.example().to_owned(),
            rules: entry.rules().to_owned(),
            score_range: pair(entry.example(), game.start().range()),
            repeats: game.repeats(),
        })
    }
}

/// All about a game: `rules`, and `games` with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct GameRules {
    /// What the list of games says.
    #[serde(flatten)]
    pub info: GameInfo,
    /// All of the rules, as Markdown.
    pub full_rules: String,
    /// The position that is drawn.
    #[serde(flatten)]
    pub here: Here,
    /// Its picture.
    pub picture: String,
}

impl GameRules {
    /// The rules of the game written `NAME` or `NAME:PARAMETERS`, and the line of play to the position that is drawn: one of the
    /// example, or the start of the game with these parameters.
    pub fn new(text: &str) -> Result<(GameRules, Line), SetupError> {
        let (name, parameters) = text.split_once([':', '#']).unwrap_or((text, ""));
        let entry = GAMES.entry(name)?;
        let line = match parameters {
            "" => Line::start(entry.example()).then(entry.line()),
            _ => Line::start(&game(text)?.name()),
        };
        let pos = GAMES.reach(&line)?;
        let rules = GameRules {
            info: GameInfo::new(entry)?,
            full_rules: entry.full_rules().to_owned(),
            here: Here::new(&*pos),
            picture: pos.view().draw(|symbol, _| symbol.to_string()),
        };
        Ok((rules, line))
    }
}

/// A search: `searches`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct SearchInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// The papers that it comes from.
    pub papers: &'static str,
    /// What the name stands for.
    pub spec: String,
    /// Its settings.
    pub settings: Vec<SettingInfo>,
}

/// A setting of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SettingInfo {
    /// Its key.
    pub key: &'static str,
    /// The values that it takes.
    pub values: String,
    /// The value if nothing is said.
    pub default: String,
    /// What it does.
    pub meaning: &'static str,
}

impl From<&SearchKind> for SearchInfo {
    fn from(kind: &SearchKind) -> SearchInfo {
        let setting = |info: proofplay_search::SettingInfo| SettingInfo {
            key: info.key,
            values: info.values,
            default: info.default,
            meaning: info.meaning,
        };
        SearchInfo {
            name: kind.name,
            meaning: kind.meaning,
            papers: kind.papers,
            spec: kind.spec().to_string(),
            settings: kind.settings().into_iter().map(setting).collect(),
        }
    }
}

/// How often moves of each category are played: `learn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Categories {
    /// The game with its parameters.
    pub game: String,
    /// The search that plays, with its settings.
    pub search: String,
    /// The seed of the games.
    pub seed: u64,
    /// How many games were played.
    pub games: usize,
    /// Positions in which a move was chosen.
    pub positions: u64,
    /// The categories, in the game's order.
    pub categories: Vec<Category>,
    /// Whether all games were played.
    pub done: bool,
    /// Files that could not be written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
    /// The old name of `search`.
    pub engine: String,
}

/// A category of moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Positions in which a move of it was played.
    pub played: u64,
    /// Positions in which a move of it could be played.
    pub available: u64,
}

impl Categories {
    /// What was learned from this many games, if all were played.
    pub fn new(game: String, search: &str, seed: u64, learned: &Learned, asked: usize) -> Categories {
        let category = |c: &proofplay_registry::Category| Category {
            name: c.name.clone(),
            played: c.played,
            available: c.available,
        };
        Categories {
            game,
            search: search.to_owned(),
            seed,
            games: learned.games,
            positions: learned.positions,
            categories: learned.categories.iter().map(category).collect(),
            done: learned.games == asked,
            unwritten: Vec::new(),
            engine: search.to_owned(),
        }
    }
}

/// A script for a shell: `completions`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Completions {
    /// The shell.
    pub shell: String,
    /// The script.
    pub script: String,
}
