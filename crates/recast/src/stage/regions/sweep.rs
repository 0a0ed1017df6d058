//! The sweep behind monotone and layer regions: runs of a row continue the region above them if it is theirs
//! alone.

use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction, RegionId};

/// What a run of a row lies below.
#[derive(Clone, Copy)]
enum Above {
    Nothing,
    One { region: u32, samples: u32 },
    Several,
}

/// Labels every walkable span within the border, row by row; returns the number of regions.
pub(super) fn sweep_rows(field: &CompactField<Eroded>, labels: &mut [RegionId]) -> u32 {
    let grid = &field.grid;
    let mut count = 0u32;
    let mut runs: Vec<Above> = Vec::new();
    let mut samples: Vec<u32> = vec![0];
    let mut run_of: Vec<u32> = vec![0; labels.len()];
    let rows = grid.border..grid.depth.saturating_sub(grid.border);
    let columns = grid.border..grid.width.saturating_sub(grid.border);
    for z in rows {
        runs.clear();
        samples.fill(0);
        let spans = || {
            let first = field.offsets[grid.column(columns.start, z)] as usize;
            first..field.offsets[grid.column(columns.end - 1, z) + 1] as usize
        };
        if columns.is_empty() {
            break;
        }
        for span in spans().filter(|&span| field.area[span].is_walkable()) {
            let same_area =
                |&other: &usize| field.area[other] == field.area[span] && !labels[other].is_border();
            let before = field.neighbour(span, Direction::XMin).filter(same_area).map(|other| run_of[other]);
            // A neighbour of this row that was not reached has no run: it is another area's, or unwalkable.
            let run = before.unwrap_or_else(|| {
                runs.push(Above::Nothing);
                runs.len() as u32 - 1
            });
            run_of[span] = run;
            let above = field.neighbour(span, Direction::ZMin).filter(same_area).map(|other| labels[other]);
            if let Some(above) = above.filter(|label| label.is_inner()) {
                join_above(&mut runs[run as usize], above.index() as u32, &mut samples);
            }
        }
        let ids: Vec<u32> = runs
            .iter()
            .map(|&above| match above {
                // The region above continues if all of its lower edge lies over this run.
                Above::One { region, samples: own } if samples[region as usize] == own => region,
                _ => {
                    count += 1;
                    count
                }
            })
            .collect();
        samples.resize(count as usize + 1, 0);
        for span in spans().filter(|&span| field.area[span].is_walkable()) {
            labels[span] = RegionId::inner(ids[run_of[span] as usize]);
        }
    }
    count
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
