//! Explanations of missing paths: for each blocker a small level with nothing else that blocks the path.
//! Every remedy that is given is baked and walked.

use navexplain::{Change, REACH, Reason, ReasonCode, WayExplanation, explain_way};
use navlevel::{graph_grid, graph_node, island_at};
use recast::{AreaId, Level, PreparedLevel, Scratch, Settings, Shape, Silent, Volume, bake_solo};

fn quad(level: &mut Level, corners: [[f64; 3]; 4]) {
    let first = level.vertices.len() as u32;
    level.vertices.extend(corners);
    level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A ramp over a rectangle, from one height at its smaller x to another at its larger.
fn ramp(level: &mut Level, [x0, z0]: [f64; 2], [x1, z1]: [f64; 2], [low, high]: [f64; 2]) {
    quad(level, [[x0, low, z0], [x0, low, z1], [x1, high, z1], [x1, high, z0]]);
}

/// Plates of 6 m along x: start, end and height of each.
fn plates(list: &[(f64, f64, f64)]) -> Level {
    let mut level = Level::default();
    list.iter().for_each(|&(x0, x1, y)| ramp(&mut level, [x0, 0.0], [x1, 6.0], [y, y]));
    level
}

/// A box without a bottom.
fn block(level: &mut Level, [x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) {
    quad(level, [[x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]]);
    quad(level, [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]]);
    quad(level, [[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]]);
    quad(level, [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]]);
    quad(level, [[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]]);
}

fn joins(level: &Level, settings: &Settings, ends: [[f64; 3]; 2]) -> bool {
    let level = PreparedLevel::new(level, settings).unwrap();
    let baked = bake_solo(&level, &Silent, &mut Scratch::new()).unwrap();
    let island = |place| island_at(&level, &baked.tile, place, REACH[0], REACH[1]).map(|found| found.0);
    let (Some(from), Some(to)) = (island(ends[0]), island(ends[1])) else { return false };
    let graph = navtile::IslandGraph::new(vec![graph_node(&level, &baked, [0; 16])]);
    graph.judge(&graph_grid(&level, 0), 0, Some(&[(0, from)])).keeps(0, to)
}

/// Explains, and compares the explanation with bakes of its own.
fn ask(level: &Level, settings: &Settings, ends: [[f64; 3]; 2]) -> WayExplanation {
    let prepared = PreparedLevel::new(level, settings).unwrap();
    let way = explain_way(&prepared, ends, &Silent, &mut Scratch::new()).unwrap();
    assert_eq!(way.joined, joins(level, settings, ends));
    for changes in way.remedy.iter().chain(&way.connections) {
        let mut settings = settings.clone();
        changes.iter().for_each(|change| change.apply(&mut settings));
        assert!(joins(level, &settings, ends), "{changes:?} do not join them: {way:?}");
    }
    way
}

fn only(way: &WayExplanation) -> Reason {
    let [only] = way.breaks.as_slice() else { panic!("{way:?}") };
    let [blocker] = only.blockers.as_slice() else { panic!("{way:?}") };
    *blocker
}

/// Checks the kind of the only blocker and returns the number found, the limit and the place.
fn measured(way: &WayExplanation, code: ReasonCode) -> (f64, f64, [f64; 3]) {
    let reason = only(way);
    assert_eq!(reason.code, code, "{way:?}");
    (reason.found.unwrap(), reason.limit.unwrap(), reason.place.unwrap())
}

/// The number found at the first blocker of a kind.
fn found(way: &WayExplanation, code: ReasonCode) -> f64 {
    let blockers = way.breaks.iter().flat_map(|each| &each.blockers);
    let blocker = blockers.into_iter().find(|blocker| blocker.code == code);
    blocker.and_then(|blocker| blocker.found).unwrap_or_else(|| panic!("{way:?}"))
}

fn setting(way: &WayExplanation) -> (&'static str, f64) {
    match way.remedy.as_deref() {
        Some([Change::Setting { path, value }]) => (*path, *value),
        Some(
            [
                Change::Setting { path: path @ "agent.radius", value },
                Change::Setting { path: "cell_size", .. },
            ],
        ) => (*path, *value),
        other => panic!("{other:?} in {way:?}"),
    }
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found}, expected {expected}");
}

