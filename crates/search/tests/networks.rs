//! Searches whose leaves a network estimates: whatever it says, what is certain stays true.

use proofplay_core::minimax::{Memo, minimax};
use proofplay_core::{Bounds, Extras, Game, Hints, Position, Rng};
use proofplay_games::connect4::Connect4;
use proofplay_games::domineering::{self, Domineering};
use proofplay_games::go::{self, Go};
use proofplay_games::in_a_row::Any;
use proofplay_games::nogo::{self, NoGo};
use proofplay_games::written::Written;
use proofplay_net::model::Style;
use proofplay_net::{About, Net, NetFile, encoders, formats::own, open_hints};
use proofplay_search::{Ask, Limits, Resources, Run, Search, SearchSpec};
use std::sync::Arc;

/// A network that knows nothing and says anything, the same for the same position.
struct Noise;

impl<P: Position> Hints<P> for Noise {
    fn value(&self, pos: &P) -> f32 {
        match draw(pos.key() as u64, 40) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -1e9,
            n => n as f32 / 20.0 - 1.0,
        }
    }

    fn priors(&self, pos: &P, moves: &[P::Move], out: &mut [f32]) {
        let kind = draw(pos.key() as u64, 10);
        for (i, (prior, _)) in out.iter_mut().zip(moves).enumerate() {
            *prior = match kind {
                0 => f32::NAN,
                1 => 0.0,
                2 => f32::INFINITY,
                3 => -1.0,
                _ => draw(pos.key() as u64 + i as u64, 100) as f32,
            };
        }
    }

    fn network(&self) -> Option<&str> {
        Some("noise")
    }
}

fn draw(seed: u64, below: u32) -> u32 {
    Rng::new(seed).below(below)
}

fn start<G: Game>(game: &G, pos: &G::Pos, spec: &str, threads: usize) -> Box<dyn Search<G::Pos>> {
    start_with(Arc::new(Noise), game, pos, spec, threads)
}

fn start_with<G: Game>(
    hints: Arc<dyn Hints<G::Pos>>,
    game: &G,
    pos: &G::Pos,
    spec: &str,
    threads: usize,
) -> Box<dyn Search<G::Pos>> {
    let extras = Extras { facts: game.facts(), hints };
    let resources = Resources { memory: 1 << 22, threads, ..Resources::default() };
    spec.parse::<SearchSpec>().unwrap().start(pos, extras, resources).unwrap()
}

const SPECS: &[&str] = &[
    "mcts:leaf=net:noise",
    "mcts:leaf=net:noise,select=puct,reduce=0.5",
    "mcts:leaf=net:noise,select=puct,reduce=0.5,batch=8",
    "mcts:leaf=net:noise,select=puct,facts=on",
    "mcts:leaf=net:noise,select=puct,facts=on,batch=3,proof=exact",
    "exact-win:leaf=net:noise,select=puct,reduce=0.5",
    "mcts-solver:leaf=net:noise,select=puct",
    "score-bounded:leaf=net:noise,select=puct,ms=2",
];

/// Step by step along random games, with the tree kept: no bound of the root or of a move excludes the
/// value. Half the searches have two threads.
fn check<G: Game>(game: &G, hints: &Arc<dyn Hints<G::Pos>>, rng: &mut Rng) {
    let (mut memo, name) = (Memo::new(), hints.network().unwrap());
    let mut value = |pos: &G::Pos| if pos.repeats() { minimax(pos) } else { memo.value(pos) };
    for (i, spec) in SPECS.iter().enumerate() {
        let (mut pos, spec) = (game.start(), spec.replace("noise", name));
        let mut search = start_with(Arc::clone(hints), game, &pos, &spec, 1 + i % 2);
        while pos.outcome().is_none() {
            let limits = Limits { simulations: Some(40), ..Limits::default() };
            let report = search.run(Ask::AllMoves, &mut Run::new(limits)).unwrap();
            let what = format!("{spec} at {}", game.show(&pos));
            assert!(report.bounds.contains(value(&pos)), "{what}");
            for of in &report.moves {
                assert!(of.bounds.contains(value(&pos.after(of.mv))), "{what}");
                assert!(of.mean.is_none_or(|mean| (-1.0..=1.0).contains(&mean)), "{what}");
            }
            let mv = pos.random_move(rng, &mut Vec::new());
            search.play(mv);
            pos.play(mv);
        }
    }
}

#[test]
fn nothing_that_a_network_says_becomes_certain() {
    let mut rng = Rng::new(1);
    for _ in 0..6 {
        check(&Connect4::new(Any::<u64>::new(4, 4, 3)), &(Arc::new(Noise) as Arc<_>), &mut rng);
        let game = Domineering::<u32>::new(domineering::Setup::parse("4x4").unwrap());
        check(&game, &(Arc::new(Noise) as Arc<_>), &mut rng);
        let game = NoGo::<u32>::new(nogo::Setup::parse("3x3").unwrap());
        check(&game, &(Arc::new(Noise) as Arc<_>), &mut rng);
    }
}

