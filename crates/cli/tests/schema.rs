//! docs/JSON.md has every field that a command prints, and no other.

mod common;

use common::Folder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

/// Only printed when something happens that a test cannot easily bring about here. They are
/// documented all the same.
const RARE: [&str; 6] = [
    "unwritten",
    "certificate.why_not",
    "checkpoint.why_not",
    "dead",
    "tables[].cells[].missing",
    "b.proven_after",
];

/// Objects whose keys are moves.
const BY_MOVE: [&str; 2] = ["after", "divide"];

/// The fields of each section of the page.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = include_str!("../../../docs/JSON.md");
    let mut sections = BTreeMap::new();
    for section in page.split("\n## ").skip(1) {
        let (name, rest) = section.split_once('\n').unwrap();
        let rows = rest.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.map(|row| row.split(" | ").next().unwrap());
        let fields = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned));
        sections.insert(name.to_owned(), fields.collect());
    }
    sections
}

/// Adds the paths of all fields of a value.
fn collect(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(_) if BY_MOVE.contains(&path) => _ = fields.insert(format!("{path}{{}}")),
        Value::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(value, &path, fields);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            let path = if path.is_empty() { String::new() } else { format!("{path}[]") };
            list.iter().for_each(|value| collect(value, &path, fields));
        }
        // What has no more to say has a reason of its own.
        _ if path == "lost_by" || path.starts_with("lost_by.") => _ = fields.insert("lost_by".to_owned()),
        _ => _ = fields.insert(path.to_owned()),
    }
}

