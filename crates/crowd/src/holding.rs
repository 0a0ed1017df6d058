//! Bodies that hold passages: the ground around them costs more, so that paths take another passage if one is
//! near enough.
//!
//! A body holds a passage if it has kept still for a while, does not step aside for others, and parts the
//! ground around it. In open ground and next to a wall a body holds nothing: agents walk around it.

use crate::agent::{Activity, Agent, Footing};
use crate::bodies::NONE;
use crate::crowd::Crowd;
use crate::filters::{CrowdFilter, Held, HeldGround};
use crate::holder::Holder;
use crate::settings::baked_radius;
use crate::step::Parts;
use detour::{Filter, NavMesh, Query, Vec3};
use glam::Vec3Swizzles;
use std::sync::Arc;

/// Number of steps between two looks at the bodies.
const EVERY: u64 = 30;
/// The radius of agents on a mesh that does not name one, metres.
const USUAL_RADIUS: f32 = 0.3;

impl Crowd {
    /// Looks for bodies that hold passages, now and then and after changes of the mesh. If other bodies hold
    /// passages than before, the agents that this concerns get new paths.
    pub(crate) fn find_holders(&mut self, mesh: &NavMesh, dt: f32, has_changed: bool) {
        let is_due = self.parts.steps.is_multiple_of(EVERY);
        if self.parts.settings.held_detour <= 0.0 || !has_changed && !is_due {
            return;
        }
        if is_due {
            self.gather_holders(dt * EVERY as f32);
        } else {
            self.holders.before.clone_from(&self.holders.list);
        }
        if has_changed || !self.holders.are_as_before() {
            let radius = baked_radius(mesh).unwrap_or(USUAL_RADIUS);
            self.holders.judge(mesh, radius, &mut self.query);
        }
        let places = |list| held(list).map(Holder::place);
        let is_same = places(&self.holders.before).eq(places(&self.holders.list));
        let is_any = held(&self.holders.list).next().is_some();
        if is_same && !(has_changed && is_any) {
            return;
        }
        let filters = self.held_filters(mesh, &self.holders.list);
        let old = std::mem::replace(&mut self.parts.filters, filters);
        self.searches.restart();
        if !is_same {
            self.search_again(old.first().and_then(|filter| filter.held.as_deref()));
        }
    }

    /// Lists the bodies that do not step aside.
    fn gather_holders(&mut self, elapsed: f32) {
        let Crowd { holders, agents, discs, parts: Parts { settings, .. }, .. } = self;
        holders.begin();
        let is_solid = |agent: &&Agent| agent.is_there && agent.params.layers != 0;
        for agent in agents.iter().filter(is_solid).filter(|agent| stays(agent, settings.stuck_after)) {
            let size = [agent.params.radius, agent.params.height];
            holders.add(agent.number, agent.position(), size, elapsed);
        }
        for disc in discs.iter().filter(|disc| disc.layers != 0) {
            holders.add(NONE, disc.position, [disc.radius, disc.height], elapsed);
        }
    }

    /// The filters of the crowd, with ground that costs more around the bodies that hold passages.
    pub(crate) fn held_filters(&self, mesh: &NavMesh, holders: &[Holder]) -> Vec<CrowdFilter> {
        let radius = baked_radius(mesh).unwrap_or(USUAL_RADIUS);
        let (mut ground, mut query) = (HeldGround::default(), Query::new());
        for holder in held(holders) {
            let reach = holder.radius + radius;
            let per_metre = self.parts.settings.held_detour / (2.0 * reach);
            let number = ground.discs.len() as u32;
            ground.discs.push(Held { at: holder.at.xz(), reach, per_metre });
            let half_extents = Vec3::new(reach, holder.height.max(reach), reach);
            let visit = |polygon| ground.polygons.push((polygon, number));
            // Bodies have valid positions, and reaches are not negative.
            let _ = query.polygons_in_box(mesh, holder.at, half_extents, &Filter::default(), visit);
        }
        ground.polygons.sort_unstable();
        let ground = (!ground.discs.is_empty()).then(|| Arc::new(ground));
        let with = |own: &CrowdFilter| CrowdFilter { held: ground.clone(), ..own.clone() };
        self.parts.filters.iter().map(with).collect()
    }

    /// Requests new paths for agents whose paths cross ground that is held now and was not before, and for
    /// agents so near to ground that is not held any more that a path over it may be cheaper.
    fn search_again(&mut self, old: Option<&HeldGround>) {
        let Crowd { holders, agents, parts: Parts { filters, settings, .. }, .. } = self;
        let is_held = |one: &Holder| held(&holders.list).any(|other| other.place() == one.place());
        let freed = held(&holders.before).filter(|one| !is_held(one)).map(|one| one.at);
        let freed: Vec<Vec3> = freed.collect();
        let now = filters.first().and_then(|filter| filter.held.as_deref());
        let is_new =
            |polygon| now.is_some_and(|now| now.has(polygon)) && !old.is_some_and(|old| old.has(polygon));
        for agent in &mut agents.list {
            let walks = agent.is_there
                && agent.path.is_found()
                && matches!(agent.footing, Footing::Ground(activity) if activity != Activity::Arrived);
            let at = agent.position();
            let is_near = || freed.iter().any(|freed| freed.distance(at) <= settings.held_detour);
            if walks && (is_near() || agent.corridor.polygons().iter().copied().any(is_new)) {
                agent.lose_path();
            }
        }
    }
}

/// The bodies that hold passages.
fn held(holders: &[Holder]) -> impl Iterator<Item = &Holder> {
    holders.iter().filter(|holder| holder.holds)
}

/// Returns true if an agent does not step aside for others: the caller moves it, it cannot walk, or it is
/// stuck.
fn stays(agent: &Agent, stuck_after: f32) -> bool {
    let is_stuck = agent.progress.stalled >= stuck_after;
    matches!(agent.footing, Footing::Ground(_))
        && (agent.is_kinematic || agent.params.max_speed <= 0.0 || is_stuck)
}
