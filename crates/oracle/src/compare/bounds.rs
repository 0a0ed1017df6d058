//! Bounds for the stages after the traced outlines. Our contours keep other corners than the C++ library's,
//! and our polygons merge other triangles. So the comparison looks at the ground that both cover, at its
//! portals and islands, and at the number of corners and polygons.

use super::{Difference, Kind, Tally};
use navmath::FIXED_ONE;
use recast::AreaId;
use recast::data::{
    Contour, ContourSet, EdgeKind, PolyMesh, RawContour, RawContours, RawVertex, RegionId, Side,
    SimplifiedContours, in_cells,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// Compares regions that a bake has joined: the same ground is in regions, and each region of theirs is in
/// one of ours.
pub fn joined_regions(ours: &[RegionId], theirs: &[RegionId]) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::SpanCount, ours.len(), theirs.len(), || "spans".to_owned());
    let mut joined_to = BTreeMap::new();
    for (span, (&a, &b)) in ours.iter().zip(theirs).enumerate() {
        let both_inner = a.is_inner() && b.is_inner();
        let same = if both_inner { *joined_to.entry(b).or_insert(a) == a } else { a.kind() == b.kind() };
        if !same {
            tally.note(Kind::Region, || format!("span {span}: {a:?}, theirs {b:?}"));
        }
    }
    tally.into_differences()
}

/// Compares the traced outlines of joined regions: each wall of theirs is one of ours.
pub fn walls(ours: &RawContours, theirs: &RawContours) -> Vec<Difference> {
    let mut tally = Tally::default();
    let own: BTreeSet<_> = ours.contours.iter().flat_map(walls_of).collect();
    for wall in theirs.contours.iter().flat_map(walls_of).filter(|wall| !own.contains(wall)) {
        tally.note(Kind::Wall, || format!("{wall:?}"));
    }
    tally.into_differences()
}

/// The edges of an outline that do not lead into other ground of the same area: both ends, and the area.
fn walls_of(contour: &RawContour) -> impl Iterator<Item = ([[i32; 3]; 2], AreaId)> {
    edges(&contour.vertices)
        .filter(|(_, to)| is_wall(to))
        .map(|(from, to)| ([from.position, to.position], contour.area))
}

/// Returns true if the edge that ends at a corner is a wall, or the border of an area.
fn is_wall(corner: &RawVertex) -> bool {
    !corner.beyond.is_inner() || corner.area_border
}

/// All pairs of successive items of a ring.
fn edges<T>(ring: &[T]) -> impl Iterator<Item = (&T, &T)> {
    ring.iter().zip(ring.iter().cycle().skip(1))
}

/// Compares simplified outlines with the traced ones: they keep corners of these, and are within the error,
/// in cells, of every traced corner at walls and other areas.
pub fn simplified(ours: &SimplifiedContours, raw: &RawContours, max_error: f32) -> Vec<Difference> {
    let mut tally = Tally::default();
    let mut rest = ours.contours.iter().peekable();
    for contour in &raw.contours {
        let places: BTreeSet<_> = contour.vertices.iter().map(|vertex| vertex.position).collect();
        let is_part = |simplified: &&Contour| {
            (simplified.region, simplified.area) == (contour.region, contour.area)
                && simplified.vertices.iter().all(|vertex| places.contains(&vertex.position))
        };
        // Outlines and holes that shrink to nothing are left out.
        let Some(simplified) = rest.next_if(is_part) else { continue };
        let corners: Vec<[f64; 2]> = simplified.vertices.iter().map(|vertex| plan(vertex.position)).collect();
        for (corner, next) in edges(&contour.vertices) {
            let on_wall = [corner, next].iter().all(|vertex| vertex.beyond.is_none() || vertex.area_border);
            let is_near =
                || edges(&corners).any(|(&a, &b)| distance(plan(corner.position), a, b) <= error(max_error));
            if on_wall && !is_near() {
                tally.note(Kind::OutlineError, || format!("{:?} at {:?}", contour.region, corner.position));
            }
        }
    }
    for contour in rest {
        tally.note(Kind::ContourCount, || format!("{:?}: no traced outline has its corners", contour.region));
    }
    tally.into_differences()
}

