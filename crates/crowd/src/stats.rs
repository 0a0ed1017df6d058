//! How deep bodies are in each other, pair by pair.

use detour::Vec3;
use navmath::sort::SharedSort;
use std::collections::BTreeSet;

/// Pairs that are deeper in each other than this count as being in each other, in radii of the smaller.
const IN_EACH_OTHER: f32 = 0.05;

/// A body: its number, where its feet are, its radius and height.
type Solid = (u32, (Vec3, f32, f32));

/// Watches pairs of bodies from step to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlaps {
    bodies: Vec<Solid>,
    /// Pairs that have been in each other from the beginning on.
    never_apart: BTreeSet<(u32, u32)>,
    /// Numbers of bodies that were there in the step before.
    known: BTreeSet<u32>,
    worst: f32,
    deep_pairs: u64,
}

impl Overlaps {
    /// Forgets the bodies of the step before.
    pub(crate) fn clear(&mut self) {
        self.bodies.clear();
    }

    /// Adds a body of this step.
    pub(crate) fn push(&mut self, number: u32, body: (Vec3, f32, f32)) {
        self.bodies.push((number, body));
    }

    /// Looks at all pairs of this step.
    pub(crate) fn measure(&mut self) {
        self.bodies.shared_sort_by(|a, b| a.1.0.x.total_cmp(&b.1.0.x));
        let widest = self.bodies.iter().map(|(_, (_, radius, _))| *radius).fold(0.0, f32::max);
        let mut still_never_apart = BTreeSet::new();
        for (place, first) in self.bodies.iter().enumerate() {
            let (a, (at, radius, _)) = *first;
            let near = |other: &&Solid| other.1.0.x - at.x <= radius + widest;
            for other in self.bodies[place + 1..].iter().take_while(near) {
                let b = other.0;
                let Some(depth) = depth(first, other) else { continue };
                let pair = (a.min(b), a.max(b));
                let is_new = !self.known.contains(&a) || !self.known.contains(&b);
                if is_new || self.never_apart.contains(&pair) {
                    still_never_apart.insert(pair);
                } else {
                    self.worst = self.worst.max(depth);
                    self.deep_pairs += u64::from(depth > IN_EACH_OTHER);
                }
            }
        }
        self.never_apart = still_never_apart;
        self.known.clear();
        self.known.extend(self.bodies.iter().map(|(number, _)| *number));
    }

    /// Pairs that were deeper in each other than 5 % of a radius, added up over all steps.
    pub(crate) fn deep_pairs(&self) -> u64 {
        self.deep_pairs
    }

    /// The largest depth so far, in radii of the smaller body.
    pub(crate) fn worst(&self) -> f32 {
        self.worst
    }
}

/// How deep two bodies are in each other, in radii of the smaller; `None` if they are apart.
fn depth((_, (a, r, h)): &Solid, (_, (b, s, k)): &Solid) -> Option<f32> {
    let apart = (*a - *b).with_y(0.0).length();
    let (reach, smaller) = (r + s, r.min(*s));
    let above = a.y > b.y + k || b.y > a.y + h;
    (apart < reach && !above && smaller > 0.0).then(|| (reach - apart) / smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(overlaps: &mut Overlaps, xs: &[f32]) -> f32 {
        overlaps.clear();
        for (number, x) in xs.iter().enumerate() {
            overlaps.push(number as u32, (Vec3::new(*x, 0.0, 0.0), 0.5, 1.8));
        }
        overlaps.measure();
        overlaps.worst()
    }

    #[test]
    fn only_pairs_that_have_been_apart_count() {
        let mut overlaps = Overlaps::default();
        assert_eq!(measured(&mut overlaps, &[0.0, 0.5, 3.0]), 0.0);
        assert_eq!(measured(&mut overlaps, &[0.0, 0.625, 1.5]), 0.25);
        assert_eq!(measured(&mut overlaps, &[0.0, 1.5, 3.0]), 0.25);
        assert_eq!(measured(&mut overlaps, &[0.0, 0.75, 3.0]), 0.5);
        // The second and the last of the four, each with one pair.
        assert_eq!(overlaps.deep_pairs(), 2);
    }
}
