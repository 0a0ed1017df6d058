//! Levels, as users have them and as the bake needs them: checked, local to the lattice, without degenerate
//! triangles.

use crate::error::{Error, LevelError};
use crate::geometry::Geometry;
use crate::instances::{InstancedMesh, Transform};
use crate::observer::Diagnostic;
use crate::settings::{Config, FieldError, Settings};
use crate::triangle_sum::{TriangleSum, row_of};
use navmath::{Digest, Lattice};
use navtile::area::AreaId;
use rayon::prelude::*;
use std::sync::Arc;

/// A level: triangles in world metres, right-handed, Y up. Counter-clockwise seen from above is walkable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Vertices.
    pub vertices: Vec<[f64; 3]>,
    /// Triangles as indices of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The area that each triangle gets if it is flat enough; empty for [`AreaId::GROUND`] everywhere.
    pub areas: Vec<AreaId>,
}

/// A level ready for baking. All tiles and all agents share it unchanged. Cloning shares the geometry.
#[derive(Clone, Debug)]
pub struct PreparedLevel {
    /// The settings, quantised.
    pub config: Config,
    /// The global lattice; its zero is the smallest corner of the bounds.
    pub lattice: Lattice,
    /// Size of the bounds in cells: along x, in height, along z. All at least 1.
    pub size: [u32; 3],
    /// Height of the bounds, metres.
    pub height: f32,
    /// Number of triangles of the level, degenerate ones included.
    pub triangles_given: usize,
    /// Reports of everything that was dropped.
    pub diagnostics: Vec<Diagnostic>,
    geometry: Arc<Geometry>,
}

/// Most cells along a side of a grid, so that distances in half cells fit 16 bits.
pub const MAX_GRID_SIDE: u32 = 30_000;
/// Most cells along a side of a level, regardless of the number of its tiles: up to here, a vertex in f32 is
/// within 1/32 of a cell of its exact position.
pub const MAX_LEVEL_SIDE: u32 = 1 << 19;
/// Most cells in height, so that heights are exact in f32.
pub const MAX_GRID_HEIGHT: u32 = 1 << 24;

impl From<&Level> for InstancedMesh {
    /// The level as a single mesh, placed once and unchanged.
    fn from(level: &Level) -> InstancedMesh {
        InstancedMesh {
            vertices: level.vertices.as_slice().into(),
            triangles: level.triangles.as_slice().into(),
            areas: level.areas.as_slice().into(),
            placements: vec![Transform::IDENTITY],
        }
    }
}

impl PreparedLevel {
    /// Checks a level and its settings and brings the level onto the lattice.
    ///
    /// ```
    /// use recast::{Level, PreparedLevel, Settings};
    ///
    /// let mut level = Level {
    ///     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
    ///     triangles: vec![[0, 1, 2], [0, 2, 3]],
    ///     ..Level::default()
    /// };
    /// let prepared = PreparedLevel::new(&level, &Settings::default())?;
    /// assert_eq!(prepared.size, [40, 2, 30]); // cells along x, in height, along z
    ///
    /// level.triangles[1][2] = 7;
    /// let error = PreparedLevel::new(&level, &Settings::default()).unwrap_err();
    /// assert!(error.to_string().starts_with("triangle 1 names vertex 7"));
    /// # Ok::<(), recast::Error>(())
    /// ```
    pub fn new(level: &Level, settings: &Settings) -> Result<PreparedLevel, Error> {
        PreparedLevel::from_meshes(&[InstancedMesh::from(level)], settings)
    }

    /// Prepares a level of instanced meshes, like [`PreparedLevel::new`]. A mesh with several placements is
    /// not copied for each.
    ///
    /// Vertices and triangles in errors are counted over all meshes, placements not counted.
    ///
    /// ```
    /// # use recast::Level;
    /// use recast::{InstancedMesh, PreparedLevel, Settings, Transform};
    /// # let level = Level {
    /// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
    /// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
    /// #     ..Level::default()
    /// # };
    /// let shift = |x: f64| Transform([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    /// let placements = vec![shift(0.0), shift(12.0), shift(24.0)];
    /// let mesh = InstancedMesh { placements, ..InstancedMesh::from(&level) };
    /// let prepared = PreparedLevel::from_meshes(&[mesh], &Settings::default())?;
    /// assert_eq!(prepared.triangle_count(), 6);
    /// # Ok::<(), recast::Error>(())
    /// ```
    pub fn from_meshes(meshes: &[InstancedMesh], settings: &Settings) -> Result<PreparedLevel, Error> {
        PreparedLevel::from_meshes_within(meshes, settings, None)
    }

