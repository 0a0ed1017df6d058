//! Whether all rules behind the section table hold, in as few steps as it takes. Which one is broken is for
//! the modules to tell that take the rules one by one; a tile is refused by these only.
//!
//! One walk down the BV tree meets each polygon at its leaf: its record, and its corners, which are looked up
//! once for all there is to know of them. Then edges and detail are gone through in their order. Pairs are
//! compared from one side and counted from both: each edge whose neighbour stands before must be named by the
//! edge that it names as its twin, and as an edge names one other, no two have the same twin. If as many
//! edges have a neighbour behind as have one before, all of them are twins. Portals and the edges that lead
//! to them likewise.
//!
//! Cost: O(bytes), but for portals above each other, as [`crowd`] has it. Nothing is allocated.

use super::bv::{Quantised, fits_16_bits, is_empty_slot, slot_box};
use super::links;
use super::portals::portal_key;
use crate::border::{crowd, may_crowd, portal_ends};
use crate::convex::{goes_on, goes_round_once};
use crate::layout::{BV_EMPTY, BV_LEAF, COORD_LIMIT, Edge, Header, Portal, edge_kind};
use crate::limits::{BV_DEPTH_LIMIT, POLYGON_LIMIT};
use crate::tile::View;
use navmath::IBox3;
use navmath::predicates::Point;

pub(super) fn is_sound(tile: &View<'_>) -> bool {
    vertices(tile)
        && (0..3).all(|axis| fits_16_bits(tile.header(), axis))
        && tile.polygons().len() <= POLYGON_LIMIT
        && polygons(tile)
        && portals(tile.portals())
        && tile.off_mesh_links().iter().all(|link| links::flaw(link).is_none())
}

fn polygons(tile: &View<'_>) -> bool {
    let corners = &tile.vertices()[..tile.header().polygon_vertex_count as usize];
    tree(tile, corners) && edges(tile, corners) && detail(tile)
}

/// Whether the vertices are within the limit, and the header's bounds exactly around them.
fn vertices(tile: &View<'_>) -> bool {
    let (header, vertices) = (tile.header(), tile.vertices());
    let bounds = match vertices.is_empty() {
        true => IBox3 { min: [0; 3], max: [0; 3] },
        false => IBox3::around(vertices.iter().copied()),
    };
    header.polygon_vertex_count as usize <= vertices.len()
        && (header.bounds_min, header.bounds_max) == (bounds.min, bounds.max)
        && bounds.min.iter().all(|value| *value >= -COORD_LIMIT)
        && bounds.max.iter().all(|value| *value <= COORD_LIMIT)
}

/// What has been met of a tile whose vertices and shifts are sound.
struct Walk<'a> {
    tile: &'a View<'a>,
    /// The vertices that may be corners.
    corners: &'a [[i32; 3]],
    nodes: usize,
    polygons: usize,
    /// Edges, detail vertices with the corners before them, detail triangles.
    edges: usize,
    vertices: usize,
    triangles: usize,
}

/// Whether the BV tree leads to every polygon, each of which is convex and has edges and detail of its own.
fn tree(tile: &View<'_>, corners: &[[i32; 3]]) -> bool {
    let vertices = corners.len();
    let mut walk = Walk { tile, corners, nodes: 0, polygons: 0, edges: 0, vertices, triangles: 0 };
    let is_sound = tile.bv_nodes().is_empty() || walk.node(None, 1);
    is_sound
        && walk.nodes == tile.bv_nodes().len()
        && walk.polygons == tile.polygons().len()
        && walk.edges == tile.edges().len()
        && walk.vertices == tile.vertices().len()
        && walk.triangles == tile.detail_triangles().len()
}

