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
/// One cell, 1/256 cell.
const ONE: i64 = FIXED_ONE as i64;

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

/// An edge. `i` counts steps along its longer axis: the columns with their centres between the ends. Lengths
/// are in 1/256 cell.
struct EdgeWalk {
    ends: [[i32; 3]; 2],
    /// 0 if x is the longer axis, 2 if z is.
    axis: usize,
    /// Length along the longer axis, and along the other axis with its sign.
    length: i64,
    rise: i64,
    /// Distance from the start to the middle of the first step.
    offset: i64,
    /// Number of steps.
    steps: i64,
    /// Number of equal parts between the places for vertices.
    parts: i64,
    along: Direction,
    up: Direction,
    down: Direction,
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A quotient, rounded to the nearest whole number.
fn divide_to_nearest(a: i64, b: i64) -> i64 {
    (2 * a + b).div_euclid(2 * b)
}

/// The number of equal parts between the places for vertices along an edge: at least one in each cell, and at
/// least two. Places are whole numbers of 1/256 cell on both axes, exactly on the edge, if it leads from one
/// corner of cells to another, or if many such places are on it; else they are rounded, two in each cell.
fn parts(length: i64, rise: i64) -> i64 {
    let (exact, many) = (gcd(length, rise.abs()), length / (ONE / 2) + 2);
    if exact % ONE != 0 && exact < many {
        return many;
    }
    let mut parts = exact;
    // Centres of cells on the edge are at odd halves of the stretches between corners of cells.
    while parts % 2 == 0 && parts > 2 && 2 * exact / parts < ONE && parts / 2 * ONE >= length {
        parts /= 2;
    }
    parts
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
        let offset = ONE - (step.signum() * (i64::from(ends[0][axis]) - ONE / 2)).rem_euclid(ONE);
        let steps = (length - offset + ONE - 1).div_euclid(ONE).max(0);
        let parts = parts(length, rise);
        let (along, up, down) = match (axis, step > 0) {
            (0, true) => (Direction::XMax, Direction::ZMax, Direction::ZMin),
            (0, false) => (Direction::XMin, Direction::ZMax, Direction::ZMin),
            (_, true) => (Direction::ZMax, Direction::XMax, Direction::XMin),
            (_, false) => (Direction::ZMin, Direction::XMax, Direction::XMin),
        };
        Some(EdgeWalk { ends, axis, length, rise, offset, steps, parts, along, up, down })
    }

    /// Distance from the start to the middle of step `i`.
    fn middle(&self, i: i64) -> i64 {
        self.offset + i * ONE
    }

    /// The column of step `i` with number `row` along the shorter axis.
    fn column(&self, i: i64, row: i64) -> [i32; 2] {
        let start = i64::from(self.ends[0][self.axis]);
        let middle = match self.along {
            Direction::XMax | Direction::ZMax => start + self.middle(i),
            Direction::XMin | Direction::ZMin => start - self.middle(i),
        };
        let (at, row) = (middle.div_euclid(ONE) as i32, row as i32);
        if self.axis == 0 { [at, row] } else { [row, at] }
    }

    /// The parts of a row, from the centres of one to those of the next.
    fn whole(&self) -> i64 {
        self.length * ONE
    }

    /// The row with its centres on the edge, or next below it, at step `i`; and the height of the edge above
    /// these, in parts of a row.
    fn row(&self, i: i64) -> (i64, i64) {
        let start = i64::from(self.ends[0][2 - self.axis]) - ONE / 2;
        let above = start * self.length + self.rise * self.middle(i);
        (above.div_euclid(self.whole()), above.rem_euclid(self.whole()))
    }

    /// The height of the straight line in the middle of step `i`, whole cells.
    fn height(&self, i: i64) -> i32 {
        let [from, to] = self.ends.map(|end| i64::from(end[1]));
        (from + (to - from) * self.middle(i) / self.length) as i32
    }

    /// The place for a vertex that is nearest to the middle of step `i`.
    fn nearest_place(&self, i: i64) -> i64 {
        divide_to_nearest(self.middle(i) * self.parts, self.length)
    }

    /// Distance of a place along the edge.
    fn distance(&self, place: i64) -> i64 {
        divide_to_nearest(self.length * place, self.parts)
    }

