//! Measure 8, margins: is the border of the mesh at the agent's radius from walls and ledges? The level's own
//! triangles decide, without cells.
//! Units: metres. Cost: O(samples x triangles near each).
//!
//! A wall is the part of a triangle that nobody can walk on, between climb and head height above the border.
//! A ledge is an edge of the ground that no ground continues, whether the level is too steep there or ends.
//! Bakes round heights to cells, so a wall whose top is within a cell of the climb, or whose bottom is within
//! a cell of the head, may count or not. If a wall leans back, its foot is not below the part of it above the
//! climb; where the two are within a cell, the foot may count or not. Cells bridge narrow gaps in the ground,
//! so the ends of gaps may count or not, too.

use super::capsules::{CapsuleWorld, tri_mesh};
use super::worst::{Spot, worst};
use navscenes::rooms::{BorderErrors, border_samples};
use navtile::Tile;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::shape::TriMesh;
use recast::PreparedLevel;
use std::collections::BTreeMap;

/// Distance between the samples of a ledge, metres. A border between two of them is at most 0.1 mm nearer to
/// the ledge than to them.
const STEP: f64 = 0.02;
/// Ground that begins this far beyond an edge continues it, metres.
const CRACK: f64 = 0.01;
/// A wall farther from the border than the radius by more than this does not explain it, cells.
const FARTHEST: f64 = 3.0;

/// The result of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// Samples of the border.
    pub samples: usize,
    /// The distance from the nearest wall or ledge, less the radius, of the samples that one explains.
    pub errors: BorderErrors,
    /// The smallest distance of a sample from a wall or ledge; infinite without one.
    pub clearance: f64,
    /// The samples that are nearest to a wall or ledge; the value is the lack of distance, metres.
    pub worst: Vec<Spot>,
}

impl Margins {
    /// Share of the samples that a wall or ledge explains, percent.
    pub fn explained_share(&self) -> f64 {
        100.0 * self.errors.errors.len() as f64 / self.samples.max(1) as f64
    }
}

/// A sample of a ledge.
struct Ledge {
    at: Vector,
    /// False if it may count or not.
    certain: bool,
}

/// The walls and ledges of a level.
pub struct MarginWorld<'a> {
    world: &'a CapsuleWorld,
    /// Samples of ledges, by the square metre that they are in.
    ledges: BTreeMap<[i64; 2], Vec<Ledge>>,
    /// Width and height of a cell.
    cell: [f64; 2],
    /// World position of the lattice's zero.
    origin: [f64; 3],
}

