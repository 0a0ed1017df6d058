//! A tile of Detour: `dtCreateNavMeshData` makes it and `dtNavMesh::addTile` takes it, version 7.
//!
//! | part | bytes each | count |
//! |---|---|---|
//! | header | 100 | 1 |
//! | vertices | 12 | `vertCount` |
//! | polygons | 32 | `polyCount`, those of off-mesh connections included |
//! | links | 12, or 16 with 64-bit references | `maxLinkCount`; space that the runtime fills |
//! | detail meshes | 12 | `detailMeshCount` |
//! | detail vertices | 12 | `detailVertCount` |
//! | detail triangles | 4 | `detailTriCount` |
//! | BV nodes | 16 | `bvNodeCount` |
//! | off-mesh connections | 36 | `offMeshConCount` |
//!
//! The file does not state the width of references: it follows from the length. Links are not read, because
//! the runtime builds them again, and they are written as zeros.

mod indices;
mod read;
#[cfg(test)]
mod tests;
mod tile;
mod write;

pub use read::read;
pub(crate) use read::read_at;
pub use tile::{
    AREA_ZERO, DetourBvNode, DetourDetailMesh, DetourOffMeshConnection, DetourPolygon, DetourTile, EXTERNAL,
    MAGIC, MAX_CORNERS, SAME_TILE, VERSION, order,
};
pub use write::write;
