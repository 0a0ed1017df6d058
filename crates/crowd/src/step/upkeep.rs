//! Keeping agents on the mesh and on their paths after the mesh has changed.

use super::Worker;
use crate::agent::{Agent, AgentState, Route, Target};
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::ids::AgentId;
use detour::{NavMesh, Trimmed, Vec3};

/// How far ground is looked for under an agent whose own is gone, as a multiple of its size.
const SEARCH: f32 = 4.0;

/// Looks over an agent's corridor in a mesh that is not the one of the step before.
pub(crate) fn after_change(
    agent: &mut Agent,
    id: AgentId,
    mesh: &NavMesh,
    filter: &CrowdFilter,
    worker: &mut Worker,
) {
    agent.walls.clear();
    agent.ahead = None;
    if let Some(passage) = agent.passage
        && mesh.attributes(passage.to.polygon).is_err()
    {
        // The far end is gone: it comes off where the ground is nearest.
        agent.passage = None;
        agent.state = AgentState::Searching;
        worker.events.push(Event { agent: id, kind: EventKind::LinkLeft(passage.link) });
    }
    let is_there = mesh.attributes(agent.corridor.first()).is_ok();
    let safe = if is_there { Some(agent.corridor.place()) } else { ground_near(agent, mesh, filter, worker) };
    let Some(safe) = safe else {
        if agent.state != AgentState::Lost {
            agent.state = AgentState::Lost;
            worker.events.push(Event { agent: id, kind: EventKind::GroundLost });
        }
        return;
    };
    if agent.state == AgentState::Lost {
        agent.state = agent.state_on_ground();
        worker.events.push(Event { agent: id, kind: EventKind::GroundFound });
    }
    if !is_there {
        // Nothing that is asked of a place of this very mesh fails.
        let _ = agent.corridor.fix_start(mesh, safe, filter);
    }
    let trimmed = agent.corridor.trim_invalid(mesh, safe, filter);
    // A target that could not be reached may be within reach now, and one that had no ground may have some.
    let has_target = !matches!(agent.target, Target::None | Target::Velocity(_) | Target::Field(_));
    let had_none = agent.route == Route::None && has_target;
    let had_no_way = had_none || matches!(agent.route, Route::Partial(_));
    if !is_there || had_no_way || trimmed != Ok(Trimmed::Whole) {
        let had_route = !had_no_way && agent.goal.is_some();
        agent.lose_route();
        if had_route && agent.state == AgentState::Searching {
            worker.events.push(Event { agent: id, kind: EventKind::PathLost });
        }
    }
}

/// The ground nearest to an agent whose own is gone.
fn ground_near(
    agent: &Agent,
    mesh: &NavMesh,
    filter: &CrowdFilter,
    worker: &mut Worker,
) -> Option<detour::Place> {
    let params = &agent.params;
    let reach = (params.radius * SEARCH).max(1.0);
    let half_extents = Vec3::new(reach, params.height.max(1.0), reach);
    let nearest = worker.query.nearest(mesh, agent.position(), half_extents, filter);
    nearest.ok().map(|nearest| nearest.place())
}