    /// Like [`PreparedLevel::from_meshes`], for a level whose bounds are known, world metres. Bounds in the
    /// settings take precedence.
    ///
    /// # Errors
    /// As [`PreparedLevel::new`].
    pub fn from_meshes_within(
        meshes: &[InstancedMesh],
        settings: &Settings,
        bounds: Option<[[f64; 3]; 2]>,
    ) -> Result<PreparedLevel, Error> {
        let config = settings.validate().map_err(Error::Settings)?;
        check_meshes(meshes)?;
        check_count(meshes, settings.memory_bound)?;
        let [min, max] = settings.bounds.or(bounds).unwrap_or_else(|| level_bounds(meshes));
        let lattice =
            Lattice { origin: min, cell_size: settings.cell_size, cell_height: settings.cell_height };
        let extent: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
        let size = level_size(extent, &lattice)?;
        let (geometry, dropped) = Geometry::new(meshes, &lattice)?;
        if geometry.len() == 0 {
            return Err(LevelError::AllDegenerate(dropped.count).into());
        }
        if !any_meets(meshes, [min, max]) {
            return Err(LevelError::OutsideBounds { min, max }.into());
        }
        Ok(PreparedLevel {
            config,
            lattice,
            size,
            height: extent[1] as f32,
            triangles_given: geometry.len() + dropped.count,
            diagnostics: dropped.diagnostic().into_iter().collect(),
            geometry: Arc::new(geometry),
        })
    }

    /// A level without its triangles: for tiles that are baked from cached spans (`navlevel::bake_cached`),
    /// or from floors of another origin ([`crate::bake_field`]), which need neither size nor height. `origin`
    /// is the zero of its lattice, world metres; `size` its cells along x, in height and along z; `height`
    /// the height of its bounds, metres.
    ///
    /// ```
    /// use recast::{PreparedLevel, Settings};
    ///
    /// let level = PreparedLevel::without_triangles(&Settings::default(), [10.0, 0.0, -5.0], [1; 3], 0.0)?;
    /// assert_eq!((level.triangle_count(), level.lattice.origin), (0, [10.0, 0.0, -5.0]));
    /// # Ok::<(), recast::Error>(())
    /// ```
    ///
    /// # Errors
    /// Settings that are out of range, and sizes.
    pub fn without_triangles(
        settings: &Settings,
        origin: [f64; 3],
        size: [u32; 3],
        height: f32,
    ) -> Result<PreparedLevel, Error> {
        let config = settings.validate().map_err(Error::Settings)?;
        let limits = [MAX_LEVEL_SIDE, MAX_GRID_HEIGHT + 1, MAX_LEVEL_SIDE];
        for (size, limit) in size.into_iter().zip(limits) {
            let remedy = "this is not a valid size of a level: bake it again";
            navmath::limit::check("cells of a level", u64::from(size), u64::from(limit), remedy)?;
        }
        let lattice = Lattice { origin, cell_size: settings.cell_size, cell_height: settings.cell_height };
        Ok(PreparedLevel {
            config,
            lattice,
            size: size.map(|size| size.max(1)),
            height,
            triangles_given: 0,
            diagnostics: Vec::new(),
            geometry: Arc::new(Geometry::none()),
        })
    }

    /// The outline of a level: its lattice, its settings and its size, without triangles. `bounds` are those
    /// of the level, world metres, and the settings may override them. [`PreparedLevel::with_triangles`] adds
    /// triangles, for example those of a few tiles.
    ///
    /// # Errors
    /// Settings that are out of range; a level that is too large.
    pub fn outline(settings: &Settings, bounds: [[f64; 3]; 2]) -> Result<PreparedLevel, Error> {
        let [min, max] = settings.bounds.unwrap_or(bounds);
        let lattice =
            Lattice { origin: min, cell_size: settings.cell_size, cell_height: settings.cell_height };
        let extent: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
        // Settings that are out of range are refused before they are divided by.
        settings.validate().map_err(Error::Settings)?;
        PreparedLevel::without_triangles(settings, min, level_size(extent, &lattice)?, extent[1] as f32)
    }

