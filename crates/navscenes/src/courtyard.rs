//! The courtyard: 40 x 30 m with every feature that a bake must handle, each in one place.

use crate::build::{Builder, Rect, Up, rect};
use crate::{NamedPoint, Route, Scene, no_route, place, route};
use recast::volume::{Shape, Volume};
use recast::{AreaDefinition, AreaId, Level, Settings};

/// The courtyard.
pub const SCENE: Scene = Scene {
    name: "courtyard",
    description: "A walled courtyard of 40 x 30 m: stairs and a ramp up to a terrace, a bridge over a path, a \
                  hall behind a doorway, a passage too low for the default agent, a garden with a stream and \
                  a pit, pillars, crates, a rail to step over; areas of triangles (mud, water) and of volumes (a \
                  lawn, and a fountain that nobody walks through).",
    level,
    settings,
    places: PLACES,
    routes: ROUTES,
};

const PLACES: &[NamedPoint] = &[
    place("gate", [2.5, 0.0, 2.5]),
    place("terrace", [5.0, 3.0, 27.0]),
    place("gallery", [25.8, 3.0, 28.3]),
    place("behind_bridge", [16.0, 0.0, 28.5]),
    place("hall", [34.0, 0.0, 5.0]),
    place("garden", [30.0, 0.0, 28.0]),
    place("pit", [35.0, -3.0, 24.0]),
];

const ROUTES: &[Route] = &[
    route("gate", "terrace"),
    route("gate", "gallery"),
    route("gate", "behind_bridge"),
    route("gate", "hall"),
    route("hall", "garden"),
    route("gallery", "garden"),
    no_route("gate", "pit"),
];

/// Area of the mud: slow, cost 3.
pub const MUD: AreaId = AreaId(2);
/// Area of the stream: cost 8, flag 2 on top of flag 1, so that a filter can exclude it.
pub const WATER: AreaId = AreaId(3);
/// Area of the lawn: cost 1.5.
pub const LAWN: AreaId = AreaId(4);

/// The outlines of the solids from the ground to the upper storey, and of the solids that lead up to it.
const TERRACE: Rect = rect(0.0, 20.0, 11.0, 30.0);
const GALLERY: Rect = rect(21.0, 24.0, 27.6, 30.0);
const RAMP: Rect = rect(1.0, 12.0, 4.0, 20.0);
const STAIRS: Rect = rect(11.0, 20.5, 15.5, 23.0);
/// Height of walls: more than a climb above the terrace.
const WALL: f64 = 4.5;
/// Height of the terrace, the bridge and the gallery.
const UPPER: f64 = 3.0;
/// Clearance of the low passage: less than the default agent's 2 m.
const LOW: f64 = 1.6;

/// The settings: the defaults, with areas and volumes.
pub fn settings() -> Settings {
    let area = |id, name: &str, flags, cost| AreaDefinition { flags, cost, ..AreaDefinition::new(id, name) };
    Settings {
        areas: vec![
            area(MUD, "mud", 1, 3.0),
            area(WATER, "water", 3, 8.0),
            area(LAWN, "lawn", 1, 1.5),
            AreaDefinition::ground(),
        ],
        volumes: volumes(),
        ..Settings::default()
    }
}

/// A lawn of five corners, and a round fountain on it without any ground.
fn volumes() -> Vec<Volume> {
    let outline = vec![[16.0, 8.0], [17.0, 14.5], [24.5, 15.0], [26.0, 10.0], [21.0, 5.5]];
    let lawn = Shape::Prism { outline, bottom: -0.5, top: 1.0 };
    let fountain = Shape::Cylinder { base: [21.0, -0.5, 10.0], radius: 1.6, height: 1.5 };
    vec![Volume { shape: lawn, area: LAWN }, Volume { shape: fountain, area: AreaId::NULL }]
}

/// The level.
pub fn level() -> Level {
    let mut builder = Builder::new();
    ground_and_pit(&mut builder);
    outer_walls(&mut builder);
    upper_storey(&mut builder);
    hall_and_garden_walls(&mut builder);
    obstacles(&mut builder);
    builder.finish()
}

