//! Things that hang together: disjoint sets of numbers, joined pair by pair.
//! Cost: almost constant a call.
//! Source: R. Tarjan, Efficiency of a good but not linear set union algorithm (1975). Paths are halved, not
//! compressed, and the smaller number becomes the root, which makes a call logarithmic at worst on average.

/// Disjoint sets of the numbers from 0 on, each told by its smallest member.
#[derive(Clone, Debug)]
pub struct Sets(Vec<u32>);

impl Sets {
    /// As many sets of one number each.
    pub fn new(count: u32) -> Sets {
        Sets((0..count).collect())
    }

    /// Number of members of all sets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest member of the set that `at` is in.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    /// For each number which set it is in, the sets numbered by their smallest members, and how many there are.
    pub fn numbers(mut self) -> (Vec<u32>, u32) {
        let mut count = 0;
        for at in 0..self.0.len() {
            // What leads towards a root is smaller than what it leads from, and so is a number of a set by now.
            let above = self.0[at] as usize;
            self.0[at] = if above == at {
                count += 1;
                count - 1
            } else {
                self.0[above]
            };
        }
        (self.0, count)
    }

    /// Makes two sets one. The smaller root stays, so that the outcome does not depend on the order of joining.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
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
    }
}
