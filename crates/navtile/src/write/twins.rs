//! Edges with numbers, and their pairing into twins.

use super::SMALLER_TILES;
use super::draft::{Drafts, refuse};
use crate::content::{Beyond, WriteError};
use navmath::limit;
use std::ops::Range;

/// The other side of an edge of a [`ConvexPolygon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EdgeBeyond {
    Wall,
    /// Another edge, by its number.
    Twin(u32),
    Portal(u8),
}

/// An edge with a number that stays the same through splitting and sorting.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolygonEdge {
    /// Its start, as an index into the positions.
    pub(super) vertex: u32,
    pub(super) id: u32,
    pub(super) beyond: EdgeBeyond,
}

/// A polygon to be written: convex, and within the format's limit of edges.
#[derive(Clone, Debug)]
pub(super) struct ConvexPolygon {
    /// Its polygon's index in the content.
    pub(super) source: u32,
    /// Its draft; `is_whole` is true if the piece is the whole draft.
    pub(super) draft: usize,
    pub(super) is_whole: bool,
    /// Its edges are `count` from `first` on in [`ConvexPolygons::edges`].
    pub(super) first: usize,
    pub(super) count: usize,
    /// Its ranges in the lists of [`Details`](super::detail::Details).
    pub(super) detail_vertices: Range<usize>,
    pub(super) detail_triangles: Range<usize>,
}

/// Convex polygons and their edges.
#[derive(Default)]
pub(super) struct ConvexPolygons {
    pub(super) list: Vec<ConvexPolygon>,
    /// First the edges of all drafts that were not dropped, with their index as their number; then those of
    /// the pieces of split drafts.
    pub(super) edges: Vec<PolygonEdge>,
    /// Index of the first edge of each draft; meaningless for dropped drafts.
    pub(super) first_of: Vec<usize>,
    /// All edge numbers are below this.
    pub(super) ids: u32,
    many: Many,
}

impl ConvexPolygons {
    /// The edges of a piece.
    #[inline]
    pub(super) fn edges(&self, piece: &ConvexPolygon) -> &[PolygonEdge] {
        &self.edges[piece.first..piece.first + piece.count]
    }
}

/// In place of a twin's number: not found yet. No edge has this number.
const NONE: u32 = u32::MAX;

/// Edges of polygons with more corners than this are searched in a sorted list, so that pairing takes O(n log
/// n).
const FEW: usize = 16;

/// The edges of polygons with many corners: draft, ends, corner. Sorted.
#[derive(Default)]
struct Many(Vec<(usize, [u32; 2], u32)>);

impl ConvexPolygons {
    /// Drops all pieces, numbers the edges of drafts and finds the twin of each internal edge. An edge
    /// towards a dropped polygon becomes a wall.
    pub(super) fn pair(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        self.list.clear();
        self.edges.clear();
        self.first_of.clear();
        self.number(drafts)?;
        self.many.find(drafts)?;
        self.find_twins(drafts)
    }

    /// Numbers the edges of drafts that were not dropped.
    fn number(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        let mut count = 0;
        self.first_of.extend(drafts.list.iter().map(|draft| {
            let first = count;
            count += if draft.dropped { 0 } else { draft.count };
            first
        }));
        self.ids = limit::to_u32("edges in a tile", count, SMALLER_TILES)?;
        self.edges.reserve(count);
        for (index, _) in drafts.list.iter().enumerate().filter(|(_, draft)| !draft.dropped) {
            let first = self.edges.len() as u32;
            self.edges.extend((first..).zip(drafts.corners(index)).map(|(id, corner)| {
                let beyond = match corner.beyond {
                    Beyond::Internal(other) if drafts.list[other as usize].dropped => EdgeBeyond::Wall,
                    Beyond::Internal(_) => EdgeBeyond::Twin(NONE),
                    Beyond::Wall => EdgeBeyond::Wall,
                    Beyond::Portal(side) => EdgeBeyond::Portal(side),
                };
                PolygonEdge { vertex: corner.vertex, id, beyond }
            }));
        }
        Ok(())
    }

    /// Finds the twins, each pair from the polygon that comes first, and refuses an edge without a twin.
    fn find_twins(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        for (index, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| !draft.dropped) {
            for (at, corner) in drafts.corners(index).iter().enumerate() {
                let id = self.first_of[index] + at;
                let Beyond::Internal(other) = corner.beyond else { continue };
                if self.edges[id].beyond != EdgeBeyond::Twin(NONE) {
                    continue;
                }
                // If the twin exists, it was found from the polygon that comes first.
                let ends = drafts.ends(index, at);
                let twin = if other >= draft.index {
                    self.many.find_twin(drafts, other as usize, [ends[1], ends[0]], draft.index)
                } else {
                    None
                };
                let Some(twin) = twin else {
                    let [a, b] = drafts.shown(ends);
                    let what = format!(
                        "the edge {a:?} to {b:?} leads to polygon {other}, which has no such edge back"
                    );
                    return refuse(draft.index, what);
                };
                let twin = self.first_of[other as usize] + twin;
                // Below the number of edges.
                self.edges[id].beyond = EdgeBeyond::Twin(twin as u32);
                self.edges[twin].beyond = EdgeBeyond::Twin(id as u32);
            }
        }
        Ok(())
    }
}

impl Many {
    /// Lists the edges of polygons with many corners. No polygon may have an edge twice.
    fn find(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        self.0.clear();
        for (index, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| !draft.dropped) {
            if draft.count <= FEW && draft.is_convex {
                // It closes after one revolution, and passes no corner twice.
                continue;
            }
            let corners = drafts.corners(index);
            let mut own: Vec<_> =
                (0..corners.len()).map(|at| (index, drafts.ends(index, at), at as u32)).collect();
            own.sort_unstable();
            // The first edge that repeats another, in the order of the content.
            let again = own.array_windows().filter(|[a, b]| a.1 == b.1).map(|[_, b]| b.2 as usize);
            if let Some(at) = again.min() {
                let ends = drafts.shown(drafts.ends(index, at));
                return refuse(draft.index, format!("it has the same edge twice, at {ends:?}"));
            }
            if draft.count > FEW {
                self.0.extend(own);
            }
        }
        Ok(())
    }

    /// The edge of a draft with these ends, as a corner, if it leads to polygon `back`.
    fn find_twin(&self, drafts: &Drafts, draft: usize, ends: [u32; 2], back: u32) -> Option<usize> {
        let corners = drafts.corners(draft);
        let twin = if corners.len() <= FEW {
            (0..corners.len()).find(|&at| drafts.ends(draft, at) == ends)?
        } else {
            let key = |&(draft, ends, _): &(usize, [u32; 2], u32)| (draft, ends);
            self.0[self.0.binary_search_by_key(&(draft, ends), key).ok()?].2 as usize
        };
        (corners[twin].beyond == Beyond::Internal(back)).then_some(twin)
    }
}
