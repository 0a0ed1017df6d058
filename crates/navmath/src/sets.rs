//! Things that hang together: disjoint sets of numbers, joined pair by pair.
//! Cost: almost constant a call.
//! Source: R. Tarjan, Efficiency of a good but not linear set union algorithm (1975). Paths are halved, not
//! compressed, and the smaller number becomes the root, which makes a call logarithmic at worst on average.

/// Disjoint sets of the numbers from 0 on, each told by its smallest member: in a list of their own, or in one lent.
#[derive(Clone, Debug)]
pub struct Sets<L = Vec<u32>>(L);

impl Sets {
    /// As many sets of one number each.
    pub fn new(count: u32) -> Sets {
        Sets((0..count).collect())
    }

    /// For each number which set it is in, the sets numbered by their smallest members, and how many there are.
    pub fn numbers(mut self) -> (Vec<u32>, u32) {
        let count = number(&mut self.0);
        (self.0, count)
    }
}

impl<'a> Sets<&'a mut [u32]> {
    /// As many sets of one number each as the list has room for, which must hold the numbers from 0 on.
    pub fn within(list: &'a mut [u32]) -> Sets<&'a mut [u32]> {
        debug_assert!((0..).zip(list.iter()).all(|(number, at)| number == *at));
        Sets(list)
    }

    /// As [`Sets::numbers`], which the list then holds.
    pub fn number(self) -> u32 {
        number(self.0)
    }
}

impl<L: AsRef<[u32]> + AsMut<[u32]>> Sets<L> {
    /// Number of members of all sets.
    pub fn len(&self) -> usize {
        self.0.as_ref().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_empty()
    }

    /// The smallest member of the set that `at` is in.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn root(&mut self, at: u32) -> u32 {
        root(self.0.as_mut(), at)
    }

    /// Makes two sets one. The smaller root stays, so that the outcome does not depend on the order of joining.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let list = self.0.as_mut();
        let (a, b) = (root(list, a), root(list, b));
        list[a.max(b) as usize] = a.min(b);
    }
}

/// What leads to itself, from a number on.
#[inline]
fn root(list: &mut [u32], mut at: u32) -> u32 {
    while list[at as usize] != at {
        let above = list[list[at as usize] as usize];
        list[at as usize] = above;
        at = above;
    }
    at
}

/// Puts the number of its set in the place of each number.
fn number(list: &mut [u32]) -> u32 {
    let mut count = 0;
    for at in 0..list.len() {
        // What leads towards a root is smaller than what it leads from, and so is a number of a set by now.
        let above = list[at] as usize;
        list[at] = if above == at {
            count += 1;
            count - 1
        } else {
            list[above]
        };
    }
    count
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
        let mut lent = [0, 1, 2, 3, 4, 5, 6];
        let mut sets = Sets::within(&mut lent);
        pairs.iter().for_each(|(a, b)| sets.join(*a, *b));
        assert_eq!((sets.number(), lent), (3, [0, 1, 0, 1, 1, 1, 2]));
    }
}
