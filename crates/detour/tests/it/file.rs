//! Files as meshes and filters, in one call.

use detour::{Filter, NavMesh, OpenError};
use navtile::{AgentMeta, AreaMeta, Meta, NavFile, SettingsMeta, Tile, write_file};

fn area(id: u8, flags: u32, cost: f32) -> AreaMeta {
    AreaMeta { id, name: format!("area {id}"), flags, cost, colour: None }
}

/// A file of one tile.
fn file(tile: &Tile, areas: Vec<AreaMeta>) -> Vec<u8> {
    let [radius, height, climb, slope] = tile.header().agent;
    let lattice = tile.lattice();
    let meta = Meta {
        agent: AgentMeta {
            radius: f64::from(radius),
            height: f64::from(height),
            climb: f64::from(climb),
            slope: f64::from(slope),
        },
        settings: SettingsMeta::default(),
        origin: lattice.origin,
        cell: [lattice.cell_size, lattice.cell_height],
        tile_cells: 0,
        geometry_digest: [0; 16],
        areas,
    };
    write_file(&meta, std::slice::from_ref(tile)).unwrap()
}

#[test]
fn a_file_is_a_mesh_with_its_areas() {
    let tile = navscenes::baked_tile("two_rooms").unwrap();
    let bytes = file(&tile, vec![area(7, 4, 2.5), area(63, 1, 1.0)]);
    let path = std::env::temp_dir().join(format!("navtile-detour-{}.navtile", std::process::id()));
    std::fs::write(&path, &bytes).unwrap();
    let opened = NavMesh::open(&path);
    std::fs::remove_file(&path).unwrap();
    let (mesh, meta) = opened.unwrap();
    let mut expected = NavMesh::default();
    expected.add_tile(tile).unwrap();
    assert_eq!(mesh.polygons().collect::<Vec<_>>(), expected.polygons().collect::<Vec<_>>());
    let filter = Filter::of_areas(&meta.areas).unwrap();
    assert_eq!((filter.include(), filter.area_cost(63), filter.area_cost(7)), (5, 1.0, 2.5));

    let moved = NavMesh::of_file(&NavFile::open(&bytes).unwrap(), [100.0, 0.0, 50.0]).unwrap();
    let [low, expected] = [&moved, &mesh].map(|mesh| mesh.to_world(mesh.bounds().min));
    assert!((0..3).all(|axis| (low[axis] - expected[axis]).abs() < 1e-4), "{low:?} {expected:?}");
}

#[test]
fn files_and_costs_that_are_wrong_are_refused() {
    assert!(matches!(NavMesh::open("nowhere.navtile"), Err(OpenError::Read(_))));
    let tile = navscenes::baked_tile("two_rooms").unwrap();
    let mut bytes = file(&tile, Vec::new());
    assert!(NavMesh::of_file(&NavFile::open(&bytes).unwrap(), [f64::NAN; 3]).is_err());
    let place = NavFile::open(&bytes).unwrap().entries()[0].offset as usize;
    bytes[place + 200] ^= 1;
    let damaged = NavMesh::of_file(&NavFile::open(&bytes).unwrap(), [0.0; 3]);
    assert!(matches!(damaged, Err(OpenError::File(_))));
    assert_eq!(Filter::of_areas(&[]).unwrap(), Filter::default());
    assert_eq!(Filter::of_areas(&[area(1, 1, 0.0)]).unwrap_err().area, 1);
}
