//! From content to blob: check, mend, canonicalise, order, emit.
//!
//! The bytes are a function of the set of polygons and links: vertices are known by their position, polygons
//! start at their smallest corner, and every order below is total. Cost: O(n log n), and O(corners²) for each
//! polygon that has to be split.
//!
//! Vertices are ordered once; from then on a vertex is its place in that order, and polygons are ranges of lists that
//! they share. The blob is written once, to where it stays.

mod detail;
mod draft;
mod emit;
mod ranks;
mod shape;
mod split;
mod stitch;
mod tree;
mod twins;

use crate::bytes::Part;
use crate::content::{TileParts, WriteDiagnostic, WriteError};
use crate::layout::{Header, TILE_MAGIC, TILE_VERSION};
use crate::limits::POLYGON_LIMIT;
use crate::verify::header::measures;
use bytemuck::Zeroable;
use detail::Details;
use draft::Drafts;
use navmath::limit;
use tree::Tree;
use twins::{Piece, Pieces};

const SMALLER_TILES: &str = "bake in tiles, or in smaller ones";

/// A position that orders and identifies a vertex: by x, then z, then y, so that the smallest corner of a
/// polygon is one of its extreme points seen from above.
pub(crate) fn vertex_key(vertex: [i32; 3]) -> [i32; 3] {
    [vertex[0], vertex[2], vertex[1]]
}

/// A blob, not yet verified, and how it came about.
pub(crate) struct Blob {
    pub(crate) part: Part,
    /// The CRC-32 of the bytes as they are.
    pub(crate) sum: u32,
    pub(crate) diagnostics: Vec<WriteDiagnostic>,
    /// For each polygon, its index in the content.
    pub(crate) sources: Vec<u32>,
}

/// What [`TileContent::write`](crate::TileContent::write) and [`TileWriter`](crate::TileWriter) do, but for
/// verification; with memory that is kept.
#[derive(Default)]
pub(crate) struct Writer {
    drafts: Drafts,
    pieces: Pieces,
    details: Details,
    /// Pieces with their first two corners, in canonical order.
    keys: Vec<(u64, u32)>,
    tree: Tree,
    emit: emit::Buffers,
}

impl Writer {
    pub(crate) fn write(&mut self, content: &TileParts<'_>) -> Result<Blob, WriteError> {
        let mut header = head(content)?;
        let Writer { drafts, pieces, details, tree, .. } = self;
        drafts.read(content)?;
        if !drafts.plain {
            stitch::drop_flat(drafts, content);
        }
        pieces.pair(drafts)?;
        let diagnostics = add_pieces(content, drafts, pieces)?;
        let count = pieces.list.len() as u64;
        limit::check("polygons in a tile", count, POLYGON_LIMIT as u64, SMALLER_TILES)?;
        details.clear();
        for piece in &mut pieces.list {
            details.add(content, drafts, piece)?;
        }
        sort(pieces, &mut self.keys)?;
        tree.build(&self.keys, drafts, pieces, details, &mut header);
        let sources = tree.leaves.iter().map(|&leaf| pieces.list[leaf as usize].source).collect();
        let ordered = emit::Ordered { drafts, pieces, details, tree };
        let (part, sum) = emit::blob(header, &ordered, content, &mut self.emit)?;
        Ok(Blob { part, sum, diagnostics, sources })
    }
}

/// Makes pieces of polygons with area: one of each that is convex, several of others.
fn add_pieces(
    content: &TileParts<'_>,
    drafts: &Drafts,
    pieces: &mut Pieces,
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
        split::convex_pieces(drafts, index, pieces)?;
        let count = pieces.list.len() - before;
        if count > 1 {
            let pieces = limit::to_u32("pieces of a polygon", count, "simplify the polygon")?;
            diagnostics.push(WriteDiagnostic::Split { polygon, at: at(), pieces });
        }
    }
    Ok(diagnostics)
}

/// The header as far as the content gives it; the rest is filled in later.
fn head(content: &TileParts<'_>) -> Result<Header, WriteError> {
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

/// Puts `keys` of pieces into canonical order, by their corners. No two may have the same: which one a neighbour means
/// would then be chance.
fn sort(pieces: &Pieces, keys: &mut Vec<(u64, u32)>) -> Result<(), WriteError> {
    let corners = |index: u32| {
        let piece: &Piece = &pieces.list[index as usize];
        pieces.edges(piece).iter().map(|edge| edge.vertex)
    };
    // Nearly all differ in their first two corners.
    keys.clear();
    keys.extend((0u32..).zip(&pieces.list).map(|(index, piece)| {
        let edges = pieces.edges(piece);
        (u64::from(edges[0].vertex) << 32 | u64::from(edges[1].vertex), index)
    }));
    keys.sort_unstable_by(|(key, index), (other_key, other)| {
        key.cmp(other_key).then_with(|| corners(*index).cmp(corners(*other))).then(index.cmp(other))
    });
    let same = keys.array_windows().find(|[a, b]| a.0 == b.0 && corners(a.1).eq(corners(b.1)));
    if let Some([a, b]) = same {
        let [a, b] = [a.1, b.1].map(|index| pieces.list[index as usize].source);
        let (first, second) = (a.min(b), a.max(b));
        let what = format!("it has the same corners as polygon {first}: leave one of them out");
        return draft::refuse(second, what);
    }
    Ok(())
}
