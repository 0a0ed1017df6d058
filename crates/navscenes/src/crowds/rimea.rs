//! The tests of RiMEA, the guideline for evacuation models, that are a level and a crowd. Tests 4 and 7
//! (speeds over density, and of a population) are tests of their crates; test 8 has no expected result.
//!
//! Source: RiMEA e.V., Richtlinie für mikroskopische Entfluchtungsanalysen, version 3 (2016).

use super::CrowdScene;
use crate::build::{Builder, Up, rect};
use recast::{AreaId, Level, Settings};

const STAIRS: AreaId = AreaId(9);

/// All of them, in the order of their numbers.
pub fn all() -> &'static [CrowdScene] {
    &[
        CORRIDOR, UP, DOWN, REACTION, CORNER, FOUR_EXITS, TWO_EXITS, CABINS, CHOICE, BOTTLENECK, TO_STAIRS,
        ROUTES,
    ]
}

/// The kind of all people: of the speeds of a population, or of a speed of their own.
macro_rules! people {
    () => {
        people!("{ mean = 1.34, deviation = 0.26, least = 0.6, most = 2.1 }")
    };
    ($speed:literal) => {
        concat!("\n[[kind]]\nname = \"person\"\nradius = 0.2\nflow = \"people\"\nspeed = ", $speed, "\n")
    };
}

/// A scene of people.
const fn scene(
    name: &'static str,
    title: &'static str,
    level: fn() -> Level,
    crowd: &'static str,
) -> CrowdScene {
    CrowdScene { name, title, level, settings: people, tile_cells: None, crowd }
}

/// Settings for people of 0.2 m.
fn people() -> Settings {
    Settings { agent_radius: 0.2, cell_size: 0.1, cell_height: 0.1, ..Settings::default() }
}

const CORRIDOR: CrowdScene = scene(
    "rimea_01",
    "1: a person walks 40 m at 1.33 m/s",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 41.0, 2.0), 0.0);
        builder.finish()
    },
    concat!(
        "seconds = 60\n",
        people!("1.33"),
        r#"
[[agents]]
start.places = [[0.5, 0, 1]]
goal.place = [40.5, 0, 1]

[check]
arrived = 1.0
least_seconds = 26
seconds = 34
"#
    ),
);

/// Stairs of 10 m, measured along them, between two landings.
fn flight() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 2.0, 2.0), 0.0).floor(rect(10.66, 0.0, 12.66, 2.0), 5.0);
    builder.area(STAIRS).stairs(rect(2.0, 0.0, 10.66, 2.0), Up::XMax, 0.0, 5.0, 29);
    builder.finish()
}

const UP: CrowdScene = scene(
    "rimea_02",
    "2: a person walks up stairs of 10 m at 0.6 of its speed",
    flight,
    concat!(
        "seconds = 60\n",
        people!("1.33"),
        r#"area_speed = { 9 = [0.6, 0.7] }

[[agents]]
start.places = [[1.5, 0, 1]]
goal.place = [11.16, 5, 1]

[check]
arrived = 1.0
least_seconds = 10.5
seconds = 12.5
"#
    ),
);

const DOWN: CrowdScene = scene(
    "rimea_03",
    "3: a person walks down stairs of 10 m at 0.7 of its speed",
    flight,
    concat!(
        "seconds = 60\n",
        people!("1.33"),
        r#"area_speed = { 9 = [0.6, 0.7] }

[[agents]]
start.places = [[11.16, 5, 1]]
goal.place = [1.5, 0, 1]

[check]
arrived = 1.0
least_seconds = 9.0
seconds = 11
"#
    ),
);

/// Two floors with a wall at x = 8 and a door of 1 m in it.
fn room() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 8.0, 5.0), 0.0).floor(rect(8.2, -3.0, 20.0, 8.0), 0.0);
    builder.floor(rect(8.0, 2.0, 8.2, 3.0), 0.0);
    builder.finish()
}

const REACTION: CrowdScene = scene(
    "rimea_05",
    "5: ten people set out after 10 to 100 s",
    room,
    concat!(
        "seconds = 150\n",
        people!("1.33"),
        r#"reaction = { mean = 55, deviation = 100, least = 10, most = 100 }

[[agents]]
count = 10
start.box = [[0.5, -1, 0.5], [5, 1, 4.5]]
goal.into.box = [[12, -1, -2], [19, 1, 7]]

[check]
arrived = 1.0
least_seconds = 70
seconds = 115
mean_delay = 1.0
"#
    ),
);

