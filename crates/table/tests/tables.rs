//! Tables against what knows the history and the counter, and files that are not what they should be.

use proofplay_core::minimax::brute_force;
use proofplay_core::{Entry, Extras, Facts, Game, Place, Position, Rng};
use proofplay_games::{checkers, chinese_checkers, loa, pentalath};
use proofplay_search::retrograde::{Parts, Retrograde, Solved};
use proofplay_search::{Ask, Limits, Resources, Run, Search, SearchSpec};
use proofplay_table::{Both, Checked, Head, Set, Table, TableError, TableFacts, Writer, verify};
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

fn checkers_game(parameters: &str) -> checkers::Checkers {
    checkers::Checkers::new(checkers::Setup::parse(parameters).unwrap())
}

fn solved_parts<G: Game>(game: &G, set: &str, threads: usize) -> Parts<G::Pos> {
    let mut parts = Parts::new(game.numbering(set).unwrap(), threads, 1 << 30);
    parts.run(Limits::default(), &Arc::default(), &mut |_, _| ()).unwrap();
    parts
}

fn named<G: Game>(game: &G, set: &str, entries: &[Vec<Entry>]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer =
        Writer::new(&mut file, &Head { game: game.id(), set: Set::Named(set.to_owned()) }).unwrap();
    entries.iter().for_each(|part| writer.part(part).unwrap());
    writer.end().unwrap();
    file
}

fn listed<G: Game>(game: &G, after: &G::Pos, entries: &[(u128, Entry)]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer =
        Writer::new(&mut file, &Head { game: game.id(), set: Set::After(game.show(after)) }).unwrap();
    writer.listed(entries.len() as u64, entries.iter().copied()).unwrap();
    writer.end().unwrap();
    file
}

fn open(file: &[u8]) -> Result<Table, TableError> {
    Table::read(Box::new(Cursor::new(file.to_vec())), 1 << 20)
}

fn check<G: Game>(file: &[u8], game: &G) -> Result<Checked, TableError> {
    verify(&open(file)?, game, 2, &|_| true)
}

fn retrograde<P: Position>(pos: &P) -> Solved<P> {
    let mut search = Retrograde::new(pos, Extras::none(), Resources::default()).unwrap();
    search.run(Ask::Value, &mut Run::default()).unwrap();
    search.solved().expect("it fits")
}

/// Without a counter each position has the value and the plies that the search finds from there, and a file says the same.
fn sets_agree<G: Game>(game: &G, set: &str, samples: u32) {
    let (parts, twice) = (solved_parts(game, set, 1), solved_parts(game, set, 2));
    assert_eq!(parts.done(), twice.done(), "{}: threads change entries", game.name());
    let file = named(game, set, parts.done());
    let checked = check(&file, game).unwrap();
    assert_eq!(checked.moves, parts.progress().moves);
    let facts = TableFacts::new(open(&file).unwrap(), game).unwrap();
    let (numbering, mut rng, mut won) = (game.numbering(set).unwrap(), Rng::new(1), 0);
    for _ in 0..samples {
        let part = rng.below(numbering.parts().len() as u32);
        let place = Place { part, index: rng.below(numbering.parts()[part as usize] as u32) };
        let pos = numbering.position(place).filter(|pos| pos.outcome().is_none());
        let Some(pos) = pos else { continue };
        let certain = retrograde(&pos).certain(&pos).unwrap();
        assert_eq!(facts.certain(&pos), Some(certain), "{}: {}", game.name(), game.show(&pos));
        assert_eq!(parts.entry(&pos), facts.entry(&pos));
        won += u32::from(certain.plies.is_some());
    }
    assert!(won > samples / 100 && facts.flaw().is_none(), "{}: {won}", game.name());
}

#[test]
fn sets_agree_with_searches() {
    sets_agree(&checkers_game("4x4,draw=none"), "pieces=4", 300);
    sets_agree(&checkers_game("5x5,draw=none"), "pieces=3", 100);
    sets_agree(&checkers_game("6x6,draw=none"), "pieces=3", 30);
    sets_agree(
        &chinese_checkers::ChineseCheckers::<u64>::new(chinese_checkers::Setup { side: 1 }),
        "all",
        100,
    );
}

