//! Splits edges that cross, touch or overlap into edges that meet in shared corners only.
//!
//! Every corner, and every crossing rounded to the grid, is a hot pixel: the half-open square of one spacing
//! around it. An edge is bent through the centres of all hot pixels it passes through. Afterwards no two
//! edges cross, and no edge has moved by more than half a pixel's diagonal. A corner may still be exactly on
//! an edge, which is then divided there without moving. A ring stays a closed chain, so its winding numbers
//! are unchanged.
//!
//! Cost: O((n + k) log n) for n edges with k crossings, as long as edges' boxes overlap little.
//! Source: J. Hobby, Practical segment intersection with finite precision output (1999).

use crate::boolean::Ring;
use crate::box_tree::{Bounds, BoxTree, bounds, grown, overlap};
use crate::error::Error;
use crate::exact::{between, cross_properly, onward, share, turn};
use crate::grid::Point;
use crate::seams::TileLines;
use crate::segment::Segment;
use navmath::LimitError;
use navmath::limit::check;
use std::cmp::Reverse;

/// Largest number of crossings of outlines and obstacles with each other, and the additional number for each
/// edge. It also limits the crossings of the borders of areas, with each other and with the ground's. Borders
/// of one shape do not cross: outlines, obstacles and the places within the radius are joined before.
const CROSSING_LIMIT: (usize, usize) = (1 << 16, 64);

/// Largest number of rounds in which edges are bent. One round is enough; the second finds nothing to bend.
const ROUNDS: usize = 8;

/// Segments that meet in shared ends only, sorted; those of one shape on the same line become one. They also
/// end at the tile lines that they meet.
pub(crate) fn node(mut segments: Vec<Segment>, tiles: Option<&TileLines>) -> Result<Vec<Segment>, Error> {
    for _ in 0..ROUNDS {
        merge(&mut segments);
        let lines = lines(&segments);
        let boxes: Vec<Bounds> = lines.iter().map(|&(a, b)| bounds([a, b])).collect();
        let remedy = "simplify areas that cross each other or the ground's outline many times";
        let mut crossings = crossings(&lines, &boxes, remedy)?;
        if let Some(tiles) = tiles {
            lines.iter().for_each(|&(a, b)| tiles.crossings(a, b, &mut crossings));
        }
        let mut corners: Vec<Point> = lines.iter().flat_map(|&(a, b)| [a, b]).collect();
        let bent = !crossings.is_empty();
        corners.extend(crossings);
        corners.sort_unstable();
        corners.dedup();
        segments = divide(&segments, &corners, if bent { passes_through } else { between });
        merge(&mut segments);
        if !bent {
            return Ok(segments);
        }
    }
    Err(Error::Broken("edges still cross after they were bent onto the grid"))
}

/// Sorts, joins equal edges of one shape, and drops edges without length or effect.
fn merge(segments: &mut Vec<Segment>) {
    segments.sort_unstable();
    segments.dedup_by(|next, kept| {
        let same = (next.a, next.b, next.shape) == (kept.a, kept.b, kept.shape);
        if same {
            kept.turns += next.turns;
        }
        same
    });
    segments.retain(|segment| segment.a != segment.b && segment.turns != 0);
}

/// The different lines of sorted segments.
fn lines(segments: &[Segment]) -> Vec<(Point, Point)> {
    let mut lines: Vec<(Point, Point)> = segments.iter().map(|segment| (segment.a, segment.b)).collect();
    lines.dedup();
    lines
}

/// The crossings of lines inside both, rounded. Error: too many crossings, because they, not the map, would
/// fill the memory.
fn crossings(
    lines: &[(Point, Point)],
    boxes: &[Bounds],
    remedy: &'static str,
) -> Result<Vec<Point>, LimitError> {
    let limit = CROSSING_LIMIT.0 + CROSSING_LIMIT.1 * lines.len();
    let index = BoxTree::new(boxes);
    let mut crossings = Vec::new();
    for (at, &(a, b)) in lines.iter().enumerate() {
        let own = boxes[at];
        index.visit(
            |other| overlap(&own, other) && reaches(a, b, other),
            |other| {
                let (c, d) = lines[other as usize];
                if (other as usize) > at && cross_properly(a, b, c, d) {
                    crossings.push(crossing(a, b, c, d));
                }
            },
        );
        check("crossings of the map's edges", crossings.len() as u64, limit as u64, remedy)?;
    }
    Ok(crossings)
}

