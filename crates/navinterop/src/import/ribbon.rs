//! Ribbons: narrow strips in place of polygons without area and polygons that cover their neighbours.
//!
//! Detour walks from polygon to polygon by their numbers. It accepts a triangle with all corners on one line,
//! and a triangle that is folded over its neighbour. A polygon here has area, and its neighbours are beyond
//! its edges. So each edge of such a polygon that leads to something gets a strip on its far side. A fan of
//! small triangles about the common corner joins each strip to the next. Two strips join Q and R, which share
//! only the corner B with each other and are both neighbours of the flat triangle ABC:
//!
//! ```text
//!   a ─────────── b ─────────── c
//!   A ─────────── B ─────────── C
//!    ╲     Q     ╱ ╲     R     ╱
//! ```
//!
//! All pieces have the polygon's area and flags, so a filter passes them if it passes the polygon. A straight
//! path over them bends at the corners. A folded polygon also stays as ground, reversed. It is on the same
//! side of its edges as its neighbours, so a loop of triangles about the end of the ribbon leads onto it.
//!
//! Units: 1/256 cell. A strip is one wide, or more about corners that have ribbons already, so that no two
//! pieces are the same. Cost: at most 26 pieces for a polygon of six corners.

use super::diagnostic::Repair;
use super::draft::Draft;
use super::outline::{area2, is_alike, is_crossed, neighbour, plan, redirect, turn};
use navmath::predicates::Point;
use navmath::sort::SharedSort;
use navtile::border::portal_ends;
use navtile::content::{Beyond, EdgeContent, PolygonContent};
use navtile::convex::long_edge;
use std::collections::HashMap;

/// Replaces every polygon whose edges cross, that has no area, or that has its interior to the right. Its
/// neighbours must agree with it.
pub(super) fn lay(draft: &mut Draft<'_>) {
    // Only looked up, never iterated, so its order has no effect.
    let mut widths: HashMap<Point, i32> = HashMap::new();
    for polygon in 0..draft.polygons.len() {
        if !draft.keep[polygon] {
            continue;
        }
        let (right, crossed) = (area2(draft, polygon), is_crossed(draft, polygon));
        if (right < 0 && !crossed) || is_joined_by_writer(draft, polygon) {
            continue;
        }
        let source = draft.sources[polygon];
        let stays = right > 0 && !crossed && !is_doubled(draft, polygon);
        let edges = edges(draft, polygon, stays);
        if crossed {
            draft.note_source(source, Repair::Crossing { polygon: source });
        }
        if usize::from(stays) + edges.iter().filter(|edge| edge.beyond != Beyond::Wall).count() >= 2 {
            let places = || edges.iter().map(|edge| plan(edge.from));
            let width = 1 + places().filter_map(|at| widths.get(&at)).max().unwrap_or(&0);
            widths.extend(places().map(|at| (at, width)));
            Ribbon { draft, polygon, width, end: None }.lay(&edges, stays);
            if !crossed {
                draft.note_source(source, Repair::Unfolded { polygon: source });
            }
        } else if stays {
            turn(draft, polygon);
        } else {
            // The writer drops those without area, and reports it.
            draft.keep[polygon] = right == 0 && edges.len() >= 3;
        }
    }
}

/// True if a neighbour of a polygon has the same corners, so that one covers the other.
fn is_doubled(draft: &Draft<'_>, polygon: usize) -> bool {
    let sorted = |polygon: usize| {
        let mut corners = super::outline::corners(draft, polygon);
        corners.shared_sort();
        corners
    };
    let own = sorted(polygon);
    (0..own.len()).any(|edge| neighbour(draft, polygon, edge).is_some_and(|other| sorted(other) == own))
}

/// True if the writer joins the neighbours of a polygon without area as Detour does: they become neighbours
/// of the polygon beyond the long edge, and every filter that passes that polygon passes the one without
/// area.
pub(super) fn is_joined_by_writer(draft: &Draft<'_>, polygon: usize) -> bool {
    let corners = super::outline::corners(draft, polygon);
    let Some(beyond) = long_edge(&corners).and_then(|long| neighbour(draft, polygon, long)) else {
        return false;
    };
    corners.len() >= 3
        && area2(draft, polygon) == 0
        && is_alike(draft, polygon, beyond)
        && area2(draft, beyond) < 0
        && !is_crossed(draft, beyond)
}

