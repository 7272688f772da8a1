//! GoGui shows and referees any game of one board: `gogui-rules_…`.

use super::vertex::{self, COLOURS, place, vertex_at};
use super::{Engine, Talk};
use proofplay_front::player::Answer;
use proofplay_front::sgf::score_text;
use proofplay_registry::DynPosition;
use proofplay_search::Verdict;

/// What GoGui offers to ask.
pub fn analyze_commands(_: &Engine) -> String {
    [
        "string/Value and best line/proofplay-value",
        "pspairs/Value of every move/proofplay-moves",
        "move/Suggest a move/reg_genmove %m",
        "plist/Legal moves/gogui-rules_legal_moves",
        "string/Score now/final_score",
    ]
    .join("\n")
}

/// The name of the game with a capital.
pub fn game_id(engine: &Engine) -> String {
    let name = engine.record.now().game();
    let family = name.split(':').next().unwrap_or_default();
    let mut letters = family.chars().filter(|c| c.is_alphanumeric());
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Columns and rows of a board whose cells have names such as `a1`.
pub fn size_of(pos: &dyn DynPosition) -> Option<(usize, usize)> {
    let view = pos.view();
    let places: Option<Vec<_>> = view.cells.iter().map(|cell| place(pos, &cell.name)).collect();
    let places = places.filter(|places| places.contains(&(0, 0)))?;
    Some((places.iter().map(|p| p.0 + 1).max()?, places.iter().map(|p| p.1 + 1).max()?))
}

/// GoGui's boards are square.
pub fn size(engine: &Engine) -> Result<usize, String> {
    let (columns, rows) =
        size_of(engine.record.now()).ok_or("the cells of this game are in no rows and columns")?;
    Ok(columns.max(rows))
}

/// The board from the top to the bottom: X for black, O for white.
pub fn board(engine: &Engine) -> Result<String, String> {
    let (size, pos) = (size(engine)?, engine.record.now());
    let mut board = vec![vec!["."; size]; size];
    for cell in pos.view().cells {
        if let (Some((column, row)), Some(owner)) = (place(pos, &cell.name), cell.owner) {
            board[size - 1 - row][column] = ["X", "O"][owner.index()];
        }
    }
    Ok(board.into_iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("\n"))
}

/// What belongs to nobody, such as arrows.
pub fn graphics(engine: &Engine) -> Result<String, String> {
    size(engine)?;
    let pos = engine.record.now();
    let cells = pos.view().cells.into_iter();
    let things = cells.filter(|cell| cell.owner.is_none() && cell.symbol.is_alphanumeric());
    let names: Vec<String> = things.filter_map(|cell| vertex_at(place(pos, &cell.name)?)).collect();
    Ok(if names.is_empty() { String::new() } else { format!("SQUARE {}", names.join(" ")) })
}

pub fn legal_moves(engine: &Engine) -> String {
    let pos = engine.record.now();
    pos.legal().iter().map(|mv| vertex::write(pos, mv)).collect::<Vec<_>>().join(" ")
}

pub fn side_to_move(engine: &Engine) -> String {
    COLOURS[engine.record.now().turn().index()].to_owned()
}

/// Who has won, or `unknown` while the game goes on.
pub fn final_result(engine: &Engine) -> String {
    let now = engine.record.now();
    let Some(score) = now.outcome() else { return "unknown".to_owned() };
    let text = score_text(&now.game(), score);
    match text.split_once('+') {
        None => "Draw".to_owned(),
        Some((side, points)) => {
            let side = if side == "B" { "Black" } else { "White" };
            let by = if vertex::is_go(now) { format!(" by {points} points") } else { String::new() };
            format!("{side} wins{by}")
        }
    }
}

impl Engine {
    /// What the player to move can expect: `win in 5, D4 E5 …`.
    pub(super) fn value(&mut self, talk: &Talk<'_>) -> Result<String, String> {
        let player = self.record.now().turn();
        let Some(answer) = self.choose(player, talk, Box::new(|_, _| ()))? else {
            return Ok("the game is over".to_owned());
        };
        let line = self.line(self.record.now(), &answer.line);
        Ok(format!("{}: {}, {line}", COLOURS[player.index()], answer.value()))
    }

    /// Every move with its value in the view of the player to move.
    pub(super) fn move_values(&mut self, talk: &Talk<'_>) -> Result<String, String> {
        let (report, pos) = self.estimates(talk)?;
        let mover = pos.turn();
        let text = |m: &proofplay_search::MoveReport<String>| {
            let verdict = Verdict::of(m.bounds, mover);
            let value = match verdict {
                Verdict::Unknown => {
                    let mut one = report.clone();
                    (one.best, one.bounds) = (Some(m.mv.clone()), m.bounds);
                    let estimate = Answer::of_report(&one, &*pos)?.estimate?;
                    let wins = estimate.wins.unwrap_or((estimate.mean + 1.0) / 2.0);
                    format!("{:.0}%", 100.0 * wins)
                }
                verdict => verdict.word().to_owned(),
            };
            Some(format!("{} {value}", vertex::write(&*pos, &m.mv)))
        };
        Ok(report.moves.iter().filter_map(text).collect::<Vec<_>>().join("\n"))
    }
}
