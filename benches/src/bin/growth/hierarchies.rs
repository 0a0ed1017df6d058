//! Hierarchies over worlds of more and more tiles and links.

use super::levels::{floor, settings};
use super::{Family, Made, Member};
use detour::NavMesh;
use hierarchy::{Hierarchy, HierarchySettings};
use navlevel::bake_tiles;
use navmath::SplitMix64;
use navscenes::build::Builder;
use recast::{AreaId, OffMeshConnection, PreparedLevel, Settings, Silent};
use std::error::Error;

pub(super) const FAMILIES: [Family; 5] = [
    Family { name: "hierarchy/tiles", start: 256, make: |n| built(n, &world(n, 0)?) },
    Family { name: "hierarchy/links", start: 256, make: |n| built(n, &world(n, n / 8)?) },
    Family { name: "hierarchy/read", start: 64, make: |n| read(&world(n, n)?) },
    Family { name: "hierarchy/an-update-of-all-tiles", start: 256, make: |n| updated(n, world(n, n / 8)?) },
    Family { name: "hierarchy/links-into-one-cluster", start: 50, make: |n| built(n * n, &fan(n)?) },
];

/// Cells on a side of a tile: few, as the tiles are baked first.
const CELLS: u32 = 16;
/// Metres along a side of a tile.
const TILE: f64 = 4.8;

/// Clusters of two tiles along a side.
fn cluster_settings() -> HierarchySettings {
    HierarchySettings { cluster: 2.0 * TILE, spacing: TILE / 2.0, ..HierarchySettings::default() }
}

fn built(size: usize, mesh: &NavMesh) -> Made {
    let mesh = mesh.clone();
    Ok(Member::new(size, move || {
        build(&mesh)?;
        Ok(())
    }))
}

fn build(mesh: &NavMesh) -> Result<Hierarchy, Box<dyn Error>> {
    let lattice = mesh.lattice().ok_or("no tiles")?;
    Ok(Hierarchy::build(mesh, lattice, CELLS, &cluster_settings())?)
}

fn read(mesh: &NavMesh) -> Made {
    let bytes = build(mesh)?.to_bytes();
    Ok(Member::new(bytes.len(), move || {
        Hierarchy::from_bytes(&bytes)?;
        Ok(())
    }))
}

/// All tiles are removed and come again.
fn updated(size: usize, mesh: NavMesh) -> Made {
    let mut hierarchy = build(&mesh)?;
    let coords: Vec<_> = mesh.tiles().map(navtile::Tile::coord).collect();
    Ok(Member::new(size, move || {
        hierarchy.update(&NavMesh::default(), &coords)?;
        hierarchy.update(&mesh, &coords)?;
        Ok(())
    }))
}

/// A floor of tiles with pillars, eight tiles wide, and links between random places, three tiles long.
fn world(tiles: usize, links: usize) -> Result<NavMesh, Box<dyn Error>> {
    const WIDTH: f64 = 8.0 * TILE;
    let length = tiles as f64 / 8.0 * TILE;
    let (mut builder, mut random) = (Builder::new(), SplitMix64::new(1));
    floor(&mut builder, [0.0; 2], [length, WIDTH], 0.0);
    let mut at = |far: f64| [random.between(1.0, length - 1.0 - far), random.between(1.0, WIDTH - 1.0)];
    for _ in 0..tiles / 2 {
        let [x, z] = at(1.0);
        builder.block([x, -1.0, z], [x + 1.0, 3.0, z + 1.0]);
    }
    const FAR: f64 = 3.0 * TILE;
    let places = (0..links).map(|_| at(FAR)).map(|[x, z]| [[x, 0.0, z], [x + FAR, 0.0, z]]);
    let links = places.collect();
    mesh(&builder.finish(), links)
}

/// Links from many places into one cluster.
fn fan(links: usize) -> Result<NavMesh, Box<dyn Error>> {
    let mut builder = Builder::new();
    floor(&mut builder, [0.0; 2], [20.0, 9.0], 0.0);
    let place = |number: usize| 1.0 + 7.0 * number as f64 / links as f64;
    let places = (0..links).map(|number| [[17.0, 0.0, place(number)], [3.0, 0.0, place(links - number)]]);
    let links = places.collect();
    mesh(&builder.finish(), links)
}

fn mesh(level: &recast::Level, links: Vec<[[f64; 3]; 2]>) -> Result<NavMesh, Box<dyn Error>> {
    let connection = |(number, [start, end]): (u64, [[f64; 3]; 2])| OffMeshConnection {
        start,
        end,
        radius: 1.0,
        both_ways: number.is_multiple_of(2),
        area: AreaId::GROUND,
        flags: None,
        user_id: number,
        along: [0.0; 2],
    };
    let off_mesh_connections = (0..).zip(links).map(connection).collect();
    let prepared = PreparedLevel::new(level, &Settings { off_mesh_connections, ..settings() })?;
    let mut mesh = NavMesh::default();
    mesh.add_tiles(bake_tiles(&prepared, CELLS, &Silent)?.into_iter().map(|baked| baked.tile))?;
    Ok(mesh)
}
