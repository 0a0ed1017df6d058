//! Bytes of tiles: written tiles are read back in every encoding; broken ones are refused with their place.

use super::*;
use crate::{ByteOrder, Encoding, FormatError, RefWidth};
use proptest::prelude::*;

/// Vertices of two neighbouring squares, and the ends of a connection between them.
const VERTICES: [[f32; 3]; 8] = [
    [0.0, 1.5, 3.0],
    [3.0, 1.5, 3.0],
    [3.0, 1.5, 0.0],
    [0.0, 1.5, 0.0],
    [6.0, 1.5, 3.0],
    [6.0, 1.5, 0.0],
    [1.0, 1.5, 1.0],
    [5.0, 1.5, 1.0],
];

fn square(vertices: [u16; 4], neighbours: [u16; 4]) -> DetourPolygon {
    let mut square = DetourPolygon {
        flags: 0x1234,
        corner_count: 4,
        area: 63,
        off_mesh: false,
        ..DetourPolygon::default()
    };
    square.vertices[..4].copy_from_slice(&vertices);
    square.neighbours[..4].copy_from_slice(&neighbours);
    square
}

/// Two neighbouring squares, the second with a detail vertex, and a connection between them.
fn tile() -> DetourTile {
    let connection = DetourPolygon {
        vertices: [6, 7, 0, 0, 0, 0],
        corner_count: 2,
        area: 5,
        flags: 8,
        off_mesh: true,
        ..DetourPolygon::default()
    };
    let detail = |first_triangle, vertex_count, triangle_count| DetourDetailMesh {
        first_vertex: 0,
        first_triangle,
        vertex_count,
        triangle_count,
    };
    DetourTile {
        x: -3,
        y: 7,
        layer: 1,
        user_id: 0xdead_beef,
        max_links: 9,
        walkable_height: 2.0,
        walkable_radius: 0.6,
        walkable_climb: 0.9,
        bounds_min: [0.0; 3],
        bounds_max: [9.6, 2.0, 9.6],
        bv_quant_factor: 1.0 / 0.3,
        off_mesh_base: 2,
        vertices: VERTICES.to_vec(),
        polygons: vec![
            square([0, 1, 2, 3], [0, 2, 0x8006, 0x8004]),
            square([1, 4, 5, 2], [0, 0, 0x8006, 1]),
            connection,
        ],
        detail_meshes: vec![detail(0, 0, 2), detail(2, 1, 4)],
        detail_vertices: vec![[4.5, 1.5, 1.5]],
        detail_triangles: vec![
            [0, 1, 2, 0b00_01_01],
            [0, 2, 3, 0b01_01_00],
            [0, 1, 4, 1],
            [1, 2, 4, 1],
            [2, 3, 4, 1],
            [3, 0, 4, 1],
        ],
        bv_nodes: vec![
            DetourBvNode { min: [0; 3], max: [20, 5, 10], index: -3 },
            DetourBvNode { min: [0; 3], max: [10, 5, 10], index: 0 },
            DetourBvNode { min: [10, 0, 0], max: [20, 5, 10], index: 1 },
        ],
        off_mesh_connections: vec![DetourOffMeshConnection {
            start: VERTICES[6],
            end: VERTICES[7],
            radius: 0.5,
            polygon: 2,
            flags: 1,
            side: SAME_TILE,
            user_id: 77,
        }],
    }
}

fn encodings() -> [Encoding; 4] {
    let with = |order, width| Encoding { order, width };
    [
        with(ByteOrder::Little, RefWidth::Bits32),
        with(ByteOrder::Little, RefWidth::Bits64),
        with(ByteOrder::Big, RefWidth::Bits32),
        with(ByteOrder::Big, RefWidth::Bits64),
    ]
}

#[test]
fn every_encoding_is_read_back() {
    let tile = tile();
    for encoding in encodings() {
        let bytes = write(&tile, encoding).unwrap();
        assert_eq!(bytes.len() as u64, tile.length(encoding.width));
        assert_eq!(read(&bytes).unwrap(), (tile.clone(), encoding));
    }
    let little = write(&tile, Encoding::default()).unwrap();
    assert_eq!((&little[..4], little.len()), (&b"VAND"[..], 100 + 96 + 96 + 108 + 24 + 12 + 24 + 48 + 36));
    // The polygon's last byte holds area and kind.
    assert_eq!([little[100 + 96 + 31], little[100 + 96 + 95]], [63, 5 | 1 << 6]);
}

