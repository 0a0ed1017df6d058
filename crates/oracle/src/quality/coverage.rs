//! Measure 1, coverage: is there a polygon over every floor of a region, and a floor under every polygon?
//! Units: cells. Cost: O(floors + columns under polygons), more if something is missing.

use super::ground::{Ground, GroundSpan};
use super::surface::{Patch, Surface, distance, middle};
use super::worst::{Spot, worst};
use navmath::FIXED_ONE;

/// The result of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// Floors in regions.
    pub floors: usize,
    /// Floors whose middle is under no polygon of about their height.
    pub uncovered: usize,
    /// Uncovered floors that are farther from every such polygon than contours may deviate.
    pub beyond_error: usize,
    /// Uncovered floors that are farthest from a polygon; value: distance, cells.
    pub worst_uncovered: Vec<Spot>,
    /// Area of all polygons seen from above, cells squared.
    pub area: f64,
    /// The part of it that is over no floor of about its height, eroded or not.
    pub over_nothing: f64,
    /// Points of polygons that are farthest from such a floor; value: distance, cells.
    pub worst_over_nothing: Vec<Spot>,
}

/// Larger distances from a polygon or a floor are not measured exactly, cells.
const REACH: i32 = 32;

/// Measures a mesh against its ground. `footing` is the result of [`Surface::footing`], `storey_cells` the
/// height within which there can be no other storey, `max_error` the largest deviation of contours.
pub fn measure(
    ground: &Ground,
    surface: &Surface,
    footing: &[Option<(u32, f64)>],
    storey_cells: i32,
    max_error: f64,
) -> Coverage {
    let mut coverage = Coverage::default();
    let mut spots = Vec::new();
    for (span, footing) in ground.spans.iter().zip(footing) {
        coverage.floors += usize::from(span.region.is_some());
        if span.region.is_some() && footing.is_none() {
            coverage.uncovered += 1;
            let value = distance_to_surface(span, surface, storey_cells);
            coverage.beyond_error += usize::from(value > max_error);
            spots.push(Spot { value, cells: centre(span) });
        }
    }
    coverage.worst_uncovered = worst(spots);
    let mut spots = Vec::new();
    for patch in &surface.patches {
        let [[x0, x1], [z0, z1]] = patch.columns();
        for z in z0..=z1 {
            for x in x0..=x1 {
                measure_column(patch, [x, z], ground, storey_cells, &mut coverage, &mut spots);
            }
        }
    }
    coverage.worst_over_nothing = worst(spots);
    coverage
}

fn centre(span: &GroundSpan) -> [f64; 3] {
    [f64::from(span.x) + 0.5, f64::from(span.floor), f64::from(span.z) + 0.5]
}

/// Distance from the middle of a floor to the nearest polygon of about its height, cells.
fn distance_to_surface(span: &GroundSpan, surface: &Surface, storey_cells: i32) -> f64 {
    let (point, one) = (middle(span.x, span.z), f64::from(FIXED_ONE));
    let mut least = f64::from(REACH);
    for patch in &surface.patches {
        let [[x0, x1], [z0, z1]] = patch.columns();
        let apart = |low: i32, high: i32, at: i32| f64::from((low - at).max(at - high).max(0));
        if apart(x0, x1, span.x).max(apart(z0, z1, span.z)) > least + 1.0 {
            continue;
        }
        let (on, away) = patch.nearest(point);
        let height = patch.height(on) / one - f64::from(span.floor);
        if away / one < least && height.abs() < f64::from(storey_cells) {
            least = away / one;
        }
    }
    least
}

/// Adds the part of a polygon in a single column.
fn measure_column(
    patch: &Patch,
    [x, z]: [i32; 2],
    ground: &Ground,
    storey_cells: i32,
    coverage: &mut Coverage,
    spots: &mut Vec<Spot>,
) {
    let piece = clip(patch, [x, z]);
    let area = area(&piece);
    if area <= 0.0 {
        return;
    }
    coverage.area += area;
    let count = piece.len() as f64;
    let within = [0, 1].map(|axis| piece.iter().map(|corner| corner[axis]).sum::<f64>() / count);
    let height = patch.height(within.map(|v| v * f64::from(FIXED_ONE))) / f64::from(FIXED_ONE);
    let is_floor = |x: i32, z: i32| {
        let near = |span: &GroundSpan| {
            !span.taken_away && (f64::from(span.floor) - height).abs() < f64::from(storey_cells)
        };
        ground.spans[ground.floors(x, z)].iter().any(near)
    };
    if is_floor(x, z) {
        return;
    }
    coverage.over_nothing += area;
    let far = piece.iter().map(|&corner| distance_to_floor(corner, [x, z], &is_floor));
    let value = far.max_by(f64::total_cmp).unwrap_or(0.0);
    spots.push(Spot { value, cells: [within[0], height, within[1]] });
}

