//! Compact fields, distances and regions.

use super::{Difference, Kind, Tally};
use recast::data::{CompactField, DistanceField, Grid, RegionField, RegionId};
use std::collections::{BTreeMap, BTreeSet};

/// The C++ library's clearances have 8 bits.
const MOST_CLEARANCE: u16 = 255;

/// Compares two compact fields; clearances up to what the C++ library holds.
pub fn compact<S>(ours: &CompactField<S>, theirs: &CompactField<S>) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::Grid, ours.grid, theirs.grid, || "grid".to_owned());
    if ours.offsets != theirs.offsets {
        let column = ours.offsets.iter().zip(theirs.offsets.iter()).position(|(a, b)| a != b).unwrap_or(0);
        tally.note(Kind::SpanCount, || {
            let (a, b) = (ours.len(), theirs.len());
            format!("first before {}: {a} spans in all, theirs {b}", place(&ours.grid, column))
        });
        return tally.into_differences();
    }
    for column in 0..ours.grid.columns() {
        for span in ours.column(column) {
            let at = || format!("{}, span {span}", place(&ours.grid, column));
            tally.equal(Kind::Floor, ours.floor[span], theirs.floor[span], at);
            let (a, b) = (ours.clearance[span], theirs.clearance[span]);
            tally.equal(Kind::Clearance, a.min(MOST_CLEARANCE), b.min(MOST_CLEARANCE), at);
            tally.equal(Kind::SpanArea, ours.area[span].0, theirs.area[span].0, at);
            tally.equal(Kind::Neighbour, ours.neighbours.of(span), theirs.neighbours.of(span), at);
        }
    }
    tally.into_differences()
}

fn place(grid: &Grid, column: usize) -> String {
    format!("column ({}, {})", column % grid.width as usize, column / grid.width as usize)
}

/// Column of a span, for the description of a difference.
fn place_of<S>(field: &CompactField<S>, span: usize) -> String {
    let column = field.offsets.column_of(span);
    format!("{}, span {span}, floor {}", place(&field.grid, column), field.floor[span])
}

/// Compares the distances of two fields.
pub fn distance(ours: &DistanceField, theirs: &DistanceField) -> Vec<Difference> {
    let mut tally = Tally::default();
    tally.equal(Kind::MaxDistance, ours.max_distance, theirs.max_distance, || "largest distance".to_owned());
    tally.equal(Kind::SpanCount, ours.distance.len(), theirs.distance.len(), || "spans".to_owned());
    for (span, (a, b)) in ours.distance.iter().zip(&theirs.distance).enumerate() {
        tally.equal(Kind::Distance, a, b, || place_of(&ours.field, span));
    }
    tally.into_differences()
}

/// Compares the regions of two fields, and distinguishes a different cut from the same cut with other
/// numbers. Regions of ours on whose spans theirs has no region are counted; the others are compared as if
/// they had no number.
pub fn regions(ours: &RegionField, theirs: &RegionField) -> Vec<Difference> {
    let mut tally = Tally::default();
    let kept = kept(&ours.region, &theirs.region);
    for region in &kept {
        tally.note(Kind::KeptRegion, || format!("region {}", region.index()));
    }
    tally.equal(Kind::RegionCount, ours.count, theirs.count + kept.len() as u32, || "regions".to_owned());
    tally.equal(Kind::SpanCount, ours.region.len(), theirs.region.len(), || "spans".to_owned());
    let without = |&region: &RegionId| match region {
        region if kept.contains(&region) => RegionId::NONE,
        region if region.is_inner() => {
            RegionId::inner((region.index() - kept.range(..region).count()) as u32)
        }
        other => other,
    };
    let region: Vec<RegionId> = ours.region.iter().map(without).collect();
    let kind = if same_cut(&region, &theirs.region) { Kind::RegionNumber } else { Kind::Region };
    for (span, (a, b)) in region.iter().zip(&theirs.region).enumerate() {
        tally.equal(kind, a.kind(), b.kind(), || place_of(&ours.field, span));
    }
    tally.into_differences()
}

/// The regions of ours on whose spans theirs has no region.
fn kept(ours: &[RegionId], theirs: &[RegionId]) -> BTreeSet<RegionId> {
    let mut kept: BTreeSet<RegionId> = ours.iter().copied().filter(|region| region.is_inner()).collect();
    for (region, _) in ours.iter().zip(theirs).filter(|(_, theirs)| !theirs.is_none()) {
        kept.remove(region);
    }
    kept
}

/// Returns true if one cut is the other with its regions renumbered.
fn same_cut(ours: &[RegionId], theirs: &[RegionId]) -> bool {
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    let agree = |&(a, b): &(&RegionId, &RegionId)| {
        a.is_inner() == b.is_inner()
            && *there.entry(*a).or_insert(*b) == *b
            && *back.entry(*b).or_insert(*a) == *a
    };
    ours.len() == theirs.len()
        && ours.iter().zip(theirs).all({
            let mut agree = agree;
            move |pair| agree(&pair)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_that_they_dropped_are_counted() {
        let ids = |ids: &[i32]| -> Vec<RegionId> {
            let id = |&id: &i32| match id {
                0 => RegionId::NONE,
                id if id < 0 => RegionId::border(id.unsigned_abs()),
                id => RegionId::inner(id as u32),
            };
            ids.iter().map(id).collect()
        };
        let dropped = kept(&ids(&[1, 1, 2, 2, 3, 0, -1]), &ids(&[1, 1, 0, 0, 0, 2, -1]));
        assert_eq!(dropped, BTreeSet::from([RegionId::inner(2), RegionId::inner(3)]));
        assert!(kept(&ids(&[1, 1, 2]), &ids(&[0, 5, 5])).is_empty(), "theirs has a part of each");
    }

    #[test]
    fn renumbering_is_distinguished_from_another_cut() {
        let cut = |ids: &[u32]| {
            ids.iter()
                .map(|&id| if id == 0 { RegionId::NONE } else { RegionId::inner(id) })
                .collect::<Vec<_>>()
        };
        assert!(same_cut(&cut(&[1, 1, 0, 2]), &cut(&[5, 5, 0, 1])));
        assert!(!same_cut(&cut(&[1, 1, 0, 2]), &cut(&[1, 1, 0, 1])));
        assert!(!same_cut(&cut(&[1, 1, 0, 1]), &cut(&[1, 1, 0, 2])));
        assert!(!same_cut(&cut(&[1, 0]), &cut(&[1, 1])));
    }
}
