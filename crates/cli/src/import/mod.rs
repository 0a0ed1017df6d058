//! `navtile import`: files of Detour and of programs that use it become a `.navtile` file.

use crate::args::ImportArgs;
use crate::failure::{Answer, Failure};
use crate::files::{self, Target};
use crate::{memory, report};
use navinterop::import::{Imported, import_files};
use navtile::Tile;
use navtile::islands::Islands;
use serde::Serialize;
use std::path::Path;

/// Most repairs that are told one by one on a terminal.
const TOLD: usize = 40;

/// What was imported, as one JSON object.
#[derive(Serialize)]
struct Json {
    file: String,
    tiles: usize,
    polygons: usize,
    vertices: usize,
    islands: usize,
    off_mesh_links: usize,
    cell_size: f64,
    cell_height: f64,
    /// How far the position that moved most was moved along each axis, metres.
    largest_error: [f64; 3],
    bytes: u64,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &ImportArgs) -> Result<Answer, Failure> {
    let inputs: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    let target = Target::new(&args.output, &inputs)?;
    let mut read = Vec::with_capacity(inputs.len());
    for path in &inputs {
        let bytes = files::read(path)?;
        let foreign = navinterop::read(&bytes)
            .map_err(|error| Failure::circumstances(format!("{}: {error}", path.display())))?;
        read.push(foreign);
    }
    let names = inputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let imported = import_files(read).map_err(|error| Failure::circumstances(format!("{names}: {error}")))?;
    let bytes = navtile::write_file(&imported.meta, &imported.tiles)
        .map_err(|error| Failure::circumstances(format!("{}: {error}", target.path().display())))?;
    target.write(&bytes)?;
    let json = describe(args, &imported, bytes.len() as u64);
    if args.json {
        report::print_json(&json)?;
    } else {
        report::print(&text(&json))?;
        json.warnings.iter().take(TOLD).for_each(|warning| report::warn(warning));
        if json.warnings.len() > TOLD {
            report::warn(&format!("and {} more: --json lists them all", json.warnings.len() - TOLD));
        }
    }
    Ok(Answer::Yes)
}

fn describe(args: &ImportArgs, imported: &Imported, bytes: u64) -> Json {
    let sum = |count: fn(&Tile) -> usize| imported.tiles.iter().map(count).sum();
    Json {
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
        warnings: imported.diagnostics.iter().map(ToString::to_string).collect(),
    }
}

fn text(json: &Json) -> String {
    let [x, y, z] = json.largest_error.map(|metres| metres * 1000.0);
    format!(
        "{}: {} tiles, {} polygons, {} islands, {}\n\
         cells {} m wide and {} m high; positions moved by at most {x:.3}, {y:.3}, {z:.3} mm along x, y, z\n",
        json.file,
        json.tiles,
        json.polygons,
        json.islands,
        memory::readable(json.bytes),
        json.cell_size,
        json.cell_height,
    )
}
