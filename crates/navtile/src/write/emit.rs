//! Writes ordered pieces as bytes.

use super::SMALLER_TILES;
use super::detail::Details;
use super::draft::{Drafts, refuse};
use super::tree::Tree;
use super::twins::{ConvexPolygon, ConvexPolygons, EdgeBeyond};
use super::vertex_key;
use crate::border::{Crowd, crowd, portal_ends, portal_key};
use crate::bytes::SharedBytes;
use crate::checksum::seal;
use crate::content::{TileContent, WriteError};
use crate::layout::{
    BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SECTION_ALIGN, SectionEntry,
    edge_kind, section,
};
use crate::limits::{BLOB_LIMIT, PORTAL_STACK_LIMIT};
use crate::verify::sections::SECTION_KINDS;
use crate::verify::{TileError, links};
use bytemuck::Pod;
use navmath::sort::SharedSort;
use navmath::{LimitError, limit};

/// The contents of the blob, with pieces in the order of the tree's leaves.
pub(super) struct Ordered<'a> {
    pub(super) drafts: &'a Drafts,
    pub(super) pieces: &'a ConvexPolygons,
    pub(super) details: &'a Details,
    pub(super) tree: &'a Tree,
}

/// The polygon of an edge in the tile, and the index of the edge in that polygon.
type EdgePlace = (u32, u8);

/// A portal, with the index of its edge among all edges and the index of its polygon in the content.
struct Found {
    portal: Portal,
    edge: usize,
    source: u32,
}

/// The blob.
pub(super) fn blob(
    mut header: Header,
    ordered: &Ordered<'_>,
    content: &TileContent,
) -> Result<SharedBytes, WriteError> {
    let (places, found) = ordered.place_edges(content.size_cells)?;
    let portals: Vec<Portal> = found.iter().map(|found| found.portal).collect();
    check_crowd(&portals, &found)?;
    let numbers = ordered.number_vertices();
    let corners = numbers.last().map_or(0, |&last| last as usize);
    let links = off_mesh_links(content)?;
    let counts = [
        corners + ordered.details.vertices.len(),
        ordered.tree.leaves.len(),
        ordered.leaves().map(|piece| piece.count).sum(),
        portals.len(),
        ordered.details.triangles.len(),
        ordered.tree.nodes.len(),
        links.len(),
    ];
    header.length = length(counts)?;
    header.section_count = section::COUNT as u32;
    // Counts of a blob within the limit fit 32 bits.
    header.polygon_vertex_count = corners as u32;
    Ok(SharedBytes::filled(header.length as usize, |bytes| {
        let mut sections = SectionWriter(&mut *bytes);
        sections.take::<Header>(1)[0] = header;
        table(sections.take(section::COUNT), counts);
        ordered.write_vertices(&numbers, corners, sections.take(counts[0]));
        ordered.write_polygons(corners, sections.take(counts[1]));
        let edges = sections.take(counts[2]);
        ordered.write_edges(&numbers, &places, edges);
        for (index, found) in (0u32..).zip(&found) {
            edges[found.edge].neighbour = index;
        }
        sections.take(counts[3]).copy_from_slice(&portals);
        ordered.write_triangles(sections.take(counts[4]));
        sections.take::<BvNode>(counts[5]).copy_from_slice(&ordered.tree.nodes);
        sections.take::<OffMeshLink>(counts[6]).copy_from_slice(&links);
        seal(bytes);
    }))
}

/// The length in bytes of a blob whose sections have `counts` elements.
fn length(counts: [usize; section::COUNT]) -> Result<u64, LimitError> {
    let table_end = size_of::<Header>() + section::COUNT * size_of::<SectionEntry>();
    let mut length = table_end as u64;
    for (count, (_, stride)) in counts.into_iter().zip(SECTION_KINDS) {
        let section = (count as u64).saturating_mul(stride as u64);
        length =
            length.saturating_add(section.checked_next_multiple_of(SECTION_ALIGN as u64).unwrap_or(section));
    }
    limit::check("bytes of a tile", length, BLOB_LIMIT as u64, SMALLER_TILES)?;
    Ok(length)
}

