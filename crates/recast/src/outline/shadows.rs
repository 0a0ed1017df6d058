//! The places on a line that are outside of the shadows of walls. A shadow is a part of the line that is
//! nearer to a wall than the radius. Its ends are outside of it.

/// A place is free if its distance from all wall lines is larger than the radius by this, cells. Rounding to
/// 1/256 cell moves it by no more along an axis.
pub(super) const ROOM: f64 = 1.0 / 512.0;

/// The width of the widest part of a range outside of all shadows: 0 for a single place, `None` if shadows
/// cover the whole range.
pub(super) fn free_width([low, high]: [f64; 2], shadows: &mut [[f64; 2]]) -> Option<f64> {
    shadows.sort_unstable_by(|one, two| one[0].total_cmp(&two[0]));
    let (mut from, mut widest) = (low, None);
    for &[start, end] in shadows.iter().chain([&[high, high]]) {
        let start = f64::min(start, high);
        if start >= from {
            widest = Some(f64::max(widest.unwrap_or(0.0), start - from));
        }
        from = f64::max(from, end);
    }
    widest
}

/// The shadow over a place, joined with the shadows that overlap it; `None` if no shadow is over the place.
pub(super) fn shadow_over(at: f64, shadows: &mut [[f64; 2]]) -> Option<[f64; 2]> {
    shadows.sort_unstable_by(|one, two| one[0].total_cmp(&two[0]));
    let mut over: Option<[f64; 2]> = None;
    for &[start, end] in shadows.iter() {
        match &mut over {
            Some(over) if start < over[1] => over[1] = over[1].max(end),
            Some(over) if over[1] > at => break,
            _ => over = Some([start, end]),
        }
    }
    over.filter(|[start, end]| *start < at && at < *end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shadows_leave_the_places_between_them() {
        assert_eq!(free_width([0.0, 1.0], &mut [[0.5, 2.0], [-1.0, 0.25]]), Some(0.25));
        assert_eq!(free_width([0.0, 1.0], &mut [[0.5, 2.0], [-1.0, 0.5]]), Some(0.0), "shadows are open");
        assert_eq!(free_width([0.0, 1.0], &mut [[0.5, 2.0], [-1.0, 0.75]]), None);
        assert_eq!(free_width([0.0, 1.0], &mut [[-1.0, 1.0]]), Some(0.0));
        assert_eq!(free_width([0.0, 1.0], &mut [[0.25, 0.5], [0.75, 2.0]]), Some(0.25));
    }
    #[test]
    fn shadows_that_overlap_are_one() {
        let over = |at: f64| shadow_over(at, &mut [[2.0, 3.0], [0.0, 1.0], [2.5, 4.0], [4.0, 5.0]]);
        assert_eq!(over(0.5), Some([0.0, 1.0]));
        assert_eq!(over(2.25), Some([2.0, 4.0]));
        assert_eq!(over(3.5), Some([2.0, 4.0]));
        assert_eq!([over(1.0), over(1.5), over(4.0), over(6.0)], [None; 4], "shadows are open");
    }
}
