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

/// Side of a bucket, cells, as a power of two: few edges are much longer, and few buckets hold more than a
/// few edges.
const BUCKET_BITS: u32 = 3;

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
    /// True if the lists below belong to this sliver.
    known: bool,
    /// The chain's corners, sorted.
    corners: Vec<Point>,
    /// By row of cells and x: the chain's steps along z. Sorted.
    steps: Vec<[i32; 2]>,
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
    let columns = (grid.width >> BUCKET_BITS) as i32 + 1;
    let rows = (grid.depth >> BUCKET_BITS) as i32 + 1;
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
        let enclosed = edge.worst.is_some()
            && [c, d].iter().any(|corner| self.sliver.may_hold(corner.plan))
            && self.sliver.learn(&self.corners[edge.from..=edge.to])
            && [c, d].iter().any(|corner| {
                self.sliver.holds(corner.plan, [a.plan, b.plan])
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

    /// Sorts the corners and steps of the chain, unless that is done. Always returns true.
    fn learn(&mut self, chain: &[ChainCorner]) -> bool {
        if !std::mem::replace(&mut self.known, true) {
            self.corners.clear();
            self.corners.extend(chain.iter().map(|corner| corner.plan));
            self.corners.sort_unstable();
            self.steps.clear();
            let steps = chain.windows(2).map(|pair| [pair[0].plan, pair[1].plan]);
            self.steps.extend(steps.filter(|[a, b]| a[1] != b[1]).map(|[a, b]| [a[1].min(b[1]), a[0]]));
            self.steps.sort_unstable();
        }
        true
    }

    /// Returns true if a place is between the chain and its edge: a ray to the right, just below the place,
    /// crosses the two an odd number of times. Anything that touches the chain itself does so from the right,
    /// because the chain's region is on the left, and must stay to the right of the edge.
    fn holds(&self, place: Point, [a, b]: [Point; 2]) -> bool {
        if self.corners.binary_search(&place).is_ok() {
            return area2(a, b, place) < 0;
        }
        let [x, z] = place;
        let row =
            self.steps.partition_point(|step| step[0] < z)..self.steps.partition_point(|step| step[0] <= z);
        let right = &self.steps[row];
        let crossed = right.len() - right.partition_point(|step| step[1] <= x);
        let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
        let edge_crossed = low[1] <= z && z < high[1] && area2(low, high, place) > 0;
        (crossed % 2 == 1) != edge_crossed
    }
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
