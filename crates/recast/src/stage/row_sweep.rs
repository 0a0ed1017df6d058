//! The sweep behind monotone and layer regions and behind heightfield layers: cuts the walkable surface into
//! monotone regions. Runs of a row continue the region above them if it is theirs alone, so no region lies above
//! itself.
//! Cost: O(spans).
//! Source: M. Mononen, Recast (RecastRegion.cpp, rcBuildRegionsMonotone).

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction};

/// In the result of [`sweep_rows`]: no region.
pub(crate) const NONE: u32 = u32::MAX;

/// What a run of a row lies below.
#[derive(Clone, Copy)]
enum Above {
    Nothing,
    One { region: u32, samples: u32 },
    Several,
}

/// The region, from 0, of each walkable span within the border, [`NONE`] elsewhere; and the number of regions.
/// Neighbours are of one region only if `joins` says so.
pub(crate) fn sweep_rows(
    field: &CompactField<Eroded>,
    joins: impl Fn(usize, usize) -> bool,
) -> (Vec<u32>, u32) {
    let grid = &field.grid;
    let mut region_of = vec![NONE; field.len()];
    let mut count = 0;
    let columns = grid.border..grid.width.saturating_sub(grid.border);
    if columns.is_empty() {
        return (region_of, count);
    }
    let (mut runs, mut samples) = (Vec::new(), Vec::new());
    for z in grid.border..grid.depth.saturating_sub(grid.border) {
        runs.clear();
        samples.clear();
        samples.resize(count as usize, 0);
        let first = field.offsets.first(grid.column(columns.start, z));
        let end = field.offsets.first(grid.column(columns.end - 1, z) + 1);
        // Within a row the array holds runs; they become regions when the row is done.
        for span in (first..end).filter(|&span| field.area[span].is_walkable()) {
            let taken = |direction| {
                let beside = field.neighbour(span, direction)?;
                (region_of[beside] != NONE && joins(span, beside)).then_some(region_of[beside])
            };
            let (before, above) = (taken(Direction::XMin), taken(Direction::ZMin));
            let run = before.unwrap_or_else(|| {
                runs.push(Above::Nothing);
                runs.len() as u32 - 1
            });
            if let Some(above) = above {
                join_above(&mut runs[run as usize], above, &mut samples);
            }
            region_of[span] = run;
        }
        let ids: Vec<u32> = runs
            .iter()
            .map(|&above| match above {
                // The region above continues if all of its lower edge lies over this run.
                Above::One { region, samples: own } if samples[region as usize] == own => region,
                _ => {
                    count += 1;
                    count - 1
                }
            })
            .collect();
        for span in (first..end).filter(|&span| field.area[span].is_walkable()) {
            region_of[span] = ids[region_of[span] as usize];
        }
    }
    (region_of, count)
}

fn join_above(run: &mut Above, region: u32, samples: &mut [u32]) {
    match run {
        Above::Nothing => *run = Above::One { region, samples: 1 },
        Above::One { region: known, samples } if *known == region => *samples += 1,
        _ => {
            *run = Above::Several;
            return;
        }
    }
    samples[region as usize] += 1;
}
