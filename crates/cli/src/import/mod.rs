//! `navtile import`: converts files of Detour, and of programs that use it, to a `.navtile` file.

use crate::failure::{Answer, Failure};
use crate::files::{self, FileList};
use crate::{memory, report};
use clap::Args;
use navdraw::number::counted;
use navinterop::Foreign;
use navinterop::import::{Imported, import_files};
use navtile::islands::Islands;
use navtile::{Meta, Tile};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tilecache::detour_layers::{self, ImportedLayers};

/// Maximum number of repairs that are listed one by one on a terminal.
const LISTED: usize = 40;
/// Values that a tile cache does not hold, and their replacements.
const NOT_IN_LAYERS: &str = "a tile cache holds no flags and no off-mesh connections, as Detour's program adds these to each tile: all \
     polygons have flag 1, and there are no links";

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A tile set (MSET), the layers of a tile cache (TSET), or tiles (DNAV, .mmtile), with the .mmap file of
    /// a map if there is one.
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "OUT.navtile")]
    output: PathBuf,
    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Tiles from any format, and the content of the report.
struct Converted {
    meta: Meta,
    tiles: Vec<Tile>,
    largest_error: [f64; 3],
    warnings: Vec<String>,
}

/// The report, as one JSON object.
#[derive(Serialize)]
struct ImportReport {
    file: String,
    tiles: usize,
    polygons: usize,
    vertices: usize,
    islands: usize,
    off_mesh_links: usize,
    cell_size: f64,
    cell_height: f64,
    /// Largest distance that a position was moved along each axis, metres.
    largest_error: [f64; 3],
    bytes: u64,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &ImportArgs) -> Result<Answer, Failure> {
    let inputs: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    files::refuse_shared_input(inputs.iter().copied())?;
    let target = FileList::reading(inputs.iter().copied()).target(&args.output)?;
    let mut read = Vec::with_capacity(inputs.len());
    for path in &inputs {
        let bytes = files::read(path)?;
        let foreign = navinterop::read(&bytes).map_err(|error| Failure::of(path, error))?;
        read.push(foreign);
    }
    let names = inputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let failed = |error: &dyn std::fmt::Display| Failure::circumstances(format!("{names}: {error}"));
    let converted = match &read[..] {
        [Foreign::Layers(set)] => {
            Converted::of_layers(detour_layers::import(set).map_err(|error| failed(&error))?)
        }
        _ => Converted::of_tiles(import_files(read).map_err(|error| failed(&error))?),
    };
    let bytes = navtile::write_file(&converted.meta, &converted.tiles)
        .map_err(|error| Failure::of(target.path(), error))?;
    target.write(&bytes)?;
    let json = describe(args, converted, bytes.len() as u64);
    if args.json {
        report::print_json(&json)?;
    } else {
        report::print(&text(&json))?;
        json.warnings.iter().take(LISTED).for_each(|warning| report::warn(warning));
        if json.warnings.len() > LISTED {
            report::warn(&format!("and {} more: --json lists them all", json.warnings.len() - LISTED));
        }
    }
    Ok(Answer::Yes)
}

impl Converted {
    fn of_tiles(imported: Imported) -> Converted {
        let Imported { meta, tiles, diagnostics, largest_error } = imported;
        let warnings = diagnostics.iter().map(ToString::to_string).collect();
        Converted { meta, tiles, largest_error, warnings }
    }

    fn of_layers(imported: ImportedLayers) -> Converted {
        let ImportedLayers { meta, tiles, diagnostics, largest_error } = imported;
        let lost = std::iter::once(NOT_IN_LAYERS.to_owned());
        let warnings = lost.chain(diagnostics.iter().map(ToString::to_string)).collect();
        Converted { meta, tiles, largest_error, warnings }
    }
}

fn describe(args: &ImportArgs, imported: Converted, bytes: u64) -> ImportReport {
    let sum = |count: fn(&Tile) -> usize| imported.tiles.iter().map(count).sum();
    ImportReport {
        file: args.output.display().to_string(),
        tiles: imported.tiles.len(),
        polygons: sum(|tile| tile.polygons().len()),
        vertices: sum(|tile| tile.header().polygon_vertex_count as usize),
        islands: Islands::find(&imported.tiles).len(),
        off_mesh_links: sum(|tile| tile.off_mesh_links().len()),
        cell_size: imported.meta.cell[0],
        cell_height: imported.meta.cell[1],
        largest_error: imported.largest_error,
        bytes,
        warnings: imported.warnings,
    }
}

fn text(json: &ImportReport) -> String {
    let [x, y, z] = json.largest_error.map(|metres| metres * 1000.0);
    format!(
        "{}: {}, {}, {}, {}\n\
         cells {} m wide and {} m high; positions moved by at most {x:.3}, {y:.3}, {z:.3} mm along x, y, z\n",
        json.file,
        counted(json.tiles, "tile"),
        counted(json.polygons, "polygon"),
        counted(json.islands, "island"),
        memory::readable(json.bytes),
        json.cell_size,
        json.cell_height,
    )
}
