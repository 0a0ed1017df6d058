//! Links across a seam: for each border edge of a tile, the polygons of the neighbouring tile beyond it, and
//! the shared part of the edge. Cost: a merge-join of the border edges of the two sides.

use super::fixed::ToMetres;
use super::tile_data::TileData;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use navmath::sort::SharedSort;
use navtile::layout::{self, side};
use navtile::seam::{Match, match_sides};
use navtile::{Tile, TileCoord};
use std::ops::Range;
use std::sync::Arc;

/// A tile to be linked: its data and its slot.
#[derive(Clone, Copy)]
pub(crate) struct TileInSlot<'a> {
    pub(crate) data: &'a Arc<TileData>,
    pub(crate) slot: u32,
    pub(crate) salt: u32,
}

impl TileInSlot<'_> {
    /// A reference to a polygon or off-mesh link of the tile.
    pub(crate) fn reference(&self, index: u32) -> PolyRef {
        PolyRef::from_checked(self.salt, self.slot, index)
    }
}

/// A link through a border edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeamLink {
    /// The polygon beyond, in the neighbouring tile.
    pub(crate) to: PolyRef,
    /// Number of the border edge among the tile's portals.
    pub(crate) portal: u32,
    /// Ends of the shared part, at this side's heights, as seen when leaving the tile.
    pub(crate) left: Vec3,
    pub(crate) right: Vec3,
}

/// All links over one side of a tile. Sorted by portal, then by the neighbour's coordinate, then by polygon,
/// and then from right to left as seen when leaving the tile, in the direction of a polygon's edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeamLinks {
    /// Shared with the tile across the seam, whose links may be in the same list.
    list: Option<Arc<[SeamLink]>>,
    /// The part of the list that belongs to this side.
    start: u32,
    end: u32,
}

impl SeamLinks {
    #[inline]
    pub(crate) fn links(&self) -> &[SeamLink] {
        match &self.list {
            Some(list) => &list[self.start as usize..self.end as usize],
            None => &[],
        }
    }

    /// All of a list. It has at most one link for each contact of two border edges, so that 32 bits number
    /// them.
    fn of(links: Arc<[SeamLink]>) -> SeamLinks {
        let end = links.len() as u32;
        SeamLinks { list: Some(links).filter(|links| !links.is_empty()), start: 0, end }
    }

    /// Adds the links to one more neighbour, a sorted part of a list. `coord` returns the coordinate of the
    /// tile in a slot.
    pub(crate) fn add(
        &mut self,
        more: Arc<[SeamLink]>,
        part: Range<u32>,
        coord: &dyn Fn(u32) -> Option<TileCoord>,
    ) {
        if self.start == self.end {
            (self.list, self.start, self.end) = (Some(more), part.start, part.end);
            return;
        }
        let more = &more[part.start as usize..part.end as usize];
        let (mut ours, mut theirs) = (self.links().iter().peekable(), more.iter().peekable());
        let key = |link: &SeamLink| (link.portal, coord(link.to.slot()));
        // Both are sorted.
        let next = || match (ours.peek(), theirs.peek()) {
            (Some(our), Some(their)) if key(their) < key(our) => theirs.next(),
            (None, _) => theirs.next(),
            _ => ours.next(),
        };
        let links: Vec<SeamLink> = std::iter::from_fn(next).copied().collect();
        *self = SeamLinks::of(links.into());
    }

    /// Removes the links to the tile in a slot.
    pub(crate) fn remove_links_to(&mut self, slot: u32) {
        *self = SeamLinks::of(self.links().iter().filter(|link| link.to.slot() != slot).copied().collect());
    }
}

/// Scratch memory of linking. Its contents do not outlive a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeamScratch {
    matches: Vec<Match>,
    links: Vec<SeamLink>,
}

/// A side of a tile, with its border edges.
#[derive(Clone, Copy)]
struct Side<'a> {
    tile: TileInSlot<'a>,
    number: u8,
    portals: &'a [layout::Portal],
    /// Number of the first border edge in the tile.
    first: u32,
}

