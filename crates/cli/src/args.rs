//! The command line: commands, options, and how their values are read.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  navtile init                                       write navtile.toml, every setting explained
  navtile bake level.obj -c navtile.toml             bake level.navtile
  navtile bake level.obj --agent-radius 0.4 --json   bake, and report for machines
  navtile bake level.gset                            a geometry set of RecastDemo, with its settings
  navtile bake town.glb props/ --tile-size 15        several files as one level, in tiles, on all cores
  navtile bake level.obj --changed                   only tiles whose input changed
  navtile bake level.obj --check                     whether level.navtile is up to date
  navtile bench level.obj --json                     how long baking, loading and queries take
  navtile explain level.obj --at 3,0,-7.5            why there is mesh at a place, or none
  navtile info level.navtile                         what is in it
  navtile verify level.navtile                       whether it is sound and its tiles fit together
  navtile diff old.navtile level.navtile             how two files differ, tile by tile
  navtile dump level.navtile                         everything in it as text, for version control
  navtile compact level.navtile --compress           the same mesh in fewer bytes
  navtile path level.navtile --from 1,0,2 --to -19.2,-2.3,24.8
  navtile render level.navtile -o level.svg
  navtile export level.navtile --to mset -o level.bin   a tile set for Detour
  navtile import level.bin -o level.navtile             and back

Exit status: 0 yes or done, 1 the answer is no (no path, no mesh, not sound, differs, out of date),
2 the call or the settings were wrong, 3 it could not be done.

Coordinates are metres, right-handed, Y up.";

/// Turns level geometry into navigation meshes and answers movement questions on them.
#[derive(Debug, Parser)]
#[command(name = "navtile", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented settings file.
    Init(InitArgs),
    /// Bake a level into a navigation mesh.
    Bake(Box<BakeArgs>),
    /// Measure how long a level takes to bake and to load, and its mesh to answer; nothing is written.
    Bench(Box<crate::bench::BenchArgs>),
    /// Tell why there is mesh at a place, or why there is none. Exit status 1 if there is none.
    Explain(Box<ExplainArgs>),
    /// Write a navigation mesh anew, as a fresh bake would have, without what edits left unused.
    Compact(crate::compact::CompactArgs),
    /// Tell what is in a navigation mesh.
    Info(InfoArgs),
    /// Check a navigation mesh: the file, every tile, and that tiles fit together. Exit status 1 if it is not sound.
    Verify(crate::verify::VerifyArgs),
    /// Tell how two navigation meshes differ. Exit status 1 if they do.
    Diff(crate::diff::DiffArgs),
    /// Write everything in a navigation mesh as text, for comparing in version control.
    Dump(crate::dump::DumpArgs),
    /// Find the way from one place to another, or many.
    Path(PathArgs),
    /// Draw a navigation mesh seen from above.
    Render(RenderArgs),
    /// Write a navigation mesh for another program.
    Export(ExportArgs),
    /// Turn navigation meshes of Detour into one file of this program.
    Import(ImportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The file to write; `-` for standard output. A file that is there is not touched.
    #[arg(default_value = "navtile.toml")]
    pub(crate) file: PathBuf,
}

