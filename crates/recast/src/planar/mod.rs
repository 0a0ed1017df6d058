//! Navigation meshes of maps: polygons with holes in the plane, without voxels.
//!
//! Read [`mesh`] first: it is the way from outlines to convex polygons, step by step.
//!
//! 1. Corners are put on an integer [`Grid`], once; all that follows is exact or moves by a stated number of
//!    spacings.
//! 2. Boolean operations make ground of outlines, holes and obstacles (`boolean`), and take the agent's radius
//!    from it (`erode`).
//! 3. Borders of areas are laid over it: edges are made to meet in corners only (`noding`).
//! 4. A constrained Delaunay triangulation (`cells`), whose triangles learn their area by counting turns.
//! 5. Triangles are merged into convex polygons (`merge`), which are a tile's polygons (`emit`).
//!
//! [`cut`] does the same in tiles: after step 3 the edges are divided among them (`seams`).
//!
//! The same polygons in another order, started at another corner or run the other way round, give the same
//! bytes; only the order of areas counts, where they overlap.
//!
//! Cost: O((n + k) log n) for n corners and k crossings. Measured, and picture by picture: docs/planar.md.

mod boolean;
mod cells;
mod cut;
#[cfg(test)]
mod cut_tests;
mod emit;
mod erode;
mod error;
mod exact;
mod grid;
mod index;
mod links;
mod merge;
mod noding;
mod seams;
mod settings;
mod straight;
#[cfg(test)]
mod tests;
mod vanished;

pub use cells::{NONE, SEAM, Triangle};
pub use cut::{Cut, Part, cut};
pub use error::{Error, List, PointPlace};
pub use grid::{Grid, Point};
pub use links::{TileGround, links};
pub use merge::Convex;
pub use settings::Settings;

use crate::area::AreaId;
use boolean::{Booleans, Piece, Snapped};
use cells::{Cells, Turns};
use noding::{Segment, add_ring, node};

/// A polygon of a map: what its outline winds around, less what any of its holes winds around. Rings run either
/// way and may cross themselves and each other; the first point is not repeated at the end, though it may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// Points in map units: x to the right, y upwards.
    pub outline: Vec<[f64; 2]>,
    /// Holes. What lies in them may be another polygon's, to any depth.
    pub holes: Vec<Vec<[f64; 2]>>,
}

/// A polygon whose ground has another area.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaPolygon {
    /// Where.
    pub polygon: Polygon,
    /// The area of the ground within. [`AreaId::NULL`] takes the ground away, without regard to the agent's radius.
    pub area: AreaId,
}

/// A map: polygons in the plane. One unit is a metre.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// What is ground: the union of these. Their order does not matter.
    pub outlines: Vec<Polygon>,
    /// What is not: the union of these. Their order does not matter.
    pub obstacles: Vec<Polygon>,
    /// Areas; where they overlap, the later one counts.
    pub areas: Vec<AreaPolygon>,
}

/// The mesh of a map, on its grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Where grid positions lie.
    pub grid: Grid,
    /// Corners of triangles and polygons.
    pub vertices: Vec<Point>,
    /// The constrained Delaunay triangulation of the ground.
    pub triangles: Vec<Triangle>,
    /// Convex polygons, merged from the triangles.
    pub polygons: Vec<Convex>,
    /// Outlines of which the agent's radius left nothing, as indices into [`Map::outlines`].
    pub vanished: Vec<usize>,
}

impl Mesh {
    /// The mesh of triangles that are all ground.
    fn of(grid: Grid, cells: Cells, max_vertices: u32) -> Mesh {
        let polygons = merge::merge(&cells, max_vertices);
        let Cells { vertices, triangles } = cells;
        Mesh { grid, vertices, triangles, polygons, vanished: Vec::new() }
    }

    /// Area of the ground, in square map units: exact on the grid.
    pub fn area(&self) -> f64 {
        let turn = |triangle: &Triangle| {
            let [a, b, c] = triangle.corners.map(|corner| self.vertices[corner as usize]);
            i128::from(exact::turn(a, b, c))
        };
        let doubled: i128 = self.triangles.iter().map(turn).sum();
        doubled as f64 * 0.5 * self.grid.spacing * self.grid.spacing
    }
}

/// Makes the mesh of a map.
///
/// Errors: settings out of range, coordinates that are not finite, a map without ground or without ground for this
/// agent, and limits.
pub fn mesh(map: &Map, settings: &Settings) -> Result<Mesh, Error> {
    settings.check()?;
    let mut ground = ground(map, settings)?;
    let first = cells::cells(&node(borders(map, &mut ground)?, None)?, label(map))?;
    let cells = match map.areas.is_empty() {
        true => first,
        // Borders that part nothing, and corners that only they have, go.
        false => cells::cells(&first.borders(|_| false), of_areas)?,
    };
    let mut mesh = Mesh::of(ground.grid, cells.ground(), settings.max_vertices);
    if mesh.triangles.is_empty() {
        return Err(Error::NothingLeft { radius: settings.agent_radius });
    }
    mesh.vanished = ground.vanished;
    Ok(mesh)
}

