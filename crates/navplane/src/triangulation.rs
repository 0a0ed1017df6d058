//! Triangles of the ground with their areas: constrained Delaunay triangulation of the walls and area
//! borders, then a walk from outside that counts the winding numbers of each triangle.
//!
//! The triangulation is spade's, whose predicates are exact for positions on the grid. Its constraints meet
//! in shared corners only, so no constraint is refused.
//!
//! Cost: O(n log n). Source: L. P. Chew, Constrained Delaunay triangulations (1989).

use crate::error::Error;
use crate::grid::Point;
use crate::segment::{Segment, Windings, wind};
use crate::straight::straightened;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// No triangle.
pub const NONE: u32 = u32::MAX;

/// Ground of another tile.
pub const SEAM: u32 = u32::MAX - 1;

/// A triangle of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Corners, counter-clockwise.
    pub corners: [u32; 3],
    /// The triangle beyond the edge from corner i to corner i + 1; [`NONE`] beyond a wall or a tile's side.
    pub beyond: [u32; 3],
    /// Area id.
    pub area: u8,
}

/// Triangles and their corners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) vertices: Vec<Point>,
    /// All triangles; those without ground have area 0.
    pub(crate) triangles: Vec<Triangle>,
}

/// A required edge: its ends' numbers, the shape, and the shape's turns to the left.
type Constraint = (u32, u32, u32, i32);

/// Triangulates noded segments, and gives each triangle the result of `area` for its winding numbers.
pub(crate) fn triangulate(segments: &[Segment], area: impl Fn(&Windings) -> u8) -> Result<Cells, Error> {
    let mut vertices: Vec<Point> = segments.iter().flat_map(|segment| [segment.a, segment.b]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    if vertices.len() >= NONE as usize / 4 {
        return Err(navmath::LimitError {
            what: "corners of walls and areas",
            value: vertices.len() as u64,
            limit: u64::from(NONE / 4),
            remedy: "cut the map into several",
        }
        .into());
    }
    let number = |point: &Point| vertices.partition_point(|vertex| vertex < point) as u32;
    // Sorted, like segments and vertices.
    let constraints: Vec<Constraint> =
        segments.iter().map(|s| (number(&s.a), number(&s.b), s.shape, s.turns)).collect();
    let mut triangles = delaunay(&vertices, &constraints)?;
    flood(&mut triangles, &constraints, area);
    Ok(Cells { vertices, triangles })
}

/// All triangles of the convex hull, without areas.
fn delaunay(vertices: &[Point], constraints: &[Constraint]) -> Result<Vec<Triangle>, Error> {
    let points: Vec<Point2<f64>> =
        vertices.iter().map(|p| Point2::new(f64::from(p[0]), f64::from(p[1]))).collect();
    let mut edges: Vec<[usize; 2]> = constraints.iter().map(|&(a, b, ..)| [a as usize, b as usize]).collect();
    edges.dedup();
    let mut refused = 0;
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges, |_| refused += 1)
            .map_err(|_| Error::Broken("a grid position was refused by the triangulation"))?;
    if refused > 0 || cdt.num_vertices() != vertices.len() {
        return Err(Error::Broken("the triangulation refused an edge or a corner"));
    }
    // Face 0 is the outside of the hull.
    let face = |index: usize| (index as u32).wrapping_sub(1);
    let triangle = |handle: spade::handles::FaceHandle<'_, spade::handles::InnerTag, _, _, _, _>| {
        let edges = handle.adjacent_edges();
        Triangle {
            corners: edges.map(|edge| edge.from().fix().index() as u32),
            beyond: edges.map(|edge| face(edge.rev().face().fix().index())),
            area: 0,
        }
    };
    Ok(cdt.inner_faces().map(triangle).collect())
}

/// The walls along an edge.
fn along(constraints: &[Constraint], a: u32, b: u32) -> &[Constraint] {
    let (low, high) = (a.min(b), a.max(b));
    let from = constraints.partition_point(|wall| (wall.0, wall.1) < (low, high));
    let length = constraints[from..].partition_point(|wall| (wall.0, wall.1) == (low, high));
    &constraints[from..from + length]
}

