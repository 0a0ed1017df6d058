//! The walk down the BV tree: nodes in their order, and each polygon at its leaf.

use super::boxes::{Around, Region, Stretch};
use crate::convex::Chain;
use crate::layout::{BV_EMPTY, BV_LEAF, BvNode, DetailTriangle, Edge, Polygon};
use crate::limits::BV_DEPTH_LIMIT;
use crate::tile::View;
use crate::verify::bv::slot_box;

/// The elements of a section that have not been met yet, and where they start.
struct Rest<'a, T> {
    all: &'a [T],
    first: u32,
}

impl<'a, T> Rest<'a, T> {
    /// All from `first` on.
    fn from(section: &'a [T], first: u32) -> Rest<'a, T> {
        Rest { all: &section[first as usize..], first }
    }

    /// The next elements, as many as asked for, if there are and they start at `first`.
    #[inline]
    fn take(&mut self, first: u32, count: u16) -> Option<&'a [T]> {
        if first != self.first {
            return None;
        }
        let (taken, rest) = self.all.split_at_checked(count.into())?;
        // Positions in a section are below its length in bytes, which is a u32.
        (self.all, self.first) = (rest, first.wrapping_add(count.into()));
        Some(taken)
    }
}

/// What has not been met yet of a tile whose vertices and shifts are sound.
struct Walk<'a> {
    /// The vertices that may be corners.
    corners: &'a [[i32; 3]],
    /// Where boxes start, and what their numbers count.
    start: [i64; 3],
    unit: [u64; 3],
    /// Fewest children of a node.
    fewest: usize,
    nodes: Rest<'a, BvNode>,
    polygons: Rest<'a, Polygon>,
    edges: Rest<'a, Edge>,
    /// Those of detail.
    vertices: Rest<'a, [i32; 3]>,
    triangles: Rest<'a, DetailTriangle>,
}

/// Whether the BV tree leads to every polygon, each of which is convex and has edges and detail of its own.
pub(super) fn tree(tile: &View<'_>, corners: &[[i32; 3]]) -> bool {
    let header = tile.header();
    let mut walk = Walk {
        corners,
        start: header.bounds_min.map(i64::from),
        unit: [0, 1, 2].map(|axis| 1 << header.bv_shift[axis]),
        fewest: if tile.polygons().len() == 1 { 1 } else { 2 },
        nodes: Rest::from(tile.bv_nodes(), 0),
        polygons: Rest::from(tile.polygons(), 0),
        edges: Rest::from(tile.edges(), 0),
        vertices: Rest::from(tile.vertices(), header.polygon_vertex_count),
        triangles: Rest::from(tile.detail_triangles(), 0),
    };
    let is_sound = tile.bv_nodes().is_empty() || walk.node(0, &Around::ALL, 1);
    is_sound
        && walk.nodes.all.is_empty()
        && walk.polygons.all.is_empty()
        && walk.edges.all.is_empty()
        && walk.vertices.all.is_empty()
        && walk.triangles.all.is_empty()
}

impl<'a> Walk<'a> {
    /// The next node, which must stand at `index` and lie within `around`. Recursion is bounded by
    /// [`BV_DEPTH_LIMIT`].
    fn node(&mut self, index: u32, around: &Around, depth: usize) -> bool {
        let Some([node]) = self.nodes.take(index, 1).filter(|_| depth <= BV_DEPTH_LIMIT) else {
            return false;
        };
        // Below, an empty slot among them is neither a leaf nor a node.
        let used = node.children.iter().map(|child| usize::from(*child != BV_EMPTY)).sum();
        if used < self.fewest || !around.covers(node, used) {
            return false;
        }
        for slot in 0..used {
            let child = node.children[slot];
            let is_sound = match child & BV_LEAF {
                0 => self.node(child, &Around::slot(node, slot), depth + 1),
                _ => self.polygon(child & !BV_LEAF, node, slot),
            };
            if !is_sound {
                return false;
            }
        }
        true
    }

    /// The next polygon, which must stand at `index` and lie within the box of a slot.
    #[inline(always)]
    fn polygon(&mut self, index: u32, node: &BvNode, slot: usize) -> bool {
        let Some([polygon]) = self.polygons.take(index, 1) else { return false };
        let is_ground = polygon.area != 0 && polygon.kind == 0 && polygon.reserved == 0;
        if !is_ground || polygon.edge_count < 3 || polygon.detail_triangle_count == 0 {
            return false;
        }
        let Some(edges) = self.edges.take(polygon.first_edge, polygon.edge_count.into()) else {
            return false;
        };
        let (first, count) = (polygon.first_detail_vertex, polygon.detail_vertex_count);
        let Some(vertices) = self.vertices.take(first, count) else { return false };
        let (first, count) = (polygon.first_detail_triangle, polygon.detail_triangle_count);
        let Some(triangles) = self.triangles.take(first, count) else { return false };
        let Some(region) = self.region(node, slot) else { return false };
        outline(self.corners, edges, &region)
            && detail(triangles, edges.len() + vertices.len())
            && vertices.iter().all(|vertex| region.contains(vertex))
    }

    /// The positions within the box of a slot; `None` for one that is turned round.
    #[inline(always)]
    fn region(&self, node: &BvNode, slot: usize) -> Option<Region> {
        let (min, max) = slot_box(node, slot);
        let [x, y, z] = self.start;
        let [unit_x, unit_y, unit_z] = self.unit;
        Some(Region {
            x: Stretch::of(x, unit_x, min[0], max[0])?,
            y: Stretch::of(y, unit_y, min[1], max[1])?,
            z: Stretch::of(z, unit_z, min[2], max[2])?,
        })
    }
}

/// Whether the corners of edges make a convex polygon within the region.
#[inline(always)]
fn outline(corners: &[[i32; 3]], edges: &[Edge], region: &Region) -> bool {
    let corner = |edge: &Edge| corners.get(edge.vertex as usize);
    let [.., before, last] = edges else { return false };
    let (Some(&[a_x, _, a_z]), Some(&[b_x, _, b_z])) = (corner(before), corner(last)) else { return false };
    let mut chain = Chain::into_last([a_x, a_z], [b_x, b_z]);
    for edge in edges {
        let Some(position) = corner(edge) else { return false };
        if !region.contains(position) || !chain.go_to([position[0], position[2]]) {
            return false;
        }
    }
    chain.was_convex()
}

/// Whether detail triangles have three different ones of `count` vertices, and three boundary bits.
#[inline(never)]
fn detail(triangles: &[DetailTriangle], count: usize) -> bool {
    let last = u16::try_from(count - 1).unwrap_or(u16::MAX);
    // All lanes at once, which the compiler makes of it.
    let most = [last, last, last, 0b111];
    let mut beyond = [0; 4];
    for triangle in bytemuck::cast_slice::<_, [u16; 4]>(triangles) {
        for lane in 0..4 {
            beyond[lane] |= triangle[lane].saturating_sub(most[lane]);
        }
        let [a, b, c, _] = triangle;
        if a == b || b == c || c == a {
            return false;
        }
    }
    beyond == [0; 4]
}
