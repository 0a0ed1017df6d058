//! Assigns slots to followers: greedily by distance, then swaps pairs as long as that shortens the sum of
//! both routes.
//!
//! If two routes cross, a swap makes them shorter; so none cross in the end. Ties are decided by the numbers
//! of followers and slots. Cost: O(n² log n), plus n² for each round of swaps. A few rounds are usual, and
//! there are at most n.

use glam::Vec2;

/// Swaps that gain less than this are not made, metres.
const GAIN: f32 = 1e-3;

/// Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct AssignScratch {
    pairs: Vec<(f32, u32, u32)>,
    taken: Vec<bool>,
}

/// Writes the slot number of each follower. Followers without a slot get the numbers after the last slot.
pub(crate) fn assign(followers: &[Vec2], slots: &[Vec2], scratch: &mut AssignScratch, chosen: &mut Vec<u32>) {
    let AssignScratch { pairs, taken } = scratch;
    pairs.clear();
    for (follower, at) in (0u32..).zip(followers) {
        pairs.extend((0u32..).zip(slots).map(|(slot, to)| (at.distance(*to), follower, slot)));
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    chosen.clear();
    chosen.resize(followers.len(), u32::MAX);
    taken.clear();
    taken.resize(slots.len(), false);
    for &(_, follower, slot) in pairs.iter() {
        if chosen[follower as usize] == u32::MAX && !taken[slot as usize] {
            (chosen[follower as usize], taken[slot as usize]) = (slot, true);
        }
    }
    let without = chosen.iter_mut().filter(|slot| **slot == u32::MAX);
    (slots.len() as u32..).zip(without).for_each(|(next, slot)| *slot = next);
    exchange(followers, slots, chosen);
}

/// Swaps the slots of pairs as long as that shortens their routes.
fn exchange(followers: &[Vec2], slots: &[Vec2], chosen: &mut [u32]) {
    // A follower without a slot has cost 0.
    let cost = |follower: usize, slot: u32| {
        slots.get(slot as usize).map_or(0.0, |slot| followers[follower].distance(*slot))
    };
    for _ in 0..chosen.len() {
        let mut has_changed = false;
        for first in 0..chosen.len() {
            for second in first + 1..chosen.len() {
                let (a, b) = (chosen[first], chosen[second]);
                if cost(first, b) + cost(second, a) + GAIN < cost(first, a) + cost(second, b) {
                    chosen.swap(first, second);
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Vec2>> {
        let point = (-9.0..9.0f32, -9.0..9.0f32).prop_map(|(x, y)| Vec2::new(x, y));
        prop::collection::vec(point, count)
    }

    proptest! {
        #[test]
        fn each_slot_is_taken_once_and_no_two_ways_cross(followers in points(1..20), slots in points(0..20)) {
            let mut chosen = Vec::new();
            assign(&followers, &slots, &mut AssignScratch::default(), &mut chosen);
            let mut sorted = chosen.clone();
            sorted.sort_unstable();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), followers.len());
            let have = chosen.iter().filter(|slot| (**slot as usize) < slots.len()).count();
            prop_assert_eq!(have, slots.len().min(followers.len()));
            let ways: Vec<[Vec2; 2]> = chosen
                .iter()
                .zip(&followers)
                .filter_map(|(slot, at)| Some([*at, *slots.get(*slot as usize)?]))
                .collect();
            for (index, [a, b]) in ways.iter().enumerate() {
                for [c, d] in &ways[index + 1..] {
                    let sides = |p: &Vec2, q: &Vec2, r: &Vec2| (*q - *p).perp_dot(*r - *p);
                    let apart = sides(a, b, c) * sides(a, b, d);
                    let crosses = apart < -0.1 && sides(c, d, a) * sides(c, d, b) < -0.1;
                    prop_assert!(!crosses, "{a} to {b}, {c} to {d}");
                }
            }
        }
    }
}