/// A network with random weights, from a file as users have it.
fn random_network<G: Game>(game: &G, seed: u64) -> Arc<dyn Hints<G::Pos>> {
    let encoder = encoders::encoder("board", game).unwrap();
    let style = Style::Post { board: encoder.board(), moves: encoder.outputs() };
    let net = Net::random(style, encoder.planes(), 1, 4, seed);
    let about = About { encoder: "board".into(), ..About::default() };
    let path = std::env::temp_dir().join(format!("proofplay-random-{}-{seed}", std::process::id()));
    std::fs::write(&path, own::write(&NetFile { net, about })).unwrap();
    let hints = open_hints(path.to_str().unwrap(), game).unwrap();
    std::fs::remove_file(path).unwrap();
    hints
}

/// The same with real networks, and in Go, whose facts are bounds and whose positions can repeat.
#[test]
fn random_networks_make_nothing_certain() {
    let mut rng = Rng::new(2);
    for seed in [1, 2] {
        let game = Connect4::new(Any::<u64>::new(4, 4, 3));
        check(&game, &random_network(&game, seed), &mut rng);
        let game = Domineering::<u32>::new(domineering::Setup::parse("4x4").unwrap());
        check(&game, &random_network(&game, 10 + seed), &mut rng);
        let game = NoGo::<u32>::new(nogo::Setup::parse("3x3").unwrap());
        check(&game, &random_network(&game, 20 + seed), &mut rng);
        for (size, seed) in [("3x1", 30 + seed), ("3x1,komi=1", 40 + seed)] {
            let game = Go::<u64>::new(go::Setup::parse(size).unwrap());
            check(&game, &random_network(&game, seed), &mut rng);
        }
    }
}

/// Left alone it proves the value in spite of the network.
#[test]
fn values_are_proven_in_spite_of_a_network() {
    let game = Connect4::new(Any::<u64>::new(4, 4, 3));
    let value = Memo::new().value(&game.start());
    for spec in SPECS.iter().filter(|spec| !spec.starts_with("mcts-solver")) {
        let mut search = start(&game, &game.start(), spec, 1);
        let report = search.run(Ask::Value, &mut Run::default()).unwrap();
        assert_eq!(report.bounds, Bounds::exact(value), "{spec}");
    }
}

/// With one thread a search is the same from the same seed, in batches too.
#[test]
fn the_same_seed_gives_the_same_tree() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for spec in SPECS {
        let visits = |seed| {
            let limits = Limits { simulations: Some(500), ..Limits::default() };
            let mut search = start(&game, &game.start(), spec, 1);
            let mut run = Run { seed: Some(seed), ..Run::new(limits) };
            let report = search.run(Ask::Value, &mut run).unwrap();
            report.moves.iter().map(|of| (of.mv, of.visits)).collect::<Vec<_>>()
        };
        assert_eq!(visits(1), visits(1), "{spec}");
    }
}

/// Networks say who wins, so ends count as wins and losses, too, however many points they bring.
#[test]
fn ends_count_as_wins() {
    let game = Written::parse_tree("((5 5) (9 -9))").unwrap();
    let limits = Limits { simulations: Some(300), ..Limits::default() };
    let run = |spec: &str| {
        let mut search = start(&game, &game.start(), spec, 1);
        search.run(Ask::Value, &mut Run::new(limits)).unwrap()
    };
    let report = run("mcts:leaf=net:noise,select=puct,proof=none");
    let five = report.moves.iter().find(|of| of.mv == 0).unwrap();
    assert!(five.counts_wins && five.mean.unwrap() > 0.9, "{five:?}");
    assert_eq!(five.wins, five.mean.map(|mean| (mean + 1.0) / 2.0));
    let plain = run("mcts:proof=none");
    let five = plain.moves.iter().find(|of| of.mv == 0).unwrap();
    assert!(!five.counts_wins && (five.mean.unwrap() - 5.0 / 9.0).abs() < 0.01, "{five:?}");
    // Certain are points as ever.
    assert_eq!(run("mcts:leaf=net:noise,select=puct").bounds, Bounds::exact(proofplay_core::Score(5)));
}

/// A search that asks for a network never takes the game's evaluation function instead.
#[test]
fn a_network_must_be_there() {
    let game = Connect4::new(Any::<u64>::new(7, 6, 4));
    for (file, extras) in [
        ("other.net", Extras { facts: None, hints: Arc::new(Noise) }),
        ("noise", game.extras()),
        ("noise", Extras::none()),
    ] {
        let spec: SearchSpec = format!("mcts:leaf=net:{file}").parse().unwrap();
        assert_eq!(spec.network(), Some(file));
        let error = spec.start(&game.start(), extras, Resources::default()).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(file), "{error}");
    }
    assert_eq!("mcts:leaf=evaluate".parse::<SearchSpec>().unwrap().network(), None);
}

#[test]
fn specs_with_networks_read_back() {
    for text in ["mcts:leaf=net:a/b c.txt", "mcts:leaf=net:x:y,batch=4", "mcts:select=puct,reduce=0.25"] {
        let spec: SearchSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
    }
    let long = format!("mcts:leaf=net:{}", "x".repeat(2000));
    for bad in
        ["mcts:leaf=net", "mcts:leaf=net:", "mcts:leaf=net:x,t=5", "mcts:reduce=1", "mcts:proof=net:x", &long]
    {
        assert!(bad.parse::<SearchSpec>().is_err(), "{bad}");
    }
    let both = "mcts:select=puct,reduce=1,fpu=0".parse::<SearchSpec>().unwrap_err();
    assert!(both.to_string().contains("takes the place of fpu"), "{both}");
}
