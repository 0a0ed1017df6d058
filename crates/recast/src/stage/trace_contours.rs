//! Stage 11, trace contours: RegionField -> RawContours.
//! Units: cells. Cost: O(spans + corners). Figure: docs/figures/11-trace-contours.svg.
//! Source: M. Mononen, Recast (RecastContour.cpp, walkContour and getCornerHeight). Deviations: outlines of any
//! length are walked; on the tile's border corners take the height of all spans that hang together around them,
//! and lone spans have outlines.
//!
//! Walks around each region along the sides of its spans, the region to the left, and around each hole in it.

use crate::area::AreaId;
use crate::data::neighbours::Run;
use crate::data::{Direction, RawContour, RawContours, RawVertex, RegionField, RegionId};
use crate::observer::{DiagnosticKind, Report};
use std::ops::Range;

/// Traces the outlines and holes of all regions, in the order their first spans are met.
pub fn run(regions: &RegionField, report: &mut Report) -> RawContours {
    let mut sides = boundary_sides(regions);
    let mut contours = Vec::new();
    let width = regions.field.grid.width;
    let mut next = 0;
    while let Some(span) = first_open(&sides, next) {
        next = span + 1;
        // A span alone in its region has no outline worth having, unless a neighbouring tile counts on it.
        if sides[span] == 0b1111 && !meets_border(regions, span) {
            sides[span] = 0;
            continue;
        }
        let column = regions.field.offsets.column_of(span);
        let (x, z) = (column as u32 % width, column as u32 / width);
        let mut walk = Walk { regions, sides: &mut sides, x, z, span };
        match walk.around() {
            Some(vertices) => {
                contours.push(RawContour {
                    region: regions.region[span],
                    area: regions.field.area[span],
                    vertices,
                });
            }
            None => {
                let border = regions.field.grid.border as i32;
                let cell = [x as i32 - border, regions.field.floor[span], z as i32 - border];
                let what = "an outline of a region could not be walked to its end and was dropped: the climb is too \
                            large for the agent's height, so that steps lead one way only";
                report.at_cell(DiagnosticKind::OpenOutline, cell, what);
            }
        }
    }
    RawContours { grid: regions.field.grid, region_count: regions.count, contours }
}

/// The first span from `next` on with an open side.
fn first_open(sides: &[u8], next: usize) -> Option<usize> {
    /// Spans that are looked at without a way out in between, so that many are at once.
    const TOGETHER: usize = 32;
    let mut start = next;
    for piece in sides[next..].chunks(TOGETHER) {
        if piece.iter().fold(0, |bits, sides| bits | sides) != 0 {
            return piece.iter().position(|&sides| sides != 0).map(|closed| start + closed);
        }
        start += piece.len();
    }
    None
}

/// Whether the tile's border lies beyond one of the sides of a span.
fn meets_border(regions: &RegionField, span: usize) -> bool {
    let beside = |direction| regions.field.neighbour(span, direction);
    Direction::ALL.into_iter().filter_map(beside).any(|other| regions.region[other].is_border())
}

/// For each span of a region, a bit for each side beyond which the region ends.
fn boundary_sides(regions: &RegionField) -> Vec<u8> {
    let labels = regions.region.as_slice();
    let neighbours = &regions.field.neighbours;
    let mut sides = Vec::with_capacity(labels.len());
    for piece in neighbours.pieces(0..labels.len(), &(0..labels.len())) {
        let own = &labels[piece.spans.clone()];
        let Some(Run { left, below, right, above, .. }) = piece.run else {
            sides.extend(own.iter().zip(piece.spans).map(|(&own, span)| {
                if !own.is_inner() {
                    return 0;
                }
                let outside = |other: u32| labels.get(other as usize) != Some(&own);
                let bits =
                    (0..).zip(neighbours.of(span)).map(|(side, other)| u8::from(outside(other)) << side);
                bits.fold(0, |bits, bit| bits | bit)
            }));
            continue;
        };
        let Range { start, end } = piece.spans;
        let beside = [start - left, start + below, start + right, start - above];
        let [left, below, right, above] = beside.map(|first| &labels[first..first + own.len()]);
        sides.resize(end, 0);
        let sides = &mut sides[start..];
        for index in 0..own.len() {
            let label = own[index];
            let bit = |other: RegionId, side: Direction| if other == label { 0 } else { 1 << side as u8 };
            let bits = bit(left[index], Direction::XMin)
                | bit(below[index], Direction::ZMax)
                | bit(right[index], Direction::XMax)
                | bit(above[index], Direction::ZMin);
            sides[index] = if label.is_inner() { bits } else { 0 };
        }
    }
    sides
}

