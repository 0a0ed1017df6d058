//! The sweep by stretches finds what one finds that goes span by span.

use super::*;
use crate::area::AreaId;
use crate::stage::testing::storeys;
use proptest::prelude::*;

/// What a run of a row lies below.
#[derive(Clone, Copy)]
enum Above {
    Nothing,
    One { region: u32, samples: u32 },
    Several,
}

/// As [`sweep_rows`], span by span.
fn sweep_spans(field: &CompactField<Eroded>, joins: impl Fn(usize, usize) -> bool) -> (Vec<u32>, u32) {
    let grid = &field.grid;
    let mut region_of = vec![NONE; field.len()];
    let mut count = 0;
    let inner = |side: u32| grid.border..side.saturating_sub(grid.border);
    for z in inner(grid.depth) {
        let spans: Vec<usize> = inner(grid.width)
            .flat_map(|x| field.column(grid.column(x, z)))
            .filter(|&span| field.area[span].is_walkable())
            .collect();
        let (mut runs, mut samples) = (Vec::new(), vec![0; count as usize]);
        for &span in &spans {
            let taken = |direction| {
                let beside = field.neighbour(span, direction)?;
                (region_of[beside] != NONE && joins(span, beside)).then_some(region_of[beside])
            };
            let (before, above) = (taken(Direction::XMin), taken(Direction::ZMin));
            let run = before.unwrap_or_else(|| {
                runs.push(Above::Nothing);
                runs.len() as u32 - 1
            });
            if let Some(region) = above {
                match &mut runs[run as usize] {
                    run @ Above::Nothing => *run = Above::One { region, samples: 1 },
                    Above::One { region: known, samples } if *known == region => *samples += 1,
                    run => *run = Above::Several,
                }
                if !matches!(runs[run as usize], Above::Several) {
                    samples[region as usize] += 1;
                }
            }
            region_of[span] = run;
        }
        let ids: Vec<u32> = runs
            .iter()
            .map(|&run| match run {
                Above::One { region, samples: own } if samples[region as usize] == own => region,
                _ => {
                    count += 1;
                    count - 1
                }
            })
            .collect();
        spans.iter().for_each(|&span| region_of[span] = ids[region_of[span] as usize]);
    }
    (region_of, count)
}

proptest! {
    #[test]
    fn stretches_make_the_regions_of_spans(
        field in storeys(),
        border in 0u32..3,
    ) {
        let mut field = field;
        field.grid.border = border;
        let areas: &[AreaId] = &field.area.clone();
        let same = |a: usize, b: usize| areas[a] == areas[b];
        prop_assert_eq!(sweep_rows(&field, same), sweep_spans(&field, same));
        prop_assert_eq!(sweep_rows(&field, |_, _| true), sweep_spans(&field, |_, _| true));
    }

    #[test]
    fn labels_are_renumbered(labels in prop::collection::vec((0i32..5, 1usize..40), 0..20)) {
        let regions = [0, 3, 3, 1].map(|id| if id == 0 { RegionId::NONE } else { RegionId::inner(id) });
        let label = |id: i32| match id {
            0 => RegionId::NONE,
            4 => RegionId::border(2),
            id => RegionId::inner(id as u32),
        };
        let mut labels: Vec<RegionId> =
            labels.into_iter().flat_map(|(id, count)| vec![label(id); count]).collect();
        let expected: Vec<RegionId> = labels
            .iter()
            .map(|label| if label.is_inner() { regions[label.index()] } else { *label })
            .collect();
        renumber(&mut labels, &regions);
        prop_assert_eq!(labels, expected);
    }
}
