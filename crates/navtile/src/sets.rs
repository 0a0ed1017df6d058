//! Things that hang together: disjoint sets, joined pair by pair. Cost: almost constant a join.

/// Sets of numbers from 0, each told by its smallest member.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// `count` sets of one member each; below 2^32.
    pub(crate) fn new(count: usize) -> Sets {
        Sets((0..count as u32).collect())
    }

    /// Number of members of all sets.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The smallest member of the set that `at` is in.
    pub(crate) fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] as usize != at {
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    /// Makes two sets one. The smaller root stays, so that the outcome does not depend on the order of joining.
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b) as u32;
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
            (0..sets.len()).map(|at| sets.root(at)).collect::<Vec<_>>()
        };
        assert_eq!(roots(&[0, 1, 2, 3]), [0, 1, 0, 1, 1, 1, 6]);
        assert_eq!(roots(&[3, 2, 1, 0]), roots(&[0, 1, 2, 3]));
    }
}
