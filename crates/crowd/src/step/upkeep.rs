//! Keeps agents on the mesh and on their paths after a change of the mesh.

use super::Worker;
use super::ground::{find_exit, link_exit, same_ground};
use crate::agent::{Activity, Agent, Footing, Passage, PathState, Target};
use crate::event::{Event, EventKind};
use crate::filters::Ground;
use detour::{NavMesh, Place, Trimmed};
use glam::Vec3Swizzles;

/// Checks an agent's corridor after a change of the mesh. An agent whose own ground is gone is lost for now.
pub(crate) fn after_change(agent: &mut Agent, before: &NavMesh, ground: Ground<'_>, worker: &mut Worker) {
    let (mesh, query) = (ground.mesh, &mut worker.query);
    agent.walls.clear();
    agent.ahead = None;
    if let Footing::Carried(_) = agent.footing {
        return;
    }
    if let Footing::Passage(Passage { link: Some(link), to, .. }) = agent.footing
        && mesh.attributes(to.polygon).is_err()
        && same_ground(agent, to.point, ground, query).is_none()
    {
        // The far end is gone.
        let (exit, here) = (link_exit(agent, ground, query), Place { point: agent.position(), ..to });
        agent.corridor.reset(here);
        agent.footing = Footing::Lost(exit);
        worker.events.push(Event { agent: agent.id(), kind: EventKind::LinkLeft(link) });
        return;
    }
    if let Footing::Lost(exit) = agent.footing {
        let same = exit.and_then(|exit| same_ground(agent, exit.point, ground, query));
        let start = exit.unwrap_or(agent.corridor.place());
        let exit = same.or_else(|| find_exit(agent, start, before, ground, query));
        agent.footing = Footing::Lost(exit);
        return;
    }
    let at = agent.corridor.place();
    if mesh.attributes(at.polygon).is_ok() {
        look_over(agent, at, ground, false, &mut worker.events);
    } else if let Some(place) = same_ground(agent, at.point, ground, query) {
        land(agent, place, ground, &mut worker.events);
        if let Footing::Passage(passage) = &mut agent.footing {
            passage.to = place;
        }
    } else {
        let exit = find_exit(agent, at, before, ground, query);
        if let Some(passage) = agent.passage() {
            let place = Place { point: passage.at(), ..at };
            agent.corridor.reset(place);
        }
        agent.footing = Footing::Lost(exit);
    }
}

/// Puts an agent's path on other ground, after its own ground is gone.
pub(crate) fn land(agent: &mut Agent, place: Place, ground: Ground<'_>, events: &mut Vec<Event>) {
    // Queries of a place of this same mesh do not fail.
    let _ = agent.corridor.fix_start(ground.mesh, place, ground.filter);
    look_over(agent, place, ground, true, events);
}

/// Cuts an agent's path where the mesh no longer follows it, and requests another; always requests one if the
/// agent `was_moved`.
fn look_over(agent: &mut Agent, safe: Place, ground: Ground<'_>, was_moved: bool, events: &mut Vec<Event>) {
    let trimmed = agent.corridor.trim_invalid(ground.mesh, safe, ground.filter);
    // A target that was out of reach may be within reach now, and a target without ground may have ground.
    let had_no_path =
        matches!(agent.path, PathState::NoGoal(_) | PathState::Partial(_)) || goes_beside(agent);
    if was_moved || had_no_path || trimmed != Ok(Trimmed::Whole) {
        let had_path = !had_no_path && agent.goal.is_some();
        agent.lose_path();
        if had_path && agent.is(Activity::Searching) {
            events.push(Event { agent: agent.id(), kind: EventKind::PathLost });
        }
    }
}

/// Returns true if an agent walks to ground next to its target, because the target itself had none.
fn goes_beside(agent: &Agent) -> bool {
    let (Target::Place(place), Some(goal)) = (agent.target, agent.goal) else { return false };
    goal.point.xz().distance(place.point.xz()) > agent.params.stopping_distance.max(1e-3)
}
