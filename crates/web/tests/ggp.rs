//! The player of general game playing over HTTP on this machine: whole matches, and what managers do wrong.

use proofplay_core::{Game, Player as Side, Position, Score};
use proofplay_gdl::{SHIPPED, Sheet, SheetGame};
use proofplay_search::Resources;
use proofplay_web::ggp::{Player, Thinking};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A player at an address of this machine, ended with it.
struct Running {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

impl Running {
    fn new(matches: usize) -> Running {
        let resources = Resources { memory: 1 << 24, ..Resources::default() };
        let thinking =
            Thinking { spec: "mcts:rb=2".parse().unwrap(), resources, lag: Duration::from_millis(500) };
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, told) = channel();
        let flag = Arc::clone(&stop);
        let server = thread::spawn(move || {
            let begun = |address| tell.send(address).map_err(std::io::Error::other);
            Player::new(thinking, matches).serve(0, false, &flag, begun).unwrap();
        });
        Running { address: told.recv().unwrap(), stop, server: Some(server) }
    }

    /// Status, type and body of the answer to a message.
    fn post(&self, message: &[u8], headers: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let host = self.address;
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n{headers}Connection: close\r\n\r\n",
            message.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        // A message that is too long is not read to its end.
        let _ = stream.write_all(message);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let kind = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-type: ").map(str::to_owned));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, kind.unwrap_or_default(), body.to_owned())
    }

    /// The answer to a message that is understood.
    fn ask(&self, message: &str) -> String {
        let (status, kind, body) = self.post(message.as_bytes(), "");
        assert_eq!((status, &*kind), (200, "text/acl"), "{body}");
        body
    }

    fn refused(&self, message: &str) -> String {
        let (status, _, body) = self.post(message.as_bytes(), "");
        assert_eq!(status, 400, "{body}");
        body
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, SeqCst);
        if let Some(server) = self.server.take() {
            let ended = server.join();
            assert!(ended.is_ok() || thread::panicking());
        }
    }
}

fn text(name: &str) -> &'static str {
    SHIPPED.iter().find(|sheet| sheet.name == name).unwrap().text
}

/// `mark(1,2)` as `(mark 1 2)`.
fn kif(term: &str) -> String {
    match term.split_once('(') {
        Some((name, rest)) => format!("({name} {}", rest.replace(',', " ")),
        None => term.to_owned(),
    }
}

/// A match between two players, as a manager sees it.
fn contest(players: [&Running; 2], rules: &str, id: &str) -> Score {
    let game = SheetGame::new(&Sheet::read("rules", rules).unwrap()).unwrap();
    let roles = game.sheet().roles().to_vec();
    for (player, role) in players.iter().zip(&roles) {
        assert_eq!(player.ask(&format!("( START {id} {role} ({rules}) 20 10 )")), "ready");
    }
    let (mut pos, mut last) = (game.start(), "NIL".to_owned());
    while pos.outcome().is_none() {
        let message = format!("( PLAY {id} {last} )");
        let moves: Vec<String> = thread::scope(|scope| {
            let asked = players.map(|player| scope.spawn(|| player.ask(&message)));
            asked.map(|asked| asked.join().unwrap()).to_vec()
        });
        for (role, mv) in moves.iter().enumerate() {
            let legal: Vec<String> = pos.legal_of(role).iter().map(|mv| kif(mv)).collect();
            assert!(legal.contains(&mv.to_lowercase()), "{mv} is not legal for {}: {legal:?}", roles[role]);
        }
        let mover = if pos.turn() == Side::First { 0 } else { 1 };
        let text = pos.legal_of(mover).into_iter().find(|mv| kif(mv) == moves[mover].to_lowercase()).unwrap();
        last = format!("( {} )", moves.join(" "));
        pos.play(game.parse_move(&pos, &text).unwrap());
    }
    for player in players {
        assert_eq!(player.ask(&format!("( STOP {id} {last} )")), "done");
    }
    pos.outcome().unwrap()
}

/// The words of rules, scrambled as managers do.
fn scrambled(rules: &str) -> String {
    const KEPT: [&str; 14] = [
        "<=", "role", "init", "true", "does", "next", "legal", "goal", "terminal", "distinct", "not", "or",
        "base", "input",
    ];
    let (mut text, mut word, mut names, mut comment) = (String::new(), String::new(), Vec::new(), false);
    for c in rules.chars().chain([' ']) {
        if c == ';' {
            comment = true;
        }
        if !comment && !c.is_whitespace() && !"();".contains(c) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            let at = names.iter().position(|name| *name == word).unwrap_or_else(|| {
                names.push(word.clone());
                names.len() - 1
            });
            match word.strip_prefix('?') {
                Some(_) => text += &format!("?V{at}"),
                None if KEPT.contains(&&*word) || word.parse::<u32>().is_ok() => text += &word,
                None => text += &format!("Blorg{at}"),
            }
            word.clear();
        }
        if !comment {
            text.push(c);
        }
        if c == '\n' {
            comment = false;
        }
    }
    text
}

