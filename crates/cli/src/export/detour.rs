//! Detour's own files: a tile set, or one tile.

use super::args::{ExportArgs, Product};
use crate::failure::Failure;
use navinterop::export::{Change, ExportDiagnostic, Exported, export};
use navinterop::mset::TileSet;
use navinterop::{detour, mset};
use navmath::LimitError;
use navtile::{Tile, TileCoord};

/// A tile set.
pub(super) fn set(args: &ExportArgs, tiles: &[Tile]) -> Result<Product, Failure> {
    let exported = exported(args, tiles)?;
    let bytes = mset::write(&exported.set).map_err(|error| too_large(args, &error))?;
    Ok(product(bytes, &exported.set, warnings(&exported.diagnostics)))
}

/// The chosen tile. All tiles are converted, because links of others may end in it.
pub(super) fn tile(args: &ExportArgs, tiles: &[Tile], chosen: &[Tile]) -> Result<Product, Failure> {
    let [tile] = chosen else {
        let count = chosen.len();
        return Err(Failure::call(format!("{}: has {count} tiles, but dnav holds one", args.file.display()))
            .help("choose one with --tile X,Z or write all of them with --to mset"));
    };
    let coord = tile.coord();
    let mut exported = exported(args, tiles)?;
    exported
        .set
        .tiles
        .retain(|set| TileCoord { x: set.tile.x, z: set.tile.y, layer: set.tile.layer } == coord);
    let Some(only) = exported.set.tiles.first() else {
        return Err(Failure::circumstances(format!("{}: the tile has no polygons", args.file.display()))
            .help("choose another with --tile"));
    };
    let bytes = detour::write(&only.tile, exported.set.encoding).map_err(|error| too_large(args, &error))?;
    exported.diagnostics.retain(|diagnostic| diagnostic.coord == coord);
    Ok(product(bytes, &exported.set, warnings(&exported.diagnostics)))
}

/// One warning for all polygons of too many corners, which most exports have, and one for each other change.
fn warnings(diagnostics: &[ExportDiagnostic]) -> Vec<String> {
    let pieces_of = |diagnostic: &ExportDiagnostic| match diagnostic.change {
        Change::Split { pieces, .. } => Some(pieces),
        _ => None,
    };
    let pieces: Vec<usize> = diagnostics.iter().filter_map(pieces_of).collect();
    let first = diagnostics.iter().find(|diagnostic| pieces_of(diagnostic).is_some());
    let split = first.map(|first| match pieces.len() {
        1 => first.to_string(),
        count => format!(
            "{count} polygons have more than six corners, or one on a straight side: they were split into {}; the first is in \
             tile ({}, {}, {}), at {:.2}, {:.2}, {:.2}",
            pieces.iter().sum::<usize>(),
            first.coord.x,
            first.coord.z,
            first.coord.layer,
            first.at[0],
            first.at[1],
            first.at[2],
        ),
    });
    let others = diagnostics.iter().filter(|diagnostic| pieces_of(diagnostic).is_none());
    split.into_iter().chain(others.map(ToString::to_string)).collect()
}

fn exported(args: &ExportArgs, tiles: &[Tile]) -> Result<Exported, Failure> {
    let exported = export(tiles, args.refs).map_err(|error| Failure::of(&args.file, error))?;
    let lost = |diagnostic: &&ExportDiagnostic| {
        matches!(diagnostic.change, Change::Thinned { .. } | Change::Narrowed { .. })
    };
    let Some(first) = exported.diagnostics.iter().find(lost).filter(|_| args.strict) else {
        return Ok(exported);
    };
    let remedy = match first.change {
        Change::Narrowed { .. } => "bake without profiles of links, or leave --strict out",
        _ => "bake with a larger detail error or in smaller tiles, or leave --strict out",
    };
    Err(Failure::call(format!("{}: {first}", args.file.display())).help(remedy))
}

fn too_large(args: &ExportArgs, error: &LimitError) -> Failure {
    Failure::of(&args.file, error)
}

fn product(bytes: Vec<u8>, set: &TileSet, warnings: Vec<String>) -> Product {
    Product {
        bytes,
        second: None,
        tiles: set.tiles.len(),
        polygons: set.tiles.iter().map(|tile| tile.tile.ground_count()).sum(),
        warnings,
    }
}
