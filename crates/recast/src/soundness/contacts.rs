//! Simplifies chains less wherever they would meet, until they meet only at their ends and each is on the
//! same side of all others as it was traced: floors that were apart stay apart, and floors that were
//! connected stay connected.
//!
//! After A. Saalfeld, Topologically Consistent Line Simplification with the Douglas-Peucker Algorithm (1999).
//! Cost: O(corners log corners) if chains are near only a few others.

use crate::data::Grid;
use crate::data::chain::{Chain, ChainCorner, ChainEdge};
use crate::meshing::box_tree::{PlanBox, bounds, overlap};
use navmath::predicates::{Point, area2, between, cross_properly, distance_squared};
use navmath::{FIXED_ONE, FIXED_SHIFT};

/// Side of a bucket, 8 cells, as a power of two in 1/256 cell: few edges are much longer, and few buckets
/// hold more than a few edges.
const BUCKET_BITS: u32 = FIXED_SHIFT + 3;

/// Marks the end of a bucket's list.
const NONE: u32 = u32::MAX;

/// Scratch memory.
#[derive(Default)]
pub(crate) struct Buffers {
    /// The last entry of each bucket.
    buckets: Vec<u32>,
    /// Edges, each with the previous entry of its bucket.
    entries: Vec<(u32, u32)>,
    /// Edges to examine.
    queue: Vec<u32>,
    /// The smallest and largest x between an edge and its chain, by rows of buckets.
    rows: Vec<[i32; 2]>,
    sliver: Sliver,
}

/// The ground between an edge and its chain.
#[derive(Default)]
struct Sliver {
    bounds: PlanBox,
    /// True if the list below belongs to this sliver.
    known: bool,
    /// The segments of the chain in each row of cells: the row, and the corner of the chain where the segment
    /// starts. Sorted.
    segments: Vec<[i32; 2]>,
}

/// Keeps more corners of the chains with these edges, until no two of them meet. `climb` is the greatest
/// difference in height between two floors if one leads to the other: chains without a common region that are
/// further apart belong to different storeys.
pub(crate) fn separate(
    (corners, list): (&mut [ChainCorner], &[Chain]),
    edges: &mut Vec<ChainEdge>,
    grid: &Grid,
    climb: i32,
    buffers: &mut Buffers,
) {
    let [columns, rows] =
        [grid.width, grid.depth].map(|cells| ((cells as i32 * FIXED_ONE) >> BUCKET_BITS) + 1);
    let Buffers { buckets, entries, queue, rows: spread, sliver } = buffers;
    entries.clear();
    queue.clear();
    buckets.clear();
    buckets.resize(columns as usize * rows as usize, NONE);
    spread.clear();
    spread.resize(rows as usize, [i32::MAX, i32::MIN]);
    let mut contacts =
        Contacts { corners, list, climb, columns, edges, buckets, entries, queue, spread, sliver };
    contacts.start();
    while let Some(edge) = contacts.queue.pop() {
        if !contacts.edges[edge as usize].gone
            && let Some(other) = contacts.find(edge)
        {
            if other != edge {
                contacts.queue.push(edge);
            }
            contacts.split(other);
        }
    }
}

struct Contacts<'a> {
    corners: &'a mut [ChainCorner],
    list: &'a [Chain],
    climb: i32,
    /// Buckets in a row.
    columns: i32,
    edges: &'a mut Vec<ChainEdge>,
    buckets: &'a mut [u32],
    entries: &'a mut Vec<(u32, u32)>,
    queue: &'a mut Vec<u32>,
    spread: &'a mut [[i32; 2]],
    sliver: &'a mut Sliver,
}

