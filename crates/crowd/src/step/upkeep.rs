//! Keeps agents on the mesh and on their paths after a change of the mesh.

use super::Worker;
use super::ground::{same_ground, way_out};
use crate::agent::{Agent, AgentState, Route, Target};
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::ids::AgentId;
use detour::{NavMesh, Place, Trimmed};
use glam::Vec3Swizzles;

/// Checks an agent's corridor after a change of the mesh. An agent whose own ground is gone is lost for now.
pub(crate) fn after_change(
    agent: &mut Agent,
    id: AgentId,
    (before, mesh): (&NavMesh, &NavMesh),
    filter: &CrowdFilter,
    worker: &mut Worker,
) {
    agent.walls.clear();
    agent.ahead = None;
    if let Some(passage) = agent.passage
        && let Some(link) = passage.link
        && mesh.attributes(passage.to.polygon).is_err()
    {
        // The far end is gone: the agent comes off at the nearest ground.
        agent.passage = None;
        agent.state = AgentState::Lost;
        worker.events.push(Event { agent: id, kind: EventKind::LinkLeft(link) });
    }
    if agent.state == AgentState::Lost {
        agent.exit = agent.exit.and_then(|exit| {
            let same = same_ground(agent, exit.point, mesh, filter, &mut worker.query);
            same.or_else(|| way_out(agent, exit, before, (mesh, filter), &mut worker.query))
        });
        return;
    }
    let at = agent.corridor.position();
    if mesh.attributes(agent.corridor.first()).is_ok() {
        look_over(agent, id, agent.corridor.place(), (mesh, filter), false, &mut worker.events);
    } else if let Some(place) = same_ground(agent, at, mesh, filter, &mut worker.query) {
        land(agent, id, place, (mesh, filter), &mut worker.events);
        if let Some(passage) = &mut agent.passage {
            passage.to = place;
        }
    } else {
        agent.exit = way_out(agent, agent.corridor.place(), before, (mesh, filter), &mut worker.query);
        let place = Place { point: agent.position(), ..agent.corridor.place() };
        if agent.passage.take().is_some() {
            agent.corridor.reset(place);
        }
        agent.state = AgentState::Lost;
    }
}

/// Moves an agent to other ground, after its own ground is gone.
pub(crate) fn land(
    agent: &mut Agent,
    id: AgentId,
    place: Place,
    scene: (&NavMesh, &CrowdFilter),
    events: &mut Vec<Event>,
) {
    agent.exit = None;
    if agent.state == AgentState::Lost {
        agent.state = agent.state_on_ground();
    }
    // Queries of a place of this same mesh do not fail.
    let _ = agent.corridor.fix_start(scene.0, place, scene.1);
    look_over(agent, id, place, scene, true, events);
}

/// Cuts an agent's path where the mesh no longer follows it, and requests another; always requests one if the
/// agent `was_moved`.
fn look_over(
    agent: &mut Agent,
    id: AgentId,
    safe: Place,
    (mesh, filter): (&NavMesh, &CrowdFilter),
    was_moved: bool,
    events: &mut Vec<Event>,
) {
    let trimmed = agent.corridor.trim_invalid(mesh, safe, filter);
    // A target that was out of reach may be within reach now, and a target without ground may have ground.
    let has_target = !matches!(agent.target, Target::None | Target::Velocity(_) | Target::Field(_));
    let had_none = agent.route == Route::None && has_target;
    let had_no_way = had_none || matches!(agent.route, Route::Partial(_)) || goes_beside(agent);
    if was_moved || had_no_way || trimmed != Ok(Trimmed::Whole) {
        let had_route = !had_no_way && agent.goal.is_some();
        agent.lose_route();
        if had_route && agent.state == AgentState::Searching {
            events.push(Event { agent: id, kind: EventKind::PathLost });
        }
    }
}

/// Returns true if an agent walks to ground next to its target, because the target itself had none.
fn goes_beside(agent: &Agent) -> bool {
    let (Target::Place(place), Some(goal)) = (agent.target, agent.goal) else { return false };
    goal.point.xz().distance(place.point.xz()) > agent.params.stopping_distance.max(1e-3)
}
