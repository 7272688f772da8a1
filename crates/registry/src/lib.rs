//! Every game by name, and games and searches without their types: the only place that names them
//! all.
//!
//! ```
//! use proofplay_registry::game;
//! use proofplay_search::{Ask, Resources, Run, SearchSpec};
//! let mut pos = game("tictactoe").unwrap().start();
//! pos.play("b2").unwrap();
//! let spec: SearchSpec = "alphabeta".parse().unwrap();
//! let report = pos.search(&spec, Resources::default(), Ask::Value, &mut Run::default()).unwrap();
//! assert_eq!(report.bounds.value().unwrap().0, 0);
//! assert!(game("conect4").err().unwrap().to_string().contains("did you mean `connect4`?"));
//! ```
#![forbid(unsafe_code)]

mod certify;
mod erased;
mod learn;
mod search;

pub use certify::{CheckError, verify};
pub use erased::{DynGame, DynPosition};
pub use learn::{Category, Course, Learned};
pub use proofplay_certify::{Certified, Certify, CertifyError};
pub use search::DynSearch;

use erased::Erased;
use proofplay_core::{Line, TextError};
use proofplay_games::board::{U256, U384};
pub use proofplay_games::go::sgf;
use proofplay_games::in_a_row::{AnyShape, Fixed};
use proofplay_games::{
    amazons, breakthrough, cannon, checkers, chinese_checkers, connect4, domineering, go, loa, mnk, nogo,
    pentalath, seki, written, y,
};

/// A game as the registry knows it.
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// The form of the parameters after the name, empty if there are none.
    pub parameters: &'static str,
    /// A game to try, with its parameters.
    pub example: &'static str,
    /// The rules in one line.
    pub rules: &'static str,
    make: fn(&str) -> Result<Box<dyn DynGame>, TextError>,
}

/// All games.
pub static GAMES: &[Entry] = &[
    Entry {
        name: "tictactoe",
        parameters: "",
        example: "tictactoe",
        rules: "X and O take turns on a 3x3 board; three in a row win",
        make: make_tictactoe,
    },
    Entry {
        name: "mnk",
        parameters: "CxRkK",
        example: "mnk:4x4k4",
        rules: "X and O take turns on C columns and R rows; K or more in a row win",
        make: make_mnk,
    },
    Entry {
        name: "connect4",
        parameters: "CxR[kK], default 7x6k4",
        example: "connect4:7x6",
        rules: "stones fall to the lowest free cell of a column; K or more in a row win",
        make: make_connect4,
    },
    Entry {
        name: "domineering",
        parameters: "CxR[,first=V|H]",
        example: "domineering:6x6",
        rules: "V places vertical dominoes, H horizontal ones; who cannot move loses",
        make: make_domineering,
    },
    Entry {
        name: "nogo",
        parameters: "CxR",
        example: "nogo:4x4",
        rules: "stones as in Go, but capturing and suicide are illegal; who cannot move loses",
        make: make_nogo,
    },
    Entry {
        name: "y",
        parameters: "N",
        example: "y:5",
        rules: "a chain of own stones that touches all three sides of the triangle wins",
        make: make_y,
    },
    Entry {
        name: "seki",
        parameters: "A,B[,S], default S = 2",
        example: "seki:3,4",
        rules: "two strings with A and B own and S shared liberties: capture or live together",
        make: |parameters| Ok(Box::new(Erased(seki::Seki::new(seki::Setup::parse(parameters)?)))),
    },
    Entry {
        name: "amazons",
        parameters: "CxR, default 10x10",
        example: "amazons:6x6",
        rules: "queens move and shoot an arrow that blocks a cell for good; who cannot move loses",
        make: make_amazons,
    },
    Entry {
        name: "breakthrough",
        parameters: "CxR[,rows=N], default 8x8,rows=2",
        example: "breakthrough:6x6",
        rules: "pawns step forward and capture diagonally; a pawn on the far row or the last capture wins",
        make: make_breakthrough,
    },
    Entry {
        name: "pentalath",
        parameters: "N[,k=K][,swap=yes], default 5,k=5",
        example: "pentalath:5",
        rules: "K in a row win on a hexagon of side N; groups without liberty are captured as in Go",
        make: make_pentalath,
    },
    Entry {
        name: "go",
        parameters: "CxR[,komi=K][,suicide=yes] or seki=A,B, default 9x9",
        example: "go:9x9",
        rules: "surround empty cells and enemy stones; no board may come again; the larger area wins",
        make: make_go,
    },
    Entry {
        name: "loa",
        parameters: "NxN[,eval=2000|2002|2006], default 8x8,eval=2006",
        example: "loa:8x8",
        rules: "a piece moves as far as there are pieces on its line; all own pieces in one group win",
        make: make_loa,
    },
    Entry {
        name: "checkers",
        parameters: "NxN[,rows=R][,draw=25|none], default 8x8,rows=3,draw=25",
        example: "checkers:8x8",
        rules: "English draughts: men move and capture diagonally forward, kings both ways; who cannot move loses",
        make: |parameters| Ok(Box::new(Erased(checkers::Checkers::new(checkers::Setup::parse(parameters)?)))),
    },
    Entry {
        name: "cannon",
        parameters: "[corners=yes|no][,overshoot=yes|no][,mate=yes|no], default no each",
        example: "cannon",
        rules: "soldiers step, capture and retreat, three in a row shoot; taking the enemy's town wins",
        make: |parameters| Ok(Box::new(Erased(cannon::Cannon::new(cannon::Setup::parse(parameters)?)))),
    },
    Entry {
        name: "chinese-checkers",
        parameters: "N, default 3",
        example: "chinese-checkers:2",
        rules: "pieces step and hop across a star with arms of side N; who fills the opposite arm wins",
        make: make_chinese_checkers,
    },
    Entry {
        name: "written",
        parameters: "TREE",
        example: "written:((+ -) = (- =))",
        rules: "a game tree given as text; + = - or points at its ends, 1( and 2( say who moves",
        make: |tree| Ok(Box::new(Erased(written::Written::parse_tree(tree)?))),
    },
];