/// A level, its settings, and what of it is wanted: what `bake` and `explain` start from.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// The level: Wavefront OBJ (.obj), glTF 2.0 (.gltf, .glb), or a geometry set of RecastDemo (.gset), which names
    /// an OBJ file and has its settings, volumes and off-mesh connections. Several files are one level; so are those
    /// of a folder. Metres, Y up, faces counter-clockwise seen from above.
    #[arg(required = true, value_name = "LEVEL")]
    pub(crate) levels: Vec<PathBuf>,
    /// A settings file, as `navtile init` writes it. Options win over it, and it wins over a geometry set.
    #[arg(short = 'c', long = "config", alias = "settings", value_name = "SETTINGS.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Of the agents of the settings file, this one alone.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The axis of the level's files that points upwards [default: y].
    #[arg(long, value_name = "y|z", value_parser = up_axis)]
    pub(crate) up: Option<navinput::UpAxis>,
    /// Metres of one unit of the level's files [default: 1].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
    /// Bake only what has this material; `*` stands for anything. May be given several times, as the others.
    #[arg(long, value_name = "NAME")]
    pub(crate) include_material: Vec<String>,
    /// Bake only what stands under this group of an OBJ file, or is this mesh of a glTF.
    #[arg(long, value_name = "NAME")]
    pub(crate) include_group: Vec<String>,
    /// Bake only this object of an OBJ file.
    #[arg(long, value_name = "NAME")]
    pub(crate) include_object: Vec<String>,
    /// Bake only this node of a glTF, and what is below it.
    #[arg(long, value_name = "NAME")]
    pub(crate) include_node: Vec<String>,
    /// Leave out what has this material.
    #[arg(long, value_name = "NAME")]
    pub(crate) exclude_material: Vec<String>,
    /// Leave out what stands under this group, or is this mesh.
    #[arg(long, value_name = "NAME")]
    pub(crate) exclude_group: Vec<String>,
    /// Leave out this object.
    #[arg(long, value_name = "NAME")]
    pub(crate) exclude_object: Vec<String>,
    /// Leave out this node, and what is below it.
    #[arg(long, value_name = "NAME")]
    pub(crate) exclude_node: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The file to write [default: the level's name with .navtile, in the current folder]. With several agents, the
    /// name of each is put in front of the ending.
    #[arg(short, long, value_name = "OUT.navtile")]
    pub(crate) output: Option<PathBuf>,
    /// Report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page about the bake as well: settings, pictures, times, warnings.
    #[arg(long, value_name = "OUT.html")]
    pub(crate) report: Option<PathBuf>,
    /// Side of a tile: `auto` cuts levels of more than a million columns, `off` cuts none [default: auto].
    #[arg(long, value_name = "auto|off|METRES", value_parser = crate::tile_size::parse)]
    pub(crate) tile_size: Option<navinput::TileSize>,
    /// Bake only tiles whose input changed since the file was written, and take the others over. The file comes out
    /// as if all had been baked.
    #[arg(long)]
    pub(crate) changed: bool,
    /// Bake nothing: exit status 1 if the file is not there or not what would be written.
    #[arg(long, conflicts_with_all = ["changed", "report"])]
    pub(crate) check: bool,
    /// Bake nothing: tell cells, tiles and memory. Exit status 1 if it does not fit.
    #[arg(long, conflicts_with_all = ["changed", "check", "report"])]
    pub(crate) estimate: bool,
    /// Keep only what an agent at this place can reach, metres.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = numbers::<3>)]
    pub(crate) reachable_from: Option<[f64; 3]>,
    /// Threads to bake on [default: as many as there are cores].
    #[arg(long, value_name = "COUNT", value_parser = thread_count)]
    pub(crate) threads: Option<usize>,
    /// Write what happens as lines of JSON, while it happens; `-` for standard output, which then has nothing else.
    #[arg(long, value_name = "FILE|-", conflicts_with = "json")]
    pub(crate) events: Option<PathBuf>,
}

