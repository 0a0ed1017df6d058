//! Our tiled bakes drop islands that are too small, over all tiles they reach. The measured data must drop
//! them too.
//! Cost: that of finding islands and of the surface.

use super::QualityError;
use super::bake::MeasuredBake;
use super::ground::Ground;
use super::surface::Surface;
use navlevel::prune_islands;
use navtile::islands::Islands;
use navtile::{Tile, TileCoord};
use recast::data::RegionId;
use recast::{Baked, PreparedLevel};
use std::collections::BTreeMap;

/// Drops small islands from the tiles of a level, and notes their regions: no polygon should be over them.
pub fn prune(
    prepared: &PreparedLevel,
    tile_cells: u32,
    bakes: &mut [MeasuredBake],
    mut baked: Vec<Baked>,
) -> Result<(), QualityError> {
    for (bake, region) in regions_of_small_islands(prepared, bakes) {
        bakes[bake].dropped.insert(region);
    }
    prune_islands(prepared, tile_cells, &mut baked)?;
    let mut left: BTreeMap<TileCoord, Tile> =
        baked.into_iter().map(|baked| (baked.tile.coord(), baked.tile)).collect();
    for bake in bakes {
        bake.tile = bake.tile.take().and_then(|tile| left.remove(&tile.coord()));
    }
    Ok(())
}

/// Regions that are only under polygons of small islands, each with the number of its bake.
fn regions_of_small_islands(prepared: &PreparedLevel, bakes: &[MeasuredBake]) -> Vec<(usize, RegionId)> {
    let tiles: Vec<Tile> = bakes.iter().filter_map(|bake| bake.tile.clone()).collect();
    let islands = Islands::find(&tiles);
    let one = u128::from(navmath::FIXED_ONE.unsigned_abs()).pow(2);
    let least = 2 * u128::from(prepared.config.region_min_cells) * one;
    let is_small: Vec<bool> =
        islands.island_of.iter().flatten().map(|&island| islands.area2[island as usize] < least).collect();
    let ground = Ground::new(bakes);
    let surface = Surface::of_tiles(&tiles, ground.width, ground.depth);
    let footing = surface.footing(&ground, prepared.config.walkable_height);
    let mut all_small: BTreeMap<(usize, RegionId), bool> = BTreeMap::new();
    for (span, footing) in ground.spans.iter().zip(footing) {
        if let (Some(region), Some((patch, _))) = (span.region, footing) {
            let small = is_small[patch as usize];
            all_small.entry(region).and_modify(|all| *all &= small).or_insert(small);
        }
    }
    all_small.into_iter().filter(|(_, small)| *small).map(|(region, _)| region).collect()
}
