//! Pieces of wall lines as seen from single sides of floors, joined to whole lines.

use super::lines::WallLine;
use super::shape::LineSegment;
use super::vector::{Plan, cross, dot, sub};
use crate::lists::bucket_sort;
use std::cmp::Ordering;

/// A segment. Pieces of it may be wall lines.
#[derive(Clone, Copy)]
pub(super) struct Base {
    pub(super) line: WallLine,
    /// The obstacle on one side of it; `None` for a segment by itself.
    pub(super) obstacle: Option<Obstacle>,
}

/// The part of a triangle that is an obstacle for agents on a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Obstacle {
    /// Height of the floor, cells.
    pub(super) floor: i32,
    /// True if it is to the left of the segment.
    pub(super) is_left: bool,
}

impl Obstacle {
    /// Returns true if a cell is on the side of the obstacle as a whole: other sides of it are nearer.
    pub(super) fn hides(&self, segment: &LineSegment, middle: Plan) -> bool {
        let along = sub(segment.b, segment.a);
        let across = cross(along, sub(middle, segment.a));
        (across > 0.0) == self.is_left && 2.0 * across * across > dot(along, along)
    }
}

/// The part of a segment near sides of floors of one height.
#[derive(Clone, Copy)]
struct Piece {
    /// The segment, by number.
    base: u32,
    /// Height of the floors, cells.
    floor: i32,
    /// Parts of its length.
    range: [f64; 2],
}

/// No number of a segment, piece or line.
const NONE: u32 = u32::MAX;

/// Collects the pieces of a tile.
#[derive(Default)]
pub(super) struct Pieces {
    bases: Vec<Base>,
    /// The last piece of each segment.
    last: Vec<u32>,
    pieces: Vec<Piece>,
    /// Pieces by number, each with a floor where it was found.
    found_at: Vec<[u32; 2]>,
}

/// The lines of a tile, and the floors on whose sides each was found.
#[derive(Default)]
pub(super) struct Found {
    /// In an order that depends on their places only; no two are equal.
    pub(super) lines: Vec<WallLine>,
    /// The start of the list of floors of each line, and the end of the last.
    first: Vec<u32>,
    spans: Vec<u32>,
}

impl Found {
    /// The spans of the floors on whose sides a line was found; some more than once.
    pub(super) fn spans(&self, line: u32) -> &[u32] {
        &self.spans[self.first[line as usize] as usize..self.first[line as usize + 1] as usize]
    }
}

/// The pieces of one segment that overlap, and the height of their floors.
struct JoinedPieces {
    range: [f64; 2],
    floor: i32,
    /// The number of its line.
    line: u32,
}

impl Base {
    /// A segment that comes from a triangle.
    pub(super) fn exact(segment: LineSegment) -> Base {
        Base { line: WallLine { segment, exact: true }, obstacle: None }
    }

    /// A side of a cell.
    pub(super) fn side(segment: LineSegment) -> Base {
        Base { line: WallLine { segment, exact: false }, obstacle: None }
    }

    /// Orders segments by place, whatever their ranges.
    fn by_place(&self, other: &Base) -> Ordering {
        let numbers = |base: &Base| {
            let LineSegment { a: [ax, az], b: [bx, bz], .. } = base.line.segment;
            [ax, az, bx, bz]
        };
        let places = numbers(self).into_iter().zip(numbers(other)).map(|(a, b)| a.total_cmp(&b));
        let place = || places.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        self.line.exact.cmp(&other.line.exact).then_with(place)
    }
}

impl Pieces {
    /// Adds a segment. Pieces of it may follow.
    pub(super) fn add_base(&mut self, base: Base) -> u32 {
        self.bases.push(base);
        self.last.push(NONE);
        self.bases.len() as u32 - 1
    }