/// One option for every key of a settings file, under the same name: `agent.radius` is `--agent-radius`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings (see `navtile init` for what they mean)")]
pub(crate) struct SettingArgs {
    /// Width of a cell in x and z [default: 0.3].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) cell_size: Option<f64>,
    /// Height of a cell [default: 0.2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) cell_height: Option<f64>,
    /// How the surface is cut into regions [default: watershed].
    #[arg(long, value_name = "watershed|monotone|layers", value_parser = partition)]
    pub(crate) partition: Option<recast::Partition>,
    /// Most vertices of a polygon [default: 6].
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_vertices: Option<u32>,
    /// Replace each area by the median of its neighbourhood [default: false].
    #[arg(long, value_name = "true|false")]
    pub(crate) median_filter: Option<bool>,
    /// Bake only this part: smallest, then largest corner [default: the level's own bounds].
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", allow_hyphen_values = true, value_parser = numbers::<6>)]
    pub(crate) bounds: Option<[f64; 6]>,
    /// Memory that the bake may take: bytes, or with a unit such as MiB or GB [default: 8GiB].
    #[arg(long = "memory", value_name = "SIZE", alias = "memory-bound", value_parser = byte_size)]
    pub(crate) memory_bound: Option<u64>,
    /// Agent radius [default: 0.6].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) agent_radius: Option<f64>,
    /// Agent height [default: 2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) agent_height: Option<f64>,
    /// Highest step the agent climbs [default: 0.9].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) agent_climb: Option<f64>,
    /// Steepest slope the agent walks [default: 45].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    pub(crate) agent_slope: Option<f64>,
    /// Smallest island kept [default: 8 cells on a side].
    #[arg(
        long,
        value_name = "M2",
        allow_negative_numbers = true,
        visible_alias = "min-island",
        alias = "region-min-area"
    )]
    pub(crate) regions_min_area: Option<f64>,
    /// Regions up to this size are merged [default: 20 cells on a side].
    #[arg(long, value_name = "M2", allow_negative_numbers = true, alias = "region-merge-area")]
    pub(crate) regions_merge_area: Option<f64>,
    /// Longest edge along walls, 0 for any [default: 12].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, alias = "max-edge-length")]
    pub(crate) contours_max_edge_length: Option<f64>,
    /// Split longer edges along walls [default: true].
    #[arg(long, value_name = "true|false", alias = "split-walls")]
    pub(crate) contours_split_walls: Option<bool>,
    /// Split longer edges between areas [default: false].
    #[arg(long, value_name = "true|false", alias = "split-areas")]
    pub(crate) contours_split_areas: Option<bool>,
    /// Largest distance of an edge from the raw outline [default: 1.3 cells].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, alias = "contour-max-error")]
    pub(crate) contours_max_error: Option<f64>,
    /// Spacing of height samples, 0 for none [default: 6 cells].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) detail_sample_distance: Option<f64>,
    /// Largest height error of the detail mesh [default: 1 cell height].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub(crate) detail_max_error: Option<f64>,
    /// An area, or another definition of one; may be given several times.
    #[arg(long, value_name = "id=1,name=water,flags=2,cost=10", value_parser = area)]
    pub(crate) area: Vec<recast::AreaDefinition>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// The place, metres. Floors within the agent's height above and below it are told of.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = numbers::<3>)]
    pub(crate) at: [f64; 3],
    /// Answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// Answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PathArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// Where the way starts, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = numbers::<3>,
        required_unless_present = "batch"
    )]
    pub(crate) from: Option<[f64; 3]>,
    /// Where it should end, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = numbers::<3>,
        required_unless_present = "batch"
    )]
    pub(crate) to: Option<[f64; 3]>,
    /// How far an end may lie from the mesh along each axis, metres.
    #[arg(
        long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = half_extents,
        default_value = "2,4,2"
    )]
    pub(crate) snap: [f64; 3],
    /// Find the shortest way of all, as seen from above. Refused if areas of the file cost differently.
    #[arg(long, conflicts_with = "like_detour")]
    pub(crate) optimal: bool,
    /// Judge ways by the middles of edges, as Detour does, to compare with it.
    #[arg(long)]
    pub(crate) like_detour: bool,
    /// Answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Answer many: a file of rows `x,y,z,x,y,z` (from, to), or `-` for standard input. One line of JSON each.
    #[arg(long, value_name = "PAIRS.csv", conflicts_with_all = ["from", "to", "picture"])]
    pub(crate) batch: Option<PathBuf>,
    /// Draw the mesh and the way into this file.
    #[arg(long, value_name = "OUT.svg|OUT.png")]
    pub(crate) picture: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// The picture to write; its ending says which kind.
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    pub(crate) output: PathBuf,
    /// What polygons are coloured by: their area, or the island they belong to.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) colour: Colouring,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The .navtile file.
    pub(crate) file: PathBuf,
    /// What to write.
    #[arg(long, value_enum)]
    pub(crate) to: ExportFormat,
    /// The file to write. An OBJ file's materials go beside it, into a file that ends in .mtl.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Width of references in mset and dnav: 64 for a Detour built with DT_POLYREF64.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) refs: Refs,
    /// Write this tile alone.
    #[arg(long, value_name = "X,Z[,LAYER]", allow_hyphen_values = true, value_parser = tile_coord)]
    pub(crate) tile: Option<navtile::TileCoord>,
    /// Report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A tile set (MSET), or tiles (DNAV, .mmtile), with the .mmap file of a map if there is one.
    #[arg(required = true, value_name = "IN")]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "OUT.navtile")]
    pub(crate) output: PathBuf,
    /// Report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `navtile export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A tile set of Detour, as RecastDemo saves and loads it.
    Mset,
    /// A single tile of Detour.
    Dnav,
    /// Triangles as Wavefront OBJ.
    Obj,
    /// Triangles as glTF 2.0.
    Gltf,
    /// Everything, as JSON.
    Json,
}

