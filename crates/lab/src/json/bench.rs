//! What was measured of the program: `bench`.

use serde::Serialize;

/// Speeds and the signature: `bench`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct BenchJson {
    /// The signature of all; null if it was stopped.
    pub signature: Option<String>,
    /// The games.
    pub games: Vec<BenchedGame>,
}

impl BenchJson {
    /// These games with their signature.
    pub fn new(signature: Option<String>, games: Vec<BenchedGame>) -> BenchJson {
        BenchJson { signature, games }
    }
}

/// What was measured of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BenchedGame {
    /// The game with its parameters.
    pub game: String,
    /// Bytes of a position.
    pub position_bytes: usize,
    /// The moves of the lines that were counted.
    pub perft_depth: u32,
    /// How many there are.
    pub perft_count: u64,
    /// How many are counted in a second; null if no speed was measured.
    pub perft_nodes_per_s: Option<f64>,
    /// Random games in a second; null if no speed was measured.
    pub playouts_per_s: Option<f64>,
    /// Moves of a random game.
    pub mean_plies: f64,
    /// Nodes of the searches that go into the signature.
    pub search_nodes: u64,
    /// The signature of this game.
    pub signature: String,
}