struct Walk<'a> {
    regions: &'a RegionField,
    sides: &'a mut [u8],
    x: u32,
    z: u32,
    span: usize,
}

impl Walk<'_> {
    /// Walks from the first open side of the span until it is met again, closing the sides it passes. `None` if
    /// it does not come back.
    fn around(&mut self) -> Option<Vec<RawVertex>> {
        let start = self.span;
        let first = Direction::ALL.into_iter().find(|&d| self.sides[start] & (1 << d as u8) != 0)?;
        let mut direction = first;
        let mut vertices = Vec::new();
        // Each span is passed at most once by each side.
        for _ in 0..4 * self.sides.len() {
            let side = 1 << direction as u8;
            if self.sides[self.span] & side != 0 {
                vertices.push(self.vertex(direction));
                self.sides[self.span] &= !side;
                direction = direction.next();
            } else {
                self.span = self.regions.field.neighbour(self.span, direction)?;
                (self.x, self.z) = self.regions.field.grid.neighbour(self.x, self.z, direction)?;
                direction = direction.previous();
            }
            if self.span == start && direction == first {
                return Some(vertices);
            }
        }
        None
    }

    /// The corner at the end of one side of the span.
    fn vertex(&self, direction: Direction) -> RawVertex {
        let (dx, dz) = match direction {
            Direction::XMin => (0, 1),
            Direction::ZMax => (1, 1),
            Direction::XMax => (1, 0),
            Direction::ZMin => (0, 0),
        };
        let field = &self.regions.field;
        let (mut height, border_vertex) = corner(self.regions, self.span, direction);
        let beside = field.neighbour(self.span, direction);
        let border = field.grid.border as i32;
        let (x, z) = (self.x as i32 + dx - border, self.z as i32 + dz - border);
        let (width, depth) = (field.grid.inner_width() as i32, field.grid.inner_depth() as i32);
        if border > 0 && (x == 0 || z == 0 || x == width || z == depth) {
            height = shared_height(self.regions, self.span, direction);
        }
        RawVertex {
            position: [x, height, z],
            beyond: beside.map_or(RegionId::NONE, |other| self.regions.region[other]),
            area_border: beside.is_some_and(|other| field.area[other] != field.area[self.span]),
            border_vertex,
        }
    }
}

/// The height of a corner on the tile's border: that of the highest span which hangs together with this one
/// around the corner, whichever way round. Both tiles at the border see the same spans, and whichever of them
/// they start from, the answer is the same.
fn shared_height(regions: &RegionField, span: usize, direction: Direction) -> i32 {
    let field = &regions.field;
    let mut height = field.floor[span];
    // Three steps with the turn and three against it reach every span around the corner.
    for (first, turn) in
        [(direction, Direction::next as fn(Direction) -> Direction), (direction.next(), Direction::previous)]
    {
        let (mut at, mut step) = (span, first);
        for _ in 0..3 {
            let Some(next) = field.neighbour(at, step) else { break };
            height = height.max(field.floor[next]);
            (at, step) = (next, turn(step));
        }
    }
    height
}

