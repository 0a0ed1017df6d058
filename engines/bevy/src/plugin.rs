//! The plugins: types, systems and their order.

use crate::agent::{NavAgent, NavAgentState, NavCarried, NavFilter, NavTarget, NavVelocity};
use crate::asset::{NavMeshAsset, NavMeshLoader};
use crate::components::{
    NavArea, NavMeshBuilder, NavMeshHandle, NavObstacle, NavSource, OffMeshLink, OnNavWorld,
};
use crate::discs::NavDisc;
use crate::events::{NavAgentEvent, NavMeshEvent};
use crate::exits::NavExits;
use crate::far::NavFarTarget;
use crate::groups::{NavFollowers, NavFollows, NavGroup};
use crate::job::BakeThreads;
use crate::obstacles::NavRebake;
use crate::status::{NavCrowdSettings, NavMeshStatus};
use crate::timings::{NavTimings, Span};
use crate::{builds, discs, far, groups, obstacles, seating, stepping, timings, tracking};
use bevy_app::{App, First, FixedUpdate, Plugin, PostUpdate, PreUpdate};
use bevy_asset::{AssetApp, AssetEventSystems};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::{IntoScheduleConfigs, SystemSet};
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformSystems;

/// Everything except gizmos: meshes from files and from the scene, obstacles, and the crowd.
///
/// It needs the plugins for tasks, time, assets and transforms. `DefaultPlugins` has them, and so has
/// `MinimalPlugins` together with `AssetPlugin` and `TransformPlugin`.
#[derive(Clone, Debug)]
pub struct NavtilePlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for NavtilePlugin {
    /// The crowd steps in [`FixedUpdate`].
    fn default() -> NavtilePlugin {
        NavtilePlugin { schedule: FixedUpdate.intern() }
    }
}

impl NavtilePlugin {
    /// The crowd steps in another schedule. It should have fixed steps, so that the same inputs give the same
    /// moves.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> NavtilePlugin {
        NavtilePlugin { schedule: schedule.intern() }
    }
}

/// The sets of the plugin's systems in the schedule of the crowd, in their order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavtileSystems {
    /// Tiles that obstacles touch are baked again.
    Tiles,
    /// Agents join the crowd and its groups, and new targets, properties and positions take effect.
    Agents,
    /// The crowd steps.
    Step,
    /// Transforms, velocities and states are written.
    Write,
}

impl Plugin for NavtilePlugin {
    fn build(&self, app: &mut App) {
        register(app);
        let order =
            (NavtileSystems::Tiles, NavtileSystems::Agents, NavtileSystems::Step, NavtileSystems::Write);
        app.init_asset::<NavMeshAsset>()
            .init_asset_loader::<NavMeshLoader>()
            .add_message::<NavMeshEvent>()
            .add_message::<NavAgentEvent>()
            .init_resource::<NavRebake>()
            .init_resource::<NavTimings>()
            .init_resource::<BakeThreads>()
            .add_observer(seating::leave)
            .add_systems(First, timings::start_frame)
            .add_systems(PreUpdate, builds::finish_jobs)
            .add_systems(
                PostUpdate,
                (tracking::note_changes, builds::start_builds, builds::start_loads)
                    .chain()
                    .after(TransformSystems::Propagate)
                    .after(AssetEventSystems),
            )
            .configure_sets(self.schedule, order.chain())
            .add_systems(
                self.schedule,
                (
                    (
                        timings::begin,
                        obstacles::place_obstacles,
                        obstacles::rebake,
                        timings::end(Span::Tiles),
                    )
                        .chain()
                        .in_set(NavtileSystems::Tiles),
                    (
                        seating::seat_agents,
                        far::follow_far_targets,
                        groups::form_groups,
                        discs::place_discs,
                        timings::end(Span::Agents),
                    )
                        .chain()
                        .in_set(NavtileSystems::Agents),
                    (stepping::step, timings::end(Span::Step)).chain().in_set(NavtileSystems::Step),
                    (stepping::write_agents, timings::end(Span::Write)).chain().in_set(NavtileSystems::Write),
                ),
            );
    }
}

fn register(app: &mut App) {
    app.register_type::<NavAgent>()
        .register_type::<NavAgentState>()
        .register_type::<NavCarried>()
        .register_type::<NavDisc>()
        .register_type::<NavExits>()
        .register_type::<NavFarTarget>()
        .register_type::<NavFilter>()
        .register_type::<NavFollowers>()
        .register_type::<NavFollows>()
        .register_type::<NavGroup>()
        .register_type::<NavTarget>()
        .register_type::<NavVelocity>()
        .register_type::<NavArea>()
        .register_type::<NavMeshBuilder>()
        .register_type::<NavMeshHandle>()
        .register_type::<NavObstacle>()
        .register_type::<NavSource>()
        .register_type::<OffMeshLink>()
        .register_type::<OnNavWorld>()
        .register_type::<NavCrowdSettings>()
        .register_type::<NavMeshStatus>()
        .register_type::<NavRebake>()
        .register_type::<NavMeshEvent>()
        .register_type::<NavAgentEvent>();
}
