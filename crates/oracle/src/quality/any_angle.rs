//! The true shortest path over convex cells, seen from above; exact for any storeys over each other.
//!
//! Units: 1/256 cell, integers; every decision is exact, lengths are f64. Cost: the cells in sight of each
//! corner on the path, in the order of a best-first search.
//! Source: M. Cui, D. Harabor, A. Grastien, Compromise-free pathfinding on a navigation mesh (2017;
//! Polyanya). The view through an opening is kept as a root and two points that bound it, as in a funnel, so
//! that no point of intersection is ever needed. At a corner, sight starts with a fan of all cells around it.

use super::surface::{PlanPoint, distance, leftness};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// An exit from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Left end, seen from inside the cell.
    pub left: PlanPoint,
    /// Right end.
    pub right: PlanPoint,
    /// Number of each end's vertex, left then right, if the ground ends there: a path can bend around it.
    pub corners: [Option<u32>; 2],
    /// The cell beyond.
    pub to: u32,
}

/// Convex cells and the openings between them.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Openings of cell c are `offsets[c]..offsets[c + 1]`.
    pub offsets: Vec<u32>,
    /// The openings.
    pub openings: Vec<Opening>,
}

/// A point strictly within a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The cell.
    pub cell: u32,
    /// The point.
    pub point: PlanPoint,
}

/// The reason why there is no length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLength {
    /// No path leads there.
    Unreachable,
    /// The search exceeded its step limit.
    TooLong,
}

/// Most steps of a search.
const MAX_STEPS: usize = 20_000_000;
/// Two sums of the same lengths may differ by this much of them.
const ROUNDING: f64 = 1e-12;

/// Direction in which a path bends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turn {
    Left,
    Right,
}

/// A node that a search may look at next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sight {
    /// The goal itself.
    Goal,
    /// The part of an opening that the root sees, between two bounds.
    Cone { left: PlanPoint, right: PlanPoint, opening: u32 },
    /// The cells about the root, beyond the ray from it through `ray`.
    Fan { turn: Turn, ray: PlanPoint, cell: u32, corner: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct SightNode {
    /// Least length of a path over this node.
    estimate: f64,
    /// Order of discovery: ties go to the latest.
    number: u64,
    /// The last point at which the path bent.
    root: PlanPoint,
    /// Its vertex; `None` for the start.
    vertex: Option<u32>,
    /// Length of the path to the root.
    length: f64,
    sight: Sight,
}

impl Eq for SightNode {}

impl PartialOrd for SightNode {
    fn partial_cmp(&self, other: &SightNode) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SightNode {
    fn cmp(&self, other: &SightNode) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(self.number.cmp(&other.number))
    }
}

impl Cells {
    fn openings(&self, cell: u32) -> std::ops::Range<u32> {
        self.offsets[cell as usize]..self.offsets[cell as usize + 1]
    }

    /// Length of the shortest path, in 1/256 cell.
    pub fn shortest(&self, start: At, goal: At) -> Result<f64, NoLength> {
        if start.cell == goal.cell {
            return Ok(distance(to_f64(start.point), to_f64(goal.point)));
        }
        let mut search = Search {
            cells: self,
            goal,
            open: BinaryHeap::new(),
            best: HashMap::new(),
            fans: HashSet::new(),
            number: 0,
        };
        for index in self.openings(start.cell) {
            let Opening { left, right, .. } = self.openings[index as usize];
            search.push(start.point, None, 0.0, Sight::Cone { left, right, opening: index });
        }
        for _ in 0..MAX_STEPS {
            let node = search.open.pop().ok_or(NoLength::Unreachable)?;
            if search.is_beaten(&node) {
                continue;
            }
            match node.sight {
                Sight::Goal => return Ok(node.estimate),
                Sight::Cone { left, right, opening } => search.see_through(&node, [left, right], opening),
                Sight::Fan { turn, ray, cell, corner } => search.see_round(&node, turn, ray, cell, corner),
            }
        }
        Err(NoLength::TooLong)
    }
}

struct Search<'a> {
    cells: &'a Cells,
    goal: At,
    open: BinaryHeap<SightNode>,
    /// Shortest known length to each vertex that a path bent at.
    best: HashMap<u32, f64>,
    /// Fans already visited: two openings that end at a corner both lead to it.
    fans: HashSet<(u32, Turn, u32, PlanPoint)>,
    number: u64,
}

