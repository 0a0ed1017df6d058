//! Settings of a bake of a map, in metres.

use crate::error::Error;
use navmath::FieldError;
use navtile::area::{AreaDefinition, AreaId, GROUND_FLAGS};
use navtile::limits::{AGENT_LIMIT, EDGE_LIMIT};

/// Settings of a bake of a map. Lengths are metres; a map's unit is a metre.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Distance that the ground keeps from walls, >= 0. Default 0.
    pub agent_radius: f64,
    /// Agent height, > 0; written for the runtime. Default 2.
    pub agent_height: f64,
    /// Highest step of the agent, >= 0; written for the runtime. Default 0.9.
    pub agent_climb: f64,
    /// Steepest slope of the agent, degrees, 0..90; written for the runtime. Default 45.
    pub agent_slope: f64,
    /// Largest additional distance of the ground from a corner, because its round join is a chain of
    /// tangents. At least a ten-thousandth of the radius. Default: a hundredth of it.
    pub join_error: Option<f64>,
    /// Most vertices of a polygon, 3..=255. Default 6.
    pub max_vertices: u32,
    /// Spacing of the grid that corners are put on, rounded down to a power of two. Default: the smallest
    /// power of two that cuts the longer side of the map into at most 2^24.
    pub spacing: Option<f64>,
    /// Height of the ground. Default 0.
    pub height: f64,
    /// Layer of the tile. Default 0.
    pub layer: i32,
    /// Areas: flags of polygons. An area without a definition has flag 1, as ground.
    pub areas: Vec<AreaDefinition>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            agent_radius: 0.0,
            agent_height: 2.0,
            agent_climb: 0.9,
            agent_slope: 45.0,
            join_error: None,
            max_vertices: 6,
            spacing: None,
            height: 0.0,
            layer: 0,
            areas: vec![AreaDefinition::ground()],
        }
    }
}

impl Settings {
    /// Refuses values out of range; lists every one of them.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let mut errors = Vec::new();
        let mut ask = |good: bool, field: &str, found: String, expected: &str| {
            if !good {
                errors.push(FieldError { field: field.to_owned(), found, expected: expected.to_owned() });
            }
        };
        let limit = f64::from(AGENT_LIMIT);
        let measure = |value: f64| (0.0..=limit).contains(&value);
        let range = "0 to 1,048,576 m";
        ask(measure(self.agent_radius), "agent.radius", self.agent_radius.to_string(), range);
        let height = measure(self.agent_height) && self.agent_height > 0.0;
        ask(height, "agent.height", self.agent_height.to_string(), "more than 0, at most 1,048,576 m");
        ask(measure(self.agent_climb), "agent.climb", self.agent_climb.to_string(), range);
        let slope = (0.0..90.0).contains(&self.agent_slope);
        ask(slope, "agent.slope", self.agent_slope.to_string(), "0 to less than 90 degrees");
        if let Some(error) = self.join_error {
            let good = error.is_finite() && error > 0.0 && error >= self.agent_radius * 1e-4;
            ask(
                good,
                "join_error",
                error.to_string(),
                "more than 0, and at least a ten-thousandth of the radius",
            );
        }
        let vertices = (3..=EDGE_LIMIT as u32).contains(&self.max_vertices);
        ask(vertices, "max_vertices", self.max_vertices.to_string(), "3 to 255");
        if let Some(spacing) = self.spacing {
            let good = spacing.is_finite() && spacing > 0.0;
            ask(good, "spacing", spacing.to_string(), "a finite number of metres, more than 0");
        }
        ask(self.height.abs() <= 1e6, "height", self.height.to_string(), "within 1,000,000 m of 0");
        if errors.is_empty() { Ok(()) } else { Err(Error::Settings(errors)) }
    }

    /// Flags of an area's polygons.
    pub(crate) fn flags(&self, area: AreaId) -> u32 {
        self.areas.iter().find(|known| known.id == area).map_or(GROUND_FLAGS, |known| known.flags)
    }
}
