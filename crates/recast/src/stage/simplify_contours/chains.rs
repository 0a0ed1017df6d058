//! Outlines cut at their junctions into chains. A chain between two regions is stored once for both, so the
//! corners kept are equal from either side.

use crate::data::chain::{Chain, ChainCorner};
use crate::data::{RawContour, RawContours, RawVertex, RegionId};
use navmath::FIXED_ONE;
use navmath::predicates::Point;

/// A chain as a part of an outline.
#[derive(Clone, Copy)]
pub(super) struct OutlinePart {
    pub(super) chain: usize,
    /// True if the outline runs against the chain.
    pub(super) reversed: bool,
    /// The corner of the outline at which it starts, and its number of edges.
    pub(super) start: usize,
    pub(super) edges: usize,
}

/// All chains, and the outlines as parts.
#[derive(Default)]
pub(super) struct Chains {
    pub(super) corners: Vec<ChainCorner>,
    pub(super) list: Vec<Chain>,
    /// Width of the grid's border, 1/256 cell.
    border: i32,
    /// The parts of all outlines, one outline after the other.
    parts: Vec<OutlinePart>,
    /// The end of each outline's parts.
    ends: Vec<usize>,
    /// Parts between two regions as seen from the region with the smaller number; sorted, so that both sides
    /// of a chain are next to each other.
    shared: Vec<SharedPart>,
    /// The corners at which the current outline is cut.
    cuts: Vec<usize>,
}

/// One side of a chain between two regions. The first edge, as walked by the region with the smaller number,
/// occurs only once in its outlines: no region overlaps itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SharedPart {
    regions: [RegionId; 2],
    first_edge: [Point; 2],
    of_larger: bool,
    contour: usize,
    part: usize,
}

impl Chains {
    /// Cuts all outlines.
    pub(super) fn cut(&mut self, raw: &RawContours) {
        self.corners.clear();
        self.list.clear();
        self.parts.clear();
        self.ends.clear();
        self.shared.clear();
        self.border = raw.grid.border as i32 * FIXED_ONE;
        for (index, contour) in raw.contours.iter().enumerate() {
            self.cut_outline(index, contour);
            self.ends.push(self.parts.len());
        }
        self.pair(raw);
    }

    /// The parts of each outline.
    pub(super) fn by_outline(&self) -> impl Iterator<Item = &[OutlinePart]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.parts[std::mem::replace(&mut start, end)..end])
    }

    fn cut_outline(&mut self, index: usize, contour: &RawContour) {
        let vertices = &contour.vertices;
        let count = vertices.len();
        let mut cuts = std::mem::take(&mut self.cuts);
        find_cuts(vertices, &mut cuts);
        let whole = cuts.is_empty();
        if whole {
            // The first of the corners with the smallest x, and of these with the smallest z.
            cuts.extend((0..count).min_by_key(|&index| vertices[index].plan()));
        }
        for (position, &start) in cuts.iter().enumerate() {
            let end = cuts.get(position + 1).copied().unwrap_or(cuts[0] + count);
            let part = OutlinePart { chain: usize::MAX, reversed: false, start, edges: end - start };
            let beyond = vertices[(start + 1) % count].beyond;
            if beyond.is_inner() {
                self.shared.push(SharedPart::new(contour, index, self.parts.len(), &part));
                self.parts.push(part);
            } else {
                let chain = self.list.len();
                let may_vanish = whole && contour.area2() <= 0;
                self.add_chain(contour, &part, may_vanish);
                self.parts.push(OutlinePart { chain, ..part });
            }
        }
        self.cuts = cuts;
    }

    fn add_chain(&mut self, contour: &RawContour, part: &OutlinePart, may_vanish: bool) {
        let (first, border) = (self.corners.len(), self.border);
        self.corners.extend(corners_of(contour, part).map(|vertex| ChainCorner {
            plan: vertex.plan().map(|coordinate| coordinate + border),
            height: vertex.position[1],
            area_border: vertex.area_border,
            exact: vertex.exact,
            kept: false,
        }));
        let beyond = contour.vertices[(part.start + 1) % contour.vertices.len()].beyond;
        let last = self.corners.len() - 1;
        let regions = [contour.region, beyond];
        let whole = part.edges == contour.vertices.len() && !contour.vertices[part.start].junction;
        self.list.push(Chain { first, last, regions, whole, may_vanish, raw: false });
    }

    /// Makes chains of the parts between two regions, one for both sides.
    fn pair(&mut self, raw: &RawContours) {
        let mut shared = std::mem::take(&mut self.shared);
        shared.sort_unstable();
        let mut next = 0;
        while let Some(&one) = shared.get(next) {
            next += 1;
            let chain = self.list.len();
            self.add_chain(&raw.contours[one.contour], &self.parts[one.part].clone(), false);
            self.parts[one.part].chain = chain;
            let other = shared.get(next).filter(|other| {
                let (a, b) = (&self.parts[one.part], &self.parts[other.part]);
                let same = (other.regions, other.first_edge) == (one.regions, one.first_edge);
                same && one.of_larger != other.of_larger
                    && is_reverse(&raw.contours[one.contour], a, &raw.contours[other.contour], b)
            });
            match other {
                Some(other) => {
                    next += 1;
                    let part = &mut self.parts[other.part];
                    (part.chain, part.reversed) = (chain, true);
                }
                // If floors wind around a corner like a stair, the regions may cut their common border in
                // different places. Unsimplified, it is equal for both.
                None => self.list[chain].raw = true,
            }
        }
        self.shared = shared;
    }
}

