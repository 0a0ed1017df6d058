//! Traced outlines.

use super::{Difference, Kind, Tally};
use recast::AreaId;
use recast::data::{RawContour, RawContours, RawVertex, RegionId, in_cells};

/// A corner of an outline.
struct Corner {
    position: [i32; 3],
    beyond: RegionId,
    flags: [bool; 2],
}

impl From<&RawVertex> for Corner {
    fn from(v: &RawVertex) -> Corner {
        Corner { position: v.position, beyond: v.beyond, flags: [v.area_border, v.border_vertex] }
    }
}

/// Compares traced outlines. The C++ library forgets outlines whose simplification it drops. So outlines of
/// ours that theirs lacks are skipped, provided that all of theirs are found, in order.
pub fn raw_contours(ours: &RawContours, theirs: &RawContours) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::RegionCount, ours.region_count, theirs.region_count, || "regions".to_owned());
    let paired = paired(&ours.contours, &theirs.contours);
    if ours.contours.len() < theirs.contours.len() {
        let (a, b) = (ours.contours.len(), theirs.contours.len());
        tally.note(Kind::ContourCount, || format!("{a} contours, theirs {b}"));
    }
    for (index, (ours, theirs)) in paired.into_iter().zip(&theirs.contours).enumerate() {
        label(&mut tally, index, (ours.region, ours.area), (theirs.region, theirs.area));
        let (ours, theirs) = (ours.vertices.iter(), theirs.vertices.iter());
        corners(&mut tally, index, ours.map(Corner::from), theirs.map(Corner::from));
    }
    tally.into_differences()
}

/// The subsequence of ours that equals theirs, ignoring the marks of corners. All of ours if there is no such
/// subsequence.
fn paired<'a>(ours: &'a [RawContour], theirs: &[RawContour]) -> Vec<&'a RawContour> {
    let same_corner = |a: &RawVertex, b: &RawVertex| (a.position, a.beyond) == (b.position, b.beyond);
    let same = |a: &RawContour, b: &RawContour| {
        a.region == b.region
            && a.vertices.len() == b.vertices.len()
            && a.vertices.iter().zip(&b.vertices).all(|(a, b)| same_corner(a, b))
    };
    let mut rest = ours.iter();
    let found: Option<Vec<&RawContour>> =
        theirs.iter().map(|wanted| rest.find(|&contour| same(contour, wanted))).collect();
    found.unwrap_or_else(|| ours.iter().collect())
}

fn label(tally: &mut Tally, index: usize, ours: (RegionId, AreaId), theirs: (RegionId, AreaId)) {
    tally.equal(Kind::ContourLabel, ours, theirs, || format!("contour {index}"));
}

fn corners(
    tally: &mut Tally,
    contour: usize,
    ours: impl ExactSizeIterator<Item = Corner>,
    theirs: impl ExactSizeIterator<Item = Corner>,
) {
    tally.equal(Kind::CornerCount, ours.len(), theirs.len(), || format!("contour {contour}"));
    for (corner, (a, b)) in ours.zip(theirs).enumerate() {
        let place = || format!("contour {contour}, corner {corner} at {:?}", in_cells(a.position));
        let flat = |[x, _, z]: [i32; 3]| [x, z];
        tally.equal(Kind::CornerPosition, flat(a.position), flat(b.position), place);
        tally.equal(Kind::CornerHeight, a.position[1], b.position[1], place);
        tally.equal(Kind::CornerBeyond, a.beyond.kind(), b.beyond.kind(), place);
        tally.equal(Kind::CornerFlags, a.flags, b.flags, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::data::Grid;

    fn set(contours: Vec<Vec<[i32; 3]>>) -> RawContours {
        let grid =
            Grid { width: 9, depth: 9, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
        let vertex = |position| RawVertex {
            position,
            beyond: RegionId::NONE,
            area_border: false,
            border_vertex: false,
            junction: false,
            exact: false,
        };
        let contour = |corners: Vec<[i32; 3]>| RawContour {
            region: RegionId::inner(1),
            area: AreaId::GROUND,
            vertices: corners.into_iter().map(vertex).collect(),
        };
        RawContours { grid, region_count: 1, contours: contours.into_iter().map(contour).collect() }
    }

    #[test]
    fn outlines_they_dropped_are_passed_over() {
        let ours = set(vec![vec![[0, 0, 0]], vec![[1, 0, 0]], vec![[2, 0, 0]]]);
        assert_eq!(raw_contours(&ours, &set(vec![vec![[0, 0, 0]], vec![[2, 0, 0]]])), []);
        let other = raw_contours(&ours, &set(vec![vec![[0, 0, 0]], vec![[1, 4, 0]]]));
        assert_eq!(other.iter().map(|d| (d.kind, d.count)).collect::<Vec<_>>(), [(Kind::CornerHeight, 1)]);
        let missing = raw_contours(&set(vec![]), &set(vec![vec![[0, 0, 0]]]));
        assert_eq!(missing[0].kind, Kind::ContourCount);
    }
}
