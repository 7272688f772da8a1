//! A whole game: Nim. The players take 1 to 3 matches in turn; taking the last one wins.
//!
//!     cargo run --release -p proofplay --example own_game

use proofplay::{Key, Player, Position, Score, SearchSpec, conformance, zobrist};

/// A heap of matches, and who takes next.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    matches: u8,
    mover: Player,
}

impl Heap {
    /// A game that begins with this many.
    pub fn of(matches: u8) -> Heap {
        Heap { matches, mover: Player::First }
    }
}

static KEYS: [[Key; 256]; 2] = [zobrist(1), zobrist(2)];

impl Position for Heap {
    type Move = u8;
    fn repeats(&self) -> bool {
        false
    }

    fn turn(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Score> {
        (self.matches == 0).then(|| Score::win_of(!self.mover))
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.matches.min(3));
    }

    fn play(&mut self, taken: u8) {
        self.matches -= taken;
        self.mover = !self.mover;
    }

    fn key(&self) -> Key {
        KEYS[self.mover.index()][usize::from(self.matches)]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Panics with a message if the game breaks a promise: best called in a test.
    conformance::check_position(&Heap::of(24), 10, 1);
    for matches in 20..=24 {
        let start = Heap::of(matches);
        let proof = "alphabeta".parse::<SearchSpec>()?.solve(&start)?;
        let game = "score-bounded".parse::<SearchSpec>()?.solve(&start)?;
        assert_eq!(proof.bounds, game.bounds);
        println!("{matches} matches: value {}, best line {:?}", proof.bounds, proof.pv);
    }
    Ok(())
}
