//! Rules of a blob that are checked before its sections are read: identity, length, checksum, and the section
//! table.

use super::{Verdict, refuse};
use navtile::TileError;
use navtile::layout::{BvNode, DetailTriangle, Edge, OffMeshLink, Polygon, Portal};
use std::ops::Range;

/// Name and stride of each kind of section, from 1 on.
const KINDS: [(&str, usize); 7] = [
    ("vertices", 12),
    ("polygons", size_of::<Polygon>()),
    ("edges", size_of::<Edge>()),
    ("portals", size_of::<Portal>()),
    ("detail triangles", size_of::<DetailTriangle>()),
    ("BV nodes", size_of::<BvNode>()),
    ("off-mesh links", size_of::<OffMeshLink>()),
];

/// The number at an offset.
fn word(bytes: &[u8], at: usize) -> usize {
    let four = [0, 1, 2, 3].map(|byte| u32::from(bytes[at + byte]));
    four.into_iter().rev().fold(0, |sum, byte| sum << 8 | byte) as usize
}

/// The rules that a header must obey to match these bytes.
pub(super) fn identity(bytes: &[u8]) -> Verdict {
    let found = || format!("{} bytes", bytes.len());
    if bytes.len() < 256 {
        return refuse("length", "at least 256 bytes", found());
    }
    if &bytes[..8] != b"NAVTILE\0" {
        return refuse("magic", format!("{:?}", *b"NAVTILE\0"), format!("{:?}", &bytes[..8]));
    }
    if word(bytes, 8) != 1 {
        return refuse("version", "version 1", format!("version {}", word(bytes, 8)));
    }
    let length = (word(bytes, 20) as u64) << 32 | word(bytes, 16) as u64;
    if length != bytes.len() as u64 {
        return refuse("length", format!("{length} bytes, as the header says"), found());
    }
    let mut blank = bytes.to_vec();
    blank[24..28].fill(0);
    let sum = crc32fast::hash(&blank) as usize;
    if word(bytes, 24) != sum {
        let expected = format!("{sum:08x}, the sum of the bytes");
        return refuse("checksum", expected, format!("{:08x}", word(bytes, 24)));
    }
    Ok(())
}

/// The ranges of the seven sections, or all rules that rows of the table break.
pub(super) fn sections(bytes: &[u8]) -> Result<[Range<usize>; 7], Vec<TileError>> {
    let rows = word(bytes, 12);
    let room = (bytes.len() - 256) / 16;
    if rows > room {
        let expected = format!("a section table of at most {room} rows, which the blob has room for");
        return Err(refuse::<()>("section-table", expected, format!("{rows} rows"))
            .err()
            .into_iter()
            .collect());
    }
    let (mut faults, mut found) = (Vec::new(), [const { 0..0 }; 7]);
    let (mut before, mut end) = (0, 256 + 16 * rows);
    for row in 0..rows {
        let [kind, stride, offset, length] = [0, 4, 8, 12].map(|at| word(bytes, 256 + 16 * row + at));
        faults.extend(order(kind, before).err());
        faults.extend(measures(kind, stride, length).err());
        let start = end.next_multiple_of(16);
        faults.extend(place(bytes, [kind, offset, length], start).err());
        if start <= bytes.len() {
            faults.extend(padding(bytes, end..start).err());
        }
        (before, end) = (kind, start.saturating_add(length));
        if let Some(range) = kind.checked_sub(1).and_then(|index| found.get_mut(index)) {
            *range = offset..offset + length;
        }
    }
    let last = end.next_multiple_of(16);
    if last != bytes.len() {
        let expected = format!("the blob to end with its last section, at {last}");
        faults.extend(refuse::<()>("section-place", expected, format!("{} bytes", bytes.len())).err());
    } else {
        faults.extend(padding(bytes, end..last).err());
    }
    let kinds: Vec<usize> = (0..rows).map(|row| word(bytes, 256 + 16 * row)).collect();
    let missing = (1..=7).find(|kind| !kinds.contains(kind));
    if let Some(missing) = missing {
        let expected = format!("a section of {}", KINDS[missing - 1].0);
        faults.extend(refuse::<()>("section-missing", expected, "none").err());
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

fn order(kind: usize, before: usize) -> Verdict {
    if kind <= before {
        let expected = format!("kinds in ascending order, each once, so one above {before:#x}");
        return refuse("section-order", expected, format!("{kind:#x}"));
    }
    if kind > 7 && kind < 1 << 31 {
        let expected = "only known kinds, unless they are marked optional";
        return refuse("section-kind", expected, format!("{kind:#x}"));
    }
    Ok(())
}

fn measures(kind: usize, stride: usize, length: usize) -> Verdict {
    let known = kind.checked_sub(1).and_then(|index| KINDS.get(index));
    if let Some((_, size)) = known.filter(|(_, size)| *size != stride) {
        let expected = format!("kind {kind} with a stride of {size} bytes");
        return refuse("section-stride", expected, format!("{stride}"));
    }
    if stride == 0 || !length.is_multiple_of(stride) {
        let expected = format!("kind {kind:#x} with a length that is a multiple of its stride");
        return refuse("section-stride", expected, format!("length {length}, stride {stride}"));
    }
    Ok(())
}

fn place(bytes: &[u8], [kind, offset, length]: [usize; 3], start: usize) -> Verdict {
    if offset != start {
        let expected = format!("kind {kind:#x} at {start}, after the section before it");
        return refuse("section-place", expected, format!("{offset}"));
    }
    if start + length > bytes.len() {
        let expected = format!("kind {kind:#x} within the {} bytes of the blob", bytes.len());
        return refuse("section-place", expected, format!("{length} bytes at {start}"));
    }
    Ok(())
}

fn padding(bytes: &[u8], gap: Range<usize>) -> Verdict {
    if bytes[gap.clone()].iter().any(|byte| *byte != 0) {
        return refuse("padding", "zeros between sections", format!("other bytes in {gap:?}"));
    }
    Ok(())
}
