//! The floors under one triangle, row by row.

use crate::meshing::delaunay::DetailVertex;
use crate::meshing::side_line::{SideLine, centres};
use crate::soundness::floors_under::FloorPatch;
use navmath::FIXED_ONE;

/// The floor furthest above or below a triangle, if it is further than `allowed`: its distance, and its cell.
pub(super) fn worst_under(
    vertices: [DetailVertex; 3],
    floors: &FloorPatch,
    allowed: f64,
) -> Option<(f64, usize)> {
    let [mut a, mut b, mut c] = vertices;
    if b.plan[1] < a.plan[1] {
        (a, b) = (b, a);
    }
    if c.plan[1] < b.plan[1] {
        (b, c) = (c, b);
        if b.plan[1] < a.plan[1] {
            (a, b) = (b, a);
        }
    }
    let middle = [floors.x, floors.z].map(|cell| cell * FIXED_ONE + FIXED_ONE / 2);
    let [top, bottom] = centres(a.plan[1] - middle[1], c.plan[1] - middle[1]);
    let [x, other_x, third_x] = [a, b, c].map(|vertex| vertex.plan[0] - middle[0]);
    let columns = centres(x.min(other_x).min(third_x), x.max(other_x).max(third_x));
    // Many are so narrow that no centre is under them.
    if top > bottom || columns[0] > columns[1] {
        return None;
    }
    // The last row above the middle corner; all rows, if it is as low as the last corner.
    let level = b.plan[1] == c.plan[1];
    let split = if level { bottom } else { (b.plan[1] - middle[1] - 1).div_euclid(FIXED_ONE) };
    let base = f64::from(floors.base);
    let [a, b, c] = [a, b, c].map(|DetailVertex { plan: [x, z], height }| {
        let place = |at: i32| f64::from(at) * (1.0 / f64::from(FIXED_ONE));
        [place(x - middle[0]), height - base, place(z - middle[1])]
    });
    let (bx, by, bz) = (b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    let (cx, cy, cz) = (c[0] - a[0], c[1] - a[1], c[2] - a[2]);
    let area = bx * cz - cx * bz;
    let [rise_x, rise_z] = [(by * cz - cy * bz) / area, (bx * cy - cx * by) / area];
    let plan = |corner: [f64; 3]| [corner[0], corner[2]];
    let mut long = SideLine::new(plan(a), plan(c), f64::from(top));
    // The height over column 0 of a row.
    let mut row_height = a[1] - a[0] * rise_x + (f64::from(top) - a[2]) * rise_z;
    let (mut worst, mut found) = (allowed, None);
    let mut row = top;
    for (from, to) in [(a, b), (b, c)] {
        let end = if from == a { split } else { bottom };
        let mut short = SideLine::new(plan(from), plan(to), f64::from(row));
        while row <= end {
            let (left, right) = if area < 0.0 { (short, long) } else { (long, short) };
            let (first, last) = (left.first(), right.last());
            if first <= last {
                let start = floors.cell(first as usize, row as usize);
                let mut height = row_height + f64::from(first) * rise_x;
                for (cell, &floor) in (start..).zip(&floors.heights[start..=start + (last - first) as usize])
                {
                    let distance = (height - f64::from(floor)).abs();
                    // False for cells without a floor.
                    if distance > worst {
                        (worst, found) = (distance, Some(cell));
                    }
                    height += rise_x;
                }
            }
            long.next_row();
            short.next_row();
            row_height += rise_z;
            row += 1;
        }
    }
    found.map(|cell| (worst, cell))
}
