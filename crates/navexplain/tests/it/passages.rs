//! Passages as high and as wide as the agent.

use navexplain::{Change, Reason, ReasonCode, explain_empty, explain_way};
use navscenes::build::Builder;
use navscenes::rooms::Shape::Doorway;
use navscenes::rooms::{Border, Rooms};
use proptest::prelude::*;
use recast::{AreaId, Level, OffMeshConnection, Outlines, PreparedLevel, Scratch, Settings, Silent};

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A floor of 12 m by 6 m at a height, and a ceiling over its middle third. The level begins `pit` lower.
fn under_ceiling(floor: f64, headroom: f64, pit: f64) -> Level {
    let mut level = Level::default();
    let plate = |x0: f64, x1: f64, y: f64| [[x0, y, 0.0], [x0, y, 6.0], [x1, y, 6.0], [x1, y, 0.0]];
    quad(&mut level, plate(0.0, 12.0, floor));
    let [a, b, c, d] = plate(4.0, 8.0, floor + headroom);
    quad(&mut level, [d, c, b, a]);
    quad(&mut level, plate(20.0, 20.5, floor - pit));
    level
}

fn joined(level: &Level, settings: &Settings) -> bool {
    let prepared = PreparedLevel::new(level, settings).unwrap();
    explained(&prepared, [[2.0, level.vertices[0][1], 3.0], [10.0, level.vertices[0][1], 3.0]]).joined
}

fn explained(level: &PreparedLevel, ends: [[f64; 3]; 2]) -> navexplain::WayExplanation {
    explain_way(level, ends, &Silent, &mut Scratch::new()).unwrap()
}

#[test]
fn a_ceiling_at_the_agents_height_is_high_enough() {
    for cell_height in [0.1, 0.2, 0.25, 0.4] {
        let settings = Settings { cell_height, agent_climb: 0.4, ..Settings::default() };
        // Floors on lines between cells and at other heights.
        for offset in [0.0, 0.03, 0.1, 0.17, 0.5, 1.3, 7.77] {
            let level = |headroom: f64| under_ceiling(0.0, headroom, offset);
            assert!(joined(&level(2.0), &settings), "cells of {cell_height}, the level begins at {offset}");
            assert!(joined(&level(2.0 + cell_height), &settings));
            assert!(!joined(&level(1.99 - cell_height), &settings));
        }
        // On a line the limit is exact.
        assert!(!joined(&under_ceiling(0.0, 1.99, 0.0), &settings));
    }
}

#[test]
fn headroom_is_reported_as_it_is() {
    let settings = Settings { agent_height: 2.4, ..Settings::default() };
    let level = PreparedLevel::new(&under_ceiling(0.0, 2.0, 0.0), &settings).unwrap();
    let way = explained(&level, [[2.0, 0.0, 3.0], [10.0, 0.0, 3.0]]);
    let blockers: Vec<&Reason> = way.breaks.iter().flat_map(|each| &each.blockers).collect();
    let [Reason { code: ReasonCode::LowCeiling, found: Some(clearance), limit: Some(height), .. }] =
        blockers[..]
    else {
        panic!("{way:?}")
    };
    assert!((clearance - 2.0).abs() < 1e-6 && (height - 2.4).abs() < 1e-6, "{way:?}");
    assert_eq!(way.remedy, Some(vec![Change::Setting { path: "agent.height", value: 2.0 }]));
}

/// Two rooms side by side along z, joined by a doorway at an angle through a wall 0.4 m thick.
fn oblique_door(width: f64, degrees: f64) -> Level {
    let mut level = Level::default();
    quad(&mut level, [[-6.0, 0.0, -6.0], [-6.0, 0.0, 6.0], [6.0, 0.0, 6.0], [6.0, 0.0, -6.0]]);
    let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
    let turned = |x: f64, z: f64, y: f64| [x * cos - z * sin, y, x * sin + z * cos];
    for [from, to] in [[-12.0, -width / 2.0], [width / 2.0, 12.0]] {
        for (z, turn) in [(-0.2, false), (0.2, true)] {
            let [a, b] = if turn { [to, from] } else { [from, to] };
            quad(&mut level, [turned(a, z, 0.0), turned(a, z, 3.0), turned(b, z, 3.0), turned(b, z, 0.0)]);
        }
        let end = if from < 0.0 { to } else { from };
        quad(
            &mut level,
            [turned(end, -0.2, 0.0), turned(end, 0.2, 0.0), turned(end, 0.2, 3.0), turned(end, -0.2, 3.0)],
        );
    }
    level
}

