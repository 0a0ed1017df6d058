//! Islands for reports: the weakly connected components of the mesh, over links and off-mesh links, with their sizes.
//! They are computed from scratch; for an answer in constant time see [`NavMesh::reachable`].
//! Cost: almost linear in polygons and links.

use crate::filter::{CostModel, Filter};
use crate::mesh::{NavMesh, Poly, Reachable};
use crate::poly_ref::PolyRef;
use navmath::Sets;
use navmath::predicates::polygon_area2;
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
        let mut forest = Forest::of(mesh, filter);
        for number in 0..forest.polygons.len() as u32 {
            let poly = forest.polygons[number as usize];
            for link in poly.links() {
                if let Some(other) = forest.number(link.to) {
                    forest.sets.join(number, other);
                }
            }
        }
        for link in mesh.off_mesh_links().filter_map(|link| mesh.locate_node(link).ok()) {
            if let Some([start, end]) = link.off_mesh_ends().filter(|_| filter.passes(&link.attributes()))
                && let (Some(start), Some(end)) = (forest.number(start.polygon), forest.number(end.polygon))
            {
                forest.sets.join(start, end);
            }
        }
        forest.gather(mesh)
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

/// Disjoint sets of polygons.
struct Forest<'a> {
    /// The polygons that pass, slot by slot.
    polygons: Vec<Poly<'a>>,
    /// For each slot: the tile's salt, and the number of each polygon.
    numbers: Vec<(u32, Vec<u32>)>,
    sets: Sets,
}

impl<'a> Forest<'a> {
    fn of(mesh: &'a NavMesh, filter: &impl CostModel) -> Forest<'a> {
        let mut forest = Forest { polygons: Vec::new(), numbers: Vec::new(), sets: Sets::new(0) };
        for (slot, tile) in mesh.slots() {
            // Salt 0 is nobody's.
            forest.numbers.resize_with(slot as usize, || (0, Vec::new()));
            let count = tile.data.tile.polygons().len() as u32;
            let mut numbers = vec![NONE; count as usize];
            for polygon in 0..count {
                let reference = PolyRef::from_checked(tile.salt, slot, polygon);
                let poly = Poly { tile, reference };
                if filter.passes(&poly.attributes()) {
                    numbers[polygon as usize] = forest.polygons.len() as u32;
                    forest.polygons.push(poly);
                }
            }
            forest.numbers.push((tile.salt, numbers));
        }
        forest.sets = Sets::new(forest.polygons.len() as u32);
        forest
    }

    fn number(&self, polygon: PolyRef) -> Option<u32> {
        let (_, numbers) = self.numbers.get(polygon.slot() as usize)?;
        numbers.get(polygon.polygon() as usize).copied().filter(|number| *number != NONE)
    }

    fn gather(mut self, mesh: &NavMesh) -> Islands {
        let mut area2 = vec![0i128; self.polygons.len()];
        let mut islands: Vec<Option<Island>> = vec![None; self.polygons.len()];
        for number in 0..self.polygons.len() as u32 {
            let (root, poly) = (self.sets.root(number) as usize, self.polygons[number as usize]);
            area2[root] -= poly.area2();
            let island = islands[root].get_or_insert(Island {
                polygons: 0,
                area: 0.0,
                bounds: Box3::EMPTY,
                first: poly.reference,
            });
            island.polygons += 1;
            island.first = island.first.min(poly.reference);
            island.bounds = poly.outline().fold(island.bounds, |bounds, (corner, _)| bounds.grown(corner));
        }
        let unit = mesh.lattice().map_or(0.0, |lattice| lattice.cell_size / f64::from(FIXED_ONE));
        let mut order: Vec<u32> =
            (0..islands.len() as u32).filter(|i| islands[*i as usize].is_some()).collect();
        order.sort_by_key(|i| (-area2[*i as usize], islands[*i as usize].map(|island| island.first)));
        let mut rank = vec![NONE; islands.len()];
        for (place, root) in order.iter().enumerate() {
            rank[*root as usize] = place as u32;
        }
        let list = order.iter().filter_map(|root| {
            let area = area2[*root as usize] as f64 / 2.0 * unit * unit;
            islands[*root as usize].map(|island| Island { area, ..island })
        });
        let list = list.collect();
        let mut labels = std::mem::take(&mut self.numbers);
        for label in labels.iter_mut().flat_map(|(_, labels)| labels).filter(|label| **label != NONE) {
            *label = rank[self.sets.root(*label) as usize];
        }
        Islands { islands: list, labels }
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
