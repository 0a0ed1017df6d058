//! Shared by the tests: numbers by a fixed rule, levels, and random obstacles.

use detour::NavMesh;
use navlevel::{Body, Effect, Obstacle};
use navtile::file::Source;
use recast::{AreaId, Level, PreparedLevel, Settings, Transform};
use std::io::Cursor;
use tilecache::TileCache;

/// Numbers that look random and are the same each time (Knuth's MMIX).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        let mut numbers = Numbers(seed ^ 0x9E37_79B9_7F4A_7C15);
        numbers.next();
        numbers
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count.max(1)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() % 4096) as f64 / 4096.0
    }
}

pub(crate) fn scene(name: &str, change: impl FnOnce(&mut Settings)) -> PreparedLevel {
    let scene = navscenes::by_name(name).unwrap();
    let mut settings = (scene.settings)();
    change(&mut settings);
    PreparedLevel::new(&(scene.level)(), &settings).unwrap()
}

/// The file of a cache in its current state.
pub(crate) fn written<S: Source>(cache: &TileCache<S>) -> Vec<u8> {
    cache.write(Cursor::new(Vec::new())).unwrap().into_inner()
}

/// The tiles of a cache as a mesh.
pub(crate) fn mesh_of<S: Source>(cache: &TileCache<S>) -> NavMesh {
    let mut mesh = NavMesh::default();
    for coord in cache.coords() {
        mesh.add_tile(cache.tile(coord).unwrap().unwrap()).unwrap();
    }
    mesh
}

/// Floors, each from (x, z) to (x, z).
pub(crate) fn floors(floors: &[[f64; 4]]) -> PreparedLevel {
    PreparedLevel::new(&level_of(floors, &[]), &Settings::default()).unwrap()
}

/// A floor of 12 by 12 m with walls of 3 m, each from (x, z) to (x, z).
pub(crate) fn room(walls: &[[f64; 4]]) -> PreparedLevel {
    PreparedLevel::new(&level_of(&[[0.0, 0.0, 12.0, 12.0]], walls), &Settings::default()).unwrap()
}

/// Floors, and walls of 3 m.
pub(crate) fn level_of(floors: &[[f64; 4]], walls: &[[f64; 4]]) -> Level {
    let mut level = Level::default();
    let mut add = |vertices: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let first = level.vertices.len() as u32;
        level.vertices.extend_from_slice(vertices);
        level.triangles.extend(triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
    };
    for &[x, z, far_x, far_z] in floors {
        let corners = [[x, 0.0, z], [x, 0.0, far_z], [far_x, 0.0, far_z], [far_x, 0.0, z]];
        add(&corners, &[[0, 1, 2], [0, 2, 3]]);
    }
    for &[x, z, far_x, far_z] in walls {
        let wall = Body::cuboid([far_x - x, 3.0, far_z - z]).unwrap();
        let place = Transform::turned(0.0, [(x + far_x) / 2.0, 0.0, (z + far_z) / 2.0]);
        let corners: Vec<[f64; 3]> = wall.vertices().iter().map(|corner| place.apply(*corner)).collect();
        add(&corners, wall.triangles());
    }
    level
}

/// A place in a level, or slightly outside it.
pub(crate) fn place(level: &PreparedLevel, numbers: &mut Numbers) -> Transform {
    let cell = level.lattice.cell();
    let at = [0, 1, 2].map(|axis| {
        let size = f64::from(level.size[axis]) * cell[axis];
        level.lattice.origin[axis] + numbers.between(-0.05, 1.05) * size
    });
    let tilted = Transform([[1.0, 0.2, 0.0, 0.0], [-0.2, 0.9, 0.1, 0.0], [0.0, 0.1, -1.0, 0.0]]);
    let turned = Transform::turned(numbers.between(0.0, 360.0), at);
    if numbers.below(4) == 0 { turned.after(&tilted) } else { turned }
}

pub(crate) fn obstacle(level: &PreparedLevel, numbers: &mut Numbers) -> Obstacle {
    let size = |numbers: &mut Numbers| numbers.between(0.3, 5.0);
    let body = match numbers.below(5) {
        0 => Body::cuboid([size(numbers), size(numbers), size(numbers)]).unwrap(),
        1 => Body::cylinder(size(numbers) / 2.0, size(numbers)).unwrap(),
        2 => {
            let radius = size(numbers) / 3.0;
            Body::capsule(radius, 2.0 * radius + size(numbers)).unwrap()
        }
        3 => {
            let points: Vec<[f64; 3]> =
                (0..8).map(|_| [size(numbers), size(numbers) / 2.0, size(numbers)]).collect();
            Body::hull(&points).unwrap()
        }
        _ => {
            let [x, z] = [size(numbers), size(numbers)];
            let vertices = [[0.0, 0.0, 0.0], [0.0, 0.1, z], [x, 1.0, 0.0], [x, 1.2, z]];
            Body::mesh(&vertices, &[[0, 1, 2], [2, 1, 3]]).unwrap()
        }
    };
    let effect = match numbers.below(7) {
        0..3 => Effect::Solid { area: AreaId::GROUND },
        3 => Effect::Solid { area: AreaId(5) },
        4 => Effect::Blocks { inflate: numbers.below(2) == 0 },
        5 => Effect::Marks { area: AreaId(3 + numbers.below(3) as u8), inflate: numbers.below(2) == 0 },
        _ if body.is_convex() => Effect::Removes,
        _ => Effect::Solid { area: AreaId::NULL },
    };
    Obstacle { body, place: place(level, numbers), effect }
}
