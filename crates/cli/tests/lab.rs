//! Matches and what they leave behind: nothing is lost, nothing is counted twice.

mod common;

#[cfg(target_os = "linux")]
use common::wait_until_it_listens;
use common::{Folder, end_of, limited, send};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("proofplay"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(arguments: &[&str]) -> Child {
    command(arguments).spawn().unwrap()
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = command(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> Value {
    let (status, out, err) = run(&[arguments, &["--json"]].concat());
    assert_eq!(status, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

fn keys(json: &Value) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

const GAMES: usize = 60;

/// A match that takes a second or two.
fn contest(store: &str) -> Vec<&str> {
    let a = "match --game connect4:6x5 --a mcts:playouts=700 --b mcts:playouts=500,c=1 --games 60 --store";
    a.split(' ').chain([store]).collect()
}

/// The moves of all games by number, as the store has them.
fn games(store: &str) -> Vec<(u64, String)> {
    let (status, out, err) = run(&["results", "1", "--format", "json", "--store", store]);
    assert_eq!(status, 0, "{err}");
    let game = |line: &str| {
        let game: Value = serde_json::from_str(line).unwrap();
        (game["number"].as_u64().unwrap(), game["moves"].as_str().unwrap().to_owned())
    };
    out.lines().map(game).collect()
}

#[test]
fn killed_at_any_moment_it_goes_on() {
    let folder = Folder::new("kill");
    let (whole, killed) = (folder.file("whole.db"), folder.file("killed.db"));
    let told = json(&contest(&whole));
    assert_eq!(games(&whole).len(), GAMES);
    for delay in [1u64, 20, 40, 60, 110, 150, 230] {
        let mut child = start(&contest(&killed));
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Two processes finish it together.
    let others: Vec<Child> = (0..2).map(|_| start(&contest(&killed))).collect();
    for child in others {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(games(&killed), games(&whole), "the same games, each once");
    let again = json(&contest(&killed));
    for key in ["games", "wins", "draws", "losses", "pairs", "elo", "mean_plies"] {
        assert_eq!(again[key], told[key], "{key}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let store = folder.file("small.db");
    // Files of at most 100 KiB.
    let output = limited("-f 200", &contest(&store)).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("small.db") && error.lines().count() == 1, "{error}");
    let kept = games(&store).len();
    assert!(kept > 0 && kept < GAMES, "{kept}");
    assert_eq!(json(&contest(&store))["games"], GAMES);
}

/// A solve goes into the store where one is named: once, with what it depends on, and only if it came to an end of its own.
#[test]
fn solves_are_kept() {
    let folder = Folder::new("solves");
    let store = folder.file("solves.db");
    let solve = ["solve", "connect4:4x4", "--moves", "1 2", "--algorithm", "score-bounded", "--all-moves"];
    let kept = [&solve[..], &["--store", &store]].concat();
    assert_eq!(json(&solve).get("experiment"), None);
    let told = json(&kept);
    assert_eq!((&told["experiment"], &json(&kept)["experiment"]), (&1.into(), &1.into()));
    assert_eq!(json(&[&kept[..], &["--seed", "7"]].concat())["experiment"], 2);
    let trials = |id: &str| {
        let (status, out, err) = run(&["results", id, "--format", "json", "--store", &store]);
        assert_eq!(status, 0, "{err}");
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let one = trials("1");
    assert_eq!(one.len(), 1, "the same search is kept once");
    for (key, want) in [("nodes", "nodes"), ("playouts", "playouts"), ("pess", "score"), ("solved", "solved")]
    {
        assert_eq!(one[0][key], told[want], "{key}");
    }
    // What a limit ended counts, too.
    let (status, out, _) = run(&[&kept[..], &["--playouts", "20", "--json"]].concat());
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &told["experiment"], &trials("3")[0]["solved"]), (3, &3.into(), &false.into()));
    let (_, list, _) = run(&["results", "--kind", "solve", "--store", &store]);
    assert_eq!(list.lines().count(), 4, "{list}");
    assert!(list.contains("  not solved, 20 playouts  "), "{list}");
    assert!(list.contains("all-moves playouts=20 after 1 2"), "{list}");
    let (status, _, error) = run(&[&solve[..], &["--store", &folder.file("no/such.db")]].concat());
    assert!(status == 1 && error.contains("no/such.db"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_solve_that_was_stopped_is_not_kept() {
    let folder = Folder::new("stopped");
    let store = folder.file("x.db");
    let child = start(&["solve", "connect4:7x6", "--algorithm", "minimax", "--json", "--store", &store]);
    wait_until_it_listens(&child);
    send("INT", &child);
    let output = end_of(child);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), told.get("experiment")), (Some(3), None));
    let (_, list, _) = run(&["results", "--store", &store, "--format", "json"]);
    assert_eq!(list, "");
}

/// What the program may use is shared by the players at work; a player has its usual part however many there are.
#[test]
fn memory_is_that_of_the_whole_program() {
    let folder = Folder::new("memory");
    let store = folder.file("x.db");
    let contest = "match --game tictactoe --a mcts --b mcts:c=2 --playouts 5 --games 2 --store";
    let contest: Vec<&str> = contest.split(' ').chain([&*store]).collect();
    let memories =
        ["", "--threads 3", "--memory 264MiB", "--memory 264MiB --threads 4"].map(|more| -> String {
            let more: Vec<&str> = more.split_whitespace().collect();
            let id = json(&[&contest[..], &more].concat())["experiment"].to_string();
            let (_, text, _) = run(&["results", &id, "--store", &store]);
            let (_, rest) = text.split_once("\"memory\":").unwrap();
            rest.chars().take_while(char::is_ascii_digit).collect()
        });
    assert_eq!(memories, [256usize << 20, 256 << 20, 128 << 20, 32 << 20].map(|bytes| bytes.to_string()));
    let (status, _, error) = run(&[&contest[..], &["--memory", "1KiB", "--threads", "9"]].concat());
    assert!(status == 2 && error.contains("1024 bytes of memory are too little for 18 searches"), "{error}");
}

/// A store with a solve and a few games, and a place for a file.
fn small_store(folder: &Folder) -> (String, String) {
    let (store, file) = (folder.file("x.db"), folder.file("x.parquet"));
    json(&["solve", "tictactoe", "--store", &store]);
    let few = "match --game loa:5x5 --a mcts --b mcts:c=1 --games 6 --most-moves 30 --playouts 10 --store";
    json(&few.split(' ').chain([&*store]).collect::<Vec<_>>());
    (store, file)
}

#[test]
fn parquet_is_for_files() {
    let folder = Folder::new("parquet");
    let (store, file) = small_store(&folder);
    let export = ["results", "--format", "parquet", "--store", &store];
    let (status, _, error) = run(&export);
    assert!(status == 2 && error.contains("--output"), "{error}");
    let (status, _, error) = run(&[&export[..], &["--output", &file]].concat());
    assert!(status == 0 && Path::new(&file).exists(), "{error}");
}

/// What is read back is what the lines of JSON say, gaps included.
#[test]
fn parquet_says_what_json_says() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let folder = Folder::new("columns");
    let (store, file) = small_store(&folder);
    let cell = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Bool(x) => (*x).into(),
        Field::Long(x) => (*x).into(),
        Field::Double(x) => (*x).into(),
        Field::Str(x) => x.clone().into(),
        other => panic!("{other}"),
    };
    let mut gaps = 0;
    // All experiments, the solve, the games.
    for which in [&[][..], &["1"], &["2"]] {
        let export = [&["results", "--store", &store][..], which].concat();
        let (status, _, error) = run(&[&export[..], &["--format", "parquet", "--output", &file]].concat());
        assert_eq!(status, 0, "{error}");
        let (_, lines, _) = run(&[&export[..], &["--format", "json"]].concat());
        let reader = SerializedFileReader::new(std::fs::File::open(&file).unwrap()).unwrap();
        let mut rows = 0;
        for (row, line) in reader.get_row_iter(None).unwrap().zip(lines.lines()) {
            let (row, line): (_, Value) = (row.unwrap(), serde_json::from_str(line).unwrap());
            for (name, field) in row.get_column_iter() {
                gaps += usize::from(matches!(field, Field::Null));
                // The lines of games have other names for some.
                let (Some(want), cell) = (line.get(name), cell(field)) else { continue };
                // A column of points has halves, lines have whole numbers where they can.
                let same = cell == *want || cell.is_f64() && cell.as_f64() == want.as_f64();
                assert!(same, "{name} of {line}: {cell}");
            }
            rows += 1;
        }
        assert_eq!(rows, lines.lines().count());
        assert_eq!(reader.metadata().file_metadata().num_rows() as usize, rows);
    }
    assert!(gaps > 0, "a single run has no interval");
}

/// The plan of a tournament with so many players. Its games take hours: few of them have played when somebody stops it.
fn crowd(folder: &Folder, players: usize) -> String {
    let file = folder.file("crowd.toml");
    let player = |i: usize| format!("[[player]]\nname = \"{i}\"\nspec = \"mcts:c=0.{i:04}\"\n");
    let players: String = (1..=players).map(player).collect();
    std::fs::write(&file, format!("games = [\"tictactoe\"]\nplayouts = 3000\n{players}")).unwrap();
    file
}

/// However many pairings there are: it begins at once, stops when told to, and shows what was played.
#[cfg(unix)]
#[test]
fn a_large_tournament_stops() {
    let folder = Folder::new("crowd");
    let (file, store, out) = (crowd(&folder, 1000), folder.file("x.db"), folder.file("out"));
    let mut child = command(&["tournament", &file, "--store", &store])
        .stdout(std::fs::File::create(&out).unwrap())
        .spawn()
        .unwrap();
    while !run(&["results", "1", "--store", &store]).1.contains("first") {
        assert!(child.try_wait().unwrap().is_none(), "the program has ended too early");
        std::thread::sleep(Duration::from_millis(100));
    }
    send("TERM", &child);
    assert_eq!(end_of(child).status.code(), Some(3));
    let table = std::fs::read_to_string(&out).unwrap();
    assert!(table.contains("of 9,990,000 games played"), "{table}");
    // Only those who have played are shown.
    assert!((4..900).contains(&table.lines().count()), "{table}");
    let (status, _, error) = run(&["tournament", &crowd(&folder, 1001), "--store", &store]);
    assert!(status == 2 && error.contains("at most 1000"), "{error}");
}

#[test]
fn what_is_printed() {
    let folder = Folder::new("printed");
    let (store, records) = (folder.file("x.db"), folder.file("games.jsonl"));
    let few = "--games 6 --playouts 50 --threads 2 --seed 3 --store";
    let few: Vec<&str> = few.split(' ').chain([&*store]).collect();
    let players =
        ["match", "--game", "connect4:5x4", "--a", "mcts", "--b", "mcts:c=2", "--records", &records];
    let told = json(&[&players[..], &few].concat());
    let score = "games wins draws losses points score score_interval pairs elo elo_interval superiority mean_plies \
        a_per_move b_per_move forfeits a_lost_by b_lost_by sprt";
    let score: Vec<&str> = score.split_whitespace().collect();
    assert_eq!(keys(&told), [&["game", "a", "b"], &score[..], &["experiment", "done"]].concat());
    // A record can be replayed, and so can the store's.
    let text = std::fs::read_to_string(&records).unwrap();
    assert_eq!(text.lines().count(), 6);
    let record: Value = serde_json::from_str(text.lines().nth(4).unwrap()).unwrap();
    let one =
        json(&["replay", record["game"].as_str().unwrap(), "--moves", record["moves"].as_str().unwrap()]);
    assert_eq!(one["score"], record["score"]);
    assert_eq!(json(&["replay", "--stored", "1:4", "--store", &store]), one);

    let file = folder.file("t.toml");
    let plan = "games = [\"tictactoe\"]\nrounds = 2\nplayouts = 20\nclock = 36000\n[[player]]\nname = \"x\"\nspec = \"mcts\"\n";
    std::fs::write(&file, format!("{plan}[[player]]\nname = \"y\"\nspec = \"mcts:c=3\"\n")).unwrap();
    let told = json(&["tournament", &file, "--store", &store]);
    assert_eq!(keys(&told), ["done", "players", "pairings"]);
    assert_eq!(
        keys(&told["players"][1]),
        ["name", "player", "points", "games", "forfeits", "lost_by", "rating", "rating_interval", "spec"]
    );
    assert_eq!(keys(&told["pairings"][0]), ["game", "a", "b", "games", "points", "forfeits"]);
    assert_eq!(told["players"][0]["games"].to_string(), "2", "a whole number");
    std::fs::write(&file, format!("{plan}turns = 3")).unwrap();
    let (status, _, error) = run(&["tournament", &file, "--store", &store]);
    assert!(status == 2 && error.contains("unknown field `turns`") && error.contains("rounds"), "{error}");

    for (line, why) in [
        ("rounds = 0", "0 rounds"),
        ("playouts = 0", "0 playouts"),
        ("nodes = 0", "0 nodes"),
        ("time_per_move = \"0s\"", "0 s a move"),
        ("most_moves = 0", "at most 0 moves"),
        ("clock = \"0\"", "clock `0`"),
        ("clock = 0", "clock `0`: expected a time above 0"),
        ("clock = -1", "clock `-1`"),
        ("clock = [60]", "expected a clock, e.g. \"10m+5s\", or a number of seconds"),
        ("clock = \"5\"\ntime_per_move = \"1s\"", "clock and time_per_move"),
    ] {
        let players =
            "[[player]]\nname = \"x\"\nspec = \"mcts\"\n[[player]]\nname = \"y\"\nspec = \"mcts:c=2\"\n";
        std::fs::write(&file, format!("games = [\"tictactoe\"]\n{line}\n{players}")).unwrap();
        let (status, _, error) = run(&["tournament", &file, "--store", &store]);
        assert!(status == 2 && error.contains(why) && error.contains("expected"), "{error}");
    }

    let tune = ["tune", "--game", "tictactoe", "--engine", "mcts:c=0.5|1", "--test-games", "4"];
    let told = json(&[&tune[..], &few].concat());
    assert_eq!(keys(&told), ["game", "against", "tried", "chosen", "test", "done"]);
    assert_eq!(
        keys(&told["tried"][0]),
        ["player", "rounds", "tuning_games", "tuning_points", "tuning_forfeits"]
    );
    assert_eq!(
        (&told["tried"][0]["tuning_games"], &told["test"]["games"]),
        (&Value::from(6), &Value::from(4))
    );

    let (_, csv, _) = run(&["results", "--format", "csv", "--game", "tic", "--store", &store]);
    assert!(csv.starts_with(
        "experiment,kind,game,what,trials,result,low,high,unit,seconds,version,signature,begun,winner,\
         a_forfeits,b_forfeits\n"
    ));
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(Path::new(&store).exists());
    let (status, _, error) = run(&["results", "77", "--store", &store]);
    assert!(status == 2 && error.contains("no experiment 77"), "{error}");
    let (status, _, error) = run(&["results", "--store", &folder.file("none.db")]);
    assert!(status == 2 && error.contains("nothing has been stored"), "{error}");
}

/// Tables go to text and back: the page needs no store, and a store that has read the text writes the same.
#[test]
fn tables_as_text() {
    let folder = Folder::new("text");
    let [store, other, page] = ["one.db", "other.db", "PAGE.md"].map(|name| folder.file(name));
    let [first, second] = ["first", "second"].map(|name| folder.file(name));
    run(&["reproduce", "exact-win-2", "score-bounded-2", "--store", &store]);
    let (status, out, error) =
        run(&["results", "export", "exact-win-2", "score-bounded-2", "--store", &store, "--out", &first]);
    assert_eq!((status, &*error), (0, ""));
    assert_eq!(
        out,
        "score-bounded-2: 36 cells, 36 new or changed\nexact-win-2: 13 cells, 13 new or changed\n"
    );
    let (status, out, _) = run(&["report", "--from", &first, "--out", &page]);
    assert!(status == 0 && out.contains("2 tables with figures"), "{out}");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("36 reproduced") && text.contains("docs/REPRODUCTION-NOTES.md#exact-win-2"));
    // What a second store has read it writes again, and what is there already does not change.
    let told = json(&["results", "import", "--from", &first, "--store", &other]);
    assert_eq!(keys(&told["tables"][1]), ["table", "cells", "changed", "kept"]);
    let (_, again, _) = run(&["results", "import", "--from", &first, "--store", &other]);
    assert_eq!(again, "score-bounded-2: 36 cells, nothing changed\nexact-win-2: 13 cells, nothing changed\n");
    // What was imported is not measured again.
    let told = json(&["reproduce", "exact-win-2", "--store", &other]);
    assert_eq!((&told["done"], &told["tables"][0]["cells"][12]["imported"]), (&true.into(), &true.into()));
    let (_, out, _) = run(&["reproduce", "exact-win-2", "--store", &other]);
    assert!(
        out.contains("\n13 cells imported, with at least these limits and trials: not measured again\n"),
        "{out}"
    );
    assert_eq!(run(&["results", "--store", &other, "--format", "csv"]).1, "", "no experiment was begun");
    for _ in 0..2 {
        run(&["results", "export", "exact-win-2", "--store", &other, "--out", &second]);
        let file = |folder: &str| std::fs::read_to_string(format!("{folder}/exact-win-2.jsonl")).unwrap();
        assert_eq!(file(&first), file(&second));
    }
    assert!(!Path::new(&format!("{second}/score-bounded-2.jsonl")).exists(), "it was not asked for");
    let told = json(&["results", "export", "exact-win-2", "--store", &other, "--out", &second]);
    assert_eq!((&told["tables"][0]["cells"], &told["tables"][0]["changed"]), (&13.into(), &0.into()));
    // Fewer trials do not take the place of more, and that is said.
    let file = format!("{second}/exact-win-2.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let (line, _) = text.split_once('\n').unwrap();
    let mut more: Value = serde_json::from_str(line).unwrap();
    (more["trials"], more["found"]) = (24.into(), serde_json::json!({"summary": {"mean": 5}}));
    std::fs::write(&file, text.replace(line, &more.to_string())).unwrap();
    let (_, out, _) = run(&["results", "export", "exact-win-2", "--store", &other, "--out", &second]);
    let kept = "1 kept: the new lines have fewer trials or smaller limits";
    assert_eq!(out, format!("exact-win-2: 13 cells, nothing changed, {kept}\n"));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with(&more.to_string()));
    // Errors name the file, the line and what is wrong.
    let wrong = |text: &str, why: &[&str]| {
        std::fs::write(format!("{second}/exact-win-2.jsonl"), text).unwrap();
        for arguments in [
            &["report", "--out", &page, "--from", &second][..],
            &["results", "import", "--store", &other, "--from", &second],
            &["results", "export", "--store", &other, "--out", &second],
        ] {
            let (status, _, error) = run(arguments);
            assert!(status == 2 && why.iter().all(|why| error.contains(why)), "{error}");
        }
    };
    wrong("\n", &["second", "`exact-win-2.jsonl`, line 1: EOF"]);
    std::fs::write(format!("{second}/exact-win-9.jsonl"), "").unwrap();
    wrong("", &["exact-win-9.jsonl", "there is no such table"]);
    let (status, _, error) = run(&["results", "export", "exact-win-9", "--store", &store, "--out", &first]);
    assert!(status == 2 && error.contains("table `exact-win-9`"), "{error}");
    std::fs::write(folder.file("plain"), "").unwrap();
    let (status, _, error) = run(&["results", "export", "--store", &store, "--out", &folder.file("plain")]);
    assert!(status == 1 && error.contains("cannot write"), "{error}");
    let (status, _, error) = run(&["report", "--from", &folder.file("none"), "--out", &page]);
    assert!(status == 2 && error.contains("none"), "{error}");
}

/// A store without any table says so, and nothing is written.
#[test]
fn nothing_to_tell() {
    let folder = Folder::new("nothing");
    let (store, out, page) = (folder.file("x.db"), folder.file("out"), folder.file("page.md"));
    json(&["solve", "tictactoe", "--store", &store]);
    for tables in [&[][..], &["all"], &["score-bounded-1"]] {
        let export = [&["results", "export", "--store", &store, "--out", &out][..], tables].concat();
        let (status, told, _) = run(&export);
        assert_eq!((status, &*told), (0, "nothing to export: the store has no figures of these tables\n"));
        assert_eq!(json(&export)["tables"], serde_json::json!([]));
    }
    assert!(!Path::new(&out).exists());
    let (status, _, error) = run(&["report", "--store", &store, "--out", &page]);
    assert!(status == 2 && error.contains("nothing to report"), "{error}");
    assert!(!Path::new(&page).exists());
    std::fs::create_dir(&out).unwrap();
    let (_, told, _) = run(&["results", "import", "--from", &out, "--store", &store]);
    assert_eq!(told, "nothing to import: the folder has no lines of any table\n");
    assert_eq!(run(&["results", "--kind", "race", "--store", &store]).1, "no experiments\n");
    let (status, _, error) = run(&["results", "--kind", "nosuch", "--store", &store]);
    assert!(status == 2 && ["match", "solve", "race"].iter().all(|kind| error.contains(kind)), "{error}");
    // After somebody has asked for it, the exact table is there.
    json(&["reproduce", "score-bounded-1", "--store", &store]);
    let (_, told, _) = run(&["results", "export", "--store", &store, "--out", &out]);
    assert_eq!(told, "score-bounded-1: 81 cells, 81 new or changed\n");
    // The lines about the strength of players lie in the same folder.
    std::fs::write(format!("{out}/strength.jsonl"), "").unwrap();
    let (status, told, _) = run(&["results", "import", "--from", &out, "--store", &store]);
    assert_eq!((status, &*told), (0, "score-bounded-1: 81 cells, nothing changed\n"));
    let (_, told, _) = run(&["report", "--store", &store, "--out", &page]);
    assert!(told.ends_with(": 1 table with figures\n"), "{told}");
}

/// Games that were lost on time are told wherever games are counted.
#[test]
fn losses_on_time_are_told() {
    let folder = Folder::new("time");
    let (store, file) = (folder.file("x.db"), folder.file("t.toml"));
    let few = ["--game", "tictactoe", "--clock", "1ns", "--store", &store];
    // Nobody can think in a nanosecond: who moves first loses.
    let contest = [&["match", "--a", "mcts", "--b", "mcts:c=2", "--games", "3"][..], &few].concat();
    let (_, text, error) = run(&contest);
    assert!(text.contains("forfeit A lost 2 games on time, B 1\n"), "{text}{error}");
    assert!(text.contains("A       has made no moves\n"), "{text}");
    let (_, list, _) = run(&["results", "--store", &store]);
    assert!(list.contains("], A lost 2 games on time, B 1 "), "{list}");
    let (_, lines, _) = run(&["results", "--store", &store, "--format", "json"]);
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!((&line["a_forfeits"], &line["b_forfeits"]), (&2.into(), &1.into()));
    let (_, games, _) = run(&["results", "1", "--store", &store]);
    assert_eq!(games.matches("(no time is left)").count(), 3, "{games}");
    let (_, games, _) = run(&["results", "1", "--store", &store, "--format", "csv"]);
    assert!(games.lines().skip(1).all(|line| line.ends_with(",no time is left")), "{games}");

    let players =
        "[[player]]\nname = \"x\"\nspec = \"mcts\"\n[[player]]\nname = \"y\"\nspec = \"mcts:c=3\"\n";
    let plan = format!("games = [\"tictactoe\"]\nrounds = 3\nclock = \"1ns\"\n{players}");
    std::fs::write(&file, plan).unwrap();
    let (_, text, error) = run(&["tournament", &file, "--store", &store]);
    assert!(text.contains("forfeits: y 1 game on time, x 2 games on time\n"), "{text}{error}");
    let told = json(&["tournament", &file, "--store", &store]);
    assert_eq!(told["pairings"][0]["forfeits"], serde_json::json!([2, 1]));
    assert_eq!((&told["players"][0]["forfeits"], &told["players"][1]["forfeits"]), (&2.into(), &1.into()));

    let tune = ["tune", "--engine", "mcts:c=0.5|1", "--games", "2", "--test-games", "2"];
    let (_, text, error) = run(&[&tune[..], &few].concat());
    assert_eq!(text.matches("(it lost 1 game on time, the opponent 1)").count(), 2, "{text}{error}");
    assert!(text.contains("  A lost 1 game on time, B 1\n"), "{text}");
    let told = json(&[&tune[..], &few].concat());
    assert_eq!(told["tried"][1]["tuning_forfeits"], serde_json::json!([1, 1]));
}

/// The list and the trials say what was asked, who wins and in how many plies.
#[test]
fn solves_say_who_wins() {
    let folder = Folder::new("wins");
    let store = folder.file("x.db");
    // X has two threats: whatever O does, X wins with the next move.
    let won = "a1 b1 a2 a3 b2";
    for (moves, more) in [("", &[][..]), (won, &["--shortest"]), (won, &["--all-moves"])] {
        json(&[&["solve", "tictactoe", "--moves", moves, "--store", &store][..], more].concat());
    }
    let (_, list, _) = run(&["results", "--store", &store]);
    let lines: Vec<&str> = list.lines().skip(1).collect();
    assert!(lines[0].contains("  draw, ") && lines[0].ends_with("tictactoe: alphabeta"), "{list}");
    assert!(lines[1].contains("  first player wins, "), "{list}");
    assert!(lines[1].ends_with("alphabeta shortest after a1 b1 a2 a3 b2"), "{list}");
    assert!(lines[2].ends_with("alphabeta all-moves after a1 b1 a2 a3 b2"), "{list}");
    let (_, csv, _) = run(&["results", "--store", &store, "--format", "csv"]);
    let winner = |line: &str| line.rsplit(',').nth(2).unwrap().to_owned();
    assert_eq!(csv.lines().map(winner).collect::<Vec<_>>(), ["winner", "draw", "first", "first"]);
    let (_, trial, _) = run(&["results", "2", "--store", &store]);
    assert!(trial.contains("    0  first player wins in 2 plies  "), "{trial}");
    let (_, line, _) = run(&["results", "2", "--store", &store, "--format", "json"]);
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["plies"], 2);
    let (_, line, _) = run(&["results", "3", "--store", &store, "--format", "json"]);
    assert!(line.contains("\"plies\":null"), "{line}");
}

/// Every command tells the rule by which a line takes the place of another in the same words.
#[test]
fn the_rule_of_lines_is_told() {
    for command in ["export", "import"] {
        let (_, help, _) = run(&["results", command, "--help"]);
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(proofplay_lab::papers::archive::PRECEDENCE), "{help}");
    }
}

/// Games of Go that were stored when it had a column `i` are neither listed nor added to.
#[test]
fn moves_of_an_earlier_notation() {
    let folder = Folder::new("notation");
    let store = folder.file("x.db");
    let contest =
        ["match", "--game", "go:2x2", "--a", "mcts", "--b", "mcts", "--playouts", "5", "--games", "2"];
    let now = json(&[&contest[..], &["--store", &store]].concat());
    assert_eq!((&now["games"], &now["experiment"]), (&2.into(), &1.into()));
    let mut plan = proofplay_lab::Store::open(Path::new(&store)).unwrap().plan(1).unwrap().unwrap().1;
    assert_eq!(plan["game"], "go:2x2#0000000000000002");
    plan["game"] = "go:2x2".into();
    proofplay_lab::Store::open_to_write(Path::new(&store)).unwrap().experiment("match", &plan, "1").unwrap();
    assert_eq!(run(&["results", "1", "--store", &store]).0, 0);
    let (status, out, error) = run(&["results", "2", "--store", &store]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(
        error.starts_with("error: experiment 2: `go:2x2` has other rules or another notation"),
        "{error}"
    );
}
