//! Settings in world units, and the [`Config`] in cells that they are checked and quantised into.

use crate::volume::Volume;
use navmath::lattice::snap_quotient;
pub use navmath::limit::FieldError;
use navtile::area::GROUND_FLAGS;
pub use navtile::area::{AreaDefinition, AreaId};
pub use navtile::connection::OffMeshConnection;

/// Settings of a bake, in metres, square metres and degrees. `None` derives from the cell.
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
pub struct Settings {
    /// Width of a cell in x and z, metres. Default 0.3: half the agent's radius.
    pub cell_size: f64,
    /// Height of a cell, metres. Default 0.2.
    pub cell_height: f64,
    /// How the walkable surface is cut into regions. Default watershed: the best polygons.
    pub partition: Partition,
    /// Most vertices of a polygon, 3..=255. Default 6.
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
    /// Longest contour edge along walls, metres; 0 for any. Default 12.
    pub max_edge_length: f64,
    /// Largest distance between a contour and the raw outline, metres. Default: 1.3 cells.
    pub contour_max_error: Option<f64>,
    /// Split contour edges along walls that are longer than `max_edge_length`. Default on.
    pub split_walls: bool,
    /// Split contour edges between areas that are longer than `max_edge_length`. Default off.
    pub split_areas: bool,
    /// Spacing of height samples, metres; less than 0.9 of a cell: none. Default: 6 cells.
    pub detail_sample_distance: Option<f64>,
    /// Largest height error of the detail mesh, metres. Default: 1 cell height.
    pub detail_max_error: Option<f64>,
    /// Areas: names, flags and costs. Plain ground is always there.
    pub areas: Vec<AreaDefinition>,
    /// Volumes that give the ground another area, in the order they are marked. Default none.
    pub volumes: Vec<Volume>,
    /// Links between points without a surface, such as jumps and ladders. Default none.
    pub off_mesh_connections: Vec<OffMeshConnection>,
    /// Replace each area by the median of its neighbourhood, after volumes are marked. Default off.
    pub median_filter: bool,
    /// Bake only this part of the world: smallest and largest corner, metres. Default: the level's own bounds.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Memory a bake may ask for, bytes. Default 8 GiB.
    pub memory_bound: u64,
}

impl Default for Settings {
    /// The defaults of the RecastDemo program.
    fn default() -> Settings {
        Settings {
            cell_size: 0.3,
            cell_height: 0.2,
            partition: Partition::Watershed,
            max_vertices: 6,
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
            median_filter: false,
            bounds: None,
            memory_bound: 8 << 30,
        }
    }
}

/// How the walkable surface is cut into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// All partitions, with their names in settings and on the command line.
    pub const NAMES: [(&'static str, Partition); 3] = [
        ("watershed", Partition::Watershed),
        ("monotone", Partition::Monotone),
        ("layers", Partition::Layers),
    ];

    /// The name in settings files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Partition::Watershed => "watershed",
            Partition::Monotone => "monotone",
            Partition::Layers => "layers",
        }
    }
}

/// Checked settings, quantised to cells. The parameters of every stage are made from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The settings this was made from.
    pub settings: Settings,
    /// Width of a cell, metres.
    pub cell_size: f32,
    /// Height of a cell, metres.
    pub cell_height: f32,
    /// Agent height in cells, rounded up; at least 3, the least at which clearance means anything.
    pub walkable_height: i32,
    /// Highest step in cells, rounded down.
    pub walkable_climb: i32,
    /// Agent radius in cells, rounded up.
    pub walkable_radius: i32,
    /// Steepest slope, degrees.
    pub walkable_slope: f32,
    /// Smallest island of regions, in cells.
    pub region_min_cells: u32,
    /// Regions up to this size are merged, in cells.
    pub region_merge_cells: u32,
    /// Longest contour edge along walls, in cells; 0 for any.
    pub max_edge_cells: i32,
    /// Largest distance between a contour and its raw outline, in cells.
    pub contour_max_error: f32,
    /// Spacing of height samples, metres; 0 for none.
    pub detail_sample_distance: f32,
    /// Largest height error of the detail mesh, metres.
    pub detail_max_error: f32,
}

/// Largest agent measure accepted, cells: more would make no sense and cost much.
const MAX_AGENT_CELLS: f64 = 30_000.0;

