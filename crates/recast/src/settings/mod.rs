//! Settings in world units, the table that describes them, and the [`Config`] in cells into which they are
//! checked and quantised.

pub(crate) mod area_order;
mod config;
mod links;
mod rounding;
mod setting;
mod table;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use links::LinkProfile;
pub use links::{MOST_CELLS, MOST_HEIGHT_CELLS};
pub use setting::{Cells, Initial, Kind, Measure, Rounding, Setting, Unit, Used, Value, listed, numbers};
pub use table::{SETTINGS, find};

pub use navmath::limit::FieldError;
pub use navtile::LinkKind;
pub use navtile::area::{AreaDefinition, AreaId};
pub use navtile::connection::OffMeshConnection;

use crate::volume::Volume;
use navmath::lattice::snap_quotient;
use navtile::area::GROUND_FLAGS;

/// Settings of a bake, in metres, square metres and degrees. `None` means a value derived from the cell.
///
/// ```
/// use recast::Settings;
///
/// let settings = Settings { cell_size: 0.2, agent_radius: 0.5, ..Settings::default() };
/// let config = settings.validate().expect("all fields are in range");
/// assert_eq!(config.walkable_radius, 3); // cells, rounded up
///
/// let wrong = Settings { agent_slope: 95.0, ..settings };
/// assert_eq!(wrong.validate().unwrap_err()[0].field, "agent.slope");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// Width of a cell in x and z, metres. Default 0.3; settings files and the command line derive it from
    /// the agent ([`Settings::derived_cell_size`]).
    pub cell_size: f64,
    /// Height of a cell, metres. Default 0.2.
    pub cell_height: f64,
    /// Method that cuts the walkable surface into regions. Default watershed: the best polygons.
    pub partition: Partition,
    /// The course of the ground's borders. Default cells.
    #[cfg_attr(feature = "serde", serde(default))]
    pub outlines: Outlines,
    /// Most vertices of a polygon, 3..=255. Default 12: hardly any polygon of a level needs more.
    pub max_vertices: u32,
    /// Agent radius, metres, >= 0. Default 0.6.
    pub agent_radius: f64,
    /// Agent height, metres, > 0. Default 2.0.
    pub agent_height: f64,
    /// Highest step the agent climbs, metres, >= 0 and below its height. Default 0.9.
    pub agent_climb: f64,
    /// Steepest slope the agent walks, degrees, 0..90. Default 45.
    pub agent_slope: f64,
    /// Smallest island of regions kept, m². Default: 8 cells on a side.
    pub region_min_area: Option<f64>,
    /// Regions up to this size are merged into a neighbour where possible, m². Default: 20 cells on a side.
    pub region_merge_area: Option<f64>,
    /// Longest contour edge along walls, metres; 0 for no limit. Default 12.
    pub max_edge_length: f64,
    /// Largest distance between a contour and the raw outline, metres. Default: 1.3 cells.
    pub contour_max_error: Option<f64>,
    /// Split contour edges along walls that are longer than `max_edge_length`. Default on.
    pub split_walls: bool,
    /// Split contour edges between areas that are longer than `max_edge_length`. Default off.
    pub split_areas: bool,
    /// 0, or less than 0.9 of a cell: heights from the polygons' corners only. Any other distance, metres: a
    /// detail mesh. Default: 6 cells.
    pub detail_sample_distance: Option<f64>,
    /// Largest height error of the detail mesh, metres. Default: 1 cell height.
    pub detail_max_error: Option<f64>,
    /// Areas: names, flags and costs. Plain ground always exists.
    pub areas: Vec<AreaDefinition>,
    /// Volumes that give the ground another area, in the order they are marked. Default none.
    pub volumes: Vec<Volume>,
    /// Links between points without a surface, such as jumps and ladders. Default none.
    pub off_mesh_connections: Vec<OffMeshConnection>,
    /// Links that the bake generates, by profile. Default none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub links: Vec<LinkProfile>,
    /// Replace each area by the median of its neighbourhood, after volumes are marked. Default off.
    pub median_filter: bool,
    /// Bake only this part of the world: smallest and largest corner, metres. Default: the level's own
    /// bounds.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Memory that a bake may take, bytes. Default 8 GiB.
    pub memory_bound: u64,
}

