//! A network as hints: values and priors, one evaluation a position, several threads, clear errors.

use proofplay_core::{Family, Game, GameVisitor, Hints, Player, Position, Rng};
use proofplay_games::{connect4, go, mnk};
use proofplay_net::formats::own;
use proofplay_net::model::Style;
use proofplay_net::{
    About, Encoder, Evaluator, MoveIndex, Net, NetFile, NetHints, encoders, full_name, open_hints,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn file(encoder: &str, board: [usize; 2], planes: usize, moves: usize) -> NetFile {
    let net = Net::random(Style::Post { board, moves }, planes, 1, 8, 1);
    NetFile { net, about: About { encoder: encoder.into(), ..About::default() } }
}

/// Counts how often it is asked.
struct Counting<P: Position> {
    inner: Arc<dyn Encoder<P>>,
    count: AtomicUsize,
}

impl<P: Position> Encoder<P> for Counting<P> {
    fn board(&self) -> [usize; 2] {
        self.inner.board()
    }
    fn planes(&self) -> usize {
        self.inner.planes()
    }
    fn outputs(&self) -> usize {
        self.inner.outputs()
    }
    fn encode(&self, pos: &P, planes: &mut [f32], globals: &mut [f32]) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.inner.encode(pos, planes, globals);
    }
    fn index(&self, pos: &P, mv: P::Move) -> MoveIndex {
        self.inner.index(pos, mv)
    }
}

struct Check;

impl GameVisitor for Check {
    type Out = ();

    fn visit<G: Game>(self, game: G) {
        let inner = encoders::encoder("board", &game).unwrap();
        let file = file("board", inner.board(), inner.planes(), inner.outputs());
        let counting = Arc::new(Counting { inner: Arc::clone(&inner), count: AtomicUsize::new(0) });
        let hints = NetHints::new(&file, Arc::clone(&counting) as Arc<dyn Encoder<_>>, 64).unwrap();
        let mut evaluator = Evaluator::new(&file.net, inner.board()).unwrap();
        let mut planes = vec![0.0; evaluator.planes()];
        let (mut pos, mut rng, mut moves) = (game.start(), Rng::new(1), Vec::new());
        let mut evaluations = 0;
        while pos.outcome().is_none() {
            moves.clear();
            pos.moves(&mut moves);
            let mut priors = vec![1.0; moves.len()];
            hints.priors(&pos, &moves, &mut priors);
            let value = hints.value(&pos);
            evaluations += 1;
            assert_eq!(counting.count.load(Ordering::Relaxed), evaluations, "one evaluation for both");
            // By hand.
            inner.encode(&pos, &mut planes, &mut []);
            let output = evaluator.evaluate(&planes, &[]);
            let sign = if pos.turn() == Player::First { 1.0 } else { -1.0 };
            assert_eq!(value, sign * output.value());
            assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let logit = |mv| inner.index(&pos, mv).logit(&output.policy);
            for (&mv, prior) in moves.iter().zip(&priors) {
                let expected = priors[0] * (logit(mv) - logit(moves[0])).exp();
                assert!((prior - expected).abs() < 1e-5, "{prior} {expected}");
            }
            pos.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        assert_eq!(hints.value(&pos), f32::from(pos.outcome().unwrap().0.signum()), "the rules say it");
        assert_eq!(counting.count.load(Ordering::Relaxed), evaluations);
        // Many threads ask for the same positions, in a memory that is too small.
        let hints = Arc::new(NetHints::new(&file, inner, 2).unwrap());
        let lines: Vec<G::Pos> = moves_from(&game, 12);
        let alone: Vec<f32> = lines.iter().map(|pos| hints.value(pos)).collect();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(lines.iter().map(|pos| hints.value(pos)).collect::<Vec<_>>(), alone);
                    }
                });
            }
        });
    }
}

fn moves_from<G: Game>(game: &G, count: usize) -> Vec<G::Pos> {
    let mut moves = Vec::new();
    game.start().moves(&mut moves);
    moves.iter().cycle().take(count).map(|&mv| game.start().after(mv)).collect()
}

#[test]
fn values_and_priors() {
    connect4::Setup::build("5x5", Check).unwrap();
    mnk::Setup::build("4x4k4", Check).unwrap();
    go::Setup::build("4x4", Check).unwrap();
}

