//! Small fields for stage tests, from ASCII grids and back.

use super::compact;
use crate::data::compact::CompactArrays;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Grid, NO_NEIGHBOUR, RegionField, RegionId, SpanField};
use navtile::area::AreaId;
use proptest::prelude::*;

pub(crate) fn grid(width: u32, depth: u32) -> Grid {
    Grid { width, depth, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 }
}

/// A single column with spans (bottom, top, area).
pub(crate) fn column_of<S>(spans: &[(i32, i32, u8)]) -> SpanField<S> {
    SpanField::from_parts(
        grid(1, 1),
        vec![0, spans.len() as u32],
        spans.iter().map(|span| span.0).collect(),
        spans.iter().map(|span| span.1).collect(),
        spans.iter().map(|span| AreaId(span.2)).collect(),
    )
}

/// One span per column, from 0 up to the digit given; `.` for an empty column.
pub(crate) fn heights<S>(rows: &str) -> SpanField<S> {
    let lines: Vec<&str> = rows.lines().collect();
    let mut offsets = vec![0];
    let mut max = Vec::new();
    for digit in lines.iter().flat_map(|line| line.chars()) {
        max.extend(digit.to_digit(10).map(|digit| digit as i32));
        offsets.push(max.len() as u32);
    }
    let count = max.len();
    let grid = grid(lines[0].len() as u32, lines.len() as u32);
    SpanField::from_parts(grid, offsets, vec![0; count], max, vec![AreaId::GROUND; count])
}

fn rows(grid: &Grid, cell: impl Fn(usize) -> char) -> String {
    let row = |z| (0..grid.width).map(|x| cell(grid.column(x, z))).collect::<String>();
    (0..grid.depth).map(row).collect::<Vec<_>>().join("\n")
}

/// `#` if the topmost span of a column is walkable, else `.`.
pub(crate) fn walkable_picture<S>(field: &SpanField<S>) -> String {
    rows(&field.grid, |column| {
        let walkable = field.column(column).next_back().is_some_and(|span| field.area[span].is_walkable());
        if walkable { '#' } else { '.' }
    })
}

/// A flat compact field from an ASCII grid: `.` is an empty column, `#` ground, a digit an area with that id.
/// All neighbouring spans are connected.
pub(crate) fn flat<S>(picture: &str) -> CompactField<S> {
    let lines: Vec<Vec<char>> = picture.lines().map(|line| line.chars().collect()).collect();
    let grid = grid(lines[0].len() as u32, lines.len() as u32);
    let (mut offsets, mut area) = (vec![0], Vec::new());
    for &cell in lines.iter().flatten() {
        match cell {
            '.' => {}
            '#' => area.push(AreaId::GROUND),
            digit => area.push(AreaId(digit.to_digit(10).unwrap() as u8)),
        }
        offsets.push(area.len() as u32);
    }
    let mut neighbours = Vec::new();
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column = grid.column(x, z);
            if offsets[column] < offsets[column + 1] {
                neighbours.push(crate::data::Direction::ALL.map(|direction| {
                    let beside = grid.neighbour(x, z, direction).map(|(x, z)| grid.column(x, z));
                    let held = beside.filter(|&column| offsets[column] < offsets[column + 1]);
                    held.map_or(NO_NEIGHBOUR, |column| offsets[column])
                }));
            }
        }
    }
    let count = area.len();
    CompactField::from_arrays(CompactArrays {
        grid,
        walkable_height: 4,
        walkable_climb: 1,
        offsets,
        floor: vec![1; count],
        clearance: vec![u16::MAX; count],
        area,
        neighbours,
    })
}

/// One region on one storey, `size` by `size` cells, with ground of the given height in each column. All
/// neighbouring floors are connected.
pub(crate) fn uneven(size: i32, ground: impl Fn(i32, i32) -> i32) -> RegionField {
    let row = "#".repeat(size as usize);
    let mut field = flat(&vec![row; size as usize].join("\n"));
    field.walkable_climb = 40;
    for z in 0..size {
        for x in 0..size {
            field.floor[(x + z * size) as usize] = ground(x, z);
        }
    }
    let count = field.len();
    RegionField::new(field, vec![RegionId::inner(1); count], 1)
}

/// Levels of several storeys with holes, steps and cliffs, in which some floors have another area or are
/// unwalkable.
pub(crate) fn storeys() -> impl Strategy<Value = CompactField<Eroded>> {
    let column = |usual: u8| {
        let held = prop_oneof![9 => Just(usual), 1 => 0u8..8];
        let rise = prop_oneof![12 => Just(0), 1 => 0..4i32];
        let area = prop_oneof![12 => Just(1u8), 1 => Just(0), 1 => Just(2)];
        (held, rise, prop::array::uniform3(area))
    };
    (1u32..40, 1u32..10, prop_oneof![Just(1u8), Just(5), Just(7)]).prop_flat_map(
        move |(width, depth, usual)| {
            let columns = prop::collection::vec(column(usual), (width * depth) as usize);
            columns.prop_map(move |columns| storeys_of(grid(width, depth), &columns))
        },
    )
}

/// `columns` has, for each column, a bit per storey, the height to add, and the areas.
fn storeys_of(grid: Grid, columns: &[(u8, i32, [u8; 3])]) -> CompactField<Eroded> {
    let (mut offsets, mut floor, mut clearance, mut area) = (vec![0], vec![], vec![], vec![]);
    for &(held, rise, areas) in columns {
        for storey in (0..3).filter(|storey| held & (1 << storey) != 0) {
            floor.push(10 * storey + rise);
            clearance.push(9);
            area.push(AreaId(areas[storey as usize]));
        }
        offsets.push(floor.len() as u32);
    }
    let params = compact::Params { walkable_height: 4, walkable_climb: 2 };
    let (walkable_height, walkable_climb) = (params.walkable_height, params.walkable_climb);
    let neighbours = Vec::new();
    let mut parts =
        CompactArrays { grid, walkable_height, walkable_climb, offsets, floor, clearance, area, neighbours };
    parts.neighbours = compact::find_neighbours(&parts, &params);
    CompactField::from_arrays(parts)
}

/// One character per column, from its topmost span; `.` for an empty column.
pub(crate) fn compact_picture<S>(field: &CompactField<S>, cell: impl Fn(usize) -> char) -> String {
    rows(&field.grid, |column| field.column(column).next_back().map_or('.', &cell))
}
