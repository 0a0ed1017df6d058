//! Regions of small rooms, as pictures.

use super::*;
use crate::data::Direction;
use crate::meshing::steps::steps_of;
use crate::stage::distance_field;
use crate::stage::testing::{compact_picture, flat, storeys};
use proptest::prelude::*;
use std::collections::BTreeSet;

const KEEP_ALL: Params = Params { min_cells: 0, merge_cells: 0, join: false };

fn picture(regions: &RegionField) -> String {
    regions.check().unwrap();
    compact_picture(&regions.field, |span| {
        let region = regions.region[span];
        if region.is_border() { 'b' } else { char::from_digit(region.index() as u32, 36).unwrap() }
    })
}

/// Two rooms of 11 by 11 with a door of one column between them.
fn two_rooms() -> String {
    let row = |z: usize| format!("{0}{1}{0}", "#".repeat(11), if z == 5 { '#' } else { '.' });
    (0..11).map(row).collect::<Vec<_>>().join("\n")
}

fn watershed_of(picture: &str, params: &Params) -> RegionField {
    let context = &mut Context::new();
    let distance = distance_field::run(flat(picture), &(), context).unwrap();
    watershed(distance, params, context).unwrap()
}

#[test]
fn watershed_gives_each_room_its_own() {
    let regions = watershed_of(&two_rooms(), &KEEP_ALL);
    let picture = picture(&regions);
    let cell = |x: usize, z: usize| picture.lines().nth(z).unwrap().as_bytes()[x];
    assert_ne!(cell(5, 5), cell(17, 5), "{picture}");
    assert!((0..11).all(|z| cell(0, z) == cell(5, 5) && cell(22, z) == cell(17, 5)), "{picture}");
    assert!(!picture.contains('0'), "{picture}");
}

#[test]
fn monotone_regions_have_no_holes() {
    let regions = monotone(flat("#####\n#.###\n#####"), &KEEP_ALL, &mut Context::new()).unwrap();
    let rows = picture(&regions);
    // The row below the hole is under two runs, so it starts a new region.
    assert!(regions.count >= 3, "{rows}");
}

#[test]
fn layers_join_across_rows() {
    let regions = layers(flat("#####\n#.###\n#####"), &KEEP_ALL, &mut Context::new()).unwrap();
    assert_eq!(picture(&regions), "11111\n1.111\n11111");
}

#[test]
fn areas_stay_apart() {
    let regions = layers(flat("1122\n1122\n1122"), &KEEP_ALL, &mut Context::new()).unwrap();
    assert_eq!(picture(&regions), "1122\n1122\n1122");
}

#[test]
fn small_islands_go() {
    let params = Params { min_cells: 4, merge_cells: 0, join: false };
    let regions = monotone(flat("#####.##\n#####.#."), &params, &mut Context::new()).unwrap();
    assert_eq!(picture(&regions), "11111.00\n11111.0.");
}

#[test]
fn a_small_region_in_a_hole_of_a_large_one_stays() {
    let picture = "1111111\n1111111\n1122111\n1122111\n1111111\n1111111";
    let params = Params { min_cells: 10, merge_cells: 0, join: false };
    let kept = [
        watershed_of(picture, &params),
        monotone(flat(picture), &params, &mut Context::new()).unwrap(),
        layers(flat(picture), &params, &mut Context::new()).unwrap(),
    ];
    kept.iter().for_each(|regions| assert!(regions.region.iter().all(|region| region.is_inner())));
}

#[test]
fn narrow_ground_is_in_regions() {
    // Nowhere wider than two cells, and a ring of one cell around a tile's inner edge.
    let strip = watershed_of("##########\n##########", &KEEP_ALL);
    assert_eq!(picture(&strip), "1111111111\n1111111111");
    let mut field = flat("#######\n#######\n##...##\n##...##\n##...##\n#######\n#######");
    field.grid.border = 1;
    let distance = distance_field::run(field, &(), &mut Context::new()).unwrap();
    let ring = watershed(distance, &KEEP_ALL, &mut Context::new()).unwrap();
    assert!(ring.region.iter().all(|region| !region.is_none()), "{}", picture(&ring));
}

