//! Links are found in windows: they are the same in windows of any size as in one over the whole level, and
//! in the same order.

use super::{Subject, links_in_windows, subjects};
use crate::generated::{boxes, wild};
use navscenes::build::{Builder, rect};
use navscenes::generated::each_seed;
use navscenes::{repeat, shooter};
use recast::{LinkKind, LinkProfile, PreparedLevel, Settings};

/// Windows as small as can be, and some in between, in bytes.
const MEMORY: [u64; 4] = [u64::MAX, 0, 6 << 20, 24 << 20];

/// Finds the links of a level in windows of all sizes; `worth` decides how far a candidate sees. Returns the
/// number of links.
fn check(subject: &Subject, tile_cells: u32, worth: f64) -> usize {
    let mut settings = subject.settings.clone();
    settings.links.iter_mut().for_each(|profile| profile.worth = worth);
    let level = Subject { name: String::new(), level: subject.level.clone(), settings }.prepared();
    let mut found = links_in_windows(&level, tile_cells, &MEMORY).into_iter();
    let whole = found.next().unwrap();
    for (links, memory) in found.zip(&MEMORY[1..]) {
        let name = &subject.name;
        assert!(
            links == whole,
            "{name} in tiles of {tile_cells}, worth {worth}: other links within {memory} bytes"
        );
    }
    whole.len()
}

#[test]
fn the_links_of_scenes_are_the_same_in_any_windows() {
    let mut count = 0;
    for (index, subject) in subjects().iter().enumerate() {
        count += check(subject, [16, 24, 37][index % 3], [3.0, 1.5][index % 2]);
    }
    for scene in shooter::scenes() {
        let subject = Subject::new(scene.name, repeat(&(scene.level)(), 3, 2), (scene.settings)());
        count += check(&subject, 16, 1.0) + check(&subject, 24, 3.0);
    }
    assert!(count > 500, "{count} links are no test");
}

#[test]
fn the_links_of_generated_levels_are_the_same_in_any_windows() {
    each_seed(12, "have other links in windows", |seed| {
        let cells = 12 + (seed.wrapping_mul(7) % 31) as u32;
        check(&boxes(seed), cells, [1.0, 1.5, 3.0][seed as usize % 3]);
        check(&wild(seed), cells, [3.0, 1.0][seed as usize % 2]);
    });
}

/// Two long walls next to a gap: rows of candidates lead through many windows, and edges end at multiples of
/// 1024 cells.
#[test]
fn long_edges_are_the_same_in_any_windows() {
    let mut builder = Builder::new();
    builder.block([0.0, 0.0, 0.0], [400.0, 3.0, 4.0]);
    builder.block([0.0, 0.0, 6.5], [400.0, 3.0, 10.5]);
    let subject = Subject::new("two walls", builder.finish(), Settings::default());
    let level = subject.prepared();
    let found = links_in_windows(&level, 32, &MEMORY);
    let longest = found[0].iter().map(|link| link.run.len()).max().unwrap();
    assert!((900..=1024).contains(&longest), "{longest} places of an edge");
    for link in &found[0] {
        let square = |at: usize| link.run[at].cells[0][0].div_euclid(1024);
        assert_eq!(square(0), square(link.run.len() - 1), "an edge leads over a multiple of 1024 cells");
    }
    for links in &found[1..] {
        assert!(*links == found[0], "other links in windows");
    }
}

/// A wall that sinks along x: each candidate down its side is shorter than the one before it, so each depends
/// on the next one, and the first on the last. Squares are judged the other way round, by guesses that are
/// wrong, and again.
#[test]
fn chains_of_candidates_are_followed_through_windows() {
    let mut builder = Builder::new();
    builder.floor(rect(-6.0, -6.0, 126.0, 10.0), 0.0);
    builder.wedge(rect(0.0, 0.0, 120.0, 4.0), 0.0, [20.0, 0.05, 20.0, 0.05]);
    let profile = LinkProfile { height: [0.5, 20.0], worth: 1.0, ..LinkProfile::new(LinkKind::Drop) };
    let settings = Settings { cell_height: 0.05, links: vec![profile], ..Settings::default() };
    let level = PreparedLevel::new(&builder.finish(), &settings).unwrap();
    let found = links_in_windows(&level, 16, &[u64::MAX, 0]);
    assert!(found[0].len() > 60, "{} links", found[0].len());
    assert!(found[0] == found[1], "other links in windows");
}
