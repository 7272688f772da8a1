//! Graph-history interaction: where positions can repeat, what is known about a position on one
//! path may be wrong on another.
//!
//! A token walks from place to place; a player who brings it back to an earlier place loses at
//! once. What a place is worth depends on how the token got there.
//!
//! ```text
//! A (First)  -> B, C         by B: from D, First cannot go back to B and has only the draw
//! B (Second) -> D            by C: from D, First goes to B, and Second must go back to D and loses
//! C (Second) -> D
//! D (First)  -> B, draw      the value of A is a win for First, by C
//! ```
//!
//! A search that identifies places only by name searches B first, stores "D is a draw", and finds
//! no win in C.

use proofplay_core::{Bounds, Key, Player, Position, Rng, Score, minimax, mix};
use proofplay_search::{SearchError, SearchSpec};

#[derive(PartialEq, Eq, Hash, Debug)]
struct Place {
    mover: Player,
    /// A score is an end of the game.
    ways: Vec<Result<u8, Score>>,
}

/// The names of places alone, declared as if nothing could repeat: wrong.
const NAIVE: u8 = 0;
/// The names of places alone, declared as what they are.
const HONEST: u8 = 1;
/// The places that the token has been to belong to the key, so that nothing repeats.
const WHOLE: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Walk<const DECLARED: u8> {
    map: &'static [Place],
    at: u8,
    seen: u64,
    end: Option<Score>,
}

impl<const DECLARED: u8> Walk<DECLARED> {
    fn start(map: &'static [Place]) -> Self {
        Walk { map, at: 0, seen: 1, end: None }
    }

    fn place(&self) -> &Place {
        &self.map[usize::from(self.at)]
    }
}

impl<const DECLARED: u8> Position for Walk<DECLARED> {
    type Move = u8;
    fn repeats(&self) -> bool {
        DECLARED == HONEST
    }

    fn turn(&self) -> Player {
        self.place().mover
    }
    fn outcome(&self) -> Option<Score> {
        self.end
    }
    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.place().ways.len() as u8);
    }
    fn play(&mut self, mv: u8) {
        let mover = self.turn();
        match self.place().ways[usize::from(mv)] {
            Err(score) => self.end = Some(score),
            Ok(to) => {
                let again = self.seen >> to & 1 == 1;
                self.end = again.then(|| Score::win_of(!mover));
                (self.at, self.seen) = (to, self.seen | 1 << to);
            }
        }
    }
    fn key(&self) -> Key {
        let history = if DECLARED == WHOLE { self.seen } else { 0 };
        let end = self.end.map_or(7, |score| score.0 as u16);
        mix(Key::from(self.at) | Key::from(end) << 16 | Key::from(history) << 64)
    }
}

fn by_hand() -> &'static [Place] {
    let place = |mover, ways: &[Result<u8, Score>]| Place { mover, ways: ways.to_vec() };
    let (first, second) = (Player::First, Player::Second);
    let map = vec![
        place(first, &[Ok(1), Ok(2)]),
        place(second, &[Ok(3)]),
        place(second, &[Ok(3)]),
        place(first, &[Ok(1), Err(Score::DRAW)]),
    ];
    map.leak()
}

/// A map of seven places with one to three ways each.
fn random_map(rng: &mut Rng) -> &'static [Place] {
    let mut place = |_| {
        let mover = Player::BOTH[rng.below(2) as usize];
        let way = |rng: &mut Rng| match rng.below(5) {
            0 => Err(Score(rng.below(3) as i16 - 1)),
            _ => Ok(rng.below(7) as u8),
        };
        let ways = (0..1 + rng.below(3)).map(|_| way(rng)).collect();
        Place { mover, ways }
    };
    let map: Vec<Place> = (0..7).map(&mut place).collect();
    map.leak()
}

fn solve<const DECLARED: u8>(map: &'static [Place], spec: &str) -> Result<Bounds, SearchError> {
    let spec: SearchSpec = spec.parse().unwrap();
    let start = Walk::<DECLARED>::start(map);
    spec.solve(&start).map(|report| report.bounds)
}

const BY_NAME: [&str; 5] = ["alphabeta", "dfpn", "dfpp", "pnt", "ppt"];
/// The first is what `--algorithm auto` takes where positions repeat.
const BY_PATH: [&str; 8] =
    ["pns:facts=on", "pns", "pn2", "pp", "pp2", "minimax", "score-bounded:facts=on", "exact-win"];

#[test]
fn names_alone_are_wrong() {
    let map = by_hand();
    assert_eq!(minimax(&Walk::<WHOLE>::start(map)), Score::WIN);
    for spec in BY_NAME {
        assert_eq!(solve::<NAIVE>(map, spec), Ok(Bounds::exact(Score::DRAW)), "{spec} falls into the trap");
        let error = solve::<HONEST>(map, spec).unwrap_err();
        assert!(matches!(error, SearchError::Cyclic(name) if name == spec), "{spec}: {error}");
        assert_eq!(solve::<WHOLE>(map, spec), Ok(Bounds::exact(Score::WIN)), "{spec}");
    }
    for spec in BY_PATH.into_iter().chain(["mcts-solver", "mcts"]) {
        assert_eq!(solve::<HONEST>(map, spec), Ok(Bounds::exact(Score::WIN)), "{spec}");
    }
    // The refusal names searches that would work.
    let refusal = solve::<HONEST>(map, "dfpn").unwrap_err().to_string();
    for spec in ["pns", "pn2", "pp", "pp2", "minimax", "score-bounded"] {
        let named = refusal.split(|c: char| c != '-' && !c.is_alphanumeric()).any(|word| word == spec);
        assert!(named && solve::<HONEST>(map, spec).is_ok(), "{refusal}");
    }
}

#[test]
fn paths_are_right_on_random_maps() {
    let (mut rng, mut trapped) = (Rng::new(4), [0; BY_NAME.len()]);
    for _ in 0..300 {
        let map = random_map(&mut rng);
        let truth = Ok(Bounds::exact(minimax(&Walk::<WHOLE>::start(map))));
        for spec in BY_PATH {
            assert_eq!(solve::<HONEST>(map, spec), truth, "{spec} on {map:?}");
        }
        for (i, spec) in BY_NAME.into_iter().enumerate() {
            assert_eq!(solve::<WHOLE>(map, spec), truth, "{spec} on {map:?}");
            // A search that trusts names may also run in a cycle for ever: only the quick ones.
            if ["alphabeta", "dfpn"].contains(&spec) {
                trapped[i] += u32::from(solve::<NAIVE>(map, spec) != truth);
            }
        }
    }
    assert!(trapped[0] > 0 && trapped[1] > 0, "{trapped:?}");
}
