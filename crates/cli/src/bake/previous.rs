//! The previous bake: tiles that may be reused, and the island graph that says what they were before anything was
//! dropped from them.

use crate::files;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Meta, NavFile, TileCoord};
use std::path::Path;

/// A file that a bake wrote, with its graph.
pub(super) struct PreviousBake {
    pub(super) file: NavFile<Vec<u8>>,
    pub(super) graph: IslandGraph,
}

impl PreviousBake {
    /// Reads the file; `Err` says why nothing can be reused.
    pub(super) fn read(path: &Path) -> Result<PreviousBake, String> {
        let name = path.display();
        let bytes = files::read(path).map_err(|failure| failure.to_string())?;
        let file = NavFile::open(bytes).map_err(|error| format!("{name}: {error}"))?;
        match file.graph() {
            None => Err(format!("{name}: has no island graph, as it was not baked from a level")),
            Some(Err(error)) => Err(format!("{name}: {error}")),
            Some(Ok(graph)) => Ok(PreviousBake { graph, file }),
        }
    }

    /// The node of a tile that was baked from the same input.
    pub(super) fn same(&self, coord: TileCoord, input_hash: [u8; 16]) -> Option<&TileNode> {
        let node = &self.graph.nodes()[self.graph.find(coord)?];
        (node.input_hash() == input_hash).then_some(node)
    }

    /// The hash of the islands dropped from a tile; `None` if all of it was.
    pub(super) fn prune_hash(&self, coord: TileCoord) -> Option<[u8; 8]> {
        let entries = self.file.entries();
        let index = entries.binary_search_by_key(&coord, |entry| entry.coord()).ok()?;
        Some(entries[index].prune_hash)
    }

    /// Why no tile can be reused, if one reason explains it.
    pub(super) fn reason(&self, meta: &Meta) -> Option<String> {
        let previous = self.file.meta();
        if previous.cell != meta.cell || previous.tile_cells != meta.tile_cells {
            return Some("the size of cells or tiles differs".to_owned());
        }
        if previous.origin != meta.origin {
            return Some(format!(
                "the corner of the level moved from {:?} to {:?}; give `bounds` to keep it where it is",
                previous.origin, meta.origin
            ));
        }
        let settings = |meta: &Meta| (meta.agent, meta.settings.clone());
        (settings(previous) != settings(meta)).then(|| "the settings differ".to_owned())
    }
}
