//! From content to blob: check, repair, canonicalise, order, emit.
//!
//! The bytes are a function of the set of polygons and links: vertices are identified by their position,
//! polygons start at their smallest corner, and every order below is total. Cost: O(n log n), and O(corners²)
//! for each polygon that has to be split.
//!
//! Vertices are ordered once. From then on a vertex is its rank in that order, and polygons are ranges of
//! lists that they share. The blob is written once, to its final place.

mod detail;
mod draft;
mod emit;
mod ranks;
mod split;
mod stitch;
mod tree;
mod twins;

use crate::bytes::SharedBytes;
use crate::content::{TileContent, WriteDiagnostic, WriteError};
use crate::layout::{Header, TILE_MAGIC, TILE_VERSION};
use crate::limits::POLYGON_LIMIT;
use crate::tile::Tile;
use crate::verify::TileError;
use crate::verify::header::measures;
use bytemuck::Zeroable;
use detail::Details;
use draft::Drafts;
use navmath::limit;
use std::error::Error;
use std::fmt;
use tree::Tree;
use twins::{ConvexPolygon, ConvexPolygons};

const SMALLER_TILES: &str = "bake in tiles, or in smaller ones";

/// A position that orders and identifies a vertex: by x, then z, then y, so that the smallest corner of a
/// polygon is one of its extreme points seen from above.
pub(crate) fn vertex_key(vertex: [i32; 3]) -> [i32; 3] {
    [vertex[0], vertex[2], vertex[1]]
}

/// A tile made from content.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The tile, verified.
    pub tile: Tile,
    /// Everything that was repaired or dropped.
    pub diagnostics: Vec<WriteDiagnostic>,
    /// For each polygon of the tile, its index in the content.
    pub sources: Vec<u32>,
}

/// The content could not be made into a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum BuildError {
    /// The content is not a valid tile.
    Write(WriteError),
    /// The writer produced a tile that breaks a rule: a bug in the writer, which must not happen.
    Unsound(TileError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Write(error) => error.fmt(f),
            BuildError::Unsound(error) => error.fmt(f),
        }
    }
}

impl Error for BuildError {}

impl From<WriteError> for BuildError {
    fn from(error: WriteError) -> BuildError {
        BuildError::Write(error)
    }
}

impl From<TileError> for BuildError {
    fn from(error: TileError) -> BuildError {
        BuildError::Unsound(error)
    }
}

impl TileContent {
    /// Returns the blob's bytes, and everything that was repaired or dropped. `Tile::from_bytes` accepts the
    /// bytes.
    ///
    /// They depend only on the set of polygons and links: not on their order, the order of vertices, or the
    /// first corner of a polygon. Unused vertices are dropped. A polygon without area is left out, and its
    /// neighbours are joined across it. A polygon that is not convex, or has more than 255 corners, is split
    /// and loses its detail mesh. A polygon without a detail mesh gets a fan over its corners.
    ///
    /// Errors: an index out of range, neighbours that do not agree, edges that cross, a polygon wound
    /// with its interior to the right, portals that are not on the border or coincide, links and measures out
    /// of range, and counts beyond the format's limits.
    pub fn write(&self) -> Result<(Vec<u8>, Vec<WriteDiagnostic>), WriteError> {
        let blob = TileWriter::default().write(self)?;
        Ok((blob.bytes.to_vec(), blob.diagnostics))
    }
}

/// Builds tiles from content one by one, and reuses its memory.
///
/// ```
/// use navtile::{TileContent, TileWriter};
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
/// # let contents = [0, 1].map(|column| TileContent::from_tile(&square_tile(column)));
///
/// let mut writer = TileWriter::default();
/// for content in &contents {
///     let built = writer.build(content)?;
///     assert_eq!(built.tile.coord(), content.coord);
///     // Where each polygon of the tile comes from.
///     assert_eq!(built.sources, [0]);
/// }
/// # Ok::<(), navtile::BuildError>(())
/// ```
#[derive(Default)]
pub struct TileWriter {
    drafts: Drafts,
    pieces: ConvexPolygons,
    details: Details,
    tree: Tree,
}

/// A blob that is not yet verified.
struct Blob {
    bytes: SharedBytes,
    diagnostics: Vec<WriteDiagnostic>,
    /// For each polygon, its index in the content.
    sources: Vec<u32>,
}

