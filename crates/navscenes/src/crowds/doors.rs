//! Many agents at a door.

use super::{CrowdScene, slim};
use crate::build::{Builder, rect};
use recast::Level;

/// A door for one agent at a time.
pub(super) const ONE_WIDE: CrowdScene = CrowdScene {
    name: "door_one",
    title: "300 through a door of one agent's width",
    level: || halls(24.0, 0.9),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 300

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "guests"
count = 300
start.box = [[1, -1, 1], [23, 1, 23]]
goal.into.box = [[26, -1, 1], [48, 1, 23]]

[[gate]]
name = "door"
line = [[24.6, 0, 11.55], [24.6, 0, 12.45]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
flow = { door = 1.2 }
"#,
};

/// A door for two agents at a time.
pub(super) const TWO_WIDE: CrowdScene = CrowdScene {
    name: "door_two",
    title: "300 through a door of two agents' width",
    level: || halls(24.0, 1.2),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 300

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "guests"
count = 300
start.box = [[1, -1, 1], [23, 1, 23]]
goal.into.box = [[26, -1, 1], [48, 1, 23]]

[[gate]]
name = "door"
line = [[24.6, 0, 11.4], [24.6, 0, 12.6]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
flow = { door = 1.8 }
"#,
};

/// A hall that empties.
pub(super) const EXIT: CrowdScene = CrowdScene {
    name: "exit",
    title: "1,000 leave a hall by an exit of 3 m",
    level: || halls(30.0, 3.0),
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 300

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "crowd"
count = 1000
start.box = [[0.5, -1, 0.5], [29.5, 1, 29.5]]
goal.into.box = [[31.5, -1, 0.5], [60, 1, 29.5]]

[[gate]]
name = "exit"
line = [[30.6, 0, 13.5], [30.6, 0, 16.5]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
flow = { exit = 2.8 }
"#,
};

/// Two square halls, with a door in the wall of 0.6 m between them.
fn halls(side: f64, door: f64) -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 2.0 * side + 0.6, side), 0.0);
    for (from, to) in [(0.0, (side - door) / 2.0), ((side + door) / 2.0, side)] {
        builder.block([side, -0.1, from], [side + 0.6, 3.0, to]);
    }
    builder.finish()
}
