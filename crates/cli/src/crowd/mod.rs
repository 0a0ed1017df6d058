//! `navtile crowd`: sends a crowd over a mesh, each agent from a random place to another, and reports how it got on.

mod args;
mod report;

pub(crate) use args::CrowdArgs;

use crate::ask::FilterArgs;
use crate::failure::{Answer, Failure};
use crate::file_list::FileList;
use crate::mesh::{self, Loaded};
use crate::random::Random;
use crate::render::{Picture, title};
use crate::report::answer;
use crate::threads::thread_pool;
use crowd::trial::{Trial, Walk, random_walks};
use crowd::{AgentParams, AgentState, Crowd, CrowdError, CrowdSettings};
use detour::Filter;
use navdraw::{MeshOptions, Tracks};
use report::{CrowdReport, StepTimes};
use std::time::Instant;

/// Steps between two places of a way in a picture.
const TRACK_EVERY: usize = 6;

pub(crate) fn run(args: &CrowdArgs) -> Result<Answer, Failure> {
    let files = FileList::reading([args.file.as_path()]);
    let picture = args.picture.as_deref().map(|path| Picture::new(path, files)).transpose()?;
    let pool = thread_pool(args.threads)?;
    let loaded = mesh::load(&args.file)?;
    let filter = FilterArgs::filter(&args.filter, &args.file, &loaded)?;
    let walks = draw_walks(args, &loaded, &filter)?;
    let mut tracks = picture.is_some().then(Tracks::default);
    let report = pool.install(|| walk(args, &loaded, &filter, &walks, tracks.as_mut()))?;
    if let (Some(picture), Some(tracks)) = (&picture, tracks) {
        let options =
            MeshOptions { title: title(&args.file), tracks: Some(tracks), ..MeshOptions::default() };
        picture.draw(&loaded, &options)?;
    }
    answer(args.json, &report, || report.text())?;
    Ok(if report.arrived == report.agents { Answer::Yes } else { Answer::No })
}

/// The properties of the agents: those that the mesh was baked for, unless the call says otherwise.
fn params(args: &CrowdArgs, loaded: &Loaded) -> AgentParams {
    let baked = &loaded.meta.agent;
    // A file of unknown agents gets a walking person.
    let or = |known: f64, default: f32| if known > 0.0 { known as f32 } else { default };
    let usual = AgentParams::default();
    AgentParams {
        radius: args.radius.unwrap_or_else(|| or(baked.radius, usual.radius)),
        height: or(baked.height, usual.height),
        max_speed: args.speed,
        link_speed: args.speed,
        ..usual
    }
}

/// Random walks, of the number that was asked for.
fn draw_walks(args: &CrowdArgs, loaded: &Loaded, filter: &Filter) -> Result<Vec<Walk>, Failure> {
    let params = params(args, loaded);
    let mut random = Random(args.seed);
    let walks = random_walks(&loaded.mesh, filter, (args.agents, &params), &mut || random.unit());
    if walks.len() < args.agents {
        let (count, radius) = (walks.len(), params.radius);
        return Err(Failure::call(format!(
            "{}: there is room for {count} of {} agents of radius {radius} m",
            args.file.display(),
            args.agents
        ))
        .help("give fewer --agents, or a smaller --radius"));
    }
    Ok(walks)
}

/// Lets the agents walk until all have arrived or the time is over.
fn walk(
    args: &CrowdArgs,
    loaded: &Loaded,
    filter: &Filter,
    walks: &[Walk],
    mut tracks: Option<&mut Tracks>,
) -> Result<CrowdReport, Failure> {
    let refused = |error: CrowdError| Failure::call(format!("the crowd: {error}"));
    let mut crowd = Crowd::new(CrowdSettings::default()).map_err(refused)?;
    let kind = crowd.add_filter(filter.clone()).map_err(refused)?;
    let walks: Vec<Walk> = walks
        .iter()
        .map(|walk| Walk { params: AgentParams { filter: kind, ..walk.params }, ..*walk })
        .collect();
    let mesh = &loaded.mesh;
    let mut trial = Trial::new(crowd, mesh, filter, &walks).map_err(refused)?;
    if let Some(tracks) = tracks.as_deref_mut() {
        tracks.ways.resize(walks.len(), Vec::new());
    }
    let steps = (args.seconds * f64::from(args.rate)).ceil() as usize;
    let mut times = StepTimes::default();
    for step in 0..steps {
        let start = Instant::now();
        trial.step(mesh, 1.0 / args.rate).map_err(refused)?;
        times.push(start.elapsed());
        trial.watch(mesh).map_err(refused)?;
        if let Some(tracks) = tracks.as_deref_mut().filter(|_| step.is_multiple_of(TRACK_EVERY)) {
            add_places(&trial, loaded, tracks).map_err(refused)?;
        }
        if trial.is_over() {
            break;
        }
    }
    Ok(CrowdReport::new(&trial.report(), &times))
}

/// Adds where each agent is to its way, until it has arrived: those that stand at their targets are not crowded.
fn add_places(trial: &Trial, loaded: &Loaded, tracks: &mut Tracks) -> Result<(), CrowdError> {
    for (id, way) in trial.walkers().zip(&mut tracks.ways) {
        let view = trial.crowd.agent(id)?;
        if view.state != AgentState::Arrived || way.is_empty() {
            way.push(loaded.mesh.to_world(view.position));
        }
    }
    Ok(())
}
