//! A tile before it is bytes. [`TileContent::write`] canonicalises it and turns it into a blob.

use crate::layout::OffMeshLink;
use crate::tile::{Tile, TileCoord};
use crate::verify::TileError;
use crate::write::{Blob, Writer};
use navmath::{Lattice, LimitError};
use thiserror::Error;

/// What a tile holds, in any order; writing puts it into canonical order.
#[derive(Clone, Debug, PartialEq)]
pub struct TileContent {
    /// Where the tile stands in the grid of tiles.
    pub coord: TileCoord,
    /// The global lattice.
    pub lattice: Lattice,
    /// The lattice cell that all positions here are relative to.
    pub base_cell: [i64; 3],
    /// Width and depth of the tile in cells; portals lie on its four sides.
    pub size_cells: [u32; 2],
    /// Agent radius, height, climb (metres) and slope (degrees).
    pub agent: [f32; 4],
    /// Polygon vertices, fixed-point (1/256 cell). Shared between polygons.
    pub vertices: Vec<[i32; 3]>,
    /// Polygons; interior to the left of their edges (see `navmath::predicates`).
    pub polygons: Vec<PolygonContent>,
    /// Off-mesh links that start in this tile.
    pub off_mesh_links: Vec<OffMeshLink>,
}

/// A polygon before it is bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct PolygonContent {
    /// Corners as indices into [`TileContent::vertices`], with what lies beyond the edge that starts there.
    pub edges: Vec<EdgeContent>,
    /// Area id; not 0.
    pub area: u8,
    /// User flags.
    pub flags: u32,
    /// Vertices of the detail mesh beyond the corners, fixed-point.
    pub detail_vertices: Vec<[i32; 3]>,
    /// Triangles of the detail mesh; if there are none, a fan over the corners stands in.
    pub detail_triangles: Vec<DetailTriangleContent>,
}

/// A corner and the edge that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeContent {
    /// Index into [`TileContent::vertices`].
    pub vertex: u32,
    /// What lies beyond the edge.
    pub beyond: Beyond,
}

/// What lies beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Nothing to walk on.
    Wall,
    /// Polygon `0` of this tile; which must have the same edge the other way round.
    Internal(u32),
    /// The tile's border on this side (`layout::side`).
    Portal(u8),
}

/// A triangle of a detail mesh; indices are local to the polygon, corners first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetailTriangleContent {
    /// Corners.
    pub vertices: [u32; 3],
    /// Whether the edge from corner i to i + 1 lies on the polygon's boundary.
    pub boundary: [bool; 3],
}

/// Something that writing mended or dropped, with its place.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteDiagnostic {
    /// A polygon without area was left out, its neighbours joined across it.
    ZeroArea {
        /// Its index in the content.
        polygon: u32,
        /// World position of its first corner.
        at: [f64; 3],
    },
    /// A polygon that was not convex was split; heights within it now follow its corners alone.
    Split {
        /// Its index in the content.
        polygon: u32,
        /// World position of its first corner.
        at: [f64; 3],
        /// How many polygons it became.
        pieces: u32,
    },
}

/// Content as bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The blob.
    pub bytes: Vec<u8>,
    /// What had to be mended on the way.
    pub diagnostics: Vec<WriteDiagnostic>,
    /// For each polygon of the blob, its index in the content.
    pub sources: Vec<u32>,
}

/// Content as a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The tile, verified.
    pub tile: Tile,
    /// What had to be mended on the way.
    pub diagnostics: Vec<WriteDiagnostic>,
    /// For each polygon of the tile, its index in the content.
    pub sources: Vec<u32>,
}

/// No tile came of content.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BuildError {
    /// The content cannot be a tile.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// What was written is not a tile, which must not happen: a fault of the writer.
    #[error(transparent)]
    Unsound(#[from] TileError),
}

/// Content that cannot be a tile.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WriteError {
    /// A number does not fit the format.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// An index points nowhere, or a polygon is malformed.
    #[error("polygon {polygon}: {what}")]
    Polygon {
        /// Its index in the content.
        polygon: u32,
        /// What is wrong with it.
        what: String,
    },
    /// Lattice, base cell, tile size or agent are out of range.
    #[error("tile head, {rule}: {what}")]
    Head {
        /// The rule, by the name it has in docs/format.md.
        rule: &'static str,
        /// What the rule asks for and what was given.
        what: String,
    },
    /// An off-mesh link is malformed.
    #[error("off-mesh link {link}: {what}")]
    OffMeshLink {
        /// Its index in the content.
        link: u32,
        /// What is wrong with it.
        what: String,
    },
}