fn make_tictactoe(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    if parameters.is_empty() {
        Ok(Box::new(Erased(mnk::Mnk::new(Fixed::<3, 3, 3>))))
    } else {
        Err(TextError::new("parameters", parameters, "tictactoe has none; other boards are `mnk:CxRkK`"))
    }
}

fn make_mnk(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let mnk::Setup { cols, rows, k } = mnk::Setup::parse_mnk(parameters)?;
    Ok(match AnyShape::new(cols, rows, k) {
        AnyShape::Small(shape) => Box::new(Erased(mnk::Mnk::new(shape))),
        AnyShape::Medium(shape) => Box::new(Erased(mnk::Mnk::new(shape))),
        AnyShape::Large(shape) => Box::new(Erased(mnk::Mnk::new(shape))),
    })
}

fn make_connect4(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = connect4::Setup::parse(parameters)?;
    if setup == connect4::Setup::STANDARD {
        return Ok(Box::new(Erased(connect4::Connect4::new(Fixed::<7, 6, 4>))));
    }
    Ok(match AnyShape::new(setup.cols, setup.rows, setup.k) {
        AnyShape::Small(shape) => Box::new(Erased(connect4::Connect4::new(shape))),
        AnyShape::Medium(shape) => Box::new(Erased(connect4::Connect4::new(shape))),
        AnyShape::Large(shape) => Box::new(Erased(connect4::Connect4::new(shape))),
    })
}

fn make_domineering(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = domineering::Setup::parse(parameters)?;
    Ok(if setup.cols * setup.rows <= 64 {
        Box::new(Erased(domineering::Domineering::<u64>::new(setup)))
    } else {
        Box::new(Erased(domineering::Domineering::<u128>::new(setup)))
    })
}

fn make_nogo(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = nogo::Setup::parse(parameters)?;
    Ok(if setup.cols * setup.rows <= 64 {
        Box::new(Erased(nogo::NoGo::<u64>::new(setup)))
    } else {
        Box::new(Erased(nogo::NoGo::<u128>::new(setup)))
    })
}

fn make_y(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = y::Setup::parse(parameters)?;
    Ok(if setup.cells() <= 64 {
        Box::new(Erased(y::Y::<u64>::new(setup)))
    } else {
        Box::new(Erased(y::Y::<u128>::new(setup)))
    })
}

fn make_amazons(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = amazons::Setup::parse(parameters)?;
    Ok(if setup.cols * setup.rows <= 64 {
        Box::new(Erased(amazons::Amazons::<u64>::new(setup)))
    } else {
        Box::new(Erased(amazons::Amazons::<u128>::new(setup)))
    })
}

