//! The scenarios of navscenes, with few enough agents for a debug build. `cargo xtask scenarios` runs them in
//! full.

use crowd::AgentState;
use crowdlab::recording::Change;
use crowdlab::scenario::{Run, RunReport, Scenario, ScenarioError, Terrain};
use detour::NavMesh;
use navscenes::crowds::{CrowdScene, by_name};

/// Deepest overlap, in radii.
const DEEPEST: f32 = 0.05;

fn mesh(scene: &CrowdScene) -> NavMesh {
    let mut mesh = NavMesh::default();
    mesh.add_tiles(scene.bake().unwrap()).unwrap();
    mesh
}

/// Runs a scenario with at most `most` agents in each table.
fn run_with(name: &str, most: u32) -> (RunReport, Vec<Change>) {
    let scene = by_name(name).unwrap();
    let mut scenario = Scenario::read(scene.crowd).unwrap();
    for agents in &mut scenario.agents {
        agents.count = agents.count.map(|count| count.min(most));
    }
    let mut run = Run::new(&scenario, mesh(&scene), &Terrain::default()).unwrap();
    let mut changes = Vec::new();
    while !run.is_over() {
        run.step().unwrap();
        run.watch().unwrap();
        changes.extend_from_slice(run.changes());
    }
    (run.report(), changes)
}

/// Everybody arrives, and nobody overlaps another agent or leaves the mesh.
fn check(name: &str, most: u32) -> RunReport {
    let (report, _) = run_with(name, most);
    let trial = &report.trial;
    assert_eq!(trial.arrived, trial.agents, "{name}: {report:?}");
    assert!(trial.worst_overlap <= DEEPEST, "{name}: {report:?}");
    assert_eq!(trial.left_mesh, 0, "{name}: {report:?}");
    report
}

#[test]
fn streams_pass_each_other() {
    assert!(check("ring", 60).trial.mean_delay < 10.0);
    assert!(check("crossing", 50).trial.mean_delay < 4.0);
    let corridor = check("corridor", 30);
    assert_eq!(corridor.flows[0].passed, 60);
    assert!(check("overtaking", 20).trial.mean_delay < 3.0);
}

#[test]
fn halls_empty_through_doors() {
    for (name, most) in [("door_one", 10), ("door_two", 40), ("exit", 100)] {
        let report = check(name, most);
        assert_eq!(report.flows[0].passed, report.trial.agents, "{name}: {report:?}");
    }
}

#[test]
fn ladders_and_stairs_take_one_after_another() {
    check("ladder", 12);
    check("stairs", 12);
}

#[test]
fn groups_go_through_doors_and_round_bends() {
    check("formations", 11);
}

#[test]
fn a_moving_target_is_caught() {
    check("maze", 8);
}

#[test]
fn doors_shut_and_tiles_go_under_a_crowd() {
    let (report, changes) = run_with("rooms", 60);
    assert_eq!((report.trial.arrived, report.trial.left_mesh), (60, 0), "{report:?}");
    assert!(report.trial.worst_overlap <= DEEPEST, "{report:?}");
    for change in [Change::DoorShut(0), Change::DoorOpened(0), Change::TileGone(0), Change::TileBack(0)] {
        assert!(changes.contains(&change), "{change:?} of {changes:?}");
    }
}

#[test]
fn a_scenario_is_the_same_run_for_any_number_of_threads() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run_with("ladder", 8)).0.trial.hash
    };
    assert_eq!(hash(1), hash(4));
}

/// A scenario from a text, on the level of two rooms.
fn in_two_rooms(text: &str) -> Result<Run, ScenarioError> {
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile("two_rooms").unwrap()).unwrap();
    Run::new(&Scenario::read(text)?, mesh, &Terrain::default())
}

#[test]
fn what_does_not_fit_the_mesh_is_named() {
    let start = "start.box = [[1, -1, 1], [5, 1, 7]]";
    let error = |text: &str| in_two_rooms(text).unwrap_err().to_string();
    let full = error(&format!("[[agents]]\ncount = 500\n{start}"));
    assert!(full.starts_with("`agents[0].start`: there is ground for ") && full.contains("of 500"), "{full}");
    let goal = error(&format!("[[agents]]\ncount = 1\n{start}\ngoal.place = [99, 0, 99]"));
    assert!(goal.starts_with("`agents[0].goal`: there is no ground at [99.0, 0.0, 99.0]"), "{goal}");
    let door = error("[[door]]\nbox = [[1, -1, 1], [1.5, 1, 1.5]]\nshut = [[0, 1]]");
    assert!(door.starts_with("`door[0].box`: no polygon is within it; mark the door"), "{door}");
    let tile = error("[[tile]]\nat = [5, 5, 0]");
    assert!(tile.starts_with("`tile[0].at`: the mesh has no tile [5, 5, 0]"), "{tile}");
    let area = error("[[kind]]\nname = \"a\"\navoid_areas = [\"swamp\"]");
    assert!(area.starts_with("`kind[0].avoid_areas`: the mesh has no area \"swamp\""), "{area}");
}

#[test]
fn orders_are_given_in_time_and_rounds_are_gone() {
    let text = "seconds = 12\n\
        [[agents]]\nname = \"late\"\nstart.places = [[2, 0, 2]]\ngoal.place = [4, 0, 2]\nat = 3\n\
        [[agents]]\nname = \"round\"\nstart.places = [[2, 0, 5]]\ngoal.patrol = [[4, 0, 5], [2, 0, 6]]\n\
        [[disc]]\nradius = 0.5\nspeed = 1\ncourse = [[9, 0, 2], [9, 0, 6]]\n";
    let mut run = in_two_rooms(text).unwrap();
    let [late, round] = [0, 1].map(|cohort| run.cohorts()[cohort][0]);
    let mut turns = 0;
    let mut before = run.crowd().agent(round).unwrap().target;
    while !run.is_over() {
        run.step().unwrap();
        run.watch().unwrap();
        let state = run.crowd().agent(late).unwrap().state;
        assert_eq!(state == AgentState::Idle, run.steps() <= 180, "step {}", run.steps());
        let target = run.crowd().agent(round).unwrap().target;
        turns += usize::from(target != before);
        before = target;
    }
    let report = run.report();
    // The patrolling agent is not counted. The run ends when the late agent has arrived.
    assert_eq!((report.trial.agents, report.trial.arrived), (1, 1), "{report:?}");
    assert!(report.trial.seconds < 6.0 && report.trial.mean_delay.abs() < 1.0, "{report:?}");
    assert!(turns >= 2, "{turns}");
}

#[test]
fn every_scenario_of_the_repository_is_read() {
    for scene in navscenes::crowds::all().iter().chain(navscenes::crowds::rimea::all()) {
        let scenario = Scenario::read(scene.crowd).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
        assert!(!scenario.check.is_empty(), "{}", scene.name);
    }
}
