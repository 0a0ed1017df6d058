//! Agents far from all points of interest: simulated coarsely but continuously, and they arrive.

use crate::common::{DT, baked, scattered, scene, slim, square, trial, walk, walker};
use crowd::{AgentState, Crowd, CrowdSettings, Target};
use crowdlab::trial::TrialReport;
use detour::{NavMesh, Vec3};

/// The largest distance that a body is pushed in a step, as a multiple of its own step.
const PUSHED: f32 = 1.5;

/// Runs random walks in which agents far from a point are coarse. Returns the report, and the largest move in
/// a step as seen from above, as a multiple of a step at full speed.
fn walked(mesh: &NavMesh, count: usize, radius: f32) -> (TrialReport, f32) {
    let walks = scattered(mesh, count, &walker(), 9);
    let mut trial = trial(mesh, &walks);
    let middle = walks.iter().map(|walk| walk.start).sum::<Vec3>() / walks.len() as f32;
    trial.crowd.set_points_of_interest(&[middle], radius).unwrap();
    let mut farthest = 0.0f32;
    let places = |trial: &crowdlab::trial::Trial| -> Vec<Vec3> {
        trial.walkers().map(|id| trial.crowd.agent(id).unwrap().position).collect()
    };
    let mut before = places(&trial);
    for _ in 0..7200 {
        trial.step(mesh, DT).unwrap();
        trial.watch(mesh).unwrap();
        let now = places(&trial);
        for (before, now) in before.iter().zip(&now) {
            farthest = farthest.max((*now - *before).with_y(0.0).length() / (walker().max_speed * DT));
        }
        before = now;
        if trial.is_over() {
            break;
        }
    }
    (trial.report(), farthest)
}

#[test]
fn those_far_away_arrive_without_a_jump() {
    for (name, count) in [("courtyard", 60), ("terrain", 60), ("boxes", 30)] {
        let mesh = scene(name);
        // All are far; agents within 8 m are near, so that many cross the border; nobody is far.
        for radius in [0.0, 8.0, 1e6] {
            let (report, farthest) = walked(&mesh, count, radius);
            assert_eq!((report.arrived, report.left_mesh), (report.agents, 0), "{name} {radius}: {report:?}");
            assert!(farthest <= PUSHED + 1e-3, "{name} {radius}: {farthest}");
            assert!(report.worst_overlap <= 0.05, "{name} {radius}: {report:?}");
        }
    }
}

#[test]
fn one_that_comes_near_goes_on_as_it_went() {
    let mesh = square(60.0);
    for point in [Vec3::new(30.0, 0.0, 30.0), Vec3::new(1e5, 0.0, 1e5)] {
        let mut crowd = Crowd::new(CrowdSettings { far_every: 16, ..CrowdSettings::default() }).unwrap();
        crowd.set_points_of_interest(&[point], 10.0).unwrap();
        let walk = walk(&mesh, [5.0, 30.0], [55.0, 31.0]);
        let id = crowd.add(&mesh, walk.start, &walker()).unwrap();
        crowd.set_target(id, Target::Place(walk.goal)).unwrap();
        let mut before = crowd.agent(id).unwrap();
        for step in 0..1600 {
            crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
            let now = crowd.agent(id).unwrap();
            let moved = now.position.distance(before.position);
            assert!(moved <= walker().max_speed * DT * 1.001, "{step}: {moved}");
            let change = now.velocity.distance(before.velocity);
            assert!(change <= walker().max_acceleration * DT * 1.01, "{step}: {change}");
            before = now;
        }
        assert!(before.position.distance(walk.goal.point) <= 0.1, "{}", before.position);
    }
}

#[test]
fn far_agents_take_turns() {
    let mesh = square(40.0);
    let mut crowd = Crowd::new(CrowdSettings { far_every: 4, ..CrowdSettings::default() }).unwrap();
    crowd.set_points_of_interest(&[Vec3::new(1e5, 0.0, 0.0)], 1.0).unwrap();
    let spot = |index: usize| Vec3::new(4.0 + (index % 8) as f32 * 4.0, 0.0, 4.0 + (index / 8) as f32 * 4.0);
    let ids: Vec<_> = (0..64).map(|index| crowd.add(&mesh, spot(index), &walker()).unwrap()).collect();
    (0..4).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    // An agent takes up a velocity when it has its turn: a quarter of them in each step.
    for (index, id) in ids.iter().enumerate() {
        let turn = if index % 2 == 0 { 1.0 } else { -1.0 };
        crowd.set_target(*id, Target::Velocity(glam::Vec2::new(turn, 0.0))).unwrap();
    }
    let mut moving = Vec::new();
    for _ in 0..4 {
        crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
        moving.push(ids.iter().filter(|id| crowd.agent(**id).unwrap().velocity.length() > 0.01).count());
    }
    assert_eq!(moving, [16, 32, 48, 64]);
    assert!(crowd.set_points_of_interest(&[Vec3::NAN], 1.0).is_err());
    assert!(crowd.set_points_of_interest(&[], -1.0).unwrap_err().to_string().contains("radius of interest"));
    let error = Crowd::new(CrowdSettings { far_every: 0, ..CrowdSettings::default() }).unwrap_err();
    assert!(error.to_string().starts_with("far_every is 0"), "{error}");
}

/// A storm of orders: 5,000 agents on 1 ha with 81 pillars.
#[test]
fn five_thousand_are_sent_at_once() {
    /// Number of polygons that may be searched in a step: some 15 for each search.
    const NODES: u32 = 80_000;
    let mut builder = navscenes::build::Builder::new();
    builder.floor(navscenes::build::rect(0.0, 0.0, 100.0, 100.0), 0.0);
    for index in 0..81 {
        let at = [10.0 + f64::from(index % 9) * 10.0, 10.0 + f64::from(index / 9) * 10.0];
        builder.block([at[0] - 1.5, -0.1, at[1] - 1.5], [at[0] + 1.5, 3.0, at[1] + 1.5]);
    }
    let mesh = baked(builder, &recast::Settings { cell_size: 0.15, ..slim() });
    let walks = scattered(&mesh, 5000, &walker(), 31);
    assert_eq!(walks.len(), 5000);
    let settings = CrowdSettings { search_nodes: NODES, ..CrowdSettings::default() };
    let mut crowd = Crowd::new(settings).unwrap();
    let ids: Vec<_> = walks.iter().map(|walk| crowd.add(&mesh, walk.start, &walk.params).unwrap()).collect();
    crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    for (id, walk) in ids.iter().zip(&walks) {
        crowd.set_target(*id, Target::Place(walk.goal)).unwrap();
    }
    crowd.step(&mesh, DT, &mut Vec::new()).unwrap();
    // Agents that others block completely wait, but nobody waits for a path.
    let moves = ids.iter().filter(|id| crowd.agent(**id).unwrap().velocity.length() > 0.01).count();
    assert!(moves >= 4990, "{moves}");
    assert!(crowd.waiting_for_paths() > 0, "it takes more than a step to find all paths");
    (1..10).for_each(|_| crowd.step(&mesh, DT, &mut Vec::new()).unwrap());
    let searching = |id: &&crowd::AgentId| crowd.agent(**id).unwrap().state == AgentState::Searching;
    assert_eq!((crowd.waiting_for_paths(), ids.iter().filter(searching).count()), (0, 0));
}
