//! Islands for reports: the connected parts of the mesh, with their sizes. There are three kinds, each made
//! of those before it:
//!
//! - by ground: [`Islands::by_ground`], as bakes count them;
//! - joined by off-mesh links in either direction: [`Islands::new`];
//! - with a path from every place to every other, so that an agent that jumps down can come back:
//!   [`Islands::there_and_back`].
//!
//! They are computed from scratch. For an answer in constant time see [`NavMesh::reachable`].
//! Cost: almost linear in polygons and links.

use crate::filter::{Attributes, CostModel, Filter, Step};
use crate::mesh::{NavMesh, Poly, Reachable};
use crate::poly_ref::PolyRef;
use navmath::predicates::polygon_area2;
use navmath::sort::SharedSort;
use navmath::{Box3, FIXED_ONE, Sets};

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
    /// Creates an island without polygons.
    fn new(first: PolyRef) -> Island {
        Island { polygons: 0, area: 0.0, bounds: Box3::EMPTY, first }
    }
}

/// The islands of one snapshot of a mesh as one filter sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Islands {
    islands: Vec<Island>,
    /// For each slot: the tile's salt, and the island of each polygon.
    labels: Vec<(u32, Vec<u32>)>,
}

/// The label of a polygon on no island.
const NONE: u32 = u32::MAX;

impl NavMesh {
    /// The islands of all polygons, regardless of their flags, largest first.
    pub fn islands(&self) -> Islands {
        Islands::new(self, &Filter::default())
    }
}

impl Islands {
    /// The islands of the polygons that pass a filter, joined by off-mesh links that pass it, one-way links
    /// too. Sorted by area, largest first, then by their first polygon.
    pub fn new(mesh: &NavMesh, filter: &impl CostModel) -> Islands {
        let labels = mesh.labels_by(filter);
        let mut sets = Sets::new(labels.count());
        // Every island has a polygon in memory, so that 32 bits number them.
        mesh.one_way_pairs(&labels).for_each(|[from, to]| sets.join(from as u32, to as u32));
        let (numbers, _) = sets.numbers();
        Islands::numbered(mesh, |polygon| Some(numbers[labels.of(polygon)? as usize]))
    }

    /// The islands of the polygons that pass a filter, without off-mesh links.
    pub fn by_ground(mesh: &NavMesh, filter: &impl CostModel) -> Islands {
        Islands::new(mesh, &OnGround { mesh, filter })
    }

    /// The largest parts in which every polygon can be reached from every other one, over ground and off-mesh
    /// links that pass a filter. If only one-way links, such as drops, lead away from an island, there is no
    /// path back to it.
    pub fn there_and_back(mesh: &NavMesh, filter: &impl CostModel) -> Islands {
        let labels = mesh.labels_by(filter);
        let steps = mesh.one_way_pairs(&labels).map(|step| step.map(|island| island as u32)).collect();
        let parts = strong_parts(labels.count() as usize, steps);
        Islands::numbered(mesh, |polygon| parts.get(labels.of(polygon)? as usize).copied())
    }

    /// The islands of polygons, given the island number of each; `None` for a polygon on no island.
    fn numbered(mesh: &NavMesh, number_of: impl Fn(PolyRef) -> Option<u32>) -> Islands {
        // By the numbers of islands in the labels: twice their area, and the report.
        let mut gathered: Vec<Option<(i128, Island)>> = Vec::new();
        let mut labels = Vec::new();
        for (slot, tile) in mesh.slots() {
            // No tile has salt 0.
            labels.resize_with(slot as usize, || (0, Vec::new()));
            let label = |index| {
                let poly = tile.node(slot, index);
                let Some(label) = number_of(poly.reference) else { return NONE };
                let number = label as usize;
                gathered.resize(gathered.len().max(number + 1), None);
                let (area2, island) = gathered[number].get_or_insert((0, Island::new(poly.reference)));
                *area2 -= poly.area2();
                island.polygons += 1;
                island.first = island.first.min(poly.reference);
                island.bounds =
                    poly.outline().fold(island.bounds, |bounds, (corner, _)| bounds.grown(corner));
                label
            };
            labels.push((tile.salt, (0..tile.surface.polygon_count()).map(label).collect::<Vec<u32>>()));
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

    /// Index in [`Islands::list`] of a polygon's island; `None` if the filter excludes the polygon, if the
    /// reference is not of that snapshot, or if it names an off-mesh link.
    pub fn of(&self, polygon: PolyRef) -> Option<usize> {
        let (salt, labels) = self.labels.get(polygon.slot() as usize)?;
        let label = *labels.get(polygon.polygon() as usize)?;
        (*salt == polygon.salt() && label != NONE).then_some(label as usize)
    }

    /// Checks in constant time if there may be a path from polygon `a` to polygon `b`. A start that the
    /// filter excludes is on no island, so nothing can be reached from it; [`NavMesh::reachable`] is more
    /// lenient.
    pub fn reachable(&self, a: PolyRef, b: PolyRef) -> Reachable {
        match (self.of(a), self.of(b)) {
            (Some(a), Some(b)) if a == b => Reachable::Maybe,
            _ => Reachable::No,
        }
    }
}

/// A filter without off-mesh links.
struct OnGround<'a, C> {
    mesh: &'a NavMesh,
    filter: &'a C,
}

impl<C: CostModel> CostModel for OnGround<'_, C> {
    fn passes(&self, polygon: &Attributes) -> bool {
        self.mesh.is_off_mesh(polygon.polygon) == Ok(false) && self.filter.passes(polygon)
    }

