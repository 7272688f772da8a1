//! Records of tables as text, `results/TABLE.jsonl`: a line of JSON for each cell, in the order of
//! the table.
//!
//! The text follows from the records alone, and lines of cells that have not changed stay as they
//! are, so that a difference between two versions shows what was measured again.

use super::record::Record;
use super::results::{Learned, TableResult};
use super::{Scale, Table, tables};
use crate::{LabError, Store};

/// The name of a table's file.
pub fn file_name(table: &Table) -> String {
    format!("{}.jsonl", table.id)
}

/// Reads the records of a table from the text of a file; `name` is for errors.
pub fn parse(table: &Table, name: &str, text: &str) -> Result<Vec<Record>, LabError> {
    let mut records: Vec<Record> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let wrong = |what: String| LabError::Record { path: name.to_owned(), line: number, what };
        let record: Record = serde_json::from_str(line).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let text = error.to_string();
            wrong(format!("{} (column {})", text.strip_suffix(&place).unwrap_or(&text), error.column()))
        })?;
        let is_same = |row: &str, column: &str| row == record.row && column == record.column;
        if !table.cells.iter().any(|cell| is_same(&cell.row, &cell.column)) {
            let what = format!("the table {} has no cell `{}`, `{}`", table.id, record.row, record.column);
            return Err(wrong(what));
        }
        if records.iter().any(|other| is_same(&other.row, &other.column)) {
            return Err(wrong(format!("a second line of the cell `{}`, `{}`", record.row, record.column)));
        }
        if let Some(flaw) = record.flaw() {
            return Err(wrong(flaw));
        }
        records.push(record);
    }
    Ok(records)
}

/// The text of what is known of a table.
pub fn text(result: &TableResult) -> String {
    let line = |record: &Record| serde_json::to_string(record).expect("records are plain data") + "\n";
    result.records().map(line).collect()
}

/// Every table as its file has it. `read` returns the text of a file, or `None` if there is none.
pub fn recorded<E: From<LabError>>(
    mut read: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Vec<TableResult>, E> {
    let table = |table: Table| {
        let name = file_name(&table);
        let records = match read(&name)? {
            Some(text) => parse(&table, &name, &text)?,
            None => Vec::new(),
        };
        Ok(TableResult::recorded(table, records))
    };
    tables(Scale::PAPER).into_iter().map(table).collect()
}

/// Which of two lines of a cell stays, in files, in stores and on pages. Besides, a summary never
/// takes the place of a line that has the trials.
pub const PRECEDENCE: &str = "A new line takes the place of an old one only if its limits are at least as large and its trials \
                              at least as many.";

/// Puts records into a store, where they answer for trials that it does not have. Returns the tables
/// that have records, with the number that changed the store.
pub fn import<'a>(
    results: &'a [TableResult],
    store: &Store,
) -> Result<Vec<(&'a TableResult, Learned)>, LabError> {
    let there = results.iter().filter(|result| result.records().next().is_some());
    there.map(|result| Ok((result, put(&result.table, result.records().cloned(), store)?))).collect()
}

/// Puts records of a table into a store.
pub(super) fn put(
    table: &Table,
    records: impl IntoIterator<Item = Record>,
    store: &Store,
) -> Result<Learned, LabError> {
    let mut all = imported(table, store)?;
    let learned = all.learn(records);
    if learned.changed > 0 {
        store.set_records(table.id, &text(&all))?;
    }
    Ok(learned)
}

