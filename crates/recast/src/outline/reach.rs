//! The lines near each floor. Each line is spread over the floors from the sides where it was found, one step
//! after the other away from it. So a floor knows a line if steps towards it lead to such a side: then both
//! tiles at a border agree, whatever is farther away.

use super::areas::AreaLines;
use super::lines::WallLines;
use super::pieces::Found;
use super::shape::Ruler;
use super::vector::{Plan, add, dot};
use crate::data::compact::state::Compacted;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR};
use crate::lists::bucket_sort;

/// Half the diagonal of a cell.
pub(super) const HALF_DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Finds the lines near each floor, and the square of the distance of the nearest one from the middle of its
/// cell; infinity if no line is near, and for floors that decide nothing. Lists the lines of the floors at
/// about the radius from the nearest line, and of those where lines were found: outlines are there.
pub(super) fn spread(
    field: &CompactField<Compacted>,
    middles: &Middles,
    found: Found,
    radius: f64,
) -> (WallLines, Vec<f32>) {
    let mut flood = Flood::new(field, middles, radius);
    // The start of each line's floors, and the end of the last line's.
    let mut starts = vec![0];
    for (number, line) in (0u32..).zip(&found.lines) {
        flood.spread(number, found.spans(number), &Ruler::new(&line.segment));
        starts.push(flood.spans.len());
    }
    let Flood { spans, mut least, mut is_found, .. } = flood;
    for span in (0..field.len()).filter(|span| !middles.decides(*span)) {
        (least[span], is_found[span]) = (f32::INFINITY, false);
    }
    let [nearest, farthest] =
        [-HALF_DIAGONAL, HALF_DIAGONAL].map(|beyond| (radius + beyond).max(0.0).powi(2));
    let is_listed = |span: u32| {
        let squared = f64::from(least[span as usize]);
        nearest <= squared && (squared < farthest || is_found[span as usize])
    };
    let known = (0u32..).zip(starts.array_windows()).flat_map(|(number, &[start, end])| {
        let spans = spans[start..end].iter().filter(|span| is_listed(**span));
        spans.map(move |&span| (span as usize, number))
    });
    let (mut first, mut listed) = (Vec::new(), Vec::new());
    bucket_sort(field.len(), known, &mut first, &mut listed);
    let [x, _, z] = field.grid.inner_base().map(|at| at as f64);
    let areas = AreaLines::default();
    (WallLines { radius, base: [x, z], lines: found.lines, first, listed, areas }, least)
}

/// All lines that each of some floors knows.
pub(super) fn known_lines(
    field: &CompactField<Compacted>,
    middles: &Middles,
    found: &Found,
    radius: f64,
    floors: &[usize],
) -> Vec<Vec<u32>> {
    let mut flood = Flood::new(field, middles, radius);
    let mut known = vec![Vec::new(); floors.len()];
    for (number, line) in (0u32..).zip(&found.lines) {
        flood.spread(number, found.spans(number), &Ruler::new(&line.segment));
        for (list, &floor) in known.iter_mut().zip(floors) {
            list.extend((flood.seen[floor] == number).then_some(number));
        }
    }
    known
}

/// Spreads lines over the floors near them.
struct Flood<'a> {
    field: &'a CompactField<Compacted>,
    middles: &'a Middles,
    farthest: f64,
    /// The floors that know each line, one line after the other.
    spans: Vec<u32>,
    /// The square of the distance of the nearest line from each floor.
    least: Vec<f32>,
    /// The last line that came to each floor.
    seen: Vec<u32>,
    /// True for floors where a line was found.
    is_found: Vec<bool>,
}

impl<'a> Flood<'a> {
    fn new(field: &'a CompactField<Compacted>, middles: &'a Middles, radius: f64) -> Flood<'a> {
        // Lines farther away shadow no place of a cell, and no gap over it ends at them.
        let farthest = radius + 3.0 * HALF_DIAGONAL;
        let count = field.len();
        let (least, seen) = (vec![f32::INFINITY; count], vec![u32::MAX; count]);
        Flood { field, middles, farthest, spans: Vec::new(), least, seen, is_found: vec![false; count] }
    }

    /// Spreads a line from the floors where it was found.
    fn spread(&mut self, number: u32, found_at: &[u32], ruler: &Ruler) {
        let Flood { field, middles, .. } = *self;
        let line = (number, ruler);
        let mut at = self.spans.len();
        for &span in found_at {
            self.is_found[span as usize] = true;
            self.visit(line, span, middles.of(span as usize), |_| true);
        }
        let found = self.spans.len();
        while let Some(&span) = self.spans.get(at) {
            let middle = middles.of(span as usize);
            // The end of a line may be at a corner, next to the floors where it was found.
            let is_found = at < found;
            for (direction, other) in Direction::ALL.into_iter().zip(field.neighbours.of(span as usize)) {
                let step = step(direction);
                let middle = add(middle, step);
                self.visit(line, other, middle, |way| is_found || dot(way, step) < -0.5);
                if is_found && other != NO_NEIGHBOUR {
                    let around = field.neighbours.of(other as usize);
                    for turn in [direction.next(), direction.previous()] {
                        self.visit(line, around[turn as usize], add(middle, self::step(turn)), |_| true);
                    }
                }
            }
            at += 1;
        }
    }

    /// Lets a floor know a line if it is near and `accepts` the way to it.
    #[inline]
    fn visit(
        &mut self,
        (number, ruler): (u32, &Ruler),
        span: u32,
        middle: Plan,
        accepts: impl FnOnce(Plan) -> bool,
    ) {
        if span == NO_NEIGHBOUR || self.seen[span as usize] == number {
            return;
        }
        let way = ruler.way(middle);
        let squared = dot(way, way);
        if squared <= self.farthest * self.farthest && accepts(way) {
            self.seen[span as usize] = number;
            self.spans.push(span);
            let least = &mut self.least[span as usize];
            *least = least.min(squared as f32);
        }
    }
}

/// The step in a direction.
fn step(direction: Direction) -> Plan {
    let (x, z) = direction.offset();
    [f64::from(x), f64::from(z)]
}

/// The middles of the cells of all floors.
pub(super) struct Middles {
    base: [i32; 2],
    /// The columns and rows of the tile, and those next to it.
    inner: [[u16; 2]; 2],
    cells: Vec<[u16; 2]>,
}

impl Middles {
    pub(super) fn new(field: &CompactField<Compacted>) -> Middles {
        let grid = &field.grid;
        let mut cells = Vec::with_capacity(field.len());
        field.for_each_span(|x, z, _| cells.push([x as u16, z as u16]));
        let beyond = grid.border.saturating_sub(1);
        let inner = [grid.width, grid.depth].map(|size| [beyond as u16, (size - beyond) as u16]);
        Middles { base: [grid.base_x, grid.base_z], inner, cells }
    }

    /// The middle of the cell of a floor, cells from the zero of the lattice.
    #[inline]
    pub(super) fn of(&self, span: usize) -> Plan {
        [0, 1].map(|axis| f64::from(self.base[axis] + i32::from(self.cells[span][axis])) + 0.5)
    }

    /// Returns true if a floor is in the tile or next to it: what is farther away decides nothing.
    #[inline]
    pub(super) fn decides(&self, span: usize) -> bool {
        [0, 1]
            .into_iter()
            .all(|axis| (self.inner[axis][0]..self.inner[axis][1]).contains(&self.cells[span][axis]))
    }
}
