//! Finds the fewest edges that stay within an error of a chain; of equally few, those with the least sum of
//! squared distances from its corners. Corners that triangles give have a small error of their own.
//!
//! Source: H. Imai and M. Iri, Computational-Geometric Methods for Polygonal Approximations of a Curve
//! (1986), with the cones of W. S. Chan and F. Chin (1996).
//!
//! ```text
//!   error  . . . . . . . . .      From the start, each traced corner leaves a cone of directions in which a
//!          ___     __---          line passes it within the error. The cones so far have a common part, and
//!   start <   ---__   o__         an edge to a later corner must be in it. If nothing is left of the cone,
//!          o-o-----o     ---      no edge can be longer.
//! ```
//!
//! Corners are found in rounds: a round reaches every corner that takes one edge more. Only the last corners
//! of a round continue, because edges from the others end earlier, so a chain takes O(corners) steps, however
//! straight it is. Only corners where the chain turns count: between them all is within the error if they
//! are. Decided in f64, by operations that are equal on every platform.

use crate::data::chain::ChainCorner;
use navmath::predicates::between;

/// The number of corners at the end of a round that continue: more than most edges pass.
const WINDOW: usize = 24;

/// A corner where the chain turns, or one of its ends.
#[derive(Clone, Copy)]
struct Turn {
    /// Its index in the list of all corners.
    corner: usize,
    place: [f64; 2],
    /// The largest distance of an edge that passes it.
    error: f64,
    /// Sums over all corners of the chain up to this one: of 1, x, z, x², xz and z².
    sums: [f64; 6],
    /// The fewest edges from the start; [`UNSEEN`] if none are known.
    edges: u32,
    /// The least sum of squared distances with that many edges, and the turn where the last of them starts.
    cost: f64,
    before: usize,
}

const UNSEEN: u32 = u32::MAX;

/// The largest error of corners that triangles give, 1/256 cell: 1 cm in cells of 0.3 m.
const EXACT_ERROR: f64 = 4.0;

/// Finds the fewest edges of chains, one chain after the other.
#[derive(Default)]
pub(crate) struct FewestEdges {
    turns: Vec<Turn>,
}

impl FewestEdges {
    /// Appends the corners to keep of a part of a chain, from its last corner to the one after its first.
    pub(crate) fn find(
        &mut self,
        corners: &[ChainCorner],
        ends: [usize; 2],
        error: f64,
        kept: &mut Vec<usize>,
    ) {
        find_turns(corners, ends, error, &mut self.turns);
        fewest_edges(&mut self.turns, kept);
    }
}

/// Lists the ends of a part of a chain, and the corners between them where it turns.
fn find_turns(corners: &[ChainCorner], [from, to]: [usize; 2], error: f64, turns: &mut Vec<Turn>) {
    turns.clear();
    let origin = corners[from].plan;
    let mut sums = [0.0; 6];
    for index in from..=to {
        let plan = corners[index].plan;
        let place @ [x, z] = [0, 1].map(|axis| f64::from(plan[axis] - origin[axis]));
        for (sum, term) in sums.iter_mut().zip([1.0, x, z, x * x, x * z, z * z]) {
            *sum += term;
        }
        let turns_here = || {
            let (before, after) = (corners[index - 1].plan, corners[index + 1].plan);
            // Most steps are as long as the next one.
            let is_same = (0..2).all(|axis| plan[axis] - before[axis] == after[axis] - plan[axis]);
            !is_same && (before == after || !between(before, after, plan))
        };
        if index == from || index == to || turns_here() {
            let error = if corners[index].exact { EXACT_ERROR.min(error) } else { error };
            turns.push(Turn { corner: index, place, error, sums, edges: UNSEEN, cost: 0.0, before: 0 });
        }
    }
}

/// Appends the corners at the ends of the fewest edges over all turns, the last one first.
fn fewest_edges(turns: &mut [Turn], kept: &mut Vec<usize>) {
    let last = turns.len() - 1;
    turns[0].edges = 0;
    let (mut round, mut reached) = (0, 0usize);
    while turns[last].edges == UNSEEN {
        let from = (reached + 1).saturating_sub(WINDOW);
        for start in (from..=reached).rev() {
            if turns[start].edges == round {
                reach_from(start, turns, &mut reached);
            }
        }
        round += 1;
    }
    let mut at = last;
    while at > 0 {
        kept.push(turns[at].corner);
        at = turns[at].before;
    }
}