fn to_f64(point: PlanPoint) -> [f64; 2] {
    point.map(|v| v as f64)
}

/// The mirror image of `from` at the point `through`.
fn beyond(from: PlanPoint, through: PlanPoint) -> PlanPoint {
    [2 * through[0] - from[0], 2 * through[1] - from[1]]
}

impl Search<'_> {
    fn push(&mut self, root: PlanPoint, vertex: Option<u32>, length: f64, sight: Sight) {
        let rest = match sight {
            Sight::Cone { left, right, opening } => self.least_through(root, [left, right], opening),
            Sight::Goal | Sight::Fan { .. } => distance(to_f64(root), to_f64(self.goal.point)),
        };
        self.number += 1;
        let node = SightNode { estimate: length + rest, number: self.number, root, vertex, length, sight };
        self.open.push(node);
    }

    /// Returns true if a shorter path to the node's root is known.
    fn is_beaten(&self, node: &SightNode) -> bool {
        let best = node.vertex.and_then(|vertex| self.best.get(&vertex));
        best.is_some_and(|&best| node.length > best * (1.0 + ROUNDING))
    }

    /// Least length from a root to the goal, through the part that it sees of an opening.
    fn least_through(&self, root: PlanPoint, [left, right]: [PlanPoint; 2], opening: u32) -> f64 {
        let Opening { left: a, right: b, .. } = self.cells.openings[opening as usize];
        let (root, a, b) = (to_f64(root), to_f64(a), to_f64(b));
        let ends = [left, right].map(|bound| crossing(root, to_f64(bound), a, b));
        let goal = mirrored(to_f64(self.goal.point), root, a, b);
        let straight = crossing(root, goal, a, b).clamp(ends[0].min(ends[1]), ends[0].max(ends[1]));
        let by = [a[0] + straight * (b[0] - a[0]), a[1] + straight * (b[1] - a[1])];
        // Rounding must not make a lower bound too large.
        (distance(root, by) + distance(by, goal)) * (1.0 - ROUNDING)
    }

    /// Continues through the part of an opening that a root sees: into the cell beyond and out of it again,
    /// or around an end of the opening.
    fn see_through(&mut self, node: &SightNode, [left, right]: [PlanPoint; 2], through: u32) {
        let (cells, root) = (self.cells, node.root);
        let Opening { left: a, right: b, corners, to: cell } = cells.openings[through as usize];
        let goal = self.goal;
        let in_sight = leftness(root, left, goal.point) <= 0 && leftness(root, right, goal.point) >= 0;
        if cell == goal.cell && in_sight {
            self.push(root, node.vertex, node.length, Sight::Goal);
        }
        for index in cells.openings(cell) {
            let opening = &cells.openings[index as usize];
            match leftness(root, opening.right, opening.left).cmp(&0) {
                Ordering::Less => continue,
                Ordering::Equal => {
                    let seen = |p: PlanPoint| leftness(root, left, p) <= 0 && leftness(root, right, p) >= 0;
                    self.go_along(node, opening, seen);
                    continue;
                }
                Ordering::Greater => {}
            }
            let left = if leftness(root, left, opening.left) > 0 { left } else { opening.left };
            let right = if leftness(root, right, opening.right) < 0 { right } else { opening.right };
            if leftness(root, right, left) > 0 {
                self.push(root, node.vertex, node.length, Sight::Cone { left, right, opening: index });
            }
        }
        for (turn, end, bound, corner) in
            [(Turn::Left, a, left, corners[0]), (Turn::Right, b, right, corners[1])]
        {
            if end == bound {
                self.turn_at(node, turn, end, corner, cell);
            }
        }
    }

    /// Continues along the line of an opening that the root sees edge-on, to its nearer end, and around that
    /// end.
    fn go_along(&mut self, node: &SightNode, opening: &Opening, is_seen: impl Fn(PlanPoint) -> bool) {
        let &Opening { left, right, corners, to } = opening;
        // Squared distances are exact in 128 bits.
        let away = |p: PlanPoint| {
            [0, 1].map(|axis| i128::from(p[axis] - node.root[axis]).pow(2)).iter().sum::<i128>()
        };
        let (turn, end, corner) = if away(left) < away(right) {
            (Turn::Left, left, corners[0])
        } else {
            (Turn::Right, right, corners[1])
        };
        if is_seen(end) {
            self.turn_at(node, turn, end, corner, to);
        }
    }

    /// Bends around an end of an opening into the cell beyond, if the ground ends there.
    fn turn_at(&mut self, node: &SightNode, turn: Turn, end: PlanPoint, corner: Option<u32>, cell: u32) {
        let Some(corner) = corner else { return };
        let length = node.length + distance(to_f64(node.root), to_f64(end));
        let best = self.best.entry(corner).or_insert(f64::INFINITY);
        if length <= *best * (1.0 + ROUNDING) {
            *best = best.min(length);
            let sight = Sight::Fan { turn, ray: beyond(node.root, end), cell, corner };
            self.push(end, Some(corner), length, sight);
        }
    }

    /// Continues from a corner, into the cells around it on the side of the ray that the path turns to.
    fn see_round(&mut self, node: &SightNode, turn: Turn, ray: PlanPoint, cell: u32, corner: u32) {
        if !self.fans.insert((corner, turn, cell, ray)) {
            return;
        }
        let (cells, root) = (self.cells, node.root);
        // Positive on the side that the path turns to.
        let aside = |point: PlanPoint| match turn {
            Turn::Left => leftness(root, ray, point),
            Turn::Right => -leftness(root, ray, point),
        };
        if cell == self.goal.cell && aside(self.goal.point) > 0 {
            self.push(root, node.vertex, node.length, Sight::Goal);
        }
        for index in cells.openings(cell) {
            let opening = &cells.openings[index as usize];
            let (near, far) = match turn {
                Turn::Left => (opening.right, opening.left),
                Turn::Right => (opening.left, opening.right),
            };
            let ahead = |p: PlanPoint| {
                let along =
                    |axis: usize| i128::from(p[axis] - root[axis]) * i128::from(ray[axis] - root[axis]);
                aside(p) > 0 || (aside(p) == 0 && along(0) + along(1) > 0)
            };
            if far == root {
                // Further around the corner, through an opening that begins at it.
                if ahead(near) {
                    let sight = Sight::Fan { turn, ray, cell: opening.to, corner };
                    self.push(root, node.vertex, node.length, sight);
                }
                continue;
            }
            if near == root {
                continue;
            }
            match leftness(root, opening.right, opening.left).cmp(&0) {
                Ordering::Less => continue,
                Ordering::Equal => {
                    self.go_along(node, opening, ahead);
                    continue;
                }
                Ordering::Greater => {}
            }
            let bounds = match (aside(near), aside(far)) {
                (of_near, 1..) => [if of_near >= 0 { near } else { ray }, far],
                // Half a turn at most. Points beyond it are nearer in the other direction.
                (1.., of_far) => [near, if of_far == 0 { far } else { beyond(ray, root) }],
                _ => continue,
            };
            let [left, right] = match turn {
                Turn::Left => [bounds[1], bounds[0]],
                Turn::Right => bounds,
            };
            self.push(root, node.vertex, node.length, Sight::Cone { left, right, opening: index });
        }
    }
}

/// The intersection of the line from `root` through `target` with the segment from `a` to `b`, as a fraction
/// of the segment.
fn crossing(root: [f64; 2], target: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [target[0] - root[0], target[1] - root[1]];
    let side = |p: [f64; 2]| along[0] * (p[1] - root[1]) - along[1] * (p[0] - root[0]);
    let (of_a, of_b) = (side(a), side(b));
    let t = of_a / (of_a - of_b);
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

/// The goal, or its mirror image in the line `ab` if it is on the root's side of that line.
fn mirrored(goal: [f64; 2], root: [f64; 2], a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let side = |p: [f64; 2]| along[0] * (p[1] - a[1]) - along[1] * (p[0] - a[0]);
    if side(goal) * side(root) <= 0.0 {
        return goal;
    }
    let length2 = along[0] * along[0] + along[1] * along[1];
    let away = 2.0 * side(goal) / length2;
    [goal[0] + away * along[1], goal[1] - away * along[0]]
}

#[cfg(test)]
mod tests;
