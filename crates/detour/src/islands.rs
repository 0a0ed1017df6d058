//! Islands for reports: the weakly connected components of the mesh, over links and off-mesh links, with their sizes.
//! They are computed from scratch; for an answer in constant time see [`NavMesh::reachable`].
//! Cost: almost linear in polygons and links.

use crate::filter::{CostModel, Filter};
use crate::mesh::{NavMesh, Poly, Reachable};
use crate::poly_ref::PolyRef;
use navmath::predicates::polygon_area2;
use navmath::sort::SharedSort;
use navmath::{Box3, FIXED_ONE};

/// A set of connected polygons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Island {
    /// Number of polygons.
    pub polygons: usize,
    /// Their area as seen from above, m²; summed in integers, so it does not depend on any order.
    pub area: f64,
    /// The box around their corners, metres from the anchor.
    pub bounds: Box3,
    /// Its polygon with the smallest reference.
    pub first: PolyRef,
}

impl Island {
    /// One without polygons yet.
    fn new(first: PolyRef) -> Island {
        Island { polygons: 0, area: 0.0, bounds: Box3::EMPTY, first }
    }
}

/// The islands of a mesh as one filter sees them; of that snapshot only.
#[derive(Clone, Debug, PartialEq)]
pub struct Islands {
    islands: Vec<Island>,
    /// For each slot: the tile's salt, and the island of each polygon.
    labels: Vec<(u32, Vec<u32>)>,
}

/// The label of a polygon on no island.
const NONE: u32 = u32::MAX;

impl NavMesh {
    /// The islands of all polygons, whatever their flags; largest first.
    pub fn islands(&self) -> Islands {
        Islands::new(self, &Filter::default())
    }
}

impl Islands {
    /// The islands of the polygons that pass a filter; by area, largest first, then by their first polygon.
    pub fn new(mesh: &NavMesh, filter: &impl CostModel) -> Islands {
        let labels_of = mesh.labels_by(filter);
        // By the numbers of islands in the labels: twice their area, and the report.
        let mut gathered: Vec<Option<(i128, Island)>> = Vec::new();
        let mut labels = Vec::new();
        for (slot, tile) in mesh.slots() {
            // No tile has salt 0.
            labels.resize_with(slot as usize, || (0, Vec::new()));
            let label = |index| {
                let poly = tile.node(slot, index);
                let Some(number) = labels_of.of(poly.reference) else { return NONE };
                let number = number as usize;
                gathered.resize(gathered.len().max(number + 1), None);
                let (area2, island) = gathered[number].get_or_insert((0, Island::new(poly.reference)));
                *area2 -= poly.area2();
                island.polygons += 1;
                island.first = island.first.min(poly.reference);
                island.bounds =
                    poly.outline().fold(island.bounds, |bounds, (corner, _)| bounds.grown(corner));
                // Every island has a polygon in memory, so that 32 bits number them.
                number as u32
            };
            labels.push((tile.salt, (0..tile.data.polygon_count()).map(label).collect::<Vec<u32>>()));
        }
        let mut order: Vec<usize> =
            (0..gathered.len()).filter(|number| gathered[*number].is_some()).collect();
        order.shared_sort_by_key(|number| gathered[*number].map(|(area2, island)| (-area2, island.first)));
        let mut ranks = vec![NONE; gathered.len()];
        for (rank, number) in (0..).zip(&order) {
            ranks[*number] = rank;
        }
        for label in labels.iter_mut().flat_map(|(_, labels)| labels).filter(|label| **label != NONE) {
            *label = ranks[*label as usize];
        }
        let unit = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let islands = order.iter().filter_map(|number| {
            let (area2, island) = gathered[*number]?;
            Some(Island { area: area2 as f64 / 2.0 * unit * unit, ..island })
        });
        Islands { islands: islands.collect(), labels }
    }

    /// The islands, largest first.
    pub fn list(&self) -> &[Island] {
        &self.islands
    }

    /// Index in [`Islands::list`] of a polygon's island; `None` if the filter excludes it, if the reference is not of that
    /// snapshot, or if it names an off-mesh link.
    pub fn of(&self, polygon: PolyRef) -> Option<usize> {
        let (salt, labels) = self.labels.get(polygon.slot() as usize)?;
        let label = *labels.get(polygon.polygon() as usize)?;
        (*salt == polygon.salt() && label != NONE).then_some(label as usize)
    }

    /// Whether there may be a path from polygon `a` to polygon `b`, in constant time. A start that the filter excludes is
    /// on no island, and nothing can be reached from it; [`NavMesh::reachable`] is more lenient.
    pub fn reachable(&self, a: PolyRef, b: PolyRef) -> Reachable {
        match (self.of(a), self.of(b)) {
            (Some(a), Some(b)) if a == b => Reachable::Maybe,
            _ => Reachable::No,
        }
    }
}

impl Poly<'_> {
    /// Twice the signed area seen from above, in squared fixed-point units; negative, as interiors lie left.
    fn area2(&self) -> i128 {
        let tile = &self.tile.data.tile;
        let edges = tile.polygon_edges(&tile.polygons()[self.index() as usize]);
        polygon_area2(edges.iter().map(|edge| {
            let [x, _, z] = tile.vertices()[edge.vertex as usize];
            [x, z]
        }))
    }
}