    fn cost(&self, step: &Step) -> f32 {
        self.filter.cost(step)
    }

    fn minimum_cost(&self) -> f32 {
        self.filter.minimum_cost()
    }
}

/// The strongly connected component of each of `count` nodes, given the steps between them.
///
/// In a depth-first search each node gets the number of its visit. A component is complete when nothing in it
/// leads to an earlier number that is still open.
/// Source: R. Tarjan, Depth-first search and linear graph algorithms (1972); with a list in place of
/// recursion.
fn strong_parts(count: usize, mut steps: Vec<[u32; 2]>) -> Vec<u32> {
    steps.shared_sort();
    // For each node the number of its visit, and the earliest open node that it leads to.
    let (mut visit, mut lowest) = (vec![NONE; count], vec![NONE; count]);
    let mut parts = vec![NONE; count];
    let (mut visits, mut found) = (0, 0);
    // Nodes without a component, and nodes of the current path with the step to be taken next.
    let (mut open, mut way): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for root in 0..count {
        if visit[root] == NONE {
            way.push((root, 0));
        }
        while let Some((node, step)) = way.pop() {
            let step = if visit[node] == NONE {
                (visit[node], lowest[node]) = (visits, visits);
                visits += 1;
                open.push(node);
                steps.partition_point(|[from, _]| (*from as usize) < node)
            } else {
                let [_, to] = steps[step].map(|node| node as usize);
                if parts[to] == NONE {
                    lowest[node] = lowest[node].min(lowest[to]);
                }
                step + 1
            };
            if let Some(&[from, to]) = steps.get(step)
                && from as usize == node
            {
                way.push((node, step));
                if visit[to as usize] == NONE {
                    way.push((to as usize, 0));
                }
            } else if lowest[node] == visit[node] {
                while let Some(last) = open.pop() {
                    parts[last] = found;
                    if last == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    parts
}

impl Poly<'_> {
    /// Twice the signed area seen from above, in squared fixed-point units; negative, as interiors are on the
    /// left.
    fn area2(&self) -> i128 {
        let tile = &self.tile.data.tile;
        let edges = tile.polygon_edges(&tile.polygons()[self.index() as usize]);
        polygon_area2(edges.iter().map(|edge| {
            let [x, _, z] = tile.vertices()[edge.vertex as usize];
            [x, z]
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nodes_of_a_part_lead_to_each_other(
            steps in prop::collection::vec(prop::array::uniform2(0u32..12), 0..30),
        ) {
            let parts = strong_parts(12, steps.clone());
            let mut leads = [[false; 12]; 12];
            (0..12).for_each(|node| leads[node][node] = true);
            for &[from, to] in &steps {
                leads[from as usize][to as usize] = true;
            }
            for over in 0..12 {
                for from in 0..12 {
                    for to in 0..12 {
                        leads[from][to] |= leads[from][over] && leads[over][to];
                    }
                }
            }
            for a in 0..12 {
                for b in 0..12 {
                    prop_assert_eq!(parts[a] == parts[b], leads[a][b] && leads[b][a], "{} {} of {:?}", a, b, steps);
                }
            }
        }
    }
}
