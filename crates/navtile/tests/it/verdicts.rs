//! Tiles are accepted if a plain checker finds nothing, and refused for a rule that it finds broken, in the same words:
//! sound tiles, random corruptions, rewired portals and twins.

use crate::common::parts::Parts;
use crate::common::spoil::{change, mend_bounds};
use crate::common::{Dice, everything, random_star, random_tile, square, tile};
use crate::judge::judge;
use navtile::Tile;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;

/// The rule that the reader says is broken, if the judge says so too, in the same words; `sound` for none.
fn verdict(parts: &Parts) -> &'static str {
    let errors = judge(parts);
    match Tile::from_bytes(&parts.bytes()) {
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
    let storeys: Vec<_> = (0..4).map(|y| square(0, 1, 512, move |x, _| 90 * y + 50 * x)).collect();
    let mut contents = vec![everything(), tile(&storeys)];
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
        assert_eq!(verdict(&sound), "sound");
        let mut dice = Dice(seed);
        for round in 0..400 {
            let mut parts = sound.clone();
            change(&mut parts, &mut dice);
            if round % 2 == 0 {
                mend_bounds(&mut parts);
            }
            *verdicts.entry(verdict(&parts)).or_default() += 1;
        }
    }
    // Of 37 rules, most of those that one number or two can break.
    assert!(verdicts["sound"] > 500 && verdicts.len() > 28, "{verdicts:?}");
}
