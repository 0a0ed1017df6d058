//! Ordered pieces to bytes.

use super::detail;
use super::draft::{Piece, PieceBeyond, refuse};
use super::vertex_key;
use crate::border::{Crowd, crowd, portal_ends};
use crate::checksum::seal;
use crate::content::{TileContent, WriteError};
use crate::layout::{
    BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SECTION_ALIGN, SectionEntry,
    edge_kind,
};
use crate::limits::{BLOB_LIMIT, PORTAL_STACK_LIMIT};
use crate::verify::links;
use crate::verify::portals::portal_key;
use crate::verify::sections::{SECTION_COUNT, SECTION_KINDS};
use navmath::{LimitError, limit};

const SMALLER_TILES: &str = "bake in tiles, or in smaller ones";

/// The blob. `pieces` in the order of the BV tree's leaves; their edges' numbers are below `edge_ids`.
pub(super) fn blob(
    mut header: Header,
    pieces: &[Piece],
    edge_ids: usize,
    bv_nodes: &[BvNode],
    content: &TileContent,
) -> Result<Vec<u8>, WriteError> {
    let mut vertices = corner_vertices(pieces);
    header.polygon_vertex_count = limit::to_u32("vertices in a tile", vertices.len(), SMALLER_TILES)?;
    let mut edges = edges(pieces, edge_ids, &vertices)?;
    let portals = portals(pieces, &mut edges, content.size_cells)?;
    let (polygons, triangles) = polygons(pieces, &mut vertices)?;
    let links = off_mesh_links(content)?;
    let sections: [&[u8]; SECTION_COUNT] = [
        bytemuck::cast_slice(&vertices),
        bytemuck::cast_slice(&polygons),
        bytemuck::cast_slice(&edges),
        bytemuck::cast_slice(&portals),
        bytemuck::cast_slice(&triangles),
        bytemuck::cast_slice(bv_nodes),
        bytemuck::cast_slice(&links),
    ];
    Ok(assemble(header, sections)?)
}

/// All corners once, in order.
fn corner_vertices(pieces: &[Piece]) -> Vec<[i32; 3]> {
    let mut vertices: Vec<[i32; 3]> =
        pieces.iter().flat_map(|piece| piece.edges.iter().map(|edge| edge.corner)).collect();
    vertices.sort_unstable_by_key(|vertex| vertex_key(*vertex));
    vertices.dedup();
    vertices
}

/// Edges of all pieces; portals get their number later.
fn edges(pieces: &[Piece], edge_ids: usize, vertices: &[[i32; 3]]) -> Result<Vec<Edge>, LimitError> {
    // Where the edge with each number came to stand: polygon and edge.
    let mut places = vec![(0u32, 0u8); edge_ids];
    for (polygon, piece) in pieces.iter().enumerate() {
        let polygon = limit::to_u32("polygons in a tile", polygon, SMALLER_TILES)?;
        for (edge, local) in piece.edges.iter().zip(0u8..=u8::MAX) {
            places[edge.id] = (polygon, local);
        }
    }
    let mut edges = Vec::new();
    for edge in pieces.iter().flat_map(|piece| &piece.edges) {
        let vertex = vertices.partition_point(|vertex| vertex_key(*vertex) < vertex_key(edge.corner));
        let (kind, (neighbour, twin)) = match edge.beyond {
            PieceBeyond::Wall => (edge_kind::WALL, (0, 0)),
            PieceBeyond::Twin(id) => (edge_kind::INTERNAL, places[id]),
            PieceBeyond::Portal(_) => (edge_kind::PORTAL, (0, 0)),
        };
        // The number of vertices was checked.
        edges.push(Edge { vertex: vertex as u32, neighbour, kind, twin, reserved: 0 });
    }
    limit::to_u32("edges in a tile", edges.len(), SMALLER_TILES)?;
    Ok(edges)
}

