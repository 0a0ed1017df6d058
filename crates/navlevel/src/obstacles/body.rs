//! Bodies: shapes as triangles, counter-clockwise seen from outside.

use super::hull::hull;
use std::sync::Arc;
use thiserror::Error;

/// Most points of a hull.
pub const MAX_HULL_POINTS: usize = 256;
/// Most triangles of a mesh that is an obstacle.
pub const MAX_MESH_TRIANGLES: usize = 1 << 16;
/// Number of sides of a cylinder and of a capsule.
const SIDES: usize = 24;
/// Number of rings of each half sphere of a capsule, without the pole.
const RINGS: usize = 6;
/// Largest extent of a body, metres.
const MAX_EXTENT: f64 = 1e5;

/// The shape of an obstacle, in its own space, metres, Y up. The middle of the bottom of a box, cylinder or
/// capsule is at zero. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    vertices: Arc<[[f64; 3]]>,
    triangles: Arc<[[u32; 3]]>,
    convex: bool,
}

/// An obstacle that is not possible.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ObstacleError {
    /// A measure is out of range.
    #[error("{what} is {found}, expected {expected}")]
    Measure {
        /// Name of the measure.
        what: &'static str,
        /// Its value.
        found: String,
        /// Its range.
        expected: String,
    },
    /// All points of a hull are in one plane.
    #[error("all {0} points of the hull are in one plane: add a point outside it, or give a mesh")]
    Flat(usize),
    /// A triangle of a mesh names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, expected a number below {count}")]
    Index {
        /// Index of the triangle.
        triangle: usize,
        /// The vertex that it names.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// The place is not finite, or out of the lattice's range.
    #[error("it is {reach} m from the level's corner, expected less than {limit} m: move it into the level")]
    Far {
        /// Largest distance of a corner along an axis, metres.
        reach: f64,
        /// The limit.
        limit: f64,
    },
    /// A mesh was asked to remove something.
    #[error("a mesh has no inside and cannot remove anything: give a box, cylinder, capsule or hull")]
    NoInside,
}

impl Body {
    /// A box of this size along x, y and z.
    pub fn cuboid(size: [f64; 3]) -> Result<Body, ObstacleError> {
        for (what, extent) in ["the size along x", "the height", "the size along z"].into_iter().zip(size) {
            check_extent(what, extent)?;
        }
        let [x, z] = [size[0] / 2.0, size[2] / 2.0];
        let corner = |index: usize| {
            let pick = |bit: usize, half: f64| if index >> bit & 1 == 0 { -half } else { half };
            [pick(0, x), if index & 2 == 0 { 0.0 } else { size[1] }, pick(2, z)]
        };
        // Corner bits: 1 larger x, 2 larger y, 4 larger z.
        let quads = [[0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        Ok(Body { vertices: (0..8).map(corner).collect(), triangles: triangles.collect(), convex: true })
    }

    /// An upright cylinder, as a prism of 24 sides with its corners on the cylinder.
    pub fn cylinder(radius: f64, height: f64) -> Result<Body, ObstacleError> {
        check_extent("the radius", radius)?;
        check_extent("the height", height)?;
        let rings = [[radius, 0.0], [radius, height]];
        Ok(turned(0.0, &rings, height))
    }

    /// An upright capsule: a cylinder with half spheres at both ends, with a total height of `height` and 24
    /// sides.
    pub fn capsule(radius: f64, height: f64) -> Result<Body, ObstacleError> {
        check_extent("the radius", radius)?;
        check_extent("the height", height)?;
        if height < 2.0 * radius {
            let expected = format!("at least twice the radius, {}", 2.0 * radius);
            return Err(ObstacleError::Measure { what: "the height", found: height.to_string(), expected });
        }
        let of_ring = |ring: usize| {
            let angle = std::f64::consts::FRAC_PI_2 * ring as f64 / RINGS as f64;
            [radius * libm::sin(angle), radius * (1.0 - libm::cos(angle))]
        };
        let mut rings: Vec<[f64; 2]> = (1..=RINGS).map(of_ring).collect();
        let upper = rings.clone();
        rings.extend(upper.iter().rev().map(|[across, up]| [*across, height - up]));
        Ok(turned(0.0, &rings, height))
    }

    /// The convex hull of 4 to [`MAX_HULL_POINTS`] points that are not all in one plane.
    pub fn hull(points: &[[f64; 3]]) -> Result<Body, ObstacleError> {
        if !(4..=MAX_HULL_POINTS).contains(&points.len()) {
            let expected = format!("4 to {MAX_HULL_POINTS}");
            let found = points.len().to_string();
            return Err(ObstacleError::Measure { what: "the number of points", found, expected });
        }
        check_points(points)?;
        let triangles = hull(points).ok_or(ObstacleError::Flat(points.len()))?;
        Ok(Body { vertices: points.into(), triangles: triangles.into(), convex: true })
    }

    /// A mesh: surfaces without an inside, of at most [`MAX_MESH_TRIANGLES`] triangles. Counter-clockwise
    /// seen from above is walkable.
    pub fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Body, ObstacleError> {
        if !(1..=MAX_MESH_TRIANGLES).contains(&triangles.len()) {
            let expected = format!("1 to {MAX_MESH_TRIANGLES}");
            let found = triangles.len().to_string();
            return Err(ObstacleError::Measure { what: "the number of triangles", found, expected });
        }
        check_points(vertices)?;
        let count = vertices.len();
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(ObstacleError::Index { triangle, vertex, count });
            }
        }
        Ok(Body { vertices: vertices.into(), triangles: triangles.into(), convex: false })
    }