/// An error with room for rounding.
fn error(max_error: f32) -> f64 {
    f64::from(max_error) + 1e-6
}

/// A place as seen from above, cells.
fn plan(place: [i32; 3]) -> [f64; 2] {
    let [x, _, z] = in_cells(place);
    [x, z]
}

/// The distance of a place from an edge.
fn distance([x, z]: [f64; 2], [ax, az]: [f64; 2], [bx, bz]: [f64; 2]) -> f64 {
    let (along, across) = ([bx - ax, bz - az], [x - ax, z - az]);
    let length2 = along[0] * along[0] + along[1] * along[1];
    let part = if length2 == 0.0 { 0.0 } else { (along[0] * across[0] + along[1] * across[1]) / length2 };
    let part = part.clamp(0.0, 1.0);
    (across[0] - part * along[0]).hypot(across[1] - part * along[1])
}

/// Compares contours with their holes joined, of the same regions: each region has its contour, and
/// what [`all_contours`] compares.
pub fn contours(ours: &ContourSet, theirs: &ContourSet, max_error: f32) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::RegionCount, ours.region_count, theirs.region_count, || "regions".to_owned());
    let known: BTreeSet<RegionId> = theirs.contours.iter().map(|contour| contour.region).collect();
    let (mut kept, mut labels) = (ours.clone(), Vec::new());
    kept.contours.retain(|contour| known.contains(&contour.region));
    for contour in ours.contours.iter().filter(|contour| !known.contains(&contour.region)) {
        let on_border = contour.vertices.iter().any(|vertex| vertex.beyond.is_border());
        let kind = if on_border { Kind::BorderOutline } else { Kind::KeptOutline };
        tally.note(kind, || format!("{:?}, {} corners", contour.region, contour.vertices.len()));
    }
    for set in [&kept, theirs] {
        let filled = set.contours.iter().filter(|contour| !contour.vertices.is_empty());
        labels.push(filled.map(|contour| (contour.region, contour.area)).collect::<BTreeSet<_>>());
    }
    for label in labels[0].symmetric_difference(&labels[1]) {
        tally.note(Kind::ContourLabel, || format!("{label:?}"));
    }
    compare_contours(&mut tally, &kept, theirs, max_error, |contour| contour.region);
    tally.into_differences()
}

/// Compares all contours of a tile: the ground that they cover of each area is the same within the error, and
/// ours have no more corners.
pub fn all_contours(ours: &ContourSet, theirs: &ContourSet, max_error: f32) -> Vec<Difference> {
    let mut tally = Tally::default();
    compare_contours(&mut tally, ours, theirs, max_error, |contour| contour.area);
    tally.into_differences()
}

fn compare_contours<K: Ord + Debug>(
    tally: &mut Tally,
    ours: &ContourSet,
    theirs: &ContourSet,
    max_error: f32,
    key: impl Fn(&Contour) -> K,
) {
    let length = |contour: &Contour| -> f64 {
        let walls = edges(&contour.vertices);
        walls.map(|(a, b)| distance(plan(a.position), plan(b.position), plan(b.position))).sum()
    };
    let ground = |set: &ContourSet| {
        Cover::of(set.contours.iter().map(|contour| (key(contour), contour.area2(), length(contour))))
    };
    ground(ours).compare(tally, &ground(theirs), max_error);
    let corners = |set: &ContourSet| set.contours.iter().map(|contour| contour.vertices.len()).sum::<usize>();
    no_more(tally, Kind::MoreCorners, corners(ours), corners(theirs));
}

/// Notes each thing that ours has more of than theirs.
fn no_more(tally: &mut Tally, kind: Kind, ours: usize, theirs: usize) {
    for _ in theirs..ours {
        tally.note(kind, || format!("{ours}, theirs {theirs}"));
    }
}

/// The ground that is covered, in parts: twice the area of each, in squares of 1/256 cell, and the length of
/// its edges in cells.
struct Cover<K>(BTreeMap<K, (i128, f64)>);

impl<K: Ord + Debug> Cover<K> {
    fn of(parts: impl Iterator<Item = (K, i128, f64)>) -> Cover<K> {
        let mut ground = BTreeMap::new();
        for (key, area2, length) in parts {
            let sum: &mut (i128, f64) = ground.entry(key).or_default();
            *sum = (sum.0 + area2, sum.1 + length);
        }
        Cover(ground)
    }

