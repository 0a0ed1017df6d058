//! Moves the crossings of a line along their gates until the line is the cheapest through them.
//!
//! The cost of a leg is convex in its vector, so the cost of the line is convex in all crossings together. It
//! has kinks: at a level leg if height costs, and at a leg of no length. So it is smoothed, less and less,
//! and Newton's method finds the minimum. A leg depends on two crossings, so the Hessian is tridiagonal, and
//! a step is linear in the crossings. Crossings at an end of their gate stay there while the slope pushes
//! them out. Cost: about twenty steps, at most [`MOST_STEPS`] for each of the smoothings. Source: D.
//! Bertsekas, Projected Newton methods for optimization problems with simple constraints (1982).

use super::graph::GroundGraph;
use super::line::Crossing;
use super::moves::Moves;
use glam::DVec3;

/// Heights that are rounded off at kinks, metres, in turn.
const SMOOTHINGS: [f64; 4] = [0.3, 0.03, 0.003, 0.0003];
/// The same for lengths, as a share of it.
const LENGTH_SHARE: f64 = 0.1;
/// The most steps for a smoothing, and the most times that a step is halved.
const MOST_STEPS: usize = 24;
const MOST_HALVINGS: usize = 12;
/// The relative gain of a step that ends a smoothing.
const LEAST_GAIN: f64 = 1e-7;

/// Memory for improving lines.
#[derive(Debug, Default)]
pub(super) struct ImproveScratch {
    vars: Vec<Variable>,
    rates: Vec<f64>,
    tried: Vec<f64>,
    kept: Vec<Crossing>,
}

/// A crossing as a variable of the cost.
#[derive(Clone, Copy, Debug)]
struct Variable {
    /// Metres along the gate, and its length.
    at: f64,
    length: f64,
    /// The gate's first end and its direction, on the near and on the far side.
    origins: [DVec3; 2],
    along: [DVec3; 2],
    /// The derivative of the cost, the diagonal of the Hessian, and the element next to it.
    slope: f64,
    bend: f64,
    coupling: f64,
    step: f64,
}

impl Variable {
    #[inline]
    fn point(&self, side: usize, at: f64) -> DVec3 {
        self.origins[side] + self.along[side] * at
    }

    /// True if it is at an end of its gate that it is pushed against.
    fn is_fixed(&self) -> bool {
        self.length <= 0.0
            || (self.at <= 0.0 && self.slope > 0.0)
            || (self.at >= self.length && self.slope < 0.0)
    }
}

/// The smoothed cost of a move.
#[derive(Clone, Copy, Debug)]
struct Smooth<'a> {
    moves: &'a Moves,
    height: f64,
    length: f64,
}

impl Smooth<'_> {
    /// The part of the cost of height that is the same in both directions, and the part that changes sign.
    fn heights(&self) -> [f64; 2] {
        [(self.moves.climb + self.moves.descent) * 0.5, (self.moves.climb - self.moves.descent) * 0.5]
    }

    #[inline]
    fn cost(&self, along: DVec3, rate: f64) -> f64 {
        let [even, odd] = self.heights();
        let rise = (along.y * along.y + self.height * self.height).sqrt();
        let length = match self.moves.steep_factor(along) {
            Some(factor) => factor * rise,
            None => (along.length_squared() + self.length * self.length).sqrt(),
        };
        rate * length + even * rise + odd * along.y
    }

    /// The derivative of the cost by the vector, and its second derivatives: those of the length are `over`
    /// times the projection across the vector, and those of the height are the last number.
    #[inline]
    fn derivatives(&self, along: DVec3, rate: f64) -> (DVec3, f64, f64) {
        let [even, odd] = self.heights();
        let rise = (along.y * along.y + self.height * self.height).sqrt();
        let (of_rise, bend_of_rise) = (along.y / rise, self.height * self.height / (rise * rise * rise));
        match self.moves.steep_factor(along) {
            Some(factor) => {
                let even = even + rate * factor;
                (DVec3::Y * (even * of_rise + odd), 0.0, even * bend_of_rise)
            }
            None => {
                let length = (along.length_squared() + self.length * self.length).sqrt();
                let slope = along * (rate / length) + DVec3::Y * (even * of_rise + odd);
                (slope, rate / length, even * bend_of_rise)
            }
        }
    }
}

impl ImproveScratch {
    /// Improves the crossings between two points. Returns their cost.
    pub(super) fn improve(
        &mut self,
        graph: &GroundGraph,
        moves: &Moves,
        start: (DVec3, u32),
        crossings: &mut [Crossing],
        end: DVec3,
    ) -> f64 {
        let before = graph.cost_of(moves, start, crossings, end);
        if crossings.is_empty() {
            return before;
        }
        self.kept.clear();
        self.kept.extend_from_slice(crossings);
        self.gather(graph, start, crossings);
        let has_kinks = moves.climb + moves.descent > 0.0 || moves.has_limits();
        let mut best = before;
        for height in SMOOTHINGS.into_iter().skip(if has_kinks { 0 } else { 1 }) {
            let smooth = Smooth { moves, height, length: height * LENGTH_SHARE };
            self.minimise(&smooth, start.0, end);
            for (crossing, var) in crossings.iter_mut().zip(&self.vars) {
                if var.length > 0.0 {
                    crossing.share = (var.at / var.length).clamp(0.0, 1.0);
                }
            }
            let cost = graph.cost_of(moves, start, crossings, end);
            if cost < best {
                best = cost;
                self.kept.copy_from_slice(crossings);
            }
        }
        crossings.copy_from_slice(&self.kept);
        best
    }

