//! How much the computer thinks about a move, as a person says it: `2s`, `10k`, `10k nodes`.

use crate::amounts::{show_time, some, some_time};
use proofplay_search::{Limits, SearchSpec};

/// Reads a level. A number alone is of playouts, or of nodes if the search makes no playouts.
pub fn read(text: &str, spec: &SearchSpec) -> Result<Limits, String> {
    let wrong = || {
        format!(
            "level `{text}`: expected a time, or a number of playouts or nodes, e.g. 2s, 10k or 10k nodes"
        )
    };
    let lower = text.to_lowercase();
    let (amount, unit) = match lower.split_once(' ') {
        Some((amount, unit)) => (&text[..amount.len()], unit.trim()),
        None => (text, ""),
    };
    let count = some(amount).ok();
    let simulates = spec.counts_simulations();
    match (unit, count) {
        ("playouts", Some(_)) if !simulates => Err(format!("level `{text}`: this search makes no playouts")),
        ("playouts", Some(_)) => Ok(Limits { simulations: count, ..Limits::default() }),
        ("nodes", Some(_)) => Ok(Limits { nodes: count, ..Limits::default() }),
        ("", Some(_)) if simulates => Ok(Limits { simulations: count, ..Limits::default() }),
        ("", Some(_)) => Ok(Limits { nodes: count, ..Limits::default() }),
        ("", None) => {
            let time = some_time(amount).map_err(|_| wrong())?;
            Ok(Limits { time: Some(time), ..Limits::default() })
        }
        _ => Err(wrong()),
    }
}

/// Limits for a person: `2s`, `10000 playouts`; `no limit` if there is none.
pub fn show(limits: &Limits) -> String {
    let parts = [
        limits.time.map(show_time),
        limits.simulations.map(|count| format!("{count} playouts")),
        limits.nodes.map(|count| format!("{count} nodes")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "no limit".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        let read_for = |spec: &str, text: &str| read(text, &spec.parse().unwrap());
        for (spec, text, shown) in [
            ("mcts", "2s", "2s"),
            ("mcts", "1.5s", "1500ms"),
            ("mcts", "10k", "10000 playouts"),
            ("mcts", "5M Nodes", "5000000 nodes"),
            ("mcts", "7 playouts", "7 playouts"),
            ("alphabeta", "10k", "10000 nodes"),
            ("alphabeta", "5m", "5m"),
        ] {
            assert_eq!(show(&read_for(spec, text).unwrap()), shown, "{text}");
        }
        assert_eq!(show(&Limits::default()), "no limit");
        for text in ["", "0", "0s", "fast", "-1", "2 seconds", "10k 10k", "é nodes"] {
            let error = read_for("mcts", text).unwrap_err();
            assert!(error.contains(&format!("`{text}`")) && error.contains("10k nodes"), "{error}");
        }
        assert!(read_for("alphabeta", "7 playouts").unwrap_err().ends_with("makes no playouts"));
    }
}
