//! A verified tile with everything that the runtime derives from it once. All snapshots share it.

use super::fixed::{FixedBox, ToMetres};
use super::surface::Surface;
use crate::error::MeshError;
use crate::poly_ref::PolyRef;
use glam::Vec3;
use navmath::limit::check;
use navmath::{FIXED_ONE, Lattice, Sets};
use navtile::layout::{Edge, edge_kind};
use navtile::off_mesh;
use navtile::off_mesh_edge::{self, EdgePair, EdgeSnap, snap_edge};
use navtile::seam::SeamPlace;
use navtile::{Tile, TileCoord};
use std::sync::Arc;

/// The two edges of an off-mesh link as far as they can be crossed; points if they have no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct JoinedEdges {
    /// Indices of the polygons, each in its tile.
    pub(crate) polygons: [u32; 2],
    /// The middle of each edge, metres from the anchor.
    pub(crate) middles: [Vec3; 2],
    /// The vector from each middle to the end of its edge, metres.
    pub(crate) half: Vec3,
}

/// A verified tile, and everything that is derived from it alone.
#[derive(Debug)]
pub(crate) struct TileData {
    /// The parts that queries read.
    pub(crate) surface: Surface,
    pub(crate) tile: Tile,
    /// From the tile's header, for linking.
    pub(crate) coord: TileCoord,
    pub(crate) lattice: Lattice,
    pub(crate) place: SeamPlace,
    /// Around all vertices.
    pub(crate) bounds: FixedBox,
    /// The start edge or start point of each off-mesh link, if there is ground.
    pub(crate) link_starts: Box<[Option<EdgeSnap>]>,
    /// The connected component of each polygon within the tile. Components are numbered by their first
    /// polygons.
    pub(crate) components: Arc<[u32]>,
    pub(crate) component_count: u32,
}

impl TileData {
    /// Derives the data that the runtime needs, or returns the reason why this tile cannot be loaded at this
    /// anchor.
    pub(crate) fn new(tile: Tile, anchor: [f64; 3]) -> Result<Arc<TileData>, MeshError> {
        let (header, lattice, coord) = (tile.header(), tile.lattice(), tile.coord());
        let nodes = tile.polygons().len() as u64 + tile.off_mesh_links().len() as u64;
        let limit = u64::from(PolyRef::MAX_POLYGON) + 1;
        check("polygons and off-mesh links per tile", nodes, limit, "bake smaller tiles")?;
        let base_cell = header.base_cell;
        let to_metres = ToMetres::new(&lattice, anchor, base_cell);
        check_reach(&tile, &to_metres)?;
        let global = |axis: usize, fixed: i32| base_cell[axis] * i64::from(FIXED_ONE) + i64::from(fixed);
        let bounds = FixedBox {
            min: std::array::from_fn(|axis| global(axis, header.bounds_min[axis])),
            max: std::array::from_fn(|axis| global(axis, header.bounds_max[axis])),
        };
        let (components, component_count) = connect(&tile);
        let links = tile.off_mesh_links().iter();
        let link_starts =
            links.map(|link| snap_edge(&tile, link, off_mesh::global(&tile, link.start))).collect();
        Ok(Arc::new(TileData {
            coord,
            lattice,
            place: SeamPlace::of(header),
            surface: Surface::new(&tile, &to_metres),
            bounds,
            link_starts,
            components,
            component_count,
            tile,
        }))
    }

    /// The part of an off-mesh link of this tile that can be crossed, metres from the anchor, and the
    /// polygons that it starts and ends on. `None` unless there is ground at its start, and in `beyond` at
    /// its end.
    pub(crate) fn join_link(&self, anchor: [f64; 3], number: u32, beyond: &TileData) -> Option<JoinedEdges> {
        let link = &self.tile.off_mesh_links()[number as usize];
        let start = self.link_starts[number as usize]?;
        let end = snap_edge(&beyond.tile, link, off_mesh::global(&self.tile, link.end))?;
        let EdgePair { middles, half } =
            off_mesh_edge::pair(link, [(&self.tile, &start), (&beyond.tile, &end)]);
        let to_metres = |data: &TileData| ToMetres::new(&data.lattice, anchor, data.place.base_cell);
        let middles = [to_metres(self).position(middles[0]), to_metres(beyond).position(middles[1])];
        let half = to_metres(self).vector(half);
        Some(JoinedEdges { polygons: [start.polygon, end.polygon], middles, half })
    }

    /// The tile's own flags and area of a polygon, or of an off-mesh link, which are numbered after the
    /// polygons.
    pub(crate) fn flags_and_area(&self, index: u32) -> (u32, u8) {
        self.surface.flags_and_area(index).unwrap_or_else(|| {
            let link = &self.tile.off_mesh_links()[(index - self.surface.polygon_count()) as usize];
            (link.flags, link.area)
        })
    }

    /// The tile's own flags and areas of all polygons, then of all off-mesh links.
    pub(crate) fn flags_and_areas(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let links = self.tile.off_mesh_links();
        self.surface.flags_and_areas().chain(links.iter().map(|link| (link.flags, link.area)))
    }

    /// The box around all vertices; `None` without vertices.
    pub(crate) fn extent(&self, anchor: [f64; 3]) -> Option<[Vec3; 2]> {
        let has_any = !self.tile.vertices().is_empty();
        has_any.then(|| ToMetres::new(&self.lattice, anchor, self.place.base_cell).bounds(&self.tile))
    }
}

/// Refuses a tile that is so far from the anchor that f32 positions there are coarser than its own
/// resolution.
fn check_reach(tile: &Tile, to_metres: &ToMetres) -> Result<(), MeshError> {
    let corners = if tile.vertices().is_empty() { [Vec3::ZERO; 2] } else { to_metres.bounds(tile) };
    let reach = corners[0].abs().max(corners[1].abs()).max_element();
    // The distance from a power of two to the next f32 is 2^-23 of it.
    let step = f64::from(reach) * f64::from(f32::EPSILON);
    let cell_size = tile.header().cell_size;
    if corners.iter().any(|v| !v.is_finite()) || step > cell_size / 4.0 {
        return Err(MeshError::TooFar { coord: tile.coord(), distance: f64::from(reach), cell_size });
    }
    Ok(())
}

/// Finds the component of each polygon of a tile, and the number of components.
///
/// Kinds of edges are unpredictable, so the mask of edges that lead to polygons is made without branches, 64
/// edges at a time.
fn connect(tile: &Tile) -> (Arc<[u32]>, u32) {
    let (polygons, edges) = (tile.polygons(), tile.edges());
    let mut components: Arc<[u32]> = std::iter::repeat_n(0, polygons.len()).collect();
    // They are not shared yet, so this copies nothing.
    let mut sets = Sets::within(Arc::make_mut(&mut components));
    for (start, chunk) in (0..).step_by(64).zip(edges.chunks(64)) {
        let bit = |edge: &Edge| u64::from(edge.kind == edge_kind::INTERNAL);
        let mut internal = chunk.iter().rev().fold(0, |mask, edge| mask << 1 | bit(edge));
        while internal != 0 {
            let edge = &chunk[internal.trailing_zeros() as usize];
            internal &= internal - 1;
            let twin = polygons[edge.neighbour as usize].first_edge as usize + usize::from(edge.twin);
            sets.join(edges[twin].neighbour, edge.neighbour);
            // A pair within the chunk is joined once.
            let ahead = twin.wrapping_sub(start);
            if ahead < 64 {
                internal &= !(1 << ahead);
            }
        }
    }
    let (_, component_count) = sets.numbers();
    (components, component_count)
}
