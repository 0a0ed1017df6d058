//! The crossings of a border between two clusters, from the tiles on both sides.
//!
//! ```text
//!     wall ▓▓▓    a stretch     ▓▓ another one     Portals that meet end to end form a stretch. It is cut
//!   ──────▓▓▓├──────●──────●───┤▓▓├──●──┤▓▓──      into equal parts, at most as long as the spacing, and
//!             portal │ portal   │                  each part has a crossing (●) in its middle.
//! ```
//!
//! The parts of a stretch touch: an agent can walk along the border from any of its places to any other, in
//! either cluster. So a path over the border that misses a crossing can be changed to one over the
//! crossing, for at most twice its distance along the border.

use crate::block::Crossing;
use crate::tiles::{TilePolygon, Tiles};
use navmath::FIXED_ONE;
use navtile::Tile;
use navtile::layout::{edge_kind, side};
use navtile::seam::match_portals;

/// A crossing, and the polygons on its two sides: the one of the cluster that has the border in its list, and
/// the one beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundCrossing {
    pub(crate) crossing: Crossing,
    pub(crate) polygons: [TilePolygon; 2],
}

/// The part of a border where two polygons meet.
#[derive(Clone, Copy)]
struct Meeting {
    /// Places along the border, 1/256 cell of the lattice.
    ends: [i64; 2],
    heights: [i64; 2],
    polygons: [TilePolygon; 2],
    /// Flags and areas of the two polygons.
    kinds: [(u32, u8); 2],
}

/// The row of tiles along one side of a cluster, and the row beyond.
pub(crate) struct BorderRows<'a, T: Tiles> {
    pub(crate) tiles: &'a T,
    /// The first tile column of the row, along x and z.
    pub(crate) first: [i32; 2],
    /// `side::X_MAX` or `side::Z_MAX`.
    pub(crate) side: u8,
    /// The number of tiles along it.
    pub(crate) count: i32,
    /// The place of the start, and the step of places, 1/256 cell.
    pub(crate) base: i64,
    pub(crate) step: i64,
}

impl<T: Tiles> BorderRows<'_, T> {
    /// The crossings, stretch by stretch. `spacing` is the largest distance of two crossings of a stretch,
    /// 1/256 cell.
    pub(crate) fn crossings(&self, spacing: i64) -> Result<Vec<FoundCrossing>, T::Error> {
        let mut own_rows: Vec<Vec<Tile>> = Vec::new();
        let mut other_rows: Vec<Vec<Tile>> = Vec::new();
        let mut meetings: Vec<Meeting> = Vec::new();
        let (dx, dz) = if self.side == side::X_MAX { (0, 1) } else { (1, 0) };
        for row in 0..self.count {
            let [x, z] = [self.first[0] + row * dx, self.first[1] + row * dz];
            let own = self.tiles.column(x, z)?;
            let other = if own.is_empty() { Vec::new() } else { self.tiles.column(x + dz, z + dx)? };
            for (ours, theirs) in own.iter().flat_map(|ours| other.iter().map(move |theirs| (ours, theirs))) {
                meet(ours, self.side, theirs, &mut meetings);
            }
            own_rows.push(own);
            other_rows.push(other);
        }
        meetings.sort_by_key(|meeting| (meeting.ends, meeting.heights, meeting.polygons));
        let along = if self.side == side::X_MAX { side::Z_MAX } else { side::X_MAX };
        let neighbours = [Neighbours::new(&own_rows, along), Neighbours::new(&other_rows, along)];
        let mut found = Vec::new();
        for stretch in stretches(&meetings, &neighbours) {
            self.cut(&stretch, spacing, &mut found);
        }
        Ok(found)
    }

    /// Cuts a stretch into equal parts and appends their crossings.
    fn cut(&self, stretch: &[Meeting], spacing: i64, found: &mut Vec<FoundCrossing>) {
        let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { return };
        let (start, length) = (first.ends[0], last.ends[1] - first.ends[0]);
        let parts = length.div_euclid(spacing.max(1)) + i64::from(length % spacing.max(1) != 0);
        let place = |twice: i64| start + length * twice / (2 * parts);
        for part in 0..parts {
            let [from, middle, to] = [2 * part, 2 * part + 1, 2 * part + 2].map(place);
            let along = (middle - self.base).div_euclid(self.step);
            let at = self.base + along * self.step;
            let over = stretch.iter().find(|meeting| middle < meeting.ends[1]).unwrap_or(last);
            let [a, b] = over.ends;
            let rise = over.heights[1] - over.heights[0];
            let height = over.heights[0] + rise * (middle - a) / (b - a).max(1);
            let reach = (at - from).abs().max((to - at).abs()).div_euclid(self.step) + 1;
            let crossing = Crossing {
                along: along.clamp(0, u16::MAX.into()) as u16,
                reach: reach.min(u16::MAX.into()) as u16,
                height: height.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            };
            found.push(FoundCrossing { crossing, polygons: over.polygons });
        }
    }
}