    /// Adds the part of a segment that was found at the side of a floor.
    pub(super) fn add(&mut self, base: u32, range: [f64; 2], floor: i32, span: u32) {
        let last = &mut self.last[base as usize];
        match self.pieces.get_mut(*last as usize) {
            Some(known)
                if known.floor == floor && known.range[0] <= range[1] && range[0] <= known.range[1] =>
            {
                known.range = [known.range[0].min(range[0]), known.range[1].max(range[1])];
            }
            _ => {
                *last = self.pieces.len() as u32;
                self.pieces.push(Piece { base, floor, range });
            }
        }
        if self.found_at.last() != Some(&[*last, span]) {
            self.found_at.push([*last, span]);
        }
    }

    /// Sorts the segments by place and gives equal ones one number: triangles of one wall have the same line.
    /// Drops those inside of an obstacle: triangles on both sides of them are obstacles on the same floor.
    fn share_bases(&mut self) {
        let mut order: Vec<u32> = (0..self.bases.len() as u32).collect();
        let base = |number: &u32| &self.bases[*number as usize];
        order.sort_unstable_by(|one, two| {
            base(one).by_place(base(two)).then_with(|| base(one).obstacle.cmp(&base(two).obstacle))
        });
        let mut shared = std::mem::take(&mut self.last);
        shared.fill(NONE);
        let mut bases: Vec<Base> = Vec::new();
        for equal in order.chunk_by(|one, two| base(one).by_place(base(two)).is_eq()) {
            for numbers in equal.chunk_by(|one, two| {
                let floor = |number| base(number).obstacle.map(|obstacle| obstacle.floor);
                floor(one) == floor(two)
            }) {
                let is_left = |number: Option<&u32>| {
                    number.and_then(|number| base(number).obstacle).map(|it| it.is_left)
                };
                if is_left(numbers.first()) == is_left(numbers.last()) {
                    numbers.iter().for_each(|&number| shared[number as usize] = bases.len() as u32);
                }
            }
            bases.push(*base(&equal[0]));
        }
        self.pieces.iter_mut().for_each(|piece| piece.base = shared[piece.base as usize]);
        self.bases = bases;
    }

    /// Joins the pieces of each segment that overlap and are at one height. Pieces of other heights stay
    /// apart, so that no line depends on what is far away along it.
    pub(super) fn join(mut self) -> Found {
        self.share_bases();
        let Pieces { bases, pieces, found_at, .. } = self;
        let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
        order.retain(|&piece| pieces[piece as usize].base != NONE);
        order.sort_unstable_by(|one, two| {
            let [one, two] = [one, two].map(|&piece| &pieces[piece as usize]);
            let place = |(one, two): (&f64, &f64)| one.total_cmp(two);
            let range =
                place((&one.range[0], &two.range[0])).then_with(|| place((&one.range[1], &two.range[1])));
            one.base.cmp(&two.base).then(one.floor.cmp(&two.floor)).then(range)
        });
        let mut found = Found::default();
        // The number of the stretch that each piece is part of, then of its line.
        let mut lines = vec![NONE; pieces.len()];
        let mut stretches: Vec<JoinedPieces> = Vec::new();
        for equal in order.chunk_by(|one, two| pieces[*one as usize].base == pieces[*two as usize].base) {
            for &piece in equal {
                let Piece { range, floor, .. } = pieces[piece as usize];
                match stretches.last_mut() {
                    Some(stretch) if stretch.floor == floor && range[0] <= stretch.range[1] => {
                        stretch.range[1] = stretch.range[1].max(range[1]);
                    }
                    _ => stretches.push(JoinedPieces { range, floor, line: NONE }),
                }
                lines[piece as usize] = stretches.len() as u32 - 1;
            }
            found.add_lines(bases[pieces[equal[0] as usize].base as usize].line, &mut stretches);
            for &piece in equal {
                let line = &mut lines[piece as usize];
                *line = stretches[*line as usize].line;
            }
            stretches.clear();
        }
        let known = found_at.iter().map(|&[piece, span]| (lines[piece as usize] as usize, span));
        let known = known.filter(|(line, _)| *line != NONE as usize);
        bucket_sort(found.lines.len(), known, &mut found.first, &mut found.spans);
        found
    }
}

