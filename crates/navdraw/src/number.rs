//! Numbers as text, always the same way, and round steps for scales.

pub use navmath::count::grouped;

/// `value` with at most `decimals` decimals, without trailing zeros and without a negative zero. Values that
/// are not finite become 0: callers have filtered them already.
pub fn fixed(value: f64, decimals: u32) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{value:.*}", decimals as usize);
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// A count with its noun: `1 tile`, `1,200 tiles`.
pub fn counted(count: usize, noun: &str) -> String {
    let several = if noun == "vertex" { "vertices".to_owned() } else { format!("{noun}s") };
    navmath::count::counted(count as u64, noun, &several)
}

/// A square measure: whole square metres once there are a hundred of them.
pub fn square_metres(area: f64) -> String {
    if area >= 100.0 {
        format!("{} m\u{b2}", grouped(area.round() as u64))
    } else {
        format!("{} m\u{b2}", fixed(area, 2))
    }
}

/// The largest of 1, 2 or 5 times a power of ten that is at most `limit`, and the decimals it needs. `None`
/// if the limit is not a positive number of a sensible size.
pub(crate) fn round_step(limit: f64) -> Option<(f64, u32)> {
    if !(1e-6..=1e12).contains(&limit) {
        return None;
    }
    let (mut power, mut decimals) = (1.0, 0u32);
    while power > limit {
        decimals += 1;
        power = 1.0 / 10f64.powi(decimals as i32);
    }
    while power * 10.0 <= limit {
        power *= 10.0;
    }
    let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= limit).unwrap_or(1.0);
    Some((factor * power, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_plain() {
        assert_eq!(fixed(1.50, 2), "1.5");
        assert_eq!(fixed(-0.0001, 2), "0");
        assert_eq!(fixed(100.0, 2), "100");
        assert_eq!(fixed(f64::NAN, 2), "0");
        assert_eq!(counted(1, "tile"), "1 tile");
        assert_eq!(counted(2, "vertex"), "2 vertices");
        assert_eq!(square_metres(1234.4), "1,234 m\u{b2}");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(round_step(7.3), Some((5.0, 0)));
        assert_eq!(round_step(49.0), Some((20.0, 0)));
        assert_eq!(round_step(1.0), Some((1.0, 0)));
        assert_eq!(round_step(0.3), Some((0.2, 1)));
        assert_eq!(round_step(0.05), Some((0.05, 2)));
        assert_eq!(round_step(0.0), None);
        assert_eq!(round_step(f64::INFINITY), None);
    }
}
