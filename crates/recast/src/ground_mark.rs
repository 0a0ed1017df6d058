//! The outline of a convex body seen from above, the columns that it covers, and the ground that is marked
//! within it.

use crate::data::Grid;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use std::ops::Range;

/// A convex outline, counter-clockwise with x to the right and z upwards, metres from the lattice's zero. It
/// may be a segment or a point.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexOutline(Vec<[f64; 2]>);

impl ConvexOutline {
    /// The outline around these points. Source: A. M. Andrew, the monotone chain.
    pub fn around(mut points: Vec<[f64; 2]>) -> ConvexOutline {
        points.shared_sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        points.dedup();
        if points.len() < 3 {
            return ConvexOutline(points);
        }
        let mut outline = half(points.iter());
        outline.extend(half(points.iter().rev()));
        ConvexOutline(outline)
    }

    /// The corners.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.0
    }

    /// Returns true if a place is within it, or at most `reach` metres outside.
    pub fn is_within(&self, place: [f64; 2], reach: f64) -> bool {
        let edges = self.0.iter().zip(self.0.iter().cycle().skip(1));
        let is_area = self.0.len() > 2;
        let mut is_inside = is_area;
        for (a, b) in edges {
            // The place is inside this edge, so the edge is not the nearest one.
            if is_area && turn(*a, *b, place) >= 0.0 {
                continue;
            }
            is_inside = false;
            if distance_squared(place, *a, *b) <= reach * reach {
                return true;
            }
        }
        is_inside
    }
}

/// The corners along one side, without the last one.
fn half<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for &point in points {
        while let [.., a, b] = *chain.as_slice()
            && turn(a, b, point) <= 0.0
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain.pop();
    chain
}

/// Positive if `c` is left of the line from `a` to `b`.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn distance_squared(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let ab = [b[0] - a[0], b[1] - a[1]];
    let ap = [point[0] - a[0], point[1] - a[1]];
    let length = ab[0] * ab[0] + ab[1] * ab[1];
    let along = if length > 0.0 { ((ap[0] * ab[0] + ap[1] * ab[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    let off = [ap[0] - ab[0] * along, ap[1] - ab[1] * along];
    off[0] * off[0] + off[1] * off[1]
}

/// An upright prism: an outline and a range of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Prism {
    /// Its outline in the plane.
    pub outline: ConvexOutline,
    /// First and last cell in height.
    pub heights: [i64; 2],
    /// It covers the middle of a column up to this far outside the outline, metres.
    pub reach: f64,
}

/// Ground within a prism, and its area.
#[derive(Clone, Copy, Debug)]
pub struct GroundMark<'a> {
    /// The prism.
    pub prism: &'a Prism,
    /// The area of floors within the prism.
    pub area: AreaId,
}

impl GroundMark<'_> {
    /// Calls `mark` with each column of a grid that it covers, and its first and last cell in height.
    pub fn for_each_column(&self, grid: &Grid, cell_size: f64, mut mark: impl FnMut(usize, [i64; 2])) {
        for_each_column(self.prism, grid, cell_size, |column| mark(column as usize, self.prism.heights));
    }
}

/// Calls `found` with each column of a grid whose middle a prism covers.
pub fn for_each_column(prism: &Prism, grid: &Grid, cell_size: f64, mut found: impl FnMut(u32)) {
    let range = |axis: usize, base: i32, count: u32| -> Range<u32> {
        let values = prism.outline.corners().iter().map(|corner| corner[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min) - prism.reach;
        let high = values.fold(f64::NEG_INFINITY, f64::max) + prism.reach;
        let cell = |value: f64, more: i64| {
            let cell = (value / cell_size).floor() as i64 - i64::from(base) + more;
            cell.clamp(0, i64::from(count)) as u32
        };
        cell(low, -1)..cell(high, 2)
    };
    let (columns, rows) = (range(0, grid.base_x, grid.width), range(1, grid.base_z, grid.depth));
    let middle = |base: i32, step: u32| (f64::from(base) + f64::from(step) + 0.5) * cell_size;
    for z in rows {
        let is_within = |x: &u32| {
            let place = [middle(grid.base_x, *x), middle(grid.base_z, z)];
            prism.outline.is_within(place, prism.reach)
        };
        // In a row, a convex outline covers consecutive columns.
        let Some(first) = columns.clone().find(is_within) else { continue };
        let last = columns.clone().rev().find(is_within).unwrap_or(first);
        (first..=last).for_each(|x| found(grid.column(x, z) as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_covers_its_inside_and_what_is_near() {
        let points = vec![[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0], [1.0, 0.0]];
        let outline = ConvexOutline::around(points);
        assert_eq!(outline.corners().len(), 4);
        assert!(outline.is_within([1.0, 1.0], 0.0));
        assert!(!outline.is_within([2.5, 1.0], 0.4));
        assert!(outline.is_within([2.5, 1.0], 0.5));
        assert!(!outline.is_within([2.5, 2.5], 0.7), "corners are round");
    }

    #[test]
    fn a_segment_is_an_outline() {
        let outline = ConvexOutline::around(vec![[0.0, 0.0], [2.0, 0.0]]);
        assert!(outline.is_within([1.0, 0.0], 0.0) && !outline.is_within([3.0, 0.0], 0.0));
        assert!(outline.is_within([3.0, 0.0], 1.0));
    }
}
