//! Explains why no path leads from one place to another: the places where the islands between come nearest to
//! each other, the blockers there, and the settings that would join the islands. Units: metres, degrees.
//! Cost: one bake, a search over all floors, and one bake for each remedy that is tried.
//!
//! Every top of solid geometry is a place where an agent of some size could be. A search over all of them
//! leads from one place to the other, also through thin air. It pays for everything that the agent cannot do:
//! a step above its climb, a slope, a gap. The cheapest path shows where the least is missing, and its
//! violations name the blockers. A remedy is an answer only after a bake with it has joined the places.

mod blocker;
mod floors;
mod remedy;
mod search;
mod width;

pub use remedy::Change;
pub(super) use remedy::{exact_outlines, first_that};
pub(super) use width::LOST;

use blocker::Surveyor;
use floors::Floors;
use navlevel::{graph_grid, graph_node, island_at};
use navlinks::Reason;
use navtile::{IslandGraph, Tile};
use recast::Baked;
use recast::Error;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use recast::bake_tapped;
use recast::{Observer, StageId};
use recast::{Snapshot, StageResults};

/// Largest distance between a place and the mesh it counts as being on: across and in height, metres.
pub const REACH: [f64; 2] = [2.0, 4.0];

/// Explains the path from one place to another, or the reasons against one.
#[derive(Clone, Debug, PartialEq)]
pub struct WayExplanation {
    /// The places that were asked for, world metres.
    pub ends: [[f64; 3]; 2],
    /// True for each place that has mesh.
    pub on_mesh: [bool; 2],
    /// True if a path leads from the first place to the second.
    pub joined: bool,
    /// True if a path leads from the second place to the first. Differs from `joined` if off-mesh connections
    /// lead in one direction only.
    pub returns: bool,
    /// The places where the mesh breaks off, from the first place to the second. Empty if there is a path, if
    /// an end is not on the mesh, or if no geometry leads across.
    pub breaks: Vec<Break>,
    /// Changes of the settings that give the bake a path; `None` if no such changes were found.
    pub remedy: Option<Vec<Change>>,
    /// Off-mesh connections that give the bake a path.
    pub connections: Option<Vec<Change>>,
}

/// A place where one island ends and the next one does not begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    /// The last place on the mesh before the break, and the first one after it, world metres.
    pub ends: [[f64; 3]; 2],
    /// The blockers between these places, each with its own place, the worst first.
    pub blockers: Vec<Reason>,
}

/// Bakes a level in one piece and explains why no path leads from `ends[0]` to `ends[1]`, world metres.
///
/// # Errors
/// The errors of the bake, [`Error::Cancelled`] among them.
pub fn explain_way(
    level: &PreparedLevel,
    ends: [[f64; 3]; 2],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<WayExplanation, Error> {
    let mut results = StageResults::default();
    let build = TileBuild::solo(level);
    let keep = &mut |snapshot: Snapshot<'_>| {
        // Only the tile itself is needed from the stages after the regions.
        if snapshot.stage() <= StageId::Regions {
            results.keep(snapshot);
        }
    };
    let baked = bake_tapped(level, &build, observer, scratch, keep)?;
    let found = Found::new(level, &baked, ends);
    let mut way = WayExplanation {
        ends,
        on_mesh: found.islands.map(|island| island.is_some()),
        joined: found.joined,
        returns: found.returns,
        breaks: Vec::new(),
        remedy: None,
        connections: None,
    };
    if way.joined || way.on_mesh.contains(&false) {
        return Ok(way);
    }
    let Some(floors) = Floors::new(level, results) else { return Ok(way) };
    let Some(steps) = search::find(&floors, ends) else { return Ok(way) };
    way.breaks = Surveyor { level, floors: &floors }.breaks(&steps)?;
    drop(floors);
    let mut proof = remedy::Proof { level, ends, observer, scratch };
    if way.returns {
        way.remedy = proof.both_ways()?;
    }
    if way.remedy.is_none() {
        way.remedy = proof.settings(&way.breaks)?;
    }
    way.connections = proof.connections(&way.breaks)?;
    Ok(way)
}

/// The islands under two places.
struct Found {
    islands: [Option<u32>; 2],
    joined: bool,
    returns: bool,
}

impl Found {
    fn new(level: &PreparedLevel, baked: &Baked, ends: [[f64; 3]; 2]) -> Found {
        let [across, up] = REACH;
        let on = |tile: &Tile, place| island_at(level, tile, place, across, up).map(|(island, _)| island);
        let islands = ends.map(|place| on(&baked.tile, place));
        let [joined, returns] = match islands {
            [Some(from), Some(to)] => {
                let graph = IslandGraph::new(vec![graph_node(level, baked, [0; 16])]);
                let leads = |from: u32, to: u32| {
                    graph.judge(&graph_grid(level, 0), 0, Some(&[(0, from)])).keeps(0, to)
                };
                [leads(from, to), leads(to, from)]
            }
            _ => [false; 2],
        };
        Found { islands, joined, returns }
    }
}
