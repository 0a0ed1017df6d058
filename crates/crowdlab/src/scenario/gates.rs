//! The gates of a scenario, sorted into cells. Each agent is compared only with the gates of the cells that
//! it passes.
//!
//! A gate is listed in each cell that its line crosses, as seen from above. Long gates use wide cells, so no
//! gate is in more than about 130 cells. Cost of a step: for each agent, linear in the gates of the cells
//! that it passes.

use super::flow::{Flow, GateCounter};
use detour::Vec3;
use std::collections::BTreeMap;

/// The narrowest cells, metres.
const NARROWEST: f64 = 1.0;
/// The longest line of a level, in widths of its cells.
const LONGEST: f64 = 64.0;
/// Tolerance: a line is also listed in a cell that it misses by this part of a cell's width, plus this part
/// of its coordinates, so that rounding does not lose a crossing.
const SLACK: [f64; 2] = [1e-2, 1e-6];

/// Numbers of gates by the cells of one width.
type Level = BTreeMap<[i64; 2], Vec<u32>>;

/// The gates of a scenario.
#[derive(Clone, Debug)]
pub(super) struct Gates {
    pub(super) counters: Vec<GateCounter>,
    /// By the number of times that the width of the cells is doubled.
    levels: BTreeMap<i32, Level>,
    /// The gates near an agent. Scratch memory.
    near: Vec<u32>,
}

/// The width of the cells of a level, metres.
fn width_of(level: i32) -> f64 {
    NARROWEST * (1u128 << level) as f64
}

impl Gates {
    pub(super) fn new(counters: Vec<GateCounter>) -> Gates {
        let mut levels: BTreeMap<i32, Level> = BTreeMap::new();
        for (number, counter) in (0u32..).zip(&counters) {
            let [from, to] = counter.ends().map(plan);
            let length = (to[0] - from[0]).abs().max((to[1] - from[1]).abs());
            let level = (0..64).find(|level| width_of(*level) * LONGEST >= length).unwrap_or(64);
            let cells = levels.entry(level).or_default();
            passed(from, to, width_of(level), |cell| cells.entry(cell).or_default().push(number));
        }
        Gates { counters, levels, near: Vec::new() }
    }

    /// Records that the agent with this number moved from one position to another at `time` seconds.
    pub(super) fn look(&mut self, agent: usize, [before, now]: [Vec3; 2], time: f32) {
        if before == now {
            return;
        }
        let Gates { counters, levels, near } = self;
        near.clear();
        for (level, cells) in levels {
            let width = width_of(*level);
            passed(plan(before), plan(now), width, |cell| {
                near.extend(cells.get(&cell).into_iter().flatten())
            });
        }
        near.sort_unstable();
        near.dedup();
        near.iter().for_each(|number| counters[*number as usize].look(agent, [before, now], time));
    }

    /// The figures so far.
    pub(super) fn flows(&self) -> Vec<Flow> {
        self.counters.iter().map(GateCounter::flow).collect()
    }
}

/// A position as seen from above.
fn plan(position: Vec3) -> [f64; 2] {
    [position.x, position.z].map(f64::from)
}

/// Calls `visit` for each cell of this width that a line passes, and possibly for some that it misses
/// narrowly.
fn passed(from: [f64; 2], to: [f64; 2], width: f64, mut visit: impl FnMut([i64; 2])) {
    let largest = from.into_iter().chain(to).map(f64::abs).fold(0.0, f64::max);
    let slack = width * SLACK[0] + largest * SLACK[1];
    // The cells that an interval of an axis overlaps.
    let cells = |a: f64, b: f64| {
        let [low, high] = [a.min(b) - slack, a.max(b) + slack];
        (low / width).floor() as i64..=(high / width).floor() as i64
    };
    let along = [to[0] - from[0], to[1] - from[1]];
    for x in cells(from[0], to[0]) {
        // The part of the line within this column.
        let z = [x, x + 1].map(|edge| {
            let share = (edge as f64 * width - from[0]) / along[0];
            from[1] + along[1] * share.clamp(0.0, 1.0)
        });
        let [a, b] = if along[0].abs() > slack { z } else { [from[1], to[1]] };
        let slope = slack * (along[1] / along[0]).abs();
        let more = if along[0].abs() > slack { slope.min(along[1].abs()) } else { 0.0 };
        cells(a.min(b) - more, a.max(b) + more).for_each(|z| visit([x, z]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(range: f32) -> impl Strategy<Value = Vec3> {
        (-range..range, -0.5..0.5f32, -range..range).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    /// A line, usually short, sometimes parallel to an axis.
    fn line() -> impl Strategy<Value = [Vec3; 2]> {
        let by = prop_oneof![point(2.0), point(300.0), (-9.0..9.0f32).prop_map(|z| Vec3::new(0.0, 0.0, z))];
        (point(20.0), by).prop_map(|(from, by)| [from, from + by])
    }

    proptest! {
        #[test]
        fn gates_in_cells_count_as_each_gate_does(
            lines in prop::collection::vec(line(), 1..40),
            moves in prop::collection::vec((point(20.0), prop_oneof![point(0.1), point(9.0)]), 1..60),
        ) {
            let counters: Vec<GateCounter> = lines.iter().map(|ends| GateCounter::new("gate", *ends)).collect();
            let (mut each, mut gates) = (counters.clone(), Gates::new(counters));
            for (number, (from, by)) in moves.iter().enumerate() {
                let moved = [*from, *from + *by];
                each.iter_mut().for_each(|gate| gate.look(number % 7, moved, number as f32));
                gates.look(number % 7, moved, number as f32);
            }
            prop_assert_eq!(gates.flows(), each.iter().map(GateCounter::flow).collect::<Vec<_>>());
        }
    }
}
