//! Bakes of scenes as golden hashes and figures want them: whole, with every intermediate result, and tiled.

use crate::Error;
use navmath::{Digest, Hasher};
use navscenes::Scene;
use navtile::TileCoord;
use rayon::prelude::*;
use recast::build::{Snapshot, TileBuild, bake_tapped};
use recast::{PreparedLevel, Scratch, Silent, StageId, bake_tile};

/// Side of a tile in the tiled bakes, cells: small, so that even small scenes have seams.
pub(crate) const TILE_CELLS: u32 = 48;

/// A scene, checked and on its lattice.
pub(crate) fn prepare(scene: &Scene) -> Result<PreparedLevel, Error> {
    let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)());
    level.map_err(|error| format!("scene {}: {error}", scene.name).into())
}

/// The stage whose result a snapshot is.
pub(crate) fn stage_of(snapshot: &Snapshot<'_>) -> StageId {
    match snapshot {
        Snapshot::Rasterized(_) => StageId::Rasterize,
        Snapshot::ObstaclesDone(_) => StageId::FilterLowHanging,
        Snapshot::LedgesDone(_) => StageId::FilterLedges,
        Snapshot::Filtered(_) => StageId::FilterLowCeilings,
        Snapshot::Compacted(_) => StageId::Compact,
        Snapshot::Eroded(_) => StageId::Erode,
        Snapshot::Marked(_) => StageId::MarkAreas,
        Snapshot::Distance(_) => StageId::DistanceField,
        Snapshot::Regions(_) => StageId::Regions,
        Snapshot::RawContours(_) => StageId::TraceContours,
        Snapshot::Simplified(_) => StageId::SimplifyContours,
        Snapshot::Contours(_) => StageId::MergeHoles,
        Snapshot::PolyMesh(_) => StageId::PolyMesh,
        Snapshot::DetailMesh(_) => StageId::DetailMesh,
    }
}

/// The hash of a snapshot; the data's invariants are checked on the way.
fn digest(snapshot: &Snapshot<'_>, mesh: &mut Option<recast::data::PolyMesh>) -> Result<Digest, Error> {
    macro_rules! checked {
        ($data:expr) => {{
            $data.check()?;
            $data.hash()
        }};
    }
    Ok(match snapshot {
        Snapshot::Rasterized(data) => checked!(data),
        Snapshot::ObstaclesDone(data) => checked!(data),
        Snapshot::LedgesDone(data) => checked!(data),
        Snapshot::Filtered(data) => checked!(data),
        Snapshot::Compacted(data) => checked!(data),
        Snapshot::Eroded(data) => checked!(data),
        Snapshot::Marked(data) => checked!(data),
        Snapshot::Distance(data) => checked!(data),
        Snapshot::Regions(data) => checked!(data),
        Snapshot::RawContours(data) => checked!(data),
        Snapshot::Simplified(data) => checked!(data),
        Snapshot::Contours(data) => checked!(data),
        Snapshot::PolyMesh(data) => {
            *mesh = Some((*data).clone());
            checked!(data)
        }
        Snapshot::DetailMesh(data) => {
            let mesh = mesh.as_ref().ok_or("a detail mesh came before its polygon mesh")?;
            data.check(mesh)?;
            data.hash()
        }
    })
}

/// Named digests of a scene: one a stage, one of the tile, one of the tiles of a tiled bake.
pub(crate) fn digests(scene: &Scene) -> Result<Vec<(String, Digest)>, Error> {
    let level = prepare(scene)?;
    let mut digests = Vec::new();
    let mut broken = None;
    let mut mesh = None;
    let mut tap = |snapshot: Snapshot<'_>| match digest(&snapshot, &mut mesh) {
        Ok(digest) => digests.push((stage_of(&snapshot).name().to_owned(), digest)),
        Err(error) => drop(broken.get_or_insert(format!("{}: {error}", stage_of(&snapshot).name()))),
    };
    let baked = bake_tapped(&level, &TileBuild::solo(&level), &Silent, &mut Scratch::new(), &mut tap)?;
    if let Some(broken) = broken {
        return Err(format!("scene {}: {broken}", scene.name).into());
    }
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
