//! Counts the agents that pass a line.

use detour::Vec3;
use std::collections::BTreeSet;

/// The largest height difference between a line and the feet of a passing agent, metres.
const STOREY: f32 = 1.5;
/// The rate needs at least this number of agents.
const FEWEST: usize = 5;

/// Number and rate of the agents that passed a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The gate's name.
    pub name: String,
    /// Its length, metres.
    pub width: f32,
    /// Number of agents that passed it; each counts once, when it first does.
    pub passed: usize,
    /// Agents per second and metre, without the first and the last tenth of them; 0 if fewer than five
    /// passed.
    pub rate: f32,
}

/// Counts the agents that pass a line, from positions alone, so that it works for our agents and for those of
/// another library.
#[derive(Clone, Debug)]
pub struct GateCounter {
    name: String,
    ends: [Vec3; 2],
    /// Passing times of the agents, in order.
    times: Vec<f32>,
    has_passed: BTreeSet<usize>,
}

impl GateCounter {
    /// A line between two points, metres from the mesh's anchor.
    pub fn new(name: &str, ends: [Vec3; 2]) -> GateCounter {
        GateCounter { name: name.to_owned(), ends, times: Vec::new(), has_passed: BTreeSet::new() }
    }

    pub(super) fn ends(&self) -> [Vec3; 2] {
        self.ends
    }

    /// Records that the agent with this number moved from one position to another at `time` seconds.
    pub fn look(&mut self, number: usize, [before, now]: [Vec3; 2], time: f32) {
        if self.crosses(before, now) && self.has_passed.insert(number) {
            self.times.push(time);
        }
    }

    fn crosses(&self, before: Vec3, now: Vec3) -> bool {
        let [a, b] = self.ends;
        // Side of a line through p and q on which a point is, as seen from above.
        let side =
            |p: Vec3, q: Vec3, point: Vec3| (q.x - p.x) * (point.z - p.z) - (q.z - p.z) * (point.x - p.x);
        let changes = (side(a, b, before) < 0.0) != (side(a, b, now) < 0.0);
        let within = (side(before, now, a) < 0.0) != (side(before, now, b) < 0.0);
        changes && within && (now.y - (a.y + b.y) * 0.5).abs() <= STOREY + (a.y - b.y).abs() * 0.5
    }

    /// The figures so far.
    pub fn flow(&self) -> Flow {
        let width = (self.ends[0] - self.ends[1]).with_y(0.0).length();
        let passed = self.times.len();
        // The first agents come before the crowd, the last after it.
        let (first, last) = (passed / 10, passed - passed / 10);
        let rate = match self.times.get(first..last) {
            Some([start, .., end]) if passed >= FEWEST && end > start => {
                (last - first - 1) as f32 / (end - start) / width
            }
            _ => 0.0,
        };
        Flow { name: self.name.clone(), width, passed, rate }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_counted_once_and_on_its_storey() {
        let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let mut counter = GateCounter::new("door", [at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0)]);
        for number in 0..10 {
            let time = number as f32 * 0.5;
            counter.look(number, [at(-0.1, 0.0, 0.2), at(0.1, 0.0, 0.2)], time);
            counter.look(number, [at(0.1, 0.0, 0.2), at(-0.1, 0.0, 0.2)], time);
        }
        // Past the end of the line, and above it.
        counter.look(10, [at(-0.1, 0.0, 1.2), at(0.1, 0.0, 1.2)], 9.0);
        counter.look(11, [at(-0.1, 3.0, 0.0), at(0.1, 3.0, 0.0)], 9.0);
        let flow = counter.flow();
        assert_eq!((flow.passed, flow.width, flow.rate), (10, 2.0, 1.0));
        assert_eq!(GateCounter::new("none", [at(0.0, 0.0, 0.0), at(0.0, 0.0, 1.0)]).flow().rate, 0.0);
    }
}
