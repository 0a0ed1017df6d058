//! Measure 6, capsules: does an agent on the mesh touch a wall, and does the mesh cover all places that have
//! room for an agent? The level's own triangles decide, without cells.
//! Units: metres. Cost: O(samples log triangles).
//!
//! The capsule is upright and has the agent's radius. Its bottom is one climb above the ground, because an
//! agent steps over anything lower, and its top is at the agent's height. If it would be wider than high, it
//! is a ball around its middle. Ground is every triangle with a walkable slope; all others are walls.

use super::surface::Surface;
use navmath::FIXED_ONE;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{PointQuery, Ray, RayCast, intersection_test};
use parry3d_f64::shape::{Capsule, TriMesh};
use recast::{Level, PreparedLevel};

/// A capsule this far inside a wall still counts as free, metres.
const SLACK: f64 = 0.01;
/// The smallest distance between samples, metres.
const STEP: f64 = 0.02;
/// Directions from a free place; there must be ground at the radius in each.
const AROUND: u32 = 16;

/// The result of the measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Capsules {
    /// Distance between samples, seen from above.
    pub step: f64,
    /// Samples of the mesh.
    pub on_mesh: usize,
    /// Samples of the mesh whose capsule is more than a centimetre inside a wall.
    pub in_wall: usize,
    /// Free samples of the ground: the capsule touches no wall, and in all directions there is ground at its
    /// radius, at most a climb higher or lower.
    pub free: usize,
    /// Free samples that no mesh covers.
    pub uncovered: usize,
    /// Uncovered samples within two radii of the mesh. The mesh lost them at its border; it lost the others
    /// together with an island or a passage.
    pub uncovered_near: usize,
}

impl Capsules {
    /// Share of the mesh's samples whose capsule is in a wall, percent.
    pub fn in_wall_share(&self) -> f64 {
        100.0 * self.in_wall as f64 / self.on_mesh.max(1) as f64
    }

    /// A number of samples as a share of all free ones, percent.
    pub fn free_share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.free.max(1) as f64
    }
}

/// Triangles of a level, for capsules of one agent.
pub struct CapsuleWorld {
    /// Triangles that nobody can walk on, if there are any.
    pub(super) walls: Option<TriMesh>,
    /// All triangles.
    pub(super) solid: Option<TriMesh>,
    /// Corners of the walkable ones.
    pub(super) ground: Vec<[Vector; 3]>,
    pub(super) radius: f64,
    pub(super) height: f64,
    pub(super) climb: f64,
}

pub(super) fn tri_mesh(triangles: impl Iterator<Item = [Vector; 3]>) -> Option<TriMesh> {
    let vertices: Vec<Vector> = triangles.flatten().collect();
    if vertices.is_empty() {
        return None;
    }
    let indices = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Some(TriMesh::new(vertices, indices).expect("only a mesh without triangles is refused"))
}

impl CapsuleWorld {
    /// The triangles of a level, and the agent of its settings.
    pub fn new(level: &Level, prepared: &PreparedLevel) -> CapsuleWorld {
        let settings = &prepared.config.settings;
        let steepest = settings.agent_slope.to_radians().cos() - 1e-6;
        let corners = level
            .triangles
            .iter()
            .map(|triangle| triangle.map(|vertex| Vector::from_array(level.vertices[vertex as usize])));
        // Triangles without area are neither ground nor wall.
        let flat = |[a, b, c]: &[Vector; 3]| {
            let normal = (b - a).cross(c - a);
            normal.y >= steepest * normal.length()
        };
        let (ground, walls): (Vec<_>, Vec<_>) = corners.partition(flat);
        CapsuleWorld {
            solid: tri_mesh(ground.iter().chain(&walls).copied()),
            walls: tri_mesh(walls.into_iter()),
            ground,
            radius: settings.agent_radius,
            height: settings.agent_height,
            climb: settings.agent_climb,
        }
    }

