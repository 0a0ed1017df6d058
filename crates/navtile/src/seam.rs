//! Matching of portals across a seam, shared by the bake, the tools and the runtime.

use crate::border::Line;
use crate::layout::{Header, Portal, side};
use crate::limits::{BASE_CELL_LIMIT, MEETING_LIMIT, SIZE_LIMIT};
use crate::tile::Tile;
use navmath::FIXED_ONE;
use navmath::sort::SharedSort;
use std::ops::Range;

/// Two portals that face each other across a seam, and the interval they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index of the portal in the first tile, or the first list.
    pub a: u32,
    /// Index of the portal in the second.
    pub b: u32,
    /// Start of the shared interval along the border, fixed-point, relative to the first tile's base cell.
    pub start: i32,
    /// End of the shared interval; greater than `start`.
    pub end: i32,
}

/// The placement of a list of portals: everything that matching needs from their tile, except its lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeamPlace {
    /// The lattice cell that the portals are relative to; within ± `limits::BASE_CELL_LIMIT`.
    pub base_cell: [i64; 3],
    /// Extent of the tile along x, cells; at most `limits::SIZE_LIMIT`.
    pub width: u32,
    /// Extent of the tile along z, cells; at most `limits::SIZE_LIMIT`.
    pub depth: u32,
    /// The agent's climb, 1/256 cell height; from 0 to 2^48.
    pub climb: i64,
}

/// Largest climb, 1/256 cell height: the agent's limit divided by the lowest cell height.
const CLIMB_LIMIT: i64 = 1 << 48;

impl SeamPlace {
    /// The place of a tile with this header. The climb is rounded, so that a climb of whole voxels is exact.
    pub fn of(header: &Header) -> SeamPlace {
        // Below CLIMB_LIMIT, by the limits of both terms.
        let climb = (f64::from(header.agent[2]) / header.cell_height * f64::from(FIXED_ONE)).round() as i64;
        SeamPlace { base_cell: header.base_cell, width: header.width, depth: header.depth, climb }
    }

    /// Position of a side on the global lattice, fixed-point.
    pub(crate) fn border(&self, on: u8) -> i64 {
        let (axis, size) = match on {
            side::X_MIN => (0, 0),
            side::X_MAX => (0, self.width),
            side::Z_MIN => (2, 0),
            _ => (2, self.depth),
        };
        (self.base_cell[axis] + i64::from(size)) * i64::from(FIXED_ONE)
    }

    /// Offset of `other`'s zero from this place's zero: along the seam on side `on`, and up; fixed-point.
    pub(crate) fn offset(&self, on: u8, other: &SeamPlace) -> (i64, i64) {
        // The axis along the seam: z on an x side, x on a z side.
        let along = if on & 1 == 0 { 2 } else { 0 };
        let offset = |axis: usize| (other.base_cell[axis] - self.base_cell[axis]) * i64::from(FIXED_ONE);
        (offset(along), offset(1))
    }

    /// Returns true if all fields are within the limits of a tile, so that the arithmetic of matching is
    /// exact.
    fn is_sound(&self) -> bool {
        let cells = -BASE_CELL_LIMIT..=BASE_CELL_LIMIT;
        self.base_cell.iter().all(|cell| cells.contains(cell))
            && self.width.max(self.depth) <= SIZE_LIMIT
            && (0..=CLIMB_LIMIT).contains(&self.climb)
    }
}

/// All pairs of portals on `side` of `a` and the opposite side of `b` that meet, sorted by `a`, then `b`.
///
/// Portals that are *equal* (same interval, same heights at its ends) meet each other and no third one: they
/// are two sides of one edge, and another portal near them leads to another floor. Other portals meet if they
/// share an interval of positive length and their heights come within one climb of each other somewhere on
/// it. At its start, each portal meets at most the [`MEETING_LIMIT`] portals of the other side that are
/// nearest in height. Floors that an agent fits between are farther apart than a climb, so real levels stay
/// below the limit.
///
/// Exact, in integers; the climb is the smaller of the tiles', rounded to 1/256 cell height. Tiles on
/// different lattices, or with sides that are not on one line, share no seam: the result is empty.
/// Cost: O(n log n) for n portals, and a comparison with each portal that runs over the start of another: at
/// most `limits::PORTAL_STACK_LIMIT`, as verification guarantees. At most `limits::MEETING_LIMIT` matches per
/// portal on average.
///
/// ```
/// use navtile::layout::side;
/// use navtile::seam::match_portals;
/// # let square_tile = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doctests/square_tile.rs"));
///
/// let (a, b) = (square_tile(0), square_tile(1));
/// let matches = match_portals(&a, side::X_MAX, &b);
/// assert_eq!(matches.len(), 1);
/// assert_eq!(a.portals()[matches[0].a as usize].side, side::X_MAX);
/// // The portals share the whole side of four cells.
/// assert_eq!((matches[0].start, matches[0].end), (0, 4 * 256));
/// assert!(match_portals(&a, side::Z_MAX, &b).is_empty());
/// ```
pub fn match_portals(a: &Tile, side: u8, b: &Tile) -> Vec<Match> {
    if a.lattice() != b.lattice() {
        return Vec::new();
    }
    let (ours, theirs) = (SeamPlace::of(a.header()), SeamPlace::of(b.header()));
    match_lines(a.portals(), &ours, side, b.portals(), &theirs)
}

