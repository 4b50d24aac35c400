//! Curves over sizes of corpora, both axes logarithmic, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 72.0;
const ABOVE: f64 = 36.0;
const BELOW: f64 = 44.0;
const RIGHT: f64 = 24.0;
/// Colours that stay apart for the colour-blind (Okabe and Ito 2008).
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"];

pub struct Plot {
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub series: Vec<Series>,
}

pub struct Series {
    pub name: &'static str,
    /// Values above 0; others are not drawn.
    pub points: Vec<(f64, f64)>,
}

/// The powers of ten that one axis goes between.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64> + Clone) -> Self {
        let logs = values.filter(|&value| value > 0.0).map(f64::log10);
        let low = logs.clone().fold(f64::INFINITY, f64::min).floor();
        let high = logs.fold(f64::NEG_INFINITY, f64::max).ceil();
        if low > high { Self { low: 0.0, high: 1.0 } } else { Self { low, high: high.max(low + 1.0) } }
    }

    /// Where a value lies, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.log10() - self.low) / (self.high - self.low)
    }

    fn decades(&self) -> impl Iterator<Item = i32> {
        self.low as i32..=self.high as i32
    }
}

impl Plot {
    pub fn svg(&self) -> String {
        let points = self.series.iter().flat_map(|series| &series.points);
        let (xs, ys) = (Axis::over(points.clone().map(|point| point.0)), Axis::over(points.map(|point| point.1)));
        let x = |place: f64| LEFT + place * (WIDTH - LEFT - RIGHT);
        let y = |place: f64| HEIGHT - BELOW - place * (HEIGHT - ABOVE - BELOW);

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\
             \n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
            self.title
        );
        let mut line = |text: String| {
            svg.push_str(&text);
            svg.push('\n');
        };
        for decade in xs.decades() {
            let at = x(xs.place(10_f64.powi(decade)));
            line(format!("<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#ddd\"/>", y(0.0), y(1.0)));
            line(format!(
                "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                y(0.0) + 14.0,
                power(decade)
            ));
        }
        for decade in ys.decades() {
            let at = y(ys.place(10_f64.powi(decade)));
            line(format!("<path d=\"M{:.1} {at:.1}H{:.1}\" stroke=\"#ddd\"/>", x(0.0), x(1.0)));
            line(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                x(0.0) - 6.0,
                at + 4.0,
                power(decade)
            ));
        }
        line(format!("<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>", x(0.5), HEIGHT - 8.0, self.x));
        line(format!(
            "<text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            y(0.5),
            self.y
        ));
        for (number, (series, colour)) in self.series.iter().zip(COLOURS).enumerate() {
            let mut path = String::new();
            for &(passages, value) in series.points.iter().filter(|point| point.1 > 0.0) {
                let (at, up) = (x(xs.place(passages)), y(ys.place(value)));
                let _ = write!(path, "{}{at:.1} {up:.1}", if path.is_empty() { 'M' } else { 'L' });
                line(format!("<circle cx=\"{at:.1}\" cy=\"{up:.1}\" r=\"3\" fill=\"{colour}\"/>"));
            }
            line(format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
            let down = y(1.0) + 14.0 + 14.0 * number as f64;
            line(format!("<text x=\"{:.1}\" y=\"{down:.1}\" fill=\"{colour}\">{}</text>", x(0.0) + 8.0, series.name));
        }
        svg + "</svg>\n"
    }
}

/// A power of ten, written out while it is short.
fn power(decade: i32) -> String {
    if (-2..=3).contains(&decade) { 10_f64.powi(decade).to_string() } else { format!("1e{decade}") }
}