    /// Returns true if an agent at a point of the ground is in a wall by more than `slack`.
    fn is_in_wall(&self, at: Vector, slack: f64) -> bool {
        let Some(walls) = &self.walls else { return false };
        let (low, high) = (self.climb + self.radius, self.height - self.radius);
        let ends = if low < high { [low, high] } else { [(self.climb + self.height) / 2.0; 2] };
        let [a, b] = ends.map(|up| at + Vector::Y * up);
        let capsule = Capsule::new(a, b, self.radius - slack);
        let still = Pose::identity();
        let found = intersection_test(&still, walls, &still, &capsule);
        found.expect("triangles and capsules are shapes of parry's own").intersecting
    }

    /// Returns true if `surface` is below or above a point by at most one climb.
    pub(super) fn is_over(&self, surface: &TriMesh, at: Vector) -> bool {
        self.rise(surface, at).is_some()
    }

    /// Height of `surface` over a point, if it is below or above it by at most one climb.
    pub(super) fn rise(&self, surface: &TriMesh, at: Vector) -> Option<f64> {
        let down = Ray::new(at + Vector::Y * self.climb, -Vector::Y);
        Some(self.climb - surface.cast_local_ray(&down, 2.0 * self.climb, true)?)
    }

    /// Returns true if a point of the ground has room for an agent.
    fn is_free(&self, at: Vector) -> bool {
        let around = |direction: u32| {
            let angle = f64::from(direction) * std::f64::consts::TAU / f64::from(AROUND);
            at + Vector::new(angle.cos(), 0.0, angle.sin()) * self.radius
        };
        let Some(solid) = &self.solid else { return false };
        (0..AROUND).all(|direction| self.is_over(solid, around(direction))) && !self.is_in_wall(at, 0.0)
    }

    /// Measures a mesh with about `samples` samples of it and of the ground each, in a raster of at least
    /// [`STEP`].
    pub fn measure(&self, prepared: &PreparedLevel, surface: &Surface, samples: usize) -> Capsules {
        let lattice = &prepared.lattice;
        let unit =
            [lattice.cell_size, lattice.cell_height, lattice.cell_size].map(|v| v / f64::from(FIXED_ONE));
        let world = |at: [i64; 3]| {
            Vector::from_array(std::array::from_fn(|axis| {
                lattice.origin[axis] + at[axis] as f64 * unit[axis]
            }))
        };
        let patches: Vec<[Vector; 3]> =
            surface.patches.iter().flat_map(|patch| &patch.triangles).map(|t| t.map(world)).collect();
        let areas = [&patches, &self.ground].map(|triangles| triangles.iter().map(plan_area).sum::<f64>());
        let step = (areas[0].max(areas[1]) / samples.max(1) as f64).sqrt().max(STEP);
        let mut found = Capsules { step, ..Capsules::default() };
        for at in patches.iter().flat_map(|triangle| raster(triangle, step)) {
            found.on_mesh += 1;
            found.in_wall += usize::from(self.is_in_wall(at, SLACK));
        }
        let mesh = tri_mesh(patches.iter().copied());
        for at in
            self.ground.iter().flat_map(|triangle| raster(triangle, step)).filter(|&at| self.is_free(at))
        {
            found.free += 1;
            if !mesh.as_ref().is_some_and(|mesh| self.is_over(mesh, at)) {
                found.uncovered += 1;
                let reach = 2.0 * self.radius;
                let near = |mesh: &TriMesh| mesh.distance_to_local_point(at, true) <= reach;
                found.uncovered_near += usize::from(mesh.as_ref().is_some_and(near));
            }
        }
        found
    }
}

/// Area of a triangle seen from above.
fn plan_area([a, b, c]: &[Vector; 3]) -> f64 {
    ((b - a).cross(c - a).y / 2.0).abs()
}

