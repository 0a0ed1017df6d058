//! Numbers for people to read.

use std::time::Duration;

pub(super) use navdraw::number::{counted, fixed, square_metres};

/// A number of things.
pub(super) fn count(value: usize) -> String {
    navdraw::number::grouped(value as u64)
}

/// A duration in the unit that suits it.
pub(super) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 {
        let decimals = if seconds < 0.0995 { 2 } else { 0 };
        format!("{:.decimals$} ms", seconds * 1000.0)
    } else if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        if whole < 3600 {
            format!("{} min {} s", whole / 60, whole % 60)
        } else {
            format!("{} h {} min", whole / 3600, whole / 60 % 60)
        }
    }
}

/// A share of a whole in per cent; nothing of nothing is 0.
pub(super) fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { (part / whole * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

/// A place in the level: `x, y, z` in metres.
pub(super) fn place([x, y, z]: [f64; 3]) -> String {
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

    #[test]
    fn durations_have_their_unit() {
        let text = |micros| duration(Duration::from_micros(micros));
        assert_eq!(text(0), "0.00 ms");
        assert_eq!(text(12_345), "12.35 ms");
        assert_eq!(text(345_678), "346 ms");
        assert_eq!(text(2_345_678), "2.35 s");
        assert_eq!(text(83_400_000), "1 min 23 s");
        assert_eq!(text(2 * 3_600_000_000 + 59_600_000), "2 h 1 min");
    }
}