const ENDS: [[f64; 3]; 2] = [[2.0, 0.0, 3.0], [10.0, 0.0, 3.0]];

fn low_climb() -> Settings {
    Settings { agent_climb: 0.4, ..Settings::default() }
}

#[test]
fn a_way_that_exists_is_found() {
    let way = ask(&plates(&[(0.0, 12.0, 0.0)]), &Settings::default(), ENDS);
    assert!(way.joined && way.breaks.is_empty() && way.remedy.is_none(), "{way:?}");
}

#[test]
fn a_step_is_measured_and_climbed() {
    let way = ask(&plates(&[(0.0, 6.0, 0.0), (6.0, 12.0, 0.6)]), &low_climb(), ENDS);
    let (height, climb, place) = measured(&way, ReasonCode::Step);
    near(height, 0.6, 1e-6);
    near(climb, 0.4, 1e-6);
    near(place[0], 6.0, 0.3);
    assert_eq!(setting(&way), ("agent.climb", 0.6));
    // The nearest places of the two islands are the agent's radius and the ledge apart.
    let [from, to] = way.breaks[0].ends;
    assert!(from[0] < 6.0 && to[0] > 6.0 && to[0] - from[0] < 2.5, "{way:?}");
    assert!(way.connections.is_some());
}

#[test]
fn a_chain_of_islands_has_all_its_breaks() {
    let level = plates(&[(0.0, 6.0, 0.0), (6.0, 12.0, 0.6), (12.0, 18.0, 1.4)]);
    let way = ask(&level, &low_climb(), [ENDS[0], [16.0, 1.4, 3.0]]);
    assert_eq!(way.breaks.len(), 2, "{way:?}");
    assert_eq!(setting(&way), ("agent.climb", 0.8));
    assert_eq!(way.connections.as_ref().map(Vec::len), Some(2));
}

#[test]
fn a_slope_is_measured_and_walked() {
    let mut level = plates(&[(0.0, 6.0, 0.0)]);
    // 50 degrees.
    ramp(&mut level, [6.0, 0.0], [8.0, 6.0], [0.0, 2.383_507]);
    ramp(&mut level, [8.0, 0.0], [14.0, 6.0], [2.383_507, 2.383_507]);
    let way = ask(&level, &Settings::default(), [ENDS[0], [12.0, 2.4, 3.0]]);
    near(found(&way, ReasonCode::TooSteep(None)), 50.0, 0.01);
    let remedy = way.remedy.as_deref().unwrap_or_else(|| panic!("{way:?}"));
    assert!(
        matches!(remedy[0], Change::Setting { path: "agent.slope", value } if value < 50.3),
        "{remedy:?}"
    );
}

#[test]
fn a_gap_is_measured_and_leapt() {
    let way = ask(&plates(&[(0.0, 5.1, 0.0), (7.5, 12.0, 0.0)]), &Settings::default(), ENDS);
    let ReasonCode::Gap(rise) = only(&way).code else { panic!("{way:?}") };
    near(found(&way, ReasonCode::Gap(rise)), 2.4, 0.31);
    near(rise, 0.0, 1e-6);
    assert_eq!(way.remedy, None, "no setting makes ground");
    assert!(way.connections.is_some(), "{way:?}");
}

#[test]
fn a_low_ceiling_is_measured() {
    let mut level = plates(&[(0.0, 12.0, 0.0)]);
    block(&mut level, [5.0, 1.6, -1.0], [7.0, 3.0, 7.0]);
    quad(&mut level, [[5.0, 1.6, -1.0], [7.0, 1.6, -1.0], [7.0, 1.6, 7.0], [5.0, 1.6, 7.0]]);
    let way = ask(&level, &Settings::default(), ENDS);
    let (clearance, height, _) = measured(&way, ReasonCode::LowCeiling);
    assert!((1.2..=1.6).contains(&clearance) && height == 2.0, "{way:?}");
    let (path, value) = setting(&way);
    assert!(path == "agent.height" && value <= 1.6, "{way:?}");
}

