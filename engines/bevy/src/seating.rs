//! The system that adds agents to the crowd, and passes on the changes that the game has made since the last
//! step.

use crate::agent::{NavAgent, NavCarried, NavDrive, NavFilter, NavTarget};
use crate::components::OnNavWorld;
use crate::events::{NavAgentEvent, NavAgentEventKind, NoPathReason};
use crate::exits::NavExits;
use crate::groups::{NavFollows, NavGroup};
use crate::seats::{Aim, Meeting, Seat};
use crate::world::NavWorld;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::observer::On;
use bevy_ecs::prelude::{Commands, DetectChanges, Entity, Has, Query, Ref};
use bevy_ecs::system::SystemParam;
use bevy_math::{Vec2, Vec3, Vec3Swizzles};
use bevy_transform::components::Transform;
use crowd::{CrowdError, Exit, FilterKind, Target};
use detour::{Place, Query as MeshQuery};

/// The largest distance from a target to the ground: horizontally, and in height.
pub(crate) const TARGET_REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);
/// A follower of an entity gets a new target when the entity has moved this far, metres.
const FOLLOW_STEP: f32 = 0.25;
/// If the distance between an entity and its last position is larger than this, the game has moved the
/// entity. Metres.
const MOVED: f32 = 1e-3;
/// With [`NavDrive::Velocity`], the largest distance between an agent and its entity, in radii.
const LEASH: f32 = 4.0;

type Agents<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        Ref<'static, NavAgent>,
        Ref<'static, NavTarget>,
        Option<Ref<'static, NavFilter>>,
        Option<&'static OnNavWorld>,
        (Has<NavFollows>, Has<NavGroup>, Has<NavCarried>),
        &'static Transform,
    ),
>;

/// The entities that agents go to.
#[derive(SystemParam)]
pub(crate) struct Goals<'w, 's> {
    places: Query<'w, 's, &'static Transform>,
    exits: Query<'w, 's, Ref<'static, NavExits>>,
}

/// Takes an agent out of the crowd when it is despawned, or its component removed.
pub(crate) fn leave(removed: On<Remove<NavAgent>>, mut worlds: Query<&mut NavWorld>) {
    for mut world in &mut worlds {
        let NavWorld { seats, crowd, momentum, .. } = &mut *world;
        seats.leave(crowd, removed.entity);
        momentum.remove(&removed.entity);
    }
}

/// Adds agents to the crowd of their world, and passes on new properties, targets and positions.
pub(crate) fn seat_agents(
    agents: Agents,
    goals: Goals,
    mut worlds: Query<(Entity, &mut NavWorld)>,
    mut commands: Commands,
) {
    let only = match worlds.iter().len() {
        1 => worlds.iter().next().map(|(entity, _)| entity),
        _ => None,
    };
    for (_, mut world) in &mut worlds {
        let NavWorld { mesh, seen, is_other_mesh, .. } = &mut *world;
        *is_other_mesh = !mesh.is_same(seen);
        if *is_other_mesh {
            *seen = mesh.clone();
        }
    }
    for (entity, agent, target, filter, on, (follows, leads, is_carried), transform) in &agents {
        let home = on.map_or(only, |on| Some(on.0));
        for (id, mut world) in &mut worlds {
            if home != Some(id) {
                let NavWorld { seats, crowd, .. } = &mut *world;
                seats.leave(crowd, entity);
                continue;
            }
            if !world.is_ready() {
                continue;
            }
            let mut seated =
                Seating { world: &mut world, entity, agent: &agent, origin: transform.translation };
            let is_new = seated.world.seats.get(entity).is_none();
            let looks_anew = if is_new {
                seated.enter(filter.as_deref()).map(|()| true)
            } else {
                let is_changed =
                    agent.is_changed() || filter.as_ref().is_some_and(|filter| filter.is_changed());
                seated.follow_changes(filter.as_deref(), is_changed, is_carried)
            };
            let aimed = looks_anew.and_then(|anew| match follows && !leads {
                true => Ok(seated.wait_for_group()),
                false => seated.aim(*target, anew || target.is_changed(), &goals),
            });
            match aimed {
                Ok(None) => {}
                Ok(Some(reason)) => report(&mut commands, entity, NavAgentEventKind::NoPath(reason)),
                // There is no ground near it. Its state shows that.
                Err(CrowdError::Query(_)) => {}
                Err(error) => tracing::warn!("agent {entity}: {error}"),
            }
        }
    }
}

/// Sends an event of an agent, as a message and to observers.
pub(crate) fn report(commands: &mut Commands, entity: Entity, kind: NavAgentEventKind) {
    let event = NavAgentEvent { entity, kind };
    commands.write_message(event);
    commands.trigger(event);
}

