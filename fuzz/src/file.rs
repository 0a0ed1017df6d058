//! Sound files, changed field by field. Afterwards the checksums are made to fit: of tiles, directory,
//! metadata, island graph, hierarchy and roots, from the inside out.

use crate::mutate;
use crate::script::Script;
use navtile::file::{DirectoryEntry, FLAG_HIERARCHY, HierarchyPlace, ROOT_OFFSETS, Root, SpanCachePlace};
use std::mem::offset_of;
use std::ops::Range;

/// Most changes of one file, and most entries of a directory whose checksums are mended.
const CHANGES: usize = 16;
const MENDED: usize = 64;
/// Offset of the place of the hierarchy from the start of a root.
const HIERARCHY_PLACE: usize = size_of::<Root>() + size_of::<SpanCachePlace>();

/// Changes a file as the script says. Makes the checksums fit again, except for those the script leaves out.
pub fn change_file(file: &[u8], script: &mut Script<'_>) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let root = root_at(&bytes, ROOT_OFFSETS[0]);
    for _ in 0..script.below(CHANGES) {
        let part = match script.byte() % 8 {
            // The root and the places behind it.
            0 | 1 => ROOT_OFFSETS[0]..ROOT_OFFSETS[0] + HIERARCHY_PLACE + size_of::<HierarchyPlace>(),
            2 => range(root.meta_offset, root.meta_length),
            3 | 4 => range(root.directory_offset, root.directory_count * size_of::<DirectoryEntry>() as u64),
            5 => range(root.graph_offset, root.graph_length),
            6 => 0..ROOT_OFFSETS[0],
            _ => 0..bytes.len(),
        };
        let part = part.start.min(bytes.len())..part.end.min(bytes.len());
        let words = part.len() / 4;
        let at = part.start + script.below(words) * 4;
        match script.byte() % 8 {
            // The other root as a copy, with its own sequence.
            0 => bytes.copy_within(ROOT_OFFSETS[0]..ROOT_OFFSETS[0] + size_of::<Root>(), ROOT_OFFSETS[1]),
            1 if words > 16 => {
                let other = part.start + script.below(words - 16) * 4;
                bytes.copy_within(other..other + 64, at.min(part.end - 64));
            }
            2 if part.len() > 4 => bytes[part.start + script.below(part.len())] = script.byte(),
            _ if words > 0 => {
                let old = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                bytes[at..at + 4].copy_from_slice(&script.change(old).to_le_bytes());
            }
            _ => {}
        }
    }
    match script.byte() {
        0 => bytes.truncate(script.below(bytes.len() + 1)),
        1 => bytes.extend([7; 40]),
        _ => {}
    }
    let left_out = script.byte();
    mend(&mut bytes, if left_out < 32 { left_out } else { 0 });
    bytes
}

/// Makes checksums fit if the bytes that they cover are present. Each bit of `left_out` leaves out one kind.
pub fn mend(bytes: &mut [u8], left_out: u8) {
    let mends = |kind: u8| left_out & 1 << kind == 0;
    for at in ROOT_OFFSETS {
        if bytes.len() < at + size_of::<Root>() {
            return;
        }
        let root = root_at(bytes, at);
        if root.sequence == 0 {
            continue;
        }
        let size = size_of::<DirectoryEntry>();
        let directory = range(root.directory_offset, root.directory_count.saturating_mul(size as u64));
        if bytes.get(directory.clone()).is_some() {
            for entry in (directory.start..directory.end).step_by(size).take(MENDED) {
                mend_entry(bytes, entry, mends(0), mends(1));
            }
        }
        let parts = [
            (2, directory, offset_of!(Root, directory_checksum)),
            (3, range(root.meta_offset, root.meta_length), offset_of!(Root, meta_checksum)),
            (4, range(root.graph_offset, root.graph_length), offset_of!(Root, graph_checksum)),
        ];
        for (kind, part, field) in parts {
            let there = mends(kind) && !part.is_empty();
            if let Some(sum) = bytes.get(part).filter(|_| there).map(crc32fast::hash) {
                put(bytes, at + field, sum);
            }
        }
        if mends(5) && root.flags & FLAG_HIERARCHY != 0 {
            mend_hierarchy(bytes, at + HIERARCHY_PLACE);
        }
        put(bytes, at + offset_of!(Root, checksum), 0);
        let sum = crc32fast::hash(&bytes[at..at + size_of::<Root>()]);
        put(bytes, at + offset_of!(Root, checksum), sum);
    }
}

/// Makes the checksums of a hierarchy and of its place fit.
fn mend_hierarchy(bytes: &mut [u8], at: usize) {
    let end = at + size_of::<HierarchyPlace>();
    let Some(place) = bytes.get(at..end) else { return };
    let place: HierarchyPlace = bytemuck::pod_read_unaligned(place);
    if let Some(sum) = bytes.get(range(place.offset, place.length)).map(crc32fast::hash) {
        put(bytes, at + offset_of!(HierarchyPlace, hierarchy_checksum), sum);
    }
    put(bytes, end - 4, 0);
    let sum = crc32fast::hash(&bytes[at..end]);
    put(bytes, end - 4, sum);
}

fn mend_entry(bytes: &mut [u8], at: usize, blob: bool, stored: bool) {
    let entry: DirectoryEntry = bytemuck::pod_read_unaligned(&bytes[at..at + size_of::<DirectoryEntry>()]);
    let place = range(entry.offset, entry.length);
    // A block of a packed tile is not the tile.
    if let Some(tile) = bytes.get_mut(place.clone()).filter(|_| blob && entry.flags & 1 == 0) {
        mutate::seal(tile);
    }
    if let Some(sum) = bytes.get(place).filter(|_| stored).map(crc32fast::hash) {
        put(bytes, at + offset_of!(DirectoryEntry, checksum), sum);
    }
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn root_at(bytes: &[u8], at: usize) -> Root {
    bytemuck::pod_read_unaligned(&bytes[at..at + size_of::<Root>()])
}

fn range(offset: u64, length: u64) -> Range<usize> {
    offset as usize..offset.saturating_add(length) as usize
}
