//! The bodies at the beginning of a step, sorted into cells, so that each finds its neighbours quickly.
//!
//! Rows of cells form a ring of buckets, one after the other, and neighbours along x are adjacent. A few
//! cells of a row are therefore one range of the list, and bodies near each other are near in memory. If the
//! world is too wide or too tall for the ring, distant rows share buckets, and distances tell them apart.
//! Cost: O(n) to sort, constant for a neighbourhood at constant density, for any spread of the bodies over
//! the world.
//!
//! A bucket holds only a few bodies of each storey if bodies keep apart. If many are piled up in one place,
//! each search would look at the whole pile. A bucket therefore shows only [`MOST_PILED`] bodies of a kind,
//! and [`MOST_IN_BUCKET`] in all, those with the lowest numbers. The other bodies are hidden: no search finds
//! them, but they see the bodies that are shown. Cost in a pile: O(n log n) to sort, constant for a
//! neighbourhood.

use glam::Vec2;
use std::ops::Range;

/// The largest number of neighbours that an agent considers.
pub(crate) const MOST_NEIGHBOURS: usize = 12;
/// The largest number of rows and columns that a search visits on each side of its own cell. The length of a
/// row keeps them apart.
const MOST_RINGS: i32 = 7;

/// Buckets for each body, at least.
const BUCKETS: usize = 4;

/// The largest number of bodies of a bucket that are found if they are in the same cell and storey and on the
/// same layers. If bodies of one size keep apart, there are fewer than ten.
const MOST_PILED: usize = 64;
/// The largest number of bodies of a bucket that are found.
const MOST_IN_BUCKET: usize = 16 * MOST_PILED;
/// Height of a storey, metres. Bodies are on the same storey if their feet are in the same interval of this
/// height.
const STOREY: f32 = 2.0;
/// Stands for the bucket of a body that is hidden.
const HIDDEN: u32 = u32::MAX;

/// Stands for no field, no group and no agent.
pub(crate) const NONE: u32 = u32::MAX;

/// Right of way of a body among the others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RightOfWay {
    /// Willingness to yield: 0 for a body that never does.
    pub(crate) yielding: f32,
    pub(crate) priority: u8,
    /// Its rank in a jam, whether it claims right of way, and whether it yields to claims of higher rank.
    pub(crate) rank: u32,
    pub(crate) claims: bool,
    pub(crate) yields: bool,
    /// Velocity in the direction in which it pushes others.
    pub(crate) push: Vec2,
    /// Its next corner, infinitely far without a path, and the direction in which it continues from there,
    /// not normalized.
    pub(crate) corner: Vec2,
    pub(crate) onward: Vec2,
    /// Age of the claim of its stream, seconds.
    pub(crate) claimed: f32,
}

/// The target of a body, and the company in which it goes there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errand {
    /// Position of the target, and whether the body keeps still there.
    pub(crate) target: Vec2,
    pub(crate) has_arrived: bool,
    /// The numbers of the field that it follows and of the group that it is in, or [`NONE`].
    pub(crate) field: u32,
    pub(crate) group: u32,
    /// The number of the agent that it goes to, or [`NONE`].
    pub(crate) quarry: u32,
}

/// A body at the beginning of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Body {
    /// Its middle, in plan, and the height of its feet.
    pub(crate) at: Vec2,
    pub(crate) feet: f32,
    pub(crate) height: f32,
    pub(crate) radius: f32,
    pub(crate) layers: u32,
    pub(crate) velocity: Vec2,
    pub(crate) preferred: Vec2,
    /// True if it is on an off-mesh link; its position is then the end of the link.
    pub(crate) lands: bool,
    pub(crate) right_of_way: RightOfWay,
    /// Seconds for which it still keeps right in passages.
    pub(crate) keeps_right: f32,
    pub(crate) errand: Errand,
    /// Its number: agents first, then moving discs. Its place among all of them.
    pub(crate) owner: u32,
    pub(crate) place: u32,
}

impl Body {
    /// Heights of the feet and of the head.
    pub(crate) fn heights(&self) -> [f32; 2] {
        [self.feet, self.feet + self.height]
    }