    /// Areas may differ by a third of the error along all edges: both are within the error of the traced
    /// outline, on either side of it.
    fn compare(&self, tally: &mut Tally, theirs: &Cover<K>, max_error: f32) {
        let keys: BTreeSet<&K> = self.0.keys().chain(theirs.0.keys()).collect();
        for key in keys {
            let [(ours, _), (theirs, length)] =
                [self, theirs].map(|g| g.0.get(key).copied().unwrap_or_default());
            let [ours, theirs] =
                [ours, theirs].map(|area2| area2 as f64 / f64::from(2 * FIXED_ONE * FIXED_ONE));
            let off = (ours - theirs).abs();
            if 3.0 * off > f64::from(max_error) * length {
                tally.note(Kind::CoveredArea, || format!("{key:?}: {ours} cells, theirs {theirs}"));
            }
        }
    }
}

/// Compares polygons: they cover the same ground of each area within the error of their contours, 0 if these
/// are the same; the portals are the same; and ours are no more, and make no more islands.
pub fn polygons(ours: &PolyMesh, theirs: &PolyMesh, max_error: f32) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::Grid, ours.grid, theirs.grid, || "grid".to_owned());
    let ground =
        |mesh: &PolyMesh| {
            let parts = mesh.polygons.iter().enumerate();
            Cover::of(parts.map(|(index, polygon)| {
                (polygon.area, mesh.polygon_area2(polygon), outer_length(mesh, index))
            }))
        };
    ground(ours).compare(&mut tally, &ground(theirs), max_error);
    no_more(&mut tally, Kind::MorePolygons, ours.polygons.len(), theirs.polygons.len());
    no_more(&mut tally, Kind::MoreIslands, islands(ours), islands(theirs));
    let (own, others) = (portals(ours), portals(theirs));
    let places: BTreeSet<_> = own.keys().chain(others.keys()).collect();
    for place in places {
        let [a, b] = [&own, &others].map(|portals| portals.get(place).copied().unwrap_or(0));
        no_more(&mut tally, Kind::OpenPortal, a, b);
        (a..b).for_each(|_| tally.note(Kind::ClosedPortal, || format!("{place:?}")));
    }
    tally.into_differences()
}

/// The ends of the edges of a polygon, and what is beyond them.
fn polygon_edges(mesh: &PolyMesh, polygon: usize) -> impl Iterator<Item = ([[i32; 3]; 2], EdgeKind)> {
    let polygon = &mesh.polygons[polygon];
    let corners = edges(mesh.polygon_corners(polygon));
    let ends = corners.map(|(&a, &b)| [a, b].map(|vertex| mesh.vertices[vertex as usize]));
    ends.zip(mesh.edges[polygon.range()].iter().copied())
}

/// The length of a polygon's edges that do not lead into ground of its area.
fn outer_length(mesh: &PolyMesh, index: usize) -> f64 {
    let area = mesh.polygons[index].area;
    let outer = polygon_edges(mesh, index).filter(|(_, beyond)| match beyond {
        EdgeKind::Internal(other) => mesh.polygons[*other as usize].area != area,
        EdgeKind::Wall | EdgeKind::Portal(_) => true,
    });
    outer.map(|([a, b], _)| distance(plan(a), plan(b), plan(b))).sum()
}

/// The number of portals at each cell along the tile's border.
fn portals(mesh: &PolyMesh) -> BTreeMap<(u8, i32), usize> {
    let mut portals = BTreeMap::new();
    for ([a, b], beyond) in (0..mesh.polygons.len()).flat_map(|index| polygon_edges(mesh, index)) {
        let EdgeKind::Portal(side) = beyond else { continue };
        let axis = if matches!(side, Side::XMin | Side::XMax) { 2 } else { 0 };
        for cell in a[axis].min(b[axis]) / FIXED_ONE..a[axis].max(b[axis]) / FIXED_ONE {
            *portals.entry((side as u8, cell)).or_default() += 1;
        }
    }
    portals
}

