//! Formats numbers for people.

pub(crate) use crate::report::duration;
pub(crate) use navdraw::number::{counted, fixed, square_metres};

/// A number of things.
pub(crate) fn count(value: usize) -> String {
    navdraw::number::grouped(value as u64)
}

/// A share of a whole in per cent; 0 if both are 0.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

/// A place in the level: `x, y, z` in metres.
pub(crate) fn place(place: [f64; 3]) -> String {
    // Zero has no sign.
    let [x, y, z] = place.map(|value| (value * 100.0).round() / 100.0 + 0.0);
    format!("{x:.2}, {y:.2}, {z:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "tile"), "1 tile");
        assert_eq!(counted(2000, "tile"), "2,000 tiles");
        assert_eq!(square_metres(1.5), "1.5 m\u{b2}");
        assert_eq!(square_metres(1234.5), "1,235 m\u{b2}");
        assert_eq!(fixed(-0.001, 2), "0");
        assert_eq!(percent(1.0, 0.0), 0.0);
        assert_eq!(percent(1.0, 4.0), 25.0);
    }
}
