//! Area lines: the lines between walkable triangles of two areas.
//!
//! A cell takes its area from one of its triangles, so a traced outline makes stairs along such a line. Its
//! corners move onto the line. Lines are found from the triangles on both sides of them. So both regions at a
//! line know the same lines near a corner, and so do both tiles at a border.

use super::shape::LineSegment;
use super::vector::{Plan, add, length, scale, sub, unit};
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, Grid};
use crate::lists::bucket_sort;
use navtile::area::AreaId;
use std::cmp::Ordering;

/// A corner moves onto a line nearer than this, cells. A triangle may give its area to all columns that it
/// reaches.
const FARTHEST: f64 = 1.5;
/// On a tile's border, a corner moves to a line nearer than this, cells. No other corner is that near.
const HALF: f64 = 0.5;
/// On a tile's border, a corner moves to a line nearer than this if no other corner can, cells.
const FARTHEST_ALONG: f64 = 31.0 / 32.0;
/// A place on a line moves on to a corner of the line if that is nearer than this, cells.
const CORNER: f64 = 1.0;
/// A column lists the lines this near, cells: those that its corners move onto, and those that continue them.
pub(super) const KNOWN: i32 = 3;
/// Another line continues a line if it passes the place this far behind its end, cells.
const BEHIND: f64 = 1.0 / 16.0;
/// Places nearer to each other than this are the same, cells.
const SAME: f64 = 1.0 / 256.0;

/// A line between two areas.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AreaLine {
    pub(super) segment: LineSegment,
    /// Heights of the two ends of the whole segment, cells.
    pub(super) heights: [f64; 2],
    /// The smaller number first.
    pub(super) areas: [AreaId; 2],
}

impl AreaLine {
    /// Orders lines by areas, then by place.
    fn order(&self, other: &AreaLine) -> Ordering {
        let numbers = |line: &AreaLine| {
            let LineSegment { a, b, range } = line.segment;
            [a, b, range, line.heights]
        };
        let (own, others) = (numbers(self), numbers(other));
        let mut places = own.as_flattened().iter().zip(others.as_flattened()).map(|(a, b)| a.total_cmp(b));
        let place = || places.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        self.areas.cmp(&other.areas).then_with(place)
    }
}

/// The lines between areas in a tile.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AreaLines {
    /// Sorted, so that their order depends on nothing else.
    lines: Vec<AreaLine>,
    /// The start of each column's list, and the end of the last list. Empty if there are no lines.
    first: Vec<u32>,
    listed: Vec<u32>,
    /// The largest difference in height between a line and a floor whose cell it passes, cells.
    reach: f64,
}

/// The columns that have a step from a floor of one area to a floor of another.
pub(super) struct MixedColumns {
    /// The first column of the grid.
    base: [i32; 2],
    size: [i32; 2],
    is_mixed: Vec<bool>,
    /// For each column, the number of them that come before it along both axes.
    before: Vec<u32>,
}

impl AreaLines {
    /// Lists the lines by the columns near them. A line counts for floors that differ from it in height by at
    /// most `reach`.
    pub(super) fn new(mut lines: Vec<AreaLine>, mixed: &MixedColumns, reach: f64) -> AreaLines {
        lines.sort_unstable_by(AreaLine::order);
        lines.dedup();
        let mut found = AreaLines { lines, reach, ..AreaLines::default() };
        found.list(mixed);
        found
    }

    /// Lists the lines near each mixed column.
    fn list(&mut self, mixed: &MixedColumns) {
        let known = (0u32..)
            .zip(&self.lines)
            .flat_map(|(number, line)| mixed.near(&line.segment).map(move |column| (column, number)));
        bucket_sort(mixed.is_mixed.len(), known, &mut self.first, &mut self.listed);
    }

    /// Their memory, bytes.
    pub(super) fn memory(&self) -> usize {
        let lists = size_of_val(self.first.as_slice()) + size_of_val(self.listed.as_slice());
        size_of_val(self.lines.as_slice()) + lists
    }

