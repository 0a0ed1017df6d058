//! Queries of a baked mesh: the arguments and the snapping that `nearest`, `raycast`, `reachable` and `path`
//! share, and the first three commands.

mod asker;
mod filter;
pub(crate) mod nearest;
pub(crate) mod raycast;
pub(crate) mod reachable;

pub(crate) use asker::{Asker, Miss, off_mesh};
pub(crate) use filter::{FilterArgs, SlopeArgs};

use crate::values;
use clap::Args;
use std::path::PathBuf;

/// The mesh to query, and the areas that may be entered.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// Maximum distance of a place from the mesh along each axis, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::half_extents,
        default_value = "2,4,2"
    )]
    pub(crate) snap: [f64; 3],
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// Answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The two places of a query.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct BetweenArgs {
    /// The start, metres.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point)]
    pub(crate) from: [f64; 3],
    /// The goal, metres.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point)]
    pub(crate) to: [f64; 3],
}
