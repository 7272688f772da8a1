//! Conversations by JSON, line by line.

use proofplay_front::json::{Shown, Solved};
use proofplay_protocol::json::{Options, Session, serve};
use proofplay_registry::game;
use proofplay_search::{Ask, Limits, Resources, Run};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};

fn session() -> Session {
    Session::new(Options { memory: Some(32 << 20), threads: 1, seed: 0 }).unwrap()
}

/// What is answered to these lines, and to `quit` after them, which lets every search come to its end.
fn told(lines: &[&str]) -> Vec<Value> {
    let text = lines.join("\n") + "\n{\"do\":\"quit\"}\nnobody reads this\n";
    let mut out = Vec::new();
    serve(&mut session(), Cursor::new(text.into_bytes()), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let mut told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.pop(), Some(json!({"id": null, "final": true})));
    told
}

/// The same after a game was begun.
fn talk(game: &str, lines: &[&str]) -> Vec<Value> {
    let new = json!({"do": "new", "game": game}).to_string();
    told(&[&[new.as_str()], lines].concat()).split_off(1)
}

fn error(answer: &Value) -> &str {
    answer["error"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

/// An answer without its envelope.
fn bare(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().unwrap();
    assert_eq!(fields.shift_remove("final"), Some(json!(true)));
    fields.shift_remove("id");
    answer
}

/// Nobody can stop a search after `quit`: one without limits would never end.
#[test]
fn quit_ends_what_has_no_end() {
    let told = talk("connect4", &[r#"{"do": "analyze"}"#, r#"{"do": "move", "nodes": 10}"#]);
    assert!(told.len() == 2 && told[0]["moves"].is_array() && told[1]["nodes"].is_number(), "{told:?}");
}

#[test]
fn a_game() {
    let told = talk(
        "connect4",
        &[
            r#"{"id": "a", "do": "show"}"#,
            r#"{"id": 2, "do": "play", "moves": "4 4"}"#,
            r#"{"id": 3, "do": "play", "moves": ["4", "9"]}"#,
            r#"{"id": 4.5, "do": "show", "after": true}"#,
            r#"{"do": "undo"}"#,
            r#"{"do": "replay"}"#,
            r#"{"do": "undo", "plies": 2}"#,
            r#"{"do": "undo", "plies": 0}"#,
        ],
    );
    let mut pos = game("connect4").unwrap().start();
    assert_eq!(bare(told[0].clone()), serde_json::to_value(Shown::new(&*pos)).unwrap());
    assert_eq!((&told[0]["id"], &told[1]["id"], &told[3]["id"]), (&json!("a"), &json!(2), &json!(4.5)));
    pos.play("4").unwrap();
    let after_one = pos.text();
    pos.play("4").unwrap();
    assert_eq!(told[1]["position"], pos.text());
    assert_eq!(
        (error(&told[2]).split(';').next(), &told[2]["id"]),
        (Some("ply 4: move `9`: not legal here"), &json!(3))
    );
    assert_eq!(told[3]["position"], pos.text(), "all moves or none");
    assert_eq!(told[3]["after"].as_object().unwrap().len(), 7);
    assert_eq!((&told[4]["position"], &told[5]["plies"][0]["move"]), (&json!(after_one), &json!("4")));
    assert_eq!(error(&told[6]), "field `plies`: 2 is too much, 1 move can be taken back");
    assert_eq!(told[7]["position"], after_one);
}

#[test]
fn beginnings() {
    let told = told(&[
        r#"{"do": "show"}"#,
        r#"{"do": "solve"}"#,
        r#"{"do": "new", "game": "tictactoe", "position": "x../.../... o", "moves": "b2"}"#,
        r#"{"do": "new", "game": "go", "sgf": "(;GM[1]SZ[5];B[cc];W[bb])", "moves": ["a1"]}"#,
        r#"{"do": "replay"}"#,
        r#"{"do": "new", "game": "chess"}"#,
        r#"{"do": "new"}"#,
        r#"{"do": "new", "game": "go", "sgf": "(;)", "position": "x"}"#,
        r#"{"do": "show"}"#,
    ]);
    assert!(error(&told[0]).starts_with("there is no game yet") && error(&told[1]) == error(&told[0]));
    assert_eq!(told[2]["position"], "x../.o./... x");
    assert_eq!((&told[3]["game"], told[4]["plies"].as_array().unwrap().len()), (&told[8]["game"], 3));
    assert!(error(&told[5]).contains("`chess`"));
    assert!(error(&told[6]).starts_with("expected a field `game`"));
    assert_eq!(error(&told[7]), "expected `position` or `sgf`, not both");
    assert_eq!(told[8]["position"], told[3]["position"], "errors change nothing");
}

/// Whatever a line says, the next one is answered.
#[test]
fn wrong_lines() {
    let long = format!(r#"{{"id": 5, "do": "{}"}}"#, "x".repeat(1 << 20));
    let told = told(&[
        "{\"id\": 1,",
        "",
        "[]",
        &long,
        r#"{"id": 4, "do": "play", "move": "4"}"#,
        r#"{"do": "games"}"#,
    ]);
    assert!(error(&told[0]).starts_with("no JSON: EOF while parsing") && told[0]["id"].is_null());
    assert!(error(&told[1]).starts_with("expected an object"));
    assert_eq!(error(&told[2]), "a line has at most 1048576 bytes");
    assert_eq!(
        (error(&told[3]), &told[3]["id"]),
        ("play: unknown field `move`, expected `moves`", &json!(4))
    );
    assert!(told[4]["games"].as_array().unwrap().iter().any(|game| game["name"] == "connect4"));
    assert_eq!(told.len(), 5, "an empty line says nothing");
}

#[test]
fn lists() {
    let told = talk(
        "nogo:3x3",
        &[r#"{"do": "searches"}"#, r#"{"do": "rules"}"#, r#"{"do": "rules", "game": "y:4"}"#],
    );
    assert!(told[0]["searches"].as_array().unwrap().iter().any(|search| search["name"] == "mcts"));
    assert_eq!((&told[1]["name"], &told[2]["game"]), (&json!("nogo"), &json!("y:4")));
}

/// Proofs are those of a search alone, also with what was proven before, and so are their files.
#[test]
fn proofs() {
    let folder = std::env::temp_dir().join(format!("proofplay-json-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = ["one", "two"].map(|name| folder.join(name).display().to_string());
    let solve = |file: &str| {
        json!({"do": "solve", "all_moves": true, "shortest": true, "certificate": file}).to_string()
    };
    let told = talk(
        "tictactoe",
        &[
            r#"{"do": "play", "moves": "a1 b1"}"#,
            &solve(&files[0]),
            r#"{"do": "play", "moves": "a2"}"#,
            &solve(&files[1]),
            &solve(&folder.join("no/one").display().to_string()),
            r#"{"do": "solve", "nodes": 1, "search": "pns"}"#,
            r#"{"do": "solve", "simulations": 1}"#,
            r#"{"do": "solve", "search": "chess"}"#,
        ],
    );
    for (told, file, moves) in [(&told[1], &files[0], "a1 b1"), (&told[3], &files[1], "a1 b1 a2")] {
        let mut pos = game("tictactoe").unwrap().start();
        moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
        let spec = "alphabeta".parse().unwrap();
        let report = pos
            .search(&spec, Resources::default(), Ask::AllDistances, &mut Run::new(Limits::default()))
            .unwrap();
        let alone = serde_json::to_value(Solved::new(&*pos, "alphabeta", 0, &report)).unwrap();
        for field in ["position", "search", "solved", "value", "score", "plies", "best_move", "ended", "seed"]
        {
            assert_eq!(told[field], alone[field], "{field}");
        }
        assert_eq!(told["moves"].as_array().unwrap().len(), pos.legal().len());
        assert_eq!((&told["certificate"]["file"], &told["unwritten"]), (&json!(file), &Value::Null));
        let text = std::fs::read(file).unwrap();
        assert_eq!(told["certificate"]["bytes"], text.len());
    }
    assert!(error(&told[4]).starts_with("cannot write `"));
    assert_eq!((&told[5]["solved"], &told[5]["ended"]), (&json!(false), &json!("limit")));
    assert_eq!(error(&told[6]), "field `simulations`: auto makes none; limit it with `nodes` or `time`");
    assert!(error(&told[7]).contains("`chess`"));
    std::fs::remove_dir_all(folder).unwrap();
}

fn visits(answer: &Value) -> u64 {
    answer["moves"].as_array().unwrap().iter().map(|m| m["visits"].as_u64().unwrap()).sum()
}

/// What a search knows stays when moves are played, not when they are taken back, and not for another
/// search.
#[test]
fn trees_are_kept() {
    let told = talk(
        "connect4",
        &[
            r#"{"do": "analyze", "search": "mcts", "simulations": 2000}"#,
            r#"{"do": "move", "search": "mcts", "simulations": 1, "play": true}"#,
            r#"{"do": "analyze", "search": "mcts", "simulations": 1}"#,
            r#"{"do": "solve", "nodes": 10}"#,
            r#"{"do": "analyze", "search": "mcts", "simulations": 1}"#,
            r#"{"do": "analyze", "search": "mcts:c=2", "simulations": 1}"#,
            r#"{"do": "analyze", "search": "mcts", "simulations": 1}"#,
            r#"{"do": "analyze", "search": "mcts", "simulations": 1000}"#,
            r#"{"do": "undo"}"#,
            r#"{"do": "analyze", "search": "mcts", "simulations": 1}"#,
        ],
    );
    assert_eq!((&told[0]["simulations"], visits(&told[0])), (&json!(2000), 2000));
    assert_eq!(told[1]["position"], told[0]["position"], "the answer is about the position before the move");
    assert_eq!(told[1]["move"], told[0]["best_move"]);
    assert_eq!(told[2]["to_move"], "second");
    assert!(told[2]["simulations"] == 1 && visits(&told[2]) > 200, "{}", told[2]);
    assert_eq!(visits(&told[4]), visits(&told[2]) + 1, "a solve leaves it alone");
    assert_eq!([visits(&told[5]), visits(&told[6]), visits(&told[9])], [1; 3]);
}

/// What is proven stays in every position of the game.
#[test]
fn proofs_are_kept() {
    let told = talk(
        "connect4:5x4",
        &[
            r#"{"do": "play", "moves": "3 3 2"}"#,
            r#"{"do": "solve"}"#,
            r#"{"do": "undo"}"#,
            r#"{"do": "solve", "nodes": 1}"#,
            r#"{"do": "new", "game": "connect4:5x4", "moves": "3 3 2"}"#,
            r#"{"do": "solve"}"#,
            r#"{"do": "new", "game": "connect4:4x4", "moves": "3 3 2"}"#,
            r#"{"do": "solve"}"#,
            r#"{"do": "new", "game": "connect4:5x4", "moves": "3 3 2"}"#,
            r#"{"do": "solve"}"#,
        ],
    );
    let nodes = |answer: &Value| answer["nodes"].as_u64().unwrap();
    assert!(nodes(&told[1]) > 20 * nodes(&told[5]), "{} {}", told[1], told[5]);
    for field in ["position", "value", "score", "best_move"] {
        assert_eq!(told[1][field], told[5][field]);
    }
    assert_eq!(nodes(&told[9]), nodes(&told[1]), "another game has begun between them");
}

#[test]
fn moves() {
    let choose = r#"{"do": "move", "search": "alphabeta"}"#;
    let told = talk(
        "tictactoe",
        &[
            r#"{"do": "play", "moves": "a1 b1 a2 b2"}"#,
            choose,
            r#"{"do": "move", "play": true}"#,
            choose,
            r#"{"do": "show"}"#,
        ],
    );
    assert_eq!((&told[1]["move"], &told[1]["value"]), (&json!("a3"), &json!("win")));
    assert_eq!((&told[2]["move"], error(&told[3])), (&json!("a3"), "the game is over"));
    assert_eq!(told[4]["outcome"], "first");
}

/// Answers of a session at work, read while it works.
struct Live {
    to: PipeWriter,
    from: BufReader<PipeReader>,
}

impl Live {
    fn start() -> (Live, std::thread::JoinHandle<io::Result<()>>) {
        let (from_us, to) = pipe().unwrap();
        let (from, mut to_us) = pipe().unwrap();
        let served = std::thread::spawn(move || serve(&mut session(), from_us, &mut to_us));
        (Live { to, from: BufReader::new(from) }, served)
    }

    fn say(&mut self, request: &Value) {
        writeln!(self.to, "{request}").unwrap();
    }

    /// The next line; `None` at the end.
    fn hear(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    /// The next final line; its reports are those of `id`.
    fn hear_final(&mut self, id: u64) -> Value {
        loop {
            let line = self.hear().unwrap();
            assert_eq!(line["id"], id);
            if line["final"] == true {
                return line;
            }
        }
    }
}

/// Searches without a limit report until they are stopped, and `stop` is answered after them.
#[test]
fn live_reports() {
    let (mut live, served) = Live::start();
    live.say(&json!({"id": 1, "do": "new", "game": "go:7x7"}));
    live.hear_final(1);
    let searches = [
        json!({"id": 2, "do": "analyze", "search": "mcts", "every": "1ms"}),
        json!({"id": 2, "do": "move", "search": "mcts", "time": "9d", "every": "1ms"}),
        json!({"id": 2, "do": "solve", "search": "minimax", "every": "1ms"}),
    ];
    for request in searches {
        live.say(&request);
        for _ in 0..2 {
            let report = live.hear().unwrap();
            assert_eq!(
                (&report["id"], &report["final"], &report["ended"]),
                (&json!(2), &json!(false), &Value::Null)
            );
            assert!(report["nodes"].as_u64() > Some(0) && report["search"].is_string(), "{report}");
        }
        // Another request waits for its turn.
        live.say(&json!({"id": 3, "do": "show"}));
        live.say(&json!({"id": 4, "do": "stop"}));
        let end = live.hear_final(2);
        assert_eq!((&end["ended"], end.get("error")), (&json!("limit"), None));
        assert_eq!(end.get("move").is_some(), request["do"] == "move");
        assert_eq!(live.hear_final(3)["to_move"], "first");
        assert_eq!(live.hear(), Some(json!({"id": 4, "final": true})));
    }
    drop(live);
    served.join().unwrap().unwrap();
}

/// `stop` ends what was sent before it, even if that has not begun, and nothing that comes later.
#[test]
fn stop_is_about_what_came_before() {
    let (mut live, _) = Live::start();
    let lines = [
        json!({"id": 1, "do": "new", "game": "go:7x7"}),
        json!({"id": 2, "do": "analyze"}),
        json!({"id": 3, "do": "move", "time": "9d", "play": true}),
        json!({"id": 4, "do": "stop"}),
        json!({"id": 5, "do": "analyze", "search": "mcts", "simulations": 500}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    live.to.write_all(text.as_bytes()).unwrap();
    for id in 1..=4 {
        live.hear_final(id);
    }
    let end = live.hear_final(5);
    assert_eq!((&end["simulations"], &end["to_move"]), (&json!(500), &json!("second")));
}

/// The end of the input ends a search, which still answers.
#[test]
fn the_end_of_the_input() {
    let (mut live, served) = Live::start();
    live.say(&json!({"id": 1, "do": "new", "game": "go:7x7"}));
    live.say(&json!({"id": 2, "do": "analyze"}));
    live.hear_final(1);
    let Live { to, from } = live;
    drop(to);
    let last: Vec<String> = from.lines().map(Result::unwrap).collect();
    assert!(last.len() == 1 && last[0].contains(r#""id":2,"final":true"#), "{last:?}");
    served.join().unwrap().unwrap();
}

/// Nobody reads the reports: the search ends, and nothing is left that would be written.
#[test]
fn nobody_listens() {
    let (mut live, served) = Live::start();
    live.say(&json!({"id": 1, "do": "new", "game": "go:7x7"}));
    live.hear_final(1);
    let Live { mut to, from } = live;
    drop(from);
    writeln!(to, "{}", json!({"do": "analyze", "every": "1ms"})).unwrap();
    assert_eq!(served.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

#[test]
fn memory_is_that_of_the_program() {
    let options = |memory| Options { memory: Some(memory), threads: 1, seed: 0 };
    assert!(Session::new(options(1 << 10)).is_ok());
    assert!(Session::new(options(512)).unwrap_err().to_string().contains("too little for 2 searches"));
}
