//! Files by hand: games of each kind, what is refused, and what comes back.

use super::{Source, Tree, plain};
use crate::record::Record;
use crate::setup::Setup;
use proofplay_core::Rng;
use proofplay_registry::{SetupError, game};

/// A file as a game of this name.
fn open(name: &str, text: &str, variation: &[usize]) -> Result<Record, SetupError> {
    let (game, sgf) = (name.to_owned(), Some(text.to_owned()));
    let setup = Setup { game, sgf, variation: variation.to_vec(), ..Setup::default() };
    setup.record(usize::MAX, || Ok::<(), SetupError>(()))
}

/// A game of these moves without a file.
fn played(name: &str, moves: &str) -> Record {
    let mut record = Record::new(game(name).unwrap().start());
    moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
    record
}

/// A file after more moves.
fn longer(name: &str, text: &str, variation: &[usize], moves: &str) -> String {
    let mut record = open(name, text, variation).unwrap();
    moves.split_whitespace().for_each(|mv| record.play(mv).unwrap());
    record.sgf(&[]).unwrap()
}

/// Every property of every node with the nodes above it, as far as order matters.
fn content(tree: &Tree) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    open.extend(tree.games().map(|game| (game, 0)));
    while let Some((id, depth)) = open.pop() {
        for property in tree.properties(id) {
            let values: Vec<_> = property.values().map(plain).collect();
            found.push(format!("{depth} {} {values:?}", property.name));
        }
        open.extend(tree.children(id).map(|child| (child, depth + 1)));
    }
    found
}

