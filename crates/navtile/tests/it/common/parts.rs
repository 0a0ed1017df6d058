//! A blob taken apart, to be broken and put together again with a right checksum.

use bytemuck::{Pod, bytes_of, cast_slice, pod_read_unaligned};
use navtile::layout::{BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SectionEntry};
use navtile::{Tile, TileContent, tile_checksum};

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

    /// Header, table and sections, put together as the format asks for.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let sections: [(usize, &[u8]); 7] = [
            part(&self.vertices),
            part(&self.polygons),
            part(&self.edges),
            part(&self.portals),
            part(&self.triangles),
            part(&self.nodes),
            part(&self.links),
        ];
        let mut bytes = bytes_of(&self.header).to_vec();
        let mut offset = 256 + 7 * 16;
        for (kind, (stride, section)) in (1..).zip(sections) {
            let (stride, length) = (stride as u32, section.len() as u32);
            bytes.extend(bytes_of(&SectionEntry { kind, stride, offset: offset as u32, length }));
            offset = (offset + section.len()).next_multiple_of(16);
        }
        for (_, section) in sections {
            bytes.extend(section);
            bytes.resize(bytes.len().next_multiple_of(16), 0);
        }
        let length = bytes.len() as u64;
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        seal(&mut bytes);
        bytes
    }
}

fn part<T: Pod>(values: &[T]) -> (usize, &[u8]) {
    (size_of::<T>(), cast_slice(values))
}

/// Puts the right checksum in.
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