impl SharedPart {
    fn new(contour: &RawContour, index: usize, part_index: usize, part: &OutlinePart) -> SharedPart {
        let (own, count) = (contour.region, contour.vertices.len());
        let at = |step: usize| &contour.vertices[(part.start + step) % count];
        let beyond = at(1).beyond;
        let of_larger = own > beyond;
        let (regions, first_edge) = if of_larger {
            ([beyond, own], [at(part.edges), at(part.edges - 1)])
        } else {
            ([own, beyond], [at(0), at(1)])
        };
        SharedPart {
            regions,
            first_edge: first_edge.map(RawVertex::plan),
            of_larger,
            contour: index,
            part: part_index,
        }
    }
}

/// The corners of a part of an outline, including both ends.
fn corners_of<'a>(
    contour: &'a RawContour,
    part: &OutlinePart,
) -> impl DoubleEndedIterator<Item = &'a RawVertex> {
    let (around, second) = contour.vertices.split_at(part.start);
    let count = part.edges + 1;
    let to_end = count.min(second.len());
    let from_first = (count - to_end).min(around.len());
    // Outlines are closed: a part that ends at the start has come around.
    let again = count - to_end - from_first;
    second[..to_end].iter().chain(&around[..from_first]).chain(&second[..again])
}

/// Returns true if the parts lead over the same corners, as seen from above, in opposite directions.
fn is_reverse(a: &RawContour, part_a: &OutlinePart, b: &RawContour, part_b: &OutlinePart) -> bool {
    part_a.edges == part_b.edges
        && corners_of(a, part_a).map(RawVertex::plan).eq(corners_of(b, part_b).rev().map(RawVertex::plan))
}

/// Sets `cuts` to the corners that must stay: where the region or area beyond changes, and junctions. Between
/// walls only, areas do not count.
fn find_cuts(vertices: &[RawVertex], cuts: &mut Vec<usize>) {
    cuts.clear();
    let Some(last) = vertices.last() else { return };
    let beyond = |vertex: &RawVertex| (vertex.beyond, vertex.area_border);
    let mut walls_only = true;
    let (mut before, mut at) = (last, vertices.len() - 1);
    for (index, vertex) in vertices.iter().enumerate() {
        walls_only &= vertex.beyond.is_none();
        if before.junction || beyond(vertex) != beyond(before) {
            cuts.push(at);
        }
        (before, at) = (vertex, index);
    }
    if walls_only {
        cuts.retain(|&cut| vertices[cut].junction);
    }
    // The last corner came first.
    if cuts.first() == Some(&(vertices.len() - 1)) {
        cuts.rotate_left(1);
    }
}
