//! Many lines that make little sense: every command is answered, and nothing ends the engine.
//! `GTP_LINES` says how many [default: 20000].

use proofplay_core::Rng;
use proofplay_front::budget::Budget;
use proofplay_protocol::gtp::line::Command;
use proofplay_protocol::gtp::{Engine, Options, serve};
use std::io::Cursor;
use std::time::Duration;

const GAMES: [&str; 6] = ["go:5x5", "connect4:5x4", "amazons:4x4", "chinese-checkers:1", "y:3", "loa:5x5"];

/// What is sent as arguments, and what breaks lines.
const WORDS: &[&str] = &[
    "b",
    "w",
    "black",
    "WHITE",
    "red",
    "A1",
    "c3",
    "D4",
    "I5",
    "Z99",
    "pass",
    "resign",
    "4",
    "0",
    "-1",
    "1.5",
    "1e999",
    "99999999999999999999",
    "fischer",
    "byoyomi",
    "canadian",
    "absolute",
    "none",
    "alive",
    "dead",
    "seki",
    "interval",
    "maxmoves",
    "play",
    "genmove",
    "a2-a3/a4",
    "é",
    "\u{0}",
    "\u{7}",
    "\t",
    "#",
    "\r",
    "= ok",
    "? no",
];

fn replies(engine: &mut Engine, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    serve(engine, Cursor::new(lines.to_owned().into_bytes()), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.split_terminator("\n\n").map(str::to_owned).collect()
}

#[test]
fn every_command_is_answered() {
    let wanted: usize = std::env::var("GTP_LINES").map_or(20_000, |text| text.parse().unwrap());
    let rng = &mut Rng::new(5);
    let mut sent = 0;
    while sent < wanted {
        for game in GAMES {
            let options = Options {
                engine: ["mcts", "alphabeta:deepen=on", "auto"][rng.below(3) as usize].to_owned(),
                budget: Budget { nodes: Some(20), memory: Some(1 << 20), ..Budget::default() },
                usual_time: Duration::from_secs(1),
                seed: 1,
                ponders: rng.below(2) == 0,
                lag: Duration::ZERO,
            };
            let mut engine = Engine::new(game, options).unwrap();
            let names = replies(&mut engine, "list_commands\n").remove(0);
            // Files are left alone, and `quit` would end it.
            let names = names.trim_start_matches("= ").lines();
            let names: Vec<&str> = names.filter(|name| !name.contains("sgf") && *name != "quit").collect();
            let lines: Vec<String> = (0..200).map(|_| line(&names, rng)).collect();
            let commands: Vec<&String> = lines.iter().filter(|line| Command::read(line).is_some()).collect();
            let told = replies(&mut engine, &lines.join("\n"));
            assert_eq!(told.len(), commands.len(), "{game}: {commands:#?} {told:#?}");
            for (reply, line) in told.iter().zip(commands) {
                assert!(reply.starts_with(['=', '?']), "{game}: {line:?}: {reply:?}");
                assert!(!reply.starts_with('?') || reply.len() > 4, "{game}: {line:?} has no reason");
            }
            assert_eq!(replies(&mut engine, "protocol_version\n"), ["= 2"]);
            sent += lines.len();
        }
    }
}

/// A command with arguments that may or may not fit, or anything.
fn line(names: &[&str], rng: &mut Rng) -> String {
    let mut below = |bound: usize| rng.below(bound as u32) as usize;
    if below(20) == 0 {
        return (0..below(30))
            .filter_map(|_| char::from_u32(below(300) as u32))
            .filter(|c| *c != '\n')
            .collect();
    }
    let mut words = vec![names[below(names.len())]];
    if ["boardsize", "rectangular_boardsize"].contains(&words[0]) {
        // Large boards take time and show nothing else.
        return format!("{} {}", words[0], below(10));
    }
    if words[0] == "play" && below(2) == 0 {
        words.push(["b", "w"][below(2)]);
    }
    for _ in 0..below(4) {
        words.push(WORDS[below(WORDS.len())]);
    }
    let id = if below(10) == 0 { format!("{} ", below(100)) } else { String::new() };
    id + &words.join(" ")
}
