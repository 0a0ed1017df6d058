//! Merging the meshes of several tiles into one.
//! Units: cells for polygon meshes, metres for detail meshes. Cost: O(corners · log corners).
//! Source: M. Mononen, Recast (RecastMesh.cpp, rcMergePolyMeshes; RecastMeshDetail.cpp,
//! rcMergePolyMeshDetails).
//! Deviations: any number of vertices and polygons; tiles of different lattices, and unsound meshes, are
//! errors; detail vertices are moved to the merged corner, which the reference's world coordinates
//! need not be.
//!
//! All tiles must be on one lattice. Vertices at one place and nearly one height become one. Edges that then
//! run between the same two vertices become internal. A portal stays a portal if its side of the tile is a
//! side of the whole; every other portal becomes a wall, because there is no tile left that it could lead to.

use navmath::{FIXED_ONE, LimitError};
use recast::data::{Broken, DetailMesh, DetailTriangle, EdgeKind, Grid, PolyMesh, Polygon, Side, SubMesh};
use recast::inside::meshing;
use recast::inside::meshing::SharedVertices;
use thiserror::Error;

/// Meshes that cannot be merged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// There are no meshes.
    #[error("no meshes to merge: give at least one")]
    Empty,
    /// A mesh was made on another lattice.
    #[error(
        "mesh {mesh} has cells of {cell_size} m by {cell_height} m in height, mesh 0 of {first_cell_size} m by \
         {first_cell_height} m: bake all tiles with the same cells"
    )]
    Lattice {
        /// Index of the mesh, from 0.
        mesh: usize,
        /// Cell size of the mesh, metres.
        cell_size: f32,
        /// Cell height of the mesh, metres.
        cell_height: f32,
        /// The first mesh's cell size, metres.
        first_cell_size: f32,
        /// The first mesh's cell height, metres.
        first_cell_height: f32,
    },
    /// A mesh breaks one of its invariants.
    #[error("mesh {mesh} is unsound, so it cannot be merged: {broken}")]
    Unsound {
        /// Index of the mesh, from 0.
        mesh: usize,
        /// The invariant that does not hold.
        broken: Broken,
    },
    /// A limit is hit.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// Merges polygon meshes. The merged grid is the smallest that holds all tiles; its border is the widest of
/// theirs. Polygons keep their order, corners, areas and regions; two tiles may use one region number for
/// different regions.
///
/// ```
/// # use recast::{Level, PreparedLevel, Scratch, Settings, Silent};
/// # use navlevel::Tiling;
/// # use recast::{StageResults, TileBuild, bake_tapped};
/// use navlayers::merge_meshes::merge_poly_meshes;
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let mut meshes = Vec::new();
/// for coord in Tiling::new(&level, 20)?.coords() {
///     let (build, mut results) = (TileBuild::tiled(&level, 20, coord)?, StageResults::default());
///     bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result))?;
///     meshes.extend(results.poly_mesh);
/// }
/// let merged = merge_poly_meshes(&meshes.iter().collect::<Vec<_>>()).expect("tiles of one level fit");
/// assert_eq!(merged.polygons.len(), meshes.iter().map(|mesh| mesh.polygons.len()).sum::<usize>());
/// # Ok::<(), recast::Error>(())
/// ```
pub fn merge_poly_meshes(meshes: &[&PolyMesh]) -> Result<PolyMesh, Error> {
    let grids: Vec<Grid> = meshes.iter().map(|mesh| mesh.grid).collect();
    let whole = Whole::around(&grids)?;
    for (index, mesh) in meshes.iter().enumerate() {
        mesh.check().map_err(|broken| Error::Unsound { mesh: index, broken })?;
    }
    let corners = meshes.iter().map(|mesh| mesh.corners.len()).sum();
    let vertices = meshes.iter().map(|mesh| mesh.vertices.len()).sum();
    for (what, count) in [("polygon corners", corners), ("polygon vertices", vertices)] {
        navmath::limit::to_u32(what, count, REMEDY)?;
    }
    let mut merged = PolyMesh {
        grid: whole.grid()?,
        vertices: Vec::with_capacity(vertices),
        polygons: Vec::with_capacity(meshes.iter().map(|mesh| mesh.polygons.len()).sum()),
        corners: Vec::with_capacity(corners),
        edges: Vec::with_capacity(corners),
    };
    let mut welder = SharedVertices::default();
    for mesh in meshes {
        whole.append(mesh, &mut welder, &mut merged)?;
    }
    meshing::connect(&mut merged, &[], &mut meshing::Buffers::default());
    Ok(merged)
}

