//! Rooms whose free ground is known in closed form, turned by any angle: two rooms with a doorway, a
//! corridor, a room with pillars; within walls, or on platforms that end in ledges.
//!
//! - [`Rooms`]: a level together with the plan of its ground.
//! - [`TrueBorder`]: the line that the border of a perfect mesh would follow.
//! - [`BorderErrors`]: the distance of a baked mesh from that line.

mod border;
mod truth;

pub use border::{BorderErrors, border_samples};
pub use truth::TrueBorder;

use crate::build::{Builder, Rect, rect};
use navplane::Polygon;
use recast::{Level, Settings};

/// A point seen from above, metres: x, z.
pub type Point = [f64; 2];

/// Height of walls and pillars, metres.
const WALL_HEIGHT: f64 = 2.5;
/// Height of platforms, metres.
const DROP: f64 = 3.0;
/// Length of the bridge between two platforms, metres.
const BRIDGE: f64 = 2.0;

/// The shape of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Two rooms of 10 x 7 m with a doorway between them of this width, metres.
    Doorway(f64),
    /// A corridor of this width, metres, with two turns.
    Corridor(f64),
    /// A room of 14 x 10 m with three square pillars, each turned on its own, and three of 24 sides.
    Pillars,
}

/// The end of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// Walls of this thickness, metres.
    Walls(f64),
    /// The ground is a platform.
    Ledges,
}

/// A level, and the plan of its ground.
#[derive(Clone, Debug)]
pub struct Rooms {
    /// The level; its ground is at height 0.
    pub level: Level,
    /// Everything that is not wall, pillar or empty space.
    pub plan: Polygon,
    /// A point in the first room and one in the last.
    pub ends: [Point; 2],
}

/// The ground before it is turned: its parts, and its plan with the corners of all rings in the order of
/// [`Builder::floor`].
struct Drawing {
    parts: Vec<Rect>,
    plan: Polygon,
    ends: [Point; 2],
}

impl Rooms {
    /// Builds rooms that are turned by `degrees` around the world's origin.
    pub fn new(shape: Shape, border: Border, degrees: f64) -> Rooms {
        let Drawing { parts, mut plan, mut ends } = match shape {
            Shape::Doorway(width) => match border {
                Border::Walls(thickness) => {
                    let mut drawing = doorway(width, thickness);
                    drawing.parts = vec![Rect { min: drawing.parts[0].min, max: drawing.parts[2].max }];
                    drawing
                }
                Border::Ledges => doorway(width, BRIDGE),
            },
            Shape::Corridor(width) => corridor(width),
            Shape::Pillars => pillars(),
        };
        let mut builder = Builder::new();
        match border {
            Border::Walls(thickness) => {
                // Floors end under the walls, at their far sides.
                for Rect { min: [x0, z0], max: [x1, z1] } in parts {
                    builder.floor(rect(x0 - thickness, z0 - thickness, x1 + thickness, z1 + thickness), 0.0);
                }
                for wall in walls(&plan.outline, thickness) {
                    builder.prism(&wall, 0.0, WALL_HEIGHT);
                }
            }
            Border::Ledges => {
                for Rect { min, max } in parts {
                    builder.block([min[0], -DROP, min[1]], [max[0], 0.0, max[1]]);
                }
            }
        }
        for pillar in &plan.holes {
            builder.prism(pillar, 0.0, WALL_HEIGHT);
        }
        let mut level = builder.finish();
        let turn = turned(degrees);
        for [x, _, z] in &mut level.vertices {
            [*x, *z] = turn([*x, *z]);
        }
        for point in plan.outline.iter_mut().chain(plan.holes.iter_mut().flatten()).chain(&mut ends) {
            *point = turn(*point);
        }
        Rooms { level, plan, ends }
    }

    /// Settings whose lattice begins this part of a cell, in x and z, before the level does.
    pub fn placed(&self, settings: &Settings, part: Point) -> Settings {
        let [mut min, max] = recast::level_bounds(&[(&self.level).into()]);
        min[0] -= part[0] * settings.cell_size;
        min[2] -= part[1] * settings.cell_size;
        Settings { bounds: Some([min, max]), ..settings.clone() }
    }
}