impl<'a> Side<'a> {
    fn of(tile: TileInSlot<'a>, number: u8) -> Side<'a> {
        let range = tile.data.surface.side_range(number);
        let first = range.start as u32;
        Side { tile, number, portals: &tile.data.tile.portals()[range], first }
    }
}

/// Links two neighbouring tiles: the links from `here` over the side `over` to `there`, followed by the same
/// number of links back; `None` if no border edges meet. Both directions come from one matching, so that
/// every link has its counterpart.
pub(crate) fn link_tiles(
    here: TileInSlot<'_>,
    over: u8,
    there: TileInSlot<'_>,
    anchor: [f64; 3],
    scratch: &mut SeamScratch,
) -> Option<Arc<[SeamLink]>> {
    let SeamScratch { matches, links } = scratch;
    let (here, there) = (Side::of(here, over), Side::of(there, Tile::opposite(over)));
    // The tile that comes first in canonical order is matched first, so that the result does not depend on
    // the order of loading.
    let is_first = here.tile.data.coord <= there.tile.data.coord;
    let (a, b) = if is_first { (here, there) } else { (there, here) };
    match_sides(a.portals, &a.tile.data.place, a.number, b.portals, &b.tile.data.place, matches);
    if matches.is_empty() {
        return None;
    }
    links.clear();
    links.extend(matches.iter().map(|found| link(here, there, is_first, anchor, found)));
    links.extend(matches.iter().map(|found| link(there, here, !is_first, anchor, found)));
    let (forth, back) = links.split_at_mut(matches.len());
    sort(forth, here.number);
    sort(back, there.number);
    Some(Arc::from(&links[..]))
}

/// Sorts the links over one side of a tile, which ascend along the seam for each portal and polygon.
fn sort(links: &mut [SeamLink], side: u8) {
    // The usual case: each border edge meets one other.
    if links.is_sorted_by(|a, b| a.portal < b.portal) {
        return;
    }
    let key = |link: &SeamLink| (link.portal, link.to.polygon());
    links.shared_sort_by_key(key);
    // Matches ascend along the seam, and so do the parts that two polygons share.
    if !ascends(side) {
        links.chunk_by_mut(|a, b| key(a) == key(b)).for_each(<[_]>::reverse);
    }
}

/// The link from one tile to another by a match of the two. `is_first` is true if `here` was matched first.
#[inline(always)]
fn link(here: Side<'_>, there: Side<'_>, is_first: bool, anchor: [f64; 3], found: &Match) -> SeamLink {
    // A side of constant x runs along z, the other sides along x.
    let axis = if here.number & 1 == 0 { 2 } else { 0 };
    let base = |side: &Side<'_>| side.tile.data.place.base_cell[axis];
    // Matches are relative to the base cell of the tile that was matched first.
    let offset = if is_first { 0 } else { (base(&there) - base(&here)) * i64::from(FIXED_ONE) };
    let (from, to) = if is_first { (found.a, found.b) } else { (found.b, found.a) };
    let interval = [found.start, found.end].map(|along| i64::from(along) + offset);
    let to = there.tile.reference(there.portals[to as usize].polygon);
    let portal = &here.portals[from as usize];
    let data = here.tile.data;
    let [left, right] = if interval == [i64::from(portal.start), i64::from(portal.end)] {
        // The usual case: the whole border edge. As seen when leaving the tile, an edge runs from right to
        // left.
        let [right, left] = data.surface.edge_ends(portal.polygon, usize::from(portal.edge));
        [left, right]
    } else {
        clip(data, portal, axis, interval, anchor)
    };
    SeamLink { to, portal: here.first + from, left, right }
}

/// Returns true if the border edges on a side of a tile, from right to left as seen when leaving it, run
/// towards greater coordinates.
fn ascends(number: u8) -> bool {
    number < side::X_MAX
}

/// The left and right end of the part of a border edge between two positions along its side, in metres.
#[inline(never)]
fn clip(
    data: &TileData,
    portal: &layout::Portal,
    axis: usize,
    interval: [i64; 2],
    anchor: [f64; 3],
) -> [Vec3; 2] {
    let edges = data.tile.polygon_edges(&data.tile.polygons()[portal.polygon as usize]);
    let corner = data.tile.vertices()[edges[usize::from(portal.edge)].vertex as usize];
    let to_metres = ToMetres::new(&data.lattice, anchor, data.place.base_cell);
    let [low, high] = interval.map(|along| {
        // Every border edge has a length.
        let t = (along as f64 - f64::from(portal.start)) / (f64::from(portal.end) - f64::from(portal.start));
        let (low, high) = (f64::from(portal.start_height), f64::from(portal.end_height));
        let mut fixed = corner.map(f64::from);
        fixed[axis] = along as f64;
        fixed[1] = low + (high - low) * t;
        to_metres.position(fixed)
    });
    if ascends(portal.side) { [high, low] } else { [low, high] }
}
