//! Walkways: ground between two off-mesh links of a path that has room for one, and several such in a row.
//! Two agents that meet on a walkway can neither pass each other nor go back over the links, so agents use it
//! in one direction at a time.

use super::advance::{crossing_from, next_link};
use crate::agent::Agent;
use crate::agents::AgentList;
use crate::avoid::walls::HALF_LANE;
use detour::{Filter, NavMesh, Place, PolyRef, Query, Ray, Vec3};
use glam::{Vec2, Vec3Swizzles};

/// The longest part of a walkway, in radii. On longer ground agents turn back before they meet.
const LONGEST: f32 = 20.0;
/// The largest number of parts in a row, and of polygons of a path that are searched for them.
const MOST_PARTS: usize = 8;
const MOST_POLYGONS: usize = 64;
/// Links that start this near to a place where others end lead back from there, in radii.
const LEADS_BACK: f32 = 4.0;
/// An agent this near to the line from end to end is on a walkway, in radii.
const ON_IT: f32 = 3.0;
/// If agents at both ends have waited for this time, the longest wait goes first. Seconds.
const TURN: f32 = 20.0;
/// The width of a walkway is measured at these shares of its length.
const MEASURED_AT: [f32; 3] = [0.25, 0.5, 0.75];

/// A walkway that an agent enters by an off-mesh link.
#[derive(Clone, Copy, Debug, Default)]
struct Walkway {
    parts: [Part; MOST_PARTS],
    count: usize,
    radius: f32,
}

/// The ground between a link and the next.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// The places where an agent lands, and where the next link starts.
    ends: [Vec3; 2],
    /// The direction of the link that leads to the first, in plan. Not normalized.
    way: Vec2,
}

impl Walkway {
    /// The walkway at the end of a link that an agent is about to enter. It has no parts if the next link is
    /// far or if two agents could pass each other on the way there.
    fn beyond(agent: &Agent, link: PolyRef, ends: [Place; 2], mesh: &NavMesh, ray: &mut Ray) -> Walkway {
        let radius = agent.params.radius;
        let mut walkway = Walkway { radius, ..Walkway::default() };
        let polygons = agent.corridor.polygons();
        let after = polygons.iter().position(|polygon| *polygon == link).map_or(polygons.len(), |at| at + 1);
        let mut last = ends;
        for polygon in polygons[after..].iter().take(MOST_POLYGONS) {
            let Some(next) = crossing_from(*polygon, last[1].point, mesh) else { continue };
            let ends = [last[1].point, next[0].point];
            let is_near = ends[0].distance(ends[1]) <= radius * LONGEST;
            if walkway.count == MOST_PARTS || !is_near || !is_narrow(last[1], ends[1], radius, mesh, ray) {
                break;
            }
            let way = (last[1].point - last[0].point).xz();
            walkway.parts[walkway.count] = Part { ends, way };
            walkway.count += 1;
            last = next;
        }
        walkway
    }

    fn parts(&self) -> &[Part] {
        &self.parts[..self.count]
    }

    /// Returns true if an agent comes the other way: it is on the walkway, or lands there. Also true if it
    /// has waited at the other end for long, and longer than `waited`.
    fn is_taken_by(&self, other: &Agent, waited: f32, mesh: &NavMesh) -> bool {
        let at = other.passage().map_or(other.corridor.position(), |passage| passage.to.point);
        let is_on = |part: &Part| part.distance(at) <= self.radius * ON_IT;
        let has_waited = other.is_waiting() && other.waited >= TURN;
        let waits = has_waited && other.waited > waited;
        let is_there = !(has_waited && other.waited < waited) && self.parts().iter().any(is_on);
        if !waits && !is_there {
            return false;
        }
        let Some((_, [from, to])) = next_link(other, mesh) else { return false };
        let way = (to.point - from.point).xz();
        let meets = |end: Vec3, its: Vec3| end.distance(its) <= self.radius * LEADS_BACK;
        let leaves = |part: &Part| is_on(part) && meets(part.ends[0], from.point) && way.dot(part.way) < 0.0;
        let enters = |part: &Part| meets(part.ends[1], to.point) && way.dot(part.direction()) < 0.0;
        is_there && self.parts().iter().any(leaves) || waits && self.parts().last().is_some_and(enters)
    }
}

impl Part {
    fn direction(&self) -> Vec2 {
        (self.ends[1] - self.ends[0]).xz()
    }

    /// The distance of a place from the line between both ends.
    fn distance(&self, at: Vec3) -> f32 {
        let [from, to] = self.ends;
        let way = to - from;
        let part = (at - from).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
        (from + way * part.clamp(0.0, 1.0)).distance(at)
    }
}

/// Returns true if somewhere on a straight line there is no room for two agents next to each other.
fn is_narrow(from: Place, to: Vec3, radius: f32, mesh: &NavMesh, ray: &mut Ray) -> bool {
    let (query, filter, width) = (Query::new(), Filter::default(), radius * HALF_LANE * 2.0);
    let way = to - from.point;
    let side = way.xz().perp().normalize_or_zero() * width;
    MEASURED_AT.iter().any(|part| {
        // The landing place is on this mesh.
        let _ = query.raycast(mesh, from, from.point + way * *part, &filter, ray);
        let Some(&polygon) = ray.polygons.last() else { return false };
        let middle = Place { polygon, point: ray.point };
        let mut room = |side: Vec2| {
            let _ = query.raycast(mesh, middle, middle.point + Vec3::new(side.x, 0.0, side.y), &filter, ray);
            ray.fraction as f32 * width
        };
        room(side) + room(-side) < width
    })
}

/// The agent that keeps another from a walkway beyond its next link.
pub(crate) fn walkway_taken_by<'a>(
    waiting: &Agent,
    link: PolyRef,
    ends: [Place; 2],
    agents: &'a AgentList,
    mesh: &NavMesh,
    ray: &mut Ray,
) -> Option<&'a Agent> {
    let walkway = Walkway::beyond(waiting, link, ends, mesh, ray);
    if walkway.count == 0 {
        return None;
    }
    let mut others = agents.iter().filter(|other| other.is_there && other.number != waiting.number);
    others.find(|other| walkway.is_taken_by(other, waiting.waited, mesh))
}
