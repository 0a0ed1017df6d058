//! Finds the places where the outlines of a region cross.

use crate::data::{RawContours, RegionId};
use crate::meshing::box_tree::{BoxTree, bounds};
use crate::outline::OutlineFault;
use navmath::predicates::{Point, cross_properly};

/// The edges of outlines, reused.
#[derive(Default)]
pub(super) struct Edges {
    /// The region and the ends of each.
    list: Vec<(RegionId, [Point; 2])>,
    tree: BoxTree,
}

/// Finds the pairs of edges of one region that cross. Cost: O(corners log corners) if edges crowd nowhere.
pub(super) fn find(contours: &RawContours, Edges { list, tree }: &mut Edges, faults: &mut Vec<OutlineFault>) {
    list.clear();
    for contour in &contours.contours {
        let ends = contour.vertices.iter().cycle().skip(1);
        let of_outline = contour.vertices.iter().zip(ends);
        list.extend(of_outline.map(|(from, to)| (contour.region, [from.plan(), to.plan()])));
    }
    tree.build(list.iter().map(|&(_, edge)| bounds(edge)));
    for (number, &(region, [a, b])) in list.iter().enumerate() {
        let _: Option<()> = tree.find(&bounds([a, b]), |other| {
            let (other_region, [c, d]) = list[other];
            if other < number && other_region == region && cross_properly(a, b, c, d) {
                faults.push(OutlineFault { region, place: Some(crossing([a, b], [c, d])) });
            }
            None
        });
    }
}

/// The place where two edges cross, rounded.
fn crossing([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Point {
    let of = |from: Point, to: Point| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
    let cross = |one: [i64; 2], two: [i64; 2]| (one[0] * two[1] - one[1] * two[0]) as f64;
    let share = cross(of(a, c), of(c, d)) / cross(of(a, b), of(c, d));
    [0, 1].map(|axis| a[axis] + (of(a, b)[axis] as f64 * share).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{RawContour, RawVertex};
    use crate::stage::testing::grid;
    use navtile::area::AreaId;

    fn outline(region: RegionId, corners: &[Point]) -> RawContour {
        let corner = |&[x, z]: &Point| RawVertex {
            position: [256 * x, 0, 256 * z],
            beyond: RegionId::NONE,
            area_border: false,
            border_vertex: false,
            junction: false,
            exact: true,
        };
        RawContour { region, area: AreaId::GROUND, vertices: corners.iter().map(corner).collect() }
    }

    fn places(contours: Vec<RawContour>) -> Vec<Option<Point>> {
        let contours = RawContours { grid: grid(9, 9), region_count: 2, contours };
        let mut faults = Vec::new();
        find(&contours, &mut Edges::default(), &mut faults);
        faults.into_iter().map(|fault| fault.place).collect()
    }

    #[test]
    fn edges_of_one_region_that_cross_are_found() {
        let [one, two] = [1, 2].map(RegionId::inner);
        let square = outline(one, &[[0, 0], [0, 8], [8, 8], [8, 0]]);
        let hole = outline(one, &[[2, 2], [4, 2], [4, 4]]);
        assert_eq!(places(vec![square.clone(), hole]), []);
        let bow_tie = outline(one, &[[0, 0], [4, 4], [4, 0], [0, 4]]);
        assert_eq!(places(vec![bow_tie]), [Some([512, 512])]);
        let hole_beyond = [[6, 1], [9, 1], [6, 3]];
        let crossed = places(vec![square.clone(), outline(one, &hole_beyond)]);
        assert_eq!(crossed, [Some([2048, 256]), Some([2048, 427])]);
        assert_eq!(places(vec![square, outline(two, &hole_beyond)]), [], "another region may be above");
    }
}