    fn vertex(&self, vertex: EdgeVertex) -> DetailVertex {
        let on = |axis: usize| {
            let (from, to) = (i64::from(self.ends[0][axis]), i64::from(self.ends[1][axis]));
            (from + divide_to_nearest((to - from) * vertex.place, self.parts)) as i32
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
        let end = |place: i64, end: usize| EdgeVertex { place, height: i64::from(ends[end][1]) * ONE };
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
        let whole = walk.whole();
        let (mut row, mut part) = walk.row(0);
        // The last known height of the ground.
        let mut height = walk.ends[0][1];
        let (mut lower, mut upper) = (None, None);
        let mut heights = *beside.regions.heights_at_corner(height).start()..=height + MERGED;
        for i in 0..walk.steps {
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
            // Exactly the lower floor's height if its centre is on the edge.
            let share = |rise: i64| if rise == 0 { 0 } else { part * ONE / whole * rise };
            self.ground.push(match (lower, upper) {
                (Some(lower), Some(upper)) => floor(lower) * ONE + share(floor(upper) - floor(lower)),
                (Some(span), None) | (None, Some(span)) => floor(span) * ONE,
                (None, None) => NONE,
            });
            if let Some(span) = lower.or(upper) {
                height = field.floor[span];
                heights = height - climb..=height + climb;
            }
            (lower, upper) = (step(lower, walk.along), step(upper, walk.along));
            part += walk.rise * ONE;
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
        let most = 2 * i64::from(climb) * ONE;
        let [from, to] = walk.ends.map(|end| i64::from(end[1]) * ONE);
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
            found.map_or(NONE, |floor| i64::from(floor) * ONE)
        };
        self.ground.clear();
        self.ground.extend((0..walk.steps).map(ground_at));
    }

    /// The step between two vertices with the greatest distance between ground and straight line, if it is
    /// greater than allowed and there is a place for a vertex.
    fn worst_between(&self, walk: &EdgeWalk, from: EdgeVertex, to: EdgeVertex, allowed: f64) -> Option<i64> {
        let (start, end) = (walk.distance(from.place), walk.distance(to.place));
        let slope = (to.height - from.height) as f64 / (end - start) as f64;
        // The steps with their middles between the two.
        let first = (start - walk.offset).div_euclid(ONE) + 1;
        let last = (end - walk.offset + ONE - 1).div_euclid(ONE);
        let (mut worst, mut found) = (allowed, None);
        for (i, ground) in (first..last).zip(&self.ground[first as usize..]) {
            let line = from.height as f64 + slope * (walk.middle(i) - start) as f64;
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
        let off = walk.distance(place) - walk.middle(step);
        let at = |step: i64| {
            let ground = usize::try_from(step).ok().and_then(|step| self.ground.get(step).copied());
            ground.filter(|&ground| ground != NONE)
        };
        let here = at(step).unwrap_or(0);
        let beside = at(step + off.signum()).unwrap_or(here);
        EdgeVertex { place, height: here + (beside - here) * off.abs() / ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::uneven;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn edges_follow_the_ground_wherever_their_ends_are(
            ends in prop::array::uniform2(prop::array::uniform2(FIXED_ONE..=15 * FIXED_ONE)),
            part in prop::sample::select(vec![1, 5, FIXED_ONE / 2, FIXED_ONE]),
            heights in prop::collection::vec(0..6i32, 256),
        ) {
            let ends @ [a, b] = ends.map(|end| end.map(|at| at / part * part));
            let ground = |x: i32, z: i32| heights[(x + 16 * z) as usize];
            let regions = uneven(16, ground);
            let beside =
                Beside { regions: &FloorLookup::new(&regions), own: &[RegionId::inner(1)], under: None };
            let (mut fitter, mut vertices) = (EdgeFitter::default(), Vec::new());
            let ends = ends.map(|[x, z]| [x, 5, z]);
            prop_assert!(fitter.fit(ends, &beside, 0.75, 1000, &mut vertices));
            let [along, across] = if (b[0] - a[0]).abs() >= (b[1] - a[1]).abs() { [0, 1] } else { [1, 0] };
            prop_assume!(a[along] != b[along]);
            // By definition: between the two floors across the edge, where it passes centres along it.
            let centres = (0..16).map(|cell| cell * FIXED_ONE + FIXED_ONE / 2);
            let passed = |at: &i32| (a[along].min(b[along]) + 1..a[along].max(b[along])).contains(at);
            let mut expected: Vec<(i32, i64)> = centres.filter(passed).map(|at| {
                let (length, away) = (i64::from(b[along] - a[along]), i64::from(at - a[along]));
                let row = i64::from(a[across] - FIXED_ONE / 2) * length + i64::from(b[across] - a[across]) * away;
                let (row, length) = (row * length.signum(), length.abs());
                let floor = |row: i64| {
                    let column = [at >> 8, row as i32];
                    i64::from(ground(column[along], column[across]))
                };
                let (below, share) = (row.div_euclid(length * ONE), row.rem_euclid(length * ONE) / length);
                (at, floor(below) * ONE + if share > 0 { share * (floor(below + 1) - floor(below)) } else { 0 })
            }).collect();
            if b[along] < a[along] {
                expected.reverse();
            }
            prop_assert_eq!(&fitter.ground, &expected.iter().map(|step| step.1).collect::<Vec<_>>());
            // Vertices are on the edge, to the nearest 1/256 cell, in order, and the ground is near enough to
            // the line: there are places for vertices within half a cell of each step.
            let mut line = vec![DetailVertex::corner(ends[0])];
            line.extend(&vertices);
            line.push(DetailVertex::corner(ends[1]));
            let distance = |at: i32| (i64::from(at) - i64::from(a[along])).abs() as f64;
            let length = distance(b[along]);
            for vertex in &line {
                let rise = f64::from(b[across] - a[across]) * distance(vertex.plan[along]) / length;
                let off = (f64::from(vertex.plan[across] - a[across]) - rise).abs();
                prop_assert!(off <= 1.0, "{off}");
            }
            for [from, to] in line.array_windows() {
                let [start, end] = [from, to].map(|vertex| distance(vertex.plan[along]));
                prop_assert!(start < end);
                let half = f64::from(FIXED_ONE / 2);
                let is_far = |step: &&(i32, i64)| (start + half..end - half).contains(&distance(step.0));
                for &(at, height) in expected.iter().filter(is_far) {
                    let part = (distance(at) - start) / (end - start);
                    let line = from.height + part * (to.height - from.height);
                    let off = (line - height as f64 / f64::from(FIXED_ONE)).abs();
                    prop_assert!(off <= 0.76, "{off} at {at}");
                }
            }
        }
    }
}
