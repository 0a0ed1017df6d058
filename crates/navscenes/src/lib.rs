//! Named scenes, built from code, that tests, benches, figures and examples share.
//!
//! - [`all`], [`by_name`], [`baked_tile`]: the scenes. Each bakes in well under a second.
//! - [`terrain::sine_terrain`], [`random::boxes`], [`repeat`]: levels of any size.
//! - [`crowds`]: scenarios of crowds, each with its level.
//! - [`shooter`]: levels for agents that jump, drop and climb.
//! - [`rooms`]: rooms at any angle, and the distance of their meshes from the true border.
//! - [`flat`]: maps of polygons with holes.
//! - [`obj::to_obj`]: a level as Wavefront OBJ text; the files under `assets/` are made with it.
//! - [`public_levels`]: levels of other projects, from files next to the repository.
//! - [`build::Builder`]: blocks, ramps, stairs and prisms, for new levels.
//!
//! Everything else here only depends on its arguments: levels are the same on every platform.

#![forbid(unsafe_code)]

pub mod build;
pub mod courtyard;
pub mod crowds;
pub mod fields;
pub mod flat;
pub mod generated;
pub mod obj;
mod public;
pub mod random;
mod repeat;
pub mod rooms;
pub mod shooter;
pub mod small;
pub mod spiral;
pub mod terrain;
pub mod world;

pub use obj::to_obj;
pub use public::{is_long, long_levels, public_levels};
pub use random::boxes;
pub use repeat::repeat;
pub use terrain::sine_terrain;

use navtile::Tile;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// A level with its settings, under a name.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Name, as in file names: lower case, underscores.
    pub name: &'static str,
    /// Its content and its purpose, in a sentence or two.
    pub description: &'static str,
    /// Builds the level.
    pub level: fn() -> Level,
    /// Builds the settings for its bake.
    pub settings: fn() -> Settings,
    /// Points on the ground, between which paths are found.
    pub places: &'static [NamedPoint],
    /// Pairs of places. Each records if an agent with the scene's settings can go from one to the other.
    pub routes: &'static [Route],
}

/// A named point on the ground of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPoint {
    /// Name, unique in its scene.
    pub name: &'static str,
    /// World position, metres; within half a metre of the ground in height.
    pub position: [f64; 3],
}

/// A pair of places, with the expected answer to a path between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Name of the start.
    pub from: &'static str,
    /// Name of the goal.
    pub to: &'static str,
    /// True if there is a path.
    pub possible: bool,
}

impl Scene {
    /// The place of this name.
    pub fn place(&self, name: &str) -> Option<NamedPoint> {
        self.places.iter().copied().find(|place| place.name == name)
    }
}

const fn place(name: &'static str, position: [f64; 3]) -> NamedPoint {
    NamedPoint { name, position }
}

const fn route(from: &'static str, to: &'static str) -> Route {
    Route { from, to, possible: true }
}

const fn no_route(from: &'static str, to: &'static str) -> Route {
    Route { from, to, possible: false }
}

/// All scenes, in no particular order.
pub fn all() -> &'static [Scene] {
    &[
        courtyard::SCENE,
        terrain::SCENE,
        small::PLANE,
        small::TWO_ROOMS,
        small::SLOPES,
        small::STOREYS,
        spiral::SCENE,
        random::SCENE,
    ]
}

/// The scene of this name.
pub fn by_name(name: &str) -> Option<Scene> {
    all().iter().copied().find(|scene| scene.name == name)
}

/// The scene of this name, baked as one tile: for examples and doctests.
pub fn baked_tile(name: &str) -> Result<Tile, Box<dyn std::error::Error>> {
    let scene = by_name(name).ok_or_else(|| format!("there is no scene {name}"))?;
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)())?;
    Ok(bake_solo(&level, &Silent, &mut Scratch::new())?.tile)
}

/// The scene of this name, baked in tiles of `tile_cells` cells, as the bytes of a file: for examples and
/// doctests.
pub fn tiled_file(name: &str, tile_cells: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let scene = by_name(name).ok_or_else(|| format!("there is no scene {name}"))?;
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)())?;
    let tiles: Vec<Tile> =
        navlevel::bake_tiles(&level, tile_cells, &Silent)?.into_iter().map(|baked| baked.tile).collect();
    Ok(navtile::write_file(&navlevel::meta::meta(&level, tile_cells, None), &tiles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_a_sound_level() {
        for scene in all() {
            let level = (scene.level)();
            let prepared = PreparedLevel::new(&level, &(scene.settings)()).unwrap();
            assert!(prepared.diagnostics.is_empty(), "{}: {:?}", scene.name, prepared.diagnostics);
            assert_eq!(level.areas.len(), level.triangles.len(), "{}", scene.name);
            assert!(level.triangles.len() <= 8_000, "{}", scene.name);
            assert_eq!(level, (scene.level)(), "{}: not a function of nothing", scene.name);
        }
    }

    #[test]
    fn names_are_unique_and_routes_name_places() {
        for (index, scene) in all().iter().enumerate() {
            assert!(all()[..index].iter().all(|other| other.name != scene.name), "{}", scene.name);
            for (index, place) in scene.places.iter().enumerate() {
                assert!(scene.places[..index].iter().all(|other| other.name != place.name));
            }
            for route in scene.routes {
                assert!(scene.place(route.from).is_some(), "{}: {}", scene.name, route.from);
                assert!(scene.place(route.to).is_some(), "{}: {}", scene.name, route.to);
            }
        }
        assert!(by_name("courtyard").is_some() && by_name("nowhere").is_none());
    }

    /// Heights at (x, z) of the triangles of a level that face up.
    fn floors(level: &Level, x: f64, z: f64) -> Vec<f64> {
        let mut heights = Vec::new();
        for triangle in &level.triangles {
            let [a, b, c] = triangle.map(|v| level.vertices[v as usize]);
            let cross = |p: [f64; 3], q: [f64; 3], x: f64, z: f64| {
                (q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2])
            };
            let whole = cross(a, b, c[0], c[2]);
            let parts = [cross(b, c, x, z), cross(c, a, x, z), cross(a, b, x, z)];
            if whole > 0.0 && parts.iter().all(|&part| part >= 0.0) {
                heights.push((a[1] * parts[0] + b[1] * parts[1] + c[1] * parts[2]) / whole);
            }
        }
        heights
    }

    #[test]
    fn places_stand_on_ground() {
        for scene in all() {
            let level = (scene.level)();
            for place in scene.places {
                let [x, y, z] = place.position;
                let floors = floors(&level, x, z);
                let near = floors.iter().any(|floor| (floor - y).abs() <= 0.5);
                assert!(near, "{}: {} at {y}, floors {floors:?}", scene.name, place.name);
            }
        }
    }
}
