//! Links across a seam: for an ordered pair of tiles, which polygon lies beyond each of the first one's portals,
//! and the part of the portal that the two share. Cost: a merge-join of the portals of the two sides.

use super::entry::{TileEntry, to_anchored};
use super::joints::Placed;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use navtile::layout::{Portal, side};
use navtile::seam::{Match, match_sides};
use navtile::{Tile, TileCoord};
use std::sync::Arc;

/// A way through a portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeamLink {
    /// The polygon beyond, in the neighbouring tile.
    pub(crate) to: PolyRef,
    /// Index of the portal in the tile.
    pub(crate) portal: u32,
    /// Ends of the shared part, at this side's heights, as seen on the way out.
    pub(crate) left: Vec3,
    pub(crate) right: Vec3,
}

/// All ways over one side of a tile. Sorted by portal, then by the neighbour's coordinate, then by polygon.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seam {
    /// The ways are some of these, which may be those of the tile beyond as well.
    all: Option<Arc<[SeamLink]>>,
    /// Which of them.
    start: u32,
    end: u32,
}

impl Seam {
    /// All of them.
    #[inline]
    pub(crate) fn links(&self) -> &[SeamLink] {
        match &self.all {
            Some(all) => &all[self.start as usize..self.end as usize],
            None => &[],
        }
    }

    /// All of a list; it has at most one way for each place where portals meet, which 32 bits number.
    fn of(links: Arc<[SeamLink]>) -> Seam {
        let end = links.len() as u32;
        Seam { all: Some(links).filter(|links| !links.is_empty()), start: 0, end }
    }

    /// Puts in the ways to one more neighbour, sorted; `coord` tells a neighbour's coordinate by its slot.
    pub(crate) fn add(&mut self, more: &[SeamLink], coord: impl Fn(u32) -> Option<TileCoord>) {
        let mut all: Vec<SeamLink> = self.links().iter().chain(more).copied().collect();
        // Those of one neighbour are sorted already.
        all.sort_by_key(|link| (link.portal, coord(link.to.slot())));
        *self = Seam::of(all.into());
    }

    /// Takes out the ways to a tile.
    pub(crate) fn part(&mut self, slot: u32) {
        *self = Seam::of(self.links().iter().filter(|link| link.to.slot() != slot).copied().collect());
    }
}

/// The column beyond a side; `None` at the end of the numbers.
pub(crate) fn column_beyond(coord: TileCoord, tile_side: u8) -> Option<(i32, i32)> {
    match tile_side {
        side::X_MIN => Some((coord.x.checked_sub(1)?, coord.z)),
        side::Z_MAX => Some((coord.x, coord.z.checked_add(1)?)),
        side::X_MAX => Some((coord.x.checked_add(1)?, coord.z)),
        _ => Some((coord.x, coord.z.checked_sub(1)?)),
    }
}

/// What linking works on: of use to nobody between calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    matches: Vec<Match>,
    links: Vec<SeamLink>,
}

/// A side of a tile: what linking looks at, found once.
#[derive(Clone, Copy)]
struct Side<'a> {
    tile: Placed<'a>,
    on: u8,
    portals: &'a [Portal],
    /// The number of the first of them in the tile.
    first: u32,
}

