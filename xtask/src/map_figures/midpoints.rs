//! Paths as simple programs find them, to be seen beside ours: A* over the midpoints of the edges between convex
//! polygons, and the funnel along the polygons that it leads through. For pictures; the runtime has other means.

use recast::planar::{Convex, Mesh};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

pub(super) type Point = [f64; 2];

/// A path over midpoints, and what the funnel makes of its polygons.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) midpoints: Vec<Point>,
    pub(super) smoothed: Vec<Point>,
}

/// An edge between two polygons, as left and as entered; its ends to the left and to the right.
#[derive(Clone, Copy)]
struct Door {
    polygon: u32,
    into: u32,
    left: Point,
    right: Point,
}

impl Door {
    fn middle(&self) -> Point {
        [0, 1].map(|axis| f64::midpoint(self.left[axis], self.right[axis]))
    }
}

/// A door that may be taken, by what it costs at least.
struct Open {
    estimate: f64,
    door: usize,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    /// The cheapest is the greatest.
    fn cmp(&self, other: &Open) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(other.door.cmp(&self.door))
    }
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// Length of a path.
pub(super) fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// Twice the area of a triangle: positive if it turns left.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The paths between two points of a mesh; `None` if there are none.
pub(super) fn find(mesh: &Mesh, from: Point, to: Point) -> Option<Paths> {
    let (start, goal) = (polygon_at(mesh, from)?, polygon_at(mesh, to)?);
    if start == goal {
        return Some(Paths { midpoints: vec![from, to], smoothed: vec![from, to] });
    }
    let doors = doors(mesh);
    let taken = search(&doors, (start, from), (goal, to))?;
    let way: Vec<Door> = taken.into_iter().map(|door| doors[door]).collect();
    let middles = way.iter().map(Door::middle);
    let midpoints = std::iter::once(from).chain(middles).chain([to]).collect();
    Some(Paths { midpoints, smoothed: funnel(from, to, &way) })
}

fn ring(mesh: &Mesh, polygon: &Convex) -> Vec<Point> {
    polygon.corners.iter().map(|&corner| mesh.grid.to_map(mesh.vertices[corner as usize])).collect()
}

fn polygon_at(mesh: &Mesh, point: Point) -> Option<u32> {
    let holds = |polygon: &Convex| {
        let ring = ring(mesh, polygon);
        (0..ring.len()).all(|i| turn(ring[i], ring[(i + 1) % ring.len()], point) >= 0.0)
    };
    mesh.polygons.iter().position(holds).map(|index| index as u32)
}

/// All doors, those of a polygon together. A polygon's corners run counter-clockwise, so that the end of an edge is
/// to the left of who leaves over it.
fn doors(mesh: &Mesh) -> Vec<Door> {
    let mut doors = Vec::new();
    for (polygon, convex) in (0u32..).zip(&mesh.polygons) {
        let ring = ring(mesh, convex);
        for (at, &into) in convex.beyond.iter().enumerate().filter(|(_, into)| **into != recast::planar::NONE)
        {
            doors.push(Door { polygon, into, right: ring[at], left: ring[(at + 1) % ring.len()] });
        }
    }
    doors
}

/// Doors from the start's polygon to the goal's. A* over midpoints: a door costs the way over the midpoints before
/// it, and at least the straight line from it to the goal.
fn search(doors: &[Door], (start, from): (u32, Point), (goal, to): (u32, Point)) -> Option<Vec<usize>> {
    let leading_out = |polygon: u32| {
        let first = doors.partition_point(|door| door.polygon < polygon);
        let end = doors.partition_point(|door| door.polygon <= polygon);
        first..end
    };
    let mut cost = vec![f64::INFINITY; doors.len()];
    let mut before: Vec<Option<usize>> = vec![None; doors.len()];
    let mut closed = vec![false; doors.len()];
    let mut open = BinaryHeap::new();
    // Where the search stands: the door it came through, what that cost, its midpoint, and the polygon beyond.
    let mut stand = (None, 0.0, from, start);
    loop {
        let (last, so_far, here, polygon) = stand;
        for door in leading_out(polygon) {
            let middle = doors[door].middle();
            let total = so_far + distance(here, middle);
            if total < cost[door] {
                cost[door] = total;
                before[door] = last;
                open.push(Open { estimate: total + distance(middle, to), door });
            }
        }
        let next = loop {
            let Open { door, .. } = open.pop()?;
            if !std::mem::replace(&mut closed[door], true) {
                break door;
            }
        };
        if doors[next].into == goal {
            let mut way = vec![next];
            while let Some(last) = before[way[way.len() - 1]] {
                way.push(last);
            }
            way.reverse();
            return Some(way);
        }
        stand = (Some(next), cost[next], doors[next].middle(), doors[next].into);
    }
}

/// The shortest path through doors: a funnel that narrows until it turns inside out, and starts again at the corner
/// where it did. Source: D. Lee, F. Preparata, Euclidean shortest paths in the presence of rectilinear barriers (1984).
fn funnel(from: Point, to: Point, way: &[Door]) -> Vec<Point> {
    let mut ends: Vec<(Point, Point)> = way.iter().map(|door| (door.left, door.right)).collect();
    ends.push((to, to));
    let mut path = vec![from];
    let mut apex = from;
    // The funnel's sides, and the doors that they touch.
    let (mut left, mut right) = ((from, 0), (from, 0));
    let mut at = 0;
    while at < ends.len() {
        let (next_left, next_right) = ends[at];
        if turn(apex, right.0, next_right) >= 0.0 {
            if apex == right.0 || turn(apex, left.0, next_right) < 0.0 {
                right = (next_right, at);
            } else {
                path.push(left.0);
                apex = left.0;
                at = left.1;
                (left, right) = ((apex, at), (apex, at));
                at += 1;
                continue;
            }
        }
        if turn(apex, left.0, next_left) <= 0.0 {
            if apex == left.0 || turn(apex, right.0, next_left) > 0.0 {
                left = (next_left, at);
            } else {
                path.push(right.0);
                apex = right.0;
                at = right.1;
                (left, right) = ((apex, at), (apex, at));
                at += 1;
                continue;
            }
        }
        at += 1;
    }
    path.push(to);
    path.dedup();
    path
}
