//! The ways out of a tile's polygons over their edges, as searches go through them: polygon by polygon in one list,
//! whatever an edge is and however many polygons lie beyond it, with what depends on the mesh alone computed.
//!
//! They are derived from a tile and its seams when a search first comes to the tile, and again when what the tile is
//! linked with has changed. Flags and areas are none of it. Memory: [`Way`]s have 48 bytes, and there is one for
//! each link over an edge; a polygon has two or three. Tiles that no search comes to have none.
//! Cost: linear in the tile's edges and links, once.

use super::links::{Link, Located};
use crate::geometry::lerp;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use std::ops::ControlFlow;

/// The number of a polygon's node for each side of the tile before that led there, by side: Detour counts from x_max
/// on, which it does not tell from a way within the tile.
const DETOUR_SIDES: [u8; 4] = [2, 1, 0, 3];

/// A way over an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    pub(crate) to: PolyRef,
    /// Left end of the opening, as seen on the way out.
    pub(crate) left: Vec3,
    pub(crate) right: Vec3,
    pub(crate) middle: Vec3,
    /// Which of a polygon's nodes it leads to, where these are told apart as Detour does: by the side of the tile
    /// that it crosses.
    pub(crate) side: u8,
    /// Whether the polygon beyond leads nowhere but back.
    pub(crate) is_to_dead_end: bool,
}

impl Way {
    fn new(from: &Located<'_>, link: &Link, crossed: Option<u8>) -> Way {
        let Link { to, left, right, .. } = *link;
        Way {
            to,
            left,
            right,
            middle: lerp(right, left, 0.5),
            side: crossed.map_or(0, |side| DETOUR_SIDES[usize::from(side & 3)]),
            // Beyond a seam every polygon has a portal, and no dead end has.
            is_to_dead_end: crossed.is_none() && from.beside(to).is_dead_end(),
        }
    }
}

/// Those of a tile.
#[derive(Debug)]
pub(crate) struct Ways {
    /// Where those of each polygon start, and the end.
    starts: Box<[u32]>,
    ways: Box<[Way]>,
}

impl Ways {
    /// Those of the tile that `of` is in.
    #[cold]
    fn new(of: &Located<'_>) -> Ways {
        let count = of.occupied.entry.polygon_count();
        let mut starts = Vec::with_capacity(count as usize + 1);
        let mut ways = Vec::new();
        starts.push(0);
        for polygon in 0..count {
            let located = of.beside(of.reference.beside(polygon));
            let flow = located.each_crossing(|link, crossed| {
                ways.push(Way::new(&located, &link, crossed));
                ControlFlow::Continue(())
            });
            debug_assert!(flow.is_continue());
            // A tile has at most 2^20 polygons of at most 255 edges, and ways beyond seams are numbered by 32 bits.
            starts.push(ways.len() as u32);
        }
        Ways { starts: starts.into(), ways: ways.into() }
    }

    /// Those of a polygon; none of an off-mesh link.
    #[inline]
    fn of(&self, polygon: u32) -> &[Way] {
        match self.starts.get(polygon as usize..).and_then(|starts| starts.first_chunk()) {
            Some([start, end]) => self.ways.get(*start as usize..*end as usize).unwrap_or(&[]),
            None => &[],
        }
    }
}

impl<'a> Located<'a> {
    /// The ways out of a polygon over its edges, in the order of edges, then of neighbouring tiles.
    #[inline]
    pub(crate) fn ways(&self) -> &'a [Way] {
        let ways = self.occupied.ways.get_or_init(|| Ways::new(self).into()).of(self.index());
        debug_assert!(self.is_off_mesh() || self.leads_over(ways), "old ways of {}", self.reference);
        ways
    }

    /// Whether these are the ways as the mesh has them now.
    fn leads_over(&self, ways: &[Way]) -> bool {
        let mut rest = ways.iter();
        let flow = self.each_crossing(|link, crossed| match rest.next() {
            Some(way) if *way == Way::new(self, &link, crossed) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        });
        flow.is_continue() && rest.next().is_none()
    }
}