    /// Returns true if it is in a place where the other body will land. Nothing then stops it from leaving.
    pub(crate) fn is_in_landing_place(&self, other: &Body) -> bool {
        let reach = self.radius + other.radius;
        other.lands && self.at.distance_squared(other.at) < reach * reach
    }
}

/// A neighbour: its index in the sorted list, and its distance squared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    pub(crate) body: u32,
    pub(crate) away: f32,
}

/// The neighbours of an agent, nearest first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Neighbours {
    list: [Near; MOST_NEIGHBOURS],
    count: u8,
}

impl Neighbours {
    pub(crate) fn list(&self) -> &[Near] {
        &self.list[..usize::from(self.count)]
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes another neighbour, unless the list is full and the neighbour is farther away than all of it.
    /// Neighbours at the same distance are sorted by number. If the list is full, returns the squared
    /// distance beyond which no more are taken.
    #[inline]
    fn take(&mut self, near: Near, owner: u32, seats: &[Seat]) -> Option<f32> {
        let mut place = usize::from(self.count);
        while place > 0 {
            let other = self.list[place - 1];
            let is_after =
                other.away > near.away || other.away == near.away && seats[other.body as usize].owner > owner;
            if !is_after {
                break;
            }
            if place < MOST_NEIGHBOURS {
                self.list[place] = other;
            }
            place -= 1;
        }
        if place < MOST_NEIGHBOURS {
            self.list[place] = near;
            self.count = (self.count + 1).min(MOST_NEIGHBOURS as u8);
        }
        let is_full = usize::from(self.count) == MOST_NEIGHBOURS;
        is_full.then_some(self.list[MOST_NEIGHBOURS - 1].away)
    }
}

/// A search for the bodies near a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearQuery {
    pub(crate) at: Vec2,
    pub(crate) reach: f32,
    /// Bodies whose heights overlap these are found.
    pub(crate) heights: [f32; 2],
    /// Bodies on one of these layers are found.
    pub(crate) layers: u32,
    /// The number of the body that is left out.
    pub(crate) own: u32,
}

/// The neighbours of an agent in the list of all bodies, nearest first.
#[derive(Clone, Copy)]
pub(crate) struct Nearby<'a> {
    pub(crate) near: &'a [Near],
    pub(crate) bodies: &'a Bodies,
}

impl<'a> Nearby<'a> {
    /// The neighbours with their squared distances.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'a Near, &'a Body)> {
        self.near.iter().map(move |near| (near, &self.bodies.sorted[near.body as usize]))
    }

    /// The bodies of the neighbours.
    #[inline]
    pub(crate) fn bodies(self) -> impl Iterator<Item = &'a Body> {
        self.iter().map(|(_, body)| body)
    }
}

/// The neighbours of the agents of one piece, in the order of the agents.
#[derive(Debug, Default)]
pub(crate) struct NearLists {
    list: Vec<Near>,
    /// End of each agent's neighbours in the list.
    ends: Vec<u32>,
}

impl NearLists {
    /// Clears the lists.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }

    /// Adds the neighbours of the next agent.
    pub(crate) fn push(&mut self, near: &Neighbours) {
        self.list.extend_from_slice(near.list());
        self.ends.push(self.list.len() as u32);
    }

    /// The neighbours of an agent, by its index in the chunk.
    pub(crate) fn of(&self, index: usize) -> &[Near] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.list[start as usize..self.ends[index] as usize]
    }
}

/// The part of a body that the search for neighbours compares.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    at: Vec2,
    /// Heights of the feet and of the head.
    heights: [f32; 2],
    layers: u32,
    owner: u32,
}

impl Seat {
    fn of(body: &Body) -> Seat {
        Seat { at: body.at, heights: body.heights(), layers: body.layers, owner: body.owner }
    }
}

/// A body of a full bucket, in the order in which bodies are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Piled {
    bucket: u32,
    is_on_no_layer: bool,
    kind: PiledKind,
    owner: u32,
    /// Its index in the list that was given.
    index: u32,
}

