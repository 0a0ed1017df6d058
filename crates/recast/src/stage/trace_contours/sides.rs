//! The sides of spans at which regions end.

use crate::data::RegionField;

/// For each span of a region, a bit for each side beyond which the region ends.
pub(super) fn boundary_sides(regions: &RegionField) -> Vec<u8> {
    let labels = regions.region.as_slice();
    let sides = |(span, own)| {
        let outside = |other: u32| u8::from(labels.get(other as usize) != Some(own));
        let [left, below, right, above] = regions.field.neighbours.of(span).map(outside);
        left | below << 1 | right << 2 | above << 3
    };
    let spans = labels.iter().enumerate();
    spans.map(|(span, own)| if own.is_inner() { sides((span, own)) } else { 0 }).collect()
}