    /// Its corners, in its own space.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Its triangles, as indices of corners.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns true if it has an inside: all bodies except meshes are convex.
    pub fn is_convex(&self) -> bool {
        self.convex
    }
}

/// A body turned about the vertical: a pole at `bottom`, rings as (distance from the axis, height) upwards, a
/// pole at `top`.
fn turned(bottom: f64, rings: &[[f64; 2]], top: f64) -> Body {
    let mut vertices = vec![[0.0, bottom, 0.0]];
    for &[across, height] in rings {
        vertices.extend((0..SIDES).map(|side| {
            let angle = std::f64::consts::TAU * side as f64 / SIDES as f64;
            [across * libm::cos(angle), height, across * libm::sin(angle)]
        }));
    }
    vertices.push([0.0, top, 0.0]);
    let last = vertices.len() as u32 - 1;
    let at = |ring: usize, side: usize| (1 + ring * SIDES + side % SIDES) as u32;
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        triangles.push([0, at(0, side), at(0, side + 1)]);
        for ring in 1..rings.len() {
            let [a, b] = [at(ring - 1, side), at(ring - 1, side + 1)];
            let [c, d] = [at(ring, side), at(ring, side + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        triangles.push([last, at(rings.len() - 1, side + 1), at(rings.len() - 1, side)]);
    }
    Body { vertices: vertices.into(), triangles: triangles.into(), convex: true }
}

fn check_extent(what: &'static str, extent: f64) -> Result<(), ObstacleError> {
    // Written so that NaN is refused.
    if extent > 0.0 && extent <= MAX_EXTENT {
        return Ok(());
    }
    let expected = format!("more than 0 and at most {MAX_EXTENT} m");
    Err(ObstacleError::Measure { what, found: extent.to_string(), expected })
}

fn check_points(points: &[[f64; 3]]) -> Result<(), ObstacleError> {
    // NaN is out of range.
    let is_within = |value: f64| value.abs() <= MAX_EXTENT;
    let wrong = points.iter().flatten().find(|value| !is_within(**value));
    match wrong {
        None => Ok(()),
        Some(value) => {
            let expected = format!("finite, at most {MAX_EXTENT} m from zero");
            Err(ObstacleError::Measure { what: "a coordinate", found: value.to_string(), expected })
        }
    }
}
