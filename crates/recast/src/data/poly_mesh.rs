//! The polygon mesh: convex polygons over shared vertices.

use super::{Broken, Grid, RegionId, require};
use navmath::predicates::{left_on, polygon_area2};
use navmath::{Digest, Hasher};
use navtile::area::AreaId;
use std::ops::Range;

/// Convex polygons over shared vertices. The interior is to the left of the edges.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyMesh {
    /// The grid it was made on.
    pub grid: Grid,
    /// The [places](crate::data#places) of the vertices.
    pub vertices: Vec<[i32; 3]>,
    /// Polygons.
    pub polygons: Vec<Polygon>,
    /// Corners of all polygons, as indices of vertices.
    pub corners: Vec<u32>,
    /// The kind of the edge that starts at each corner.
    pub edges: Vec<EdgeKind>,
}

/// A polygon: a range of [`PolyMesh::corners`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polygon {
    /// Index of its first corner.
    pub first: u32,
    /// Number of corners.
    pub count: u32,
    /// The region of the polygon; `None` if it came from several.
    pub region: Option<RegionId>,
    /// The region of the polygon; if it came from several, the first by number. May be [`RegionId::NONE`] in
    /// a mesh of another library.
    pub first_region: RegionId,
    /// Area of the polygon.
    pub area: AreaId,
}

impl Polygon {
    /// The polygon's range of [`PolyMesh::corners`] and [`PolyMesh::edges`].
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A side of the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Towards smaller x.
    XMin = 0,
    /// Towards larger z.
    ZMax = 1,
    /// Towards larger x.
    XMax = 2,
    /// Towards smaller z.
    ZMin = 3,
}

/// The kind of an edge, by the ground on its other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Nothing to walk on.
    Wall,
    /// Another polygon of this mesh.
    Internal(u32),
    /// The tile's border.
    Portal(Side),
}

impl PolyMesh {
    /// Corners of a polygon as indices of vertices.
    #[inline]
    pub fn polygon_corners(&self, polygon: &Polygon) -> &[u32] {
        &self.corners[polygon.range()]
    }

    /// Twice the area of a polygon, in squares of 1/256 cell.
    pub fn polygon_area2(&self, polygon: &Polygon) -> i128 {
        -polygon_area2(self.polygon_corners(polygon).iter().map(|&v| {
            let [x, _, z] = self.vertices[v as usize];
            [x, z]
        }))
    }

    /// Checks the invariants: ranges and indices within bounds, every polygon convex, adjacency reciprocal.
    pub fn check(&self) -> Result<(), Broken> {
        require(self.edges.len() == self.corners.len(), || "one edge a corner".into())?;
        for (index, polygon) in self.polygons.iter().enumerate() {
            require(polygon.range().end <= self.corners.len() && polygon.count >= 3, || {
                format!("polygon {index}: corners {:?}", polygon.range())
            })?;
            require(polygon.area.is_walkable(), || format!("polygon {index} has no area"))?;
            let corners = self.polygon_corners(polygon);
            let known = corners.iter().all(|&v| (v as usize) < self.vertices.len());
            require(known, || format!("polygon {index} names a vertex that is not there"))?;
            self.check_convex(index, corners)?;
            for edge in polygon.range() {
                if let EdgeKind::Internal(neighbour) = self.edges[edge] {
                    self.check_twin(index, polygon, edge, neighbour)?;
                }
            }
        }
        Ok(())
    }

    fn check_convex(&self, index: usize, corners: &[u32]) -> Result<(), Broken> {
        let at = |i: usize| {
            let [x, _, z] = self.vertices[corners[i % corners.len()] as usize];
            [x, z]
        };
        let convex = (0..corners.len()).all(|i| left_on(at(i), at(i + 1), at(i + 2)));
        require(convex, || format!("polygon {index} turns right"))
    }

    fn check_twin(&self, index: usize, polygon: &Polygon, edge: usize, neighbour: u32) -> Result<(), Broken> {
        let ends = |polygon: &Polygon, edge: usize| {
            let next = if edge + 1 == polygon.range().end { polygon.first as usize } else { edge + 1 };
            (self.corners[edge], self.corners[next])
        };
        let (from, to) = ends(polygon, edge);
        let twin = self.polygons.get(neighbour as usize).is_some_and(|other| {
            other.range().any(|edge| {
                self.edges[edge] == EdgeKind::Internal(index as u32) && ends(other, edge) == (to, from)
            })
        });
        require(twin, || format!("polygon {index}: its neighbour {neighbour} does not know it"))
    }

    /// Hash of the whole mesh.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        self.grid.write(&mut hasher);
        hasher.write_i32s(self.vertices.as_flattened()).write_u32s(&self.corners);
        for polygon in &self.polygons {
            let region = polygon.region.unwrap_or(RegionId::NONE);
            hasher.write_u32s(&[polygon.first, polygon.count, u32::from(polygon.area.0)]);
            hasher.write_i32s(bytemuck::cast_slice(&[region]));
        }
        for edge in &self.edges {
            let code = match *edge {
                EdgeKind::Wall => [0, 0],
                EdgeKind::Internal(neighbour) => [1, neighbour],
                EdgeKind::Portal(side) => [2, side as u32],
            };
            hasher.write_u32s(&code);
        }
        hasher.finish()
    }
}
