//! Sheets that are damaged at random are read, refused or played, without a panic and without much memory or time.

use super::{often, own_sheets};
use crate::{Sheet, SheetGame};
use proofplay_core::{Game, Position, Rng};

/// A sheet with a few changes: characters, words and lists are removed, doubled, swapped or replaced.
fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut words: Vec<String> = Vec::new();
    for line in text.lines().map(|line| line.split(';').next().unwrap_or("")) {
        for word in line.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            words.push(word.to_owned());
        }
    }
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(words.len() as u32) as usize;
        let other = rng.below(words.len() as u32) as usize;
        match rng.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(other, words[at].clone()),
            2 => words.swap(at, other),
            3 => words[at] = words[other].clone(),
            4 => {
                words[at] = ["not", "or", "(", ")", "?x", "true", "does", "next", "100", "\u{e9}"]
                    [rng.below(10) as usize]
                    .to_owned()
            }
            _ => {
                // A whole list, so that what is left still reads.
                let from = (0..=at).rev().find(|&at| words[at] == "(").unwrap_or(at);
                let mut depth = 0;
                let to = (from..words.len()).find(|&at| {
                    depth += i32::from(words[at] == "(") - i32::from(words[at] == ")");
                    depth <= 0
                });
                words.drain(from..=to.unwrap_or(from));
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.join(" ")
}

#[test]
fn damaged_sheets_do_no_harm() {
    let texts: Vec<String> = own_sheets()
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a sheet"))
        // The largest take longer than they teach.
        .filter(|text| !text.starts_with("; Amazons") && !text.contains("8 rows"))
        .collect();
    let (mut rng, mut buf, mut games) = (Rng::new(11), Vec::new(), 0);
    for _ in 0..often(1_000, 10_000) {
        let text = mutated(&texts[rng.below(texts.len() as u32) as usize], &mut rng);
        let game = match Sheet::read("mutant", &text).and_then(|sheet| SheetGame::new(&sheet)) {
            Ok(game) => game,
            Err(flaw) => {
                assert!(!flaw.to_string().is_empty());
                continue;
            }
        };
        games += 1;
        let mut pos = game.start();
        for _ in 0..50 {
            assert!(!game.view(&pos).cells.is_empty());
            match pos.outcome() {
                Some(score) => {
                    assert_eq!(pos.fault().is_some(), !pos.range().contains(score), "{text}");
                    break;
                }
                None => {
                    let mv = pos.random_move(&mut rng, &mut buf);
                    assert!(!game.show_move(&pos, mv).is_empty());
                    pos.play(mv);
                }
            }
        }
    }
    assert!(games > 50, "too few of them are games: {games}");
}

/// Rules that have no end are stopped by the budgets.
#[test]
fn endless_rules_are_stopped() {
    let rest = "(role a)(init (n 0))(legal a go)(<= terminal (true (n done)))(goal a 100)";
    // Ever larger terms through the position: the network is given up, the interpreter plays on.
    let growing = format!("{rest}(<= (next (n (s ?x))) (true (n ?x)))");
    let game =
        SheetGame::new(&Sheet::read("t", &growing).expect("sound")).expect("playable, as far as one looks");
    assert!(!game.is_grounded() && game.start().repeats());
    let pos = game.start();
    assert_eq!(game.show(&pos.after(0)), "n(s(0))");
    assert_eq!(game.parse("n(s(s(0)))").expect("a position"), pos.after(0).after(0));
    // Terms that double, so that they could never be written.
    let doubling: String = (1..60)
        .map(|n| format!("(<= (p{n} (f ?x ?x)) (p{} ?x))", n - 1))
        .chain(["(p0 a)".to_owned()])
        .collect();
    let doubled = format!("{rest}{doubling}(<= (goal a 50) (p59 ?x))");
    let flaw = SheetGame::new(&Sheet::read("t", &doubled).expect("sound")).expect_err("too long");
    assert_eq!(flaw.to_string(), "t: `p9` holds for too many terms, or for too long ones");
    // Too many combinations of what is always true.
    let digits: String = (0..10).map(|digit| format!("(d {digit})")).collect();
    let vars: Vec<String> = (0..9).map(|var| format!("?{var}")).collect();
    let body: Vec<String> = vars.iter().map(|var| format!("(d {var})")).collect();
    let many = format!(
        "{rest}{digits}(<= (many {0}) {1})(<= (goal a 50) (many {0}))",
        vars.join(" "),
        body.join(" ")
    );
    let flaw = SheetGame::new(&Sheet::read("t", &many).expect("sound")).expect_err("too many");
    assert_eq!(flaw.to_string(), "t: `many` holds for too many terms, or for too long ones");
}