#[test]
fn a_narrow_door_is_measured() {
    let mut level = plates(&[(0.0, 12.0, 0.0)]);
    block(&mut level, [5.7, 0.0, -1.0], [6.3, 3.0, 2.4]);
    block(&mut level, [5.7, 0.0, 3.3], [6.3, 3.0, 7.0]);
    let way = ask(&level, &Settings::default(), ENDS);
    let (radius, needed, place) = measured(&way, ReasonCode::Narrow);
    near(needed, 0.6, 1e-6);
    near(radius, 0.45, 0.04);
    near(place[0], 6.0, 0.7);
    near(place[2], 2.85, 0.5);
    assert_eq!(setting(&way).0, "agent.radius");
}

#[test]
fn a_closed_door_is_named() {
    let shape = Shape::Box { min: [5.5, -1.0, -1.0], max: [6.5, 2.0, 7.0] };
    let door = Volume { shape, area: AreaId::NULL };
    let mud = Volume { area: AreaId(4), ..door.clone() };
    let settings = Settings { volumes: vec![mud, door], ..Settings::default() };
    let way = ask(&plates(&[(0.0, 12.0, 0.0)]), &settings, ENDS);
    assert_eq!(only(&way).code, ReasonCode::Volume(1, 2), "{way:?}");
    assert_eq!(way.remedy, Some(vec![Change::NoVolume { index: 1 }]));
}

#[test]
fn an_island_too_small_is_a_stepping_stone() {
    let level = plates(&[(0.0, 6.0, 0.0), (6.0, 8.4, 0.8), (8.4, 14.4, 0.0)]);
    let settings = Settings { region_min_area: Some(20.0), agent_climb: 0.8, ..Settings::default() };
    // With a climb of 0.8 it is one island; only a higher step makes a separate stone of it.
    assert!(ask(&level, &settings, [ENDS[0], [12.0, 0.0, 3.0]]).joined);
}

#[test]
fn a_wall_is_no_step_for_any_agent() {
    let mut level = plates(&[(0.0, 12.0, 0.0)]);
    block(&mut level, [5.7, 0.0, -1.0], [6.3, 3.0, 7.0]);
    let way = ask(&level, &Settings::default(), ENDS);
    near(found(&way, ReasonCode::Step), 3.0, 0.21);
    assert_eq!(way.remedy, None, "a climb above the agent's height is no setting");
    assert!(way.connections.is_some(), "{way:?}");
}

#[test]
fn ends_off_the_mesh_are_reported() {
    let way = ask(&plates(&[(0.0, 12.0, 0.0)]), &Settings::default(), [ENDS[0], [40.0, 0.0, 3.0]]);
    assert_eq!((way.on_mesh, way.joined, way.breaks.len()), ([true, false], false, 0));
}

#[test]
fn remedies_hold_over_steps_gaps_and_slopes_of_all_sizes() {
    // Pseudo-random numbers by multiplication, so that every run has the same levels.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |low: f64, high: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((state >> 40) as f64 / (1u64 << 24) as f64)
    };
    let (mut broken, mut mended) = (0, 0);
    for _ in 0..60 {
        let (step, gap, slope) = (random(0.0, 1.6), random(-2.0, 2.0).max(0.0), random(10.0, 65.0f64));
        let rise = step + 2.0 * slope.to_radians().tan();
        let mut level = plates(&[(0.0, 6.0, 0.0)]);
        ramp(&mut level, [6.0 + gap, 0.0], [8.0 + gap, 6.0], [step, rise]);
        ramp(&mut level, [8.0 + gap, 0.0], [14.0 + gap, 6.0], [rise, rise]);
        let way = ask(&level, &low_climb(), [ENDS[0], [11.0 + gap, rise, 3.0]]);
        if way.on_mesh == [true; 2] && !way.joined {
            broken += 1;
            assert!(!way.breaks.is_empty(), "step {step}, gap {gap}, slope {slope}: {way:?}");
            mended += usize::from(way.remedy.is_some() || way.connections.is_some());
        }
    }
    assert!(broken > 30 && mended * 10 >= broken * 9, "{mended} of {broken} mended");
}
