//! The full rules of every game: what they say about moves, positions and parameters is true.

use proofplay_core::Line;
use proofplay_registry::{Entry, GAMES, game, reach};
use std::collections::BTreeSet;

/// What stands below a heading.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, rest) =
        text.split_once(&format!("## {heading}\n")).unwrap_or_else(|| panic!("no `{heading}` in\n{text}"));
    rest.split("\n## ").next().unwrap()
}

/// What stands between backticks, with single blanks.
fn quoted(text: &str) -> Vec<String> {
    let odd = text.split('`').skip(1).step_by(2);
    odd.map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The words of a command; what stands in double quotes is one of them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in command.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// The lines of play of the examples.
fn lines(entry: &Entry) -> Vec<Line> {
    let commands = section(entry.full_rules(), "Examples").lines().filter(|line| !line.trim().is_empty());
    let line = |command: &str| {
        let words = words(command);
        assert_eq!(words[0], "proofplay", "{command}");
        let option = |name: &str| words.iter().position(|word| word == name).map(|at| words[at + 1].clone());
        let line = Line { from: option("--position"), ..Line::start(&words[2]) };
        line.then(&option("--moves").unwrap_or_default())
    };
    commands.map(line).collect()
}

/// `rows` and `R` of `NxN[,rows=R], default 8x8`: words before `=`, and words of capitals.
fn parameters(entry: &Entry) -> BTreeSet<String> {
    let form = entry.parameters().split(", default").next().unwrap().replace(" or ", ",");
    let parts = form.split(['[', ']', ',']).flat_map(|part| match part.split_once('=') {
        Some((key, value)) => vec![key, value],
        None => vec![part],
    });
    let mut names = BTreeSet::new();
    for part in parts.filter(|part| !part.is_empty()) {
        if form.contains(&format!("{part}=")) {
            names.insert(part.to_owned());
        } else {
            let capitals = part.split(|c: char| !c.is_ascii_uppercase());
            names.extend(capitals.filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    names
}

#[test]
fn every_game_is_explained() {
    for entry in GAMES.iter() {
        let (name, text) = (entry.name(), entry.full_rules());
        for heading in ["Moves", "Positions", "Parameters", "Examples"] {
            assert!(!section(text, heading).trim().is_empty(), "{name}: nothing about {heading}");
        }
        let picture = Line::start(entry.example()).then(entry.line());
        assert!(reach(&picture).is_ok_and(|pos| pos.outcome().is_none()), "{name}: {picture:?}");
    }
}

/// Every move that the text names is played in an example, and every position is where one begins or ends.
#[test]
fn examples_are_legal() {
    for entry in GAMES.iter() {
        let (name, text) = (entry.name(), entry.full_rules());
        let (mut moves, mut positions) = (BTreeSet::new(), BTreeSet::new());
        for line in lines(entry) {
            let end = reach(&line).unwrap_or_else(|error| panic!("{name}: {line:?}: {error}"));
            assert!(end.game().split(':').next() == Some(name), "{name}: {line:?}");
            let start = reach(&Line { moves: Vec::new(), ..line.clone() }).unwrap();
            positions.extend([start.text(), end.text()]);
            moves.extend(line.moves);
        }
        let quoted_moves: Vec<String> = quoted(section(text, "Moves"))
            .into_iter()
            .filter(|span| !["-", "x", "/", "#"].contains(&span.as_str()))
            .collect();
        assert!(!quoted_moves.is_empty(), "{name}: no example of a move");
        for mv in quoted_moves {
            assert!(moves.contains(&mv), "{name}: `{mv}` is not played in an example");
        }
        let quoted_positions: Vec<String> =
            quoted(section(text, "Positions")).into_iter().filter(|span| span.contains(' ')).collect();
        assert!(!quoted_positions.is_empty() || name == "written", "{name}: no example of a position");
        for position in quoted_positions {
            assert!(positions.contains(&position), "{name}: `{position}` is in no example");
        }
    }
}

#[test]
fn parameters_are_explained() {
    assert_eq!(
        parameters(GAMES.entry("go").unwrap()).into_iter().collect::<Vec<_>>().join(" "),
        "A B C K R komi seki suicide"
    );
    for entry in GAMES.iter() {
        let (name, spans) = (entry.name(), quoted(section(entry.full_rules(), "Parameters")));
        for parameter in parameters(entry) {
            assert!(spans.contains(&parameter), "{name}: nothing about `{parameter}`");
        }
        let games: Vec<_> = spans.iter().filter(|span| span.starts_with(&format!("{name}:"))).collect();
        assert!(!games.is_empty() || entry.parameters().is_empty(), "{name}: no example of parameters");
        for text in games {
            assert!(game(text).is_ok_and(|game| game.name() == *text), "{name}: `{text}`");
        }
    }
}

/// Where only names tell cells apart, the picture has the name of every one that a move can name.
#[test]
fn pictures_name_all_cells() {
    for name in
        ["pentalath", "pentalath:6", "chinese-checkers:4", "chinese-checkers:2", "seki:3,4", "seki:20,20,20"]
    {
        let mut pos = game(name).unwrap().start();
        for _ in 0..6 {
            let drawn = pos.view().draw(|symbol, _| symbol.to_string());
            assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{name}\n{drawn}");
            let names: BTreeSet<&str> =
                drawn.split_whitespace().map(|word| word.rsplit(':').next().unwrap()).collect();
            let legal = pos.legal();
            for cell in legal.iter().filter(|mv| *mv != "pass").flat_map(|mv| mv.split('-')) {
                assert!(names.contains(cell), "{name}: {cell} is not in\n{drawn}");
            }
            pos.play(&legal[legal.len() / 3]).unwrap();
        }
    }
}

#[test]
fn games_of_ones_own_are_explained_too() {
    let entry = Entry::new("own", |_| game("y:2").map_err(|_| unreachable!()));
    assert_eq!((entry.full_rules(), entry.line()), ("", ""));
    let entry = entry.described("", "own", "as y:2").explained("Take a side.\n", "a1");
    assert_eq!((entry.full_rules(), entry.line(), entry.rules()), ("Take a side.\n", "a1", "as y:2"));
}
