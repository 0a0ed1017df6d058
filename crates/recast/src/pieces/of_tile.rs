//! The effects of pieces within one tile, its border included.

use super::Effect;
use super::footprint::{GroundMark, Prism, for_each_column};
use super::prepared::PreparedPiece;
use crate::area::AreaId;
use crate::data::Grid;
use crate::data::fragment::Fragment;
use crate::input::PreparedLevel;
use crate::settings::area_order::AreaOrder;
use crate::stage::rasterize::cut::{Lines, cut};
use crate::stage::rasterize::quantise;
use navmath::sort::SharedSort;

/// The effects of pieces within a tile.
pub(crate) struct TilePieces<'a> {
    /// Spans that solid pieces add, with their columns, sorted by these.
    pub(crate) spans: Vec<(u32, Fragment)>,
    /// Parts of the level that are removed, sorted by column.
    pub(crate) holes: Vec<ColumnHole>,
    /// Ground to be marked, in the order in which later ones win.
    pub(crate) marks: Vec<GroundMark<'a>>,
}

/// A range of cells that is removed from a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ColumnHole {
    pub(crate) column: u32,
    /// First cell, and the one behind the last.
    cells: [i32; 2],
    /// The rank of plain ground.
    ground: AreaId,
}

impl<'a> TilePieces<'a> {
    /// Those of `pieces` that reach a grid.
    pub(crate) fn new(
        pieces: &[&'a PreparedPiece],
        grid: &Grid,
        level: &PreparedLevel,
        order: &AreaOrder,
    ) -> TilePieces<'a> {
        let mut own = TilePieces { spans: Vec::new(), holes: Vec::new(), marks: Vec::new() };
        let mut lines = None;
        for piece in pieces.iter().filter(|piece| piece.reaches(grid)) {
            let mark = |area| piece.prisms.iter().map(move |prism| GroundMark { prism, area });
            match piece.effect {
                Effect::Solid { .. } => {
                    let lines = lines.get_or_insert_with(|| {
                        Lines::new(grid, level.lattice.cell_size).clipped(level.size[0], level.size[2])
                    });
                    add_solid(piece, grid, lines, order, &mut own.spans);
                }
                Effect::Blocks { .. } => own.marks.extend(mark(AreaId::NULL)),
                Effect::Marks { area, .. } => own.marks.extend(mark(area)),
                Effect::Removes => piece.prisms.iter().for_each(|prism| {
                    let ground = order.rank_of(AreaId::GROUND);
                    add_hole(prism, grid, level.lattice.cell_size, ground, &mut own.holes);
                }),
            }
        }
        own.spans.shared_sort();
        own.holes.shared_sort();
        // No ground at all wins over every area.
        own.marks.shared_sort_by_key(|mark| (!mark.area.is_walkable(), order.rank_of(mark.area)));
        own
    }
}

/// Adds the surface of a solid piece, and its inside if it has one. Above, nothing is cut off: a crate may stand on the
/// highest floor of the level.
fn add_solid(
    piece: &PreparedPiece,
    grid: &Grid,
    lines: &Lines,
    order: &AreaOrder,
    spans: &mut Vec<(u32, Fragment)>,
) {
    let first = spans.len();
    for (corners, area) in &piece.triangles {
        let rank = order.rank_of(*area);
        cut(corners, lines, |x, z, low, high| {
            if let Some((bottom, top)) = quantise(low, high, f32::INFINITY, grid.cell_height) {
                spans.push((grid.column(x, z) as u32, Fragment::new(bottom, top, rank)));
            }
        });
    }
    if piece.is_filled {
        spans[first..].shared_sort();
        let filled: Vec<(u32, Fragment)> = spans[first..]
            .chunk_by(|a, b| a.0 == b.0)
            .map(|column| {
                let bottom = column.iter().map(|(_, span)| span.bottom()).min().unwrap_or_default();
                let top = column.iter().map(|(_, span)| span.top()).max().unwrap_or_default();
                (column[0].0, Fragment::new(bottom, top, AreaId::NULL))
            })
            .collect();
        spans.extend(filled);
    }
}

fn add_hole(prism: &Prism, grid: &Grid, cell_size: f64, ground: AreaId, holes: &mut Vec<ColumnHole>) {
    let [first, last] = prism.heights;
    let cells = [first, last + 1].map(|cell| cell.clamp(0, i64::from(i32::MAX)) as i32);
    if cells[0] >= cells[1] {
        return;
    }
    for_each_column(prism, grid, cell_size, |column| holes.push(ColumnHole { column, cells, ground }));
}

impl ColumnHole {
    /// The parts of a range of heights that are left below and above it.
    pub(crate) fn left_of(&self, [bottom, top]: [i32; 2]) -> impl Iterator<Item = [i32; 2]> {
        let [first, end] = self.cells;
        let parts = [[bottom, top.min(first)], [bottom.max(end), top]];
        parts.into_iter().filter(|[bottom, top]| bottom < top)
    }

    /// Takes its range away from the spans of its column. The rest below it ends flat, and is ground.
    pub(crate) fn cut(&self, column: &mut Vec<Fragment>) {
        let [first, end] = self.cells;
        for index in (0..column.len()).rev() {
            let span = column[index];
            if span.top() <= first || span.bottom() >= end {
                continue;
            }
            let floor = if span.area().is_walkable() { span.area() } else { self.ground };
            let below = (span.bottom() < first).then(|| Fragment::new(span.bottom(), first, floor));
            let above = (span.top() > end).then(|| Fragment::new(end, span.top(), span.area()));
            match (below, above) {
                (None, None) => {
                    column.remove(index);
                }
                (Some(left), None) | (None, Some(left)) => column[index] = left,
                (Some(below), Some(above)) => {
                    column[index] = below;
                    column.push(above);
                }
            }
        }
    }
}
