//! Generated links: each is free, no link is missing, and links are the same in any tiling.

#![allow(clippy::print_stdout, reason = "figures that the tests find are printed")]
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod beside;
mod body;
mod changes;
mod choice;
mod complete;
mod edge_samples;
mod floor_ways;
mod free;
mod generated;
mod kinds;
mod packed;
mod reach;
mod same;
mod windows;

use navlevel::{Job, Tiling, bake_jobs, bake_tiles, graph_grid, graph_node, prune_islands};
use navlinks::{GeneratedLink, LinkIslands, RunPlace, find_links};
use navscenes::shooter;
use navtile::off_mesh::WorldLink;
use navtile::{IslandGraph, TileCoord};
use recast::{
    Baked, Error, Level, LinkKind, PreparedLevel, Scratch, Settings, Silent, TileGround, bake_solo,
};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// A level that is baked with links.
struct Subject {
    name: String,
    level: Level,
    settings: Settings,
}

impl Subject {
    /// A level with the profiles of an agent that jumps.
    fn new(name: &str, level: Level, settings: Settings) -> Subject {
        let settings = Settings { links: shooter::profiles(), ..settings };
        Subject { name: name.to_owned(), level, settings }
    }

    fn prepared(&self) -> PreparedLevel {
        PreparedLevel::new(&self.level, &self.settings).unwrap()
    }
}

/// The levels of shooters and every third scene; in long tests all scenes, and the public levels too.
fn subjects() -> Vec<Subject> {
    let step = if navscenes::is_long() { 1 } else { 3 };
    let scenes = shooter::scenes().iter().chain(navscenes::all().iter().step_by(step));
    let ours = scenes.map(|scene| Subject::new(scene.name, (scene.level)(), (scene.settings)()));
    let public = navscenes::long_levels().into_iter();
    ours.chain(public.map(|(name, level)| Subject::new(name, level, Settings::default()))).collect()
}

/// The tiles of a level with their links: one for 0 tile cells.
fn bake(level: &PreparedLevel, tile_cells: u32) -> Vec<Baked> {
    if tile_cells > 0 {
        return bake_tiles(level, tile_cells, &Silent).unwrap();
    }
    let mut tiles = vec![bake_solo(level, &Silent, &mut Scratch::new()).unwrap()];
    prune_islands(level, 0, &mut tiles).unwrap();
    tiles
}

/// The tiles of a level before any island is dropped, in any order.
fn whole_tiles(tiling: &Tiling<'_>) -> Vec<Baked> {
    let jobs: Vec<Job> = tiling.coords().into_iter().map(|coord| Job { coord, agents: vec![0] }).collect();
    let done = Mutex::new(Vec::new());
    bake_jobs(tiling, &jobs, u64::MAX, &Silent, &|_, baked| {
        done.lock().unwrap().push(baked);
        Ok::<(), Error>(())
    })
    .unwrap();
    done.into_inner().unwrap()
}

/// The links of a level before they are cut for tiles.
fn whole_links(level: &PreparedLevel, tile_cells: u32) -> Vec<GeneratedLink> {
    links_in_windows(level, tile_cells, &[u64::MAX]).remove(0)
}

/// Finds the links of a level in windows of each of these sizes in memory.
fn links_in_windows(level: &PreparedLevel, tile_cells: u32, memory: &[u64]) -> Vec<Vec<GeneratedLink>> {
    let mut tiles = if tile_cells == 0 {
        vec![bake_solo(level, &Silent, &mut Scratch::new()).unwrap()]
    } else {
        whole_tiles(&Tiling::new(level, tile_cells).unwrap())
    };
    let ground = ground_of(tiles.iter_mut().filter_map(|baked| Some(*baked.ground.take()?)));
    let graph = IslandGraph::new(tiles.iter().map(|baked| graph_node(level, baked, [0; 16])).collect());
    let min_cells = u64::from(level.config.region_min_cells);
    let islands = LinkIslands { graph: &graph, grid: graph_grid(level, tile_cells), min_cells };
    let found = memory.iter().map(|&memory| find_links(level, islands, &ground, memory));
    found.map(|Ok(links)| links).collect()
}

/// The ground of tiles, by these.
fn ground_of(tiles: impl Iterator<Item = TileGround>) -> BTreeMap<TileCoord, TileGround> {
    tiles.map(|ground| (ground.coord(), ground)).collect()
}

/// The places where links can be crossed, each as a link between points, by kind.
fn crossings(level: &PreparedLevel, links: &[GeneratedLink]) -> Vec<(LinkKind, WorldLink)> {
    let lattice = &level.lattice;
    let world = |[x, y, z]: [i32; 3]| {
        let [x, y, z] = [f64::from(x) + 0.5, f64::from(y), f64::from(z) + 0.5];
        let size = [lattice.cell_size, lattice.cell_height, lattice.cell_size];
        [0, 1, 2].map(|axis| lattice.origin[axis] + [x, y, z][axis] * size[axis])
    };
    let of_link = |link: &GeneratedLink| -> Vec<(LinkKind, WorldLink)> {
        let own = &link.connection;
        let (kind, _) = LinkKind::of_user_id(own.user_id).unwrap();
        let place = |place: &RunPlace| WorldLink {
            start: world(place.cells[0]),
            end: world(place.cells[1]),
            end_tile: [0; 3],
            radius: own.radius,
            both_ways: own.both_ways,
            area: own.area.0,
            flags: own.flags.unwrap_or(0),
            user_id: own.user_id,
            along: [0.0; 2],
        };
        link.run.iter().map(|at| (kind, place(at))).collect()
    };
    links.iter().flat_map(of_link).collect()
}

/// The links of some tiles, by kind.
fn links(tiles: &[Baked]) -> Vec<(LinkKind, WorldLink)> {
    let of_tile = |baked: &Baked| -> Vec<(LinkKind, WorldLink)> {
        let links = baked.tile.off_mesh_links().iter();
        links
            .map(|link| {
                let (kind, _) = LinkKind::of_user_id(link.user_id).unwrap();
                (kind, WorldLink::new(&baked.tile, link))
            })
            .collect()
    };
    tiles.iter().flat_map(of_tile).collect()
}
