//! Off-mesh links as gates of the ground.

use super::graph::{GroundGraph, GroundPolygon, rate_of};
use crate::error::QueryError;
use crate::filter::CostModel;
use crate::geometry::{flat, lerp};
use crate::mesh::{NavMesh, Poly};
use glam::Vec3;

impl GroundGraph {
    /// Adds the off-mesh links off a polygon, or with `arrivals` the links onto it. A link between edges is
    /// cut where it enters or leaves a face.
    #[cold]
    pub(super) fn add_links(
        &mut self,
        mesh: &NavMesh,
        filter: &impl CostModel,
        poly: &Poly<'_>,
        number: u32,
        arrivals: bool,
    ) -> Result<(), QueryError> {
        let mut crossings = Vec::new();
        if arrivals {
            crossings.extend(poly.off_mesh_onto(mesh));
        } else {
            for (link, [point, _]) in poly.off_mesh_from() {
                let located = mesh.locate_node(link)?;
                let crossing = located.off_mesh_crossing_from(poly.reference, point);
                crossings.extend(crossing.map(|crossing| (link, crossing)));
            }
        }
        for (link, crossing) in crossings {
            let crossing = if arrivals { crossing.reversed() } else { crossing };
            let attributes = mesh.attributes(link)?;
            let rate = rate_of(filter, attributes);
            let beyond = self.load(mesh, filter, crossing.end.polygon)?;
            if !(filter.passes(&attributes) && rate.is_finite()) {
                continue;
            }
            let ends = [crossing.entry_edge(), crossing.reversed().entry_edge()];
            self.cuts.clear();
            self.cuts.extend([0.0, 1.0]);
            for (number, edge) in [number, beyond].into_iter().zip(ends) {
                self.cut_link(number, edge);
            }
            self.cuts.sort_unstable_by(f64::total_cmp);
            self.cuts.dedup();
            if ends[0][0] == ends[0][1] {
                self.cuts.truncate(1);
                self.cuts.push(1.0);
            }
            for cut in 1..self.cuts.len() {
                let [from, to] = [self.cuts[cut - 1], self.cuts[cut]];
                let parts = ends.map(|[a, b]| [lerp(a, b, from), lerp(a, b, to)]);
                let middles = parts.map(|[a, b]| lerp(a, b, 0.5));
                let faces = [self.face_at(number, middles[0]), self.face_at(beyond, middles[1])];
                if let [Some(here), Some(there)] = faces {
                    self.add_gate([here, there], parts, Some((link, rate)));
                }
            }
        }
        Ok(())
    }

    /// Adds the shares of a link's edge where it crosses an edge between two faces.
    fn cut_link(&mut self, number: u32, edge: [Vec3; 2]) {
        let GroundPolygon { first_pair, pair_count, .. } = *self.polygons.get(number);
        let [a, b] = edge.map(flat);
        for pair in first_pair..first_pair + pair_count {
            let [c, d] = self.pairs[pair as usize].1.map(flat);
            let sides = [(d - c).perp_dot(a - c), (d - c).perp_dot(b - c)];
            let others: [f64; 2] = [(b - a).perp_dot(c - a), (b - a).perp_dot(d - a)];
            if sides[0] * sides[1] < 0.0 && others[0] * others[1] <= 0.0 {
                self.cuts.push(sides[0] / (sides[0] - sides[1]));
            }
        }
    }
}
