//! Lookups in a field: the cost from a place, and the path from there.

use super::memory::{FieldMemory, FieldRoot, Onward};
use super::{Field, FieldStep};
use crate::geometry::flat;
use crate::mesh::NavMesh;
use crate::place::Place;
use crate::query::nodes::NO_NODE;
use crate::query::straight_path::CornerKind;
use glam::{DVec2, Vec3};

impl Field {
    /// The cheapest path from a place, and the place in the plane.
    fn onward(&self, mesh: &NavMesh, place: Place) -> Option<(Onward, DVec2)> {
        if !place.point.is_finite() {
            return None;
        }
        let poly = mesh.locate(place.polygon).ok()?;
        let polygon = self.memory.polygons.find(place.polygon)?;
        let p = flat(poly.kept_inside(place.point));
        let way = self.memory.onward(polygon, p)?;
        (way.cost <= self.reach).then_some((way, p))
    }

    /// The cost of the cheapest path from a place to any of the goals. `None` if no path exists, if it costs
    /// more than the bound, or if the polygon is no longer in the mesh. Constant time: a few roots are
    /// compared.
    pub fn distance(&self, mesh: &NavMesh, place: Place) -> Option<f32> {
        let (way, _) = self.onward(mesh, place)?;
        Some((way.cost * self.scale) as f32)
    }

    /// The direction in which the path from a place begins: a horizontal unit vector; zero at a goal, and at
    /// an off-mesh link that is to be taken. `None` if [`Field::distance`] is `None`.
    pub fn direction(&self, mesh: &NavMesh, place: Place) -> Option<Vec3> {
        let (way, p) = self.onward(mesh, place)?;
        let along = self.target(&way, p).point - p;
        let direction = if along.length() > self.arrived { along.normalize_or_zero() } else { DVec2::ZERO };
        Some(Vec3::new(direction.x as f32, 0.0, direction.y as f32))
    }

    /// The next point of the path from a place, which can be walked to in a straight line. `None` if
    /// [`Field::distance`] is `None`.
    pub fn next(&self, mesh: &NavMesh, place: Place) -> Option<FieldStep> {
        let (way, p) = self.onward(mesh, place)?;
        let FieldRoot { at, kind, arrival, .. } = self.target(&way, p);
        let link = self.memory.arrivals.get(arrival as usize).map(|arrival| arrival.link);
        Some(FieldStep { point: at, kind, link })
    }

    /// The first point of a path that differs from its start.
    fn target(&self, way: &Onward, p: DVec2) -> FieldRoot {
        let memory: &FieldMemory = &self.memory;
        if let Some((portal, t)) = way.bend {
            let portal = memory.portal(portal);
            let point = portal.point(t);
            if point.distance(p) > self.arrived {
                let kind = if portal.end(t).is_some() { CornerKind::Turn } else { CornerKind::Crossing };
                let (at, cost, next, arrival) = (portal.at(t), way.cost, way.root, NO_NODE);
                return FieldRoot { point, at, cost, next, kind, arrival };
            }
        }
        let mut root = memory.root(way.root);
        while root.point.distance(p) <= self.arrived
            && root.kind != CornerKind::LinkStart
            && root.next != NO_NODE
        {
            root = memory.root(root.next);
        }
        *root
    }
}
