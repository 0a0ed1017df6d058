//! What the last bake left: tiles that may be taken over, and the island graph that tells what they were before
//! anything was dropped from them.

use crate::files;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Meta, NavFile, TileCoord};
use std::path::Path;

/// A file that a bake wrote, with its graph.
pub(super) struct Last {
    pub(super) file: NavFile<Vec<u8>>,
    pub(super) graph: IslandGraph,
}

impl Last {
    /// Reads the file; `Err` says why there is nothing to take over.
    pub(super) fn read(path: &Path) -> Result<Last, String> {
        let name = path.display();
        let bytes = files::read(path).map_err(|failure| failure.to_string())?;
        let file = NavFile::open(bytes).map_err(|error| format!("{name}: {error}"))?;
        match file.graph() {
            None => Err(format!("{name}: has no island graph, as it was not baked from a level")),
            Some(Err(error)) => Err(format!("{name}: {error}")),
            Some(Ok(graph)) => Ok(Last { graph, file }),
        }
    }

    /// The node of a tile that was baked from the same input.
    pub(super) fn same(&self, coord: TileCoord, input_hash: [u8; 16]) -> Option<&TileNode> {
        let node = &self.graph.nodes()[self.graph.find(coord)?];
        (node.input_hash == input_hash).then_some(node)
    }

    /// What was dropped from a tile, as its hash; `None` if all of it was.
    pub(super) fn prune_hash(&self, coord: TileCoord) -> Option<[u8; 8]> {
        let entries = self.file.entries();
        let index = entries.binary_search_by_key(&coord, |entry| entry.coord()).ok()?;
        Some(entries[index].prune_hash)
    }

    /// Why no tile could be taken over, if one thing explains it.
    pub(super) fn reason(&self, meta: &Meta) -> Option<String> {
        let last = self.file.meta();
        if last.cell != meta.cell || last.tile_cells != meta.tile_cells {
            return Some("cells or tiles have another size".to_owned());
        }
        if last.origin != meta.origin {
            return Some(format!(
                "the corner of the level moved from {:?} to {:?}; give `bounds` to keep it where it is",
                last.origin, meta.origin
            ));
        }
        let settings = |meta: &Meta| (meta.agent, meta.settings.clone());
        (settings(last) != settings(meta)).then(|| "the settings are others".to_owned())
    }
}
