//! The command line of `oracle`: what there is to say, and what it asks for.

use oracle::reference::Space;
use oracle::report::Options;
use oracle::runtime;
use oracle::subject;
use recast::Partition;
use std::path::PathBuf;

pub(crate) const HELP: &str = "\
oracle [runtime] [options] [LEVEL.obj ...]

Bakes each level with the C++ library and with ours and compares every stage:
  fed C++ input    our stage given the C++ stage's own input, its output compared bit for bit
  from our spans   a whole bake of ours against the C++ library's, both from our spans
  ours, C++        what each made of the triangles
Without options: the well-known levels there are and all scenes, at 0.3 and 0.1 m, as one tile and in tiles of
48 cells, by each partition.

With `runtime`: asks both runtimes the same random questions over each level's tiles, with the level's own settings,
as one tile and in tiles of 48 cells, and tells what the answers come to.

  --full           the above, said aloud, and the runtimes after it
  --quick          at 0.3 m and as one tile, and the courtyard in tiles; and the runtimes with 300 questions of each
                   kind: what the lane of `cargo xtask ci` runs
  --questions N    questions of each kind for the runtimes (default 10000)
  --seed S         what they are drawn with (default 1)
  --examples       print the first question of each listed difference
  --scene NAME     measure this scene; may be given more than once, and beside levels
  --cell-size S    metres; may be given more than once (default 0.3 and 0.1)
  --cell-height H  metres (default 0.2)
  --partition P    watershed, monotone, layers or all (default all)
  --tile-cells N   in square tiles of N cells only; 0 for one tile
  --world          give the C++ library the level's own coordinates, as its demonstration program does
  --volumes        mark a box, a prism and a cylinder across the level and filter areas by the median
  --stages-only    leave whole bakes out
  --brief          a line a table
  --meshes DIR     folder of nav_test.obj and dungeon.obj
                   (default: $NAVTILE_MESHES, else shared/meshes beside the repository)
  --deviations     list what is meant to differ

Exit status: 0 all equal but for listed deviations, 1 something differs, 2 the call was wrong,
3 it could not be done.
";

/// Sides of the tiles that levels are cut into unless the call says otherwise, cells.
pub(crate) const TILE_CELLS: u32 = 48;

/// Questions of each kind for the runtimes.
const QUESTIONS: u64 = 10_000;
const QUICK_QUESTIONS: u64 = 300;

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) cell_sizes: Vec<f64>,
    pub(crate) cell_height: f64,
    /// Ways to cut: `None` for one tile, else cells a tile.
    pub(crate) tilings: Vec<Option<u32>>,
    /// Cut nothing but the courtyard.
    pub(crate) quick: bool,
    pub(crate) volumes: bool,
    pub(crate) brief: bool,
    pub(crate) options: Options,
    pub(crate) meshes: Option<PathBuf>,
    pub(crate) scenes: Vec<String>,
    pub(crate) levels: Vec<PathBuf>,
    /// Whether stages are compared, and runtimes.
    pub(crate) stages: bool,
    pub(crate) runtime: bool,
    pub(crate) questions: runtime::report::Options,
    pub(crate) examples: bool,
}

/// Understands the command line.
pub(crate) fn parse(arguments: Vec<String>) -> Result<Call, String> {
    let all = Partition::NAMES.map(|(_, partition)| partition).to_vec();
    let mut call = Call {
        cell_sizes: Vec::new(),
        cell_height: recast::Settings::default().cell_height,
        tilings: Vec::new(),
        quick: false,
        volumes: false,
        brief: false,
        options: Options { partitions: all, space: Space::Lattice, stages_only: false },
        meshes: None,
        scenes: Vec::new(),
        levels: Vec::new(),
        stages: true,
        runtime: false,
        questions: runtime::report::Options { questions: 0, seed: 1 },
        examples: false,
    };
    let (mut full, mut questions) = (false, None);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--full" => full = true,
            "--quick" => call.quick = true,
            "runtime" => (call.stages, call.runtime) = (false, true),
            "--questions" => questions = Some(number(&argument, &value()?)?),
            "--seed" => call.questions.seed = number(&argument, &value()?)?,
            "--examples" => call.examples = true,
            "--cell-size" => call.cell_sizes.push(number(&argument, &value()?)?),
            "--cell-height" => call.cell_height = number(&argument, &value()?)?,
            "--tile-cells" => {
                call.tilings.push(Some(number(&argument, &value()?)?).filter(|&cells| cells > 0));
            }
            "--partition" => call.options.partitions = partitions(&value()?)?,
            "--scene" => call.scenes.push(scene(value()?)?),
            "--world" => call.options.space = Space::World,
            "--volumes" => call.volumes = true,
            "--stages-only" => call.options.stages_only = true,
            "--brief" => call.brief = true,
            "--meshes" => call.meshes = Some(value()?.into()),
            option if option.starts_with('-') => return Err(format!("{option} is not an option")),
            _ => call.levels.push(argument.into()),
        }
    }
    if full && call.quick {
        return Err("--full and --quick exclude each other".to_owned());
    }
    call.runtime |= full || call.quick;
    call.questions.questions = questions.unwrap_or(if call.quick { QUICK_QUESTIONS } else { QUESTIONS });
    call.fill_in()?;
    Ok(call)
}

