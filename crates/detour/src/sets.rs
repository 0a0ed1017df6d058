//! Disjoint sets of numbers, each told by its smallest member. Cost: almost constant a call.
//! Source: R. Tarjan, Efficiency of a good but not linear set union algorithm (1975); paths are halved, not
//! compressed, and the smaller number becomes the root, which makes a call logarithmic at worst on average.

/// Disjoint sets of the numbers from 0 on.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// As many sets of one number each.
    pub(crate) fn new(count: u32) -> Sets {
        Sets((0..count).collect())
    }

    /// The smallest member of a number's set.
    pub(crate) fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    /// Makes one set of two.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
