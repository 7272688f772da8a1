//! The answer of a search as a sentence.

use crate::estimate;
use crate::json::pair;
use crate::points::Points;
use crate::text::counted;
use proofplay_core::{Bounds, Player, Score};
use proofplay_registry::DynPosition;
use proofplay_search::{Ask, Halt, Report, SearchSpec, Verdict};

/// What is known about a position that is not over, and the move to play.
pub fn sentence(pos: &dyn DynPosition, report: &Report<String>) -> String {
    let (side, points) = (pos.side(pos.turn()), points(pos, report));
    let within = within(report);
    let named = named(pos, report);
    match Verdict::of(report.bounds, pos.turn()) {
        Verdict::Win => format!("{side} to move wins{within}{points}: {named}"),
        Verdict::Draw => format!("{side} to move draws{points}: {named}"),
        Verdict::Loss => format!("{side} to move loses{within}{points} against best play; {named}"),
        Verdict::Unknown => {
            let own = report.bounds.seen_by(pos.turn());
            let known = match (own.pess.0, own.opti.0) {
                (0.., _) => format!("{side} to move has at least a draw"),
                (_, ..=0) => format!("{side} to move has at most a draw"),
                _ => format!("nothing is proven yet about {side} to move"),
            };
            format!("not solved: {known}; {named}")
        }
    }
}

/// When the game ends, where that is proven.
fn within(report: &Report<String>) -> String {
    report.plies.map_or(String::new(), |plies| format!(" in {}", counted(plies, "ply")))
}

/// What is missing where the value was proven and not all of the plies.
pub fn without_plies(ask: Ask, report: &Report<String>) -> Option<&'static str> {
    if !ask.distances() || !report.bounds.is_exact() || report.is_solved(ask) {
        return None;
    }
    Some(match report.is_solved(Ask::Value.with_distances()) {
        true => "not proven yet: what every move is worth, and in how many plies",
        false => "not proven yet: in how many plies",
    })
}

/// A proven value as a word, with its score and the plies to the end of the game where they are
/// known: `win`, `win in 5`, `loss -3 in 4`.
pub fn value_text(word: &str, score: Option<Points>, plies: Option<u32>) -> String {
    let score = score.map_or(String::new(), |score| format!(" {score}"));
    let plies = plies.map_or(String::new(), |plies| format!(" in {plies}"));
    format!("{word}{score}{plies}")
}

/// Why a search has ended without an answer, and what would help, where that is not a limit that
/// the user has set.
pub fn advice(spec: &SearchSpec, report: &Report<String>) -> String {
    match (report.halt, spec.proves_only()) {
        (Halt::Memory, _) => {
            "the memory is full and nothing more can be proven: allow more with --memory\n".into()
        }
        (Halt::Exhausted, Some(only)) => format!("nothing is left to be found: {only}; try score-bounded\n"),
        (Halt::Exhausted, None) => "nothing is left to be found by this search; try score-bounded\n".into(),
        _ => String::new(),
    }
}

/// The move to play for a program: none where the value is known but no move is proven to preserve
/// it.
pub fn best_move(pos: &dyn DynPosition, report: &Report<String>) -> Option<String> {
    let guess = report.bounds.is_exact() && !report.best_is_proven(pos.turn());
    report.best.clone().filter(|_| !guess)
}

/// The move to play, and what is known about it. A winning move is called best only if it wins at
/// once: others may not be the shortest way.
fn named(pos: &dyn DynPosition, report: &Report<String>) -> String {
    let best = report.best.as_deref().unwrap_or("none");
    let verdict = Verdict::of(report.bounds, pos.turn());
    let after = report.moves.iter().find(|m| m.mv == best).map(|m| Verdict::of(m.bounds, pos.turn()));
    let (exact, proven) = (report.bounds.is_exact(), report.best_is_proven(pos.turn()));
    let ends = if ends_with(pos, best) { ", which ends the game" } else { "" };
    match verdict {
        Verdict::Unknown => format!("best move so far {best}"),
        Verdict::Loss => format!("try {best}"),
        // The score may be better, but it is a win.
        Verdict::Win if !exact && after == Some(Verdict::Win) => format!("a winning move is {best}{ends}"),
        _ if !proven => format!("by which move is not proven; try {best}"),
        Verdict::Win if !ends.is_empty() || report.plies.is_some() => format!("best move {best}{ends}"),
        Verdict::Win if has_points(pos) => format!("a move that keeps this score is {best}"),
        Verdict::Win => format!("a winning move is {best}"),
        Verdict::Draw => format!("best move {best}{ends}"),
    }
}

/// Whether the game is over after a move.
fn ends_with(pos: &dyn DynPosition, mv: &str) -> bool {
    let mut next = pos.boxed();
    next.play(mv).is_ok() && next.outcome().is_some()
}

/// Whether more than win, draw and loss is at stake.
pub fn has_points(pos: &dyn DynPosition) -> bool {
    estimate::has_points(pos.range())
}

/// The score, where there are points, as far as it is known.
fn points(pos: &dyn DynPosition, report: &Report<String>) -> String {
    let (side, [pess, opti]) = (pos.side(Player::First), pair(&pos.game(), report.bounds));
    match report.bounds.is_exact() {
        _ if !has_points(pos) => String::new(),
        true => format!(" (score {pess} for {side})"),
        false => format!(" (score {pess} to {opti} for {side}, not yet exact)"),
    }
}

/// What bounds in the view of `First` mean for the player to move, in JSON: null when the game is
/// over.
pub fn value_word(pos: &dyn DynPosition, bounds: Bounds) -> Option<&'static str> {
    pos.outcome().is_none().then(|| Verdict::of(bounds, pos.turn()).word())
}

/// `first`, `second` or `draw`: how a finished game ended, in JSON.
pub fn outcome_word(score: Score) -> String {
    score.winner().map_or("draw".to_owned(), |player| player.to_string())
}

/// How a finished game ended, for a person.
pub fn outcome_sentence(pos: &dyn DynPosition, score: Score) -> String {
    end_sentence(&pos.game(), score, |winner| format!("{} has won", pos.side(winner)))
}

/// The same, where `has_won` says who has won.
pub fn end_sentence(game: &str, score: Score, has_won: impl Fn(Player) -> String) -> String {
    let points = Points::of(game, score).amount();
    // Where nothing but win and loss is at stake, every win has one point.
    let points = if points == 1.0 { String::new() } else { format!(" by {}", counted(points, "point")) };
    let result = score.winner().map_or("a draw".to_owned(), |winner| has_won(winner) + &points);
    format!("the game is over: {result}")
}
