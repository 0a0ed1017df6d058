//! Exits that agents choose among.

use bevy_ecs::prelude::{Component, ReflectComponent};
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

/// Exits that agents choose among, by [`NavTarget::Exits`](crate::NavTarget::Exits) of its entity. An agent
/// walks to the exit that it expects to pass first, by its path and by the agents before it. 1 to 64;
/// there must be ground at each. The number of the chosen one is [`Crowd::exit_of`](crowd::Crowd::exit_of)
/// of [`NavWorld::crowd`](crate::NavWorld::crowd).
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Default, Clone, PartialEq, Debug)]
pub struct NavExits(pub Vec<NavExit>);

/// An exit.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Default, Clone, PartialEq, Debug)]
pub struct NavExit {
    /// Behind the exit: an agent is through when it arrives on the ground nearest to it, as for
    /// [`NavTarget::Point`](crate::NavTarget::Point). Agents that have arrived are around it, unless the
    /// game despawns them. Default 0.
    pub at: Vec3,
    /// Number of agents that it lets through per second, 0.001 to 1,000: for people, about 1.3 for each metre
    /// of its width. Default 1.3.
    pub rate: f32,
}

impl Default for NavExit {
    fn default() -> NavExit {
        NavExit { at: Vec3::ZERO, rate: 1.3 }
    }
}
