//! The vertices along edges of polygons, added where the ground next to an edge leaves the straight line.
//! Each edge is examined once, and both polygons keep the result.
//!
//! ```text
//!   upper   .  u  u  u  u        u, l: the centres of cells above and below the edge
//!   edge    a -------------- b   the ground on the edge is between the two, by how near they are
//!   lower   .  l  l  l  l
//! ```
//!
//! A walk from one end follows the floors in the two rows of cells next to the edge, from each floor to the
//! next connected one. It stays on their storey: a floor of the polygons' regions that is too far above or
//! below is on another turn of a spiral, unless there is no other floor. If the floors end, the walk
//! continues from the floors nearest to the edge's line. If the walk leads from one storey to another, the
//! floors under a polygon of the edge count instead, except at a seam. Nothing else is needed, so both tiles
//! at a seam, which have the same floors next to it, find the same vertices there.
//! Cost: O(cells along the edge), and once more for each halving of the stretches between vertices.
//! Source: the choice of vertices, D. Douglas and T. Peucker (1973), in height.

use super::floors_under::FloorPatch;
use crate::data::floor_lookup::FloorLookup;
use crate::data::{Direction, RegionId};
use crate::meshing::delaunay::DetailVertex;
use navmath::FIXED_ONE;
use std::ops::RangeInclusive;

/// A corner may be this much lower than the floors that gave it its height: corners nearly at the same place
/// are merged.
const MERGED: i32 = 2;
/// There are at most 256 places for vertices along an edge in each stretch between whole cells, so that they
/// are whole numbers of 1/256 cell on both axes, exactly on the edge.
const MOST_PARTS: i64 = 128;

/// Represents ground of unknown height.
const NONE: i64 = i64::MIN;

/// Finds the vertices of one edge at a time.
#[derive(Default)]
pub(crate) struct EdgeFitter {
    /// The ground along the edge by steps of the walk, 1/256 cell; [`NONE`] if there is no ground.
    ground: Vec<i64>,
    /// Vertices that come after the vertex found last.
    open: Vec<EdgeVertex>,
}

/// The floors next to an edge.
pub(crate) struct Beside<'a> {
    pub(crate) regions: &'a FloorLookup<'a>,
    /// The regions of the polygons. Empty at a seam, because the other tile has other regions.
    pub(crate) own: &'a [RegionId],
    /// The floors under a polygon of the edge, if it is uneven.
    pub(crate) under: Option<&'a FloorPatch>,
}

impl Beside<'_> {
    #[inline]
    fn is_own(&self, span: Option<usize>) -> bool {
        span.is_some_and(|span| self.own.is_empty() || self.own.contains(&self.regions.region[span]))
    }

    /// The floor of a column that belongs to the regions; of several, the nearest to a height.
    fn own(&self, column: [i32; 2], height: i32) -> Option<usize> {
        if self.own.is_empty() {
            return None;
        }
        self.regions.own_of(self.regions.column_at(column), self.own, height)
    }

    /// The floors of a column that steps from floors of the regions lead to.
    fn led_to(&self, [x, z]: [i32; 2], height: i32) -> impl Iterator<Item = usize> {
        Direction::ALL.into_iter().filter_map(move |towards| {
            let (dx, dz) = towards.offset();
            self.regions.field.neighbour(self.own([x + dx, z + dz], height)?, towards.next().next())
        })
    }

    /// A floor of a column that a step from a floor of the regions leads to.
    fn beside_own(&self, column: [i32; 2], height: i32) -> Option<usize> {
        self.led_to(column, height).next()
    }

    /// The floor of a column that belongs to the regions. A region may pass itself on another storey: if its
    /// floor is out of a range of heights, it is replaced by a nearer floor that a step from floors of the
    /// regions leads to.
    fn own_storey(&self, column: [i32; 2], height: i32, heights: &RangeInclusive<i32>) -> Option<usize> {
        let own = self.own(column, height)?;
        let floor = |span: usize| self.regions.field.floor[span];
        if heights.contains(&floor(own)) {
            return Some(own);
        }
        let candidates = std::iter::once(own).chain(self.led_to(column, height));
        candidates.min_by_key(|&span| (floor(span) - height).abs())
    }

    /// Like `own_storey`, but only within the range, so that the floor is on the storey of the walk.
    fn own_within(&self, column: [i32; 2], height: i32, heights: &RangeInclusive<i32>) -> Option<usize> {
        let own = self.own_storey(column, height, heights)?;
        heights.contains(&self.regions.field.floor[own]).then_some(own)
    }

    /// Keeps two neighbouring floors if they are on one storey; if they are too far apart for that, only the
    /// floor nearer to a height.
    fn on_one_storey(
        &self,
        lower: Option<usize>,
        upper: Option<usize>,
        height: i32,
    ) -> (Option<usize>, Option<usize>) {
        let field = &self.regions.field;
        match [lower, upper].map(|span| span.map(|span| field.floor[span])) {
            [Some(a), Some(b)] if (a - b).abs() > field.walkable_climb => {
                if (b - height).abs() < (a - height).abs() { (None, upper) } else { (lower, None) }
            }
            _ => (lower, upper),
        }
    }

    /// The floor of a column that polygons of the regions represent: their own, else a floor that it leads
    /// to.
    fn under(&self, column: [i32; 2], height: i32, heights: &RangeInclusive<i32>) -> Option<usize> {
        self.own_storey(column, height, heights).or_else(|| self.beside_own(column, height))
    }

    /// A floor of a column to start from: a floor that a step from the regions leads to, else the floor
    /// nearest to the range between the last known height of the ground and the edge's own line.
    fn find(&self, column: [i32; 2], height: i32, line: i32) -> Option<usize> {
        let near = || self.regions.floor_near(column, [height, line], self.regions.field.walkable_climb);
        self.beside_own(column, height).or_else(near)
    }
}

