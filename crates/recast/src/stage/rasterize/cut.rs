//! Cutting a triangle into rows and columns, always from its original edges.

use super::lines::{LANES, Lines, least, most};
use super::slices::{Lanes, Parts, Polygon, Slices};
use crate::area::AreaId;
use wide::f32x4;

/// Cuts triangles into rows, and rows into columns.
#[derive(Default)]
pub(crate) struct RowCutter {
    /// Lowest and highest corner of a wide part, by column; in the end lowest and highest of all.
    low: Vec<f32>,
    high: Vec<f32>,
    /// Lowest and highest point of its edges, by line.
    line_low: Vec<f32>,
    line_high: Vec<f32>,
    /// What [`RowCutter::cut_slice`] has cut.
    pieces: Vec<Piece>,
}

/// The part of a triangle within columns side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) first: u32,
    /// The columns that there are; what is said of further ones is of no use.
    pub(super) count: u32,
    /// Lowest and highest point within each column.
    pub(super) low: Lanes,
    pub(super) high: Lanes,
    pub(super) area: AreaId,
}

/// The part of a triangle within many columns from `first` on, with its lowest and highest point in each.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) first: usize,
    pub(super) low: &'a [f32],
    pub(super) high: &'a [f32],
}

/// Columns up to which every edge is held against every line.
const FEW_COLUMNS: usize = 20;

impl RowCutter {
    /// Calls `emit` with (column, lowest, highest) for each column of the grid that the triangle reaches
    /// within `row`, which is one of those that it reaches.
    pub(crate) fn cut(
        &mut self,
        corners: &[[f32; 3]; 3],
        row: u32,
        lines: &Lines,
        mut emit: impl FnMut(u32, f32, f32),
    ) {
        let mut slices = Slices::default();
        slices.set(0, corners, row, lines);
        self.cut_slice(&mut slices, row, lines, &mut emit);
    }

    /// As [`RowCutter::cut`], for row after row of one triangle.
    pub(crate) fn cut_slice(
        &mut self,
        slices: &mut Slices,
        row: u32,
        lines: &Lines,
        mut emit: impl FnMut(u32, f32, f32),
    ) {
        let mut parts = Parts::default();
        slices.next(row, lines, &mut parts);
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.clear();
        if let Some(run) = self.cut_pieces(&parts, 0, slices.is_flat(0), lines, AreaId::NULL, &mut pieces) {
            for (column, (&low, &high)) in (run.first as u32..).zip(run.low.iter().zip(run.high)) {
                emit(column, low, high);
            }
        }
        for piece in &pieces {
            let heights = piece.low.iter().zip(&piece.high).take(piece.count as usize);
            for (column, (&low, &high)) in (piece.first..).zip(heights) {
                emit(column, low, high);
            }
        }
        self.pieces = pieces;
    }

    /// The columns of the grid that one of some parts reaches: adds them to `pieces` if they are few. `is_flat` says that
    /// its triangle is.
    #[inline(always)]
    pub(super) fn cut_pieces(
        &mut self,
        parts: &Parts,
        place: usize,
        is_flat: bool,
        lines: &Lines,
        area: AreaId,
        pieces: &mut Vec<Piece>,
    ) -> Option<Run<'_>> {
        let (first, last) = parts.columns(place, lines);
        let filled = lines.filled_columns();
        let (start, end) = (first.max(filled.0), last.min(filled.1));
        if start > end {
            return None;
        }
        let (start, count) = (start as usize, (end - start + 1) as usize);
        let piece = |step: usize| {
            let left = (count - step).min(LANES);
            Piece {
                first: (start + step) as u32,
                count: left as u32,
                low: [0.0; LANES],
                high: [0.0; LANES],
                area,
            }
        };
        if is_flat || first == last {
            let (low, high) = parts.heights(place);
            for step in (0..count).step_by(LANES) {
                pieces.push(Piece { low: [low; LANES], high: [high; LANES], ..piece(step) });
            }
        } else if count <= FEW_COLUMNS {
            let is_clipped = first < filled.0;
            if parts.has_middle(place) {
                few::<5>(parts, place, is_clipped, count, piece, lines, pieces);
            } else {
                few::<4>(parts, place, is_clipped, count, piece, lines, pieces);
            }
        } else {
            self.gather(&parts.polygon(place), start, count, lines);
            return Some(Run { first: start, low: &self.low[..count], high: &self.high[..count] });
        }
        None
    }

    /// Finds the lowest and highest point of a part in each of many columns.
    #[inline(never)]
    fn gather(&mut self, polygon: &Polygon, start: usize, count: usize, lines: &Lines) {
        let size = count + LANES;
        if self.low.len() < size {
            for values in [&mut self.low, &mut self.high, &mut self.line_low, &mut self.line_high] {
                values.resize(2 * size, 0.0);
            }
        }
        let (low, high) = (&mut self.low[..count], &mut self.high[..count]);
        let (line_low, line_high) = (&mut self.line_low[..=count], &mut self.line_high[..=count]);
        low.fill(f32::INFINITY);
        high.fill(f32::NEG_INFINITY);
        line_low.fill(f32::INFINITY);
        line_high.fill(f32::NEG_INFINITY);
        gather(polygon, start, lines, [low, high, line_low, line_high]);
        // A column reaches from one of its lines to the other, so these are all that can be its extremes.
        for ((low, &a), &b) in low.iter_mut().zip(&line_low[..count]).zip(&line_low[1..]) {
            *low = least(*low, least(a, b));
        }
        for ((high, &a), &b) in high.iter_mut().zip(&line_high[..count]).zip(&line_high[1..]) {
            *high = most(*high, most(a, b));
        }
    }
}