#[test]
fn small_regions_merge_into_their_neighbour() {
    let all = watershed_of(&two_rooms(), &KEEP_ALL);
    let merged = watershed_of(&two_rooms(), &Params { min_cells: 0, merge_cells: 200, join: false });
    assert!(all.count > 1);
    assert_eq!(merged.count, 1);
}

#[test]
fn the_border_is_painted_and_keeps_small_islands() {
    let mut field = flat("######\n#.####\n######\n######\n######\n######");
    field.grid.border = 2;
    let regions =
        monotone(field, &Params { min_cells: 100, merge_cells: 0, join: false }, &mut Context::new())
            .unwrap();
    assert_eq!(picture(&regions), "bbbbbb\nb.bbbb\nbb11bb\nbb11bb\nbbbbbb\nbbbbbb");
}

#[test]
fn a_region_above_itself_is_split() {
    use crate::data::NO_NEIGHBOUR;
    use crate::data::compact::CompactArrays;
    // A strip of six spans over a ring of four columns: the last two are above the first two.
    let ring = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (1, 0)];
    let grid = crate::stage::testing::grid(2, 2);
    let mut spans: Vec<(usize, i32)> =
        ring.iter().enumerate().map(|(step, &(x, z))| (grid.column(x, z), 10 * step as i32)).collect();
    let order: Vec<(usize, i32)> = spans.clone();
    spans.sort_unstable();
    let index = |step: usize| spans.iter().position(|span| *span == order[step]).unwrap() as u32;
    let mut neighbours = vec![[NO_NEIGHBOUR; 4]; 6];
    for step in 0..5 {
        let ((x, z), (nx, nz)) = (ring[step], ring[step + 1]);
        let direction = Direction::ALL.into_iter().find(|&d| grid.neighbour(x, z, d) == Some((nx, nz)));
        let direction = direction.unwrap();
        neighbours[index(step) as usize][direction as usize] = index(step + 1);
        neighbours[index(step + 1) as usize][direction.next().next() as usize] = index(step);
    }
    let offsets = (0..=4).map(|column| spans.iter().filter(|span| span.0 < column).count() as u32).collect();
    let field = CompactField::from_arrays(CompactArrays {
        grid,
        walkable_height: 4,
        walkable_climb: 10,
        offsets,
        floor: spans.iter().map(|span| span.1).collect(),
        clearance: vec![9; 6],
        area: vec![crate::AreaId::GROUND; 6],
        neighbours,
    });
    let mut labels = vec![RegionId::inner(1); 6];
    assert_eq!(split_overlaps(&field, &[false, true], &mut labels, 1), 2);
    for column in 0..4 {
        let column = field.column(column);
        assert!(column.clone().all(|span| column.clone().all(|o| o == span || labels[o] != labels[span])));
    }
}

/// For each span, true if it is walkable, inside the border, and on an island that is kept: an island with
/// enough spans, or one that continues in the border.
fn kept_plainly(field: &CompactField<Eroded>, min_cells: u32) -> Vec<bool> {
    let mut border = vec![false; field.len()];
    for_border(field, |span, _| border[span] = true);
    let (mut kept, mut seen) = (vec![false; field.len()], vec![false; field.len()]);
    for seed in 0..field.len() {
        if seen[seed] || border[seed] || !field.area[seed].is_walkable() {
            continue;
        }
        seen[seed] = true;
        let (mut island, mut next, mut goes_on) = (vec![seed], 0, false);
        while let Some(&span) = island.get(next) {
            next += 1;
            for beside in Direction::ALL.into_iter().filter_map(|direction| field.neighbour(span, direction))
            {
                goes_on |= border[beside];
                let open = field.area[beside].is_walkable() && !border[beside];
                if open && !std::mem::replace(&mut seen[beside], true) {
                    island.push(beside);
                }
            }
        }
        let keep = goes_on || island.len() >= min_cells as usize;
        island.into_iter().for_each(|span| kept[span] = keep);
    }
    kept
}