#[test]
fn every_prefix_and_every_longer_tile_is_refused() {
    for encoding in encodings() {
        let mut bytes = write(&tile(), encoding).unwrap();
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} bytes");
        }
        bytes.push(0);
        assert!(read(&bytes).is_err());
    }
}

/// The tile with one change, written and read.
fn refused(change: impl Fn(&mut DetourTile)) -> FormatError {
    let mut tile = tile();
    change(&mut tile);
    read(&write(&tile, Encoding::default()).unwrap()).unwrap_err()
}

#[test]
fn indices_that_point_nowhere_are_refused_with_their_place() {
    let polygons = 100 + 96;
    let error = refused(|tile| tile.polygons[1].vertices[2] = 8);
    assert_eq!((error.what.as_str(), error.offset), ("corner 2 of polygon 1", polygons + 32 + 8));
    assert_eq!((error.expected.as_str(), error.found.as_str()), ("a vertex below 8", "8"));
    let error = refused(|tile| tile.polygons[0].neighbours[1] = 4);
    assert_eq!((error.what.as_str(), error.offset), ("neighbour beyond edge 1 of polygon 0", polygons + 18));
    assert_eq!(refused(|tile| tile.polygons[0].corner_count = 7).offset, polygons + 30);
    assert_eq!(refused(|tile| tile.polygons[0].corner_count = 2).offset, polygons + 30);
    assert_eq!(refused(|tile| tile.polygons[2].corner_count = 3).offset, polygons + 64 + 30);
    let detail = polygons + 96 + 108;
    assert_eq!(refused(|tile| tile.detail_meshes[1].first_vertex = u32::MAX).offset, detail + 12);
    assert_eq!(refused(|tile| tile.detail_meshes[1].triangle_count = 5).offset, detail + 16);
    assert_eq!(refused(|tile| tile.detail_meshes.truncate(1)).offset, detail);
    let triangles = detail + 24 + 12;
    assert_eq!(refused(|tile| tile.detail_triangles[1][2] = 4).offset, triangles + 4);
    let nodes = triangles + 24;
    assert_eq!(refused(|tile| tile.bv_nodes[1].index = 3).offset, nodes + 28);
    assert_eq!(refused(|tile| tile.bv_nodes[1].index = -3).offset, nodes + 28);
    assert_eq!(refused(|tile| tile.bv_nodes[0].index = i32::MIN).offset, nodes + 12);
    assert_eq!(refused(|tile| tile.off_mesh_connections[0].polygon = 1).offset, nodes + 48 + 28);
    assert_eq!(refused(|tile| tile.off_mesh_connections[0].polygon = 9).offset, nodes + 48 + 28);
}

#[test]
fn numbers_that_are_none_are_refused() {
    let error = refused(|tile| tile.vertices[3][1] = f32::NAN);
    assert_eq!((error.what.as_str(), error.offset), ("vertex", 100 + 3 * 12 + 4));
    assert_eq!(refused(|tile| tile.bounds_max[0] = f32::INFINITY).offset, 84);
    let bytes = write(&tile(), Encoding::default()).unwrap();
    let changed = |at: usize, value: [u8; 4]| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&value);
        read(&bytes).unwrap_err()
    };
    assert!(changed(4, 6i32.to_le_bytes()).to_string().contains("expected version 7, found version 6"));
    for count in (24..56).step_by(4) {
        assert_eq!(changed(count, (-1i32).to_le_bytes()).offset, count as u64);
        // False counts cost neither memory nor time.
        assert!(changed(count, i32::MAX.to_le_bytes()).to_string().contains("length of the tile"));
    }
    let mut kind = bytes.clone();
    kind[100 + 96 + 31] = 2 << 6;
    assert_eq!(read(&kind).unwrap_err().what, "kind of a polygon");
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(
        changes in prop::collection::vec((0usize..560, any::<u8>()), 1..8),
        which in 0usize..4,
    ) {
        let mut bytes = write(&tile(), encodings()[which]).unwrap();
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        if let Ok((tile, encoding)) = read(&bytes) {
            // Everything that is read is written again, except for links and padding.
            let again = write(&tile, encoding).unwrap();
            prop_assert_eq!(read(&again).unwrap(), (tile, encoding));
        }
    }
}