/// The points of a triangle over a square raster with this step. A point on an edge belongs to both sides.
fn raster(triangle: &[Vector; 3], step: f64) -> Vec<Vector> {
    let [a, b, c] = *triangle;
    let cross = |p: Vector, q: Vector, x: f64, z: f64| (q.z - p.z) * (x - p.x) - (q.x - p.x) * (z - p.z);
    let whole = cross(a, b, c.x, c.z);
    let range = |get: fn(&Vector) -> f64| {
        let low = triangle.iter().map(get).fold(f64::INFINITY, f64::min);
        let high = triangle.iter().map(get).fold(f64::NEG_INFINITY, f64::max);
        (low / step).ceil() as i64..=(high / step).floor() as i64
    };
    let mut points = Vec::new();
    if whole == 0.0 {
        return points;
    }
    for x in range(|v| v.x).map(|x| x as f64 * step) {
        for z in range(|v| v.z).map(|z| z as f64 * step) {
            let parts = [cross(b, c, x, z), cross(c, a, x, z), cross(a, b, x, z)].map(|part| part / whole);
            if parts.iter().all(|&part| part >= 0.0) {
                points.push(Vector::new(x, a.y * parts[0] + b.y * parts[1] + c.y * parts[2], z));
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::surface::Patch;
    use navscenes::build::{Builder, rect};
    use recast::Settings;

    /// A floor of 10 x 10 m with a wall along one side, and a mesh of one rectangle on it, metres.
    fn measured(wall_height: f64, mesh: [[f64; 2]; 2]) -> Capsules {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 10.0, 10.0), 0.0).block([-0.3, 0.0, 0.0], [0.0, wall_height, 10.0]);
        let level = builder.finish();
        let settings = Settings { agent_radius: 0.5, cell_size: 0.25, ..Settings::default() };
        let prepared = PreparedLevel::new(&level, &settings).unwrap();
        let fixed = |[x, z]: [f64; 2]| [x + 0.3, z].map(|v| (v / 0.25 * f64::from(FIXED_ONE)) as i64);
        let [[x0, z0], [x1, z1]] = mesh.map(fixed);
        let patch = Patch::flat([[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(|[x, z]| [x, 0, z]).to_vec());
        let surface = Surface::new(vec![patch], 0, 0);
        CapsuleWorld::new(&level, &prepared).measure(&prepared, &surface, 10_000)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1.0
    }

    #[test]
    fn a_perfect_mesh_touches_no_wall_and_covers_all() {
        let found = measured(2.5, [[0.5, 0.5], [9.5, 9.5]]);
        assert!(found.on_mesh > 7_500 && found.in_wall == 0, "{found:?}");
        // The ground around is sampled in 16 directions, which is a little less than a circle.
        assert!(found.free > 7_500 && found.free_share(found.uncovered) < 1.0, "{found:?}");
    }

    #[test]
    fn a_mesh_too_near_to_a_wall_is_in_it() {
        // 20 of 950 cm are nearer than the radius less a centimetre.
        let found = measured(2.5, [[0.3, 0.5], [9.5, 9.5]]);
        assert!(near(found.in_wall_share(), 100.0 * 19.0 / 920.0), "{found:?}");
        // An agent steps over a low wall.
        assert_eq!(measured(0.8, [[0.3, 0.5], [9.5, 9.5]]).in_wall, 0);
    }

    #[test]
    fn ground_without_a_mesh_is_uncovered() {
        let found = measured(2.5, [[0.7, 0.5], [9.5, 9.5]]);
        assert!(near(found.free_share(found.uncovered), 100.0 * 20.0 / 900.0), "{found:?}");
        assert_eq!(found.uncovered, found.uncovered_near);
        let half = measured(2.5, [[0.5, 0.5], [5.0, 9.5]]);
        assert!(near(half.free_share(half.uncovered), 50.0), "{half:?}");
        assert!(near(half.free_share(half.uncovered_near), 100.0 / 9.0), "{half:?}");
    }
}
