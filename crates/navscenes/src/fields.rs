//! Small compact fields from ASCII pictures, for tests of what reads them.

use recast::AreaId;
use recast::data::compact::CompactArrays;
use recast::data::{CompactField, Grid};
use recast::inside::stage::find_neighbours;
use recast::stage::compact::Params;

/// A grid without a border, of cells of 1 m.
pub fn grid(width: u32, depth: u32) -> Grid {
    Grid { width, depth, border: 0, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 }
}

/// A flat compact field from an ASCII grid: `.` is an empty column, `#` ground, a digit an area with that id.
/// All neighbouring spans are connected.
pub fn flat<S>(picture: &str) -> CompactField<S> {
    let lines: Vec<&str> = picture.lines().collect();
    let (mut offsets, mut area) = (vec![0], Vec::new());
    for cell in lines.iter().flat_map(|line| line.chars()) {
        match cell {
            '.' => {}
            '#' => area.push(AreaId::GROUND),
            digit => area.push(AreaId(digit.to_digit(10).unwrap_or(0) as u8)),
        }
        offsets.push(area.len() as u32);
    }
    let params = Params { walkable_height: 4, walkable_climb: 1 };
    let mut parts = CompactArrays {
        grid: grid(lines[0].len() as u32, lines.len() as u32),
        walkable_height: params.walkable_height,
        walkable_climb: params.walkable_climb,
        offsets,
        floor: vec![1; area.len()],
        clearance: vec![u16::MAX; area.len()],
        area,
        neighbours: Vec::new(),
    };
    parts.neighbours = find_neighbours(&parts, &params);
    CompactField::from_arrays(parts)
}
