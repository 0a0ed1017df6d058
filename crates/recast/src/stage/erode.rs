//! Stage 7, erode: `CompactField<Compacted>` -> `CompactField<Eroded>`.
//! Units: half cells. Cost: O(spans), two passes. Figure: docs/figures/07-erode.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp, rcErodeWalkableArea). Deviations: distances are 16 bits wide, so
//! the radius is not limited to 127 cells.
//!
//! The agent is a cylinder and the mesh is walked by its axis: whatever is nearer to a wall or a ledge than its
//! radius is taken away. Areas do not matter here, only where one can walk at all.

use super::Context;
use super::distance_field::Sweep;
use crate::area::AreaId;
use crate::bands;
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};
use crate::error::Error;
use crate::settings::Config;
use rayon::prelude::*;
use std::ops::Range;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The agent's radius, cells. Default: rounded up, so that it never overlaps a wall.
    pub walkable_radius: i32,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { walkable_radius: config.walkable_radius }
    }
}

/// Makes everything unwalkable that is nearer to a border than the radius. Bands of rows are shared among threads.
pub fn run(
    mut field: CompactField<Compacted>,
    params: &Params,
    context: &mut Context,
) -> Result<CompactField<Eroded>, Error> {
    let bands = bands::split_evenly(&field.grid, |column| field.offsets.first(column), context.threads);
    if let [band] = bands.as_slice() {
        let (distances, _) = find_distances(&field, params, band);
        erode(&mut field.area, &distances, params);
        return Ok(field.into_state());
    }
    // A band looks at the areas beside it, so they stay as they are until all bands are done.
    let eroded = |band: &Range<u32>| {
        let (distances, own) = find_distances(&field, params, band);
        let mut area = field.area[own.clone()].to_vec();
        erode(&mut area, &distances[distances.len() - own.len()..], params);
        area
    };
    let areas: Vec<Vec<AreaId>> = bands.par_iter().map(eroded).collect();
    let mut rest = field.area.as_mut_slice();
    for area in areas {
        let (own, behind) = rest.split_at_mut(area.len());
        own.copy_from_slice(&area);
        rest = behind;
    }
    Ok(field.into_state())
}

/// Makes unwalkable what is nearer to a border than the radius.
fn erode(areas: &mut [AreaId], distances: &[u16], params: &Params) {
    let threshold = params.walkable_radius * 2;
    for (area, &distance) in areas.iter_mut().zip(distances) {
        *area = if i32::from(distance) < threshold { AreaId::NULL } else { *area };
    }
}

/// How far each span of a band of rows is from a border, and which spans that are; what stands before them is of spans
/// of the rows before. Borders further away than the radius do not matter, so only as many rows beside the band are
/// looked at.
fn find_distances(
    field: &CompactField<Compacted>,
    params: &Params,
    band: &Range<u32>,
) -> (Vec<u16>, Range<usize>) {
    let (grid, area) = (&field.grid, field.area.as_slice());
    let reach = params.walkable_radius.max(0) as u32;
    let first_of = |row: u32| field.offsets.first(row as usize * grid.width as usize);
    let start = first_of(band.start.saturating_sub(reach));
    let around = start..first_of(band.end.saturating_add(reach).min(grid.depth));
    let own = first_of(band.start)..first_of(band.end);
    let mut distance = vec![u16::MAX; around.len()];
    let mut sweep = Sweep::new(&field.neighbours, around.clone(), &mut distance);
    if area[around].iter().all(|area| area.is_walkable()) {
        sweep.start_open();
    } else {
        sweep.start_within(area, |own, other| own.is_walkable() & other.is_walkable());
    }
    sweep.run();
    distance.truncate(own.end - start);
    (distance, own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};

    fn eroded(picture: &str, walkable_radius: i32) -> String {
        let field = run(flat(picture), &Params { walkable_radius }, &mut Context::new()).unwrap();
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
