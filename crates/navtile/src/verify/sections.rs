//! Rules of the section table. Sections follow the table and each other in its order, each at the next
//! multiple of 16 bytes, so that every byte of a blob belongs to exactly one thing.

use super::{TileError, Verdict, refuse};
use crate::layout::{
    BvNode, DetailTriangle, Edge, Header, OffMeshLink, Polygon, Portal, SECTION_ALIGN, SectionEntry, section,
};
use crate::tile::{Sections, Span};

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

/// Where the sections of `bytes`, which are aligned, are.
pub(super) fn check(bytes: &[u8], header: &Header) -> Result<Sections, TileError> {
    const ENTRY: usize = size_of::<SectionEntry>();
    let behind = &bytes[size_of::<Header>()..];
    let room = behind.len() / ENTRY;
    if header.section_count as usize > room {
        let expected = format!("a section table of at most {room} rows, which the blob has room for");
        return refuse("section-table", expected, format!("{} rows", header.section_count));
    }
    let table: &[SectionEntry] = bytemuck::cast_slice(&behind[..header.section_count as usize * ENTRY]);
    match table.try_into().ok().and_then(|known| just_known(bytes, known)) {
        Some(sections) => Ok(sections),
        None => any(bytes, table),
    }
}

/// The sections of a blob with the known ones only, as nearly all are; `None` if it is another, or breaks a
/// rule.
fn just_known(bytes: &[u8], table: &[SectionEntry; SECTION_COUNT]) -> Option<Sections> {
    let mut end = size_of::<Header>() + size_of_val(table);
    let [vertices, polygons, edges, portals, detail_triangles, bv_nodes, off_mesh_links] = table;
    let sections = Sections {
        vertices: known::<[i32; 3]>(bytes, vertices, section::VERTICES, &mut end)?,
        polygons: known::<Polygon>(bytes, polygons, section::POLYGONS, &mut end)?,
        edges: known::<Edge>(bytes, edges, section::EDGES, &mut end)?,
        portals: known::<Portal>(bytes, portals, section::PORTALS, &mut end)?,
        detail_triangles: known::<DetailTriangle>(
            bytes,
            detail_triangles,
            section::DETAIL_TRIANGLES,
            &mut end,
        )?,
        bv_nodes: known::<BvNode>(bytes, bv_nodes, section::BV_NODES, &mut end)?,
        off_mesh_links: known::<OffMeshLink>(bytes, off_mesh_links, section::OFF_MESH_LINKS, &mut end)?,
    };
    (end.next_multiple_of(SECTION_ALIGN) == bytes.len() && has_zeros(bytes, end)).then_some(sections)
}

/// Where the section of a kind is, if its row is right and it starts behind `end`, which moves to its end.
#[inline]
fn known<T>(bytes: &[u8], entry: &SectionEntry, kind: u32, end: &mut usize) -> Option<Span> {
    let stride = size_of::<T>() as u32;
    let start = end.next_multiple_of(SECTION_ALIGN);
    // The stride is a constant, so that the division is a multiplication.
    let is_right = (entry.kind, entry.stride, entry.offset as usize) == (kind, stride, start)
        && entry.length.is_multiple_of(stride)
        && start <= bytes.len()
        && entry.length as usize <= bytes.len() - start
        && has_zeros(bytes, *end);
    *end = start + entry.length as usize;
    is_right.then_some(Span { start: entry.offset, length: entry.length })
}

/// As [`check`], of any table.
fn any(bytes: &[u8], table: &[SectionEntry]) -> Result<Sections, TileError> {
    let mut spans = [None; SECTION_COUNT];
    let mut previous = 0;
    let mut end = size_of::<Header>() + size_of_val(table);
    for entry in table {
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
        stride(entry, SECTION_KINDS.get(known).map(|kind| kind.1))?;
        end = place(bytes, entry, end)?;
        if let Some(span) = spans.get_mut(known) {
            *span = Some(Span { start: entry.offset, length: entry.length });
        }
    }
    if end.next_multiple_of(SECTION_ALIGN) != bytes.len() {
        let expected =
            format!("the blob to end with its last section, at {}", end.next_multiple_of(SECTION_ALIGN));
        return refuse("section-place", expected, format!("{} bytes", bytes.len()));
    }
    zeros(bytes, end)?;
    let take = |kind: u32| {
        let index = kind as usize - 1;
        spans[index].map_or_else(
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

/// The section's end, if it starts right after `end` and the gap is zero.
fn place(bytes: &[u8], entry: &SectionEntry, end: usize) -> Result<usize, TileError> {
    let start = end.next_multiple_of(SECTION_ALIGN);
    if entry.offset as usize != start {
        let expected = format!("kind {:#x} at {start}, after the section before it", entry.kind);
        return refuse("section-place", expected, format!("{}", entry.offset));
    }
    if bytes.len() < start || bytes.len() - start < entry.length as usize {
        let expected = format!("kind {:#x} within the {} bytes of the blob", entry.kind, bytes.len());
        return refuse("section-place", expected, format!("{} bytes at {start}", entry.length));
    }
    zeros(bytes, end)?;
    Ok(start + entry.length as usize)
}

/// Refuses other bytes than zeros from `end` up to the next boundary, which `bytes` have.
fn zeros(bytes: &[u8], end: usize) -> Verdict {
    if !has_zeros(bytes, end) {
        let gap = end..end.next_multiple_of(SECTION_ALIGN);
        return refuse("padding", "zeros between sections", format!("other bytes in {gap:?}"));
    }
    Ok(())
}

/// By arithmetic, as nobody can foresee whether there is a gap.
#[inline]
fn has_zeros(bytes: &[u8], end: usize) -> bool {
    let start = end.next_multiple_of(SECTION_ALIGN);
    // The end of the block before the boundary, in two steps, as it may be nothing at all.
    let gap = |block: &[u8; SECTION_ALIGN]| u128::from_le_bytes(*block) >> 1 >> (127 - 8 * (start - end));
    bytes[..start].last_chunk().is_some_and(|block| gap(block) == 0)
}