impl Found {
    /// Adds the stretches of a segment, in the order of their places.
    fn add_lines(&mut self, base: WallLine, stretches: &mut [JoinedPieces]) {
        let first = self.lines.len();
        let mut order: Vec<usize> = (0..stretches.len()).collect();
        order.sort_by(|&one, &two| {
            let [one, two] = [one, two].map(|number| stretches[number].range);
            one[0].total_cmp(&two[0]).then(one[1].total_cmp(&two[1]))
        });
        for number in order {
            let JoinedPieces { range, line, .. } = &mut stretches[number];
            if self.lines[first..].last().is_none_or(|known| known.segment.range != *range) {
                self.lines.push(WallLine { segment: LineSegment { range: *range, ..base.segment }, ..base });
            }
            *line = self.lines.len() as u32 - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: Pieces) -> Vec<([f64; 2], Vec<u32>)> {
        let found = pieces.join();
        let spans = |number| found.spans(number).to_vec();
        (0..).zip(&found.lines).map(|(number, line)| (line.segment.range, spans(number))).collect()
    }

    fn wall(x: f64) -> Base {
        Base::exact(LineSegment::new([x, 0.0], [x, 8.0]))
    }

    #[test]
    fn overlapping_pieces_join() {
        let mut pieces = Pieces::default();
        let base = pieces.add_base(wall(0.0));
        pieces.add(base, [0.5, 0.75], 0, 3);
        pieces.add(base, [0.0, 0.25], 0, 1);
        pieces.add(base, [0.25, 0.4], 0, 2);
        assert_eq!(lines(pieces), [([0.0, 0.4], vec![1, 2]), ([0.5, 0.75], vec![3])]);
    }

    #[test]
    fn heights_stay_apart() {
        let mut pieces = Pieces::default();
        let base = pieces.add_base(wall(0.0));
        pieces.add(base, [0.0, 0.5], 0, 1);
        pieces.add(base, [0.25, 0.75], 1, 2);
        assert_eq!(lines(pieces), [([0.0, 0.5], vec![1]), ([0.25, 0.75], vec![2])]);
    }

    #[test]
    fn equal_lines_of_two_heights_become_one() {
        let mut pieces = Pieces::default();
        let base = pieces.add_base(wall(0.0));
        pieces.add(base, [0.0, 0.5], 0, 1);
        pieces.add(base, [0.0, 0.5], 9, 2);
        assert_eq!(lines(pieces), [([0.0, 0.5], vec![1, 2])]);
    }

    #[test]
    fn equal_segments_share_pieces_in_any_order() {
        let found = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|places| {
            let mut pieces = Pieces::default();
            let mut spans = [2, 1];
            for x in places {
                let base = pieces.add_base(wall(x));
                let [from, span] = if x == 1.0 {
                    [4, 7]
                } else {
                    spans.rotate_left(1);
                    [spans[0] - 1, spans[0]]
                };
                pieces.add(base, [0.25 * f64::from(from), 0.25 * f64::from(from + 1)], 0, span);
            }
            lines(pieces)
        });
        assert_eq!(found[0], [([0.0, 0.5], vec![1, 2]), ([1.0, 1.25], vec![7])]);
        assert!(found.iter().all(|lines| *lines == found[0]));
    }

    #[test]
    fn segments_inside_an_obstacle_are_no_walls() {
        let found = [[(0, true), (0, false)], [(0, true), (0, true)], [(0, true), (1, false)]].map(|sides| {
            let mut pieces = Pieces::default();
            for (floor, is_left) in sides {
                let base = pieces.add_base(Base { obstacle: Some(Obstacle { floor, is_left }), ..wall(0.0) });
                pieces.add(base, [0.0, 1.0], floor, 1);
            }
            lines(pieces).len()
        });
        assert_eq!(found, [0, 1, 1]);
    }
}