    fn gather(&mut self, graph: &GroundGraph, start: (DVec3, u32), crossings: &[Crossing]) {
        self.vars.clear();
        self.rates.clear();
        self.rates.push(graph.rate(start.1));
        for crossing in crossings {
            let gate = &graph.gates[crossing.gate as usize];
            let length = gate.length();
            let sides = [crossing.side, 1 - crossing.side];
            let origins = sides.map(|side| gate.ends[side][0].as_dvec3());
            let along = sides.map(|side| {
                let whole = gate.ends[side][1].as_dvec3() - gate.ends[side][0].as_dvec3();
                if length > 0.0 { whole / length } else { DVec3::ZERO }
            });
            let at = crossing.share * length;
            self.vars.push(Variable {
                at,
                length,
                origins,
                along,
                slope: 0.0,
                bend: 0.0,
                coupling: 0.0,
                step: 0.0,
            });
            self.rates.push(graph.rate(graph.face_after(crossing)));
        }
    }

    fn minimise(&mut self, smooth: &Smooth<'_>, start: DVec3, end: DVec3) {
        self.tried.clear();
        self.tried.extend(self.vars.iter().map(|var| var.at));
        let mut cost = self.cost(smooth, start, end);
        for _ in 0..MOST_STEPS {
            self.differentiate(smooth, start, end);
            self.solve();
            let mut share = 1.0;
            let mut gained = None;
            for _ in 0..MOST_HALVINGS {
                for (tried, var) in self.tried.iter_mut().zip(&self.vars) {
                    *tried = (var.at + var.step * share).clamp(0.0, var.length);
                }
                let after = self.cost(smooth, start, end);
                if after < cost {
                    gained = Some(cost - after);
                    cost = after;
                    break;
                }
                share *= 0.5;
            }
            let Some(gained) = gained else { break };
            for (tried, var) in self.tried.iter().zip(&mut self.vars) {
                var.at = *tried;
            }
            if gained < cost * LEAST_GAIN {
                break;
            }
        }
    }

    /// The smoothed cost of the places that are tried.
    fn cost(&self, smooth: &Smooth<'_>, start: DVec3, end: DVec3) -> f64 {
        let (mut from, mut sum) = (start, 0.0);
        for ((var, at), rate) in self.vars.iter().zip(&self.tried).zip(&self.rates) {
            sum += smooth.cost(var.point(0, *at) - from, *rate);
            from = var.point(1, *at);
        }
        sum + smooth.cost(end - from, self.rates[self.vars.len()])
    }

    fn differentiate(&mut self, smooth: &Smooth<'_>, start: DVec3, end: DVec3) {
        for var in &mut self.vars {
            (var.slope, var.bend, var.coupling) = (0.0, 0.0, 0.0);
        }
        let count = self.vars.len();
        for leg in 0..=count {
            let before = leg.checked_sub(1);
            let from = before.map_or(start, |before| self.vars[before].point(1, self.vars[before].at));
            let to = self.vars.get(leg).map_or(end, |var| var.point(0, var.at));
            let along = to - from;
            let (slope, over, bend) = smooth.derivatives(along, self.rates[leg]);
            // Across a vector that is nearly zero, the smoothed length bends in all directions.
            let whole = (along.length_squared() + smooth.length * smooth.length).sqrt();
            let unit = along / whole;
            let product =
                |a: DVec3, b: DVec3| over * (a.dot(b) - a.dot(unit) * b.dot(unit)) + bend * a.y * b.y;
            let back = before.map(|before| self.vars[before].along[1]);
            let ahead = self.vars.get(leg).map(|var| var.along[0]);
            if let (Some(before), Some(back)) = (before, back) {
                let var = &mut self.vars[before];
                var.slope -= slope.dot(back);
                var.bend += product(back, back);
                var.coupling = ahead.map_or(0.0, |ahead| -product(back, ahead));
            }
            if let Some(ahead) = ahead {
                let var = &mut self.vars[leg];
                var.slope += slope.dot(ahead);
                var.bend += product(ahead, ahead);
            }
        }
    }

    /// Solves for the steps: elimination from the first crossing to the last, and back.
    fn solve(&mut self) {
        let mut carried: Option<(f64, f64, f64)> = None;
        for var in &mut self.vars {
            if var.is_fixed() {
                (var.step, var.bend, var.coupling) = (0.0, 1.0, 0.0);
                carried = None;
                continue;
            }
            // The least bend keeps a straight line of crossings from moving without end.
            let mut bend = var.bend * (1.0 + 1e-9) + 1e-9;
            let mut step = -var.slope;
            if let Some((bend_before, step_before, coupling)) = carried {
                let factor = coupling / bend_before;
                bend -= factor * coupling;
                step -= factor * step_before;
            }
            let bend = bend.max(1e-12);
            (var.bend, var.step) = (bend, step);
            carried = Some((bend, step, var.coupling));
        }
        let mut after = 0.0;
        for var in self.vars.iter_mut().rev() {
            var.step = (var.step - var.coupling * after) / var.bend;
            after = var.step;
        }
    }
}
