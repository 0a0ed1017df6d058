//! The arguments of `navtile export`, and the result of an export.

use crate::values;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use navinterop::RefWidth;
use navtile::Tile;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The .navtile file.
    pub(super) file: PathBuf,
    /// The format to write.
    #[arg(long, value_enum)]
    pub(super) to: ExportFormat,
    /// The file to write. An OBJ file's materials go next to it, into a file that ends in .mtl.
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: PathBuf,
    /// Bits of references in mset and dnav: 64 for a Detour built with DT_POLYREF64.
    #[arg(long, default_value = "32", value_parser = PossibleValuesParser::new(["32", "64"]).map(ref_width))]
    pub(super) refs: RefWidth,
    /// Write only this tile.
    #[arg(long, value_name = "X,Z[,LAYER]", allow_hyphen_values = true, value_parser = values::tile_coord)]
    pub(super) tile: Option<navtile::TileCoord>,
    /// Refuse to write a tile set for Detour that has fewer detail vertices than the mesh.
    #[arg(long)]
    pub(super) strict: bool,
    /// Report as one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// The formats that `navtile export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExportFormat {
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

fn ref_width(bits: String) -> RefWidth {
    if bits == "64" { RefWidth::Bits64 } else { RefWidth::Bits32 }
}

/// The bytes of an export.
#[derive(Default)]
pub(super) struct Product {
    pub(super) bytes: Vec<u8>,
    /// A second file, which the first one names.
    pub(super) second: Option<(PathBuf, Vec<u8>)>,
    pub(super) tiles: usize,
    pub(super) polygons: usize,
    pub(super) warnings: Vec<String>,
}

pub(super) fn polygon_count(tiles: &[Tile]) -> usize {
    tiles.iter().map(|tile| tile.polygons().len()).sum()
}