impl ExportFormat {
    /// As it is given to --to.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ExportFormat::Mset => "mset",
            ExportFormat::Dnav => "dnav",
            ExportFormat::Obj => "obj",
            ExportFormat::Gltf => "gltf",
            ExportFormat::Json => "json",
        }
    }
}

/// Width of Detour's references.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Refs {
    #[default]
    #[value(name = "32")]
    Bits32,
    #[value(name = "64")]
    Bits64,
}

impl From<Refs> for navinterop::RefWidth {
    fn from(refs: Refs) -> navinterop::RefWidth {
        match refs {
            Refs::Bits32 => navinterop::RefWidth::Bits32,
            Refs::Bits64 => navinterop::RefWidth::Bits64,
        }
    }
}

/// What polygons are coloured by.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Colouring {
    #[default]
    Area,
    Island,
}

impl From<Colouring> for navdraw::ColourBy {
    fn from(colouring: Colouring) -> navdraw::ColourBy {
        match colouring {
            Colouring::Area => navdraw::ColourBy::Area,
            Colouring::Island => navdraw::ColourBy::Island,
        }
    }
}

/// `N` finite numbers, separated by commas.
pub(crate) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(format!("found {} values, expected {N} numbers separated by commas", parts.len()));
    }
    let mut numbers = [0.0f64; N];
    for (number, part) in numbers.iter_mut().zip(parts) {
        *number = part.parse().map_err(|_| format!("found `{part}`, expected a number"))?;
        if !number.is_finite() {
            return Err(format!("found `{part}`, expected a finite number"));
        }
    }
    Ok(numbers)
}

fn tile_coord(text: &str) -> Result<navtile::TileCoord, String> {
    let wrong = || format!("found `{text}`, expected two or three whole numbers separated by commas");
    let parts: Vec<i32> =
        text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match parts[..] {
        [x, z] => Ok(navtile::TileCoord { x, z, layer: 0 }),
        [x, z, layer] => Ok(navtile::TileCoord { x, z, layer }),
        _ => Err(wrong()),
    }
}

fn half_extents(text: &str) -> Result<[f64; 3], String> {
    let extents = numbers::<3>(text)?;
    // The runtime works in f32: what becomes 0 or infinite there is no box.
    let sound = extents.iter().all(|&extent| extent as f32 > 0.0 && (extent as f32).is_finite());
    if sound { Ok(extents) } else { Err("expected three numbers greater than 0".to_owned()) }
}

fn up_axis(text: &str) -> Result<navinput::UpAxis, String> {
    let known = navinput::UpAxis::NAMES.iter().find(|(name, _)| *name == text);
    known.map(|(_, up)| *up).ok_or_else(|| "expected y or z".to_owned())
}