/// Under `draw=25` a table leaves the counter aside. What it says with a counter is true, and it says what fits.
#[test]
fn counters_are_heeded() {
    let game = checkers_game("5x5");
    let parts = solved_parts(&game, "pieces=3", 1);
    let file = named(&game, "pieces=3", parts.done());
    check(&file, &game).unwrap();
    let facts = TableFacts::new(open(&file).unwrap(), &game).unwrap();
    let (numbering, mut rng) = (game.numbering("pieces=3").unwrap(), Rng::new(2));
    let (mut exact, mut open, mut changed) = (0, 0, 0);
    while exact < 300 || open < 20 || changed < 20 {
        let part = rng.below(numbering.parts().len() as u32);
        let place = Place { part, index: rng.below(numbering.parts()[part as usize] as u32) };
        let Some(plain) = numbering.position(place).filter(|pos| pos.outcome().is_none()) else { continue };
        let text = game.show(&plain);
        // The count of king moves, where there can be one.
        let counted = game.parse(&format!("{text} {}", 1 + rng.below(24)));
        let Some(pos) = counted.ok().filter(|pos| pos.outcome().is_none()) else { continue };
        let (truth, known) = (retrograde(&pos).certain(&pos).unwrap(), facts.certain(&pos).unwrap());
        let value = truth.bounds.value().unwrap();
        assert!(known.bounds.contains(value), "{}: {known:?}, but {truth:?}", game.show(&pos));
        let aside = facts.entry(&pos).unwrap().value(pos.turn());
        if known.bounds.is_exact() {
            assert_eq!(known, truth, "{}", game.show(&pos));
            exact += 1;
        } else {
            open += 1;
        }
        changed += u32::from(aside != value);
    }
}

/// Positions of games with their histories: brute force knows third occurrences. What the table says then is true, and other
/// searches that have it find the value all the same.
#[test]
fn histories_are_heeded() {
    let mut rng = Rng::new(3);
    let (mut repeated, mut searched) = (0, 0);
    for (parameters, set) in [("4x4,draw=none", "pieces=4"), ("4x4", "pieces=4")] {
        let game = checkers_game(parameters);
        let file = named(&game, set, solved_parts(&game, set, 1).done());
        let facts = Arc::new(TableFacts::new(open(&file).unwrap(), &game).unwrap());
        let both = Both { own: game.facts(), tables: vec![Arc::clone(&facts)] };
        let extras = Extras { facts: Some(Arc::new(both)), hints: game.hints() };
        let starts = ["../W./../.B w", ".B/../.W/.. w", "W./../../.B b", ".B/W./../.B w", "WW/../../.B w"];
        for round in 0..30 {
            let text: String = starts[round % starts.len()].to_owned();
            let Some(mut pos) = kings(&game, &text) else { continue };
            let mut seen = vec![pos.packed()];
            for _ in 0..40 {
                if pos.outcome().is_some() {
                    break;
                }
                let mut nodes = 0;
                let truth = brute_force(&pos, &mut |_| {
                    nodes += 1;
                    nodes < 100_000
                });
                if let Some(truth) = truth {
                    let known = facts.certain(&pos).unwrap();
                    assert!(known.bounds.contains(truth.score), "{pos:?}: {known:?}, but {truth:?}");
                    if let Some(plies) = known.plies {
                        assert_eq!(plies, truth.plies, "{pos:?}");
                    }
                    repeated += u32::from(pos.has_repeated());
                    if rng.below(8) == 0 {
                        for spec in ["pns", "pp", "score-bounded"] {
                            let spec = spec.parse::<SearchSpec>().unwrap().with_facts();
                            let mut search = spec.start(&pos, extras.clone(), Resources::default()).unwrap();
                            let report = search.run(Ask::Value, &mut Run::default()).unwrap();
                            assert_eq!(report.bounds.value(), Some(truth.score), "{spec} {pos:?}");
                            searched += 1;
                        }
                    }
                }
                // Often back to where it was before.
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                let back = moves.iter().find(|&&mv| seen.contains(&pos.after(mv).packed()));
                let random = pos.random_move(&mut rng, &mut Vec::new());
                pos.play(back.copied().filter(|_| rng.below(4) > 0).unwrap_or(random));
                seen.push(pos.packed());
            }
        }
    }
    assert!(repeated > 20 && searched > 20, "{repeated} {searched}");
}

/// A position of a 4x4 board, two playing squares a row.
fn kings(game: &checkers::Checkers, text: &str) -> Option<checkers::Board> {
    let (board, mover) = text.split_once(' ').unwrap();
    let rows: Vec<String> = (board.split('/').enumerate())
        .map(|(i, row)| {
            let cells: Vec<char> = row.chars().collect();
            // The top row is row 4, whose first cell is no playing square.
            if i % 2 == 0 {
                format!(".{}.{}", cells[0], cells[1])
            } else {
                format!("{}.{}.", cells[0], cells[1])
            }
        })
        .collect();
    game.parse(&format!("{} {mover}", rows.join("/"))).ok()
}