impl<'a> MarginWorld<'a> {
    /// The walls and ledges of a level for the agent of its settings.
    pub fn new(world: &'a CapsuleWorld, prepared: &PreparedLevel) -> MarginWorld<'a> {
        let cell = [prepared.lattice.cell_size, prepared.lattice.cell_height];
        let mut margins =
            MarginWorld { world, ledges: BTreeMap::new(), cell, origin: prepared.lattice.origin };
        let Some(ground) = tri_mesh(world.ground.iter().copied()) else { return margins };
        // Most edges have a triangle on both sides.
        let mut edges: BTreeMap<[[u64; 3]; 2], Vec<[Vector; 3]>> = BTreeMap::new();
        for triangle in &world.ground {
            for corner in 0..3 {
                let edge = [0, 1, 2].map(|next| triangle[(corner + next) % 3]);
                let mut ends = [edge[0], edge[1]].map(|end| end.to_array().map(f64::to_bits));
                ends.sort_unstable();
                edges.entry(ends).or_default().push(edge);
            }
        }
        for edge in edges.into_values().filter(|edges| edges.len() == 1).flatten() {
            margins.add_ledge(edge, &ground);
        }
        margins
    }

    /// Adds the samples of an edge of the ground, from one corner to the next, beyond which no ground
    /// continues.
    fn add_ledge(&mut self, [a, b, opposite]: [Vector; 3], ground: &TriMesh) {
        let along = b - a;
        let across = Vector::new(along.z, 0.0, -along.x);
        let length = across.length();
        if length == 0.0 {
            return;
        }
        let outwards = across / if across.dot(opposite - a) > 0.0 { -length } else { length };
        let parts = (length / STEP).ceil();
        let samples: Vec<Vector> =
            (0..=parts as u32).map(|part| a + along * (f64::from(part) / parts)).collect();
        // Cells bridge cracks narrower than they are.
        let continues = |at: Vector| {
            let beyond = [CRACK, 0.5 * self.cell[0], self.cell[0]];
            beyond.into_iter().any(|far| self.world.is_over(ground, at + outwards * far))
        };
        let ends: Vec<bool> = samples.iter().map(|&at| !continues(at)).collect();
        let near = (FARTHEST * self.cell[0] / STEP).ceil() as usize;
        for (number, &at) in samples.iter().enumerate() {
            let around = number.saturating_sub(near)..ends.len().min(number + near + 1);
            if ends[around].contains(&true) {
                let certain = ends[number] && self.wall_distance(at, 0.0, self.cell[0]) > self.cell[0];
                self.ledges.entry(square([at.x, at.z])).or_default().push(Ledge { at, certain });
            }
        }
    }

    /// Measures the border of a mesh.
    pub fn measure<'t>(&self, tiles: impl Iterator<Item = &'t Tile>) -> Margins {
        let radius = self.world.radius;
        let points: Vec<[f64; 3]> = tiles.flat_map(border_samples).collect();
        let farthest = radius + FARTHEST * self.cell[0];
        let explained: Vec<(f64, f64, [f64; 3])> = points
            .iter()
            .filter_map(|&point| {
                let clearances = self.clearances(Vector::from_array(point), farthest);
                let errors = clearances.map(|clearance| clearance - radius);
                let error = if errors[0].abs() < errors[1].abs() { errors[0] } else { errors[1] };
                (clearances[1] <= farthest).then_some((error, errors[0], point))
            })
            .collect();
        let errors = BorderErrors::of_points(explained.iter().map(|&(error, nearest, _)| (error, nearest)));
        let [size, height] = self.cell;
        let spot = |&(_, nearest, point): &(f64, f64, [f64; 3])| Spot {
            value: -nearest,
            cells: std::array::from_fn(|axis| (point[axis] - self.origin[axis]) / [size, height, size][axis]),
        };
        let worst = worst(explained.iter().filter(|(_, nearest, _)| *nearest < 0.0).map(spot).collect());
        Margins { samples: points.len(), clearance: radius + errors.nearest, errors, worst }
    }

    /// The distances from a place on the mesh to the nearest certain wall or ledge, however heights are
    /// rounded, and to the nearest possible one. Infinite if no wall is within a distance.
    fn clearances(&self, at: Vector, farthest: f64) -> [f64; 2] {
        [true, false].map(|certain| {
            let rounding = if certain { self.cell[1] } else { -self.cell[1] };
            let wall = self.wall_distance(at, rounding, farthest);
            wall.min(self.ledge_distance(at, farthest, certain))
        })
    }

    /// The distance to the nearest part of a wall between climb and head height, with both moved towards each
    /// other by `rounding`. Infinite beyond `farthest`.
    fn wall_distance(&self, at: Vector, rounding: f64, farthest: f64) -> f64 {
        let CapsuleWorld { walls, height, climb, .. } = self.world;
        let slab = [at.y + climb + rounding, at.y + height - rounding];
        walls.as_ref().map_or(f64::INFINITY, |walls| wall_distance(walls, at, slab, farthest))
    }

    /// The distance to the nearest sample of a ledge at most the climb and the radius higher or lower.
    fn ledge_distance(&self, at: Vector, farthest: f64, only_certain: bool) -> f64 {
        let up = self.world.climb + self.world.radius;
        let [low, high] = [-farthest, farthest].map(|by| square([at.x + by, at.z + by]));
        let near = (low[0]..=high[0]).flat_map(|x| (low[1]..=high[1]).map(move |z| [x, z]));
        let ledges = near.filter_map(|square| self.ledges.get(&square)).flatten();
        let near = ledges.filter(|ledge| ledge.certain || !only_certain).map(|ledge| ledge.at);
        let near = near.filter(|ledge| (ledge.y - at.y).abs() <= up);
        near.map(|ledge| (ledge.x - at.x).hypot(ledge.z - at.z)).fold(f64::INFINITY, f64::min)
    }
}

/// The square metre of a place.
fn square([x, z]: [f64; 2]) -> [i64; 2] {
    [x, z].map(|at| at.floor() as i64)
}

