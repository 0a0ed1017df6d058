//! A* over the points of gates. From a point of a gate the ground of one face is crossed to the points of its
//! other gates. A path comes straight over each face, so it continues only over the face on the other side of
//! the gate that it came through, and along the gate if that side is cheaper.

use super::graph::{GateNode, GroundFace, GroundGate, GroundGraph, GroundPolygon};
use super::moves::Moves;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use crate::query::nodes::NO_NODE;
use crate::query::open_list::OpenList;
use glam::DVec3;

/// Parents with this bit set are seeds. Numbers of nodes stay below it.
pub(super) const SEED: u32 = 1 << 31;
/// The number of the goal on the open list.
const GOAL: u32 = NO_NODE;

/// A place on a face where paths begin or end.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundEnd {
    pub(super) face: u32,
    pub(super) point: DVec3,
    /// Cost before it, or after it: over the off-mesh link that the start or the goal is on.
    pub(super) extra: f64,
}

/// A place that is searched for, and the cost of moves.
pub(super) struct GroundSearch<'a, C> {
    pub(super) mesh: &'a NavMesh,
    pub(super) filter: &'a C,
    pub(super) moves: Moves,
    pub(super) graph: &'a mut GroundGraph,
    pub(super) open: &'a mut OpenList,
    pub(super) seeds: &'a [GroundEnd],
    pub(super) targets: &'a [GroundEnd],
    /// The place that estimates lead to, and the least cost of a metre; a cost of 0 for no estimate.
    pub(super) goal: DVec3,
    pub(super) scale: f64,
    /// The cheapest path to a target so far: its cost, the node before it, and the number of the target.
    pub(super) best: (f64, u32, usize),
}

/// The point on a face where a path has arrived, with its cost.
#[derive(Clone, Copy, Debug)]
struct OnFace {
    node: u32,
    point: DVec3,
    cost: f64,
    face: u32,
    /// The gate that it came through, or [`NO_NODE`].
    gate: u32,
    /// True if it came from ground that costs more, so that it may continue along the gate.
    may_follow_gate: bool,
}

