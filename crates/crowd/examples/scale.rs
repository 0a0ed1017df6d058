//! Measures the step time of a large crowd, and its growth:
//! `cargo run --release -p navtile-crowd --example scale`.
//!
//! Agents have the same density on open ground with a pillar every 10 m. Each walks to a random place, and to
//! the next when it has arrived. Arguments: agents, threads, steps, whether in tiles; trailing arguments can
//! be omitted.

#![allow(clippy::print_stdout)] // An example prints its results.

use crowd::{AgentParams, Crowd, CrowdError, CrowdSettings, Event, EventKind, Target};
use detour::{Filter, Ground, NavMesh, Place, Query, QueryError};
use navscenes::build::{Builder, rect};
use navscenes::random::SplitMix64;
use recast::{PreparedLevel, Settings, Silent};
use std::error::Error;
use std::time::Instant;

/// Ground for each agent, square metres.
const GROUND: f64 = 8.0;
/// The smallest number of steps before the measurement. The warm-up continues until hardly anybody waits for
/// a path.
const WARM_UP: usize = 120;
/// One agent in this number may still wait for a path when the measurement begins.
const HARDLY: usize = 100;

/// Ground for this many agents, with pillars.
fn level(agents: usize, in_tiles: bool) -> Result<NavMesh, Box<dyn Error>> {
    let pillars = ((agents as f64 * GROUND).sqrt() / 10.0).ceil() as u32;
    let side = f64::from(pillars) * 10.0;
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, side, side), 0.0);
    for index in 0..pillars * pillars {
        let [x, z] = [index % pillars, index / pillars].map(|number| f64::from(number) * 10.0 + 4.0);
        builder.block([x, -0.1, z], [x + 2.0, 3.0, z + 2.0]);
    }
    let settings = Settings { agent_radius: 0.3, cell_size: 0.2, ..Settings::default() };
    let level = PreparedLevel::new(&builder.finish(), &settings)?;
    let mut mesh = NavMesh::default();
    if in_tiles {
        for baked in navlevel::bake_tiles(&level, 160, &Silent)? {
            mesh.add_tile(baked.tile)?;
        }
    } else {
        mesh.add_tile(recast::bake_solo(&level, &Silent, &mut recast::Scratch::new())?.tile)?;
    }
    Ok(mesh)
}

/// A crowd, and the places where its agents may go.
struct Walkers {
    mesh: NavMesh,
    crowd: Crowd,
    ground: Ground,
    query: Query,
    random: SplitMix64,
    events: Vec<Event>,
}

impl Walkers {
    fn new(mesh: NavMesh, agents: usize) -> Result<Walkers, CrowdError> {
        let settings = CrowdSettings { avoid_every: 3, ..CrowdSettings::default() };
        let ground = Ground::new(&mesh, &Filter::default());
        let (query, random) = (Query::new(), SplitMix64::new(1));
        let mut walkers =
            Walkers { mesh, crowd: Crowd::new(settings)?, ground, query, random, events: Vec::new() };
        let params = AgentParams { radius: 0.3, ..AgentParams::default() };
        for _ in 0..agents {
            let (start, goal) = (walkers.place()?, walkers.place()?);
            let id = walkers.crowd.add(&walkers.mesh, start.point, &params)?;
            walkers.crowd.set_target(id, Target::Place(goal))?;
        }
        Ok(walkers)
    }

    fn place(&mut self) -> Result<Place, QueryError> {
        let Walkers { query, ground, random, .. } = self;
        query.random_point_on(ground, || random.between(0.0, 1.0))
    }

    /// Makes one step. Returns its time in milliseconds.
    fn step(&mut self) -> Result<f64, CrowdError> {
        self.events.clear();
        let start = Instant::now();
        self.crowd.step(&self.mesh, 1.0 / 60.0, &mut self.events)?;
        let took = start.elapsed().as_secs_f64() * 1e3;
        for index in 0..self.events.len() {
            let Event { agent, kind } = self.events[index];
            if kind == EventKind::Arrived {
                let goal = self.place()?;
                self.crowd.set_target(agent, Target::Place(goal))?;
            }
        }
        Ok(took)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (agents, threads, steps, tiles) = (number(10_000)?, number(2)?, number(600)?, number(0)?);
    let mut walkers = Walkers::new(level(agents, tiles > 0)?, agents)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut times = pool.install(|| {
        (0..WARM_UP).try_for_each(|_| walkers.step().map(drop))?;
        while walkers.crowd.waiting_for_paths() > agents / HARDLY {
            walkers.step()?;
        }
        (0..steps).map(|_| walkers.step()).collect::<Result<Vec<f64>, CrowdError>>()
    })?;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    let hash = walkers.crowd.hash();
    println!(
        "{agents} agents, {threads} threads: median {:.2} ms, 99th percentile {:.2} ms a step; hash {hash:016x}",
        at(0.5),
        at(0.99)
    );
    Ok(())
}
