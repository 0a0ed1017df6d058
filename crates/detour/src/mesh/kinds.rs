//! The kinds of polygons in a mesh: their flags and areas, each with its count. If a filter treats all kinds
//! alike, searches need not ask it for each polygon.
//! Cost: a change of a polygon is a binary search among the kinds; a tile counts its kinds when it is
//! prepared.

use std::sync::Arc;

/// Meshes with more kinds than this are treated as if no two polygons were alike.
const MOST_KINDS: usize = 32;

/// Flags and an area that polygons or off-mesh links of a mesh have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolygonKind {
    /// The flags.
    pub flags: u32,
    /// The area.
    pub area: u8,
}

impl From<(u32, u8)> for PolygonKind {
    fn from((flags, area): (u32, u8)) -> PolygonKind {
        PolygonKind { flags, area }
    }
}

/// Kinds, each with the number of its polygons and off-mesh links, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindCounts {
    kinds: Arc<Vec<PolygonKind>>,
    counts: Arc<Vec<u64>>,
}

impl KindCounts {
    /// The kinds of polygons and off-mesh links with these flags and areas.
    pub(crate) fn of(values: impl IntoIterator<Item = (u32, u8)>) -> KindCounts {
        let mut counts = KindCounts::default();
        // Polygons of a kind often follow each other.
        let mut run: Option<(PolygonKind, u64)> = None;
        for (flags, area) in values {
            let kind = PolygonKind::from((flags, area));
            match &mut run {
                Some((last, count)) if *last == kind => *count += 1,
                _ => {
                    let ended = run.replace((kind, 1));
                    ended.into_iter().for_each(|(kind, count)| counts.add(kind, count));
                }
            }
        }
        run.into_iter().for_each(|(kind, count)| counts.add(kind, count));
        counts
    }

    /// The kinds; `None` if there are too many to be compared.
    #[inline]
    pub(crate) fn few(&self) -> Option<&[PolygonKind]> {
        Some(self.kinds.as_slice()).filter(|kinds| kinds.len() <= MOST_KINDS)
    }

    pub(crate) fn add(&mut self, kind: PolygonKind, count: u64) {
        match self.kinds.binary_search(&kind) {
            Ok(at) => Arc::make_mut(&mut self.counts)[at] += count,
            Err(at) => {
                Arc::make_mut(&mut self.kinds).insert(at, kind);
                Arc::make_mut(&mut self.counts).insert(at, count);
            }
        }
    }

    pub(crate) fn remove(&mut self, kind: PolygonKind, count: u64) {
        let Ok(at) = self.kinds.binary_search(&kind) else { return };
        let counts = Arc::make_mut(&mut self.counts);
        counts[at] = counts[at].saturating_sub(count);
        if counts[at] == 0 {
            counts.remove(at);
            Arc::make_mut(&mut self.kinds).remove(at);
        }
    }

    pub(crate) fn add_all(&mut self, other: &KindCounts) {
        other.kinds.iter().zip(&*other.counts).for_each(|(kind, count)| self.add(*kind, *count));
    }

    pub(crate) fn remove_all(&mut self, other: &KindCounts) {
        other.kinds.iter().zip(&*other.counts).for_each(|(kind, count)| self.remove(*kind, *count));
    }
}