/// The distance seen from above to the nearest part of a triangle between two heights.
fn wall_distance(walls: &TriMesh, at: Vector, [low, high]: [f64; 2], farthest: f64) -> f64 {
    let reach = Vector::new(farthest, 0.0, farthest);
    let (from, to) = (Vector::new(at.x, low, at.z), Vector::new(at.x, high, at.z));
    let near = Aabb { mins: from - reach, maxs: to + reach };
    let parts = walls.bvh().intersect_aabb(&near).map(|triangle| {
        let triangle = walls.triangle(triangle);
        let part = cut(&[triangle.a, triangle.b, triangle.c], low, 1.0);
        plan_distance(&cut(&part, high, -1.0), at)
    });
    parts.fold(f64::INFINITY, f64::min)
}

/// The part of a polygon on one side of a height: above it if `sign` is 1, below it if -1.
fn cut(corners: &[Vector], height: f64, sign: f64) -> Vec<Vector> {
    let next = corners.iter().cycle().skip(1);
    let parts = corners.iter().zip(next).flat_map(|(&from, &to)| {
        let [start, end] = [from, to].map(|corner| (corner.y - height) * sign);
        let crossing = (start * end < 0.0).then(|| from + (to - from) * (start / (start - end)));
        (start >= 0.0).then_some(from).into_iter().chain(crossing)
    });
    parts.collect()
}

/// The distance seen from above to a convex polygon; infinite without corners.
fn plan_distance(corners: &[Vector], at: Vector) -> f64 {
    let mut least = f64::INFINITY;
    let mut sides = [false; 2];
    for (&a, &b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (along, from) = (b - a, at - a);
        let whole = along.x * along.x + along.z * along.z;
        let share = if whole > 0.0 { (from.x * along.x + from.z * along.z) / whole } else { 0.0 };
        let nearest = a + along * share.clamp(0.0, 1.0);
        least = least.min((nearest.x - at.x).hypot(nearest.z - at.z));
        let turn = along.x * from.z - along.z * from.x;
        sides = [sides[0] || turn > 0.0, sides[1] || turn < 0.0];
    }
    // Within a polygon, all of its edges are on one side.
    if sides == [true; 2] || sides == [false; 2] { least } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use navscenes::rooms::{Border, Rooms, Shape};
    use recast::{Outlines, Scratch, Settings, Silent, bake_solo};

    #[test]
    fn margins_are_those_of_the_closed_form() {
        for outlines in [Outlines::Cells, Outlines::Exact] {
            for border in [Border::Walls(0.3), Border::Ledges] {
                let rooms = Rooms::new(Shape::Pillars, border, 20.0);
                let settings = rooms.placed(&Settings { outlines, ..Settings::default() }, [0.25, 0.5]);
                let prepared = PreparedLevel::new(&rooms.level, &settings).unwrap();
                let tile = bake_solo(&prepared, &Silent, &mut Scratch::new()).unwrap().tile;
                let world = CapsuleWorld::new(&rooms.level, &prepared);
                let margins = MarginWorld::new(&world, &prepared).measure(std::iter::once(&tile));
                let expected = BorderErrors::measure(&rooms, settings.agent_radius, &[tile]);
                let near = |one: f64, two: f64| assert!((one - two).abs() < 1e-3, "{one}, not {two}");
                assert_eq!(margins.explained_share(), 100.0);
                near(margins.errors.mean(), expected.mean());
                near(margins.errors.within(0.99), expected.within(0.99));
                near(margins.clearance, settings.agent_radius + expected.nearest);
            }
        }
    }

    #[test]
    fn a_border_that_no_wall_explains_is_counted_apart() {
        let rooms = Rooms::new(Shape::Corridor(2.0), Border::Walls(0.3), 0.0);
        let prepared = PreparedLevel::new(&rooms.level, &Settings::default()).unwrap();
        let tile = bake_solo(&prepared, &Silent, &mut Scratch::new()).unwrap().tile;
        let mut level = rooms.level.clone();
        let world = |level: &recast::Level| CapsuleWorld::new(level, &prepared);
        let of = |world: &CapsuleWorld| MarginWorld::new(world, &prepared).measure(std::iter::once(&tile));
        assert_eq!(of(&world(&level)).explained_share(), 100.0);
        // Without the walls, the ground ends 0.3 m farther away on all sides.
        level
            .triangles
            .retain(|triangle| triangle.iter().all(|&corner| level.vertices[corner as usize][1] == 0.0));
        let bare = of(&world(&level));
        assert!((bare.errors.mean() - of(&world(&rooms.level)).errors.mean() - 0.3).abs() < 0.05, "{bare:?}");
        level.triangles.clear();
        assert_eq!(of(&world(&level)).explained_share(), 0.0);
    }
}
