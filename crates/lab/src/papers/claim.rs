//! What a paper claims in words, and whether our tables agree.

use super::figure::{Figure, Unit};
use super::results::TableResult;
use crate::stats::mean;
use proofplay_front::text::counted;
use serde::Serialize;

/// A claim of a paper, checked.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Which tables it rests on.
    pub tables: Vec<&'static str>,
    /// The claim.
    pub claim: String,
    /// Whether it holds; `None` if the trials do not decide it.
    pub holds: Option<bool>,
    /// The reason.
    pub evidence: String,
}

impl Finding {
    /// `pass`, `fail` or `open`.
    pub fn word(&self) -> &'static str {
        match self.holds {
            Some(true) => "pass",
            Some(false) => "fail",
            None => "open",
        }
    }

    /// A player scores more than half: the whole interval must lie on one side of it.
    pub fn beats(table: &'static str, claim: impl Into<String>, score: Option<&Figure>) -> Finding {
        let (holds, evidence) = match score {
            None => (None, "not run".to_owned()),
            Some(score) => {
                let holds = if score.low() > 50.0 {
                    Some(true)
                } else if score.high() < 50.0 {
                    Some(false)
                } else {
                    None
                };
                let (low, high) = (score.low(), score.high());
                let games = counted(score.trials, "game");
                (holds, format!("{:.1} % of {games} ({low:.1} … {high:.1})", score.mean))
            }
        };
        Finding { tables: vec![table], claim: claim.into(), holds, evidence }
    }

    /// One share or score is larger than another: the whole interval of their difference must lie
    /// on one side of 0.
    pub fn more(
        table: &'static str,
        claim: impl Into<String>,
        one: Option<&Figure>,
        other: Option<&Figure>,
    ) -> Option<Finding> {
        let (one, other) = (one?, other?);
        let holds = one.exceeds(other);
        let show = |figure: &Figure| {
            format!("{} ({})", figure.show(Unit::Percent), figure.show_interval(Unit::Percent))
        };
        let trials = trials_of(&[one, other], "trial");
        let evidence = format!("{} against {}, {trials} each", show(one), show(other));
        Some(Finding { tables: vec![table], claim: claim.into(), holds, evidence })
    }

    /// One table's figures are smaller than another's, cell by cell, wherever the paper has a
    /// factor of at least `factor`: the mean of the logarithms of the ratios must be below 0 with
    /// its whole interval, or every single cell's interval below the other's.
    pub fn fewer(
        claim: impl Into<String>,
        few: Option<&TableResult>,
        many: Option<&TableResult>,
        factor: f64,
    ) -> Option<Finding> {
        let (few, many) = (few?, many?);
        let (mut ratios, mut clearly, mut against) = (Vec::new(), 0, 0);
        for ours in &few.cells {
            let Some(other) = many.cell(&ours.row, &ours.column) else { continue };
            let printed = |cell: &super::CellResult| match cell.printed {
                super::Printed::Exactly(figure) | super::Printed::MoreThan(figure) => Some(figure),
                super::Printed::Nothing => None,
            };
            let (Some(small), Some(large)) = (printed(ours), printed(other)) else { continue };
            let (Some(a), Some(b)) = (&ours.figure, &other.figure) else { continue };
            // A figure that only says "more than" makes a ratio only as the larger one of the two.
            if large < factor * small || a.stopped_at.is_some() {
                continue;
            }
            ratios.push((a.mean.max(1.0) / b.mean.max(1.0)).ln());
            // Nothing is clear of several runs without an interval: a summary of runs some of which
            // were stopped.
            if [a, b].iter().all(|figure| figure.interval.is_some() || figure.trials == 1) {
                clearly += usize::from(a.high() < b.low());
                against += usize::from(a.low() > b.high());
            }
        }
        let cells = ratios.len();
        if cells == 0 {
            return None;
        }
        let ratio = mean(&ratios);
        let holds = if ratio.high < 0.0 || clearly == cells {
            Some(true)
        } else if ratio.low > 0.0 || against == cells {
            Some(false)
        } else {
            None
        };
        let evidence = format!(
            "ratio {:.2} ({:.2} … {:.2}) over {cells} cells; clearly fewer in {clearly}, clearly more in {against}",
            ratio.mean.exp(),
            ratio.low.exp(),
            ratio.high.exp(),
        );
        Some(Finding { tables: vec![few.table.id, many.table.id], claim: claim.into(), holds, evidence })
    }
}

/// How many trials figures rest on: `24 games`, or `4 to 24 games` if they differ.
pub fn trials_of(figures: &[&Figure], thing: &str) -> String {
    let all = || figures.iter().map(|figure| figure.trials);
    let (fewest, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let most_of_all = counted(most, thing);
    if fewest == most { most_of_all } else { format!("{fewest} to {most_of_all}") }
}
