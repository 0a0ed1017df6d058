//! The ground of tiles as bytes: it is restored, links on it are the same, and damage is refused.

use super::{Subject, ground_of, subjects, whole_tiles};
use crate::generated::{boxes, wild};
use navlevel::{
    Body, CachedSpans, Effect, Job, Obstacle, PreparedObstacle, Tiling, bake_caching_jobs, graph_grid,
    graph_node,
};
use navlevel::{GroundKeeper, KeptGround, pack_ground, unpack_ground};
use navlinks::{GeneratedLink, GroundCounts, LinkIslands, find_links};
use navscenes::random::SplitMix64;
use navtile::IslandGraph;
use recast::{AreaId, Baked, Error, PreparedLevel, Silent, TileGround, Transform};
use std::sync::Mutex;

fn links(
    level: &PreparedLevel,
    tile_cells: u32,
    tiles: &[Baked],
    ground: Vec<TileGround>,
) -> Vec<GeneratedLink> {
    let graph = IslandGraph::new(tiles.iter().map(|baked| graph_node(level, baked, [0; 16])).collect());
    let min_cells = u64::from(level.config.region_min_cells);
    let islands = LinkIslands { graph: &graph, grid: graph_grid(level, tile_cells), min_cells };
    let Ok(links) = find_links(level, islands, &ground_of(ground.into_iter()), u64::MAX);
    links
}

/// Packs the ground of all tiles and finds links on the unpacked ground. Returns the bytes of ground, of
/// tiles, and of memory.
fn check(subject: &Subject, tile_cells: u32) -> [u64; 3] {
    let level = subject.prepared();
    check_tiles(subject, &level, (tile_cells, &whole_tiles(&Tiling::new(&level, tile_cells).unwrap())))
}

fn check_tiles(subject: &Subject, level: &PreparedLevel, (tile_cells, tiles): (u32, &[Baked])) -> [u64; 3] {
    let own = || tiles.iter().filter_map(|baked| baked.ground.as_deref());
    let mut bytes = [0; 3];
    let unpack = |(baked, ground): (&Baked, &TileGround)| {
        let packed = pack_ground(ground);
        let (size, islands) = (ground.size(), baked.island_cells.len());
        let back = unpack_ground(&packed, ground.coord(), size, islands);
        let back = back.unwrap_or_else(|| panic!("{}: tile {:?}", subject.name, ground.coord()));
        assert_eq!(pack_ground(&back), packed, "{}: tile {:?}", subject.name, ground.coord());
        assert_eq!(unpack_ground(&pack_ground(&back), ground.coord(), size, islands).as_ref(), Some(&back));
        assert!(GroundCounts::of(&packed).unwrap().memory(size) >= back.memory() * 3 / 4);
        // Ground that there is no room for is packed; other ground is kept as it is.
        let room = GroundKeeper::new(ground.memory());
        let [whole, kept] = [0, 1].map(|_| room.keep(Box::new(ground.clone())));
        assert!(
            whole == KeptGround::Whole(Box::new(ground.clone()))
                && kept == KeptGround::Packed(packed.clone())
        );
        assert!(whole.packed() == packed && whole.counts() == kept.counts());
        let node = graph_node(level, baked, [0; 16]);
        assert_eq!(kept.unpacked(&node, size).as_ref(), Some(&back));
        let own = [packed.len() as u64, baked.tile.bytes().len() as u64, back.memory()];
        bytes.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        back
    };
    let unpacked: Vec<TileGround> = tiles.iter().zip(own()).map(unpack).collect();
    let found = links(level, tile_cells, tiles, own().cloned().collect());
    assert_eq!(links(level, tile_cells, tiles, unpacked), found, "{}", subject.name);
    bytes
}

