//! A small world of tiles with seams, layers and links, and changes to it at random.

use super::links::{link, linked};
use crate::common::{Grid, METRE_UP, Random};
use detour::{Filter, NavMesh, PolyRef};
use navtile::layout::OffMeshLink;
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;

/// Tiles along x and along z.
pub(crate) const WIDTH: i32 = 4;
/// Squares per tile, along x and along z.
pub(crate) const SQUARES: i32 = 4;
/// Number of bakes of each tile, which replace one another.
const VARIANTS: usize = 3;

/// The tiles that can be loaded: for each place several bakes, with and without links to other tiles.
pub(crate) struct World {
    tiles: BTreeMap<TileCoord, Vec<Tile>>,
}

impl World {
    pub(crate) fn new(seed: u64) -> World {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut tiles = BTreeMap::new();
        for (x, z) in (0..WIDTH).flat_map(|x| (0..WIDTH).map(move |z| (x, z))) {
            for layer in 0..if random.below(4) == 0 { 2 } else { 1 } {
                let coord = TileCoord { x, z, layer };
                tiles.insert(coord, (0..VARIANTS).map(|_| variant(coord, &mut random)).collect());
            }
        }
        World { tiles }
    }

    pub(crate) fn coords(&self) -> impl Iterator<Item = TileCoord> {
        self.tiles.keys().copied()
    }

    pub(crate) fn tile(&self, coord: TileCoord, variant: usize) -> Tile {
        self.tiles[&coord][variant].clone()
    }
}

fn variant(coord: TileCoord, random: &mut Random) -> Tile {
    let mut text = String::new();
    for _ in 0..SQUARES {
        for _ in 0..SQUARES {
            let wall = random.below(100) < 40;
            text.push(if wall { '#' } else { char::from(b'1' + random.below(4) as u8) });
        }
        text.push(' ');
    }
    let mut grid = Grid::tiled(&text, coord.x, coord.z);
    grid.coord = coord;
    grid.vertex = Box::new(move |column, row| [column * 1024, coord.layer * 3 * METRE_UP, row * 1024]);
    let content = grid.content();
    let records = (0..random.below(4)).map(|_| record(&content, coord, random)).collect();
    linked(content, records)
}

/// A link from a square of a tile to a square of any tile.
fn record(content: &navtile::TileContent, from: TileCoord, random: &mut Random) -> OffMeshLink {
    let mut spot = |tile: TileCoord| {
        let mut along = |at: i32| (at * SQUARES) as f32 + random.below(4 * SQUARES as u64) as f32 / 4.0;
        [along(tile.x), tile.layer as f32 * 3.0, along(tile.z)]
    };
    let start = spot(from);
    let mut below = |limit: u64| random.below(limit) as i32;
    let to = TileCoord { x: below(WIDTH as u64), z: below(WIDTH as u64), layer: i32::from(below(4) == 0) };
    let (direction, flags, area, user_id) = (below(2), 1 << below(4), 1 + below(4), below(99));
    let mut spot = |tile: TileCoord| {
        let mut along = |at: i32| (at * SQUARES) as f32 + random.below(4 * SQUARES as u64) as f32 / 4.0;
        [along(tile.x), tile.layer as f32 * 3.0, along(tile.z)]
    };
    OffMeshLink {
        direction: direction as u8,
        flags: flags as u32,
        area: area as u8,
        user_id: user_id as u64,
        ..link(content, start, spot(to), to)
    }
}

/// The loaded tiles, described without a mesh: for each place the bake, and the flags and areas that were
/// changed.
pub(crate) type Loaded = BTreeMap<TileCoord, (usize, BTreeMap<u32, (u32, u8)>)>;

/// The polygon or link of that number of the tile at `coord`.
pub(crate) fn node(mesh: &NavMesh, coord: TileCoord, index: u32) -> PolyRef {
    let mut nodes = mesh.polygons().chain(mesh.off_mesh_links());
    nodes.find(|node| node.polygon() == index && coord_of(mesh, *node) == coord).unwrap()
}

/// The tile that a polygon or link is of.
pub(crate) fn coord_of(mesh: &NavMesh, node: PolyRef) -> TileCoord {
    let first = PolyRef::new(node.salt(), node.slot(), 0).unwrap();
    mesh.tile_of(first).unwrap().0.coord()
}

impl World {
    /// Makes a random change to the mesh, and records it.
    pub(crate) fn change(&self, mesh: &mut NavMesh, loaded: &mut Loaded, random: &mut Random) {
        let coords: Vec<TileCoord> = self.coords().collect();
        let coord = coords[random.below(coords.len() as u64) as usize];
        let variant = random.below(VARIANTS as u64) as usize;
        let Some((of, values)) = loaded.get_mut(&coord) else {
            mesh.add_tile(self.tile(coord, variant)).unwrap();
            loaded.insert(coord, (variant, BTreeMap::new()));
            return;
        };
        match random.below(8) {
            0 | 1 => {
                assert_eq!(mesh.remove_tile(coord).unwrap(), self.tile(coord, *of));
                loaded.remove(&coord);
            }
            2 | 3 => {
                assert_eq!(mesh.replace_tile(self.tile(coord, variant)).unwrap(), self.tile(coord, *of));
                loaded.insert(coord, (variant, BTreeMap::new()));
            }
            4 => {
                let stored = mesh.store_state(coord).unwrap();
                mesh.replace_tile(self.tile(coord, *of)).unwrap();
                mesh.restore_state(coord, &stored).unwrap();
            }
            _ => {
                let tile = self.tile(coord, *of);
                let count = tile.polygons().len() + tile.off_mesh_links().len();
                if tile.polygons().is_empty() {
                    return;
                }
                let index = random.below(count as u64) as u32;
                let changed = node(mesh, coord, index);
                let old = mesh.attributes(changed).unwrap();
                let new = if random.below(2) == 0 {
                    mesh.set_flags(changed, 1 << random.below(5)).unwrap();
                    (mesh.attributes(changed).unwrap().flags, old.area)
                } else {
                    mesh.set_area(changed, 1 + random.below(5) as u8).unwrap();
                    (old.flags, mesh.attributes(changed).unwrap().area)
                };
                values.insert(index, new);
            }
        }
    }

    /// The recorded mesh, newly built in the order of coordinates.
    pub(crate) fn afresh(&self, loaded: &Loaded) -> NavMesh {
        let mut mesh = NavMesh::default();
        for (coord, (variant, _)) in loaded {
            mesh.add_tile(self.tile(*coord, *variant)).unwrap();
        }
        for (coord, (_, values)) in loaded {
            for (index, (flags, area)) in values {
                let changed = node(&mesh, *coord, *index);
                mesh.set_flags(changed, *flags).unwrap();
                mesh.set_area(changed, *area).unwrap();
            }
        }
        mesh
    }
}

/// Filters that see doors, one-way links and areas differently.
pub(crate) fn filters() -> [Filter; 3] {
    [
        Filter::default().with_exclude(0b10),
        Filter::default().with_include(0b1101).without_area(3),
        Filter::default().without_area(1).without_area(2),
    ]
}
