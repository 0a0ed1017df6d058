//! Flags and areas of a tile, stored as bytes and restored; and bytes that are not a stored state.

use crate::common;
use crate::common::links::{link, linked};
use crate::common::{Grid, Random, mesh};
use detour::{MeshError, NavMesh, PolyRef, StateProblem};
use navtile::{Tile, TileCoord};

const HERE: TileCoord = TileCoord { x: 0, z: 0, layer: 0 };

fn level() -> Tile {
    let content = Grid::new("..2\n.#.").content();
    let jump = link(&content, [0.5, 0.0, 0.5], [2.5, 0.0, 1.5], HERE);
    linked(content, vec![jump])
}

fn values(mesh: &NavMesh) -> Vec<(u32, u8)> {
    let nodes = mesh.polygons().chain(mesh.off_mesh_links());
    nodes.map(|node| mesh.attributes(node).unwrap()).map(|found| (found.flags, found.area)).collect()
}

fn problem(mesh: &mut NavMesh, bytes: &[u8]) -> StateProblem {
    let before = values(mesh);
    let error = mesh.restore_state(HERE, bytes).unwrap_err();
    assert_eq!(values(mesh), before, "refused, and changed all the same");
    match error {
        MeshError::State { coord: HERE, problem } => problem,
        other => panic!("{other}"),
    }
}

#[test]
fn what_was_stored_is_restored() {
    let mut mesh = mesh([level()]);
    let baked = values(&mesh);
    let fresh = mesh.store_state(HERE).unwrap();
    assert_eq!(fresh.len(), 40);
    let nodes: Vec<PolyRef> = mesh.polygons().chain(mesh.off_mesh_links()).collect();
    mesh.set_flags(nodes[1], 0xFFFF_FFFF).unwrap();
    mesh.set_area(nodes[1], 255).unwrap();
    mesh.set_area(nodes[5], 3).unwrap();
    let (stored, changed) = (mesh.store_state(HERE).unwrap(), values(&mesh));
    assert_eq!(stored.len(), 40 + 2 * 12);
    mesh.set_flags(nodes[0], 7).unwrap();
    mesh.restore_state(HERE, &stored).unwrap();
    assert_eq!(values(&mesh), changed);
    mesh.restore_state(HERE, &fresh).unwrap();
    assert_eq!(values(&mesh), baked);
    // The tile is added to another slot of another mesh.
    let mut other = common::mesh([Grid::tiled("...\n...", 5, 5).tile(), level()]);
    other.restore_state(HERE, &stored).unwrap();
    let here: Vec<_> = values(&other);
    assert!(changed.iter().all(|value| here.contains(value)));
    assert_eq!(other.store_state(HERE).unwrap(), stored);
    assert_eq!(other.store_state(TileCoord { x: 5, z: 5, layer: 0 }).unwrap().len(), 40);
    let nowhere = TileCoord { x: 9, ..HERE };
    assert_eq!(mesh.store_state(nowhere), Err(MeshError::NoTile(nowhere)));
    assert_eq!(mesh.restore_state(nowhere, &stored), Err(MeshError::NoTile(nowhere)));
}

#[test]
fn other_bytes_are_refused_by_reason() {
    let mut mesh = mesh([level()]);
    let nodes: Vec<PolyRef> = mesh.polygons().collect();
    mesh.set_flags(nodes[2], 99).unwrap();
    let stored = mesh.store_state(HERE).unwrap();
    for length in 0..stored.len() {
        let expected = if length < 40 { 40 } else { 52 };
        assert_eq!(problem(&mut mesh, &stored[..length]), StateProblem::Length { expected, found: length });
    }
    let longer = [&stored[..], &[0]].concat();
    assert_eq!(problem(&mut mesh, &longer), StateProblem::Length { expected: 52, found: 53 });
    for at in 0..stored.len() {
        let mut broken = stored.clone();
        broken[at] ^= 0x10;
        let found = problem(&mut mesh, &broken);
        let as_expected = match at {
            0..8 => found == StateProblem::NoState,
            8..12 => matches!(found, StateProblem::Version { expected: 1, .. }),
            16..20 => matches!(found, StateProblem::Length { found: 52, .. }),
            _ => found == StateProblem::Damaged,
        };
        assert!(as_expected, "byte {at}: {found:?}");
    }
    let mut version = stored.clone();
    version[8] = 2;
    assert_eq!(problem(&mut mesh, &version), StateProblem::Version { expected: 1, found: 2 });
    let mut lie = stored.clone();
    lie[16..20].fill(0xFF);
    assert!(matches!(problem(&mut mesh, &lie), StateProblem::Length { found: 52, .. }));
    let other = common::mesh([Grid::new("..2\n.#.").tile()]).store_state(HERE).unwrap();
    assert!(matches!(problem(&mut mesh, &other), StateProblem::OtherTile { .. }));
    let text = mesh.restore_state(HERE, &other).unwrap_err().to_string();
    assert!(
        text.starts_with("the stored state for tile (0, 0, 0) belongs to a tile with checksum"),
        "{text}"
    );
}

#[test]
fn sound_sums_do_not_make_sound_rows() {
    let mut mesh = mesh([level()]);
    let count = mesh.polygons().count() as u32 + 1;
    let checksum = level().header().checksum;
    let bytes = |rows: &[[u32; 3]]| {
        let mut bytes = b"NAVSTATE".to_vec();
        for word in [1, checksum, rows.len() as u32, 0].iter().chain(rows.as_flattened()) {
            bytes.extend(word.to_le_bytes());
        }
        let sum = navmath::digest::Hasher::new().write_u8s(&bytes).finish().0;
        bytes.extend(sum);
        bytes
    };
    mesh.restore_state(HERE, &bytes(&[[0, 5, 1], [count - 1, 6, 255]])).unwrap();
    for rows in
        [&[[count, 5, 1]][..], &[[1, 5, 1], [1, 5, 1]], &[[1, 5, 1], [0, 5, 1]], &[[0, 5, 0]], &[[0, 5, 256]]]
    {
        assert_eq!(problem(&mut mesh, &bytes(rows)), StateProblem::Damaged, "{rows:?}");
    }
}

#[test]
fn any_bytes_are_met_with_an_answer() {
    let mut mesh = mesh([level()]);
    let mut random = Random(11);
    let stored = mesh.store_state(HERE).unwrap();
    for _ in 0..2_000 {
        let mut bytes = stored.clone();
        bytes.resize(random.below(120) as usize, 0xA5);
        for _ in 0..random.below(6) {
            let length = bytes.len().max(1) as u64;
            if let Some(byte) = bytes.get_mut(random.below(length) as usize) {
                *byte = random.below(256) as u8;
            }
        }
        assert_eq!(mesh.restore_state(HERE, &bytes).is_ok(), bytes == stored);
    }
}
