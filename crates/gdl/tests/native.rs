//! Our sheets are the same games as our native ones: along random games all moves, movers and outcomes agree, and
//! so do the numbers of lines of play and the values.

use proofplay_core::{Family, Game, GameVisitor, Player, Position, Rng, minimax, perft};
use proofplay_gdl::{Sheet, SheetGame};

/// A move of a sheet in the notation of the native game.
type Translate = fn(&[&str]) -> Vec<String>;

fn sheet(name: &str) -> SheetGame {
    let path = format!("{}/sheets/{name}.gdl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a sheet of ours");
    SheetGame::new(&Sheet::read(name, &text).expect("sound")).expect("a game")
}

fn cell(column: &str, row: &str) -> String {
    format!("{}{row}", (b'a' + column.parse::<u8>().expect("a column") - 1) as char)
}

struct Compare {
    sheet: SheetGame,
    translate: Translate,
    /// Depth for counting lines, and for comparing values so many moves before the end of a random game.
    depth: u32,
    end: usize,
}

impl GameVisitor for Compare {
    type Out = ();

    fn visit<G: Game>(self, native: G) {
        let (mut buf, mut rng) = (Vec::new(), Rng::new(3));
        for depth in 1..=self.depth {
            assert_eq!(perft(&self.sheet.start(), depth), perft(&native.start(), depth), "depth {depth}");
        }
        for _ in 0..10 {
            let (mut a, mut b) = (self.sheet.start(), native.start());
            let mut line = Vec::new();
            loop {
                assert_eq!(a.outcome(), b.outcome(), "{a:?}");
                if a.outcome().is_some() {
                    break;
                }
                line.push((a.clone(), b.clone()));
                assert_eq!(a.turn(), b.turn(), "{a:?}");
                let mv = a.random_move(&mut rng, &mut buf);
                let text = self.sheet.show_move(&a, mv);
                let (name, args) = text.split_once('(').unwrap_or((&text, ""));
                let mut words = vec![name];
                words.extend(args.trim_end_matches(')').split(','));
                let forms = (self.translate)(&words);
                let twin = forms.iter().find_map(|form| native.parse_move(&b, form).ok());
                let twin = twin.unwrap_or_else(|| panic!("{text} is not legal in {}", native.show(&b)));
                assert_eq!(a.count_moves(&mut buf), b.count_moves(&mut Vec::new()), "{a:?}");
                a.play(mv);
                b.play(twin);
            }
            let (a, b) = &line[line.len().saturating_sub(self.end)];
            assert_eq!(shallow(a, self.end), shallow(b, self.end), "{a:?}");
        }
    }
}

/// The value if all games that are not over after so many moves were drawn.
fn shallow<P: Position>(pos: &P, depth: usize) -> i16 {
    if let Some(score) = pos.outcome() {
        return score.0;
    }
    if depth == 0 {
        return 0;
    }
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let values = moves.into_iter().map(|mv| shallow(&pos.after(mv), depth - 1));
    let best = if pos.turn() == Player::First { values.max() } else { values.min() };
    best.expect("a move")
}

fn compare<F: Family>(name: &str, parameters: &str, translate: Translate, depth: u32, end: usize) {
    let visitor = Compare { sheet: sheet(name), translate, depth, end };
    F::build(parameters, visitor).expect("parameters");
}

#[test]
fn tic_tac_toe() {
    use proofplay_games::tictactoe::TicTacToe;
    compare::<TicTacToe>("tictactoe", "", |words| vec![cell(words[1], words[2])], 7, 6);
}

#[test]
fn connect_four() {
    use proofplay_games::connect4::Setup;
    for (size, depth, end) in [("7x6", 4, 5), ("8x6", 3, 5), ("4x4", 6, 7), ("5x4", 5, 6)] {
        compare::<Setup>(&format!("connect4-{size}"), size, |words| vec![words[1].to_owned()], depth, end);
    }
}

#[test]
fn breakthrough() {
    use proofplay_games::breakthrough::Setup;
    let both = |words: &[&str]| {
        let (from, to) = (cell(words[1], words[2]), cell(words[3], words[4]));
        vec![format!("{from}-{to}"), format!("{from}x{to}")]
    };
    for (size, depth, end) in [("4x4", 5, 4), ("6x6", 3, 3), ("8x8", 2, 2)] {
        compare::<Setup>(&format!("breakthrough-{size}"), size, both, depth, end);
    }
}

#[test]
fn amazons() {
    use proofplay_games::amazons::Setup;
    let whole = |words: &[&str]| {
        vec![format!(
            "{}-{}/{}",
            cell(words[1], words[2]),
            cell(words[3], words[4]),
            cell(words[5], words[6])
        )]
    };
    for (size, depth, end) in [("4x4", 2, 3), ("5x5", 2, 1)] {
        compare::<Setup>(&format!("amazons-{size}"), size, whole, depth, end);
    }
}

/// Nim is won by the player to move unless the heaps add up to 0 without carry.
#[test]
fn known_values() {
    let game = sheet("nim-3-4-5");
    let two = game.parse("control(ann) heap(a,2) heap(b,2) heap(c,1)").expect("a position");
    assert_eq!(minimax(&two).0, 1, "2 xor 2 xor 1 is not 0");
    let zero = game.parse("control(ann) heap(a,1) heap(b,2) heap(c,3)").expect("a position");
    assert_eq!(minimax(&zero).0, -1, "1 xor 2 xor 3 is 0");
    // The puzzle has a solution that leaves one peg, found by always looking at new positions only.
    let game = sheet("pegs");
    let (mut open, mut seen) = (vec![game.start()], std::collections::HashSet::new());
    let mut best = 0;
    while let Some(pos) = open.pop() {
        match pos.outcome() {
            Some(score) => best = best.max(score.0),
            None => {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let next = moves.into_iter().map(|mv| pos.after(mv));
                open.extend(next.filter(|next| seen.insert(next.clone())));
            }
        }
    }
    assert_eq!(best, 100);
}
