//! Changes that would join two places, each proven by a bake. Cost: one bake for each that is tried.

use super::{Break, Found, Obstacle};
use crate::build::bake_solo;
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::observer::Observer;
use crate::scratch::Scratch;
use crate::settings::Settings;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use navtile::connection::OffMeshConnection;

/// A change of the settings of a bake.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A setting, by its path in [`crate::SETTINGS`], and the value that it would have.
    Setting {
        /// `agent.climb`.
        path: &'static str,
        /// The new value, in the setting's unit.
        value: f64,
    },
    /// A volume goes.
    NoVolume {
        /// Its index in the settings, from 0.
        index: usize,
    },
    /// A new off-mesh connection, both ways.
    Connection {
        /// World metres.
        start: [f64; 3],
        /// World metres.
        end: [f64; 3],
        /// Its radius, metres.
        radius: f64,
    },
}

impl Change {
    /// Makes the change.
    ///
    /// Of several volumes the last must go first, as their indices move up.
    pub fn apply(&self, settings: &mut Settings) {
        match *self {
            Change::Setting { path, value } => {
                if let Some(setting) = crate::settings::find(path) {
                    (setting.set)(settings, crate::settings::Value::Number(value));
                }
            }
            Change::NoVolume { index } => {
                if index < settings.volumes.len() {
                    settings.volumes.remove(index);
                }
            }
            Change::Connection { start, end, radius } => {
                settings.off_mesh_connections.push(OffMeshConnection {
                    start,
                    end,
                    radius,
                    both_ways: true,
                    area: AreaId::GROUND,
                    flags: None,
                    user_id: 0,
                    along: [0.0; 2],
                })
            }
        }
    }
}

/// Bakes with changes, to see whether they join two places.
pub(super) struct Proof<'a> {
    pub(super) level: &'a PreparedLevel,
    pub(super) ends: [[f64; 3]; 2],
    pub(super) observer: &'a dyn Observer,
    pub(super) scratch: &'a mut Scratch,
}

impl Proof<'_> {
    /// The smallest changes of settings that join the places: those that the obstacles ask for, then with smaller
    /// islands, then with a smaller radius.
    pub(super) fn settings(&mut self, breaks: &[Break]) -> Result<Option<Vec<Change>>, Error> {
        let Some(wanted) = self.wanted(breaks) else { return Ok(None) };
        let radius = f64::from(self.level.config.walkable_radius);
        let narrower = (0..self.level.config.walkable_radius)
            .rev()
            .map(|cells| self.narrower(f64::from(cells) * self.level.lattice.cell_size));
        let small = Change::Setting { path: "regions.min_area", value: 0.0 };
        let fine =
            Change::Setting { path: "contours.max_error", value: self.level.config.settings.cell_size * 0.5 };
        let mut attempts = vec![wanted.clone()];
        attempts
            .extend([vec![small], vec![fine], vec![small, fine]].map(|more| [&wanted[..], &more].concat()));
        if radius > 0.0 {
            attempts.extend(narrower.map(|narrower| [&wanted[..], &narrower].concat()));
        }
        for attempt in attempts {
            if !attempt.is_empty() && self.joins(&attempt)? {
                return Ok(Some(attempt));
            }
        }
        Ok(None)
    }

    /// Off-mesh connections over all breaks.
    pub(super) fn connections(&mut self, breaks: &[Break]) -> Result<Option<Vec<Change>>, Error> {
        let radius = self.level.config.settings.agent_radius.max(self.level.lattice.cell_size);
        let connection = |each: &Break| Change::Connection { start: each.ends[0], end: each.ends[1], radius };
        let all: Vec<Change> = breaks.iter().map(connection).collect();
        Ok(if !all.is_empty() && self.joins(&all)? { Some(all) } else { None })
    }

    /// The changes that the obstacles ask for; `None` if no setting helps against one of them.
    fn wanted(&self, breaks: &[Break]) -> Option<Vec<Change>> {
        let (mut climb, mut slope, mut height) = (0.0f64, 0.0f64, f64::INFINITY);
        let (mut volumes, mut small, mut radius) = (Vec::new(), false, f64::INFINITY);
        for obstacle in breaks.iter().flat_map(|each| &each.obstacles) {
            match *obstacle {
                Obstacle::Gap { .. } | Obstacle::Unwalkable { .. } => return None,
                Obstacle::Step { height, .. } => climb = climb.max(height),
                Obstacle::Uneven { difference, .. } => climb = climb.max(difference),
                // A tenth of a degree more, as the slope must be less than the limit.
                Obstacle::Slope { slope: found, .. } => slope = slope.max((found * 10.0).ceil() / 10.0 + 0.1),
                Obstacle::LowCeiling { clearance, .. } => height = height.min(clearance),
                Obstacle::Volume { index, .. } => volumes.push(index),
                Obstacle::SmallIsland { .. } => small = true,
                Obstacle::Narrow { radius: found, .. } => radius = radius.min(found),
                Obstacle::Outlines { .. } => {}
            }
        }
        let setting = |path: &'static str, value: f64| Change::Setting { path, value: rounded(value) };
        let mut changes = Vec::new();
        changes.extend((climb > 0.0).then(|| setting("agent.climb", climb)));
        changes.extend((slope > 0.0).then(|| setting("agent.slope", slope)));
        changes.extend(height.is_finite().then(|| setting("agent.height", height)));
        changes.extend(radius.is_finite().then(|| self.narrower(radius)).into_iter().flatten());
        changes.extend(small.then(|| setting("regions.min_area", 0.0)));
        volumes.shared_sort_by(|a, b| b.cmp(a));
        volumes.dedup();
        changes.extend(volumes.into_iter().map(|index| Change::NoVolume { index }));
        Some(changes)
    }

    /// A smaller radius with the same cells, which otherwise might follow it.
    fn narrower(&self, radius: f64) -> [Change; 2] {
        let cell = self.level.config.settings.cell_size;
        [("agent.radius", rounded(radius)), ("cell_size", cell)]
            .map(|(path, value)| Change::Setting { path, value })
    }

    fn joins(&mut self, changes: &[Change]) -> Result<bool, Error> {
        let mut settings = self.level.config.settings.clone();
        changes.iter().for_each(|change| change.apply(&mut settings));
        // Settings that contradict each other, such as a climb above the height, are no remedy.
        if settings.validate().is_err() {
            return Ok(false);
        }
        let level = self.level.with_settings(&settings)?;
        let baked = bake_solo(&level, self.observer, self.scratch)?;
        Ok(Found::new(&level, &baked, self.ends).joined)
    }
}

/// Without the noise of products.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
