//! Far targets: agents that cross a world of which only the tiles around them need to be in the mesh.

use crate::agent::{NavAgent, NavTarget};
use crate::components::OnNavWorld;
use crate::events::{NavAgentEventKind, NoPathReason};
use crate::seating::{TARGET_REACH, report};
use crate::world::NavWorld;
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::prelude::{Commands, Component, DetectChanges, Entity, Local, Query, Ref, ReflectComponent};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::Transform;
use detour::Query as MeshQuery;
use hierarchy::{FarError, FarPlace, FarPlanner, FarRoute};

/// A target that may be so far away that the tiles between are not in the mesh. The agent's world must be
/// from a file with a hierarchy (`navtile bake --hierarchy`); in other worlds it is as
/// [`NavTarget::Point`].
///
/// The plugin plans by the hierarchy, and sets the agent's [`NavTarget`] to a stop a few hundred metres
/// ahead, again and again. [`NavFarRoute`] has the tiles that the agent needs next. While they are missing,
/// it waits. To send the agent elsewhere by its [`NavTarget`], remove this component first.
///
/// `#[require(NavFarRoute)]`
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
#[require(NavFarRoute)]
pub struct NavFarTarget {
    /// The place, within 2 m of ground horizontally and 4 m in height.
    pub point: Vec3,
    /// The class of agents whose costs count: its number in
    /// [`Hierarchy::classes`](hierarchy::Hierarchy::classes). Default: the first.
    pub class: usize,
}

/// The route of an agent to its [`NavFarTarget`]; written by the plugin.
#[derive(Component, Clone, Debug, Default)]
pub struct NavFarRoute {
    state: FarState,
}

#[derive(Clone, Debug, Default)]
enum FarState {
    /// Not planned yet, as the agent or its target is not on ground.
    #[default]
    Unplanned,
    Along(Box<FarRoute>),
    /// No path exists.
    Impossible,
}

impl NavFarRoute {
    /// The route; `None` if it is not planned yet, or if no path exists.
    pub fn route(&self) -> Option<&FarRoute> {
        match &self.state {
            FarState::Along(route) => Some(route),
            _ => None,
        }
    }

    /// The columns of tiles, x and z, that the agent needs for the next legs, the most urgent first. Take at
    /// least [`FarRoute::LEGS_AHEAD`]. Empty without a route: then only the tiles around the agent count.
    pub fn columns_ahead(&self, legs: usize) -> Vec<[i32; 2]> {
        self.route().map_or_else(Vec::new, |route| route.columns_ahead(legs))
    }
}

/// Memory of searches.
#[derive(Default)]
pub(crate) struct FarScratch {
    planner: FarPlanner,
    query: MeshQuery,
}

impl FarScratch {
    /// Plans a route for an agent whose feet are at a place.
    fn plan(&mut self, world: &NavWorld, from: Vec3, target: &NavFarTarget) -> Planned {
        let Some(far) = &world.far else { return Planned::Later };
        let Some(class) = far.hierarchy.classes().get(target.class) else {
            return Planned::Refused(FarError::UnknownClass(target.class));
        };
        let ends = [from, target.point].map(|at| {
            let cluster = far.cluster(&world.mesh, world.mesh.to_world(at))?;
            let near = self.query.nearest(&cluster, at, TARGET_REACH, &class.filter).ok()?;
            Some((cluster, near.place()))
        });
        let (Some((start_mesh, start)), goal) = (&ends[0], &ends[1]) else { return Planned::Later };
        let Some((goal_mesh, goal)) = goal else { return Planned::NoPath(NoPathReason::OffMesh) };
        let start = FarPlace { mesh: start_mesh, place: *start };
        let goal = FarPlace { mesh: goal_mesh, place: *goal };
        match self.planner.plan(&far.hierarchy, target.class, start, goal) {
            Ok(Some(plan)) => Planned::Route(Box::new(self.planner.route(&plan))),
            Ok(None) => Planned::NoPath(NoPathReason::Unreachable),
            Err(error) => Planned::Refused(error),
        }
    }
}

/// The result of planning.
enum Planned {
    Route(Box<FarRoute>),
    NoPath(NoPathReason),
    /// The plan cannot be made.
    Refused(FarError),
    /// The agent is not on ground yet.
    Later,
}

/// Plans routes to far targets, and sends agents to the stop ahead.
pub(crate) fn follow_far_targets(
    mut worlds: Query<(Entity, &mut NavWorld)>,
    mut agents: Query<(
        Entity,
        &NavAgent,
        Ref<NavFarTarget>,
        &mut NavFarRoute,
        &mut NavTarget,
        Option<&OnNavWorld>,
        &Transform,
    )>,
    mut scratch: Local<FarScratch>,
    mut commands: Commands,
) {
    let only = worlds.single().ok().map(|(entity, _)| entity);
    for (entity, agent, target, mut route, mut aim, on, transform) in &mut agents {
        let home = on.map_or(only, |on| Some(on.0));
        let Some((_, world)) = home.and_then(|home| worlds.get(home).ok()) else { continue };
        if target.is_changed() {
            route.state = FarState::Unplanned;
        }
        if !world.is_ready() {
            continue;
        }
        let Some(far) = &world.far else {
            aim.set_if_neq(NavTarget::Point(target.point));
            continue;
        };
        let is_stale = far.is_new
            || match &route.state {
                FarState::Unplanned => target.is_changed() || world.is_other_mesh,
                FarState::Along(route) => route.needs_replan(&far.changed),
                FarState::Impossible => !far.changed.is_empty(),
            };
        let feet = agent.feet(transform.translation);
        if is_stale {
            route.state = match scratch.plan(world, feet, &target) {
                Planned::Route(route) => FarState::Along(route),
                Planned::NoPath(reason) => {
                    report(&mut commands, entity, NavAgentEventKind::NoPath(reason));
                    FarState::Impossible
                }
                Planned::Refused(error) => {
                    tracing::warn!("agent {entity}: NavFarTarget: {error}");
                    FarState::Impossible
                }
                Planned::Later => FarState::Unplanned,
            };
        }
        match &mut route.state {
            FarState::Along(route) => {
                route.advance(world.mesh.to_world(feet));
                let is_last = route.stops().last() == Some(&route.ahead());
                let next = if is_last { target.point } else { world.mesh.from_world(route.ahead().point) };
                aim.set_if_neq(NavTarget::Point(next));
            }
            FarState::Impossible => {
                aim.set_if_neq(NavTarget::None);
            }
            FarState::Unplanned => {}
        }
    }
    for (_, mut world) in &mut worlds {
        if let Some(far) = &mut world.far {
            far.changed.clear();
            far.is_new = false;
        }
    }
}