/// Sorted portals; tells their edges their numbers.
fn portals(pieces: &[Piece], edges: &mut [Edge], size: [u32; 2]) -> Result<Vec<Portal>, WriteError> {
    // Portals with their place among all edges and their source.
    let mut portals: Vec<(Portal, usize, u32)> = Vec::new();
    let mut first = 0;
    for (polygon, piece) in (0u32..).zip(pieces) {
        for (at, (edge, local)) in piece.edges.iter().zip(0u8..=u8::MAX).enumerate() {
            let PieceBeyond::Portal(side) = edge.beyond else { continue };
            let next = piece.edges[(at + 1) % piece.edges.len()].corner;
            let Some([start, end, start_height, end_height]) = portal_ends(&edge.corner, &next, side, size)
            else {
                let what = format!(
                    "its edge {:?} to {next:?} is a portal on side {side}, but does not lie there with the tile \
                     to its left",
                    edge.corner
                );
                return refuse(piece.source, what);
            };
            let portal =
                Portal { polygon, edge: local, side, reserved: 0, start, end, start_height, end_height };
            portals.push((portal, first + at, piece.source));
        }
        first += piece.edges.len();
    }
    limit::to_u32("portals in a tile", portals.len(), SMALLER_TILES)?;
    portals.sort_unstable_by_key(|(portal, ..)| portal_key(portal));
    for (index, (_, edge, _)) in (0u32..).zip(&portals) {
        edges[*edge].neighbour = index;
    }
    let sources: Vec<u32> = portals.iter().map(|(.., source)| *source).collect();
    let portals: Vec<Portal> = portals.into_iter().map(|(portal, ..)| portal).collect();
    match crowd(&portals) {
        None => Ok(portals),
        Some(Crowd::Overlap(first, second)) => {
            let Portal { side, start, end, .. } = portals[second];
            let what = format!(
                "its portal on side {side}, {start} to {end}, coincides with one of polygon {}: two polygons \
                 cannot have one place on the border",
                sources[first]
            );
            refuse(sources[second], what)
        }
        Some(Crowd::Stack(_)) => Err(LimitError {
            what: "portals over one point of a tile's side",
            value: PORTAL_STACK_LIMIT as u64 + 1,
            limit: PORTAL_STACK_LIMIT as u64,
            remedy: "split the storeys into layers",
        }
        .into()),
    }
}

/// Polygon records and detail triangles; detail vertices are added to `vertices`.
fn polygons(
    pieces: &[Piece],
    vertices: &mut Vec<[i32; 3]>,
) -> Result<(Vec<Polygon>, Vec<DetailTriangle>), LimitError> {
    let mut polygons = Vec::with_capacity(pieces.len());
    let mut triangles = Vec::new();
    let mut first_edge = 0;
    for piece in pieces {
        polygons.push(Polygon {
            first_edge: limit::to_u32("edges in a tile", first_edge, SMALLER_TILES)?,
            first_detail_vertex: limit::to_u32("vertices in a tile", vertices.len(), SMALLER_TILES)?,
            first_detail_triangle: limit::to_u32(
                "detail triangles in a tile",
                triangles.len(),
                SMALLER_TILES,
            )?,
            flags: piece.flags,
            // Splitting and `detail::canonicalise` keep within these.
            edge_count: piece.edges.len() as u8,
            area: piece.area,
            kind: 0,
            reserved: 0,
            detail_vertex_count: piece.detail_vertices.len() as u16,
            detail_triangle_count: piece.detail_triangles.len() as u16,
        });
        first_edge += piece.edges.len();
        vertices.extend_from_slice(&piece.detail_vertices);
        triangles.extend(piece.detail_triangles.iter().map(detail::packed));
    }
    Ok((polygons, triangles))
}

/// Checked links, sorted by all their fields.
fn off_mesh_links(content: &TileContent) -> Result<Vec<OffMeshLink>, WriteError> {
    for (index, link) in content.off_mesh_links.iter().enumerate() {
        if let Some((_, expected, found)) = links::flaw(link) {
            return Err(WriteError::OffMeshLink {
                link: limit::to_u32("off-mesh links in a tile", index, SMALLER_TILES)?,
                what: format!("expected {expected}, found {found}"),
            });
        }
    }
    let mut links = content.off_mesh_links.clone();
    links.sort_unstable_by_key(|link| {
        let OffMeshLink { start, end, end_tile, radius, flags, area, direction, user_id, .. } = *link;
        (vertex_key(start), vertex_key(end), end_tile, radius, flags, area, direction, user_id)
    });
    Ok(links)
}

/// Header, table and sections, each at the next multiple of 16 bytes; length and checksum filled in.
fn assemble(mut header: Header, sections: [&[u8]; SECTION_COUNT]) -> Result<Vec<u8>, LimitError> {
    let table_end = size_of::<Header>() + SECTION_COUNT * size_of::<SectionEntry>();
    let mut length = table_end as u64;
    for section in sections {
        length = length.saturating_add((section.len() as u64).next_multiple_of(SECTION_ALIGN as u64));
    }
    limit::check("bytes of a tile", length, BLOB_LIMIT as u64, SMALLER_TILES)?;
    header.section_count = SECTION_COUNT as u32;
    header.length = length;
    let mut bytes = Vec::with_capacity(length as usize);
    bytes.extend_from_slice(bytemuck::bytes_of(&header));
    let mut offset = table_end;
    for (index, section) in sections.iter().enumerate() {
        // Whatever lies within the blob fits 32 bits, by the limit above.
        let entry = SectionEntry {
            kind: index as u32 + 1,
            stride: SECTION_KINDS[index].1 as u32,
            offset: offset as u32,
            length: section.len() as u32,
        };
        bytes.extend_from_slice(bytemuck::bytes_of(&entry));
        offset += section.len().next_multiple_of(SECTION_ALIGN);
    }
    for section in sections {
        bytes.extend_from_slice(section);
        bytes.resize(bytes.len().next_multiple_of(SECTION_ALIGN), 0);
    }
    seal(&mut bytes);
    Ok(bytes)
}
