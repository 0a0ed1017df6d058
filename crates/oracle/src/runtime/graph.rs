//! Polygons and the links between them, as either library has them. The explanations work on this graph.

use super::RuntimeError;
use detour::{NavMesh, PolyRef};
use recastnavigation_rs::detour as cpp;
use std::collections::BTreeMap;

/// A point: x, y and z, metres.
pub type Point = [f64; 3];

/// In a polygon's links: no link.
const NO_LINK: u32 = u32::MAX;
/// In a link: it is within its tile.
const WITHIN: u8 = 0xff;
/// The unit of a link's interval.
const STEPS: f64 = 255.0;

/// A link to another polygon.
#[derive(Clone, Debug)]
pub struct GraphLink {
    /// Number of the polygon beyond.
    pub to: usize,
    /// The edge that is crossed.
    pub edge: usize,
    /// Right and left end of the opening, seen from inside the polygon.
    pub ends: [Point; 2],
    /// The opening that the C++ library's searches use for this link: that of the first link to the polygon.
    pub first_ends: [Point; 2],
    /// The node of the polygon beyond that the C++ library's `findPath` uses for this link. A polygon has a
    /// node for each side of the tile that it is entered over.
    pub node: u8,
}

/// A polygon.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// Corners, interior to the left of its edges.
    pub corners: Vec<Point>,
    /// Links out of it, in the order of the library's links.
    pub ways: Vec<GraphLink>,
    /// Its area.
    pub area: u8,
}

/// All polygons.
#[derive(Clone, Debug)]
pub struct Graph {
    /// By number.
    pub polygons: Vec<Polygon>,
}

/// The point at a parameter of a segment.
pub fn lerp(a: Point, b: Point, t: f64) -> Point {
    std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t)
}

/// A point of f32 numbers.
pub fn point(p: [f32; 3]) -> Point {
    p.map(f64::from)
}

/// Distance, heights included.
pub fn distance(a: Point, b: Point) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

/// Distance as seen from above.
pub fn flat_distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[2] - b[2])
}

/// Twice the area of the triangle `abc` from above; negative if `c` is to the left of the line from `a` to
/// `b`.
pub fn side(a: Point, b: Point, c: Point) -> f64 {
    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
}

/// The parameter of the point of a segment nearest to `p` from above, and its distance.
pub fn nearest_on_segment(a: Point, b: Point, p: Point) -> (f64, f64) {
    let along = [b[0] - a[0], b[2] - a[2]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = if length > 0.0 {
        (((p[0] - a[0]) * along[0] + (p[2] - a[2]) * along[1]) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (t, flat_distance(lerp(a, b, t), p))
}

impl Polygon {
    /// Returns true if a point is inside it or on its outline, seen from above.
    pub fn holds(&self, p: Point) -> bool {
        self.edges().all(|(a, b)| side(a, b, p) <= 0.0)
    }

    /// Its edges.
    pub fn edges(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().copied().zip(next.copied())
    }

    /// Returns true if it overlaps another by more than `slack` metres, seen from above, so that no edge of
    /// either separates them.
    pub fn overlaps(&self, other: &Polygon, slack: f64) -> bool {
        let divides = |a: &Polygon, b: &Polygon| {
            a.edges().any(|(p, q)| {
                let length = flat_distance(p, q);
                length > 0.0 && b.corners.iter().all(|&corner| side(p, q, corner) / length >= -slack)
            })
        };
        !divides(self, other) && !divides(other, self)
    }

    /// Distance of its outline from a point, seen from above.
    pub fn outline_distance(&self, p: Point) -> f64 {
        self.edges().map(|(a, b)| nearest_on_segment(a, b, p).1).fold(f64::INFINITY, f64::min)
    }
}

impl Graph {
    /// The graph of our links.
    pub fn of_ours(mesh: &NavMesh, numbers: &BTreeMap<PolyRef, usize>) -> Result<Graph, RuntimeError> {
        let mut polygons = Vec::with_capacity(numbers.len());
        for polygon in mesh.polygons() {
            let corners = mesh.corners(polygon)?.map(|corner| point(corner.to_array())).collect();
            let mut ways = Vec::new();
            mesh.visit_links(polygon, |link| {
                if let (Some(edge), Some(&to)) = (link.edge, numbers.get(&link.to)) {
                    let ends = [link.right, link.left].map(|end| point(end.to_array()));
                    ways.push(GraphLink { to, edge: edge.into(), ends, first_ends: ends, node: 0 });
                }
            })?;
            polygons.push(Polygon { corners, ways, area: mesh.attributes(polygon)?.area });
        }
        Ok(Graph { polygons })
    }

    /// The graph with the nodes that the other graph's links lead to.
    #[must_use]
    pub fn with_nodes_of(mut self, other: &Graph) -> Graph {
        for (polygon, same) in self.polygons.iter_mut().zip(&other.polygons) {
            for way in &mut polygon.ways {
                let same = same.ways.iter().find(|same| (same.to, same.edge) == (way.to, way.edge));
                way.node = same.map_or(0, |same| same.node);
            }
        }
        self
    }

    /// The graph of the C++ library's links.
    pub fn of_theirs(
        mesh: &cpp::DtNavMesh,
        references: &[cpp::DtPolyRef],
        numbers: &BTreeMap<u32, usize>,
    ) -> Result<Graph, RuntimeError> {
        let mut polygons = Vec::with_capacity(references.len());
        for &reference in references {
            let (tile, polygon) = mesh.get_tile_and_poly_by_ref(reference)?;
            let count = usize::from(polygon.vert_count);
            let corners: Vec<Point> = polygon.verts[..count]
                .iter()
                .map(|&vertex| point(tile.verts()[usize::from(vertex)]))
                .collect();
            let mut ways: Vec<GraphLink> = Vec::new();
            let mut next = polygon.first_link;
            while next != NO_LINK {
                let link = &tile.links()[next as usize];
                next = link.next;
                let Some(&to) = numbers.get(&link.re.0) else { continue };
                let edge = usize::from(link.edge);
                let (right, left) = (corners[edge], corners[(edge + 1) % count]);
                let (ends, node) = if link.side == WITHIN {
                    ([right, left], 0)
                } else {
                    let part = |step: u8| lerp(right, left, f64::from(step) / STEPS);
                    ([part(link.bmin), part(link.bmax)], link.side >> 1)
                };
                let first_ends = ways.iter().find(|way| way.to == to).map_or(ends, |way| way.first_ends);
                ways.push(GraphLink { to, edge, ends, first_ends, node });
            }
            polygons.push(Polygon { corners, ways, area: polygon.area() });
        }
        Ok(Graph { polygons })
    }
}