impl Contacts<'_> {
    /// Enters all edges, and queues the edges that differ from the traced chain: the others cannot meet
    /// anything by themselves.
    fn start(&mut self) {
        for index in 0..self.edges.len() as u32 {
            self.enter(index);
        }
        let edges = &*self.edges;
        let differs = |&index: &u32| edges[index as usize].worst.is_some();
        self.queue.extend((0..edges.len() as u32).rev().filter(differs));
    }

    /// Enters an edge into its buckets.
    fn enter(&mut self, index: u32) {
        let ChainEdge { from, to, .. } = self.edges[index as usize];
        let (a, b) = (self.corners[from].plan, self.corners[to].plan);
        if a != b {
            let (columns, buckets, entries) = (self.columns, &mut *self.buckets, &mut *self.entries);
            for_rows(a, b, |row, [low, high]| {
                for column in low >> BUCKET_BITS..=high >> BUCKET_BITS {
                    let last = &mut buckets[(row * columns + column) as usize];
                    entries.push((index, std::mem::replace(last, entries.len() as u32)));
                }
            });
        }
    }

    /// Replaces an edge by two, which meet at the corner that is furthest from it.
    fn split(&mut self, edge: u32) {
        let ChainEdge { chain, from, to, worst, .. } = self.edges[edge as usize];
        let Some((_, middle)) = worst else { return };
        self.edges[edge as usize].gone = true;
        self.corners[middle].kept = true;
        for [from, to] in [[from, middle], [middle, to]] {
            let half = self.edges.len() as u32;
            self.edges.push(ChainEdge::new(chain, self.corners, from, to));
            self.enter(half);
            self.queue.push(half);
        }
    }

    /// The edge to split because of the first contact found, if there is one: the edge that is further from
    /// its chain.
    fn find(&mut self, index: u32) -> Option<u32> {
        let edge = self.edges[index as usize];
        let (a, b) = (self.corners[edge.from].plan, self.corners[edge.to].plan);
        let chain = &self.corners[edge.from..=edge.to];
        self.sliver.start(chain);
        let (first, last) =
            (self.sliver.bounds[0][1] >> BUCKET_BITS, self.sliver.bounds[1][1] >> BUCKET_BITS);
        for row in &mut self.spread[first as usize..=last as usize] {
            *row = [i32::MAX, i32::MIN];
        }
        let spread = &mut *self.spread;
        let mut widen = |row: i32, [low, high]: [i32; 2]| {
            let range = &mut spread[row as usize];
            *range = [range[0].min(low), range[1].max(high)];
        };
        for_rows(a, b, &mut widen);
        if edge.worst.is_some() {
            chain.iter().for_each(|corner| widen(corner.plan[1] >> BUCKET_BITS, [corner.plan[0]; 2]));
        }
        for row in first..=last {
            let [low, high] = self.spread[row as usize];
            for column in low >> BUCKET_BITS..=high >> BUCKET_BITS {
                let mut entry = self.buckets[(row * self.columns + column) as usize];
                while let Some(&(other, before)) = self.entries.get(entry as usize) {
                    entry = before;
                    if let Some(split) = self.judge(index, other) {
                        return Some(split);
                    }
                }
            }
        }
        None
    }

    /// The edge to split, if two edges meet or the second one starts between the first one and its chain.
    fn judge(&mut self, index: u32, other_index: u32) -> Option<u32> {
        let (edge, other) = (self.edges[index as usize], self.edges[other_index as usize]);
        if other.gone || index == other_index {
            return None;
        }
        let [c, d] = [&self.corners[other.from], &self.corners[other.to]];
        if !self.sliver.may_touch(c.plan, d.plan) {
            return None;
        }
        let [a, b, c, d] = [self.corners[edge.from], self.corners[edge.to], *c, *d];
        let deviation = |edge: &ChainEdge| edge.worst.map_or(0.0, |(distance, _)| distance);
        let is_contact = (edge.worst.is_some() || other.worst.is_some())
            && !((a.plan, b.plan) == (d.plan, c.plan) && self.is_slit(&edge, &other))
            && contact([a, b], [c, d]).is_some_and(|heights| self.is_near(&edge, &other, heights));
        if is_contact {
            return Some(if deviation(&other) > deviation(&edge) { other_index } else { index });
        }
        let chain = &self.corners[edge.from..=edge.to];
        let enclosed = edge.worst.is_some()
            && [c, d].iter().any(|corner| self.sliver.may_hold(corner.plan))
            && self.sliver.learn(chain)
            && [c, d].iter().any(|corner| {
                self.sliver.holds(corner.plan, chain)
                    && self.is_near(&edge, &other, [height_at(a, b, corner.plan), f64::from(corner.height)])
            });
        enclosed.then_some(index)
    }

    /// Returns true if two edges with the same ends are allowed to overlap: edges of a hole that vanishes, or
    /// of a slit, along which an outline leads out and back.
    fn is_slit(&self, edge: &ChainEdge, other: &ChainEdge) -> bool {
        let vanishes = edge.chain == other.chain && self.list[edge.chain as usize].may_vanish;
        let traced = |edge: &ChainEdge| self.corners[edge.from..=edge.to].iter().map(|corner| corner.plan);
        vanishes || traced(edge).eq(traced(other).rev())
    }

    /// Returns true if two edges are on one storey: they have a region in common, or a step leads from one to
    /// the other where they meet.
    fn is_near(&self, edge: &ChainEdge, other: &ChainEdge, heights: [f64; 2]) -> bool {
        let [own, theirs] = [edge, other].map(|edge| self.list[edge.chain as usize].regions);
        own.iter().any(|region| region.is_inner() && theirs.contains(region))
            || (heights[0] - heights[1]).abs() <= f64::from(self.climb)
    }
}

