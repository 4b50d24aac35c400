//! The six scores of each system as one plot: radar.svg.

use std::f64::consts::TAU;
use std::fmt::Write;

use crate::conner::report::ConnerSummary;
use crate::conner::report::means::Means;
use crate::svg::{COLOURS, escaped, framed};

/// The six axes, each with the column that it shows; coherence is that of the paragraph, as in Q_know.
const AXES: [(&str, &str); 6] = [
    ("Factuality", "mean cons."),
    ("Relevance", "Relevance"),
    ("Coherence", "Coh-para."),
    ("Informativeness", "Inform."),
    ("Helpfulness", "Helpful."),
    ("Validity", "Validity"),
];
const WIDTH: f64 = 460.0;
/// The outer ring's radius and centre: a score of 1.
const RADIUS: f64 = 130.0;
const CENTRE: (f64, f64) = (WIDTH / 2.0, 196.0);
const RINGS: usize = 5;
/// Where the legend begins, and its lines' height.
const LEGEND: f64 = 376.0;
const LINE: f64 = 20.0;

/// Every system's mean scores from 0 in the middle to 1 on the outer ring. A score that a system lacks interrupts its
/// line.
pub fn plot(report: &ConnerSummary) -> String {
    let height = LEGEND + LINE * report.rows.len() as f64 + 12.0;
    let mut svg = String::new();
    for ring in 1..=RINGS {
        let share = ring as f64 / RINGS as f64;
        let corners: Vec<String> = (0..AXES.len()).map(|axis| coordinates(place(axis, share))).collect();
        let (x, y) = place(0, share);
        let _ = write!(
            svg,
            "<polygon points=\"{}\" fill=\"none\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"#767676\">{share:.1}</text>\n",
            corners.join(" "),
            x + 4.0,
            y + 4.0
        );
    }
    for (axis, (name, column)) in AXES.iter().enumerate() {
        let (end, label) = (place(axis, 1.0), place(axis, 1.12));
        let anchor = match label.0 - CENTRE.0 {
            x if x.abs() < 1.0 => "middle",
            x if x > 0.0 => "start",
            _ => "end",
        };
        let none = report.rows.iter().all(|means| score(means, column).is_none());
        let _ = write!(
            svg,
            "<path d=\"M{} L{}\" stroke=\"#ddd\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{name}{}</text>\n",
            coordinates(CENTRE),
            coordinates(end),
            label.0,
            label.1 + 4.0,
            if none { " (none)" } else { "" },
        );
    }
    for (number, means) in report.rows.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let dash = if number < COLOURS.len() { "" } else { " stroke-dasharray=\"7 5\"" };
        let points: Vec<Option<(f64, f64)>> =
            AXES.iter().enumerate().map(|(axis, (_, column))| Some(place(axis, score(means, column)?))).collect();
        let mut path = String::new();
        for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
            if let (Some(from), Some(to)) = (from, to) {
                let _ = write!(path, "M{} L{}", coordinates(*from), coordinates(*to));
            }
        }
        let name = escaped(&means.name());
        let _ = writeln!(svg, "<g stroke=\"{colour}\" fill=\"{colour}\"><title>{name}</title>");
        if points.iter().all(Option::is_some) {
            let corners: Vec<String> = points.iter().flatten().copied().map(coordinates).collect();
            let _ = writeln!(svg, "<polygon points=\"{}\" fill-opacity=\"0.08\" stroke=\"none\"/>", corners.join(" "));
        }
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke-width=\"2\" stroke-linecap=\"round\"{dash}/>");
        for (x, y) in points.into_iter().flatten() {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" stroke=\"none\"/>");
        }
        let y = LEGEND + LINE * number as f64;
        let _ = writeln!(
            svg,
            "<path d=\"M40 {y}h18\" stroke-width=\"2\"{dash}/></g>\n<text x=\"66\" y=\"{}\">{name} (n = {})</text>",
            y + 4.0,
            means.n
        );
    }
    framed(&format!("CONNER's six scores of {}", report.file), CENTRE.0, (WIDTH, height), &svg)
}

/// A column's mean, within the plot.
fn score(means: &Means, column: &str) -> Option<f64> {
    let found = means.columns.iter().find(|each| each.column == column)?;
    found.mean.map(|mean| mean.clamp(0.0, 1.0))
}

/// Where a score stands on an axis; the first axis points up and the others follow clockwise.
fn place(axis: usize, score: f64) -> (f64, f64) {
    let (sin, cos) = (TAU * axis as f64 / AXES.len() as f64).sin_cos();
    (CENTRE.0 + RADIUS * score * sin, CENTRE.1 - RADIUS * score * cos)
}

fn coordinates((x, y): (f64, f64)) -> String {
    format!("{x:.1},{y:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_go_around_clockwise_from_the_top() {
        assert_eq!(coordinates(place(0, 1.0)), "230.0,66.0");
        assert_eq!(coordinates(place(3, 0.5)), "230.0,261.0");
        assert!(place(1, 1.0).0 > CENTRE.0 && place(5, 1.0).0 < CENTRE.0);
        assert_eq!(place(4, 0.0), CENTRE);
    }
}
