//! A level as its users have it, and as the bake wants it: local to the lattice, checked, without degenerates.

use crate::area::AreaId;
use crate::error::{Error, LevelError};
use crate::observer::{Diagnostic, DiagnosticKind};
use crate::settings::{Config, Settings};
use navmath::{Digest, Hasher, Lattice};

/// A level: triangles in world metres, right-handed, Y up. Counter-clockwise seen from above is walkable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Vertices.
    pub vertices: Vec<[f64; 3]>,
    /// Triangles as indices of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The area each triangle has where it is flat enough; empty for [`AreaId::GROUND`] everywhere.
    pub areas: Vec<AreaId>,
}

/// A level ready for baking: shared, unchanged, by all tiles.
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
    /// Vertices, metres from the lattice's zero.
    pub vertices: Vec<[f32; 3]>,
    /// Triangles with an area, as indices of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The area each triangle asks for.
    pub areas: Vec<AreaId>,
    /// How many triangles the level had, degenerate ones included.
    pub triangles_given: usize,
    /// What was dropped.
    pub diagnostics: Vec<Diagnostic>,
}

/// Most cells along a side of a grid, so that distances in half cells fit 16 bits.
pub const MAX_GRID_SIDE: u32 = 30_000;
/// Largest distance of a vertex from the lattice's zero, metres: beyond, differences could leave f32.
pub const MAX_DISTANCE: f32 = 1e15;
/// Most cells in height, so that heights are exact in f32.
pub const MAX_GRID_HEIGHT: u32 = 1 << 24;

impl PreparedLevel {
    /// Checks a level and its settings and brings the level onto the lattice.
    pub fn new(level: &Level, settings: &Settings) -> Result<PreparedLevel, Error> {
        let config = settings.validate().map_err(Error::Settings)?;
        check_level(level)?;
        let [min, max] = settings.bounds.unwrap_or_else(|| level_bounds(level));
        let lattice =
            Lattice { origin: min, cell_size: settings.cell_size, cell_height: settings.cell_height };
        let extent: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
        let size = grid_size(extent, &lattice)?;
        let mut prepared = PreparedLevel {
            config,
            lattice,
            size,
            height: extent[1] as f32,
            vertices: level.vertices.iter().map(|&v| lattice.to_local(v)).collect(),
            triangles: Vec::with_capacity(level.triangles.len()),
            areas: Vec::with_capacity(level.triangles.len()),
            triangles_given: level.triangles.len(),
            diagnostics: Vec::new(),
        };
        let far = prepared.vertices.iter().position(|vertex| !vertex.iter().all(|v| v.abs() < MAX_DISTANCE));
        if let Some(vertex) = far {
            return Err(LevelError::TooFar { vertex, position: level.vertices[vertex], origin: min }.into());
        }
        prepared.take_triangles(level, [min, max])?;
        Ok(prepared)
    }

    fn take_triangles(&mut self, level: &Level, [min, max]: [[f64; 3]; 2]) -> Result<(), LevelError> {
        let mut first_degenerate = None;
        for (index, &triangle) in level.triangles.iter().enumerate() {
            if is_degenerate(triangle.map(|v| self.vertices[v as usize])) {
                first_degenerate.get_or_insert(index);
                continue;
            }
            self.triangles.push(triangle);
            self.areas.push(level.areas.get(index).copied().unwrap_or(AreaId::GROUND));
        }
        let dropped = level.triangles.len() - self.triangles.len();
        if self.triangles.is_empty() {
            return Err(LevelError::AllDegenerate(dropped));
        }
        if let Some(first) = first_degenerate {
            self.diagnostics.push(Diagnostic {
                kind: DiagnosticKind::DegenerateTriangles,
                place: Some(level.vertices[level.triangles[first][0] as usize]),
                message: format!(
                    "{dropped} degenerate triangles (no area) were dropped; the first is triangle {first}"
                ),
            });
        }
        let inside = level.triangles.iter().any(|triangle| {
            (0..3).all(|axis| {
                let values = triangle.map(|v| level.vertices[v as usize][axis]);
                values.iter().any(|&v| v >= min[axis]) && values.iter().any(|&v| v <= max[axis])
            })
        });
        if inside { Ok(()) } else { Err(LevelError::OutsideBounds { min, max }) }
    }

