//! A game that is defined while the program runs, in a list of games beside ours.

use proofplay_core::{Key, Line, Own, Player, Position, Score, mix};
use proofplay_registry::{Certify, CheckError, Entry, Games, SetupError, erase, game, standard};
use proofplay_search::{Ask, Resources, Run};

/// A heap of matches. Who takes the last one wins.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
struct Heap {
    left: u8,
    most: u8,
    mover: Player,
}

impl Position for Heap {
    type Move = u8;

    fn turn(&self) -> Player {
        self.mover
    }

    fn outcome(&self) -> Option<Score> {
        (self.left == 0).then(|| Score::win_of(!self.mover))
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.most.min(self.left));
    }

    fn play(&mut self, taken: u8) {
        self.left -= taken;
        self.mover = !self.mover;
    }

    fn key(&self) -> Key {
        mix(u128::from(self.left) << 1 | self.mover.index() as u128)
    }

    fn repeats(&self) -> bool {
        false
    }
}

/// Our games and the heap, by a rule that nobody knew when the program was compiled: how many matches one may take.
fn games(most: u8) -> Games {
    let heap = Heap { left: 10, most, mover: Player::First };
    let rules = Own::new("heap", heap).with_digest(most.into());
    let entry = Entry::new("heap", move |_| Ok(erase(rules.clone())));
    standard().with(entry.described("", "heap", "take some matches; who takes the last one wins"))
}

#[test]
fn found_beside_ours() {
    let games = games(3);
    assert_eq!(games.game("heap").unwrap().id(), "heap#0000000000000003");
    assert_eq!(games.game("heap").unwrap().start().legal(), ["1", "2", "3"]);
    assert_eq!(games.game("y:3").unwrap().name(), "y:3");
    assert!(game("heap").is_err(), "the games of the program are as they were");
    let twice = games.clone().with(Entry::new("heap", |_| game("y:2").map_err(|_| unreachable!())));
    assert_eq!((twice.len(), twice.game("heap").unwrap().name()), (games.len(), "y:2".to_owned()));
}

#[test]
fn names_in_any_case() {
    let games = games(3).with(Entry::new("Heap", |_| game("y:2").map_err(|_| unreachable!())));
    let name = |text: &str| games.game(text).map(|game| game.name()).map_err(|error| error.to_string());
    assert_eq!(name("Connect4:5x4"), Ok("connect4:5x4".to_owned()));
    assert_eq!(name("TICTACTOE"), Ok("tictactoe".to_owned()));
    assert_eq!([name("heap"), name("Heap")], [Ok("heap".to_owned()), Ok("y:2".to_owned())]);
    assert_eq!(name("HEAP"), Err("game `HEAP`: ambiguous, one of: heap, Heap".to_owned()));
    assert!(games.recorded("heap").is_err() && games.recorded("Y:3").is_err());
    assert_eq!(games.recorded("heap#0000000000000003").unwrap().id(), "heap#0000000000000003");
}

/// A file names the rules, so that it is not read by others.
#[test]
fn certificates_name_the_rules() {
    let start = games(3).game("heap").unwrap().start();
    let mut search = start.start_search(&"alphabeta".parse().unwrap(), Resources::default()).unwrap();
    let bounds = search.run(Ask::Value, &mut Run::default()).unwrap().bounds;
    assert_eq!(bounds.value(), Some(Score::WIN), "two matches leave a multiple of four");
    let wanted = Certify::new(Line::start(&start.game()), bounds);
    let file = search.certify(&wanted, &mut |_| true).unwrap().written.bytes;
    let verify = |most| games(most).verify(&file, 1 << 20, &mut |_| true).map(|(_, checked)| checked.bounds);
    assert_eq!(verify(3), Ok(bounds));
    let asked = "heap#0000000000000003".to_owned();
    let found = "heap#0000000000000004".to_owned();
    assert_eq!(verify(4), Err(CheckError::Setup(SetupError::OtherRules { asked, found })));
}

#[test]
fn values_without_types() {
    let game = game("connect4").unwrap();
    assert_eq!(
        (game.to_string(), format!("{game:?}")),
        ("connect4:7x6".into(), "Game(\"connect4:7x6\")".into())
    );
    let start = game.clone().start();
    let mut after = start.clone();
    after.play("4").unwrap();
    assert_ne!(after.to_string(), start.to_string());
    assert_eq!(start.to_string(), game.start().text());
    assert!(format!("{after:?}").contains(&after.text()));
    assert!(proofplay_registry::game("conect4").is_err());
}
