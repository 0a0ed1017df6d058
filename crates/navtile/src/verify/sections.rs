//! Rules of the section table. Sections follow the table and each other in its order, each at the next
//! multiple of 16 bytes, so that every byte of a blob belongs to exactly one part.

use super::{TileError, Verdict, refuse};
use crate::layout::{
    BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SECTION_ALIGN, SectionEntry, section,
};
use crate::tile::{Sections, Span};

/// Name and stride of each kind, in order.
pub(crate) const SECTION_KINDS: [(&str, usize); section::COUNT] = [
    ("vertices", size_of::<[i32; 3]>()),
    ("polygons", size_of::<Polygon>()),
    ("edges", size_of::<Edge>()),
    ("portals", size_of::<Portal>()),
    ("detail triangles", size_of::<DetailTriangle>()),
    ("BV nodes", size_of::<BvNode>()),
    ("off-mesh links", size_of::<OffMeshLink>()),
];

/// Finds the sections of `bytes`, which must be aligned.
pub(super) fn check(bytes: &[u8], header: &Header) -> Result<Sections, TileError> {
    const ENTRY: usize = size_of::<SectionEntry>();
    let behind = &bytes[size_of::<Header>()..];
    let room = behind.len() / ENTRY;
    if header.section_count as usize > room {
        let expected = format_args!("a section table of at most {room} rows, which the blob has room for");
        return refuse("section-table", expected, format_args!("{} rows", header.section_count));
    }
    let table: &[SectionEntry] = bytemuck::cast_slice(&behind[..header.section_count as usize * ENTRY]);
    let mut sections = Sections::default();
    // A bit for each known kind.
    let mut known = 0u32;
    let mut previous = 0;
    let mut end = size_of::<Header>() + size_of_val(table);
    for entry in table {
        if entry.kind <= previous {
            let expected = format_args!("kinds in ascending order, each once, so one above {previous:#x}");
            return refuse("section-order", expected, format_args!("{:#x}", entry.kind));
        }
        previous = entry.kind;
        let index = entry.kind as usize - 1;
        if index >= section::COUNT && entry.kind & section::OPTIONAL == 0 {
            let expected = "only known kinds, unless they are marked optional";
            return refuse("section-kind", expected, format_args!("{:#x}", entry.kind));
        }
        stride(entry, SECTION_KINDS.get(index).map(|kind| kind.1))?;
        end = place(bytes, entry, end)?;
        if let Some(span) = sections.get_mut(index) {
            *span = Span { start: entry.offset, length: entry.length };
            known |= 1 << index;
        }
    }
    let last = end.next_multiple_of(SECTION_ALIGN);
    if last != bytes.len() {
        let expected = format_args!("the blob to end with its last section, at {last}");
        return refuse("section-place", expected, format_args!("{} bytes", bytes.len()));
    }
    padding(bytes, end)?;
    let missing = known.trailing_ones() as usize;
    if missing < section::COUNT {
        return refuse("section-missing", format_args!("a section of {}", SECTION_KINDS[missing].0), "none");
    }
    Ok(sections)
}

#[inline(always)]
fn stride(entry: &SectionEntry, known: Option<usize>) -> Verdict {
    let SectionEntry { kind, stride, length, .. } = *entry;
    match known {
        Some(size) if stride as usize != size => {
            refuse("section-stride", format_args!("kind {kind} with a stride of {size} bytes"), stride)
        }
        _ if stride == 0 || !length.is_multiple_of(stride) => {
            let expected = format_args!("kind {kind:#x} with a length that is a multiple of its stride");
            refuse("section-stride", expected, format_args!("length {length}, stride {stride}"))
        }
        _ => Ok(()),
    }
}

/// The section's end, if the section starts right after `end` and the gap is zero.
#[inline(always)]
fn place(bytes: &[u8], entry: &SectionEntry, end: usize) -> Result<usize, TileError> {
    let start = end.next_multiple_of(SECTION_ALIGN);
    if entry.offset as usize != start {
        let expected = format_args!("kind {:#x} at {start}, after the section before it", entry.kind);
        return refuse("section-place", expected, entry.offset);
    }
    if bytes.len() < start || bytes.len() - start < entry.length as usize {
        let expected = format_args!("kind {:#x} within the {} bytes of the blob", entry.kind, bytes.len());
        return refuse("section-place", expected, format_args!("{} bytes at {start}", entry.length));
    }
    padding(bytes, end)?;
    Ok(start + entry.length as usize)
}

/// Refuses nonzero bytes from `end` up to the next boundary, which must be within `bytes`.
#[inline(always)]
fn padding(bytes: &[u8], end: usize) -> Verdict {
    let gap = end..end.next_multiple_of(SECTION_ALIGN);
    // Shifts the block before the boundary, because the length of the gap is unpredictable; in two steps,
    // because it may be zero.
    let block = bytes[..gap.end].last_chunk().map_or(0, |block| u128::from_le_bytes(*block));
    if block >> 1 >> (127 - 8 * gap.len()) != 0 {
        return refuse("padding", "zeros between sections", format_args!("other bytes in {gap:?}"));
    }
    Ok(())
}