/// A place for a vertex: its number along the edge, and its height, 1/256 cell.
#[derive(Clone, Copy, PartialEq)]
struct EdgeVertex {
    place: i64,
    height: i64,
}

/// An edge in whole cells. `i` counts steps along its longer axis.
struct EdgeWalk {
    ends: [[i32; 3]; 2],
    /// 0 if x is the longer axis, 2 if z is.
    axis: usize,
    /// Cells along the longer axis, and along the other axis with their sign.
    length: i64,
    rise: i64,
    /// Number of equal parts between the places for vertices.
    parts: i64,
    along: Direction,
    up: Direction,
    down: Direction,
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl EdgeWalk {
    /// `None` for an edge without a length.
    fn new(ends: [[i32; 3]; 2]) -> Option<EdgeWalk> {
        let [dx, dz] = [0, 2].map(|axis| i64::from(ends[1][axis]) - i64::from(ends[0][axis]));
        let axis = if dx.abs() >= dz.abs() { 0 } else { 2 };
        let (step, rise) = if axis == 0 { (dx, dz) } else { (dz, dx) };
        if step == 0 {
            return None;
        }
        let length = step.abs();
        let common = gcd(length, rise.abs());
        // Centres of cells on the edge are at odd halves of the stretches between whole cells.
        let mut halves = 1;
        while halves < MOST_PARTS && length / common > 2 * halves {
            halves *= 2;
        }
        let (along, up, down) = match (axis, step > 0) {
            (0, true) => (Direction::XMax, Direction::ZMax, Direction::ZMin),
            (0, false) => (Direction::XMin, Direction::ZMax, Direction::ZMin),
            (_, true) => (Direction::ZMax, Direction::XMax, Direction::XMin),
            (_, false) => (Direction::ZMin, Direction::XMax, Direction::XMin),
        };
        Some(EdgeWalk { ends, axis, length, rise, parts: 2 * common * halves, along, up, down })
    }

    /// The column of step `i` with number `row` along the shorter axis.
    fn column(&self, i: i64, row: i64) -> [i32; 2] {
        let start = i64::from(self.ends[0][self.axis]);
        let at = match self.along {
            Direction::XMax | Direction::ZMax => start + i,
            Direction::XMin | Direction::ZMin => start - 1 - i,
        } as i32;
        if self.axis == 0 { [at, row as i32] } else { [row as i32, at] }
    }

    /// The row with its centres on the edge, or next below it, at step `i`; and the height of the edge above
    /// these, in parts of twice the length.
    fn row(&self, i: i64) -> (i64, i64) {
        // The edge is `(rise * (2i + 1) - length) / 2 length` rows above the centres of row 0.
        let (whole, part) = (2 * self.length, self.rise * (2 * i + 1) - self.length);
        let first = i64::from(self.ends[0][2 - self.axis]);
        (first + part.div_euclid(whole), part.rem_euclid(whole))
    }

    /// The height of the straight line in the middle of step `i`, whole cells.
    fn height(&self, i: i64) -> i32 {
        let [from, to] = self.ends.map(|end| i64::from(end[1]));
        (from + (to - from) * (2 * i + 1) / (2 * self.length)) as i32
    }

    /// The place for a vertex that is nearest to the middle of step `i`.
    fn nearest_place(&self, i: i64) -> i64 {
        ((2 * i + 1) * self.parts + self.length) / (2 * self.length)
    }

    /// Distance of a place along the edge, 1/256 cell.
    fn distance(&self, place: i64) -> i64 {
        self.length * i64::from(FIXED_ONE) * place / self.parts
    }

    fn vertex(&self, vertex: EdgeVertex) -> DetailVertex {
        let on = |axis: usize| {
            let (from, to) = (i64::from(self.ends[0][axis]), i64::from(self.ends[1][axis]));
            (from * i64::from(FIXED_ONE) + (to - from) * i64::from(FIXED_ONE) * vertex.place / self.parts)
                as i32
        };
        DetailVertex { plan: [on(0), on(2)], height: vertex.height as f64 / f64::from(FIXED_ONE) }
    }
}

impl EdgeFitter {
    /// Adds the vertices of an edge to a list, at most `most`, so that the ground along it is at most
    /// `allowed` cells away in height. The order of the ends does not depend on the polygon, and neither do
    /// the vertices. Returns true if that was enough.
    pub(crate) fn fit(
        &mut self,
        ends: [[i32; 3]; 2],
        beside: &Beside<'_>,
        allowed: f64,
        most: usize,
        vertices: &mut Vec<DetailVertex>,
    ) -> bool {
        let Some(walk) = EdgeWalk::new(ends) else { return true };
        self.follow(&walk, beside);
        if let Some(under) =
            beside.under.filter(|_| self.has_break(&walk, beside.regions.field.walkable_climb))
        {
            self.follow_under(&walk, under);
        }
        let one = i64::from(FIXED_ONE);
        let end = |place: i64, end: usize| EdgeVertex { place, height: i64::from(ends[end][1]) * one };
        let (mut from, last) = (end(0, 0), end(walk.parts, 1));
        let allowed = allowed * f64::from(FIXED_ONE);
        let limit = vertices.len() + most;
        self.open.clear();
        self.open.push(last);
        let mut enough = true;
        while let Some(&to) = self.open.last() {
            let worst = self.worst_between(&walk, from, to, allowed);
            let room = vertices.len() + self.open.len() <= limit;
            enough &= worst.is_none() || room;
            match worst {
                Some(step) if room => self.open.push(self.vertex_near(&walk, step)),
                _ => {
                    self.open.pop();
                    from = to;
                    if to != last {
                        vertices.push(walk.vertex(to));
                    }
                }
            }
        }
        enough
    }