/// Changes `windings` by a step over the edge from `a` to `b`, from its left to its right.
fn step(windings: &mut Windings, constraints: &[Constraint], a: u32, b: u32) {
    for &(_, _, shape, more) in along(constraints, a, b) {
        wind(windings, shape, if a < b { -more } else { more });
    }
}

/// Walks all triangles from outside, keeping count of the winding numbers, and sets their areas. A step back
/// undoes the count.
fn flood(triangles: &mut [Triangle], constraints: &[Constraint], area: impl Fn(&Windings) -> u8) {
    let outer = triangles.iter().enumerate().find_map(|(at, triangle)| {
        triangle.beyond.iter().position(|&beyond| beyond == NONE).map(|edge| (at, edge))
    });
    let Some((first, edge)) = outer else { return };
    let ends = |triangle: &Triangle, edge: usize| (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
    let mut windings = Windings::new();
    let (a, b) = ends(&triangles[first], edge);
    step(&mut windings, constraints, b, a);
    let mut seen = vec![false; triangles.len()];
    seen[first] = true;
    triangles[first].area = area(&windings);
    // The path of the walk: the triangle, its next edge, and the edge through which the walk entered it.
    let mut path = vec![(first, 0usize, (b, a))];
    while let Some((at, next, entered)) = path.last_mut() {
        if *next == 3 {
            let (a, b) = *entered;
            path.pop();
            step(&mut windings, constraints, b, a);
            continue;
        }
        let (a, b) = ends(&triangles[*at], *next);
        let beyond = triangles[*at].beyond[*next];
        *next += 1;
        if beyond == NONE || seen[beyond as usize] {
            continue;
        }
        seen[beyond as usize] = true;
        step(&mut windings, constraints, a, b);
        triangles[beyond as usize].area = area(&windings);
        path.push((beyond as usize, 0, (a, b)));
    }
}

impl Cells {
    /// The borders between different areas, as edges of shapes that are the areas. Edges that continue
    /// straight are joined, except at corners to `keep`.
    pub(crate) fn borders(&self, keep: impl Fn(Point) -> bool) -> Vec<Segment> {
        let mut borders: Vec<(u32, u32, [u8; 2])> = Vec::new();
        for triangle in &self.triangles {
            for edge in 0..3 {
                let (a, b) = (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
                let right = self.area(triangle.beyond[edge]);
                // Each border is found from both sides; take the one with the larger area to its left.
                if triangle.area > right {
                    borders.push((a, b, [triangle.area, right]));
                }
            }
        }
        let mut segments = Vec::new();
        for (a, b, [left, right]) in straightened(&self.vertices, borders, keep) {
            let (a, b) = (self.vertices[a as usize], self.vertices[b as usize]);
            for (area, a, b) in [(left, a, b), (right, b, a)] {
                if area != 0 {
                    segments.push(Segment::new(a, b, u32::from(area)));
                }
            }
        }
        segments.sort_unstable();
        segments
    }

    /// Area of a triangle; 0 outside all triangles.
    fn area(&self, triangle: u32) -> u8 {
        self.triangles.get(triangle as usize).map_or(0, |triangle| triangle.area)
    }

    /// The cells without triangles that are not ground, and without corners that only these have.
    pub(crate) fn ground(&self) -> Cells {
        let mut triangle_numbers = vec![NONE; self.triangles.len()];
        let mut vertex_numbers = vec![NONE; self.vertices.len()];
        let mut ground = Cells::default();
        for (at, triangle) in self.triangles.iter().enumerate().filter(|(_, triangle)| triangle.area != 0) {
            triangle_numbers[at] = ground.triangles.len() as u32;
            let corners = triangle.corners.map(|corner| {
                let number = &mut vertex_numbers[corner as usize];
                if *number == NONE {
                    *number = ground.vertices.len() as u32;
                    ground.vertices.push(self.vertices[corner as usize]);
                }
                *number
            });
            ground.triangles.push(Triangle { corners, ..*triangle });
        }
        for triangle in &mut ground.triangles {
            triangle.beyond =
                triangle.beyond.map(|beyond| triangle_numbers.get(beyond as usize).copied().unwrap_or(NONE));
        }
        ground
    }
}
