//! The metadata of a file: settings, agent, areas.
//!
//! The order and types of all fields are the frozen version 1 of the metadata, which stores them in the order
//! given here (docs/format.md). Only the colours of areas follow after all other fields. Serde is for the
//! program's JSON.

use crate::area::AreaId;
use serde::{Deserialize, Serialize};

/// The metadata of a file. It holds no paths, times or names of people: the same level and settings give the
/// same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The agent the mesh is for.
    pub agent: AgentMeta,
    /// The settings of the bake, in world units.
    pub settings: SettingsMeta,
    /// World position of the lattice's zero, metres.
    pub origin: [f64; 3],
    /// Cell size and cell height, metres.
    pub cell: [f64; 2],
    /// Tile size in cells; 0 for a solo bake.
    pub tile_cells: u32,
    /// Digest of the level's canonical geometry.
    pub geometry_digest: [u8; 16],
    /// Areas, sorted by id.
    pub areas: Vec<AreaMeta>,
}

/// The agent, metres and degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentMeta {
    /// Radius.
    pub radius: f64,
    /// Height.
    pub height: f64,
    /// Highest step.
    pub climb: f64,
    /// Steepest slope, degrees.
    pub slope: f64,
}

/// Settings of a bake, world units. The default is all zero or off, which means unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsMeta {
    /// 0 watershed, 1 monotone, 2 layers.
    pub partition: u8,
    /// Most vertices per polygon.
    pub max_vertices: u32,
    /// Smallest region that is kept, m².
    pub region_min_area: f64,
    /// Regions up to this area are merged, m².
    pub region_merge_area: f64,
    /// Longest contour edge along walls, metres; 0 for any.
    pub max_edge_length: f64,
    /// Largest distance of a contour from its raw outline, metres.
    pub contour_max_error: f64,
    /// Spacing of height samples, metres; 0 for none.
    pub detail_sample_distance: f64,
    /// Largest height error of the detail mesh, metres.
    pub detail_max_error: f64,
    /// True if long contour edges are split along walls.
    pub split_walls: bool,
    /// True if long contour edges are split between areas.
    pub split_areas: bool,
    /// True if each area was replaced by the median of its neighbourhood.
    pub median_filter: bool,
    /// Number of volumes that changed the area of the ground.
    pub volumes: u32,
    /// Number of off-mesh connections given.
    pub off_mesh_connections: u32,
    /// Digest of the volumes and off-mesh connections in their order; zeros without any.
    pub marks_digest: [u8; 16],
    /// The bake kept only what can be reached from here, world metres; `None` if it kept everything.
    pub reachable_from: Option<[f64; 3]>,
    /// The course of the ground's borders: 0 along cells, 1 exact.
    pub outlines: u8,
}

/// An area: the meaning of its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AreaMeta {
    /// Area id, 1..=255.
    pub id: u8,
    /// Name.
    pub name: String,
    /// Flags that polygons of this area carry.
    pub flags: u32,
    /// Cost per metre.
    pub cost: f32,
    /// Red, green and blue in pictures; `None` for the colour that follows from name and id. Stored after the
    /// other metadata, and only in files in which an area has one.
    #[serde(skip)]
    pub colour: Option<[u8; 3]>,
}

impl AreaMeta {
    /// An area with an id and no other known values: flags 0, cost 1.
    pub fn unnamed(id: u8) -> AreaMeta {
        let name = if id == AreaId::GROUND.0 { "ground".to_owned() } else { format!("area {id}") };
        AreaMeta { id, name, flags: 0, cost: 1.0, colour: None }
    }
}
