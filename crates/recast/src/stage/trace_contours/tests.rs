//! Outlines of small pictures, and the properties of corners compared with their definitions.

use super::*;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RawVertex, RegionId, SpanField};
use crate::stage::compact;
use crate::stage::regions;
use crate::stage::testing::flat;
use navtile::area::AreaId;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn trace(picture: &str) -> RawContours {
    let params = regions::Params { min_cells: 0, merge_cells: 0, join: false };
    let context = &mut Context::new();
    let regions = regions::layers(flat(picture), &params, context).unwrap();
    let contours = run(&regions, &(), context).unwrap();
    contours.check().unwrap();
    assert!(context.report.diagnostics.is_empty());
    contours
}

/// The corners of a contour, in cells.
fn corners(contour: &RawContour) -> Vec<[i32; 2]> {
    contour.vertices.iter().map(|v| v.plan().map(|at| at / FIXED_ONE)).collect()
}

#[test]
fn a_rectangle_is_walked_with_its_inside_to_the_left() {
    let contours = trace("....\n.##.\n....").contours;
    assert_eq!(contours.len(), 1);
    assert_eq!(corners(&contours[0]), [[1, 2], [2, 2], [3, 2], [3, 1], [2, 1], [1, 1]]);
    assert!(polygon_area2(corners(&contours[0])) < 0);
}

#[test]
fn a_hole_is_walked_the_other_way() {
    let contours = trace("###\n#.#\n###").contours;
    assert_eq!(contours.len(), 2);
    let areas: Vec<_> = contours.iter().map(|c| polygon_area2(corners(c))).collect();
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
fn vertices_on_the_border_are_distinguished() {
    let row = "######";
    let mut field = flat(&[row; 6].join("\n"));
    field.grid.border = 2;
    let params = regions::Params { min_cells: 0, merge_cells: 0, join: false };
    let context = &mut Context::new();
    let regions = regions::layers(field, &params, context).unwrap();
    let contours = run(&regions, &(), context).unwrap();
    // The tile's own corners stay; between them only the border strips meet the region.
    let vertices = &contours.contours[0].vertices;
    assert_eq!(vertices.len(), 8);
    assert!(corners(&contours.contours[0]).as_flattened().iter().all(|at| (0..=2).contains(at)));
    assert!(vertices.iter().all(|v| v.beyond.is_border()));
    let middle = |v: &&RawVertex| v.plan().contains(&FIXED_ONE);
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
        let params = regions::Params { min_cells: 3, merge_cells: 9, join: false };
        let regions = regions::monotone(flat(&rows.join("\n")), &params, &mut Context::new()).unwrap();
        for (span, sides) in boundary_sides(&regions.field.neighbours, &regions.region).into_iter().enumerate() {
            let own = regions.region[span];
            for direction in Direction::ALL {
                let beside = regions.field.neighbour(span, direction).map(|other| regions.region[other]);
                let open = own.is_inner() && beside != Some(own);
                prop_assert_eq!(sides >> direction as u8 & 1 == 1, open);
            }
        }
    }
}

/// Storeys of one or two floors per column: even ground except for some columns. Steps lead in both
/// directions if `mutual`.
fn storeys(heights: &[(usize, i32)], upper: &[(usize, i32)], mutual: bool) -> CompactField<Eroded> {
    const WIDTH: u32 = 30;
    const DEPTH: u32 = 14;
    let columns = (WIDTH * DEPTH) as usize;
    let (mut lows, mut highs) = (vec![1; columns], vec![0; columns]);
    heights.iter().for_each(|&(at, height)| lows[at % columns] = height);
    upper.iter().for_each(|&(at, count)| {
        let at = at % columns;
        highs[at..(at + count as usize * 4).min(columns)].fill(5 + count);
    });
    let (mut offsets, mut bottoms, mut tops) = (vec![0], Vec::new(), Vec::new());
    for (&low, &high) in lows.iter().zip(&highs) {
        if low > 0 {
            bottoms.push(0);
            tops.push(low);
        }
        if high > 0 {
            bottoms.push(high - 1);
            tops.push(high);
        }
        offsets.push(tops.len() as u32);
    }
    let areas = (0..tops.len()).map(|span| AreaId(if span % 97 < 80 { 63 } else { 7 })).collect();
    let mut grid = crate::stage::testing::grid(WIDTH, DEPTH);
    grid.border = 3;
    let spans: SpanField<_> = SpanField::from_parts(grid, offsets, bottoms, tops, areas);
    let (walkable_height, walkable_climb) = if mutual { (4, 2) } else { (2, 4) };
    let params = compact::Params { walkable_height, walkable_climb };
    compact::run(spans, &params, &mut Context::new()).unwrap().into_state()
}

