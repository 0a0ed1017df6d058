//! A bake in one piece is divided among threads: neither their number nor an observer changes the result.

use recast::bake_tapped;
use recast::{Partition, PreparedLevel, Scratch, Settings, Silent, TileBuild, bake_solo};

#[test]
fn the_number_of_threads_does_not_show() {
    for name in ["terrain", "courtyard", "spiral"] {
        let scene = navscenes::by_name(name).unwrap();
        for (cell_size, partition) in
            [(0.3, Partition::Watershed), (0.15, Partition::Watershed), (0.2, Partition::Layers)]
        {
            let settings = Settings { cell_size, partition, ..(scene.settings)() };
            let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
            let build = TileBuild::solo(&level);
            let watched = bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut |_| {}).unwrap();
            let mut scratch = Scratch::new();
            for threads in [1, 2, 5, 1] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let baked = pool.install(|| bake_solo(&level, &Silent, &mut scratch)).unwrap();
                assert!(
                    baked.tile.bytes() == watched.tile.bytes() && baked.counts == watched.counts,
                    "{name} at {cell_size} on {threads} threads"
                );
                assert_eq!(baked.island_cells, watched.island_cells);
            }
        }
    }
}
