//! Repairs of an import: one small tile per repair, and checks of the remaining tile and of the diagnostic.

use navinterop::detour::{
    DetourDetailMesh, DetourOffMeshConnection, DetourPolygon, DetourTile, EXTERNAL, SAME_TILE,
};
use navinterop::import::{ImportError, Imported, Repair, import};
use navinterop::mset::NavMeshParams;
use navtile::layout::edge_kind;
use navtile::{Tile, WriteError};

/// Sixteen cells of a metre on a side, from the world's zero.
pub(crate) const PARAMS: NavMeshParams =
    NavMeshParams { origin: [0.0; 3], tile_width: 16.0, tile_height: 16.0, max_tiles: 2, max_polygons: 64 };
/// Sides of a tile.
pub(crate) const X_MAX: u16 = EXTERNAL;
pub(crate) const X_MIN: u16 = EXTERNAL | 4;

/// A tile on the ground: vertices (x, z), and polygons as corners and neighbours.
pub(crate) fn tile(vertices: &[[f32; 2]], polygons: &[(&[u16], &[u16])]) -> DetourTile {
    let polygon = |&(corners, beyond): &(&[u16], &[u16])| {
        let mut polygon =
            DetourPolygon { flags: 1, area: 7, corner_count: corners.len() as u8, ..Default::default() };
        polygon.vertices[..corners.len()].copy_from_slice(corners);
        polygon.neighbours[..beyond.len()].copy_from_slice(beyond);
        polygon
    };
    DetourTile {
        walkable_height: 2.0,
        walkable_radius: 0.5,
        walkable_climb: 0.5,
        bounds_max: [16.0, 1.0, 16.0],
        bv_quant_factor: 1.0,
        vertices: vertices.iter().map(|&[x, z]| [x, 0.0, z]).collect(),
        polygons: polygons.iter().map(polygon).collect(),
        ..DetourTile::default()
    }
}

pub(crate) fn imported(tile: &DetourTile) -> Imported {
    let imported = import(Some(&PARAMS), std::slice::from_ref(tile)).unwrap();
    assert_eq!(imported.tiles.len(), 1);
    imported
}

pub(crate) fn repairs(imported: &Imported) -> Vec<Repair> {
    imported.diagnostics.iter().map(|diagnostic| diagnostic.repair.clone()).collect()
}

/// Number of edges of a kind.
fn count(tile: &Tile, kind: u8) -> usize {
    tile.edges().iter().filter(|edge| edge.kind == kind).count()
}

/// A square of four metres at (4, 4), its corners as 0 to 3, interior to the left.
const SQUARE: [[f32; 2]; 4] = [[4.0, 8.0], [8.0, 8.0], [8.0, 4.0], [4.0, 4.0]];

#[test]
fn a_sound_tile_needs_no_repair() {
    let found = imported(&tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]));
    assert!(found.diagnostics.is_empty());
    assert_eq!(found.largest_error, [0.0; 3]);
    assert_eq!((found.meta.cell[0], found.meta.tile_cells), (1.0, 0));
    let tile = &found.tiles[0];
    assert_eq!((tile.header().width, tile.header().depth), (16, 16));
    assert_eq!((tile.polygons()[0].area, tile.polygons()[0].flags), (7, 1));
    assert_eq!(tile.to_world(tile.header().bounds_min), [4.0, 0.0, 4.0]);
    let area = &found.meta.areas[0];
    assert_eq!((area.id, area.name.as_str(), area.flags), (7, "area 7", 1));
}

#[test]
fn area_zero_gets_a_number() {
    let mut zero = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
    zero.polygons[0].area = 0;
    let found = imported(&zero);
    assert_eq!(found.tiles[0].polygons()[0].area, 64);
    assert_eq!(found.meta.areas[0].name, "area 0");
}

#[test]
fn corners_in_one_place_become_one() {
    let vertices = [&SQUARE[..], &[[8.0, 8.0005]]].concat();
    let mut double = tile(&vertices, &[(&[0, 1, 4, 2, 3], &[])]);
    double.detail_meshes = vec![DetourDetailMesh { triangle_count: 3, ..Default::default() }];
    double.detail_triangles = vec![[0, 1, 2, 0], [0, 2, 3, 0], [0, 3, 4, 0]];
    let found = imported(&double);
    assert_eq!(repairs(&found), [Repair::CornersJoined { polygon: 0 }]);
    let polygon = found.tiles[0].polygons()[0];
    assert_eq!((polygon.edge_count, polygon.detail_triangle_count), (4, 2));
}

