//! The windows of a portal, each over the part where it is the cheapest: the lower envelope of the costs
//! along the portal.
//!
//! The cost along a portal by way of a root is a branch of a hyperbola, and two of them meet in two points at
//! most. A new window keeps the parts where it is cheaper than all known windows, on either side of the
//! portal, and removes these parts from the others. A point of a portal has one cost, so windows in one
//! direction compete with those in the other.

use super::memory::{FieldMemory, FieldWindow, LEAST, Sightline};
use crate::query::nodes::NO_NODE;
use crate::query::open_list::OpenList;

/// Relative cost below which a new window counts as cheaper. The difference is more than the rounding of a
/// sum, so that every change is progress.
const CHEAPER: f64 = 1.0 - 1e-10;

/// The places where the costs by two sightlines of the same rate are equal: up to two, NaN for missing ones.
fn meetings(a: &Sightline, b: &Sightline) -> [f64; 2] {
    // |x - a| = s + |x - b|, measured from the foot of b, and squared twice.
    let s = (b.cost - a.cost) / a.rate;
    let shift = a.foot - b.foot;
    let linear = -2.0 * shift;
    let rest = shift * shift + a.away * a.away - b.away * b.away - s * s;
    // (linear t + rest)² = 4 s² (t² + b.away²)
    let (square, half, fixed) =
        (linear * linear - 4.0 * s * s, linear * rest, rest * rest - 4.0 * s * s * b.away * b.away);
    if square == 0.0 {
        return [b.foot - fixed / (2.0 * half), f64::NAN];
    }
    let root = (half * half - square * fixed).sqrt();
    // Avoids a difference of nearly equal numbers.
    let sum = -(half + root.copysign(half));
    [b.foot + sum / square, b.foot + fixed / sum]
}

/// The points where two sightlines of different rates are compared, as shares of an interval.
const SAMPLES: [f64; 2] = [1.0 / 3.0, 2.0 / 3.0];

/// Calls `visit` for the parts of an interval in which `new` is cheaper than `old`, and for the parts in
/// which it is not.
fn contest(new: &Sightline, old: &Sightline, [from, to]: [f64; 2], mut visit: impl FnMut([f64; 2], bool)) {
    let cuts = match new.rate == old.rate {
        true => meetings(new, old),
        false => SAMPLES.map(|share| from + (to - from) * share),
    };
    let [first, second] = cuts.map(|t| if t > from && t < to { t } else { from });
    let ends = [from, first.min(second), first.max(second), to];
    for part in ends.array_windows::<2>() {
        if part[1] - part[0] > LEAST {
            let middle = (part[0] + part[1]) * 0.5;
            visit(*part, new.at(middle) < old.at(middle) * CHEAPER);
        }
    }
}

/// A root, seen from a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldView {
    pub(super) root: u32,
    /// Cost of a metre on the polygon.
    pub(super) rate: f64,
    /// True if the root is on the portal through which it is seen, and was seen through it from the other
    /// side. Then it does not take anything from the windows on that side, as it comes from them.
    pub(super) comes_back: bool,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldLimits {
    /// The largest number of windows.
    pub(super) windows: usize,
    /// The largest cost.
    pub(super) cost: f64,
}

impl FieldMemory {
    /// Adds the view of a root through a portal between two points, where it is cheaper than all known
    /// windows, and puts it on the open list. Returns true if there was room.
    pub(super) fn offer(
        &mut self,
        open: &mut OpenList,
        number: u32,
        FieldView { root, rate, comes_back }: FieldView,
        ends: [f64; 2],
        limits: FieldLimits,
    ) -> bool {
        let portal = self.portal(number);
        let sight = portal.sightline(self.root(root), rate);
        let ends = ends.map(|t| portal.snapped(t));
        let (length, twin) = (portal.length, portal.twin);
        if ends[1] - ends[0] <= LEAST || sight.least(ends) > limits.cost {
            return true;
        }
        self.parts.clear();
        self.parts.push(ends);
        let mut has_room = self.compete(open, number, &sight, limits);
        if twin != NO_NODE && !comes_back && !self.parts.is_empty() {
            self.flip_parts(length);
            has_room &= self.compete(open, twin, &sight.flipped(length), limits);
            self.flip_parts(length);
        }
        for part in 0..self.parts.len() {
            let ends = self.parts[part].map(|t| self.portal(number).snapped(t));
            let least = sight.least(ends);
            if least <= limits.cost {
                let window =
                    FieldWindow { root, portal: number, next: NO_NODE, done: false, ends, sight, least };
                has_room &= self.add_window(open, window, limits);
            }
        }
        has_room
    }

