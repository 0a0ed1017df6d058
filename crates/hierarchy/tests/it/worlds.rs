//! Worlds for tests: boxes on rolling ground, with links, in tiles.

use detour::{Filter, NavMesh, Place, Query, Vec3};
use hierarchy::{Hierarchy, HierarchySettings};
use navmath::SplitMix64;
use navtile::content::Beyond;
use navtile::layout::{Edge, edge_kind};
use navtile::{EdgeContent, PolygonContent, Tile, TileContent};
use recast::{AreaId, Level, OffMeshConnection, PreparedLevel, Settings, Silent};

/// Cells along a side of a tile.
pub(crate) const TILE: u32 = 24;

/// The tiles of a world of some metres along a side, with boxes on it, from a seed.
pub(crate) fn world(seed: u64, side: f64, with_links: bool) -> Vec<Tile> {
    let mut random = SplitMix64::new(seed);
    let mut level = Level::default();
    let count = (side / 4.0) as u32;
    let height = |x: f64, z: f64| 3.0 * (x / 17.0).sin() * (z / 23.0).cos();
    for row in 0..=count {
        for column in 0..=count {
            let (x, z) = (f64::from(row) * 4.0, f64::from(column) * 4.0);
            level.vertices.push([x, height(x, z), z]);
        }
    }
    for row in 0..count {
        for column in 0..count {
            let a = row * (count + 1) + column;
            let b = a + count + 1;
            level.triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
        }
    }
    for _ in 0..(side * side / 60.0) as usize {
        let (x, z) = (random.between(0.0, side), random.between(0.0, side));
        let (width, depth) = (random.between(1.0, 9.0), random.between(1.0, 9.0));
        block(&mut level, [x, height(x, z) - 6.0, z], [x + width, height(x, z) + 4.0, z + depth]);
    }
    // Worlds of one size have one lattice.
    block(&mut level, [0.0, -20.0, 0.0], [1.0, -19.0, 1.0]);
    block(&mut level, [side + 9.0, -20.0, side + 9.0], [side + 10.0, -19.0, side + 10.0]);
    let mut settings = Settings::default();
    if with_links {
        for number in 0..(side / 4.0) as u64 {
            let mut place = || {
                let (x, z) = (random.between(0.0, side), random.between(0.0, side));
                [x, height(x, z) + 4.0 * random.between(0.0, 1.0).round(), z]
            };
            let (start, end) = (place(), place());
            settings.off_mesh_connections.push(OffMeshConnection {
                start,
                end,
                radius: 3.0,
                both_ways: number % 2 == 0,
                area: AreaId::GROUND,
                flags: None,
                user_id: number,
                along: [0.0; 2],
            });
        }
    }
    let prepared = PreparedLevel::new(&level, &settings).expect("a sound level");
    let baked = navlevel::bake_tiles(&prepared, TILE, &Silent).expect("a bake");
    baked.into_iter().map(|baked| baked.tile).collect()
}

fn block(level: &mut Level, low: [f64; 3], high: [f64; 3]) {
    let first = level.vertices.len() as u32;
    for corner in 0..8usize {
        level
            .vertices
            .push(std::array::from_fn(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }));
    }
    let faces = [
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
    ];
    level.triangles.extend(faces.map(|face| face.map(|corner: u32| corner + first)));
}

/// A plain that two canals of water cut into parts; a bridge leads over one of them.
pub(crate) fn water_world() -> Vec<Tile> {
    let mut level = Level::default();
    let mut ground = |[x, z]: [f64; 2], [width, depth]: [f64; 2], area: AreaId| {
        let first = level.vertices.len() as u32;
        level.vertices.extend([
            [x, 0.0, z],
            [x + width, 0.0, z],
            [x + width, 0.0, z + depth],
            [x, 0.0, z + depth],
        ]);
        level.triangles.extend([[first, first + 2, first + 1], [first, first + 3, first + 2]]);
        level.areas.extend([area; 2]);
    };
    ground([0.0, 0.0], [30.0, 100.0], AreaId::GROUND);
    ground([30.0, 0.0], [8.0, 45.0], AreaId(2));
    ground([30.0, 45.0], [8.0, 10.0], AreaId::GROUND);
    ground([30.0, 55.0], [8.0, 45.0], AreaId(2));
    ground([38.0, 0.0], [30.0, 100.0], AreaId::GROUND);
    ground([68.0, 0.0], [8.0, 100.0], AreaId(2));
    ground([76.0, 0.0], [24.0, 100.0], AreaId::GROUND);
    let prepared = PreparedLevel::new(&level, &Settings::default()).expect("a sound level");
    let baked = navlevel::bake_tiles(&prepared, TILE, &Silent).expect("a bake");
    baked.into_iter().map(|baked| baked.tile).collect()
}