/// Like [`match_lines`], for lists that hold only the portals of `side` and of the opposite side. Writes into
/// a list, whose memory is reused.
pub fn match_sides(
    ours: &[Portal],
    a: &SeamPlace,
    side: u8,
    theirs: &[Portal],
    b: &SeamPlace,
    matches: &mut Vec<Match>,
) {
    matches.clear();
    match_into((ours, 0..ours.len()), a, side, (theirs, 0..theirs.len()), b, matches);
}

/// Like [`match_sides`], but passes each pair to `found`, in no particular order, instead of listing them:
/// sides with many storeys may have 256 pairs for each portal.
#[cfg(feature = "file")]
pub(crate) fn each_match(
    ours: &[Portal],
    a: &SeamPlace,
    side: u8,
    theirs: &[Portal],
    b: &SeamPlace,
    found: impl FnMut(Match),
) {
    each_of((ours, 0..ours.len()), a, side, (theirs, 0..theirs.len()), b, found);
}

/// Like [`match_portals`], for portals that need not be in a tile: `ours` at `a` and `theirs` at `b`, which
/// are on the same lattice. [`Match::a`] and [`Match::b`] are indices into the two lists.
///
/// Each list must be sorted by side, as a tile's portals are; in an unsorted list, pairs may be missed.
/// Places beyond the limits of a tile share no seam.
pub fn match_lines(ours: &[Portal], a: &SeamPlace, side: u8, theirs: &[Portal], b: &SeamPlace) -> Vec<Match> {
    let mut matches = Vec::new();
    if side <= side::Z_MIN {
        let (mine, others) = (side_range(ours, side), side_range(theirs, Tile::opposite(side)));
        match_into((ours, mine), a, side, (theirs, others), b, &mut matches);
    }
    matches
}

/// Lists the pairs of portals of two lists that are on the seam's sides, in order.
fn match_into(
    ours: (&[Portal], Range<usize>),
    a: &SeamPlace,
    side: u8,
    theirs: (&[Portal], Range<usize>),
    b: &SeamPlace,
    matches: &mut Vec<Match>,
) {
    each_of(ours, a, side, theirs, b, |found| matches.push(found));
    matches.shared_sort_by_key(|found| (found.a, found.b));
}

/// Finds the pairs of portals of two lists that are on the seam's sides.
fn each_of(
    (ours, mine): (&[Portal], Range<usize>),
    a: &SeamPlace,
    side: u8,
    (theirs, others): (&[Portal], Range<usize>),
    b: &SeamPlace,
    mut found: impl FnMut(Match),
) {
    if side > side::Z_MIN || !a.is_sound() || !b.is_sound() {
        return;
    }
    let opposite = Tile::opposite(side);
    if a.border(side) != b.border(opposite) {
        return;
    }
    let (along, up) = a.offset(side, b);
    let climb = a.climb.min(b.climb);
    if let Some(pairs) = mirrored((ours, mine.clone()), (theirs, others.clone()), (along, up)) {
        return pairs.for_each(found);
    }
    let (mut ours, mut theirs) = (lines(ours, mine, 0, 0), lines(theirs, others, along, up));
    take_equal(&mut ours, &mut theirs, &mut found);
    sweep(&ours, &theirs, climb, found);
}

