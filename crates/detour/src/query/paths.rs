//! Many routes at once: answered in the order of the places where they start, so that routes through the same
//! tiles follow each other, and with the `rayon` feature on all threads of the current pool.
//! Cost: that of [`Query::route`] for each pair, and a sort of the pairs.

use super::Query;
use super::route::{Route, RouteError, RouteOptions};
use crate::filter::CostModel;
use crate::mesh::NavMesh;
use glam::Vec3;

/// Side of the squares that sort the starts, metres.
const SQUARE: f32 = 32.0;
/// Pairs that a thread takes at a time.
#[cfg(feature = "rayon")]
const SHARE: usize = 64;

impl Query {
    /// The routes of [`Query::route`] between pairs of positions, each from its first to its second, in the
    /// order of the pairs. With the `rayon` feature they are found on all threads of the current pool, with
    /// scratch memory of their own; the answers are the same for any number of threads.
    ///
    /// ```
    /// # let mut mesh = detour::NavMesh::default();
    /// # mesh.add_tile(navscenes::baked_tile("two_rooms")?)?;
    /// use detour::{Filter, Query, RouteOptions, Vec3};
    ///
    /// let (left, right) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 2.0));
    /// let pairs = [[left, right], [right, left], [left, left]];
    /// let routes = Query::new().paths(&mesh, &pairs, &Filter::default(), &RouteOptions::default());
    /// let lengths: Vec<f32> = routes.into_iter().flatten().map(|route| route.length).collect();
    /// assert_eq!((lengths.len(), lengths[2]), (3, 0.0));
    /// assert!((lengths[0] - lengths[1]).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn paths<C: CostModel + Sync>(
        &mut self,
        mesh: &NavMesh,
        pairs: &[[Vec3; 2]],
        filter: &C,
        options: &RouteOptions,
    ) -> Vec<Result<Route, RouteError>> {
        let mut order: Vec<(u64, usize)> = pairs.iter().map(|pair| square_of(pair[0])).zip(0..).collect();
        order.sort_unstable();
        let route = |query: &mut Query, number: usize| {
            let [start, goal] = pairs[number];
            (number, query.route(mesh, start, goal, filter, options))
        };
        let mut answers = self.in_shares(&order, &route);
        answers.sort_unstable_by_key(|(number, _)| *number);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    #[cfg(feature = "rayon")]
    fn in_shares<T: Send>(
        &mut self,
        order: &[(u64, usize)],
        answer: &(impl Fn(&mut Query, usize) -> T + Sync),
    ) -> Vec<T> {
        use rayon::prelude::*;
        if rayon::current_num_threads() == 1 || order.len() <= SHARE {
            return order.iter().map(|(_, number)| answer(self, *number)).collect();
        }
        let max_nodes = self.max_nodes();
        let shares = order.par_chunks(SHARE).map_init(
            || Query::with_max_nodes(max_nodes),
            |query, share| share.iter().map(|(_, number)| answer(query, *number)).collect::<Vec<T>>(),
        );
        shares.flatten().collect()
    }

    #[cfg(not(feature = "rayon"))]
    fn in_shares<T>(&mut self, order: &[(u64, usize)], answer: &impl Fn(&mut Query, usize) -> T) -> Vec<T> {
        order.iter().map(|(_, number)| answer(self, *number)).collect()
    }
}

/// The square of a position, so that neighbouring squares mostly have neighbouring numbers: the bits of both
/// coordinates in turn. Source: G. M. Morton, A computer oriented geodetic data base (1966).
fn square_of(at: Vec3) -> u64 {
    let spread = |coordinate: f32| {
        // Saturates; a position that is not a number is refused by its route.
        let number = (coordinate / SQUARE) as i32;
        let mut bits = u64::from(number as u32 ^ 1 << 31);
        for (shift, mask) in [
            (16, 0x0000_FFFF_0000_FFFF),
            (8, 0x00FF_00FF_00FF_00FF),
            (4, 0x0F0F_0F0F_0F0F_0F0F),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(at.x) << 1 | spread(at.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_a_quarter_have_numbers_of_a_quarter() {
        let number = |x: f32, z: f32| square_of(Vec3::new(x, 7.0, z)) - square_of(Vec3::ZERO);
        assert_eq!(
            [number(31.0, 31.0), number(0.0, 32.0), number(32.0, 0.0), number(33.0, 33.0)],
            [0, 1, 2, 3]
        );
        assert_eq!([number(64.0, 0.0), number(96.0, 96.0)], [8, 15]);
        assert!(square_of(Vec3::new(-33.0, 0.0, -33.0)) < square_of(Vec3::ZERO));
    }
}