#[test]
fn heights_at_one_place_become_one_for_all_neighbours() {
    // Two squares whose common corner has a step in one of them.
    let vertices = [&SQUARE[..], &[[8.0, 4.0], [12.0, 8.0], [12.0, 4.0]]].concat();
    let mut step = tile(&vertices, &[(&[0, 1, 2, 4, 3], &[0, 2, 0, 0, 0]), (&[1, 5, 6, 2], &[0, 0, 0, 1])]);
    step.vertices[4][1] = 0.3;
    let found = imported(&step);
    assert_eq!(repairs(&found), [Repair::CornersJoined { polygon: 0 }]);
    assert_eq!(count(&found.tiles[0], edge_kind::INTERNAL), 2);
}

#[test]
fn neighbours_meet_across_a_collapsed_polygon() {
    // A triangle between two squares, with two corners at the same position.
    let vertices = [&SQUARE[..], &[[8.0005, 8.0], [12.0, 8.0], [12.0, 4.0]]].concat();
    let polygons: [(&[u16], &[u16]); 3] =
        [(&[0, 1, 2, 3], &[0, 2, 0, 0]), (&[1, 4, 2], &[0, 3, 1]), (&[4, 5, 6, 2], &[0, 0, 0, 2])];
    let found = imported(&tile(&vertices, &polygons));
    assert_eq!(repairs(&found), [Repair::Collapsed { polygon: 1 }]);
    assert_eq!(found.tiles[0].polygons().len(), 2);
    assert_eq!(count(&found.tiles[0], edge_kind::INTERNAL), 2);
}

#[test]
fn a_polygon_wound_the_other_way_is_turned() {
    let vertices = [&SQUARE[..], &[[16.0, 8.0], [16.0, 4.0]]].concat();
    // The second polygon's edges, against the first one's order: the border, then its neighbour.
    let polygons: [(&[u16], &[u16]); 2] =
        [(&[0, 1, 2, 3], &[0, 2, 0, 0]), (&[2, 5, 4, 1], &[0, X_MAX, 0, 1])];
    let mut turned = tile(&vertices, &polygons);
    turned.detail_meshes = vec![
        DetourDetailMesh { triangle_count: 2, ..Default::default() },
        DetourDetailMesh { first_triangle: 2, triangle_count: 2, ..Default::default() },
    ];
    turned.detail_triangles = vec![[0, 1, 2, 0], [0, 2, 3, 0], [0, 1, 3, 0], [1, 2, 3, 0]];
    let found = imported(&turned);
    assert_eq!(repairs(&found), [Repair::Reversed { polygon: 1 }]);
    let tile = &found.tiles[0];
    assert_eq!((count(tile, edge_kind::INTERNAL), tile.portals().len()), (2, 1));
    // Diagonals keep their place: from the corner at (16, 4) to that at (8, 8).
    let second = tile
        .polygons()
        .iter()
        .find(|polygon| tile.polygon_edges(polygon).iter().any(|edge| edge.kind == edge_kind::PORTAL));
    let second = second.unwrap();
    for triangle in tile.polygon_detail_triangles(second) {
        let corners = triangle
            .vertices
            .map(|local| tile.to_world(tile.vertices()[tile.detail_vertex_index(second, local)]));
        assert!(corners.contains(&[16.0, 0.0, 4.0]) && corners.contains(&[8.0, 0.0, 8.0]), "{corners:?}");
    }
}