    /// Corners of a triangle, metres from the lattice's zero.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [[f32; 3]; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Digest of the level's geometry as a set: the same for any order of triangles and any numbering of
    /// vertices.
    pub fn geometry_digest(&self) -> Digest {
        let mut rows: Vec<[u32; 10]> = (0..self.triangles.len())
            .map(|index| {
                let corners = canonical_corners(self.corners(index));
                let mut row = [0; 10];
                for (slot, value) in row.iter_mut().zip(corners.iter().flatten()) {
                    *slot = value.to_bits();
                }
                row[9] = u32::from(self.areas[index].0);
                row
            })
            .collect();
        rows.sort_unstable();
        Hasher::new().write_f64s(&self.lattice.origin).write_u32s(rows.as_flattened()).finish()
    }
}

/// The same triangle, its smallest corner first: what is computed from it does not depend on how the level
/// numbered it. The turn is kept.
#[inline]
pub fn canonical_corners(corners: [[f32; 3]; 3]) -> [[f32; 3]; 3] {
    let [a, b, c] = corners;
    let less = |p: &[f32; 3], q: &[f32; 3]| navmath::order::cmp_points(p, q).is_lt();
    if less(&b, &a) {
        if less(&c, &b) { [c, a, b] } else { [b, c, a] }
    } else if less(&c, &a) {
        [c, a, b]
    } else {
        corners
    }
}

fn check_level(level: &Level) -> Result<(), LevelError> {
    if level.triangles.is_empty() {
        return Err(LevelError::Empty);
    }
    if !level.areas.is_empty() && level.areas.len() != level.triangles.len() {
        return Err(LevelError::AreaCount { areas: level.areas.len(), triangles: level.triangles.len() });
    }
    let count = level.vertices.len();
    for (triangle, corners) in level.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(LevelError::IndexOutOfRange { triangle, vertex, count });
        }
    }
    match level.vertices.iter().position(|v| !v.iter().all(|c| c.is_finite())) {
        Some(vertex) => Err(LevelError::NotFinite { vertex, position: level.vertices[vertex] }),
        None => Ok(()),
    }
}

/// Bounds of the vertices that triangles use.
fn level_bounds(level: &Level) -> [[f64; 3]; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for &vertex in level.triangles.iter().flatten() {
        for (axis, &value) in level.vertices[vertex as usize].iter().enumerate() {
            // Adding zero turns -0 into +0, so that the origin's bits do not depend on which vertex came first.
            bounds[0][axis] = bounds[0][axis].min(value + 0.0);
            bounds[1][axis] = bounds[1][axis].max(value + 0.0);
        }
    }
    bounds
}

fn grid_size(extent: [f64; 3], lattice: &Lattice) -> Result<[u32; 3], Error> {
    // Across: rounded to the nearest cell, as the reference does. Upwards: every height must fit.
    let width = (extent[0] / lattice.cell_size + 0.5).floor().max(1.0);
    let height = (extent[1] / lattice.cell_height).ceil().max(1.0) + 1.0;
    let depth = (extent[2] / lattice.cell_size + 0.5).floor().max(1.0);
    let side = u64::from(MAX_GRID_SIDE);
    let remedy = "enlarge the cell size, give smaller bounds, or bake in tiles";
    navmath::limit::check("cells along x", width as u64, side, remedy)?;
    navmath::limit::check("cells along z", depth as u64, side, remedy)?;
    let remedy = "enlarge the cell height or give smaller bounds";
    navmath::limit::check("cells in height", height as u64, u64::from(MAX_GRID_HEIGHT), remedy)?;
    Ok([width as u32, height as u32, depth as u32])
}

/// Whether a triangle has no area: two corners are the same, or all three lie on one line.
fn is_degenerate([a, b, c]: [[f32; 3]; 3]) -> bool {
    let sub =
        |p: [f32; 3], q: [f32; 3]| -> [f64; 3] { std::array::from_fn(|i| f64::from(p[i]) - f64::from(q[i])) };
    let (u, v) = (sub(b, a), sub(c, a));
    // Differences of f32 are exact in f64 over the range that matters; so is "the cross product is zero" for
    // corners that coincide or lie on an axis.
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross == [0.0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!((prepared.triangles.len(), prepared.triangles_given), (2, 3));
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
