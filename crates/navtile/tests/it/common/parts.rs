//! A blob taken apart, to be changed and put together again with a correct checksum.

use bytemuck::{Pod, bytes_of, cast_slice, pod_read_unaligned};
use navtile::layout::{BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SectionEntry};
use navtile::{Tile, TileContent, tile_checksum};
use std::ops::Range;

#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) header: Header,
    pub(crate) vertices: Vec<[i32; 3]>,
    pub(crate) polygons: Vec<Polygon>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) portals: Vec<Portal>,
    pub(crate) triangles: Vec<DetailTriangle>,
    pub(crate) nodes: Vec<BvNode>,
    pub(crate) links: Vec<OffMeshLink>,
}

impl Parts {
    pub(crate) fn of(content: &TileContent) -> Parts {
        Parts::of_tile(&Tile::from_bytes(&content.write().unwrap().0).unwrap())
    }

    pub(crate) fn of_tile(tile: &Tile) -> Parts {
        Parts {
            header: *tile.header(),
            vertices: tile.vertices().to_vec(),
            polygons: tile.polygons().to_vec(),
            edges: tile.edges().to_vec(),
            portals: tile.portals().to_vec(),
            triangles: tile.detail_triangles().to_vec(),
            nodes: tile.bv_nodes().to_vec(),
            links: tile.off_mesh_links().to_vec(),
        }
    }

    /// Takes bytes apart; these ranges are the sections.
    pub(crate) fn of_bytes(bytes: &[u8], sections: &[Range<usize>; 7]) -> Parts {
        let [vertices, polygons, edges, portals, triangles, nodes, links] =
            sections.clone().map(|range| &bytes[range]);
        Parts {
            header: pod_read_unaligned(&bytes[..256]),
            vertices: values(vertices),
            polygons: values(polygons),
            edges: values(edges),
            portals: values(portals),
            triangles: values(triangles),
            nodes: values(nodes),
            links: values(links),
        }
    }

    /// Header, table and sections, put together as the format requires.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        assemble(&self.header, &self.sections())
    }

    /// The sections in their order.
    pub(crate) fn sections(&self) -> Vec<Section> {
        vec![
            Section::of(1, &self.vertices),
            Section::of(2, &self.polygons),
            Section::of(3, &self.edges),
            Section::of(4, &self.portals),
            Section::of(5, &self.triangles),
            Section::of(6, &self.nodes),
            Section::of(7, &self.links),
        ]
    }
}

/// A section to be written into a blob.
#[derive(Clone)]
pub(crate) struct Section {
    pub(crate) kind: u32,
    pub(crate) stride: u32,
    pub(crate) bytes: Vec<u8>,
}

impl Section {
    fn of<T: Pod>(kind: u32, values: &[T]) -> Section {
        Section { kind, stride: size_of::<T>() as u32, bytes: cast_slice(values).to_vec() }
    }
}

/// A blob of a header and sections, each in its place, with correct length and checksum.
pub(crate) fn assemble(header: &Header, sections: &[Section]) -> Vec<u8> {
    let mut bytes = bytes_of(header).to_vec();
    let mut offset = (256 + sections.len() * 16).next_multiple_of(16);
    for Section { kind, stride, bytes: section } in sections {
        let (kind, stride, length) = (*kind, *stride, section.len() as u32);
        bytes.extend(bytes_of(&SectionEntry { kind, stride, offset: offset as u32, length }));
        offset = (offset + section.len()).next_multiple_of(16);
    }
    for section in sections {
        bytes.extend(&section.bytes);
        bytes.resize(bytes.len().next_multiple_of(16), 0);
    }
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    seal(&mut bytes);
    bytes
}

/// The values that bytes hold.
fn values<T: Pod>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(pod_read_unaligned).collect()
}

/// Writes the correct checksum.
pub(crate) fn seal(bytes: &mut [u8]) {
    let sum = tile_checksum(bytes);
    bytes[24..28].copy_from_slice(&sum.to_le_bytes());
}

/// The rows of the section table.
pub(crate) fn table(bytes: &[u8]) -> Vec<SectionEntry> {
    bytes[256..256 + 7 * 16].chunks_exact(16).map(pod_read_unaligned).collect()
}

/// Changes one row of the section table.
pub(crate) fn change_row(bytes: &mut [u8], row: usize, change: impl Fn(&mut SectionEntry)) {
    let mut entry = table(bytes)[row];
    change(&mut entry);
    bytes[256 + row * 16..272 + row * 16].copy_from_slice(bytes_of(&entry));
}