#[test]
fn a_polygon_without_area_is_turned_with_its_neighbours() {
    // Two squares with the opposite winding, and between them a sliver of three corners on a line.
    let vertices = [[4.0, 4.0], [8.0, 4.0], [8.0, 8.0], [4.0, 8.0], [8.0, 6.0], [12.0, 4.0], [12.0, 8.0]];
    let polygons: [(&[u16], &[u16]); 3] =
        [(&[3, 2, 1, 0], &[0, 2, 0, 0]), (&[1, 2, 4], &[1, 3, 3]), (&[1, 4, 2, 6, 5], &[2, 2, 0, 0, 0])];
    for reversed in [false, true] {
        let reverse = |&(corners, beyond): &(&[u16], &[u16])| {
            let mut corners = corners.to_vec();
            let mut beyond = beyond.to_vec();
            corners.reverse();
            beyond.reverse();
            beyond.rotate_left(1);
            (corners, beyond)
        };
        let owned: Vec<(Vec<u16>, Vec<u16>)> = if reversed {
            polygons.iter().map(reverse).collect()
        } else {
            polygons.iter().map(|(corners, beyond)| (corners.to_vec(), beyond.to_vec())).collect()
        };
        let polygons: Vec<(&[u16], &[u16])> = owned.iter().map(|(c, b)| (&c[..], &b[..])).collect();
        let found = imported(&tile(&vertices, &polygons));
        assert_eq!(found.tiles[0].polygons().len(), 2, "{:?}", repairs(&found));
        assert_eq!(count(&found.tiles[0], edge_kind::INTERNAL), 4, "{reversed}: {:?}", repairs(&found));
    }
}

#[test]
fn crossing_edges_and_flat_polygons_are_left_out() {
    // A bow tie with equal halves has no area with either winding; another has.
    let bow = imported(&tile(&SQUARE, &[(&[0, 1, 2, 3], &[]), (&[0, 2, 1, 3], &[])]));
    assert_eq!(repairs(&bow), [Repair::ZeroArea { polygon: 1 }]);
    let vertices = [&SQUARE[..], &[[10.0, 9.0]]].concat();
    let uneven = imported(&tile(&vertices, &[(&[0, 1, 2, 3], &[]), (&[0, 4, 3, 2], &[])]));
    assert_eq!(repairs(&uneven), [Repair::Crossing { polygon: 1 }]);
    assert_eq!(uneven.tiles[0].polygons().len(), 1);
    let line = [[4.0, 8.0], [8.0, 8.0], [6.0, 8.0]];
    let flat = imported(&tile(&line, &[(&[0, 1, 2], &[])]));
    assert_eq!(repairs(&flat), [Repair::ZeroArea { polygon: 0 }]);
    assert!(flat.tiles[0].polygons().is_empty());
}

#[test]
fn concave_polygons_are_split() {
    let dart = [[4.0, 8.0], [8.0, 8.0], [5.0, 7.0], [4.0, 4.0]];
    let found = imported(&tile(&dart, &[(&[0, 1, 2, 3], &[])]));
    assert_eq!(repairs(&found), [Repair::Split { polygon: 0, pieces: 2 }]);
    assert_eq!(found.tiles[0].polygons().len(), 2);
}

#[test]
fn the_same_polygon_twice_is_left_out_once() {
    let found = imported(&tile(&SQUARE, &[(&[0, 1, 2, 3], &[]), (&[1, 2, 3, 0], &[])]));
    assert!(matches!(&repairs(&found)[..], [Repair::LeftOut { polygon: 1, .. }]), "{:?}", repairs(&found));
    assert_eq!(found.tiles[0].polygons().len(), 1);
    // A tile with nothing else is finally refused.
    let polygons = vec![(&[0u16, 1, 2, 3][..], &[][..]); 80];
    let error = import(Some(&PARAMS), &[tile(&SQUARE, &polygons)]).unwrap_err();
    assert!(matches!(error, ImportError::Write { source: WriteError::Polygon { .. }, .. }), "{error}");
}

#[test]
fn neighbours_that_do_not_agree_become_walls() {
    let vertices = [&SQUARE[..], &[[12.0, 8.0], [12.0, 4.0]]].concat();
    let with = |first: &[u16], second: &[u16]| {
        imported(&tile(&vertices, &[(&[0, 1, 2, 3], first), (&[1, 4, 5, 2], second)]))
    };
    assert!(with(&[0, 2, 0, 0], &[0, 0, 0, 1]).diagnostics.is_empty());
    let one_sided = |polygon, neighbour| Repair::OneSided { polygon, neighbour };
    for (first, second, expected) in [
        (&[0, 2, 0, 0], &[0, 0, 0, 0], vec![one_sided(0, 1)]),
        (&[0, 0, 2, 0], &[0, 0, 0, 1], vec![one_sided(0, 1), one_sided(1, 0)]),
        (&[1, 0, 0, 0], &[0; 4], vec![one_sided(0, 0)]),
    ] {
        let found = with(first, second);
        assert_eq!(repairs(&found), expected);
        assert_eq!(count(&found.tiles[0], edge_kind::WALL), 8);
    }
}

