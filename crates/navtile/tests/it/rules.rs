//! Every rule refuses a blob that breaks it and no earlier rule; no bytes make reading panic.

use crate::common::parts::{Parts, change_row, seal, table};
use crate::common::{WIDTH, empty, everything, random_tile, square, tile};
use navtile::layout::{BV_EMPTY, BV_LEAF, COORD_LIMIT, Edge, SectionEntry, edge_kind, section};
use navtile::limits::{BV_DEPTH_LIMIT, POLYGON_LIMIT, PORTAL_STACK_LIMIT, SIZE_LIMIT};
use navtile::verify::RULES;
use navtile::{Tile, TileContent};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A rule, and a blob that breaks it.
type Case = (&'static str, Vec<u8>);

fn changed(change: impl Fn(&mut Parts)) -> Vec<u8> {
    let mut parts = Parts::of(&everything());
    change(&mut parts);
    parts.bytes()
}

fn patched(change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Parts::of(&everything()).bytes();
    change(&mut bytes);
    seal(&mut bytes);
    bytes
}

fn edge(parts: &mut Parts, kind: u8) -> &mut Edge {
    parts.edges.iter_mut().find(|edge| edge.kind == kind).unwrap()
}

fn head_cases() -> Vec<Case> {
    vec![
        ("length", patched(|b| b.extend([0; 16]))),
        ("magic", patched(|b| b[0] = b'X')),
        ("version", changed(|p| p.header.version = 2)),
        ("checksum", {
            let mut bytes = Parts::of(&everything()).bytes();
            bytes[300] ^= 4;
            bytes
        }),
        ("header-reserved", changed(|p| p.header.reserved_tail[22] = 1)),
        ("header-reserved", changed(|p| p.header.reserved = 1)),
        ("header-reserved", changed(|p| p.header.bv_shift[3] = 1)),
        ("tile-size", changed(|p| p.header.depth = 1 << 22)),
        ("lattice", changed(|p| p.header.cell_size = f64::NAN)),
        ("lattice", changed(|p| p.header.cell_height = 0.0)),
        ("lattice", changed(|p| p.header.cell_height = f64::INFINITY)),
        ("lattice", changed(|p| p.header.origin[2] = f64::NAN)),
        ("lattice", changed(|p| p.header.origin[0] = 1e300)),
        ("base-cell", changed(|p| p.header.base_cell[0] = i64::MIN)),
        ("agent", changed(|p| p.header.agent[0] = f32::NAN)),
        ("agent", changed(|p| p.header.agent[2] = -0.1)),
        ("agent", changed(|p| p.header.agent[3] = 91.0)),
    ]
}

fn section_cases() -> Vec<Case> {
    let row = |row: usize, change: fn(&mut SectionEntry)| patched(|b| change_row(b, row, change));
    vec![
        ("section-table", changed(|p| p.header.section_count = u32::MAX)),
        ("section-order", row(3, |e| e.kind = 3)),
        ("section-order", row(0, |e| e.kind = 0)),
        ("section-kind", row(6, |e| e.kind = 8)),
        ("section-missing", row(6, |e| e.kind = section::OPTIONAL | 9)),
        ("section-stride", row(1, |e| e.stride = 12)),
        ("section-stride", row(1, |e| e.length += 1)),
        ("section-stride", row(6, |e| (e.kind, e.stride) = (section::OPTIONAL | 9, 0))),
        ("section-place", row(2, |e| e.offset += 16)),
        ("section-place", row(2, |e| e.offset = 0)),
        ("section-place", row(6, |e| e.length += 64)),
        ("section-place", row(6, |e| e.length -= 64)),
        (
            "padding",
            patched(|b| {
                let vertices = table(b)[0];
                assert_ne!(vertices.length % 16, 0);
                b[(vertices.offset + vertices.length) as usize] = 1;
            }),
        ),
        ("polygon-vertex-count", changed(|p| p.header.polygon_vertex_count = 34)),
        ("vertex-range", changed(|p| p.vertices[3][1] = COORD_LIMIT + 1)),
        ("vertex-range", changed(|p| p.vertices[30][2] = i32::MIN)),
        ("bounds", changed(|p| p.header.bounds_max[1] += 1)),
        ("bounds", changed(|p| p.header.bounds_min[0] += 1)),
    ]
}

fn polygon_cases() -> Vec<Case> {
    vec![
        ("polygon-count", changed(|p| p.polygons.resize((1 << 20) + 1, p.polygons[0]))),
        ("polygon-edges", changed(|p| p.polygons[0].edge_count = 2)),
        ("polygon-edges", changed(|p| p.polygons[1].first_edge = 0)),
        ("polygon-edges", changed(|p| p.polygons[14].edge_count = 5)),
        ("polygon-detail", changed(|p| p.polygons[7].first_detail_vertex += 1)),
        ("polygon-detail", changed(|p| p.polygons[7].first_detail_triangle = u32::MAX)),
        ("polygon-detail", changed(|p| p.polygons[14].detail_vertex_count += 1)),
        (
            "polygon-detail",
            changed(|p| {
                p.polygons[14].detail_triangle_count = 0;
            }),
        ),
        ("polygon-area-id", changed(|p| p.polygons[3].area = 0)),
        ("polygon-kind", changed(|p| p.polygons[3].kind = 1)),
        ("polygon-kind", changed(|p| p.polygons[3].reserved = 1)),
    ]
}

fn edge_cases() -> Vec<Case> {
    let internal = edge_kind::INTERNAL;
    vec![
        ("edge-vertex", changed(|p| p.edges[5].vertex = 25)),
        ("edge-length", changed(|p| p.edges[1].vertex = p.edges[0].vertex)),
        (
            "polygon-area",
            changed(|p| {
                let first = p.edges[0].vertex;
                p.edges[0].vertex = p.edges[2].vertex;
                p.edges[2].vertex = first;
            }),
        ),
        ("polygon-convex", changed(|p| p.vertices[0] = [900, 0, 900])),
        ("polygon-winding", star()),
        ("edge-reserved", changed(|p| edge(p, internal).reserved = 1)),
        ("edge-reserved", changed(|p| edge(p, edge_kind::WALL).twin = 1)),
        ("edge-reserved", changed(|p| edge(p, edge_kind::PORTAL).twin = 1)),
        ("edge-kind", changed(|p| edge(p, edge_kind::WALL).kind = 3)),
        ("edge-wall", changed(|p| edge(p, edge_kind::WALL).neighbour = 1)),
        ("edge-neighbour", changed(|p| edge(p, internal).neighbour = 0)),
        ("edge-neighbour", changed(|p| edge(p, internal).neighbour = 15)),
        ("edge-twin", changed(|p| edge(p, internal).twin ^= 1)),
        ("edge-twin", changed(|p| edge(p, internal).twin = 200)),
        (
            "edge-twin",
            changed(|p| {
                let (neighbour, twin) = (edge(p, internal).neighbour as usize, edge(p, internal).twin);
                let back = p.polygons[neighbour].first_edge as usize + usize::from(twin);
                p.edges[back] = Edge { kind: edge_kind::WALL, neighbour: 0, twin: 0, ..p.edges[back] };
            }),
        ),
        ("edge-portal", changed(|p| edge(p, edge_kind::PORTAL).neighbour ^= 1)),
        ("edge-portal", changed(|p| edge(p, edge_kind::PORTAL).neighbour = 16)),
    ]
}

/// A star of five corners, each a left turn, that makes two revolutions.
fn star() -> Vec<u8> {
    let corners = vec![[0, 0, 400], [300, 0, 1000], [900, 0, 1000], [1200, 0, 400], [600, 0, 1]];
    let mut parts = Parts::of(&tile(&[corners]));
    let vertices: Vec<u32> = parts.edges.iter().map(|edge| edge.vertex).collect();
    for (i, edge) in parts.edges.iter_mut().enumerate() {
        edge.vertex = vertices[2 * i % 5];
    }
    parts.bytes()
}

fn portal_cases() -> Vec<Case> {
    vec![
        ("portal-reserved", changed(|p| p.portals[2].reserved = 1)),
        ("portal-owner", changed(|p| p.portals.push(p.portals[15]))),
        ("portal-side", changed(|p| p.portals[2].side = 3)),
        ("portal-side", changed(|p| p.portals[2].side = 4)),
        ("portal-ends", changed(|p| p.portals[2].start += 1)),
        ("portal-ends", changed(|p| p.portals[2].end += 1)),
        ("portal-ends", changed(|p| p.portals[2].start_height += 1)),
        ("portal-ends", changed(|p| p.portals[2].end_height += 1)),
        (
            "portal-order",
            changed(|p| {
                p.portals.swap(0, 1);
                for index in [0, 1] {
                    let portal = p.portals[index];
                    let first = p.polygons[portal.polygon as usize].first_edge as usize;
                    p.edges[first + usize::from(portal.edge)].neighbour = index as u32;
                }
            }),
        ),
        ("portal-overlap", overlap()),
        ("portal-stack", stack()),
    ]
}

/// Two storeys at the border, moved to the same height.
fn overlap() -> Vec<u8> {
    let storey = |y: i32| square(0, 1, 256, move |_, _| y);
    let mut parts = Parts::of(&tile(&[storey(0), storey(900)]));
    parts.vertices.iter_mut().for_each(|vertex| vertex[1] = 0);
    parts.portals.iter_mut().for_each(|portal| (portal.start_height, portal.end_height) = (0, 0));
    parts.header.bounds_max[1] = 0;
    parts.bytes()
}

/// One storey too many at the border: the last and highest one is moved there from next to the others.
fn stack() -> Vec<u8> {
    let last = PORTAL_STACK_LIMIT as i32;
    let storey = |y: i32| square(0, i32::from(y == last), 256, move |_, _| 1000 * y);
    let storeys: Vec<_> = (0..=last).map(storey).collect();
    let mut parts = Parts::of(&tile(&storeys));
    assert_eq!(parts.portals.len(), storeys.len() + PORTAL_STACK_LIMIT);
    // Portals on the z side would have the same effect; keep those on the x side.
    parts.vertices.iter_mut().filter(|vertex| vertex[1] == 1000 * last).for_each(|vertex| vertex[2] -= 256);
    let moved = parts.portals.iter_mut().find(|portal| portal.start_height == 1000 * last).unwrap();
    moved.start -= 256;
    moved.end -= 256;
    parts.header.bounds_max[2] = 256;
    parts.bytes()
}

fn tree_cases() -> Vec<Case> {
    vec![
        ("detail-vertices", changed(|p| p.triangles[0].vertices[2] = 5)),
        ("detail-vertices", changed(|p| p.triangles[3].vertices = [2, 1, 2])),
        ("detail-boundary", changed(|p| p.triangles[0].boundary = 8)),
        ("bv-shift", changed(|p| p.header.bv_shift[1] = 32)),
        ("bv-shift", {
            let mut parts = Parts::of(&tile(&[square(0, 0, 90_000, |_, _| 0)]));
            parts.header.bv_shift[0] = 0;
            parts.bytes()
        }),
        (
            "bv-slots",
            changed(|p| {
                let node = p.nodes.iter_mut().find(|node| node.children[3] == BV_EMPTY).unwrap();
                node.min[0][3] = 0;
            }),
        ),
        ("bv-slots", changed(|p| p.nodes[0].children[1] = BV_EMPTY)),
        ("bv-order", changed(|p| p.nodes[0].children.swap(0, 1))),
        ("bv-order", changed(|p| p.nodes[1].children[1] = BV_LEAF)),
        ("bv-order", changed(|p| p.nodes[0].children[3] = 0)),
        ("bv-order", changed(|p| p.nodes.push(p.nodes[1]))),
        ("bv-order", changed(|p| p.nodes.clear())),
        ("bv-depth", chain(BV_DEPTH_LIMIT + 1)),
        ("bv-bounds", changed(|p| p.nodes[1].max[0][0] -= 1)),
        ("bv-bounds", changed(|p| p.nodes[0].min[2][3] += 1)),
        ("link-range", changed(|p| p.links[0].end[1] = -COORD_LIMIT - 1)),
        ("link-radius", changed(|p| p.links[0].radius = 0)),
        ("link-radius", changed(|p| p.links[1].radius = -7)),
        ("link-area-id", changed(|p| p.links[1].area = 0)),
        ("link-direction", changed(|p| p.links[1].direction = 2)),
        ("link-reserved", changed(|p| p.links[1].reserved = 2)),
        ("link-along", changed(|p| p.links[1].along[1] = COORD_LIMIT + 1)),
        ("link-along", changed(|p| p.links[0].along[0] = i32::MIN)),
    ]
}

/// One polygon below this many nodes.
fn chain(levels: usize) -> Vec<u8> {
    let mut parts = Parts::of(&tile(&[square(1, 1, 256, |_, _| 0)]));
    parts.nodes.resize(levels, parts.nodes[0]);
    for index in 1..levels {
        parts.nodes[index - 1].children[0] = index as u32;
    }
    parts.bytes()
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    assert!(Tile::from_bytes(&changed(|_| ())).is_ok());
    let cases =
        [head_cases(), section_cases(), polygon_cases(), edge_cases(), portal_cases(), tree_cases()].concat();
    for (index, (rule, bytes)) in cases.iter().enumerate() {
        let error = Tile::from_bytes(bytes).expect_err(rule);
        assert_eq!(error.rule, *rule, "case {index}: {error}");
        assert!(!error.expected.is_empty() && !error.found.is_empty());
    }
    let tested: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(tested, BTreeSet::from(RULES));
}

#[test]
fn the_format_is_described() {
    let book = include_str!("../../../../docs/format.md");
    let of_files = navtile::file::FILE_RULES.iter().chain(&navtile::file::SPAN_CACHE_RULES);
    for rule in RULES.iter().chain(of_files).chain(&navtile::graph::GRAPH_RULES) {
        assert!(book.contains(&format!("| `{rule}` |")), "docs/format.md says nothing of {rule}");
    }
}

#[test]
fn a_tree_as_deep_as_allowed_is_accepted() {
    assert!(Tile::from_bytes(&chain(BV_DEPTH_LIMIT)).is_ok());
}

#[test]
fn a_tile_as_large_as_allowed_is_accepted() {
    let mut parts = Parts::of(&tile(&[square(1, 1, 256, |_, _| 0)]));
    [parts.header.width, parts.header.depth] = [SIZE_LIMIT; 2];
    assert!(Tile::from_bytes(&parts.bytes()).is_ok());
}

#[test]
fn a_million_polygons_are_checked_one_by_one() {
    let bytes = changed(|p| p.polygons.resize(POLYGON_LIMIT, p.polygons[0]));
    assert_eq!(Tile::from_bytes(&bytes).unwrap_err().rule, "polygon-edges");
}

#[test]
fn a_section_that_goes_on_beyond_the_blob_is_named() {
    let bytes = patched(|b| change_row(b, 6, |entry| entry.length += 64));
    let SectionEntry { kind, offset, length, .. } = table(&bytes)[6];
    let error = Tile::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.expected, format!("kind {kind:#x} within the {} bytes of the blob", bytes.len()));
    assert_eq!(error.found, format!("{length} bytes at {offset}"));
}