    fn flip_parts(&mut self, length: f64) {
        for part in &mut self.parts {
            *part = [length - part[1], length - part[0]];
        }
        self.parts.reverse();
    }

    /// Adds a window to its portal, and to the open list unless it is done. Returns true if there was room.
    fn add_window(&mut self, open: &mut OpenList, window: FieldWindow, limits: FieldLimits) -> bool {
        if self.windows.len() >= limits.windows {
            return false;
        }
        let number = self.windows.len() as u32;
        let first = &mut self.portals[window.portal as usize].windows;
        self.windows.push(FieldWindow { next: *first, ..window });
        *first = number;
        if !window.done {
            open.push(number, window.least, 0.0);
        }
        true
    }

    /// Removes from the windows of a portal the parts where a new sightline is cheaper. Leaves the parts
    /// where it is cheaper than all windows in the list of parts. Returns true if there was room.
    fn compete(&mut self, open: &mut OpenList, portal: u32, new: &Sightline, limits: FieldLimits) -> bool {
        let mut number = std::mem::replace(&mut self.portals[portal as usize].windows, NO_NODE);
        let mut has_room = true;
        while let Some(window) = self.windows.get(number as usize).copied() {
            self.lost.clear();
            self.compare(&window, new);
            // The first remaining part keeps the window's number.
            let (mut from, mut is_kept) = (window.ends[0], false);
            for lost in 0..=self.lost.len() {
                let [end, onward] = self.lost.get(lost).copied().unwrap_or([window.ends[1]; 2]);
                let ends = [std::mem::replace(&mut from, onward), end];
                if ends[1] - ends[0] <= LEAST {
                    continue;
                }
                if is_kept {
                    let least = window.sight.least(ends);
                    has_room &= self.add_window(open, FieldWindow { ends, least, ..window }, limits);
                } else {
                    let first = &mut self.portals[portal as usize].windows;
                    let kept = &mut self.windows[number as usize];
                    (kept.ends, kept.next) = (ends, *first);
                    (*first, is_kept) = (number, true);
                }
            }
            if !is_kept {
                self.windows[number as usize].ends = [0.0; 2];
            }
            number = window.next;
        }
        has_room
    }

    /// Compares a new sightline with a window: removes the intervals where it is not cheaper from the list of
    /// parts, and lists those where it is.
    fn compare(&mut self, window: &FieldWindow, new: &Sightline) {
        let FieldMemory { parts, rest, lost, .. } = self;
        rest.clear();
        for part in parts.iter() {
            let both = [part[0].max(window.ends[0]), part[1].min(window.ends[1])];
            if both[1] - both[0] <= LEAST {
                rest.push(*part);
                continue;
            }
            let mut from = part[0];
            contest(new, &window.sight, both, |[start, end], is_cheaper| {
                if is_cheaper {
                    lost.push([start, end]);
                } else {
                    if start - from > LEAST {
                        rest.push([from, start]);
                    }
                    from = end;
                }
            });
            if part[1] - from > LEAST {
                rest.push([from, part[1]]);
            }
        }
        std::mem::swap(parts, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cheaper_of_two_is_known_everywhere(v in prop::array::uniform6(-9.0..9.0f64), rate in 0.1..5.0f64) {
            let a = Sightline { cost: v[0].abs(), rate, foot: v[1], away: v[2].abs() };
            let b = Sightline { cost: v[3].abs(), rate, foot: v[4], away: v[5].abs() };
            let mut parts = Vec::new();
            contest(&a, &b, [-20.0, 20.0], |part, is_cheaper| parts.push((part, is_cheaper)));
            prop_assert!(parts.len() <= 3);
            let whole: f64 = parts.iter().map(|([from, to], _)| to - from).sum();
            prop_assert!((whole - 40.0).abs() < 3.0 * LEAST);
            for ([from, to], is_cheaper) in parts {
                for step in 1..40 {
                    let t = from + (to - from) * f64::from(step) / 40.0;
                    let more = a.at(t) - b.at(t);
                    prop_assert!(if is_cheaper { more < 1e-7 } else { more > -1e-7 }, "{t} {more}");
                }
            }
        }
    }
}