#[test]
fn portals_are_brought_to_the_border_or_made_walls() {
    let strip = |x: f32, beyond: u16| {
        let vertices = [[12.0, 8.0], [x, 8.0], [x, 4.0], [12.0, 4.0]];
        imported(&tile(&vertices, &[(&[0, 1, 2, 3], &[0, beyond, 0, 0])]))
    };
    let exact = strip(16.0, X_MAX);
    assert!(exact.diagnostics.is_empty() && exact.tiles[0].portals().len() == 1);
    let near = strip(15.9, X_MAX);
    assert_eq!(repairs(&near).len(), 2);
    assert!(matches!(repairs(&near)[0], Repair::Snapped { distance } if (distance - 0.1).abs() < 0.01));
    assert_eq!(near.tiles[0], exact.tiles[0]);
    assert!((near.largest_error[0] - 0.1).abs() < 1e-3);
    // Too small to report, but corrected.
    let rounded = strip(16.003, X_MAX);
    assert!(rounded.diagnostics.is_empty());
    assert_eq!(rounded.tiles[0], exact.tiles[0]);
    let far = strip(15.5, X_MAX);
    assert!(
        matches!(repairs(&far)[..], [Repair::OffBorder { polygon: 0, distance }] if (distance - 0.5).abs() < 0.01)
    );
    assert_eq!((far.tiles[0].portals().len(), far.largest_error), (0, [0.0; 3]));
    assert_eq!(repairs(&strip(16.0, EXTERNAL | 1)), [Repair::UnknownSide { polygon: 0, side: 1 }]);
    // A polygon beyond the border has the tile on its right.
    let outside = [[-4.0, 8.0], [0.0, 8.0], [0.0, 4.0], [-4.0, 4.0]];
    let found = imported(&tile(&outside, &[(&[0, 1, 2, 3], &[0, X_MIN, 0, 0])]));
    assert_eq!(repairs(&found), [Repair::WrongWay { polygon: 0 }]);
}

#[test]
fn of_two_portals_in_one_place_one_becomes_a_wall() {
    let vertices = [[12.0, 8.0], [16.0, 8.0], [16.0, 4.0], [12.0, 4.0], [16.0, 2.0]];
    let beyond: &[u16] = &[0, X_MAX, 0, 0];
    let found = imported(&tile(&vertices, &[(&[0, 1, 2, 3], beyond), (&[0, 1, 4, 3], beyond)]));
    assert_eq!(repairs(&found), [Repair::SamePortal { polygon: 0 }]);
    assert_eq!(found.tiles[0].portals().len(), 1);
}

#[test]
fn detail_triangles_without_three_corners_are_left_out() {
    let mut detail = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
    detail.detail_meshes =
        vec![DetourDetailMesh { vertex_count: 1, triangle_count: 3, ..Default::default() }];
    detail.detail_vertices = vec![[6.0, 0.5, 6.0]];
    detail.detail_triangles = vec![[0, 1, 4, 0b01], [1, 1, 2, 0], [2, 3, 4, 0b01]];
    let found = imported(&detail);
    assert_eq!(repairs(&found), [Repair::DetailTriangle { polygon: 0 }]);
    let polygon = &found.tiles[0].polygons()[0];
    assert_eq!((polygon.detail_vertex_count, polygon.detail_triangle_count), (1, 2));
    let boundaries =
        found.tiles[0].polygon_detail_triangles(polygon).iter().map(|triangle| triangle.boundary);
    assert_eq!(boundaries.map(u16::count_ones).sum::<u32>(), 2);
}

#[test]
fn polygons_without_flags_are_reported() {
    let vertices = [&SQUARE[..], &[[12.0, 8.0], [12.0, 4.0]]].concat();
    let mut bare = tile(&vertices, &[(&[0, 1, 2, 3], &[]), (&[1, 4, 5, 2], &[])]);
    bare.polygons.iter_mut().for_each(|polygon| polygon.flags = 0);
    assert_eq!(repairs(&imported(&bare)), [Repair::NoFlags { polygons: 2 }]);
}

