//! Components of every mesh: its status, and the settings of its crowd.

use bevy_ecs::prelude::{Component, ReflectComponent};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use crowd::{CrowdError, CrowdSettings};

/// The status of a [`NavWorld`](crate::NavWorld); written by the plugin.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavMeshStatus {
    /// There is no mesh yet, because its file, the sources or their meshes are missing.
    #[default]
    Waiting,
    /// It is being built. If there is an older mesh, that is used until the build is done.
    Building {
        /// Number of finished tiles.
        done: usize,
        /// Number of tiles in all; 0 until they are counted.
        total: usize,
    },
    /// The mesh is ready.
    Ready,
    /// The file could not be loaded, or the build failed, for this reason. If there is an older mesh, that is
    /// still used.
    Failed(String),
}

/// Settings of the crowd of a [`NavWorld`](crate::NavWorld). A change restarts all agents at their present
/// positions.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavCrowdSettings {
    /// Number of polygons that all path searches together may settle in a step. At least 1, default 20,000:
    /// about two milliseconds.
    pub search_nodes: u32,
    /// Avoidance is computed for each agent in every n-th step. 1 to 1000, default 1.
    pub avoid_every: u32,
    /// Time without progress towards its target after which an agent is reported as stuck. Seconds, 0.1 to
    /// 1000, default 5.
    pub stuck_after: f32,
    /// Number of nodes that the search for a shared goal may use. At least 1, default 4,000,000.
    pub field_nodes: u32,
    /// Length of the detour that agents accept around a passage that a body holds: a body that has kept still
    /// for a second and does not step aside. Metres, 0 to 10,000, default 30; at 0 paths ignore bodies.
    pub held_detour: f32,
}

impl Default for NavCrowdSettings {
    fn default() -> NavCrowdSettings {
        let own = CrowdSettings::default();
        NavCrowdSettings {
            search_nodes: own.search_nodes,
            avoid_every: own.avoid_every,
            stuck_after: own.stuck_after,
            field_nodes: own.field_nodes,
            held_detour: own.held_detour,
        }
    }
}

impl NavCrowdSettings {
    pub(crate) fn crowd(&self) -> Result<crowd::Crowd, CrowdError> {
        crowd::Crowd::new(CrowdSettings {
            search_nodes: self.search_nodes,
            avoid_every: self.avoid_every,
            stuck_after: self.stuck_after,
            field_nodes: self.field_nodes,
            held_detour: self.held_detour,
            ..CrowdSettings::default()
        })
    }
}
