//! Plots as vector graphics.

use crate::papers::{Outcomes, Printed, TableResult, Unit};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

const OURS: RGBColor = RGBColor(74, 124, 184);
const PAPER: RGBColor = RGBColor(200, 90, 30);
const OTHER: RGBColor = RGBColor(90, 150, 90);
const GREY: RGBColor = RGBColor(120, 120, 120);

/// A bar of ours with its interval.
struct Bar {
    name: String,
    mean: f64,
    low: f64,
    high: f64,
    printed: Option<f64>,
}

/// Our figures as bars with their intervals, the printed ones as dashes. `None` if there is nothing
/// to draw, or no measure of length: values and chances are exact.
pub fn bars(result: &TableResult) -> Option<String> {
    let unit = result.table.unit;
    if matches!(unit, Unit::Value | Unit::Chance) {
        return None;
    }
    let bar = |cell: &crate::papers::CellResult| {
        let figure = cell.figure.as_ref()?;
        let (low, high) = figure.interval.unwrap_or((figure.mean, figure.mean));
        let printed = match cell.printed {
            Printed::Exactly(printed) | Printed::MoreThan(printed) => Some(printed),
            Printed::Nothing => None,
        };
        Some(Bar { name: format!("{}, {}", cell.row, cell.column), mean: figure.mean, low, high, printed })
    };
    let bars: Vec<Bar> = result.cells.iter().filter_map(bar).collect();
    if bars.is_empty() {
        return None;
    }
    let all = || bars.iter().flat_map(|bar| [Some(bar.mean), Some(bar.high), bar.printed]).flatten();
    let most = all().fold(0.0, f64::max);
    if unit == Unit::Percent {
        return Some(chart(&bars, 0.0..100.0, 0.0, "%"));
    }
    let positive = bars.iter().flat_map(|bar| [Some(bar.mean), bar.printed]).flatten().filter(|x| *x > 0.0);
    let least = positive.fold(f64::INFINITY, f64::min);
    let floor = if least.is_finite() { least / 2.0 } else { 0.1 };
    Some(chart(&bars, (floor..most * 2.0).log_scale(), floor, unit.name()))
}

fn chart<Y>(bars: &[Bar], y: Y, floor: f64, unit: &str) -> String
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut text = String::new();
    let width = (140 + 26 * bars.len() as u32).max(360);
    let drawn = {
        let root = SVGBackend::with_string(&mut text, (width, 340)).into_drawing_area();
        let draw = || -> Result<(), Box<dyn std::error::Error + '_>> {
            let count = bars.len() as f64;
            let mut chart = ChartBuilder::on(&root)
                .margin(10)
                .x_label_area_size(110)
                .y_label_area_size(80)
                .build_cartesian_2d(0.0..count, y)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .disable_x_axis()
                .y_desc(unit)
                .light_line_style(WHITE)
                .y_labels(8)
                .draw()?;
            let clip = |value: f64| value.max(floor);
            chart.draw_series(bars.iter().zip(0u32..).map(|(bar, i)| {
                let x = f64::from(i);
                Rectangle::new([(x + 0.2, floor), (x + 0.8, clip(bar.mean))], OURS.mix(0.7).filled())
            }))?;
            chart.draw_series(bars.iter().zip(0u32..).map(|(bar, i)| {
                let x = f64::from(i) + 0.5;
                PathElement::new(vec![(x, clip(bar.low)), (x, clip(bar.high))], BLACK.stroke_width(2))
            }))?;
            chart.draw_series(bars.iter().zip(0u32..).filter_map(|(bar, i)| {
                let (x, printed) = (f64::from(i), clip(bar.printed?));
                Some(PathElement::new(vec![(x + 0.05, printed), (x + 0.95, printed)], PAPER.stroke_width(3)))
            }))?;
            // Names stand on their heads, to be read from the side.
            let style = ("sans-serif", 11).into_font().transform(FontTransform::Rotate90).color(&GREY);
            for (bar, i) in bars.iter().zip(0u32..) {
                let (x, y) = chart.backend_coord(&(f64::from(i) + 0.5, floor));
                root.draw_text(&bar.name, &style, (x + 5, y + 6))?;
            }
            root.draw_text(
                "bars: ours, lines: 95 %, dashes: the paper",
                &("sans-serif", 11).into_font().color(&GREY),
                (90, 0),
            )?;
            root.present()?;
            Ok(())
        };
        draw().is_ok()
    };
    if drawn { text } else { String::new() }
}

