//! Components beside every mesh: how it is doing, and the settings of its crowd.

use bevy_ecs::prelude::{Component, ReflectComponent};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use crowd::{CrowdError, CrowdSettings};

/// How a [`NavWorld`](crate::NavWorld) is doing; written by the plugin.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub enum NavMeshStatus {
    /// There is no mesh yet: its file, the sources or their meshes are not there.
    #[default]
    Waiting,
    /// It is being built. If there was a mesh before, that is used until then.
    Building {
        /// Tiles that are finished.
        done: usize,
        /// Tiles in all; 0 until they are counted.
        total: usize,
    },
    /// It is there.
    Ready,
    /// The file could not be loaded, or the build failed, for this reason. If there was a mesh before, that is still used.
    Failed(String),
}

/// Settings of the crowd of a [`NavWorld`](crate::NavWorld). Changing them has all agents start anew from where they are.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavCrowdSettings {
    /// Polygons that all searches for paths together may settle in a step. At least 1, default 20,000: about two milliseconds.
    pub search_nodes: u32,
    /// Avoidance is worked out anew for each agent in every n-th step. 1 to 1000, default 1.
    pub avoid_every: u32,
    /// An agent that has come no nearer to its target for so long is reported as stuck. Seconds, 0.1 to 1000, default 5.
    pub stuck_after: f32,
    /// Nodes that the search for a shared goal may use. At least 1, default 4,000,000.
    pub field_nodes: u32,
}

impl Default for NavCrowdSettings {
    fn default() -> NavCrowdSettings {
        let own = CrowdSettings::default();
        NavCrowdSettings {
            search_nodes: own.search_nodes,
            avoid_every: own.avoid_every,
            stuck_after: own.stuck_after,
            field_nodes: own.field_nodes,
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
            ..CrowdSettings::default()
        })
    }
}
