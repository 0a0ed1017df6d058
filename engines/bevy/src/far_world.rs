//! The hierarchy of a world's file, and its tiles for plans.

use crate::asset::FileBytes;
use detour::NavMesh;
use hierarchy::{ClusterCoord, Hierarchy, Tiles};
use navtile::{NavStore, Tile};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The hierarchy of a world's file.
pub(crate) struct FarWorld {
    pub(crate) hierarchy: Arc<Hierarchy>,
    /// The file, for tiles around the ends of plans that are not in the mesh.
    store: NavStore<FileBytes>,
    /// The clusters that have changed since plans were last checked.
    pub(crate) changed: BTreeSet<ClusterCoord>,
    /// True until plans were checked for the first time.
    pub(crate) is_new: bool,
}

impl FarWorld {
    pub(crate) fn new(hierarchy: Arc<Hierarchy>, store: NavStore<FileBytes>) -> FarWorld {
        FarWorld { hierarchy, store, changed: BTreeSet::new(), is_new: true }
    }

    /// The tiles of the cluster around a place, world metres: those of the mesh as they are now, and the
    /// file's where the mesh has none.
    pub(crate) fn cluster(&self, mesh: &NavMesh, at: [f64; 3]) -> Option<NavMesh> {
        let mut tiles: Vec<Tile> = Vec::new();
        for [x, z] in self.hierarchy.columns(self.hierarchy.cluster_at(at)) {
            let stored = tiles.len();
            tiles.extend(mesh.column(x, z).cloned());
            if tiles.len() == stored {
                tiles.extend(Tiles::column(&self.store, x, z).ok()?);
            }
        }
        let mut cluster = NavMesh::new(mesh.anchor()).ok()?;
        cluster.add_tiles(tiles).ok()?;
        Some(cluster)
    }
}
