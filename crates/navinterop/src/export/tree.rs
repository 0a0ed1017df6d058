//! The BV tree in Detour's form: binary, depth first, with the number of nodes to skip in each inner node.
//! Source: ours, by halves along the widest axis.

use crate::detour::DetourBvNode;
use navmath::sort::SharedSort;

/// The box of a polygon, in the tree's units.
pub(super) type Bounds = ([u16; 3], [u16; 3]);

/// The tree over polygons 0, 1, 2 and so on: 2n - 1 nodes for n polygons, empty without polygons. O(n log²
/// n).
pub(super) fn build(bounds: &[Bounds]) -> Vec<DetourBvNode> {
    let mut polygons: Vec<usize> = (0..bounds.len()).collect();
    let mut nodes = Vec::with_capacity((2 * bounds.len()).saturating_sub(1));
    if !polygons.is_empty() {
        node(bounds, &mut polygons, &mut nodes);
    }
    nodes
}

/// Adds the node over some polygons, and the nodes below it. Each level halves the number of polygons.
fn node(bounds: &[Bounds], polygons: &mut [usize], nodes: &mut Vec<DetourBvNode>) {
    let around = |polygons: &[usize]| {
        polygons.iter().fold(([u16::MAX; 3], [0; 3]), |(min, max): Bounds, &polygon| {
            let (low, high) = bounds[polygon];
            (
                std::array::from_fn(|axis| min[axis].min(low[axis])),
                std::array::from_fn(|axis| max[axis].max(high[axis])),
            )
        })
    };
    let (min, max) = around(polygons);
    let index = nodes.len();
    if let [polygon] = *polygons {
        // Fewer than 2^15 polygons.
        nodes.push(DetourBvNode { min, max, index: polygon as i32 });
        return;
    }
    nodes.push(DetourBvNode { min, max, index: 0 });
    // The first of equal extents: x before y before z.
    let axis = (0..3).min_by_key(|&axis| std::cmp::Reverse(max[axis] - min[axis])).unwrap_or(0);
    let centre = |polygon: usize| u32::from(bounds[polygon].0[axis]) + u32::from(bounds[polygon].1[axis]);
    polygons.shared_sort_by_key(|&polygon| (centre(polygon), polygon));
    let (left, right) = polygons.split_at_mut(polygons.len() / 2);
    node(bounds, left, nodes);
    node(bounds, right, nodes);
    nodes[index].index = -((nodes.len() - index) as i32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The search that Detour does in the tree.
    fn query(nodes: &[DetourBvNode], at: [u16; 3]) -> Vec<i32> {
        let (mut found, mut next) = (Vec::new(), 0);
        while let Some(node) = nodes.get(next) {
            let hit = (0..3).all(|axis| node.min[axis] <= at[axis] && at[axis] <= node.max[axis]);
            if hit && node.index >= 0 {
                found.push(node.index);
            }
            next += if hit || node.index >= 0 { 1 } else { node.index.unsigned_abs() as usize };
        }
        found.shared_sort();
        found
    }

    #[test]
    fn every_polygon_is_found_where_it_is() {
        let bounds: Vec<Bounds> = (0..100u16)
            .map(|i| ([i % 10 * 10, i, i / 10 * 10], [i % 10 * 10 + 10, i + 5, i / 10 * 10 + 10]))
            .collect();
        let nodes = build(&bounds);
        assert_eq!(nodes.len(), 199);
        for (polygon, (min, max)) in (0..).zip(&bounds) {
            for at in [*min, *max] {
                let all: Vec<i32> = (0..)
                    .zip(&bounds)
                    .filter(|(_, (low, high))| {
                        (0..3).all(|axis| low[axis] <= at[axis] && at[axis] <= high[axis])
                    })
                    .map(|(other, _)| other)
                    .collect();
                assert!(all.contains(&polygon));
                assert_eq!(query(&nodes, at), all);
            }
        }
        assert_eq!(build(&bounds[..1]), vec![DetourBvNode { min: bounds[0].0, max: bounds[0].1, index: 0 }]);
        assert!(build(&[]).is_empty());
    }
}
