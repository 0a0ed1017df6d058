//! Triangles of the ground with their labels: constrained Delaunay triangulation of the walls and area borders,
//! then a walk from outside that counts what each triangle is wound around by.
//!
//! The triangulation is spade's, whose predicates are exact for positions on the grid. Its constraints meet in
//! shared corners only, so none is refused.
//!
//! Cost: O(n log n). Source: L. P. Chew, Constrained Delaunay triangulations (1989).

use super::error::Error;
use super::grid::Point;
use super::noding::Segment;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::BTreeMap;

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
pub(super) struct Cells {
    pub(super) vertices: Vec<Point>,
    /// Those without ground included, with area 0.
    pub(super) triangles: Vec<Triangle>,
}

/// How often each shape is wound around; shapes with none are not in it.
pub(super) type Turns = BTreeMap<u32, i32>;

/// An edge that must be there: its ends' numbers, the shape, and the shape's turns to the left.
type Wall = (u32, u32, u32, i32);

/// Triangulates segments that are noded, and gives each triangle the area that `label` makes of its turns.
pub(super) fn cells(segments: &[Segment], label: impl Fn(&Turns) -> u8) -> Result<Cells, Error> {
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
    // Sorted, as segments and vertices are.
    let walls: Vec<Wall> = segments.iter().map(|s| (number(&s.a), number(&s.b), s.kind, s.turns)).collect();
    let mut triangles = triangulate(&vertices, &walls)?;
    flood(&mut triangles, &walls, label);
    Ok(Cells { vertices, triangles })
}

/// All triangles of the convex hull, without areas.
fn triangulate(vertices: &[Point], walls: &[Wall]) -> Result<Vec<Triangle>, Error> {
    let points: Vec<Point2<f64>> =
        vertices.iter().map(|p| Point2::new(f64::from(p[0]), f64::from(p[1]))).collect();
    let mut edges: Vec<[usize; 2]> = walls.iter().map(|&(a, b, ..)| [a as usize, b as usize]).collect();
    edges.dedup();
    let mut refused = 0;
    let cdt =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(points, edges, |_| refused += 1)
            .map_err(|_| Error::Broken("a grid position was refused by the triangulation"))?;
    if refused > 0 || cdt.num_vertices() != vertices.len() {
        return Err(Error::Broken("the triangulation refused an edge or a corner"));
    }
    // Face 0 is what lies outside the hull.
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
fn along(walls: &[Wall], a: u32, b: u32) -> &[Wall] {
    let (low, high) = (a.min(b), a.max(b));
    let from = walls.partition_point(|wall| (wall.0, wall.1) < (low, high));
    let length = walls[from..].partition_point(|wall| (wall.0, wall.1) == (low, high));
    &walls[from..from + length]
}

/// Changes `turns` as by stepping over the edge from `a` to `b`, from its left to its right.
fn step(turns: &mut Turns, walls: &[Wall], a: u32, b: u32) {
    for &(_, _, kind, more) in along(walls, a, b) {
        let change = if a < b { -more } else { more };
        let count = turns.entry(kind).or_default();
        *count += change;
        if *count == 0 {
            turns.remove(&kind);
        }
    }
}

/// Walks all triangles from outside, keeping count of the turns, and labels them. Going back undoes the count.
fn flood(triangles: &mut [Triangle], walls: &[Wall], label: impl Fn(&Turns) -> u8) {
    let outer = triangles.iter().enumerate().find_map(|(at, triangle)| {
        triangle.beyond.iter().position(|&beyond| beyond == NONE).map(|edge| (at, edge))
    });
    let Some((first, edge)) = outer else { return };
    let ends = |triangle: &Triangle, edge: usize| (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
    let mut turns = Turns::new();
    let (a, b) = ends(&triangles[first], edge);
    step(&mut turns, walls, b, a);
    let mut seen = vec![false; triangles.len()];
    seen[first] = true;
    triangles[first].area = label(&turns);
    // Where the walk is: the triangle, the next edge to look over, and the edge it was entered over.
    let mut path = vec![(first, 0usize, (b, a))];
    while let Some((at, next, entered)) = path.last_mut() {
        if *next == 3 {
            let (a, b) = *entered;
            path.pop();
            step(&mut turns, walls, b, a);
            continue;
        }
        let (a, b) = ends(&triangles[*at], *next);
        let beyond = triangles[*at].beyond[*next];
        *next += 1;
        if beyond == NONE || seen[beyond as usize] {
            continue;
        }
        seen[beyond as usize] = true;
        step(&mut turns, walls, a, b);
        triangles[beyond as usize].area = label(&turns);
        path.push((beyond as usize, 0, (a, b)));
    }
}

impl Cells {
    /// The borders between different areas, as rings' pieces of shapes that are the areas. Pieces that go
    /// straight on are one, except at corners to `keep`.
    pub(super) fn borders(&self, keep: impl Fn(Point) -> bool) -> Vec<Segment> {
        let mut borders: Vec<(u32, u32, [u8; 2])> = Vec::new();
        for triangle in &self.triangles {
            for edge in 0..3 {
                let (a, b) = (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
                let right = self.area(triangle.beyond[edge]);
                // Each is found from both sides; the one with the larger area to its left is taken.
                if triangle.area > right {
                    borders.push((a, b, [triangle.area, right]));
                }
            }
        }
        let mut segments = Vec::new();
        for (a, b, [left, right]) in super::straight::straightened(&self.vertices, borders, keep) {
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

    /// Area of a triangle, or of what lies outside.
    fn area(&self, triangle: u32) -> u8 {
        self.triangles.get(triangle as usize).map_or(0, |triangle| triangle.area)
    }

    /// Without triangles that are no ground, and the corners that only they have.
    pub(super) fn ground(&self) -> Cells {
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
