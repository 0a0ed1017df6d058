//! Stage 7, erode, by runs and bands of rows. Defined by [`crate::stage::erode`].

use super::bands;
use super::distance_field::DistanceSweep;
use crate::data::CompactField;
use crate::data::compact::state::{Compacted, Eroded};
use crate::error::Error;
use crate::stage::Context;
use crate::stage::erode::{Params, take_away};
use navtile::area::AreaId;
use rayon::prelude::*;
use std::ops::Range;

/// Like [`crate::stage::erode::run`], on the threads of the context.
pub(crate) fn erode(
    field: CompactField<Compacted>,
    params: &Params,
    context: &mut Context,
) -> Result<CompactField<Eroded>, Error> {
    let bands = bands::split_evenly(&field.grid, |column| field.offsets.first(column), context.threads);
    Ok(erode_in(field, &bands, params))
}

/// Like [`erode`], in these bands.
fn erode_in(
    mut field: CompactField<Compacted>,
    bands: &[Range<u32>],
    params: &Params,
) -> CompactField<Eroded> {
    if let [band] = bands {
        let (distances, _) = find_distances(&field, params, band);
        take_away(&mut field.area, &distances, params);
        return field.into_state();
    }
    // A band reads the areas next to it, so they remain unchanged until all bands are done.
    let eroded = |band: &Range<u32>| {
        let (distances, own) = find_distances(&field, params, band);
        let mut area = field.area[own.clone()].to_vec();
        take_away(&mut area, &distances[distances.len() - own.len()..], params);
        area
    };
    let areas: Vec<Vec<AreaId>> = bands.par_iter().map(eroded).collect();
    let mut rest = field.area.as_mut_slice();
    for area in areas {
        let (own, behind) = rest.split_at_mut(area.len());
        own.copy_from_slice(&area);
        rest = behind;
    }
    field.into_state()
}

/// The distance of each span of a band of rows from a border, exact up to at least the radius, and the range
/// of these spans; any distances before theirs belong to previous rows. Borders further away than the radius
/// do not matter, so a band reads no further than that beyond its own rows.
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
    let mut sweep = DistanceSweep::new(&field.neighbours, around.clone(), &mut distance);
    // True after the compact stage of every bake, which keeps no other floors: then areas need not be
    // compared.
    if area[around].iter().fold(true, |all, area| all & area.is_walkable()) {
        sweep.start(area, |_, _| true);
    } else {
        sweep.start(area, |own, other| own.is_walkable() & other.is_walkable());
    }
    sweep.run();
    distance.truncate(own.end - start);
    (distance, own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::bands::every_split;
    use crate::stage::erode as plain;
    use crate::stage::testing::{flat, storeys};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bands_and_runs_erode_as_the_plain_stage_does(
            storeys in storeys(),
            holes in prop::collection::vec(0usize..12 * 40, 0..12),
            walkable_radius in 0i32..5,
        ) {
            let mut picture = [b'#'; 12 * 40];
            holes.iter().for_each(|&cell| picture[cell] = b'.');
            let rows: Vec<_> = picture.chunks(12).map(|row| String::from_utf8_lossy(row)).collect();
            for field in [storeys.into_state(), flat(&rows.join("\n"))] {
                let (params, mut context) = (Params { walkable_radius }, Context::new());
                let plain = plain::run(field.clone(), &params, &mut context).unwrap();
                for bands in every_split(field.grid.depth) {
                    prop_assert_eq!(&erode_in(field.clone(), &bands, &params), &plain);
                }
            }
        }
    }
}
