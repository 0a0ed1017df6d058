//! The order in which the values of vertices are written: that of a walk over the triangles.
//!
//! The walk in depth takes the triangle to the right first. The walk by degree first takes the vertex that
//! most triangles predict.
//! Source: Draco bitstream specification 2.2, attribute traversal.

use super::bytes::{Budget, Fault, fault};
use super::corners::{CornerTable, NONE, next, previous};

/// Bytes of a triangle and of a vertex in the lists of a walk.
const TRIANGLE_BYTES: u64 = 17;
const VERTEX_BYTES: u64 = 13;
/// By degree: known vertices, vertices that several triangles predict, others.
const PRIORITIES: usize = 3;

/// The order of values.
pub(super) struct Order {
    /// The corner of each value.
    pub(super) corners: Vec<u32>,
    /// The value of each vertex, or `NONE`.
    pub(super) values: Vec<u32>,
}

struct Walk<'c> {
    corners: &'c CornerTable,
    seen: Vec<bool>,
    order: Order,
}

impl Order {
    /// Depth first, or by degree.
    pub(super) fn new(corners: &CornerTable, by_degree: bool, budget: &mut Budget) -> Result<Order, Fault> {
        let triangles = budget.take(u64::from(corners.count() / 3), TRIANGLE_BYTES, "triangles")?;
        let vertices = budget.take(corners.vertices() as u64, VERTEX_BYTES, "vertices")?;
        let order = Order { corners: Vec::with_capacity(vertices), values: vec![NONE; vertices] };
        let mut walk = Walk { corners, seen: vec![false; triangles], order };
        if by_degree {
            ByDegree { degrees: vec![0; vertices], waiting: Default::default() }.walk(&mut walk);
        } else {
            let mut waiting = Vec::new();
            for triangle in 0..triangles as u32 {
                walk.depth_first(3 * triangle, &mut waiting)?;
            }
        }
        Ok(walk.order)
    }
}

impl Walk<'_> {
    fn is_known(&self, vertex: u32) -> bool {
        self.order.values[vertex as usize] != NONE
    }

    /// Gives the vertex of a corner the next value, unless it has one; returns true if it had none.
    fn meet(&mut self, corner: u32) -> bool {
        let value = &mut self.order.values[self.corners.vertex(corner) as usize];
        let is_new = *value == NONE;
        if is_new {
            *value = self.order.corners.len() as u32;
            self.order.corners.push(corner);
        }
        is_new
    }

    /// Returns the corner, if there is one and its triangle has not been visited.
    fn unseen(&self, corner: Option<u32>) -> Option<u32> {
        corner.filter(|&corner| !self.seen[corner as usize / 3])
    }

    /// The corners opposite, in the unvisited triangles to the right and to the left.
    fn ahead(&self, corner: u32) -> [Option<u32>; 2] {
        [next(corner), previous(corner)].map(|corner| self.unseen(self.corners.opposite(corner)))
    }

    fn depth_first(&mut self, start: u32, waiting: &mut Vec<u32>) -> Result<(), Fault> {
        if self.unseen(Some(start)).is_none() {
            return Ok(());
        }
        self.meet(next(start));
        self.meet(previous(start));
        waiting.push(start);
        while let Some(first) = waiting.pop() {
            let mut step = self.unseen(Some(first));
            while let Some(corner) = step {
                self.seen[corner as usize / 3] = true;
                let is_inside = !self.corners.is_boundary(self.corners.vertex(corner));
                if self.meet(corner) && is_inside {
                    let right = self.corners.opposite(next(corner));
                    step = Some(right.ok_or_else(|| fault("has a closed vertex at a boundary"))?);
                    continue;
                }
                step = match self.ahead(corner) {
                    [Some(right), Some(left)] => {
                        waiting.push(left);
                        Some(right)
                    }
                    [right, left] => right.or(left),
                };
            }
        }
        Ok(())
    }
}

/// A walk by degree.
struct ByDegree {
    /// The number of triangles that predict each vertex.
    degrees: Vec<u32>,
    /// Corners ahead by their priority.
    waiting: [Vec<u32>; PRIORITIES],
}

impl ByDegree {
    fn walk(&mut self, walk: &mut Walk<'_>) {
        for triangle in 0..walk.corners.count() / 3 {
            let start = 3 * triangle;
            if walk.unseen(Some(start)).is_none() {
                continue;
            }
            for corner in [next(start), previous(start), start] {
                walk.meet(corner);
            }
            self.waiting[0].push(start);
            let mut best = 0;
            while let Some(corner) = self.pop(&mut best) {
                self.follow(walk, corner, &mut best);
            }
        }
    }

    fn pop(&mut self, best: &mut usize) -> Option<u32> {
        for priority in *best..PRIORITIES {
            if let Some(corner) = self.waiting[priority].pop() {
                *best = priority;
                return Some(corner);
            }
        }
        None
    }

    fn push(&mut self, corner: u32, priority: usize, best: &mut usize) {
        self.waiting[priority].push(corner);
        *best = priority.min(*best);
    }

    /// Continues a walk from a corner while no waiting corner has a better priority.
    fn follow(&mut self, walk: &mut Walk<'_>, first: u32, best: &mut usize) {
        let mut step = walk.unseen(Some(first));
        while let Some(corner) = step.take() {
            walk.seen[corner as usize / 3] = true;
            walk.meet(corner);
            let [right, left] = walk.ahead(corner);
            if let Some(left) = left {
                let priority = self.priority(walk, left);
                if right.is_none() && priority <= *best {
                    step = Some(left);
                    continue;
                }
                self.push(left, priority, best);
            }
            if let Some(right) = right {
                let priority = self.priority(walk, right);
                if priority <= *best {
                    step = Some(right);
                } else {
                    self.push(right, priority, best);
                }
            }
        }
    }

    fn priority(&mut self, walk: &Walk<'_>, corner: u32) -> usize {
        let vertex = walk.corners.vertex(corner);
        if walk.is_known(vertex) {
            return 0;
        }
        let degree = &mut self.degrees[vertex as usize];
        *degree += 1;
        if *degree > 1 { 1 } else { 2 }
    }
}