/// True if a polygon without area joins several others. The tile beyond a border counts as one.
pub(super) fn joins_others(draft: &Draft<'_>, polygon: usize) -> bool {
    edges(draft, polygon, false).iter().filter(|edge| edge.beyond != Beyond::Wall).count() >= 2
}

/// An edge that a ribbon follows, from its start to the start of the next.
#[derive(Clone, Copy)]
struct Edge {
    from: [i32; 3],
    /// The neighbour that its strip joins.
    beyond: Beyond,
}

/// The edges of a polygon with their other sides: a polygon, the border, or nothing. A polygon that stays
/// keeps its border edges, so they lead to nothing here. A border that runs in the wrong direction is
/// followed back and forth, so that its strip is within the tile.
fn edges(draft: &Draft<'_>, polygon: usize, stays: bool) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (at, edge) in draft.polygons[polygon].edges.iter().enumerate() {
        let [a, b] = draft.ends(polygon, at);
        let wall = |from| Edge { from, beyond: Beyond::Wall };
        match edge.beyond {
            Beyond::Portal(on) if !stays => {
                let runs = |a, b| portal_ends(a, b, on, draft.grid.size_cells).is_some();
                if runs(&a, &b) {
                    edges.push(Edge { from: a, beyond: edge.beyond });
                } else if runs(&b, &a) {
                    edges.extend([wall(a), Edge { from: b, beyond: edge.beyond }, wall(a)]);
                } else {
                    edges.push(wall(a));
                }
            }
            _ if neighbour(draft, polygon, at).is_some() => edges.push(Edge { from: a, beyond: edge.beyond }),
            _ => edges.push(wall(a)),
        }
    }
    edges
}

struct Ribbon<'a, 'b> {
    draft: &'a mut Draft<'b>,
    /// The polygon that it replaces.
    polygon: usize,
    width: i32,
    /// The piece that was added last, and its edge that the next one joins.
    end: Option<[usize; 2]>,
}

impl Ribbon<'_, '_> {
    fn lay(mut self, edges: &[Edge], stays: bool) {
        let count = edges.len();
        let at = |edge: usize| edges[edge % count].from;
        let normals: Vec<Point> = (0..count).map(|edge| self.normal(at(edge), at(edge + 1))).collect();
        let (first, length) = shortest_chain(edges, &normals);
        for edge in (first..first + length).map(|edge| edge % count) {
            let [u, v] = [at(edge), at(edge + 1)];
            if edge != first {
                self.fan(u, normals[(edge + count - 1) % count], normals[edge]);
            }
            let strip = self.add(&[u, v, moved(v, normals[edge]), moved(u, normals[edge])], 3, 1);
            let beyond = edges[edge].beyond;
            self.draft.polygons[strip].edges[0].beyond = beyond;
            redirect(self.draft, beyond, self.polygon, [v, u], Beyond::Internal(strip as u32));
        }
        let last = (first + length - 1) % count;
        self.draft.keep[self.polygon] = stays;
        if stays {
            self.turn_onto([at(last), at(last + 1)], normals[last]);
        }
    }

    /// Adds a piece and joins its edge `entry` to the piece before; the next one will join its edge `exit`.
    fn add(&mut self, corners: &[[i32; 3]], entry: usize, exit: usize) -> usize {
        let draft = &mut *self.draft;
        let index = draft.polygons.len();
        let first = draft.vertices.len() as u32;
        draft.vertices.extend_from_slice(corners);
        let PolygonContent { area, flags, .. } = draft.polygons[self.polygon];
        let edges = (first..).take(corners.len()).map(|vertex| EdgeContent { vertex, beyond: Beyond::Wall });
        let (detail_vertices, detail_triangles) = (Vec::new(), Vec::new());
        draft.polygons.push(PolygonContent {
            edges: edges.collect(),
            area,
            flags,
            detail_vertices,
            detail_triangles,
        });
        draft.sources.push(draft.sources[self.polygon]);
        draft.keep.push(true);
        self.join(index, entry);
        self.end = Some([index, exit]);
        index
    }