/// The turn by an angle around the origin.
fn turned(degrees: f64) -> impl Fn(Point) -> Point {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    move |[x, z]| [cos * x - sin * z, sin * x + cos * z]
}

fn doorway(width: f64, thickness: f64) -> Drawing {
    let (d, h) = (thickness / 2.0, width / 2.0);
    let side = |s: f64| {
        [[-10.0 - d, -3.5], [-10.0 - d, 3.5], [-d, 3.5], [-d, h], [d, h], [d, 3.5]]
            .map(|p| [s * p[0], s * p[1]])
    };
    Drawing {
        parts: vec![rect(-10.0 - d, -3.5, -d, 3.5), rect(-d, -h, d, h), rect(d, -3.5, 10.0 + d, 3.5)],
        plan: Polygon { outline: [side(1.0), side(-1.0)].concat(), holes: Vec::new() },
        ends: [[-5.0, 0.0], [5.0, 0.0]],
    }
}

fn corridor(w: f64) -> Drawing {
    let (x, z) = (12.0 + w, 5.0 + w);
    Drawing {
        parts: vec![rect(0.0, 0.0, 6.0 + w, w), rect(6.0, w, 6.0 + w, 5.0), rect(6.0, 5.0, x, z)],
        plan: Polygon {
            outline: vec![
                [0.0, 0.0],
                [0.0, w],
                [6.0, w],
                [6.0, z],
                [x, z],
                [x, 5.0],
                [6.0 + w, 5.0],
                [6.0 + w, 0.0],
            ],
            holes: Vec::new(),
        },
        ends: [[w / 2.0, w / 2.0], [x - w / 2.0, z - w / 2.0]],
    }
}

fn pillars() -> Drawing {
    // A pillar, by its middle, its sides, the distance of its corners and its turn. The first is 1 m or so
    // from a wall.
    let ring = |middle: Point, sides: u32, radius: f64, degrees: f64| -> Vec<Point> {
        let corner = |side: u32| {
            let [x, z] = turned(degrees - f64::from(side) * 360.0 / f64::from(sides))([radius, 0.0]);
            [middle[0] + x, middle[1] + z]
        };
        (0..sides).map(corner).collect()
    };
    let holes = vec![
        ring([2.5, 8.4], 4, 0.55, 45.0),
        ring([7.0, 7.0], 4, 0.55, 60.0),
        ring([11.0, 6.5], 4, 0.55, 85.0),
        ring([3.0, 3.0], 24, 0.5, 0.0),
        ring([7.5, 3.0], 24, 0.4, 0.0),
        ring([11.0, 2.5], 24, 0.3, 5.0),
    ];
    Drawing {
        parts: vec![rect(0.0, 0.0, 14.0, 10.0)],
        plan: Polygon { outline: vec![[0.0, 0.0], [0.0, 10.0], [14.0, 10.0], [14.0, 0.0]], holes },
        ends: [[1.5, 1.5], [12.5, 8.5]],
    }
}

/// A wall along each side of an outline, outside of it. At a corner of the room walls meet; at a corner of a
/// wall the outline itself is the wall's.
fn walls(outline: &[Point], thickness: f64) -> Vec<[Point; 4]> {
    let count = outline.len();
    let wall = |i: usize| {
        let [before, a, b, after] = [count - 1, 0, 1, 2].map(|offset| outline[(i + offset) % count]);
        let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
        let part = thickness / libm::hypot(dx, dz);
        let (along, out) = ([dx * part, dz * part], [-dz * part, dx * part]);
        // A corner of the room if the outline turns to the right.
        let is_room = |p: Point, q: Point, r: Point| {
            (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) < 0.0
        };
        let back = if is_room(before, a, b) { 1.0 } else { 0.0 };
        let on = if is_room(a, b, after) { 1.0 } else { 0.0 };
        let from = [a[0] - back * along[0], a[1] - back * along[1]];
        let to = [b[0] + on * along[0], b[1] + on * along[1]];
        [to, from, [from[0] + out[0], from[1] + out[1]], [to[0] + out[0], to[1] + out[1]]]
    };
    (0..count).map(wall).collect()
}
