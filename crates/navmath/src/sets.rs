//! Things that hang together: disjoint sets of numbers, joined pair by pair.
//! Cost: almost constant a call.
//! Source: R. Tarjan, Efficiency of a good but not linear set union algorithm (1975). Paths are halved, not
//! compressed, and the smaller number becomes the root, which makes a call logarithmic at worst on average.

/// Disjoint sets of the numbers from 0 on, each told by its smallest member: in a list of their own, or in one lent.
#[derive(Clone, Debug)]
pub struct Sets<L = Vec<u32>>(L);

/// Where sets are kept: a place for each number, which holds a number itself.
pub trait Places {
    /// How many there are.
    fn count(&self) -> usize;

    /// What a place holds.
    fn get(&self, at: u32) -> u32;

    /// Puts a number into a place.
    fn set(&mut self, at: u32, number: u32);
}

impl Places for Vec<u32> {
    #[inline]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline]
    fn get(&self, at: u32) -> u32 {
        self[at as usize]
    }

    #[inline]
    fn set(&mut self, at: u32, number: u32) {
        self[at as usize] = number;
    }
}

impl Sets {
    /// As many sets of one number each.
    pub fn new(count: u32) -> Sets {
        Sets((0..count).collect())
    }

    /// One more set, of the next number, which is told. There are less than 2^32.
    pub fn add(&mut self) -> u32 {
        let next = self.0.len() as u32;
        self.0.push(next);
        next
    }

    /// For each number which set it is in, the sets numbered by their smallest members, and how many there are.
    pub fn numbers(mut self) -> (Vec<u32>, u32) {
        let count = number(&mut self.0);
        (self.0, count)
    }
}

impl<L: Places> Sets<L> {
    /// As many sets of one number each as there are places, which must hold the numbers from 0 on.
    pub fn within(places: L) -> Sets<L> {
        debug_assert!((0..places.count() as u32).all(|at| places.get(at) == at));
        Sets(places)
    }

    /// As [`Sets::numbers`], which the places then hold.
    pub fn number(mut self) -> u32 {
        number(&mut self.0)
    }

    /// Where they are kept, for what else is there to be changed.
    #[inline]
    pub fn places_mut(&mut self) -> &mut L {
        &mut self.0
    }

    /// Number of members of all sets.
    pub fn len(&self) -> usize {
        self.0.count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.count() == 0
    }

    /// The smallest member of the set that `at` is in.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn root(&mut self, at: u32) -> u32 {
        root(&mut self.0, at)
    }

    /// Makes two sets one. The smaller root stays, so that the outcome does not depend on the order of joining.
    ///
    /// # Panics
    /// If there is no such number.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (root(&mut self.0, a), root(&mut self.0, b));
        self.0.set(a.max(b), a.min(b));
    }
}

/// What leads to itself, from a number on.
#[inline]
fn root(places: &mut impl Places, mut at: u32) -> u32 {
    loop {
        let above = places.get(at);
        if above == at {
            return at;
        }
        let further = places.get(above);
        places.set(at, further);
        at = further;
    }
}

/// Puts the number of its set in the place of each number.
fn number(places: &mut impl Places) -> u32 {
    let mut count = 0;
    for at in 0..places.count() as u32 {
        // What leads towards a root is smaller than what it leads from, and so is a number of a set by now.
        let above = places.get(at);
        let number = if above == at {
            count += 1;
            count - 1
        } else {
            places.get(above)
        };
        places.set(at, number);
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
        let mut grown = Sets::new(3);
        (3..7).for_each(|next| assert_eq!(grown.add(), next));
        pairs.iter().for_each(|(a, b)| grown.join(*a, *b));
        assert_eq!(grown.number(), 3);
    }
}
