//! Steps between floors that an agent has no room for.
//!
//! ```text
//!    _______________        The shadow of a wall's end covers all of the side between the floors a and b.
//!   |       .       |       Both have a place for an agent, but the path from one to the other leads over
//!   |  a  .|||.  b  |       other floors.
//!   |____.|||||.____|
//! ```
//!
//! With such steps closed, steps lead over exactly the sides that agents can cross. So floors are connected
//! as the ground is, in any tiling. The portals on a tile's border, which end at shadows, have a width.

use super::lines::WallLines;
use super::shadows::{ROOM, free_width};
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, NO_NEIGHBOUR, Neighbours};

/// Sides that agents can cross have a free part at least this wide, cells: places are rounded to 1/256 cell.
const LEAST: f64 = 1.0 / 64.0;

/// Removes the steps over sides without room for an agent. `is_near` says which floors may have such a side.
pub(super) fn close_steps(
    field: &mut CompactField<Eroded>,
    lines: &WallLines,
    is_near: impl Fn(usize) -> bool,
) {
    let mut closed: Vec<(usize, Direction)> = Vec::new();
    let mut shadows: Vec<[f64; 2]> = Vec::new();
    let grid = &field.grid;
    field.for_each_span(|x, z, span| {
        if !field.area[span].is_walkable() {
            return;
        }
        let corner = [grid.base_x + x as i32, grid.base_z + z as i32].map(f64::from);
        for (direction, axis) in [(Direction::XMax, 1), (Direction::ZMax, 0)] {
            let Some(other) = field.neighbour(span, direction) else { continue };
            if !field.area[other].is_walkable() || !(is_near(span) || is_near(other)) {
                continue;
            }
            shadows.clear();
            shadows.extend([span, other].into_iter().flat_map(|span| lines.near(span)).filter_map(|&line| {
                lines.lines[line as usize].segment.shadow(axis, corner[1 - axis] + 1.0, lines.radius + ROOM)
            }));
            if free_width([corner[axis], corner[axis] + 1.0], &mut shadows).is_none_or(|width| width < LEAST)
            {
                closed.push((span, direction));
                closed.push((other, direction.next().next()));
            }
        }
    });
    if !closed.is_empty() {
        closed.sort_unstable();
        let neighbours = Neighbours::from_floors(field.len(), |floor| {
            let mut list = field.neighbours.of(floor);
            let first = closed.partition_point(|(span, _)| *span < floor);
            for (_, direction) in closed[first..].iter().take_while(|(span, _)| *span == floor) {
                list[*direction as usize] = NO_NEIGHBOUR;
            }
            list
        });
        field.neighbours = neighbours;
    }
}
