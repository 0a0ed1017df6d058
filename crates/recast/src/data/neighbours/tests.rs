//! Neighbours are returned as they were stored, and runs have the documented properties.

use super::*;
use crate::data::CompactField;
use crate::data::compact::state::Eroded;
use crate::stage::testing::{flat, storeys};
use proptest::prelude::*;

proptest! {
    #[test]
    fn lists_come_back(
        lists in prop::collection::vec(
            prop::array::uniform4(prop_oneof![Just(NO_NEIGHBOUR), 0u32..40, 65_000u32..66_000, Just(u32::MAX - 1)]),
            0..40,
        ),
    ) {
        let neighbours = Neighbours::from_lists(&lists);
        prop_assert_eq!(neighbours.len(), lists.len());
        for (span, list) in lists.iter().enumerate() {
            let list = list.map(|other| if other == span as u32 { NO_NEIGHBOUR } else { other });
            prop_assert_eq!(neighbours.of(span), list);
            prop_assert_eq!(Direction::ALL.map(|direction| neighbours.one(span, direction)), list);
        }
    }

    #[test]
    fn runs_keep_their_promise(
        holes in prop::collection::vec(0usize..30 * 12, 0..20),
        within in (0usize..120, 200usize..400),
    ) {
        let mut picture = [b'#'; 30 * 12];
        holes.iter().for_each(|&hole| picture[hole] = b'.');
        let rows: Vec<_> = picture.chunks(30).map(|row| String::from_utf8_lossy(row)).collect();
        let field: CompactField<Eroded> = flat(&rows.join("\n"));
        let within = within.0..within.1.min(field.len());
        let stretches = field.neighbours.runs(within.clone(), &within);
        let covered: Vec<usize> = stretches.iter().flat_map(|stretch| stretch.spans.clone()).collect();
        prop_assert_eq!(covered, within.clone().collect::<Vec<_>>());
        for stretch in stretches {
            let Some(Run { left, right, above, below, .. }) = stretch.run else { continue };
            for span in stretch.spans.clone() {
                let beside = [span - left, span + below, span + right, span - above];
                let across = [span - left + below, span + below + right, span + right - above, span - above - left];
                for (index, direction) in Direction::ALL.into_iter().enumerate() {
                    prop_assert_eq!(field.neighbour(span, direction), Some(beside[index]));
                    prop_assert_eq!(field.diagonal(span, direction, direction.next()), Some(across[index]));
                    let other = direction.next();
                    prop_assert_eq!(field.diagonal(span, other, direction), Some(across[index]));
                    prop_assert!(within.contains(&across[index]));
                    prop_assert!(!stretch.spans.contains(&across[index]));
                }
                prop_assert!(!stretch.spans.contains(&beside[1]) && !stretch.spans.contains(&beside[3]));
            }
        }
    }

    #[test]
    fn neighbours_of_storeys_come_back(field in storeys()) {
        let lists = field.neighbours.to_lists();
        let steps: Option<Vec<Steps>> =
            (0u32..).zip(&lists).map(|(span, list)| Steps::from_list(span, list)).collect();
        let again = Neighbours::from_steps(&steps.unwrap(), 1);
        prop_assert_eq!(&again.to_lists(), &lists);
        prop_assert_eq!(again, Neighbours::from_lists(&lists));
        field.check().unwrap();
    }
}

#[test]
fn threads_find_the_same_neighbours() {
    let row = "#".repeat(399) + ".";
    let field: CompactField<Eroded> = flat(&vec![row; 200].join("\n"));
    let lists = field.neighbours.to_lists();
    let steps = || -> Option<Vec<Steps>> {
        (0u32..).zip(&lists).map(|(span, list)| Steps::from_list(span, list)).collect()
    };
    let [one, three] = [1, 3].map(|threads| steps().map(|steps| Neighbours::from_steps(&steps, threads)));
    assert!(lists.len() > 2 * SHARE * BLOCK && one.is_some());
    assert_eq!(one, three);
}

#[test]
fn open_ground_is_nearly_all_runs() {
    let field: CompactField<Eroded> = flat(&vec!["#".repeat(40); 10].join("\n"));
    let in_runs: usize = field
        .neighbours
        .runs(0..400, &(0..400))
        .iter()
        .filter(|stretch| stretch.run.is_some())
        .map(|stretch| stretch.spans.len())
        .sum();
    assert!(in_runs >= 36 * 8, "{in_runs}");
}