const CORNER: CrowdScene = scene(
    "rimea_06",
    "6: 20 people walk around a corner",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 12.0, 2.0), 0.0).floor(rect(10.0, 2.0, 12.0, 20.0), 0.0);
        builder.finish()
    },
    concat!(
        "seconds = 90\n",
        people!(),
        r#"
[[agents]]
count = 20
start.box = [[0.3, -1, 0.3], [6, 1, 1.7]]
goal.into.box = [[10.3, -1, 12], [11.7, 1, 19.7]]

[check]
arrived = 1.0
left_mesh = 0
worst_overlap = 0.05
"#
    ),
);

/// A hall of 30 m by 20 m with exits of 1 m, two in each of these walls, and ground outside.
fn hall(walls: &[f64]) -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 30.0, 20.0), 0.0);
    builder.floor(rect(-5.0, -22.0, 35.0, -0.2), 0.0).floor(rect(-5.0, 20.2, 35.0, 42.0), 0.0);
    for z in walls {
        builder.floor(rect(7.0, *z, 8.0, z + 0.2), 0.0).floor(rect(22.0, *z, 23.0, z + 0.2), 0.0);
    }
    builder.finish()
}

const FOUR_EXITS: CrowdScene = scene(
    "rimea_09a",
    "9: 1,000 people leave a hall by four exits",
    || hall(&[-0.2, 20.0]),
    concat!(
        "seconds = 600\nrate = 20\n",
        people!(),
        r#"
[[agents]]
count = 500
start.box = [[0.3, -1, 0.3], [29.7, 1, 10]]
goal.into.box = [[-4, -1, -21], [34, 1, -8]]

[[agents]]
count = 500
start.box = [[0.3, -1, 10], [29.7, 1, 19.7]]
goal.into.box = [[-4, -1, 28], [34, 1, 41]]

[[gate]]
name = "exit"
line = [[7, 0, -0.1], [8, 0, -0.1]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const TWO_EXITS: CrowdScene = scene(
    "rimea_09b",
    "9: the same by two exits",
    || hall(&[-0.2]),
    concat!(
        "seconds = 900\nrate = 20\n",
        people!(),
        r#"
[[agents]]
count = 1000
start.box = [[0.3, -1, 0.3], [29.7, 1, 19.7]]
goal.into.box = [[-4, -1, -21], [34, 1, -5]]

[[gate]]
name = "exit"
line = [[7, 0, -0.1], [8, 0, -0.1]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const CABINS: CrowdScene = scene(
    "rimea_10",
    "10: 23 people leave their cabins by the exits that they are assigned",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 4.0, 24.0, 6.0), 0.0).floor(rect(24.0, 0.0, 34.0, 10.0), 0.0);
        builder.floor(rect(-10.0, 0.0, 0.0, 10.0), 0.0);
        for cabin in 0..6 {
            let x = f64::from(cabin) * 4.0;
            for (low, high, door) in [(0.0, 3.8, 3.8), (6.2, 10.0, 6.0)] {
                builder.floor(rect(x + 0.1, low, x + 3.9, high), 0.0);
                builder.floor(rect(x + 1.5, door, x + 2.4, door + 0.2), 0.0);
            }
        }
        builder.finish()
    },
    concat!(
        "seconds = 120\n",
        people!(),
        r#"
[[agents]]
name = "main exit"
count = 15
start.box = [[0.3, -1, 0.3], [15.7, 1, 3.4]]
goal.into.box = [[25, -1, 1], [33, 1, 9]]

[[agents]]
name = "second exit"
count = 8
start.box = [[16.3, -1, 6.5], [23.7, 1, 9.7]]
goal.into.box = [[-9, -1, 1], [-1, 1, 9]]

[[gate]]
name = "main"
line = [[24, 0, 4], [24, 0, 6]]

[[gate]]
name = "second"
line = [[0, 0, 4], [0, 0, 6]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const CHOICE: CrowdScene = scene(
    "rimea_11",
    "11: 1,000 people next to one of two exits",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 30.0, 20.0), 0.0);
        // Behind each exit, ground that the other does not lead to.
        builder.floor(rect(-5.0, -30.0, 17.5, -0.2), 0.0).floor(rect(18.5, -30.0, 41.0, -0.2), 0.0);
        builder.floor(rect(9.0, -0.2, 10.0, 0.0), 0.0).floor(rect(26.0, -0.2, 27.0, 0.0), 0.0);
        builder.finish()
    },
    concat!(
        "seconds = 900\nrate = 20\n",
        people!(),
        r#"
[[agents]]
count = 1000
start.box = [[0.3, -1, 0.3], [20, 1, 19.7]]
goal.exits = [{ place = [9.5, 0, -15], rate = 1.3 }, { place = [26.5, 0, -15], rate = 1.3 }]

[[gate]]
name = "near"
line = [[9, 0, -0.1], [10, 0, -0.1]]

[[gate]]
name = "far"
line = [[26, 0, -0.1], [27, 0, -0.1]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const BOTTLENECK: CrowdScene = scene(
    "rimea_12",
    "12: 150 people through a corridor of 1 m into a room with an exit of 1 m",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 10.0, 10.0), 0.0).floor(rect(10.0, 4.5, 15.0, 5.5), 0.0);
        builder.floor(rect(15.0, 0.0, 25.0, 10.0), 0.0).floor(rect(25.0, 4.5, 25.2, 5.5), 0.0);
        builder.floor(rect(25.2, -5.0, 45.0, 15.0), 0.0);
        builder.finish()
    },
    concat!(
        "seconds = 400\n",
        people!(),
        r#"
[[agents]]
count = 150
start.box = [[0.3, -1, 0.3], [8, 1, 9.7]]
goal.into.box = [[30, -1, -4], [44, 1, 14]]

[[gate]]
name = "corridor"
line = [[10, 0, 4.5], [10, 0, 5.5]]

[[gate]]
name = "exit"
line = [[25.1, 0, 4.5], [25.1, 0, 5.5]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const TO_STAIRS: CrowdScene = scene(
    "rimea_13",
    "13: 150 people from a room through a corridor to stairs",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 8.0, 10.0), 0.0).floor(rect(8.0, 4.0, 20.0, 6.0), 0.0);
        builder.area(STAIRS).stairs(rect(20.0, 4.0, 28.0, 6.0), Up::XMax, 0.0, 4.0, 25);
        builder.area(AreaId::GROUND).floor(rect(28.0, -5.0, 48.0, 15.0), 4.0);
        builder.finish()
    },
    concat!(
        "seconds = 400\n",
        people!(),
        r#"area_speed = { 9 = [0.5, 0.6] }

[[agents]]
count = 150
start.box = [[0.3, -1, 0.3], [7, 1, 9.7]]
goal.into.box = [[32, 3, -4], [47, 5, 14]]

[[gate]]
name = "corridor"
line = [[8.5, 0, 4], [8.5, 0, 6]]

[[gate]]
name = "stairs"
line = [[24, 2, 4], [24, 2, 6]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);

const ROUTES: CrowdScene = scene(
    "rimea_14",
    "14: the short route over stairs, or the long one on the level",
    || {
        let mut builder = Builder::new();
        builder.floor(rect(0.0, 0.0, 4.0, 30.0), 0.0).floor(rect(26.0, 0.0, 30.0, 30.0), 0.0);
        builder.floor(rect(4.0, 26.0, 26.0, 30.0), 0.0);
        builder.area(STAIRS).stairs(rect(4.0, 0.0, 10.0, 2.0), Up::XMax, 0.0, 3.0, 18);
        builder.stairs(rect(20.0, 0.0, 26.0, 2.0), Up::XMin, 0.0, 3.0, 18);
        builder.area(AreaId::GROUND).floor(rect(10.0, 0.0, 20.0, 2.0), 3.0);
        builder.finish()
    },
    concat!(
        "seconds = 200\n",
        people!(),
        r#"area_speed = { 9 = [0.5, 0.6] }
cost = { 9 = 1.8 }

[[agents]]
count = 50
start.box = [[0.3, -1, 0.3], [3.7, 1, 29.7]]
goal.into.box = [[26.3, -1, 0.3], [29.7, 1, 29.7]]

[[gate]]
name = "stairs"
line = [[15, 3, 0], [15, 3, 2]]

[[gate]]
name = "level"
line = [[15, 0, 26], [15, 0, 30]]

[check]
arrived = 1.0
left_mesh = 0
"#
    ),
);
