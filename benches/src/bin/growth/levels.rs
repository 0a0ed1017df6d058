//! Levels and settings that a bake takes: each is prepared, cut into tiles and baked.

use super::{Family, Made, Member};
use navlevel::{Tiling, bake_tiles};
use navscenes::build::{Builder, Rect};
use recast::{
    AreaDefinition, AreaId, InstancedMesh, Level, OffMeshConnection, Partition, PreparedLevel, Scratch,
    Settings, Shape, Silent, Transform, Volume, bake_solo,
};

pub(super) const FAMILIES: [Family; 19] = [
    Family { name: "bake/triangles-of-no-size", start: 2_000, make: |n| solo(n, &specks(n), settings()) },
    Family { name: "bake/plates", start: 400, make: |n| solo(n, &plates(n, 1e-4), settings()) },
    Family { name: "bake/plates-downwards", start: 400, make: |n| solo(n, &plates(n, -1e-4), settings()) },
    Family { name: "bake/storeys", start: 30, make: |n| solo(n, &plates(n, 3.0), settings()) },
    Family { name: "bake/storeys-downwards", start: 30, make: |n| solo(n, &plates(n, -3.0), settings()) },
    Family {
        name: "bake/slivers-over-each-other",
        start: 100,
        make: |n| solo(n, &plates(n, 0.5), settings()),
    },
    Family { name: "bake/a-tower", start: 250, make: |n| solo(n, &tower(n), settings()) },
    Family { name: "bake/rooms-along-a-corridor", start: 250, make: |n| solo(n, &rooms(n), settings()) },
    Family { name: "bake/patches-along-a-strip", start: 250, make: strip },
    Family { name: "bake/pillars", start: 64, make: |n| solo(n, &pillars(n), settings()) },
    Family { name: "bake/islands", start: 200, make: |n| solo(n, &islands(n), settings()) },
    Family { name: "bake/patches-watershed", start: 400, make: |n| patches(n, Partition::Watershed) },
    Family { name: "bake/patches-monotone", start: 400, make: |n| patches(n, Partition::Monotone) },
    Family { name: "bake/patches-layers", start: 400, make: |n| patches(n, Partition::Layers) },
    Family {
        name: "bake/pillars-monotone",
        start: 64,
        make: |n| solo(n, &pillars(n), Settings { partition: Partition::Monotone, ..settings() }),
    },
    Family { name: "bake/volumes", start: 3_000, make: volumes },
    Family { name: "bake/off-mesh", start: 3_000, make: off_mesh },
    Family { name: "bake/placements", start: 500, make: placements },
    Family { name: "tiling/tiles", start: 36, make: tiles },
];

pub(super) fn settings() -> Settings {
    Settings { agent_radius: 0.3, region_min_area: Some(0.0), ..Settings::default() }
}

fn solo(size: usize, level: &Level, settings: Settings) -> Made {
    let level = level.clone();
    Ok(Member::new(size, move || {
        let level = PreparedLevel::new(&level, &settings)?;
        bake_solo(&level, &Silent, &mut Scratch::new())?;
        Ok(())
    }))
}

pub(super) fn floor(builder: &mut Builder, [x, z]: [f64; 2], [width, depth]: [f64; 2], y: f64) {
    builder.floor(Rect { min: [x, z], max: [x + width, z + depth] }, y);
}

fn plates(count: usize, apart: f64) -> Level {
    let mut builder = Builder::new();
    for at in 0..count {
        floor(&mut builder, [0.0; 2], [12.0, 3.0], apart * at as f64);
    }
    builder.finish()
}

/// Triangles within one cell, over a floor.
fn specks(count: usize) -> Level {
    let mut builder = Builder::new();
    floor(&mut builder, [0.0; 2], [6.0; 2], 0.0);
    for at in 0..count {
        floor(&mut builder, [3.0, 3.0], [0.01, 0.01], 1e-5 * at as f64);
    }
    builder.finish()
}

fn side(count: usize) -> usize {
    count.isqrt()
}

fn places(count: usize, apart: f64) -> impl Iterator<Item = [f64; 2]> {
    let side = side(count);
    (0..side * side).map(move |at| [apart * (at % side) as f64, apart * (at / side) as f64])
}

pub(super) fn pillars(count: usize) -> Level {
    let (mut builder, width) = (Builder::new(), 6.0 * side(count) as f64);
    floor(&mut builder, [0.0; 2], [width; 2], 0.0);
    for [x, z] in places(count, 6.0) {
        builder.block([x + 2.0, -1.0, z + 2.0], [x + 4.0, 3.0, z + 4.0]);
    }
    builder.finish()
}

