//! Sound tiles, changed field by field: as content, which is then written, and as bytes, whose checksum is
//! then made to fit.

use crate::base::{self, Base};
use crate::script::Script;
use navtile::content::Beyond;
use navtile::layout::{Header, OffMeshLink, SectionEntry};
use navtile::{Tile, TileContent, TileCoord, tile_checksum};
use std::mem::offset_of;

/// Most changes of one tile.
const CHANGES: usize = 24;

/// The set of tiles that a script starts from, and the one of them that it changes.
pub fn chosen(script: &mut Script<'_>) -> (&'static Base, usize) {
    let all = base::all();
    let base = &all[script.below(all.len())];
    (base, script.below(base.tiles.len()))
}

/// Changes content as the script says. The result need not be sound.
pub fn change_content(content: &mut TileContent, script: &mut Script<'_>) {
    for _ in 0..script.below(CHANGES) {
        let count = content.polygons.len();
        match script.byte() % 14 {
            0 | 1 => {
                let (vertex, axis) = (script.below(content.vertices.len()), script.below(3));
                let by = script.signed();
                if let Some(vertex) = content.vertices.get_mut(vertex) {
                    vertex[axis] = vertex[axis].wrapping_add(by);
                }
            }
            2 => {
                let gone = script.below(count);
                let keep: Vec<bool> = (0..count).map(|index| index != gone).collect();
                *content = content.clone().retaining(&keep);
            }
            3 => content.off_mesh_links.push(link(script)),
            4 => {
                let values = [0; 3].map(|_| script.measure());
                content.lattice.origin = values;
            }
            5 => content.lattice.cell_size = script.measure(),
            6 => content.lattice.cell_height = script.measure(),
            7 => {
                let axis = script.below(3);
                content.base_cell[axis] = i64::from(script.signed()) << script.below(33);
            }
            8 => content.agent = [0; 4].map(|_| script.measure() as f32),
            9 => content.size_cells = [0; 2].map(|_| script.number()),
            10 => {
                content.coord = TileCoord { x: script.signed(), z: script.signed(), layer: script.signed() }
            }
            11 => {
                let factor = script.signed();
                let values = content.vertices.as_flattened_mut().iter_mut();
                values.for_each(|value| *value = value.wrapping_mul(factor));
            }
            _ => change_polygon(content, script),
        }
    }
}

fn change_polygon(content: &mut TileContent, script: &mut Script<'_>) {
    let (count, vertices) = (content.polygons.len(), content.vertices.len());
    let Some(polygon) = content.polygons.get_mut(script.below(count)) else { return };
    if polygon.edges.is_empty() {
        return;
    }
    let edge = script.below(polygon.edges.len());
    match script.byte() % 8 {
        0 => polygon.area = script.byte(),
        1 => polygon.flags = script.number(),
        2 => polygon.detail_vertices.push([0; 3].map(|_| script.signed())),
        3 => polygon.detail_triangles.clear(),
        4 => {
            let (triangle, corner) = (script.below(polygon.detail_triangles.len()), script.below(3));
            if let Some(triangle) = polygon.detail_triangles.get_mut(triangle) {
                triangle.vertices[corner] = script.number();
            }
        }
        5 => {
            polygon.edges.remove(edge);
        }
        6 => {
            polygon.edges[edge].beyond = match script.byte() % 3 {
                0 => Beyond::Wall,
                1 => Beyond::Internal(script.below(count) as u32),
                _ => Beyond::Portal(script.byte() % 5),
            }
        }
        _ => polygon.edges[edge].vertex = script.below(vertices) as u32,
    }
}

fn link(script: &mut Script<'_>) -> OffMeshLink {
    OffMeshLink {
        start: [0; 3].map(|_| script.signed()),
        end: [0; 3].map(|_| script.signed()),
        end_tile: [0; 3].map(|_| script.signed()),
        radius: script.signed(),
        flags: script.number(),
        area: script.byte(),
        direction: script.byte() % 3,
        reserved: 0,
        user_id: u64::from(script.number()),
        along: [0; 2].map(|_| script.signed()),
    }
}

/// Changes fields of a blob as the script says, and makes the checksum fit.
pub fn change_bytes(tile: &Tile, script: &mut Script<'_>) -> Vec<u8> {
    let mut bytes = tile.bytes().to_vec();
    let table: Vec<SectionEntry> = bytes[size_of::<Header>()..]
        .chunks_exact(size_of::<SectionEntry>())
        .take(tile.header().section_count as usize)
        .map(bytemuck::pod_read_unaligned)
        .collect();
    let table_end = size_of::<Header>() + table.len() * size_of::<SectionEntry>();
    for _ in 0..script.below(CHANGES) {
        let section = table.get(script.below(table.len() + 2));
        let (start, stride, length) = match section {
            Some(section) => (section.offset as usize, section.stride as usize, section.length as usize),
            None => (0, 4, table_end),
        };
        let element = start + script.below(length / stride) * stride;
        match script.byte() % 8 {
            // Two elements trade places, or one takes the place of another.
            0 if length > 0 => {
                let other = start + script.below(length / stride) * stride;
                (0..stride).for_each(|offset| bytes.swap(element + offset, other + offset));
            }
            1 if length > 0 => {
                let other = start + script.below(length / stride) * stride;
                bytes.copy_within(element..element + stride, other);
            }
            2 if length > 0 => bytes[element + script.below(stride)] = script.byte(),
            _ if length > 0 => {
                let at = element + script.below(stride / 4) * 4;
                let old = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                bytes[at..at + 4].copy_from_slice(&script.change(old).to_le_bytes());
            }
            _ => {}
        }
    }
    match script.byte() {
        0 => bytes.truncate(script.below(bytes.len() + 1)),
        1 => bytes.extend([0; 16]),
        _ => {}
    }
    seal(&mut bytes);
    bytes
}

/// Writes the checksum into a blob, if it is long enough to have one.
pub fn seal(bytes: &mut [u8]) {
    let sum = tile_checksum(bytes).to_le_bytes();
    let at = offset_of!(Header, checksum);
    if let Some(field) = bytes.get_mut(at..at + sum.len()) {
        field.copy_from_slice(&sum);
    }
}