fn ground_and_pit(builder: &mut Builder) {
    let pit = rect(33.0, 22.0, 37.0, 26.0);
    let patches = [
        (rect(5.0, 4.0, 15.0, 9.0), Some(MUD)),
        (rect(28.0, 18.0, 40.0, 20.0), Some(WATER)),
        (pit, None),
        // Under solids there is no ground: they are hollow, and agents would walk inside them.
        (TERRACE, None),
        (GALLERY, None),
        (rect(STAIRS.min[0], STAIRS.min[1], STAIRS.max[0] - 0.4, STAIRS.max[1]), None),
        (rect(RAMP.min[0], RAMP.min[1] + 0.5, RAMP.max[0], RAMP.max[1]), None),
    ];
    builder.ground(rect(0.0, 0.0, 40.0, 30.0), 0.0, &patches);
    let ([x0, z0], [x1, z1], depth) = (pit.min, pit.max, -3.0);
    builder.floor(pit, depth);
    // The pit's sides face inwards.
    builder.quad([[x0, depth, z0], [x1, depth, z0], [x1, 0.0, z0], [x0, 0.0, z0]]);
    builder.quad([[x1, depth, z1], [x0, depth, z1], [x0, 0.0, z1], [x1, 0.0, z1]]);
    builder.quad([[x0, depth, z1], [x0, depth, z0], [x0, 0.0, z0], [x0, 0.0, z1]]);
    builder.quad([[x1, depth, z0], [x1, depth, z1], [x1, 0.0, z1], [x1, 0.0, z0]]);
}

/// Walls half a metre thick. Their inner faces are 0.5 m from the corner of the bounds, and everything else
/// is on whole metres from there. So some faces are exactly on lines between rows or columns, as in levels
/// that are built on a grid.
fn outer_walls(builder: &mut Builder) {
    builder.block([-0.5, 0.0, -0.5], [40.5, WALL, 0.0]);
    builder.block([-0.5, 0.0, 30.0], [40.5, WALL, 30.5]);
    builder.block([-0.5, 0.0, 0.0], [0.0, WALL, 30.0]);
    builder.block([40.0, 0.0, 0.0], [40.5, WALL, 30.0]);
}

/// Terrace, the two paths up to it, the bridge and the gallery beyond it.
fn upper_storey(builder: &mut Builder) {
    builder.wedge(TERRACE, 0.0, [UPPER; 4]);
    builder.ramp(RAMP, Up::ZMax, -0.2, 0.0, UPPER);
    builder.stairs(STAIRS, Up::XMin, 0.0, UPPER, 10);
    builder.block([11.0, UPPER - 0.4, 24.0], [21.0, UPPER, 27.0]);
    builder.wedge(GALLERY, 0.0, [UPPER; 4]);
    // A post on the gallery: a hole in a region.
    builder.pillar([24.1, 27.2], 0.2, UPPER, WALL);
}

fn hall_and_garden_walls(builder: &mut Builder) {
    let (west, east, south, north) = (27.6, 28.0, 12.0, 12.4);
    // The hall's west wall with a doorway, 2.2 m wide and 2.6 m high.
    builder.block([west, 0.0, 0.0], [east, WALL, 4.0]);
    builder.block([west, 2.6, 4.0], [east, WALL, 6.2]);
    builder.block([west, 0.0, 6.2], [east, WALL, 14.0]);
    // The garden's west wall, open from z 14 to 17.
    builder.block([west, 0.0, 17.0], [east, WALL, 30.0]);
    // The wall between hall and garden, with the low passage.
    builder.block([east, 0.0, south], [33.0, WALL, north]);
    builder.block([33.0, LOW, south], [35.4, WALL, north]);
    builder.block([35.4, 0.0, south], [40.0, WALL, north]);
}

fn obstacles(builder: &mut Builder) {
    for middle in [[18.0, 7.0], [24.0, 7.0], [18.0, 13.0], [24.0, 13.0]] {
        builder.pillar(middle, 0.6, 0.0, 3.5);
    }
    // A low crate that can be climbed, a high crate that cannot, and a wall that is not parallel to an axis.
    builder.block([8.0, 0.0, 13.0], [11.0, 0.7, 16.0]);
    builder.block([31.0, 0.0, 7.0], [33.0, 1.4, 9.0]);
    builder.prism(&[[6.0, 11.5], [14.0, 10.5], [14.0, 10.0], [6.0, 11.0]], 0.0, 2.0);
    // A rail to step over: it is above the ground without support, and its top is too steep to walk on.
    builder.wedge(rect(6.0, 17.3, 13.0, 17.5), 0.45, [0.5, 0.5, 0.85, 0.85]);
    builder.wedge(rect(6.0, 17.5, 13.0, 17.7), 0.45, [0.85, 0.85, 0.5, 0.5]);
    // A plank over the stream.
    builder.block([29.5, 0.1, 17.4], [31.9, 0.3, 20.6]);
}