fn on_border(regions: &RegionField, [x, z]: [i32; 2]) -> bool {
    let grid = &regions.field.grid;
    x == 0 || z == 0 || x == grid.inner_width() as i32 || z == grid.inner_depth() as i32
}

/// The corner at the end of one side of a span, by definition, except for the corners that both tiles keep.
fn plain_vertex(regions: &RegionField, span: usize, direction: Direction, [x, z]: [i32; 2]) -> RawVertex {
    let field = &regions.field;
    let met = around_corner(field, span, direction);
    let height = met.iter().map(|&(span, _)| field.floor[span]).max().unwrap();
    let beside = field.neighbour(span, direction);
    RawVertex {
        position: [x * FIXED_ONE, height, z * FIXED_ONE],
        beyond: beside.map_or(RegionId::NONE, |other| regions.region[other]),
        area_border: beside.is_some_and(|other| field.area[other] != field.area[span]),
        border_vertex: false,
        junction: is_junction(regions, &met),
        exact: false,
    }
}

/// All spans that are connected around the corner at the end of one side of a span, each with its turn: the
/// corner is at the end of its side of that turn.
fn around_corner(field: &CompactField<Eroded>, span: usize, direction: Direction) -> Vec<(usize, Direction)> {
    let mut met = vec![(span, direction)];
    let mut next = 0;
    while let Some(&(span, side)) = met.get(next) {
        next += 1;
        // A step over the side leads to a span that has the corner at the end of the third side from it, a
        // step over the next side to one that has it at the end of the next.
        for (over, turned) in [(side, side.next()), (side.next(), side.previous())] {
            if let Some(beside) =
                field.neighbour(span, over).filter(|&beside| !met.contains(&(beside, turned)))
            {
                met.push((beside, turned));
            }
        }
    }
    met
}

/// Returns true if at least one of the sides that end at a corner separates two regions that a step connects,
/// and more than two separate anything; or if spans wind around the corner.
fn is_junction(regions: &RegionField, met: &[(usize, Direction)]) -> bool {
    let inner = |span: usize| regions.region[span].is_inner();
    let (mut sides, mut borders) = (BTreeSet::new(), 0);
    for &(span, side) in met {
        for over in [side, side.next()] {
            let beside = regions.field.neighbour(span, over);
            let other = beside.map(|other| regions.region[other]);
            if (inner(span) || beside.is_some_and(inner)) && other != Some(regions.region[span]) {
                // Seen from either of the two spans: by its direction from the corner, and by the two labels.
                let from_corner = if over == side { side } else { side.next() };
                let ray = if over == side { from_corner.previous() } else { from_corner.next() };
                sides.insert((ray as u8, beside.map_or(0, |_| 1)));
                borders += u32::from(inner(span) && beside.is_some_and(inner));
            }
        }
    }
    borders > 0 && (sides.len() > 2 || met.len() > 4)
}

proptest! {
    #[test]
    fn corners_are_what_lies_around_them(
        heights in prop::collection::vec((0usize..420, 0..4i32), 0..30),
        upper in prop::collection::vec((0usize..420, 1..6i32), 0..4),
        mutual in any::<bool>(),
    ) {
        let params = regions::Params { min_cells: 3, merge_cells: 20, join: false };
        let regions = regions::monotone(storeys(&heights, &upper, mutual), &params, &mut Context::new()).unwrap();
        let sides = boundary_sides(&regions.field.neighbours, &regions.region);
        let walker = Walker::new(&regions, true);
        regions.field.for_each_span(|x, z, span| {
            for direction in Direction::ALL.into_iter().filter(|&d| sides[span] >> d as u8 & 1 == 1) {
                let found = walker.corner(span, direction, [x, z]);
                let at = found.plan().map(|at| at / FIXED_ONE);
                let plain = plain_vertex(&regions, span, direction, at);
                // The corners that both tiles keep on their border are tested there.
                let junction = found.junction && (!on_border(&regions, at) || plain.junction);
                assert_eq!(RawVertex { border_vertex: false, junction, ..found }, plain);
            }
        });
    }
}