/// The number of groups of polygons that are connected.
fn islands(mesh: &PolyMesh) -> usize {
    let (mut seen, mut open, mut count) = (vec![false; mesh.polygons.len()], Vec::new(), 0);
    for start in 0..seen.len() {
        count += usize::from(!seen[start]);
        open.push(start);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut seen[index], true) {
                open.extend(polygon_edges(mesh, index).filter_map(|(_, beyond)| match beyond {
                    EdgeKind::Internal(other) => Some(other as usize),
                    EdgeKind::Wall | EdgeKind::Portal(_) => None,
                }));
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::data::{ContourVertex, Grid, Polygon};

    const GRID: Grid =
        Grid { width: 20, depth: 20, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 };

    fn kinds(differences: &[Difference]) -> Vec<(Kind, usize)> {
        differences.iter().map(|difference| (difference.kind, difference.count)).collect()
    }

    fn raw(corners: &[[i32; 2]], beyond: RegionId) -> RawContours {
        let vertex = |&[x, z]: &[i32; 2]| RawVertex {
            position: [x * FIXED_ONE, 0, z * FIXED_ONE],
            beyond,
            area_border: false,
            border_vertex: false,
            junction: false,
            exact: false,
        };
        let vertices = corners.iter().map(vertex).collect();
        let contour = RawContour { region: RegionId::inner(1), area: AreaId::GROUND, vertices };
        RawContours { grid: GRID, region_count: 1, contours: vec![contour] }
    }

    fn contour(region: u32, corners: &[[i32; 2]], beyond: RegionId) -> Contour {
        let vertex = |&[x, z]: &[i32; 2]| ContourVertex {
            position: [x * FIXED_ONE, 0, z * FIXED_ONE],
            beyond,
            area_border: false,
            border_vertex: false,
        };
        let vertices = corners.iter().map(vertex).collect();
        Contour { region: RegionId::inner(region), area: AreaId::GROUND, vertices }
    }

    #[test]
    fn traced_corners_beyond_the_error_are_noted() {
        let traced = [[0, 0], [0, 6], [3, 6], [3, 5], [6, 5], [6, 0]];
        let near = |kept: &[[i32; 2]], max_error| {
            let contours = vec![contour(1, kept, RegionId::NONE)];
            let ours = SimplifiedContours { grid: GRID, region_count: 1, contours };
            kinds(&simplified(&ours, &raw(&traced, RegionId::NONE), max_error))
        };
        assert_eq!(near(&traced, 0.0), []);
        assert_eq!(near(&[[0, 0], [0, 6], [6, 5], [6, 0]], 0.6), []);
        assert_eq!(near(&[[0, 0], [0, 6], [6, 5], [6, 0]], 0.4), [(Kind::OutlineError, 2)]);
        assert_eq!(near(&[[0, 0], [0, 6], [6, 4], [6, 0]], 9.0), [(Kind::ContourCount, 1)], "no such corner");
    }

    #[test]
    fn contours_cover_the_same_ground_with_no_more_corners() {
        let set = |contours| ContourSet { grid: GRID, region_count: 2, contours };
        let square = [[0, 0], [0, 8], [8, 8], [8, 0]];
        let theirs = set(vec![contour(1, &square, RegionId::NONE)]);
        let found = |ours, max_error| kinds(&contours(&set(ours), &theirs, max_error));
        assert_eq!(found(vec![contour(1, &square, RegionId::NONE)], 0.0), []);
        let cut = [[0, 0], [0, 8], [8, 8]];
        assert_eq!(found(vec![contour(1, &cut, RegionId::NONE)], 3.0), []);
        assert_eq!(found(vec![contour(1, &cut, RegionId::NONE)], 2.9), [(Kind::CoveredArea, 1)]);
        let more = [[0, 0], [0, 4], [0, 8], [8, 8], [8, 0]];
        assert_eq!(found(vec![contour(1, &more, RegionId::NONE)], 0.0), [(Kind::MoreCorners, 1)]);
        let two = |beyond| vec![contour(1, &square, RegionId::NONE), contour(2, &cut, beyond)];
        assert_eq!(found(two(RegionId::NONE), 0.0), [(Kind::KeptOutline, 1)]);
        assert_eq!(found(two(RegionId::border(1)), 0.0), [(Kind::BorderOutline, 1)]);
        assert_eq!(found(vec![], 9.0), [(Kind::ContourLabel, 1)]);
        assert_eq!(kinds(&all_contours(&set(vec![]), &theirs, 1.0)), [(Kind::CoveredArea, 1)]);
    }

    #[test]
    fn every_wall_of_theirs_must_be_one_of_ours() {
        let corners = [[0, 0], [0, 1], [1, 1], [1, 0]];
        let ours = raw(&corners, RegionId::NONE);
        assert_eq!(walls(&ours, &raw(&corners, RegionId::NONE)), []);
        let other = [[0, 0], [0, 1], [1, 1], [2, 0]];
        assert_eq!(kinds(&walls(&ours, &raw(&other, RegionId::NONE))), [(Kind::Wall, 2)]);
        assert_eq!(walls(&ours, &raw(&other, RegionId::inner(2))), [], "ours are joined there");
    }

    /// Squares of 2 by 2 cells in a row.
    fn squares(edges_of: &[[EdgeKind; 4]]) -> PolyMesh {
        let mut mesh = PolyMesh {
            grid: GRID,
            vertices: Vec::new(),
            polygons: Vec::new(),
            corners: Vec::new(),
            edges: edges_of.concat(),
        };
        for (first, x) in (0..edges_of.len() as u32).map(|index| (4 * index, 2 * index as i32)) {
            let corners = [[x, 0], [x, 2], [x + 2, 2], [x + 2, 0]];
            mesh.vertices.extend(corners.map(|[x, z]| [x * FIXED_ONE, 0, z * FIXED_ONE]));
            mesh.corners.extend(first..first + 4);
            mesh.polygons.push(Polygon {
                first,
                count: 4,
                region: Some(RegionId::inner(1)),
                first_region: RegionId::inner(1),
                area: AreaId::GROUND,
            });
        }
        mesh
    }

    #[test]
    fn polygons_have_the_same_ground_portals_and_islands() {
        const WALL: EdgeKind = EdgeKind::Wall;
        let (to, back) = (EdgeKind::Internal(1), EdgeKind::Internal(0));
        let joined = squares(&[[WALL, WALL, to, WALL], [back, WALL, WALL, WALL]]);
        let apart = squares(&[[WALL; 4], [WALL; 4]]);
        let open = squares(&[[EdgeKind::Portal(Side::XMin), WALL, to, WALL], [back, WALL, WALL, WALL]]);
        assert_eq!(polygons(&joined, &joined, 0.0), []);
        assert_eq!(polygons(&joined, &apart, 0.0), []);
        assert_eq!(kinds(&polygons(&apart, &joined, 0.0)), [(Kind::MoreIslands, 1)]);
        assert_eq!(kinds(&polygons(&open, &joined, 0.0)), [(Kind::OpenPortal, 2)]);
        assert_eq!(kinds(&polygons(&joined, &open, 0.0)), [(Kind::ClosedPortal, 2)]);
        let one = squares(&[[WALL; 4]]);
        assert_eq!(kinds(&polygons(&one, &joined, 0.0)), [(Kind::CoveredArea, 1)]);
        assert_eq!(polygons(&one, &joined, 1.0), []);
        assert_eq!(kinds(&polygons(&joined, &one, 1.5)), [(Kind::MorePolygons, 1)]);
    }

    #[test]
    fn a_region_of_theirs_is_in_one_of_ours() {
        let id = |&id: &u32| if id == 0 { RegionId::NONE } else { RegionId::inner(id) };
        let ids = |ids: &[u32]| ids.iter().map(id).collect::<Vec<_>>();
        let found = |ours: &[u32], theirs: &[u32]| kinds(&joined_regions(&ids(ours), &ids(theirs)));
        assert_eq!(found(&[1, 1, 0, 1], &[1, 2, 0, 2]), []);
        assert_eq!(found(&[1, 2, 0, 1], &[1, 2, 0, 2]), [(Kind::Region, 1)]);
        assert_eq!(found(&[1, 0, 0, 1], &[1, 2, 0, 2]), [(Kind::Region, 1)]);
        assert_eq!(found(&[1], &[1, 1]), [(Kind::SpanCount, 1)]);
    }
}