/// Merges detail meshes, each with the polygon mesh it belongs to. The result belongs to the mesh that
/// [`merge_poly_meshes`] makes of these polygon meshes, in the same order.
pub fn merge_detail_meshes(parts: &[(&PolyMesh, &DetailMesh)]) -> Result<DetailMesh, Error> {
    let grids: Vec<Grid> = parts.iter().map(|(mesh, _)| mesh.grid).collect();
    let whole = Whole::around(&grids)?;
    let vertices = parts.iter().map(|(_, detail)| detail.vertices.len()).sum();
    let triangles = parts.iter().map(|(_, detail)| detail.triangles.len()).sum();
    for (what, count) in [("detail vertices", vertices), ("detail triangles", triangles)] {
        navmath::limit::to_u32(what, count, REMEDY)?;
    }
    let mut merged = DetailMesh {
        meshes: Vec::with_capacity(parts.iter().map(|(_, detail)| detail.meshes.len()).sum()),
        vertices: Vec::with_capacity(vertices),
        triangles: Vec::<DetailTriangle>::with_capacity(triangles),
    };
    for (index, (mesh, detail)) in parts.iter().enumerate() {
        detail.check(mesh).map_err(|broken| Error::Unsound { mesh: index, broken })?;
        let (first_vertex, first_triangle) = (merged.vertices.len() as u32, merged.triangles.len() as u32);
        merged.meshes.extend(detail.meshes.iter().map(|part| SubMesh {
            first_vertex: first_vertex + part.first_vertex,
            first_triangle: first_triangle + part.first_triangle,
            ..*part
        }));
        let offset = whole.offset(&mesh.grid).map(|cells| cells as f64 * f64::from(mesh.grid.cell_size));
        let shift = |value: f32, metres: f64| (f64::from(value) + metres) as f32;
        merged
            .vertices
            .extend(detail.vertices.iter().map(|&[x, y, z]| [shift(x, offset[0]), y, shift(z, offset[1])]));
        merged.triangles.extend_from_slice(&detail.triangles);
    }
    Ok(merged)
}

const REMEDY: &str = "merge fewer tiles";

/// The rectangle of lattice columns around all tiles, borders taken off; its larger corner is the first
/// column outside.
struct Whole {
    min: [i64; 2],
    max: [i64; 2],
    border: u32,
    cell_size: f32,
    cell_height: f32,
}

/// The rectangle of a tile without its border; `None` if the border is wider than the tile.
fn inner(grid: &Grid) -> Option<([i64; 2], [i64; 2])> {
    let border = i64::from(grid.border);
    let base = [grid.base_x, grid.base_z].map(|base| i64::from(base) + border);
    let size = [grid.width, grid.depth].map(|size| i64::from(size) - 2 * border);
    let whole = size[0] >= 0 && size[1] >= 0;
    whole.then(|| (base, [base[0] + size[0], base[1] + size[1]]))
}