/// The pairs of two sides that have the same portals in the same order without repetition, as nearly all
/// sides of neighbours do. Takes the lists and their ranges of portals. `None` if the sides differ.
fn mirrored<'a>(
    (ours, mine): (&'a [Portal], Range<usize>),
    (theirs, others): (&'a [Portal], Range<usize>),
    (along, up): (i64, i64),
) -> Option<impl Iterator<Item = Match> + use<'a>> {
    let (numbers, ours, theirs) = (mine.clone().zip(others.clone()), ours.get(mine)?, theirs.get(others)?);
    let ascends = |[a, b]: &[Portal; 2]| (a.start, a.start_height) < (b.start, b.start_height);
    let are_equal = |(our, their)| Line::new(our, 0, 0) == Line::new(their, along, up);
    let is_mirrored = ours.len() == theirs.len()
        && ours.array_windows().all(ascends)
        && ours.iter().zip(theirs).all(are_equal);
    // Portal counts are 32 bits. Portals without length occur only in lists that are not a tile's.
    let pair = |((a, b), &Portal { start, end, .. })| Match { a: a as u32, b: b as u32, start, end };
    is_mirrored.then(|| numbers.zip(ours).map(pair).filter(|found: &Match| found.start < found.end))
}

/// The match of two portals, given as lines with their indices, if they share an interval and come within the
/// climb on it.
fn meeting((our, a): (&Line, usize), (their, b): (&Line, usize), climb: i64) -> Option<Match> {
    let (start, end) = our.shared(their)?;
    // Portal counts are 32 bits, and the interval is within the first tile's portal.
    let found = Match { a: a as u32, b: b as u32, start: start as i32, end: end as i32 };
    our.comes_within(their, (start, end), climb).then_some(found)
}

/// The portals of one side as lines with their indices in the list.
fn lines(portals: &[Portal], of_side: Range<usize>, along: i64, up: i64) -> Vec<(Line, usize)> {
    // The range may be reversed if the list is not sorted.
    let numbered = of_side.clone().zip(portals.get(of_side).unwrap_or_default());
    numbered.map(|(index, portal)| (Line::new(portal, along, up), index)).collect()
}

/// The range of portals on this side in a sorted list.
pub(crate) fn side_range(portals: &[Portal], on: u8) -> Range<usize> {
    let first = portals.partition_point(|portal| portal.side < on);
    let end = portals.partition_point(|portal| portal.side <= on);
    first..end
}

/// Matches equal lines and removes them; the other lines stay in both lists, sorted by start.
fn take_equal(ours: &mut Vec<(Line, usize)>, theirs: &mut Vec<(Line, usize)>, found: &mut impl FnMut(Match)) {
    // The start is the first field of a line.
    ours.shared_sort();
    theirs.shared_sort();
    let (mut our_rest, mut their_rest) = (Vec::new(), Vec::new());
    let mut others = theirs.chunk_by(|a, b| a.0 == b.0).peekable();
    for equal in ours.chunk_by(|a, b| a.0 == b.0) {
        let line = equal[0].0;
        while let Some(less) = others.next_if(|other| other[0].0 < line) {
            their_rest.extend_from_slice(less);
        }
        let Some(facing) = others.next_if(|other| other[0].0 == line) else {
            our_rest.extend_from_slice(equal);
            continue;
        };
        for &(_, a) in equal {
            let pairs = facing.iter().filter_map(|&(their, b)| meeting((&line, a), (&their, b), 0));
            pairs.for_each(&mut *found);
        }
    }
    their_rest.extend(others.flatten());
    (*ours, *theirs) = (our_rest, their_rest);
}

