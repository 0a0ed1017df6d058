//! Every polygon whose quantised bounds meet a box: the tiles by index, then each tile's four-wide BV tree,
//! in integers. Cost: O(log n + hits) for boxes that are small compared with the mesh.

use crate::mesh::{NavMesh, Poly};
use glam::Vec3;
use navtile::layout::{BV_EMPTY, BV_LEAF, BvNode};

/// Calls `visit` for every polygon whose bounds meet the box, and for some whose bounds only nearly do. The
/// order is unspecified.
pub(crate) fn polygons_in_box(
    mesh: &NavMesh,
    stack: &mut Vec<u32>,
    min: Vec3,
    max: Vec3,
    mut visit: impl FnMut(Poly<'_>),
) {
    mesh.tiles_in_box(min, max, |slot, loaded, area| {
        let (nodes, surface) = (loaded.surface.bv_nodes(), &loaded.surface);
        let low: [u16; 3] = std::array::from_fn(|axis| surface.quantise(axis, area.min[axis]));
        let high: [u16; 3] = std::array::from_fn(|axis| surface.quantise(axis, area.max[axis]));
        stack.clear();
        if !nodes.is_empty() {
            stack.push(0);
        }
        while let Some(node) = stack.pop() {
            let node = &nodes[node as usize];
            let mut met = children_met(node, &low, &high);
            // Last first, so that the first child is visited next.
            while met != 0 {
                let number = met.ilog2();
                met ^= 1 << number;
                let child = node.children[number as usize % 4];
                if child == BV_EMPTY {
                    continue;
                }
                if child & BV_LEAF == 0 {
                    stack.push(child);
                } else {
                    visit(loaded.node(slot, child & !BV_LEAF));
                }
            }
        }
    });
}

/// A bit for each of a node's four children that meets the box. Branchless, so that it vectorises.
#[inline]
fn children_met(node: &BvNode, low: &[u16; 3], high: &[u16; 3]) -> u32 {
    let mut met = [true; 4];
    for axis in 0..3 {
        for (slot, met) in met.iter_mut().enumerate() {
            *met &= (node.min[axis][slot] <= high[axis]) & (node.max[axis][slot] >= low[axis]);
        }
    }
    (0..4).map(|slot| u32::from(met[slot]) << slot).sum()
}