/// The height of the corner at the end of a side: that of the highest of the four spans that meet there; and
/// whether it is a corner only because two strips of the tile's border meet the region there.
fn corner(regions: &RegionField, span: usize, direction: Direction) -> (i32, bool) {
    let field = &regions.field;
    let label = |span: usize| (regions.region[span], field.area[span]);
    let mut height = field.floor[span];
    // Around the corner: the span, the one beyond the side, the one across, the one beyond the next side.
    let mut around = [
        label(span),
        (RegionId::NONE, AreaId::NULL),
        (RegionId::NONE, AreaId::NULL),
        (RegionId::NONE, AreaId::NULL),
    ];
    let mut see = |slot: usize, span: usize| {
        height = height.max(field.floor[span]);
        around[slot] = label(span);
    };
    for (slot, side, then) in [(1, direction, direction.next()), (3, direction.next(), direction)] {
        if let Some(beside) = field.neighbour(span, side) {
            see(slot, beside);
            if let Some(across) = field.neighbour(beside, then) {
                see(2, across);
            }
        }
    }
    let nothing = (RegionId::NONE, AreaId::NULL);
    let border_vertex = !around.contains(&nothing)
        && (0..4).any(|first| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|step| around[(first + step) & 3]);
            a == b && a.0.is_border() && !c.0.is_border() && !d.0.is_border() && c.1 == d.1
        });
    (height, border_vertex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::regions;
    use crate::stage::testing::{flat, report};
    use proptest::prelude::*;

    fn trace(picture: &str) -> RawContours {
        let params = regions::Params { min_cells: 0, merge_cells: 0 };
        let mut report = report();
        let contours = run(&regions::layers(flat(picture), &params), &mut report);
        contours.check().unwrap();
        assert!(report.diagnostics.is_empty());
        contours
    }

    fn corners(contour: &RawContour) -> Vec<[i32; 2]> {
        contour.vertices.iter().map(|v| [v.position[0], v.position[2]]).collect()
    }

    #[test]
    fn a_rectangle_is_walked_with_its_inside_to_the_left() {
        let contours = trace("....\n.##.\n....").contours;
        assert_eq!(contours.len(), 1);
        assert_eq!(corners(&contours[0]), [[1, 2], [2, 2], [3, 2], [3, 1], [2, 1], [1, 1]]);
        assert!(navmath::predicates::polygon_area2(corners(&contours[0])) < 0);
    }

    #[test]
    fn a_hole_is_walked_the_other_way() {
        let contours = trace("###\n#.#\n###").contours;
        assert_eq!(contours.len(), 2);
        let areas: Vec<_> = contours.iter().map(|c| navmath::predicates::polygon_area2(corners(c))).collect();
        assert_eq!(areas, [-18, 2]);
    }

    #[test]
    fn what_lies_beyond_is_known() {
        let contours = trace("1122").contours;
        let beyond: Vec<_> = contours[0].vertices.iter().map(|v| (v.beyond.index(), v.area_border)).collect();
        assert_eq!(beyond.iter().filter(|b| **b == (2, true)).count(), 1);
        assert_eq!(beyond.iter().filter(|b| **b == (0, false)).count(), 5);
    }

    #[test]
    fn vertices_on_the_border_are_told_apart() {
        let row = "######";
        let mut field = flat(&[row; 6].join("\n"));
        field.grid.border = 2;
        let params = regions::Params { min_cells: 0, merge_cells: 0 };
        let contours = run(&regions::layers(field, &params), &mut report());
        // The tile's own corners stay; between them nothing but the border strips meets the region.
        let vertices = &contours.contours[0].vertices;
        assert_eq!(vertices.len(), 8);
        assert!(
            vertices.iter().all(|v| (0..=2).contains(&v.position[0]) && (0..=2).contains(&v.position[2]))
        );
        assert!(vertices.iter().all(|v| v.beyond.is_border()));
        let middle = |v: &&RawVertex| v.position[0] == 1 || v.position[2] == 1;
        assert!(vertices.iter().filter(middle).all(|v| v.border_vertex));
    }

    proptest! {
        #[test]
        fn sides_are_open_where_a_region_ends(
            cells in prop::collection::vec((0usize..40 * 12, 0usize..4), 0..24),
        ) {
            let mut picture = [b'1'; 40 * 12];
            cells.iter().for_each(|&(cell, kind)| picture[cell] = b"..12"[kind]);
            let rows: Vec<_> = picture.chunks(40).map(|row| String::from_utf8_lossy(row)).collect();
            let params = regions::Params { min_cells: 3, merge_cells: 9 };
            let regions = regions::monotone(flat(&rows.join("\n")), &params);
            for (span, sides) in boundary_sides(&regions).into_iter().enumerate() {
                let own = regions.region[span];
                for direction in Direction::ALL {
                    let beside = regions.field.neighbour(span, direction).map(|other| regions.region[other]);
                    let open = own.is_inner() && beside != Some(own);
                    prop_assert_eq!(sides >> direction as u8 & 1 == 1, open);
                }
            }
        }
    }
}
