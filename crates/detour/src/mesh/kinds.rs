//! The kinds of polygons in a mesh: their flags and areas, each with its count. If a filter treats all kinds
//! alike, searches need not ask it for each polygon.
//! Cost: a change of a polygon is a binary search among the kinds; a tile counts its kinds when it
//! is added and removed.

/// Meshes with more kinds than this are treated as if no two polygons were alike.
const MOST_KINDS: usize = 32;

/// Flags and an area that polygons or off-mesh links of a mesh have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolygonKind {
    /// The flags.
    pub flags: u32,
    /// The area.
    pub area: u8,
    /// The number of polygons and off-mesh links with these flags in this area.
    pub count: u64,
}

impl PolygonKind {
    /// One polygon or off-mesh link of a kind.
    pub(crate) fn one((flags, area): (u32, u8)) -> PolygonKind {
        PolygonKind { flags, area, count: 1 }
    }
}

/// Kinds in order of their flags, then of their areas.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindCounts(Vec<PolygonKind>);

impl KindCounts {
    /// The kinds; `None` if there are too many to be compared.
    #[inline]
    pub(crate) fn few(&self) -> Option<&[PolygonKind]> {
        Some(self.0.as_slice()).filter(|kinds| kinds.len() <= MOST_KINDS)
    }

    fn place(&self, kind: PolygonKind) -> Result<usize, usize> {
        self.0.binary_search_by_key(&(kind.flags, kind.area), |other| (other.flags, other.area))
    }

    pub(crate) fn add(&mut self, kind: PolygonKind) {
        match self.place(kind) {
            _ if kind.count == 0 => {}
            Ok(at) => self.0[at].count += kind.count,
            Err(at) => self.0.insert(at, kind),
        }
    }

    pub(crate) fn remove(&mut self, kind: PolygonKind) {
        let Ok(at) = self.place(kind) else { return };
        self.0[at].count = self.0[at].count.saturating_sub(kind.count);
        if self.0[at].count == 0 {
            self.0.remove(at);
        }
    }

    /// Adds polygons and off-mesh links with these flags and areas.
    pub(crate) fn add_all(&mut self, values: impl Iterator<Item = (u32, u8)>) {
        for_each_run(values, |kind| self.add(kind));
    }

    /// Removes polygons and off-mesh links with these flags and areas.
    pub(crate) fn remove_all(&mut self, values: impl Iterator<Item = (u32, u8)>) {
        for_each_run(values, |kind| self.remove(kind));
    }
}

/// Calls `visit` for polygons and off-mesh links that have the same kind and follow each other, as they often
/// do.
fn for_each_run(values: impl Iterator<Item = (u32, u8)>, mut visit: impl FnMut(PolygonKind)) {
    let mut run = PolygonKind { flags: 0, area: 0, count: 0 };
    values.for_each(|(flags, area)| {
        if (flags, area) != (run.flags, run.area) {
            visit(std::mem::replace(&mut run, PolygonKind { flags, area, count: 0 }));
        }
        run.count += 1;
    });
    visit(run);
}
