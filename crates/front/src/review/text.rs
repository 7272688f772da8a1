//! A review for a person.

use super::{Basis, Better, Judged, Review, Worth};
use crate::record::Record;
use crate::text::counted;
use proofplay_core::{Player, TextError};
use proofplay_search::Verdict;

/// The moves of a line that are shown.
const LINE: usize = 12;

impl Review {
    /// What a position is worth: `win`, `+5`, or about `~+0.31`; `?` if nobody knows.
    fn worth(&self, worth: Worth) -> String {
        match (worth.bounds.value(), worth.estimate) {
            (Some(value), _) if self.has_points => format!("{:+}", value.0),
            (Some(_), _) => worth.verdict().word().to_owned(),
            (None, Some(estimate)) => format!("~{}", self.amount(estimate)),
            (None, None) => "?".to_owned(),
        }
    }

    /// A number of points with its sign.
    fn amount(&self, points: f64) -> String {
        let text = if self.has_points { format!("{points:+.1}") } else { format!("{points:+.2}") };
        // Nothing is less than nothing.
        if text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) { text } else { text.replace('-', "+") }
    }

    /// What is known of a position, in words.
    fn words(&self, worth: Worth) -> String {
        let word = worth.verdict().word();
        let about = worth.estimate.map_or(String::new(), |about| format!(", perhaps {}", self.amount(about)));
        match (worth.bounds.value(), worth.verdict()) {
            (Some(value), _) if self.has_points => format!("a proven {word} ({:+})", value.0),
            (_, Verdict::Unknown) => match (worth.bounds.pess.0, worth.bounds.opti.0, worth.estimate) {
                (0.., ..) => format!("at least a draw{about}"),
                (_, ..=0, _) => format!("at most a draw{about}"),
                (.., Some(estimate)) => format!("an estimate of {}", self.amount(estimate)),
                (.., None) => "unknown".to_owned(),
            },
            (Some(_), _) => format!("a proven {word}"),
            (None, _) => format!("a proven {word}{about}"),
        }
    }
}

/// The move that was made, what it has changed, and what would have been better.
pub fn sentence(review: &Review, m: &Judged) -> String {
    let side = &review.sides[m.mover.index()];
    let (before, after) = (review.words(m.before), review.words(m.after));
    let mut text = format!("{side} plays {}: ", m.mv);
    text += &if before == after { format!("still {after}") } else { format!("from {before} to {after}") };
    match &m.better {
        Some(Better { mv, proven: true }) => text += &format!("; better {mv}"),
        Some(Better { mv, proven: false }) => text += &format!("; perhaps better {mv}"),
        None => {}
    }
    if !m.refutation.is_empty() {
        let shown = m.refutation.iter().take(LINE).cloned().collect::<Vec<_>>().join(" ");
        let more = if m.refutation.len() > LINE { " …" } else { "" };
        text += &format!("; it is answered by {shown}{more}");
    }
    text
}

/// How both players have played, and the turning points.
pub fn summary(review: &Review) -> String {
    let mut text = String::new();
    for player in Player::BOTH {
        let of = review.of(player);
        let loss = of.average_loss.map_or("unknown".to_owned(), |loss| format!("{loss:.2}"));
        text += &format!(
            "{}: {}, {}, {}, average loss {loss} ({} judged by proofs, {} by estimates)\n",
            review.sides[player.index()],
            counted(of.moves, "move"),
            counted(of.mistakes, "mistake"),
            counted(of.turning_points, "turning point"),
            of.proven,
            of.estimated,
        );
    }
    let mut turning_points = review.turning_points().peekable();
    if turning_points.peek().is_none() {
        return text + "no turning points found\n";
    }
    text += "turning points:\n";
    for m in turning_points {
        text += &format!("  ply {}, {}\n", m.ply, sentence(review, m));
    }
    text
}

/// All moves, a row each, in the view of the player who made them; turning points are marked.
pub fn table(review: &Review) -> String {
    let longest = |words: &mut dyn Iterator<Item = &str>| words.map(|word| word.chars().count()).max();
    let width = longest(&mut review.moves.iter().map(|m| &*m.mv).chain(["move"])).unwrap_or_default();
    let side_width =
        longest(&mut review.sides.iter().map(|side| &**side).chain(["mover"])).unwrap_or_default();
    let row = |mark: &str, ply: &str, side: &str, mv: &str, cells: [&str; 4]| {
        let [before, after, loss, better] = cells;
        let who = format!("{mark} {ply:>3}  {side:<side_width$}  {mv:<width$}");
        format!("{who}  {before:>7}  {after:>7}  {loss:>5}  {better}").trim_end().to_owned() + "\n"
    };
    let mut text = row(" ", "ply", "mover", "move", ["before", "after", "loss", "better"]);
    for m in &review.moves {
        let mark = if m.turning_point { "*" } else { " " };
        let loss = m.loss.map_or("?".to_owned(), |loss| match m.basis {
            Some(Basis::Proof) if loss.fract() == 0.0 => format!("{loss}"),
            _ => format!("{loss:.2}"),
        });
        let better = m.better.as_ref().map_or(String::new(), |better| {
            if better.proven { better.mv.clone() } else { format!("{}?", better.mv) }
        });
        let cells = [&review.worth(m.before), &review.worth(m.after), &loss, &better];
        text +=
            &row(mark, &m.ply.to_string(), &review.sides[m.mover.index()], &m.mv, cells.map(String::as_str));
    }
    text + "* turning point, ~ an estimate, ? not known or not proven\n"
}

/// The game as an SGF file in which every move has its sentence as a comment.
pub fn annotated_sgf(record: &Record, review: &Review) -> Result<String, TextError> {
    let comments: Vec<String> = review.moves.iter().map(|m| sentence(review, m)).collect();
    record.sgf(&comments)
}
