//! Strings pulled through a row of polygons, over either library's links, and comparisons of lines.
//!
//! Source: M. Mononen, Simple Stupid Funnel Algorithm (2010); in f64, and it starts again at each corner.

use super::graph::{Graph, Point, flat_distance, nearest_on_segment, side};
use super::verdict::SAME;

/// The length of a line of points, as seen from above.
pub fn flat_length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| flat_distance(pair[0], pair[1])).sum()
}

/// The openings between consecutive polygons; `None` if two of them have no link between them. Several links
/// in a row that form one opening count as one.
fn openings(graph: &Graph, polygons: &[usize]) -> Option<Vec<[Point; 2]>> {
    let opening = |pair: &[usize]| {
        let mut ways = graph.polygons[pair[0]].ways.iter().filter(|way| way.to == pair[1]);
        let mut ends = ways.next()?.ends;
        for way in ways {
            if flat_distance(way.ends[0], ends[1]) <= SAME {
                ends[1] = way.ends[1];
            } else if flat_distance(way.ends[1], ends[0]) <= SAME {
                ends[0] = way.ends[0];
            }
        }
        Some(ends)
    };
    polygons.windows(2).map(opening).collect()
}

/// The shortest line from `start` to `goal` through all of a row of polygons, seen from above; `None` if two
/// of them have no link between them.
pub fn pull(graph: &Graph, polygons: &[usize], start: Point, goal: Point) -> Option<Vec<Point>> {
    let mut openings = openings(graph, polygons)?;
    openings.push([goal, goal]);
    let mut line = vec![start];
    let (mut apex, mut first) = (start, 0);
    'corners: while first < openings.len() {
        let [mut right, mut left] = openings[first];
        let (mut right_at, mut left_at) = (first, first);
        for (at, &[new_right, new_left]) in openings.iter().enumerate().skip(first + 1) {
            // Positive is to the right.
            if side(apex, right, new_right) <= 0.0 {
                if flat_distance(apex, right) == 0.0 || side(apex, left, new_right) >= 0.0 {
                    (right, right_at) = (new_right, at);
                } else {
                    line.push(left);
                    (apex, first) = (left, left_at + 1);
                    continue 'corners;
                }
            }
            if side(apex, left, new_left) >= 0.0 {
                if flat_distance(apex, left) == 0.0 || side(apex, right, new_left) <= 0.0 {
                    (left, left_at) = (new_left, at);
                } else {
                    line.push(right);
                    (apex, first) = (right, right_at + 1);
                    continue 'corners;
                }
            }
        }
        break;
    }
    line.push(goal);
    Some(line)
}

/// The points at which a line bends, with its ends: the points that are farther than [`SAME`] from the
/// straight line between their neighbours.
pub fn bends(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for (index, &point) in points.iter().enumerate() {
        let straight = match (kept.last(), points.get(index + 1)) {
            (Some(&last), Some(&next)) => nearest_on_segment(last, next, point).1 <= SAME,
            _ => false,
        };
        if !straight {
            kept.push(point);
        }
    }
    kept
}

/// Returns true if two lines bend at the same points, as seen from above.
pub fn same_line(a: &[Point], b: &[Point]) -> bool {
    let (a, b) = (bends(a), bends(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(&a, &b)| flat_distance(a, b) <= SAME)
}
