//! A spec that names a file gets its network, in every game that has a board.

use proofplay_core::Family;
use proofplay_net::model::Style;
use proofplay_net::{About, Net, NetFile, encoders, formats::own};
use proofplay_registry::game;
use proofplay_search::{Ask, Limits, Resources, Run, SearchSpec};

/// Writes a random network for a game, and returns the name of the file.
fn written(name: &str) -> String {
    struct Shape;
    impl proofplay_core::GameVisitor for Shape {
        type Out = NetFile;
        fn visit<G: proofplay_core::Game>(self, game: G) -> NetFile {
            let encoder = encoders::encoder("board", &game).unwrap();
            let style = Style::Post { board: encoder.board(), moves: encoder.outputs() };
            let net = Net::random(style, encoder.planes(), 1, 8, 3);
            NetFile { net, about: About { encoder: "board".into(), ..About::default() } }
        }
    }
    let file = proofplay_games::connect4::Setup::build(name.split_once(':').unwrap().1, Shape).unwrap();
    let path = std::env::temp_dir().join(format!("proofplay-net-{}", std::process::id()));
    std::fs::write(&path, own::write(&file)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_search_takes_the_network_that_it_names() {
    let file = written("connect4:4x4k3");
    let start = game("connect4:4x4k3").unwrap().start();
    let run = |spec: &str, simulations| {
        let spec: SearchSpec = spec.parse().unwrap();
        let mut search = start.start_search(&spec, Resources::default()).unwrap();
        let limits = Limits { simulations, ..Limits::default() };
        search.run(Ask::Value, &mut Run::new(limits)).unwrap()
    };
    // It evaluates: other means than those of the game's own evaluation, which says nothing.
    let report = run(&format!("mcts:leaf=net:{file},select=puct,reduce=0.5"), Some(200));
    assert!(report.moves.iter().any(|of| of.mean.is_some_and(|mean| mean != 0.0)));
    // It proves what is true.
    let truth = run("alphabeta", None).bounds;
    assert_eq!(run(&format!("exact-win:leaf=net:{file},select=puct,batch=4"), None).bounds, truth);
    std::fs::remove_file(&file).unwrap();

    let error = |name: &str, file: &str| {
        let spec: SearchSpec = format!("mcts:leaf=net:{file}").parse().unwrap();
        game(name).unwrap().start().start_search(&spec, Resources::default()).unwrap_err().to_string()
    };
    assert!(error("connect4:4x4k3", &file).contains(&file), "it is gone");
    let other = written("connect4:5x4");
    let wrong = error("connect4:4x4k3", &other);
    assert!(wrong.contains(&other) && wrong.contains("boards of 5x4 cells"), "{wrong}");
    std::fs::remove_file(&other).unwrap();
}
