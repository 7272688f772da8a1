//! Moves in the order of their texts.

use proofplay_core::{Game, Move, Position};

/// Lists moves in the order of their texts. Where a game's texts are fixed, they are made once and
/// remembered as numbers.
pub struct TextOrder {
    /// By the code of a move and who makes it: its text as a number, 0 where it is not known.
    numbers: Vec<u128>,
    /// The codes of the moves at hand, by these numbers, or by their texts.
    numbered: Vec<(u128, u32)>,
    named: Vec<(String, u32)>,
}

/// A move of a game.
type MoveOf<G> = <<G as Game>::Pos as Position>::Move;

/// Codes from here on are not remembered.
const MOST: u32 = 1 << 16;

impl TextOrder {
    /// No text is known yet.
    pub fn new() -> Self {
        TextOrder { numbers: Vec::new(), numbered: Vec::new(), named: Vec::new() }
    }

    /// Appends the moves of a position.
    pub fn list<G: Game>(&mut self, game: &G, pos: &G::Pos, out: &mut Vec<MoveOf<G>>) {
        let first = out.len();
        pos.moves(out);
        if game.has_fixed_texts() && self.number_all(game, pos, &out[first..]) {
            self.sort_numbered();
            for (place, numbered) in out[first..].iter_mut().zip(&self.numbered) {
                *place = Move::from_code(numbered.1);
            }
            return;
        }
        self.named.clear();
        for &mv in &out[first..] {
            self.named.push((game.show_move(pos, mv), mv.code()));
        }
        self.sort_named();
        for (place, named) in out[first..].iter_mut().zip(&self.named) {
            *place = Move::from_code(named.1);
        }
    }

    fn sort_numbered(&mut self) {
        self.numbered.sort_unstable_by_key(|numbered| numbered.0);
    }

    fn sort_named(&mut self) {
        self.named.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }

    /// Looks up the numbers of all moves. Returns whether all have one.
    fn number_all<G: Game>(&mut self, game: &G, pos: &G::Pos, moves: &[MoveOf<G>]) -> bool {
        let mover = pos.turn().index();
        self.numbered.clear();
        for &mv in moves {
            let code = mv.code();
            if code >= MOST {
                return false;
            }
            let place = 2 * code as usize + mover;
            if self.numbers.len() <= place {
                self.numbers.resize(place + 1, 0);
            }
            if self.numbers[place] == 0 {
                let Some(number) = as_number(&game.show_move(pos, mv)) else { return false };
                self.numbers[place] = number;
            }
            self.numbered.push((self.numbers[place], code));
        }
        true
    }
}

/// A text of up to 16 bytes as a number; the order of numbers is that of the texts.
fn as_number(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 16 || bytes.contains(&0) {
        return None;
    }
    let mut padded = [0; 16];
    padded[..bytes.len()].copy_from_slice(bytes);
    Some(u128::from_be_bytes(padded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofplay_core::Rng;
    use proofplay_games::{amazons, breakthrough, domineering, y};

    #[test]
    fn numbers_are_in_the_order_of_the_texts() {
        let texts = ["a", "a1", "a10", "a1-a2", "a2", "b", "z9/z9-z9/z9-z9/z", "ä"];
        for a in texts {
            for b in texts {
                assert_eq!(as_number(a).cmp(&as_number(b)), a.cmp(b), "{a} {b}");
            }
        }
        assert_eq!([as_number(""), as_number("a\0"), as_number("12345678901234567")], [None; 3]);
    }

    /// Random games; every list against one sorted by fresh texts.
    fn check<G: Game>(game: G) {
        let (mut rng, mut order, mut buf) = (Rng::new(5), TextOrder::new(), Vec::new());
        for _ in 0..20 {
            let mut pos = game.start();
            while pos.outcome().is_none() {
                let (mut listed, mut expected) = (Vec::new(), Vec::new());
                order.list(&game, &pos, &mut listed);
                pos.moves(&mut expected);
                expected.sort_by_key(|&mv| game.show_move(&pos, mv));
                assert_eq!(listed, expected, "{}", game.show(&pos));
                let mv = pos.random_move(&mut rng, &mut buf);
                pos.play(mv);
            }
        }
    }

    #[test]
    fn lists_are_sorted() {
        check(domineering::Domineering::<u128>::new(domineering::Setup::parse("11x10").unwrap()));
        check(y::Y::<u64>::new(y::Setup::parse("5").unwrap()));
        // Texts that depend on the position, and codes that are too large.
        check(breakthrough::Breakthrough::<u64>::new(breakthrough::Setup::parse("5x5").unwrap()));
        check(amazons::Amazons::<u64>::new(amazons::Setup::parse("6x6").unwrap()));
    }
}
