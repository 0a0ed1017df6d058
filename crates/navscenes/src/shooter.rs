//! Levels like those of shooters: ledges, crates, gaps, lift shafts and roofs, where walking alone reaches
//! little.
//!
//! They are for agents that jump, drop and climb: [`agent`] is one.

use crate::build::{Builder, Up, rect};
use crate::{Scene, no_route, place, route};
use recast::{AreaId, Level, LinkKind, LinkProfile, Settings};

/// The levels.
pub fn scenes() -> &'static [Scene] {
    &[WAREHOUSE, ROOFTOPS, STATION]
}

/// An agent that drops 6 m, jumps over gaps of 3 m, and climbs 1.2 m.
pub fn agent() -> Settings {
    let settings =
        Settings { agent_radius: 0.4, agent_climb: 0.45, agent_height: 1.8, ..Settings::default() };
    Settings { cell_size: 0.2, cell_height: 0.1, links: profiles(), ..settings }
}

/// The profiles of such an agent.
pub fn profiles() -> Vec<LinkProfile> {
    let profile = |kind, height| LinkProfile { height, ..LinkProfile::new(kind) };
    vec![
        profile(LinkKind::Drop, [0.5, 6.0]),
        profile(LinkKind::Jump, [1.0, 1.0]),
        profile(LinkKind::Climb, [0.3, 1.2]),
    ]
}

/// Crates, a loading dock and a gallery.
const WAREHOUSE: Scene = Scene {
    name: "warehouse",
    description: "A hall with a loading dock, stacks of crates that are steps, a gallery that only they lead to, and an office \
                  whose roof is left by dropping.",
    level: warehouse,
    settings: agent,
    places: &[
        place("hall", [4.0, 0.0, 4.0]),
        place("dock", [27.0, 1.1, 10.0]),
        place("gallery", [15.0, 3.0, 22.5]),
        place("office_roof", [3.0, 3.0, 21.0]),
    ],
    routes: &[no_route("hall", "dock"), no_route("hall", "gallery"), route("hall", "hall")],
};

fn warehouse() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 30.0, 24.0), 0.0);
    // Walls around.
    for (min, max) in [
        ([-0.5, 0.0, -0.5], [30.5, 8.0, 0.0]),
        ([-0.5, 0.0, 24.0], [30.5, 8.0, 24.5]),
        ([-0.5, 0.0, 0.0], [0.0, 8.0, 24.0]),
        ([30.0, 0.0, 0.0], [30.5, 8.0, 24.0]),
    ] {
        builder.area(AreaId(0)).block(min, max).area(AreaId::GROUND);
    }
    // A loading dock, 1.1 m high, without a stair.
    builder.block([24.0, 0.0, 4.0], [30.0, 1.1, 18.0]);
    // Stacks of crates, each a step of 1 m, up to the gallery.
    builder.block([9.0, 0.0, 15.0], [12.0, 1.0, 18.0]);
    builder.block([9.0, 0.0, 18.0], [12.0, 2.0, 20.5]);
    builder.block([6.0, 2.8, 20.5], [24.0, 3.0, 24.0]);
    // An office whose roof is as high as the gallery, a jump away.
    builder.block([0.0, 0.0, 18.5], [4.2, 3.0, 24.0]);
    // Lone crates, low and high.
    builder.block([4.0, 0.0, 8.0], [6.4, 0.9, 10.4]);
    builder.block([15.0, 0.0, 6.0], [18.0, 1.2, 9.0]);
    builder.block([18.6, 0.0, 6.0], [21.6, 2.3, 9.0]);
    // A shelf that nothing leads to: too high to climb, too far to jump.
    builder.block([12.0, 4.9, 0.0], [16.0, 5.0, 2.0]);
    builder.finish()
}

/// Roofs above streets.
const ROOFTOPS: Scene = Scene {
    name: "rooftops",
    description: "Nine houses of many heights, 1.8 m to 2.4 m apart, one of which has a stair; streets below, and balconies.",
    level: rooftops,
    settings: agent,
    places: &[place("street", [1.0, 0.0, 1.0]), place("first_roof", [6.0, 4.0, 6.0])],
    routes: &[route("street", "first_roof")],
};

