//! The ground of a map in tiles: cut before it is triangulated, so that no polygon crosses a seam. Tiles are
//! triangulated on all threads of the current rayon pool.
//!
//! If a wall or the border of an area meets a seam on either side, the seam has a corner there on both sides.
//! So the edges along it are the same on both sides, and each is a portal if both sides have ground there.

use crate::error::Error;
use crate::grid::Point;
use crate::ground::{Ground, area_by_shape, area_of_area};
use crate::map::Map;
use crate::mesh::Mesh;
use crate::noding::node;
use crate::seams::{TileIndex, TileLines};
use crate::settings::Settings;
use crate::triangulation::{Cells, NONE, SEAM, triangulate};
use navtile::{Tile, TileCoord};
use rayon::prelude::*;

/// The ground of a map in tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct TiledMesh {
    /// Side of a tile, in cells of 256 grid spacings.
    pub cells: u32,
    /// Tiles that have ground, by column, then row.
    pub parts: Vec<TileMesh>,
    /// Outlines without any ground left after the agent's radius, as [`Mesh::vanished`].
    pub vanished: Vec<usize>,
}

/// The ground of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMesh {
    /// The tile's coordinates; its layer is that of the settings.
    pub coord: TileCoord,
    /// The mesh. The grid's origin is the tile's corner, and its size the tile's; edges with
    /// [`SEAM`] beyond are portals.
    pub mesh: Mesh,
}

impl TileMesh {
    /// Writes the tile.
    pub fn tile(&self, settings: &Settings) -> Result<Tile, Error> {
        self.mesh.tile_at(settings, self.coord, &[])
    }
}

impl TiledMesh {
    /// Area of the ground, in square map units.
    pub fn area(&self) -> f64 {
        self.parts.iter().map(|part| part.mesh.area()).sum()
    }

    /// All tiles, written on all threads of the current rayon pool.
    pub fn tiles(&self, settings: &Settings) -> Result<Vec<Tile>, Error> {
        self.parts.par_iter().map(|part| part.tile(settings)).collect()
    }
}

/// Makes the mesh of a map in square tiles of `cells` cells; a cell is 256 grid spacings. Tile (x, z) covers
/// the range from (x, z) to (x + 1, z + 1) times the side, in world coordinates.
///
/// Errors: the errors of [`crate::mesh()`]; tiles that are too small, too large or too many.
pub fn cut(map: &Map, settings: &Settings, cells: u32) -> Result<TiledMesh, Error> {
    let mut ground = Ground::new(map, settings)?;
    let lines = TileLines::new(&ground.grid, cells)?;
    let segments = node(ground.borders(map)?, Some(&lines))?;
    let tiles = lines.divide(&segments)?;
    drop(segments);
    let area = area_by_shape(map);
    let first = tiles.into_par_iter().map(|(place, segments)| Ok((place, triangulate(&segments, &area)?)));
    let mut tiles: Vec<(TileIndex, Cells)> = first.collect::<Result<_, Error>>()?;
    if !map.areas.is_empty() {
        tiles = without_idle_borders(tiles, &lines)?;
    }
    let spacing = ground.grid.spacing;
    let finish = |(place, cells): (TileIndex, Cells)| {
        let mesh = Mesh::new(lines.grid(place, spacing), cells.ground(), settings.max_vertices);
        (!mesh.triangles.is_empty()).then_some((place, mesh))
    };
    let mut meshes: Vec<(TileIndex, Mesh)> = tiles.into_par_iter().filter_map(finish).collect();
    if meshes.is_empty() {
        return Err(Error::NothingLeft { radius: settings.agent_radius });
    }
    open_seams(&mut meshes);
    // One row up is one tile towards smaller z.
    let coord = |[column, row]: TileIndex| TileCoord { x: column, z: -row - 1, layer: settings.layer };
    let parts = meshes.into_iter().map(|(place, mesh)| TileMesh { coord: coord(place), mesh }).collect();
    Ok(TiledMesh { cells, parts, vanished: ground.vanished })
}

/// Drops borders between equal areas, and corners that belong to no other border. Along a seam, drops the
/// corners that neither side needs.
fn without_idle_borders(
    tiles: Vec<(TileIndex, Cells)>,
    lines: &TileLines,
) -> Result<Vec<(TileIndex, Cells)>, Error> {
    let globally = |place: TileIndex, point: Point| -> [i64; 2] {
        [0, 1].map(|axis| i64::from(place[axis]) * i64::from(lines.side) + i64::from(point[axis]))
    };
    let on_side = |point: Point| point.iter().any(|&at| at == 0 || at == lines.side);
    let needs = |(place, cells): &(TileIndex, Cells)| -> Vec<[i64; 2]> {
        let borders = cells.borders(|_| false);
        let ends = borders.iter().flat_map(|border| [border.a, border.b]);
        ends.filter(|&end| on_side(end)).map(|end| globally(*place, end)).collect()
    };
    let mut needed: Vec<[i64; 2]> = tiles.par_iter().flat_map_iter(needs).collect();
    needed.sort_unstable();
    needed.dedup();
    let again = |(place, cells): (TileIndex, Cells)| {
        let borders =
            cells.borders(|point| on_side(point) && needed.binary_search(&globally(place, point)).is_ok());
        let second = match borders.is_empty() {
            true => Cells::default(),
            false => triangulate(&borders, area_of_area)?,
        };
        Ok((place, second))
    };
    tiles.into_par_iter().map(again).collect()
}

/// An edge along a seam: the axis across it, the tile on its far side, and its range along the seam.
type SeamEdge = (usize, TileIndex, [i32; 2]);

/// A wall of a tile along one of its sides.
struct SideWall {
    polygon: usize,
    edge: usize,
    along: SeamEdge,
    /// True if the tile is on the far side of the seam, to the right of it or above.
    behind: bool,
}

/// The walls of a tile along its sides.
fn side_walls(tile: TileIndex, mesh: &Mesh) -> Vec<SideWall> {
    let mut found = Vec::new();
    for (number, polygon) in mesh.polygons.iter().enumerate() {
        let count = polygon.corners.len();
        for edge in (0..count).filter(|&edge| polygon.beyond[edge] == NONE) {
            let [a, b] = [edge, (edge + 1) % count].map(|at| mesh.vertices[polygon.corners[at] as usize]);
            let on_side = |axis: usize| a[axis] == b[axis] && [0, mesh.grid.size[axis]].contains(&a[axis]);
            let Some(axis) = (0..2).find(|&axis| on_side(axis)) else { continue };
            let behind = a[axis] == 0;
            let mut seam = tile;
            seam[axis] += i32::from(!behind);
            let (from, to) = (a[1 - axis], b[1 - axis]);
            let along = (axis, seam, [from.min(to), from.max(to)]);
            found.push(SideWall { polygon: number, edge, along, behind });
        }
    }
    found
}

/// Turns walls along seams into portals if both sides have ground.
fn open_seams(meshes: &mut [(TileIndex, Mesh)]) {
    let walls: Vec<Vec<SideWall>> = meshes.par_iter().map(|(tile, mesh)| side_walls(*tile, mesh)).collect();
    let mut sides: Vec<(SeamEdge, bool)> =
        walls.iter().flatten().map(|wall| (wall.along, wall.behind)).collect();
    sides.sort_unstable();
    meshes.par_iter_mut().zip(&walls).for_each(|((_, mesh), walls)| {
        for wall in walls.iter().filter(|wall| sides.binary_search(&(wall.along, !wall.behind)).is_ok()) {
            mesh.polygons[wall.polygon].beyond[wall.edge] = SEAM;
        }
    });
}
