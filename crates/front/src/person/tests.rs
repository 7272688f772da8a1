//! Transcripts: what is typed stands behind `> ` as it would in a terminal.

use super::*;
use crate::game::{End, Game, Loss};
use crate::player::Searcher;
use crate::session::Refusal;
use proofplay_core::Score;
use proofplay_registry::game;
use proofplay_search::Resources;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Types lines, each after so many seconds of a clock that nothing else moves, and remembers all.
#[derive(Default)]
struct Script {
    typed: RefCell<VecDeque<(u64, String)>>,
    said: RefCell<String>,
    now: Cell<Duration>,
    files: RefCell<HashMap<String, String>>,
}

impl Talk for Rc<Script> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.said.borrow_mut().push_str(text);
        Ok(())
    }

    fn hear(&mut self, _stop: &AtomicBool, wait: Option<Duration>) -> io::Result<Heard> {
        let Some((seconds, line)) = self.typed.borrow_mut().pop_front() else { return Ok(Heard::End) };
        let time = Duration::from_secs(seconds);
        if let Some(wait) = wait.filter(|&wait| wait < time) {
            self.now.set(self.now.get() + wait);
            self.typed.borrow_mut().push_front(((time - wait).as_secs(), line));
            return Ok(Heard::Nothing);
        }
        self.now.set(self.now.get() + time);
        self.said.borrow_mut().push_str(&format!("{line}\n"));
        Ok(Heard::Line(line))
    }

    fn read(&mut self, file: &str) -> Result<String, String> {
        self.files.borrow().get(file).cloned().ok_or_else(|| format!("there is no `{file}`"))
    }

    fn write(&mut self, file: &str, text: &str) -> Result<(), String> {
        self.files.borrow_mut().insert(file.to_owned(), text.to_owned());
        Ok(())
    }
}

/// What is left of a conversation.
struct Talked {
    said: String,
    end: Option<End>,
    line: String,
    files: HashMap<String, String>,
}

/// A conversation in which people play these sides. Lines are separated by `;`, and begin with
/// seconds where they take some: `5: b2`.
fn talked(name: &str, people: &[Side], clock: Option<&str>, typed: &str) -> Talked {
    let line = |text: &str| match text.trim().split_once(": ") {
        Some((seconds, line)) => (seconds.parse().unwrap(), line.to_owned()),
        None => (0, text.trim().to_owned()),
    };
    let script = Rc::new(Script::default());
    script.typed.replace(typed.split(';').map(line).collect());
    let source = Rc::clone(&script);
    let record = Record::new(game(name).unwrap().start());
    let game = Game::new(record).timed_by(move || source.now.get());
    let game = game.with_clock(clock.map(|text| text.parse().unwrap()));
    let resources = Resources { memory: 1 << 20, ..Resources::default() };
    let computer = Searcher::new("alphabeta".parse().unwrap(), resources).counting_plies();
    let mut conversation = Conversation::new(Session::new(game, computer, people), Rc::clone(&script));
    conversation.run().unwrap();
    let game = &conversation.session.game;
    let (end, line) = (game.end(), game.record.moves());
    let (said, files) = (script.said.take(), script.files.take());
    Talked { said, end, line, files }
}

/// Two people at a board of tic-tac-toe.
fn both(typed: &str) -> Talked {
    talked("tictactoe", &Side::BOTH, None, typed)
}

/// What came after the line that was typed, up to the next prompt.
fn reply<'a>(talked: &'a Talked, line: &str) -> &'a str {
    let (_, after) = talked.said.split_once(&format!("> {line}\n")).expect(&talked.said);
    let end = after.find("> ").map_or(after.len(), |end| after[..end].rfind('\n').map_or(0, |end| end + 1));
    &after[..end]
}

#[test]
fn a_game() {
    let talked = talked("tictactoe", &[Side::First], None, "a1;c3;a2");
    let expected = "\
tictactoe
Type a move, or `help`.

3  . . .
2  . . .
1  . . .
   a b c

X to move> a1

3  . . .
2  . . .
1 [X]. .
   a b c
last move: a1 by X

O plays b2 (for O: draw)

3  . . .
2  .[O].
1  X . .
   a b c
last move: b2 by O

X to move> c3

3  . .[X]
2  . O .
1  X . .
   a b c
last move: c3 by X

O plays b1 (for O: draw)

3  . . X
2  . O .
1  X[O].
   a b c
last move: b1 by O

X to move> a2

3  . . X
2 [X]O .
1  X O .
   a b c
last move: a2 by X

O plays b3 (for O: win in 1)

3  .[O]X
2  X O .
1  X O .
   a b c
last move: b3 by O

the game is over: you have lost as X
the game is over> 
";
    assert_eq!(talked.said, expected);
}