/// All that can follow one position, in games of other kinds, too.
#[test]
fn tables_of_what_follows() {
    fn of<G: Game>(game: &G, pos: &G::Pos) {
        let solved = retrograde(pos);
        let entries: Vec<(u128, Entry)> = solved.entries().unwrap().collect();
        let file = listed(game, pos, &entries);
        let checked = check(&file, game).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        assert_eq!((checked.counts.positions(), checked.moves), (solved.positions(), solved.moves()));
        let facts = TableFacts::new(open(&file).unwrap(), game).unwrap();
        let mut rng = Rng::new(4);
        for _ in 0..20 {
            let mut pos = pos.clone();
            while pos.outcome().is_none() {
                assert_eq!(facts.certain(&pos), solved.certain(&pos), "{pos:?}");
                let mv = pos.random_move(&mut rng, &mut Vec::new());
                pos.play(mv);
            }
        }
        // Without one of its positions it is refused, and with a wrong value.
        let at = rng.below(entries.len() as u32) as usize;
        let mut fewer = entries.clone();
        fewer.remove(at);
        assert!(matches!(check(&listed(game, pos, &fewer), game), Err(TableError::Wrong { .. })));
        let mut other = entries.clone();
        other[at].1 = if other[at].1 == Entry::DRAW { Entry::decided(true, 1) } else { other[at].1.turned() };
        assert!(matches!(check(&listed(game, pos, &other), game), Err(TableError::Wrong { .. })));
    }
    let game = loa::Loa::<u64>::new(loa::Setup::parse("3x3").unwrap());
    of(&game, &game.start());
    for parameters in ["2,k=3", "2,k=3,swap=yes"] {
        let game = pentalath::Pentalath::<u64>::new(pentalath::Setup::parse(parameters).unwrap());
        of(&game, &game.start());
    }
    let game = checkers_game("4x4");
    of(&game, &game.start());
    let game = chinese_checkers::ChineseCheckers::<u64>::new(chinese_checkers::Setup { side: 1 });
    of(&game, &game.start());
}

/// No byte can change, be left out or be added without notice.
#[test]
fn damage_is_noticed() {
    let game = checkers_game("4x4,draw=none");
    let small = chinese_checkers::ChineseCheckers::<u64>::new(chinese_checkers::Setup { side: 1 });
    let entries: Vec<_> = retrograde(&small.start()).entries().unwrap().collect();
    let file = listed(&small, &small.start(), &entries);
    let named = named(&game, "pieces=2", solved_parts(&game, "pieces=2", 1).done());
    check(&named, &game).unwrap();
    let mut reasons = std::collections::BTreeSet::new();
    for at in 0..file.len() {
        for bit in [1, 128] {
            let mut damaged = file.clone();
            damaged[at] ^= bit;
            reasons.insert(check(&damaged, &small).unwrap_err().to_string());
        }
        assert!(check(&file[..at], &small).is_err(), "{at} bytes");
    }
    for at in 0..named.len() {
        let mut damaged = named.clone();
        damaged[at] ^= 4;
        assert!(check(&damaged, &game).is_err(), "byte {at}");
    }
    assert!(check(&[&file[..], b"x"].concat(), &small).is_err());
    assert!(reasons.len() > 4, "{reasons:?}");
    // What a search reads from a damaged block it does not use.
    let blocks = 18 + 4 + format!("game: {}\nset: pieces=2\n", game.id()).len() + 4;
    let mut damaged = named.clone();
    damaged[blocks] ^= 1;
    let facts = TableFacts::new(open(&damaged).unwrap(), &game).unwrap();
    let pos = kings(&game, "../W./../.B w").unwrap();
    let numbering = game.numbering("pieces=2").unwrap();
    assert!(numbering.find(&pos).is_some());
    let mut known = 0;
    for (part, size) in (0..).zip(numbering.parts()) {
        for index in 0..size as u32 {
            let Some(pos) = numbering.position(Place { part, index }).filter(|pos| pos.outcome().is_none())
            else {
                continue;
            };
            known += u32::from(part == 0 && facts.bounds(&pos) != pos.range());
        }
    }
    assert!(known == 0 && facts.flaw().is_some(), "{known}");
}

