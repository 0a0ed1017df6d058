//! The ladder surfaces of a tile as bytes: for each area its id, then its heights after their length, packed
//! like spans.

use super::sections::{Sections, add_section};
use super::spans::{pack_spans, unpack_spans};
use navtile::area::AreaId;
use recast::inside::data::{Fragment, MergedSpans};
use recast::inside::ground::{LadderSurface, TileLadders};

/// Packs the surfaces of a tile of `size` columns; no bytes if there are no surfaces.
pub(crate) fn pack_ladders(ladders: &TileLadders, [width, depth]: [u32; 2]) -> Vec<u8> {
    let mut out = Vec::new();
    for of_area in ladders.surfaces().chunk_by(|a, b| a.area == b.area) {
        let mut spans = MergedSpans { offsets: vec![0], spans: Vec::new() };
        let mut left = of_area.iter().peekable();
        for column in 0..width * depth {
            while let Some(own) = left.next_if(|own| own.column == column) {
                spans.spans.push(Fragment::new(own.heights[0], own.heights[1], AreaId::NULL));
            }
            // At most the number of surfaces, which is less than the number of triangles in columns.
            spans.offsets.push(spans.spans.len() as u32);
        }
        out.push(of_area[0].area.0);
        add_section(&mut out, &pack_spans(width as usize, &spans));
    }
    out
}

/// Unpacks the surfaces of a tile of `size` columns, at most `most` of them; `None` if the bytes are
/// malformed.
pub(crate) fn unpack_ladders(bytes: &[u8], size: [u32; 2], most: u32) -> Option<TileLadders> {
    let (mut from, mut surfaces) = (Sections(bytes), Vec::<LadderSurface>::new());
    while let Some(area) = from.take(1) {
        let area = AreaId(area[0]);
        let heights = unpack_spans(from.next()?, size, most - surfaces.len() as u32).ok()?;
        if heights.spans.is_empty() || surfaces.last().is_some_and(|last| last.area >= area) {
            return None;
        }
        for (column, ends) in (0..).zip(heights.offsets.windows(2)) {
            let own = &heights.spans[ends[0] as usize..ends[1] as usize];
            let surface =
                |span: &Fragment| LadderSurface { area, column, heights: [span.bottom(), span.top()] };
            surfaces.extend(own.iter().map(surface));
        }
    }
    Some(TileLadders::new(surfaces))
}