#[test]
fn unknown_optional_sections_are_skipped() {
    let mut bytes = changed(|p| p.header.section_count = 8);
    let row = SectionEntry { kind: section::OPTIONAL | 77, stride: 5, offset: 0, length: 10 };
    bytes.splice(256 + 7 * 16..256 + 7 * 16, bytemuck::bytes_of(&row).iter().copied());
    for index in 0..7 {
        change_row(&mut bytes, index, |entry| entry.offset += 16);
    }
    let end = bytes.len() as u32;
    bytes[256 + 7 * 16 + 8..][..4].copy_from_slice(&end.to_le_bytes());
    bytes.extend([7; 10]);
    bytes.extend([0; 6]);
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    seal(&mut bytes);
    let tile = Tile::from_bytes(&bytes).unwrap();
    assert_eq!(tile.polygons().len(), 15);
}

#[test]
fn every_prefix_and_every_longer_blob_is_refused() {
    let bytes = Parts::of(&everything()).bytes();
    for end in 0..bytes.len() {
        assert_eq!(Tile::from_bytes(&bytes[..end]).unwrap_err().rule, "length");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Tile::from_bytes(&longer).unwrap_err().rule, "length");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = Parts::of(&everything()).bytes();
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let rule = Tile::from_bytes(&flipped).unwrap_err().rule;
        let expected = match bit / 8 {
            0..8 => "magic",
            8..12 => "version",
            16..24 => "length",
            _ => "checksum",
        };
        assert_eq!(rule, expected, "bit {bit}");
    }
}

