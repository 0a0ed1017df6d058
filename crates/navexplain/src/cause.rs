//! The reasons for which a floor is not part of the mesh, with the numbers that were compared, and in words.

use recast::data::Direction;
use recast::observer::StageId;
use std::fmt;

/// The reason for which a floor is not part of the mesh. Lengths are metres, areas square metres, slopes
/// degrees.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The surface is too steep for the agent.
    TooSteep {
        /// Slope of the flattest triangle that makes the top: 90 is a wall, and above 90 it faces down.
        slope: f64,
        /// Steepest slope that the agent walks.
        limit: f64,
        /// Its height above a walkable floor below; steps no higher than the climb are kept.
        step: Option<f64>,
        /// Highest step that the agent climbs, in whole cells.
        climb: f64,
    },
    /// The level marks it as unwalkable.
    LevelUnwalkable,
    /// The floor of a neighbouring column is too far below.
    Drop {
        /// The side of the drop.
        direction: Direction,
        /// Depth of the drop.
        drop: f64,
        /// Highest step that the agent climbs, in whole cells.
        climb: f64,
    },
    /// A neighbouring column has no ground at this height or below: it is the edge of the geometry.
    Void {
        /// The side without ground.
        direction: Direction,
    },
    /// The column is at the edge of the baked area.
    GridEdge {
        /// The side of the edge.
        direction: Direction,
    },
    /// The neighbouring floors differ by more than one step among themselves: steeper than a stair.
    Uneven {
        /// Difference between the highest and the lowest floor that the agent can step to.
        difference: f64,
        /// Highest step that the agent climbs, in whole cells.
        climb: f64,
    },
    /// The ceiling is too low for the agent.
    LowCeiling {
        /// Free space above the floor.
        clearance: f64,
        /// The height the agent needs, in whole cells.
        height: f64,
    },
    /// A wall or ledge is nearer than the agent's radius.
    Eroded {
        /// Distance to the border, counted from cell to cell.
        distance: f64,
        /// The agent's radius, in whole cells.
        radius: f64,
        /// The nearest place of the border, world metres.
        border: [f64; 3],
    },
    /// A volume made it unwalkable.
    Volume {
        /// Index of the volume in the settings, from 0.
        index: usize,
    },
    /// The floor is in the border of a tile: the mesh there belongs to the neighbouring tile.
    TileBorder,
    /// Its island is too small to keep.
    RegionTooSmall {
        /// Size of the island.
        area: f64,
        /// Area of the smallest island that is kept.
        minimum: f64,
    },
    /// The floor belongs to no region.
    NoRegion,
    /// The region's outline could not be made.
    NoContour {
        /// The region, from 1.
        region: u32,
    },
    /// The simplified outline of its region leaves it out.
    OutsidePolygons {
        /// Distance to the nearest polygon at this height; `None` without such a polygon.
        distance: Option<f64>,
        /// Largest distance between an outline and the region it encloses.
        contour_error: f64,
    },
}

/// The two numbers that decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The quantity: `slope`, `drop`, `clearance`.
    pub what: &'static str,
    /// The value found.
    pub found: f64,
    /// The limit it was compared with.
    pub limit: f64,
    /// `m`, `m2` or `degrees`.
    pub unit: &'static str,
    /// The setting that the limit comes from: `agent.slope`.
    pub setting: &'static str,
}

impl Cause {
    /// The stage that dropped the floor.
    pub fn stage(&self) -> StageId {
        self.stage_and_name().0
    }

    /// Short name for machines: `too_steep`.
    pub fn name(&self) -> &'static str {
        self.stage_and_name().1
    }

    fn stage_and_name(&self) -> (StageId, &'static str) {
        match self {
            Cause::TooSteep { .. } => (StageId::MarkWalkable, "too_steep"),
            Cause::LevelUnwalkable => (StageId::MarkWalkable, "level_unwalkable"),
            Cause::Drop { .. } => (StageId::FilterLedges, "ledge_drop"),
            Cause::Void { .. } => (StageId::FilterLedges, "ledge_void"),
            Cause::GridEdge { .. } => (StageId::FilterLedges, "ledge_grid_edge"),
            Cause::Uneven { .. } => (StageId::FilterLedges, "ledge_uneven"),
            Cause::LowCeiling { .. } => (StageId::FilterLowCeilings, "low_ceiling"),
            Cause::Eroded { .. } => (StageId::Erode, "eroded"),
            Cause::Volume { .. } => (StageId::MarkAreas, "volume"),
            Cause::TileBorder => (StageId::Regions, "tile_border"),
            Cause::RegionTooSmall { .. } => (StageId::Regions, "region_too_small"),
            Cause::NoRegion => (StageId::Regions, "no_region"),
            Cause::NoContour { .. } => (StageId::MergeHoles, "no_contour"),
            Cause::OutsidePolygons { .. } => (StageId::SimplifyContours, "outside_polygons"),
        }
    }

    /// The numbers that decided, if the cause has any.
    pub fn comparison(&self) -> Option<Comparison> {
        let (what, found, limit, unit, setting) = match *self {
            Cause::TooSteep { slope, limit, .. } => ("slope", slope, limit, "degrees", "agent.slope"),
            Cause::Drop { drop, climb, .. } => ("drop", drop, climb, "m", "agent.climb"),
            Cause::Uneven { difference, climb } => ("difference", difference, climb, "m", "agent.climb"),
            Cause::LowCeiling { clearance, height } => ("clearance", clearance, height, "m", "agent.height"),
            Cause::Eroded { distance, radius, .. } => {
                ("distance to border", distance, radius, "m", "agent.radius")
            }
            Cause::RegionTooSmall { area, minimum } => ("area", area, minimum, "m2", "regions.min_area"),
            Cause::OutsidePolygons { distance: Some(distance), contour_error } => {
                ("distance to polygon", distance, contour_error, "m", "contours.max_error")
            }
            _ => return None,
        };
        Some(Comparison { what, found, limit, unit, setting })
    }

    /// Advice: the change that would make the floor part of the mesh.
    pub fn remedy(&self) -> &'static str {
        match self {
            Cause::TooSteep { slope, .. } if *slope > 90.0 => {
                "flip the triangle if it should be a floor: its corners must run counter-clockwise seen from above"
            }
            Cause::TooSteep { .. } => "flatten the surface, or raise agent.slope",
            Cause::LevelUnwalkable => "give the triangles a walkable area",
            Cause::Drop { .. } | Cause::Uneven { .. } => "lower the step, or raise agent.climb",
            Cause::Void { .. } => {
                "close the gap in the geometry; the outermost cells of a floor are always dropped"
            }
            Cause::GridEdge { .. } => "enlarge the bounds; the outermost cells are always dropped",
            Cause::LowCeiling { .. } => "raise the ceiling, or lower agent.height",
            Cause::Eroded { .. } => "widen the passage, or lower agent.radius",
            Cause::Volume { .. } => "move the volume, or give it another area",
            Cause::TileBorder => "look in the neighbouring tile",
            Cause::RegionTooSmall { .. } => "enlarge or connect the surface, or lower regions.min_area",
            Cause::NoRegion | Cause::NoContour { .. } => {
                "try another partition; the warnings of the bake may say more"
            }
            Cause::OutsidePolygons { .. } => "lower contours.max_error, or choose smaller cells",
        }
    }
}

