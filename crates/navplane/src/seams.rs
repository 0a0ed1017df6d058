//! Tile lines over noded edges: the tile that each edge is in, and the edges that close a tile along its
//! sides.
//!
//! Tiles are at multiples of their side, counted from the map's zero, like tiles of any other bake. Edges are
//! noded so that they meet the lines in corners only; an edge is then inside one tile, or along a line. The
//! winding numbers on either side of a line follow from the edges that end there: a sweep along the line
//! counts them. Each stretch of line between two corners becomes an edge of the tile on either side and
//! closes the rings that the line cut.
//!
//! Both sides get the same stretches, so their corners along the seam are the same integers.
//! Cost: O(n log n) for n edges and stretches.

use crate::error::Error;
use crate::exact::share;
use crate::grid::{Grid, Point};
use crate::segment::{Segment, Windings, wind};
use navmath::{FIXED_ONE, LimitError};
use navtile::limits::SIZE_LIMIT;

/// Most tiles along one side of a map, then in total.
const ROW_LIMIT: i64 = 1 << 12;
const TILE_LIMIT: i64 = 1 << 20;

/// Most tiles between a map and the world's zero.
const FAR_LIMIT: u64 = 1 << 30;

/// Column and row of a tile: x to the right, y upwards.
pub(crate) type TileIndex = [i32; 2];

/// The tile lines of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileLines {
    origin: [i64; 2],
    /// Side of a tile, in spacings.
    pub(crate) side: i32,
}

impl TileLines {
    /// TileLines `cells` cells of 256 spacings apart. Errors: tiles too small or too large.
    pub(crate) fn new(grid: &Grid, cells: u32) -> Result<TileLines, Error> {
        if !(1..=SIZE_LIMIT).contains(&cells) {
            return Err(Error::Settings(vec![navmath::FieldError {
                field: "tile_size".to_owned(),
                found: format!("{cells} cells"),
                expected: format!("1 to {SIZE_LIMIT} cells of {} m", grid.spacing * f64::from(FIXED_ONE)),
            }]));
        }
        // SIZE_LIMIT cells are COORD_LIMIT spacings.
        let lines = TileLines { origin: grid.origin, side: cells as i32 * FIXED_ONE };
        let far = [0, 1].map(|axis| lines.of(axis, 0).unsigned_abs()).into_iter().max().unwrap_or(0);
        let remedy = "choose larger tiles, or move the map nearer to zero";
        navmath::limit::check("tiles between a map and zero", far, FAR_LIMIT, remedy)?;
        let [columns, rows] = [0, 1].map(|axis| lines.of(axis, grid.size[axis]) - lines.of(axis, 0) + 1);
        let (value, limit) = match columns.max(rows) > ROW_LIMIT {
            true => (columns.max(rows), ROW_LIMIT),
            false => (columns * rows, TILE_LIMIT),
        };
        if value > limit {
            return Err(Error::Limit(LimitError {
                what: "tiles of a map, along a side or in total",
                value: value.unsigned_abs(),
                limit: limit.unsigned_abs(),
                remedy: "choose larger tiles",
            }));
        }
        Ok(lines)
    }

    /// The column or row of a coordinate. Coordinates on a line belong to the column or row that starts
    /// there.
    fn of(&self, axis: usize, at: i32) -> i64 {
        (self.origin[axis] + i64::from(at)).div_euclid(i64::from(self.side))
    }

    /// Start of a column, from the grid's origin. Columns are near the map, so the value fits.
    fn start(&self, axis: usize, column: i64) -> i32 {
        (column * i64::from(self.side) - self.origin[axis]) as i32
    }

    fn is_line(&self, axis: usize, at: i32) -> bool {
        (self.origin[axis] + i64::from(at)).rem_euclid(i64::from(self.side)) == 0
    }

    /// Adds the crossings of the segment `ab` with lines, rounded along the lines; halves are rounded up.
    pub(crate) fn crossings(&self, a: Point, b: Point, found: &mut Vec<Point>) {
        for axis in 0..2 {
            let (low, high) = if a[axis] <= b[axis] { (a, b) } else { (b, a) };
            let whole = i128::from(high[axis]) - i128::from(low[axis]);
            let along = i128::from(high[1 - axis]) - i128::from(low[1 - axis]);
            for line in self.of(axis, low[axis]) + 1..=self.of(axis, high[axis]) {
                let at = self.start(axis, line);
                if at >= high[axis] {
                    break;
                }
                let part = i128::from(at) - i128::from(low[axis]);
                let mut point = [at; 2];
                // The value is between the ends, so it fits.
                point[1 - axis] = (i128::from(low[1 - axis]) + share(along, part, whole)) as i32;
                found.push(point);
            }
        }
    }

    /// The grid of a tile.
    pub(crate) fn grid(&self, place: TileIndex, spacing: f64) -> Grid {
        let origin = place.map(|column| i64::from(column) * i64::from(self.side));
        Grid { spacing, origin, size: [self.side; 2] }
    }

