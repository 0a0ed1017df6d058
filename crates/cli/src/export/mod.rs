//! `navtile export`: writes a navigation mesh for other programs. docs/interop.md describes the content of
//! each format.

mod args;
mod detour;
mod gltf;
mod json;
mod obj;
mod scene;

pub(crate) use args::ExportArgs;

use crate::failure::{Answer, Failure};
use crate::files::{FileList, is_standard};
use crate::{memory, mesh, report};
use args::{ExportFormat, Product};
use navdraw::number::counted;
use navtile::{Meta, Tile};
use serde::Serialize;

/// The report, as one JSON object.
#[derive(Serialize)]
struct ExportReport {
    file: String,
    format: ExportFormat,
    tiles: usize,
    polygons: usize,
    bytes: u64,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &ExportArgs) -> Result<Answer, Failure> {
    let mut files = FileList::reading([args.file.as_path()]);
    let target = files.target(&args.output)?;
    let second = match args.to {
        ExportFormat::Obj if is_standard(&args.output) => {
            return Err(Failure::call("an OBJ file needs a second file next to it for its materials")
                .help("name a file with -o, or write another format to standard output"));
        }
        ExportFormat::Obj => Some(files.target(&obj::materials_path(&args.output)?)?),
        _ => None,
    };
    let loaded = mesh::load(&args.file)?;
    let mut tiles: Vec<Tile> = loaded.mesh.tiles().cloned().collect();
    tiles.sort_by_key(Tile::coord);
    let product = produce(args, &loaded.meta, &tiles)?;
    if let (Some(target), Some((_, bytes))) = (&second, &product.second) {
        target.write(bytes)?;
    }
    target.write(&product.bytes)?;
    let bytes = product.bytes.len() as u64;
    if args.json {
        report::print_json(&ExportReport {
            file: args.output.display().to_string(),
            format: args.to,
            tiles: product.tiles,
            polygons: product.polygons,
            bytes,
            warnings: product.warnings,
        })?;
    } else {
        let name = args.output.display();
        let (tiles, polygons) = (counted(product.tiles, "tile"), counted(product.polygons, "polygon"));
        report::print(&format!("{name}: {tiles}, {polygons}, {}\n", memory::readable(bytes)))?;
        if let Some((path, _)) = &product.second {
            report::print(&format!("{}: its materials\n", path.display()))?;
        }
        product.warnings.iter().for_each(|warning| report::warn(warning));
    }
    Ok(Answer::Yes)
}

fn produce(args: &ExportArgs, meta: &Meta, tiles: &[Tile]) -> Result<Product, Failure> {
    let chosen: Vec<Tile> = match args.tile {
        None => tiles.to_vec(),
        Some(coord) => tiles.iter().filter(|tile| tile.coord() == coord).cloned().collect(),
    };
    if let (Some(coord), true) = (args.tile, chosen.is_empty()) {
        let place = format!("({}, {}, {})", coord.x, coord.z, coord.layer);
        return Err(Failure::call(format!("{}: has no tile at {place}", args.file.display()))
            .help("give the coordinates of one of its tiles; `navtile dump` lists them"));
    }
    let failed = |error: serde_json::Error| Failure::of(&args.output, error);
    match args.to {
        ExportFormat::Mset => detour::set(args, &chosen),
        ExportFormat::Dnav => detour::tile(args, tiles, &chosen),
        ExportFormat::Obj => obj::write(&args.output, meta, &chosen),
        ExportFormat::Gltf => gltf::write(meta, &chosen).map_err(failed),
        ExportFormat::Json => json::write(meta, &chosen).map_err(failed),
    }
}