/// The height of an edge at its point nearest to a place.
fn height_at(a: ChainCorner, b: ChainCorner, place: Point) -> f64 {
    let vector = |from: Point, to: Point| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]));
    let (along, aside) = (vector(a.plan, b.plan), vector(a.plan, place));
    let dot = along[0] * aside[0] + along[1] * aside[1];
    let squared = distance_squared(a.plan, b.plan);
    let part = if squared > 0 { (dot as f64 / squared as f64).clamp(0.0, 1.0) } else { 0.0 };
    f64::from(a.height) + part * f64::from(b.height - a.height)
}

/// The heights of two edges at a place where they meet, unless it is a corner of both.
fn contact([a, b]: [ChainCorner; 2], [c, d]: [ChainCorner; 2]) -> Option<[f64; 2]> {
    if !overlap(&bounds([a.plan, b.plan]), &bounds([c.plan, d.plan])) {
        return None;
    }
    if cross_properly(a.plan, b.plan, c.plan, d.plan) {
        let (from, to) = (area2(c.plan, d.plan, a.plan) as f64, area2(c.plan, d.plan, b.plan) as f64);
        let part = from / (from - to);
        let (from, to) = (area2(a.plan, b.plan, c.plan) as f64, area2(a.plan, b.plan, d.plan) as f64);
        let other = from / (from - to);
        let height = |a: ChainCorner, b: ChainCorner, part: f64| {
            f64::from(a.height) + part * f64::from(b.height - a.height)
        };
        return Some([height(a, b, part), height(c, d, other)]);
    }
    // A corner of one edge within the other, or two edges on one line that overlap.
    let within = |from: ChainCorner, to: ChainCorner, corner: ChainCorner| {
        corner.plan != from.plan && corner.plan != to.plan && between(from.plan, to.plan, corner.plan)
    };
    let on_first = [c, d].into_iter().find(|&corner| within(a, b, corner));
    let on_second = [a, b].into_iter().find(|&corner| within(c, d, corner));
    let same = (a.plan == c.plan && b.plan == d.plan) || (a.plan == d.plan && b.plan == c.plan);
    let place = on_first.or(on_second).or_else(|| same.then_some(if a.plan == c.plan { b } else { a }))?;
    Some([height_at(a, b, place.plan), height_at(c, d, place.plan)])
}

impl Sliver {
    fn start(&mut self, chain: &[ChainCorner]) {
        self.known = false;
        self.bounds = bounds(chain.iter().map(|corner| corner.plan));
    }

    /// Returns true if a segment may meet the chain or its edge, or start inside.
    fn may_touch(&self, a: Point, b: Point) -> bool {
        overlap(&self.bounds, &bounds([a, b]))
    }

    /// Returns true if a place is inside the bounds.
    fn may_hold(&self, place: Point) -> bool {
        let [low, high] = self.bounds;
        (0..2).all(|axis| low[axis] < place[axis] && place[axis] < high[axis])
    }

    /// Sorts the segments of the chain, unless that is done. Always returns true.
    fn learn(&mut self, chain: &[ChainCorner]) -> bool {
        if !std::mem::replace(&mut self.known, true) {
            self.segments.clear();
            for (start, [a, b]) in (0..).zip(chain.array_windows()) {
                let [a, b] = [a, b].map(|end| end.plan[1] >> FIXED_SHIFT);
                self.segments.extend((a.min(b)..=a.max(b)).map(|row| [row, start]));
            }
            self.segments.sort_unstable();
        }
        true
    }

