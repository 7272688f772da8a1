//! One page of HTML with its style and its plots inside.

use super::{RULE, origin, plots, provenance, row, summary};
use crate::papers::{CellResult, Finding, TableResult, Verdict};
use std::fmt::Write;

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
h1 { font-size: 1.7em } h2 { font-size: 1.25em; margin-top: 2em; border-top: 1px solid #ddd; padding-top: 1em }
table { border-collapse: collapse; margin: 1em 0 } th, td { border: 1px solid #ddd; padding: .25em .6em; text-align: right }
th { background: #f5f5f5; font-weight: 600 } td.text, th.text { text-align: left }
td small { display: block; color: #666 } code { background: #f3f3f3; padding: .1em .35em; border-radius: 3px }
.wide { overflow-x: auto } .legend span { padding: .15em .6em; margin-right: .4em; border-radius: 3px }
.reproduced, .pass { background: #d7efd9 } .close { background: #eaf3d2 } .differs { background: #f7dfc4 } .fail { background: #f5c6c3 }
.other { background: #f1f1f1; color: #666 }
";

/// Text that cannot be taken for HTML.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Close => "close",
        Verdict::DiffersFewer | Verdict::DiffersMore => "differs",
        _ => "other",
    }
}

/// Everything as one page.
pub fn html(results: &[TableResult], findings: &[Finding]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>proofplay: the papers' experiments, done again</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>The papers' experiments, done again</h1>\n<p>{}.</p>\n<p>{}</p>\n",
        plain(&origin()),
        plain(RULE)
    );
    page += "<p class=\"legend\"><span class=\"reproduced\">reproduced</span><span class=\"close\">close</span>\
             <span class=\"differs\">differs</span><span class=\"other\">no comparison</span></p>\n";
    page += "<h2>What the papers say</h2>\n<table>\n<tr><th class=\"text\">claim</th><th>holds</th>\
             <th class=\"text\">evidence</th></tr>\n";
    for finding in findings {
        let word = finding.word();
        let class = if word == "open" { "other" } else { word };
        let _ = writeln!(
            page,
            "<tr><td class=\"text\">{}</td><td class=\"{class}\">{word}</td><td class=\"text\">{}</td></tr>",
            plain(&finding.claim),
            plain(&finding.evidence)
        );
    }
    page += "</table>\n<h2>Tables</h2>\n<table>\n<tr><th class=\"text\">table</th><th class=\"text\">paper</th>\
             <th class=\"text\">cells</th></tr>\n";
    for result in results {
        let table = &result.table;
        let _ = writeln!(
            page,
            "<tr><td class=\"text\"><a href=\"#{}\">{}</a></td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
            table.id,
            plain(table.title),
            table.source,
            plain(&summary(result))
        );
    }
    page += "</table>\n";
    for result in results {
        section(&mut page, result);
    }
    page + "</body>\n</html>\n"
}

fn section(page: &mut String, result: &TableResult) {
    let (table, (command, signature)) = (&result.table, provenance(result));
    let _ = write!(
        page,
        "<section id=\"{}\">\n<h2>{}</h2>\n<p>{} · {}</p>\n<p>{}</p>\n<p><code>{}</code> ({signature})</p>\n<div class=\"wide\">\n<table>\n<tr><th></th>",
        table.id,
        plain(table.title),
        table.source,
        table.unit.name(),
        plain(&table.note),
        plain(&command)
    );
    let (rows, columns) = (table.names(|cell| &cell.row), table.names(|cell| &cell.column));
    for column in &columns {
        let _ = write!(page, "<th>{}</th>", plain(column));
    }
    *page += "</tr>\n";
    for name in rows {
        let _ = write!(page, "<tr><th class=\"text\">{}</th>", plain(name));
        for column in &columns {
            match result.cell(name, column) {
                Some(found) => cell(page, result, found),
                None => *page += "<td></td>",
            }
        }
        *page += "</tr>\n";
    }
    *page += "</table>\n</div>\n<p><small>Each cell: ours, its 95 % interval, the paper's.</small></p>\n";
    for drawing in plots(result) {
        let _ = writeln!(page, "<div class=\"wide\">{drawing}</div>");
    }
    *page += "</section>\n";
}

fn cell(page: &mut String, result: &TableResult, cell: &CellResult) {
    let [_, _, paper, ours, interval, runs, verdict] = row(result, cell);
    let _ = write!(
        page,
        "<td class=\"{}\" title=\"{}, {runs} runs\">{}<small>{}</small><small>paper {}</small></td>",
        class(cell.verdict),
        plain(&verdict),
        plain(&ours),
        plain(&interval),
        plain(&paper)
    );
}
