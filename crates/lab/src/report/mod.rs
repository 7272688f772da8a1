//! All tables of the papers on one page: Markdown, or HTML that needs nothing else.

mod html;
mod markdown;
mod plot;

pub use html::html;
pub use markdown::{Notes, markdown};

use crate::Fold;
use crate::papers::{CellResult, TableResult};

/// The heads of the columns of [`row`].
pub const HEADS: [&str; 7] = ["row", "column", "paper", "ours", "95 %", "runs", "verdict"];

/// A cell as texts.
pub fn row(result: &TableResult, cell: &CellResult) -> [String; 7] {
    let unit = result.table.unit;
    let figure = cell.figure.as_ref();
    [
        cell.row.clone(),
        cell.column.clone(),
        cell.printed.show(unit),
        figure.map_or_else(|| "–".to_owned(), |figure| figure.show(unit)),
        figure.map_or_else(String::new, |figure| figure.show_interval(unit)),
        figure.map_or(0, |figure| figure.trials).to_string(),
        match &cell.missing {
            Some(why) => format!("{}: {why}", cell.verdict),
            None => cell.verdict.to_string(),
        },
    ]
}

/// How many cells have which verdict, on one line.
pub fn summary(result: &TableResult) -> String {
    let counts: Vec<String> =
        result.summary().iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    counts.join(", ")
}

/// The command that does a table.
pub fn command(result: &TableResult) -> String {
    format!("proofplay reproduce {} --scale {}", result.table.id, result.scale)
}

/// The plots of a table as SVG: its bars, a scatter of races, and lines for positions that were played to
/// their end.
pub fn plots(result: &TableResult) -> impl Iterator<Item = String> {
    [plot::bars(result), plot::scatter(result)].into_iter().flatten().chain(plot::courses(result))
}

/// The version of this program.
fn origin() -> String {
    format!("proofplay {}", env!("CARGO_PKG_VERSION"))
}

/// The command that does a table, and the signatures of the behaviour its trials rest on, folded
/// into one.
fn provenance(result: &TableResult) -> (String, String) {
    let (signatures, mut fold) = (result.signatures(), Fold::default());
    for digit in signatures.iter().flat_map(|signature| signature.bytes()) {
        fold.add(u64::from(digit));
    }
    let signature =
        if signatures.is_empty() { "no signature".to_owned() } else { format!("signature {}", fold.text()) };
    (command(result), signature)
}

/// What the verdicts mean.
const RULE: &str = "Reproduced: the printed figure lies in our 95 % interval, or both are the same exact value, or both say \"more \
                    than\". Close: within a quarter of the printed figure, or three percentage points of a score. Differs: neither. \
                    A search that was stopped at a limit is never close: it differs if it needs more than the printed figure, \
                    and cannot be compared otherwise. Times are of another machine than the papers'.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use crate::papers::{Scale, findings, load, reproduce, tables};
    use std::path::Path;
    use std::sync::Arc;

    #[test]
    fn pages_hold_every_table() {
        let store = Store::open(Path::new(":memory:")).unwrap();
        for id in ["exact-win-2", "score-bounded-1", "score-bounded-2"] {
            let table = tables(Scale::Quick).into_iter().find(|table| table.id == id).unwrap();
            reproduce(table, Scale::Quick, 2, &store, &Arc::default(), &mut |_| ()).unwrap();
        }
        let results = load(&store, Scale::PAPER).unwrap();
        let findings = findings(&results);
        let (page, text) = (html(&results, &findings), markdown(&results, &findings, None));
        for result in &results {
            assert!(page.contains(&format!("id=\"{}\"", result.table.id)), "{}", result.table.id);
            assert!(text.contains(&command(result)));
        }
        assert!(text.contains("| A1 | 20 | ") || text.contains("| MCTS | A1 | 20 | "));
        assert!(text.contains("36 reproduced") && text.contains("81 reproduced"));
        // Self-contained: nothing is fetched, and what is opened is closed.
        assert!(!page.contains("<script src") && !page.contains("<link") && !page.contains("<img"));
        for tag in ["table", "svg", "section", "tr", "td"] {
            let count = |what: String| page.matches(&what).count();
            let opened = count(format!("<{tag} ")) + count(format!("<{tag}>"));
            assert_eq!(opened, count(format!("</{tag}>")), "{tag}");
        }
        assert!(page.contains("<svg"));
    }
}
