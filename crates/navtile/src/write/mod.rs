//! From content to blob: check, mend, canonicalise, order, emit.
//!
//! The bytes are a function of the set of polygons and links: vertices are known by their position, polygons
//! start at their smallest corner, and every order below is total. Cost: O(n log n), and O(corners²) for each
//! polygon that has to be split.

mod detail;
mod draft;
mod emit;
mod split;
mod stitch;
mod tree;

use crate::content::{TileContent, WriteDiagnostic, WriteError, Written};
use crate::layout::{Header, TILE_MAGIC, TILE_VERSION};
use crate::limits::POLYGON_LIMIT;
use crate::verify::header::measures;
use bytemuck::Zeroable;
use draft::{Draft, Piece};
use navmath::limit;

/// A position that orders and identifies a vertex: by x, then z, then y, so that the smallest corner of a
/// polygon is one of its extreme points seen from above.
pub(crate) fn vertex_key(vertex: [i32; 3]) -> [i32; 3] {
    [vertex[0], vertex[2], vertex[1]]
}

/// What [`TileContent::write`] does.
pub(crate) fn write(content: &TileContent) -> Result<Written, WriteError> {
    let mut header = head(content)?;
    let mut drafts = draft::read(content)?;
    let mut diagnostics = Vec::new();
    stitch::drop_flat(&mut drafts);
    let first_corner = |draft: &Draft| content.lattice.fixed_to_world(draft.first_corner, content.base_cell);
    let mut pieces: Vec<Piece> = Vec::with_capacity(drafts.len());
    let (sources, mut edge_ids) = draft::identify(&drafts)?;
    for (source, draft) in sources.into_iter().zip(&drafts) {
        let polygon = draft.index;
        let Some(source) = source else {
            diagnostics.push(WriteDiagnostic::ZeroArea { polygon, at: first_corner(draft) });
            continue;
        };
        let before = pieces.len();
        split::convex_pieces(source, &mut edge_ids, &mut pieces)?;
        let count = pieces.len() - before;
        if count > 1 {
            let pieces = limit::to_u32("pieces of a polygon", count, "simplify the polygon")?;
            diagnostics.push(WriteDiagnostic::Split { polygon, at: first_corner(draft), pieces });
        }
    }
    limit::check(
        "polygons in a tile",
        pieces.len() as u64,
        POLYGON_LIMIT as u64,
        "bake in tiles, or in smaller ones",
    )?;
    for piece in &mut pieces {
        detail::canonicalise(piece)?;
    }
    sort(&mut pieces)?;
    let nodes = tree::order(&mut pieces, &mut header);
    let bytes = emit::blob(header, &pieces, edge_ids, &nodes, content)?;
    Ok(Written { bytes, diagnostics, sources: pieces.iter().map(|piece| piece.source).collect() })
}

/// The header as far as the content gives it; the rest is filled in later.
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

/// Puts pieces into canonical order, by their corners. No two may have the same: which one a neighbour means
/// would then be chance.
fn sort(pieces: &mut [Piece]) -> Result<(), WriteError> {
    let key = |piece: &Piece| piece.edges.iter().map(|edge| vertex_key(edge.corner)).collect::<Vec<_>>();
    pieces.sort_by_cached_key(key);
    let same = pieces.windows(2).find(|pair| {
        pair[0].edges.len() == pair[1].edges.len()
            && pair[0].edges.iter().zip(&pair[1].edges).all(|(a, b)| a.corner == b.corner)
    });
    same.map_or(Ok(()), |pair| {
        let (first, second) = (pair[0].source.min(pair[1].source), pair[0].source.max(pair[1].source));
        draft::refuse(second, format!("it has the same corners as polygon {first}: leave one of them out"))
    })
}
