//! Measures how deep bodies overlap, pair by pair.

use crate::bodies::{Bodies, Body, MOST_NEIGHBOURS, NearQuery, Nearby, Neighbours};
use detour::Vec3;
use glam::Vec3Swizzles;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs count as overlapping if they overlap by more than this, in radii of the smaller body.
const IN_EACH_OTHER: f32 = 0.05;

/// Tracks pairs of bodies from step to step. Cost of a step: O(n log n), also in a pile.
///
/// If a body overlaps more bodies than a search for neighbours finds, some of its pairs are unknown. A body
/// that has been like that since it appeared is *buried*, and its pairs count as pairs that have never been
/// apart.
#[derive(Clone, Debug, Default)]
pub struct Overlaps {
    bodies: Vec<Body>,
    sorted: Bodies,
    /// Known pairs that have overlapped from the beginning.
    never_apart: BTreeSet<(u32, u32)>,
    /// Bodies that are buried.
    buried: BTreeSet<u32>,
    /// Numbers of the bodies of the step before.
    known: BTreeSet<u32>,
    worst: f32,
    deep_pairs: u64,
}

impl Overlaps {
    /// Forgets the bodies of the step before.
    pub fn clear(&mut self) {
        self.bodies.clear();
    }

    /// Adds a body of this step: its number, the position of its feet, its radius and height.
    pub fn push(&mut self, number: u32, feet: Vec3, radius: f32, height: f32) {
        let (at, feet) = (feet.xz(), feet.y);
        self.bodies.push(Body { at, feet, height, radius, layers: 1, owner: number, ..Body::default() });
    }

    /// Measures all pairs of this step.
    pub fn measure(&mut self) {
        let Overlaps { bodies, sorted, never_apart, buried, known, .. } = self;
        sorted.sort(bodies);
        let hidden: BTreeSet<u32> = sorted.hidden().iter().map(|body| body.owner).collect();
        let mut pairs = BTreeMap::new();
        let mut still_buried = BTreeSet::new();
        let was_buried = |number: &u32| !known.contains(number) || buried.contains(number);
        for body in &*bodies {
            let (reach, heights) = (body.radius + sorted.largest, body.heights());
            let mut near = Neighbours::default();
            sorted.near(&NearQuery { at: body.at, reach, heights, layers: 1, own: body.owner }, &mut near);
            let others = Nearby { near: near.list(), bodies: sorted }.bodies();
            let mut touches = false;
            for (other, depth) in others.filter_map(|other| Some((other.owner, depth(body, other)?))) {
                pairs.insert((body.owner.min(other), body.owner.max(other)), depth);
                touches = true;
            }
            let may_miss = touches && near.list().len() == MOST_NEIGHBOURS || hidden.contains(&body.owner);
            if may_miss && was_buried(&body.owner) {
                still_buried.insert(body.owner);
            }
        }
        let mut still_never_apart = BTreeSet::new();
        for (pair, depth) in pairs {
            if was_buried(&pair.0) || was_buried(&pair.1) || never_apart.contains(&pair) {
                still_never_apart.insert(pair);
            } else {
                self.worst = self.worst.max(depth);
                self.deep_pairs += u64::from(depth > IN_EACH_OTHER);
            }
        }
        (self.never_apart, self.buried) = (still_never_apart, still_buried);
        self.known.clear();
        self.known.extend(self.bodies.iter().map(|body| body.owner));
    }

    /// Number of pairs that overlapped by more than 5 % of a radius, summed over all steps.
    pub fn deep_pairs(&self) -> u64 {
        self.deep_pairs
    }

    /// The largest overlap so far, in radii of the smaller body.
    pub fn worst(&self) -> f32 {
        self.worst
    }
}

/// The overlap of two bodies whose heights overlap, in radii of the smaller; `None` if they are apart.
fn depth(one: &Body, other: &Body) -> Option<f32> {
    let apart = one.at.distance(other.at);
    let (reach, smaller) = (one.radius + other.radius, one.radius.min(other.radius));
    (apart < reach && smaller > 0.0).then(|| (reach - apart) / smaller)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn measured(overlaps: &mut Overlaps, xs: &[f32]) -> f32 {
        overlaps.clear();
        for (number, x) in xs.iter().enumerate() {
            overlaps.push(number as u32, Vec3::new(*x, 0.0, 0.0), 0.5, 1.8);
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

    /// The measurement repeated from all pairs, one by one.
    #[derive(Default)]
    struct AllPairs {
        never_apart: BTreeSet<(usize, usize)>,
        is_new: bool,
        worst: f32,
    }

    impl AllPairs {
        fn measure(&mut self, at: &[Vec2]) {
            for (a, b) in (0..at.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let depth = 1.0 - at[a].distance(at[b]);
                if depth <= 0.0 {
                    self.never_apart.remove(&(a, b));
                } else if self.is_new {
                    self.never_apart.insert((a, b));
                } else if !self.never_apart.contains(&(a, b)) {
                    self.worst = self.worst.max(depth * 2.0);
                }
            }
            self.is_new = false;
        }
    }

    /// Bodies walk at random from places within a square. Returns the worst overlap, that of all pairs, and
    /// the largest number of pairs kept.
    fn wander(count: usize, side: f64, step: f64, seed: u64) -> (f32, f32, usize) {
        let mut random = navscenes::random::SplitMix64::new(seed);
        let mut draw =
            |most: f64| Vec2::new(random.between(0.0, most) as f32, random.between(0.0, most) as f32);
        let mut at: Vec<Vec2> = (0..count).map(|_| draw(side)).collect();
        let (mut overlaps, mut all) = (Overlaps::default(), AllPairs { is_new: true, ..AllPairs::default() });
        let mut kept = 0;
        for _ in 0..30 {
            overlaps.clear();
            for (number, at) in (0..).zip(&at) {
                overlaps.push(number, Vec3::new(at.x, 0.0, at.y), 0.5, 1.8);
            }
            overlaps.measure();
            all.measure(&at);
            kept = kept.max(overlaps.never_apart.len());
            at.iter_mut().for_each(|at| *at += draw(step) - Vec2::splat(step as f32 * 0.5));
        }
        (overlaps.worst(), all.worst, kept)
    }

    #[test]
    fn bodies_that_keep_apart_are_measured_as_all_pairs_are() {
        for seed in 0..20 {
            let (worst, of_all, _) = wander(60, 20.0, 0.3, seed);
            assert!((worst - of_all).abs() < 1e-5 && worst > 0.0, "{seed}: {worst}, {of_all}");
        }
    }

    #[test]
    fn a_pile_keeps_a_bounded_number_of_pairs_and_counts_none_that_was_never_apart() {
        for (seed, side) in [(1, 0.0), (2, 0.5), (3, 3.0)] {
            let (worst, of_all, kept) = wander(400, side, 0.2, seed);
            assert!(worst <= of_all + 1e-5, "{seed}: {worst}, {of_all}");
            assert!(kept <= 400 * MOST_NEIGHBOURS, "{seed}: {kept}");
        }
    }
}
