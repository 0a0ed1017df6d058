//! Expected answers of a mesh of one tile, found the slow way: over all polygons, from the tile's own
//! numbers.

use detour::{
    Filter, Link, NavMesh, PartialReason, Path, PathOptions, PathStatus, Place, PolyRef, Query, Vec3,
};
use navmath::SplitMix64;
use navtile::Tile;
use navtile::layout::edge_kind;
use std::num::NonZeroU32;

/// Tiles with more polygons are not checked this way.
const POLYGONS: usize = 300;
/// Positions of a fixed-point step are rounded to f32, and boxes grow by a step.
const SLACK: f32 = 0.02;

/// Compares the runtime's answers for a tile with a search of all its polygons.
pub(crate) fn compare(tile: &Tile, seed: u64) {
    let Some(mesh) = crate::questions::mesh_of([tile]) else { return };
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    assert_eq!(polygons.len(), tile.polygons().len());
    if polygons.is_empty() || polygons.len() > POLYGONS || !is_ordinary(&mesh) {
        return;
    }
    links(&mesh, tile, &polygons);
    let mut random = SplitMix64::new(seed);
    let mut query = Query::with_max_nodes(NonZeroU32::new(4096).expect("not zero"));
    for _ in 0..3 {
        let ends = [0; 2].map(|_| {
            let polygon = polygons[random.below(polygons.len())];
            Place { polygon, point: middle(&mesh, polygon) }
        });
        boxes(&mesh, tile, &mut query, &polygons, ends[0].point, 0.1 + 3.0 * random.unit() as f32);
        path(&mesh, &mut query, ends);
    }
}

/// Returns true if positions are so small that the slack covers their rounding.
fn is_ordinary(mesh: &NavMesh) -> bool {
    let bounds = mesh.bounds();
    let small = |value: f32| value.abs() < 4096.0;
    let cell = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size.max(lattice.cell_height));
    (0..3).all(|axis| small(bounds.min[axis]) && small(bounds.max[axis])) && cell < 1.0
}

fn middle(mesh: &NavMesh, polygon: PolyRef) -> Vec3 {
    let corners: Vec<Vec3> = mesh.corners(polygon).expect("it is there").collect();
    corners.iter().sum::<Vec3>() / corners.len() as f32
}

/// Every internal edge is a link to its neighbour, and there are no others but off-mesh links.
fn links(mesh: &NavMesh, tile: &Tile, all: &[PolyRef]) {
    for (&polygon, record) in all.iter().zip(tile.polygons()) {
        let edges = &tile.edges()[record.edges()];
        let internal = edges.iter().filter(|edge| edge.kind == edge_kind::INTERNAL);
        let mut expected: Vec<PolyRef> = internal.map(|edge| all[edge.neighbour as usize]).collect();
        let mut found = Vec::new();
        let visit = |link: Link| {
            if mesh.is_off_mesh(link.to) == Ok(false) {
                found.push(link.to);
            }
        };
        mesh.visit_links(polygon, visit).expect("it is there");
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "links of {polygon:?}");
    }
}

/// A box finds every polygon that has a corner well within it, seen from above, and a surface whose bounds
/// meet it. It finds no polygon whose surface is well outside. If the corner belongs to the surface,
/// `nearest` finds ground there.
fn boxes(mesh: &NavMesh, tile: &Tile, query: &mut Query, all: &[PolyRef], centre: Vec3, half: f32) {
    let mut found = Vec::new();
    let (anything, half_extents) = (Filter::default(), Vec3::splat(half));
    query
        .polygons_in_box(mesh, centre, half_extents, &anything, |polygon| found.push(polygon))
        .expect("it is a box");
    let inner = half - SLACK;
    let mut has_ground = false;
    for (polygon, record) in all.iter().zip(tile.polygons()) {
        let corners: Vec<Vec3> = mesh.corners(*polygon).expect("it is there").collect();
        let triangles = tile.polygon_detail_triangles(record).iter().map(|triangle| triangle.vertices);
        let is_within = |point: Vec3| (point - centre).abs().max_element() < inner;
        has_ground |= triangles.clone().any(|vertices| {
            let corners = vertices.map(|local| corners.get(usize::from(local)).copied());
            corners.iter().all(Option::is_some) && corners.into_iter().flatten().any(is_within)
        });
        // The surface of an imported tile need not be where its outline is.
        let mut surface = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for local in triangles.flatten() {
            let vertex = tile.vertices()[tile.detail_vertex_index(record, local)];
            let at = mesh.from_world(tile.to_world(vertex)) - centre;
            surface = [surface[0].min(at), surface[1].max(at)];
        }
        let meets = surface[0].max_element() < inner && surface[1].min_element() > -inner;
        let flat = |point: &Vec3| (point.x - centre.x).abs().max((point.z - centre.z).abs());
        let is_found = found.contains(polygon);
        let must_be = meets && corners.iter().any(|corner| flat(corner) < inner);
        assert!(is_found || !must_be, "{polygon:?} is missing around {centre}");
        let outer = half + SLACK;
        let apart = surface[0].max_element() > outer || surface[1].min_element() < -outer;
        assert!(!(is_found && apart), "{polygon:?} is far from {centre}");
    }
    if has_ground {
        let nearest = query.nearest(mesh, centre, half_extents, &anything);
        assert!(nearest.is_ok(), "there is ground around {centre}: {nearest:?}");
    }
}

/// A path is complete exactly if links lead from one end to the other.
fn path(mesh: &NavMesh, query: &mut Query, ends: [Place; 2]) {
    let mut found = Path::default();
    let [start, goal] = ends;
    let asked = query.find_path(mesh, start, goal, &Filter::default(), &PathOptions::default(), &mut found);
    asked.expect("both ends are there");
    if found.status == PathStatus::Partial(PartialReason::OutOfNodes) {
        return;
    }
    let (mut reached, mut next) = (vec![start.polygon], 0);
    while let Some(&polygon) = reached.get(next) {
        let add = |link: Link| {
            if !reached.contains(&link.to) {
                reached.push(link.to);
            }
        };
        mesh.visit_links(polygon, add).expect("it is there");
        next += 1;
    }
    let complete = found.status == PathStatus::Complete;
    assert_eq!(complete, reached.contains(&goal.polygon), "from {start:?} to {goal:?}: {:?}", found.status);
}
