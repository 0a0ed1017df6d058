//! Generated links: each is free, none is missing, and they are the same in any tiling.

#![allow(clippy::print_stdout, reason = "figures that the tests find are printed")]

mod body;
mod choice;
mod complete;
mod cost;
mod free;
mod kinds;
mod reach;
mod same;
mod why;

use navscenes::shooter;
use navtile::off_mesh::WorldLink;
use recast::{
    Baked, Level, LinkKind, PreparedLevel, Scratch, Settings, Silent, bake_solo, bake_tiles, prune_islands,
};

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

/// All scenes, and the public levels where they are there.
fn subjects() -> Vec<Subject> {
    let scenes = shooter::scenes().iter().chain(navscenes::all());
    let ours = scenes.map(|scene| Subject::new(scene.name, (scene.level)(), (scene.settings)()));
    let public = navscenes::public_levels().into_iter();
    ours.chain(public.map(|(name, level)| Subject::new(name, level, Settings::default()))).collect()
}

/// Random boxes and ramps.
fn generated(seed: u64) -> Subject {
    let settings = Settings { agent_radius: [0.3, 0.6, 0.9][seed as usize % 3], ..Settings::default() };
    Subject::new(&format!("boxes {seed}"), navscenes::boxes(seed, 40), settings)
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