    /// Joins an edge of a polygon to the end of the ribbon, if there is one.
    fn join(&mut self, polygon: usize, edge: usize) {
        if let Some([before, exit]) = self.end {
            // A tile has fewer than 2^15 polygons, and a polygon few pieces.
            self.draft.polygons[before].edges[exit].beyond = Beyond::Internal(polygon as u32);
            self.draft.polygons[polygon].edges[edge].beyond = Beyond::Internal(before as u32);
        }
    }

    /// Turns right about a corner by quarters, from one normal to another.
    fn fan(&mut self, corner: [i32; 3], from: Point, to: Point) {
        let mut normal = from;
        while normal != to {
            let next = right(normal);
            self.add(&[corner, moved(corner, next), moved(corner, normal)], 2, 0);
            normal = next;
        }
    }

    /// Leads from the end of the strip along the edge from `u` to `v` onto the polygon itself, which is
    /// reversed. The ribbon must enter it through its edge from `v` to `u`, so it has to leave the strip and
    /// come back: it goes around the strip's outer corner, and passes `v` on the other side.
    fn turn_onto(&mut self, [u, v]: [[i32; 3]; 2], normal: Point) {
        let outer = moved(v, normal);
        let round = [right(normal), normal, left(normal)].map(|to| moved(outer, to));
        self.add(&[outer, v, round[0]], 0, 2);
        self.add(&[outer, round[0], round[1]], 0, 2);
        self.add(&[outer, round[1], round[2]], 0, 2);
        self.add(&[outer, round[2], v], 0, 1);
        self.add(&[v, round[2], u], 0, 2);
        turn(self.draft, self.polygon);
        for edge in 0..self.draft.polygons[self.polygon].edges.len() {
            if matches!(self.draft.polygons[self.polygon].edges[edge].beyond, Beyond::Internal(_)) {
                self.draft.polygons[self.polygon].edges[edge].beyond = Beyond::Wall;
            }
            if self.draft.ends(self.polygon, edge) == [v, u] {
                self.join(self.polygon, edge);
            }
        }
    }

    /// The vector along an axis, with the ribbon's width as its length, that is nearest to the normal to the
    /// left of an edge; of two equal ones the right one.
    fn normal(&self, u: [i32; 3], v: [i32; 3]) -> Point {
        let [x, z] = left([v[0] - u[0], v[2] - u[2]]);
        let (along_x, along_z) = ([self.width * x.signum(), 0], [0, self.width * z.signum()]);
        match x.abs().cmp(&z.abs()) {
            std::cmp::Ordering::Greater => along_x,
            std::cmp::Ordering::Less => along_z,
            std::cmp::Ordering::Equal if left(along_x) == along_z => along_x,
            std::cmp::Ordering::Equal => along_z,
        }
    }
}

/// The first edge and the number of edges of the chain that contains every link, with the fewest pieces; of
/// equal ones the first.
fn shortest_chain(edges: &[Edge], normals: &[Point]) -> (usize, usize) {
    let count = edges.len();
    let is_link = |edge: usize| edges[edge % count].beyond != Beyond::Wall;
    let quarters = |edge: usize| {
        let (mut normal, mut quarters) = (normals[edge % count], 0);
        while normal != normals[(edge + 1) % count] {
            (normal, quarters) = (right(normal), quarters + 1);
        }
        quarters
    };
    let chain = |first: usize| {
        let last = (0..count).rev().find(|step| is_link(first + step)).unwrap_or(0);
        (last + (first..first + last).map(quarters).sum::<usize>(), first, last + 1)
    };
    let best = (0..count).filter(|&edge| is_link(edge)).map(chain).min();
    best.map_or((0, 1), |(_, first, length)| (first, length))
}

fn moved(vertex: [i32; 3], [x, z]: Point) -> [i32; 3] {
    [vertex[0] + x, vertex[1], vertex[2] + z]
}

/// A vector rotated by a quarter turn to the left: z grows downwards.
fn left([x, z]: Point) -> Point {
    [z, -x]
}

fn right([x, z]: Point) -> Point {
    [-z, x]
}
