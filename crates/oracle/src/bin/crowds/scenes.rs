//! The scenarios of navscenes, run by our crowd as specified, and by other crowds as far as they can.

use crate::contender::{Contender, RATE, Standing};
use crate::rvo::Rvo;
use crate::theirs::DetourCrowd;
use crate::twin::Twin;
use crate::walkers::{Aim, CrowdsError, News, Sent, Walkers};
use crowd::{AgentId, Target};
use crowdlab::recording::Change;
use crowdlab::scenario::{Agents, Goal, Run, Scenario, Terrain};
use crowdlab::trial::Seen;
use detour::NavMesh;
use navscenes::crowds::CrowdScene;
use oracle::runtime::RuntimeError;
use oracle::runtime::report::tiles;
use oracle::subject::Subject;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A path up to this many times the straight line counts as straight.
const STRAIGHT: f32 = 1.001;

/// Our crowd in a scenario.
struct OurRun {
    run: Rc<RefCell<Run>>,
    ids: Vec<AgentId>,
}

impl Walkers for OurRun {
    fn name(&self) -> &'static str {
        crate::ours::NAME
    }

    fn step(&mut self, _: f32) -> Result<(), CrowdsError> {
        Ok(self.run.borrow_mut().step()?)
    }

    fn seen(&mut self, number: usize) -> Result<Seen, CrowdsError> {
        Ok(Seen::of(self.run.borrow().crowd(), self.ids[number])?)
    }
}

/// Runs a scenario with our crowd, with DetourCrowd if it has no formations, and with RVO2 if all paths are
/// straight.
///
/// Errors: what any of them refuses.
pub(crate) fn run(scene: &CrowdScene) -> Result<Vec<Standing>, CrowdsError> {
    let scenario = Scenario::read(scene.crowd)?;
    let (level, settings) = ((scene.level)(), (scene.settings)());
    let tiles = tiles(&Subject { name: scene.name.to_owned(), level, settings }, scene.tile_cells)?;
    // Anchored at the world's zero, so that its positions equal the others' positions.
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.iter().cloned()).map_err(RuntimeError::from)?;
    let run = Run::new(&scenario, mesh.clone(), &Terrain::default())?;
    let all = sent(&scenario, &run)?;
    let gates = run.gates().to_vec();
    let ids = run.agents().collect();
    let run = Rc::new(RefCell::new(run));
    let mut others: Vec<Box<dyn Walkers>> = Vec::new();
    if !all.iter().any(|sent| sent.aim == Aim::Follow) {
        others.push(Box::new(DetourCrowd::new(Twin::new(&tiles)?, &all)?));
    }
    if all.iter().all(goes_straight) {
        others.push(Box::new(Rvo::new(&all)));
    }
    let mut ours = Contender::new(Box::new(OurRun { run: Rc::clone(&run), ids }), &all, &gates);
    let mut others: Vec<_> =
        others.into_iter().map(|walkers| Contender::new(walkers, &all, &gates)).collect();
    for step in 0..(scenario.seconds * f64::from(RATE)) as u32 {
        let mut news = News { time: step as f32 / RATE, ..News::default() };
        ours.step(&news)?;
        let (now, changes) = (run.borrow().mesh().clone(), run.borrow().changes().to_vec());
        let replaced: Vec<[i32; 3]> =
            changes.iter().filter_map(|change| swapped(&run.borrow(), *change)).collect();
        news.replaced = &replaced;
        news.mesh = (!changes.is_empty()).then_some(&now);
        for other in &mut others {
            other.step(&news)?;
            other.look(&now, &all)?;
        }
        ours.look(&now, &all)?;
        // Sends patrolling agents to their next place.
        run.borrow_mut().watch()?;
        if ours.is_over(&all) && others.iter().all(|other| other.is_over(&all)) {
            break;
        }
    }
    Ok([&ours].into_iter().chain(&others).map(|contender| contender.standing(&all)).collect())
}

/// The tile that a change replaces.
fn swapped(run: &Run, change: Change) -> Option<[i32; 3]> {
    match change {
        Change::TileReplaced(number) => run.tiles().get(number as usize).copied(),
        _ => None,
    }
}

/// The errands of the agents of a scenario, in the order of the file.
fn sent(scenario: &Scenario, run: &Run) -> Result<Vec<Sent>, CrowdsError> {
    let orders: BTreeMap<AgentId, (f64, Target)> =
        run.orders().iter().map(|(at, id, target)| (*id, (*at, *target))).collect();
    let numbers: BTreeMap<AgentId, usize> = run.agents().zip(0..).collect();
    let mut all = Vec::with_capacity(numbers.len());
    for (agents, ids) in scenario.agents.iter().zip(run.cohorts()) {
        for id in ids {
            let (at, target) = orders.get(id).copied().unwrap_or_default();
            let ideal = run.errand(*id).map_or(f32::NAN, |errand| errand.ideal);
            all.push(Sent {
                params: *run.crowd().params(*id)?,
                start: run.crowd().agent(*id)?.position,
                aim: aim(agents, target, run.mesh(), &numbers),
                at: at as f32,
                ideal,
            });
        }
    }
    Ok(all)
}

fn aim(agents: &Agents, target: Target, mesh: &NavMesh, numbers: &BTreeMap<AgentId, usize>) -> Aim {
    match (&agents.goal, target) {
        (Some(Goal::Patrol(places)), _) => {
            Aim::Patrol(places.iter().map(|place| mesh.from_world(*place)).collect())
        }
        (_, Target::Place(place)) => Aim::Place(place.point),
        (_, Target::Agent(id)) => numbers.get(&id).map_or(Aim::Stand, |number| Aim::Chase(*number)),
        _ if agents.follow.is_some() => Aim::Follow,
        _ => Aim::Stand,
    }
}

/// Returns true if an agent would find its path without knowing the mesh.
fn goes_straight(sent: &Sent) -> bool {
    let Aim::Place(place) = sent.aim else { return false };
    let away = (place - sent.start).length();
    sent.at == 0.0 && sent.ideal * sent.params.max_speed <= away * STRAIGHT
}
