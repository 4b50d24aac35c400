//! The plots of a report, as SVG.

use std::fmt::Write;

use crate::measures::{Bin, Labelled, Point, precision_recall_curve, reliability, roc_curve};

use crate::statements::record::{Record, before, judged};
use crate::statements::report::EvalReport;
use crate::statements::scorer::Scorer;
use crate::svg::{COLOURS, framed};

/// The side of the plotted square, the room for the axis on its left, and the room for the title above it.
const SIDE: f64 = 320.0;
const LEFT: f64 = 56.0;
const ABOVE: f64 = 36.0;
/// The radius of a bin that holds all rows.
const LARGEST: f64 = 14.0;

/// The plots of the models and, where it is in the report, of knowledge F1. Reliability before calibration and coverage
/// are plotted for the models alone.
pub fn plots(report: &EvalReport, records: &[Record]) -> [(&'static str, String); 5] {
    let scorers: Vec<Scorer> = report.measures.iter().map(|each| each.verifier).filter(drawn).collect();
    let series = |of: &dyn Fn(&[Labelled]) -> Vec<Mark>| -> Vec<(Scorer, Vec<Mark>)> {
        scorers.iter().map(|&scorer| (scorer, of(&judged(records.iter(), scorer)))).collect()
    };
    let uncalibrated = Scorer::MODELS.map(|scorer| (scorer, bins(&before(records, scorer))));
    let coverage = report.verdicts.iter().map(|v| (v.verifier, line(Some(v.curve.clone())))).collect::<Vec<_>>();
    let calibration =
        Axes { title: "Reliability (area: rows in the bin)", x: "mean score of the bin", y: "share that is factual" };
    let raw = Axes { title: "Reliability before calibration (area: rows in the bin)", ..calibration };
    let passed = Axes { title: "Accuracy by coverage", x: "statements whose evidence decides most", y: "accuracy" };
    let roc = Axes { title: "ROC", x: "others called factual", y: "factual called factual" };
    let pr = Axes { title: "Precision and recall of the factual", x: "recall", y: "precision" };
    [
        ("reliability.svg", calibration.plot(&series(&bins), true)),
        ("reliability-before.svg", raw.plot(&uncalibrated, true)),
        ("coverage.svg", passed.plot(&coverage, false)),
        ("roc.svg", roc.plot(&series(&|rows| line(roc_curve(rows))), true)),
        ("pr.svg", pr.plot(&series(&|rows| line(precision_recall_curve(rows))), false)),
    ]
}

/// The bins of a reliability diagram.
fn bins(rows: &[Labelled]) -> Vec<Mark> {
    let mark = |bin: Bin| (Point { x: bin.p, y: bin.factual }, (bin.n as f64 / rows.len() as f64).sqrt() * LARGEST);
    reliability(rows).unwrap_or_default().into_iter().map(mark).collect()
}

fn line(points: Option<Vec<Point>>) -> Vec<Mark> {
    points.unwrap_or_default().into_iter().map(|point| (point, 0.0)).collect()
}

/// A point and the radius of its circle; 0 for none.
type Mark = (Point, f64);

/// A plot's title and the labels of its axes, which both go from 0 to 1.
struct Axes {
    title: &'static str,
    x: &'static str,
    y: &'static str,
}

impl Axes {
    fn plot(&self, series: &[(Scorer, Vec<Mark>)], diagonal: bool) -> String {
        let (width, height) = (LEFT + SIDE + 16.0, ABOVE + SIDE + 52.0);
        let (left, right, top, bottom) = (LEFT, LEFT + SIDE, ABOVE, ABOVE + SIDE);
        let middle = LEFT + SIDE / 2.0;
        let mut svg = format!(
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            bottom + 40.0,
            self.x,
            top + SIDE / 2.0,
            self.y,
        );
        for tick in 0..=5 {
            let share = f64::from(tick) / 5.0;
            let Point { x, y } = place(Point { x: share, y: share });
            let _ = write!(
                svg,
                "<path d=\"M{x:.1} {top}V{bottom}M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>\n\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{share:.1}</text>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{share:.1}</text>\n",
                bottom + 18.0,
                left - 8.0,
                y + 4.0
            );
        }
        if diagonal {
            let _ =
                writeln!(svg, "<path d=\"M{left} {bottom}L{right} {top}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>");
        }
        for (n, (scorer, points)) in series.iter().enumerate() {
            let colour = COLOURS[n % COLOURS.len()];
            // Dashed, because it covers the NLI model's line where the score is that model's alone.
            let dash = if *scorer == Scorer::Both { " stroke-dasharray=\"7 5\"" } else { "" };
            let mut line: Vec<String> = points.iter().map(|&(point, _)| coordinates(place(point))).collect();
            line.dedup();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
                line.join(" ")
            );
            for &(point, radius) in points.iter().filter(|(_, radius)| *radius > 0.0) {
                let Point { x, y } = place(point);
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"0.6\"/>"
                );
            }
            // The legend is in the lower right corner, where good curves do not run.
            let (x, y) = (right - 104.0, bottom - 12.0 - 18.0 * (series.len() - 1 - n) as f64);
            let _ = writeln!(
                svg,
                "<path d=\"M{x} {}h18\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/><text x=\"{}\" y=\"{y}\">{}</text>",
                y - 4.0,
                x + 24.0,
                scorer.name()
            );
        }
        framed(self.title, middle, (width, height), &svg)
    }
}

/// Constant has no curve, and more baselines than knowledge F1 would hide the models' lines.
fn drawn(scorer: &Scorer) -> bool {
    Scorer::MODELS.contains(scorer) || *scorer == Scorer::KnowledgeF1
}

fn place(point: Point) -> Point {
    Point { x: LEFT + point.x * SIDE, y: ABOVE + (1.0 - point.y) * SIDE }
}

fn coordinates(point: Point) -> String {
    format!("{:.1},{:.1}", point.x, point.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::report::tests::{records, run};

    #[test]
    fn every_plot_names_its_axes_and_scorers() {
        let report = EvalReport::of("file".into(), run(), &records(), 0, true);
        for (name, svg) in plots(&report, &records()) {
            assert!(name.ends_with(".svg") && svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            let models_alone = ["reliability-before.svg", "coverage.svg"].contains(&name);
            let scorers =
                if models_alone { &["T5", "NLI", "both"][..] } else { &["T5", "NLI", "both", "knowledge F1"] };
            for scorer in scorers {
                assert!(svg.contains(&format!(">{scorer}</text>")), "{name}");
            }
            assert!(!svg.contains("Constant") && !svg.contains("NaN"), "{name}");
            assert_eq!(svg.matches("<polyline").count(), scorers.len());
        }
    }

    #[test]
    fn one_class_has_axes_without_curves() {
        let report = EvalReport::of("file".into(), run(), &records()[..1], 0, false);
        let [_, _, _, (_, roc), _] = plots(&report, &records()[..1]);
        assert!(roc.contains("points=\"\""));
    }
}
