//! Bodies that hold passages: the ground around them costs more, so that paths lead another way if one is
//! short enough.
//!
//! A body holds a passage if it has kept still for a while, does not step aside for others, and an agent next
//! to it can get only to sides that it parts. In open ground and next to a wall a body holds nothing: agents
//! walk around it.

use crate::agent::{Activity, Agent, Footing};
use crate::crowd::Crowd;
use crate::error::{CrowdError, check_position, check_range};
use crate::filters::{CrowdFilter, Held, HeldGround};
use crate::stored::{Reader, Stored};
use detour::{Filter, NavMesh, Place, Query, Ray, Vec3};
use glam::Vec3Swizzles;
use std::sync::Arc;

/// Number of steps between two looks at the bodies.
const EVERY: u64 = 30;
/// Seconds for which a body must have kept still.
const STILL: f32 = 1.0;
/// A body that has moved by no more than this part of its radius has kept still.
const SAME: f32 = 0.25;
/// Number of directions in which the ground around a body is examined.
const DIRECTIONS: u32 = 16;
/// The radius of agents on a mesh that does not name one, metres.
const USUAL_RADIUS: f32 = 0.3;

/// A body that may hold a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Holder {
    /// The number of its agent, or, after those of all agents, of its disc.
    owner: u32,
    at: Vec3,
    radius: f32,
    height: f32,
    /// Seconds for which it has kept still.
    still: f32,
    /// True if it holds a passage.
    holds: bool,
}

impl Stored for Holder {
    fn write(&self, out: &mut Vec<u8>) {
        self.owner.write(out);
        self.at.write(out);
        [self.radius, self.height, self.still].iter().for_each(|value| value.write(out));
        self.holds.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, CrowdError> {
        let (owner, at) = Stored::read(from)?;
        let (radius, (height, still)) = Stored::read(from)?;
        let holder = Holder { owner, at, radius, height, still, holds: Stored::read(from)? };
        check_position("the position of a body that keeps still", at)?;
        check_range("the radius of a body that keeps still", radius, 0.0..=100.0, " m")?;
        check_range("the height of a body that keeps still", height, 0.0..=100.0, " m")?;
        check_range("the time of a body that keeps still", still, 0.0..=f32::MAX, " s")?;
        Ok(holder)
    }
}

impl Crowd {
    /// Looks for bodies that hold passages, now and then and after changes of the mesh. If others hold than
    /// before, agents whose paths that concerns get new paths.
    pub(crate) fn find_holders(&mut self, mesh: &NavMesh, dt: f32, has_changed: bool) {
        if self.settings.held_detour <= 0.0 || !has_changed && !self.steps.is_multiple_of(EVERY) {
            return;
        }
        let before = std::mem::take(&mut self.holders);
        if self.steps.is_multiple_of(EVERY) {
            self.gather_holders(&before, dt * EVERY as f32);
        } else {
            self.holders.clone_from(&before);
        }
        let place =
            |holder: &Holder| (holder.owner, holder.at.to_array().map(f32::to_bits), holder.is_still());
        if has_changed || !self.holders.iter().map(place).eq(before.iter().map(place)) {
            self.judge_holders(mesh);
        } else {
            self.holders.iter_mut().zip(&before).for_each(|(now, before)| now.holds = before.holds);
        }
        let held = |holders: &[Holder]| {
            let held = holders.iter().filter(|holder| holder.holds);
            held.map(|holder| (holder.at, holder.radius)).collect::<Vec<(Vec3, f32)>>()
        };
        let (was_held, is_held) = (held(&before), held(&self.holders));
        if was_held == is_held && !(has_changed && !is_held.is_empty()) {
            return;
        }
        let old = self.filters.first().and_then(|filter| filter.held.clone());
        let holders = std::mem::take(&mut self.holders);
        self.filters = self.held_filters(mesh, &holders);
        self.holders = holders;
        self.searches.restart();
        if was_held != is_held {
            self.search_again(&was_held, &is_held, old.as_deref());
        }
    }

    /// Lists the bodies that keep still and do not step aside.
    fn gather_holders(&mut self, before: &[Holder], elapsed: f32) {
        let agents = self.agents.iter().filter(|agent| agent.is_there && agent.params.layers != 0);
        let agents = agents.filter(|agent| self.stays(agent)).map(|agent| Holder {
            owner: agent.number,
            at: agent.position(),
            radius: agent.params.radius,
            height: agent.params.height,
            still: 0.0,
            holds: false,
        });
        let discs = (self.agents.len() as u32..).zip(&self.discs).filter(|(_, disc)| disc.layers != 0);
        let discs = discs.map(|(owner, disc)| Holder {
            owner,
            at: disc.position,
            radius: disc.radius,
            height: disc.height,
            still: 0.0,
            holds: false,
        });
        let now: Vec<Holder> = agents.chain(discs).collect();
        self.holders.extend(now.into_iter().map(|own| {
            let known =
                before.binary_search_by_key(&own.owner, |other| other.owner).ok().map(|at| before[at]);
            let is_same = |old: &Holder| {
                old.at.distance(own.at) <= own.radius * SAME
                    && (old.radius, old.height) == (own.radius, own.height)
            };
            match known.filter(is_same) {
                Some(old) => Holder { still: (old.still + elapsed).min(STILL * 2.0), ..old },
                None => own,
            }
        }));
    }