/// Adds the pieces of a part of `N` corners that reaches few columns; `is_clipped` if it begins before the first of them.
#[inline(always)]
fn few<const N: usize>(
    parts: &Parts,
    place: usize,
    is_clipped: bool,
    count: usize,
    piece: impl Fn(usize) -> Piece,
    lines: &Lines,
    pieces: &mut Vec<Piece>,
) {
    // Lowest and highest point on the line before the columns, the latter negated.
    let mut line = [f32::INFINITY; 2];
    if is_clipped {
        let first = lines.lines_from(piece(0).first as usize)[0];
        let extent = parts.on_lines::<N>(place, f32x4::splat(first));
        line = [extent.low.to_array()[0], extent.negated_high.to_array()[0]];
    }
    for step in (0..count).step_by(LANES) {
        let piece = piece(step);
        let lines = &lines.lines_from(piece.first as usize)[..LANES + 1];
        let [before, after] = [0, 1].map(|first| f32x4::new(std::array::from_fn(|lane| lines[first + lane])));
        let corners = parts.corners_within::<N>(place, before, after);
        let on_after = parts.on_lines::<N>(place, after);
        let all = |corners: f32x4, after: f32x4, line: &mut f32| -> f32x4 {
            let [a, b, c, d] = after.to_array();
            let before = f32x4::new([*line, a, b, c]);
            *line = d;
            corners.fast_min(before.fast_min(after))
        };
        let low = all(corners.low, on_after.low, &mut line[0]);
        let negated_high = all(corners.negated_high, on_after.negated_high, &mut line[1]);
        let high = negated_high ^ f32x4::splat(-0.0);
        pieces.push(Piece { low: low.to_array(), high: high.to_array(), ..piece });
    }
}

/// Lowest and highest corner of a part within each column from `first` on, and lowest and highest point of its edges on
/// each line beside and between them.
#[inline]
fn gather(polygon: &Polygon, first: usize, lines: &Lines, [low, high, line_low, line_high]: [&mut [f32]; 4]) {
    let columns = &lines.lines_from(first)[..line_low.len()];
    // Among these lines alone: how many lie before a point, and how many before it or on it.
    let places = polygon.x.map(|x| {
        let (before, upto) = lines.place(x);
        let here = |place: i32| (i64::from(place) - first as i64).clamp(0, columns.len() as i64) as usize;
        (here(before), here(upto))
    });
    let mut touch = |column: usize, height: f32| {
        if let (Some(low), Some(high)) = (low.get_mut(column), high.get_mut(column)) {
            *low = least(*low, height);
            *high = most(*high, height);
        }
    };
    let point = |index: usize| (polygon.x[index], polygon.y[index], places[index]);
    let mut last = point(polygon.x.len() - 1);
    for index in 0..polygon.x.len() {
        let point = point(index);
        let (x, y, (before, upto)) = point;
        touch(before.wrapping_sub(1), y);
        if upto > before {
            touch(before, y);
        }
        let (from, to) = if last.0 <= x { (last, point) } else { (point, last) };
        last = point;
        let range = from.2.1..to.2.0;
        if range.is_empty() {
            continue;
        }
        let (rise, run) = (to.1 - from.1, to.0 - from.0);
        let values = line_low[range.clone()].iter_mut().zip(&mut line_high[range.clone()]);
        for ((low, high), &x) in values.zip(&columns[range]) {
            let height = from.1 + rise * ((x - from.0) / run);
            *low = least(*low, height);
            *high = most(*high, height);
        }
    }
}

#[cfg(test)]
mod tests;
