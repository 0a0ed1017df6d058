//! Streams that meet where there is room: a ring, a crossing, corridors.

use super::{CrowdScene, slim};
use crate::build::{Builder, rect};
use recast::Level;

/// A circle that swaps sides.
pub(super) const RING: CrowdScene = CrowdScene {
    name: "ring",
    title: "A ring of 100 swaps sides",
    level: || floor(36.0, 36.0),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 90

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "ring"
count = 100
start.ring = { centre = [18, 0, 18], radius = 16 }
goal.opposite = [18, 0, 18]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
mean_delay = 10
"#,
};

/// Two streams at right angles.
pub(super) const CROSSING: CrowdScene = CrowdScene {
    name: "crossing",
    title: "Two streams of 200 cross at right angles",
    level: || floor(60.0, 60.0),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 90

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "eastward"
count = 200
start.box = [[2, -1, 21], [16, 1, 39]]
goal.shift = [42, 0, 0]

[[agents]]
name = "southward"
count = 200
start.box = [[21, -1, 2], [39, 1, 16]]
goal.shift = [0, 0, 42]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
mean_delay = 20
"#,
};

/// Two streams in opposite directions.
pub(super) const CORRIDOR: CrowdScene = CrowdScene {
    name: "corridor",
    title: "Two streams of 40 meet in a corridor of 4.5 m",
    level: || floor(54.0, 4.5),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 120

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "eastward"
count = 40
start.box = [[1, -1, 0.5], [16, 1, 4]]
goal.shift = [36, 0, 0]

[[agents]]
name = "westward"
count = 40
start.box = [[38, -1, 0.5], [53, 1, 4]]
goal.shift = [-36, 0, 0]

[[gate]]
name = "middle"
line = [[27, 0, 0], [27, 0, 4.5]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
mean_delay = 15
"#,
};

/// Fast agents behind slow agents.
pub(super) const OVERTAKING: CrowdScene = CrowdScene {
    name: "overtaking",
    title: "30 that run overtake 30 that stroll",
    level: || floor(66.0, 6.0),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 90

[[kind]]
name = "stroller"
radius = 0.3
speed = 0.8

[[kind]]
name = "runner"
radius = 0.3
speed = 2.5

[[agents]]
name = "strollers"
kind = "stroller"
count = 30
start.box = [[13, -1, 0.5], [25, 1, 5.5]]
goal.shift = [30, 0, 0]

[[agents]]
name = "runners"
kind = "runner"
count = 30
start.box = [[1, -1, 0.5], [11, 1, 5.5]]
goal.shift = [54, 0, 0]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
mean_delay = 5
"#,
};

fn floor(width: f64, depth: f64) -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, width, depth), 0.0);
    builder.finish()
}