    /// The place that a traced corner moves to, on the line between two areas. With an axis, the corner moves
    /// along it only. Where more than two areas meet, it moves to the end of their lines. `None` if no line
    /// is near enough.
    pub(super) fn place(
        &self,
        corner: Plan,
        field: &CompactField<Eroded>,
        floors: &[usize],
        axis: Option<usize>,
    ) -> Option<Plan> {
        if self.lines.is_empty() {
            return None;
        }
        let known = || floors.iter().copied().filter(|&span| field.area[span].is_walkable());
        let mut around: Vec<AreaId> = known().map(|span| field.area[span]).collect();
        around.sort_unstable();
        around.dedup();
        if around.len() < 2 {
            return None;
        }
        let highest = known().map(|span| field.floor[span]).max()?;
        let mut near: Vec<u32> =
            known().flat_map(|span| self.near(field.offsets.column_of(span))).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|&line| {
            let AreaLine { segment, heights: [from, to], areas } = &self.lines[line as usize];
            let height = from + (to - from) * segment.nearest(corner).share;
            areas.iter().all(|area| around.contains(area))
                && (height - f64::from(highest)).abs() <= self.reach
        });
        match (around.len(), axis) {
            (2, Some(axis)) => {
                self.along(corner, axis, &near, |ahead| is_plain(corner, field, floors, (axis, ahead)))
            }
            (2, None) => self.on_line(corner, &near),
            (_, Some(_)) => None,
            (_, None) => self.meeting(corner, &near),
        }
    }

    /// The numbers of the lines near a column.
    fn near(&self, column: usize) -> &[u32] {
        &self.listed[self.first[column] as usize..self.first[column + 1] as usize]
    }

    fn segments<'a>(&'a self, near: &'a [u32]) -> impl Iterator<Item = &'a LineSegment> {
        near.iter().map(|&line| &self.lines[line as usize].segment)
    }

    /// The place along an axis where a line passes. `is_plain` says whether all ground around the next corner
    /// along the axis has one area: the corner ahead if true, the corner back if false.
    fn along(
        &self,
        corner: Plan,
        axis: usize,
        near: &[u32],
        is_plain: impl Fn(bool) -> bool,
    ) -> Option<Plan> {
        let places = self.segments(near).filter_map(|line| line.crossing_at(1 - axis, corner[1 - axis]));
        let place = nearest_to(corner, places, FARTHEST_ALONG)?;
        let off = place[axis] - corner[axis];
        (off.abs() < HALF || is_plain(off > 0.0)).then_some(place)
    }

    fn on_line(&self, corner: Plan, near: &[u32]) -> Option<Plan> {
        let place = nearest_to(corner, self.segments(near).map(|line| line.nearest(corner).place), FARTHEST)?;
        // Corners of lines are measured from the place on the line. So places stay in the order of the traced
        // corners.
        let ends = self.segments(near).flat_map(|line| {
            let [a, b] = line.ends();
            [[a, b], [b, a]]
        });
        let ends = ends.filter(|[end, _]| length(sub(*end, place)) < CORNER);
        let is_corner = |[end, from]: &[Plan; 2]| {
            unit(sub(*end, *from)).is_some_and(|way| {
                let behind = add(*end, scale(way, BEHIND));
                !self.segments(near).any(|line| line.nearest(behind).squared < SAME * SAME)
            })
        };
        let corners = ends.filter(is_corner).map(|[end, _]| end);
        Some(nearest_to(place, corners, f64::INFINITY).unwrap_or(place))
    }

    /// The nearest of the ends of lines that a line between other areas passes.
    fn meeting(&self, corner: Plan, near: &[u32]) -> Option<Plan> {
        let ends = near.iter().flat_map(|&line| {
            let line = &self.lines[line as usize];
            line.segment.ends().map(|end| (line.areas, end))
        });
        let meets = |(areas, end): &([AreaId; 2], Plan)| {
            near.iter()
                .map(|&line| &self.lines[line as usize])
                .any(|other| other.areas != *areas && other.segment.nearest(*end).squared < SAME * SAME)
        };
        nearest_to(corner, ends.filter(meets).map(|(_, end)| end), FARTHEST)
    }
}

/// Returns true if all ground around the next corner along an axis, ahead or back, has one area.
fn is_plain(
    corner: Plan,
    field: &CompactField<Eroded>,
    floors: &[usize],
    (axis, ahead): (usize, bool),
) -> bool {
    let grid = &field.grid;
    let direction = match (axis, ahead) {
        (0, false) => Direction::XMin,
        (0, true) => Direction::XMax,
        (_, false) => Direction::ZMin,
        (_, true) => Direction::ZMax,
    };
    let is_beside = |span: usize| {
        let column = field.offsets.column_of(span) as u32;
        let at = [column % grid.width, column / grid.width][axis] as i32 + [grid.base_x, grid.base_z][axis];
        (f64::from(at) > corner[axis] - HALF) == ahead
    };
    let beside: Vec<usize> = floors.iter().copied().filter(|&span| is_beside(span)).collect();
    let [one, two] = beside[..] else { return false };
    let [Some(behind_one), Some(behind_two)] = [one, two].map(|span| field.neighbour(span, direction)) else {
        return false;
    };
    let area = field.area[one];
    area.is_walkable() && [two, behind_one, behind_two].iter().all(|&span| field.area[span] == area)
}

