//! Keeping agents on the mesh and on their paths after the mesh has changed.

use super::Worker;
use super::ground::{same_ground, way_out};
use crate::agent::{Agent, AgentState, Route, Target};
use crate::event::{Event, EventKind};
use crate::filters::CrowdFilter;
use crate::ids::AgentId;
use detour::{NavMesh, Place, Trimmed};
use glam::Vec3Swizzles;

/// Looks over an agent's corridor in a mesh that is not the one of the step before. One that has no ground where it stands is
/// lost for now.
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
        // The far end is gone: it comes off where the ground is nearest.
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

/// Puts an agent whose ground is gone on other ground.
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
    // Nothing that is asked of a place of this very mesh fails.
    let _ = agent.corridor.fix_start(scene.0, place, scene.1);
    look_over(agent, id, place, scene, true, events);
}

/// Cuts an agent's path where the mesh no longer leads along it, and asks for another; in any case if it `was_moved`.
fn look_over(
    agent: &mut Agent,
    id: AgentId,
    safe: Place,
    (mesh, filter): (&NavMesh, &CrowdFilter),
    was_moved: bool,
    events: &mut Vec<Event>,
) {
    let trimmed = agent.corridor.trim_invalid(mesh, safe, filter);
    // A target that could not be reached may be within reach now, and one that had no ground may have some.
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

/// Whether an agent is on its way to ground beside its target, as there was none at the target itself.
fn goes_beside(agent: &Agent) -> bool {
    let (Target::Place(place), Some(goal)) = (agent.target, agent.goal) else { return false };
    goal.point.xz().distance(place.point.xz()) > agent.params.stopping_distance.max(1e-3)
}
