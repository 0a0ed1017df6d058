//! The arguments of `navtile path`.

use crate::ask::{AskArgs, SlopeArgs};
use crate::far::FarArgs;
use crate::values;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) ask: AskArgs,
    /// Start of the path, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point,
        required_unless_present = "batch"
    )]
    pub(crate) from: Option<[f64; 3]>,
    /// End of the path, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::point,
        required_unless_present = "batch"
    )]
    pub(crate) to: Option<[f64; 3]>,
    /// Find the exact shortest path, seen from above. Refused if areas of the file differ in cost.
    #[arg(long, conflicts_with_all = ["near", "far"])]
    pub(crate) optimal: bool,
    /// Find a path that is almost the shortest; takes about twice as long.
    #[arg(long, conflicts_with = "far")]
    pub(crate) near: bool,
    /// Follow the ground: add a point at each bend of the ground under the path, so that a line along the
    /// points is neither in the air nor in a hill.
    #[arg(long, conflicts_with = "far")]
    pub(crate) follow_surface: bool,
    #[command(flatten)]
    pub(crate) slopes: SlopeArgs,
    #[command(flatten)]
    pub(crate) far: FarArgs,
    /// Answer many queries: a file of rows `x,y,z,x,y,z` (from, to), or `-` for standard input. One line of
    /// JSON each.
    #[arg(long, value_name = "PAIRS.csv", conflicts_with_all = ["from", "to", "picture", "far"])]
    pub(crate) batch: Option<PathBuf>,
    /// Draw the mesh and the path to this file.
    #[arg(long, value_name = "OUT.svg|OUT.png", conflicts_with = "far")]
    pub(crate) picture: Option<PathBuf>,
}
