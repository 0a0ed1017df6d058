//! Explanations of places in rooms whose free ground is known, with exact outlines.

use navexplain::{Change, Column, Explanation, Location, Reason, ReasonCode, explain, explain_tiled};
use navscenes::rooms::{Border, Point, Rooms, Shape};
use proptest::prelude::*;
use recast::{Level, Outlines, PreparedLevel, Scratch, Settings, Silent, StageId, TileBuild};

/// Distances are right to this, metres: triangles are rounded to single precision.
const RIGHT_TO: f64 = 1e-3;

fn sides(rooms: &Rooms) -> Vec<[Point; 2]> {
    let rings = std::iter::once(&rooms.plan.outline).chain(&rooms.plan.holes);
    rings
        .flat_map(|ring| ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)))
        .map(|(a, b)| [a, b])
        .collect()
}

/// The distance from a place to a side.
fn distance([x, z]: Point, [a, b]: [Point; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let share = ((x - a[0]) * along[0] + (z - a[1]) * along[1]) / (along[0].powi(2) + along[1].powi(2));
    let share = share.clamp(0.0, 1.0);
    libm::hypot(x - a[0] - share * along[0], z - a[1] - share * along[1])
}

/// The distance from a place to the border of the ground.
fn to_border(rooms: &Rooms, place: Point) -> f64 {
    sides(rooms).into_iter().map(|side| distance(place, side)).fold(f64::INFINITY, f64::min)
}

/// Returns true if a place is inside of the plan: a ray crosses its sides an odd number of times.
fn is_inside(rooms: &Rooms, [x, z]: Point) -> bool {
    let crosses = |[a, b]: &[Point; 2]| {
        (a[1] > z) != (b[1] > z) && x < a[0] + (z - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
    };
    sides(rooms).iter().filter(|side| crosses(side)).count() % 2 == 1
}

fn settings(radius: f64, outlines: Outlines) -> Settings {
    Settings { agent_radius: radius, cell_size: radius / 3.0, outlines, ..Settings::default() }
}

fn explained(level: &PreparedLevel, at: [f64; 3], tile_cells: u32) -> Explanation {
    let scratch = &mut Scratch::new();
    let explanation = match tile_cells {
        0 => explain(level, &TileBuild::solo(level), at, &Silent, scratch),
        cells => explain_tiled(level, cells, at, &Silent, scratch),
    };
    explanation.unwrap()
}

fn asked(level: &PreparedLevel, at: [f64; 3], tile_cells: u32) -> Option<Column> {
    match explained(level, at, tile_cells).location {
        Location::Column(column) => Some(column),
        _ => None,
    }
}

#[test]
fn only_exact_outlines_are_measured_from_the_wall() {
    let rooms = Rooms::new(Shape::Doorway(3.0), Border::Walls(0.3), 30.0);
    // A place 0.5 m from the wall behind the first room.
    let [from, to] = sides(&rooms)
        .iter()
        .copied()
        .max_by(|a, b| {
            let length = |[a, b]: &[Point; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
            length(a).total_cmp(&length(b))
        })
        .unwrap();
    let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
    let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    let foot = [from[0] + 4.03 * along[0], from[1] + 4.03 * along[1]];
    let inwards = [[-along[1], along[0]], [along[1], -along[0]]]
        .into_iter()
        .find(|way| is_inside(&rooms, [foot[0] + way[0], foot[1] + way[1]]))
        .unwrap();
    let at = [foot[0] + 0.5 * inwards[0], 0.0, foot[1] + 0.5 * inwards[1]];
    let cause = |outlines| -> Reason {
        let level = PreparedLevel::new(&rooms.level, &settings(0.58, outlines)).unwrap();
        asked(&level, at, 0).expect("a column").floors[0].cause.expect("no room")
    };
    let exact = cause(Outlines::Exact);
    assert_eq!(exact.code, ReasonCode::Eroded);
    assert!((exact.found.unwrap() - 0.5).abs() < RIGHT_TO && exact.limit == Some(0.58), "{exact:?}");
    let [x, _, z] = exact.place.unwrap();
    assert!(libm::hypot(x - foot[0], z - foot[1]) < RIGHT_TO, "{exact:?}, not at {foot:?}");
    // Cells count steps between their middles.
    let cells = cause(Outlines::Cells);
    assert_eq!(cells.code, ReasonCode::Eroded);
    let half_cells = cells.found.unwrap() / (0.5 * 0.58 / 3.0);
    assert!((half_cells - half_cells.round()).abs() < 1e-6, "{cells:?}");
}

#[test]
fn places_in_front_of_a_gap_have_its_width() {
    let (radius, width, thickness) = (0.6, 1.17, 0.3);
    let rooms = Rooms::new(Shape::Doorway(width), Border::Walls(thickness), 0.0);
    let mut gaps = 0;
    for part in [0.0, 0.2, 0.4, 0.6, 0.8] {
        let settings = rooms.placed(&settings(radius, Outlines::Exact), [part, 0.3]);
        let level = PreparedLevel::new(&rooms.level, &settings).unwrap();
        for step in 0..10 {
            // Farther from the corners of the doorway than the radius, on the line through its middle.
            let away = 0.14 + 0.01 * f64::from(step);
            let column = asked(&level, [0.5 * thickness + away, 0.0, 0.0], 0).expect("a column");
            let Some(cause) = column.floors[0].cause else { continue };
            match cause.code {
                ReasonCode::Narrow => {
                    assert!((cause.found.unwrap() - 0.5 * width).abs() < RIGHT_TO, "{cause:?}");
                    let [x, _, z] = cause.place.unwrap();
                    assert!((x - 0.5 * thickness).abs() < 0.3 && z.abs() < RIGHT_TO, "{cause:?}");
                    assert_eq!(cause.dropped().unwrap().0, StageId::Erode);
                    gaps += 1;
                }
                _ => assert!(matches!(cause.code, ReasonCode::OutsidePolygons), "{away} m: {cause:?}"),
            }
        }
    }
    assert!(gaps > 0, "no place in a gap was asked for");
}

#[test]
fn places_that_only_cells_close_ask_for_exact_outlines() {
    let radius = 0.6;
    let settings =
        |outlines| Settings { agent_radius: radius, cell_size: 0.2, outlines, ..Settings::default() };
    let exact = vec![Change::Choice { path: "outlines", name: "exact" }];
    let mut closed = 0;
    for degrees in [0.0, 10.0, 30.0, 45.0, 70.0] {
        for (width, tile_cells) in [(1.3, 0), (1.3, 25), (1.1, 0), (1.1, 25)] {
            let rooms = Rooms::new(Shape::Doorway(width), Border::Walls(0.3), degrees);
            let ask = |outlines, at| {
                let level = PreparedLevel::new(&rooms.level, &settings(outlines)).unwrap();
                explained(&level, at, tile_cells)
            };
            // In the middle of the doorway.
            let found = ask(Outlines::Cells, [0.0; 3]);
            let what = format!("{width} m at {degrees} degrees, tiles of {tile_cells}: {found:?}");
            if found.polygon().is_none() && width > 2.0 * radius {
                closed += 1;
                assert_eq!(found.remedy, exact, "{what}");
                assert!(ask(Outlines::Exact, [0.0; 3]).polygon().is_some(), "{what}");
            } else {
                assert_eq!(found.remedy, [], "{what}");
            }
        }
    }
    assert!(closed >= 5, "cells closed only {closed} of 10 doorways");
}

#[test]
fn places_on_islands_that_only_cells_drop_ask_for_exact_outlines() {
    // An island with 5.44 m² of free ground, less along the cells.
    let mut level = Level::default();
    for [x, wide] in [[0.0, 2.0], [10.0, 8.0]] {
        let first = level.vertices.len() as u32;
        let corners = [[x, 0.0, 0.0], [x, 0.0, 8.0], [x + wide, 0.0, 8.0], [x + wide, 0.0, 0.0]];
        level.vertices.extend(corners);
        level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    for (least, tile_cells) in [(5.0, 0), (5.0, 25), (9.0, 0), (9.0, 25)] {
        let settings = Settings { region_min_area: Some(least), ..Settings::default() };
        let level = PreparedLevel::new(&level, &settings).unwrap();
        let found = explained(&level, [1.05, 0.0, 4.0], tile_cells);
        assert!(found.polygon().is_none(), "{found:?}");
        let exact = Change::Choice { path: "outlines", name: "exact" };
        assert_eq!(found.remedy.contains(&exact), least < 5.44, "at least {least} m²: {found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn places_without_room_have_their_true_distance(
        shape in prop::sample::select(&[0, 1, 2]),
        is_ledge in any::<bool>(),
        share in 0.8..1.4f64,
        degrees in 0.0..90.0f64,
        side in any::<prop::sample::Index>(),
        along in 0.0..1.0f64,
        inwards in 0.0..1.3f64,
        tile_cells in prop::sample::select(&[0, 25]),
    ) {
        let radius = 0.6;
        let width = 2.0 * radius * share;
        let shape = [Shape::Doorway(width), Shape::Corridor(width), Shape::Pillars][shape];
        let border = if is_ledge { Border::Ledges } else { Border::Walls(0.3) };
        let rooms = Rooms::new(shape, border, degrees);
        let sides = sides(&rooms);
        let [a, b] = *side.get(&sides);
        let long = libm::hypot(b[0] - a[0], b[1] - a[1]);
        let way = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
        let foot = [a[0] + along * long * way[0], a[1] + along * long * way[1]];
        let ways = [[-way[1], way[0]], [way[1], -way[0]]];
        let places = ways.map(|way| [0, 1].map(|axis| foot[axis] + way[axis] * inwards * radius));
        let Some(place) = places.into_iter().find(|&place| is_inside(&rooms, place)) else { return Ok(()) };
        let level = PreparedLevel::new(&rooms.level, &settings(radius, Outlines::Exact)).unwrap();
        // The outermost cells may be cut off.
        let Some(column) = asked(&level, [place[0], 0.0, place[1]], tile_cells) else { return Ok(()) };
        let Some(floor) = column.floors.iter().find(|floor| floor.height.abs() < 0.5) else { return Ok(()) };
        let distance = to_border(&rooms, place);
        let what = format!("{distance} m from the border at {place:?}: {floor:?}");
        // Polygons are checked by the tests of the bake.
        let Some(cause) = floor.cause else { return Ok(()) };
        match (cause.code, cause.found) {
            (ReasonCode::Eroded, Some(found)) => {
                prop_assert!(found < radius && cause.limit == Some(radius), "{what}");
                let [x, _, z] = cause.place.unwrap();
                prop_assert!(to_border(&rooms, [x, z]) < RIGHT_TO, "no wall there: {what}");
                // Ground that reaches no side of its cell is measured on that side.
                if distance < radius - RIGHT_TO {
                    prop_assert!((found - distance).abs() < RIGHT_TO, "{what}");
                }
            }
            (ReasonCode::Narrow, Some(found)) => {
                prop_assert!(share < 1.0 && (found - 0.5 * width).abs() < RIGHT_TO, "{what}");
            }
            (ReasonCode::OutsidePolygons, _) => prop_assert!(distance > radius - RIGHT_TO, "{what}"),
            // The outermost cells of a platform, and the ground between two ledges, are no ground.
            (ReasonCode::Void(_) | ReasonCode::Drop(_) | ReasonCode::Uneven, _) if is_ledge => {
                prop_assert!(distance < radius, "{what}");
            }
            (ReasonCode::Void(_) | ReasonCode::GridEdge(_), _) => prop_assert!(distance < radius, "{what}"),
            (ReasonCode::RegionTooSmall, _) => {}
            _ => return Err(TestCaseError::fail(what)),
        }
    }
}