impl<'a> Walk<'a> {
    /// The next node, which must lie within `around`; the root within anything. Recursion is bounded by
    /// [`BV_DEPTH_LIMIT`].
    fn node(&mut self, around: Option<&Quantised>, depth: usize) -> bool {
        let Some(node) = self.tile.bv_nodes().get(self.nodes).filter(|_| depth <= BV_DEPTH_LIMIT) else {
            return false;
        };
        self.nodes += 1;
        let used = node.children.iter().take_while(|child| **child != BV_EMPTY).count();
        let least = if self.tile.polygons().len() == 1 { 1 } else { 2 };
        if used < least || (used..4).any(|slot| !is_empty_slot(node, slot)) {
            return false;
        }
        for (slot, &child) in node.children[..used].iter().enumerate() {
            let inner = slot_box(node, slot);
            // Boxes that are turned round are not refused here: no polygon is within one.
            if around.is_some_and(|around| !covers(around, &inner)) {
                return false;
            }
            let is_sound = match child == BV_LEAF | self.polygons as u32 {
                true => self.polygon(&inner),
                false => child as usize == self.nodes && self.node(Some(&inner), depth + 1),
            };
            if !is_sound {
                return false;
            }
        }
        true
    }

    /// The next polygon, which must lie within `around`.
    fn polygon(&mut self, around: &Quantised) -> bool {
        let tile = self.tile;
        let Some(polygon) = tile.polygons().get(self.polygons) else { return false };
        let follows = polygon.first_edge as usize == self.edges
            && polygon.first_detail_vertex as usize == self.vertices
            && polygon.first_detail_triangle as usize == self.triangles;
        let is_ground = polygon.area != 0 && polygon.kind == 0 && polygon.reserved == 0;
        if !follows || !is_ground || polygon.edge_count < 3 || polygon.detail_triangle_count == 0 {
            return false;
        }
        let edges = next(tile.edges(), &mut self.edges, polygon.edge_count.into());
        let vertices = next(tile.vertices(), &mut self.vertices, polygon.detail_vertex_count.into());
        let triangles =
            next(tile.detail_triangles(), &mut self.triangles, polygon.detail_triangle_count.into());
        self.polygons += 1;
        let (Some(edges), Some(vertices), Some(_)) = (edges, vertices, triangles) else { return false };
        let Some(region) = Region::of(tile.header(), around) else { return false };
        outline(self.corners, edges, &region)
            && vertices.iter().all(|vertex| region.contains(vertex.map(i64::from)))
    }
}

/// Whether a box has another one's corners between its own.
#[inline]
fn covers(outer: &Quantised, inner: &Quantised) -> bool {
    (0..3).all(|axis| outer.0[axis] <= inner.0[axis] && inner.1[axis] <= outer.1[axis])
}

/// The positions that have the units of a box of the BV tree: from `least` on, less than `reach` further.
struct Region {
    least: [i64; 3],
    reach: [u64; 3],
}

impl Region {
    /// `None` for a box that is turned round, in which nothing is.
    #[inline]
    fn of(header: &Header, (min, max): &Quantised) -> Option<Region> {
        let (mut least, mut reach) = ([0; 3], [0; 3]);
        for axis in 0..3 {
            let shift = header.bv_shift[axis];
            least[axis] = i64::from(header.bounds_min[axis]) + (i64::from(min[axis]) << shift);
            reach[axis] = (u64::from(max[axis].checked_sub(min[axis])?) + 1) << shift;
        }
        Some(Region { least, reach })
    }

    #[inline]
    fn contains(&self, position: [i64; 3]) -> bool {
        // What lies before the start wraps around.
        (0..3).all(|axis| ((position[axis] - self.least[axis]) as u64) < self.reach[axis])
    }
}

/// Whether the corners of edges make a convex polygon within the region.
fn outline(corners: &[[i32; 3]], edges: &[Edge], region: &Region) -> bool {
    let corner = |edge: &Edge| corners.get(edge.vertex as usize).map(|corner| corner.map(i64::from));
    let [.., before, last] = edges else { return false };
    let (Some([a_x, _, a_z]), Some([b_x, _, b_z])) = (corner(before), corner(last)) else { return false };
    let start = [b_x - a_x, b_z - a_z];
    let (mut x, mut z, mut direction) = (b_x, b_z, start);
    for edge in edges {
        let Some(position) = corner(edge) else { return false };
        let next = [position[0] - x, position[2] - z];
        if !goes_on(direction, next) || !region.contains(position) {
            return false;
        }
        ([x, _, z], direction) = (position, next);
    }
    let seen = |edge: &Edge| seen(&corners[edge.vertex as usize]);
    edges.len() < 5 || goes_round_once(start, seen(last), edges.iter().map(seen))
}