/// Whole files that lie, or are for something else.
#[test]
fn forged_and_foreign_tables_are_refused() {
    let game = checkers_game("4x4,draw=none");
    let right = solved_parts(&game, "pieces=3", 1);
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let mut forged = right.done().to_vec();
        let part = rng.below(forged.len() as u32) as usize;
        let at = rng.below(forged[part].len() as u32) as usize;
        let entry = &mut forged[part][at];
        *entry = match rng.below(4) {
            0 if *entry != Entry::NONE => Entry::NONE,
            1 if *entry != Entry::DRAW => Entry::DRAW,
            2 if *entry != Entry::decided(true, 1) => Entry::decided(true, 1),
            _ => Entry::decided(false, Entry::MOST_PLIES),
        };
        let error = check(&named(&game, "pieces=3", &forged), &game).unwrap_err();
        assert!(matches!(error, TableError::Wrong { .. }), "{error}");
        assert!(error.to_string().starts_with("the table is wrong: "), "{error}");
    }
    // Everything is a draw: consistent but for the ends.
    let draws = right.done().iter().map(|part| {
        part.iter().map(|&entry| if entry.is_position() { Entry::DRAW } else { entry }).collect()
    });
    assert!(check(&named(&game, "pieces=3", &draws.collect::<Vec<_>>()), &game).is_err());
    let file = named(&game, "pieces=3", right.done());
    let other = checkers_game("4x4");
    let error = TableFacts::new(open(&file).unwrap(), &other).unwrap_err().to_string();
    assert_eq!(error, "the table is for `checkers:4x4,draw=none`, not for `checkers:4x4`");
    // Fewer parts, as in a checkpoint, and another set's name.
    let few = named(&game, "pieces=3", &right.done()[..3]);
    assert!(matches!(TableFacts::new(open(&few).unwrap(), &game), Err(TableError::OtherSet(_))));
    let lie = named(&game, "pieces=2", right.done());
    assert!(matches!(TableFacts::new(open(&lie).unwrap(), &game), Err(TableError::OtherSet(_))));
    let none = named(&game, "knights", right.done());
    assert!(TableFacts::new(open(&none).unwrap(), &game).unwrap_err().to_string().contains("pieces=N"));
    for text in [&b""[..], b"proofplay", b"proofplay table 2\n....", &[0; 100]] {
        assert_eq!(open(text).unwrap_err(), TableError::Foreign);
    }
}

/// It ends when it should, says what it needs, and goes on from the parts that are done.
#[test]
fn work_can_be_interrupted() {
    let game = checkers_game("6x6,draw=none");
    let set = game.numbering("pieces=3").unwrap();
    let whole = solved_parts(&game, "pieces=3", 1);
    let mut little = Parts::new(Arc::clone(&set), 1, 1 << 16);
    assert_eq!(
        little.run(Limits::default(), &Arc::default(), &mut |_, _| ()),
        Err(proofplay_search::Halt::Memory)
    );
    assert!(little.progress().bytes > 1 << 16);
    assert!(!little.done().is_empty() && little.done() == &whole.done()[..little.done().len()]);
    let mut more = Parts::new(Arc::clone(&set), 1, 1 << 30).with_done(little.done().to_vec());
    more.run(Limits::default(), &Arc::default(), &mut |_, _| ()).unwrap();
    assert_eq!(more.done(), whole.done());
    let stop = Arc::new(true.into());
    let mut stopped = Parts::new(set, 2, 1 << 30);
    assert_eq!(stopped.run(Limits::default(), &stop, &mut |_, _| ()), Err(proofplay_search::Halt::Limit));
    assert!(stopped.done().is_empty());
    let file = named(&game, "pieces=3", whole.done());
    assert_eq!(verify(&open(&file).unwrap(), &game, 1, &|_| false), Err(TableError::Stopped));
}

/// A reader in Python, which numbers positions by docs/TABLES.md, and a slow retrograde program in Python: neither shares code with
/// this one. `ENDINGS=1000` asks for that many of each kind.
#[test]
fn python_reads_the_same() {
    let python = |script: &str, arguments: &[&str], input: &[u8]| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/oracle").join(script);
        let mut child = Command::new("python3")
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("no python3: the second program was not asked");
        return;
    }
    let file = std::env::temp_dir().join(format!("proofplay-python-{}.table", std::process::id()));
    for (size, pieces, few) in [("4x4", "4", "50"), ("6x6", "3", "3")] {
        let many = std::env::var("ENDINGS").unwrap_or_else(|_| few.to_owned());
        let game = checkers_game(&format!("{size},draw=none"));
        let set = format!("pieces={pieces}");
        std::fs::write(&file, named(&game, &set, solved_parts(&game, &set, 1).done())).unwrap();
        let told = python("table.py", &[file.to_str().unwrap(), &game.name(), pieces, &many, "1"], b"");
        let (lines, answers): (Vec<_>, Vec<_>) =
            told.lines().map(|line| line.split_once('\t').expect("two columns")).unzip();
        assert_eq!(lines.len().to_string(), many);
        let truth = python("distances.py", &[&game.name()], (lines.join("\n") + "\n").as_bytes());
        for ((line, answer), truth) in lines.iter().zip(answers).zip(truth.lines()) {
            assert_eq!(answer, truth, "{line}");
        }
        assert_eq!(truth.lines().count(), lines.len());
    }
    std::fs::remove_file(&file).unwrap();
}
