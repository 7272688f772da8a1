//! Conversations with the engine, line by line.

use proofplay_front::budget::Budget;
use proofplay_protocol::gtp::{Engine, Options, serve};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::time::Duration;

fn engine(game: &str, spec: &str, simulations: u64) -> Engine {
    let simulations = spec.starts_with("mcts").then_some(simulations);
    let nodes = simulations.is_none().then_some(2000);
    let budget = Budget { simulations, nodes, memory: Some(32 << 20), ..Budget::default() };
    let options = Options {
        engine: spec.to_owned(),
        budget,
        usual_time: Duration::from_secs(1),
        seed: 1,
        ponders: false,
        lag: Duration::from_millis(10),
    };
    Engine::new(game, options).unwrap()
}

/// What is answered to these lines.
fn told(engine: &mut Engine, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    serve(engine, Cursor::new(lines.to_owned().into_bytes()), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.is_empty() || text.ends_with("\n\n"), "{text:?}");
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

fn talk(game: &str, lines: &str) -> Vec<String> {
    told(&mut engine(game, "mcts", 100), lines)
}

#[test]
fn administration() {
    let lines = "protocol_version\n7 name\n# nothing\n\nknown_command play\n8 known_command dance\ndance\nquit\nname\n";
    let told = talk("go:5x5", lines);
    assert_eq!(told, ["= 2", "=7 proofplay", "= true", "=8 false", "? unknown command", "="]);
    let wrong = talk("go:5x5", "play b\nplay red A1\ngenmove\nname 5\nplay b Z9\n");
    for (answer, expected) in wrong.iter().zip([
        "? play: expected COLOUR MOVE",
        "? colour `red`: expected b, black, w or white",
        "? genmove: expected COLOUR",
        "? name: expected no arguments",
        "? illegal move: ",
    ]) {
        assert!(answer.starts_with(expected), "{answer}");
    }
    assert_eq!(wrong.len(), 5);
    assert_eq!(talk("go:5x5", "12\n# 5\n"), Vec::<String>::new());
}

/// Every command that is listed is known, in Go and elsewhere; those of Go alone are not elsewhere.
#[test]
fn commands_are_listed() {
    for (game, has_komi) in [("go:5x5", true), ("connect4", false)] {
        let list = talk(game, "list_commands\n").remove(0);
        let names: Vec<&str> = list.trim_start_matches("= ").lines().collect();
        assert_eq!(names.contains(&"komi"), has_komi);
        let all: String = names.iter().map(|name| format!("known_command {name}\n")).collect();
        let known = talk(game, &all);
        assert!(known.len() == names.len() && known.iter().all(|answer| answer == "= true"));
    }
}

#[test]
fn a_game_of_go() {
    let told = talk(
        "go:9x9",
        "boardsize 5\nkomi 0.5\nclear_board\nplay black c3\nplay w D4\nundo\nshowboard\ngenmove w\nfinal_status_list alive\nboardsize 26\n",
    );
    assert_eq!(told[..6], ["="; 6]);
    assert!(told[6].contains("white") && told[6].contains("5"), "{}", told[6]);
    let white = told[7].trim_start_matches("= ");
    assert!(white.len() == 2 || white == "pass", "{white}");
    assert!(told[8].contains("C3") && (white == "pass" || told[8].contains(white)), "{}", told[8]);
    assert_eq!(told[9], "? unacceptable size");
}

/// The board counts as it is: the wall of B has the left side, counted by hand.
#[test]
fn scores() {
    let wall = "boardsize 3\nplay b B1\nplay b B2\nplay b B3\n";
    let score = |komi: &str| talk("go", &format!("{wall}komi {komi}\nfinal_score\n")).pop().unwrap();
    assert_eq!(score("0"), "= B+9");
    assert_eq!(score("8.5"), "= B+0.5");
    assert_eq!(score("9"), "= 0");
    assert_eq!(score("9.5"), "= W+0.5");
    assert_eq!(talk("connect4", "final_score\n"), ["? the game is not over"]);
    assert_eq!(talk("go:seki=2,2", "komi 0\n"), ["? komi: a race of this game has none"]);
    let won = "play b D1\nplay w A1\nplay b D2\nplay w A2\nplay b D3\nplay w A3\nplay b D4\nfinal_score\nplay w A4\ngenmove w\n";
    let told = talk("connect4", won);
    assert_eq!(told[7..], ["= B+1", "? the game is over", "? the game is over"]);
}

/// In Go anybody may move at any time, also after two passes; elsewhere who is to move.
#[test]
fn moves_out_of_turn() {
    let told = talk(
        "go:5x5",
        "play b C3\nplay b C4\nplay w pass\nplay b pass\nplay w D3\nundo\nundo\nundo\nshowboard\n",
    );
    assert_eq!(told[..8], ["="; 8]);
    assert!(told[8].contains("white"), "{}", told[8]);
    assert_eq!(talk("tictactoe", "play w B2\n"), ["? it is black's turn"]);
    assert_eq!(talk("go:5x5", "undo\n"), ["? cannot undo"]);
    assert_eq!(talk("go:5x5", "play b C3\nplay b C4\ngg-undo 3\ngg-undo 2\n")[2..], ["? cannot undo", "="]);
}

#[test]
fn handicaps() {
    let fixed = |size: usize, count: usize| {
        talk("go", &format!("boardsize {size}\nfixed_handicap {count}\n")).pop().unwrap()
    };
    // From the table of the protocol's specification.
    assert_eq!(fixed(19, 2), "= D4 Q16");
    assert_eq!(fixed(19, 5), "= D4 Q16 D16 Q4 K10");
    assert_eq!(fixed(9, 3), "= C3 G7 C7");
    assert_eq!(fixed(13, 9).split(' ').count(), 10);
    assert_eq!(fixed(8, 5), "? invalid number of stones");
    assert_eq!(fixed(19, 1), "? invalid number of stones");
    let told = talk(
        "go:9x9",
        "set_free_handicap C3 G7\nset_free_handicap D4 E5\nshowboard\nclear_board\nset_free_handicap A1 A1\n",
    );
    assert_eq!(told[1], "? board not empty");
    assert!(told[2].contains("white"), "{}", told[2]);
    assert!(told[4].starts_with("? bad vertex list"), "{}", told[4]);
    // We place as many as were asked for on every board, and always leave a point.
    let stones = |reply: &str| -> BTreeSet<String> {
        reply.trim_start_matches("= ").split(' ').map(str::to_owned).collect()
    };
    for (columns, rows) in [(1, 3), (2, 2), (3, 3), (5, 5), (5, 4), (7, 7), (9, 9), (19, 19)] {
        let free = |count: usize| {
            talk(&format!("go:{columns}x{rows}"), &format!("place_free_handicap {count}\n"))[0].clone()
        };
        for count in [2, 3, 4, 8, 9, 20, columns * rows - 1] {
            if (2..columns * rows).contains(&count) {
                let reply = free(count);
                assert_eq!(stones(&reply).len(), count, "{columns}x{rows}: {reply}");
            }
        }
        for count in [0, 1, columns * rows, 1000] {
            assert_eq!(free(count), "? invalid number of stones", "{count} on {columns}x{rows}");
        }
    }
    assert_eq!(talk("go:5x5", "fixed_handicap 2\n")[0], "? invalid number of stones");
    assert_eq!(talk("go:5x5", "place_free_handicap 2\n")[0], "= C3 D4");
}

#[test]
fn clocks() {
    let told = talk(
        "go:5x5",
        "time_settings 60 10 5\ntime_left b 3 0\ntime_left w 2 3\ngenmove b\ntime_settings 0 0 0\nkgs-time_settings byoyomi 60 10 3\nkata-time_settings fischer 60 5\nkgs-time_settings byoyomi 60 10 0\ntime_left b x 0\ntime_settings 1 -1 0\n",
    );
    assert!(told[..3].iter().chain(&told[4..7]).all(|answer| answer == "="), "{told:?}");
    assert!(told[7..].iter().all(|answer| answer.starts_with('?')), "{told:?}");
    // Nothing is left: it plays at once.
    let told = talk("go:5x5", "time_settings 1 0 0\ntime_left b 0 0\ngenmove b\n");
    assert!(told[2].starts_with('='), "{told:?}");
}

/// Every game is played to its end by the engine alone, through the protocol alone.
#[test]
fn every_game_is_played() {
    for name in [
        "connect4",
        "amazons:4x4",
        "y:4",
        "domineering:4x4",
        "loa:5x5",
        "seki:2,2",
        "breakthrough:4x5",
        "chinese-checkers:1",
    ] {
        for spec in ["mcts", "alphabeta:deepen=on"] {
            let mut engine = engine(name, spec, 20);
            for ply in 0.. {
                let side = told(&mut engine, "gogui-rules_side_to_move\n").remove(0);
                let colour = side.trim_start_matches("= ");
                let legal = told(&mut engine, "gogui-rules_legal_moves\n").remove(0);
                if legal == "=" {
                    break;
                }
                let played = told(&mut engine, &format!("genmove {colour}\n")).remove(0);
                let mv = played.strip_prefix("= ").unwrap_or_else(|| panic!("{name}: {played}"));
                assert!(legal.trim_start_matches("= ").split(' ').any(|other| other == mv), "{mv} in {name}");
                if ply > 300 {
                    break;
                }
            }
            let end = told(&mut engine, "gogui-rules_final_result\n").remove(0);
            assert!(["= Black wins", "= White wins", "= Draw", "= unknown"].contains(&&*end), "{end}");
        }
    }
}

#[test]
fn boards_for_gogui() {
    let told = talk(
        "connect4",
        "gogui-rules_game_id\ngogui-rules_board_size\ngogui-play_sequence b D1 w D2\ngogui-rules_board\ngogui-rules_side_to_move\ngogui-rules_final_result\ngogui-play_sequence b D3 w D9\ngogui-rules_side_to_move\n",
    );
    assert_eq!(told[..3], ["= Connect4", "= 7", "="]);
    let rows: Vec<&str> = told[3].trim_start_matches("= ").lines().collect();
    assert_eq!((rows.len(), rows[5], rows[6]), (7, ". . . O . . .", ". . . X . . ."));
    assert_eq!(told[4..6], ["= black", "= unknown"]);
    assert!(told[6].starts_with("? illegal move") && told[7] == "= black", "all or none: {told:?}");
    assert!(talk("chinese-checkers:1", "gogui-rules_board_size\n")[0].starts_with("? the cells"));
    for line in talk("go:5x5", "gogui-analyze_commands\n")[0].trim_start_matches("= ").lines() {
        assert!(line.split('/').count() >= 3, "{line}");
    }
}

#[test]
fn values_of_moves() {
    // Black completes a row with A3.
    let near = "play b A1\nplay w B1\nplay b A2\nplay w B2\n";
    let mut strong = engine("tictactoe", "mcts", 3000);
    let told = told(&mut strong, &format!("{near}proofplay-value\nproofplay-moves\n"));
    assert!(told[4].starts_with("= black: win") && told[4].contains("A3"), "{}", told[4]);
    assert!(told[5].lines().any(|line| line.trim_start_matches("= ") == "A3 win"), "{}", told[5]);
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("proofplay-gtp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("game.sgf");
    let name = file.to_str().unwrap();
    let told = talk(
        "go:5x5",
        &format!(
            "play b C3\nplay w D4\nprintsgf {name}\nclear_board\nloadsgf {name} 2\nplay w A1\nloadsgf {name}\nloadsgf no-such-file\nprintsgf\n"
        ),
    );
    assert_eq!(told[2..7], ["=", "=", "= white", "=", "= black"]);
    assert!(told[7].starts_with("? cannot load file"), "{}", told[7]);
    assert!(told[8].contains(";B[cc]"), "{}", told[8]);
    // A file keeps what it has.
    let text = "(;GM[9]SZ[8]XX[keep];B[e1-e3]C[a\n\nb](;W[a3-c5])(;W[a4-c4]))\n";
    std::fs::write(&file, text).unwrap();
    let lines = format!("loadsgf {name}\nundo\nplay w H4-F4\nprintsgf {name}\nprintsgf\nfinal_score\n");
    let told = talk("go:5x5", &lines);
    assert_eq!(told[..4], ["= black", "=", "=", "="]);
    let longer = text.replace("c4])", "c4])(;W[h4-f4])");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), longer);
    assert_eq!(told[4], format!("= {}", longer.trim_end().replace("\n\n", "\n")), "no empty line");
    assert_eq!(told[5], "? the game is not over");
    let text = "(;GM[1]SZ[9]KM[7.5](;B[ee]C[one])(;B[cc]C[two]))\n";
    std::fs::write(&file, text).unwrap();
    let told = talk("go", &format!("loadsgf {name}\nkomi 7.5\nprintsgf\n"));
    assert_eq!(told[2], format!("= {}", text.trim_end()), "komi was the same");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Answers of an engine at work, read while it works.
struct Live {
    to: PipeWriter,
    from: BufReader<PipeReader>,
}

impl Live {
    fn start(game: &'static str, spec: &'static str) -> Live {
        let (from_us, to) = pipe().unwrap();
        let (from, mut to_us) = pipe().unwrap();
        std::thread::spawn(move || serve(&mut engine(game, spec, 1 << 40), from_us, &mut to_us));
        Live { to, from: BufReader::new(from) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

/// Analysis is shown while it goes on, and the next command ends it.
#[test]
fn live_analysis() {
    for (game, spec) in [("go:7x7", "mcts"), ("connect4", "alphabeta:deepen=on")] {
        let mut live = Live::start(game, spec);
        for (command, chances) in
            [("lz-analyze b 1", "winrate "), ("4 kata-analyze interval 1", "winrate 0.")]
        {
            live.say(command);
            assert!(live.hear().starts_with('='));
            for _ in 0..3 {
                let line = live.hear();
                assert!(line.starts_with("info move ") && line.contains(chances), "{line}");
                assert!(line.contains(" order 0 pv "), "{line}");
            }
            live.say("11 name");
            while live.hear() != "=11 proofplay" {}
            assert_eq!(live.hear(), "");
        }
        live.say("kata-genmove_analyze b 1");
        assert_eq!(live.hear(), "=");
        assert!(live.hear().starts_with("info move "));
        live.say("# interrupt");
        let played = std::iter::from_fn(|| Some(live.hear())).find(|line| line.starts_with("play ")).unwrap();
        assert!(played.len() > 5 && live.hear().is_empty(), "{played}");
        live.say("quit");
        assert_eq!([live.hear(), live.hear(), live.hear()], ["=", "", ""]);
    }
}

/// GoGui interrupts a move with a remark; what was found is played.
#[test]
fn thinking_is_interrupted() {
    let mut live = Live::start("go:7x7", "mcts");
    live.say("genmove b");
    live.say("# interrupt");
    let answer = live.hear();
    assert!(answer.starts_with("= "), "{answer}");
}
