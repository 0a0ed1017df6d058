//! `navtile bake` of triangles, through voxels: a level and settings become a `.navtile` file for each agent.
//! The crate `navlevel` does the work; here are the order of steps, files, and what the user sees.

pub(crate) mod args;
pub(crate) mod baked;
mod baked_now;
mod baker;
pub(crate) mod bound;
mod chunked;
pub(crate) mod estimate;
mod events;
mod ground;
mod level;
mod level_run;
pub(crate) mod outcome;
pub(crate) mod previous;
mod sample;
mod shard;
mod shard_bake;
mod spool;
pub(crate) mod targets;
mod windows;
pub(crate) mod write;

pub(crate) use args::BakeArgs;
pub(crate) use level::run;