/// Processes the starts of both sides in order and compares each new line with the open lines of the other
/// side.
fn sweep(ours: &[(Line, usize)], theirs: &[(Line, usize)], climb: i64, mut found: impl FnMut(Match)) {
    let (mut open_ours, mut open_theirs): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    let mut met: Vec<(f64, Match)> = Vec::new();
    let compare = |i: usize, j: usize| {
        let ((our, a), (their, b)) = (&ours[i], &theirs[j]);
        let pair = meeting((our, *a), (their, *b), climb)?;
        Some((our.apart(their, (pair.start.into(), pair.end.into())), pair))
    };
    while i < ours.len() || j < theirs.len() {
        let our_turn = match (ours.get(i), theirs.get(j)) {
            (Some((our, _)), Some((their, _))) => our.start <= their.start,
            (our, _) => our.is_some(),
        };
        if our_turn {
            open_theirs.retain(|&other| theirs[other].0.end > ours[i].0.start);
            met.extend(open_theirs.iter().filter_map(|&other| compare(i, other)));
            open_ours.push(i);
            i += 1;
        } else {
            open_ours.retain(|&other| ours[other].0.end > theirs[j].0.start);
            met.extend(open_ours.iter().filter_map(|&other| compare(other, j)));
            open_theirs.push(j);
            j += 1;
        }
        if met.len() > MEETING_LIMIT {
            met.shared_sort_by(|(apart, a), (other, b)| {
                apart.total_cmp(other).then((a.a, a.b).cmp(&(b.a, b.b)))
            });
            met.truncate(MEETING_LIMIT);
        }
        met.drain(..).for_each(|(_, pair)| found(pair));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    fn portals(on: u8) -> impl Strategy<Value = Vec<Portal>> {
        // A small range of numbers, so that some portals are equal.
        let portal = (0..8i32, 1..8i32, -5..5i32, 0..2i32);
        prop::collection::vec(portal, 0..8).prop_map(move |list| {
            let row = |(start, length, start_height, end_height): (i32, i32, i32, i32)| Portal {
                side: on,
                start,
                end: start + length,
                start_height,
                end_height: start_height + end_height,
                ..Portal::zeroed()
            };
            let mut portals: Vec<Portal> = list.into_iter().map(row).collect();
            portals.sort_by_key(|portal| (portal.start, portal.start_height));
            portals
        })
    }

    /// A side of 256 storeys, a step apart, over each of `pieces` pieces, shifted along and up so that no
    /// portal equals one of an unshifted stack.
    fn stack(on: u8, pieces: i32, moved: i32) -> Vec<Portal> {
        let places = (0..pieces).flat_map(|piece| (0..256).map(move |storey| (piece, storey)));
        let portal = |(piece, storey)| Portal {
            side: on,
            start: 100 * piece + moved,
            end: 100 * (piece + 1) + moved,
            start_height: 8 * storey + moved,
            end_height: 8 * storey + moved,
            ..Portal::zeroed()
        };
        places.map(portal).collect()
    }

    #[test]
    fn matches_of_stacks_grow_with_their_portals() {
        let (ours, theirs) = (SeamPlace::of(&header(0)), SeamPlace::of(&header(4)));
        for pieces in [1, 4] {
            let (a, b) = (stack(side::X_MAX, pieces, 0), stack(side::X_MIN, pieces, 1));
            let matches = match_lines(&a, &ours, side::X_MAX, &b, &theirs);
            assert!(matches.len() <= MEETING_LIMIT * (a.len() + b.len()), "{}", matches.len());
            // Each portal meets the storey at its own height.
            assert!((0..256).all(|at| matches.iter().any(|found| (found.a, found.b) == (at, at))));
        }
    }

    /// The header of a tile of four cells at a base cell, with a climb higher than any stack.
    fn header(x: i64) -> Header {
        let agent = [0.6, 2.0, 1000.0, 45.0];
        Header { base_cell: [x, 0, 0], width: 4, depth: 4, cell_height: 1.0, agent, ..Header::zeroed() }
    }

    proptest! {
        #[test]
        fn mirrored_sides_give_what_a_sweep_finds(
            ours in portals(side::X_MAX),
            others in portals(side::X_MIN),
            are_alike in any::<bool>(),
            along in -2..2i64,
            up in -2..2i64,
        ) {
            let moved = |portal: &Portal| Portal {
                side: side::X_MIN,
                start: portal.start - along as i32,
                end: portal.end - along as i32,
                start_height: portal.start_height - up as i32,
                end_height: portal.end_height - up as i32,
                ..*portal
            };
            let theirs = if are_alike { ours.iter().map(moved).collect() } else { others };
            let [mut first, mut second] = [(&ours, 0, 0), (&theirs, along, up)]
                .map(|(portals, along, up)| lines(portals, 0..portals.len(), along, up));
            let mut swept = Vec::new();
            take_equal(&mut first, &mut second, &mut |found| swept.push(found));
            sweep(&first, &second, 2, |found| swept.push(found));
            swept.sort_unstable_by_key(|found| (found.a, found.b));
            let (mine, others) = ((&ours[..], 0..ours.len()), (&theirs[..], 0..theirs.len()));
            match mirrored(mine, others, (along, up)) {
                Some(found) => prop_assert_eq!(found.collect::<Vec<_>>(), swept),
                // Identical sides without two portals at the same start must be recognised.
                None => {
                    let starts = |a: &Portal, b: &Portal| (a.start, a.start_height) == (b.start, b.start_height);
                    prop_assert!(!are_alike || ours.chunk_by(starts).any(|alike| alike.len() > 1));
                }
            }
        }
    }
}