    /// Returns true if an agent does not step aside for others: the caller moves it, it cannot walk, or it is
    /// stuck.
    fn stays(&self, agent: &Agent) -> bool {
        let is_stuck = agent.progress.stalled >= self.settings.stuck_after;
        matches!(agent.footing, Footing::Ground(_))
            && (agent.is_kinematic || agent.params.max_speed <= 0.0 || is_stuck)
    }

    /// Finds the bodies that hold passages.
    fn judge_holders(&mut self, mesh: &NavMesh) {
        let margin = agent_radius(mesh);
        let still: Vec<Holder> = self.holders.iter().copied().filter(Holder::is_still).collect();
        for holder in &mut self.holders {
            holder.holds = holder.is_still() && holder.parts_ground(mesh, margin, &still, &mut self.query);
        }
    }

    /// The filters of the crowd, with ground that costs more around the bodies that hold passages.
    pub(crate) fn held_filters(&mut self, mesh: &NavMesh, holders: &[Holder]) -> Vec<CrowdFilter> {
        let margin = agent_radius(mesh);
        let mut held = HeldGround::default();
        for holder in holders.iter().filter(|holder| holder.holds) {
            let reach = holder.radius + margin;
            let per_metre = self.settings.held_detour / (2.0 * reach);
            let number = held.discs.len() as u32;
            held.discs.push(Held { at: holder.at.xz(), reach, per_metre });
            let half_extents = Vec3::new(reach, holder.height.max(reach), reach);
            let visit = |polygon| held.polygons.push((polygon, number));
            // Bodies have valid positions, and reaches are not negative.
            let _ = self.query.polygons_in_box(mesh, holder.at, half_extents, &Filter::default(), visit);
        }
        held.polygons.sort_unstable();
        let held = (!held.discs.is_empty()).then(|| Arc::new(held));
        let with = |own: &CrowdFilter| CrowdFilter { held: held.clone(), ..own.clone() };
        self.filters.iter().map(with).collect()
    }

    /// Requests new paths for agents whose paths lead over ground that is held now, and for agents so near to
    /// ground that is not held any more that a path over it may be shorter.
    fn search_again(&mut self, was: &[(Vec3, f32)], is: &[(Vec3, f32)], old: Option<&HeldGround>) {
        let freed: Vec<Vec3> = was.iter().filter(|one| !is.contains(one)).map(|(at, _)| *at).collect();
        let now = self.filters.first().and_then(|filter| filter.held.clone());
        let detour = self.settings.held_detour;
        let is_new = |polygon| {
            now.as_ref().is_some_and(|now| now.has(polygon)) && !old.is_some_and(|old| old.has(polygon))
        };
        for agent in &mut self.agents.list {
            let walks = agent.is_there
                && agent.path.is_found()
                && matches!(agent.footing, Footing::Ground(activity) if activity != Activity::Arrived);
            let at = agent.position();
            let is_near = || freed.iter().any(|freed| freed.distance(at) <= detour);
            if walks && (is_near() || agent.corridor.polygons().iter().copied().any(is_new)) {
                agent.lose_path();
            }
        }
    }
}

impl Holder {
    fn is_still(&self) -> bool {
        self.still >= STILL
    }

    /// Returns true if the body parts the ground around it: an agent next to it can leave in several
    /// directions, but cannot get from one to another past the body.
    fn parts_ground(&self, mesh: &NavMesh, margin: f32, others: &[Holder], query: &mut Query) -> bool {
        let (reach, all) = (self.radius + margin, Filter::default());
        let half_extents = Vec3::new(self.radius, self.height.max(1.0), self.radius);
        let Ok(near) = query.nearest(mesh, self.at, half_extents, &all) else { return false };
        let (place, mut ray): (Place, Ray) = (near.place(), Ray::default());
        let mut is_open = |number: u32| {
            let angle = number as f32 / DIRECTIONS as f32 * std::f32::consts::TAU;
            let way = Vec3::new(libm::cosf(angle), 0.0, libm::sinf(angle));
            let to = place.point + way * reach;
            let is_taken = |other: &Holder| {
                let apart = other.at - to;
                let is_level = apart.y.abs() < self.height.max(other.height);
                other.owner != self.owner && is_level && apart.xz().length() < other.radius + margin
            };
            query.raycast(mesh, place, to, &all, &mut ray).is_ok()
                && ray.is_clear()
                && !others.iter().any(is_taken)
        };
        let open: Vec<bool> = (0..DIRECTIONS).map(&mut is_open).collect();
        let begins = |number: usize| open[number] && !open[(number + open.len() - 1) % open.len()];
        (0..open.len()).filter(|number| begins(*number)).count() >= 2
    }
}

/// The radius of the agents of a mesh, metres.
fn agent_radius(mesh: &NavMesh) -> f32 {
    let named = mesh.tiles().map(|tile| tile.header().agent[0]).filter(|radius| *radius > 0.0);
    named.reduce(f32::min).unwrap_or(USUAL_RADIUS)
}
