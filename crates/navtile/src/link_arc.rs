//! The path of a body over a generated link, as points: for animation and for pictures.
//!
//! A link stores its start, its end and a number that encodes its kind and profile. A drop and a climb need
//! no more. The height of a jump above its higher end is in the profile (`arc`), which only the settings
//! have.

use crate::link_kind::LinkKind;

impl LinkKind {
    /// `count` points (at least 2) on the path of an agent's feet from one point to another, both in metres
    /// with y up. The first and the last point are these two. A drop leads level to above its end and
    /// straight down, a climb straight up and level onto its end; a ladder does either, along its wall. Their
    /// points are evenly spaced along the path. A jump follows the parabola whose highest point is `rise`
    /// metres (at least 0) above the higher end; its points are evenly spaced as seen from above, and so in
    /// time.
    ///
    /// ```
    /// use navtile::LinkKind;
    ///
    /// let points = LinkKind::Drop.arc_points([0.0, 3.0, 0.0], [1.0, 0.0, 0.0], 0.0, 5);
    /// assert_eq!(points[1], [1.0, 3.0, 0.0]);
    /// let points = LinkKind::Jump.arc_points([0.0; 3], [4.0, 0.0, 0.0], 0.25, 3);
    /// assert_eq!(points[1], [2.0, 0.25, 0.0]);
    /// ```
    pub fn arc_points(self, start: [f64; 3], end: [f64; 3], rise: f64, count: usize) -> Vec<[f64; 3]> {
        let last = count.max(2) - 1;
        let point = |at: usize| match at {
            0 => start,
            at if at >= last => end,
            at => self.along([start, end], rise, at as f64 / last as f64),
        };
        (0..=last).map(point).collect()
    }

    /// The point at a given share of the path.
    fn along(self, [start, end]: [[f64; 3]; 2], rise: f64, share: f64) -> [f64; 3] {
        let level = |share: f64| [0, 2].map(|axis| start[axis] + (end[axis] - start[axis]) * share);
        let up = end[1] - start[1];
        if self == LinkKind::Jump {
            // The bow whose highest point is `rise` above the higher end.
            let bow = (rise.max(0.0).sqrt() + (rise.max(0.0) + up.abs()).sqrt()).powi(2) / 4.0;
            let [x, z] = level(share);
            return [x, start[1] + up * share + 4.0 * bow * share * (1.0 - share), z];
        }
        let (across, height) = ((end[0] - start[0]).hypot(end[2] - start[2]), up.abs());
        let gone = share * (across + height);
        // The path has two parts: a drop starts with the level part, a climb with the steep part.
        let is_steep_first = match self {
            LinkKind::Climb => true,
            LinkKind::Drop | LinkKind::Jump => false,
            // A ladder that leads down starts level at its top, like a drop.
            LinkKind::Ladder => up > 0.0,
        };
        let (level_gone, steep_gone) = if is_steep_first {
            ((gone - height).max(0.0), gone.min(height))
        } else {
            (gone.min(across), (gone - across).max(0.0))
        };
        let [x, z] = level(if across > 0.0 { level_gone / across } else { 0.0 });
        [x, start[1] + up.signum() * steep_gone, z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_begin_and_end_where_the_link_does() {
        let ends = [[1.0, 5.0, -2.0], [3.0, 2.0, -1.0]];
        for kind in LinkKind::ALL {
            for [start, end] in [ends, [ends[1], ends[0]]] {
                for count in [0, 2, 3, 17] {
                    let points = kind.arc_points(start, end, 0.5, count);
                    assert_eq!((points.len(), points[0]), (count.max(2), start));
                    assert_eq!(points[points.len() - 1], end);
                    let highest = points.iter().map(|point| point[1]).fold(f64::MIN, f64::max);
                    let most = if kind == LinkKind::Jump { 5.5 } else { 5.0 };
                    assert!(highest <= most + 1e-9, "{kind:?} {points:?}");
                }
            }
        }
        let jump = LinkKind::Jump.arc_points(ends[0], ends[1], 0.5, 1001);
        let highest = jump.iter().map(|point| point[1]).fold(f64::MIN, f64::max);
        assert!((highest - 5.5).abs() < 1e-4, "{highest}");
    }
}
