//! The obstacles between two islands, measured along the cheapest path across. Cost: O(floors on the path x
//! triangles).

use super::Break;
use super::floors::{Fate, Floors};
use super::search::{Stand, headroom, step};
use super::width;
use crate::cause::distinct;
use crate::triangles;
use recast::Error;
use recast::PreparedLevel;
use std::fmt;
use std::ops::RangeInclusive;

/// Something that the agent cannot pass. Lengths are metres, slopes degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Obstacle {
    /// There is no ground between.
    Gap {
        /// Width of the gap.
        width: f64,
        /// Height of the far side above the near side.
        rise: f64,
        /// Start of the gap.
        place: [f64; 3],
    },
    /// A step, a ledge or a wall.
    Step {
        /// Its height.
        height: f64,
        /// Highest step the agent climbs, in whole cells.
        climb: f64,
        /// Its upper edge.
        place: [f64; 3],
    },
    /// The ground is too steep.
    Slope {
        /// Slope of the steepest part of the path.
        slope: f64,
        /// Steepest slope that the agent walks.
        limit: f64,
        /// Position of the steepest part.
        place: [f64; 3],
    },
    /// The ground faces down: its winding is reversed.
    FacesDown {
        /// Start of this ground.
        place: [f64; 3],
    },
    /// The level marks the ground as unwalkable.
    Unwalkable {
        /// Start of this ground.
        place: [f64; 3],
    },
    /// The ground rises by more than a step from cell to cell.
    Uneven {
        /// Difference between neighbouring floors.
        difference: f64,
        /// Highest step the agent climbs, in whole cells.
        climb: f64,
        /// Position of the difference.
        place: [f64; 3],
    },
    /// A volume makes the ground unwalkable: a closed door.
    Volume {
        /// Index of the volume in the settings, from 0.
        index: usize,
        /// Start of the volume on the path.
        place: [f64; 3],
    },
    /// The ceiling is too low.
    LowCeiling {
        /// Free height at the lowest part of the path.
        clearance: f64,
        /// The height the agent needs, in whole cells.
        height: f64,
        /// Position of the lowest part.
        place: [f64; 3],
    },
    /// The ground between is an island that is too small to keep.
    SmallIsland {
        /// The smallest area that is kept, m².
        minimum: f64,
        /// Position of the island.
        place: [f64; 3],
    },
    /// The passage is too narrow for the agent, or for the cells.
    Narrow {
        /// Half the width of the passage, measured on much smaller cells. If it is not less than the agent's
        /// radius, the bake's cells are too coarse for the passage.
        radius: f64,
        /// The agent's radius.
        needed: f64,
        /// The narrowest part.
        place: [f64; 3],
    },
    /// The ground is connected, but the outlines that were simplified are not.
    Outlines {
        /// Position where the mesh breaks off.
        place: [f64; 3],
    },
}