#[test]
fn moves_and_words() {
    let talked = both("undo;HELP;b2;moves;b1;z9;a1;a1 ;c3;c2;Undo;a3;c1;a2;b3;hint;moves;resign;score");
    assert_eq!((&talked.end, &*talked.line), (&Some(End::Rules(Score(1))), "b2 b1 a1 c3 a3 c1 a2"));
    assert_eq!(reply(&talked, "undo"), "there is no move of yours to take back\n");
    assert_eq!(reply(&talked, "HELP"), HELP);
    assert_eq!(reply(&talked, "moves"), "legal: a1 a2 a3 b1 b3 c1 c2 c3\n");
    assert!(reply(&talked, "z9").starts_with("ply 3: move `z9`: "));
    assert!(reply(&talked, "a2").ends_with("\nlast move: a2 by X\n\nthe game is over: X has won\n"));
    assert_eq!(reply(&talked, "b3"), format!("{OVER}\n"));
    assert_eq!(reply(&talked, "hint"), reply(&talked, "b3"));
    assert_eq!(reply(&talked, "resign"), "the game is over\n");
    assert_eq!(reply(&talked, "score"), "the game is over: X has won\n");
    assert!(talked.said.ends_with("the game is over> \n"), "it ends with the input");
    assert_eq!(both("b2;quit;a1").line, "b2");
    assert_eq!(both("b2;;board;quit").said.matches("[X]").count(), 2);
}

/// Values by hand: X makes two threats at once with b2 or c3, and O can stop one of them. The game is
/// drawn from its start.
#[test]
fn hints_and_scores() {
    let start = both("hint;score");
    assert!(reply(&start, "hint").contains(" (for X: draw)\nline: "), "{}", start.said);
    assert!(reply(&start, "score").starts_with("X to move draws: best move "), "{}", start.said);
    let won = both("a1;b1;a3;a2;hint;score");
    assert!(reply(&won, "hint").contains(" (for X: win in 3)\nline: "), "{}", won.said);
    let score = "X to move wins in 3 plies: best move ";
    assert!(reply(&won, "score").starts_with(score), "{}", won.said);
    let lost = both("a1;b1;a3;a2;c3;hint;score");
    assert!(reply(&lost, "hint").contains(" (for O: loss in 2)\nline: "), "{}", lost.said);
    let score = "O to move loses in 2 plies against best play; try ";
    assert!(reply(&lost, "score").starts_with(score), "{}", lost.said);
}

#[test]
fn undo() {
    // The computer plays at once; its answer is taken back with the person's move.
    let second = |typed: &str| talked("tictactoe", &[Side::Second], None, typed);
    let start = second("quit");
    assert_eq!(start.line.len(), 2);
    let undone = second("b3;undo;undo");
    assert_eq!(undone.line, start.line);
    assert_eq!(reply(&undone, "undo").lines().filter(|line| line.starts_with("last move")).count(), 1);
    assert!(undone.said.contains("there is no move of yours"), "{}", undone.said);
    // After the end of the game, and after a resignation.
    let after = both("a1;b1;a2;b2;a3;undo;c3;b3");
    assert_eq!((&*after.line, after.end), ("a1 b1 a2 b2 c3 b3", Some(End::Rules(Score(-1)))));
    let resigned = both("a1;resign;undo;b2");
    assert_eq!((&*resigned.line, resigned.end), ("a1 b2", None));
}

#[test]
fn resignation_and_results() {
    let resigned = both("a1;resign");
    assert_eq!(reply(&resigned, "resign"), "the game is over: X has won: O has resigned\n");
    assert_eq!(resigned.end, Some(End::Lost(Side::Second, Loss::Resigned)));
    let alone = |typed: &str| talked("tictactoe", &[Side::First], None, typed);
    assert_eq!(reply(&alone("resign"), "resign"), "the game is over: you have lost as X: X has resigned\n");
    let lost = alone("a1;c2;a2;c3;b3;c1;a3");
    assert!(lost.said.contains("\nthe game is over: you have lost as X\n"), "{}", lost.said);
}

#[test]
fn sides() {
    // The computer makes the move that was the person's.
    let changed = talked("tictactoe", &[Side::First], None, "sides;resign");
    assert!(changed.said.contains("you play O now\nX plays "), "{}", changed.said);
    assert!(changed.said.contains("you have lost as O: O has resigned"), "{}", changed.said);
    assert_eq!(reply(&both("sides"), "sides"), format!("{}\n", Refusal::NoOpponent));
}

#[test]
fn levels() {
    let talked = both("level 2s;LEVEL 10K nodes;level 10k;level;level 5 playouts");
    assert_eq!(reply(&talked, "level 2s"), "for a move the computer has at most 2s now\n");
    assert_eq!(reply(&talked, "level 10k"), "for a move the computer has at most 10000 nodes now\n");
    assert!(reply(&talked, "level").contains("expected a time"));
    assert!(reply(&talked, "level 5 playouts").contains("no playouts"));
}

