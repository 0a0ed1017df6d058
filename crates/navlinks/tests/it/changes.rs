//! Links after a change: inside a window around it they equal those of a bake of the whole level, and outside
//! they are unchanged.

use super::whole_tiles;
use navlevel::{Tiling, graph_grid, graph_node};
use navlinks::{GeneratedLink, LinkIslands, LinkWindow, WindowLinks, find_links, join_links, links_of_tiles};
use navscenes::generated::each_seed;
use navscenes::random::SplitMix64;
use navscenes::repeat;
use navscenes::shooter;
use navtile::graph::TileNode;
use navtile::{IslandGraph, TileCoord};
use recast::{Level, PreparedLevel, Settings, TileGround};
use std::collections::{BTreeMap, BTreeSet};

/// A level in tiles, with the links that a bake of the whole level finds.
struct Whole {
    level: PreparedLevel,
    tile_cells: u32,
    hashes: BTreeMap<TileCoord, [u8; 16]>,
    nodes: BTreeMap<TileCoord, TileNode>,
    ground: BTreeMap<TileCoord, TileGround>,
    links: Vec<GeneratedLink>,
    graph: IslandGraph,
}

impl Whole {
    fn new(level: &Level, settings: &Settings, tile_cells: u32) -> Whole {
        let level = PreparedLevel::new(level, settings).unwrap();
        let (mut hashes, mut nodes, mut ground) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        {
            let tiling = Tiling::new(&level, tile_cells).unwrap();
            for mut baked in whole_tiles(&tiling) {
                let coord = baked.tile.coord();
                let hash = tiling.input_hash(0, coord).unwrap().0;
                hashes.insert(coord, hash);
                nodes.insert(coord, graph_node(&level, &baked, hash));
                ground.insert(coord, *baked.ground.take().unwrap());
            }
        }
        let mut whole = Whole {
            level,
            tile_cells,
            hashes,
            nodes,
            ground,
            links: Vec::new(),
            graph: IslandGraph::default(),
        };
        let graph = IslandGraph::new(whole.nodes.values().cloned().collect());
        let Ok(links) = find_links(&whole.level, whole.islands(&graph), &whole.ground, u64::MAX);
        whole.links = links;
        whole.graph = join_links(graph, &whole.links);
        whole
    }

    fn islands<'a>(&self, graph: &'a IslandGraph) -> LinkIslands<'a> {
        let grid = graph_grid(&self.level, self.tile_cells);
        LinkIslands { graph, grid, min_cells: u64::from(self.level.config.region_min_cells) }
    }
}

/// The links that start in each tile.
fn of_tiles(links: &[GeneratedLink]) -> BTreeMap<TileCoord, Vec<&GeneratedLink>> {
    links_of_tiles(links, |_, _| true)
}

/// Counts of the work that a change took.
struct Taken {
    changed: usize,
    written: usize,
    ground: usize,
    all: usize,
    rounds: usize,
}

