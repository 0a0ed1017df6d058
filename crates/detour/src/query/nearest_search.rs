//! The place nearest to a position in a straight line, at any distance: the search of `nearest_reachable` and
//! `nearest_anywhere`.
//! Cost: the BV trees of the tiles given are descended as far as their boxes are nearer than the best place
//! so far.
//! Source: N. Roussopoulos, S. Kelley, F. Vincent, Nearest neighbor queries (1995); depth first, in fixed
//! order.

use crate::mesh::{LoadedTile, NavMesh, Poly};
use crate::place::Place;
use glam::Vec3;
use navmath::FIXED_ONE;
use navtile::layout::{BV_EMPTY, BV_LEAF};

/// A search for the nearest place: `point` returns a polygon's point, or `None` if the polygon does not
/// count.
pub(super) struct NearestSearch<P> {
    goal: Vec3,
    point: P,
    /// Squared distance, m², and the place.
    best: Option<(f64, Place)>,
}

impl<P: Fn(&Poly<'_>) -> Option<Vec3>> NearestSearch<P> {
    pub(super) fn new(goal: Vec3, point: P) -> NearestSearch<P> {
        NearestSearch { goal, point, best: None }
    }

    /// The nearest place found. Among equally near places the smaller reference of the polygon wins.
    pub(super) fn into_place(self) -> Option<Place> {
        self.best.map(|(_, place)| place)
    }

    /// Returns true if something at that squared distance may hold a better place. Positions are rounded to
    /// f32, boxes are not, so something slightly farther is considered too.
    fn is_worth(&self, squared: f64) -> bool {
        self.best.is_none_or(|(known, _)| squared <= known * (1.0 + 1e-5))
    }

    pub(super) fn search_tile(
        &mut self,
        mesh: &NavMesh,
        stack: &mut Vec<u32>,
        slot: u32,
        loaded: &LoadedTile,
    ) {
        let tile = &loaded.data.tile;
        let (header, nodes, at) = (tile.header(), tile.bv_nodes(), mesh.to_tile(loaded, self.goal));
        let unit = tile.lattice().cell().map(|cell| cell / f64::from(FIXED_ONE));
        let squared = |low: [f64; 3], high: [f64; 3]| -> f64 {
            let away = |axis: usize| (low[axis] - at[axis]).max(at[axis] - high[axis]).max(0.0) * unit[axis];
            (0..3).map(|axis| away(axis) * away(axis)).sum()
        };
        stack.clear();
        let whole = squared(header.bounds_min.map(f64::from), header.bounds_max.map(f64::from));
        if !nodes.is_empty() && self.is_worth(whole) {
            stack.push(0);
        }
        while let Some(node) = stack.pop() {
            let node = &nodes[node as usize];
            for child in (0..4).rev().filter(|child| node.children[*child] != BV_EMPTY) {
                let edge = |axis: usize, quantised: u32| {
                    let above = i64::from(quantised) << header.bv_shift[axis].min(32);
                    (i64::from(header.bounds_min[axis]) + above) as f64
                };
                let low = std::array::from_fn(|axis| edge(axis, u32::from(node.min[axis][child])));
                let high = std::array::from_fn(|axis| edge(axis, u32::from(node.max[axis][child]) + 1));
                if !self.is_worth(squared(low, high)) {
                    continue;
                }
                let child = node.children[child];
                if child & BV_LEAF == 0 {
                    stack.push(child);
                } else {
                    self.consider(&loaded.node(slot, child & !BV_LEAF));
                }
            }
        }
    }

    fn consider(&mut self, poly: &Poly<'_>) {
        let Some(point) = (self.point)(poly) else { return };
        let polygon = poly.reference;
        let squared = point.as_dvec3().distance_squared(self.goal.as_dvec3());
        let better = |(known, place): (f64, Place)| (squared, polygon) < (known, place.polygon);
        if self.best.is_none_or(better) {
            self.best = Some((squared, Place { polygon, point }));
        }
    }
}