impl Obstacle {
    /// Short name for machines: `step`.
    pub fn name(&self) -> &'static str {
        match self {
            Obstacle::Gap { .. } => "gap",
            Obstacle::Step { .. } => "step",
            Obstacle::Slope { .. } => "slope",
            Obstacle::FacesDown { .. } => "faces_down",
            Obstacle::Unwalkable { .. } => "unwalkable",
            Obstacle::Uneven { .. } => "uneven",
            Obstacle::Volume { .. } => "volume",
            Obstacle::LowCeiling { .. } => "low_ceiling",
            Obstacle::SmallIsland { .. } => "small_island",
            Obstacle::Narrow { .. } => "narrow",
            Obstacle::Outlines { .. } => "outlines",
        }
    }

    /// Position of the obstacle, world metres.
    pub fn place(&self) -> [f64; 3] {
        match *self {
            Obstacle::Gap { place, .. }
            | Obstacle::Step { place, .. }
            | Obstacle::Slope { place, .. }
            | Obstacle::FacesDown { place }
            | Obstacle::Unwalkable { place }
            | Obstacle::Uneven { place, .. }
            | Obstacle::Volume { place, .. }
            | Obstacle::LowCeiling { place, .. }
            | Obstacle::SmallIsland { place, .. }
            | Obstacle::Narrow { place, .. }
            | Obstacle::Outlines { place } => place,
        }
    }

    /// The number found and the limit that it exceeds, if the obstacle has such numbers.
    pub fn numbers(&self) -> Option<[f64; 2]> {
        match *self {
            Obstacle::Step { height, climb, .. } => Some([height, climb]),
            Obstacle::Slope { slope, limit, .. } => Some([slope, limit]),
            Obstacle::Uneven { difference, climb, .. } => Some([difference, climb]),
            Obstacle::LowCeiling { clearance, height, .. } => Some([clearance, height]),
            Obstacle::Narrow { radius, needed, .. } => Some([radius, needed]),
            Obstacle::Gap { width, .. } => Some([width, 0.0]),
            _ => None,
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = |decimals: usize| {
            let [found, limit] = self.numbers().unwrap_or_default();
            distinct(found, limit, decimals)
        };
        match self {
            Obstacle::Gap { width, rise, .. } if rise.abs() < 0.005 => {
                write!(f, "a gap of {width:.2} m without ground")
            }
            Obstacle::Gap { width, rise, .. } => {
                let where_to = if *rise > 0.0 { "higher" } else { "lower" };
                write!(
                    f,
                    "a gap of {width:.2} m without ground; the far side is {:.2} m {where_to}",
                    rise.abs()
                )
            }
            Obstacle::Step { .. } => {
                let [height, climb] = texts(2);
                write!(f, "a step of {height} m, and the agent climbs {climb} m")
            }
            Obstacle::Slope { .. } => {
                let [slope, limit] = texts(1);
                write!(f, "a slope of {slope} degrees, and the agent walks up to {limit}")
            }
            Obstacle::FacesDown { .. } => {
                write!(f, "ground that faces down: its winding is reversed (--winding either)")
            }
            Obstacle::Unwalkable { .. } => write!(f, "ground that the level marks as unwalkable"),
            Obstacle::Uneven { .. } => {
                let [difference, climb] = texts(2);
                write!(
                    f,
                    "ground that differs by {difference} m from cell to cell, and the agent climbs {climb} m"
                )
            }
            Obstacle::Volume { index, .. } => write!(f, "volume {index}, which makes the ground unwalkable"),
            Obstacle::LowCeiling { .. } => {
                let [clearance, height] = texts(2);
                write!(f, "a ceiling with {clearance} m of headroom, and the agent needs {height} m")
            }
            Obstacle::SmallIsland { minimum, .. } => {
                write!(
                    f,
                    "an island that is too small to keep: islands are kept from {minimum:.2} m\u{b2} on"
                )
            }
            Obstacle::Narrow { radius, needed, .. } if radius >= needed => write!(
                f,
                "a passage for a radius of {radius:.2} m, wide enough for the agent's {needed:.2} m, but too narrow for cells \
                 of this size"
            ),
            Obstacle::Narrow { .. } => {
                let [radius, needed] = texts(2);
                write!(f, "a passage for a radius of {radius} m, but the agent's radius is {needed} m")
            }
            Obstacle::Outlines { .. } => {
                write!(f, "simplified outlines; the ground under them is connected")
            }
        }
    }
}

/// Measures the obstacles on a path.
pub(super) struct Surveyor<'a> {
    pub(super) level: &'a PreparedLevel,
    pub(super) floors: &'a Floors,
}

