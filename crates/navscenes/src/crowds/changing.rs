//! Moving targets, doors that shut and tiles that are removed.

use super::{CrowdScene, slim};
use crate::build::{Builder, rect};
use recast::{AreaDefinition, AreaId, Level, Settings};

/// The area of doors.
const DOOR: AreaId = AreaId(7);
/// Side of a room, metres.
const ROOM: f64 = 12.0;
/// Rooms along a side.
const ROOMS_A_SIDE: u32 = 3;

/// A hunt.
pub(super) const MAZE: CrowdScene = CrowdScene {
    name: "maze",
    title: "20 hunt a quarry in a maze",
    level: maze,
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 90

[[kind]]
name = "hunter"
radius = 0.3
speed = 2.5
stopping_distance = 1.5

[[kind]]
name = "hunted"
radius = 0.3
speed = 1.5
priority = 1

[[agents]]
name = "quarry"
kind = "hunted"
start.places = [[15, 0, 28]]
goal.patrol = [[2, 0, 28], [2, 0, 2], [28, 0, 2], [28, 0, 28]]

[[agents]]
name = "pack"
kind = "hunter"
count = 20
start.box = [[0.5, -1, 0.5], [7, 1, 3]]
goal.chase = "quarry"
at = 2.0

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
"#,
};

/// Rooms whose doors shut while tiles are added and removed.
pub(super) const ROOMS: CrowdScene = CrowdScene {
    name: "rooms",
    title: "500 walk while doors shut and tiles are swapped",
    level: rooms,
    settings: with_doors,
    tile_cells: Some(80),
    crowd: r#"
seconds = 300

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "walkers"
count = 500
start.box = [[0.5, -1, 0.5], [35.5, 1, 35.5]]
goal.into.box = [[0.5, -1, 0.5], [35.5, 1, 35.5]]

[[door]]
box = [[11.4, -1, 4], [12.6, 1, 8]]
shut = [[5, 20], [40, 50]]

[[door]]
box = [[23.4, -1, 16], [24.6, 1, 20]]
shut = [[10, 30]]

[[door]]
box = [[11.4, -1, 28], [12.6, 1, 32]]
shut = [[25, 45]]

[[tile]]
at = [1, 1, 0]
gone = [[8, 9], [35, 38]]
replaced = [15, 16, 17]

[[tile]]
at = [0, 2, 0]
replaced = [5, 10, 20]

[[gate]]
name = "west"
line = [[12, 0, 0], [12, 0, 36]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
"#,
};

/// Walls alternately from either side.
fn maze() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 30.0, 30.0), 0.0);
    for (index, x) in [4.5, 9.0, 13.5, 18.0, 22.5].into_iter().enumerate() {
        let z = if index % 2 == 0 { [3.6, 24.0] } else { [6.0, 26.4] };
        // With an opening in the middle, so that there is more than one path.
        builder.block([x, -0.1, z[0]], [x + 0.6, 3.0, 13.8]);
        builder.block([x, -0.1, 16.2], [x + 0.6, 3.0, z[1]]);
    }
    for (from, to) in [(5.1, 9.0), (18.6, 22.5)] {
        builder.block([from, -0.1, 9.0], [to, 3.0, 9.6]);
    }
    builder.finish()
}

/// Three rooms by three, with doors of 2.4 m in every wall between them.
fn rooms() -> Level {
    let side = ROOM * f64::from(ROOMS_A_SIDE);
    let mut builder = Builder::new();
    let mut doors = Vec::new();
    for wall in 1..ROOMS_A_SIDE {
        let at = ROOM * f64::from(wall);
        for room in 0..ROOMS_A_SIDE {
            let middle = ROOM * (f64::from(room) + 0.5);
            let (from, to) = (middle - 1.2, middle + 1.2);
            doors.push((rect(at - 0.3, from, at + 0.3, to), Some(DOOR)));
            doors.push((rect(from, at - 0.3, to, at + 0.3), Some(DOOR)));
        }
    }
    builder.ground(rect(0.0, 0.0, side, side), 0.0, &doors);
    for wall in 1..ROOMS_A_SIDE {
        let at = ROOM * f64::from(wall);
        for room in 0..ROOMS_A_SIDE {
            let start = ROOM * f64::from(room);
            for (from, to) in [(start, start + ROOM / 2.0 - 1.2), (start + ROOM / 2.0 + 1.2, start + ROOM)] {
                builder.block([at - 0.3, -0.1, from], [at + 0.3, 3.0, to]);
                builder.block([from, -0.1, at - 0.3], [to, 3.0, at + 0.3]);
            }
        }
    }
    builder.finish()
}

fn with_doors() -> Settings {
    Settings { areas: vec![AreaDefinition::new(DOOR, "door"), AreaDefinition::ground()], ..slim() }
}
