//! Passages as high and as wide as the agent.

use navexplain::{Change, Reason, ReasonCode, explain_empty, explain_way};
use recast::{AreaId, Level, OffMeshConnection, PreparedLevel, Scratch, Settings, Silent};

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
            let [Change::Setting { path, value }, ..] = *remedy else { panic!("{what}") };
            if width / 2.0 > 0.3 + 0.03 {
                assert_eq!(path, "cell_size", "{what}");
                assert!(value >= 0.15 / 4.0, "{what}");
            } else {
                assert_eq!(path, "agent.radius", "{what}");
                assert!(value < 0.3, "{what}");
            }
        }
    }
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
    let plank = |width: f64, turned: bool| {
        let mut level = Level::default();
        let mut corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [width, 0.0, 8.0], [width, 0.0, 0.0]];
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
    let narrow = ground(&plank(1.2, false)).unwrap();
    assert_eq!((narrow.flat * 10.0).round(), 96.0);
    assert!(narrow.standing > 0.0 && narrow.wide == 0.0, "{narrow:?}");
    assert!(matches!(narrow.remedy[..], [Change::Setting { path: "agent.radius", .. }, ..]), "{narrow:?}");
    // It leaves too little.
    let small = ground(&plank(2.4, false)).unwrap();
    assert!(small.largest > 0.0 && small.largest < small.least, "{small:?}");
    assert!(matches!(small.remedy[..], [Change::Setting { path: "regions.min_area", .. }]), "{small:?}");
    assert!(small.to_string().contains("the largest island has"), "{small}");
    // Its winding is reversed.
    let turned = ground(&plank(9.0, true)).unwrap();
    assert!(turned.flat == 0.0 && turned.to_string().contains("--winding"), "{turned}");
    assert_eq!(ground(&plank(9.0, false)), None);
}