/// The kind of a body of a full bucket, which shows a limited number of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PiledKind {
    cell: [i32; 2],
    storey: i32,
    layers: u32,
}

/// The bodies of a step, sorted. Reuse it to reuse its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    /// Sorted by bucket, and by place within a bucket. The hidden bodies come last.
    pub(crate) sorted: Vec<Body>,
    /// The short form of the bodies that are shown.
    seats: Vec<Seat>,
    /// The bodies of full buckets. Scratch memory.
    piled: Vec<Piled>,
    /// Start of each bucket in the list, and the end of the list.
    starts: Vec<u32>,
    /// Number of buckets from one row to the next.
    stride: usize,
    /// The bucket of each body, in the order of the input. Scratch memory.
    buckets: Vec<u32>,
    /// Side of a cell, metres, and its reciprocal.
    cell: f32,
    per_cell: f32,
    /// The largest radius.
    pub(crate) largest: f32,
}

impl Bodies {
    /// Sorts the bodies of a step.
    pub(crate) fn sort(&mut self, bodies: &[Body]) {
        // Summed in integers, so that the order does not matter.
        let (mut sum, mut largest) = (0, 0.0f32);
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for body in bodies {
            sum += (body.radius * 65536.0) as u64;
            largest = largest.max(body.radius);
            (least, most) = (body.at.x.min(least), body.at.x.max(most));
        }
        self.largest = largest;
        // A few bodies per cell where they are close together.
        self.cell = ((sum as f64 / 65536.0 / bodies.len().max(1) as f64) as f32 * 4.0).max(0.25);
        self.per_cell = 1.0 / self.cell;
        let buckets = (bodies.len() * BUCKETS).next_power_of_two().max(1024);
        let columns = self.cells(most).saturating_sub(self.cells(least)).max(0) as usize + 1;
        // Rows that one search visits must not overlap in the ring.
        self.stride = columns.clamp(MOST_RINGS as usize * 2 + 1, buckets / 16 + 1);
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        self.buckets.clear();
        let mut fullest = 0;
        for body in bodies {
            let bucket = self.bucket(self.cell_of(body.at));
            self.starts[bucket] += 1;
            fullest = self.starts[bucket].max(fullest);
            self.buckets.push(bucket as u32);
        }
        if fullest as usize > MOST_PILED {
            self.hide_piled(bodies);
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // Every element of both lists is overwritten.
        self.sorted.resize(bodies.len(), Body::default());
        self.seats.resize(sum as usize, Seat::default());
        let mut end = bodies.len();
        // Each bucket is filled from its end, so that its entry ends up as its start.
        for (body, bucket) in bodies.iter().zip(&self.buckets).rev() {
            if *bucket == HIDDEN {
                end -= 1;
                self.sorted[end] = *body;
                continue;
            }
            let start = &mut self.starts[*bucket as usize];
            *start -= 1;
            let place = *start as usize;
            self.sorted[place] = *body;
            self.seats[place] = Seat::of(body);
        }
    }

    /// Hides bodies of full buckets. The result does not depend on the order of the input.
    fn hide_piled(&mut self, bodies: &[Body]) {
        let mut piled = std::mem::take(&mut self.piled);
        piled.clear();
        for (index, body) in (0..).zip(bodies) {
            let bucket = self.buckets[index as usize];
            if self.starts[bucket as usize] as usize > MOST_PILED {
                let storey = (body.feet / STOREY).floor() as i32;
                let kind = PiledKind { cell: self.cell_of(body.at), storey, layers: body.layers };
                let is_on_no_layer = body.layers == 0;
                piled.push(Piled { bucket, is_on_no_layer, kind, owner: body.owner, index });
            }
        }
        piled.sort_unstable();
        for bucket in piled.chunk_by(|a, b| a.bucket == b.bucket) {
            let mut shown = 0;
            for kind in bucket.chunk_by(|a, b| a.kind == b.kind) {
                let count = kind.len().min(MOST_PILED).min(MOST_IN_BUCKET - shown);
                shown += count;
                kind[count..].iter().for_each(|piled| self.buckets[piled.index as usize] = HIDDEN);
            }
            self.starts[bucket[0].bucket as usize] = shown as u32;
        }
        self.piled = piled;
    }

    /// The bodies that no search finds, because too many are in the same place.
    pub(crate) fn hidden(&self) -> &[Body] {
        &self.sorted[self.seats.len()..]
    }

    fn cell_of(&self, at: Vec2) -> [i32; 2] {
        at.to_array().map(|along| self.cells(along))
    }

    /// The column or row of a coordinate.
    #[inline]
    fn cells(&self, along: f32) -> i32 {
        let cells = along * self.per_cell;
        // Rounds down without a library call.
        let whole = cells as i32;
        if whole as f32 > cells { whole.saturating_sub(1) } else { whole }
    }

    /// The bucket of a cell.
    fn bucket(&self, [x, y]: [i32; 2]) -> usize {
        let mask = self.starts.len() - 2;
        (x as usize).wrapping_add((y as usize).wrapping_mul(self.stride)) & mask
    }

    /// Ranges of the list that hold the bodies of some consecutive cells of a row. The second range is set if
    /// the cells wrap around the end of the ring.
    #[inline]
    fn row(&self, first: [i32; 2], count: usize) -> (Range<usize>, Option<Range<usize>>) {
        let buckets = self.starts.len() - 1;
        let start = self.bucket(first);
        let end = start + count;
        let range = |from: usize, to: usize| self.starts[from] as usize..self.starts[to] as usize;
        (range(start, end.min(buckets)), (end > buckets).then(|| range(0, end - buckets)))
    }

    /// Finds the nearest bodies.
    pub(crate) fn near(&self, query: &NearQuery, near: &mut Neighbours) {
        let NearQuery { at, reach, heights, layers, own } = *query;
        near.clear();
        if self.seats.is_empty() {
            return;
        }
        let [x, y] = self.cell_of(at);
        // Rounding may put a body into a cell that misses it by this much.
        let slack = self.cell * 1e-3 + at.abs().max_element() * 1e-6;
        let mut limit = reach * reach;
        let below = at.y - y as f32 * self.cell;
        // From its own row outwards, while a row on either side may hold a body that is near enough.
        for row in 0..=MOST_RINGS {
            let mut is_out = true;
            let sides: &[i32] = if row == 0 { &[0] } else { &[-1, 1] };
            for side in sides {
                let between = match side {
                    0 => 0.0,
                    1 => (row as f32 * self.cell - below - slack).max(0.0),
                    _ => (below + (row - 1) as f32 * self.cell - slack).max(0.0),
                };
                let left = limit - between * between;
                if left < 0.0 {
                    continue;
                }
                is_out = false;
                let wide = left.sqrt() + slack;
                let ends = [at.x - wide, at.x + wide].map(|x| self.cells(x));
                let first = ends[0].max(x.saturating_sub(MOST_RINGS));
                let last = ends[1].min(x.saturating_add(MOST_RINGS));
                let count = last.saturating_sub(first).saturating_add(1).max(0) as usize;
                let (range, more) = self.row([first, y.saturating_add(side * row)], count);
                for range in std::iter::once(range).chain(more) {
                    for (place, seat) in range.clone().zip(&self.seats[range]) {
                        let away = seat.at.distance_squared(at);
                        if away <= limit
                            && seat.layers & layers != 0
                            && seat.owner != own
                            && seat.heights[0] <= heights[1]
                            && seat.heights[1] >= heights[0]
                        {
                            let taken = near.take(Near { body: place as u32, away }, seat.owner, &self.seats);
                            limit = taken.unwrap_or(limit);
                        }
                    }
                }
            }
            if is_out {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn body(owner: u32, (x, y, feet): (f32, f32, f32)) -> Body {
        Body { at: Vec2::new(x, y), feet, height: 1.8, radius: 0.4, layers: 1, owner, ..Body::default() }
    }

    fn around(own: &Body, reach: f32) -> NearQuery {
        NearQuery { at: own.at, reach, heights: own.heights(), layers: 1, own: own.owner }
    }

    fn scattered(width: f32) -> impl Strategy<Value = Vec<(f32, f32, f32)>> {
        prop::collection::vec((-width..width, -width..width, 0.0..6.0f32), 1..200)
    }

    proptest! {
        #[test]
        fn neighbours_are_the_nearest_of_all(
            places in prop_oneof![scattered(3.0), scattered(20.0), scattered(1e5)],
            reach in 0.1..8.0f32,
        ) {
            let list: Vec<Body> =
                places.iter().enumerate().map(|(owner, place)| body(owner as u32, *place)).collect();
            let mut bodies = Bodies::default();
            bodies.sort(&list);
            for own in &list {
                let heights = own.heights();
                let mut near = Neighbours::default();
                bodies.near(&around(own, reach), &mut near);
                let mut all: Vec<(f32, u32)> = list
                    .iter()
                    .filter(|b| b.owner != own.owner && b.feet <= heights[1] && b.feet + b.height >= heights[0])
                    .map(|b| (b.at.distance_squared(own.at), b.owner))
                    .filter(|(away, _)| *away <= reach * reach)
                    .collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                all.truncate(MOST_NEIGHBOURS);
                let found: Vec<(f32, u32)> =
                    near.list().iter().map(|n| (n.away, bodies.sorted[n.body as usize].owner)).collect();
                prop_assert_eq!(found, all);
            }
        }
    }

    /// Owners of the neighbours of a place.
    fn owners_near(bodies: &Bodies, own: &Body) -> Vec<u32> {
        let mut near = Neighbours::default();
        bodies.near(&around(own, 2.0), &mut near);
        near.list().iter().map(|near| bodies.sorted[near.body as usize].owner).collect()
    }

    proptest! {
        #[test]
        fn a_pile_is_seen_in_part_whatever_its_order(
            order in Just((0..500u32).collect::<Vec<u32>>()).prop_shuffle(), width in prop_oneof![Just(0.0), 0.1..5.0f32],
        ) {
            let place = |owner: u32| {
                let [x, z] = [0x9e37_79b9, 0x85eb_ca6b].map(|by| (owner.wrapping_mul(by) >> 16) as f32 / 65536.0 * width);
                body(owner, (x, z, (owner % 3) as f32 * 3.0))
            };
            let (mut bodies, mut shuffled) = (Bodies::default(), Bodies::default());
            bodies.sort(&(0..500).map(place).collect::<Vec<Body>>());
            shuffled.sort(&order.iter().map(|owner| place(*owner)).collect::<Vec<Body>>());
            let full = bodies.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap();
            prop_assert!(full as usize <= MOST_PILED * 4 && bodies.hidden().len() + bodies.seats.len() == 500);
            for owner in 0..500 {
                let found = owners_near(&bodies, &place(owner));
                prop_assert_eq!(&found, &owners_near(&shuffled, &place(owner)));
                prop_assert!(found.len() == MOST_NEIGHBOURS || width > 1.0);
            }
        }
    }

    #[test]
    fn a_tower_of_storeys_hides_nobody() {
        let list: Vec<Body> =
            (0..900).map(|owner| body(owner, (0.5, 0.5, (owner % 300) as f32 * 3.0))).collect();
        let mut bodies = Bodies::default();
        bodies.sort(&list);
        assert_eq!(bodies.hidden().len(), 0);
        list.iter().for_each(|own| assert_eq!(owners_near(&bodies, own).len(), 2));
    }

    #[test]
    fn layers_and_the_empty_list() {
        let (mut bodies, mut near) = (Bodies::default(), Neighbours::default());
        let mut count = |bodies: &Bodies, layers| {
            let query = NearQuery { layers, ..around(&body(0, (0.0, 0.0, 0.0)), 5.0) };
            bodies.near(&query, &mut near);
            near.list().len()
        };
        bodies.sort(&[]);
        assert_eq!(count(&bodies, 1), 0);
        bodies.sort(&[body(0, (0.0, 0.0, 0.0)), body(1, (1.0, 0.0, 0.0))]);
        assert_eq!([count(&bodies, 2), count(&bodies, 1)], [0, 1]);
    }
}
