//! Generated links while obstacles appear and disappear: they must equal those of a bake of the whole level
//! with the current obstacles.

use crate::common::{Numbers, written};
use navlevel::{Body, Effect, Obstacle};
use navscenes::shooter;
use navtile::{IslandGraph, LinkKind, NavStore, Tile, TileCoord};
use recast::{AreaId, Level, PreparedLevel, Settings, Transform};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tilecache::{Budget, TileCache, Update, bake_dynamic};

/// The tiles of a cache from the view of a receiver of all changes.
pub(crate) struct Mirror(pub(crate) BTreeMap<TileCoord, Tile>);

impl Mirror {
    pub(crate) fn new(cache: &TileCache<Vec<u8>>) -> Mirror {
        Mirror(cache.coords().into_iter().map(|coord| (coord, cache.tile(coord).unwrap().unwrap())).collect())
    }

    fn apply(&mut self, update: Update) {
        assert!(update.failed.is_empty(), "{:?}", update.failed);
        for change in update.changes {
            match change.tile {
                Some(tile) => self.0.insert(change.coord, tile),
                None => self.0.remove(&change.coord),
            };
        }
    }

    fn links(&self) -> usize {
        let links = self.0.values().flat_map(|tile| tile.off_mesh_links());
        links.filter(|link| LinkKind::of_user_id(link.user_id).is_some()).count()
    }
}

/// Updates until nothing waits, each with this budget; returns the number of baked tiles.
pub(crate) fn settle(cache: &mut TileCache<Vec<u8>>, mirror: &mut Mirror, budget: Budget) -> usize {
    let (mut updates, mut baked) = (0, 0);
    while updates == 0 || cache.waiting() > 0 {
        let update = cache.update(budget).unwrap();
        baked += update.baked;
        mirror.apply(update);
        updates += 1;
        assert!(updates < 2000, "{} wait", cache.waiting());
    }
    assert!(mirror.0 == Mirror::new(cache).0, "changes leave something out");
    baked
}

/// The tiles that differ between two files, in their bytes or in the graph.
fn differing(a: &[u8], b: &[u8]) -> Vec<TileCoord> {
    let [a, b] = [a, b].map(|bytes| NavStore::open(bytes.to_vec()).unwrap());
    let [of_a, of_b] = [&a, &b].map(|file| file.graph().unwrap().unwrap());
    let has = |file: &NavStore<Vec<u8>>, coord: TileCoord| {
        let hashes = file.find(coord).map(|entry| (entry.input_hash, entry.prune_hash));
        (file.tile(coord).transpose().unwrap(), hashes)
    };
    let node = |graph: &IslandGraph, coord| graph.find(coord).map(|index| graph.nodes()[index].clone());
    let all: BTreeSet<TileCoord> =
        [&of_a, &of_b].iter().flat_map(|graph| graph.nodes()).map(|node| node.coord()).collect();
    let differs =
        |coord: &TileCoord| has(&a, *coord) != has(&b, *coord) || node(&of_a, *coord) != node(&of_b, *coord);
    all.into_iter().filter(differs).collect()
}

pub(crate) fn solid(size: [f64; 3], at: [f64; 3], yaw: f64) -> Obstacle {
    let (body, place) = (Body::cuboid(size).unwrap(), Transform::turned(yaw, at));
    Obstacle { body, place, effect: Effect::Solid { area: AreaId::GROUND } }
}

pub(crate) fn prepared(level: &Level, settings: Settings) -> PreparedLevel {
    PreparedLevel::new(level, &settings).unwrap()
}

/// The settings of shooters with links of less worth at a distance, so that a window is not all of a level.
fn near(settings: Settings) -> Settings {
    let mut settings = settings;
    settings.links.iter_mut().for_each(|profile| {
        profile.worth = 1.2;
        profile.height[1] = profile.height[1].min(2.0);
    });
    settings
}

