//! The place nearest to a goal on the island of a start: where to go if the goal itself cannot be reached.
//!
//! Cost: every tile is asked whether it has a part of the island; the BV trees of those that are nearer than the best
//! place so far are descended as far as their boxes are nearer. At most one step per polygon.
//! Source: our own; a search that floods the start's whole island finds the same.

use super::Query;
use crate::error::{QueryError, check_position};
use crate::filter::CostModel;
use crate::mesh::{Labels, LoadedTile, NavMesh, Poly};
use crate::place::Place;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::FIXED_ONE;
use navtile::layout::{BV_EMPTY, BV_LEAF};

impl Query {
    /// The place nearest to `goal`, in a straight line, on a polygon that passes the filter and is connected with
    /// `start`: by the filter's own islands if it is registered with the mesh and lets the start pass, else by the islands
    /// of all polygons. Of equally near places the one on the polygon with the smaller reference; `None` if no polygon
    /// passes.
    ///
    /// Islands are weakly connected: with one-way links, or a filter that is not registered, the place may be
    /// unreachable after all.
    pub fn nearest_reachable(
        &mut self,
        mesh: &NavMesh,
        start: PolyRef,
        goal: Vec3,
        filter: &impl CostModel,
    ) -> Result<Option<Place>, QueryError> {
        check_position("goal", goal)?;
        mesh.locate_node(start)?;
        let labels = mesh.labels_of(filter).filter(|labels| labels.of(start).is_some());
        let labels = labels.unwrap_or(mesh.all_labels());
        let Some(island) = labels.of(start) else { return Ok(None) };
        let mut search = IslandSearch { goal, labels, island, filter, best: None };
        for (slot, tile) in mesh.slots().filter(|(slot, _)| labels.tile_has(*slot, island)) {
            search.search_tile(mesh, &mut self.stack, slot, tile);
        }
        Ok(search.best.map(|(_, place)| place))
    }
}

struct IslandSearch<'a, C> {
    goal: Vec3,
    labels: &'a Labels,
    island: u64,
    filter: &'a C,
    /// Squared distance, m², and the place.
    best: Option<(f64, Place)>,
}

impl<C: CostModel> IslandSearch<'_, C> {
    /// Whether something at that squared distance may hold a better place. Positions are rounded to f32, boxes are not, so
    /// anything nearly as far is considered too.
    fn is_worth(&self, squared: f64) -> bool {
        self.best.is_none_or(|(known, _)| squared <= known * (1.0 + 1e-5))
    }

    fn search_tile(&mut self, mesh: &NavMesh, stack: &mut Vec<u32>, slot: u32, loaded: &LoadedTile) {
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
        let polygon = poly.reference;
        if self.labels.of(polygon) != Some(self.island) || !self.filter.passes(&poly.attributes()) {
            return;
        }
        let point = poly.closest(self.goal).point;
        let squared = point.as_dvec3().distance_squared(self.goal.as_dvec3());
        let better = |(known, place): (f64, Place)| (squared, polygon) < (known, place.polygon);
        if self.best.is_none_or(better) {
            self.best = Some((squared, Place { polygon, point }));
        }
    }
}
