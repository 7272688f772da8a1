//! Many positions of one game, a line of text each, for one search.
//!
//! ```text
//! 4 4 3             the position after these moves
//!                   an empty line: the start
//! position TEXT     a position as text
//! # TEXT            a comment
//! ```

use proofplay_registry::{DynSearch, SetupError};

/// Moves a search to the position of a line. `false` if the line is a comment, which wants no answer. After an error the search
/// stays where it is.
pub fn go_to(search: &mut dyn DynSearch, line: &str) -> Result<bool, SetupError> {
    let line = line.trim();
    if line.starts_with('#') {
        return Ok(false);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if word == "position" {
        search.go_to(Some(rest.trim()), &[])?;
    } else {
        let moves: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        search.go_to(None, &moves)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto::{AUTO, algorithm};
    use proofplay_core::Rng;
    use proofplay_registry::{AnyPosition, AnySearch, game};
    use proofplay_search::{Ask, Limits, Report, Resources, Run};

    fn search(pos: &AnyPosition, spec: &str) -> AnySearch {
        let resources = Resources { memory: 1 << 22, ..Resources::default() };
        let spec = algorithm(spec, pos.as_ref()).parse().unwrap();
        pos.start_search(&spec, resources).unwrap()
    }

    #[test]
    fn lines() {
        let start = game("tictactoe").unwrap().start();
        let mut search = search(&start, AUTO);
        for (line, text) in [
            (" b2\ta1 ", ".../.x./o.. x"),
            ("B2 A1", ".../.x./o.. x"),
            ("", ".../.../... x"),
            ("position x../.../... o", "x../.../... o"),
            ("position \t o../.x./... x ", "o../.x./... x"),
        ] {
            assert_eq!(go_to(&mut *search, line), Ok(true), "{line}");
            assert_eq!(search.position().text(), text, "{line}");
        }
        let before = search.position().text();
        assert_eq!(go_to(&mut *search, "# b2"), Ok(false));
        for (line, error) in [
            ("b2 b2", "ply 2: "),
            ("position x", "position `x`"),
            ("position", "position ``"),
            ("positions", "ply 1: "),
        ] {
            let refused = go_to(&mut *search, line).unwrap_err().to_string();
            assert!(refused.starts_with(error), "{line}: {refused}");
        }
        assert_eq!(search.position().text(), before, "comments and errors change nothing");
    }

    /// Random positions of a game as lines, by moves and as text.
    fn some_lines(name: &str, count: usize, plies: u32, rng: &mut Rng) -> Vec<String> {
        let line = |_| {
            let (mut pos, mut moves) = (game(name).unwrap().start(), Vec::new());
            for _ in 0..rng.below(plies) {
                let legal = pos.legal();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[rng.below(legal.len() as u32) as usize].clone();
                pos.play(&mv).unwrap();
                moves.push(mv);
            }
            // The text of a position has no history: it may be another position.
            if rng.below(4) == 0 { format!("position {}", pos.text()) } else { moves.join(" ") }
        };
        (0..count).map(line).collect()
    }

    /// The position of a line, without a search.
    fn reached(name: &str, line: &str) -> AnyPosition {
        let rules = game(name).unwrap();
        if let Some(text) = line.strip_prefix("position ") {
            return rules.parse(text).unwrap();
        }
        let mut pos = rules.start();
        line.split_whitespace().for_each(|mv| pos.play(mv).unwrap());
        pos
    }

    /// One search for all lines says what a new search for each of them does, also where positions repeat.
    #[test]
    fn answers_are_those_of_single_searches() {
        let limits = Limits { nodes: Some(30_000), simulations: Some(300), ..Limits::default() };
        let told = |report: &Report<String>| (report.bounds, report.best.clone(), report.pv.clone());
        for (name, plies) in [
            ("connect4:4x4", 14),
            ("domineering:4x4", 6),
            ("nogo:3x3", 6),
            ("written:((+ -) = (- = 1(+ 2(- =))))", 4),
            ("go:2x2", 12),
            ("go:3x2", 8),
            ("pentalath:2,k=3", 8),
            ("loa:4x4", 10),
            ("checkers:4x4,rows=1", 9),
        ] {
            let (mut rng, start) = (Rng::new(7), game(name).unwrap().start());
            let lines = some_lines(name, 40, plies, &mut rng);
            for spec in [AUTO, "mcts"] {
                let (mut kept, mut solved, mut nodes) = (search(&start, spec), 0, (0, 0));
                for line in &lines {
                    assert_eq!(go_to(&mut *kept, line), Ok(true), "{name}: {line}");
                    let mut single = search(&reached(name, line), spec);
                    let mut report = kept.run(Ask::Value, &mut Run::new(limits)).unwrap();
                    let alone = single.run(Ask::Value, &mut Run::new(limits)).unwrap();
                    solved += usize::from(alone.bounds.is_exact());
                    if spec == AUTO && !start.repeats() {
                        assert_eq!(told(&report), told(&alone), "{name}: {line}");
                        nodes = (nodes.0 + report.nodes, nodes.1 + alone.nodes);
                    } else {
                        report.elapsed = alone.elapsed;
                        assert_eq!(report, alone, "{spec} on {name}: {line}");
                    }
                }
                assert!(nodes.0 < nodes.1 || nodes.1 == 0, "{name}: {nodes:?} nodes, so no table was kept");
                assert!(spec != AUTO || solved >= 20, "{name}: {solved} of {} are solved", lines.len());
            }
        }
    }
}