#[test]
fn an_obstacle_on_a_landing_takes_the_link_and_gives_it_back() {
    // A platform 2 m high with only its front over ground.
    let mut builder = navscenes::build::Builder::new();
    builder.block([0.0, -1.0, 0.0], [12.0, 0.0, 6.0]).block([0.0, -1.0, 6.0], [12.0, 2.0, 12.0]);
    let settings = Settings { links: shooter::profiles(), ..Settings::default() };
    for tile_cells in [0, 12, 20] {
        let level = prepared(&builder.clone().finish(), settings.clone());
        let file = bake_dynamic(&level, tile_cells, &[]).unwrap();
        let mut cache = TileCache::open(file.clone()).unwrap();
        let mut mirror = Mirror::new(&cache);
        let before = mirror.links();
        assert!(before > 0, "tiles of {tile_cells}");
        // Its top is not walkable.
        let wall = Obstacle {
            effect: Effect::Solid { area: AreaId::NULL },
            ..solid([12.0, 4.0, 2.5], [6.0, 0.0, 4.6], 0.0)
        };
        let handle = cache.add(&wall).unwrap();
        settle(&mut cache, &mut mirror, Budget::tiles(3));
        let fresh = bake_dynamic(&level, tile_cells, &[wall]).unwrap();
        assert!(written(&cache) == fresh, "with the obstacle, tiles of {tile_cells}");
        let drops = |mirror: &Mirror| {
            let links = mirror.0.values().flat_map(|tile| tile.off_mesh_links());
            links.filter(|link| LinkKind::of_user_id(link.user_id) == Some((LinkKind::Drop, 0))).count()
        };
        assert!(drops(&mirror) == 0, "tiles of {tile_cells}: {} of {before} links", drops(&mirror));
        cache.remove(handle).unwrap();
        // Without time, a tile is begun now and then, including tiles whose ground links need.
        settle(&mut cache, &mut mirror, Budget::time(Duration::ZERO));
        assert!(written(&cache) == file && mirror.links() == before, "tiles of {tile_cells}");
    }
}

#[test]
fn links_are_those_of_a_bake_with_the_obstacles_that_are_there() {
    let mut saved = 0;
    for (index, scene) in shooter::scenes().iter().enumerate() {
        let level = navscenes::repeat(&(scene.level)(), 2, 1);
        let level = prepared(&level, near((scene.settings)()));
        let tile_cells = [24, 32, 40][index];
        let file = bake_dynamic(&level, tile_cells, &[]).unwrap();
        let mut cache = TileCache::open(file.clone()).unwrap();
        let mut mirror = Mirror::new(&cache);
        let mut numbers = Numbers::new(index as u64);
        let mut obstacles = BTreeMap::new();
        let [wide, _, deep] = level.size.map(|cells| f64::from(cells) * level.lattice.cell_size);
        for step in 0..10 {
            let [x, z] = [numbers.between(1.0, wide - 1.0), numbers.between(1.0, deep - 1.0)];
            let size = [numbers.between(0.4, 2.5), numbers.between(0.4, 2.5), numbers.between(0.4, 2.5)];
            let mut obstacle = solid(size, [x, numbers.between(-0.5, 1.0), z], numbers.between(0.0, 90.0));
            if numbers.below(3) == 0 {
                obstacle.effect = Effect::Blocks { inflate: true };
            }
            let gone = obstacles.keys().nth(numbers.below(5)).copied();
            match gone {
                Some(handle) if numbers.below(2) == 0 => {
                    obstacles.remove(&handle);
                    cache.remove(handle).unwrap();
                }
                _ => {
                    obstacles.insert(cache.add(&obstacle).unwrap(), obstacle);
                }
            }
            if numbers.below(3) > 0 {
                let baked = settle(&mut cache, &mut mirror, Budget::tiles([1, 7, usize::MAX][step % 3]));
                saved += mirror.0.len().saturating_sub(baked);
                let there: Vec<Obstacle> = obstacles.values().cloned().collect();
                let fresh = bake_dynamic(&level, tile_cells, &there).unwrap();
                let differing = differing(&written(&cache), &fresh);
                assert!(differing.is_empty(), "{}, step {step}: {differing:?}", scene.name);
                assert!(written(&cache) == fresh, "{}, step {step}", scene.name);
            }
        }
        // Another cache begins with a file that has obstacles.
        let mut again = TileCache::open(written(&cache)).unwrap();
        let mut mirror_again = Mirror::new(&again);
        settle(&mut again, &mut mirror_again, Budget::tiles(5));
        assert!(written(&again) == file, "{}, opened again", scene.name);
        for handle in obstacles.into_keys() {
            cache.remove(handle).unwrap();
        }
        settle(&mut cache, &mut mirror, Budget::tiles(4));
        assert!(written(&cache) == file, "{}, without obstacles", scene.name);
    }
    assert!(saved > 100, "{saved} tiles were not baked");
}