#[test]
fn what_is_read_is_written() {
    // Canonical files come back byte by byte.
    for text in [
        "(;)\n",
        "(;;;)\n",
        "(;GM[1]XY[a][b:c]\n;B[aa]C[\\]\\\\ [x\\:\n];W[bb](;B[cc](;W[dd])(;W[ee]))(;B[ff]\n))\n",
        "(;FF[4](;B[aa])(;B[bb])(;B[cc];W[dd]))\n(;GM[9])\n(;C[another (;game])\n",
    ] {
        assert_eq!(Tree::read(text).unwrap().to_string(), text);
    }
    // Others with the same nodes: a variation alone is the line, and what is no game is left out.
    for (text, written) in [
        ("a letter\n(;GM[1] (;B[aa] )\n\n ) bye ( ; C [x] [y])--", "(;GM[1] ;B[aa] )\n(; C [x] [y])\n"),
        ("(;(;(;N[])))", "(;;;N[])\n"),
        ("((;B[aa])(;B[bb]))", "(;B[aa])\n(;B[bb])\n"),
        ("\u{feff}(\n;B[ä])", "(;B[ä])\n"),
    ] {
        let tree = Tree::read(text).unwrap();
        assert_eq!(tree.to_string(), written);
        assert_eq!(content(&Tree::read(written).unwrap()), content(&tree));
    }
    for (bad, why) in [
        ("", "a game begins"),
        ("(;SZ[9]", "the game has no end"),
        ("(;SZ[9", "a value of SZ has no end"),
        ("(;C[\\])", "a value of C has no end"),
        ("(SZ[9])", "before the first node"),
        ("()", "no node"),
        ("(;N[]((;B[aa])))", "`;` is expected after `(`"),
        ("(;(;B[aa])(;B[bb]);W[cc])", "after a variation comes"),
        ("(;B)", "`B`: the property has no value"),
        ("(;%)", "expected here"),
        ("(;B[aa])(;W[bb]", "the game has no end"),
    ] {
        let error = Tree::read(bad).map(|tree| tree.to_string()).expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn values_are_texts() {
    for (raw, text) in [
        (" a \\] b ", "a ] b"),
        ("a\\\\", "a\\"),
        ("two \\\nwords", "two words"),
        ("two \\\r\nwords", "two words"),
        ("two\nlines", "two\nlines"),
        ("\\:", ":"),
    ] {
        assert_eq!(plain(raw), text);
    }
}

/// Random trees of nodes, properties and values.
#[test]
fn random_files_come_back() {
    let rng = &mut Rng::new(1);
    for _ in 0..500 {
        let (mut text, mut depth) = (String::from("(;"), 1);
        for _ in 0..rng.below(40) {
            match rng.below(6) {
                0 | 1 if !text.ends_with(')') => text += ";",
                2 => (text, depth) = (text + "(;", depth + 1),
                3 if depth > 1 => (text, depth) = (text + ")", depth - 1),
                _ if !text.ends_with(')') => {
                    text += ["AB[a\\]][b]", "C[;(] ", "X[\\\\]", "N[]\n"][rng.below(4) as usize]
                }
                _ => {}
            }
        }
        text += &")".repeat(depth);
        let tree = Tree::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let written = tree.to_string();
        let again = Tree::read(&written).unwrap();
        assert_eq!(again.to_string(), written, "{text}");
        assert_eq!(content(&again), content(&tree), "{text}");
        assert_eq!(written.matches(['[', ';']).count(), text.matches(['[', ';']).count(), "{text}");
    }
}

#[test]
fn games_of_go() {
    // A handicap game with comments, escapes, variations and white space; the pass of old files.
    let text = "\u{feff}(;GM[1]FF[4] SZ[9] KM[0.5]\nHA[2]AB[cc][gg]C[a \\] bracket (;B[aa\\])]\n;W[ee];B[](;W[gc]C[best])(;W[aa];B[bb]))";
    let source = Source::read(text, &[]).unwrap();
    assert_eq!(source.game(), "go:9x9,komi=0.5");
    assert_eq!(
        source.position(),
        "........./........./..b....../........./........./........./......b../........./......... w"
    );
    assert_eq!(source.moves(), "e5 pass g7");
    let more = source.not_followed().unwrap();
    assert_eq!((more.variations, more.games), (1, 0));
    assert_eq!(more.to_string(), "the file has more, which was not followed: 1 variation");
    assert_eq!(Source::read(text, &[2]).unwrap().moves(), "e5 pass a9 b8");
    // Rectangles of stones, who is to move, a board that is not square, the default size.
    let source = Source::read("(;SZ[4:3]AB[aa:ba][dc]AW[ab]PL[W])", &[]).unwrap();
    assert_eq!((source.game(), source.position()), ("go:4x3", "bb../w.../...b w"));
    assert_eq!(source.not_followed(), None);
    assert_eq!(Source::read("(;B[tt])", &[]).unwrap().game(), "go:19x19");
    assert_eq!(Source::read("(;SZ[19];B[is];W[ss])", &[]).unwrap().moves(), "j1 t1");
    assert_eq!(Source::read("(;KM[-6.50]SZ[5])", &[]).unwrap().game(), "go:5x5,komi=-6.5");
    // Stones may be set up in the nodes before the first move.
    let source = Source::read("(;SZ[3];AB[aa];AE[aa]AW[bb]PL[w];W[])", &[]).unwrap();
    assert_eq!((source.position(), source.moves()), (".../.w./... w", "pass"));
    for (bad, why) in [
        ("(;SZ[20])", "SZ is a size from 1 to 19"),
        ("(;SZ[0])", "SZ is a size from 1 to 19"),
        ("(;GM[2])", "1 is Go, 9 is Lines of Action, 18 is Amazons"),
        ("(;KM[375])", "KM is komi"),
        ("(;KM[6.25])", "KM is komi"),
        ("(;KM[nan])", "KM is komi"),
        ("(;SZ[9]AB[zz])", "no point"),
        ("(;SZ[9]AB[aa:ä])", "no point"),
        ("(;SZ[9];B[aj])", "move 1: no move of Go on this board"),
        ("(;SZ[9];B[aa];AW[bb])", "before the first move"),
        ("(;SZ[9];B[aa]W[bb])", "move 1: a node has one move"),
        ("(;PL[x])", "PL is B or W"),
    ] {
        let error = Source::read(bad, &[]).map(|_| ()).expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn games_of_lines_of_action() {
    let same = |text: &str, name: &str, moves: &str| {
        let (read, played) = (open("loa", text, &[]).unwrap(), played(name, moves));
        assert_eq!((read.now().game(), read.moves()), (played.now().game(), played.moves()), "{text}");
        assert_eq!(read.now().text(), played.now().text(), "{text}");
    };
    // Any case, all separators, marks behind moves, a capture that the file does not call one.
    let text = "(;GM[9]SZ[8]SU[standard];B[e1-e3];W[A3:c5!];B[D1 d3 +];W[h7f7](;B[resign])(;B[b1-b3]))";
    same(text, "loa:8x8", "e1-e3 a3-c5 d1-d3 h7-f7");
    assert_eq!(open("loa", text, &[2]).unwrap().moves(), "e1-e3 a3-c5 d1-d3 h7-f7 b1-b3");
    same("(;GM[9];B[c1-a3])", "loa:8x8", "c1xa3");
    same("(;GM[9]SZ[5];B[c1:a3])", "loa:5x5", "c1xa3");
    // Stones on the usual board, and on an empty one.
    let less = open("loa", "(;GM[9]SZ[4]AE[b1]AE[a2:a3]PL[W])", &[]).unwrap();
    assert_eq!(less.now().text(), ".bb./...w/...w/..b. w");
    let own = open("loa", "(;GM[9]SZ[4]SU[Custom]AB[b4][C1]AW[a3][d2];W[a3-c1])", &[]);
    let own = own.unwrap();
    assert_eq!((own.start().text(), own.moves()), (".b../w.../...w/..b. w".to_owned(), "a3xc1".to_owned()));
    for (bad, why) in [
        ("(;GM[9]SU[Gemma])", "SU is Standard or Custom"),
        ("(;GM[9]SZ[12])", "SZ is a size from 1 to 11"),
        ("(;GM[9]SZ[8:9])", "square"),
        ("(;GM[9]SZ[8]AB[i1])", "no point"),
        ("(;GM[9]SZ[8]AB[a0])", "no point"),
        ("(;GM[9];B[e1-e9])", "move 1: no move of Lines of Action"),
        ("(;GM[9];B[e1])", "move 1: no move of Lines of Action"),
        ("(;GM[9];B[e1-e33])", "move 1: no move of Lines of Action"),
        ("(;GM[9];B[])", "move 1: no move of Lines of Action"),
        ("(;GM[9];B[e1-e3];B[d1-d3])", "move 2: B moves out of turn"),
        ("(;GM[9];B[e1-e4])", "ply 1: move `e1-e4`"),
        ("(;GM[9];B[Pass])", "ply 1: move `pass`"),
        ("(;GM[9];B[e1-e3];AE[d1];W[a3-c5])", "before the first move"),
    ] {
        let error = open("loa", bad, &[]).map(|_| ()).expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn games_of_amazons() {
    let same = |text: &str, name: &str, moves: &str| {
        let (read, played) = (open("amazons", text, &[]).unwrap(), played(name, moves));
        assert_eq!((read.now().game(), read.moves()), (played.now().game(), played.moves()), "{text}");
        assert_eq!(read.now().text(), played.now().text(), "{text}");
    };
    let moves = "d1-d7/g7 a7-d4/a7 g1-e3/e10";
    same("(;GM[18];B[djddgd];W[addgad];B[gjehea])", "amazons:10x10", moves);
    let stones = "AB[dj][gj][ag][jg]AW[da][ga][ad][jd]";
    same(&format!("(;GM[18]SZ[10]{stones};B[djddgd])"), "amazons:10x10", "d1-d7/g7");
    same("(;GM[18]SZ[6];B[aeacce])", "amazons:6x6", "a2-a4/c2");
    // The stones of the first node are all that there are; an odd number of arrows is White's turn.
    let own = "(;GM[18]SZ[4]AB[ac][bd][cd][dc]AW[ab][ba][ca][db]AA[ad];W[abbbbc])";
    let own = open("amazons", own, &[]).unwrap();
    assert_eq!(
        (own.start().text(), own.moves()),
        (".bb./b..b/w..w/xww. b".to_owned(), "a3-b3/b2".to_owned())
    );
    for (bad, why) in [
        ("(;GM[18];B[djdd])", "move 1: no move of Amazons"),
        ("(;GM[18];B[djddgdaa])", "move 1: no move of Amazons"),
        ("(;GM[18];B[djddgk])", "move 1: no move of Amazons"),
        ("(;GM[18];B[])", "move 1: no move of Amazons"),
        ("(;GM[18];B[djddgd];B[gjehea])", "move 2: B moves out of turn"),
        ("(;GM[18];B[djddgd];W[addjad])", "ply 2: "),
        ("(;GM[18]PL[W];W[addgad])", "every move shoots an arrow"),
        ("(;GM[18]AB[dj])", "four `w` and four `b`"),
        ("(;GM[18]AA[kk])", "no point"),
        ("(;GM[18]SZ[27])", "SZ is a size from 1 to 26"),
        ("(;GM[18]SZ[3])", "at least 4 columns"),
    ] {
        let error = open("amazons", bad, &[]).map(|_| ()).expect_err(bad).to_string();
        assert!(error.contains(why), "{bad}: {error}");
    }
}

#[test]
fn the_file_says_which_game_it_is() {
    for (name, text, why) in [
        ("go", "(;GM[9])", "game `go`: the file is a game of Lines of Action, `loa`"),
        ("LOA:5x5", "(;GM[1]SZ[5])", "game `loa`: the file is a game of Go, `go`"),
        ("amazons", "(;SZ[9])", "game `amazons`: the file is a game of Go, `go`"),
        ("y", "(;GM[11])", "game `y`: only games of go, loa and amazons come as SGF"),
        ("go", "(;GM[11])", "SGF `11`: GM is the number of a game"),
    ] {
        assert!(open(name, text, &[]).map(|_| ()).unwrap_err().to_string().starts_with(why), "{name} {text}");
    }
    // A game with its board has the rules that no file tells.
    let suicide = open("go:3x3,suicide=yes", "(;SZ[3];B[bb])", &[]).unwrap();
    assert_eq!(suicide.now().game(), "go:3x3,suicide=yes");
    assert_eq!(open("", "(;GM[18]SZ[5])", &[]).unwrap().now().game(), "amazons:5x5");
}

#[test]
fn new_files_read_back() {
    let head = "(;FF[4]GM[9]CA[UTF-8]AP[proofplay]SZ";
    let stones = "SU[Custom]AB[b4][c4][b1][c1]AW[a3][d3][a2][d2]PL[B]";
    for (name, moves, text) in [
        (
            "go:3x3,komi=0.5",
            "b2 pass pass",
            "(;FF[4]GM[1]CA[UTF-8]AP[proofplay]SZ[3]KM[0.5]RE[B+8.5];B[bb];W[];B[])\n",
        ),
        ("go:19x19", "j1 t1", "(;FF[4]GM[1]CA[UTF-8]AP[proofplay]SZ[19]KM[0];B[is];W[ss])\n"),
        ("loa", "c1xa3 a5-c3", &format!("{head}[8];B[c1:a3];W[a5-c3])\n")),
        ("loa:4x4", "b1-b3", &format!("{head}[4]{stones};B[b1-b3])\n")),
        ("amazons", "d1-d7/g7", "(;FF[4]GM[18]CA[UTF-8]AP[proofplay]SZ[10];B[djddgd])\n"),
        (
            "amazons:4x5",
            "b1-b3/c3",
            "(;FF[4]GM[18]CA[UTF-8]AP[proofplay]SZ[4:5]AB[ad][dd][be][ce]AW[ba][ca][ab][db]PL[B];B[bebccc])\n",
        ),
    ] {
        let record = played(name, moves);
        assert_eq!(record.sgf(&[]).unwrap(), text);
        let again = open("", text, &[]).unwrap();
        assert_eq!((again.text(), again.sgf(&[]).unwrap()), (record.text(), text.to_owned()));
    }
    // A game that begins in the middle.
    for (name, position) in [
        ("go:3x2,komi=-1.5", "b../.w. w"),
        ("loa:4x4", ".b../w.../...w/..b. w"),
        ("amazons:4x4", ".bb./b..b/w..w/xww. b"),
    ] {
        let mut record = Record::new(game(name).unwrap().parse(position).unwrap());
        let mv = record.now().legal().swap_remove(0);
        record.play(&mv).unwrap();
        assert_eq!(open("", &record.sgf(&[]).unwrap(), &[]).unwrap().text(), record.text(), "{name}");
    }
    for name in ["tictactoe", "y:3", "amazons:32x4"] {
        assert!(Record::new(game(name).unwrap().start()).sgf(&[]).is_err(), "{name}");
    }
}

/// Boards of all kinds, with passes and captures.
#[test]
fn random_games_read_back() {
    let rng = &mut Rng::new(1);
    for name in
        ["go:1x2", "go:5x3,komi=0.5", "go:19x2", "loa:5x5", "loa:11x11", "amazons:5x4", "amazons:26x4"]
    {
        for _ in 0..5 {
            let mut record = Record::new(game(name).unwrap().start());
            while record.now().outcome().is_none() && record.plies.len() < 40 {
                let mut legal = record.now().legal();
                let mv = legal.swap_remove(rng.below(legal.len() as u32) as usize);
                record.play(&mv).unwrap();
            }
            let text = record.sgf(&[]).unwrap();
            let again = open("", &text, &[]).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!((again.text(), again.now().text()), (record.text(), record.now().text()), "{text}");
            assert_eq!(again.sgf(&[]).unwrap(), text);
        }
    }
}

const FILE: &str =
    "(;GM[1]SZ[5]PB[x]XX[keep];B[aa]C[first];W[bb](;B[cc]C[a])(;B[dd];W[ee]N[n]))\n(;GM[1]SZ[3])\n";

#[test]
fn moves_go_into_the_file() {
    // What was read comes back, whichever line is followed.
    for variation in [&[][..], &[1], &[2]] {
        assert_eq!(longer("go", FILE, variation, ""), FILE);
    }
    // The line goes on, of the first variation or of another one.
    assert_eq!(longer("go", FILE, &[], "a1 pass"), FILE.replace("C[a]", "C[a];W[ae];B[]"));
    assert_eq!(longer("go", FILE, &[2], "a1"), FILE.replace("N[n]", "N[n];B[ae]"));
    // Moves that were taken back stay in the file; others are a variation.
    let mut record = open("go", FILE, &[]).unwrap();
    assert!(record.undo());
    record.play("e5").unwrap();
    assert_eq!(record.sgf(&[]).unwrap(), FILE.replace("N[n])", "N[n])(;B[ea])"));
    assert!(record.undo());
    "d2 e1 c3".split(' ').for_each(|mv| record.play(mv).unwrap());
    assert_eq!(record.sgf(&[]).unwrap(), FILE.replace("N[n]", "N[n];B[cc]"));
    while record.undo() {}
    assert_eq!(record.sgf(&[]).unwrap(), FILE);
    record.play("c3").unwrap();
    let branches = "(;B[aa]C[first];W[bb](;B[cc]C[a])(;B[dd];W[ee]N[n]))(;B[cc]))";
    assert!(record.sgf(&[]).unwrap().contains(branches), "{}", record.sgf(&[]).unwrap());
    // Nodes without a move, and the same move in other words.
    assert_eq!(longer("go", "(;SZ[3];B[aa];C[end])", &[], "pass"), "(;SZ[3];B[aa];C[end];W[])\n");
    let loa = "(;GM[9];C[begin](;B[E1 - e3!];W[A3:c5])(;B[d1-d3]))\n";
    let mut record = open("loa", loa, &[]).unwrap();
    assert!(record.undo() && record.undo());
    record.play("e1-e3").unwrap();
    assert_eq!(record.sgf(&[]).unwrap(), loa);
    record.play("a4-c4").unwrap();
    assert_eq!(record.sgf(&[]).unwrap(), loa.replace(";W[A3:c5]", "(;W[A3:c5])(;W[a4-c4])"));
    // Two variations that begin alike: the one that is followed goes on.
    let alike = "(;SZ[3](;B[aa])(;B[aa];W[bb]))\n";
    assert_eq!(longer("go", alike, &[2], "pass"), alike.replace("W[bb]", "W[bb];B[]"));
    // A move in the first node: nothing can stand beside it.
    let mut record = open("go", "(;SZ[3]B[aa];W[bb])", &[]).unwrap();
    assert_eq!(record.sgf(&[]).unwrap(), "(;SZ[3]B[aa];W[bb])\n");
    assert!(record.undo() && record.undo());
    record.play("b2").unwrap();
    assert!(record.sgf(&[]).unwrap_err().to_string().contains("the first node"));
    // Characters that were lost while it was read.
    let lossy = open("go", "(;SZ[3]PB[\u{fffd}];B[aa])", &[]).unwrap();
    assert!(lossy.sgf(&[]).unwrap_err().to_string().contains("not UTF-8"));
}

#[test]
fn comments_are_added() {
    let comments = ["one]".to_owned(), "two".to_owned(), "three".to_owned()];
    let record = open("go", FILE, &[2]).unwrap();
    let text = record.sgf(&comments).unwrap();
    let expected = FILE.replace("C[first]", "C[first\n\none\\]]").replace("W[bb]", "W[bb]C[two]");
    assert_eq!(text, expected.replace("B[dd]", "B[dd]C[three]"));
    // Once, however often they are written.
    assert_eq!(open("go", &text, &[2]).unwrap().sgf(&comments).unwrap(), text);
    assert_eq!(open("go", &text, &[2]).unwrap().moves(), record.moves());
    // An empty comment, several values, properties around it.
    let odd = open("go", "(;SZ[3];N[n]C[ ] [b] B[aa] X[y]\n)", &[]).unwrap();
    let written = Tree::read(&odd.sgf(&comments).unwrap()).unwrap();
    assert_eq!(written.to_string(), "(;SZ[3];N[n]C[ one\\]] [b]B[aa]X[y])\n");
}

#[test]
fn results() {
    let over = |text: &str, variation: &[usize]| longer("go", text, variation, "pass pass");
    assert_eq!(over("(;SZ[3]KM[0.5]\n;B[bb])", &[]), "(;SZ[3]KM[0.5]RE[B+8.5]\n;B[bb];W[];B[])\n");
    assert_eq!(over("(;SZ[3]RE[?];B[bb])", &[]), "(;SZ[3]RE[?];B[bb];W[];B[])\n");
    // The result of a file is that of its first line.
    assert!(!over("(;SZ[3](;B[bb])(;B[aa]))", &[2]).contains("RE["));
    let mut record = played("amazons:4x4", "");
    while record.now().outcome().is_none() {
        let mv = record.now().legal().swap_remove(0);
        record.play(&mv).unwrap();
    }
    let winner = if record.now().outcome().unwrap().0 > 0 { "RE[B+]" } else { "RE[W+]" };
    assert!(record.sgf(&[]).unwrap().contains(winner));
}

#[test]
fn variations_by_number() {
    let moves = |variation: &[usize]| Source::read(FILE, variation).map(|source| source.moves().to_owned());
    assert_eq!(moves(&[2]).unwrap(), "a5 b4 d2 e1");
    for (variation, why) in [
        (&[3][..], "variation `3`: number 3 is none of 2 variations"),
        (&[0], "number 0 is none"),
        (&[1, 1], "variation `1.1`: the line has variations at 1 place only"),
    ] {
        let error = moves(variation).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    let more = Source::read(FILE, &[2]).unwrap().not_followed().unwrap();
    assert_eq!(more.to_string(), "the file has more, which was not followed: 1 variation, 1 game");
    assert_eq!(played("go:3x3", "b2").not_followed(), None);
}

/// In Go a pass stands between two moves of one colour, which does not come back into the file.
#[test]
fn two_moves_of_one_colour() {
    for (text, moves, passes) in [
        ("(;SZ[9];B[aa];B[bb];W[cc];W[dd]C[x];B[ee])\n", "a9 pass b8 c7 pass d6 e5", &[2, 5][..]),
        ("(;SZ[9]PL[B];W[bb];B[cc])\n", "pass b8 c7", &[1]),
        ("(;SZ[9]B[aa];B[bb])\n", "a9 pass b8", &[2]),
        ("(;SZ[9];B[aa];W[];B[bb])\n", "a9 pass b8", &[]),
    ] {
        let record = open("go", text, &[]).unwrap();
        assert_eq!((&*record.moves(), record.added_passes()), (moves, passes), "{text}");
        assert_eq!(record.sgf(&[]).unwrap(), text);
        let told = record.remarks();
        assert_eq!(told.contains("move 2, 5\n"), passes.len() == 2, "{told}");
        assert_eq!(told.is_empty(), passes.is_empty(), "{told}");
        // What is played after it continues the line.
        assert_eq!(longer("go", text, &[], "j9").matches("(").count(), 1);
    }
    // Another move instead of what the file has is a variation, behind a pass that is written.
    let mut record = open("go", "(;SZ[9];B[aa];B[bb])", &[]).unwrap();
    assert!(record.undo());
    record.play("c7").unwrap();
    assert_eq!(record.added_passes(), [2]);
    assert_eq!(record.sgf(&[]).unwrap(), "(;SZ[9];B[aa](;B[bb])(;W[];B[cc]))\n");
    // Two passes end a game: what follows has its place in the error.
    let error = open("go", "(;SZ[9];B[aa];W[];W[bb];B[cc])", &[]).unwrap_err().to_string();
    assert!(error.contains("ply 4"), "{error}");
}