impl<'a> Side<'a> {
    fn of(tile: Placed<'a>, on: u8) -> Side<'a> {
        let range = tile.entry.side_range(on);
        let first = range.start as u32;
        Side { tile, on, portals: &tile.entry.tile.portals()[range], first }
    }
}

/// The ways from one tile over its side to another, and those back, both in one list; `None` if no portal leads across.
/// They come from one matching, so that every way has its counterpart.
pub(crate) fn link_pair(
    here: Placed<'_>,
    side: u8,
    there: Placed<'_>,
    anchor: [f64; 3],
    scratch: &mut Scratch,
) -> Option<[Seam; 2]> {
    let Scratch { matches, links } = scratch;
    let (here, there) = (Side::of(here, side), Side::of(there, Tile::opposite(side)));
    // The tile that stands first in canonical order is matched first, so that the order of loading does not show.
    let is_first = here.tile.entry.coord <= there.tile.entry.coord;
    let (a, b) = if is_first { (here, there) } else { (there, here) };
    match_sides(a.portals, &a.tile.entry.place, a.on, b.portals, &b.tile.entry.place, matches);
    if matches.is_empty() {
        return None;
    }
    links.clear();
    links.extend(matches.iter().map(|found| way(here, there, is_first, anchor, found)));
    links.extend(matches.iter().map(|found| way(there, here, !is_first, anchor, found)));
    let count = matches.len();
    if count > 1 {
        let key = |link: &SeamLink| (link.portal, link.to.polygon());
        let sort = |links: &mut [SeamLink]| {
            if !links.is_sorted_by_key(key) {
                links.sort_by_key(key);
            }
        };
        links.chunks_mut(count).for_each(sort);
    }
    let both: Arc<[SeamLink]> = Arc::from(&links[..]);
    let [middle, end] = [count as u32, 2 * count as u32];
    let part = |all, start, end| Seam { all: Some(all), start, end };
    Some([part(both.clone(), 0, middle), part(both, middle, end)])
}

/// The way from one tile to another by a match of the two. `is_first` tells whether the one was matched first.
#[inline(always)]
fn way(here: Side<'_>, there: Side<'_>, is_first: bool, anchor: [f64; 3], found: &Match) -> SeamLink {
    // Along an x side runs z, and the other way round.
    let axis = if here.on & 1 == 0 { 2 } else { 0 };
    let base = |side: &Side<'_>| side.tile.entry.place.base_cell[axis];
    // Matches are told from the zero of the tile that was matched first.
    let offset = if is_first { 0 } else { (base(&there) - base(&here)) * i64::from(FIXED_ONE) };
    let (from, to) = if is_first { (found.a, found.b) } else { (found.b, found.a) };
    let interval = [found.start, found.end].map(|along| i64::from(along) + offset);
    let to = there.tile.reference(there.portals[to as usize].polygon);
    let portal = &here.portals[from as usize];
    let entry = here.tile.entry;
    let [left, right] = if interval == [i64::from(portal.start), i64::from(portal.end)] {
        // All of the portal, as nearly always. An edge ends on the left of one who leaves by it.
        let [right, left] = entry.edge_ends(portal.polygon, usize::from(portal.edge));
        [left, right]
    } else {
        clip(entry, portal, axis, interval, anchor)
    };
    SeamLink { to, portal: here.first + from, left, right }
}

/// The left and right end of the part of a portal between two positions along its side, in metres.
#[inline(never)]
fn clip(entry: &TileEntry, portal: &Portal, axis: usize, interval: [i64; 2], anchor: [f64; 3]) -> [Vec3; 2] {
    let (tile, here) = (&entry.tile, usize::from(portal.edge));
    let edges = tile.polygon_edges(&tile.polygons()[portal.polygon as usize]);
    let next = if here + 1 == edges.len() { 0 } else { here + 1 };
    let [from, end] = [here, next].map(|corner| tile.vertices()[edges[corner].vertex as usize]);
    let at = |along: i64| {
        let length = f64::from(portal.end) - f64::from(portal.start);
        let t = if length > 0.0 { (along as f64 - f64::from(portal.start)) / length } else { 0.0 };
        let (low, high) = (f64::from(portal.start_height), f64::from(portal.end_height));
        let mut fixed = from.map(f64::from);
        fixed[axis] = along as f64;
        fixed[1] = low + (high - low) * t;
        to_anchored(&entry.lattice, anchor, entry.place.base_cell, fixed)
    };
    let (low, high) = (at(interval[0]), at(interval[1]));
    // An edge ends on the left of one who leaves by it.
    if from[axis] < end[axis] { [high, low] } else { [low, high] }
}
