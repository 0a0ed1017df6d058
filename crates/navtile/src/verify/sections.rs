//! Rules of the section table. Sections follow the table and each other in its order, each at the next
//! multiple of 16 bytes, so that every byte of a blob belongs to exactly one thing.

use super::{TileError, Verdict, refuse};
use crate::layout::{
    BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SECTION_ALIGN, SectionEntry, section,
};
use crate::tile::Sections;
use std::ops::Range;

/// Number of kinds that every blob holds: 1 up to this.
pub(crate) const SECTION_COUNT: usize = 7;

/// Name and stride of each kind, in order.
pub(crate) const SECTION_KINDS: [(&str, usize); SECTION_COUNT] = [
    ("vertices", size_of::<[i32; 3]>()),
    ("polygons", size_of::<Polygon>()),
    ("edges", size_of::<Edge>()),
    ("portals", size_of::<Portal>()),
    ("detail triangles", size_of::<DetailTriangle>()),
    ("BV nodes", size_of::<BvNode>()),
    ("off-mesh links", size_of::<OffMeshLink>()),
];

/// Byte ranges of the sections.
pub(super) fn check(bytes: &[u8], header: &Header) -> Result<Sections, TileError> {
    const ENTRY: usize = size_of::<SectionEntry>();
    let room = (bytes.len() - size_of::<Header>()) / ENTRY;
    if header.section_count as usize > room {
        let expected = format!("a section table of at most {room} rows, which the blob has room for");
        return refuse("section-table", expected, format!("{} rows", header.section_count));
    }
    let table_end = size_of::<Header>() + header.section_count as usize * ENTRY;
    let mut ranges: [Option<Range<usize>>; SECTION_COUNT] = Default::default();
    let mut previous = 0;
    let mut end = table_end;
    for row in bytes[size_of::<Header>()..table_end].chunks_exact(ENTRY) {
        let entry: SectionEntry = bytemuck::pod_read_unaligned(row);
        if entry.kind <= previous {
            let expected = format!("kinds in ascending order, each once, so one above {previous:#x}");
            return refuse("section-order", expected, format!("{:#x}", entry.kind));
        }
        previous = entry.kind;
        let known = entry.kind as usize - 1;
        if known >= SECTION_COUNT && entry.kind & section::OPTIONAL == 0 {
            let expected = "only known kinds, unless they are marked optional";
            return refuse("section-kind", expected, format!("{:#x}", entry.kind));
        }
        stride(&entry, SECTION_KINDS.get(known).map(|kind| kind.1))?;
        let range = place(bytes, &entry, end)?;
        end = range.end;
        if let Some(slot) = ranges.get_mut(known) {
            *slot = Some(range);
        }
    }
    if end.next_multiple_of(SECTION_ALIGN) != bytes.len() {
        let expected =
            format!("the blob to end with its last section, at {}", end.next_multiple_of(SECTION_ALIGN));
        return refuse("section-place", expected, format!("{} bytes", bytes.len()));
    }
    zeros(bytes, end..bytes.len())?;
    let mut take = |kind: u32| {
        let index = kind as usize - 1;
        ranges[index].take().map_or_else(
            || refuse("section-missing", format!("a section of {}", SECTION_KINDS[index].0), "none"),
            Ok,
        )
    };
    Ok(Sections {
        vertices: take(section::VERTICES)?,
        polygons: take(section::POLYGONS)?,
        edges: take(section::EDGES)?,
        portals: take(section::PORTALS)?,
        detail_triangles: take(section::DETAIL_TRIANGLES)?,
        bv_nodes: take(section::BV_NODES)?,
        off_mesh_links: take(section::OFF_MESH_LINKS)?,
    })
}

fn stride(entry: &SectionEntry, known: Option<usize>) -> Verdict {
    let SectionEntry { kind, stride, length, .. } = *entry;
    match known {
        Some(size) if stride as usize != size => refuse(
            "section-stride",
            format!("kind {kind} with a stride of {size} bytes"),
            format!("{stride}"),
        ),
        _ if stride == 0 || length % stride != 0 => {
            let expected = format!("kind {kind:#x} with a length that is a multiple of its stride");
            refuse("section-stride", expected, format!("length {length}, stride {stride}"))
        }
        _ => Ok(()),
    }
}

/// The section's range, if it starts right after `end` and the gap is zero.
fn place(bytes: &[u8], entry: &SectionEntry, end: usize) -> Result<Range<usize>, TileError> {
    let start = end.next_multiple_of(SECTION_ALIGN);
    if entry.offset as usize != start {
        let expected = format!("kind {:#x} at {start}, after the section before it", entry.kind);
        return refuse("section-place", expected, format!("{}", entry.offset));
    }
    if bytes.len() < start || bytes.len() - start < entry.length as usize {
        let expected = format!("kind {:#x} within the {} bytes of the blob", entry.kind, bytes.len());
        return refuse("section-place", expected, format!("{} bytes at {start}", entry.length));
    }
    zeros(bytes, end..start)?;
    Ok(start..start + entry.length as usize)
}

fn zeros(bytes: &[u8], range: Range<usize>) -> Verdict {
    if bytes[range.clone()].iter().any(|byte| *byte != 0) {
        return refuse("padding", "zeros between sections", format!("other bytes in {range:?}"));
    }
    Ok(())
}