proptest! {
    #[test]
    fn all_ground_but_small_islands_is_in_regions(
        field in storeys(),
        border in 0u32..3,
        min_cells in 0u32..12,
        merge_cells in 0u32..30,
    ) {
        let mut field = field;
        field.grid.border = border;
        let params = Params { min_cells, merge_cells, join: false };
        let kept = kept_plainly(&field, min_cells);
        let context = &mut Context::new();
        let distance = distance_field::run(field.clone(), &(), context).unwrap();
        for regions in [
            watershed(distance, &params, context).unwrap(),
            monotone(field.clone(), &params, context).unwrap(),
            layers(field, &params, context).unwrap(),
        ] {
            let inner: Vec<bool> = regions.region.iter().map(|region| region.is_inner()).collect();
            prop_assert_eq!(&inner, &kept);
        }
    }

    #[test]
    fn stacks_are_those_of_all_columns(field in storeys(), border in 0u32..3) {
        let mut field = field;
        field.grid.border = border;
        let (labels, count) = sweep(&field);
        let mut expected = BTreeSet::new();
        for column in 0..field.grid.columns() {
            for lower in field.column(column) {
                for upper in lower + 1..field.column(column).end {
                    let (a, b) = (labels[lower], labels[upper]);
                    if a.is_inner() && b.is_inner() {
                        expected.insert((a.min(b), a.max(b)));
                    }
                }
            }
        }
        let RegionBlocks { blocks, overlaps, .. } = find_blocks(&field, &labels, count);
        for (a, b) in (1..=count).flat_map(|a| (1..=a).map(move |b| (b, a))) {
            let shared = match a == b {
                true => overlaps[a as usize],
                false => blocks[a as usize].iter().any(|block| blocks[b as usize].contains(block)),
            };
            let is_above = expected.contains(&(RegionId::inner(a), RegionId::inner(b)));
            prop_assert_eq!(shared, is_above);
        }
    }

    #[test]
    fn split_regions_do_not_lie_above_themselves(field in storeys(), ids in 1u32..4) {
        // Whole columns of one region, so every column with several floors must be split.
        let mut labels: Vec<RegionId> = vec![RegionId::NONE; field.len()];
        field.for_each_span(|x, _, span| labels[span] = RegionId::inner(1 + x / 8 % ids));
        let count = split_overlaps(&field, &find_blocks(&field, &labels, ids).overlaps, &mut labels, ids);
        prop_assert!(!find_blocks(&field, &labels, count).overlaps.contains(&true));
        prop_assert!(labels.iter().all(|label| label.is_inner() && label.index() <= count as usize));
    }
}

#[test]
fn merging_takes_steps_for_what_is_merged() {
    // A strip of pillars, whose monotone regions are merged with their neighbours, in two lengths.
    let field = |length: usize| {
        let rows = ["######", "##..##"].map(|row| row.repeat(6));
        let row = |z: usize| rows[usize::from(matches!(z % 6, 2 | 3))].as_str();
        (0..6 * length).map(row).collect::<Vec<_>>().join("\n")
    };
    let merged = |length: usize| {
        let params = Params { min_cells: 0, merge_cells: 400, join: false };
        let (mut before, mut after) = (0, 0);
        let steps = steps_of(|| {
            let keep = monotone(flat(&field(length)), &KEEP_ALL, &mut Context::new()).unwrap();
            let merged = monotone(flat(&field(length)), &params, &mut Context::new()).unwrap();
            (before, after) = (keep.count, merged.count);
        });
        assert!(2 * after < before, "{before} regions, {after} after merging");
        (f64::from(before - after), steps as f64)
    };
    let ((few, before), (many, after)) = (merged(10), merged(40));
    assert!(after / before <= 1.25 * many / few, "{before} steps for {few} merges, {after} for {many}");
}