    /// A copy of this level with only these triangles: corners in metres from the lattice's zero, and an area
    /// for each.
    ///
    /// # Errors
    /// More triangles than a level can have.
    pub fn with_triangles(
        &self,
        corners: Vec<[[f32; 3]; 3]>,
        areas: Vec<AreaId>,
    ) -> Result<PreparedLevel, Error> {
        let geometry = Arc::new(Geometry::loose(corners, areas)?);
        Ok(PreparedLevel { geometry, ..self.clone() })
    }

    /// Prepares the same level for another agent, with other regions, contours and so on. Shares the
    /// geometry.
    ///
    /// # Errors
    /// Settings that are out of range, or with different cells or bounds.
    pub fn with_settings(&self, settings: &Settings) -> Result<PreparedLevel, Error> {
        let config = settings.validate().map_err(Error::Settings)?;
        let own = &self.config.settings;
        let shared = |settings: &Settings| (settings.cell_size, settings.cell_height, settings.bounds);
        if shared(settings) != shared(own) {
            let what = |settings: &Settings| {
                let (width, height, bounds) = shared(settings);
                format!("cells of {width} by {height} m, bounds {bounds:?}")
            };
            return Err(Error::Settings(vec![FieldError {
                field: "cell_size".to_owned(),
                found: what(settings),
                expected: format!("the values the level was prepared with: {}", what(own)),
            }]));
        }
        Ok(PreparedLevel { config, ..self.clone() })
    }

    /// A copy of this level with settings whose cells may have another size. Shares the geometry. The level
    /// may reach up to one cell farther than a newly prepared one.
    ///
    /// # Errors
    /// Settings that are out of range, and a level that has too many cells with them.
    pub fn with_cells(&self, settings: &Settings) -> Result<PreparedLevel, Error> {
        let config = settings.validate().map_err(Error::Settings)?;
        let own = &self.lattice;
        let across = |cells: u32| f64::from(cells) * own.cell_size;
        let extent = [across(self.size[0]), f64::from(self.height), across(self.size[2])];
        let lattice =
            Lattice { origin: own.origin, cell_size: settings.cell_size, cell_height: settings.cell_height };
        let size = level_size(extent, &lattice)?;
        Ok(PreparedLevel { config, lattice, size, ..self.clone() })
    }

    /// Number of triangles with an area, every placement counted.
    #[inline]
    pub fn triangle_count(&self) -> usize {
        self.geometry.len()
    }

    /// Corners of a triangle, metres from the lattice's zero.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [[f32; 3]; 3] {
        self.geometry.corners(triangle, &self.lattice)
    }

    /// The area that a triangle asks for.
    #[inline]
    pub fn area(&self, triangle: usize) -> AreaId {
        self.geometry.area(triangle)
    }

    /// All areas that triangles ask for, ascending.
    pub fn areas(&self) -> Vec<AreaId> {
        self.geometry.areas()
    }

    /// Memory that the geometry takes, bytes. A mesh with several placements counts once.
    pub fn memory(&self) -> u64 {
        self.geometry.memory()
    }

    /// Digest of the level's geometry as a set: the same for any order of triangles, any numbering of
    /// vertices, and any division into meshes.
    pub fn geometry_digest(&self) -> Digest {
        let one = |triangle: usize| TriangleSum::of(&self.row(triangle));
        let sum = (0..self.triangle_count()).into_par_iter().map(one);
        sum.reduce(TriangleSum::default, TriangleSum::and).digest(&self.lattice)
    }

    /// A triangle as numbers that do not depend on its position in the level's lists: its corners, the
    /// smallest first, by their bits, and its area.
    pub(crate) fn row(&self, triangle: usize) -> [u32; 10] {
        row_of(self.corners(triangle), self.area(triangle))
    }
}