#[test]
fn what_does_not_fit_is_refused() {
    struct Refused(NetFile);
    impl GameVisitor for Refused {
        type Out = String;
        fn visit<G: Game>(self, game: G) -> String {
            self.0.hints(&game).map(|_| ()).unwrap_err().to_string()
        }
    }
    let refused = |encoder, board, planes, moves| {
        connect4::Setup::build("5x5", Refused(file(encoder, board, planes, moves))).unwrap()
    };
    assert_eq!(refused("board", [7, 6], 4, 25), "the net is for boards of 7x6 cells, not of 5x5");
    assert_eq!(refused("board", [5, 5], 5, 30), "the net has 5 planes, the encoder 4");
    assert_eq!(refused("board", [5, 5], 4, 7), "the net has 7 outputs of the policy, the encoder 30");
    assert_eq!(
        refused("", [5, 5], 4, 7),
        "there is no encoder ``: board, gomoku, leela-zero and katago are known"
    );
    assert!(refused("katago", [5, 5], 4, 7).contains("is for Go, not for `connect4:5x5"));
}

/// Hints from a file have its name and leave the rest to the game; a file that changes is read again.
#[test]
fn hints_from_a_file() {
    struct Open(String);
    impl GameVisitor for Open {
        type Out = f32;
        fn visit<G: Game>(self, game: G) -> f32 {
            let hints = open_hints(&self.0, &game).unwrap();
            assert_eq!(hints.network(), Some(&*self.0));
            let (mut rng, mut pos) = (Rng::new(2), game.start());
            while pos.outcome().is_none() {
                pos.play(pos.random_move(&mut rng, &mut Vec::new()));
            }
            assert_eq!(hints.quality(&pos), game.hints().quality(&pos));
            assert_eq!(hints.policies(), game.hints().policies());
            hints.value(&game.start())
        }
    }
    let path = std::env::temp_dir().join(format!("proofplay-hints-{}", std::process::id()));
    let name = path.to_str().unwrap().to_owned();
    let value = |seed| {
        let net = Net::random(Style::Post { board: [5, 5], moves: 30 }, 4, 1, 8, seed);
        let file = NetFile { net, about: About { encoder: "board".into(), ..About::default() } };
        std::fs::write(&path, own::write(&file)).unwrap();
        // Clocks of file systems are coarse.
        let now = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1000 + seed);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(now).unwrap();
        let open = || connect4::Setup::build("5x5", Open(name.clone())).unwrap();
        assert_eq!(open(), open());
        open()
    };
    assert_ne!(value(1), value(2));
    // With its digest it is this file and no other.
    let full = full_name(&name).unwrap();
    assert!(full.starts_with(&format!("{name}#")) && full_name(&full).as_ref() == Ok(&full), "{full}");
    connect4::Setup::build("5x5", Open(full.clone())).unwrap();
    value(1);
    let error = full_name(&full).unwrap_err().to_string();
    assert!(error.starts_with(&full) && error.contains("it is another network"), "{error}");
    let game = go::Go::<u64>::new(go::Setup::parse("5x5").unwrap());
    assert_eq!(open_hints(&full, &game).map(|_| ()).unwrap_err().to_string(), error);
    std::fs::remove_file(&path).unwrap();
    let error = open_hints(&name, &go::Go::<u64>::new(go::Setup::parse("5x5").unwrap())).map(|_| ());
    assert!(error.unwrap_err().to_string().starts_with(&name));
}

/// Networks for Go read earlier turns, so what is remembered of one board depends on them: the key of a
/// position of Go tells its earlier boards.
#[test]
fn turns_are_part_of_what_is_remembered() {
    let game = go::Go::<u64>::new(go::Setup::parse("5x5").unwrap());
    let after = |line: &str| {
        let mut pos = game.start();
        for mv in line.split(' ') {
            pos.play(game.parse_move(&pos, mv).unwrap());
        }
        pos
    };
    let [one, other] = ["a1 c3 b2 d4", "b2 d4 a1 c3"].map(after);
    assert_eq!(game.show(&one), game.show(&other));
    assert_ne!(one.key(), other.key());
    assert_eq!(one.key(), after("a1 c3 b2 d4").key());
}
