//! A conversation by the Go Text Protocol.

use proofplay_front::budget::Budget;
use proofplay_protocol::gtp::line::Command;
use proofplay_protocol::gtp::{Engine, Options, serve};
use std::io::Cursor;
use std::str::from_utf8;
use std::time::Duration;

/// The first line is a game, the others are sent to its engine. Every command has one reply, and the
/// engine still answers afterwards.
pub fn gtp(data: &[u8]) {
    let Ok((game, lines)) = from_utf8(data).map(|text| text.split_once('\n').unwrap_or((text, ""))) else {
        return;
    };
    let options = Options {
        engine: "mcts".to_owned(),
        budget: Budget { simulations: Some(5), memory: Some(1 << 20), ..Budget::default() },
        usual_time: Duration::from_secs(1),
        seed: 1,
        ponders: false,
        lag: Duration::ZERO,
    };
    // Large boards take time and show nothing else.
    let is_small = |word: &str| word.parse::<u32>().is_ok_and(|size| size < 10);
    let Ok(mut engine) = Engine::new(game, options) else { return };
    let sent = lines.lines().filter(|line| match Command::read(line) {
        // No file is read or written, and nothing waits for what does not come.
        Some(command) if command.name.contains("sgf") || command.name == "quit" => false,
        Some(command) if command.name.contains("boardsize") => {
            command.arguments.iter().all(|word| is_small(word))
        }
        _ => true,
    });
    let sent: Vec<&str> = sent.collect();
    let commands = sent.iter().filter(|line| Command::read(line).is_some()).count();
    assert_eq!(replies(&mut engine, &sent.join("\n")).len(), commands, "{sent:?}");
    assert_eq!(replies(&mut engine, "7 protocol_version"), ["=7 2"]);
}

/// What an engine answers to these lines.
fn replies(engine: &mut Engine, lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    serve(engine, Cursor::new(lines.to_owned().into_bytes()), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let replies: Vec<String> = text.split_terminator("\n\n").map(str::to_owned).collect();
    assert!(replies.iter().all(|reply| reply.starts_with(['=', '?'])), "{text}");
    replies
}