/// Distance from a point in column (x, z) to the nearest column that `is_floor` accepts, cells.
fn distance_to_floor(point: [f64; 2], [x, z]: [i32; 2], is_floor: &impl Fn(i32, i32) -> bool) -> f64 {
    let mut least = f64::from(REACH);
    for ring in 1..=REACH {
        // Nothing in this ring or beyond it can be nearer than this.
        if f64::from(ring - 1) >= least {
            break;
        }
        for dz in -ring..=ring {
            let step = if dz.abs() == ring { 1 } else { 2 * ring };
            for dx in (-ring..=ring).step_by(step as usize) {
                let (x, z) = (x + dx, z + dz);
                let nearest = [x, z].map(f64::from);
                let nearest = [0, 1].map(|axis| point[axis].clamp(nearest[axis], nearest[axis] + 1.0));
                let away = distance(nearest, point);
                if away < least && is_floor(x, z) {
                    least = away;
                }
            }
        }
    }
    least
}

/// The part of a polygon in a single column, cells.
fn clip(patch: &Patch, column: [i32; 2]) -> Vec<[f64; 2]> {
    let one = f64::from(FIXED_ONE);
    let mut piece: Vec<[f64; 2]> =
        patch.corners.iter().map(|&[x, _, z]| [x as f64 / one, z as f64 / one]).collect();
    for (axis, &cell) in column.iter().enumerate() {
        let low = f64::from(cell);
        piece = clip_half(&piece, axis, |value| value - low);
        piece = clip_half(&piece, axis, |value| low + 1.0 - value);
    }
    piece
}

/// The part of a polygon in which `inside` of a coordinate is not negative.
fn clip_half(piece: &[[f64; 2]], axis: usize, inside: impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let mut kept = Vec::with_capacity(piece.len() + 1);
    for (index, &b) in piece.iter().enumerate() {
        let a = piece[if index > 0 { index - 1 } else { piece.len() - 1 }];
        let (of_a, of_b) = (inside(a[axis]), inside(b[axis]));
        if (of_a < 0.0) != (of_b < 0.0) {
            let t = of_a / (of_a - of_b);
            kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
        }
        if of_b >= 0.0 {
            kept.push(b);
        }
    }
    kept
}

/// Area of a polygon whose interior is to the left.
fn area(piece: &[[f64; 2]]) -> f64 {
    let edges = piece.iter().zip(piece.iter().cycle().skip(1));
    edges.map(|(a, b)| b[0] * a[1] - a[0] * b[1]).sum::<f64>() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::testing::{rectangle, room};

    fn measured(ground: &Ground, patches: Vec<Patch>) -> Coverage {
        let surface = Surface::new(patches, ground.width, ground.depth);
        let footing = surface.footing(ground, 10);
        measure(ground, &surface, &footing, 10, 1.3)
    }

    /// Twelve columns by eight; `#` is floor.
    const ROOM: &str = "............\n.##########.\n.##########.\n.##########.\n.##########.\n.##########.\n............\n............";

    #[test]
    fn a_mesh_that_fits_covers_all_and_nothing_else() {
        let ground = room(ROOM, 3);
        let found = measured(&ground, vec![rectangle([1, 1], [6, 6], 3), rectangle([6, 1], [11, 6], 3)]);
        assert_eq!((found.floors, found.uncovered, found.beyond_error), (50, 0, 0));
        assert!((found.area - 50.0).abs() < 1e-9 && found.over_nothing == 0.0, "{found:?}");
    }

    #[test]
    fn a_missing_polygon_is_seen() {
        let ground = room(ROOM, 3);
        let found = measured(&ground, vec![rectangle([1, 1], [6, 6], 3)]);
        assert_eq!((found.floors, found.uncovered), (50, 25));
        // The nearest column's middle is half a cell away, the next one and a half.
        assert_eq!(found.beyond_error, 20);
        assert_eq!(found.worst_uncovered[0].value, 4.5);
        assert_eq!(found.worst_uncovered[0].cells[0], 10.5);
    }

    #[test]
    fn a_polygon_of_another_storey_does_not_count() {
        let ground = room(ROOM, 3);
        let found = measured(&ground, vec![rectangle([1, 1], [11, 6], 14)]);
        assert_eq!(found.uncovered, 50);
        assert_eq!(found.worst_uncovered[0].value, f64::from(REACH));
        assert!((found.over_nothing - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_shifted_polygon_covers_a_wall() {
        let ground = room(ROOM, 3);
        let found = measured(&ground, vec![rectangle([1, 3], [11, 8], 3)]);
        assert_eq!((found.uncovered, found.beyond_error), (20, 10));
        assert!((found.over_nothing - 20.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.worst_over_nothing[0].value, 2.0);
        assert_eq!(found.worst_over_nothing[0].cells[2], 7.5);
    }

    #[test]
    fn ground_taken_away_is_no_ground() {
        let mut ground = room(ROOM, 3);
        ground.spans[0].taken_away = true;
        let found = measured(&ground, vec![rectangle([1, 1], [11, 6], 3)]);
        assert!((found.over_nothing - 1.0).abs() < 1e-9);
        // Its outer corner is a column away from the two columns next to it.
        assert_eq!(found.worst_over_nothing[0].value, 1.0);
    }
}