pub(super) fn islands(count: usize) -> Level {
    let mut builder = Builder::new();
    places(count, 4.0).for_each(|place| floor(&mut builder, place, [3.0; 2], 0.0));
    builder.finish()
}

/// A floor of alternating patches of two areas: each is a region that cannot be merged.
fn patches(count: usize, partition: Partition) -> Made {
    let mut builder = Builder::new();
    let side = side(count);
    for (at, place) in places(count, 2.0).enumerate() {
        let odd = (at % side + at / side) % 2;
        builder.area([AreaId::GROUND, AreaId(3)][odd]);
        floor(&mut builder, place, [2.0; 2], 0.0);
    }
    let area = AreaDefinition { id: AreaId(3), name: "mud".to_owned(), ..AreaDefinition::ground() };
    let areas = vec![area, AreaDefinition::ground()];
    solo(count, &builder.finish(), Settings { partition, areas, agent_radius: 0.0, ..settings() })
}

/// Storeys of a small house.
fn tower(count: usize) -> Level {
    let mut builder = Builder::new();
    (0..count).for_each(|at| floor(&mut builder, [0.0; 2], [2.4; 2], 3.0 * at as f64));
    builder.finish()
}

/// Small rooms behind doors along a corridor. Each is a region, and is merged into the region of the
/// corridor.
fn rooms(count: usize) -> Level {
    let (mut builder, length) = (Builder::new(), 3.6 * count as f64);
    floor(&mut builder, [0.0; 2], [length, 2.4], 0.0);
    for x in (0..count).map(|at| 3.6 * at as f64) {
        floor(&mut builder, [x + 1.2, 2.4], [0.9, 0.9], 0.0);
        floor(&mut builder, [x + 0.3, 3.3], [2.7, 2.7], 0.0);
    }
    builder.finish()
}

/// A strip of one area with alternating patches of two others along it, cut by layers: the region of the
/// strip adjoins all others.
fn strip(count: usize) -> Made {
    let mut builder = Builder::new();
    builder.area(AreaId(4));
    floor(&mut builder, [0.0; 2], [2.0, 2.0 * count as f64], 0.0);
    for at in 0..count {
        builder.area([AreaId::GROUND, AreaId(3)][at % 2]);
        floor(&mut builder, [2.0, 2.0 * at as f64], [2.0; 2], 0.0);
    }
    let area = |(id, name): (u8, &str)| AreaDefinition {
        id: AreaId(id),
        name: name.to_owned(),
        ..AreaDefinition::ground()
    };
    let mut areas: Vec<_> = [(3, "mud"), (4, "road")].into_iter().map(area).collect();
    areas.push(AreaDefinition::ground());
    let partition = Partition::Layers;
    solo(count, &builder.finish(), Settings { partition, areas, agent_radius: 0.0, ..settings() })
}

fn volumes(count: usize) -> Made {
    let volume = |at: usize| {
        let x = 0.01 * at as f64;
        Volume {
            shape: Shape::Cylinder { base: [x, -1.0, 3.0], radius: 0.4, height: 2.0 },
            area: AreaId::GROUND,
        }
    };
    let volumes = (0..count).map(volume).collect();
    solo(count, &plates(1, 0.0), Settings { volumes, ..settings() })
}

fn off_mesh(count: usize) -> Made {
    let connection = |at: usize| OffMeshConnection {
        start: [1.0, 0.0, 1.0],
        end: [2.0 + 0.001 * at as f64, 0.0, 2.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 7,
        along: [0.0; 2],
    };
    let off_mesh_connections = (0..count).map(connection).collect();
    solo(count, &plates(1, 0.0), Settings { off_mesh_connections, ..settings() })
}

fn placements(count: usize) -> Made {
    let mut mesh = InstancedMesh::from(&plates(1, 0.0));
    mesh.placements = vec![Transform::IDENTITY; count];
    Ok(Member::new(count, move || {
        let level = PreparedLevel::from_meshes(&[mesh], &settings())?;
        bake_solo(&level, &Silent, &mut Scratch::new())?;
        Ok(())
    }))
}

/// A floor in tiles, with islands in each, and with triangles that reach over all of them.
fn tiles(count: usize) -> Made {
    let mut level = islands(count);
    let width = 4.0 * side(count) as f64;
    let first = level.vertices.len() as u32;
    level.vertices.extend([[0.0, -1.0, 0.0], [0.0, -1.0, 1.0], [width, -1.0, 0.0]]);
    level.triangles.push([first, first + 1, first + 2]);
    level.areas.push(AreaId::GROUND);
    Ok(Member::new(count, move || {
        let level = PreparedLevel::new(&level, &settings())?;
        let tiling = Tiling::new(&level, 16)?;
        drop(tiling.coords());
        bake_tiles(&level, 16, &Silent)?;
        Ok(())
    }))
}