/// Fills in the section table.
fn table(entries: &mut [SectionEntry], counts: [usize; section::COUNT]) {
    let mut offset = size_of::<Header>() + size_of_val(entries);
    for (index, entry) in entries.iter_mut().enumerate() {
        let stride = SECTION_KINDS[index].1;
        let length = counts[index] * stride;
        // Everything within the blob fits 32 bits.
        *entry = SectionEntry {
            kind: index as u32 + 1,
            stride: stride as u32,
            offset: offset as u32,
            length: length as u32,
        };
        offset += length.next_multiple_of(SECTION_ALIGN);
    }
}

/// The bytes of a blob that are still to be written; starts at a multiple of [`SECTION_ALIGN`].
struct SectionWriter<'a>(&'a mut [u8]);

impl<'a> SectionWriter<'a> {
    /// The next section.
    fn take<T: Pod>(&mut self, count: usize) -> &'a mut [T] {
        let length = count * size_of::<T>();
        let bytes = std::mem::take(&mut self.0);
        let (taken, rest) = bytes.split_at_mut(length.next_multiple_of(SECTION_ALIGN));
        self.0 = rest;
        bytemuck::cast_slice_mut(&mut taken[..length])
    }
}

impl Ordered<'_> {
    fn leaves(&self) -> impl Iterator<Item = &ConvexPolygon> {
        self.tree.leaves.iter().map(|&leaf| &self.pieces.list[leaf as usize])
    }

    /// The number of each position among the used corners: the count of used ones before it. Has one more
    /// entry than there are positions.
    fn number_vertices(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.drafts.positions().len() + 1];
        // Polygons that were split have the corners of their pieces.
        self.pieces.edges.iter().for_each(|edge| numbers[edge.vertex as usize + 1] = 1);
        let mut number = 0;
        for used in &mut numbers {
            number += *used;
            *used = number;
        }
        numbers
    }

    fn write_vertices(&self, numbers: &[u32], corners: usize, vertices: &mut [[i32; 3]]) {
        let (corners, mut own) = vertices.split_at_mut(corners);
        for (position, pair) in self.drafts.positions().iter().zip(numbers.array_windows()) {
            let [number, next] = *pair;
            if number != next {
                corners[number as usize] = *position;
            }
        }
        for piece in self.leaves().filter(|piece| !piece.detail_vertices.is_empty()) {
            let from = &self.details.vertices[piece.detail_vertices.clone()];
            own.split_off_mut(..from.len()).unwrap_or_default().copy_from_slice(from);
        }
    }

    fn write_triangles(&self, mut triangles: &mut [DetailTriangle]) {
        for piece in self.leaves() {
            let from = &self.details.triangles[piece.detail_triangles.clone()];
            triangles.split_off_mut(..from.len()).unwrap_or_default().copy_from_slice(from);
        }
    }

    fn write_polygons(&self, corners: usize, polygons: &mut [Polygon]) {
        let (mut edge, mut vertex, mut triangle) = (0, corners, 0);
        for (polygon, piece) in polygons.iter_mut().zip(self.leaves()) {
            let draft = &self.drafts.list[piece.draft];
            *polygon = Polygon {
                first_edge: edge as u32,
                first_detail_vertex: vertex as u32,
                first_detail_triangle: triangle as u32,
                flags: draft.flags,
                // Splitting and `Details::add` keep these within the limits.
                edge_count: piece.count as u8,
                area: draft.area,
                kind: 0,
                reserved: 0,
                detail_vertex_count: piece.detail_vertices.len() as u16,
                detail_triangle_count: piece.detail_triangles.len() as u16,
            };
            edge += piece.count;
            vertex += piece.detail_vertices.len();
            triangle += piece.detail_triangles.len();
        }
    }

    /// Writes the edges of all pieces; portals get their numbers later.
    fn write_edges(&self, numbers: &[u32], places: &[EdgePlace], edges: &mut [Edge]) {
        let pieces = self.leaves().flat_map(|piece| self.pieces.edges(piece));
        for (place, edge) in edges.iter_mut().zip(pieces) {
            let (kind, (neighbour, twin)) = match edge.beyond {
                EdgeBeyond::Wall => (edge_kind::WALL, (0, 0)),
                EdgeBeyond::Twin(id) => (edge_kind::INTERNAL, places[id as usize]),
                EdgeBeyond::Portal(_) => (edge_kind::PORTAL, (0, 0)),
            };
            *place = Edge { vertex: numbers[edge.vertex as usize], neighbour, kind, twin, reserved: 0 };
        }
    }

    /// For each edge id, its polygon and its index in the polygon; and the sorted portals.
    fn place_edges(&self, size: [u32; 2]) -> Result<(Vec<EdgePlace>, Vec<Found>), WriteError> {
        let mut places = vec![(0, 0); self.pieces.ids as usize];
        let mut found = Vec::new();
        let mut first = 0;
        for (polygon, piece) in (0u32..).zip(self.leaves()) {
            let edges = self.pieces.edges(piece);
            for (at, edge) in edges.iter().enumerate() {
                // Polygons have at most 255 edges.
                let place = (polygon, at as u8);
                places[edge.id as usize] = place;
                let EdgeBeyond::Portal(side) = edge.beyond else { continue };
                let next = edges.get(at + 1).unwrap_or(&edges[0]).vertex;
                let portal = self.portal(piece, place, [edge.vertex, next], side, size)?;
                found.push(Found { portal, edge: first + at, source: piece.source });
            }
            first += edges.len();
        }
        found.sort_unstable_by_key(|found| portal_key(&found.portal));
        Ok((places, found))
    }

    /// The portal of an edge, computed from its ends.
    fn portal(
        &self,
        piece: &ConvexPolygon,
        (polygon, edge): (u32, u8),
        ends: [u32; 2],
        side: u8,
        size: [u32; 2],
    ) -> Result<Portal, WriteError> {
        let [corner, next] = self.drafts.shown(ends);
        let Some([start, end, start_height, end_height]) = portal_ends(&corner, &next, side, size) else {
            let what = format!(
                "its edge {corner:?} to {next:?} is a portal on side {side}, but is not on that side with \
                 the tile to its left"
            );
            return refuse(piece.source, what);
        };
        Ok(Portal { polygon, edge, side, reserved: 0, start, end, start_height, end_height })
    }
}

