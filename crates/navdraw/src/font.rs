//! A stroke font for images: no font file is needed, and the same text gives the same pixels everywhere.
//!
//! Glyphs are paths of lines and quadratic curves on a grid: baseline 0, capitals 14 high, small letters 10,
//! descenders to -4, y upwards. Printable ASCII and a few signs; anything else is shown as a box.

/// Units of the glyph grid in one em.
const UNITS_PER_EM: f64 = 19.5;
/// Glyphs are drawn this much narrower than they are given.
const CONDENSE: f64 = 0.92;
/// Space after a glyph, units.
const SPACING: f64 = 3.3;
/// Width of a stroke, units: plain and bold.
const WEIGHT: [f64; 2] = [1.5, 2.2];

/// A step of a glyph's outline, in em units: x to the right, y downwards from the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    /// Begin a stroke.
    Move([f64; 2]),
    /// A straight line.
    Line([f64; 2]),
    /// A curve with one control point.
    Curve([f64; 2], [f64; 2]),
}

/// Width of a line of text of one em, in ems.
pub(crate) fn width(text: &str) -> f64 {
    let advances: f64 = text.chars().map(|c| advance(glyph(c))).sum();
    if text.is_empty() { 0.0 } else { advances - SPACING / UNITS_PER_EM }
}

/// Width of a stroke, in ems.
pub(crate) fn weight(bold: bool) -> f64 {
    WEIGHT[usize::from(bold)] / UNITS_PER_EM
}

/// The strokes of a line of text of one em, from x = 0, in ems.
pub(crate) fn strokes(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut pen = 0.0;
    for character in text.chars() {
        let found = glyph(character);
        parse(found.1, pen, &mut steps);
        pen += advance(found);
    }
    steps
}

fn advance((width, _): (f64, &str)) -> f64 {
    (width * CONDENSE + SPACING) / UNITS_PER_EM
}

/// Reads a glyph: commands `M`, `L`, `Q`, each followed by its numbers.
fn parse(path: &str, pen: f64, steps: &mut Vec<Step>) {
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        rest = &rest[command.len_utf8()..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers: Vec<f64> = rest[..end].split_whitespace().filter_map(|n| n.parse().ok()).collect();
        rest = &rest[end..];
        let place = |x: f64, y: f64| [pen + x * CONDENSE / UNITS_PER_EM, -y / UNITS_PER_EM];
        match (command, numbers.as_slice()) {
            ('M', &[x, y]) => steps.push(Step::Move(place(x, y))),
            ('L', &[x, y]) => steps.push(Step::Line(place(x, y))),
            ('Q', &[cx, cy, x, y]) => steps.push(Step::Curve(place(cx, cy), place(x, y))),
            _ => debug_assert!(false, "glyph command {command} with {numbers:?}"),
        }
    }
}

/// Width and path of a character's glyph.
fn glyph(character: char) -> (f64, &'static str) {
    let ascii = u32::from(character).wrapping_sub(32) as usize;
    if let Some(&found) = ASCII.get(ascii) {
        return found;
    }
    match character {
        '\u{b0}' => (3.4, "M1.7 14Q0 14 0 12.3Q0 10.6 1.7 10.6Q3.4 10.6 3.4 12.3Q3.4 14 1.7 14"),
        '\u{b2}' => (4.4, "M0 12.6Q0.2 14.4 2.1 14.4Q4.1 14.4 4.1 12.5Q4.1 11.4 2.8 10L0 7.2L4.4 7.2"),
        '\u{b7}' => (0.0, "M0 6.6L0 7.1"),
        '\u{d7}' => (6.4, "M0 3.4L6.4 9.8M0 9.8L6.4 3.4"),
        '\u{2013}' => (8.0, "M0 6L8 6"),
        '\u{2212}' => (8.0, "M0 6.6L8 6.6"),
        '\u{2026}' => (9.0, "M0 0.4L0 0M4.5 0.4L4.5 0M9 0.4L9 0"),
        '\u{2192}' => (11.0, "M0 6.6L11 6.6M7.5 10L11 6.6L7.5 3.2"),
        _ => (8.0, "M0 0L8 0L8 14L0 14L0 0"),
    }
}