/// Least memory that each placement of a triangle takes, bytes: its number in the list of a tile.
pub const BYTES_PER_LISTED_TRIANGLE: u64 = size_of::<u32>() as u64;

/// Refuses meshes if the lists of their placed triangles alone take more memory than `bound`. A small file
/// may place a mesh any number of times.
fn check_count(meshes: &[InstancedMesh], bound: u64) -> Result<(), Error> {
    let placed =
        |mesh: &InstancedMesh| (mesh.triangles.len() as u64).saturating_mul(mesh.placements.len() as u64);
    let count = meshes.iter().map(placed).fold(0, u64::saturating_add);
    let most = bound / BYTES_PER_LISTED_TRIANGLE;
    let remedy = "allow more memory, place fewer meshes, or cut the level into several bakes";
    Ok(navmath::limit::check("placed triangles for the memory allowed", count, most, remedy)?)
}

pub(crate) fn check_meshes(meshes: &[InstancedMesh]) -> Result<(), LevelError> {
    if meshes.iter().all(|mesh| mesh.triangles.is_empty() || mesh.placements.is_empty()) {
        return Err(LevelError::Empty);
    }
    let (mut first_vertex, mut first_triangle) = (0, 0);
    for mesh in meshes {
        if !mesh.areas.is_empty() && mesh.areas.len() != mesh.triangles.len() {
            let (areas, triangles) = (mesh.areas.len(), mesh.triangles.len());
            return Err(LevelError::AreaCount { areas, triangles });
        }
        let count = mesh.vertices.len();
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(LevelError::IndexOutOfRange {
                    triangle: first_triangle + triangle,
                    vertex,
                    count,
                });
            }
        }
        let finite = |point: &[f64; 3]| point.iter().all(|value| value.is_finite());
        for (vertex, &position) in mesh.vertices.iter().enumerate() {
            let placed = |place: &Transform| place.apply(position);
            let wrong =
                std::iter::once(position).chain(mesh.placements.iter().map(placed)).find(|p| !finite(p));
            if let Some(position) = wrong {
                return Err(LevelError::NotFinite { vertex: first_vertex + vertex, position });
            }
        }
        first_vertex += count;
        first_triangle += mesh.triangles.len();
    }
    Ok(())
}

/// Bounds of the vertices that triangles use, over all placements, world metres. If there are no triangles,
/// the minimum is larger than the maximum.
pub fn level_bounds(meshes: &[InstancedMesh]) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for mesh in meshes {
        let mut used = vec![false; mesh.vertices.len()];
        mesh.triangles.iter().flatten().for_each(|&vertex| used[vertex as usize] = true);
        for place in &mesh.placements {
            for (vertex, _) in mesh.vertices.iter().zip(&used).filter(|(_, used)| **used) {
                for (axis, value) in place.apply(*vertex).into_iter().enumerate() {
                    // Adding zero turns -0 into +0, so that the origin's bits do not depend on which vertex
                    // came first.
                    bounds[0][axis] = bounds[0][axis].min(value + 0.0);
                    bounds[1][axis] = bounds[1][axis].max(value + 0.0);
                }
            }
        }
    }
    bounds
}

/// Returns true if the box of any triangle meets the bounds, world metres.
pub(crate) fn any_meets(meshes: &[InstancedMesh], [min, max]: [[f64; 3]; 2]) -> bool {
    meshes.iter().any(|mesh| {
        mesh.placements.iter().any(|place| {
            mesh.triangles.iter().any(|triangle| {
                let corners = triangle.map(|v| place.apply(mesh.vertices[v as usize]));
                (0..3).all(|axis| {
                    corners.iter().any(|corner| corner[axis] >= min[axis])
                        && corners.iter().any(|corner| corner[axis] <= max[axis])
                })
            })
        })
    })
}

