//! Edges with numbers, and which of them are two sides of one.

use super::SMALLER_TILES;
use super::draft::{Corner, Drafts, FEW, refuse};
use crate::content::{Beyond, WriteError};
use navmath::limit;
use std::ops::Range;

/// What lies beyond an edge of a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceBeyond {
    Wall,
    /// The edge with this number.
    Twin(u32),
    Portal(u8),
}

/// An edge with a number that it keeps through splitting and sorting.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceEdge {
    /// Where it starts, as a place among positions.
    pub(super) vertex: u32,
    pub(super) id: u32,
    pub(super) beyond: PieceBeyond,
}

/// A polygon to be written: convex, with at most as many edges as the format allows.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its polygon's index in the content.
    pub(super) source: u32,
    /// The draft, and whether the piece is all of it.
    pub(super) draft: usize,
    pub(super) is_whole: bool,
    /// Its edges in [`Pieces::edges`]: `count` from `first` on.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Its parts of the lists of [`Details`](super::detail::Details).
    pub(super) detail_vertices: Range<usize>,
    pub(super) detail_triangles: Range<usize>,
}

/// Pieces and their edges.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) list: Vec<Piece>,
    /// First those of all drafts that were not dropped, the number of each its place here; then those of pieces of
    /// split ones.
    pub(super) edges: Vec<PieceEdge>,
    /// Where the edges of each draft start; no matter where those of dropped ones do.
    pub(super) first_of: Vec<usize>,
    /// Numbers of edges are below this.
    pub(super) ids: u32,
    many: Many,
}

impl Pieces {
    /// The edges of a piece.
    #[inline]
    pub(super) fn edges(&self, piece: &Piece) -> &[PieceEdge] {
        &self.edges[piece.first..piece.first + piece.count]
    }
}

/// In place of the number of a twin: none has been found yet. There are fewer edges.
const NONE: u32 = u32::MAX;

/// The edges of polygons with many corners: draft, ends, corner. Sorted.
#[derive(Default)]
struct Many(Vec<(usize, [u32; 2], u32)>);

impl Pieces {
    /// Numbers the edges of drafts and finds each internal edge's twin, in place of what was here; no pieces yet. An
    /// edge towards a dropped polygon becomes a wall.
    pub(super) fn pair(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        self.list.clear();
        self.edges.clear();
        self.first_of.clear();
        if drafts.plain {
            self.ids = limit::to_u32("edges in a tile", drafts.corners.len(), SMALLER_TILES)?;
            self.first_of.extend(drafts.list.iter().map(|draft| draft.first));
            let edge = |(id, corner)| numbered(id, corner, |_| false);
            self.edges.extend((0u32..).zip(&drafts.corners).map(edge));
            if self.pair_ahead(drafts) {
                return Ok(());
            }
            // Which is looked for below.
            self.many.0.clear();
        } else {
            self.number(drafts)?;
            self.many.find(drafts)?;
        }
        self.pair_all(drafts)
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
            let is_dropped = |other: u32| drafts.list[other as usize].dropped;
            let edge = |(id, corner)| numbered(id, corner, is_dropped);
            self.edges.extend((first..).zip(drafts.corners(index)).map(edge));
        }
        Ok(())
    }

    /// Finds the twins of plain drafts, each pair from the polygon that comes first. False if an edge has none, which
    /// may leave others without.
    fn pair_ahead(&mut self, drafts: &Drafts) -> bool {
        let (mut internal, mut paired) = (0, 0);
        for (index, draft) in (0u32..).zip(&drafts.list) {
            for id in draft.first..draft.first + draft.count {
                // No polygon is its own neighbour, as was checked.
                let (is_internal, other) = match drafts.corners[id].beyond {
                    Beyond::Internal(other) => (true, other),
                    _ => (false, 0),
                };
                internal += usize::from(is_internal);
                if other <= index {
                    continue;
                }
                let [start, end] = drafts.ends(index as usize, id - draft.first);
                let Some(twin) = find_few(drafts, other as usize, [end, start], index) else { return false };
                let twin = self.first_of[other as usize] + twin;
                // Below the number of edges.
                self.edges[id].beyond = PieceBeyond::Twin(twin as u32);
                self.edges[twin].beyond = PieceBeyond::Twin(id as u32);
                paired += 2;
            }
        }
        internal == paired
    }

    /// Finds the twins that have not been found, and refuses an edge that has none.
    fn pair_all(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        for (index, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| !draft.dropped) {
            for (at, corner) in drafts.corners(index).iter().enumerate() {
                let id = self.first_of[index] + at;
                let Beyond::Internal(other) = corner.beyond else { continue };
                if self.edges[id].beyond != PieceBeyond::Twin(NONE) {
                    continue;
                }
                // Twins have been found from the polygon that comes first, if they are there.
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
                self.edges[id].beyond = PieceBeyond::Twin(twin as u32);
                self.edges[twin].beyond = PieceBeyond::Twin(id as u32);
            }
        }
        Ok(())
    }
}

/// An edge with its number, its twin still to be found.
#[inline]
fn numbered(id: u32, corner: &Corner, is_dropped: impl Fn(u32) -> bool) -> PieceEdge {
    let beyond = match corner.beyond {
        Beyond::Internal(other) if is_dropped(other) => PieceBeyond::Wall,
        Beyond::Internal(_) => PieceBeyond::Twin(NONE),
        Beyond::Wall => PieceBeyond::Wall,
        Beyond::Portal(side) => PieceBeyond::Portal(side),
    };
    PieceEdge { vertex: corner.vertex, id, beyond }
}

/// The edge of a draft with these ends, as a corner, if it leads to polygon `back`; corner by corner.
#[inline]
fn find_few(drafts: &Drafts, draft: usize, ends: [u32; 2], back: u32) -> Option<usize> {
    let corners = drafts.corners(draft);
    let twin =
        (0..corners.len()).find(|&at| corners[at].vertex == ends[0] && drafts.ends(draft, at) == ends)?;
    (corners[twin].beyond == Beyond::Internal(back)).then_some(twin)
}

impl Many {
    /// Lists the edges of polygons with many corners. No polygon may have an edge twice.
    fn find(&mut self, drafts: &Drafts) -> Result<(), WriteError> {
        self.0.clear();
        for (index, draft) in drafts.list.iter().enumerate().filter(|(_, draft)| !draft.dropped) {
            if draft.count <= FEW && draft.is_convex {
                // It goes round once, and comes by no corner twice.
                continue;
            }
            let corners = drafts.corners(index);
            let mut own: Vec<_> =
                (0..corners.len()).map(|at| (index, drafts.ends(index, at), at as u32)).collect();
            own.sort_unstable();
            // The first that comes again, as the content has it.
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
    #[inline]
    fn find_twin(&self, drafts: &Drafts, draft: usize, ends: [u32; 2], back: u32) -> Option<usize> {
        let corners = drafts.corners(draft);
        if corners.len() <= FEW {
            return find_few(drafts, draft, ends, back);
        }
        let found = self.0.binary_search_by_key(&(draft, ends), |&(draft, ends, _)| (draft, ends)).ok()?;
        let twin = self.0[found].2 as usize;
        (corners[twin].beyond == Beyond::Internal(back)).then_some(twin)
    }
}

#[cfg(test)]
mod tests;