/// Seconds of the first search of a race against those of the others, position by position.
pub fn scatter(result: &TableResult) -> Option<String> {
    const LEAST: f64 = 1e-4;
    let Some(Outcomes::Raced(trials)) = result.outcomes.first() else { return None };
    if trials.is_empty() || trials.iter().any(|(_, runs, _)| runs.len() < 3) {
        return None;
    }
    let most = trials.iter().flat_map(|(_, runs, _)| runs).map(|run| run.seconds).fold(1.0, f64::max) * 1.5;
    let mut text = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut text, (560, 460)).into_drawing_area();
        let draw = || -> Result<(), Box<dyn std::error::Error + '_>> {
            let mut chart = ChartBuilder::on(&root)
                .margin(12)
                .x_label_area_size(45)
                .y_label_area_size(60)
                .build_cartesian_2d((LEAST..most).log_scale(), (LEAST..most).log_scale())?;
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .x_desc("seconds of PP")
                .y_desc("seconds of MCTS (blue), MCTS-E (orange)")
                .draw()?;
            let diagonal = [(LEAST, LEAST), (most, most)];
            chart.draw_series([DashedPathElement::new(diagonal, 4, 4, GREY)])?;
            for (i, colour) in [(1, OURS), (2, PAPER)] {
                chart.draw_series(trials.iter().map(|(_, runs, _)| {
                    let at = (runs[0].seconds.max(LEAST), runs[i].seconds.max(LEAST));
                    // What was not solved stands at its limit, as a ring.
                    let solved = runs[0].is_solved() && runs[i].is_solved();
                    Circle::new(at, 3, if solved { colour.filled() } else { OTHER.stroke_width(1) })
                }))?;
            }
            root.present()?;
            Ok(())
        };
        draw().is_ok()
    };
    (drawn && !text.is_empty()).then_some(text)
}

/// For each row of which there are courses: what each search thought before each move of the chance of who
/// wins.
pub fn courses(result: &TableResult) -> Vec<String> {
    let rows = result.table.names(|cell| &cell.row);
    rows.into_iter().filter_map(|row| lines(result, row)).collect()
}

fn lines(result: &TableResult, row: &str) -> Option<String> {
    const COLOURS: [RGBColor; 4] = [GREY, OURS, PAPER, OTHER];
    let cells = result.cells.iter().filter(|cell| cell.row == row);
    let of = |cell: &'_ crate::papers::CellResult| {
        let chances = cell.record.as_ref()?.chances.clone()?;
        Some((cell.column.clone(), chances))
    };
    let all: Vec<(String, Vec<u8>)> = cells.filter_map(of).collect();
    let most = all.iter().map(|(_, chances)| chances.len()).max()?;
    let mut text = String::new();
    let drawn = {
        let root = SVGBackend::with_string(&mut text, (560, 320)).into_drawing_area();
        let draw = || -> Result<(), Box<dyn std::error::Error + '_>> {
            let mut chart = ChartBuilder::on(&root)
                .margin(12)
                .caption(row, ("sans-serif", 13))
                .x_label_area_size(40)
                .y_label_area_size(50)
                .build_cartesian_2d(0.0..most as f64, 0.0..100.0)?;
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .x_desc("moves")
                .y_desc("chance of who wins, %")
                .draw()?;
            for ((i, (column, chances)), colour) in all.iter().enumerate().zip(COLOURS.iter().cycle()) {
                let points = (0u32..).zip(chances).map(|(ply, &chance)| (f64::from(ply), f64::from(chance)));
                chart.draw_series([PathElement::new(points.collect::<Vec<_>>(), colour.stroke_width(2))])?;
                let style = ("sans-serif", 12).into_font().color(colour);
                root.draw_text(column, &style, (480, 215 + 16 * i as i32))?;
            }
            root.present()?;
            Ok(())
        };
        draw().is_ok()
    };
    (drawn && !text.is_empty()).then_some(text)
}