fn level_size(extent: [f64; 3], lattice: &Lattice) -> Result<[u32; 3], Error> {
    // Across, round to the nearest cell as the reference does. In height, every value must fit.
    let width = (extent[0] / lattice.cell_size + 0.5).floor().max(1.0);
    let height = (extent[1] / lattice.cell_height).ceil().max(1.0) + 1.0;
    let depth = (extent[2] / lattice.cell_size + 0.5).floor().max(1.0);
    let side = u64::from(MAX_LEVEL_SIDE);
    let remedy = "enlarge the cell size, or give smaller bounds";
    navmath::limit::check("cells along x", width as u64, side, remedy)?;
    navmath::limit::check("cells along z", depth as u64, side, remedy)?;
    let remedy = "enlarge the cell height or give smaller bounds";
    navmath::limit::check("cells in height", height as u64, u64::from(MAX_GRID_HEIGHT), remedy)?;
    Ok([width as u32, height as u32, depth as u32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::DiagnosticKind;

    fn square() -> Level {
        Level {
            vertices: vec![[10.0, 1.0, 5.0], [10.0, 1.0, 8.0], [13.0, 1.0, 8.0], [13.0, 1.0, 5.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            areas: Vec::new(),
        }
    }

    #[test]
    fn a_level_comes_onto_the_lattice() {
        let prepared = PreparedLevel::new(&square(), &Settings::default()).unwrap();
        assert_eq!(prepared.lattice.origin, [10.0, 1.0, 5.0]);
        assert_eq!(prepared.size, [10, 2, 10]);
        assert_eq!(prepared.corners(0), [[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 0.0, 3.0]]);
        assert!(prepared.diagnostics.is_empty());
    }

    #[test]
    fn the_digest_knows_the_set_not_the_order() {
        let mut shuffled = square();
        shuffled.vertices.swap(0, 2);
        shuffled.triangles =
            vec![[0, 3, 2], [0, 2, 1]].into_iter().map(|[a, b, c]: [u32; 3]| [b, c, a]).collect();
        let digest =
            |level: &Level| PreparedLevel::new(level, &Settings::default()).unwrap().geometry_digest();
        assert_eq!(digest(&square()), digest(&shuffled));
        shuffled.vertices[0][1] += 0.5;
        assert_ne!(digest(&square()), digest(&shuffled));
    }

    #[test]
    fn degenerates_are_dropped_and_counted() {
        let mut level = square();
        level.triangles.push([0, 0, 1]);
        let prepared = PreparedLevel::new(&level, &Settings::default()).unwrap();
        assert_eq!((prepared.triangle_count(), prepared.triangles_given), (2, 3));
        assert_eq!(prepared.diagnostics[0].kind, DiagnosticKind::DegenerateTriangles);
        level.triangles = vec![[0, 0, 1]];
        let error = PreparedLevel::new(&level, &Settings::default()).unwrap_err();
        assert!(matches!(error, Error::Level(LevelError::AllDegenerate(1))));
    }

    #[test]
    fn bad_levels_are_refused() {
        let refuse = |change: fn(&mut Level)| {
            let mut level = square();
            change(&mut level);
            PreparedLevel::new(&level, &Settings::default()).unwrap_err().to_string()
        };
        assert!(refuse(|l| l.triangles.clear()).contains("no triangles"));
        assert!(refuse(|l| l.triangles[1][2] = 9).contains("triangle 1 names vertex 9"));
        assert!(refuse(|l| l.vertices[3][0] = f64::NAN).contains("vertex 3"));
        assert!(refuse(|l| l.vertices[3][0] = 1e9).contains("cells along x"));
        let far = Settings { bounds: Some([[0.0; 3], [20.0; 3]]), ..Settings::default() };
        let level = Level { vertices: vec![[1.0, 1.0, 1e300], [0.0; 3], [9.0, 0.0, 9.0]], ..square() };
        let level = Level { triangles: vec![[0, 1, 2]], ..level };
        assert!(PreparedLevel::new(&level, &far).unwrap_err().to_string().contains("vertex 0"));
        assert!(refuse(|l| l.areas.push(AreaId(1))).contains("1 triangle areas for 2 triangles"));
    }

    #[test]
    fn bounds_must_meet_the_level() {
        let settings = Settings { bounds: Some([[0.0; 3], [1.0; 3]]), ..Settings::default() };
        let error = PreparedLevel::new(&square(), &settings).unwrap_err();
        assert!(matches!(error, Error::Level(LevelError::OutsideBounds { .. })));
    }
}
