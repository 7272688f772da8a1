//! Foreign programs as players: what they do wrong loses them the game, and nothing else.

mod common;

use common::Folder;
#[cfg(target_os = "linux")]
use common::{end_of, send};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("proofplay"));
    let output = command.args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> Value {
    let (status, out, error) = run(&[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{arguments:?}: {error}");
    serde_json::from_str(&out).unwrap()
}

/// A game of so many moves, two in each position, which the player who begins always wins.
fn tree(depth: usize) -> String {
    let leaf = "+".to_owned();
    let tree = (0..depth).fold(leaf, |tree, _| format!("({tree} {tree})"));
    format!("written:{tree}")
}

/// The program that misbehaves in this way.
fn naughty(how: &str) -> String {
    format!("gtp:sh {} {how}", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/naughty.sh").display())
}

/// The program itself as a foreign one.
fn ours(game: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin!("proofplay");
    format!("gtp:{} gtp {game} --engine mcts --playouts 20 --memory 64MiB", program.display())
}

fn contest<'a>(game: &'a str, a: &'a str, b: &'a str, store: &'a str) -> Vec<&'a str> {
    vec![
        "match",
        "--game",
        game,
        "--a",
        a,
        "--b",
        b,
        "--openings",
        "random:0",
        "--memory",
        "64MiB",
        "--store",
        store,
    ]
}

/// Two games of each kind: the program has each side once, is started again for the second game, and the
/// match goes on.
#[test]
fn each_kind_of_loss() {
    let (folder, game) = (Folder::new("losses"), tree(4));
    // The late one answers after its time and its margin, and nine seconds before it counts as silent.
    for (how, kind, why, clock) in [
        ("illegal", "illegal", "z9", &[][..]),
        ("resign", "resigned", "", &[]),
        ("crash", "crashed", "it has ended (exit status: 3), its last line of errors: out of luck", &[]),
        ("refuse", "failed", "it refuses `genmove ", &[]),
        ("silent", "silent", "no answer to `genmove ", &["--time-per-move", "1s", "--time-margin", "100ms"]),
        ("late", "time", "", &["--time-per-move", "1s", "--time-margin", "900ms"]),
    ] {
        let (store, records) = (folder.file(&format!("{how}.db")), folder.file("x.jsonl"));
        let program = naughty(how);
        let mut arguments = contest(&game, "mcts:playouts=5", &program, &store);
        arguments.extend(["--games", "2", "--records", &records]);
        arguments.extend(clock);
        let told = json(&arguments);
        let forfeits = (&told["forfeits"], &told["b_lost_by"][kind], &told["wins"]);
        assert_eq!(forfeits, (&serde_json::json!([0, 2]), &2.into(), &2.into()), "{how}: {told}");
        assert!(told["b"].as_str().unwrap().starts_with("gtp(naughty, 0):sh "), "{told}");
        for line in std::fs::read_to_string(&records).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            assert_eq!(record["ended_by"], kind);
            let lost_by = record["lost_by"].to_string();
            assert!(lost_by.contains(if why.is_empty() { kind } else { why }), "{lost_by}");
        }
        let (_, text, _) = run(&arguments);
        assert!(text.contains("\nforfeit B lost 2 games "), "{text}");
    }
}

/// A program that plays well is beaten, or not, by the rules alone.
#[test]
fn every_game_has_a_referee() {
    let folder = Folder::new("games");
    for game in [
        "connect4:5x4",
        "go:5x5,komi=0.5",
        "go:3x2",
        "amazons:4x4",
        "domineering:4x3",
        "loa:5x5",
        "y:3",
        "seki:2,2",
    ] {
        let (program, store) = (ours(game), folder.file("x.db"));
        let mut arguments = contest(game, &program, "mcts:playouts=10", &store);
        arguments.extend(["--games", "2", "--most-moves", "60"]);
        let told = json(&arguments);
        assert_eq!(
            (&told["games"], &told["forfeits"]),
            (&2.into(), &serde_json::json!([0, 0])),
            "{game}: {told}"
        );
        assert!(told["a"].as_str().unwrap().starts_with("gtp(proofplay, 0."), "{told}");
    }
}

/// A tournament has foreign programs, too, and they are told every kind of clock.
#[test]
fn clocks_are_told() {
    let folder = Folder::new("clocks");
    let (file, program) = (folder.file("t.toml"), ours("tictactoe"));
    for clock in ["1h", "1h+1s", "1h+5m/25", "1h+5x30s", "1m/move"] {
        let plan = format!(
            "games = [\"tictactoe\"]\nrounds = 2\nclock = \"{clock}\"\nmemory = \"64MiB\"\n[[player]]\nname = \"x\"\nspec = \
             \"{program}\"\n[[player]]\nname = \"y\"\nspec = \"mcts:playouts=10\"\n"
        );
        std::fs::write(&file, plan).unwrap();
        let told = json(&["tournament", &file, "--store", ":memory:"]);
        assert_eq!(
            (&told["done"], &told["pairings"][0]["forfeits"]),
            (&true.into(), &serde_json::json!([0, 0]))
        );
        assert!(told["players"][0]["player"].as_str().unwrap().starts_with("gtp(proofplay, 0."), "{told}");
    }
}

/// Games of one version are never counted for another.
#[test]
fn versions_do_not_mix() {
    let (folder, game) = (Folder::new("versions"), tree(2));
    let (store, versions) = (folder.file("x.db"), folder.file("versions"));
    let program = format!("{} {versions}", naughty("good"));
    let mut arguments = contest(&game, &program, "minimax", &store);
    arguments.extend(["--nodes", "100", "--games", "2"]);
    let mut experiments = Vec::new();
    for lines in ["", "x\n", ""] {
        std::fs::write(&versions, lines).unwrap();
        let told = json(&arguments);
        let version = lines.len() / 2;
        assert!(told["a"].as_str().unwrap().starts_with(&format!("gtp(naughty, {version}):")), "{told}");
        experiments.push(told["experiment"].as_u64().unwrap());
    }
    assert_eq!(experiments, [1, 2, 1]);
    // A version may be asked for.
    let wanted = program.replacen("gtp:", "gtp(naughty, 7):", 1);
    let mut arguments = contest(&game, &wanted, "minimax", &store);
    arguments.extend(["--nodes", "100"]);
    let (status, _, error) = run(&arguments);
    assert!(status == 2 && error.contains("it answers as naughty 0: expected naughty 7"), "{error}");
    // It must stay the same in a match.
    let growing = format!("{} {versions}", naughty("grow"));
    let mut arguments = contest(&game, &growing, "minimax", &store);
    arguments.extend(["--nodes", "100"]);
    let (status, _, error) = run(&arguments);
    assert!(status == 2 && error.contains("it answers as naughty 2: expected naughty 1"), "{error}");
    // What was played before is shown: the program is planned with, then each game starts it.
    std::fs::write(&versions, "").unwrap();
    let later = format!("{} {versions}", naughty("later"));
    let mut arguments = contest(&game, &later, "minimax", ":memory:");
    arguments.extend(["--nodes", "100"]);
    let (status, text, error) = run(&arguments);
    assert!(status == 2 && error.contains("it answers as naughty 1: expected naughty 0"), "{error}");
    assert!(text.contains("games   1: A wins 1") && !text.contains("continues"), "{text}");
    std::fs::write(&versions, "").unwrap();
    let file = folder.file("t.toml");
    let plan = format!(
        "games = [\"{game}\"]\nrounds = 4\nnodes = 100\nopenings = \"random:0\"\n[[player]]\nname = \"x\"\nspec = \
         \"{later}\"\n[[player]]\nname = \"y\"\nspec = \"minimax\"\n"
    );
    std::fs::write(&file, plan).unwrap();
    let (status, text, error) = run(&["tournament", &file, "--store", ":memory:"]);
    assert!(status == 2 && error.contains("it answers as naughty 1: expected naughty 0"), "{error}");
    assert!(text.contains("1 of 1") && !text.contains("continues"), "{text}");
}

/// Ctrl-C ends a match and the programs that play in it, once or twice.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_after_a_stop() {
    use std::{process::Stdio, thread::sleep, time::Duration};
    let (folder, game) = (Folder::new("stop"), tree(2));
    for (times, statuses) in [(1, &[3][..]), (2, &[3, 130])] {
        let file = folder.file("process");
        std::fs::write(&file, "").unwrap();
        let program = format!("{} {file}", naughty("silent"));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("proofplay"));
        let arguments = contest(&game, "mcts:playouts=5", &program, ":memory:");
        let child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let process = loop {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.ends_with('\n') {
                break text.trim().to_owned();
            }
            sleep(Duration::from_millis(5));
        };
        send("INT", &child);
        if times == 2 {
            // It may have ended by the first one.
            let _ = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).output();
        }
        let output = end_of(child);
        assert!(statuses.contains(&output.status.code().unwrap()), "{output:?}");
        // The system needs a moment to forget a process whose parent is gone.
        let stat = format!("/proc/{process}/stat");
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
            sleep(Duration::from_millis(5));
        }
    }
}