fn rooftops() -> Level {
    let mut builder = Builder::new();
    let heights = [[4.0, 4.6, 5.2], [4.4, 5.0, 4.2], [3.6, 4.4, 5.0]];
    let (columns, rows) = ([0.0, 10.6, 21.4], [0.0, 10.4, 21.0]);
    let mut houses = Vec::new();
    for (row, heights) in heights.iter().enumerate() {
        for (column, &height) in heights.iter().enumerate() {
            let (x, z) = (2.0 + columns[column], 2.0 + rows[row]);
            let house = rect(x, z, x + 8.4 + row as f64 * 0.2, z + 8.2);
            builder.block([house.min[0], 0.0, house.min[1]], [house.max[0], height, house.max[1]]);
            houses.push((house, None));
        }
    }
    // There is no ground inside the houses.
    builder.ground(rect(-4.0, -6.0, 40.0, 40.0), 0.0, &houses);
    builder.stairs(rect(2.0, -6.0, 4.4, 2.0), Up::ZMax, 0.0, 4.0, 20);
    // Balconies, half way down.
    builder.block([10.4, 2.2, 5.0], [11.6, 2.4, 8.0]);
    builder.block([20.4, 1.8, 14.0], [22.4, 2.0, 18.0]);
    // A chimney that blocks jumps.
    builder.area(AreaId(0)).block([3.0, 4.0, 9.2], [6.0, 7.0, 10.2]).area(AreaId::GROUND);
    builder.finish()
}

/// Tracks, platforms and a lift shaft.
const STATION: Scene = Scene {
    name: "station",
    description: "Two platforms above tracks, a bridge over them that a lift shaft leads to, whose lift is not there, with ledges \
                  inside, and a pit between rails.",
    level: station,
    settings: agent,
    places: &[
        place("platform", [4.0, 1.0, 4.0]),
        place("tracks", [10.0, 0.0, 14.0]),
        place("far_platform", [18.0, 1.0, 4.0]),
        place("bridge", [11.0, 5.0, 24.0]),
    ],
    routes: &[
        no_route("platform", "tracks"),
        no_route("platform", "far_platform"),
        no_route("platform", "bridge"),
    ],
};

fn station() -> Level {
    let mut builder = Builder::new();
    let pit = rect(9.0, 4.0, 12.0, 8.0);
    builder.ground(rect(0.0, 0.0, 22.0, 30.0), 0.0, &[(pit, None)]);
    builder.floor(pit, -0.9);
    builder.block([9.0, -2.0, 4.0], [12.0, -0.9, 8.0]);
    for (min, max) in [
        ([8.7, -2.0, 3.7], [12.3, -0.02, 4.0]),
        ([8.7, -2.0, 8.0], [12.3, -0.02, 8.3]),
        ([8.7, -2.0, 4.0], [9.0, -0.02, 8.0]),
        ([12.0, -2.0, 4.0], [12.3, -0.02, 8.0]),
    ] {
        builder.area(AreaId(0)).block(min, max).area(AreaId::GROUND);
    }
    // Platforms, and a stage in the middle of the tracks, so that crossing them takes two jumps.
    builder.block([0.0, 0.0, 0.0], [7.0, 1.0, 20.0]);
    builder.block([15.0, 0.0, 0.0], [22.0, 1.0, 20.0]);
    builder.block([9.6, 0.0, 16.0], [12.4, 1.0, 20.0]);
    // The bridge, and the shaft with ledges at 1.1 m, 2.1 m, 3.1 m, 4.1 m.
    builder.block([0.0, 4.8, 22.0], [22.0, 5.0, 26.0]);
    builder.block([2.0, 0.0, 26.4], [4.4, 1.1, 29.6]);
    builder.block([4.4, 0.0, 26.4], [6.8, 2.1, 29.6]);
    builder.block([6.8, 0.0, 26.4], [9.2, 3.1, 29.6]);
    builder.block([9.2, 0.0, 26.4], [11.6, 4.1, 29.6]);
    builder.area(AreaId(0));
    builder.block([1.6, 0.0, 26.4], [2.0, 7.0, 30.0]);
    builder.block([11.6, 0.0, 26.4], [12.0, 7.0, 30.0]);
    builder.block([1.6, 0.0, 29.6], [12.0, 7.0, 30.0]);
    builder.area(AreaId::GROUND);
    // A stair from one platform to a landing that is one jump from the bridge.
    builder.stairs(rect(16.0, 12.0, 18.4, 20.0), Up::ZMax, 1.0, 4.2, 16);
    builder.finish()
}