/// The place nearest to another one, if it is nearer than `farthest`.
pub(super) fn nearest_to(to: Plan, places: impl Iterator<Item = Plan>, farthest: f64) -> Option<Plan> {
    let apart = |place: Plan| length(sub(place, to));
    places.min_by(|one, two| apart(*one).total_cmp(&apart(*two))).filter(|&place| apart(place) < farthest)
}

impl MixedColumns {
    /// Finds the mixed columns; `None` if there are none.
    pub(super) fn new(field: &CompactField<Eroded>) -> Option<MixedColumns> {
        let Grid { base_x, base_z, width, depth, .. } = field.grid;
        // Most levels have one area.
        let first = field.area.iter().find(|area| area.is_walkable())?;
        if !field.area.iter().any(|area| area.is_walkable() && area != first) {
            return None;
        }
        let mut is_mixed = vec![false; field.grid.columns()];
        field.for_each_span(|x, z, span| {
            let own = field.area[span];
            let differs = |direction: Direction| {
                let other = field.neighbour(span, direction).map(|other| field.area[other]);
                other.is_some_and(|other| other.is_walkable() && other != own)
            };
            if own.is_walkable() && Direction::ALL.into_iter().any(differs) {
                is_mixed[field.grid.column(x, z)] = true;
            }
        });
        if !is_mixed.contains(&true) {
            return None;
        }
        let row = width as usize + 1;
        let mut before = vec![0; row * (depth as usize + 1)];
        for (z, mixed) in is_mixed.chunks(width.max(1) as usize).enumerate() {
            let mut in_row = 0;
            for (x, mixed) in mixed.iter().enumerate() {
                in_row += u32::from(*mixed);
                before[(z + 1) * row + x + 1] = before[z * row + x + 1] + in_row;
            }
        }
        Some(MixedColumns { base: [base_x, base_z], size: [width as i32, depth as i32], is_mixed, before })
    }

    /// The columns at most `by` cells from a rectangle: along both axes, the first one and the one after the
    /// last.
    fn columns(&self, low: Plan, high: Plan, by: i32) -> [[usize; 2]; 2] {
        let clip = |axis: usize, place: f64, by: i32| {
            (place.floor() as i32)
                .saturating_add(by)
                .saturating_sub(self.base[axis])
                .clamp(0, self.size[axis]) as usize
        };
        [[0, 1].map(|axis| clip(axis, low[axis], -by)), [0, 1].map(|axis| clip(axis, high[axis], by + 1))]
    }

    /// Returns true if a mixed column is at most `by` cells from a rectangle.
    pub(super) fn has_near(&self, low: Plan, high: Plan, by: i32) -> bool {
        let [[left, back], [right, front]] = self.columns(low, high, by);
        let at = |x: usize, z: usize| self.before[z * (self.size[0] as usize + 1) + x];
        at(right, front) + at(left, back) > at(left, front) + at(right, back)
    }

    /// The mixed columns near a segment.
    fn near(&self, segment: &LineSegment) -> impl Iterator<Item = usize> + Clone {
        let [a, b] = segment.ends();
        let [low, high] =
            [f64::min, f64::max].map(|of: fn(f64, f64) -> f64| [of(a[0], b[0]), of(a[1], b[1])]);
        let [[left, back], [right, front]] = self.columns(low, high, KNOWN);
        let by = f64::from(KNOWN);
        let segment = *segment;
        let is_near = move |x: usize, z: usize| {
            let cell = [x as i32 + self.base[0], z as i32 + self.base[1]].map(f64::from);
            segment.within([cell[0] - by, cell[1] - by], [cell[0] + by + 1.0, cell[1] + by + 1.0]).is_some()
        };
        (back..front)
            .flat_map(move |z| (left..right).map(move |x| (x, z)))
            .filter(move |&(x, z)| self.is_mixed[z * self.size[0] as usize + x] && is_near(x, z))
            .map(|(x, z)| z * self.size[0] as usize + x)
    }
}