/// Checks that the edges of outlines and obstacles do not cross too often, before they are joined.
pub(crate) fn check_crossings<'a>(rings: impl Iterator<Item = &'a Ring>) -> Result<(), LimitError> {
    let rings: Vec<&Ring> = rings.collect();
    if cross_seldom(&rings) {
        return Ok(());
    }
    let edges = |ring: &'a Ring| {
        let ends = ring.iter().zip(ring.iter().cycle().skip(1));
        ends.map(|(&a, &b)| (a.min(b), a.max(b)))
    };
    let mut lines: Vec<(Point, Point)> = rings.into_iter().flat_map(edges).collect();
    lines.sort_unstable();
    lines.dedup();
    let boxes: Vec<Bounds> = lines.iter().map(|&(a, b)| bounds([a, b])).collect();
    crossings(&lines, &boxes, "simplify outlines and obstacles that cross each other many times").map(drop)
}

/// Returns true if rings are so small, or so far from each other, that they cannot have too many crossings.
fn cross_seldom(rings: &[&Ring]) -> bool {
    let limit = CROSSING_LIMIT.0 + CROSSING_LIMIT.1 * rings.iter().map(|ring| ring.len()).sum::<usize>();
    let boxes: Vec<Bounds> = rings.iter().map(|ring| bounds(ring.iter().copied())).collect();
    let index = BoxTree::new(&boxes);
    let mut most = 0_usize;
    rings.iter().zip(&boxes).enumerate().all(|(at, (ring, own))| {
        index.visit(
            |other| overlap(own, other),
            |other| {
                // Each edge of the first with each edge of the second, or of the same ring.
                let other = other as usize;
                if other >= at {
                    most = most.saturating_add(ring.len().saturating_mul(rings[other].len()));
                }
            },
        );
        most <= limit
    })
}

/// Returns true if the line through `ab` meets a box.
fn reaches(a: Point, b: Point, [low, high]: &Bounds) -> bool {
    let corners = [*low, [high[0], low[1]], *high, [low[0], high[1]]];
    let turns = corners.map(|corner| turn(a, b, corner));
    turns.iter().any(|&turn| turn <= 0) && turns.iter().any(|&turn| turn >= 0)
}

/// The crossing of two segments that cross, rounded to the grid; halves are rounded up.
fn crossing(a: Point, b: Point, c: Point, d: Point) -> Point {
    let (from, to) = (i128::from(turn(c, d, a)), i128::from(turn(c, d, b)));
    // a + (b - a) * from / (from - to)
    let (part, whole) = if from > to { (from, from - to) } else { (-from, to - from) };
    [0, 1].map(|axis| {
        let along = i128::from(b[axis]) - i128::from(a[axis]);
        // The value is between a and b, so it fits.
        (i128::from(a[axis]) + share(along, part, whole)) as i32
    })
}

/// Divides each segment at the corners for which `meets` returns true.
fn divide(segments: &[Segment], corners: &[Point], meets: fn(Point, Point, Point) -> bool) -> Vec<Segment> {
    let boxes: Vec<Bounds> = corners.iter().map(|&corner| [corner, corner]).collect();
    let index = BoxTree::new(&boxes);
    let mut pieces = Vec::with_capacity(segments.len());
    let mut stops: Vec<Point> = Vec::new();
    let mut last = None;
    for segment in segments {
        let (a, b) = (segment.a, segment.b);
        if last.replace((a, b)) != Some((a, b)) {
            stops.clear();
            let own = bounds([a, b]);
            index.visit(
                |other| overlap(&own, other) && reaches(a, b, &grown(other)),
                |corner| {
                    let corner = corners[corner as usize];
                    if meets(a, b, corner) {
                        stops.push(corner);
                    }
                },
            );
            stops.sort_unstable_by_key(|&stop| Reverse(onward(b, a, stop)));
        }
        for pair in stops.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let piece = Segment::new(from, to, segment.shape);
            pieces.push(Segment { turns: piece.turns * segment.turns, ..piece });
        }
    }
    pieces
}

/// Returns true if the segment `ab` has a point in the pixel of `p`: from half a spacing below, included, to
/// half a spacing above, excluded, along both axes.
fn passes_through(a: Point, b: Point, p: Point) -> bool {
    let within = |axis: usize| a[axis].min(b[axis]) <= p[axis] && p[axis] <= a[axis].max(b[axis]);
    if !(within(0) && within(1)) {
        return false;
    }
    // Double everything, so that the pixel's corners are whole numbers.
    let d = |from: i32, to: i32| i64::from(to) - i64::from(from);
    let (along, off) = ([d(a[0], b[0]), d(a[1], b[1])], [2 * d(a[0], p[0]), 2 * d(a[1], p[1])]);
    let side = |x: i64, y: i64| along[0] * (off[1] + y) - along[1] * (off[0] + x);
    let sides = [side(-1, -1), side(1, -1), side(1, 1), side(-1, 1)];
    sides[0] == 0 || (sides.iter().any(|&side| side < 0) && sides.iter().any(|&side| side > 0))
}
