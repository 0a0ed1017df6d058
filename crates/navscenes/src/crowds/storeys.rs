//! Up and down: a link between two floors, and stairs with one storey above another.

use super::{CrowdScene, slim};
use crate::build::{Builder, Up, rect};
use recast::settings::OffMeshConnection;
use recast::{AreaId, Level, Settings};

/// A queue before a ladder.
pub(super) const LINK: CrowdScene = CrowdScene {
    name: "ladder",
    title: "30 queue at a ladder, 10 come down it",
    level: ledge,
    settings: with_ladder,
    tile_cells: None,
    crowd: r#"
seconds = 240

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "up"
count = 30
start.box = [[1, -1, 1], [10, 1, 11]]
goal.into.box = [[14, 2, 1], [23, 4, 11]]

[[agents]]
name = "down"
count = 10
start.box = [[17, 2, 1], [23, 4, 11]]
goal.into.box = [[1, -1, 1], [8, 1, 11]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
"#,
};

/// Stairs, and a gallery over them.
pub(super) const STAIRS: CrowdScene = CrowdScene {
    name: "stairs",
    title: "20 go up the stairs and 20 down, above 20 that keep still",
    level: gallery,
    settings: slim,
    tile_cells: None,
    crowd: r#"
seconds = 120

[[kind]]
name = "walker"
radius = 0.3

[[agents]]
name = "up"
count = 20
start.box = [[1, -1, 1], [9, 1, 11]]
goal.into.box = [[22, 2, 1], [29, 4, 11]]

[[agents]]
name = "down"
count = 20
start.box = [[22, 2, 1], [29, 4, 11]]
goal.into.box = [[1, -1, 1], [9, 1, 11]]

[[agents]]
name = "below"
count = 20
start.box = [[21.5, -1, 1], [29, 1, 11]]

[check]
arrived = 1.0
worst_overlap = 0.05
left_mesh = 0
mean_delay = 10
"#,
};

/// A floor, and a second floor 3 m higher.
fn ledge() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 12.0, 12.0), 0.0);
    builder.block([12.6, -0.1, 0.0], [24.0, 3.0, 12.0]);
    builder.finish()
}

fn with_ladder() -> Settings {
    let ladder = OffMeshConnection {
        start: [11.4, 0.0, 6.0],
        end: [13.2, 3.0, 6.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
        along: [0.0; 2],
    };
    Settings { off_mesh_connections: vec![ladder], ..slim() }
}

/// A hall, stairs of 3 m in width up to a storey, and the ground below it.
fn gallery() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 30.0, 12.0), 0.0);
    builder.stairs(rect(12.0, 4.5, 21.0, 7.5), Up::XMax, 0.0, 3.0, 15);
    builder.block([21.0, 2.7, 0.0], [30.0, 3.0, 12.0]);
    builder.finish()
}
