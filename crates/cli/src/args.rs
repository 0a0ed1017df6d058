//! The command line: its commands. Each command owns its arguments.

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  navtile init                                       write navtile.toml with an explanation of every setting
  navtile bake level.obj -c navtile.toml             bake level.navtile
  navtile bake level.obj --agent-radius 0.4 --json   bake, and report as JSON
  navtile bake level.gset                            a geometry set of RecastDemo, with its settings
  navtile bake town.glb props/ --tile-size 15        several files as one level, in tiles, on all cores
  navtile bake level.obj --changed                   only tiles whose input changed
  navtile bake level.obj --check                     check that level.navtile is up to date
  navtile bake level.obj --dynamic                   allow later changes without the level
  navtile bake level.obj --tile-size 15 --shard 2/16 -o 2.navpart   the second of 16 shares, on any machine
  navtile join *.navpart -o level.navtile            ... and join all of them
  navtile chunks world/ -o world.toml                list the files of a level, with the content of each
  navtile bake world.toml --tile-size 15 --memory 1GiB   read chunk by chunk, within the memory
  navtile update level.navtile --obstacles obstacles.toml -o other.navtile   ... and replace its obstacles
  navtile bench level.obj --json                     measure the time of baking, loading and queries
  navtile explain level.obj --at 3,0,-7.5            explain the mesh at a place, or its absence
  navtile explain level.obj --from 2,0,3 --to 9,0,3  explain a missing path, and find the setting that opens it
  navtile info level.navtile                         show the content of a file
  navtile verify level.navtile                       check that it is valid and its tiles fit together
  navtile diff old.navtile level.navtile             compare two files, tile by tile
  navtile dump level.navtile                         write all of it as text, for version control
  navtile compact level.navtile --compress           the same mesh in fewer bytes
  navtile path level.navtile --from 1,0,2 --to -19.2,-2.3,24.8
  navtile path level.navtile --from 1,0,2 --to 9,0,4 --cost water=20 --avoid mud
  navtile nearest level.navtile --at 3,0,-7.5        the ground nearest to a place
  navtile raycast level.navtile --from 1,0,2 --to 9,0,4      walk straight ahead, up to a wall
  navtile reachable level.navtile --from 1,0,2 --to 9,0,4    check if a path leads there
  navtile crowd level.navtile --agents 200 --json     simulate 200 agents, and check that they arrive
  navtile crowd level.navtile -c crowd.toml --check   check that a scenario keeps its bounds
  navtile studio level.obj                           view and edit the level and its mesh in a browser
  navtile view level.navtile -o level.html           write a single page that shows it, to send to somebody
  navtile render level.navtile -o level.svg
  navtile export level.navtile --to mset -o level.bin   a tile set for Detour
  navtile import level.bin -o level.navtile             and back

Exit status: 0 yes or done, 1 the answer is no (no path, no mesh, not valid, differs, out of date),
2 the command line or the settings are wrong, 3 the command could not be completed.

Coordinates are in metres, right-handed, Y up.";

/// Turns level geometry into navigation meshes and answers movement queries on them.
#[derive(Debug, Parser)]
#[command(name = "navtile", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that have another name now.
const RENAMED: &[(&str, &str)] = &[("--pieces", "--obstacles")];