/// Finds the turns that one edge more than that of `start` leads to.
fn reach_from(start: usize, turns: &mut [Turn], reached: &mut usize) {
    let (from, last) = (turns[start], turns.len() - 1);
    let mut cone = Cone::default();
    // The turn that is furthest away so far, with its squared distance. All before it are within `before`, so
    // that no more need be looked through than those since, where the chain has hardly turned back.
    let (mut furthest, mut before) = ((0.0, start), 0.0);
    for end in start + 1..=last {
        #[cfg(test)]
        crate::meshing::steps::step();
        let to = turns[end];
        let along = difference(to.place, from.place);
        let length = dot(along, along);
        let is_edge = || {
            if length == 0.0 {
                // A closed chain that is no larger than the error.
                return end == last && furthest.0 <= to.error * to.error;
            }
            let passes = |turn: &Turn| passes_end(turn.place, to.place, along, turn.error * turn.error);
            let turns_back = || {
                let first = if length < before { start + 1 } else { furthest.1 };
                furthest.0 > length && (passes(&turns[furthest.1]) || turns[first..end].iter().any(passes))
            };
            cone.holds(along) && !turns_back()
        };
        if to.edges > from.edges && is_edge() {
            let cost = from.cost + squares(&from, &to, along, length);
            if to.edges == UNSEEN || cost < to.cost {
                turns[end] = Turn { edges: from.edges + 1, cost, before: start, ..to };
                *reached = end.max(*reached);
            }
        }
        if !cone.narrow(along, length, to.error) {
            return;
        }
        if length > furthest.0 {
            (furthest, before) = ((length, end), furthest.0);
        }
    }
}

/// Returns true if a corner is further than the error beyond the end of an edge.
fn passes_end(place: [f64; 2], end: [f64; 2], along: [f64; 2], squared_error: f64) -> bool {
    let beyond = difference(place, end);
    dot(beyond, along) > 0.0 && dot(beyond, beyond) > squared_error
}

/// The sum of the squared distances from the line over an edge to the corners that it replaces.
fn squares(from: &Turn, to: &Turn, [dx, dz]: [f64; 2], length: f64) -> f64 {
    let [x, z] = from.place;
    let [n, sx, sz, sxx, sxz, szz]: [f64; 6] = std::array::from_fn(|index| to.sums[index] - from.sums[index]);
    // Counted from the start of the edge.
    let (xx, xz, zz) =
        (sxx - x * (2.0 * sx - n * x), sxz - x * sz - z * (sx - n * x), szz - z * (2.0 * sz - n * z));
    if length == 0.0 {
        return xx + zz;
    }
    ((dx * dx * zz - 2.0 * dx * dz * xz + dz * dz * xx) / length).max(0.0)
}

/// Directions in which lines from a place pass all corners so far within the error: those from one unit
/// vector to another one, counter-clockwise, less than half a turn.
#[derive(Clone, Copy, Default)]
struct Cone(Option<[[f64; 2]; 2]>);

impl Cone {
    fn holds(&self, direction: [f64; 2]) -> bool {
        self.0.is_none_or(|[right, left]| cross(right, direction) >= 0.0 && cross(direction, left) >= 0.0)
    }

    /// Keeps the directions that pass another corner. Returns false if there are none.
    fn narrow(&mut self, along: [f64; 2], squared: f64, error: f64) -> bool {
        if squared <= error * error {
            return true;
        }
        if let Some(sides) = self.0
            && sides.iter().all(|&side| dot(side, along) > 0.0 && cross(side, along).abs() <= error)
        {
            return true;
        }
        let [x, z] = along;
        let (tangent, side) = ((squared - error * error).sqrt() / squared, error / squared);
        let own = [
            [x * tangent + z * side, z * tangent - x * side],
            [x * tangent - z * side, z * tangent + x * side],
        ];
        let Some(known) = self.0 else {
            self.0 = Some(own);
            return true;
        };
        let either = |side: usize| match () {
            () if self.holds(own[side]) => Some(own[side]),
            () if Cone(Some(own)).holds(known[side]) => Some(known[side]),
            () => None,
        };
        self.0 = either(0).zip(either(1)).map(|(right, left)| [right, left]);
        self.0.is_some()
    }
}

fn difference(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