/// Lists the parts of a seam where polygons of two tiles meet.
fn meet(ours: &Tile, on: u8, theirs: &Tile, meetings: &mut Vec<Meeting>) {
    let axis = if on & 1 == 0 { 2 } else { 0 };
    let base = ours.header().base_cell;
    let [along, up] = [axis, 1].map(|axis: usize| base[axis] * i64::from(FIXED_ONE));
    for found in match_portals(ours, on, theirs) {
        let portal = &ours.portals()[found.a as usize];
        let polygons = [(ours, portal.polygon), (theirs, theirs.portals()[found.b as usize].polygon)];
        let (rise, run) = (portal.end_height - portal.start_height, portal.end - portal.start);
        let height = |at: i32| {
            let share = i64::from(at - portal.start) * i64::from(rise) / i64::from(run.max(1));
            up + i64::from(portal.start_height) + share
        };
        meetings.push(Meeting {
            ends: [found.start, found.end].map(|at| along + i64::from(at)),
            heights: [found.start, found.end].map(height),
            polygons: polygons.map(|(tile, polygon)| TilePolygon { tile: tile.coord(), polygon }),
            kinds: polygons.map(|(tile, polygon)| {
                let polygon = &tile.polygons()[polygon as usize];
                (polygon.flags, polygon.area)
            }),
        });
    }
}

/// Which polygons along one side of a border are linked.
struct Neighbours<'a> {
    rows: &'a [Vec<Tile>],
    /// The polygons that meet over the seams between the rows; sorted.
    pairs: Vec<[TilePolygon; 2]>,
}

impl<'a> Neighbours<'a> {
    fn new(rows: &'a [Vec<Tile>], along: u8) -> Neighbours<'a> {
        let mut pairs = Vec::new();
        for [row, next] in rows.array_windows() {
            for (one, two) in row.iter().flat_map(|one| next.iter().map(move |two| (one, two))) {
                pairs.extend(match_portals(one, along, two).iter().map(|found| {
                    let ends = [(one, found.a), (two, found.b)];
                    ends.map(|(tile, portal)| TilePolygon {
                        tile: tile.coord(),
                        polygon: tile.portals()[portal as usize].polygon,
                    })
                }));
            }
        }
        pairs.sort_unstable();
        Neighbours { rows, pairs }
    }

    /// Returns true if two polygons are one, or if a step leads from the first to the second.
    fn are_linked(&self, one: TilePolygon, two: TilePolygon) -> bool {
        if one.tile != two.tile {
            return self.pairs.binary_search(&[one, two]).is_ok();
        }
        let tile = self.rows.iter().flatten().find(|tile| tile.coord() == one.tile);
        let is_next = |tile: &Tile| {
            let edges = tile.polygon_edges(&tile.polygons()[one.polygon as usize]);
            edges.iter().any(|edge| edge.kind == edge_kind::INTERNAL && edge.neighbour == two.polygon)
        };
        one.polygon == two.polygon || tile.is_some_and(is_next)
    }
}

/// The stretches that sorted meetings form, in the order of their first ones.
fn stretches(meetings: &[Meeting], neighbours: &[Neighbours<'_>; 2]) -> Vec<Vec<Meeting>> {
    let continues = |one: &Meeting, two: &Meeting| {
        let are_linked = |at: usize| neighbours[at].are_linked(one.polygons[at], two.polygons[at]);
        one.ends[1] == two.ends[0] && one.kinds == two.kinds && are_linked(0) && are_linked(1)
    };
    let mut taken = vec![false; meetings.len()];
    let mut stretches = Vec::new();
    for first in 0..meetings.len() {
        if std::mem::replace(&mut taken[first], true) {
            continue;
        }
        let mut stretch = vec![meetings[first]];
        let mut last = first;
        loop {
            let start = meetings.partition_point(|meeting| meeting.ends[0] < meetings[last].ends[1]);
            let next = (start..meetings.len())
                .take_while(|&next| meetings[next].ends[0] == meetings[last].ends[1])
                .find(|&next| !taken[next] && continues(&meetings[last], &meetings[next]));
            let Some(next) = next else { break };
            taken[next] = true;
            stretch.push(meetings[next]);
            last = next;
        }
        stretches.push(stretch);
    }
    stretches
}
