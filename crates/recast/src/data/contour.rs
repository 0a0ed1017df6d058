//! Contours: the outlines of regions, first traced cell by cell, then simplified, then with their holes
//! joined.

use super::{Broken, Grid, RegionId, require};
use crate::lists::previous_in_ring;
use navmath::predicates::{Point, polygon_area2};
use navmath::{Digest, FIXED_ONE, Hasher};
use navtile::area::AreaId;

/// A corner of a traced outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawVertex {
    /// Its [place](crate::data#places).
    pub position: [i32; 3],
    /// The region beyond the edge that ends here.
    pub beyond: RegionId,
    /// True if that edge separates two areas.
    pub area_border: bool,
    /// True if the vertex is on the tile's border for this tile's regions only, so that the tile on the other
    /// side need not have one. Such vertices are removed again from the polygon mesh.
    pub border_vertex: bool,
    /// True if the vertex is a corner of everything that meets there, independent of the ground on the other
    /// sides of the edges: a border between two regions ends or is crossed there; or a slit, which has the
    /// same region on both sides, starts, bends or ends there; or both tiles at a border keep it.
    pub junction: bool,
    /// True if a triangle gives its place; false if the cells do.
    pub exact: bool,
}

impl RawVertex {
    /// Its position as seen from above.
    #[inline]
    pub(crate) fn plan(&self) -> Point {
        [self.position[0], self.position[2]]
    }
}

/// A traced outline of a region, or of a hole in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawContour {
    /// The region that it surrounds.
    pub region: RegionId,
    /// The region's area.
    pub area: AreaId,
    /// Corners, one per cell edge along other regions.
    pub vertices: Vec<RawVertex>,
}

impl RawContour {
    /// Twice the area inside, in squares of 1/256 cell; negative for a hole, zero for a slit.
    pub(crate) fn area2(&self) -> i128 {
        -polygon_area2(self.vertices.iter().map(RawVertex::plan))
    }
}

/// All traced outlines, in the order of tracing, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct RawContours {
    /// The grid they were traced on.
    pub grid: Grid,
    /// Number of regions.
    pub region_count: u32,
    /// The outlines.
    pub contours: Vec<RawContour>,
}

/// A corner of a simplified contour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContourVertex {
    /// Its [place](crate::data#places).
    pub position: [i32; 3],
    /// The region beyond the edge that starts here.
    pub beyond: RegionId,
    /// True if that edge separates two areas.
    pub area_border: bool,
    /// True if only the tile's border made it a vertex; see [`RawVertex::border_vertex`].
    pub border_vertex: bool,
}

impl ContourVertex {
    /// Its position as seen from above.
    #[inline]
    pub(crate) fn plan(&self) -> Point {
        [self.position[0], self.position[2]]
    }
}

/// A simplified contour with the interior to the left of its edges (negative `polygon_area2`), or a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contour {
    /// The region that it surrounds.
    pub region: RegionId,
    /// The region's area.
    pub area: AreaId,
    /// Corners. Empty for a hole that has been joined to its outline.
    pub vertices: Vec<ContourVertex>,
}

impl Contour {
    /// Twice the area inside, in squares of 1/256 cell; negative for a hole.
    pub fn area2(&self) -> i128 {
        -polygon_area2(self.vertices.iter().map(ContourVertex::plan))
    }

    fn write(&self, hasher: &mut Hasher) {
        hasher.write_i32s(bytemuck::cast_slice(&[self.region])).write_u8s(&[self.area.0]);
        for vertex in &self.vertices {
            hasher.write_i32s(&vertex.position).write_i32s(bytemuck::cast_slice(&[vertex.beyond]));
            hasher.write_u8s(&[u8::from(vertex.area_border), u8::from(vertex.border_vertex)]);
        }
    }
}

macro_rules! contour_collection {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// The grid they were traced on.
            pub grid: Grid,
            /// Number of regions.
            pub region_count: u32,
            /// The contours.
            pub contours: Vec<Contour>,
        }

        impl $name {
            /// Checks the invariants: regions within the count, at least three corners.
            pub fn check(&self) -> Result<(), Broken> {
                for (index, contour) in self.contours.iter().enumerate() {
                    let known = contour.region.is_inner() && contour.region.index() <= self.region_count as usize;
                    require(known, || format!("contour {index}: region {:?}", contour.region))?;
                    let count = contour.vertices.len();
                    require(count == 0 || count >= 3, || format!("contour {index} has {count} corners"))?;
                }
                Ok(())
            }

            /// Hash of all contours.
            pub fn hash(&self) -> Digest {
                let mut hasher = Hasher::new();
                self.grid.write(&mut hasher);
                hasher.write_u32s(&[self.region_count]);
                self.contours.iter().for_each(|contour| contour.write(&mut hasher));
                hasher.finish()
            }
        }
    };
}

contour_collection! {
    /// All contours, simplified; holes are separate from their outlines.
    SimplifiedContours
}

contour_collection! {
    /// All contours, with holes joined to their outlines.
    ContourSet
}

impl RawContours {
    /// Checks the invariants: regions within the count, and at least two corners.
    pub fn check(&self) -> Result<(), Broken> {
        for (index, contour) in self.contours.iter().enumerate() {
            let known = contour.region.is_inner() && contour.region.index() <= self.region_count as usize;
            require(known, || format!("contour {index}: region {:?}", contour.region))?;
            // Two corners make a slit: a step between two spans of one region that is too high.
            require(contour.vertices.len() >= 2, || format!("contour {index} has too few corners"))?;
        }
        Ok(())
    }

    /// The length of all walls, and of those that triangles give, cells.
    pub(crate) fn wall_lengths(&self) -> [f64; 2] {
        let mut lengths = [0.0; 2];
        for vertices in self.contours.iter().map(|contour| &contour.vertices) {
            for (corner, vertex) in vertices.iter().enumerate().filter(|(_, vertex)| vertex.beyond.is_none())
            {
                let before = &vertices[previous_in_ring(corner, vertices.len())];
                let [dx, dz] = [0, 1].map(|axis| f64::from(vertex.plan()[axis] - before.plan()[axis]));
                let length = (dx * dx + dz * dz).sqrt() / f64::from(FIXED_ONE);
                lengths[0] += length;
                lengths[1] += if vertex.exact && before.exact { length } else { 0.0 };
            }
        }
        lengths
    }

    /// Hash of all contours.
    pub fn hash(&self) -> Digest {
        let mut hasher = Hasher::new();
        self.grid.write(&mut hasher);
        hasher.write_u32s(&[self.region_count]);
        for contour in &self.contours {
            hasher.write_i32s(bytemuck::cast_slice(&[contour.region])).write_u8s(&[contour.area.0]);
            for vertex in &contour.vertices {
                hasher.write_i32s(&vertex.position).write_i32s(bytemuck::cast_slice(&[vertex.beyond]));
                let flags = [vertex.area_border, vertex.border_vertex, vertex.junction];
                hasher.write_u8s(&flags.map(u8::from));
            }
        }
        hasher.finish()
    }
}