/// What a command prints. On standard input it finds the start of a game and a line that is no position.
fn output(arguments: &[&str]) -> String {
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = program.args(arguments).arg("--json").write_stdin("\n?\n").output().unwrap();
    let (error, is_batch) = (String::from_utf8_lossy(&output.stderr), arguments.contains(&"--batch"));
    let expected = if is_batch { &[2][..] } else { &[0, 3] };
    assert!(expected.contains(&output.status.code().unwrap()), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// What `bench` prints: it takes long, and both tests want it.
static BENCH: LazyLock<String> = LazyLock::new(|| output(&["bench", "--signature"]));

/// The fields that a command prints, in all its lines.
fn printed(arguments: &[&str]) -> BTreeSet<String> {
    let text = if arguments[0] == "bench" { BENCH.clone() } else { output(arguments) };
    let mut fields = BTreeSet::new();
    for line in text.lines() {
        collect(&serde_json::from_str(line).unwrap(), "", &mut fields);
    }
    fields
}

/// Leaves out an empty list, or null for an object, of which another answer shows more.
fn drop_empty(fields: &mut BTreeSet<String>) {
    let all = fields.clone();
    let more = |field: &str| [format!("{field}."), format!("{field}[]")];
    fields.retain(|field| !more(field).iter().any(|start| all.iter().any(|other| other.starts_with(start))));
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("proofplay")).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        // These have a form of their own, or more than one answer.
        .filter(|name| !["help", "ggp", "gtp", "serve", "serve-stdio"].contains(&name.as_str()))
        .collect()
}

#[test]
fn the_page_and_the_program_agree() {
    let folder = Folder::new("schema");
    let names = [
        "x.db",
        "x.proof",
        "x.table",
        "x.checkpoint",
        "x.toml",
        "x.md",
        "tables",
        "x.jsonl",
        "x.txt",
        "x.sgf",
        "y.db",
        "proofs",
    ];
    let [store, proof, star, checkpoint, plan, page, tables, lines, moves, sgf, other, proofs] =
        names.map(|name| folder.file(name));
    let line = r#"{"game":"y:8","stage":"round 1","player":"mcts","against":"mcts","tally":{"wins":1,"draws":0,"losses":0,"pairs":[0,0,0,0,0],"lone":[0,0,1]}}"#;
    std::fs::write(&lines, line).unwrap();
    std::fs::write(&moves, "b2 b1\na1 # no better move\n").unwrap();
    std::fs::write(&sgf, "(;SZ[3](;B[bb];B[cc])(;B[aa]))").unwrap();
    let players =
        "[[player]]\nname = \"x\"\nspec = \"mcts\"\n[[player]]\nname = \"y\"\nspec = \"mcts:c=3\"\n";
    std::fs::write(&plan, format!("games = [\"tictactoe\"]\nrounds = 2\nplayouts = 20\n{players}")).unwrap();
    let ours = [
        ("STORE", &store),
        ("PROOF", &proof),
        ("STAR", &star),
        ("CHECKPOINT", &checkpoint),
        ("PLAN", &plan),
        ("PAGE", &page),
        ("TABLES", &tables),
        ("LINES", &lines),
        ("MOVES", &moves),
        ("SGF", &sgf),
        ("OTHER", &other),
        ("FOLDER", &proofs),
    ];
    // In the order in which they leave files for each other; the experiments are 1, 2 and 3.
    let runs = [
        "games",
        "rules tictactoe",
        "searches",
        "show tictactoe --after",
        "solve tictactoe --all-moves --certificate PROOF --store STORE",
        "solve connect4:4x4 --nodes 500 --checkpoint CHECKPOINT",
        "solve tictactoe --batch",
        "verify PROOF",
        "verify PROOF --memory 1KiB",
        "table chinese-checkers:1 --out STAR",
        "table verify STAR",
        "table loa:5x5 --out STAR --memory 1KiB",
        "analyze tictactoe --engine mcts:playouts=50",
        "analyze tictactoe --engine mcts:playouts=50 --batch",
        "play tictactoe --moves b2 --side none --clock 1ns",
        "play go --sgf SGF --side none --clock 1ns",
        "replay tictactoe --moves b2",
        "replay go --sgf SGF",
        "review tictactoe --moves-file MOVES --nodes 10k",
        "match --game tictactoe --a mcts --b mcts:c=2 --clock 1ns --games 2 --sprt elo0=0,elo1=50 --store STORE",
        "reproduce mcts-solver-fig1 --scale 1% --store STORE",
        "reproduce --list",
        "results --store STORE",
        "results 1 --store STORE",
        "results 2 --store STORE",
        "results 3 --store STORE",
        "match --game tictactoe --a minimax --b mcts --nodes 1M --b-playouts 9 --adjudicate proof --certificates FOLDER --games 2 --store OTHER",
        "results 1 --store OTHER",
        "report --store STORE --out PAGE",
        "results export --store STORE --out TABLES",
        "results import --store STORE --from TABLES",
        "tournament PLAN --store STORE",
        "tune --game tictactoe --engine mcts:c=1|2 --games 2 --test-games 2 --playouts 5 --store STORE",
        "strength --only-read --results LINES --store STORE",
        "perft tictactoe 2 --divide",
        "learn loa:5x5 --games 1 --engine mcts:playouts=5",
        "bench --signature",
        "completions bash",
    ];
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for run in runs {
        let words: Vec<String> = run
            .split(' ')
            .map(|word| ours.iter().find(|(name, _)| *name == word).map_or(word, |(_, file)| file).to_owned())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut fields = printed(&words);
        if run == "reproduce --list" {
            fields = fields.iter().map(|field| format!("tables[].{field}")).collect();
        }
        found.entry(words[0].to_owned()).or_default().extend(fields);
    }
    found.values_mut().for_each(drop_empty);
    let documented = documented();
    for command in commands() {
        let printed = found.get(&command).unwrap_or_else(|| panic!("`{command}` is not run here"));
        let page = documented.get(&command).unwrap_or_else(|| panic!("docs/JSON.md has no `## {command}`"));
        let unknown: Vec<_> = printed.difference(page).collect();
        let missing: Vec<_> =
            page.difference(printed).filter(|field| !RARE.contains(&field.as_str())).collect();
        assert!(
            unknown.is_empty() && missing.is_empty(),
            "{command}: not in docs/JSON.md {unknown:?}, not printed {missing:?}"
        );
    }
}

/// What the server says to these requests.
fn served(requests: &[Value]) -> Vec<Value> {
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut program = assert_cmd::cargo::cargo_bin_cmd!("proofplay");
    let output = program.args(["serve-stdio", "--memory", "16MiB"]).write_stdin(lines).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names in the cells of a row: those in backticks.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Every request takes the fields that the page lists, and is answered by those of the section that it
/// names.
#[test]
fn the_page_and_the_server_agree() {
    let sections = documented();
    let page = include_str!("../../../docs/JSON.md");
    let (_, section) = page.split_once("\n## serve-stdio\n").unwrap();
    let (_, table) = section.split_once("| `do` |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut requests = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let (name, fields, answer) = (names(cells[0])[0], names(cells[1]), cells[3]);
        requests.push(name);
        // One that is wrong is told what is right.
        let refused = &served(&[json!({"do": name, "?": 1})])[0];
        let error = refused["error"].as_str().unwrap();
        let allowed = names(error.strip_prefix(&format!("{name}: unknown field `?`, ")).unwrap());
        assert!(allowed.iter().collect::<BTreeSet<_>>().eq(&fields.iter().collect()), "{name}: {error}");
        let request = match name {
            "new" => json!({"do": name, "game": "tictactoe"}),
            "play" => json!({"do": name, "moves": "b2"}),
            "show" => json!({"do": name, "after": true}),
            "solve" => json!({"do": name, "all_moves": true, "shortest": true}),
            "analyze" | "move" => json!({"do": name, "search": "mcts", "simulations": 50}),
            _ => json!({"do": name}),
        };
        let game = json!({"do": "new", "game": "tictactoe", "moves": "a1 a2"});
        let lines = served(&[game, request, json!({"do": "quit"})]);
        let mut printed = BTreeSet::new();
        collect(&lines[1], "", &mut printed);
        drop_empty(&mut printed);
        for own in ["id", "final"].into_iter().chain(names(answer)) {
            let list = format!("{own}[].");
            let all = std::mem::take(&mut printed).into_iter();
            let (ours, others): (Vec<_>, Vec<_>) =
                all.partition(|path| path == own || path.starts_with(&list));
            assert!(!ours.is_empty(), "{name}: no `{own}` in {}", lines[1]);
            printed.extend(others);
            printed.extend(ours.iter().filter_map(|path| path.strip_prefix(&list)).map(str::to_owned));
        }
        let known = answer.split_once("](#").map(|(_, rest)| &sections[rest.split(')').next().unwrap()]);
        let unknown: Vec<_> = match known {
            None => printed.iter().collect(),
            Some(known) => printed.difference(known).collect(),
        };
        assert!(unknown.is_empty() && known.is_some() != printed.is_empty(), "{name}: {unknown:?}");
    }
    let error = served(&[json!({"do": "dance"})])[0]["error"].as_str().unwrap().to_owned();
    assert_eq!(names(error.split_once("expected").unwrap().1), requests, "all requests are there");
    let envelope: BTreeSet<_> = ["id", "final", "error"].map(str::to_owned).into();
    assert!(envelope.is_subset(&sections["serve-stdio"]));
}

#[test]
fn the_signature_stays() {
    let signature: Value = serde_json::from_str(&BENCH).unwrap();
    assert_eq!(signature["signature"].as_str().unwrap().len(), 8);
    assert_eq!(output(&["bench", "--signature"]), *BENCH);
}
