//! The cost of links, printed: their share of a bake in tiles.

use super::{Subject, bake};
use recast::{PreparedLevel, Settings};
use std::time::Instant;

#[test]
fn the_share_of_links_in_a_bake_is_printed() {
    let scenes = navscenes::all().iter().filter(|scene| scene.name == "terrain");
    let ours = scenes.map(|scene| (scene.name, (scene.level)()));
    for (name, level) in ours.chain(navscenes::public_levels()) {
        let with = Subject::new(name, level, Settings::default());
        let without = PreparedLevel::new(&with.level, &Settings::default()).unwrap();
        let with = with.prepared();
        let mut shares: Vec<f64> = (0..9)
            .map(|_| {
                let seconds = |level: &PreparedLevel| {
                    let start = Instant::now();
                    let tiles = bake(level, 48);
                    (start.elapsed().as_secs_f64(), tiles.len())
                };
                let (plain, tiles) = seconds(&without);
                let (linked, same) = seconds(&with);
                assert_eq!(tiles, same);
                linked / plain - 1.0
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        println!("{name}: links take {:.0} % of a bake without them", 100.0 * shares[shares.len() / 2]);
    }
}
