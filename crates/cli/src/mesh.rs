//! A `.navtile` file as a mesh to query.

use crate::failure::Failure;
use crate::files;
use crate::inspect::{self, Opened, UNUSABLE};
use detour::{Filter, MeshError, NavMesh};
use navtile::file::DirectoryEntry;
use navtile::{Meta, NavFile, SharedBytes, Tile};
use serde::Serialize;
use std::path::Path;

/// A file that has been read and verified, with all its tiles.
pub(crate) struct Loaded {
    /// Its metadata.
    pub(crate) meta: Meta,
    /// Its tiles, joined.
    pub(crate) mesh: NavMesh,
    /// Size of the file, bytes.
    pub(crate) bytes: u64,
    /// Its layout.
    pub(crate) stored: Stored,
}

/// Storage of a file's content, bytes.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Stored {
    /// Size of the tiles uncompressed.
    pub(crate) blobs: u64,
    /// Size of the tiles in the file.
    pub(crate) tiles: u64,
    /// Number of compressed tiles.
    pub(crate) compressed_tiles: usize,
    /// 0 without one.
    pub(crate) island_graph: u64,
    /// Spans that are kept for baking tiles again, and their index; 0 unless the bake was dynamic.
    pub(crate) cached_spans: u64,
    /// The hierarchy, which plans far paths; 0 without one.
    pub(crate) hierarchy: u64,
    /// 1 for a file that was never edited.
    pub(crate) sequence: u64,
    /// Bytes that edits left unused; `navtile compact` removes them.
    pub(crate) unused: u64,
}

impl Stored {
    fn of(file: &NavFile<SharedBytes>, size: u64) -> Stored {
        let (root, entries) = (file.root(), file.entries());
        let blob = |entry: &DirectoryEntry| match entry.is_lz4() {
            true => u64::from(entry.raw_length),
            false => entry.length,
        };
        Stored {
            blobs: entries.iter().map(blob).sum(),
            tiles: entries.iter().map(|entry| entry.length).sum(),
            compressed_tiles: entries.iter().filter(|entry| entry.is_lz4()).count(),
            island_graph: root.graph_length,
            sequence: root.sequence,
            hierarchy: file.hierarchy_place().map_or(0, |place| place.length),
            // Bytes of an unfinished edit after the end are as useless as unused bytes inside.
            cached_spans: file
                .span_cache_place()
                .map_or(0, |place| place.length.saturating_add(place.spans_length)),
            unused: size - root.file_length + file.unused_bytes(),
        }
    }
}

/// Reads a file, verifies its tiles and joins them.
pub(crate) fn load(path: &Path) -> Result<Loaded, Failure> {
    from_bytes(path, files::read_shared(path)?)
}

/// Like [`load`], from the bytes of a file; errors call it `path`.
pub(crate) fn from_bytes(path: &Path, bytes: SharedBytes) -> Result<Loaded, Failure> {
    let size = bytes.len() as u64;
    let Opened { file, tiles } = inspect::from_bytes(path, bytes)?;
    let unusable = |error: MeshError| Failure::of(path, error).help(UNUSABLE);
    let mut mesh = NavMesh::new(anchor(&tiles)).map_err(unusable)?;
    let (meta, stored) = (file.meta().clone(), Stored::of(&file, size));
    mesh.add_tiles(tiles).map_err(unusable)?;
    Ok(Loaded { meta, mesh, bytes: size, stored })
}

/// The whole metre nearest to the centre of the tiles: f32 positions are finest around it.
pub(crate) fn anchor(tiles: &[Tile]) -> [f64; 3] {
    match bounds(tiles.iter()) {
        Some([min, max]) => std::array::from_fn(|axis| (min[axis] / 2.0 + max[axis] / 2.0).round()),
        None => [0.0; 3],
    }
}

/// The box around all vertices, world metres; `None` without vertices.
pub(crate) fn bounds<'a>(tiles: impl Iterator<Item = &'a Tile>) -> Option<[[f64; 3]; 2]> {
    let mut bounds: Option<[[f64; 3]; 2]> = None;
    for tile in tiles.filter(|tile| !tile.polygons().is_empty()) {
        let header = tile.header();
        let corners = [header.bounds_min, header.bounds_max].map(|corner| tile.to_world(corner));
        let [min, max] = bounds.unwrap_or(corners);
        bounds = Some([
            std::array::from_fn(|axis| min[axis].min(corners[0][axis])),
            std::array::from_fn(|axis| max[axis].max(corners[1][axis])),
        ]);
    }
    bounds
}

impl Loaded {
    /// The filter of the file's areas, with their costs, which allows every flag of an area.
    pub(crate) fn filter(&self) -> Result<Filter, Failure> {
        self.filter_without(&[])
    }

    /// The filter of the file's areas without the `avoided` ones, whose costs do not count then.
    pub(crate) fn filter_without(&self, avoided: &[u8]) -> Result<Filter, Failure> {
        let flags = self.meta.areas.iter().fold(0, |flags, area| flags | area.flags);
        let mut filter = Filter::default().with_include(flags);
        for area in self.meta.areas.iter().filter(|area| !avoided.contains(&area.id)) {
            filter = filter.with_area_cost(area.id, area.cost).map_err(|error| {
                Failure::circumstances(format!("area \"{}\" of the file: {error}", area.name))
                    .help("bake the level again with another cost")
            })?;
        }
        Ok(avoided.iter().fold(filter, |filter, area| filter.without_area(*area)))
    }
}
