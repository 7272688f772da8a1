//! The commands.

use super::time::KINDS;
use super::vertex::{self, colour, is_go};
use super::{Engine, Talk, gogui};
use proofplay_core::Player;
use proofplay_front::picture::picture;
use proofplay_front::record::Record;
use proofplay_front::setup::Setup;
use proofplay_front::sgf::score_text;
use proofplay_registry::{DynPosition, GAMES, SetupError, game};
use std::fs::File;
use std::io::Read;

/// No game record may be larger.
const LARGEST_FILE: u64 = 16 << 20;

type Run = fn(&mut Engine, &[&str], &mut Talk<'_>) -> Result<String, String>;

/// A command: its name, its arguments, those in brackets optional, and what it does.
struct Row(&'static str, &'static str, Run);

/// Those for every game.
const COMMANDS: &[Row] = &[
    Row("protocol_version", "", |_, _, _| Ok("2".to_owned())),
    Row("name", "", |_, _, _| Ok("proofplay".to_owned())),
    Row("version", "", |_, _, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    Row("known_command", "NAME", |engine, args, _| Ok(row(engine, args[0]).is_some().to_string())),
    Row("list_commands", "", |engine, _, _| Ok(rows(engine).map(|row| row.0).collect::<Vec<_>>().join("\n"))),
    Row("quit", "", |_, _, _| Ok(String::new())),
    Row("boardsize", "COLUMNS [ROWS]", |engine, args, _| engine.boardsize(args)),
    Row("rectangular_boardsize", "COLUMNS ROWS", |engine, args, _| engine.boardsize(args)),
    Row("clear_board", "", |engine, _, _| engine.clear_board()),
    Row("play", "COLOUR MOVE", |engine, args, _| {
        engine.play(colour(args[0])?, args[1]).map(|()| String::new())
    }),
    Row("gogui-play_sequence", "[COLOUR] [MOVE] …", |engine, args, _| engine.play_all(args)),
    Row("genmove", "COLOUR", |engine, args, talk| engine.genmove(args, talk, true)),
    Row("reg_genmove", "COLOUR", |engine, args, talk| engine.genmove(args, talk, false)),
    Row("undo", "", |engine, _, _| engine.undo_all(1)),
    Row("gg-undo", "[N]", |engine, args, _| {
        let text = args.first().unwrap_or(&"1");
        engine.undo_all(text.parse().map_err(|_| format!("count `{text}`: expected a whole number"))?)
    }),
    Row("showboard", "", |engine, _, _| Ok(engine.board())),
    Row("time_settings", "MAIN BYO_YOMI STONES", |engine, args, _| engine.time_settings(args)),
    Row("time_left", "COLOUR TIME STONES", |engine, args, _| engine.time_left(args)),
    Row("kgs-time_settings", "KIND [SECONDS] …", |engine, args, _| engine.kind_of_time(args)),
    Row("kata-time_settings", "KIND [SECONDS] …", |engine, args, _| engine.kind_of_time(args)),
    Row("kata-list_time_settings", "", |_, _, _| Ok(KINDS.to_owned())),
    Row("final_score", "", |engine, _, _| engine.final_score()),
    Row("loadsgf", "FILE [MOVE]", |engine, args, _| engine.loadsgf(args)),
    Row("printsgf", "[FILE]", |engine, args, _| engine.printsgf(args)),
    Row("analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| engine.lz_analyze(args, talk)),
    Row("lz-analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| engine.lz_analyze(args, talk)),
    Row("kata-analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| engine.kata_analyze(args, talk)),
    Row("genmove_analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| engine.lz_genmove(args, talk)),
    Row("lz-genmove_analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| engine.lz_genmove(args, talk)),
    Row("kata-genmove_analyze", "[COLOUR] [INTERVAL] …", |engine, args, talk| {
        engine.kata_genmove(args, talk)
    }),
    Row("gogui-interrupt", "", |_, _, _| Ok(String::new())),
    Row("gogui-analyze_commands", "", |engine, _, _| Ok(gogui::analyze_commands(engine))),
    Row("gogui-rules_game_id", "", |engine, _, _| Ok(gogui::game_id(engine))),
    Row("gogui-rules_board_size", "", |engine, _, _| gogui::size(engine).map(|size| size.to_string())),
    Row("gogui-rules_board", "", |engine, _, _| gogui::board(engine)),
    Row("gogui-rules_board_gfx", "", |engine, _, _| gogui::graphics(engine)),
    Row("gogui-rules_legal_moves", "", |engine, _, _| Ok(gogui::legal_moves(engine))),
    Row("gogui-rules_side_to_move", "", |engine, _, _| Ok(gogui::side_to_move(engine))),
    Row("gogui-rules_final_result", "", |engine, _, _| Ok(gogui::final_result(engine))),
    Row("proofplay-value", "", |engine, _, talk| engine.value(talk)),
    Row("proofplay-moves", "", |engine, _, talk| engine.move_values(talk)),
];

/// Those for Go alone.
const GO_COMMANDS: &[Row] = &[
    Row("komi", "POINTS", |engine, args, _| engine.komi(args[0])),
    Row("fixed_handicap", "N", |engine, args, _| engine.handicap(args[0], true)),
    Row("place_free_handicap", "N", |engine, args, _| engine.handicap(args[0], false)),
    Row("set_free_handicap", "VERTEX …", |engine, args, _| engine.set_handicap(args)),
    Row("final_status_list", "STATUS", |engine, args, _| engine.final_status_list(args[0])),
];

fn rows(engine: &Engine) -> impl Iterator<Item = &'static Row> {
    COMMANDS.iter().chain(if is_go(engine.record.now()) { GO_COMMANDS } else { &[] })
}

fn row(engine: &Engine, name: &str) -> Option<&'static Row> {
    rows(engine).find(|row| row.0 == name)
}

/// Does what a command says.
pub fn run(
    engine: &mut Engine,
    name: &str,
    arguments: &[&str],
    talk: &mut Talk<'_>,
) -> Result<String, String> {
    let Some(Row(_, usage, run)) = row(engine, name) else {
        return Err("unknown command".to_owned());
    };
    let words = usage.split_whitespace().filter(|word| *word != "…");
    let (least, most) = (words.clone().filter(|word| !word.starts_with('[')).count(), words.count());
    if arguments.len() < least || (arguments.len() > most && !usage.ends_with('…')) {
        let expected = if usage.is_empty() { "no arguments" } else { usage };
        return Err(format!("{name}: expected {expected}"));
    }
    run(engine, arguments, talk)
}

impl Engine {
    /// Another size of the board, and a new game.
    fn boardsize(&mut self, arguments: &[&str]) -> Result<String, String> {
        let number = |text: &&str| text.parse().map_err(|_| format!("size `{text}`: expected a number"));
        let columns: usize = number(&arguments[0])?;
        let rows = arguments.get(1).map_or(Ok(columns), number)?;
        let name = sized(self.record.now(), columns, rows);
        let start = name.and_then(|name| Some(game(&name).ok()?.start()));
        let start = start.ok_or("unacceptable size")?;
        self.set_record(Record::new(start))?;
        self.restart_clock();
        Ok(String::new())
    }

    fn clear_board(&mut self) -> Result<String, String> {
        let start = game(&self.record.now().game()).map_err(|error| error.to_string())?.start();
        self.set_record(Record::new(start))?;
        self.restart_clock();
        Ok(String::new())
    }

    /// All moves or none.
    fn play_all(&mut self, arguments: &[&str]) -> Result<String, String> {
        if !arguments.len().is_multiple_of(2) {
            return Err("expected COLOUR MOVE COLOUR MOVE …".to_owned());
        }
        for (played, pair) in arguments.chunks(2).enumerate() {
            let done = colour(pair[0]).and_then(|player| self.play(player, pair[1]));
            if let Err(why) = done {
                (0..played).for_each(|_| _ = self.undo());
                return Err(why);
            }
        }
        Ok(String::new())
    }

    fn undo_all(&mut self, count: usize) -> Result<String, String> {
        let most =
            self.record.plies.len() + self.earlier.iter().map(|record| record.plies.len()).sum::<usize>();
        if count > most {
            return Err("cannot undo".to_owned());
        }
        (0..count).for_each(|_| _ = self.undo());
        Ok(String::new())
    }

    fn genmove(&mut self, arguments: &[&str], talk: &Talk<'_>, plays: bool) -> Result<String, String> {
        let player = colour(arguments[0])?;
        let Some(answer) = self.choose(player, talk, Box::new(|_, _| ()))? else {
            return Ok("pass".to_owned());
        };
        self.made(player, &answer.mv, plays)
    }

    /// The computer's move as the protocol writes it; it is played if that is wanted.
    pub(super) fn made(&mut self, player: Player, mv: &str, plays: bool) -> Result<String, String> {
        let turned = self.turned_to(player, false)?;
        let text = vertex::write(turned.as_ref().unwrap_or(&self.record).now(), mv);
        if plays {
            self.turn_to(player, false)?;
            self.record.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(text)
    }

    fn board(&self) -> String {
        let now = self.record.now();
        let board = picture(&self.record, |symbol, _| symbol.to_string());
        let turn = match now.outcome() {
            Some(score) => format!("the game is over: {}", score_text(&now.game(), score)),
            None => format!("{} to move, {}", now.side(now.turn()), vertex::COLOURS[now.turn().index()]),
        };
        format!("\n{board}{turn}")
    }

    fn final_score(&self) -> Result<String, String> {
        let now = self.record.now();
        let mut end = now.boxed();
        // In Go the board counts as it is.
        while end.outcome().is_none() && is_go(now) {
            end.play("pass").map_err(|error| error.to_string())?;
        }
        let score = end.outcome().ok_or("the game is not over")?;
        Ok(score_text(&now.game(), score))
    }

    /// Begins with the record of a game, before the move of this number if one is given.
    fn loadsgf(&mut self, arguments: &[&str]) -> Result<String, String> {
        let most = match arguments.get(1) {
            None => usize::MAX,
            Some(text) => text.parse::<usize>().map_err(|_| format!("move `{text}`: expected a number"))?,
        };
        let unread = |error: &dyn std::fmt::Display| format!("cannot load file: {error}");
        let mut text = String::new();
        let file = File::open(arguments[0]).map_err(|error| unread(&error))?;
        let bytes = file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(|error| unread(&error))?;
        if bytes as u64 > LARGEST_FILE {
            return Err(unread(&format!("more than {LARGEST_FILE} bytes")));
        }
        let setup = Setup::read(&text).map_err(|error| unread(&error))?;
        let record = setup.record(most.saturating_sub(1), || Ok::<(), SetupError>(()));
        let record = record.map_err(|error| unread(&error))?;
        self.set_record(record)?;
        self.restart_clock();
        Ok(vertex::COLOURS[self.record.now().turn().index()].to_owned())
    }

    fn printsgf(&self, arguments: &[&str]) -> Result<String, String> {
        let text = self.record.sgf(&[]).map_err(|error| error.to_string())?;
        let Some(file) = arguments.first() else { return Ok(text) };
        std::fs::write(file, text).map_err(|error| format!("cannot write `{file}`: {error}"))?;
        Ok(String::new())
    }
}

/// The name of a game on a board of another size; `None` if it has no such board.
fn sized(pos: &dyn DynPosition, columns: usize, rows: usize) -> Option<String> {
    let name = pos.game();
    if gogui::size_of(pos) == Some((columns, rows)) {
        return Some(name);
    }
    let (family, parameters) = name.split_once(':').unwrap_or((&name, ""));
    let form = GAMES.entry(family).ok()?.parameters();
    let rest = parameters.trim_start_matches(|c: char| c.is_ascii_digit() || c == 'x');
    match form {
        form if form.starts_with("CxR") => Some(format!("{family}:{columns}x{rows}{rest}")),
        _ if columns != rows => None,
        form if form.starts_with("NxN") => Some(format!("{family}:{columns}x{rows}{rest}")),
        form if form.starts_with('N') => Some(format!("{family}:{columns}{rest}")),
        _ => None,
    }
}
