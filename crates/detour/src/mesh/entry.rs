//! A loaded tile: the blob, and beside it what the runtime derives from it once. Shared by all snapshots.

use crate::error::MeshError;
use crate::geometry::side;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::limit::check;
use navmath::{FIXED_ONE, Lattice};
use navtile::Tile;
use navtile::layout::{Edge, Polygon};
use navtile::off_mesh::{self, Snap, snap};
use std::ops::Range;

/// A box in global fixed-point units: 1/256 cell from the lattice's zero. Both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FixedBox {
    pub(crate) min: [i64; 3],
    pub(crate) max: [i64; 3],
}

impl FixedBox {
    pub(crate) fn overlaps(&self, other: &FixedBox) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && self.max[axis] >= other.min[axis])
    }

    pub(crate) fn union(&self, other: &FixedBox) -> FixedBox {
        FixedBox {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }
}

/// The position, metres from the anchor, of a fixed-point position relative to `base_cell`: rounded once. The
/// same global position gives the same bits from whichever tile it is seen. Coordinates may lie between
/// fixed-point steps.
pub(crate) fn to_anchored(lattice: &Lattice, anchor: [f64; 3], base_cell: [i64; 3], fixed: [f64; 3]) -> Vec3 {
    let cell = lattice.cell();
    let position: [f32; 3] = std::array::from_fn(|axis| {
        let global = (base_cell[axis] * i64::from(FIXED_ONE)) as f64 + fixed[axis];
        let world = lattice.origin[axis] + global * (cell[axis] / f64::from(FIXED_ONE));
        (world - anchor[axis]) as f32
    });
    Vec3::from_array(position)
}

/// A verified tile and its vertices in metres.
#[derive(Debug)]
pub(crate) struct TileEntry {
    pub(crate) tile: Tile,
    /// The tile's vertices, metres from the anchor.
    pub(crate) vertices: Vec<Vec3>,
    /// Around all vertices.
    pub(crate) bounds: FixedBox,
    /// The portals of each side.
    pub(crate) portals: [Range<usize>; 4],
    /// Where each off-mesh link starts, if there is ground.
    pub(crate) link_starts: Vec<Option<Foot>>,
}

/// Where an end of an off-mesh link meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Foot {
    pub(crate) polygon: u32,
    /// Metres from the anchor.
    pub(crate) point: Vec3,
}

impl TileEntry {
    /// Derives what the runtime needs, or says why this tile cannot be loaded at this anchor.
    pub(crate) fn new(tile: Tile, anchor: [f64; 3]) -> Result<TileEntry, MeshError> {
        let (header, lattice, coord) = (tile.header(), tile.lattice(), tile.coord());
        let nodes = tile.polygons().len() as u64 + tile.off_mesh_links().len() as u64;
        let limit = u64::from(PolyRef::MAX_POLYGON) + 1;
        check("polygons and off-mesh links a tile", nodes, limit, "bake smaller tiles")?;
        let base_cell = header.base_cell;
        let vertices: Vec<Vec3> = tile
            .vertices()
            .iter()
            .map(|v| to_anchored(&lattice, anchor, base_cell, v.map(f64::from)))
            .collect();
        let reach = vertices.iter().fold(0.0f32, |reach, v| reach.max(v.abs().max_element()));
        // The distance from a power of two to the next f32 is 2^-23 of it.
        let step = f64::from(reach) * f64::from(f32::EPSILON);
        if vertices.iter().any(|v| !v.is_finite()) || step > lattice.cell_size / 4.0 {
            let (distance, cell_size) = (f64::from(reach), lattice.cell_size);
            return Err(MeshError::TooFar { coord, distance, cell_size });
        }
        let global = |axis: usize, fixed: i32| base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed);
        let bounds = FixedBox {
            min: std::array::from_fn(|axis| global(axis, header.bounds_min[axis])),
            max: std::array::from_fn(|axis| global(axis, header.bounds_max[axis])),
        };
        let all = tile.portals();
        let portals =
            [0u8, 1, 2, 3].map(|s| all.partition_point(|p| p.side < s)..all.partition_point(|p| p.side <= s));
        let mut entry = TileEntry { tile, vertices, bounds, portals, link_starts: Vec::new() };
        let starts = entry.tile.off_mesh_links().iter();
        entry.link_starts = starts
            .map(|link| entry.foot(anchor, off_mesh::global(&entry.tile, link.start), link.radius))
            .collect();
        Ok(entry)
    }

    /// Where a link's end at a global fixed-point position meets the ground of this tile, if anywhere.
    pub(crate) fn foot(&self, anchor: [f64; 3], end: [i64; 3], radius: i32) -> Option<Foot> {
        let Snap { polygon, point } = snap(&self.tile, end, radius)?;
        let point = to_anchored(&self.tile.lattice(), anchor, self.tile.header().base_cell, point);
        Some(Foot { polygon, point })
    }

    /// How many polygons there are; off-mesh links are numbered from here.
    #[inline]
    pub(crate) fn polygon_count(&self) -> u32 {
        self.tile.polygons().len() as u32
    }

    /// How many polygons and off-mesh links there are.
    pub(crate) fn node_count(&self) -> u32 {
        (self.tile.polygons().len() + self.tile.off_mesh_links().len()) as u32
    }

    /// The blob's flags and area of a polygon, or of an off-mesh link, numbered after them.
    #[inline]
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        if let Some(polygon) = self.tile.polygons().get(index as usize) {
            return (polygon.flags, polygon.area);
        }
        let link = &self.tile.off_mesh_links()[(index - self.polygon_count()) as usize];
        (link.flags, link.area)
    }

    /// The height that an agent of this tile steps over, metres.
    pub(crate) fn climb(&self) -> f32 {
        self.tile.header().agent[2]
    }

    /// A polygon by its index, which the caller has checked.
    #[inline]
    pub(crate) fn polygon(&self, polygon: u32) -> &Polygon {
        &self.tile.polygons()[polygon as usize]
    }

    /// The edges of a polygon, each with its two ends.
    #[inline]
    pub(crate) fn edges<'a>(
        &'a self,
        polygon: &'a Polygon,
    ) -> impl ExactSizeIterator<Item = (&'a Edge, Vec3, Vec3)> + 'a {
        let edges = self.tile.polygon_edges(polygon);
        edges.iter().enumerate().map(move |(i, edge)| {
            let next = &edges[if i + 1 == edges.len() { 0 } else { i + 1 }];
            (edge, self.vertices[edge.vertex as usize], self.vertices[next.vertex as usize])
        })
    }

    /// Whether `p`, seen from above, lies in the polygon or on its outline.
    #[inline]
    pub(crate) fn is_over(&self, polygon: &Polygon, p: Vec3) -> bool {
        self.edges(polygon).all(|(_, a, b)| side(a, b, p) <= 0.0)
    }
}
