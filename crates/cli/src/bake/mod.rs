//! `navtile bake`: turns a level and settings into a `.navtile` file for each agent, and a report.
//!
//! Two kinds of level are baked, each by its own flow: triangles, through voxels ([`level`]), and maps of
//! polygons in the plane, without voxels ([`map`]).

mod args;
mod baked;
mod baker;
mod bound;
mod chunked;
mod estimate;
mod events;
mod ground;
mod html;
mod join;
mod level;
mod level_run;
mod map;
mod outcome;
mod phases;
mod previous;
mod report;
mod sample;
mod shard;
mod shard_bake;
mod space;
mod spool;
mod summary;
mod targets;
mod warning;
mod windows;
mod write;

pub(crate) use args::BakeArgs;
pub(crate) use join::{JoinArgs, run as run_join};

use crate::failure::{Answer, Failure};

pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    if args.source.is_map()? { map::run(args) } else { level::run(args) }
}
