//! Games, positions and moves as text.

use super::value;
use proofplay_core::{Line, Rng, minimax};
use proofplay_front::batch::go_to;
use proofplay_front::record::Record;
use proofplay_front::setup::{Setup, replay};
use proofplay_front::sgf::Tree;
use proofplay_games::written::Written;
use proofplay_registry::{DynPosition, SetupError, reach};
use proofplay_search::{Ask, Resources, Run, SearchSpec};
use std::collections::BTreeSet;
use std::str::from_utf8;

/// Asks a position all that can be asked.
fn look(pos: &dyn DynPosition) {
    let (shown, legal) = (format!("{}: {}", pos.game(), pos.text()), pos.legal());
    assert_eq!(pos.outcome().is_some(), legal.is_empty(), "{shown}");
    assert!(pos.outcome().is_none_or(|score| pos.range().contains(score)), "{shown}");
    assert_eq!((legal.len(), pos.count_legal()), (legal.iter().collect::<BTreeSet<_>>().len(), legal.len()));
    assert!(!pos.view().draw(|symbol, _| symbol.to_string()).is_empty(), "{shown}");
}

/// A position without a past: its text says all.
fn look_at_new(pos: &dyn DynPosition) {
    look(pos);
    let shown = pos.text();
    let game = super::game_of(&pos.game());
    let again = game.parse(&shown).unwrap_or_else(|error| panic!("{}: {error}", pos.game()));
    let all = |pos: &dyn DynPosition| (pos.text(), pos.turn(), pos.outcome(), pos.range(), pos.legal());
    assert_eq!(all(&*again), all(pos));
    for mv in pos.legal().iter().step_by(pos.count_legal() / 8 + 1) {
        let mut next = pos.boxed();
        next.play(mv).unwrap();
        look(&*next);
    }
    pos.playouts(1, &mut Rng::new(1));
}

/// A game, `NAME:PARAMETERS`.
pub fn game(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let Ok(game) = proofplay_registry::game(text) else { return };
    let again = super::game_of(&game.name());
    assert_eq!((again.name(), again.start().text()), (game.name(), game.start().text()), "{text:?}");
    look_at_new(&*game.start());
}

/// A line with a game, then a position.
pub fn position(data: &[u8]) {
    let Some((name, text)) = from_utf8(data).ok().and_then(|text| text.split_once('\n')) else { return };
    let Ok(game) = proofplay_registry::game(name) else { return };
    if let Ok(pos) = game.parse(text) {
        look_at_new(&*pos);
    }
}

/// A line with a game, one with `start` or a position, then moves.
pub fn moves(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let [game, from, moves] = text.splitn(3, '\n').collect::<Vec<_>>()[..] else { return };
    let from = (from != "start").then(|| from.to_owned());
    let mut line = Line { game: game.to_owned(), from, moves: Vec::new() };
    let Ok(start) = reach(&line) else { return };
    let (mut record, mut texts) = (Record::new(start), Vec::new());
    for mv in moves.split_whitespace().take(60) {
        let before = record.now().text();
        // None of our games has moves that differ by case alone.
        let meant = record.now().legal().into_iter().find(|legal| legal.eq_ignore_ascii_case(mv));
        assert_eq!(record.play(mv).is_ok(), meant.is_some(), "{game} {before} {mv}");
        let Some(meant) = meant else {
            assert_eq!(record.now().text(), before);
            break;
        };
        look(record.now());
        line.moves.push(meant);
        texts.push(before);
    }
    assert_eq!(record.now().text(), reach(&line).unwrap_or_else(|error| panic!("{error}")).text());
    // A search that is moved there is there.
    let mut search = record.start().start_search(&SearchSpec::Minimax, Resources::default()).unwrap();
    search.go_to(line.from.as_deref(), &line.moves).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(search.position().text(), record.now().text());
    if line.from.is_none() {
        assert_eq!(go_to(&mut *search, &record.moves()), Ok(true));
        assert_eq!(search.position().text(), record.now().text());
    }
    assert_eq!(record.moves(), line.moves.join(" "));
    for before in texts.into_iter().rev() {
        assert!(record.undo() && record.now().text() == before);
    }
}

/// Games as an SGF file.
pub fn sgf(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let Ok(tree) = Tree::read(text) else { return };
    let written = tree.to_string();
    let again = Tree::read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!((again.to_string(), content(&again)), (written.clone(), content(&tree)));
    let read = |text: &str| {
        let setup = Setup { sgf: Some(text.to_owned()), ..Setup::default() };
        setup.record(usize::MAX, || Ok::<(), SetupError>(()))
    };
    let Ok(mut record) = read(text) else { return };
    let all = |record: &Record| (record.now().game(), record.start().text(), record.moves());
    let file = |record: &Record| (!text.contains('\u{fffd}')).then(|| record.sgf(&[]).unwrap());
    let Some(same) = file(&record) else { return };
    // A result may come into the first node.
    assert!(same == written || record.now().outcome().is_some(), "{same}");
    assert_eq!(all(&read(&same).unwrap()), all(&record), "{same}");
    // A move goes on with the line, if that is the only one.
    let (first, only) = (record.now().legal().into_iter().next(), record.not_followed().is_none());
    if let Some(mv) = first {
        record.play(&mv).unwrap();
        let longer = file(&record).unwrap();
        assert!(!only || all(&read(&longer).unwrap()) == all(&record), "{longer}");
        // A record that comes from no file.
        let mut alone = Record::new(record.start().boxed());
        record.plies.iter().for_each(|ply| alone.play(&ply.mv).unwrap());
        let alone = alone.sgf(&[]).unwrap();
        assert_eq!(all(&read(&alone).unwrap()), all(&record), "{alone}");
    }
}

/// All properties of a file, with how many nodes are above them.
fn content(tree: &Tree) -> Vec<(usize, String, Vec<String>)> {
    let mut open: Vec<_> = tree.games().map(|game| (game, 0)).collect();
    let mut found = Vec::new();
    while let Some((id, depth)) = open.pop() {
        found.extend(tree.properties(id).map(|property| {
            (depth, property.name.to_owned(), property.values().map(str::to_owned).collect())
        }));
        open.extend(tree.children(id).map(|child| (child, depth + 1)));
    }
    found
}

/// A saved game.
pub fn record(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let read = |text: &str| replay(&Setup::read(text)?.line()?, || Ok::<(), SetupError>(()));
    if let Ok(record) = read(text) {
        let again = read(&record.text()).unwrap_or_else(|error| panic!("{error}: {}", record.text()));
        let all = |record: &Record| (record.text(), record.now().text(), record.plies.clone());
        assert_eq!(all(&again), all(&record));
    }
}

/// A tree as text. All searches find its value.
pub fn written(data: &[u8]) {
    let Some(text) = from_utf8(data).ok() else { return };
    let Ok(tree) = Written::parse_tree(text) else { return };
    let name = proofplay_core::Game::name(&tree);
    let start = super::game_of(&name).start();
    assert_eq!(start.game(), name);
    look_at_new(&*start);
    if text.len() > 300 {
        return;
    }
    let truth = minimax(&proofplay_core::Game::start(&tree));
    assert_eq!(value(&*start, 10_000), Some(truth));
    for spec in ["alphabeta", "dfpn", "pns", "pnt", "pp2", "ppt", "score-bounded", "exact-win"] {
        let resources = Resources { memory: 1 << 16, ..Resources::default() };
        let found = start.search(&spec.parse().unwrap(), resources, Ask::Value, &mut Run::default()).unwrap();
        assert_eq!(found.bounds.value(), Some(truth), "{spec} {text}");
    }
}