impl Whole {
    fn around(grids: &[Grid]) -> Result<Whole, Error> {
        let first = grids.first().ok_or(Error::Empty)?;
        let Grid { border, cell_size, cell_height, .. } = *first;
        let mut whole = Whole { min: [i64::MAX; 2], max: [i64::MIN; 2], border, cell_size, cell_height };
        for (mesh, grid) in grids.iter().enumerate() {
            if (grid.cell_size, grid.cell_height) != (cell_size, cell_height) {
                return Err(Error::Lattice {
                    mesh,
                    cell_size: grid.cell_size,
                    cell_height: grid.cell_height,
                    first_cell_size: cell_size,
                    first_cell_height: cell_height,
                });
            }
            let (min, max) = inner(grid).ok_or_else(|| {
                let broken = Broken(format!(
                    "a border of {} columns on a grid of {} x {}",
                    grid.border, grid.width, grid.depth
                ));
                Error::Unsound { mesh, broken }
            })?;
            for axis in 0..2 {
                whole.min[axis] = whole.min[axis].min(min[axis]);
                whole.max[axis] = whole.max[axis].max(max[axis]);
            }
            whole.border = whole.border.max(grid.border);
        }
        Ok(whole)
    }

    /// The merged grid, its border around it.
    fn grid(&self) -> Result<Grid, LimitError> {
        let border = i64::from(self.border);
        let side = |axis: usize| {
            let columns = self.max[axis] - self.min[axis] + 2 * border;
            // Positions on it are i32, in 1/256 column.
            let most = (i32::MAX / FIXED_ONE) as u64;
            navmath::limit::check("columns along the merged grid", columns as u64, most, REMEDY)?;
            Ok(columns as u32)
        };
        let base = |axis: usize| {
            let base = self.min[axis] - border;
            let remedy = "move the lattice's origin nearer to the tiles";
            let away = base.unsigned_abs();
            navmath::limit::check("columns from the lattice's zero", away, i32::MAX as u64, remedy)?;
            Ok(base as i32)
        };
        Ok(Grid {
            width: side(0)?,
            depth: side(1)?,
            border: self.border,
            base_x: base(0)?,
            base_z: base(1)?,
            cell_size: self.cell_size,
            cell_height: self.cell_height,
        })
    }

    /// Columns from the merged inner corner to that of a tile.
    fn offset(&self, grid: &Grid) -> [i64; 2] {
        let border = i64::from(grid.border);
        [i64::from(grid.base_x) + border - self.min[0], i64::from(grid.base_z) + border - self.min[1]]
    }

    /// Returns true if a side of a tile is a side of the whole.
    fn is_outer(&self, grid: &Grid, side: Side) -> bool {
        let Some((min, max)) = inner(grid) else { return false };
        match side {
            Side::XMin => min[0] == self.min[0],
            Side::ZMax => max[1] == self.max[1],
            Side::XMax => max[0] == self.max[0],
            Side::ZMin => min[1] == self.min[1],
        }
    }

    /// Adds a tile's polygons; their edges are walls, or portals of the whole.
    fn append(
        &self,
        mesh: &PolyMesh,
        welder: &mut SharedVertices,
        merged: &mut PolyMesh,
    ) -> Result<(), LimitError> {
        let offset = self.offset(&mesh.grid);
        let moved = |value: i32, cells: i64| {
            let moved = i64::from(value) + cells * i64::from(FIXED_ONE);
            let what = "1/256 columns from the merged grid's corner";
            navmath::limit::check(what, moved.unsigned_abs(), i32::MAX as u64, REMEDY)?;
            Ok::<i32, LimitError>(moved as i32)
        };
        let mut indices = Vec::with_capacity(mesh.vertices.len());
        for &[x, y, z] in &mesh.vertices {
            let position = [moved(x, offset[0])?, y, moved(z, offset[1])?];
            indices.push(welder.add(position, &mut merged.vertices));
        }
        for polygon in &mesh.polygons {
            let first = merged.corners.len() as u32;
            merged.polygons.push(Polygon { first, ..*polygon });
            let corners = mesh.polygon_corners(polygon);
            merged.corners.extend(corners.iter().map(|&corner| indices[corner as usize]));
            merged.edges.extend(mesh.edges[polygon.range()].iter().map(|edge| match *edge {
                EdgeKind::Portal(side) if self.is_outer(&mesh.grid, side) => EdgeKind::Portal(side),
                _ => EdgeKind::Wall,
            }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