fn towards(direction: Direction) -> &'static str {
    match direction {
        Direction::XMin => "smaller x",
        Direction::ZMax => "larger z",
        Direction::XMax => "larger x",
        Direction::ZMin => "smaller z",
    }
}

/// Formats two numbers with enough decimals to show their difference, but at least `least`.
pub(super) fn distinct(found: f64, limit: f64, least: usize) -> [String; 2] {
    let texts = |decimals: usize| [found, limit].map(|number| format!("{number:.decimals$}"));
    // With more decimals the difference does not matter.
    (least..8).map(texts).find(|[found, limit]| found != limit).unwrap_or_else(|| texts(least))
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = if matches!(self, Cause::TooSteep { .. }) { 1 } else { 2 };
        let compared = self.comparison().map(|numbers| distinct(numbers.found, numbers.limit, decimals));
        let [found, limit] = compared.unwrap_or_default();
        match self {
            Cause::TooSteep { slope, step, climb, .. } => {
                write!(f, "too steep: {found} degrees, and the agent walks up to {limit}")?;
                match step {
                    // An underside is not a step, however low it is.
                    _ if *slope > 90.0 => {
                        write!(f, " (it faces down: an underside, or a reversed winding)")
                    }
                    Some(step) => {
                        let [step, climb] = distinct(*step, *climb, 2);
                        write!(f, "; too high for a step: {step} m, and the agent climbs {climb} m")
                    }
                    None => Ok(()),
                }
            }
            Cause::LevelUnwalkable => write!(f, "the level marks it as unwalkable"),
            Cause::Drop { direction, .. } => {
                let towards = towards(*direction);
                write!(
                    f,
                    "a ledge: the ground drops {found} m towards {towards}, and the agent climbs {limit} m"
                )
            }
            Cause::Void { direction } => {
                write!(f, "a ledge: there is no ground towards {}", towards(*direction))
            }
            Cause::GridEdge { direction } => {
                write!(f, "a ledge: the baked area ends towards {}", towards(*direction))
            }
            Cause::Uneven { .. } => write!(
                f,
                "a ledge: the floors around it differ by {found} m in height, and the agent climbs {limit} m"
            ),
            Cause::LowCeiling { .. } => {
                write!(f, "a low ceiling: there are {found} m of headroom, and the agent needs {limit} m")
            }
            Cause::Eroded { border: [x, y, z], .. } => write!(
                f,
                "too close to a wall or ledge: the nearest, at {x:.2}, {y:.2}, {z:.2}, is {found} m away, and the agent's \
                 radius is {limit} m"
            ),
            Cause::Volume { index } => write!(f, "volume {index} makes it unwalkable"),
            Cause::TileBorder => {
                write!(f, "it is in the tile's border: the mesh there belongs to the neighbouring tile")
            }
            Cause::RegionTooSmall { .. } => write!(
                f,
                "its island is too small: {found} m\u{b2}, and islands are kept from {limit} m\u{b2} on"
            ),
            Cause::NoRegion => write!(f, "it belongs to no region"),
            Cause::NoContour { region } => write!(f, "region {region} has no usable outline"),
            Cause::OutsidePolygons { distance: Some(distance), contour_error } => write!(
                f,
                "no polygon covers it: the nearest is {distance:.2} m away; outlines are simplified by up to \
                 {contour_error:.2} m"
            ),
            Cause::OutsidePolygons { distance: None, .. } => {
                write!(f, "no polygon covers it or is near it at this height")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_look_different() {
        assert_eq!(distinct(60.0, 45.0, 1), ["60.0", "45.0"]);
        assert_eq!(distinct(45.000_2, 45.0, 1), ["45.0002", "45.0000"]);
        assert_eq!(distinct(0.3, 0.3, 2), ["0.30", "0.30"]);
        let steep = Cause::TooSteep { slope: 45.03, limit: 45.0, step: None, climb: 0.8 };
        assert_eq!(steep.to_string(), "too steep: 45.03 degrees, and the agent walks up to 45.00");
    }
}
