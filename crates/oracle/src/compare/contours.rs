//! Traced outlines and contours.

use super::{Difference, Kind, Tally};
use recast::AreaId;
use recast::data::{
    Contour, ContourSet, ContourVertex, Grid, RawContour, RawContours, RawVertex, RegionId,
    SimplifiedContours,
};
use std::collections::BTreeSet;

/// A corner of either kind of contour.
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

impl From<&ContourVertex> for Corner {
    fn from(v: &ContourVertex) -> Corner {
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

/// Compares contours with their holes joined.
pub fn contours(ours: &ContourSet, theirs: &ContourSet) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::RegionCount, ours.region_count, theirs.region_count, || "regions".to_owned());
    let grid = ours.grid;
    for (index, ours, theirs) in aligned(&mut tally, &ours.contours, &theirs.contours) {
        label(&mut tally, index, (ours.region, ours.area), (theirs.region, theirs.area));
        simplified_corners(&mut tally, &grid, index, ours, theirs);
    }
    tally.into_differences()
}

/// Compares simplified contours with contours whose holes are joined, but only in regions that have a single
/// contour, where nothing was joined.
pub fn contours_without_holes(ours: &SimplifiedContours, joined: &ContourSet) -> Vec<Difference> {
    let mut tally = Tally::default();
    let mut contours_of = vec![0; joined.region_count as usize + 1];
    joined.contours.iter().for_each(|contour| contours_of[contour.region.index()] += 1);
    for (index, ours, theirs) in aligned(&mut tally, &ours.contours, &joined.contours) {
        label(&mut tally, index, (ours.region, ours.area), (theirs.region, theirs.area));
        if contours_of[theirs.region.index()] == 1 {
            simplified_corners(&mut tally, &joined.grid, index, ours, theirs);
        }
    }
    tally.into_differences()
}

/// Compares the corners of two contours. If ours has corners that theirs lacks, only these are counted,
/// separately for the tile's border. In that case the outline starts elsewhere, and the corners and bridges
/// after an added corner may differ.
fn simplified_corners(tally: &mut Tally, grid: &Grid, index: usize, ours: &Contour, theirs: &Contour) {
    let places = |contour: &Contour| -> BTreeSet<[i32; 2]> {
        contour.vertices.iter().map(|vertex| [vertex.position[0], vertex.position[2]]).collect()
    };
    let (own, others) = (places(ours), places(theirs));
    let added: Vec<_> = own.difference(&others).collect();
    // An added corner may replace another.
    if !added.is_empty() && others.difference(&own).count() <= added.len() {
        let [width, depth] = [grid.inner_width(), grid.inner_depth()].map(|cells| cells as i32);
        for corner @ [x, z] in added {
            let on_border = grid.border > 0 && (*x == 0 || *x == width || *z == 0 || *z == depth);
            let kind = if on_border { Kind::BorderCorner } else { Kind::AddedCorner };
            tally.note(kind, || format!("contour {index}, corner at {corner:?}"));
        }
        return;
    }
    let (ours, theirs) = (ours.vertices.iter(), theirs.vertices.iter());
    corners(tally, index, ours.map(Corner::from), theirs.map(Corner::from));
}

/// Pairs contours in their order. A contour of ours whose region theirs lacks is counted and skipped.
fn aligned<'a>(
    tally: &mut Tally,
    ours: &'a [Contour],
    theirs: &'a [Contour],
) -> Vec<(usize, &'a Contour, &'a Contour)> {
    let known: BTreeSet<RegionId> = theirs.iter().map(|contour| contour.region).collect();
    let (mut kept, mut more) = (Vec::new(), Vec::new());
    for (index, contour) in ours.iter().enumerate() {
        let list = if known.contains(&contour.region) { &mut kept } else { &mut more };
        list.push((index, contour));
    }
    for (index, contour) in more {
        let on_border = contour.vertices.iter().any(|vertex| vertex.beyond.is_border());
        let kind = if on_border { Kind::BorderOutline } else { Kind::KeptOutline };
        tally.note(kind, || {
            format!("contour {index} of region {:?}, {} corners", contour.region, contour.vertices.len())
        });
    }
    tally.equal(Kind::ContourCount, kept.len(), theirs.len(), || "contours".to_owned());
    kept.into_iter().zip(theirs).map(|((index, ours), theirs)| (index, ours, theirs)).collect()
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
        let place = || format!("contour {contour}, corner {corner} at {:?}", a.position);
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

    fn set(contours: Vec<Vec<[i32; 3]>>) -> RawContours {
        let grid =
            Grid { width: 9, depth: 9, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };
        let vertex = |position| RawVertex {
            position,
            beyond: RegionId::NONE,
            area_border: false,
            border_vertex: false,
            junction: false,
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

    #[test]
    fn added_corners_are_counted_and_others_compared() {
        let vertex = |[x, z]: [i32; 2]| ContourVertex {
            position: [x, 0, z],
            beyond: RegionId::NONE,
            area_border: false,
            border_vertex: false,
        };
        let kinds = |ours: &[[i32; 2]]| {
            let contour = |corners: &[[i32; 2]]| Contour {
                region: RegionId::inner(1),
                area: AreaId::GROUND,
                vertices: corners.iter().copied().map(vertex).collect(),
            };
            let grid = Grid { border: 2, width: 13, depth: 13, ..set(vec![]).grid };
            let set_of = |corners| ContourSet { grid, region_count: 1, contours: vec![contour(corners)] };
            let differences = contours(&set_of(ours), &set_of(&[[0, 0], [0, 9], [9, 9]]));
            differences.iter().map(|d| (d.kind, d.count)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&[[0, 0], [0, 9], [9, 9]]), []);
        assert_eq!(kinds(&[[0, 4], [0, 9], [9, 9], [0, 0]]), [(Kind::BorderCorner, 1)]);
        assert_eq!(kinds(&[[3, 4], [0, 9], [9, 9], [0, 0]]), [(Kind::AddedCorner, 1)]);
        assert_eq!(kinds(&[[0, 9], [9, 9], [0, 0]])[0], (Kind::CornerPosition, 3));
        assert_eq!(kinds(&[[0, 0], [9, 9]])[0], (Kind::CornerCount, 1));
    }

    #[test]
    fn outlines_on_the_border_are_recognised() {
        let contour = |region, beyond| Contour {
            region: RegionId::inner(region),
            area: AreaId::GROUND,
            vertices: vec![ContourVertex {
                position: [0; 3],
                beyond,
                area_border: false,
                border_vertex: false,
            }],
        };
        let grid = set(vec![]).grid;
        let contours_of = |contours: Vec<Contour>| ContourSet { grid, region_count: 3, contours };
        let (plain, border) = (RegionId::NONE, RegionId::border(2));
        let theirs = contours_of(vec![contour(1, border), contour(3, plain)]);
        let kinds = |extra| {
            let ours = contours_of(vec![contour(1, border), contour(2, extra), contour(3, plain)]);
            contours(&ours, &theirs).iter().map(|d| (d.kind, d.count)).collect::<Vec<_>>()
        };
        assert_eq!(kinds(border), [(Kind::BorderOutline, 1)]);
        assert_eq!(kinds(plain), [(Kind::KeptOutline, 1)]);
    }
}