/// What is ground, before areas.
struct Ground {
    grid: Grid,
    booleans: Booleans,
    pieces: Vec<Piece>,
    /// As [`Mesh::vanished`].
    vanished: Vec<usize>,
}

/// The ground of a map, the agent's radius taken from it.
fn ground(map: &Map, settings: &Settings) -> Result<Ground, Error> {
    let grid = Grid::of(map, settings.spacing)?;
    let snapped = |polygons: &[Polygon]| -> Vec<Snapped> {
        polygons.iter().map(|polygon| Snapped::new(polygon, &grid)).collect()
    };
    let (outlines, mut obstacles) = (snapped(&map.outlines), snapped(&map.obstacles));
    let in_order = sorted(outlines.clone());
    obstacles = sorted(obstacles);
    let mut booleans = Booleans::new();
    let pieces = booleans.ground(&in_order, &obstacles);
    if pieces.is_empty() {
        return Err(if in_order.is_empty() || obstacles.is_empty() {
            Error::Empty
        } else {
            Error::NothingLeft { radius: settings.agent_radius }
        });
    }
    let Some(round) = round(settings, &grid) else {
        return Ok(Ground { grid, booleans, pieces, vanished: Vec::new() });
    };
    let swept = erode::sweep(&pieces, round);
    let rings: Vec<boolean::Ring> = pieces.iter().flatten().cloned().collect();
    let left = booleans.difference(&rings, &swept);
    let vanished = vanished::outlines(&outlines, &pieces, &left);
    Ok(Ground { grid, booleans, pieces: left, vanished })
}

/// The grid spacing that [`mesh`] chooses for a map if none is asked for. Tiles of one file must share one: the
/// largest of their maps'.
///
/// Errors: coordinates that are not finite, no outlines, limits.
pub fn spacing(map: &Map) -> Result<f64, Error> {
    Ok(Grid::of(map, None)?.spacing)
}

/// Makes the tile of a map: [`mesh`], then [`Mesh::tile`].
pub fn bake(map: &Map, settings: &Settings) -> Result<navtile::Tile, Error> {
    mesh(map, settings)?.tile(settings)
}

fn sorted(mut polygons: Vec<Snapped>) -> Vec<Snapped> {
    polygons.retain(|polygon| !polygon.is_empty());
    polygons.sort_unstable();
    polygons.dedup();
    polygons
}

/// The agent's radius on the grid; `None` if there is none.
fn round(settings: &Settings, grid: &Grid) -> Option<erode::Round> {
    if settings.agent_radius == 0.0 {
        return None;
    }
    let error = settings.join_error.unwrap_or(settings.agent_radius / 100.0) / grid.spacing;
    // A radius as large as the map leaves nothing, whatever it is.
    let largest = f64::from(grid.size[0].max(grid.size[1])) * 2.0;
    let radius = settings.agent_radius / grid.spacing;
    let scale = (largest / radius).min(1.0);
    Some(erode::Round { radius: radius * scale, error: error * scale })
}

/// The walls of the ground, which are kind 0, and the borders of areas, which are kinds 1 and up.
fn borders(map: &Map, ground: &mut Ground) -> Result<Vec<Segment>, Error> {
    let mut segments: Vec<Segment> = Vec::new();
    for ring in ground.pieces.iter().flatten() {
        add_ring(&mut segments, ring, 0);
    }
    for (at, labelled) in map.areas.iter().enumerate() {
        let kind = navmath::limit::to_u32("areas of a map", at + 1, "join areas that are alike")?;
        for ring in ground.booleans.polygon(&Snapped::new(&labelled.polygon, &ground.grid)) {
            add_ring(&mut segments, &ring, kind);
        }
    }
    Ok(segments)
}

/// The area of what [`borders`] wind around.
fn label(map: &Map) -> impl Fn(&Turns) -> u8 {
    let area = |kind: u32| map.areas.get(kind as usize - 1).map_or(AreaId::GROUND, |labelled| labelled.area);
    move |turns: &Turns| {
        if turns.get(&0).is_none_or(|&count| count <= 0) {
            return AreaId::NULL.0;
        }
        let last = turns.range(1..).rev().find(|(_, count)| **count > 0);
        last.map_or(AreaId::GROUND, |(&kind, _)| area(kind)).0
    }
}

/// The area of what borders wind around whose kinds are areas.
fn of_areas(turns: &Turns) -> u8 {
    turns.iter().find(|(_, count)| **count > 0).map_or(0, |(&area, _)| area as u8)
}