#[test]
fn a_passage_is_measured_and_cells_are_blamed_if_they_close_it() {
    for degrees in [0.0, 15.0, 30.0, 45.0] {
        for width in [0.5, 0.7, 0.8] {
            let settings = Settings {
                cell_size: 0.15,
                cell_height: 0.1,
                agent_radius: 0.3,
                agent_climb: 0.4,
                bounds: Some([[-6.0, 0.0, -6.0], [6.0, 3.0, 6.0]]),
                ..Settings::default()
            };
            let level = PreparedLevel::new(&oblique_door(width, degrees), &settings).unwrap();
            let (sin, cos) = (libm::sin(f64::to_radians(degrees)), libm::cos(f64::to_radians(degrees)));
            let way = explained(&level, [[3.0 * sin, 0.0, -3.0 * cos], [-3.0 * sin, 0.0, 3.0 * cos]]);
            if way.joined {
                continue;
            }
            let what = format!("{width} m at {degrees} degrees: {way:?}");
            let blockers: Vec<&Reason> = way.breaks.iter().flat_map(|each| &each.blockers).collect();
            let [Reason { code: ReasonCode::Narrow, found: Some(radius), limit, .. }] = blockers[..] else {
                panic!("{what}")
            };
            assert!((radius - width / 2.0).abs() < 0.01 && *limit == Some(0.3), "{what}");
            let remedy = way.remedy.as_deref().unwrap_or_else(|| panic!("{what}"));
            match *remedy {
                [Change::Choice { path: "outlines", name: "exact" }] => assert!(width / 2.0 > 0.3, "{what}"),
                [Change::Setting { path: "agent.radius", value }, ..] => {
                    assert!(width / 2.0 < 0.3 && value < 0.3, "{what}");
                }
                _ => panic!("{what}"),
            }
        }
    }
}

#[test]
fn a_doorway_that_only_cells_close_asks_for_exact_outlines() {
    let (radius, mut closed) = (0.6, 0);
    for degrees in [0.0, 10.0, 30.0, 45.0, 70.0] {
        // The last cells are too large for the doorway.
        for cell_size in [0.2, 0.3, 0.45] {
            let rooms = Rooms::new(Doorway(2.0 * radius + 0.1), Border::Walls(0.2), degrees);
            let settings = Settings { agent_radius: radius, cell_size, ..Settings::default() };
            let ends = rooms.ends.map(|[x, z]| [x, 0.0, z]);
            let ask =
                |settings: &Settings| explained(&PreparedLevel::new(&rooms.level, settings).unwrap(), ends);
            let way = ask(&settings);
            if way.joined {
                continue;
            }
            closed += 1;
            let what = format!("{degrees} degrees, cells of {cell_size} m: {way:?}");
            let remedy = way.remedy.clone().unwrap_or_else(|| panic!("{what}"));
            assert_eq!(remedy[0], Change::Choice { path: "outlines", name: "exact" }, "{what}");
            match remedy[1..] {
                [] => {}
                [Change::Setting { path: "cell_size", value }] => {
                    assert!(cell_size > value && value == 0.3, "{what}")
                }
                _ => panic!("{what}"),
            }
            let mut changed = settings.clone();
            remedy.iter().for_each(|change| change.apply(&mut changed));
            assert_eq!(changed.outlines, Outlines::Exact);
            assert!(ask(&changed).joined, "{what}");
        }
    }
    assert!(closed >= 10, "cells closed only {closed} of 15 doorways");
}

