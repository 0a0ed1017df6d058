//! A line over the ground: the gates that it crosses, and where.

use super::graph::GroundGraph;
use super::moves::Moves;
use super::search::{GroundEnd, SEED};
use crate::query::nodes::NO_NODE;
use glam::DVec3;

/// A gate that a line crosses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) gate: u32,
    /// The side that it leaves.
    pub(super) side: usize,
    /// The share of the gate's length, 0..=1.
    pub(super) share: f64,
}

/// A line from one place to another.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundLine {
    /// The first and the last point, each with its face.
    pub(super) ends: Option<[(DVec3, u32); 2]>,
    pub(super) crossings: Vec<Crossing>,
}

/// A straight part of a line over one face.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineLeg {
    pub(super) face: u32,
    pub(super) from: DVec3,
    pub(super) to: DVec3,
}

impl GroundGraph {
    /// Writes the line to a node, or to the target after it. Returns the number of the seed that it starts
    /// at.
    pub(super) fn trace(
        &self,
        mut node: u32,
        target: Option<GroundEnd>,
        seeds: &[GroundEnd],
        line: &mut GroundLine,
    ) -> usize {
        line.crossings.clear();
        let end = match target {
            Some(target) => Some((target.point, target.face)),
            None => self.nodes.get(node as usize).map(|reached| {
                let gate = &self.gates[reached.gate as usize];
                let (side, _) = gate.place_of(node);
                (self.far_point(node), gate.faces[1 - side as usize])
            }),
        };
        // Parents were settled before their children, so the path ends.
        while let Some(reached) = self.nodes.get(node as usize) {
            let gate = &self.gates[reached.gate as usize];
            let (side, point) = gate.place_of(node);
            let (gate, side, share) = (reached.gate, side as usize, gate.share_of(point));
            line.crossings.push(Crossing { gate, side, share });
            node = reached.parent;
        }
        line.crossings.reverse();
        let number = if node != NO_NODE { (node & !SEED) as usize } else { 0 };
        let start = seeds.get(number).map(|seed| (seed.point, seed.face));
        line.ends = start.map(|start| [start, end.unwrap_or(start)]);
        number
    }

    /// The points of a crossing on its near and on its far side.
    #[inline]
    pub(super) fn points_of(&self, crossing: &Crossing) -> [DVec3; 2] {
        let gate = &self.gates[crossing.gate as usize];
        [gate.at(crossing.side, crossing.share), gate.at(1 - crossing.side, crossing.share)]
    }

    /// The face that a crossing leads to.
    #[inline]
    pub(super) fn face_after(&self, crossing: &Crossing) -> u32 {
        self.gates[crossing.gate as usize].faces[1 - crossing.side]
    }

    /// The face that a crossing leads from.
    #[inline]
    pub(super) fn face_before(&self, crossing: &Crossing) -> u32 {
        self.gates[crossing.gate as usize].faces[crossing.side]
    }

    /// The legs of a part of a line, between two points.
    pub(super) fn legs<'a>(
        &'a self,
        start: (DVec3, u32),
        crossings: &'a [Crossing],
        end: DVec3,
    ) -> impl Iterator<Item = LineLeg> + 'a {
        (0..=crossings.len()).map(move |number| {
            let before = number.checked_sub(1).map(|number| &crossings[number]);
            LineLeg {
                face: before.map_or(start.1, |before| self.face_after(before)),
                from: before.map_or(start.0, |before| self.points_of(before)[1]),
                to: crossings.get(number).map_or(end, |after| self.points_of(after)[0]),
            }
        })
    }

    /// The cost of going through a gate: over an off-mesh link, or over a step between two tiles.
    #[inline]
    pub(super) fn cost_through(&self, moves: &Moves, crossing: &Crossing) -> f64 {
        let gate = &self.gates[crossing.gate as usize];
        if gate.link.is_none() && gate.is_flush() {
            return 0.0;
        }
        let [near, far] = self.points_of(crossing);
        let rate = gate.link.map_or_else(|| self.rate(gate.faces[crossing.side]), |(_, rate)| rate);
        moves.cost_over(near, far, rate)
    }

    /// The cost of a part of a line; infinite if a face is too narrow for a zigzag.
    pub(super) fn cost_of(
        &self,
        moves: &Moves,
        start: (DVec3, u32),
        crossings: &[Crossing],
        end: DVec3,
    ) -> f64 {
        let legs = self.legs(start, crossings, end).map(|LineLeg { face, from, to }| {
            let is_steep = moves.has_limits() && moves.is_steep(from, to);
            if is_steep && moves.zigzag(self.corners(face), from, to).is_none() {
                return f64::INFINITY;
            }
            moves.cost(from, to, self.rate(face))
        });
        let through = crossings.iter().map(|crossing| self.cost_through(moves, crossing));
        legs.sum::<f64>() + through.sum::<f64>()
    }
}