    /// Finds the ground along the edge.
    fn follow(&mut self, walk: &EdgeWalk, beside: &Beside<'_>) {
        self.ground.clear();
        let field = &beside.regions.field;
        let climb = field.walkable_climb;
        let step = |span: Option<usize>, direction: Direction| {
            span.and_then(|span| field.neighbour(span, direction))
        };
        let whole = 2 * walk.length;
        let (mut row, mut part) = walk.row(0);
        // The last known height of the ground.
        let mut height = walk.ends[0][1];
        let (mut lower, mut upper) = (None, None);
        let mut heights = *beside.regions.heights_at_corner(height).start()..=height + MERGED;
        for i in 0..walk.length {
            let column = |row: i64| walk.column(i, row);
            let own = |row: i64| beside.own_within(column(row), height, &heights);
            let is_own = [beside.is_own(lower), beside.is_own(upper)];
            if !is_own[0] {
                // Floors that the regions' floors lead to come before floors that the walk reached.
                lower = step(upper.filter(|_| is_own[1]), walk.down).or(lower);
                lower = if beside.is_own(lower) { lower } else { own(row).or(lower) };
            }
            if !is_own[1] {
                upper = step(lower.filter(|_| beside.is_own(lower)), walk.up).or(upper);
                upper = if beside.is_own(upper) { upper } else { own(row + 1).or(upper) };
            }
            if lower.is_none() && upper.is_none() {
                // The storey ends here: the regions continue at the foot of a cliff, or on top of one.
                lower = beside.own_storey(column(row), height, &heights);
                upper = step(lower, walk.up).or_else(|| beside.own_storey(column(row + 1), height, &heights));
                (lower, upper) = beside.on_one_storey(lower, upper, height);
            }
            if lower.is_none() && upper.is_none() {
                let line = walk.height(i);
                lower = beside.find(column(row), height, line);
                upper = step(lower, walk.up).or_else(|| beside.find(column(row + 1), height, line));
            }
            if part == 0 && !beside.is_own(lower) {
                // The centre of this floor is on the edge, so it belongs to the polygons.
                lower = beside.under(column(row), height, &heights).or(lower);
            }
            lower = lower.or_else(|| step(upper, walk.down));
            let floor = |span: usize| i64::from(field.floor[span]);
            let one = i64::from(FIXED_ONE);
            // Exactly the lower floor's height if its centre is on the edge.
            let share = |rise: i64| if rise == 0 { 0 } else { part * one / whole * rise };
            self.ground.push(match (lower, upper) {
                (Some(lower), Some(upper)) => floor(lower) * one + share(floor(upper) - floor(lower)),
                (Some(span), None) | (None, Some(span)) => floor(span) * one,
                (None, None) => NONE,
            });
            if let Some(span) = lower.or(upper) {
                height = field.floor[span];
                heights = height - climb..=height + climb;
            }
            (lower, upper) = (step(lower, walk.along), step(upper, walk.along));
            part += 2 * walk.rise;
            if part >= whole {
                (part, row) = (part - whole, row + 1);
                lower = upper.or_else(|| step(lower, walk.up));
                upper = step(lower, walk.up);
            } else if part < 0 {
                (part, row) = (part + whole, row - 1);
                upper = lower.or_else(|| step(upper, walk.down));
                lower = step(upper, walk.down);
            }
        }
    }