/// The records of a table that were put into a store.
pub fn imported(table: &Table, store: &Store) -> Result<TableResult, LabError> {
    let lines = store.records(table.id)?.unwrap_or_default();
    let records = parse(table, &format!("{} in the store", file_name(table)), &lines)?;
    let mut result = TableResult::recorded(table.clone(), records);
    result.cells.iter_mut().for_each(|cell| cell.imported = cell.record.is_some());
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{Found, Verdict, findings, load, reproduce};
    use crate::report::{Notes, markdown};
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    /// A file of this project.
    fn file(path: &str) -> PathBuf {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
    }

    fn committed(name: &str) -> Option<String> {
        std::fs::read_to_string(file("results").join(name)).ok()
    }

    fn known() -> Vec<TableResult> {
        recorded::<LabError>(|name| Ok(committed(name))).unwrap()
    }

    fn memory() -> Store {
        Store::open(Path::new(":memory:")).unwrap()
    }

    fn named(id: &str, scale: Scale) -> Table {
        tables(scale).into_iter().find(|table| table.id == id).unwrap()
    }

    /// A line of the table exact-win-2.
    fn line(scale: &str, trials: u64, found: &str) -> String {
        format!(
            r#"{{"row":"MCTS","column":"A1","scale":"{scale}","conditions":{{"game":"tictactoe","searches":["mcts"]}},"trials":{trials},"found":{found}}}"#
        )
    }

    #[test]
    fn the_page_says_what_the_results_say() {
        let results = known();
        let page = markdown(&results, &findings(&results), Some(Notes::REPRODUCTION));
        assert!(
            std::fs::read_to_string(file("REPRODUCTION.md")).unwrap() == page,
            "REPRODUCTION.md is not what results/ says; renew it: \
             cargo run --release -- report --from results --out REPRODUCTION.md"
        );
        let notes = std::fs::read_to_string(file(Notes::REPRODUCTION.path)).unwrap();
        for result in &results {
            let anchor = format!("<a id=\"{}\"></a>", result.table.id);
            assert!(notes.contains(&anchor), "{} has no {anchor}", Notes::REPRODUCTION.path);
        }
    }

    /// What was imported is exported unchanged, even after a second import.
    #[test]
    fn export_of_an_import_is_the_same_text() {
        let store = memory();
        for _ in 0..2 {
            let (results, new) = (known(), store.records("pp-4").unwrap().is_none());
            for (result, learned) in import(&results, &store).unwrap() {
                let changed = if new { result.records().count() } else { 0 };
                assert_eq!(learned, Learned { changed, kept: 0 }, "{}", result.table.id);
            }
            for result in load(&store, Scale::PAPER).unwrap() {
                let name = file_name(&result.table);
                assert_eq!(Some(text(&result)), committed(&name), "{name}");
            }
        }
    }

    #[test]
    fn trials_take_the_place_of_summaries() {
        let (store, table) = (memory(), named("exact-win-2", Scale::Quick));
        let of = |scale: &str, trials, found: &str| {
            let table = named("exact-win-2", Scale::PAPER);
            let records = parse(&table, "x", &line(scale, trials, found)).unwrap();
            TableResult::recorded(table, records)
        };
        let summary = r#"{"summary":{"mean":26.5,"interval":[25,28]}}"#;
        import(&[of("quick", 20, summary)], &store).unwrap();
        let loaded = || {
            let all = load(&store, Scale::PAPER).unwrap();
            all.into_iter().find(|result| result.table.id == "exact-win-2").unwrap()
        };
        let figure = |result: &TableResult| result.figure("MCTS", "A1").map(|figure| figure.mean);
        assert_eq!((figure(&loaded()), loaded().records().count()), (Some(26.5), 1));
        let done = reproduce(table, Scale::Quick, 2, &store, &Arc::default(), &mut |_| ()).unwrap();
        assert_eq!((figure(&loaded()), loaded().records().count()), (figure(&done), 13));
        let record = loaded().records().next().unwrap().clone();
        assert!(matches!(&record.found, Found::Runs { numbers, .. } if numbers.len() == 20));
        assert!(record.version.is_some() && record.signature.is_some());
        // But not of those with more trials.
        let mut kept = of("paper", 21, summary);
        assert_eq!(kept.learn(loaded().records().cloned()), Learned { changed: 12, kept: 1 });
        assert_eq!((figure(&kept), kept.records().count()), (Some(26.5), 13));
        // The lines of a table are in its order, whatever the order of the records.
        let all: Vec<Record> = loaded().records().rev().cloned().collect();
        assert_eq!(text(&TableResult::recorded(loaded().table, all)), text(&loaded()));
    }

    /// Neither larger limits nor more trials alone take the place of a line, nor does a summary take
    /// that of trials.
    #[test]
    fn one_rule_for_all() {
        let table = named("exact-win-2", Scale::PAPER);
        let record = |scale: &str, trials, found: &str| {
            parse(&table, "x", &line(scale, trials, found)).unwrap().remove(0)
        };
        let summary = r#"{"summary":{"mean":3,"interval":[2,4]}}"#;
        let few = record("paper", 2, r#"{"runs":{"numbers":[3,4]}}"#);
        let quick = record("quick", 24, summary);
        let full = record("paper", 24, summary);
        let supersedes = |a: &Record, b: &Record| [a.supersedes(b), b.supersedes(a)];
        assert_eq!(supersedes(&few, &quick), [false, false], "neither says all that the other says");
        assert_eq!(supersedes(&full, &quick), [true, false]);
        assert_eq!(supersedes(&full, &full), [true, true]);
        assert_eq!(supersedes(&record("paper", 2, summary), &few), [false, true]);
        let mut known = TableResult::recorded(table.clone(), vec![quick.clone()]);
        assert_eq!(known.learn([few]), Learned { changed: 0, kept: 1 });
        assert_eq!(known.learn([quick]), Learned::default());
        assert_eq!(known.learn([full]), Learned { changed: 1, kept: 0 });
        // The pages that tell the rule.
        for page in ["results/README.md", "CONTRIBUTING.md"] {
            let text = std::fs::read_to_string(file(page)).unwrap();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(PRECEDENCE), "{page}");
        }
    }

    /// A store has an exact table only after it was asked for.
    #[test]
    fn a_store_has_what_was_put_there() {
        let store = memory();
        let tables_of = |store: &Store| {
            let all = load(store, Scale::PAPER).unwrap().into_iter();
            let there = all.filter(|result| result.records().next().is_some());
            there.map(|result| result.table.id).collect::<Vec<_>>()
        };
        assert!(tables_of(&store).is_empty());
        for _ in 0..2 {
            let table = named("score-bounded-1", Scale::Quick);
            let done = reproduce(table, Scale::Quick, 1, &store, &Arc::default(), &mut |_| ()).unwrap();
            assert_eq!((done.imported(), done.is_complete()), (0, true), "computed, not imported");
            assert_eq!(tables_of(&store), ["score-bounded-1"]);
        }
    }

    /// What was imported is not measured again, if it has the limits and trials that are asked for.
    #[test]
    fn imported_cells_are_not_measured_again() {
        let store = memory();
        import(&known(), &store).unwrap();
        let stop = Arc::default();
        let done =
            |id: &str, scale| reproduce(named(id, scale), scale, 2, &store, &stop, &mut |_| ()).unwrap();
        for (id, scale) in [("pp-4", Scale::PAPER), ("score-bounded-6", Scale::PAPER), ("pp-4", Scale::Quick)]
        {
            let result = done(id, scale);
            assert_eq!(result.imported(), result.cells.len(), "{id}");
            assert!(
                result.is_complete()
                    && result.records().eq(imported(&result.table, &store).unwrap().records())
            );
        }
        assert!(store.experiments().unwrap().is_empty(), "nothing was measured");
        // 100 runs are there, 120 are asked for.
        let more = done("exact-win-2", Scale::Percent(120.0));
        assert_eq!((more.imported(), more.cells[0].figure.unwrap().trials), (0, 120));
        // Another search than the one that is planned.
        let store = memory();
        let table = named("score-bounded-2", Scale::PAPER);
        let old = committed(&file_name(&table)).unwrap().replace("alphabeta", "minimax");
        let records = parse(&table, "x", &old).unwrap();
        import(&[TableResult::recorded(table.clone(), records)], &store).unwrap();
        let result = reproduce(table, Scale::PAPER, 2, &store, &Arc::default(), &mut |_| ()).unwrap();
        assert_eq!((result.imported(), result.is_complete()), (0, true));
    }

    /// All trials of a paper take the place of those of `quick`.
    #[test]
    fn the_papers_have_more_trials() {
        for (paper, quick) in tables(Scale::PAPER).into_iter().zip(tables(Scale::Quick)) {
            for (cell, other) in paper.cells.iter().zip(&quick.cells) {
                assert_eq!((&cell.row, &cell.column), (&other.row, &other.column));
                let [all, few] = [&paper.experiments[cell.experiment], &quick.experiments[other.experiment]];
                assert!(all.trials >= few.trials, "{}: {} {}", paper.id, cell.row, cell.column);
            }
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        let table = named("exact-win-2", Scale::PAPER);
        let right = line("paper", 2, r#"{"runs":{"numbers":[3,4]}}"#);
        let read = |text: &str| parse(&table, "a.jsonl", text);
        let result = TableResult::recorded(table.clone(), read(&right).unwrap());
        assert_eq!(text(&result).trim_end(), right);
        assert_eq!(result.figure("MCTS", "A1").unwrap().mean, 3.5);
        let other = right.replace("A1", "A2");
        for (line, why) in [
            (right.replace("trials", "trails"), "unknown field `trails`"),
            (right.replace("\"game\"", "\"gmae\""), "unknown field `gmae`"),
            (right.replace("numbers", "number"), "unknown field `number`"),
            (right.replace("runs", "walks"), "unknown variant `walks`"),
            (right.replace("paper", "slow"), "expected quick, paper"),
            (right.replace("A1", "A9"), "the table exact-win-2 has no cell `MCTS`, `A9`"),
            (right.replace(":2,", ":3,"), "`trials` is 3, but 2 were found"),
            (right.replace(":2,", ":0,"), "expected at least 1"),
            (right.replace("[3,4]", "[3,4"), "expected `,` or `]`"),
            (other.clone(), "a second line of the cell `MCTS`, `A2`"),
            (self::line("paper", 9, r#"{"share":10}"#), "`trials` is 9, but 10 were found"),
            (
                self::line("paper", 2, r#"{"summary":{"mean":5,"interval":[1,4]}}"#),
                "the mean 5 is not between",
            ),
            (
                self::line(
                    "paper",
                    2,
                    r#"{"games":{"wins":1,"draws":0,"losses":1,"pairs":[0,0,0,0,0],"lone":[1,0,0]}}"#,
                ),
                "2 games, but 1 in pairs and alone",
            ),
        ] {
            let error = read(&format!("{other}\n{line}\n")).unwrap_err().to_string();
            assert!(error.starts_with("`a.jsonl`, line 2: ") && error.contains(why), "{error}");
        }
    }

    /// Figures are computed from counts, summaries are taken as they are.
    #[test]
    fn figures_follow_from_records() {
        let table = named("mcts-solver-2", Scale::PAPER);
        let of = |found: &str, trials| {
            let line = line("quick", trials, found).replace("A1", "MIA 2000");
            let result = TableResult::recorded(table.clone(), parse(&table, "x", &line).unwrap());
            let cell = result.cell("MCTS", "MIA 2000").unwrap().clone();
            (cell.figure.unwrap(), cell.verdict)
        };
        let tally = r#"{"games":{"wins":3,"draws":2,"losses":3,"pairs":[1,0,2,0,1],"lone":[0,0,0]}}"#;
        let (games, verdict) = of(tally, 8);
        assert_eq!((games.mean, games.trials, verdict), (50.0, 8, Verdict::Reproduced));
        // Wilson's interval of 7 of 10 is 39.7 to 89.2.
        let (share, _) = of(r#"{"share":7}"#, 10);
        assert_eq!((share.mean, share.low().round(), share.high().round()), (70.0, 40.0, 89.0));
        let (stopped, verdict) = of(r#"{"runs":{"numbers":[50,70],"stopped":{"trials":1,"at":70}}}"#, 2);
        assert_eq!((stopped.mean, stopped.stopped_at, verdict), (60.0, Some(70.0), Verdict::NotComparable));
    }
}