    /// A segment in coordinates of a tile.
    fn within(&self, place: TileIndex, segment: Segment) -> Segment {
        let start = [0, 1].map(|axis| self.start(axis, i64::from(place[axis])));
        let moved = |point: Point| [point[0] - start[0], point[1] - start[1]];
        Segment { a: moved(segment.a), b: moved(segment.b), ..segment }
    }

    /// The edges of each tile that has any, sorted, closed along its sides; positions from the tile's corner.
    pub(crate) fn divide(&self, segments: &[Segment]) -> Result<Vec<(TileIndex, Vec<Segment>)>, Error> {
        let mut all: Vec<(TileIndex, Segment)> = Vec::with_capacity(segments.len() * 2);
        for segment in segments {
            let along =
                |axis: usize| segment.a[axis] == segment.b[axis] && self.is_line(axis, segment.a[axis]);
            if !along(0) && !along(1) {
                let place = [0, 1].map(|axis| self.of(axis, segment.a[axis].min(segment.b[axis])) as i32);
                all.push((place, self.within(place, *segment)));
            }
        }
        self.close(0, segments, &mut all)?;
        self.close(1, segments, &mut all)?;
        all.sort_unstable();
        let tiles = all.chunk_by(|one, other| one.0 == other.0);
        Ok(tiles.map(|tile| (tile[0].0, tile.iter().map(|(_, segment)| *segment).collect())).collect())
    }

    /// Adds the edges that close tiles along the lines with a constant `axis` coordinate.
    fn close(
        &self,
        axis: usize,
        segments: &[Segment],
        all: &mut Vec<(TileIndex, Segment)>,
    ) -> Result<(), Error> {
        let mut ends: Vec<End> = Vec::new();
        for segment in segments {
            for (here, there) in [(segment.a, segment.b), (segment.b, segment.a)] {
                if self.is_line(axis, here[axis]) {
                    let side = there[axis].cmp(&here[axis]);
                    // Forwards along an upright line, an edge that leads to the right is crossed from the
                    // right of its shape to the left. The other cases follow in the same way.
                    let rises = segment.b[axis] > segment.a[axis];
                    let more = if (axis == 0) == rises { segment.turns } else { -segment.turns };
                    let line = self.of(axis, here[axis]);
                    ends.push(End { line, at: here[1 - axis], shape: segment.shape, side, more });
                }
            }
        }
        ends.sort_unstable();
        for line in ends.chunk_by(|one, other| one.line == other.line) {
            self.close_line(axis, line, all)?;
        }
        Ok(())
    }

    /// Sweeps one line.
    fn close_line(
        &self,
        axis: usize,
        ends: &[End],
        all: &mut Vec<(TileIndex, Segment)>,
    ) -> Result<(), Error> {
        let [Some(first), Some(last)] = [ends.first(), ends.last()] else { return Ok(()) };
        let (line, at) = (first.line, self.start(axis, first.line));
        let across = 1 - axis;
        let mut stops: Vec<i32> = ends.iter().map(|end| end.at).collect();
        let corners = self.of(across, first.at) + 1..=self.of(across, last.at);
        stops.extend(corners.map(|line| self.start(across, line)));
        stops.sort_unstable();
        stops.dedup();
        let mut turns = [Windings::new(), Windings::new()];
        let mut rest = ends;
        for (number, &stop) in stops.iter().enumerate() {
            let here = rest.partition_point(|end| end.at <= stop);
            for end in &rest[..here] {
                let beside = match end.side {
                    std::cmp::Ordering::Less => &mut turns[0],
                    std::cmp::Ordering::Greater => &mut turns[1],
                    std::cmp::Ordering::Equal => continue,
                };
                wind(beside, end.shape, end.more);
            }
            rest = &rest[here..];
            let Some(&next) = stops.get(number + 1) else { continue };
            let point = |along: i32| if axis == 0 { [at, along] } else { [along, at] };
            for (beside, turns) in turns.iter().enumerate() {
                let mut place = [0; 2];
                place[axis] = (line - 1 + beside as i64) as i32;
                place[across] = self.of(across, stop) as i32;
                // At an upright line, the shape is to the right of the line in the tile beyond it, and to the
                // left in the tile before it. At a level line the sides are reversed.
                let sign = if (axis == 0) == (beside == 0) { 1 } else { -1 };
                for (&shape, &count) in turns {
                    let closing = Segment { a: point(stop), b: point(next), shape, turns: sign * count };
                    all.push((place, self.within(place, closing)));
                }
            }
        }
        match turns.iter().all(Windings::is_empty) {
            true => Ok(()),
            false => Err(Error::Broken("a ring that a tile line cuts is open")),
        }
    }
}

/// An end of an edge on a line; sorted along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    line: i64,
    /// Its position along the line.
    at: i32,
    shape: u32,
    /// The side of the line that the edge is on; `Equal` along the line.
    side: std::cmp::Ordering,
    /// Winding number of the shape after the edge minus the number before it, forwards along the line.
    more: i32,
}
