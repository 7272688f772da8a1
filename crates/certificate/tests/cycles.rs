//! Games whose positions can repeat: a strategy must not rest on itself. Also games whose scores
//! lie outside of their range.

use proofplay_certificate::{Certificate, Fault, Statement, WriteError, verify, write};
use proofplay_core::{Bounds, Game, Key, Line, Player, Position, Score, TextError, View};

/// Three rooms in a ring. Both players can only continue, or leave and lose; but Second wins by
/// leaving room 2. Otherwise the game ends only after `most` moves, if at all, with a draw.
#[derive(Clone, Debug)]
struct Ring {
    most: Option<u8>,
    /// The points of the winner.
    points: i16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Room {
    number: u8,
    mover: Player,
    /// The moves made, where they count.
    made: Option<u8>,
    most: u8,
    points: i16,
    end: Option<Score>,
}

impl Position for Room {
    type Move = u8;
    fn turn(&self) -> Player {
        self.mover
    }
    fn outcome(&self) -> Option<Score> {
        self.end
    }
    fn moves(&self, out: &mut Vec<u8>) {
        // Not in the order of their texts.
        out.extend([1, 0]);
    }
    fn play(&mut self, mv: u8) {
        if mv == 1 {
            let wins = self.mover == Player::Second && self.number == 2;
            self.end = Some(Score(self.points).seen_by(if wins { self.mover } else { !self.mover }));
        }
        self.number = (self.number + 1) % 3;
        self.mover = !self.mover;
        self.made = self.made.map(|made| made + 1);
        if self.end.is_none() && self.made == Some(self.most) {
            self.end = Some(Score::DRAW);
        }
    }
    fn key(&self) -> Key {
        Key::from(self.number)
    }
}

impl Game for Ring {
    type Pos = Room;
    fn name(&self) -> String {
        "ring".to_owned()
    }
    fn start(&self) -> Room {
        let (made, most) = (self.most.map(|_| 0), self.most.unwrap_or(0));
        Room { number: 0, mover: Player::First, made, most, points: self.points, end: None }
    }
    fn parse(&self, text: &str) -> Result<Room, TextError> {
        Err(TextError::new("position", text, "only the start"))
    }
    fn show(&self, pos: &Room) -> String {
        format!("{} {:?}", pos.number, pos.made)
    }
    fn show_move(&self, _: &Room, mv: u8) -> String {
        ["go", "leave"][usize::from(mv)].to_owned()
    }
    fn side(&self, _: Player) -> &'static str {
        "somebody"
    }
    fn view(&self, _: &Room) -> View {
        View::default()
    }
}

/// First always continues, from rooms 0, 2, 1 and so on; Second meets rooms 1, 0, 2.
fn go_on(game: &Ring, bounds: Bounds) -> Result<Vec<u8>, WriteError<()>> {
    let go = |_: &_, _, _, good: &mut Vec<u8>| {
        good.push(0);
        Ok(())
    };
    let statement = Statement::new(Line::start(&game.name()), bounds).with_memory(1 << 20);
    write(game, &statement, go, |_| true).map(|written| written.bytes)
}

#[test]
fn going_round_proves_nothing() {
    let bounds = Bounds::new(Score::DRAW, Score::WIN);
    let Err(WriteError::Walk { line, fault, .. }) = go_on(&Ring { most: None, points: 1 }, bounds) else {
        panic!()
    };
    // `go` is walked before `leave`.
    assert_eq!((line.join(" ").as_str(), fault), ("go go go go go go", Fault::Repeats));
}

#[test]
fn positions_that_carry_their_history_do_not_repeat() {
    // Four moves: rooms 0, 1, 2, 0; Second moves in rooms 1 and 0 and can only lose by leaving.
    let game = Ring { most: Some(4), points: 1 };
    let bounds = Bounds::new(Score::DRAW, Score::WIN);
    let file = go_on(&game, bounds).unwrap();
    let checked = verify(&game, &Certificate::parse(&file).unwrap(), 1 << 20, |_| true).unwrap();
    assert_eq!((checked.bounds, checked.walked.positions, checked.walked.ends), (bounds, 4, 3));
    // With six moves Second leaves from room 2 at the end, which wins.
    let Err(WriteError::Walk { line, fault, .. }) = go_on(&Ring { most: Some(6), points: 1 }, bounds) else {
        panic!()
    };
    assert_eq!((line.join(" ").as_str(), fault), ("go go go go go leave", Fault::Score(Score::LOSS)));
}

#[test]
#[should_panic(expected = "5, but `Position::range` says [-1, +1]")]
fn scores_outside_the_range_are_not_written() {
    _ = go_on(&Ring { most: Some(4), points: 5 }, Bounds::new(Score::DRAW, Score::WIN));
}

#[test]
#[should_panic(expected = "5, but `Position::range` says [-1, +1]")]
fn scores_outside_the_range_are_not_verified() {
    let file = go_on(&Ring { most: Some(4), points: 1 }, Bounds::new(Score::DRAW, Score::WIN)).unwrap();
    _ = verify(&Ring { most: Some(4), points: 5 }, &Certificate::parse(&file).unwrap(), 1 << 20, |_| true);
}
