//! Checks settings and converts them to a [`Config`] in cells.

use super::links::MOST_CELLS;
use super::table::{
    AGENT_CLIMB, AGENT_HEIGHT, AGENT_RADIUS, CONTOUR_MAX_ERROR, DETAIL_MAX_ERROR, DETAIL_SAMPLE_DISTANCE,
    MAX_EDGE_LENGTH, REGIONS_MERGE_AREA, REGIONS_MIN_AREA, SETTINGS,
};
use super::{FieldError, Outlines, Setting, Settings, Value};
use navtile::link_kind::{GENERATED_FIRST, GENERATED_LAST};

/// Checked settings, quantised to cells. The parameters of every stage are made from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The original settings.
    pub settings: Settings,
    /// Width of a cell, metres.
    pub cell_size: f32,
    /// Height of a cell, metres.
    pub cell_height: f32,
    /// Least free height between a floor and the ceiling above it, in cells as the bake counts them: the
    /// agent's height rounded up, less [`Config::rounded_headroom`]. It is more than the climb and at least
    /// 3, the smallest value for which clearance means anything.
    pub walkable_height: i32,
    /// Cells that rounding takes from the headroom of a passage: one, or zero if the agent's height is
    /// already the fewest cells allowed.
    ///
    /// Floors are rounded up to cells and ceilings down. A passage whose height is a whole number of cells
    /// therefore always loses one cell, at any position. Other passages lose up to two. If the bake did not
    /// allow for this cell, a door would have to be one cell higher than the agent.
    pub rounded_headroom: i32,
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
    /// Longest contour edge along walls, in cells; 0 for no limit.
    pub max_edge_cells: i32,
    /// Largest distance between a contour and its raw outline, in cells.
    pub contour_max_error: f32,
    /// 0 for heights from the polygons' corners only; any other distance, metres, for a detail mesh.
    pub detail_sample_distance: f32,
    /// Largest height error of the detail mesh, metres.
    pub detail_max_error: f32,
}

impl Config {
    /// Cells around a tile beyond the agent's radius: contours need them to agree on their corners. Exact
    /// outlines also need the lines of walls up to two cells farther away.
    pub fn border_beyond_radius(&self) -> u32 {
        match self.settings.outlines {
            Outlines::Cells => 3,
            Outlines::Exact => 5,
        }
    }
}

impl Settings {
    /// Checks every field and quantises to cells.
    ///
    /// # Errors
    /// Every field that is out of range.
    pub fn validate(&self) -> Result<Config, Vec<FieldError>> {
        let mut errors = Vec::new();
        self.check_ranges(&mut errors);
        self.check_areas(&mut errors);
        self.check_marks(&mut errors);
        self.check_links(&mut errors);
        if errors.is_empty() {
            self.check_cells(&mut errors);
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let cells = |setting: &Setting| setting.used(self).and_then(|used| used.cells).unwrap_or_default();
        let metres = |setting: &Setting| match setting.used(self).map(|used| used.value) {
            Some(Value::Number(value)) => value as f32,
            _ => 0.0,
        };
        let (height, climb) = (cells(&AGENT_HEIGHT) as i32, cells(&AGENT_CLIMB) as i32);
        let walkable_height = (height - 1).max(climb + 1).max(3);
        Ok(Config {
            cell_size: self.cell_size as f32,
            cell_height: self.cell_height as f32,
            walkable_height,
            rounded_headroom: height - walkable_height,
            walkable_climb: climb,
            walkable_radius: cells(&AGENT_RADIUS) as i32,
            walkable_slope: self.agent_slope as f32,
            region_min_cells: cells(&REGIONS_MIN_AREA) as u32,
            region_merge_cells: cells(&REGIONS_MERGE_AREA) as u32,
            max_edge_cells: cells(&MAX_EDGE_LENGTH) as i32,
            contour_max_error: cells(&CONTOUR_MAX_ERROR) as f32,
            detail_sample_distance: metres(&DETAIL_SAMPLE_DISTANCE),
            detail_max_error: metres(&DETAIL_MAX_ERROR),
            settings: self.clone(),
        })
    }

    fn check_ranges(&self, errors: &mut Vec<FieldError>) {
        for setting in &SETTINGS {
            let Some(value) = (setting.get)(self).filter(|value| !setting.allows(*value)) else { continue };
            let (found, expected) = match (value, setting.range()) {
                (Value::Number(value), Some(range)) => (value.to_string(), range),
                (Value::Box([min, max]), _) => {
                    let expected = "finite corners, the first smaller than the second on every axis";
                    (format!("{min:?} to {max:?}"), expected.to_owned())
                }
                (value, range) => (value.to_string(), range.unwrap_or_default()),
            };
            errors.push(FieldError { field: setting.path.to_owned(), found, expected });
        }
        if self.agent_climb >= self.agent_height {
            errors.push(FieldError {
                field: "agent.climb".to_owned(),
                found: self.agent_climb.to_string(),
                expected: format!(
                    "less than agent.height ({}): otherwise storeys that an agent can climb between would merge",
                    self.agent_height
                ),
            });
        }
    }

    fn check_cells(&self, errors: &mut Vec<FieldError>) {
        for setting in &SETTINGS {
            let cells = setting.used(self).and_then(|used| used.cells);
            if let (Some(cells), Some(limit)) = (cells, &setting.cells)
                && cells > limit.max
            {
                errors.push(FieldError {
                    field: setting.path.to_owned(),
                    found: format!("{cells} cells"),
                    expected: format!("at most {} cells: enlarge the cell or lower the setting", limit.max),
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
                wrong("id", "0".to_owned(), "between 1 and 255: 0 marks unwalkable ground");
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

    fn check_marks(&self, errors: &mut Vec<FieldError>) {
        let mut check = |field: String, found: &dyn std::fmt::Debug, kind: &str, fault: Option<&str>| {
            errors.extend(fault.map(|fault| FieldError {
                field,
                found: format!("{found:?}"),
                expected: format!("a valid {kind}: {fault}"),
            }));
        };
        for (index, volume) in self.volumes.iter().enumerate() {
            check(format!("volume[{index}]"), &volume.shape, "shape", volume.shape.fault());
        }
        for (index, connection) in self.off_mesh_connections.iter().enumerate() {
            check(format!("off_mesh[{index}]"), connection, "connection", connection.fault());
        }
    }

    fn check_links(&self, errors: &mut Vec<FieldError>) {
        let cell = [self.cell_size, self.cell_height];
        self.links.iter().enumerate().for_each(|(index, profile)| profile.check(index, cell, errors));
        let radius = AGENT_RADIUS.used(self).and_then(|used| used.cells).unwrap_or_default();
        if !self.links.is_empty() && radius > MOST_CELLS {
            errors.push(FieldError {
                field: "agent.radius".to_owned(),
                found: format!("{radius} cells"),
                expected: format!("at most {MOST_CELLS} cells where links are generated: enlarge the cell"),
            });
        }
        let generated = GENERATED_FIRST..=GENERATED_LAST;
        for (index, connection) in self.off_mesh_connections.iter().enumerate() {
            if !self.links.is_empty() && generated.contains(&connection.user_id) {
                errors.push(FieldError {
                    field: format!("off_mesh[{index}].user_id"),
                    found: format!("{:#x}", connection.user_id),
                    expected: format!(
                        "a number outside of {GENERATED_FIRST:#x} to {GENERATED_LAST:#x}, which mark generated links"
                    ),
                });
            }
        }
    }
}
