//! Groups that pass doors and bends.

use super::{CrowdScene, slim};
use crate::build::{Builder, rect};
use recast::Level;

/// Lanes, one for each formation.
const LANES: u32 = 5;
/// Depth of a lane, metres.
const DEPTH: f64 = 12.0;

/// Twelve agents in each formation.
pub(super) const FORMATIONS: CrowdScene = CrowdScene {
    name: "formations",
    title: "Twelve in each formation, a door and a bend",
    level: lanes,
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 120

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "line leader"
start.places = [[7, 0, 6]]
goal.place = [38, 0, 6]
[[agents]]
name = "line"
count = 11
start.box = [[1, -1, 3], [6, 1, 9]]
follow = { leader = "line leader", formation = "line", spacing = 0.9 }

[[agents]]
name = "column leader"
start.places = [[7, 0, 18]]
goal.place = [40, 0, 18]
[[agents]]
name = "column"
count = 11
start.box = [[1, -1, 15], [6, 1, 21]]
follow = { leader = "column leader", formation = "column", spacing = 0.9 }

[[agents]]
name = "wedge leader"
start.places = [[7, 0, 30]]
goal.place = [40, 0, 30]
[[agents]]
name = "wedge"
count = 11
start.box = [[1, -1, 27], [6, 1, 33]]
follow = { leader = "wedge leader", formation = "wedge", spacing = 0.9 }

[[agents]]
name = "box leader"
start.places = [[7, 0, 42]]
goal.place = [38, 0, 42]
[[agents]]
name = "box"
count = 11
start.box = [[1, -1, 39], [6, 1, 45]]
follow = { leader = "box leader", formation = "box", spacing = 0.9 }

[[agents]]
name = "own leader"
start.places = [[7, 0, 54]]
goal.place = [38, 0, 54]
[[agents]]
name = "own"
count = 11
start.box = [[1, -1, 51], [6, 1, 57]]
[agents.follow]
leader = "own leader"
formation.own = [
    [-1.2, 0], [1.2, 0], [-2.4, 0], [2.4, 0], [-1.8, -1.2], [-0.6, -1.2], [0.6, -1.2], [1.8, -1.2],
    [-1.2, -2.4], [0, -2.4], [1.2, -2.4],
]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
"#,
};

/// Lanes next to each other, each with a room, a door of 1.2 m, a room, an opening of 3 m at one side, and a
/// room.
fn lanes() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 45.0, DEPTH * f64::from(LANES)), 0.0);
    let mut wall = |x: f64, from: f64, to: f64| {
        builder.block([x, -0.1, from], [x + 0.6, 3.0, to]);
    };
    for lane in 0..LANES {
        let z = DEPTH * f64::from(lane);
        wall(12.0, z, z + 5.4);
        wall(12.0, z + 6.6, z + DEPTH);
        wall(24.0, z, z + DEPTH - 3.6);
    }
    for lane in 1..LANES {
        let z = DEPTH * f64::from(lane);
        builder.block([0.0, -0.1, z - 0.3], [45.0, 3.0, z + 0.3]);
    }
    builder.finish()
}
