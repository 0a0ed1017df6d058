//! Links are the same in any tiling, on any number of threads, and in any order of triangles.

use super::{Subject, bake, subjects, whole_links};
use crate::generated::{boxes, wild};
use navlinks::GeneratedLink;
use navscenes::generated::each_seed;
use navscenes::random::SplitMix64;

/// The links of a subject, sorted, before they are cut for tiles; without the tiles that they lead between.
fn sorted(subject: &Subject, tile_cells: u32) -> Vec<String> {
    let text = |link: &GeneratedLink| {
        let run: Vec<[[i32; 3]; 2]> = link.run.iter().map(|place| place.cells).collect();
        format!("{:?} {:?} {run:?}", link.connection, link.cells)
    };
    let mut all: Vec<String> = whole_links(&subject.prepared(), tile_cells).iter().map(text).collect();
    all.sort();
    all
}

fn shuffled(subject: &Subject, seed: u64) -> Subject {
    let (mut level, mut random) = (subject.level.clone(), SplitMix64::new(seed));
    for last in (1..level.triangles.len()).rev() {
        let other = (random.next_u64() % (last as u64 + 1)) as usize;
        level.triangles.swap(last, other);
        if !level.areas.is_empty() {
            level.areas.swap(last, other);
        }
    }
    Subject { name: subject.name.clone(), level, settings: subject.settings.clone() }
}

fn check(subject: &Subject) -> usize {
    let solo = sorted(subject, 0);
    let sizes = [37, 24, 96, 16, 48];
    for &tile_cells in if navscenes::is_long() { &sizes[..] } else { &sizes[..2] } {
        assert_eq!(sorted(subject, tile_cells), solo, "{} in tiles of {tile_cells}", subject.name);
    }
    solo.len()
}

#[test]
fn the_links_of_scenes_are_the_same_in_any_tiling() {
    for subject in subjects() {
        check(&subject);
    }
}

/// Checks a generated level. In one tile on one thread, it must have the same links as in tiles of its own
/// size, on many threads, with its triangles in another order.
fn check_generated(subject: &Subject, seed: u64) {
    let tile_cells = 16 + (seed.wrapping_mul(7) % 61) as u32;
    let on = |threads: usize, subject: &Subject, tile_cells: u32| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sorted(subject, tile_cells))
    };
    let plain = on(1, subject, 0);
    let other = on(8, &shuffled(subject, seed), tile_cells);
    assert_eq!(plain, other, "{} in tiles of {tile_cells}, shuffled, on 8 threads", subject.name);
}

#[test]
fn the_links_of_generated_boxes_are_the_same_in_any_way() {
    each_seed(12, "have other links in tiles, on other threads or in another order", |seed| {
        check_generated(&boxes(seed), seed);
    });
}

#[test]
fn the_links_of_generated_levels_are_the_same_in_any_way() {
    each_seed(24, "have other links in tiles, on other threads or in another order", |seed| {
        let mut subject = wild(seed);
        // If outlines stray further, small islands are lost, and the cuts between tiles decide which ones.
        let most = 2.0 * subject.settings.cell_size;
        subject.settings.contour_max_error = subject.settings.contour_max_error.map(|error| error.min(most));
        check_generated(&subject, seed);
    });
}

#[test]
fn neither_threads_nor_the_order_of_triangles_show() {
    for subject in subjects().into_iter().filter(|subject| subject.level.triangles.len() < 10_000) {
        let bytes = |subject: &Subject, threads: usize| -> Vec<Vec<u8>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let tiles = pool.install(|| bake(&subject.prepared(), 48));
            tiles.iter().map(|baked| baked.tile.bytes().to_vec()).collect()
        };
        let one = bytes(&subject, 1);
        assert!(one == bytes(&subject, 8), "{}", subject.name);
        assert!(one == bytes(&shuffled(&subject, 5), 2), "{} shuffled", subject.name);
    }
}
