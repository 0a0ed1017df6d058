//! All crowds walk the same walks: one step of each after the other, so that what else the machine does hits all alike.

use crate::rvo::Rvo;
use crate::theirs::DetourCrowd;
use crate::walkers::{CrowdsError, Walkers};
use crowd::trial::{Seen, Walk, Watch, random_walks};
use crowd::{AgentId, AgentParams, Avoidance, Crowd, CrowdSettings, Event, SamplingQuality, Target};
use detour::{Filter, NavMesh, Query, RouteOptions};
use navscenes::random::SplitMix64;
use oracle::runtime::pair::Pair;
use oracle::speed::clock;
use std::time::Duration;

/// Steps in a second.
const RATE: f32 = 60.0;

/// How many walk, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// Agents.
    pub(crate) agents: usize,
    /// Seconds.
    pub(crate) seconds: f32,
    /// Of starts and goals.
    pub(crate) seed: u64,
    /// The ground is level and without walls, so that those who know no mesh can take part.
    pub(crate) open: bool,
}

/// How a crowd got on.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Its name.
    pub(crate) name: &'static str,
    /// Microseconds of CPU time for an agent and a step.
    pub(crate) cost: f64,
    /// The share that arrived.
    pub(crate) arrived: f64,
    /// Seconds over what each would have taken alone, on average over those that arrived.
    pub(crate) delay: f64,
    /// As [`Watch::worst_overlap`].
    pub(crate) overlap: f32,
    /// As [`Watch::left_mesh`].
    pub(crate) left_mesh: u64,
    /// As [`Watch::mean_jerk`].
    pub(crate) jerk: f32,
}

/// Our crowd.
struct OurCrowd<'a> {
    name: &'static str,
    mesh: &'a NavMesh,
    crowd: Crowd,
    ids: Vec<AgentId>,
    events: Vec<Event>,
}

impl<'a> OurCrowd<'a> {
    fn new(
        (name, avoidance): (&'static str, Avoidance),
        mesh: &'a NavMesh,
        walks: &[Walk],
    ) -> Result<OurCrowd<'a>, CrowdsError> {
        let mut crowd = Crowd::new(CrowdSettings::default())?;
        let mut ids = Vec::with_capacity(walks.len());
        for walk in walks {
            let id = crowd.add(mesh, walk.start, &AgentParams { avoidance, ..walk.params })?;
            crowd.set_target(id, Target::Place(walk.goal))?;
            ids.push(id);
        }
        Ok(OurCrowd { name, mesh, crowd, ids, events: Vec::new() })
    }
}

impl Walkers for OurCrowd<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(&mut self, dt: f32) -> Result<(), CrowdsError> {
        self.events.clear();
        Ok(self.crowd.step(self.mesh, dt, &mut self.events)?)
    }

    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError> {
        Ok(Seen::of(&self.crowd, self.ids[number])?)
    }
}

/// One crowd with its watcher and its clock.
struct Contender<'a> {
    walkers: Box<dyn Walkers + 'a>,
    watch: Watch,
    took: Duration,
    /// When each arrived, by its position alone.
    arrived: Vec<Option<f32>>,
}

/// Walks between random places of a mesh, by our crowd with either avoidance and by DetourCrowd.
///
/// Errors: what either library refuses.
pub(crate) fn run(pair: &mut Pair, plan: &Round) -> Result<Vec<Standing>, CrowdsError> {
    let Some(agent) = pair.ours.tiles().next().map(|tile| tile.header().agent) else { return Ok(Vec::new()) };
    let params = AgentParams { radius: agent[0], height: agent[1], ..AgentParams::default() };
    let mut random = SplitMix64::new(plan.seed);
    let mut draw = || random.between(0.0, 1.0);
    let walks = random_walks(&pair.ours, &Filter::default(), (plan.agents, &params), &mut draw);
    let theirs = DetourCrowd::new(pair, &walks)?;
    let mesh = &pair.ours;
    let orca = OurCrowd::new(("navtile, ORCA", Avoidance::Orca), mesh, &walks)?;
    let sampling = Avoidance::Sampling(SamplingQuality::High);
    let sampling = OurCrowd::new(("navtile, 66 samples", sampling), mesh, &walks)?;
    let mut all: Vec<Box<dyn Walkers + '_>> = vec![Box::new(theirs), Box::new(orca), Box::new(sampling)];
    if plan.open {
        all.push(Box::new(Rvo::new(&walks)));
    }
    let contender = |walkers| Contender {
        walkers,
        watch: Watch::default(),
        took: Duration::ZERO,
        arrived: vec![None; walks.len()],
    };
    let mut contenders: Vec<_> = all.into_iter().map(contender).collect();
    let steps = (plan.seconds * RATE) as u32;
    for step in 1..=steps {
        for contender in &mut contenders {
            contender.step(mesh, &walks, step as f32 / RATE)?;
        }
    }
    let ideal = ideal_times(mesh, &walks);
    Ok(contenders.iter().map(|contender| contender.outcome(&ideal, steps)).collect())
}

impl Contender<'_> {
    fn step(&mut self, mesh: &NavMesh, walks: &[Walk], time: f32) -> Result<(), CrowdsError> {
        let (moved, took) = clock::timed(|| self.walkers.step(1.0 / RATE));
        moved?;
        self.took += took;
        let all = (0..walks.len()).map(|number| self.walkers.seen(number)).collect::<Result<Vec<_>, _>>()?;
        for ((seen, walk), arrived) in all.iter().zip(walks).zip(&mut self.arrived) {
            let away = (seen.position - walk.goal.point).with_y(0.0).length();
            // Beside one that has stopped there counts too: two cannot stand in one place.
            let is_there = away <= (walk.params.radius + walk.params.stopping_distance) * 2.0
                && (seen.position.y - walk.goal.point.y).abs() <= walk.params.height;
            *arrived = arrived.or(Some(time).filter(|_| is_there));
        }
        self.watch.look(mesh, all.into_iter());
        Ok(())
    }

    fn outcome(&self, ideal: &[f32], steps: u32) -> Standing {
        let late: Vec<f64> = self
            .arrived
            .iter()
            .zip(ideal)
            .filter_map(|(arrived, ideal)| Some(f64::from((*arrived)? - ideal)))
            .filter(|late| late.is_finite())
            .collect();
        let there = self.arrived.iter().filter(|arrived| arrived.is_some()).count();
        let samples = f64::from(steps) * self.arrived.len() as f64;
        Standing {
            name: self.walkers.name(),
            cost: self.took.as_secs_f64() * 1e6 / samples.max(1.0),
            arrived: there as f64 / self.arrived.len().max(1) as f64,
            delay: late.iter().sum::<f64>() / late.len().max(1) as f64,
            overlap: self.watch.worst_overlap(),
            left_mesh: self.watch.left_mesh(),
            jerk: self.watch.mean_jerk(),
        }
    }
}

/// Seconds that each would take alone at full speed, to within a body of its goal.
fn ideal_times(mesh: &NavMesh, walks: &[Walk]) -> Vec<f32> {
    let (mut query, filter) = (Query::new(), Filter::default());
    let mut ideal = |walk: &Walk| {
        let route = query.route(mesh, walk.start, walk.goal.point, &filter, &RouteOptions::default());
        let length = route.map_or(f32::NAN, |route| route.length);
        (length - walk.params.radius * 2.0).max(0.0) / walk.params.max_speed
    };
    walks.iter().map(&mut ideal).collect()
}