impl TileContent {
    /// The blob's bytes, and what had to be mended on the way. The bytes are what `Tile::from_bytes` accepts.
    ///
    /// They depend on the set of polygons and links only: not on their order, nor on the order of vertices,
    /// nor on which corner a polygon starts at. Unused vertices are dropped. A polygon without area is left
    /// out, its neighbours joined across it; one that is not convex, or has more than 255 corners, is split
    /// and loses its detail mesh; one without a detail mesh gets a fan over its corners.
    ///
    /// Errors: an index that points nowhere, neighbours that do not agree, edges that cross, a polygon wound
    /// with its interior to the right, portals that are not on the border or coincide, links and measures out
    /// of range, and counts beyond the format's limits.
    pub fn write(&self) -> Result<(Vec<u8>, Vec<WriteDiagnostic>), WriteError> {
        let Written { bytes, diagnostics, .. } = self.write_traced()?;
        Ok((bytes, diagnostics))
    }

    /// As [`TileContent::write`], and tells where each polygon of the blob came from.
    pub fn write_traced(&self) -> Result<Written, WriteError> {
        let polygons: Vec<PolygonParts<'_>> = self.polygons.iter().map(PolygonContent::parts).collect();
        let Blob { part, diagnostics, sources, .. } = Writer::default().write(&self.parts(&polygons))?;
        Ok(Written { bytes: part.bytes().to_vec(), diagnostics, sources })
    }

    /// The same without lists of its own; `polygons` in place of its polygons.
    pub fn parts<'a>(&'a self, polygons: &'a [PolygonParts<'a>]) -> TileParts<'a> {
        TileParts {
            coord: self.coord,
            lattice: self.lattice,
            base_cell: self.base_cell,
            size_cells: self.size_cells,
            agent: self.agent,
            vertices: &self.vertices,
            polygons,
            off_mesh_links: &self.off_mesh_links,
        }
    }
}

impl PolygonContent {
    /// The same without lists of its own.
    pub fn parts(&self) -> PolygonParts<'_> {
        PolygonParts {
            edges: &self.edges,
            area: self.area,
            flags: self.flags,
            detail_vertices: &self.detail_vertices,
            detail_triangles: &self.detail_triangles,
        }
    }
}

/// A tile before it is bytes, as [`TileContent`], in lists that stand elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct TileParts<'a> {
    /// As [`TileContent::coord`].
    pub coord: TileCoord,
    /// As [`TileContent::lattice`].
    pub lattice: Lattice,
    /// As [`TileContent::base_cell`].
    pub base_cell: [i64; 3],
    /// As [`TileContent::size_cells`].
    pub size_cells: [u32; 2],
    /// As [`TileContent::agent`].
    pub agent: [f32; 4],
    /// As [`TileContent::vertices`].
    pub vertices: &'a [[i32; 3]],
    /// As [`TileContent::polygons`].
    pub polygons: &'a [PolygonParts<'a>],
    /// As [`TileContent::off_mesh_links`].
    pub off_mesh_links: &'a [OffMeshLink],
}

/// A polygon before it is bytes, as [`PolygonContent`], in lists that stand elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct PolygonParts<'a> {
    /// As [`PolygonContent::edges`].
    pub edges: &'a [EdgeContent],
    /// As [`PolygonContent::area`].
    pub area: u8,
    /// As [`PolygonContent::flags`].
    pub flags: u32,
    /// As [`PolygonContent::detail_vertices`].
    pub detail_vertices: &'a [[i32; 3]],
    /// As [`PolygonContent::detail_triangles`].
    pub detail_triangles: &'a [DetailTriangleContent],
}

/// Makes tiles of parts, one after the other, with memory that it keeps.
#[derive(Default)]
pub struct TileWriter(Writer);

impl TileWriter {
    /// The verified tile, as [`TileContent::write`] would write it; written to where it stays, without a copy.
    pub fn build(&mut self, parts: &TileParts<'_>) -> Result<Built, BuildError> {
        let Blob { part, sum, diagnostics, sources } = self.0.write(parts)?;
        Ok(Built { tile: Tile::from_part(part, sum)?, diagnostics, sources })
    }
}
