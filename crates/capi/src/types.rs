//! Points, places and handles, as C has them.

use crate::status::{Answer, Fault, NtStatus};
use bytemuck::{Pod, Zeroable};
use detour::{Place, PolyRef, Vec3};

/// A point or a direction, metres from the anchor of its mesh: x and z in the plane, y upwards.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct NtVec3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

/// A reference to a polygon or an off-mesh link of a mesh; 0 means no polygon. It is valid while its tile is
/// in the mesh, and stale afterwards, even if another tile replaces it.
pub type NtPolyRef = u64;

/// A place on a mesh: a polygon, and a point on it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NtPlace {
    pub polygon: NtPolyRef,
    pub point: NtVec3,
}

/// The coordinate of a tile.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NtTileCoord {
    pub x: i32,
    pub z: i32,
    /// Distinguishes several tiles at one place.
    pub layer: i32,
}

/// A mesh: tiles with their links. Freed by nt_mesh_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtMesh {
    pub id: u64,
}

/// The walkable ground and its cost per metre. Freed by nt_filter_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtFilter {
    pub id: u64,
}

/// Queries of a mesh, with their memory: one for each thread is best. Freed by nt_query_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtQuery {
    pub id: u64,
}

/// The path that one character keeps while it walks. Freed by nt_corridor_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtCorridor {
    pub id: u64,
}

/// Characters that avoid each other while they walk. Freed by nt_crowd_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtCrowd {
    pub id: u64,
}

/// The costs of the paths from everywhere to the nearest of several goals. Freed by nt_field_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtField {
    pub id: u64,
}

/// Plans far paths over clusters of a world's tiles. Freed by nt_hierarchy_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtHierarchy {
    pub id: u64,
}

/// A place of a plan, and the tiles of the leg to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtFarStop {
    /// World metres.
    pub point: [f64; 3],
    /// The first column (x) and row (z) of the tiles that the leg to it leads over.
    pub first_x: i32,
    pub first_z: i32,
    /// The number of these columns, and of rows.
    pub columns: u32,
}

/// Follows a far path, leg by leg. Freed by nt_far_route_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtFarRoute {
    pub id: u64,
}

/// A cluster of tiles: its place in the grid of clusters.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct NtCluster {
    pub x: i32,
    pub z: i32,
}

/// A column (x) and row (z) of the grid of tiles, which may have tiles of several layers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NtColumn {
    pub x: i32,
    pub z: i32,
}

/// A path search in slices. Freed by nt_search_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtSearch {
    pub id: u64,
}

/// A level with its settings, ready to bake. Freed by nt_bake_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtBake {
    pub id: u64,
}

/// A level with obstacles that are added, moved and removed. Freed by nt_cache_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtCache {
    pub id: u64,
}

/// Bytes that the library made. Freed by nt_bytes_free.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct NtBytes {
    pub id: u64,
}

impl From<Vec3> for NtVec3 {
    fn from(of: Vec3) -> NtVec3 {
        NtVec3 { x: of.x, y: of.y, z: of.z }
    }
}

impl From<NtVec3> for Vec3 {
    fn from(of: NtVec3) -> Vec3 {
        Vec3::new(of.x, of.y, of.z)
    }
}

impl From<Place> for NtPlace {
    fn from(of: Place) -> NtPlace {
        NtPlace { polygon: of.polygon.to_bits(), point: of.point.into() }
    }
}

/// The polygon of a reference.
pub(crate) fn polygon(reference: NtPolyRef) -> Answer<PolyRef> {
    PolyRef::from_bits(reference).ok_or_else(|| {
        Fault::new(NtStatus::NT_ERROR_REFERENCE, format!("{reference:#x} is not a polygon reference"))
    })
}

pub(crate) fn place(of: NtPlace) -> Answer<Place> {
    Ok(Place { polygon: polygon(of.polygon)?, point: of.point.into() })
}
