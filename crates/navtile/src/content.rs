//! A tile before it is bytes: polygons, edges, detail meshes and off-mesh links, in any order.

use crate::layout::OffMeshLink;
use crate::tile::TileCoord;
use navmath::{Lattice, LimitError};
use std::error::Error;
use std::fmt;

/// The content of a tile, in any order; [`TileContent::write`] puts it into canonical order and turns it into
/// a blob.
///
/// ```
/// use navmath::{FIXED_ONE, Lattice};
/// use navtile::content::Beyond;
/// use navtile::{EdgeContent, PolygonContent, Tile, TileContent, TileCoord};
///
/// // One triangle with walls all around; its interior lies to the left of its edges.
/// let cells = |x: i32, y: i32, z: i32| [x, y, z].map(|cells| cells * FIXED_ONE);
/// let wall = |vertex| EdgeContent { vertex, beyond: Beyond::Wall };
/// let content = TileContent {
///     coord: TileCoord { x: 0, z: 0, layer: 0 },
///     lattice: Lattice { origin: [0.0; 3], cell_size: 0.5, cell_height: 0.25 },
///     base_cell: [0; 3],
///     size_cells: [16, 16],
///     agent: [0.5, 2.0, 0.5, 45.0],
///     vertices: vec![cells(1, 0, 9), cells(9, 2, 9), cells(1, 0, 1)],
///     polygons: vec![PolygonContent {
///         edges: vec![wall(0), wall(1), wall(2)],
///         area: 1,
///         flags: 1,
///         detail_vertices: Vec::new(),
///         detail_triangles: Vec::new(),
///     }],
///     off_mesh_links: Vec::new(),
/// };
/// let (bytes, diagnostics) = content.write()?;
/// assert!(diagnostics.is_empty());
/// let tile = Tile::from_bytes(&bytes)?;
/// assert_eq!(tile.to_world(tile.vertices()[0]), [0.5, 0.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TileContent {
    /// Coordinate of the tile in the grid of tiles.
    pub coord: TileCoord,
    /// The global lattice.
    pub lattice: Lattice,
    /// The lattice cell that all positions here are relative to.
    pub base_cell: [i64; 3],
    /// Width and depth of the tile in cells; portals are on its four sides.
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
    /// Corners as indices into [`TileContent::vertices`], each with the other side of the edge that starts
    /// there.
    pub edges: Vec<EdgeContent>,
    /// Area id; not 0.
    pub area: u8,
    /// User flags.
    pub flags: u32,
    /// Vertices of the detail mesh beyond the corners, fixed-point.
    pub detail_vertices: Vec<[i32; 3]>,
    /// Triangles of the detail mesh. If empty, a fan over the corners replaces them.
    pub detail_triangles: Vec<DetailTriangleContent>,
}

/// A corner and the edge that starts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeContent {
    /// Index into [`TileContent::vertices`].
    pub vertex: u32,
    /// The other side of the edge.
    pub beyond: Beyond,
}

/// The other side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// No walkable surface.
    Wall,
    /// The polygon of this tile with the index `0`, which must have the same edge in the opposite direction.
    Internal(u32),
    /// The tile's border on this side (`layout::side`).
    Portal(u8),
}

/// A triangle of a detail mesh; indices are local to the polygon, corners first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetailTriangleContent {
    /// Corners.
    pub vertices: [u32; 3],
    /// True for each edge, from corner i to i + 1, that is on the polygon's boundary.
    pub boundary: [bool; 3],
}

/// Something that the writer repaired or dropped, and its position.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteDiagnostic {
    /// A polygon without area was left out, and its neighbours were joined across it.
    ZeroArea {
        /// Its index in the content.
        polygon: u32,
        /// World position of its first corner.
        at: [f64; 3],
    },
    /// A polygon that was not convex was split; heights within it now follow its corners only.
    Split {
        /// Its index in the content.
        polygon: u32,
        /// World position of its first corner.
        at: [f64; 3],
        /// Number of polygons that it was split into.
        pieces: u32,
    },
}

/// Content that cannot be a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum WriteError {
    /// A number does not fit the format.
    Limit(LimitError),
    /// An index is out of range, or a polygon is malformed.
    Polygon {
        /// Its index in the content.
        polygon: u32,
        /// The fault.
        what: String,
    },
    /// Lattice, base cell, tile size or agent are out of range.
    Head {
        /// The rule, by the name it has in docs/format.md.
        rule: &'static str,
        /// The property that the rule asks for, and the value given.
        what: String,
    },
    /// An off-mesh link is malformed.
    OffMeshLink {
        /// Its index in the content.
        link: u32,
        /// The fault.
        what: String,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Limit(error) => error.fmt(f),
            WriteError::Polygon { polygon, what } => write!(f, "polygon {polygon}: {what}"),
            WriteError::Head { rule, what } => write!(f, "tile head, {rule}: {what}"),
            WriteError::OffMeshLink { link, what } => write!(f, "off-mesh link {link}: {what}"),
        }
    }
}

impl Error for WriteError {}

impl From<LimitError> for WriteError {
    fn from(error: LimitError) -> WriteError {
        WriteError::Limit(error)
    }
}