    /// Returns true if a place is between the chain and its edge: a ray to the right, just below the place,
    /// crosses the two an odd number of times. Anything that touches the chain itself does so from the right,
    /// because the chain's region is on the left, and must stay to the right of the edge.
    fn holds(&self, place: Point, chain: &[ChainCorner]) -> bool {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return false };
        let row = place[1] >> FIXED_SHIFT;
        let start = self.segments.partition_point(|segment| segment[0] < row);
        let mut inside = is_right(place, first.plan, last.plan);
        for &[_, start] in self.segments[start..].iter().take_while(|segment| segment[0] == row) {
            let [a, b] = [start, start + 1].map(|corner| chain[corner as usize].plan);
            if between(a, b, place) {
                return area2(first.plan, last.plan, place) < 0;
            }
            inside ^= is_right(place, a, b);
        }
        inside
    }
}

/// Returns true if a ray to the right, just below a place, crosses a segment.
fn is_right(place: Point, a: Point, b: Point) -> bool {
    let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
    low[1] <= place[1] && place[1] < high[1] && area2(low, high, place) > 0
}

/// Calls `row` with each row of buckets that a segment passes, and with its range along x there.
fn for_rows(a: Point, b: Point, mut row: impl FnMut(i32, [i32; 2])) {
    let (low, high) = if a[1] <= b[1] { (a, b) } else { (b, a) };
    let (first, last) = (low[1] >> BUCKET_BITS, high[1] >> BUCKET_BITS);
    if first == last {
        return row(first, [a[0].min(b[0]), a[0].max(b[0])]);
    }
    let depth = i64::from(high[1] - low[1]);
    let across = i64::from(high[0]) - i64::from(low[0]);
    for index in first..=last {
        let start = i64::from((index << BUCKET_BITS).max(low[1]) - low[1]) * across;
        let end = i64::from(((index + 1) << BUCKET_BITS).min(high[1]) - low[1]) * across;
        let (least, most) = (start.min(end).div_euclid(depth), -((-start.max(end)).div_euclid(depth)));
        // Between the ends, so it fits in 32 bits.
        row(index, [low[0] + least as i32, low[0] + most as i32]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By definition: the chain and its edge close a polygon, and a segment to a place far outside crosses it
    /// an odd number of times. The segment must meet no corner.
    fn is_between(place: Point, chain: &[ChainCorner]) -> bool {
        let ends = || chain.iter().zip(chain.iter().cycle().skip(1)).map(|(a, b)| [a.plan, b.plan]);
        let far = (1..).map(|z| [1_000_000, z]);
        let mut clear = far.filter(|&far| ends().all(|[a, _]| area2(place, far, a) != 0));
        let far = clear.next().expect("some place is in line with no corner");
        ends().filter(|&[a, b]| cross_properly(place, far, a, b)).count() % 2 == 1
    }

    proptest! {
        #[test]
        fn a_sliver_holds_what_is_between_a_chain_and_its_edge(
            corners in prop::collection::vec((-9..9i32, -9..9i32), 3..24),
            places in prop::collection::vec((-9..9i32, -9..9i32), 24),
            unit in prop::sample::select(vec![1, 37, FIXED_ONE / 2, FIXED_ONE, 300]),
        ) {
            let scaled = |(x, z): (i32, i32)| [x * unit, z * unit];
            let corner = |place| ChainCorner { plan: scaled(place), height: 0, area_border: false, kept: false, exact: false };
            let mut chain: Vec<ChainCorner> = corners.into_iter().map(corner).collect();
            chain.dedup_by_key(|corner| corner.plan);
            let mut sliver = Sliver::default();
            sliver.start(&chain);
            sliver.learn(&chain);
            let [first, last] = [chain[0].plan, chain[chain.len() - 1].plan];
            for place in places.into_iter().map(scaled) {
                let on_chain = chain.array_windows().any(|[a, b]| between(a.plan, b.plan, place));
                if on_chain {
                    prop_assert_eq!(sliver.holds(place, &chain), area2(first, last, place) < 0);
                } else if first == last || !between(first, last, place) {
                    prop_assert_eq!(sliver.holds(place, &chain), is_between(place, &chain));
                }
            }
        }
    }
}
