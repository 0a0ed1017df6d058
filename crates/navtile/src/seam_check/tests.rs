//! Tests of a match that is found from one side only. No pair of tiles can produce it, because matching is
//! symmetric.

use super::*;
use crate::content::{Beyond, EdgeContent, PolygonContent, TileContent};
use crate::tile::TileCoord;
use navmath::Lattice;

/// A tile of four by four cells with a square of it along the side.
fn tile(x: i32, on: u8, height: i32) -> Tile {
    let (near, far) = if on == side::X_MIN { (0, 256) } else { (768, 1024) };
    let vertices = vec![[near, height, 512], [far, height, 512], [far, height, 0], [near, height, 0]];
    let portal_edge = if on == side::X_MIN { 3 } else { 1 };
    let beyond = |edge| if edge == portal_edge { Beyond::Portal(on) } else { Beyond::Wall };
    let content = TileContent {
        coord: TileCoord { x, z: 0, layer: 0 },
        lattice: Lattice { origin: [0.0; 3], cell_size: 0.5, cell_height: 0.25 },
        base_cell: [i64::from(x) * 4, 0, 0],
        size_cells: [4, 4],
        agent: [0.5, 2.0, 1.0, 45.0],
        vertices,
        polygons: vec![PolygonContent {
            edges: (0..4).map(|edge| EdgeContent { vertex: edge, beyond: beyond(edge) }).collect(),
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        }],
        off_mesh_links: Vec::new(),
    };
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

#[test]
fn a_match_must_be_there_from_both_sides() {
    let (a, b) = (tile(0, side::X_MAX, 0), tile(1, side::X_MIN, 0));
    let (forth, back) = (match_portals(&a, side::X_MAX, &b), match_portals(&b, side::X_MIN, &a));
    assert_eq!(forth.len(), 1);
    let both = |forth: &[Match], back: &[Match]| partners_in(&a, side::X_MAX, &b, forth, back)[0].both_ways;
    assert!(both(&forth, &back));
    assert!(!both(&forth, &[]));
    assert!(!both(&forth, &[Match { end: back[0].end - 1, ..back[0] }]));
    assert!(!both(&[Match { b: 0, start: 1, ..forth[0] }], &back));
}

#[test]
fn equal_portals_are_one_length() {
    let (a, b) = (tile(0, side::X_MAX, 7), tile(1, side::X_MIN, 7));
    let report = super::super::check_seams(&[b, a]);
    assert_eq!((report.seams, report.portals, report.matched), (1, 2, 2));
    // Two cells of half a metre.
    assert_eq!((report.matched_length, report.exceptions.len()), (1.0, 0));
}
