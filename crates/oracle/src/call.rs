//! The command line of `oracle`.

use clap::Parser;
use clap::builder::PossibleValuesParser;
use oracle::reference::Space;
use oracle::report::Options;
use oracle::runtime;
use oracle::subject;
use recast::Partition;
use std::ffi::OsString;
use std::path::PathBuf;

/// Sides of the tiles that levels are cut into unless the call says otherwise, cells.
pub(crate) const TILE_CELLS: u32 = 48;

/// Questions of each kind for the runtimes.
const QUESTIONS: u64 = 10_000;
const QUICK_QUESTIONS: u64 = 300;

/// Bakes each level with the C++ library and with ours and compares every stage
///
///   fed C++ input    our stage given the C++ stage's own input, its output compared with theirs
///   from our spans   a whole bake of ours against the C++ library's, both from our spans
///   ours, C++        the results of each from the triangles
///
/// Without options: the well-known levels that are present and all scenes, at 0.3 and 0.1 m, as one tile and
/// in tiles of 48 cells, with each partition.
///
/// With `runtime` as the first word: asks both runtimes the same random questions over each level's tiles,
/// with the level's own settings, as one tile and in tiles of 48 cells, and compares the answers.
#[derive(Debug, Parser)]
#[command(
    name = "oracle",
    verbatim_doc_comment,
    after_help = "\
Exit status: 0 all equal but for listed deviations, 1 something differs, 2 the call was wrong,
3 it could not be done."
)]
pub(crate) struct Call {
    /// Levels to compare; `runtime` in front of them compares the runtimes only
    #[arg(value_name = "[runtime] LEVEL.obj")]
    pub(crate) levels: Vec<PathBuf>,
    /// True if `runtime` came first.
    #[arg(skip)]
    runtime_only: bool,
    /// Everything above, and the runtimes after it
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// At 0.3 m and as one tile, the courtyard in tiles too, and the runtimes with 300 questions of each
    /// kind: the lane of `cargo xtask ci`
    #[arg(long)]
    pub(crate) quick: bool,
    /// Questions of each kind for the runtimes [default: 10000]
    #[arg(long, value_name = "N")]
    questions: Option<u64>,
    /// Seed of the questions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print the first question of each listed difference
    #[arg(long)]
    pub(crate) examples: bool,
    /// Measure this scene; may be repeated, and combined with levels
    #[arg(long = "scene", value_name = "NAME", value_parser = PossibleValuesParser::new(subject::scene_names()))]
    pub(crate) scenes: Vec<String>,
    /// Metres; may be repeated [default: 0.3 and 0.1]
    #[arg(long = "cell-size", value_name = "S")]
    cell_sizes: Vec<f64>,
    /// Metres
    #[arg(long, value_name = "H", default_value_t = recast::Settings::default().cell_height)]
    pub(crate) cell_height: f64,
    /// watershed, monotone or layers; may be repeated [default: all]
    #[arg(long = "partition", value_name = "P", value_parser = partition)]
    partitions: Vec<Partition>,
    /// Only in square tiles of N cells; 0 for one tile; may be repeated
    #[arg(long, value_name = "N")]
    tile_cells: Vec<u32>,
    /// Give the C++ library the level's own coordinates, as its demonstration program does; one tile only
    #[arg(long, conflicts_with = "tile_cells")]
    world: bool,
    /// Mark a box, a prism and a cylinder across the level and filter areas by the median
    #[arg(long)]
    pub(crate) volumes: bool,
    /// Skip whole bakes
    #[arg(long)]
    stages_only: bool,
    /// One line per table
    #[arg(long)]
    pub(crate) brief: bool,
    /// Folder of nav_test.obj and dungeon.obj [default: $NAVTILE_MESHES, else shared/meshes next to the
    /// repository]
    #[arg(long, value_name = "DIR")]
    pub(crate) meshes: Option<PathBuf>,
    /// List the deviations
    #[arg(long)]
    pub(crate) deviations: bool,
}

/// Parses the command line.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Call, clap::Error> {
    let mut call = Call::try_parse_from(arguments)?;
    call.runtime_only = call.levels.first().is_some_and(|word| word.as_os_str() == "runtime");
    call.levels.drain(..usize::from(call.runtime_only));
    Ok(call)
}

