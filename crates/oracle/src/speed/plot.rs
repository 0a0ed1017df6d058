//! Slopes of straight lines through logarithms, and a small drawing of them.

use std::fmt::Write;

/// A line of points under a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Size and time, both above zero.
    pub points: Vec<[f64; 2]>,
}

impl Line {
    /// The slope of the straight line that fits the logarithms of the points best: 1 if the time grows in
    /// proportion to the size. `None` with fewer than two sizes.
    pub fn slope(&self) -> Option<f64> {
        let logs: Vec<[f64; 2]> = self
            .points
            .iter()
            .filter(|point| point[0] > 0.0 && point[1] > 0.0)
            .map(|point| point.map(f64::ln))
            .collect();
        let count = logs.len() as f64;
        let middle = [0, 1].map(|axis| logs.iter().map(|log| log[axis]).sum::<f64>() / count);
        let product = |a: usize, b: usize| -> f64 {
            logs.iter().map(|log| (log[a] - middle[a]) * (log[b] - middle[b])).sum()
        };
        (logs.len() > 1 && product(0, 0) > 1e-12).then(|| product(0, 1) / product(0, 0))
    }
}

const SIZE: [f64; 2] = [640.0, 400.0];
const MARGIN: [f64; 4] = [60.0, 20.0, 190.0, 45.0];
const COLOURS: [&str; 6] = ["#1f5fa8", "#b3541e", "#2e7d4f", "#7b3fa0", "#8a6d00", "#a02c4c"];

/// A range of decades that holds the values.
fn decades(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|&value| value > 0.0) {
        (low, high) = (low.min(value.log10().floor()), high.max(value.log10().ceil()));
    }
    if low >= high { [low.min(0.0), low.min(0.0) + 1.0] } else { [low, high] }
}

/// A log-log plot as SVG.
pub fn draw(title: &str, axes: [&str; 2], lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let [across, up] = [0, 1].map(|axis| decades(points().map(|point| point[axis])));
    let [left, top, right, bottom] = MARGIN;
    let (width, height) = (SIZE[0] - left - right, SIZE[1] - top - bottom);
    let x = |value: f64| left + (value.log10() - across[0]) / (across[1] - across[0]) * width;
    let y = |value: f64| top + height - (value.log10() - up[0]) / (up[1] - up[0]) * height;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        SIZE[0], SIZE[1]
    );
    // Writing to a string does not fail.
    for decade in across[0] as i32..=across[1] as i32 {
        let at = x(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {top}V{:.1}\" stroke=\"#dddddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">1e{decade}</text>",
            top + height,
            top + height + 16.0
        );
    }
    for decade in up[0] as i32..=up[1] as i32 {
        let at = y(10f64.powi(decade));
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {at:.1}H{:.1}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{at:.1}\" \
             text-anchor=\"end\">1e{decade}</text>",
            left + width,
            left - 6.0
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let path: Vec<String> =
            line.points.iter().map(|&[size, time]| format!("{:.1},{:.1}", x(size), y(time))).collect();
        let slope = line.slope().map_or(String::new(), |slope| format!(", slope {slope:.2}"));
        let row = top + 14.0 + 18.0 * index as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{row:.1}\" fill=\"{colour}\">{}{slope}</text>",
            path.join(" "),
            left + width + 10.0,
            line.name
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1})\">{}</text>\n</svg>",
        left + width / 2.0,
        SIZE[1] - 8.0,
        axes[0],
        top + height / 2.0,
        top + height / 2.0,
        axes[1]
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(power: f64) -> Line {
        let points = (1..=5).map(|at| [f64::from(at), 3.0 * f64::from(at).powf(power)]).collect();
        Line { name: "l".to_owned(), points }
    }

    #[test]
    fn the_slope_is_the_power() {
        for power in [0.5, 1.0, 2.0] {
            assert!((line(power).slope().unwrap() - power).abs() < 1e-9);
        }
        assert_eq!(Line { name: String::new(), points: vec![[1.0, 1.0]; 3] }.slope(), None);
        assert_eq!(Line::default().slope(), None);
    }

    #[test]
    fn a_drawing_has_every_line() {
        let svg = draw("t", ["cells", "ms"], &[line(1.0), line(2.0)]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("slope 2.00") && svg.ends_with("</svg>\n"));
        assert!(!draw("t", ["a", "b"], &[]).contains("NaN"));
    }
}
