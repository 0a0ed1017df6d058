//! `navtile crowd`: sends a crowd over a mesh, and reports the results. Each agent walks from a random place
//! to another, or a scenario defines the walks.

mod args;
mod film;
mod play;
mod report;
mod scenario;

pub(crate) use args::CrowdArgs;

use crate::ask::FilterArgs;
use crate::failure::{Answer, Failure};
use crate::files::{FileList, refuse_shared_input};
use crate::mesh::{self, Loaded};
use crate::render::{Picture, title};
use crate::report::answer;
use crate::threads::thread_pool;
use crowd::{AgentParams, AgentState, Crowd, CrowdSettings};
use crowdlab::scenario::{Bounds, Run, ScenarioError};
use crowdlab::trial::{Walk, random_walks};
use detour::Filter;
use film::Film;
use navdraw::{MeshOptions, TrackGroup, Tracks};
use navmath::SplitMix64;
use report::{CrowdReport, StepTimes};
use std::path::Path;
use std::time::Instant;

/// Steps between two points of a path in a picture.
const TRACK_EVERY: u64 = 6;

pub(crate) fn run(args: &CrowdArgs) -> Result<Answer, Failure> {
    let read = [Some(&args.file), args.scenario.as_ref(), args.play.as_ref()];
    let read: Vec<&Path> = read.into_iter().flatten().map(|path| path.as_path()).collect();
    refuse_shared_input(read.iter().copied())?;
    let mut files = FileList::reading(read);
    let film = args.record.as_deref().map(|path| files.target(path)).transpose()?;
    let picture = args.picture.as_deref().map(|path| Picture::new(path, files)).transpose()?;
    if let Some(recording) = &args.play {
        return play::run(args, recording, picture.as_ref());
    }
    let pool = thread_pool(args.threads)?;
    let scenario = args.scenario.as_deref().map(scenario::read).transpose()?;
    let loaded = mesh::load(&args.file)?;
    let (run, bounds, names) = match scenario {
        Some(file) => file.start(&loaded, &params(args, &loaded), args.check)?,
        None => (start_walks(args, &loaded)?, Bounds::default(), vec![String::new()]),
    };
    let film = film.as_ref().map(|target| Film::new(target, &run, &names, args)).transpose()?;
    let mut watched = Watched { run, film, tracks: picture.is_some().then(|| tracks_of(names)) };
    let times = pool.install(|| watched.go())?;
    let Watched { run, film, tracks } = watched;
    let outcome = run.report();
    let broken = if args.check { bounds.broken(&outcome) } else { Vec::new() };
    if let Some(film) = film {
        film.finish(&run)?;
    }
    if let (Some(picture), Some(tracks)) = (&picture, tracks) {
        let options =
            MeshOptions { title: title(&args.file), tracks: Some(tracks), ..MeshOptions::default() };
        picture.draw(&loaded, &options)?;
    }
    let report = CrowdReport::new(&outcome, &times, &broken, args.scenario.is_some());
    answer(args.json, &report, || report.text())?;
    let is_well = if args.check { broken.is_empty() } else { report.arrived == report.agents };
    Ok(if is_well { Answer::Yes } else { Answer::No })
}

/// The properties of agents: from the mesh, unless options override them.
fn params(args: &CrowdArgs, loaded: &Loaded) -> AgentParams {
    let baked = &loaded.meta.agent;
    // A file with unknown agents gets a walking person.
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

/// A failure of the crowd itself.
fn refused(error: impl std::fmt::Display) -> Failure {
    Failure::call(format!("the crowd: {error}"))
}

/// The requested number of random walks, ready to start.
fn start_walks(args: &CrowdArgs, loaded: &Loaded) -> Result<Run, Failure> {
    let filter = FilterArgs::filter(&args.filter, &args.file, loaded)?;
    let params = params(args, loaded);
    let depth = if args.radius.is_some() { params.depth_in_walls(&loaded.mesh) } else { 0.0 };
    if depth > 0.0 {
        let (file, radius) = (args.file.display(), params.radius);
        let kept = radius - depth;
        return Err(Failure::call(format!(
            "--radius: {file} keeps {kept:.2} m from walls: bodies of radius {radius} m would be up to {depth:.2} m in them"
        ))
        .help("bake a mesh for that radius with `--agent-radius`, or give a smaller --radius"));
    }
    let mut random = SplitMix64::new(args.seed);
    let walks = random_walks(&loaded.mesh, &filter, args.agents, &params, &mut || random.unit());
    if walks.len() < args.agents {
        let (count, radius) = (walks.len(), params.radius);
        return Err(Failure::call(format!(
            "{}: there is room for {count} of {} agents of radius {radius} m",
            args.file.display(),
            args.agents
        ))
        .help("give fewer --agents, or a smaller --radius"));
    }
    walking(args, loaded, &filter, walks).map_err(refused)
}

fn walking(
    args: &CrowdArgs,
    loaded: &Loaded,
    filter: &Filter,
    walks: Vec<Walk>,
) -> Result<Run, ScenarioError> {
    let mut crowd = Crowd::new(CrowdSettings::default())?;
    let kind = crowd.add_filter(filter.clone())?;
    let walks: Vec<Walk> = walks
        .into_iter()
        .map(|walk| Walk { params: AgentParams { filter: kind, ..walk.params }, ..walk })
        .collect();
    Run::of_walks(crowd, loaded.mesh.clone(), filter, &walks, args.seconds, args.rate.into())
}

/// Empty paths for each cohort.
fn tracks_of(names: Vec<String>) -> Tracks {
    Tracks { groups: names.into_iter().map(|name| TrackGroup { name, ..TrackGroup::default() }).collect() }
}

/// A run, and all its observers.
struct Watched<'a> {
    run: Run,
    film: Option<Film<'a>>,
    tracks: Option<Tracks>,
}

impl Watched<'_> {
    /// Steps until all have arrived or the time is over.
    fn go(&mut self) -> Result<StepTimes, Failure> {
        let mut times = StepTimes::default();
        self.look()?;
        while !self.run.is_over() {
            let start = Instant::now();
            self.run.step().map_err(refused)?;
            times.push(start.elapsed());
            self.run.watch().map_err(refused)?;
            self.look()?;
        }
        Ok(times)
    }

    fn look(&mut self) -> Result<(), Failure> {
        if let Some(film) = &mut self.film {
            film.look(&self.run)?;
        }
        let Some(tracks) = self.tracks.as_mut().filter(|_| self.run.steps().is_multiple_of(TRACK_EVERY))
        else {
            return Ok(());
        };
        for (cohort, group) in self.run.cohorts().iter().zip(&mut tracks.groups) {
            group.ways.resize(cohort.len(), Vec::new());
            for (id, way) in cohort.iter().zip(&mut group.ways) {
                let view = self.run.crowd().agent(*id).map_err(refused)?;
                // Agents at their targets do not add to the density.
                if view.state != AgentState::Arrived || way.is_empty() {
                    way.push(self.run.mesh().to_world(view.position));
                }
            }
        }
        Ok(())
    }
}