/// An agent and its world.
struct Seating<'a> {
    world: &'a mut NavWorld,
    entity: Entity,
    agent: &'a NavAgent,
    /// Position of the entity in the game.
    origin: Vec3,
}

impl Seating<'_> {
    /// Adds the agent to the crowd.
    fn enter(&mut self, filter: Option<&NavFilter>) -> Result<(), CrowdError> {
        let has_filter = filter.is_some();
        let filter = self.filter(filter)?;
        let feet = self.agent.feet(self.origin);
        let NavWorld { crowd, mesh, seats, momentum, .. } = &mut *self.world;
        let id = crowd.add(mesh, feet, &self.agent.params(filter))?;
        seats.insert(
            self.entity,
            Seat { id, filter, has_filter, origin: self.origin, aim: Aim::Known, reported: None },
        );
        if let Some(velocity) = momentum.remove(&self.entity) {
            crowd.place(mesh, id, feet, velocity)?;
        }
        Ok(())
    }

    /// Passes on new properties, and the position if the game has moved the entity or carries it. Returns
    /// true if the filter has changed; the target must then be found again.
    fn follow_changes(
        &mut self,
        filter: Option<&NavFilter>,
        is_changed: bool,
        is_carried: bool,
    ) -> Result<bool, CrowdError> {
        let has_filter = self.world.seats.get(self.entity).is_some_and(|seat| seat.has_filter);
        let is_other = (is_changed || has_filter != filter.is_some()) && self.change(filter)?;
        let NavWorld { crowd, mesh, seats, .. } = &mut *self.world;
        let Some(seat) = seats.get_mut(self.entity) else { return Ok(is_other) };
        let view = crowd.agent(seat.id)?;
        let (left, limit) = match self.agent.drive {
            NavDrive::Transform => (seat.origin, MOVED),
            NavDrive::Velocity => (self.agent.origin(view.position), LEASH * self.agent.radius.max(0.1)),
        };
        let was_carried = view.state == crowd::AgentState::Carried;
        if is_carried {
            seat.origin = self.origin;
            crowd.carry(seat.id, self.agent.feet(self.origin), Vec3::ZERO)?;
        } else if was_carried || self.origin.distance(left) > limit {
            seat.origin = self.origin;
            crowd.place(mesh, seat.id, self.agent.feet(self.origin), view.velocity)?;
        }
        Ok(is_other)
    }

    /// Passes on properties. Returns true if the filter has changed.
    fn change(&mut self, filter: Option<&NavFilter>) -> Result<bool, CrowdError> {
        let kind = self.filter(filter)?;
        let NavWorld { crowd, seats, .. } = &mut *self.world;
        let Some(seat) = seats.get(self.entity).copied() else { return Ok(false) };
        let is_other = seat.filter != kind;
        if is_other {
            // A field has one filter, and so have exits.
            crowd.set_target(seat.id, Target::None)?;
            seats.drop_goal(crowd, seat.aim);
        }
        if let Some(seat) = seats.get_mut(self.entity) {
            (seat.filter, seat.has_filter) = (kind, filter.is_some());
            seat.aim = if is_other { Aim::Unknown } else { seat.aim };
        }
        crowd.set_params(seat.id, &self.agent.params(kind))?;
        Ok(is_other)
    }

    /// The number of a filter in the crowd.
    fn filter(&mut self, filter: Option<&NavFilter>) -> Result<FilterKind, CrowdError> {
        let known = self.world.seats.filters.iter().find(|(known, _)| known.as_ref() == filter);
        if let Some((_, kind)) = known {
            return Ok(*kind);
        }
        let base = self.world.filter();
        let made = match filter {
            None => base,
            Some(own) => own.over(base.clone()).unwrap_or_else(|error| {
                tracing::warn!("agent {}: NavFilter: {error}; the filter is ignored", self.entity);
                base
            }),
        };
        let kind = self.world.crowd.add_filter(made)?;
        self.world.seats.filters.push((filter.cloned(), kind));
        Ok(kind)
    }

    /// Sends the agent to its target, if the target has changed or moved. Returns the reason if it is already
    /// known that no path exists.
    fn aim(
        &mut self,
        target: NavTarget,
        is_changed: bool,
        goals: &Goals,
    ) -> Result<Option<NoPathReason>, CrowdError> {
        let Some(seat) = self.world.seats.get(self.entity).copied() else { return Ok(None) };
        let has_moved = match (seat.aim, target) {
            (Aim::Follows(before), NavTarget::Entity(other)) => {
                goals.places.get(other).map_or(true, |place| place.translation.distance(before) > FOLLOW_STEP)
            }
            (_, NavTarget::Exits(entity)) => goals.exits.get(entity).is_ok_and(|exits| exits.is_changed()),
            _ => false,
        };
        let is_retry = seat.aim == Aim::Unknown && self.world.is_other_mesh;
        let is_changed = is_changed || seat.aim == Aim::Anew;
        if !(is_changed || has_moved || is_retry || (seat.aim == Aim::Unknown && target == NavTarget::None)) {
            return Ok(None);
        }
        let aim = self.resolve(target, &seat, goals)?;
        let NavWorld { crowd, seats, .. } = &mut *self.world;
        // The new target is taken before the old one is dropped, in case they are the same.
        seats.drop_goal(crowd, seat.aim);
        if let Some(seat) = seats.get_mut(self.entity) {
            seat.aim = aim;
            seat.reported = None;
        }
        let is_news = aim == Aim::Unknown && !is_retry;
        Ok(is_news.then_some(NoPathReason::OffMesh))
    }

    /// The group moves the agent. Its own target takes effect again when it leaves the group.
    fn wait_for_group(&mut self) -> Option<NoPathReason> {
        let NavWorld { crowd, seats, .. } = &mut *self.world;
        let aim = seats.get(self.entity)?.aim;
        if aim != Aim::Group {
            seats.drop_goal(crowd, aim);
            seats.get_mut(self.entity)?.aim = Aim::Anew;
        }
        None
    }

    fn resolve(&mut self, target: NavTarget, seat: &Seat, goals: &Goals) -> Result<Aim, CrowdError> {
        let (target, aim) = match target {
            NavTarget::None => (Target::None, Aim::Known),
            NavTarget::Velocity(velocity) => {
                let velocity: Vec2 = velocity.xz();
                (Target::Velocity(velocity), Aim::Known)
            }
            NavTarget::Point(point) => self
                .place_of(point, seat)
                .map_or((Target::None, Aim::Unknown), |place| (Target::Place(place), Aim::Known)),
            NavTarget::Shared(point) => self.shared(Meeting::Point(point), seat)?,
            NavTarget::Exits(entity) => match goals.exits.get(entity) {
                Ok(exits) => self.shared(Meeting::Exits(NavExits::clone(&exits)), seat)?,
                Err(_) => (Target::None, Aim::Unknown),
            },
            NavTarget::Entity(other) => match (self.world.agent(other), goals.places.get(other)) {
                (Some(id), _) => (Target::Agent(id), Aim::Known),
                (None, Ok(place)) => {
                    let found = self.place_of(place.translation, seat);
                    let aim = Aim::Follows(place.translation);
                    found.map_or((Target::None, aim), |place| (Target::Place(place), aim))
                }
                (None, Err(_)) => (Target::None, Aim::Unknown),
            },
        };
        self.world.crowd.set_target(seat.id, target)?;
        Ok(aim)
    }

    /// The ground nearest to a target.
    fn place_of(&self, point: Vec3, seat: &Seat) -> Option<Place> {
        let filters = &self.world.seats.filters;
        let own =
            filters.iter().find(|(_, kind)| *kind == seat.filter).and_then(|(filter, _)| filter.as_ref());
        let base = self.world.filter();
        let filter = own.and_then(|own| own.over(base.clone()).ok()).unwrap_or(base);
        // Excluded ground is used if there is no other ground, so that the crowd reports the reason.
        let mut query = MeshQuery::new();
        let near = query.nearest(&self.world.mesh, point, TARGET_REACH, &filter);
        let any =
            || MeshQuery::new().nearest(&self.world.mesh, point, TARGET_REACH, &detour::Filter::default());
        near.or_else(|_| any()).ok().map(|near| near.place())
    }

    /// The target to a goal or exits that agents share. Each exit needs ground.
    fn shared(&mut self, meeting: Meeting, seat: &Seat) -> Result<(Target, Aim), CrowdError> {
        if let Some(target) = self.world.seats.share(&meeting, seat.filter) {
            return Ok((target, Aim::Shared(target)));
        }
        let places: Option<Vec<Place>> = match &meeting {
            Meeting::Point(point) => self.place_of(*point, seat).map(|place| vec![place]),
            Meeting::Exits(exits) => exits.0.iter().map(|exit| self.place_of(exit.at, seat)).collect(),
        };
        let Some(places) = places else { return Ok((Target::None, Aim::Unknown)) };
        let NavWorld { crowd, mesh, seats, .. } = &mut *self.world;
        let target = match &meeting {
            Meeting::Point(_) => Target::Field(crowd.add_field(mesh, &places, f32::INFINITY, seat.filter)?),
            Meeting::Exits(exits) => {
                let exits = exits.0.iter().zip(places).map(|(exit, place)| Exit { place, rate: exit.rate });
                Target::Exits(crowd.add_exits(mesh, &exits.collect::<Vec<_>>(), seat.filter)?)
            }
        };
        seats.open(meeting, seat.filter, target);
        Ok((target, Aim::Shared(target)))
    }
}
