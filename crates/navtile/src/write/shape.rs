//! What is known of a polygon once its corners have been gone through.

use crate::convex::Chain;
use navmath::IBox3;

/// What is found out while the corners of a polygon are gone through: whether it has no [`flaw`](crate::convex::flaw),
/// and what it lies in.
pub(super) struct Shape {
    chain: Chain,
    /// Whether each corner is another place than the one before, seen from above.
    moves: bool,
    pub(super) bounds: IBox3,
}

impl Shape {
    /// Of a polygon that ends with these corners.
    #[inline]
    pub(super) fn new(next_to_last: [i32; 3], last: [i32; 3]) -> Shape {
        let [next_to_last, last] = [next_to_last, last].map(|[x, _, z]| [x, z]);
        Shape { chain: Chain::into_last(next_to_last, last), moves: true, bounds: IBox3::EMPTY }
    }

    #[inline]
    pub(super) fn go_to(&mut self, corner: [i32; 3]) {
        self.moves &= self.chain.go_to([corner[0], corner[2]]);
        self.bounds = self.bounds.grown(corner);
    }

    #[inline]
    pub(super) fn is_convex(&self) -> bool {
        self.moves && self.chain.was_convex()
    }
}