/// A tile without links, with walls instead of portals on some sides.
pub(crate) fn walled(tile: &Tile, sides: &[u8]) -> Tile {
    let beyond = |edge: &Edge| match edge.kind {
        edge_kind::INTERNAL => Beyond::Internal(edge.neighbour),
        edge_kind::PORTAL => match tile.portals()[edge.neighbour as usize].side {
            on if sides.contains(&on) => Beyond::Wall,
            on => Beyond::Portal(on),
        },
        _ => Beyond::Wall,
    };
    let polygons = tile.polygons().iter().map(|polygon| {
        let edges = tile.polygon_edges(polygon).iter();
        PolygonContent {
            edges: edges.map(|edge| EdgeContent { vertex: edge.vertex, beyond: beyond(edge) }).collect(),
            area: polygon.area,
            flags: polygon.flags,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        }
    });
    let header = tile.header();
    let content = TileContent {
        coord: tile.coord(),
        lattice: tile.lattice(),
        base_cell: header.base_cell,
        size_cells: [header.width, header.depth],
        agent: [0.5, 2.0, 0.5, 45.0],
        vertices: tile.vertices().to_vec(),
        polygons: polygons.collect(),
        off_mesh_links: Vec::new(),
    };
    Tile::from_bytes(&content.write().expect("sound content").0).expect("a sound tile")
}

/// A plain, and four pillars that only one-way links lead up to and down from. Each two of them are in one
/// cluster of [`settings`]: from the first pillar a link leads to the second, from there one to the plain,
/// from the plain one to the third, and from there one to the fourth. Also returns the tops of the pillars.
pub(crate) fn pillar_world() -> (Vec<Tile>, [[f64; 3]; 4]) {
    let mut level = Level::default();
    block(&mut level, [0.0, -1.0, 0.0], [60.0, 0.0, 60.0]);
    let corners = [[2.0, 2.0], [8.0, 2.0], [31.0, 2.0], [37.0, 2.0]];
    let tops = corners.map(|[x, z]| {
        block(&mut level, [x, -0.5, z], [x + 4.0, 6.0, z + 4.0]);
        [x + 2.0, 6.0, z + 2.0]
    });
    let mut settings = Settings::default();
    let links =
        [[tops[0], tops[1]], [tops[1], [40.0, 0.0, 40.0]], [[45.0, 0.0, 45.0], tops[2]], [tops[2], tops[3]]];
    for (user_id, [start, end]) in (0..).zip(links) {
        let (radius, both_ways, area) = (1.0, false, AreaId::GROUND);
        let (flags, along) = (None, [0.0; 2]);
        settings.off_mesh_connections.push(OffMeshConnection {
            start,
            end,
            radius,
            both_ways,
            area,
            flags,
            user_id,
            along,
        });
    }
    let prepared = PreparedLevel::new(&level, &settings).expect("a sound level");
    let baked = navlevel::bake_tiles(&prepared, TILE, &Silent).expect("a bake");
    (baked.into_iter().map(|baked| baked.tile).collect(), tops)
}

/// The mesh of tiles.
pub(crate) fn mesh(tiles: &[Tile]) -> NavMesh {
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.iter().cloned()).expect("sound tiles");
    mesh
}

/// A random place on a mesh, in the square that the longest worlds of tests have.
pub(crate) fn place(random: &mut SplitMix64, query: &mut Query, mesh: &NavMesh) -> Place {
    const SIDE: f64 = 130.0;
    loop {
        let at = Vec3::new(random.between(0.0, SIDE) as f32, 0.0, random.between(0.0, SIDE) as f32);
        if let Ok(near) = query.nearest(mesh, at, Vec3::new(2.0, 20.0, 2.0), &Filter::default()) {
            return near.place();
        }
    }
}

/// Small clusters, so that small worlds have all levels.
pub(crate) fn settings() -> HierarchySettings {
    HierarchySettings { cluster: 14.4, spacing: 3.6, ..HierarchySettings::default() }
}

/// The hierarchy of a mesh.
pub(crate) fn hierarchy(mesh: &NavMesh) -> Hierarchy {
    Hierarchy::build(mesh, mesh.lattice().expect("tiles"), TILE, &settings()).expect("a hierarchy")
}
