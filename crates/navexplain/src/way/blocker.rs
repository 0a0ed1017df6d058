//! The blockers between two islands, measured along the cheapest path across. Cost: O(floors on the path x
//! triangles).

use super::Break;
use super::floors::{Fate, Floors};
use super::search::{Stand, headroom, step};
use super::width::{Narrowest, Passage};
use crate::triangles;
use navlinks::{Reason, ReasonCode};
use recast::Error;
use recast::PreparedLevel;

/// A passage is looked for at most this far from a path that leads over a wall, metres.
const ASIDE: f64 = 12.0;

/// Measures the blockers on a path.
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
            let jump = index == last + 1 && (self.has_closed(part) || !self.steps(part).is_empty());
            if index > last + 1 || jump {
                let ends = [part[0], *stand].map(|stand| self.place(stand));
                breaks.push(Break { ends, blockers: self.blockers(part)? });
            }
            last = index;
        }
        if breaks.is_empty()
            && let Some(middle) = way.get(way.len() / 2)
        {
            let place = self.place(*middle);
            let ends = [way[0], way[way.len() - 1]].map(|stand| self.place(stand));
            breaks.push(Break { ends, blockers: vec![Reason::from(ReasonCode::Outlines).at(place)] });
        }
        Ok(breaks)
    }

    fn place(&self, stand: Stand) -> [f64; 3] {
        self.floors.place(stand.cell, stand.span)
    }

    /// The blockers between the ends of a part of the path. The surroundings of a step or a gap are always
    /// eroded, so a passage counts as narrow only if there is no other blocker.
    fn blockers(&self, part: &[Stand]) -> Result<Vec<Reason>, Error> {
        let mut found = self.steps(part);
        // The path leads over or around a wall if a passage through it has no floor on the cells of the bake.
        let height = self.level.config.settings.agent_height;
        let is_around = |reason: &Reason| match reason.code {
            ReasonCode::Step => reason.found >= Some(height),
            code => matches!(code, ReasonCode::Gap(_)),
        };
        if found.iter().any(is_around)
            && let Some(narrow) = self.narrow(part, ASIDE)?
        {
            return Ok(vec![narrow]);
        }
        found.extend(self.slope(part));
        let inner = &part[1..part.len() - 1];
        let fate = |stand: &Stand| self.floors.fates[stand.span];
        let mut volumes: Vec<u32> = Vec::new();
        for stand in inner {
            if let Fate::Volume(index) = fate(stand)
                && !volumes.contains(&index)
            {
                volumes.push(index);
                let count = self.level.config.settings.volumes.len();
                let volume = Reason::from(ReasonCode::Volume(index as usize, count));
                found.push(volume.at(self.place(*stand)));
            }
        }
        if found.is_empty() {
            found.extend(self.uneven(inner));
        }
        let is_eroded = |stand: &Stand| matches!(fate(stand), Fate::Eroded(_) | Fate::Ledge(_));
        let has_narrow = found.is_empty() && (self.has_closed(part) || inner.iter().any(is_eroded));
        let narrow = if has_narrow { self.narrow(part, 0.0)? } else { None };
        // An island in a passage belongs to it.
        if narrow.is_none()
            && let Some(stand) = inner.iter().find(|stand| fate(stand) == Fate::Small)
        {
            let cell = self.floors.cell[0];
            let limit = Some(f64::from(self.level.config.region_min_cells) * cell * cell);
            let island = Reason { limit, ..ReasonCode::RegionTooSmall.into() };
            found.push(island.at(self.place(*stand)));
        }
        found.extend(narrow);
        if found.is_empty() {
            found.push(Reason::from(ReasonCode::Outlines).at(self.place(part[part.len() / 2])));
        }
        Ok(found)
    }

    /// Gaps, the highest step, and the lowest ceiling.
    fn steps(&self, part: &[Stand]) -> Vec<Reason> {
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
                found.push(Reason::compared(ReasonCode::Gap(rise), width, 0.0).at(self.place(from)));
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
        let compared = |code, cells: [i32; 2], stand| {
            let [found, limit] = cells.map(|cells| f64::from(cells) * metres_up);
            Reason::compared(code, found, limit).at(self.place(stand))
        };
        found.extend(highest.map(|(cells, stand)| compared(ReasonCode::Step, [cells, climb], stand)));
        found.extend(lowest.map(|(cells, stand)| {
            compared(ReasonCode::LowCeiling, [cells, height].map(|cells| cells + rounded), stand)
        }));
        found
    }

    /// The steepest ground, and ground without an area.
    fn slope(&self, part: &[Stand]) -> Vec<Reason> {
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
                    turned.get_or_insert((found.slope, *stand));
                }
                // A wall is a step.
                Some(found) if found.slope < 89.0 && steepest.is_none_or(|known| known.0 < found.slope) => {
                    steepest = Some((found.slope, *stand));
                }
                _ => {}
            }
        }
        let compared = |code, (slope, stand)| Reason::compared(code, slope, limit).at(self.place(stand));
        let slope = steepest.map(|steepest| compared(ReasonCode::TooSteep(None), steepest));
        let unwalkable = unwalkable.map(|stand| Reason::from(ReasonCode::Unwalkable).at(self.place(stand)));
        let turned = turned.map(|turned| compared(ReasonCode::FacesDown, turned));
        slope.into_iter().chain(unwalkable).chain(turned).collect()
    }

    fn uneven(&self, inner: &[Stand]) -> Option<Reason> {
        let cells = |stand: &Stand| match self.floors.fates[stand.span] {
            Fate::Ledge(Some(cells)) => Some((cells, *stand)),
            _ => None,
        };
        let (cells, stand) = inner.iter().filter_map(cells).max_by_key(|(cells, _)| *cells)?;
        let [found, limit] =
            [cells, self.floors.agent[1]].map(|cells| f64::from(cells) * self.floors.cell[1]);
        Some(Reason::compared(ReasonCode::Uneven, found, limit).at(self.place(stand)))
    }

    /// The passage at most `aside`, in metres, from a part of the path.
    fn narrow(&self, part: &[Stand], aside: f64) -> Result<Option<Reason>, Error> {
        let needed = self.level.config.settings.agent_radius;
        let narrowest = Passage::new(self.level, self.floors, part, aside).narrowest()?;
        let reason =
            |found: Narrowest| Reason::compared(ReasonCode::Narrow, found.radius, needed).at(found.place);
        Ok(narrowest.map(reason))
    }

    /// Returns true if a part of the path leads over a step that erosion closed.
    fn has_closed(&self, part: &[Stand]) -> bool {
        part.array_windows().any(|[from, to]| self.floors.is_closed(from.span, to.span))
    }
}
