//! Matching portals across a seam: the one thing about tiles that the bake, the tools and the runtime share.

use crate::border::Line;
use crate::layout::{Header, Portal, side};
use crate::tile::Tile;
use navmath::FIXED_ONE;

/// Two portals that face each other across a seam, and the interval they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index of the portal in the first tile.
    pub a: u32,
    /// Index of the portal in the second tile.
    pub b: u32,
    /// Start of the shared interval along the border, fixed-point, relative to the first tile's base cell.
    pub start: i32,
    /// End of the shared interval; greater than `start`.
    pub end: i32,
}

/// All pairs of portals on `side` of `a` and the opposite side of `b` that share an interval of positive length
/// and whose heights lie within one climb of each other somewhere on it, sorted by `a`, then `b`.
///
/// Exact, in integers; the climb is the smaller of the tiles', rounded to 1/256 cell height. Tiles that stand
/// on different lattices, or whose sides do not lie on one line, share no seam: the result is empty.
/// Cost: O(n log n) for n portals and matches; at most `limits::PORTAL_STACK_LIMIT` matches a portal on
/// average, which verification guarantees.
pub fn match_portals(a: &Tile, side: u8, b: &Tile) -> Vec<Match> {
    if side > side::Z_MIN || a.lattice() != b.lattice() {
        return Vec::new();
    }
    let opposite = Tile::opposite(side);
    if border(a.header(), side) != border(b.header(), opposite) {
        return Vec::new();
    }
    // The axis along the seam: z on an x side, x on a z side.
    let along = if side & 1 == 0 { 2 } else { 0 };
    let offset =
        |axis: usize| (b.header().base_cell[axis] - a.header().base_cell[axis]) * i64::from(FIXED_ONE);
    let ours = Lines::new(a, side, 0, 0);
    let theirs = Lines::new(b, opposite, offset(along), offset(1));
    let mut matches = sweep(&ours, &theirs, climb(a).min(climb(b)));
    matches.sort_unstable_by_key(|found| (found.a, found.b));
    matches
}

/// Where a side lies on the global lattice, fixed-point.
fn border(header: &Header, on: u8) -> i64 {
    let (axis, size) = match on {
        side::X_MIN => (0, 0),
        side::X_MAX => (0, header.width),
        side::Z_MIN => (2, 0),
        _ => (2, header.depth),
    };
    (header.base_cell[axis] + i64::from(size)) * i64::from(FIXED_ONE)
}

/// The agent's climb, fixed-point. Rounded, so that a climb of whole voxels is exactly that.
pub(crate) fn climb(tile: &Tile) -> i64 {
    let header = tile.header();
    // Below 2^48, by the limits of both.
    (f64::from(header.agent[2]) / header.cell_height * f64::from(FIXED_ONE)).round() as i64
}

/// The portals of one side, sorted by start.
struct Lines {
    /// Index of the first one in its tile.
    first: usize,
    lines: Vec<Line>,
}

impl Lines {
    fn new(tile: &Tile, on: u8, along: i64, up: i64) -> Lines {
        let portals = tile.portals();
        let first = portals.partition_point(|portal| portal.side < on);
        let end = portals.partition_point(|portal| portal.side <= on);
        let line = |portal: &Portal| Line::new(portal, along, up);
        Lines { first, lines: portals[first..end].iter().map(line).collect() }
    }
}

/// Takes the starts of both sides in order and compares each new line with the open ones of the other side.
fn sweep(ours: &Lines, theirs: &Lines, climb: i64) -> Vec<Match> {
    let mut matches = Vec::new();
    let (mut open_ours, mut open_theirs): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    let mut compare = |i: usize, j: usize| {
        let (our, their) = (&ours.lines[i], &theirs.lines[j]);
        let Some((start, end)) = our.shared(their) else { return };
        if our.comes_within(their, (start, end), climb) {
            // Portal counts are 32 bits, and the interval lies within the first tile's portal.
            let (a, b) = ((ours.first + i) as u32, (theirs.first + j) as u32);
            matches.push(Match { a, b, start: start as i32, end: end as i32 });
        }
    };
    while i < ours.lines.len() || j < theirs.lines.len() {
        let our_turn = match (ours.lines.get(i), theirs.lines.get(j)) {
            (Some(our), Some(their)) => our.start <= their.start,
            (our, _) => our.is_some(),
        };
        if our_turn {
            open_theirs.retain(|&other| theirs.lines[other].end > ours.lines[i].start);
            open_theirs.iter().for_each(|&other| compare(i, other));
            open_ours.push(i);
            i += 1;
        } else {
            open_ours.retain(|&other| ours.lines[other].end > theirs.lines[j].start);
            open_ours.iter().for_each(|&other| compare(other, j));
            open_theirs.push(j);
            j += 1;
        }
    }
    matches
}