impl<C: CostModel> GroundSearch<'_, C> {
    /// Searches until the goal is settled. Returns true if it was found.
    pub(super) fn run(&mut self) -> Result<bool, QueryError> {
        self.open.clear();
        for number in 0..self.seeds.len() {
            let GroundEnd { face, point, extra } = self.seeds[number];
            let node = SEED | number as u32;
            let from = OnFace { node, point, cost: extra, face, gate: NO_NODE, may_follow_gate: false };
            self.expand(&from)?;
        }
        while let Some(number) = self.open.pop() {
            if number == GOAL {
                return Ok(true);
            }
            if let Some(from) = self.settle(number) {
                self.expand(&from)?;
            }
        }
        Ok(false)
    }

    /// Settles a node. Returns the point on the far side of its gate, unless no path continues there.
    fn settle(&mut self, number: u32) -> Option<OnFace> {
        let GateNode { cost, gate, is_settled, .. } = self.graph.nodes[number as usize];
        if is_settled {
            return None;
        }
        self.graph.nodes[number as usize].is_settled = true;
        let crossed = &self.graph.gates[gate as usize];
        let (side, point) = crossed.place_of(number);
        let other = crossed.first + (1 - side) * crossed.count + point;
        // A path that comes back is no cheaper than without crossing the gate.
        if crossed.is_flush() && crossed.link.is_none() && self.graph.nodes[other as usize].is_settled {
            return None;
        }
        let side = side as usize;
        let [left, face] = [crossed.faces[side], crossed.faces[1 - side]];
        let [before, here] = [left, face].map(|face| self.graph.polygon_of(face).rate);
        Some(OnFace {
            node: number,
            point: crossed.at(1 - side, crossed.share_of(point)),
            cost,
            face,
            gate,
            may_follow_gate: crossed.link.is_none() && here < before,
        })
    }

    /// Looks at all moves over the face that a path has reached.
    fn expand(&mut self, from: &OnFace) -> Result<(), QueryError> {
        let GroundFace { polygon, .. } = self.graph.faces[from.face as usize];
        self.graph.open(self.mesh, self.filter, polygon, false)?;
        let rate = self.graph.polygons.get(polygon).rate;
        for (number, target) in self.targets.iter().enumerate() {
            if target.face == from.face {
                let cost = from.cost + self.move_cost(from, target.point, rate) + target.extra;
                if cost < self.best.0 {
                    self.best = (cost, from.node, number);
                    self.open.push(GOAL, cost, 0.0);
                }
            }
        }
        let mut number = self.graph.faces[from.face as usize].gates;
        while let Some(gate) = self.graph.gates.get(number as usize).copied() {
            let side = gate.side_of(from.face);
            if number != from.gate || from.may_follow_gate {
                let beyond = self.graph.polygon_of(gate.faces[1 - side]);
                if beyond.passes || beyond.polygon == self.graph.polygons.get(polygon).polygon {
                    self.relax(from, &gate, side, rate);
                }
            }
            number = gate.next[side];
        }
        Ok(())
    }

    /// The cost of a move over a face; infinite if it is too steep for it.
    #[inline]
    fn move_cost(&self, from: &OnFace, to: DVec3, rate: f64) -> f64 {
        if self.moves.has_limits()
            && self.moves.is_steep(from.point, to)
            && self.moves.zigzag(self.graph.corners(from.face), from.point, to).is_none()
        {
            return f64::INFINITY;
        }
        self.moves.cost(from.point, to, rate)
    }

    /// Looks at the moves from a point to the points of a gate, and through it.
    #[inline]
    fn relax(&mut self, from: &OnFace, gate: &GroundGate, side: usize, rate: f64) {
        let is_flush = gate.link.is_none() && gate.is_flush();
        for point in 0..gate.count {
            let number = gate.first + side as u32 * gate.count + point;
            let back = gate.first + (1 - side) as u32 * gate.count + point;
            let nodes = &self.graph.nodes;
            if nodes[number as usize].is_settled || (is_flush && nodes[back as usize].is_settled) {
                continue;
            }
            let share = gate.share_of(point);
            let near = gate.at(side, share);
            let mut cost = from.cost + self.move_cost(from, near, rate);
            let mut far = near;
            if let Some((_, over)) = gate.link {
                far = gate.at(1 - side, share);
                cost += self.moves.cost_over(near, far, over);
            } else if !is_flush {
                far = gate.at(1 - side, share);
                cost += self.moves.cost_over(near, far, rate);
            }
            let node = &mut self.graph.nodes[number as usize];
            if cost < node.cost {
                (node.cost, node.parent) = (cost, from.node);
                let remaining = self.scale * far.distance(self.goal)
                    + if self.scale > 0.0 { self.moves.rising(self.goal.y - far.y) } else { 0.0 };
                if cost + remaining < self.best.0 {
                    self.open.push(number, cost + remaining, remaining);
                }
            }
        }
    }

    /// The node that came nearest to the goal: the first of several.
    pub(super) fn nearest(&self) -> Option<u32> {
        let mut best: Option<(f64, f64, u32)> = None;
        for (number, node) in (0u32..).zip(&self.graph.nodes) {
            if node.cost < f64::INFINITY {
                let away = self.graph.far_point(number).distance(self.goal);
                if best.is_none_or(|(least, cost, _)| (away, node.cost) < (least, cost)) {
                    best = Some((away, node.cost, number));
                }
            }
        }
        let away_of_seeds = self.seeds.iter().map(|seed| seed.point.distance(self.goal));
        let nearest_seed = away_of_seeds.fold(f64::INFINITY, f64::min);
        best.filter(|(away, ..)| *away < nearest_seed).map(|(.., number)| number)
    }
}

impl GroundGate {
    /// The side that a node leaves, and the number of its point.
    #[inline]
    pub(super) fn place_of(&self, node: u32) -> (u32, u32) {
        let offset = node - self.first;
        (offset / self.count, offset % self.count)
    }

    /// The side of one of its faces.
    #[inline]
    pub(super) fn side_of(&self, face: u32) -> usize {
        usize::from(self.faces[0] != face)
    }
}

impl GroundGraph {
    /// The place of a node: the point on the far side of its gate.
    pub(super) fn far_point(&self, node: u32) -> DVec3 {
        let gate = &self.gates[self.nodes[node as usize].gate as usize];
        let (side, point) = gate.place_of(node);
        gate.at(1 - side as usize, gate.share_of(point))
    }

    /// The rate of the polygon of a face.
    pub(super) fn rate(&self, face: u32) -> f64 {
        let GroundPolygon { rate, .. } = *self.polygon_of(face);
        rate
    }
}