    /// Returns true if the ground along the edge changes by more than two steps at once, along and across:
    /// there are several storeys.
    fn has_break(&self, walk: &EdgeWalk, climb: i32) -> bool {
        let most = 2 * i64::from(climb) * i64::from(FIXED_ONE);
        let [from, to] = walk.ends.map(|end| i64::from(end[1]) * i64::from(FIXED_ONE));
        let known = self.ground.iter().copied().filter(|&ground| ground != NONE);
        let mut last = from;
        known.chain([to]).any(|ground| (std::mem::replace(&mut last, ground) - ground).abs() > most)
    }

    /// Replaces the ground along the edge by the ground under its polygon, which is on the polygon's storey.
    fn follow_under(&mut self, walk: &EdgeWalk, under: &FloorPatch) {
        let ground_at = |i: i64| {
            let (row, part) = walk.row(i);
            let upper = if part == 0 { None } else { under.floor_at(walk.column(i, row + 1)) };
            let found = under.floor_at(walk.column(i, row)).or(upper);
            found.map_or(NONE, |floor| i64::from(floor) * i64::from(FIXED_ONE))
        };
        self.ground.clear();
        self.ground.extend((0..walk.length).map(ground_at));
    }

    /// The step between two vertices with the greatest distance between ground and straight line, if it is
    /// greater than allowed and there is a place for a vertex.
    fn worst_between(&self, walk: &EdgeWalk, from: EdgeVertex, to: EdgeVertex, allowed: f64) -> Option<i64> {
        let (start, end) = (walk.distance(from.place), walk.distance(to.place));
        let slope = (to.height - from.height) as f64 / (end - start) as f64;
        let one = i64::from(FIXED_ONE);
        let (first, last) = ((start + one / 2) / one, (end + one / 2 - 1) / one);
        let (mut worst, mut found) = (allowed, None);
        for (i, ground) in (first..last).zip(&self.ground[first as usize..]) {
            let line = from.height as f64 + slope * (i * one + one / 2 - start) as f64;
            let distance = (line - *ground as f64).abs();
            if distance > worst && *ground != NONE {
                let place = walk.nearest_place(i);
                if place > from.place && place < to.place {
                    (worst, found) = (distance, Some(i));
                }
            }
        }
        found
    }

    /// The vertex nearest to the middle of a step, at the height of the ground there.
    fn vertex_near(&self, walk: &EdgeWalk, step: i64) -> EdgeVertex {
        let place = walk.nearest_place(step);
        let one = i64::from(FIXED_ONE);
        let off = walk.distance(place) - step * one - one / 2;
        let at = |step: i64| {
            let ground = usize::try_from(step).ok().and_then(|step| self.ground.get(step).copied());
            ground.filter(|&ground| ground != NONE)
        };
        let here = at(step).unwrap_or(0);
        let beside = at(step + off.signum()).unwrap_or(here);
        EdgeVertex { place, height: here + (beside - here) * off.abs() / one }
    }
}
