//! Takes a line around the other side of a corner of faces. The gates that a line crosses come from a search
//! over a few points of each, so the line may be led past the wrong side of a corner; improved, it then
//! touches the corner. The gates on the other side of the corner are tried, and kept if the line becomes
//! cheaper.

use super::graph::GroundGraph;
use super::improve::ImproveScratch;
use super::line::{Crossing, GroundLine};
use super::moves::Moves;
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use glam::{DVec3, Vec3};

/// A line this near to a corner touches it, metres.
const TOUCHES: f64 = 0.02;
/// The most gates about a corner, and the most times that all corners are looked at.
const MOST_GATES: usize = 32;
const MOST_ROUNDS: usize = 12;
/// Crossings before and after a corner that may move when its other side is tried.
const AROUND: usize = 4;
/// The relative gain that is worth a change.
const LEAST_GAIN: f64 = 1e-7;

/// Memory for trying the other sides of corners.
#[derive(Debug, Default)]
pub(super) struct FlipScratch {
    other: Vec<Crossing>,
    tried: Vec<Crossing>,
}

/// Improves a line through its gates, and takes it around corners where that makes it cheaper. Returns its
/// cost.
pub(super) fn improve_line(
    (graph, mesh, filter): (&mut GroundGraph, &NavMesh, &impl CostModel),
    moves: &Moves,
    line: &mut GroundLine,
    (improve, flips): (&mut ImproveScratch, &mut FlipScratch),
) -> Result<f64, QueryError> {
    let Some([start, end]) = line.ends else { return Ok(0.0) };
    let mut cost = improve.improve(graph, moves, start, &mut line.crossings, end.0);
    for _ in 0..MOST_ROUNDS {
        let (mut at, mut has_changed) = (0, false);
        while at < line.crossings.len() {
            let Some(count) = flips.find_other_side(graph, mesh, filter, &line.crossings[at..])? else {
                at += 1;
                continue;
            };
            let from = at.saturating_sub(AROUND);
            let to = (at + count + AROUND).min(line.crossings.len());
            let window_start =
                from.checked_sub(1).map_or(start, |before| graph.far_end(&line.crossings[before]));
            let window_end = line.crossings.get(to).map_or(end.0, |after| graph.points_of(after)[0]);
            let before = graph.cost_of(moves, window_start, &line.crossings[from..to], window_end);
            flips.tried.clear();
            flips.tried.extend_from_slice(&line.crossings[from..at]);
            flips.tried.extend_from_slice(&flips.other);
            flips.tried.extend_from_slice(&line.crossings[at + count..to]);
            let after = improve.improve(graph, moves, window_start, &mut flips.tried, window_end);
            if after < before * (1.0 - LEAST_GAIN) {
                line.crossings.splice(from..to, flips.tried.iter().copied());
                has_changed = true;
                at += flips.other.len().max(1);
            } else {
                at += count;
            }
        }
        if !has_changed {
            break;
        }
        cost = improve.improve(graph, moves, start, &mut line.crossings, end.0);
    }
    Ok(cost)
}

/// The end of its gate that a crossing touches, as a number, if it is near enough.
fn touched_end(graph: &GroundGraph, crossing: &Crossing) -> Option<usize> {
    let gate = &graph.gates[crossing.gate as usize];
    let length = gate.length();
    if gate.link.is_some() || length <= 0.0 {
        return None;
    }
    let end = usize::from(crossing.share > 0.5);
    ((crossing.share - end as f64).abs() * length <= TOUCHES).then_some(end)
}

impl FlipScratch {
    /// If a line touches a corner at its first crossing: finds the gates on the other side of the corner.
    /// Returns the number of crossings that they replace.
    fn find_other_side(
        &mut self,
        graph: &mut GroundGraph,
        mesh: &NavMesh,
        filter: &impl CostModel,
        crossings: &[Crossing],
    ) -> Result<Option<usize>, QueryError> {
        let corner_of = |graph: &GroundGraph, crossing: &Crossing| -> Option<[Vec3; 2]> {
            let end = touched_end(graph, crossing)?;
            let ends = graph.gates[crossing.gate as usize].ends;
            Some([ends[crossing.side][end], ends[1 - crossing.side][end]])
        };
        let Some([corner, mut far]) = corner_of(graph, &crossings[0]) else { return Ok(None) };
        let mut count = 1;
        while let Some([near, beyond]) = crossings.get(count).and_then(|next| corner_of(graph, next)) {
            if near != far {
                break;
            }
            (far, count) = (beyond, count + 1);
        }
        let goal = graph.face_after(&crossings[count - 1]);
        let found = self.walk(graph, mesh, filter, (&crossings[0], corner), goal)?;
        Ok(found.then_some(count))
    }

    /// Lists the gates about a corner from the face before a crossing to another face, away from the
    /// crossing.
    fn walk(
        &mut self,
        graph: &mut GroundGraph,
        mesh: &NavMesh,
        filter: &impl CostModel,
        (first, mut corner): (&Crossing, Vec3),
        goal: u32,
    ) -> Result<bool, QueryError> {
        self.other.clear();
        let (mut face, mut last) = (graph.face_before(first), first.gate);
        while face != goal {
            let polygon = graph.faces[face as usize].polygon;
            graph.open(mesh, filter, polygon, false)?;
            let Some((gate, side, end)) = graph.gate_at(face, corner, last) else { return Ok(false) };
            let crossed = &graph.gates[gate as usize];
            let beyond = graph.polygon_of(crossed.faces[1 - side]);
            if self.other.len() == MOST_GATES || !beyond.passes {
                return Ok(false);
            }
            self.other.push(Crossing { gate, side, share: end as f64 });
            (corner, face, last) = (crossed.ends[1 - side][end], crossed.faces[1 - side], gate);
        }
        Ok(true)
    }
}

impl GroundGraph {
    /// A gate off a face with an end at a corner, other than a given one: its number, its side, and the end.
    fn gate_at(&self, face: u32, corner: Vec3, but: u32) -> Option<(u32, usize, usize)> {
        let mut number = self.faces[face as usize].gates;
        while let Some(gate) = self.gates.get(number as usize) {
            let side = gate.side_of(face);
            if number != but && gate.link.is_none() {
                for end in 0..2 {
                    if gate.ends[side][end] == corner {
                        return Some((number, side, end));
                    }
                }
            }
            number = gate.next[side];
        }
        None
    }

    /// The point on the far side of a crossing, with its face.
    fn far_end(&self, crossing: &Crossing) -> (DVec3, u32) {
        (self.points_of(crossing)[1], self.face_after(crossing))
    }
}