#[test]
fn two_players_play_whole_matches() {
    let (one, other) = (Running::new(2), Running::new(2));
    // Both prove what tic-tac-toe is worth before their clocks end.
    assert_eq!(contest([&one, &other], text("tictactoe"), "m1"), Score(0));
    assert_eq!(contest([&other, &one], &scrambled(text("tictactoe")), "m2"), Score(0));
    // The first player loses Nim against perfect play only where the sum of heaps says so: 3, 4, 5 is won.
    assert_eq!(contest([&one, &other], text("nim-3-4-5"), "m3"), Score(1));
}

#[test]
fn several_matches_at_once_but_not_more_than_allowed() {
    let player = Running::new(2);
    let start = |id: &str| player.ask(&format!("(START {id} x ({}) 20 10)", text("tictactoe")));
    assert_eq!(player.ask("( INFO )"), "((name proofplay) (status available))");
    assert_eq!([start("a"), start("b")], ["ready", "ready"]);
    assert_eq!(player.ask("( INFO )"), "((name proofplay) (status busy))");
    assert_eq!(start("c"), "busy");
    assert_eq!(player.ask("(ABORT a)"), "aborted");
    assert_eq!(start("c"), "ready");
    // A match of the same name begins anew.
    assert_eq!(start("c"), "ready");
    assert!(player.ask("(PLAY c NIL)").starts_with("(mark "));
    assert!(player.ask("(PLAY b NIL)").starts_with("(mark "));
    assert_eq!(player.ask("(PLAY a NIL)"), "busy");
}

#[test]
fn proven_wins_are_played() {
    let player = Running::new(1);
    assert_eq!(player.ask(&format!("(START m x ({}) 20 10)", text("tictactoe"))), "ready");
    player.ask("(PLAY m NIL)");
    // X has the middle and a corner.
    assert_eq!(player.ask("(PLAY m ((mark 2 2) wait))"), "wait");
    player.ask("(PLAY m (wait (MARK 1 2)))");
    assert_eq!(player.ask("(PLAY m ((mark 1 1) (wait)))"), "wait");
    assert_eq!(player.ask("(PLAY m (wait (mark 2 1)))"), "(mark 3 3)");
}

#[test]
fn what_managers_do_wrong_ends_nothing() {
    let player = Running::new(2);
    assert!(player.refused("").contains("bracket"));
    assert!(player.refused("(HELLO)").contains("expected INFO"));
    assert!(player.refused("(START m x (").contains("not closed"));
    assert!(player.refused(&"(".repeat(1 << 20)).contains("not closed"));
    assert_eq!(player.post(&[0xff, 0xfe], "").0, 400);
    assert_eq!(player.post(b"( INFO )", "Origin: http://evil.example\r\n").0, 403);
    assert_eq!(player.post(&vec![b' '; 5 << 20], "").0, 413);
    // Rules that are none, or none for us, or have no such role.
    for (role, rules) in [
        ("x", "(role x) (init (cell ?c))".to_owned()),
        ("x", "(((((".repeat(1_000)),
        ("x", String::new()),
        ("nobody", text("tictactoe").to_owned()),
        ("a", "(role a) (role b) (role c) (<= terminal (true x)) (init x) (goal a 1)".to_owned()),
    ] {
        let message = format!("(START m {role} ({rules}) 5 1)");
        let (status, _, body) = player.post(message.as_bytes(), "");
        assert!(status == 400 || body == "busy", "{status} {body}");
    }
    assert_eq!(player.ask("(PLAY m NIL)"), "busy");
    assert_eq!(player.ask("(STOP m ((a) b))"), "done");
    // Moves that nobody can make: there is no answer, and the next match is as always.
    assert_eq!(player.ask(&format!("(START m x ({}) 20 10)", text("tictactoe"))), "ready");
    assert_eq!(player.ask("(PLAY m ((mark 9 9) wait))"), "nil");
    assert_eq!(player.ask("(ABORT m)"), "aborted");
    assert_eq!(player.ask(&format!("(START m x ({}) 20 10)", text("tictactoe"))), "ready");
    assert!(player.ask("(PLAY m NIL)").starts_with("(mark "));
}

/// A megabyte of rules, and clocks that are over at once.
#[test]
fn rules_may_be_huge_and_clocks_short() {
    let player = Running::new(1);
    let facts: String = (0..60_000).map(|i| format!("(much {i} thing)\n")).collect();
    let rules = format!("{}\n{facts}", text("tictactoe"));
    assert!(rules.len() > 1 << 20);
    let started = player.ask(&format!("(START m x ({rules}) 60 10)"));
    assert!(started == "ready" || started == "busy", "{started}");
    if started == "ready" {
        assert!(player.ask("(PLAY m NIL)").starts_with("(mark "));
    }
    // No time at all: an answer comes, whatever it is.
    assert_eq!(player.ask(&format!("(START m x ({}) 0 0)", text("amazons-5x5"))), "busy");
    assert_eq!(player.ask(&format!("(START m white ({}) 0 0)", text("amazons-5x5"))), "ready");
    let mv = player.ask("(PLAY m NIL)");
    assert!(mv == "nil" || mv.starts_with('('), "{mv}");
}
