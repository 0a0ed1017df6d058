//! Walks between random places of a level. Each crowd takes one step in turn, so that other load on the
//! machine affects all equally.

use crate::contender::{Contender, RATE, Standing};
use crate::ours::OurCrowd;
use crate::rvo::Rvo;
use crate::theirs::DetourCrowd;
use crate::twin::Twin;
use crate::walkers::{CrowdsError, News, Sent, Walkers};
use crowd::AgentParams;
use crowdlab::trial::random_walks;
use detour::{Filter, NavMesh, Query};
use navscenes::random::SplitMix64;
use navtile::Tile;
use oracle::runtime::RuntimeError;

/// Number of agents, and duration of the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// Agents.
    pub(crate) agents: usize,
    /// Seconds.
    pub(crate) seconds: f32,
    /// Seed of starts and goals.
    pub(crate) seed: u64,
    /// True if the ground is level and without walls, so that crowds without a mesh can take part.
    pub(crate) open: bool,
}

/// Walks between random places of a mesh, with our crowd and with DetourCrowd.
///
/// Errors: what either library refuses.
pub(crate) fn run(tiles: &[Tile], plan: &Round) -> Result<Vec<Standing>, CrowdsError> {
    let Some(agent) = tiles.first().map(|tile| tile.header().agent) else { return Ok(Vec::new()) };
    // Anchored at the world's zero, so that its positions equal the others' positions.
    let mut mesh = NavMesh::default();
    mesh.add_tiles(tiles.iter().cloned()).map_err(RuntimeError::from)?;
    let mesh = &mesh;
    let params = AgentParams { radius: agent[0], height: agent[1], ..AgentParams::default() };
    let mut random = SplitMix64::new(plan.seed);
    let mut draw = || random.between(0.0, 1.0);
    let walks = random_walks(mesh, &Filter::default(), plan.agents, &params, &mut draw);
    let mut query = Query::new();
    let sent: Vec<Sent> = walks.iter().map(|walk| Sent::of_walk(walk, mesh, &mut query)).collect();
    let theirs = DetourCrowd::new(Twin::new(tiles)?, &sent)?;
    let ours = OurCrowd::new(mesh, &walks)?;
    let mut all: Vec<Box<dyn Walkers + '_>> = vec![Box::new(theirs), Box::new(ours)];
    if plan.open {
        all.push(Box::new(Rvo::new(&sent)));
    }
    let mut contenders: Vec<_> = all.into_iter().map(|walkers| Contender::new(walkers, &sent, &[])).collect();
    for step in 0..(plan.seconds * RATE) as u32 {
        let news = News { time: step as f32 / RATE, ..News::default() };
        for contender in &mut contenders {
            contender.step(&news)?;
            contender.look(mesh, &sent)?;
        }
    }
    Ok(contenders.iter().map(|contender| contender.standing(&sent)).collect())
}