pub(crate) fn thread_count(text: &str) -> Result<usize, String> {
    /// More would only cost memory.
    const MOST: usize = 1024;
    text.parse()
        .ok()
        .filter(|count| (1..=MOST).contains(count))
        .ok_or(format!("expected 1 to {MOST} threads"))
}

/// Bytes, with or without a unit.
fn byte_size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 9] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("B", 1),
    ];
    let ends =
        |unit: &str| text.len() > unit.len() && text.to_ascii_lowercase().ends_with(&unit.to_lowercase());
    let (number, unit) = match UNITS.iter().find(|(unit, _)| ends(unit)) {
        Some((unit, bytes)) => (text[..text.len() - unit.len()].trim_end(), *bytes),
        None => (text, 1),
    };
    let wrong = || "expected a number of bytes, or one with a unit: 512MiB, 4GiB, 1.5GB".to_owned();
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit).ok_or_else(wrong);
    }
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit as f64;
    if bytes >= 1.0 && bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(wrong()) }
}

fn partition(text: &str) -> Result<recast::Partition, String> {
    let found = recast::Partition::NAMES.iter().find(|(name, _)| *name == text);
    found.map(|(_, partition)| *partition).ok_or_else(|| {
        let names: Vec<_> = recast::Partition::NAMES.iter().map(|(name, _)| *name).collect();
        format!("expected one of: {}", names.join(", "))
    })
}

fn area(text: &str) -> Result<recast::AreaDefinition, String> {
    let mut area =
        recast::AreaDefinition { name: String::new(), id: recast::AreaId::NULL, flags: 1, cost: 1.0 };
    for part in text.split(',') {
        let (key, value) =
            part.split_once('=').ok_or_else(|| format!("found `{part}`, expected `key=value`"))?;
        let wrong = |expected: &str| format!("{key} is `{value}`, expected {expected}");
        match key.trim() {
            "id" => {
                let id = value.trim().parse().ok().filter(|id| *id > 0);
                area.id = recast::AreaId(id.ok_or_else(|| wrong("a whole number of 1 to 255"))?);
            }
            "name" => area.name = value.trim().to_owned(),
            "flags" => area.flags = flags(value.trim()).ok_or_else(|| wrong("a whole number of 32 bits"))?,
            "cost" => area.cost = value.trim().parse().map_err(|_| wrong("a number"))?,
            _ => return Err(format!("unknown key `{key}`, expected id, name, flags or cost")),
        }
    }
    if !area.id.is_walkable() || area.name.is_empty() {
        return Err("an area must have an id and a name: id=1,name=water".to_owned());
    }
    Ok(area)
}

fn flags(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn negative_coordinates_are_taken() {
        let cli =
            Cli::try_parse_from(["navtile", "path", "f", "--from", "-1,2,-3", "--to", "-19.2,-2.3,24.8"]);
        let Command::Path(path) = cli.unwrap().command else { panic!("not a path") };
        assert_eq!((path.from, path.to), (Some([-1.0, 2.0, -3.0]), Some([-19.2, -2.3, 24.8])));
        assert_eq!(path.snap, [2.0, 4.0, 2.0]);
    }

    #[test]
    fn bad_values_are_refused() {
        assert!(numbers::<3>("1,2").unwrap_err().contains("found 2 values"));
        assert!(numbers::<3>("1,2,x").unwrap_err().contains("`x`"));
        assert!(numbers::<3>("1,2,nan").unwrap_err().contains("finite"));
        assert!(half_extents("1,0,1").is_err() && half_extents("1e-60,1,1").is_err());
        assert!(partition("water").unwrap_err().contains("monotone"));
        for bad in ["id=0,name=x", "id=1", "name=x", "id=1,name=x,nam=y", "id", "id=1,name=x,flags=-1"] {
            assert!(area(bad).is_err(), "{bad}");
        }
        let water = area("id=1,name=water,flags=0x10,cost=2.5").unwrap();
        assert_eq!((water.id.0, water.name.as_str(), water.flags, water.cost), (1, "water", 16, 2.5));
    }
}
