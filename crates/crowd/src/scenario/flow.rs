//! How many agents pass a line.

use detour::Vec3;
use std::collections::BTreeSet;

/// The farthest that a line's height and that of a passing agent's feet may lie apart, metres.
const STOREY: f32 = 1.5;
/// Fewer give no rate.
const FEWEST: usize = 5;

/// How many agents passed a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The gate's name.
    pub name: String,
    /// Its length, metres.
    pub width: f32,
    /// Agents that passed it; each counts once, when it first does.
    pub passed: usize,
    /// Agents a second and metre, between the first tenth of them and the last; 0 if fewer than five passed.
    pub rate: f32,
}

/// Counts at one line, from positions alone: those of our agents, or of another library's.
#[derive(Clone, Debug)]
pub struct GateCounter {
    name: String,
    ends: [Vec3; 2],
    /// When each that passed did so, in the order of time.
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

    /// The agent of this number has moved from a position to another, at `time` seconds.
    pub fn look(&mut self, number: usize, (before, now): (Vec3, Vec3), time: f32) {
        if self.crosses(before, now) && self.has_passed.insert(number) {
            self.times.push(time);
        }
    }

    fn crosses(&self, before: Vec3, now: Vec3) -> bool {
        let [a, b] = self.ends;
        // On which side of a line through p and q a point lies, as seen from above.
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
        // The first come before there is a crowd, the last when it is gone.
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
            counter.look(number, (at(-0.1, 0.0, 0.2), at(0.1, 0.0, 0.2)), time);
            counter.look(number, (at(0.1, 0.0, 0.2), at(-0.1, 0.0, 0.2)), time);
        }
        // Beside the line, and over it.
        counter.look(10, (at(-0.1, 0.0, 1.2), at(0.1, 0.0, 1.2)), 9.0);
        counter.look(11, (at(-0.1, 3.0, 0.0), at(0.1, 3.0, 0.0)), 9.0);
        let flow = counter.flow();
        assert_eq!((flow.passed, flow.width, flow.rate), (10, 2.0, 1.0));
        assert_eq!(GateCounter::new("none", [at(0.0, 0.0, 0.0), at(0.0, 0.0, 1.0)]).flow().rate, 0.0);
    }
}