#[test]
fn a_link_that_leads_only_back_is_named() {
    let mut level = Level::default();
    quad(&mut level, [[0.0, 0.0, 0.0], [0.0, 0.0, 6.0], [6.0, 0.0, 6.0], [6.0, 0.0, 0.0]]);
    quad(&mut level, [[6.0, 3.0, 0.0], [6.0, 3.0, 6.0], [12.0, 3.0, 6.0], [12.0, 3.0, 0.0]]);
    let connection = OffMeshConnection {
        start: [8.0, 3.0, 3.0],
        end: [4.0, 0.0, 3.0],
        radius: 0.6,
        both_ways: false,
        area: AreaId::GROUND,
        flags: None,
        user_id: 7,
        along: [0.0; 2],
    };
    let settings = Settings { off_mesh_connections: vec![connection], ..Settings::default() };
    let level = PreparedLevel::new(&level, &settings).unwrap();
    let (low, high) = ([2.0, 0.0, 3.0], [10.0, 3.0, 3.0]);
    let up = explained(&level, [low, high]);
    assert!(!up.joined && up.returns, "{up:?}");
    assert_eq!(up.remedy, Some(vec![Change::BothWays { index: 0 }]));
    let down = explained(&level, [high, low]);
    assert!(down.joined && !down.returns, "{down:?}");
}

#[test]
fn an_empty_mesh_has_its_reason_and_a_remedy() {
    let plank = |width: f64, length: f64, turned: bool| {
        let mut level = Level::default();
        let mut corners = [[0.0, 0.0, 0.0], [0.0, 0.0, length], [width, 0.0, length], [width, 0.0, 0.0]];
        if turned {
            corners.reverse();
        }
        quad(&mut level, corners);
        level
    };
    let ground = |level: &Level| {
        let level = PreparedLevel::new(level, &Settings::default()).unwrap();
        explain_empty(&level, &Silent, &mut Scratch::new()).unwrap()
    };
    // The radius removes all of it.
    let narrow = ground(&plank(1.2, 8.0, false)).unwrap();
    assert_eq!((narrow.flat * 10.0).round(), 96.0);
    assert!(narrow.standing > 0.0 && narrow.wide == 0.0, "{narrow:?}");
    assert!(matches!(narrow.remedy[..], [Change::Setting { path: "agent.radius", .. }, ..]), "{narrow:?}");
    // It leaves too little.
    let small = ground(&plank(2.0, 7.0, false)).unwrap();
    assert!(small.largest > 0.0 && small.largest < small.least, "{small:?}");
    assert!(matches!(small.remedy[..], [Change::Setting { path: "regions.min_area", .. }]), "{small:?}");
    assert!(small.to_string().contains("the largest island has"), "{small}");
    // Only cells leave nothing, or too little.
    for width in [2.1, 2.4] {
        let closed = ground(&plank(width, 8.0, false)).unwrap();
        assert!(closed.largest < closed.least, "{closed:?}");
        let exact = Change::Choice { path: "outlines", name: "exact" };
        assert_eq!(closed.remedy, [exact], "{closed:?}");
        let exact = Settings { outlines: Outlines::Exact, ..Settings::default() };
        let exact = PreparedLevel::new(&plank(width, 8.0, false), &exact).unwrap();
        assert_eq!(explain_empty(&exact, &Silent, &mut Scratch::new()).unwrap(), None, "there is a mesh");
    }
    // Its winding is reversed.
    let turned = ground(&plank(9.0, 8.0, true)).unwrap();
    assert!(turned.flat == 0.0 && turned.to_string().contains("--winding"), "{turned}");
    assert_eq!(ground(&plank(9.0, 8.0, false)), None);
}

/// The ground that a passage leads over, and the obstacle that makes it narrow.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A door in a wall.
    Door,
    /// A door on a slope.
    Slope,
    /// A door on stairs.
    Stairs,
    /// A door with a pillar in its middle.
    Pillar,
    /// A bridge between two platforms.
    Ledges,
}