/// The polygon of an off-mesh connection between vertices 4 and 5.
fn off_mesh_polygon() -> DetourPolygon {
    DetourPolygon {
        vertices: [4, 5, 0, 0, 0, 0],
        flags: 2,
        corner_count: 2,
        area: 9,
        off_mesh: true,
        ..Default::default()
    }
}

#[test]
fn connections_that_the_format_has_no_place_for_are_left_out() {
    let mut linked = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
    linked.vertices.extend([[5.0, 0.0, 5.0], [7.0, 0.0, 7.0]]);
    linked.polygons.push(off_mesh_polygon());
    let sound = DetourOffMeshConnection {
        start: [5.0, 0.0, 5.0],
        end: [7.0, 0.0, 7.0],
        radius: 0.5,
        polygon: 1,
        side: SAME_TILE,
        user_id: 3,
        ..Default::default()
    };
    linked.off_mesh_connections = vec![
        DetourOffMeshConnection { radius: 0.0, ..sound },
        sound,
        DetourOffMeshConnection { end: [1e9, 0.0, 0.0], ..sound },
        DetourOffMeshConnection { end: [-20.0, 0.0, 40.0], flags: 1, ..sound },
    ];
    let found = imported(&linked);
    assert!(matches!(
        &repairs(&found)[..],
        [Repair::Connection { connection: 2, .. }, Repair::Connection { connection: 0, .. }]
    ));
    let links = found.tiles[0].off_mesh_links();
    let seen: Vec<_> =
        links.iter().map(|link| (link.end_tile, link.direction, link.radius, link.area)).collect();
    assert_eq!(seen, [([-2, 2, 0], 1, 128, 9), ([0, 0, 0], 0, 128, 9)]);
}

#[test]
fn of_several_layers_a_connection_ends_in_the_nearest() {
    let mut start = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
    start.vertices.extend([[5.0, 0.0, 5.0], [20.0, 10.2, 6.0]]);
    start.polygons.push(off_mesh_polygon());
    let ends = [[5.0, 0.0, 5.0], [20.0, 10.2, 6.0]];
    let connection = DetourOffMeshConnection {
        start: ends[0],
        end: ends[1],
        radius: 0.5,
        polygon: 1,
        ..Default::default()
    };
    start.off_mesh_connections = vec![connection];
    let layer = |layer: i32, height: f32| {
        let mut tile = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
        (tile.x, tile.layer) = (1, layer);
        tile.vertices.iter_mut().for_each(|vertex| (vertex[0], vertex[1]) = (vertex[0] + 16.0, height));
        (tile.bounds_min[1], tile.bounds_max[1]) = (height, height);
        tile
    };
    let imported = import(Some(&PARAMS), &[layer(7, 20.0), start, layer(3, 10.0), layer(0, 0.0)]).unwrap();
    let order: Vec<i32> = imported.tiles.iter().map(|tile| tile.coord().layer).collect();
    assert_eq!(order, [0, 0, 3, 7]);
    assert_eq!(imported.tiles[0].off_mesh_links()[0].end_tile, [1, 0, 3]);
    // Heights of corners are multiples of ten metres; cells are no higher than they are wide.
    assert_eq!((imported.meta.cell, imported.meta.tile_cells), ([1.0, 1.0], 16));
}

#[test]
fn messages_name_the_tile_and_the_place() {
    let found = imported(&tile(&SQUARE, &[(&[0, 1, 2, 3], &[EXTERNAL | 9, 0, 0, 0])]));
    assert_eq!(
        found.diagnostics[0].to_string(),
        "tile (0, 0, 0): polygon 0 has an edge towards another tile on side 9, expected 0, 2, 4 or 6: it became a \
         wall, at 4.00, 0.00, 8.00"
    );
}

#[test]
fn positions_far_from_their_tile_are_refused() {
    // The last is the smallest fixed-point number, which has no absolute value.
    for far in [4_194_304.0, -4_194_304.0, 8_388_608.0, -8_388_608.0, 3e38] {
        let mut strayed = tile(&SQUARE, &[(&[0, 1, 2, 3], &[])]);
        strayed.vertices[3] = [far, 0.0, 4.0];
        let error = import(Some(&PARAMS), &[strayed]).unwrap_err();
        assert!(error.to_string().contains("positions within 4194303 cells of the tile's corner"), "{error}");
    }
}
