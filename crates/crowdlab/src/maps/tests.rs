//! Maps have the values that the recorded agents give, at any time and in any order.

use super::*;
use crate::recording::{RecordedBody, Recorder, RecordingHeader};
use detour::Vec3;
use proptest::prelude::*;

const RATE: f32 = 10.0;

/// A recording of agents of 0.25 m, so that cells have a side of 1 m.
fn recorded(frames: &[Vec<Pose>]) -> Vec<u8> {
    let header = RecordingHeader {
        rate: RATE,
        every: 1,
        quantum: 1.0 / 256.0,
        anchor: [100.0, 0.0, 0.0],
        bodies: vec![RecordedBody { radius: 0.25, height: 1.8 }; frames.first().map_or(0, Vec::len)],
        ..RecordingHeader::default()
    };
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    for (step, poses) in (0..).zip(frames) {
        recorder.frame(step, poses.iter().copied()).unwrap();
    }
    recorder.finish().unwrap()
}

fn maps(frames: &[Vec<Pose>]) -> Maps {
    Maps::new(&Recording::open(&recorded(frames)).unwrap()).unwrap()
}

fn pose([x, y, z]: [f32; 3], doing: Doing) -> Pose {
    Pose { position: Vec3::new(x, y, z), doing, ..Pose::default() }
}

/// The value of the cell around a place; 0 without a cell.
fn value(maps: &mut Maps, kind: MapKind, seconds: f64, at: [f64; 3]) -> f32 {
    let cells = maps.cells();
    let is_around = |cell: &[[f64; 3]; 4]| {
        let [low, _, high, _] = cell;
        (low[0]..high[0]).contains(&at[0])
            && (low[2]..high[2]).contains(&at[2])
            && (low[1] - at[1]).abs() < 1.0
    };
    let values = maps.at(kind, seconds);
    assert_eq!(values.len(), cells.len());
    cells.iter().zip(values).find(|(cell, _)| is_around(cell)).map_or(0.0, |(_, value)| value)
}

#[test]
fn density_counts_agents_of_a_storey_around_the_moment() {
    // Two keep still, a third is above them, and a fourth joins the two after 5 s.
    let frame = |number: usize| {
        let fourth = if number < 50 { 8.5 } else { 0.5 };
        let places = [[0.2, 0.0, 0.2], [0.7, 0.1, 0.7], [0.5, 3.0, 0.5], [fourth, 0.0, 0.5]];
        places.map(|at| pose(at, Doing::Arrived)).to_vec()
    };
    let mut maps = maps(&(0..100).map(frame).collect::<Vec<_>>());
    assert_eq!(maps.side(), 1.0);
    for (seconds, below, above) in
        [(0.0, 2.0, 1.0), (2.0, 2.0, 1.0), (5.0, 2.5, 1.0), (9.9, 3.0, 1.0), (1.0, 2.0, 1.0)]
    {
        assert_eq!(value(&mut maps, MapKind::Density, seconds, [100.5, 0.0, 0.5]), below, "{seconds} s");
        assert_eq!(value(&mut maps, MapKind::Density, seconds, [100.5, 3.0, 0.5]), above, "{seconds} s");
    }
    assert_eq!(maps.peak(MapKind::Density), 3.0);
}

#[test]
fn flow_is_density_times_speed() {
    // Rows of two walk 1 m/s along x, a row each second, so 2 agents pass 1 m of width each second.
    let frame = |number: usize| {
        let row = |index: usize| (number as f32 / RATE + index as f32 % 30.0) % 30.0;
        (0..60)
            .map(|index| pose([row(index / 2), 0.0, 0.25 + 0.5 * (index % 2) as f32], Doing::Walking))
            .collect()
    };
    let mut maps = maps(&(0..300).map(frame).collect::<Vec<Vec<Pose>>>());
    for seconds in [5.0, 25.0, 12.0] {
        let flow = value(&mut maps, MapKind::Flow, seconds, [112.5, 0.0, 0.5]);
        assert!((flow - 2.0).abs() < 0.05, "{seconds} s: {flow}");
    }
    assert_eq!(value(&mut maps, MapKind::Flow, 0.0, [112.5, 0.0, 0.5]), 0.0);
    assert_eq!(value(&mut maps, MapKind::Waiting, 29.0, [112.5, 0.0, 0.5]), 0.0);
}

#[test]
fn only_agents_that_want_to_walk_wait() {
    let frame = |number: usize| {
        let x = if number < 30 { 0.5 } else { 0.5 + (number - 30) as f32 * 0.1 };
        vec![
            pose([x, 0.0, 0.5], Doing::Walking),
            pose([0.5, 0.0, 4.5], Doing::Arrived),
            pose([0.5, 0.0, 8.5], Doing::OnLink),
        ]
    };
    let mut maps = maps(&(0..100).map(frame).collect::<Vec<_>>());
    let near = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-3, "{found}, not {wanted}");
    for (seconds, waited) in [(0.0, 0.0), (1.5, 1.5), (9.0, 3.0), (2.0, 2.0)] {
        near(value(&mut maps, MapKind::Waiting, seconds, [100.5, 0.0, 0.5]), waited);
        near(value(&mut maps, MapKind::Waiting, seconds, [100.5, 0.0, 4.5]), 0.0);
    }
    near(maps.peak(MapKind::Waiting), 3.0);
    assert_eq!(value(&mut maps, MapKind::Density, 1.0, [100.5, 0.0, 8.5]), 0.0, "it is on a link");
}

#[test]
fn cells_follow_a_slope() {
    let frame = |number: usize| vec![pose([number as f32 * 0.1, number as f32 * 0.05, 0.5], Doing::Walking)];
    let maps = maps(&(0..100).map(frame).collect::<Vec<_>>());
    let cells = maps.cells();
    assert_eq!(cells.len(), 10);
    for corner in cells[1..9].iter().flatten() {
        let wanted = (corner[0] - 100.0) * 0.5;
        assert!((corner[1] - wanted).abs() < 0.05, "{corner:?}");
    }
}

#[test]
fn a_recording_without_frames_or_agents_has_empty_maps() {
    for frames in [vec![], vec![Vec::new(); 3]] {
        let mut maps = maps(&frames);
        assert!(maps.cells().is_empty() && MapKind::ALL.iter().all(|kind| maps.at(*kind, 1.0).is_empty()));
    }
}

proptest! {
    #[test]
    fn values_do_not_depend_on_what_was_shown_before(
        places in prop::collection::vec(prop::collection::vec((0.0..6.0f32, 0.0..6.0f32), 5), 1..150),
        times in prop::collection::vec(-1.0..16.0f64, 1..20),
    ) {
        let frames: Vec<Vec<Pose>> = places
            .iter()
            .map(|frame| frame.iter().map(|(x, z)| pose([*x, 0.0, *z], Doing::Walking)).collect())
            .collect();
        let bytes = recorded(&frames);
        let mut used = maps(&frames);
        for seconds in times {
            let mut fresh = Maps::new(&Recording::open(&bytes).unwrap()).unwrap();
            for kind in MapKind::ALL {
                let values = used.at(kind, seconds);
                prop_assert!(values.iter().all(|value| *value >= 0.0 && *value <= used.peak(kind)));
                prop_assert_eq!(values, fresh.at(kind, seconds));
            }
        }
    }
}
