//! Stage 7, erode: `CompactField<Compacted>` -> `CompactField<Eroded>`.
//! Units: half cells. Cost: O(spans), two passes. Figure: docs/figures/07-erode.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp, rcErodeWalkableArea). Deviations: distances are 16 bits wide, so
//! the radius is not limited to 127 cells.
//!
//! The agent is a cylinder and the mesh is walked by its axis: whatever is nearer to a wall or a ledge than its
//! radius is taken away. Areas do not matter here, only where one can walk at all.

use super::distance_field::Sweep;
use crate::area::AreaId;
use crate::bands;
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};
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
    let distances: Vec<Vec<u16>> = match bands.as_slice() {
        [band] => vec![find_distances(&field, params, band)],
        bands => bands.par_iter().map(|band| find_distances(&field, params, band)).collect(),
    };
    let threshold = params.walkable_radius * 2;
    let mut areas = field.area.as_mut_slice();
    for distances in distances {
        let (own, rest) = areas.split_at_mut(distances.len());
        for (area, distance) in own.iter_mut().zip(distances) {
            *area = if i32::from(distance) < threshold { AreaId::NULL } else { *area };
        }
        areas = rest;
    }
    field.into_state()
}

/// How far each span of a band of rows is from a border. Borders further away than the radius do not matter, so only
/// as many rows beside the band are looked at.
fn find_distances(field: &CompactField<Compacted>, params: &Params, band: &Range<u32>) -> Vec<u16> {
    let (grid, area) = (&field.grid, field.area.as_slice());
    let reach = params.walkable_radius.max(0) as u32;
    let first_of = |row: u32| field.offsets.first(row as usize * grid.width as usize);
    let start = first_of(band.start.saturating_sub(reach));
    let around = start..first_of(band.end.saturating_add(reach).min(grid.depth));
    let own = first_of(band.start)..first_of(band.end);
    let mut distance = vec![u16::MAX; around.len()];
    let mut sweep = Sweep::new(&field.neighbours, around, &mut distance);
    if area.iter().all(|area| area.is_walkable()) {
        sweep.start_open();
    } else {
        sweep.start_within(area, |own, other| own.is_walkable() & other.is_walkable());
    }
    sweep.run();
    distance.truncate(own.end - start);
    distance.drain(..own.start - start);
    distance
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