fn make_breakthrough(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = breakthrough::Setup::parse(parameters)?;
    Ok(if setup.cols * setup.rows <= 64 {
        Box::new(Erased(breakthrough::Breakthrough::<u64>::new(setup)))
    } else {
        Box::new(Erased(breakthrough::Breakthrough::<u128>::new(setup)))
    })
}

fn make_pentalath(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = pentalath::Setup::parse(parameters)?;
    Ok(if setup.bits() <= 64 {
        Box::new(Erased(pentalath::Pentalath::<u64>::new(setup)))
    } else {
        Box::new(Erased(pentalath::Pentalath::<u128>::new(setup)))
    })
}

fn make_go(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = go::Setup::parse(parameters)?;
    Ok(match setup.cells() {
        0..=64 => Box::new(Erased(go::Go::<u64>::new(setup))),
        65..=128 => Box::new(Erased(go::Go::<u128>::new(setup))),
        _ => Box::new(Erased(go::Go::<U384>::new(setup))),
    })
}

fn make_loa(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = loa::Setup::parse(parameters)?;
    Ok(if setup.size <= 8 {
        Box::new(Erased(loa::Loa::<u64>::new(setup)))
    } else {
        Box::new(Erased(loa::Loa::<u128>::new(setup)))
    })
}

fn make_chinese_checkers(parameters: &str) -> Result<Box<dyn DynGame>, TextError> {
    let setup = chinese_checkers::Setup::parse(parameters)?;
    Ok(match setup.side {
        0..=2 => Box::new(Erased(chinese_checkers::ChineseCheckers::<u64>::new(setup))),
        3 => Box::new(Erased(chinese_checkers::ChineseCheckers::<u128>::new(setup))),
        _ => Box::new(Erased(chinese_checkers::ChineseCheckers::<U256>::new(setup))),
    })
}

/// Why a game could not be set up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// There is no game of this name.
    #[error("no game is called `{name}`{}; there are {}", nearest(.name), names())]
    UnknownName {
        /// The name that was given.
        name: String,
    },
    /// The game does not take these parameters.
    #[error("game `{game}`: {error}; it is written `{form}`, e.g. `{example}`")]
    BadParameters {
        /// The game's name.
        game: &'static str,
        /// How the game is written.
        form: String,
        /// A game to try.
        example: &'static str,
        /// What was wrong.
        error: TextError,
    },
    /// The game cannot read this position.
    #[error(transparent)]
    Position(#[from] TextError),
    /// A move of a line of play is not legal.
    #[error("ply {ply}: {error}")]
    Move {
        /// Its number, from 1.
        ply: usize,
        /// What is wrong with it.
        error: TextError,
    },
}

fn names() -> String {
    GAMES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

/// A hint at the name that is most like `name`, if any is.
fn nearest(name: &str) -> String {
    let likeness = |entry: &&Entry| strsim::jaro_winkler(&name.to_lowercase(), entry.name);
    let best = GAMES.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|entry| likeness(entry) > 0.7)
        .map_or(String::new(), |entry| format!(" (did you mean `{}`?)", entry.name))
}

impl Entry {
    /// How the game is written: its name and the form of its parameters.
    pub fn form(&self) -> String {
        if self.parameters.is_empty() {
            self.name.to_owned()
        } else {
            format!("{}:{}", self.name, self.parameters)
        }
    }

    /// The game with these parameters.
    pub fn make(&self, parameters: &str) -> Result<Box<dyn DynGame>, SetupError> {
        (self.make)(parameters).map_err(|error| SetupError::BadParameters {
            game: self.name,
            form: self.form(),
            example: self.example,
            error,
        })
    }
}

/// The position at the end of a line of play. The error of a move names its ply.
pub fn reach(line: &Line) -> Result<Box<dyn DynPosition>, SetupError> {
    let rules = game(&line.game)?;
    let mut pos = match &line.from {
        None => rules.start(),
        Some(text) => rules.parse(text)?,
    };
    for (i, mv) in line.moves.iter().enumerate() {
        pos.play(mv).map_err(|error| SetupError::Move { ply: i + 1, error })?;
    }
    Ok(pos)
}

/// The game written `NAME` or `NAME:PARAMETERS`.
pub fn game(text: &str) -> Result<Box<dyn DynGame>, SetupError> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let entry = GAMES
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| SetupError::UnknownName { name: name.to_owned() })?;
    entry.make(parameters)
}