/// A vertex from above.
fn seen(vertex: &[i32; 3]) -> Point {
    [vertex[0], vertex[2]]
}

/// The `count` elements from `first` on, if there are as many; moves `first` behind them.
#[inline]
fn next<'a, T>(all: &'a [T], first: &mut usize, count: usize) -> Option<&'a [T]> {
    let end = *first + count;
    all.get(std::mem::replace(first, end)..end)
}

/// Whether detail triangles have three different vertices of their polygon, and three boundary bits.
fn detail(tile: &View<'_>) -> bool {
    let mut rest = tile.detail_triangles();
    tile.polygons().iter().all(|polygon| {
        let (triangles, behind) = rest.split_at(usize::from(polygon.detail_triangle_count));
        rest = behind;
        let count = usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count);
        triangles.iter().all(|triangle| {
            let [a, b, c] = &triangle.vertices;
            let (a, b, c) = (usize::from(*a), usize::from(*b), usize::from(*c));
            a < count && b < count && c < count && a != b && b != c && c != a && triangle.boundary <= 0b111
        })
    })
}

/// Kind, twin and reserved field of an edge as one number.
const INTERNAL: u32 = edge_kind::INTERNAL as u32;
const PORTAL: u32 = edge_kind::PORTAL as u32;
const TWIN: u32 = 0xFF00;

/// Whether edges say what lies beyond them; of polygons that have edges and corners.
fn edges(tile: &View<'_>, corners: &[[i32; 3]]) -> bool {
    let header = tile.header();
    let size = [header.width, header.depth];
    // Internal edges with the neighbour behind less those with it before; edges that lead to a portal.
    let (mut behind, mut leading) = (0isize, 0);
    // As three numbers each: vertex, neighbour, and the rest.
    let all: &[[u32; 3]] = bytemuck::cast_slice(tile.edges());
    let mut rest = all;
    for (index, polygon) in (0u32..).zip(tile.polygons()) {
        let (mine, others) = rest.split_at(usize::from(polygon.edge_count));
        rest = others;
        for (local, &[from, neighbour, kind]) in (0u32..).zip(mine) {
            // A wall, as most are.
            if neighbour | kind == u32::from(edge_kind::WALL) {
                continue;
            }
            let [to, ..] = *mine.get(local as usize + 1).unwrap_or(&mine[0]);
            let is_sound = if kind == PORTAL {
                leading += 1;
                let (a, b) = (&corners[from as usize], &corners[to as usize]);
                tile.portals().get(neighbour as usize).is_some_and(|portal| {
                    let Portal { start, end, start_height, end_height, .. } = *portal;
                    (portal.polygon, u32::from(portal.edge), portal.reserved) == (index, local, 0)
                        && portal_ends(a, b, portal.side, size)
                            == Some([start, end, start_height, end_height])
                })
            } else if neighbour < index {
                behind -= 1;
                // It has been met, so that its edges are there.
                let other = &tile.polygons()[neighbour as usize];
                let theirs = &all[other.first_edge as usize..][..usize::from(other.edge_count)];
                let twin = ((kind & TWIN) >> 8) as usize;
                kind & !TWIN == INTERNAL
                    && theirs.get(twin) == Some(&[to, index, INTERNAL | local << 8])
                    && theirs.get(twin + 1).unwrap_or(&theirs[0])[0] == from
            } else {
                behind += 1;
                kind & !TWIN == INTERNAL && neighbour != index
            };
            if !is_sound {
                return false;
            }
        }
    }
    behind == 0 && leading == tile.portals().len()
}

/// Whether portals stand in order and apart.
fn portals(portals: &[Portal]) -> bool {
    let mut crowded = false;
    for pair in portals.array_windows::<2>() {
        if portal_key(&pair[0]) >= portal_key(&pair[1]) {
            return false;
        }
        crowded |= may_crowd(pair);
    }
    !crowded || crowd(portals).is_none()
}