#[test]
fn files() {
    let talked = both("b2;a1;save Game 1;c3;new;a3;load Game 1;b1;load none;save;load;save x.sgf");
    assert_eq!(talked.line, "b2 a1 b1");
    assert_eq!(talked.files["Game 1"], "game: tictactoe\nstart: .../.../... x\nmoves: b2 a1\n");
    assert_eq!(reply(&talked, "save Game 1"), "written to Game 1\n");
    assert!(reply(&talked, "new").starts_with("\n3  . . .\n"));
    assert!(reply(&talked, "load Game 1").contains("last move: a1 by O"));
    assert_eq!(reply(&talked, "load none"), "there is no `none`\n");
    assert_eq!(reply(&talked, "save"), "expected save FILE\n");
    assert_eq!(reply(&talked, "load"), "expected load FILE\n");
    assert!(reply(&talked, "save x.sgf").contains("only games of go, loa and amazons"));
    // Another game, and one that the computer cannot search.
    let script = Rc::new(Script::default());
    let files = [("go", "game: go:3x3"), ("line", "game: connect4:4x4\nmoves: 1 2"), ("bad", "b2")];
    script.files.replace(files.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
    let lines = ["load go", "load bad", "load line", "hint", "3"].map(|line| (0, line.to_owned()));
    script.typed.replace(lines.into());
    let computer = Searcher::new("alphabeta".parse().unwrap(), Resources::default());
    let start = Game::new(Record::new(game("tictactoe").unwrap().start()));
    let mut conversation = Conversation::new(Session::new(start, computer, &Side::BOTH), Rc::clone(&script));
    conversation.run().unwrap();
    assert_eq!(conversation.record().text().lines().next(), Some("game: connect4:4x4"));
    assert_eq!(conversation.record().moves(), "1 2 3");
    let said = script.said.take();
    assert!(said.contains("alphabeta needs a game whose positions never repeat"), "{said}");
    assert!(said.contains("line `b2`: expected one `game:`"), "{said}");
}

#[test]
fn games_are_saved_as_sgf() {
    let script = Rc::new(Script::default());
    let own = "(;SZ[3]PB[who](;B[bb]C[good])(;B[aa]))\n";
    script.files.replace([("own.sgf".to_owned(), own.to_owned())].into());
    let lines =
        ["b2", "pass", "save Go.SGF", "new", "load Go.SGF", "load own.sgf", "pass", "save new.sgf", "undo"];
    let lines = [&lines[..], &["undo", "a3", "a1", "save other.sgf", "new", "b2", "pass", "a1"]].concat();
    script.typed.replace(lines.iter().map(|&line| (0, line.to_owned())).collect());
    let computer =
        Searcher::new("mcts".parse().unwrap(), Resources { memory: 1 << 20, ..Resources::default() });
    let start = Game::new(Record::new(game("go:3x3,komi=0.5").unwrap().start()));
    let mut conversation = Conversation::new(Session::new(start, computer, &Side::BOTH), Rc::clone(&script));
    conversation.run().unwrap();
    assert_eq!(conversation.record().moves(), "b2 pass a1");
    let files = script.files.borrow();
    assert!(files["Go.SGF"].starts_with("(;FF[4]GM[1]"));
    // A file keeps what it has: moves go on with its line, or are found in it.
    assert_eq!(files["new.sgf"], own.replace("C[good]", "C[good];W[]"));
    assert_eq!(files["other.sgf"], own.replace("B[aa]", "B[aa];W[ac]"));
    let said = script.said.borrow();
    assert!(said.contains("the file has more, which was not followed: 1 variation\n"), "{said}");
}

#[test]
fn clocks_are_shown_and_fall_while_somebody_thinks() {
    let timed = |clock: &str, typed: &str| talked("tictactoe", &Side::BOTH, Some(clock), typed);
    let talked = timed("60+5", "10: a1;20: b1;30: a2;100: late;undo;resign;new;1: b2");
    let clocks: Vec<&str> = talked.said.lines().filter_map(|line| line.strip_prefix("clocks: ")).collect();
    assert_eq!(clocks[..4], ["X 1:00, O 1:00", "X 0:55, O 1:00", "X 0:55, O 0:45", "X 0:30, O 0:45"]);
    // The flag falls before the line comes, which then finds the game over.
    let fallen = "O to move> \nthe game is over: X has won: O has no time left\nthe game is over> late\n";
    assert!(talked.said.contains(fallen), "{}", talked.said);
    assert_eq!(reply(&talked, "undo"), format!("{}\n", Refusal::NoTime));
    assert_eq!((&*talked.line, &talked.end), ("b2", &None));
    assert_eq!(clocks[4..], ["X 1:00, O 1:00", "X 1:04, O 1:00"], "another game has its own time");
    let byo_yomi = timed("10+20/2", "5: a1;25: b1;6: c1");
    assert!(byo_yomi.said.contains("clocks: X 0:05.0, O 0:05.0 for 1 move\n"), "{}", byo_yomi.said);
    assert!(byo_yomi.said.contains("clocks: X 0:19 for 1 move"), "{}", byo_yomi.said);
    // Time for each move is not lost by.
    let patient = timed("5/move", "600: a1");
    assert!(patient.line == "a1" && !patient.said.contains("clocks"));
    // Undo gives no time back, and a line that comes at the last moment is too late.
    let undone = timed("60", "20: a1;20: b1;30: undo;undo;10: a3");
    assert_eq!(undone.end, Some(End::Lost(Side::First, Loss::Time)));
}
