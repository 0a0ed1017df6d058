//! Erodes by exact distances: keeps the floors that have a place for an agent in their cell.
//!
//! A floor is kept if a side of its cell has a place farther than the radius from all wall lines. A cell that
//! only touches the line at the radius has no ground. Two places in one cell may be on the two sides of a gap
//! that is too narrow. So a floor is dropped if the shortest line between two wall lines leads over its cell
//! and is shorter than the agent is wide: no agent passes there.

use super::area_search::find_area_lines;
use super::find::find;
use super::lines::{WallLine, WallLines};
use super::reach::{HALF_DIAGONAL, Middles, spread};
use super::shadows::{ROOM, free_width};
use super::shape::{LineSegment, Nearest};
use super::steps::close_steps;
use super::vector::{Plan, dot, sub};
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};
use crate::error::Error;
use crate::settings::Config;
use crate::source::Source;
use crate::stage::Context;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// The agent's radius, cells, not rounded. Cells of at most half of it resolve all passages.
    pub radius: f64,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { radius: config.settings.agent_radius / f64::from(config.cell_size) }
    }
}

/// Makes all ground unwalkable that is nearer to a wall line than the radius. `areas` has the area of each
/// triangle of the source.
///
/// # Errors
/// None: the type is that of all stages.
pub fn erode(
    (mut field, source, areas): (CompactField<Compacted>, Source<'_>, &[AreaId]),
    params: &Params,
    _: &mut Context,
) -> Result<(CompactField<Eroded>, WallLines), Error> {
    let found = find(&field, source, areas);
    let middles = Middles::new(&field);
    let (mut lines, least) = spread(&field, &middles, found, params.radius);
    let [nearest, farthest] =
        [-HALF_DIAGONAL, HALF_DIAGONAL].map(|beyond| (params.radius + beyond).max(0.0).powi(2));
    let mut near = Near::new(params);
    for (span, area) in field.area.iter_mut().enumerate() {
        let squared = f64::from(least[span]);
        if squared >= farthest {
            continue;
        }
        let middle = middles.of(span);
        if squared < nearest || !near.collect(middle, &lines.lines, lines.near(span)).is_kept() {
            *area = AreaId::NULL;
        }
    }
    drop(middles);
    let mut field = field.into_state();
    close_steps(&mut field, &lines, |span| f64::from(least[span]) < farthest);
    lines.areas = find_area_lines(&field, source, areas);
    Ok((field, lines))
}

/// Lines count in a square window around a cell. Half of its side is larger than the radius by this, cells.
const WINDOW: f64 = 1.5;

/// The lines near a cell.
pub(super) struct Near {
    radius: f64,
    middle: Plan,
    /// Each line, and its point nearest to the middle.
    lines: Vec<(LineSegment, Nearest)>,
    shadows: Vec<[f64; 2]>,
}

impl Near {
    pub(super) fn new(params: &Params) -> Near {
        Near { radius: params.radius + ROOM, middle: [0.0; 2], lines: Vec::new(), shadows: Vec::new() }
    }

    /// Takes the parts of lines in a window, which all tiles with the cell know. Parts of one segment that
    /// overlap become one line, because the cuts of a segment depend on what is far away.
    pub(super) fn collect(&mut self, middle: Plan, lines: &[WallLine], listed: &[u32]) -> &mut Near {
        self.middle = middle;
        self.lines.clear();
        let [low, high] = [-1.0, 1.0].map(|sign| middle.map(|at| at + sign * (self.radius + WINDOW)));
        for &line in listed {
            let whole = lines[line as usize].segment;
            let Some(range) = whole.within(low, high) else { continue };
            let segment = LineSegment { range, ..whole };
            let nearest = segment.nearest(middle);
            match self.lines.last_mut() {
                Some((known, known_nearest)) if known.overlaps(&segment) => {
                    known.range[1] = known.range[1].max(range[1]);
                    if nearest.squared < known_nearest.squared {
                        *known_nearest = nearest;
                    }
                }
                _ => self.lines.push((segment, nearest)),
            }
        }
        self
    }

    /// Returns true if an agent has a place in the cell.
    pub(super) fn is_kept(&mut self) -> bool {
        let is_free = self.lines.iter().all(|(_, nearest)| nearest.squared >= self.radius * self.radius);
        (is_free || self.has_free_side()) && self.gap().is_none()
    }

    /// Returns true if a side of the cell has a place outside of all shadows.
    fn has_free_side(&mut self) -> bool {
        let Near { radius, middle, lines, shadows } = self;
        let farthest = *radius + HALF_DIAGONAL;
        (0..4).any(|side| {
            let (axis, offset) = (side & 1, f64::from(side as u32 & 2) * 0.5 - 0.5);
            let across = middle[1 - axis] + offset;
            let shading = lines.iter().filter(|(_, nearest)| nearest.squared < farthest * farthest);
            shadows.clear();
            shadows.extend(shading.filter_map(|(segment, _)| segment.shadow(axis, across, *radius)));
            free_width([middle[axis] - 0.5, middle[axis] + 0.5], shadows).is_some()
        })
    }

    /// The ends of the shortest line between two wall lines, if it leads over the cell and is shorter than
    /// the agent is wide.
    pub(super) fn gap(&mut self) -> Option<[Plan; 2]> {
        let Near { radius, middle, lines, .. } = self;
        let width = 2.0 * (*radius - ROOM);
        // Lines equally near stay in the order of their places, which is the same in all tiles.
        lines.sort_by(|(_, one), (_, two)| one.squared.total_cmp(&two.squared));
        let low = middle.map(|at| at - 0.5);
        lines.iter().enumerate().find_map(|(index, (one, to_one))| {
            // A gap over the cell comes near to its middle.
            let farthest = (width + 2.0 * HALF_DIAGONAL - to_one.squared.sqrt()).max(0.0);
            let others = lines[index + 1..].iter().take_while(|(_, two)| two.squared <= farthest * farthest);
            others.into_iter().find_map(|(two, to_two)| {
                if dot(sub(to_one.place, *middle), sub(to_two.place, *middle)) >= 0.0 {
                    return None;
                }
                let [from, to] = one.bridge(two)?;
                let across = sub(to, from);
                let is_gap = dot(across, across) < width * width
                    && LineSegment::new(from, to).within(low, low.map(|at| at + 1.0)).is_some();
                is_gap.then_some([from, to])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: f64 = 0.3;
    const RADIUS: f64 = 0.6 / CELL;
    /// Rows and columns of cells around the doorway.
    const SIDE: usize = 24;

    /// The walls on both sides of a doorway along x, one cell thick, turned by a direction of length 1.
    fn doorway(width: f64, direction: Plan, place: Plan) -> Vec<WallLine> {
        let turned = |[x, z]: Plan| {
            [place[0] + x * direction[0] - z * direction[1], place[1] + x * direction[1] + z * direction[0]]
        };
        let mut lines = Vec::new();
        for [from, to] in [[-40.0, -0.5 * width], [0.5 * width, 40.0]] {
            let corners = [[from, -0.5], [to, -0.5], [to, 0.5], [from, 0.5]].map(turned);
            for corner in 0..4 {
                let segment = LineSegment::new(corners[corner], corners[(corner + 1) % 4]);
                lines.push(WallLine { segment, exact: true });
            }
        }
        lines
    }

    /// Returns true if kept cells connect the two sides of the doorway.
    fn is_open(lines: &[WallLine]) -> bool {
        let listed: Vec<u32> = (0..lines.len() as u32).collect();
        let mut near = Near::new(&Params { radius: RADIUS });
        let kept: Vec<bool> = (0..SIDE * SIDE)
            .map(|cell| {
                let middle = [cell % SIDE, cell / SIDE].map(|at| at as f64 + 0.5 - SIDE as f64 / 2.0);
                near.collect(middle, lines, &listed).is_kept()
            })
            .collect();
        assert!(kept[0] && kept[SIDE * SIDE - 1]);
        let mut seen = vec![false; SIDE * SIDE];
        let mut queue = vec![0];
        while let Some(cell) = queue.pop() {
            if !kept[cell] || std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            let (x, z) = (cell % SIDE, cell / SIDE);
            queue.extend((x > 0).then(|| cell - 1));
            queue.extend((x + 1 < SIDE).then(|| cell + 1));
            queue.extend((z > 0).then(|| cell - SIDE));
            queue.extend((z + 1 < SIDE).then(|| cell + SIDE));
        }
        seen[SIDE * SIDE - 1]
    }

    #[test]
    fn doorways_are_open_if_the_agent_fits() {
        for direction in [[1.0, 0.0], [0.8, 0.6], [0.96, -0.28]] {
            for place in [[0.0, 0.0], [0.25, 0.5], [0.6, 0.1], [0.9, 0.8]] {
                for (wider, open) in [(0.02, true), (-0.02, false)] {
                    let lines = doorway(2.0 * RADIUS + wider / CELL, direction, place);
                    assert_eq!(is_open(&lines), open, "{direction:?} {place:?} {wider}");
                }
            }
        }
    }
}
