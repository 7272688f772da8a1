//! The game of `own_game.rs`, for the other examples: take 1 to 3 matches; who takes the last one wins.

use proofplay::{Key, Player, Position, Score, zobrist};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    pub matches: u8,
    pub mover: Player,
}

static KEYS: [[Key; 256]; 2] = [zobrist(1), zobrist(2)];

impl Heap {
    pub fn of(matches: u8) -> Heap {
        Heap { matches, mover: Player::First }
    }
}

impl Position for Heap {
    type Move = u8;

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

    fn repeats(&self) -> bool {
        false
    }
}