/// Two rooms with a passage of a width between them, turned around the origin, and a place in each.
fn rooms(kind: Kind, width: f64, thickness: f64, degrees: f64) -> (Level, [[f64; 3]; 2]) {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let turned = |[x, y, z]: [f64; 3]| [cos * x - sin * z, y, sin * x + cos * z];
    let flat = |border, width| {
        let rooms = Rooms::new(Doorway(width), border, degrees);
        (rooms.level, rooms.ends.map(|[x, z]| [x, 0.0, z]))
    };
    let mut builder = Builder::new();
    match kind {
        Kind::Door => flat(Border::Walls(thickness), width),
        Kind::Ledges => flat(Border::Ledges, width),
        Kind::Slope => {
            let (mut level, mut ends) = flat(Border::Walls(thickness), width);
            level.vertices.iter_mut().chain(&mut ends).for_each(|[x, y, z]| *y += 0.3 * *x - 0.2 * *z);
            (level, ends)
        }
        Kind::Pillar => {
            let side = 0.4;
            let (mut level, ends) = flat(Border::Walls(thickness), 2.0 * width + side);
            level.areas.clear();
            let half = 0.5 * side;
            let corners =
                [[-half, 0.0, -half], [-half, 0.0, half], [half, 0.0, half], [half, 0.0, -half]].map(turned);
            for corner in 0..4 {
                let [a, b] = [corners[corner], corners[(corner + 1) % 4]];
                let up = |[x, _, z]: [f64; 3]| [x, 2.5, z];
                quad(&mut level, [a, b, up(b), up(a)]);
            }
            (level, ends)
        }
        Kind::Stairs => {
            let (rise, depth) = (0.15, 0.3);
            for step in -20..20 {
                let x = f64::from(step) * depth;
                builder.block([x, -4.0, -3.5], [x + depth, f64::from(step) * rise, 3.5]);
            }
            for [from, to] in [[-3.5, -0.5 * width], [0.5 * width, 3.5]] {
                builder.block([-0.5 * thickness, -4.0, from], [0.5 * thickness, 4.0, to]);
            }
            let mut level = builder.finish();
            level.vertices.iter_mut().for_each(|vertex| *vertex = turned(*vertex));
            let end = |step: f64| turned([(step + 0.5) * depth, step * rise, 0.0]);
            (level, [end(-10.0), end(9.0)])
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn passages_are_measured_at_every_angle_and_place(
        kind in prop::sample::select(&[Kind::Door, Kind::Slope, Kind::Stairs, Kind::Pillar, Kind::Ledges]),
        radius in 0.25..0.8f64,
        share in 0.3..1.15f64,
        cells in 2.0..4.0f64,
        thickness in 0.05..0.3f64,
        degrees in 0.0..180.0f64,
        place in [0.0..1.0f64, 0.0..1.0f64],
        is_exact in any::<bool>(),
    ) {
        let (level, ends) = rooms(kind, 2.0 * radius * share, thickness, degrees);
        let outlines = if is_exact { Outlines::Exact } else { Outlines::Cells };
        let mut settings =
            Settings { agent_radius: radius, cell_size: radius / cells, outlines, ..Settings::default() };
        let [mut min, max] = recast::level_bounds(&[(&level).into()]);
        [0, 2].into_iter().zip(place).for_each(|(axis, part)| min[axis] -= part * settings.cell_size);
        settings.bounds = Some([min, max]);
        let way = explained(&PreparedLevel::new(&level, &settings).unwrap(), ends);
        if way.joined {
            prop_assert!(!is_exact || radius * share > radius - 0.01);
        } else {
            prop_assert!(!is_exact || radius * share < radius + 0.01);
            let blockers: Vec<&Reason> = way.breaks.iter().flat_map(|each| &each.blockers).collect();
            let [Reason { code: ReasonCode::Narrow, found: Some(found), place: Some([x, _, z]), .. }] = blockers[..]
            else {
                return Err(TestCaseError::fail(format!("{way:?}")));
            };
            prop_assert!((found - radius * share).abs() < 0.01, "{found}, not {}", radius * share);
            prop_assert!(libm::hypot(*x, *z) < 2.0, "at {x}, {z}");
            match way.remedy.as_deref() {
                Some([Change::Setting { path: "agent.radius", value }, ..]) if is_exact => {
                    prop_assert!((radius * share - value).abs() < 0.025, "{value} m: {way:?}");
                }
                Some([Change::Choice { path: "outlines", .. }]) => {
                    prop_assert!(!is_exact && radius * share > radius - 0.001);
                }
                Some([Change::Setting { path: "cell_size", .. }]) => prop_assert!(radius * share > radius - 0.011),
                _ => prop_assert!(!is_exact, "{way:?}"),
            }
        }
    }
}