impl TileWriter {
    /// Builds the verified tile with the bytes that [`TileContent::write`] gives, without copying them.
    pub fn build(&mut self, content: &TileContent) -> Result<Built, BuildError> {
        let Blob { bytes, diagnostics, sources } = self.write(content)?;
        Ok(Built { tile: Tile::from_shared(bytes)?, diagnostics, sources })
    }

    fn write(&mut self, content: &TileContent) -> Result<Blob, WriteError> {
        let mut header = head(content)?;
        let TileWriter { drafts, pieces, details, tree } = self;
        drafts.read(content)?;
        stitch::drop_flat(drafts, content);
        pieces.pair(drafts)?;
        let diagnostics = add_polygons(content, drafts, pieces)?;
        let count = pieces.list.len() as u64;
        limit::check("polygons in a tile", count, POLYGON_LIMIT as u64, SMALLER_TILES)?;
        details.clear();
        for piece in &mut pieces.list {
            details.add(content, drafts, piece)?;
        }
        tree.build(&sorted(pieces)?, drafts, pieces, details, &mut header);
        let sources = tree.leaves.iter().map(|&leaf| pieces.list[leaf as usize].source).collect();
        let ordered = emit::Ordered { drafts, pieces, details, tree };
        Ok(Blob { bytes: emit::blob(header, &ordered, content)?, diagnostics, sources })
    }
}

/// Makes pieces of polygons with area: one piece of a convex polygon, several of others.
fn add_polygons(
    content: &TileContent,
    drafts: &Drafts,
    pieces: &mut ConvexPolygons,
) -> Result<Vec<WriteDiagnostic>, WriteError> {
    let mut diagnostics = Vec::new();
    for (index, draft) in drafts.list.iter().enumerate() {
        let polygon = draft.index;
        let at = || {
            let first = drafts.positions()[draft.first_corner as usize];
            content.lattice.fixed_to_world(first, content.base_cell)
        };
        if draft.dropped {
            diagnostics.push(WriteDiagnostic::ZeroArea { polygon, at: at() });
            continue;
        }
        let before = pieces.list.len();
        split::add_convex(drafts, index, pieces)?;
        let count = pieces.list.len() - before;
        if count > 1 {
            let pieces = limit::to_u32("pieces of a polygon", count, "simplify the polygon")?;
            diagnostics.push(WriteDiagnostic::Split { polygon, at: at(), pieces });
        }
    }
    Ok(diagnostics)
}

/// The header fields that follow from the content; the others are filled in later.
fn head(content: &TileContent) -> Result<Header, WriteError> {
    let header = Header {
        magic: TILE_MAGIC,
        version: TILE_VERSION,
        x: content.coord.x,
        z: content.coord.z,
        layer: content.coord.layer,
        width: content.size_cells[0],
        depth: content.size_cells[1],
        origin: content.lattice.origin,
        cell_size: content.lattice.cell_size,
        cell_height: content.lattice.cell_height,
        base_cell: content.base_cell,
        agent: content.agent,
        ..Header::zeroed()
    };
    measures(&header).map_err(|error| WriteError::Head {
        rule: error.rule,
        what: format!("expected {}, found {}", error.expected, error.found),
    })?;
    Ok(header)
}

/// Polygons in canonical order, by their corners. No two may have the same corners, because a neighbour could
/// mean either.
fn sorted(pieces: &ConvexPolygons) -> Result<Vec<u32>, WriteError> {
    let corners = |index: u32| {
        let piece: &ConvexPolygon = &pieces.list[index as usize];
        pieces.edges(piece).iter().map(|edge| edge.vertex)
    };
    // Few pieces share their first two corners, which make one number. At most 2^20 pieces, as checked.
    let start = |index: u32| corners(index).take(2).fold(0, |start, vertex| start << 32 | u64::from(vertex));
    let mut order: Vec<(u64, u32)> =
        (0..pieces.list.len() as u32).map(|index| (start(index), index)).collect();
    order.sort_unstable_by(|&(start, a), &(other, b)| {
        start.cmp(&other).then_with(|| corners(a).cmp(corners(b)).then(a.cmp(&b)))
    });
    let order: Vec<u32> = order.into_iter().map(|(_, index)| index).collect();
    if let Some(&[a, b]) = order.array_windows().find(|[a, b]| corners(*a).eq(corners(*b))) {
        let [a, b] = [a, b].map(|index| pieces.list[index as usize].source);
        let (first, second) = (a.min(b), a.max(b));
        let what = format!("it has the same corners as polygon {first}: leave one of them out");
        return draft::refuse(second, what);
    }
    Ok(order)
}