impl Settings {
    /// Checks every field and quantises to cells. On error every offending field is listed.
    pub fn validate(&self) -> Result<Config, Vec<FieldError>> {
        let mut errors = Vec::new();
        self.check_ranges(&mut errors);
        self.check_areas(&mut errors);
        self.check_shapes(&mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let (cs, ch) = (self.cell_size, self.cell_height);
        let cells = |metres: f64, cell: f64| snap_quotient(metres / cell);
        let measures = [
            ("agent.height", cells(self.agent_height, ch)),
            ("agent.climb", cells(self.agent_climb, ch)),
            ("agent.radius", cells(self.agent_radius, cs)),
            ("contours.max_edge_length", cells(self.max_edge_length, cs)),
        ];
        for (field, value) in measures {
            if value > MAX_AGENT_CELLS {
                errors.push(FieldError {
                    field: field.to_owned(),
                    found: format!("{value} cells"),
                    expected: format!("at most {MAX_AGENT_CELLS} cells: enlarge the cell or lower the field"),
                });
            }
        }
        let area_cells = |given: Option<f64>, side: f64| match given {
            Some(area) => snap_quotient(area / (cs * cs)).ceil(),
            None => side * side,
        };
        let (min_cells, merge_cells) =
            (area_cells(self.region_min_area, 8.0), area_cells(self.region_merge_area, 20.0));
        for (field, value) in [("regions.min_area", min_cells), ("regions.merge_area", merge_cells)] {
            if value > f64::from(i32::MAX) {
                errors.push(FieldError {
                    field: field.to_owned(),
                    found: format!("{value} cells"),
                    expected: format!("at most {} cells", i32::MAX),
                });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        // The default is rounded where RecastDemo rounds it.
        let sample = self.detail_sample_distance.unwrap_or_else(|| f64::from(6.0 * cs as f32));
        Ok(Config {
            cell_size: cs as f32,
            cell_height: ch as f32,
            walkable_height: (cells(self.agent_height, ch).ceil() as i32).max(3),
            walkable_climb: cells(self.agent_climb, ch).floor() as i32,
            walkable_radius: cells(self.agent_radius, cs).ceil() as i32,
            walkable_slope: self.agent_slope as f32,
            region_min_cells: min_cells as u32,
            region_merge_cells: merge_cells as u32,
            max_edge_cells: cells(self.max_edge_length, cs).floor() as i32,
            contour_max_error: self.contour_max_error.map_or(1.3, |metres| cells(metres, cs) as f32),
            detail_sample_distance: if sample < 0.9 * cs { 0.0 } else { sample as f32 },
            detail_max_error: self.detail_max_error.unwrap_or(ch) as f32,
            settings: self.clone(),
        })
    }

    fn check_ranges(&self, errors: &mut Vec<FieldError>) {
        let mut check = |field: &str, value: f64, low: f64, high: f64, expected: &str| {
            if !(value >= low && value <= high) {
                errors.push(FieldError {
                    field: field.to_owned(),
                    found: value.to_string(),
                    expected: expected.to_owned(),
                });
            }
        };
        let metres = "between 0.001 and 1000 metres";
        check("cell_size", self.cell_size, 0.001, 1000.0, metres);
        check("cell_height", self.cell_height, 0.001, 1000.0, metres);
        check("max_vertices", f64::from(self.max_vertices), 3.0, 255.0, "between 3 and 255");
        check("agent.radius", self.agent_radius, 0.0, 10_000.0, "between 0 and 10000 metres");
        check("agent.height", self.agent_height, 0.001, 10_000.0, "between 0.001 and 10000 metres");
        check("agent.climb", self.agent_climb, 0.0, 10_000.0, "between 0 and 10000 metres");
        check("agent.slope", self.agent_slope, 0.0, 89.999, "from 0 up to, but less than, 90 degrees");
        check(
            "contours.max_edge_length",
            self.max_edge_length,
            0.0,
            1e6,
            "between 0 (any) and 1000000 metres",
        );
        let optional = [
            ("regions.min_area", self.region_min_area, 1e9, "between 0 and 1e9 square metres"),
            ("regions.merge_area", self.region_merge_area, 1e9, "between 0 and 1e9 square metres"),
            ("contours.max_error", self.contour_max_error, 1e4, "between 0 and 10000 metres"),
            ("detail.sample_distance", self.detail_sample_distance, 1e4, "between 0 (none) and 10000 metres"),
            ("detail.max_error", self.detail_max_error, 1e4, "between 0 and 10000 metres"),
        ];
        for (field, value, high, expected) in optional {
            check(field, value.unwrap_or(0.0), 0.0, high, expected);
        }
        if self.agent_climb >= self.agent_height {
            errors.push(FieldError {
                field: "agent.climb".to_owned(),
                found: self.agent_climb.to_string(),
                expected: format!(
                    "less than agent.height ({}): storeys an agent could climb between would run into each other",
                    self.agent_height
                ),
            });
        }
        if let Some([min, max]) = self.bounds {
            let sound =
                (0..3).all(|axis| min[axis].is_finite() && max[axis].is_finite() && min[axis] < max[axis]);
            if !sound {
                errors.push(FieldError {
                    field: "bounds".to_owned(),
                    found: format!("{min:?} to {max:?}"),
                    expected: "finite corners, the first smaller than the second on every axis".to_owned(),
                });
            }
        }
    }

    fn check_areas(&self, errors: &mut Vec<FieldError>) {
        for (index, area) in self.areas.iter().enumerate() {
            let mut wrong = |field: &str, found: String, expected: &str| {
                errors.push(FieldError {
                    field: format!("area[{index}].{field}"),
                    found,
                    expected: expected.to_owned(),
                });
            };
            if !area.id.is_walkable() {
                wrong("id", "0".to_owned(), "between 1 and 255: 0 marks what nothing can walk on");
            }
            if area.name.is_empty() || area.name.len() > 255 {
                wrong("name", format!("{:?}", area.name), "a name of 1 to 255 bytes");
            }
            if !(area.cost.is_finite() && area.cost >= 0.001) {
                wrong("cost", area.cost.to_string(), "a finite number, at least 0.001");
            }
            if self.areas[..index].iter().any(|other| other.id == area.id) {
                wrong("id", area.id.0.to_string(), "an id that no other area has");
            }
            if self.areas[..index].iter().any(|other| other.name == area.name) {
                wrong("name", format!("{:?}", area.name), "a name that no other area has");
            }
        }
    }

    fn check_shapes(&self, errors: &mut Vec<FieldError>) {
        let mut check = |field: String, found: &dyn std::fmt::Debug, kind: &str, fault: Option<&str>| {
            errors.extend(fault.map(|fault| FieldError {
                field,
                found: format!("{found:?}"),
                expected: format!("a sound {kind}: {fault}"),
            }));
        };
        for (index, volume) in self.volumes.iter().enumerate() {
            check(format!("volume[{index}]"), &volume.shape, "shape", volume.shape.fault());
        }
        for (index, connection) in self.off_mesh_connections.iter().enumerate() {
            check(format!("off_mesh[{index}]"), connection, "connection", connection.fault());
        }
    }

    /// The flags that polygons of an area carry.
    pub fn area_flags(&self, id: AreaId) -> u32 {
        self.areas.iter().find(|area| area.id == id).map_or(GROUND_FLAGS, |area| area.flags)
    }

    /// The definition of an area; ids without one behave as ground under the name `area N`.
    pub fn area(&self, id: AreaId) -> AreaDefinition {
        self.areas.iter().find(|area| area.id == id).cloned().unwrap_or_else(|| AreaDefinition {
            id,
            name: if id == AreaId::GROUND { "ground".to_owned() } else { format!("area {}", id.0) },
            ..AreaDefinition::ground()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_quantise_as_recast_demo_does() {
        let config = Settings::default().validate().unwrap();
        assert_eq!((config.walkable_height, config.walkable_climb, config.walkable_radius), (10, 4, 2));
        assert_eq!(
            (config.region_min_cells, config.region_merge_cells, config.max_edge_cells),
            (64, 400, 40)
        );
        assert_eq!(config.contour_max_error, 1.3);
        assert_eq!((config.detail_sample_distance, config.detail_max_error), (0.3f32 * 6.0, 0.2));
    }

    #[test]
    fn near_integers_are_integers() {
        let config =
            Settings { cell_size: 0.1, agent_radius: 0.3, ..Settings::default() }.validate().unwrap();
        assert_eq!(config.walkable_radius, 3);
    }

    #[test]
    fn every_offending_field_is_named() {
        let settings = Settings {
            cell_size: f64::NAN,
            agent_slope: 90.0,
            max_vertices: 2,
            areas: vec![AreaDefinition::ground(), AreaDefinition { cost: 0.0, ..AreaDefinition::ground() }],
            bounds: Some([[0.0; 3], [1.0, 0.0, 1.0]]),
            ..Settings::default()
        };
        let fields: Vec<_> = settings.validate().unwrap_err().into_iter().map(|e| e.field).collect();
        let expected = [
            "cell_size",
            "max_vertices",
            "agent.slope",
            "bounds",
            "area[1].cost",
            "area[1].id",
            "area[1].name",
        ];
        assert_eq!(fields, expected);
    }
}
