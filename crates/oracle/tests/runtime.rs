//! The runtime answers like the C++ library, except for listed deviations: the same questions on the same
//! tiles.
#![allow(clippy::unwrap_used)]

use oracle::runtime::asker::Asker;
use oracle::runtime::draw::Draw;
use oracle::runtime::graph::Point;
use oracle::runtime::moves::neighbourhood;
use oracle::runtime::pair::Pair;
use oracle::runtime::report::{QuestionOptions, measure_subject, tiles};
use oracle::runtime::string::{flat_length, pull};
use oracle::runtime::verdict::Verdict;
use oracle::subject::{self, Subject};

/// Few, so that a test takes seconds; `oracle runtime` asks more.
const OPTIONS: QuestionOptions = QuestionOptions { questions: 200, seed: 11 };

fn assert_as_listed(subject: &Subject) {
    let texts = subject::questions(subject, None).unwrap();
    for tile_cells in [None, Some(48)] {
        let report = measure_subject(subject, tile_cells, &texts, &OPTIONS).unwrap();
        let unexpected = report.unexpected();
        assert!(unexpected.is_empty(), "{}{}", report.table(), unexpected.join("\n"));
        assert!(report.rows.len() >= 10 && report.rows.iter().all(|row| row.asked > 0));
        // Listed differences must remain the smaller part of all questions.
        let equal: usize = report.rows.iter().map(|row| row.equal).sum();
        let asked: usize = report.rows.iter().map(|row| row.asked).sum();
        assert!(equal * 4 > asked * 3, "{}", report.table());
    }
}

#[test]
fn scenes_are_answered_alike() {
    for name in subject::scene_names() {
        assert_as_listed(&Subject::from_scene(name).unwrap());
    }
}

#[test]
#[allow(clippy::print_stderr)]
fn well_known_levels_are_answered_alike() {
    let levels = subject::well_known_levels(None).unwrap();
    if levels.is_empty() {
        eprintln!(
            "skipped: nav_test.obj and dungeon.obj, as there is no folder of meshes beside the repository"
        );
    }
    for path in levels {
        assert_as_listed(&Subject::from_file(&path).unwrap());
    }
}

#[test]
fn a_seed_asks_the_same_every_time() {
    let subject = Subject::from_scene("storeys").unwrap();
    let report =
        |seed| measure_subject(&subject, None, &[], &QuestionOptions { questions: 40, seed }).unwrap();
    assert_eq!(report(5), report(5));
    assert_ne!(report(5).lengths, report(6).lengths);
}

#[test]
fn the_numbering_is_one_for_both() {
    let subject = Subject::from_scene("courtyard").unwrap();
    let pair = Pair::new(&tiles(&subject, Some(48)).unwrap()).unwrap();
    for number in 0..pair.len() {
        assert_eq!(pair.number(pair.our_ref(number)), Some(number));
        assert_eq!(pair.their_number(pair.their_ref(number)), Some(number));
        let [ours, theirs] = [&pair.exact, &pair.bytes].map(|graph| &graph.polygons[number]);
        assert_eq!((&ours.corners, ours.area), (&theirs.corners, theirs.area));
    }
}

#[test]
fn strings_are_pulled_about_corners() {
    let subject = Subject::from_scene("two_rooms").unwrap();
    let pair = Pair::new(&tiles(&subject, None).unwrap()).unwrap();
    let middle = |number: usize| -> Point {
        let corners = &pair.exact.polygons[number].corners;
        std::array::from_fn(|axis| {
            corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len() as f64
        })
    };
    let first = (0..pair.len()).find(|&number| pair.exact.polygons[number].ways.len() == 1).unwrap();
    let second = pair.exact.polygons[first].ways[0].to;
    let (start, goal) = (middle(first), middle(second));
    let line = pull(&pair.exact, &[first, second], start, goal).unwrap();
    assert!(flat_length(&line) >= flat_length(&[start, goal]) - 1e-9 && line.len() <= 3);
    assert_eq!(pull(&pair.exact, &[first, first], start, goal), None);
}

#[test]
fn a_circle_meets_an_opening_by_rounding() {
    let pair = Pair::new(&tiles(&Subject::from_scene("boxes").unwrap(), Some(48)).unwrap()).unwrap();
    let mut asker = Asker::new(&pair).unwrap();
    // The distance of an opening equals this question's radius up to some parts in 10^8.
    let verdict = neighbourhood(&mut asker, &mut Draw::new(1, 2_679_984)).unwrap();
    assert!(matches!(verdict, Verdict::Deviates("circle-rounding", _)), "{verdict:?}");
    assert_eq!(neighbourhood(&mut asker, &mut Draw::new(1, 2_679_983)).unwrap(), Verdict::Equal);
}