impl Default for Settings {
    /// The defaults of the RecastDemo program.
    fn default() -> Settings {
        Settings {
            cell_size: 0.3,
            cell_height: 0.2,
            partition: Partition::Watershed,
            outlines: Outlines::Cells,
            max_vertices: 12,
            agent_radius: 0.6,
            agent_height: 2.0,
            agent_climb: 0.9,
            agent_slope: 45.0,
            region_min_area: None,
            region_merge_area: None,
            max_edge_length: 12.0,
            contour_max_error: None,
            split_walls: true,
            split_areas: false,
            detail_sample_distance: None,
            detail_max_error: None,
            areas: vec![AreaDefinition::ground()],
            volumes: Vec::new(),
            off_mesh_connections: Vec::new(),
            links: Vec::new(),
            median_filter: false,
            bounds: None,
            memory_bound: 8 << 30,
        }
    }
}

/// The method that cuts the walkable surface into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Partition {
    /// Watershed of the distance field: slowest, the best polygons, no long slivers.
    #[default]
    Watershed,
    /// One sweep: fast, no holes or overlaps, long thin polygons.
    Monotone,
    /// Sweep into layers: fast, good for tiles.
    Layers,
}

impl Partition {
    /// All partitions, with their names in settings and on the command line, in the order of their codes in a
    /// file.
    pub const NAMES: [(&'static str, Partition); 3] = [
        ("watershed", Partition::Watershed),
        ("monotone", Partition::Monotone),
        ("layers", Partition::Layers),
    ];

    /// The name in settings files and on the command line.
    pub fn name(self) -> &'static str {
        Partition::NAMES[self as usize].0
    }
}

/// The course of the ground's borders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outlines {
    /// The cells, simplified.
    #[default]
    Cells,
    /// The triangles of walls, ledges and steep ground, at the agent's radius.
    Exact,
}

impl Outlines {
    /// All kinds, with their names in settings and on the command line.
    pub const NAMES: [(&'static str, Outlines); 2] = [("cells", Outlines::Cells), ("exact", Outlines::Exact)];

    /// The name in settings files and on the command line.
    pub fn name(self) -> &'static str {
        Outlines::NAMES[self as usize].0
    }
}

impl Settings {
    /// The default cell size for this agent: half its radius, so that the radius is two cells. For large
    /// agents the size is smaller, so that on their steepest ground the cells on both sides of a cell are no
    /// more than their climb apart, in whole cells of height. Otherwise the filter of ledges would take that
    /// ground for a cliff. The size is at least a thirty-second of the radius, and 0.3 m without a radius.
    pub fn derived_cell_size(&self) -> f64 {
        if self.agent_radius <= 0.0 {
            return 0.3;
        }
        let half = self.agent_radius / 2.0;
        let climb = snap_quotient(self.agent_climb / self.cell_height).floor() * self.cell_height;
        let widest = climb / (2.0 * libm::tan(self.agent_slope.to_radians()));
        // An agent without climb walks on level ground, with any cells.
        let size = if climb > 0.0 { half.min(widest.max(half / 16.0)) } else { half };
        size.clamp(0.001, 1000.0)
    }

    /// The flags that polygons of an area carry.
    pub fn area_flags(&self, id: AreaId) -> u32 {
        self.areas.iter().find(|area| area.id == id).map_or(GROUND_FLAGS, |area| area.flags)
    }

    /// The definition of an area; ids without a definition behave as ground under the name `area N`.
    pub fn area(&self, id: AreaId) -> AreaDefinition {
        self.areas.iter().find(|area| area.id == id).cloned().unwrap_or_else(|| AreaDefinition {
            id,
            name: if id == AreaId::GROUND { "ground".to_owned() } else { format!("area {}", id.0) },
            ..AreaDefinition::ground()
        })
    }
}
