//! The ground of a map in tiles: cut before it is triangulated, so that no polygon crosses a seam. Tiles are
//! triangulated on all threads of the current rayon pool.
//!
//! A seam has a corner wherever a wall or the border of an area meets it on either side, and on both sides. So
//! the edges along it are the same on both sides, and each is a portal if both sides have ground there.

use super::cells::{self, Cells, SEAM};
use super::error::Error;
use super::grid::{Grid, Point};
use super::noding::node;
use super::seams::{Lines, Place};
use super::{Convex, Map, Mesh, NONE, Settings, borders, ground, label, of_areas};
use navtile::{Tile, TileCoord};
use rayon::prelude::*;

/// The ground of a map in tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// Side of a tile, in cells of 256 grid spacings.
    pub cells: u32,
    /// Tiles that have ground, by column, then row.
    pub parts: Vec<Part>,
    /// As [`Mesh::vanished`].
    pub vanished: Vec<usize>,
}

/// The ground of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Where the tile stands; its layer is that of the settings.
    pub coord: TileCoord,
    /// Its ground. The grid's origin is the tile's corner, and its size the tile's; edges with
    /// [`SEAM`] beyond are portals.
    pub mesh: Mesh,
}

impl Part {
    /// The part as a tile.
    pub fn tile(&self, settings: &Settings) -> Result<Tile, Error> {
        self.mesh.tile_at(settings, self.coord, &[])
    }
}

impl Cut {
    /// Area of the ground, in square map units.
    pub fn area(&self) -> f64 {
        self.parts.iter().map(|part| part.mesh.area()).sum()
    }

    /// All tiles, written on all threads of the current rayon pool.
    pub fn tiles(&self, settings: &Settings) -> Result<Vec<Tile>, Error> {
        self.parts.par_iter().map(|part| part.tile(settings)).collect()
    }
}

/// Makes the mesh of a map in square tiles of `cells` cells; a cell is 256 grid spacings. Tile (x, z) lies from
/// (x, z) to (x + 1, z + 1) times the side, in world coordinates.
///
/// Errors: those of [`super::mesh`]; tiles too small, too large or too many.
pub fn cut(map: &Map, settings: &Settings, cells: u32) -> Result<Cut, Error> {
    settings.check()?;
    let mut ground = ground(map, settings)?;
    let lines = Lines::new(&ground.grid, cells)?;
    let segments = node(borders(map, &mut ground)?, Some(&lines))?;
    let tiles = lines.divide(&segments)?;
    drop(segments);
    let label = label(map);
    let first = tiles.into_par_iter().map(|(place, segments)| Ok((place, cells::cells(&segments, &label)?)));
    let mut tiles: Vec<(Place, Cells)> = first.collect::<Result<_, Error>>()?;
    if !map.areas.is_empty() {
        tiles = without_idle_borders(tiles, &lines)?;
    }
    let spacing = ground.grid.spacing;
    let finish = |(place, cells): (Place, Cells)| {
        let mesh = Mesh::of(lines.grid(place, spacing), cells.ground(), settings.max_vertices);
        (!mesh.triangles.is_empty()).then_some((place, mesh))
    };
    let mut meshes: Vec<(Place, Mesh)> = tiles.into_par_iter().filter_map(finish).collect();
    if meshes.is_empty() {
        return Err(Error::NothingLeft { radius: settings.agent_radius });
    }
    open_seams(&mut meshes);
    // A row upwards is a tile towards smaller z.
    let coord = |[column, row]: Place| TileCoord { x: column, z: -row - 1, layer: settings.layer };
    let parts = meshes.into_iter().map(|(place, mesh)| Part { coord: coord(place), mesh }).collect();
    Ok(Cut { cells, parts, vanished: ground.vanished })
}

/// Drops borders that part nothing, and corners that only they have: along a seam those that neither side needs.
fn without_idle_borders(tiles: Vec<(Place, Cells)>, lines: &Lines) -> Result<Vec<(Place, Cells)>, Error> {
    let globally = |place: Place, point: Point| -> [i64; 2] {
        [0, 1].map(|axis| i64::from(place[axis]) * i64::from(lines.side) + i64::from(point[axis]))
    };
    let on_side = |point: Point| point.iter().any(|&at| at == 0 || at == lines.side);
    let needs = |(place, cells): &(Place, Cells)| -> Vec<[i64; 2]> {
        let borders = cells.borders(|_| false);
        let ends = borders.iter().flat_map(|border| [border.a, border.b]);
        ends.filter(|&end| on_side(end)).map(|end| globally(*place, end)).collect()
    };
    let mut needed: Vec<[i64; 2]> = tiles.par_iter().flat_map_iter(needs).collect();
    needed.sort_unstable();
    needed.dedup();
    let again = |(place, cells): (Place, Cells)| {
        let borders =
            cells.borders(|point| on_side(point) && needed.binary_search(&globally(place, point)).is_ok());
        let second = match borders.is_empty() {
            true => Cells::default(),
            false => cells::cells(&borders, of_areas)?,
        };
        Ok((place, second))
    };
    tiles.into_par_iter().map(again).collect()
}

/// An edge along a seam: the axis across it, the tile before or behind it, and where it lies along.
type SeamEdge = (usize, Place, [i32; 2]);

/// Marks the edges along seams that have ground on both sides.
fn open_seams(meshes: &mut [(Place, Mesh)]) {
    // The tile behind the seam stands for it.
    let seam_edge = |place: Place, grid: &Grid, a: Point, b: Point| -> Option<(SeamEdge, bool)> {
        let axis = (0..2).find(|&axis| a[axis] == b[axis] && [0, grid.size[axis]].contains(&a[axis]))?;
        let behind = a[axis] == 0;
        let mut seam = place;
        seam[axis] += i32::from(!behind);
        let along = [a[1 - axis], b[1 - axis]];
        Some(((axis, seam, [along[0].min(along[1]), along[0].max(along[1])]), behind))
    };
    let edges_of = |place: Place, mesh: &Mesh| -> Vec<(SeamEdge, bool)> {
        let of = |polygon: &Convex| {
            let ends = |at: usize| {
                let next = (at + 1) % polygon.corners.len();
                [at, next].map(|at| mesh.vertices[polygon.corners[at] as usize])
            };
            let walls = (0..polygon.corners.len()).filter(|&at| polygon.beyond[at] == NONE);
            let found: Vec<_> = walls
                .filter_map(|at| {
                    let [a, b] = ends(at);
                    seam_edge(place, &mesh.grid, a, b)
                })
                .collect();
            found
        };
        mesh.polygons.iter().flat_map(of).collect()
    };
    let mut edges: Vec<(SeamEdge, bool)> =
        meshes.par_iter().flat_map_iter(|(place, mesh)| edges_of(*place, mesh)).collect();
    edges.sort_unstable();
    meshes.par_iter_mut().for_each(|(place, mesh)| {
        let Mesh { grid, vertices, polygons, .. } = mesh;
        for polygon in polygons {
            let count = polygon.corners.len();
            for at in (0..count).filter(|&at| polygon.beyond[at] == NONE).collect::<Vec<_>>() {
                let [a, b] = [at, (at + 1) % count].map(|at| vertices[polygon.corners[at] as usize]);
                if let Some((edge, behind)) = seam_edge(*place, grid, a, b)
                    && edges.binary_search(&(edge, !behind)).is_ok()
                {
                    polygon.beyond[at] = SEAM;
                }
            }
        }
    });
}
