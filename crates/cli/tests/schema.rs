//! docs/JSON.md has every field that a command prints, and no other.

mod common;

use common::Folder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

/// Only printed when something goes wrong that a test cannot easily bring about here. They are
/// documented all the same.
const RARE: [&str; 5] =
    ["unwritten", "certificate.why_not", "checkpoint.why_not", "dead", "tables[].cells[].missing"];

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

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("proofplay")).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help" && name != "gtp")
        .collect()
}

#[test]
fn the_page_and_the_program_agree() {
    let folder = Folder::new("schema");
    let names =
        ["x.db", "x.proof", "x.checkpoint", "x.toml", "x.md", "tables", "x.jsonl", "x.txt", "y.db", "proofs"];
    let [store, proof, checkpoint, plan, page, tables, lines, moves, other, proofs] =
        names.map(|name| folder.file(name));
    let line = r#"{"game":"y:8","stage":"round 1","player":"mcts","against":"mcts","tally":{"wins":1,"draws":0,"losses":0,"pairs":[0,0,0,0,0],"lone":[0,0,1]}}"#;
    std::fs::write(&lines, line).unwrap();
    std::fs::write(&moves, "b2 b1\na1 # no better move\n").unwrap();
    let players =
        "[[player]]\nname = \"x\"\nspec = \"mcts\"\n[[player]]\nname = \"y\"\nspec = \"mcts:c=3\"\n";
    std::fs::write(&plan, format!("games = [\"tictactoe\"]\nrounds = 2\nplayouts = 20\n{players}")).unwrap();
    let ours = [
        ("STORE", &store),
        ("PROOF", &proof),
        ("CHECKPOINT", &checkpoint),
        ("PLAN", &plan),
        ("PAGE", &page),
        ("TABLES", &tables),
        ("LINES", &lines),
        ("MOVES", &moves),
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
        "analyze tictactoe --engine mcts:playouts=50",
        "analyze tictactoe --engine mcts:playouts=50 --batch",
        "play tictactoe --moves b2 --side none --clock 1ns",
        "replay tictactoe --moves b2",
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
    for fields in found.values_mut() {
        // An empty list, or null for an object, of which another answer shows more.
        let all = fields.clone();
        let more = |field: &str| [format!("{field}."), format!("{field}[]")];
        fields.retain(|field| {
            !more(field).iter().any(|start| all.iter().any(|other| other.starts_with(start)))
        });
    }
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

#[test]
fn the_signature_stays() {
    let signature: Value = serde_json::from_str(&BENCH).unwrap();
    assert_eq!(signature["signature"].as_str().unwrap().len(), 8);
    assert_eq!(output(&["bench", "--signature"]), *BENCH);
}