impl Cli {
    /// Reads the arguments of the program. Ends it if they are wrong; a renamed flag is refused by its new
    /// name.
    pub(crate) fn read() -> Cli {
        Cli::try_parse().unwrap_or_else(|mut error| {
            let given = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
            if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == given) {
                error.insert(ContextKind::SuggestedArg, ContextValue::String((*new).to_owned()));
            }
            error.exit()
        })
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented settings file.
    Init(crate::init::InitArgs),
    /// Bake a level into a navigation mesh.
    Bake(Box<crate::bake::BakeArgs>),
    /// Join the shard files of `navtile bake --shard` into one navigation mesh. Exit status 1 if a report
    /// lacks shards.
    Join(crate::join::JoinArgs),
    /// Write the list of a level's chunks: its files, with the bounds, triangles and materials of each. A
    /// bake of the list reads only a few chunks at a time.
    Chunks(Box<crate::chunks::ChunksArgs>),
    /// Measure the time that a level takes to bake and load, and the time of queries on its mesh; writes
    /// nothing.
    Bench(Box<crate::bench::BenchArgs>),
    /// Explain the mesh at a place, or the reason for no mesh there. Exit status 1 if there is no mesh.
    Explain(Box<crate::explain::ExplainArgs>),
    /// Replace the obstacles of a dynamic navigation mesh: crates, doors, holes in walls. The level is not
    /// needed.
    Update(crate::update::UpdateArgs),
    /// Rewrite a navigation mesh like a fresh bake, without the space that edits left unused.
    Compact(crate::compact::CompactArgs),
    /// Show the content of a navigation mesh.
    Info(crate::info::InfoArgs),
    /// Check a navigation mesh: the file, every tile, and the seams between tiles. Exit status 1 if it is not
    /// valid.
    Verify(crate::verify::VerifyArgs),
    /// Show the differences between two navigation meshes. Exit status 1 if there are any.
    Diff(crate::diff::DiffArgs),
    /// Write everything in a navigation mesh as text, for comparison in version control.
    Dump(crate::dump::DumpArgs),
    /// Find a path between two places, or many paths.
    Path(crate::path::PathArgs),
    /// Find the ground nearest to a place, with its area and island. Exit status 1 if there is no ground in
    /// reach.
    Nearest(crate::ask::nearest::NearestArgs),
    /// Walk from one place straight towards another, up to the first wall. Exit status 1 if there is a wall.
    Raycast(crate::ask::raycast::RaycastArgs),
    /// Check if a path leads from one place to another. Exit status 1 if there is no path.
    Reachable(crate::ask::reachable::ReachableArgs),
    /// Simulate a crowd on a navigation mesh, and report the results. Exit status 1 if an agent did not
    /// arrive.
    Crowd(crate::crowd::CrowdArgs),
    /// Serve the studio: a page that shows a level and its mesh, changes settings, and runs queries.
    Studio(crate::studio::StudioArgs),
    /// Write a single-file page that shows a navigation mesh, to send to somebody.
    View(crate::view::ViewArgs),
    /// Draw a navigation mesh seen from above.
    Render(crate::render::RenderArgs),
    /// Write a navigation mesh for another program.
    Export(crate::export::ExportArgs),
    /// Convert Detour navigation meshes to one .navtile file.
    Import(crate::import::ImportArgs),
    /// Write manual pages and shell completions into a folder.
    #[cfg(feature = "manual")]
    Manual(crate::manual::ManualArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }

    /// Names of files that commands take: names of results begin with `OUT`, and no other names do. Tests
    /// rely on this to know the results that must be refused if they are an input.
    #[test]
    fn the_names_of_results_begin_with_out() {
        /// Files that are read, by their names in the help. The studio also writes its settings file.
        const READ: [&str; 17] = [
            "LEVEL",
            "SETTINGS.toml",
            "OBSTACLES.toml",
            "SHARD.navpart",
            "LEVEL|FILE.navtile",
            "FILE.navtile",
            "FILE",
            "A",
            "B",
            "PAIRS.csv",
            "CROWD.toml",
            "FILE.navcrowd",
            "IN",
            "FOLDER",
            "OLD.navtile",
            "RECORDING",
            "SCENARIO",
        ];
        let mut results = 0;
        for command in Cli::command().get_subcommands() {
            for argument in command.get_arguments() {
                let name = argument.get_value_names().map_or_else(String::new, |names| names.join(" "));
                let is_path =
                    argument.get_value_parser().type_id() == clap::builder::ValueParser::path_buf().type_id();
                let is_result = name.starts_with("OUT");
                results += usize::from(is_result);
                assert!(
                    is_path == (is_result || READ.contains(&name.as_str())),
                    "{} {name}",
                    command.get_name()
                );
            }
        }
        assert!(results >= 15, "{results}");
    }

    #[test]
    fn negative_coordinates_are_taken() {
        let cli =
            Cli::try_parse_from(["navtile", "path", "f", "--from", "-1,2,-3", "--to", "-19.2,-2.3,24.8"]);
        let Command::Path(path) = cli.unwrap().command else { panic!("not a path") };
        assert_eq!((path.from, path.to), (Some([-1.0, 2.0, -3.0]), Some([-19.2, -2.3, 24.8])));
        assert_eq!(path.ask.snap, [2.0, 4.0, 2.0]);
    }
}