/// Finds the links around a change, and compares them with those of the whole level.
fn check(name: &str, before: &Whole, now: &Whole) -> Taken {
    let name = format!("{name} in tiles of {}", now.tile_cells);
    assert_eq!(before.level.lattice, now.level.lattice, "{name}");
    let coords: Vec<TileCoord> = now.nodes.keys().copied().collect();
    let all: BTreeSet<TileCoord> = coords.iter().chain(before.nodes.keys()).copied().collect();
    let changed: BTreeSet<TileCoord> =
        all.into_iter().filter(|coord| before.hashes.get(coord) != now.hashes.get(coord)).collect();
    let mut window = LinkWindow::new(&now.level, now.tile_cells, &coords, changed.clone());
    let graph_of = |baked: &BTreeSet<TileCoord>| {
        let node = |coord: &TileCoord| {
            let old = before.graph.find(*coord).map(|index| before.graph.nodes()[index].clone());
            old.filter(|_| !baked.contains(coord)).unwrap_or_else(|| now.nodes[coord].clone())
        };
        IslandGraph::new(coords.iter().map(node).collect())
    };
    let mut rounds = 0;
    let links = loop {
        rounds += 1;
        let graph = graph_of(window.ground());
        let islands = now.islands(&graph);
        // In windows of the window as small as can be, too.
        let memory = if rounds % 2 == 0 { 0 } else { u64::MAX };
        let mut other = window.clone();
        let Ok(found) = window.find(&now.level, islands, &before.graph, (&now.ground, memory));
        let Ok(again) = other.find(&now.level, islands, &before.graph, (&now.ground, !memory));
        assert!(found == again && window.written() == other.written(), "{name}: other links in windows");
        if let WindowLinks::Found(links) = found {
            break links;
        }
    };
    let written = window.written();
    let graph = window.join(graph_of(&written), &links);
    let (found, expected) = (of_tiles(&links), of_tiles(&now.links));
    for coord in &coords {
        let (found, expected) = (found.get(coord), expected.get(coord));
        assert!(!written.contains(coord) || found == expected, "{name}: {coord:?}: {found:?}, {expected:?}");
    }
    let old = of_tiles(&before.links);
    let cells = |links: Option<&Vec<&GeneratedLink>>| -> Vec<String> {
        let links = links.into_iter().flatten();
        links.map(|link| format!("{:?} {:?}", link.connection, link.cells)).collect()
    };
    for coord in coords.iter().filter(|coord| !written.contains(coord)) {
        assert_eq!(cells(old.get(coord)), cells(expected.get(coord)), "{name}: {coord:?} is not written");
    }
    for (found, expected) in graph.nodes().iter().zip(now.graph.nodes()) {
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(graph, now.graph, "{name}");
    let [changed, written, ground] = [changed.len(), written.len(), window.ground().len()];
    Taken { changed, written, ground, all: coords.len(), rounds }
}

/// The level with an additional box.
fn with_box(level: &Level, [min, max]: [[f64; 3]; 2]) -> Level {
    let mut builder = navscenes::build::Builder::new();
    builder.block(min, max);
    let (mut level, other) = (level.clone(), builder.finish());
    let first = level.vertices.len() as u32;
    level.vertices.extend(other.vertices);
    level.triangles.extend(other.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    if !level.areas.is_empty() {
        level.areas.resize(level.triangles.len(), recast::AreaId(63));
    }
    level
}

fn bounds(level: &Level) -> [[f64; 3]; 2] {
    let all = |axis: usize| level.vertices.iter().map(move |vertex| vertex[axis]);
    let low = [0, 1, 2].map(|axis| all(axis).fold(f64::INFINITY, f64::min));
    [
        low,
        [0, 1, 2]
            .map(|axis| all(axis).fold(f64::NEG_INFINITY, f64::max) + 4.0 * f64::from(u8::from(axis == 1))),
    ]
}

/// The level with all vertices moved up that are in a column of the plan and above a height.
fn raised(level: &Level, [x, z]: [f64; 2], reach: f64, up: f64) -> Level {
    let mut level = level.clone();
    for vertex in &mut level.vertices {
        let is_near = (vertex[0] - x).abs() <= reach && (vertex[2] - z).abs() <= reach;
        if is_near && vertex[1] > 0.1 {
            vertex[1] += up;
        }
    }
    level
}

#[test]
fn links_around_a_change_are_those_of_the_whole_level() {
    let mut saved = 0;
    for (index, scene) in shooter::scenes().iter().enumerate() {
        let level = repeat(&(scene.level)(), 3, 2);
        let [low, high] = bounds(&level);
        let tilings = [(16, 3.0), (24, 1.5), (48, 3.0)].into_iter().enumerate();
        for (tiling, (tile_cells, worth)) in tilings {
            if !navscenes::is_long() && tiling != index % 3 {
                continue;
            }
            let mut settings = Settings { links: shooter::profiles(), ..(scene.settings)() };
            settings.bounds = Some([low, high]);
            settings.links.iter_mut().for_each(|profile| profile.worth = worth);
            let seam = settings.cell_size * f64::from(tile_cells) * 3.0;
            let [x, z] = [low[0] + seam, low[2] + seam * 0.7];
            let with = with_box(&level, [[x - 0.4, low[1], z], [x + 1.2, low[1] + 1.1, z + 1.7]]);
            let whole = |level: &Level| Whole::new(level, &settings, tile_cells);
            let [plain, boxed] = [&level, &with].map(whole);
            let risen = whole(&raised(&level, [x, z], 2.0, 0.7));
            for (what, before, now) in
                [("box added", &plain, &boxed), ("box removed", &boxed, &plain), ("raised", &plain, &risen)]
            {
                let taken = check(&format!("{}, {what}", scene.name), before, now);
                println!(
                    "{}, {what}, tiles of {tile_cells}, worth {worth}: of {} tiles {} changed, {} are written, {} are \
                     baked, in {} rounds",
                    scene.name, taken.all, taken.changed, taken.written, taken.ground, taken.rounds
                );
                saved += usize::from(taken.ground < taken.all);
            }
        }
    }
    assert!(saved > 5, "{saved} changes took less than the whole level");
}

#[test]
fn links_of_generated_levels_change_as_far_as_a_change_reaches() {
    each_seed(8, "have other links after a change", |seed| {
        let mut random = SplitMix64::new(seed ^ 0xC0FFEE);
        let level = repeat(&navscenes::boxes(seed, 40), 2, 1);
        let [low, high] = bounds(&level);
        let mut settings =
            Settings { links: shooter::profiles(), bounds: Some([low, high]), ..Settings::default() };
        let worth = [1.0, 1.5, 3.0][seed as usize % 3];
        settings.links.iter_mut().for_each(|profile| profile.worth = worth);
        let tile_cells = [12, 20, 32][(seed / 3) as usize % 3];
        let [x, z] = [random.between(4.0, 70.0), random.between(4.0, 34.0)];
        let other = with_box(
            &level,
            [[x, 0.0, z], [x + 2.0, random.between(0.5, 3.0), z + random.between(0.5, 3.0)]],
        );
        let [plain, other] = [&level, &other].map(|level| Whole::new(level, &settings, tile_cells));
        check(&format!("boxes {seed}"), &plain, &other);
        check(&format!("boxes {seed} again"), &other, &plain);
    });
}