/// B, and each player of a tournament, may have limits of its own, and a search resigns by a rule.
#[test]
fn each_has_limits_and_rules() {
    let folder = Folder::new("limits");
    let (store, file, records) = (folder.file("x.db"), folder.file("t.toml"), folder.file("x.jsonl"));
    let players = ["--game", "connect4:4x4", "--a", "mcts", "--b", "alphabeta:deepen=on", "--store", &store];
    let more = ["--playouts", "20", "--b-nodes", "10", "--games", "4", "--memory", "64MiB"];
    let told = json(&[&["match"], &players[..], &more].concat());
    let used = |player: &str, what: &str| told[player][what].as_f64().unwrap();
    assert!(used("a_per_move", "simulations") <= 20.0 && used("b_per_move", "nodes") <= 10.0, "{told}");
    assert!(used("a_per_move", "nodes") > 10.0 && used("b_per_move", "simulations") == 0.0, "{told}");
    let (_, list, _) = run(&["results", "--store", &store]);
    assert!(list.contains("mcts - alphabeta:deepen=on playouts=20 B: nodes=10"), "{list}");
    // The same match in a tournament has the same games.
    let plan = "games = [\"connect4:4x4\"]\nrounds = 4\nplayouts = 20\nmemory = \"64MiB\"\n[[player]]\nname = \"x\"\n\
                spec = \"mcts\"\n[[player]]\nname = \"y\"\nspec = \"alphabeta:deepen=on\"\nnodes = 10\n";
    std::fs::write(&file, plan).unwrap();
    json(&["tournament", &file, "--store", &store]);
    let (_, again, _) = run(&["results", "--store", &store]);
    assert_eq!(again, list);
    // Half of all chances is less than any side hopes for in the end.
    let rule = ["--resign", "below=50,moves=1", "--records", &records];
    json(&[&["match"], &players[..], &more, &rule].concat());
    let records = std::fs::read_to_string(&records).unwrap();
    assert!(records.contains(r#""ended_by":"resigned""#), "{records}");
    let (status, _, error) = run(&[&["match"], &players[..], &["--resign", "5"]].concat());
    assert!(status == 2 && error.contains("expected below=PERCENT,moves=N"), "{error}");
    let two = ["--b-clock", "1m", "--b-time-per-move", "1s"];
    assert_eq!(run(&[&["match"], &players[..], &two].concat()).0, 2);
    // A foreign program may be the opponent of a player that is tuned, and has nothing to tune itself.
    let program = ours("connect4:4x4");
    let tune = ["tune", "--game", "connect4:4x4", "--store", ":memory:", "--games", "2", "--test-games", "2"];
    let told = json(&[&tune[..], &["--engine", "mcts:playouts=5|9", "--against", &program]].concat());
    assert!(told["against"].as_str().unwrap().starts_with("gtp(proofplay, 0."), "{told}");
    let (status, _, error) = run(&[&tune[..], &["--engine", &program]].concat());
    assert!(status == 2 && error.contains("a foreign program has no settings to tune"), "{error}");
}

/// What cannot be a player of the game is refused before the first one.
#[test]
fn unfit_programs() {
    let written = tree(2);
    let connect = ours("tictactoe");
    for (game, program, more, why) in [
        (&*written, "gtp:/no/such/program", &[][..], "it cannot be started: `/no/such/program`: "),
        (&written, "gtp:'x", &[], "expected the command line of a program"),
        (&written, "gtp(x):y", &[], "expected gtp:COMMAND or gtp(NAME, VERSION):COMMAND"),
        (&written, &naughty("old"), &[], "it speaks version `1` of the protocol: expected 2"),
        (&written, &naughty("crash-soon"), &[], "it has ended (exit status: 3)"),
        (&written, &naughty("good"), &["--clock", "1m+1s"], "it does not know kata-time_settings"),
        (&written, &naughty("good"), &["--time-per-move", "100ms"], "expected at least 1s"),
        ("go:5x4", &naughty("good"), &[], "on square boards only, not on 5x4"),
        ("connect4:3x3k3", &connect, &[], "it plays another game than connect4:3x3k3"),
        (
            &written,
            "gtp:sleep 600",
            &["--start-up", "300ms"],
            "no answer to `protocol_version` within 300ms; give it more time to start with --start-up",
        ),
    ] {
        let (status, _, error) = run(&[&contest(game, program, "mcts", ":memory:")[..], more].concat());
        assert!(status == 2 && error.contains(why), "{program}: {error}");
    }
}

/// After two passes the board counts as it stands, except for stones that all programs call dead which
/// can say. Counted by hand: a stone each is a draw on a board of 25 cells.
#[test]
fn dead_stones() {
    let folder = Folder::new("dead");
    let (openings, records) = (folder.file("openings"), folder.file("x.jsonl"));
    let alone = "c3 d3";
    let pair = "c3 d3 c4 d4";
    for (moves, a, b, dead, score) in [
        (alone, "D3", "d3", Some("d3"), 25),
        (alone, "D3", "C3", None, 0),
        (alone, "D3", "", Some("d3"), 25),
        (alone, "'C3 d3'", "'D3 C3'", Some("c3 d3"), 0),
        (alone, "''", "''", None, 0),
        // No stone is there, and this is no cell.
        (alone, "D3", "E5", Some("d3"), 25),
        (alone, "C3", "nonsense", Some("c3"), -25),
        // A chain is dead as a whole.
        (pair, "D3", "d3", None, 0),
        (pair, "'D4 D3'", "D3", Some("d3 d4"), 25),
    ] {
        std::fs::write(&openings, moves).unwrap();
        let [a, b] = [a, b].map(|dead| format!("{} /dev/null {dead}", naughty("pass")));
        let arguments = ["match", "--game", "go:5x5", "--a", &a, "--b", &b, "--openings", &openings];
        let more = ["--games", "1", "--records", &records, "--store", ":memory:", "--memory", "64MiB"];
        json(&[&arguments[..], &more].concat());
        let record: Value = serde_json::from_str(&std::fs::read_to_string(&records).unwrap()).unwrap();
        assert_eq!((&record["score"], record["dead"].as_str()), (&score.into(), dead), "{a}, {b}: {record}");
        let moves = format!("{moves} pass pass");
        assert_eq!((record["moves"].as_str(), record["ended_by"].as_str()), (Some(&*moves), Some("rules")));
    }
}

/// A game that was stored is shown with its players and its result, which the board alone does not tell.
#[test]
fn stored_games_have_their_results() {
    let folder = Folder::new("stored");
    let (store, openings) = (folder.file("x.db"), folder.file("openings"));
    std::fs::write(&openings, "c3 d3").unwrap();
    let passes = format!("{} /dev/null D3", naughty("pass"));
    for (experiment, how, result, why) in [
        ("1:0", &*passes, "B+24.5", "dead: d3"),
        ("2:0", &naughty("resign"), "W+R", "resigned"),
        ("3:0", &naughty("crash"), "W+F", "out of luck"),
    ] {
        let b = if how == passes { how } else { "mcts:playouts=5" };
        let arguments = ["match", "--game", "go:5x5,komi=0.5", "--a", how, "--b", b, "--openings", &openings];
        json(&[&arguments[..], &["--games", "1", "--store", &store, "--memory", "64MiB"]].concat());
        let (_, text, _) = run(&["replay", "--stored", experiment, "--store", &store]);
        assert!(text.contains(&format!("in the match: {result}")) && text.contains(why), "{text}");
        let (_, sgf, _) = run(&["replay", "--stored", experiment, "--store", &store, "--as-sgf"]);
        assert!(sgf.contains("PB[gtp(naughty, 0):sh ") && sgf.contains(&format!("RE[{result}]")), "{sgf}");
        assert_eq!(sgf.matches("RE[").count(), 1, "{sgf}");
    }
}

/// Two short games against GNU Go, where it is installed.
#[test]
fn gnu_go() {
    let folders = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut places = folders.unwrap_or_default().into_iter().chain(["/usr/games".into()]);
    let Some(file) = places.find_map(|folder| Some(folder.join("gnugo")).filter(|file| file.is_file()))
    else {
        eprintln!("\n*** GNU GO IS NOT INSTALLED: NO GAME WAS PLAYED AGAINST IT ***\n");
        return;
    };
    let folder = Folder::new("gnugo");
    let records = folder.file("x.jsonl");
    let program = format!("gtp:{} --mode gtp --level 1 --positional-superko", file.display());
    let mut arguments = contest("go:5x5,komi=0.5", &program, "mcts:playouts=100", ":memory:");
    arguments.extend(["--games", "2", "--most-moves", "150", "--records", &records]);
    let told = json(&arguments);
    assert_eq!((&told["games"], &told["done"]), (&2.into(), &true.into()));
    assert!(told["a"].as_str().unwrap().starts_with("gtp(GNU Go, "), "{told}");
    for line in std::fs::read_to_string(&records).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let end = record["ended_by"].as_str().unwrap();
        assert!(["rules", "resigned", "length"].contains(&end), "{line}");
    }
}