impl Call {
    /// Returns true if stages are compared.
    pub(crate) fn stages(&self) -> bool {
        !self.runtime_only
    }

    /// Returns true if runtimes are compared.
    pub(crate) fn runtime(&self) -> bool {
        self.runtime_only || self.full || self.quick
    }

    pub(crate) fn cell_sizes(&self) -> &[f64] {
        match (self.cell_sizes.as_slice(), self.quick) {
            ([], true) => &[0.3],
            ([], false) => &[0.3, 0.1],
            (given, _) => given,
        }
    }

    /// Cells along a tile; `None` for one tile.
    pub(crate) fn tilings(&self) -> Vec<Option<u32>> {
        match self.tile_cells.as_slice() {
            [] if self.world => vec![None],
            [] => vec![None, Some(TILE_CELLS)],
            given => given.iter().map(|&cells| Some(cells).filter(|&cells| cells > 0)).collect(),
        }
    }

    pub(crate) fn options(&self) -> Options {
        let all = || Partition::NAMES.map(|(_, partition)| partition).to_vec();
        let partitions = if self.partitions.is_empty() { all() } else { self.partitions.clone() };
        let space = if self.world { Space::World } else { Space::Lattice };
        Options { partitions, space, stages_only: self.stages_only }
    }

    pub(crate) fn questions(&self) -> runtime::report::QuestionOptions {
        let usual = if self.quick { QUICK_QUESTIONS } else { QUESTIONS };
        runtime::report::QuestionOptions { questions: self.questions.unwrap_or(usual), seed: self.seed }
    }
}

fn partition(name: &str) -> Result<Partition, String> {
    let known = Partition::NAMES.iter().find(|(known, _)| *known == name);
    known.map(|&(_, partition)| partition).ok_or_else(|| "expected watershed, monotone or layers".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, clap::Error> {
        parse(std::iter::once("oracle").chain(text.split_whitespace()).map(OsString::from))
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("--cell-size 0.1 --cell-size 0.3 --partition monotone a.obj b.obj").unwrap();
        assert_eq!(call.cell_sizes(), [0.1, 0.3]);
        assert_eq!(call.options().partitions, [Partition::Monotone]);
        assert_eq!(call.levels.len(), 2);
        assert_eq!(parsed("--tile-cells 0 --tile-cells 9").unwrap().tilings(), [None, Some(9)]);
        assert_eq!(parsed("--scene spiral").unwrap().scenes, ["spiral"]);
    }

    #[test]
    fn without_arguments_everything_is_measured() {
        for call in [parsed("").unwrap(), parsed("--full").unwrap()] {
            assert_eq!((call.cell_sizes(), call.options().partitions.len()), ([0.3, 0.1].as_slice(), 3));
            assert_eq!((call.tilings(), call.quick), (vec![None, Some(48)], false));
        }
        assert_eq!(parsed("--quick").unwrap().cell_sizes(), [0.3]);
        assert_eq!(parsed("--world").unwrap().tilings(), [None]);
    }

    #[test]
    fn runtimes_are_asked_alone_or_after_the_stages() {
        let asked = |text: &str| {
            let call = parsed(text).unwrap();
            (
                call.stages(),
                call.runtime(),
                call.questions().questions,
                call.questions().seed,
                call.levels.len(),
            )
        };
        assert_eq!(asked("runtime --seed 7 a.obj"), (false, true, 10_000, 7, 1));
        assert_eq!(asked("--full --questions 9"), (true, true, 9, 1, 0));
        assert_eq!(asked("--quick"), (true, true, 300, 1, 0));
        assert!(!asked("").1);
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err().to_string();
        assert!(refused("--cell-size").contains("a value is required"));
        assert!(refused("--cell-size wide").contains("invalid value 'wide'"));
        assert!(refused("--partition bogus").contains("expected watershed"));
        assert!(refused("--scene nowhere").contains("courtyard"));
        assert!(refused("--bogus").contains("--bogus"));
        assert!(refused("--world --tile-cells 48").contains("cannot be used with"));
        assert!(refused("--full --quick").contains("cannot be used with"));
    }
}
