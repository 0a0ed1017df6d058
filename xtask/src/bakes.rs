//! Bakes of scenes as golden hashes and figures want them: whole, with every intermediate result, and tiled.

use crate::Error;
use navmath::{Digest, Hasher};
use navscenes::Scene;
use navtile::TileCoord;
use rayon::prelude::*;
use recast::{
    PreparedLevel, Scratch, Silent, Snapshot, StageId, StageResults, TileBuild, bake_tapped, bake_tile,
};

/// Side of a tile in the tiled bakes, cells: small, so that even small scenes have seams.
pub(crate) const TILE_CELLS: u32 = 48;

/// A scene, checked and on its lattice.
pub(crate) fn prepare(scene: &Scene) -> Result<PreparedLevel, Error> {
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)());
    level.map_err(|error| format!("scene {}: {error}", scene.name).into())
}

/// Named digests of a scene: one a stage, one of the tile, one of the tiles of a tiled bake.
pub(crate) fn digests(scene: &Scene) -> Result<Vec<(String, Digest)>, Error> {
    let level = prepare(scene)?;
    let mut results = StageResults::default();
    let mut tap = |snapshot: Snapshot<'_>| results.keep(snapshot);
    let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut tap)?;
    if let Err((stage, broken)) = results.check() {
        return Err(format!("scene {}: {}: {broken}", scene.name, stage.name()).into());
    }
    let hashes = results.hashes().into_iter();
    let mut digests: Vec<_> = hashes.map(|(stage, digest)| (stage.name().to_owned(), digest)).collect();
    let tile = Hasher::new().write_u8s(baked.tile.bytes()).finish();
    digests.push((StageId::Emit.name().to_owned(), tile));
    digests.push(("tiles".to_owned(), tiles_digest(&level)?));
    Ok(digests)
}

/// Hash of all tiles of a tiled bake, spread over the threads of the current pool, put together by coordinate.
fn tiles_digest(level: &PreparedLevel) -> Result<Digest, Error> {
    let [width, _, depth] = level.size;
    let [columns, rows] = [width, depth].map(|side| side.div_ceil(TILE_CELLS) as i32);
    let coords: Vec<TileCoord> =
        (0..columns).flat_map(|x| (0..rows).map(move |z| TileCoord { x, z, layer: 0 })).collect();
    let bake = |scratch: &mut Scratch, coord: &TileCoord| {
        let baked = bake_tile(level, TILE_CELLS, *coord, &Silent, scratch);
        baked.map(|baked| baked.tile).map_err(|error| format!("tile ({}, {}): {error}", coord.x, coord.z))
    };
    let tiles: Result<Vec<_>, _> = coords.par_iter().map_init(Scratch::new, bake).collect();
    let mut hasher = Hasher::new();
    for tile in tiles? {
        hasher.write_u8s(tile.bytes());
    }
    Ok(hasher.finish())
}
