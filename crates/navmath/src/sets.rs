//! Disjoint sets of numbers, joined pair by pair: connected components.
//! Cost: almost constant per call.
//! Source: R. Tarjan, Efficiency of a good but not linear set union algorithm (1975). Paths are halved, not
//! compressed, and the smaller number becomes the root, so that a call is logarithmic on average at worst.

use std::cmp::Reverse;
use std::ops::DerefMut;

/// Disjoint sets of the numbers from 0, each represented by its smallest member.
///
/// ```
/// use navmath::Sets;
///
/// let mut sets = Sets::new(5);
/// sets.join(4, 1);
/// sets.join(2, 4);
/// assert_eq!(sets.root(2), 1);
/// // Three sets are left: {0}, {1, 2, 4} and {3}.
/// assert_eq!(sets.numbers(), (vec![0, 1, 1, 2, 1], 3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sets<M = Vec<u32>>(M);

impl Sets {
    /// `count` sets of one number each.
    pub fn new(count: u32) -> Sets {
        Sets((0..count).collect())
    }

    /// Adds a set of the next number, and returns that number. There must be fewer than 2^32 members.
    pub fn add(&mut self) -> u32 {
        let next = self.0.len() as u32;
        self.0.push(next);
        next
    }
}

impl<'a> Sets<&'a mut [u32]> {
    /// One set for each number of this memory. Its contents are ignored, and [`Sets::numbers`] leaves its
    /// result there.
    pub fn within(memory: &'a mut [u32]) -> Self {
        memory.iter_mut().zip(0..).for_each(|(set, number)| *set = number);
        Sets(memory)
    }
}

impl<M: DerefMut<Target = [u32]>> Sets<M> {
    /// Number of members of all sets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest member of the set that contains `at`.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn root(&mut self, mut at: u32) -> u32 {
        loop {
            let above = self.0[at as usize];
            if above == at {
                return at;
            }
            let further = self.0[above as usize];
            self.0[at as usize] = further;
            at = further;
        }
    }

    /// Joins the sets of two numbers. The smaller root stays, so that the result does not depend on the order
    /// of joining.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// For each number the index of its set, and the number of sets. Sets are numbered in the order of their
    /// smallest members.
    pub fn numbers(mut self) -> (M, u32) {
        let mut count = 0;
        for at in 0..self.0.len() {
            // Parents are smaller than their children, so a parent's place already holds the number of its
            // set.
            let parent = self.0[at] as usize;
            self.0[at] = if parent == at { count } else { self.0[parent] };
            count += u32::from(parent == at);
        }
        (self.0, count)
    }

    /// For each number the index of its set, and the weight of each set: the sum of its members' weights.
    /// Sets are numbered from the heaviest. Among equally heavy sets, the set with the smallest member comes
    /// first.
    pub fn ranked(self, weights: impl IntoIterator<Item = u128>) -> (M, Vec<u128>) {
        let (mut numbers, count) = self.numbers();
        let mut sums = vec![0; count as usize];
        for (&number, weight) in numbers.iter().zip(weights) {
            sums[number as usize] += weight;
        }
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|&number| Reverse(sums[number as usize]));
        let mut rank_of = vec![0; count as usize];
        for (rank, &number) in (0..).zip(&order) {
            rank_of[number as usize] = rank;
        }
        numbers.iter_mut().for_each(|number| *number = rank_of[*number as usize]);
        (numbers, order.iter().map(|&number| sums[number as usize]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_joining_does_not_show() {
        let pairs = [(4, 1), (3, 4), (0, 2), (5, 3)];
        let roots = |order: &[usize]| {
            let mut sets = Sets::new(7);
            order.iter().for_each(|&pair| sets.join(pairs[pair].0, pairs[pair].1));
            (0..sets.len() as u32).map(|at| sets.root(at)).collect::<Vec<_>>()
        };
        assert_eq!(roots(&[0, 1, 2, 3]), [0, 1, 0, 1, 1, 1, 6]);
        assert_eq!(roots(&[3, 2, 1, 0]), roots(&[0, 1, 2, 3]));
        let mut sets = Sets::new(7);
        pairs.iter().for_each(|(a, b)| sets.join(*a, *b));
        assert_eq!(sets.numbers(), (vec![0, 1, 0, 1, 1, 1, 2], 3));
        let mut grown = Sets::new(3);
        (3..7).for_each(|next| assert_eq!(grown.add(), next));
        pairs.iter().for_each(|(a, b)| grown.join(*a, *b));
        assert_eq!(grown.numbers().1, 3);
        let mut memory = [9; 7];
        let mut within = Sets::within(&mut memory);
        pairs.iter().for_each(|(a, b)| within.join(*a, *b));
        assert_eq!((within.numbers().1, memory), (3, [0, 1, 0, 1, 1, 1, 2]));
    }

    #[test]
    fn sets_are_ranked_by_weight_then_by_smallest_member() {
        let mut sets = Sets::new(6);
        sets.join(5, 1);
        sets.join(2, 4);
        // Sums: 0 -> 7, {1, 5} -> 7, {2, 4} -> 9, 3 -> 7.
        let (ranks, sums) = sets.ranked([7, 3, 8, 7, 1, 4]);
        assert_eq!(ranks, [1, 2, 0, 3, 0, 2]);
        assert_eq!(sums, [9, 7, 7, 7]);
        let (ranks, sums) = Sets::new(0).ranked([]);
        assert!(ranks.is_empty() && sums.is_empty());
    }
}
