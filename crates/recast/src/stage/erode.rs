//! Stage 7, erode: `CompactField<Compacted>` -> `CompactField<Eroded>`.
//! Units: half cells. Cost: O(spans), two passes. Figure: docs/figures/07-erode.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp, rcErodeWalkableArea). Deviations: distances are 16 bits wide, so
//! the radius is not limited to 127 cells.
//!
//! The agent is a cylinder and the mesh is walked by its axis: whatever is nearer to a wall or a ledge than its
//! radius is taken away. Areas do not matter here, only where one can walk at all.

use super::distance_field::{sweep_down, sweep_up};
use crate::area::AreaId;
use crate::bands;
use crate::data::compact::state::{Compacted, Eroded};
use crate::data::{CompactField, NO_NEIGHBOUR};
use rayon::prelude::*;
use std::ops::Range;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The agent's radius, cells. Default: rounded up, so that it never overlaps a wall.
    pub walkable_radius: i32,
}

/// Makes everything unwalkable that is nearer to a border than the radius.
pub fn run(field: CompactField<Compacted>, params: &Params) -> CompactField<Eroded> {
    run_on(field, params, 1)
}

/// As [`run`], bands of rows by as many threads.
pub(crate) fn run_on(
    mut field: CompactField<Compacted>,
    params: &Params,
    threads: usize,
) -> CompactField<Eroded> {
    let bands = bands::split(&field.grid, threads);
    let eroded: Vec<Vec<bool>> = match bands.as_slice() {
        [band] => vec![find_eroded(&field, params, band)],
        bands => bands.par_iter().map(|band| find_eroded(&field, params, band)).collect(),
    };
    for (area, eroded) in field.area.iter_mut().zip(eroded.iter().flatten()) {
        if *eroded {
            *area = AreaId::NULL;
        }
    }
    field.into_state()
}

/// Which spans of a band of rows are too near to a border. Borders further away than the radius do not matter, so
/// only as many rows beside the band are looked at.
fn find_eroded(field: &CompactField<Compacted>, params: &Params, band: &Range<u32>) -> Vec<bool> {
    let (grid, area) = (&field.grid, field.area.as_slice());
    let reach = params.walkable_radius.max(0) as u32;
    let first_of = |row: u32| field.offsets[row as usize * grid.width as usize] as usize;
    let start = first_of(band.start.saturating_sub(reach));
    let around = start..first_of(band.end.saturating_add(reach).min(grid.depth));
    let own = first_of(band.start)..first_of(band.end);
    let neighbours = &field.neighbours[around];
    let mut distance = Vec::new();
    if area.iter().all(|area| area.is_walkable()) {
        sweep_down(neighbours, start as u32, &mut distance, |_, neighbours| {
            neighbours.iter().all(|&other| other != NO_NEIGHBOUR)
        });
    } else {
        sweep_down(neighbours, start as u32, &mut distance, |span, neighbours| {
            let walkable = |&other: &u32| area.get(other as usize).is_some_and(|area| area.is_walkable());
            area[span].is_walkable() && neighbours.iter().all(walkable)
        });
    }
    let mut eroded = vec![false; own.len()];
    let threshold = params.walkable_radius * 2;
    sweep_up(neighbours, start as u32, &mut distance, |span, distance| {
        if let Some(eroded) = eroded.get_mut(span.wrapping_sub(own.start)) {
            *eroded = i32::from(distance) < threshold;
        }
    });
    eroded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn eroded(picture: &str, walkable_radius: i32) -> String {
        let field = run(flat(picture), &Params { walkable_radius });
        compact_picture(&field, |span| if field.area[span].is_walkable() { '#' } else { '-' })
    }

    #[test]
    fn borders_go_first() {
        let room = "######\n######\n######\n######\n######";
        assert_eq!(eroded(room, 0), room);
        assert_eq!(eroded(room, 1), "------\n-####-\n-####-\n-####-\n------");
        assert_eq!(eroded(room, 2), "------\n------\n--##--\n------\n------");
    }

    #[test]
    fn a_pillar_keeps_its_distance() {
        let room = "#######\n#######\n###.###\n#######\n#######";
        assert_eq!(eroded(room, 1), "-------\n-##-##-\n-#-.-#-\n-##-##-\n-------");
    }

    #[test]
    fn areas_are_no_borders() {
        assert_eq!(eroded("1122\n1122\n1122", 1), "----\n-##-\n----");
    }
}