impl Call {
    fn fill_in(&mut self) -> Result<(), String> {
        if self.cell_sizes.is_empty() {
            self.cell_sizes = if self.quick { vec![0.3] } else { vec![0.3, 0.1] };
        }
        let world = self.options.space == Space::World;
        if self.tilings.is_empty() {
            self.tilings = if world { vec![None] } else { vec![None, Some(TILE_CELLS)] };
        }
        if world && self.tilings.iter().any(Option::is_some) {
            return Err("--world goes with one tile only: leave --tile-cells out".to_owned());
        }
        Ok(())
    }
}

fn partitions(name: &str) -> Result<Vec<Partition>, String> {
    if name == "all" {
        return Ok(Partition::NAMES.map(|(_, partition)| partition).to_vec());
    }
    let known = Partition::NAMES.iter().find(|(known, _)| *known == name);
    known
        .map(|&(_, partition)| vec![partition])
        .ok_or_else(|| format!("--partition is {name}, expected watershed, monotone, layers or all"))
}

fn scene(name: String) -> Result<String, String> {
    let names = subject::scene_names();
    if names.contains(&name.as_str()) {
        return Ok(name);
    }
    Err(format!("--scene is {name}, expected one of {}", names.join(", ")))
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} is {text}, expected a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Call, String> {
        parse(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn calls_are_understood() {
        let call = parsed("--cell-size 0.1 --cell-size 0.3 --partition monotone a.obj b.obj").unwrap();
        assert_eq!(call.cell_sizes, [0.1, 0.3]);
        assert_eq!(call.options.partitions, [Partition::Monotone]);
        assert_eq!(call.levels.len(), 2);
        assert_eq!(parsed("--tile-cells 0 --tile-cells 9").unwrap().tilings, [None, Some(9)]);
        assert_eq!(parsed("--scene spiral").unwrap().scenes, ["spiral"]);
    }

    #[test]
    fn without_arguments_everything_is_measured() {
        for call in [parsed("").unwrap(), parsed("--full").unwrap()] {
            assert_eq!((call.cell_sizes, call.options.partitions.len()), (vec![0.3, 0.1], 3));
            assert_eq!((call.tilings, call.quick), (vec![None, Some(48)], false));
        }
        assert_eq!(parsed("--quick").unwrap().cell_sizes, [0.3]);
        assert_eq!(parsed("--world").unwrap().tilings, [None]);
    }

    #[test]
    fn runtimes_are_asked_alone_or_after_the_stages() {
        let asked = |text: &str| {
            let call = parsed(text).unwrap();
            (call.stages, call.runtime, call.questions.questions, call.questions.seed)
        };
        assert_eq!(asked("runtime --seed 7"), (false, true, 10_000, 7));
        assert_eq!(asked("--full --questions 9"), (true, true, 9, 1));
        assert_eq!(asked("--quick"), (true, true, 300, 1));
        assert!(!asked("").1);
    }

    #[test]
    fn wrong_calls_are_refused() {
        let refused = |text: &str| parsed(text).unwrap_err();
        assert!(refused("--cell-size").contains("needs a value"));
        assert!(refused("--cell-size wide").contains("expected a number"));
        assert!(refused("--partition bogus").contains("expected watershed"));
        assert!(refused("--scene nowhere").contains("courtyard"));
        assert!(refused("--bogus").contains("not an option"));
        assert!(refused("--world --tile-cells 48").contains("one tile only"));
        assert!(refused("--full --quick").contains("exclude"));
    }
}