/// Printable ASCII from the space on.
#[rustfmt::skip]
const ASCII: [(f64, &str); 95] = [
    (2.2, ""),
    (0.0, "M0 14L0 4.4M0 0.4L0 0"),
    (3.4, "M0 14L0 9.6M3.4 14L3.4 9.6"),
    (9.6, "M3.4 14L2 0M7.6 14L6.2 0M0.6 9.4L9.6 9.4M0 4.6L9 4.6"),
    (8.6, "M8.2 11.2Q7.2 13 4.4 13Q0.8 13 0.8 10Q0.8 7.8 4.4 7Q8.6 6.1 8.6 3.6Q8.6 1 4.4 1Q1 1 0 3.2M4.3 15.4L4.3 -1.4"),
    (13.0, "M2.7 14Q0 14 0 10.8Q0 7.6 2.7 7.6Q5.4 7.6 5.4 10.8Q5.4 14 2.7 14M10.3 6.4Q7.6 6.4 7.6 3.2Q7.6 0 10.3 0Q13 0 13 3.2Q13 6.4 10.3 6.4M10.6 14L2.4 0"),
    (10.6, "M10.6 0L2.6 9.4Q1 11.2 1.9 12.6Q2.8 14 4.4 14Q6.8 14 6.8 11.6Q6.8 9.8 3.4 7.8Q0 5.8 0 3.6Q0 0 4 0Q8.8 0 9.8 7"),
    (0.0, "M0 14L0 9.6"),
    (3.2, "M3.2 15.6Q0 11.4 0 6Q0 0.6 3.2 -3.6"),
    (3.2, "M0 15.6Q3.2 11.4 3.2 6Q3.2 0.6 0 -3.6"),
    (6.0, "M3 14L3 7.6M0.2 12.4L5.8 9.2M5.8 12.4L0.2 9.2"),
    (8.6, "M4.3 11L4.3 2.2M0 6.6L8.6 6.6"),
    (1.0, "M1 0.6L0 -2.6"),
    (4.6, "M0 5.4L4.6 5.4"),
    (0.0, "M0 0.4L0 0"),
    (5.4, "M5.4 14.6L0 -1.6"),
    (8.4, "M4.2 14Q0 14 0 7Q0 0 4.2 0Q8.4 0 8.4 7Q8.4 14 4.2 14"),
    (8.4, "M1.4 11.4L5 14L5 0"),
    (8.4, "M0.4 10.4Q0.6 14 4.2 14Q7.9 14 7.9 10.5Q7.9 8.4 5.4 5.8L0 0L8.4 0"),
    (8.4, "M0.4 11.4Q1.2 14 4.1 14Q7.6 14 7.6 10.8Q7.6 7.5 3.4 7.5M3.4 7.5Q8.4 7.5 8.4 3.8Q8.4 0 4.1 0Q0.6 0 0 2.9"),
    (8.4, "M6.4 0L6.4 14L0 4.2L8.6 4.2"),
    (8.4, "M7.7 14L1.3 14L0.6 7.6Q2 9 4.3 9Q8.4 9 8.4 4.6Q8.4 0 4.1 0Q1 0 0 2.6"),
    (8.4, "M7.7 12Q6.8 14 4.5 14Q0 14 0 6.4Q0 0 4.3 0Q8.4 0 8.4 4.5Q8.4 8.7 4.4 8.7Q0.6 8.7 0.1 5"),
    (8.4, "M0 14L8.4 14L3.2 0"),
    (8.4, "M4.2 7.5Q0.7 7.5 0.7 10.7Q0.7 14 4.2 14Q7.7 14 7.7 10.7Q7.7 7.5 4.2 7.5Q0 7.5 0 3.7Q0 0 4.2 0Q8.4 0 8.4 3.7Q8.4 7.5 4.2 7.5"),
    (8.4, "M8.3 9Q7.8 5.3 4 5.3Q0 5.3 0 9.5Q0 14 4.1 14Q8.4 14 8.4 7.6Q8.4 0 3.9 0Q1.8 0 0.8 2"),
    (0.0, "M0 9L0 8.6M0 0.4L0 0"),
    (1.0, "M1 9L1 8.6M1 0.6L0 -2.6"),
    (8.0, "M8 11L0 6.6L8 2.2"),
    (8.6, "M0 8.6L8.6 8.6M0 4.6L8.6 4.6"),
    (8.0, "M0 11L8 6.6L0 2.2"),
    (7.4, "M0 10.8Q0.4 14 3.8 14Q7.4 14 7.4 11Q7.4 8.8 5.4 7.6Q3.6 6.4 3.6 4.2M3.6 0.4L3.6 0"),
    (13.0, "M9.4 4.4Q8.6 3 6.6 3Q3.6 3 3.6 6.2Q3.6 9.6 6.6 9.6Q9.4 9.6 9.4 6.4L9.4 4.6Q9.4 3 11 3Q13 3 13 7Q13 14 6.6 14Q0 14 0 6.4Q0 -1.6 6.8 -1.6Q9.2 -1.6 10.8 -0.6"),
    (10.0, "M0 0L5 14L10 0M1.7 4.7L8.3 4.7"),
    (9.2, "M0 0L0 14L5 14Q8.5 14 8.5 10.7Q8.5 7.5 5 7.5L0 7.5M5 7.5Q9.2 7.5 9.2 3.7Q9.2 0 5 0L0 0"),
    (10.0, "M10 11Q8.6 14 5.3 14Q0 14 0 7Q0 0 5.3 0Q8.6 0 10 3"),
    (10.0, "M0 0L0 14L4 14Q10 14 10 7Q10 0 4 0L0 0"),
    (8.0, "M8 14L0 14L0 0L8 0M0 7.3L7 7.3"),
    (7.6, "M7.6 14L0 14L0 0M0 7.3L6.4 7.3"),
    (10.6, "M10 11.2Q8.6 14 5.4 14Q0 14 0 7Q0 0 5.4 0Q8.8 0 10.6 2L10.6 6.6L6 6.6"),
    (9.6, "M0 0L0 14M9.6 0L9.6 14M0 7.3L9.6 7.3"),
    (0.0, "M0 0L0 14"),
    (6.4, "M6.4 14L6.4 4Q6.4 0 3.2 0Q0 0 0 4"),
    (9.0, "M0 0L0 14M8.8 14L0 5.2M3.2 8.4L9 0"),
    (7.4, "M0 14L0 0L7.4 0"),
    (11.6, "M0 0L0 14L5.8 3L11.6 14L11.6 0"),
    (9.6, "M0 0L0 14L9.6 0L9.6 14"),
    (11.0, "M5.5 14Q0 14 0 7Q0 0 5.5 0Q11 0 11 7Q11 14 5.5 14"),
    (8.8, "M0 0L0 14L5 14Q8.8 14 8.8 10.4Q8.8 6.7 5 6.7L0 6.7"),
    (11.0, "M5.5 14Q0 14 0 7Q0 0 5.5 0Q11 0 11 7Q11 14 5.5 14M7 3.4L11 -0.8"),
    (9.2, "M0 0L0 14L5 14Q8.8 14 8.8 10.4Q8.8 6.7 5 6.7L0 6.7M4.8 6.7L9.2 0"),
    (9.2, "M8.6 11.5Q7.6 14 4.6 14Q0.6 14 0.6 10.6Q0.6 8 4.6 7.2Q9.2 6.3 9.2 3.5Q9.2 0 4.6 0Q1 0 0 3"),
    (9.4, "M0 14L9.4 14M4.7 14L4.7 0"),
    (9.6, "M0 14L0 5Q0 0 4.8 0Q9.6 0 9.6 5L9.6 14"),
    (10.0, "M0 14L5 0L10 14"),
    (14.0, "M0 14L3.5 0L7 13L10.5 0L14 14"),
    (9.4, "M0 0L9.4 14M0 14L9.4 0"),
    (9.6, "M0 14L4.8 7L9.6 14M4.8 7L4.8 0"),
    (9.0, "M0.2 14L9 14L0 0L9 0"),
    (2.8, "M2.8 15.6L0 15.6L0 -3.4L2.8 -3.4"),
    (5.4, "M0 14.6L5.4 -1.6"),
    (2.8, "M0 15.6L2.8 15.6L2.8 -3.4L0 -3.4"),
    (7.0, "M0 9L3.5 14L7 9"),
    (8.6, "M0 -3L8.6 -3"),
    (2.6, "M0 14L2.6 11.4"),
    (7.4, "M0.6 8.2Q1.8 10 4 10Q7.4 10 7.4 6.8L7.4 0M7.4 5.8L4 5.6Q0 5.4 0 2.7Q0 0 3.2 0Q6 0 7.4 2.6"),
    (8.0, "M0 14L0 0M0 5Q0 10 4 10Q8 10 8 5Q8 0 4 0Q0 0 0 5"),
    (7.2, "M7.2 7.8Q6.3 10 4 10Q0 10 0 5Q0 0 4 0Q6.3 0 7.2 2.2"),
    (8.0, "M8 14L8 0M8 5Q8 10 4 10Q0 10 0 5Q0 0 4 0Q8 0 8 5"),
    (7.8, "M0 5.2L7.8 5.2Q7.8 10 4 10Q0 10 0 5Q0 0 4.1 0Q6.5 0 7.5 2"),
    (4.8, "M5 13.8Q1.8 14.6 1.8 11L1.8 0M0 9.6L4.6 9.6"),
    (8.0, "M8 10L8 0Q8 -4 4.2 -4Q1.6 -4 0.6 -2.4M8 5.2Q8 10 4 10Q0 10 0 5.2Q0 0.4 4 0.4Q8 0.4 8 5.2"),
    (7.6, "M0 14L0 0M0 5.6Q0.6 10 4.2 10Q7.6 10 7.6 6.2L7.6 0"),
    (0.0, "M0 10L0 0M0 13.9L0 13.4"),
    (1.6, "M1.6 10L1.6 -1.5Q1.6 -4 -0.8 -4M1.6 13.9L1.6 13.4"),
    (7.0, "M0 14L0 0M6.6 10L0 3.8M2.6 6.2L7 0"),
    (0.0, "M0 14L0 0"),
    (12.0, "M0 10L0 0M0 5.6Q0.5 10 3.3 10Q6 10 6 6.2L6 0M6 5.6Q6.5 10 9.3 10Q12 10 12 6.2L12 0"),
    (7.6, "M0 10L0 0M0 5.6Q0.6 10 4.2 10Q7.6 10 7.6 6.2L7.6 0"),
    (8.4, "M4.2 10Q0 10 0 5Q0 0 4.2 0Q8.4 0 8.4 5Q8.4 10 4.2 10"),
    (8.0, "M0 10L0 -4M0 5Q0 10 4 10Q8 10 8 5Q8 0 4 0Q0 0 0 5"),
    (8.0, "M8 10L8 -4M8 5Q8 10 4 10Q0 10 0 5Q0 0 4 0Q8 0 8 5"),
    (4.4, "M0 10L0 0M0 5.4Q0.4 10 4.4 9.9"),
    (7.0, "M6.6 8.2Q5.8 10 3.6 10Q0.5 10 0.5 7.5Q0.5 5.7 3.6 5.1Q7 4.5 7 2.5Q7 0 3.6 0Q0.8 0 0 2.1"),
    (4.6, "M1.8 13L1.8 3Q1.8 0 4.8 0.2M0 9.6L4.6 9.6"),
    (7.6, "M7.6 10L7.6 0M7.6 4.4Q7 0 3.4 0Q0 0 0 3.8L0 10"),
    (8.0, "M0 10L4 0L8 10"),
    (12.0, "M0 10L3 0L6 9.5L9 0L12 10"),
    (7.4, "M0 0L7.4 10M0 10L7.4 0"),
    (8.0, "M0 10L4 0M8 10L3.4 -1.6Q2.4 -4 0.2 -4"),
    (7.0, "M0.2 10L7 10L0 0L7 0"),
    (4.0, "M4 15.6Q1.8 15.6 1.8 12L1.8 9Q1.8 6.2 0 6.2Q1.8 6.2 1.8 3.4L1.8 0Q1.8 -3.4 4 -3.4"),
    (0.0, "M0 15.6L0 -3.4"),
    (4.0, "M0 15.6Q2.2 15.6 2.2 12L2.2 9Q2.2 6.2 4 6.2Q2.2 6.2 2.2 3.4L2.2 0Q2.2 -3.4 0 -3.4"),
    (9.0, "M0 5.6Q0.6 8.2 2.6 8.2Q3.8 8.2 4.6 7Q5.4 5.6 6.6 5.6Q8.6 5.6 9 8.2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_can_be_drawn() {
        for code in 32u8..127 {
            let character = char::from(code);
            let steps = strokes(&character.to_string());
            assert_eq!(steps.is_empty(), character == ' ', "{character}");
            assert!(matches!(steps.first(), None | Some(Step::Move(_))), "{character}");
            let commands = glyph(character).1.chars().filter(char::is_ascii_alphabetic).count();
            assert_eq!(steps.len(), commands, "{character}");
        }
    }

    #[test]
    fn widths_add_up() {
        assert_eq!(width(""), 0.0);
        assert!(width("WWW") > 2.0 * width("W") && width("W") > width("i"));
        assert_eq!(glyph('\u{4e2d}'), glyph('\u{ffff}'));
    }

    #[test]
    fn letters_stand_where_the_table_says() {
        assert_eq!(glyph('A').1.chars().next(), Some('M'));
        assert_eq!(glyph('T').1, "M0 14L9.4 14M4.7 14L4.7 0");
        assert_eq!(glyph('l').1, glyph('I').1.replace("M0 0L0 14", "M0 14L0 0"));
        assert_eq!(glyph('~').0, 9.0);
        assert_eq!(glyph('-').0, 4.6);
        assert_eq!(glyph('z').0, 7.0);
    }
}