#[test]
fn links_are_the_same_on_ground_that_was_packed() {
    for (index, subject) in subjects().iter().enumerate() {
        // In short tests, one size of tiles for each level.
        let sizes = [24, 48];
        let sizes = if navscenes::is_long() { &sizes } else { &sizes[index % 2..][..1] };
        for &cells in sizes {
            let [packed, tiles, memory] = check(subject, cells);
            println!(
                "{}, tiles of {cells}: {packed} bytes packed, tiles {tiles}, memory {memory}",
                subject.name
            );
            assert!(packed < tiles && packed * 20 < memory, "{}: {packed} {tiles} {memory}", subject.name);
        }
    }
    for seed in 0..6 {
        check(&boxes(seed), 37);
        check(&wild(seed), 48);
    }
}

/// Spans of obstacles overlap those of the level and each other.
#[test]
fn links_are_the_same_among_obstacles() {
    for seed in 0..4 {
        let subject = boxes(seed);
        let (level, mut random) = (subject.prepared(), SplitMix64::new(seed));
        let mut number =
            |least: f64, most: f64| least + (most - least) * (random.next_u64() % 1000) as f64 / 1000.0;
        let obstacles = (0..40).map(|index| {
            let size = [number(0.3, 4.0), number(0.3, 3.0), number(0.3, 4.0)];
            let place = Transform::turned(
                number(0.0, 90.0),
                [number(0.0, 30.0), number(-0.5, 2.0), number(0.0, 30.0)],
            );
            let effect = match index % 4 {
                0 => Effect::Removes,
                1 => Effect::Solid { area: AreaId(9) },
                _ => Effect::Solid { area: AreaId::GROUND },
            };
            let obstacle = Obstacle { body: Body::cuboid(size).unwrap(), place, effect };
            PreparedObstacle::new(&obstacle, &level).unwrap()
        });
        let obstacles = vec![obstacles.collect()];
        let tiling = Tiling::new(&level, 37).unwrap().with_obstacles(obstacles).unwrap();
        let jobs: Vec<Job> = Job::of_agents(&[tiling.coords()]);
        let tiles = Mutex::new(Vec::new());
        bake_caching_jobs(&tiling, &jobs, u64::MAX, &Silent, &|_, baked, kept: CachedSpans| {
            let build = tiling.build(0, baked.tile.coord())?;
            assert_eq!(CachedSpans::unpack(&kept.pack(), &build).as_ref(), Ok(&kept));
            tiles.lock().unwrap().push(baked);
            Ok::<(), Error>(())
        })
        .unwrap();
        check_tiles(&subject, &level, (37, &tiles.into_inner().unwrap()));
    }
}

#[test]
fn damaged_ground_is_refused() {
    let mut random = SplitMix64::new(7);
    let mut refused = 0;
    for seed in 0..3 {
        let level = boxes(seed).prepared();
        for baked in whole_tiles(&Tiling::new(&level, 37).unwrap()) {
            let ground = baked.ground.unwrap();
            let (packed, islands) = (pack_ground(&ground), baked.island_cells.len());
            let unpack = |bytes: &[u8], size| unpack_ground(bytes, ground.coord(), size, islands);
            let step = packed.len() / 16 + 1;
            for length in (0..packed.len()).step_by(step) {
                assert!(
                    unpack(&packed[..length], ground.size()).is_none(),
                    "cut to {length} of {}",
                    packed.len()
                );
            }
            assert!(unpack(&[&packed[..], &[0]].concat(), ground.size()).is_none());
            assert!(unpack(&packed, [37, 38]).is_none() && unpack(&packed, [0, 37]).is_none());
            // Each wrong count is noticed; other changed bytes may give another ground.
            for count in 0..3 {
                for by in [1, 77, u32::MAX] {
                    let mut lie = packed.clone();
                    let said = u32::from_le_bytes(*packed[4 * count..].first_chunk().unwrap());
                    lie[4 * count..4 * count + 4].copy_from_slice(&said.wrapping_add(by).to_le_bytes());
                    assert!(unpack(&lie, ground.size()).is_none(), "count {count} by {by}");
                }
            }
            for _ in 0..40 {
                let mut bytes = packed.clone();
                let at = random.next_u64() as usize % bytes.len();
                bytes[at] = random.next_u64() as u8;
                refused += usize::from(unpack(&bytes, ground.size()).is_none());
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}