/// Refuses portals that coincide, and too many portals above each other.
fn check_crowd(portals: &[Portal], found: &[Found]) -> Result<(), WriteError> {
    match crowd(portals) {
        None => Ok(()),
        Some(Crowd::Overlap(first, second)) => {
            let Portal { side, start, end, .. } = portals[second];
            let what = format!(
                "its portal on side {side}, {start} to {end}, coincides with one of polygon {}: two polygons \
                 cannot share a place on the border",
                found[first].source
            );
            refuse(found[second].source, what)
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

/// The links, checked and sorted by all their fields.
fn off_mesh_links(content: &TileContent) -> Result<Vec<OffMeshLink>, WriteError> {
    for (index, link) in content.off_mesh_links.iter().enumerate() {
        if let Err(TileError { expected, found, .. }) = links::check_one(link) {
            return Err(WriteError::OffMeshLink {
                link: limit::to_u32("off-mesh links in a tile", index, SMALLER_TILES)?,
                what: format!("expected {expected}, found {found}"),
            });
        }
    }
    let mut links = content.off_mesh_links.to_vec();
    links.shared_sort_by_key(|link| {
        let OffMeshLink { start, end, end_tile, radius, flags, area, direction, user_id, along, reserved: _ } = *link;
        (vertex_key(start), vertex_key(end), end_tile, radius, flags, area, direction, user_id, along)
    });
    Ok(links)
}
