//! Levels to walk on, and trials over them.

use crowd::{AgentParams, Crowd, CrowdSettings};
use crowdlab::trial::{Trial, TrialReport, Walk, random_walks};
use detour::{Filter, NavMesh, Place, Query, Vec3};
use navscenes::build::{Builder, rect};
use navscenes::random::SplitMix64;
use recast::{PreparedLevel, Settings, Silent};

pub(crate) const DT: f32 = 1.0 / 60.0;

/// The mesh of a scene.
pub(crate) fn scene(name: &str) -> NavMesh {
    let mut mesh = NavMesh::default();
    mesh.add_tile(navscenes::baked_tile(name).unwrap()).unwrap();
    mesh
}

/// The mesh of a level in one tile, for agents of 0.3 m.
pub(crate) fn baked(builder: Builder, settings: &Settings) -> NavMesh {
    let level = PreparedLevel::new(&builder.finish(), settings).unwrap();
    let tile = recast::bake_solo(&level, &Silent, &mut recast::Scratch::new()).unwrap().tile;
    let mut mesh = NavMesh::default();
    mesh.add_tile(tile).unwrap();
    mesh
}

/// Settings for agents of 0.3 m.
pub(crate) fn slim() -> Settings {
    Settings { agent_radius: 0.3, cell_size: 0.1, ..Settings::default() }
}

/// Two adjacent rooms, with a door of a given width in the wall between them.
pub(crate) fn two_halls(door: f64) -> NavMesh {
    baked(halls(door), &slim())
}

/// Two adjacent rooms of 12 m by 16 m, with a door in the wall at x = 12.
pub(crate) fn halls(door: f64) -> Builder {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 24.0, 16.0), 0.0);
    builder.block([11.8, -0.1, 0.0], [12.2, 3.0, 8.0 - door / 2.0]);
    builder.block([11.8, -0.1, 8.0 + door / 2.0], [12.2, 3.0, 16.0]);
    builder
}

/// An open square.
pub(crate) fn square(side: f64) -> NavMesh {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, side, side), 0.0);
    baked(builder, &slim())
}

pub(crate) fn walker() -> AgentParams {
    AgentParams { radius: 0.3, ..AgentParams::default() }
}

pub(crate) fn place(mesh: &NavMesh, x: f32, z: f32) -> Place {
    let half_extents = Vec3::new(1.0, 4.0, 1.0);
    Query::new().nearest(mesh, Vec3::new(x, 0.0, z), half_extents, &Filter::default()).unwrap().place()
}

pub(crate) fn walk(mesh: &NavMesh, from: [f32; 2], to: [f32; 2]) -> Walk {
    let [start, goal] = [from, to].map(|[x, z]| place(mesh, x, z));
    Walk { start: start.point, goal, params: walker() }
}

pub(crate) fn trial(mesh: &NavMesh, walks: &[Walk]) -> Trial {
    let crowd = Crowd::new(CrowdSettings::default()).unwrap();
    Trial::new(crowd, mesh, &Filter::default(), walks).unwrap()
}

/// Random walks over a mesh.
pub(crate) fn scattered(mesh: &NavMesh, count: usize, params: &AgentParams, seed: u64) -> Vec<Walk> {
    let mut random = SplitMix64::new(seed);
    random_walks(mesh, &Filter::default(), count, params, &mut || random.between(0.0, 1.0))
}

/// Runs a trial for at most some seconds.
pub(crate) fn run(trial: &mut Trial, mesh: &NavMesh, seconds: f32) -> TrialReport {
    for _ in 0..(seconds / DT) as usize {
        trial.step(mesh, DT).unwrap();
        trial.watch(mesh).unwrap();
        if trial.is_over() {
            break;
        }
    }
    trial.report()
}
