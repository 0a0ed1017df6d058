//! Small scenes, each for one feature.

use crate::build::{Builder, Up, rect};
use crate::{NamedPoint, Route, Scene, no_route, place, route};
use recast::{Level, Settings};

/// A square of ground.
pub const PLANE: Scene = Scene {
    name: "plane",
    description: "A square of level ground, 10 m on a side: the smallest bake there is.",
    level: plane,
    settings: Settings::default,
    places: &[place("south_west", [1.5, 0.0, 1.5]), place("north_east", [8.5, 0.0, 8.5])],
    routes: &[route("south_west", "north_east")],
};

/// Two rooms with a doorway between.
pub const TWO_ROOMS: Scene = Scene {
    name: "two_rooms",
    description: "Two rooms of 6 x 8 m with a doorway between them, and a third that has none.",
    level: two_rooms,
    settings: Settings::default,
    places: &[
        place("west", [2.0, 0.0, 6.0]),
        place("east", [10.0, 0.0, 6.0]),
        place("closed", [15.5, 0.0, 4.0]),
    ],
    routes: &[route("west", "east"), no_route("west", "closed")],
};

/// Ramps of five slopes.
pub const SLOPES: Scene = Scene {
    name: "slopes",
    description: "Five ramps up to platforms 2 m high: gradients of 1/4, 1/2, 24/25, 26/25 and 2. The default \
                  agent walks up the first three.",
    level: slopes,
    settings: Settings::default,
    places: &[
        place("foot", [1.5, 0.0, 1.5]),
        place("quarter", [3.5, 2.0, 16.0]),
        place("half", [8.5, 2.0, 16.0]),
        place("just_flat_enough", [13.5, 2.0, 16.0]),
        place("just_too_steep", [18.5, 2.0, 16.0]),
        place("wall_like", [23.5, 2.0, 16.0]),
    ],
    routes: SLOPE_ROUTES,
};

const SLOPE_ROUTES: &[Route] = &[
    route("foot", "quarter"),
    route("foot", "half"),
    route("foot", "just_flat_enough"),
    no_route("foot", "just_too_steep"),
    no_route("foot", "wall_like"),
];

/// Floors above floors.
pub const STOREYS: Scene = Scene {
    name: "storeys",
    description: "Three storeys of 12 x 8 m above one another, joined by two stairs that turn back.",
    level: storeys,
    settings: Settings::default,
    places: STOREY_PLACES,
    routes: &[route("ground", "first"), route("first", "second"), route("second", "ground")],
};

const STOREY_PLACES: &[NamedPoint] =
    &[place("ground", [10.0, 0.0, 1.5]), place("first", [6.0, 3.0, 1.5]), place("second", [2.0, 6.0, 1.5])];

fn plane() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 10.0, 10.0), 0.0);
    builder.finish()
}

fn two_rooms() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 18.0, 8.0), 0.0);
    // The doorway is 2.4 m wide, from z 2.8 to 5.2.
    builder.block([5.85, 0.0, 0.0], [6.15, 2.5, 2.8]);
    builder.block([5.85, 0.0, 5.2], [6.15, 2.5, 8.0]);
    builder.block([12.85, 0.0, 0.0], [13.15, 2.5, 8.0]);
    builder.finish()
}

fn slopes() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 27.0, 20.0), 0.0);
    for (index, gradient) in [0.25, 0.5, 0.96, 1.04, 2.0].into_iter().enumerate() {
        let x = 2.0 + 5.0 * index as f64;
        let length = 2.0 / gradient;
        builder.ramp(rect(x, 12.0 - length, x + 3.0, 12.0), Up::ZMax, -0.2, 0.0, 2.0);
        builder.block([x, 0.0, 12.0], [x + 3.0, 2.0, 20.0]);
    }
    builder.finish()
}

fn storeys() -> Level {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 12.0, 8.0), 0.0);
    // Each upper floor is open over the stair that leads up to it. The floor is left of the opening, right of
    // it, and next to its end.
    let mut storey = |top: f64, left: f64, right: f64, beside: [f64; 2]| {
        builder.block([0.0, top - 0.3, 0.0], [left, top, 8.0]);
        builder.block([right, top - 0.3, 0.0], [12.0, top, 8.0]);
        builder.block([left, top - 0.3, beside[0]], [right, top, beside[1]]);
    };
    storey(3.0, 2.0, 8.0, [0.0, 5.5]);
    storey(6.0, 4.0, 10.0, [2.5, 8.0]);
    builder.stairs(rect(2.0, 5.5, 8.0, 8.0), Up::XMax, 0.0, 3.0, 12);
    builder.stairs(rect(4.0, 0.0, 10.0, 2.5), Up::XMin, 3.0, 6.0, 12);
    builder.finish()
}
