//! Changes that would join two places, each proven by a bake. Cost: one bake for each change that is tried.

use super::{Break, Found};
use navlinks::ReasonCode;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use navtile::connection::OffMeshConnection;
use recast::Error;
use recast::Observer;
use recast::Outlines;
use recast::PreparedLevel;
use recast::Scratch;
use recast::bake_solo;
use recast::settings::{Settings, Value};

/// A change of the settings of a bake.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A setting, by its path in [`recast::SETTINGS`], and its new value.
    Setting {
        /// `agent.climb`.
        path: &'static str,
        /// The new value, in the setting's unit.
        value: f64,
    },
    /// A setting that has names for its values, by its path in [`recast::SETTINGS`], and the new name.
    Choice {
        /// `outlines`.
        path: &'static str,
        /// `exact`.
        name: &'static str,
    },
    /// Makes a one-way off-mesh connection lead both ways.
    BothWays {
        /// Its index in the settings, from 0.
        index: usize,
    },
    /// Removes a volume.
    NoVolume {
        /// Its index in the settings, from 0.
        index: usize,
    },
    /// Adds an off-mesh connection that leads both ways.
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
    /// Of several volumes, remove the last one first, because the indices after a removed volume shift.
    pub fn apply(&self, settings: &mut Settings) {
        match *self {
            Change::Setting { path, value } => set(settings, path, Value::Number(value)),
            Change::Choice { path, name } => set(settings, path, Value::Choice(name)),
            Change::BothWays { index } => {
                if let Some(connection) = settings.off_mesh_connections.get_mut(index) {
                    connection.both_ways = true;
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

/// The change to exact outlines.
pub(crate) fn exact_outlines() -> Change {
    Change::Choice { path: "outlines", name: Outlines::Exact.name() }
}

/// Sets a setting by its path. Changes name settings and values that exist.
fn set(settings: &mut Settings, path: &str, value: Value) {
    if let Some(setting) = recast::settings::find(path) {
        (setting.set)(settings, value);
    }
}

/// The first of some lists of changes that helps. No list is tried twice.
pub(crate) fn first_that(
    attempts: impl IntoIterator<Item = Vec<Change>>,
    mut helps: impl FnMut(&[Change]) -> Result<bool, Error>,
) -> Result<Option<Vec<Change>>, Error> {
    let mut tried: Vec<Vec<Change>> = Vec::new();
    for attempt in attempts {
        if attempt.is_empty() || tried.contains(&attempt) {
            continue;
        }
        if helps(&attempt)? {
            return Ok(Some(attempt));
        }
        tried.push(attempt);
    }
    Ok(None)
}

/// Bakes with changes to find out if they join two places.
pub(super) struct Proof<'a> {
    pub(super) level: &'a PreparedLevel,
    pub(super) ends: [[f64; 3]; 2],
    pub(super) observer: &'a dyn Observer,
    pub(super) scratch: &'a mut Scratch,
}

impl Proof<'_> {
    /// The one-way off-mesh connection that has to lead both ways, or all one-way connections.
    pub(super) fn both_ways(&mut self) -> Result<Option<Vec<Change>>, Error> {
        let connections = self.level.config.settings.off_mesh_connections.iter().enumerate();
        let one_way = connections.filter(|(_, connection)| !connection.both_ways);
        let all: Vec<Change> = one_way.map(|(index, _)| Change::BothWays { index }).collect();
        first_that(all.iter().map(|&change| vec![change]).chain([all.clone()]), |changes| self.joins(changes))
    }

    /// The smallest changes of settings that join the places. Tries exact outlines and then smaller cells if
    /// all passages are wide enough, then the changes that the blockers ask for, then also smaller islands,
    /// then a smaller radius.
    pub(super) fn settings(&mut self, breaks: &[Break]) -> Result<Option<Vec<Change>>, Error> {
        let Some(WantedChanges { changes, passage }) = WantedChanges::new(breaks) else { return Ok(None) };
        let with = |more: &[Change]| [&changes[..], more].concat();
        let Settings { cell_size: cell, agent_radius: agent, outlines, .. } = self.level.config.settings;
        let narrower = |radius: f64, cell: f64| {
            [("agent.radius", rounded(radius)), ("cell_size", rounded(cell))]
                .map(|(path, value)| Change::Setting { path, value })
        };
        let (mut attempts, mut fitting, mut wanted) = (Vec::new(), Vec::new(), changes.clone());
        if let Some(passage) = passage {
            let finer = [2.0, 3.0, 4.0].map(|parts| cell / parts);
            if passage + RIGHT_TO >= agent {
                // Exact outlines cost less than smaller cells. Cells of half the radius resolve all passages.
                if outlines == Outlines::Cells {
                    let exact = exact_outlines();
                    attempts.push(with(&[exact]));
                    attempts.push(with(&[exact, narrower(agent, cell.min(0.5 * agent))[1]]));
                }
                attempts.extend(finer.map(|cell| with(&narrower(agent, cell)[1..])));
            }
            wanted = with(&narrower(passage.min(agent - cell).max(0.0), cell));
            if outlines == Outlines::Exact {
                let fitting = (passage / RIGHT_TO).floor();
                let radii = [fitting, (fitting - 1.0).max(0.0)].map(|radius| radius * RIGHT_TO);
                attempts.extend(radii.map(|radius| with(&narrower(radius, cell.min(0.5 * radius)))));
            }
            // With outlines along the cells, rounding narrows a passage by up to a cell and a half on each
            // side.
            let radius = |cell: f64| ((passage / cell - 1.5).floor() * cell).min(agent);
            let fits = finer.into_iter().filter(|cell| radius(*cell) > 0.0);
            fitting.extend(fits.map(|cell| with(&narrower(radius(cell), cell))));
        }
        let small = Change::Setting { path: "regions.min_area", value: 0.0 };
        let close = Change::Setting { path: "contours.max_error", value: cell * 0.5 };
        let more = [vec![], vec![small], vec![close], vec![small, close]];
        attempts.extend(more.map(|more| [&wanted[..], &more].concat()));
        attempts.extend(fitting);
        let radii = (0..self.level.config.walkable_radius).rev();
        let radii = radii.map(|cells| f64::from(cells) * self.level.lattice.cell_size);
        attempts.extend(radii.map(|radius| with(&narrower(radius, cell))));
        first_that(attempts, |changes| self.joins(changes))
    }

    /// Off-mesh connections over all breaks.
    pub(super) fn connections(&mut self, breaks: &[Break]) -> Result<Option<Vec<Change>>, Error> {
        let radius = self.level.config.settings.agent_radius.max(self.level.lattice.cell_size);
        let connection = |each: &Break| Change::Connection { start: each.ends[0], end: each.ends[1], radius };
        let all: Vec<Change> = breaks.iter().map(connection).collect();
        Ok(if !all.is_empty() && self.joins(&all)? { Some(all) } else { None })
    }

    fn joins(&mut self, changes: &[Change]) -> Result<bool, Error> {
        let mut settings = self.level.config.settings.clone();
        changes.iter().for_each(|change| change.apply(&mut settings));
        // Settings that contradict each other, such as a climb above the height, are no remedy.
        if settings.validate().is_err() {
            return Ok(false);
        }
        let level = self.level.with_cells(&settings)?;
        // Cells that are too small for this level are no remedy.
        if u64::from(level.size[0]) * u64::from(level.size[2]) > MOST_COLUMNS {
            return Ok(false);
        }
        let baked = bake_solo(&level, self.observer, self.scratch)?;
        Ok(Found::new(&level, &baked, self.ends).joined)
    }
}

/// The changes that blockers ask for.
struct WantedChanges {
    changes: Vec<Change>,
    /// The largest radius that fits through all passages, metres, if any of them is too narrow.
    passage: Option<f64>,
}

impl WantedChanges {
    /// `None` if no setting helps against one of the blockers.
    fn new(breaks: &[Break]) -> Option<WantedChanges> {
        let (mut climb, mut slope, mut height) = (0.0f64, 0.0f64, f64::INFINITY);
        let (mut volumes, mut small, mut passage) = (Vec::new(), false, f64::INFINITY);
        for blocker in breaks.iter().flat_map(|each| &each.blockers) {
            let found = blocker.found.unwrap_or_default();
            match blocker.code {
                ReasonCode::Gap(_) | ReasonCode::Unwalkable | ReasonCode::FacesDown => return None,
                ReasonCode::Step | ReasonCode::Uneven => climb = climb.max(found),
                ReasonCode::TooSteep(_) => slope = slope.max((found * 10.0).ceil() / 10.0),
                ReasonCode::LowCeiling => height = height.min(found),
                ReasonCode::Volume(index, _) => volumes.push(index),
                ReasonCode::RegionTooSmall => small = true,
                ReasonCode::Narrow => passage = passage.min(found),
                _ => {}
            }
        }
        let setting = |path: &'static str, value: f64| Change::Setting { path, value: rounded(value) };
        let mut changes = Vec::new();
        changes.extend((climb > 0.0).then(|| setting("agent.climb", climb)));
        changes.extend((slope > 0.0).then(|| setting("agent.slope", slope)));
        changes.extend(height.is_finite().then(|| setting("agent.height", height)));
        changes.extend(small.then(|| setting("regions.min_area", 0.0)));
        volumes.shared_sort_by(|a, b| b.cmp(a));
        volumes.dedup();
        changes.extend(volumes.into_iter().map(|index| Change::NoVolume { index }));
        Some(WantedChanges { changes, passage: passage.is_finite().then_some(passage) })
    }
}

/// Passages are measured as exactly as this, metres.
const RIGHT_TO: f64 = 0.01;

/// Columns of the largest level that a remedy is tried on.
const MOST_COLUMNS: u64 = 1 << 25;

/// Rounds off the noise of a product.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
