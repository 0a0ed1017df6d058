//! Navigation meshes of maps: polygons with holes in the plane, without voxels.
//!
//! Read [`mesh()`] first: it leads from outlines to convex polygons, step by step.
//!
//! 1. Corners are put on an integer [`Grid`], once. After that, all geometry is exact, or moves by a stated
//!    number of spacings.
//! 2. Boolean operations make ground from outlines, holes and obstacles (`boolean`), and remove the agent's
//!    radius from it (`erode`).
//! 3. Borders of areas are added, and edges are made to meet in corners only (`noding`).
//! 4. A constrained Delaunay triangulation, whose triangles get their area by winding numbers
//!    (`triangulation`).
//! 5. Triangles are merged into convex polygons (`merge`), which become the polygons of a tile (`tile`).
//!
//! [`cut`] does the same in tiles: after step 3 the edges are divided among them (`seams`).
//!
//! The result has the same bytes for any order of the polygons, any first corner and either direction. Only
//! the order of areas counts, if they overlap.
//!
//! Cost: O((n + k) log n) for n corners and k crossings. Measured, and picture by picture: docs/planar.md.

#![forbid(unsafe_code)]

mod boolean;
mod box_tree;
mod cut;
#[cfg(test)]
mod cut_tests;
mod erode;
mod error;
mod exact;
mod grid;
mod ground;
mod links;
mod map;
mod merge;
mod mesh;
mod noding;
mod seams;
mod segment;
mod settings;
mod straight;
#[cfg(test)]
mod tests;
mod tile;
mod triangulation;
mod vanished;

pub use cut::{TileMesh, TiledMesh, cut};
pub use error::{Error, PointIndex, PolygonList};
pub use grid::{Grid, Point};
pub use links::{PlaneTile, links};
pub use map::{AreaPolygon, Map, Polygon};
pub use merge::ConvexPolygon;
pub use mesh::Mesh;
pub use settings::Settings;
pub use triangulation::{NONE, SEAM, Triangle};

use ground::{Ground, area_by_shape, area_of_area};
use noding::node;
use triangulation::triangulate;

// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Makes the mesh of a map.
///
/// Errors: settings out of range, coordinates that are not finite, a map without ground or without ground for
/// this agent, and limits.
///
/// ```
/// use navplane::{Map, Polygon, Settings, mesh};
///
/// let hall = vec![[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
/// let pillar = vec![[3.0, 3.0], [6.0, 3.0], [6.0, 6.0], [3.0, 6.0]];
/// let map = Map { outlines: vec![Polygon { outline: hall, holes: vec![pillar] }], ..Map::default() };
///
/// let mesh = mesh(&map, &Settings::default())?;
/// assert_eq!(mesh.area(), 72.0);
/// # Ok::<(), navplane::Error>(())
/// ```
pub fn mesh(map: &Map, settings: &Settings) -> Result<Mesh, Error> {
    let mut ground = Ground::new(map, settings)?;
    let first = triangulate(&node(ground.borders(map)?, None)?, area_by_shape(map))?;
    let cells = match map.areas.is_empty() {
        true => first,
        // Drops borders between equal areas, and corners that belong to no other border.
        false => triangulate(&first.borders(|_| false), area_of_area)?,
    };
    let mut mesh = Mesh::new(ground.grid, cells.ground(), settings.max_vertices);
    if mesh.triangles.is_empty() {
        return Err(Error::NothingLeft { radius: settings.agent_radius });
    }
    mesh.vanished = ground.vanished;
    Ok(mesh)
}

/// The grid spacing that [`mesh()`] chooses for a map if none is set, metres. All tiles of one file must have
/// the same spacing: use the largest of their maps'.
///
/// Errors: coordinates that are not finite, no outlines, limits.
pub fn spacing(map: &Map) -> Result<f64, Error> {
    Ok(Grid::of(map, None)?.spacing)
}

/// Makes the tile of a map: [`mesh()`], then [`Mesh::tile`].
///
/// ```
/// use navplane::{Map, Polygon, Settings, bake};
///
/// let yard = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]];
/// let map = Map { outlines: vec![Polygon { outline: yard, holes: vec![] }], ..Map::default() };
///
/// let tile = bake(&map, &Settings { agent_radius: 0.5, ..Settings::default() })?;
/// assert_eq!(tile.polygons().len(), 1);
/// # Ok::<(), navplane::Error>(())
/// ```
pub fn bake(map: &Map, settings: &Settings) -> Result<navtile::Tile, Error> {
    mesh(map, settings)?.tile(settings)
}