impl Surveyor<'_> {
    /// The breaks of a path: its parts off the mesh.
    ///
    /// # Errors
    /// The errors of the stages that measure a passage.
    pub(super) fn breaks(&self, way: &[Stand]) -> Result<Vec<Break>, Error> {
        let kept = |stand: &Stand| self.floors.fates[stand.span] == Fate::Kept;
        let mut breaks = Vec::new();
        let mut last = 0;
        for (index, stand) in way.iter().enumerate().skip(1) {
            if !kept(stand) {
                continue;
            }
            let part = &way[last..=index];
            let jump = index == last + 1 && !self.steps(part).is_empty();
            if index > last + 1 || jump {
                let ends = [part[0], *stand].map(|stand| self.place(stand));
                breaks.push(Break { ends, obstacles: self.obstacles(way, last..=index)? });
            }
            last = index;
        }
        if breaks.is_empty()
            && let Some(middle) = way.get(way.len() / 2)
        {
            let place = self.place(*middle);
            let ends = [way[0], way[way.len() - 1]].map(|stand| self.place(stand));
            breaks.push(Break { ends, obstacles: vec![Obstacle::Outlines { place }] });
        }
        Ok(breaks)
    }

    fn place(&self, stand: Stand) -> [f64; 3] {
        self.floors.place(stand.cell, stand.span)
    }

    /// The obstacles between the ends of a part of the path. The surroundings of a step or a gap are always
    /// eroded, so a passage counts as narrow only if there is no other obstacle.
    fn obstacles(&self, way: &[Stand], part: RangeInclusive<usize>) -> Result<Vec<Obstacle>, Error> {
        let (narrow, part) = (part.clone(), &way[part]);
        let mut found = self.steps(part);
        found.extend(self.slope(part));
        let inner = &part[1..part.len() - 1];
        let fate = |stand: &Stand| self.floors.fates[stand.span];
        let mut volumes: Vec<u32> = Vec::new();
        for stand in inner {
            if let Fate::Volume(index) = fate(stand)
                && !volumes.contains(&index)
            {
                volumes.push(index);
                found.push(Obstacle::Volume { index: index as usize, place: self.place(*stand) });
            }
        }
        if found.is_empty() {
            found.extend(self.uneven(inner));
        }
        if let Some(stand) = inner.iter().find(|stand| fate(stand) == Fate::Small) {
            let cell = self.floors.cell[0];
            let minimum = f64::from(self.level.config.region_min_cells) * cell * cell;
            found.push(Obstacle::SmallIsland { minimum, place: self.place(*stand) });
        }
        if found.is_empty() {
            found.extend(self.narrow(way, narrow)?);
        }
        if found.is_empty() {
            let place = self.place(part[part.len() / 2]);
            found.push(Obstacle::Outlines { place });
        }
        Ok(found)
    }

    /// Gaps, the highest step, and the lowest ceiling.
    fn steps(&self, part: &[Stand]) -> Vec<Obstacle> {
        let [height, climb, _] = self.floors.agent;
        let [metres, metres_up] = self.floors.cell;
        let rounded = self.level.config.rounded_headroom;
        let (mut found, mut highest, mut lowest) = (Vec::new(), None::<(i32, Stand)>, None::<(i32, Stand)>);
        for pair in part.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let [dx, dz] = [0, 1].map(|axis| f64::from(from.cell[axis].abs_diff(to.cell[axis])));
            let rise = step(self.floors, from, to);
            if dx + dz > 1.0 {
                // From edge to edge; the cells at both ends are ground.
                let width = ((dx * dx + dz * dz).sqrt() - 1.0) * metres;
                let rise = f64::from(rise) * metres_up;
                found.push(Obstacle::Gap { width, rise, place: self.place(from) });
                continue;
            }
            let upper = if rise > 0 { to } else { from };
            if rise.abs() > climb && highest.is_none_or(|known| known.0 < rise.abs()) {
                highest = Some((rise.abs(), upper));
            }
            let room = headroom(self.floors, from, to);
            if room < height && lowest.is_none_or(|known| room < known.0) {
                lowest = Some((room, to));
            }
        }
        found.extend(highest.map(|(cells, stand)| Obstacle::Step {
            height: f64::from(cells) * metres_up,
            climb: f64::from(climb) * metres_up,
            place: self.place(stand),
        }));
        found.extend(lowest.map(|(cells, stand)| Obstacle::LowCeiling {
            clearance: f64::from(cells + rounded) * metres_up,
            height: f64::from(height + rounded) * metres_up,
            place: self.place(stand),
        }));
        found
    }

    /// The steepest ground, and ground without an area.
    fn slope(&self, part: &[Stand]) -> Vec<Obstacle> {
        let limit = f64::from(self.level.config.walkable_slope);
        let (mut steepest, mut unwalkable, mut turned) = (None::<(f64, Stand)>, None, None);
        let lost = part.iter().filter(|stand| self.floors.fates[stand.span] == Fate::Unwalkable);
        for stand in lost {
            let top = self.floors.spans.max[stand.span];
            match triangles::flattest(self.level, self.floors.grid(), stand.cell, top) {
                Some(found) if found.is_within(limit) => {
                    unwalkable.get_or_insert(*stand);
                }
                Some(found) if found.faces_down(limit) => {
                    turned.get_or_insert(*stand);
                }
                // A wall is a step.
                Some(found) if found.slope < 89.0 && steepest.is_none_or(|known| known.0 < found.slope) => {
                    steepest = Some((found.slope, *stand));
                }
                _ => {}
            }
        }
        let slope = steepest.map(|(slope, stand)| Obstacle::Slope { slope, limit, place: self.place(stand) });
        let unwalkable = unwalkable.map(|stand| Obstacle::Unwalkable { place: self.place(stand) });
        let turned = turned.map(|stand| Obstacle::FacesDown { place: self.place(stand) });
        slope.into_iter().chain(unwalkable).chain(turned).collect()
    }

    fn uneven(&self, inner: &[Stand]) -> Option<Obstacle> {
        let cells = |stand: &Stand| match self.floors.fates[stand.span] {
            Fate::Ledge(Some(cells)) => Some((cells, *stand)),
            _ => None,
        };
        let (cells, stand) = inner.iter().filter_map(cells).max_by_key(|(cells, _)| *cells)?;
        let metres_up = self.floors.cell[1];
        Some(Obstacle::Uneven {
            difference: f64::from(cells) * metres_up,
            climb: f64::from(self.floors.agent[1]) * metres_up,
            place: self.place(stand),
        })
    }

    /// The narrowest part of the path.
    fn narrow(&self, way: &[Stand], part: RangeInclusive<usize>) -> Result<Option<Obstacle>, Error> {
        let distance = |stand: &Stand| match self.floors.fates[stand.span] {
            Fate::Eroded(distance) => Some((distance, *stand)),
            Fate::Ledge(_) => Some((0, *stand)),
            _ => None,
        };
        let inner = &way[part.start() + 1..*part.end()];
        let Some((distance, stand)) = inner.iter().filter_map(distance).min_by_key(|(distance, _)| *distance)
        else {
            return Ok(None);
        };
        let places: Vec<[f64; 3]> = way.iter().map(|stand| self.place(*stand)).collect();
        let rounded = f64::from(distance / 2) * self.floors.cell[0];
        let radius = width::measure(self.level, &places, self.place(stand))?.unwrap_or(rounded);
        let needed = self.level.config.settings.agent_radius;
        Ok(Some(Obstacle::Narrow { radius, needed, place: self.place(stand) }))
    }
}
