//! Links across a seam: for an ordered pair of tiles, which polygon lies beyond each of the first one's portals,
//! and the part of the portal that the two share. Cost: a merge-join of the portals of the two sides.

use super::entry::{TileEntry, to_anchored};
use glam::Vec3;
use navmath::FIXED_ONE;
use navtile::TileCoord;
use navtile::layout::{Portal, side};
use navtile::seam::{Match, match_portals};
use std::ops::Range;
use std::sync::Arc;

/// A way through a portal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeamLink {
    /// The polygon beyond, in the neighbouring tile.
    pub(crate) polygon: u32,
    /// Ends of the shared part, at this side's heights, as seen on the way out.
    pub(crate) left: Vec3,
    pub(crate) right: Vec3,
}

/// All links from one tile to one neighbour.
#[derive(Debug)]
pub(crate) struct SeamLinks {
    /// Index of the side's first portal in the tile.
    first_portal: usize,
    /// For each portal of the side where its links start; one more for the end.
    starts: Vec<u32>,
    links: Vec<SeamLink>,
}

impl SeamLinks {
    /// Of tiles that share no opening.
    fn none() -> SeamLinks {
        SeamLinks { first_portal: 0, starts: Vec::new(), links: Vec::new() }
    }

    /// Whether no portal leads across. The links back are as many.
    pub(crate) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The links of a portal of the seam's side.
    #[inline]
    pub(crate) fn of_portal(&self, portal: u32) -> &[SeamLink] {
        let Some(row) = (portal as usize).checked_sub(self.first_portal) else { return &[] };
        match (self.starts.get(row), self.starts.get(row + 1)) {
            (Some(&start), Some(&end)) => &self.links[start as usize..end as usize],
            _ => &[],
        }
    }
}

impl SeamLinks {
    /// For every link the polygons on this side and beyond; `entry` is this side's tile.
    pub(crate) fn pairs<'a>(&'a self, entry: &'a TileEntry) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.starts.windows(2).enumerate().flat_map(move |(row, ends)| {
            let links = &self.links[ends[0] as usize..ends[1] as usize];
            let polygon = entry.tile.portals()[self.first_portal + row].polygon;
            links.iter().map(move |link| (polygon, link.polygon))
        })
    }
}

/// One side of a seam: the neighbour and the links to it.
#[derive(Clone, Debug)]
pub(crate) struct Seam {
    /// The side of this tile that the neighbour lies beyond.
    pub(crate) side: u8,
    pub(crate) neighbour: TileCoord,
    pub(crate) slot: u32,
    pub(crate) salt: u32,
    pub(crate) links: Arc<SeamLinks>,
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

/// The links from `a` over its side to `b`, and those back. Both come from one matching, so that every link has
/// its counterpart; the tile that stands first in canonical order is matched first, so that the order of loading
/// does not show.
pub(crate) fn link_pair(a: &TileEntry, a_side: u8, b: &TileEntry, anchor: [f64; 3]) -> [SeamLinks; 2] {
    let b_side = a_side ^ 2;
    if b.tile.coord() < a.tile.coord() {
        let [back, forth] = link_pair(b, b_side, a, anchor);
        return [forth, back];
    }
    let matches = match_portals(&a.tile, a_side, &b.tile);
    if matches.is_empty() {
        return [SeamLinks::none(), SeamLinks::none()];
    }
    // Along an x side runs z, and the other way round.
    let axis = if a_side & 1 == 0 { 2 } else { 0 };
    let base = |entry: &TileEntry| entry.tile.header().base_cell[axis];
    let offset = (base(a) - base(b)) * i64::from(FIXED_ONE);
    let link = |entry: &TileEntry, here: u32, beyond: &Portal, interval| {
        (here, clip(entry, &entry.tile.portals()[here as usize], interval, beyond.polygon, anchor))
    };
    let mut forth: Vec<(u32, SeamLink)> = Vec::with_capacity(matches.len());
    let mut back = Vec::with_capacity(matches.len());
    for Match { a: portal_a, b: portal_b, start, end } in matches {
        let interval = [i64::from(start), i64::from(end)];
        forth.push(link(a, portal_a, &b.tile.portals()[portal_b as usize], interval));
        let interval = interval.map(|along| along + offset);
        back.push(link(b, portal_b, &a.tile.portals()[portal_a as usize], interval));
    }
    [gather(forth, &a.portals[usize::from(a_side)]), gather(back, &b.portals[usize::from(b_side)])]
}

/// The part of a portal between two positions along it, in metres.
fn clip(entry: &TileEntry, portal: &Portal, interval: [i64; 2], beyond: u32, anchor: [f64; 3]) -> SeamLink {
    let (tile, axis) = (&entry.tile, if portal.side & 1 == 0 { 2 } else { 0 });
    let edges = tile.polygon_edges(&tile.polygons()[portal.polygon as usize]);
    let here = usize::from(portal.edge);
    let next = if here + 1 == edges.len() { 0 } else { here + 1 };
    let (from, to) = (edges[here].vertex as usize, edges[next].vertex as usize);
    if interval == [i64::from(portal.start), i64::from(portal.end)] {
        // All of the portal, as nearly always. An edge ends on the left of one who leaves by it.
        return SeamLink { polygon: beyond, left: entry.vertices[to], right: entry.vertices[from] };
    }
    let (from, to) = (tile.vertices()[from], tile.vertices()[to]);
    let at = |along: i64| {
        let length = f64::from(portal.end) - f64::from(portal.start);
        let t = if length > 0.0 { (along as f64 - f64::from(portal.start)) / length } else { 0.0 };
        let (low, high) = (f64::from(portal.start_height), f64::from(portal.end_height));
        let mut fixed = from.map(f64::from);
        fixed[axis] = along as f64;
        fixed[1] = low + (high - low) * t;
        to_anchored(&tile.lattice(), anchor, tile.header().base_cell, fixed)
    };
    let (start, end) = (at(interval[0]), at(interval[1]));
    // An edge ends on the left of one who leaves by it.
    let (left, right) = if from[axis] < to[axis] { (end, start) } else { (start, end) };
    SeamLink { polygon: beyond, left, right }
}

fn gather(mut rows: Vec<(u32, SeamLink)>, portals: &Range<usize>) -> SeamLinks {
    rows.sort_by_key(|(portal, link)| (*portal, link.polygon));
    let mut starts = Vec::with_capacity(portals.len() + 1);
    let mut links = Vec::with_capacity(rows.len());
    for (portal, link) in rows {
        while starts.len() + portals.start <= portal as usize {
            starts.push(links.len() as u32);
        }
        links.push(link);
    }
    starts.resize(portals.len() + 1, links.len() as u32);
    SeamLinks { first_portal: portals.start, starts, links }
}
