//! Tiles are accepted if a plain checker finds no fault, and refused for a rule that it also finds broken,
//! with the same error text. Inputs: valid tiles, random corruptions, rewired portals and twins.

use crate::common::parts::Parts;
use crate::common::spoil::{bytes_of, change, mend_bounds};
use crate::common::{Dice, everything, pentagon, random_star, random_tile, row, storeys};
use crate::judge::judge;
use navtile::Tile;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// The rule that the reader reports, if the judge reports it in the same words; `sound` if there is no fault.
fn verdict(bytes: &[u8]) -> &'static str {
    let errors = judge(bytes);
    match Tile::from_bytes(bytes) {
        Ok(_) => {
            assert!(errors.is_empty(), "accepted in spite of {errors:?}");
            "sound"
        }
        Err(error) => {
            assert!(errors.contains(&error), "refused for {error}, not for one of {errors:?}");
            error.rule
        }
    }
}

#[test]
fn the_reader_and_the_judge_agree() {
    let mut runner = TestRunner::deterministic();
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut contents = vec![everything(), storeys(4), row(30), pentagon()];
    for _ in 0..30 {
        contents.push(random_tile().new_tree(&mut runner).unwrap().current());
        contents.push(random_star().new_tree(&mut runner).unwrap().current());
    }
    let links = everything().off_mesh_links;
    for content in contents.iter_mut().step_by(2) {
        content.off_mesh_links.clone_from(&links);
    }
    for (seed, content) in (0u64..).zip(&contents) {
        let sound = Parts::of(content);
        assert_eq!(verdict(&sound.bytes()), "sound");
        let mut dice = Dice(seed);
        for round in 0..400 {
            let mut parts = sound.clone();
            change(&mut parts, &mut dice);
            if round % 2 == 0 {
                mend_bounds(&mut parts);
            }
            *verdicts.entry(verdict(&bytes_of(&parts, &mut dice))).or_default() += 1;
        }
    }
    // Most of the rules that a change of one or two numbers can break, out of 54 rules.
    assert!(verdicts["sound"] > 500 && verdicts.len() > 45, "{verdicts:?}");
}
