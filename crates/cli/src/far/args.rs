//! The arguments of questions that a hierarchy answers.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct FarArgs {
    /// Answer by the hierarchy that `navtile bake --hierarchy` adds, with only the tiles around the start and
    /// the goal loaded. A path is then planned: bounds of its cost, and the crossings that it passes.
    #[arg(long, conflicts_with_all = ["cost", "avoid"])]
    pub(crate) far: bool,
    /// The class of agents that a far question is for. Can be left out if the hierarchy has only one.
    #[arg(long, value_name = "NAME", requires = "far")]
    pub(crate) class: Option<String>,
}
