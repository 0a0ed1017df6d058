//! The time that the plugin's systems take in a frame.

use bevy_ecs::prelude::{ReflectResource, ResMut, Resource};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use std::time::{Duration, Instant};

/// The time that navigation took in the last frame on the thread of the schedule, over all its steps. Bakes
/// on the task pool are not included, because no frame waits for them.
#[derive(Resource, Reflect, Clone, Debug, Default)]
#[reflect(Resource, Default, Clone, Debug)]
pub struct NavTimings {
    /// Obstacles and their tiles.
    pub tiles: Duration,
    /// Agents that join, and changes to agents.
    pub agents: Duration,
    /// The step of the crowd.
    pub step: Duration,
    /// Transforms, velocities and states.
    pub write: Duration,
    /// Number of steps.
    pub steps: u32,
    #[reflect(ignore)]
    since: Option<Instant>,
}

impl NavTimings {
    /// The sum of all parts.
    pub fn total(&self) -> Duration {
        self.tiles + self.agents + self.step + self.write
    }
}

/// A part of a step, for the timings.
#[derive(Clone, Copy)]
pub(crate) enum Span {
    Tiles,
    Agents,
    Step,
    Write,
}

/// Begins a frame.
pub(crate) fn start_frame(mut timings: ResMut<NavTimings>) {
    *timings = NavTimings::default();
}

/// Begins a step.
pub(crate) fn begin(mut timings: ResMut<NavTimings>) {
    timings.since = Some(Instant::now());
}

/// Ends a span, and begins the next.
pub(crate) fn end(span: Span) -> impl Fn(ResMut<NavTimings>) {
    move |mut timings| {
        let now = Instant::now();
        let took = timings.since.replace(now).map_or(Duration::ZERO, |since| now - since);
        match span {
            Span::Tiles => timings.tiles += took,
            Span::Agents => timings.agents += took,
            Span::Step => timings.step += took,
            Span::Write => {
                timings.write += took;
                timings.steps += 1;
            }
        }
    }
}