#[test]
fn the_writer_refuses_too_many_storeys() {
    let storey = |y: i32| square(0, 1, 256, move |_, _| 1000 * y);
    let storeys: Vec<_> = (0..=PORTAL_STACK_LIMIT as i32).map(storey).collect();
    assert!(tile(&storeys[1..]).write().is_ok());
    let error = tile(&storeys).write().unwrap_err().to_string();
    assert!(error.contains("more than the limit of 256"), "{error}");
}

/// Reads everything in a tile; panics if an index is out of range.
fn visit(tile: &Tile) -> usize {
    let corner = tile.to_world(tile.header().bounds_min);
    assert!(corner.iter().all(|value| value.is_finite()));
    let mut sum = 0;
    for polygon in tile.polygons() {
        for edge in tile.polygon_edges(polygon) {
            sum += tile.vertices()[edge.vertex as usize][0] as usize & 1;
            match edge.kind {
                edge_kind::INTERNAL => {
                    let other = &tile.polygons()[edge.neighbour as usize];
                    sum += usize::from(tile.polygon_edges(other)[usize::from(edge.twin)].kind);
                }
                edge_kind::PORTAL => sum += usize::from(tile.portals()[edge.neighbour as usize].side),
                _ => {}
            }
        }
        for vertex in tile.polygon_detail_triangles(polygon).iter().flat_map(|triangle| triangle.vertices) {
            sum += tile.vertices()[tile.detail_vertex_index(polygon, vertex)][1] as usize & 1;
        }
    }
    sum + tile.off_mesh_links().len() + tile.bv_nodes().len()
}

fn base(which: usize) -> TileContent {
    match which {
        0 => everything(),
        1 => empty(),
        _ => tile(&[square(0, 0, WIDTH / 2, |x, z| x * 70 + z)]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn mutations_never_panic(
        which in 0..3usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = Parts::of(&base(which)).bytes();
        for (at, value) in edits {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        seal(&mut bytes);
        if let Ok(tile) = Tile::from_bytes(&bytes) {
            visit(&tile);
        }
    }

    /// Small numbers in the fields after the header pass more rules than random bytes do.
    #[test]
    fn plausible_mutations_never_panic(
        content in random_tile(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), -2..20i32), 1..4),
    ) {
        let mut bytes = Parts::of(&content).bytes();
        for (at, value) in edits {
            let words = bytes.len() / 4 - 7;
            let at = (7 + at.index(words)) * 4;
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        seal(&mut bytes);
        if let Ok(tile) = Tile::from_bytes(&bytes) {
            visit(&tile);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(Tile::from_bytes(&bytes).is_err());
    }
}
