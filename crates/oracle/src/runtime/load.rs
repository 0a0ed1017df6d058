//! A tile set in the C++ library's memory.

use super::RuntimeError;
use navinterop::detour;
use navinterop::mset::TileSet;
use recastnavigation_rs::detour as cpp;

/// A buffer of the C++ library that starts with these bytes. The library only makes buffers that contain a
/// tile. So the buffer first holds a triangle with enough detail triangles to make room for the bytes.
pub fn buffer(bytes: &[u8]) -> Result<cpp::DtBuf, RuntimeError> {
    let triangles = vec![[0, 1, 2, 0]; bytes.len() / 4 + 1];
    let mut params = cpp::DtNavMeshCreateParams {
        verts: Some(&[[0, 0, 1], [1, 0, 1], [1, 0, 0]]),
        polys: Some(&[0, 1, 2, 0xffff, 0xffff, 0xffff]),
        poly_flags: Some(&[1]),
        poly_areas: Some(&[0]),
        nvp: 3,
        detail_meshes: Some(&[[0, 3, 0, 1]]),
        detail_verts: Some(&[[0.0; 3]; 3]),
        detail_tris: Some(&triangles),
        cs: 1.0,
        ch: 1.0,
        bmax: [1.0; 3],
        ..cpp::DtNavMeshCreateParams::default()
    };
    let buffer = cpp::dt_create_nav_mesh_data(&mut params)?;
    buffer.as_mut()[..bytes.len()].copy_from_slice(bytes);
    Ok(buffer)
}

/// An empty mesh of the C++ library with room for the set.
///
/// Errors: numbers wider than the library's 32 bits, and whatever the library refuses.
pub fn empty(set: &TileSet) -> Result<cpp::DtNavMesh, RuntimeError> {
    let number = |value: u32| i32::try_from(value).map_err(|_| RuntimeError::Wide(u64::from(value)));
    let params = cpp::DtNavMeshParams {
        orig: set.params.origin,
        tile_width: set.params.tile_width,
        tile_height: set.params.tile_height,
        max_tiles: number(set.params.max_tiles)?,
        max_polys: number(set.params.max_polygons)?,
    };
    Ok(cpp::DtNavMesh::with_params(&params)?)
}

/// The set in the C++ library, tile by tile as RecastDemo loads it.
///
/// Errors: references wider than the library's 32 bits, or that change, and whatever the library refuses.
pub fn load(set: &TileSet) -> Result<cpp::DtNavMesh, RuntimeError> {
    let mut mesh = empty(set)?;
    for tile in &set.tiles {
        let bytes = detour::write(&tile.tile, set.encoding)?;
        let wide = |_| RuntimeError::Wide(tile.tile_ref);
        let tile_ref = cpp::DtTileRef(u32::try_from(tile.tile_ref).map_err(wide)?);
        let found = mesh.add_tile(buffer(&bytes)?, tile_ref)?;
        if found != tile_ref {
            return Err(RuntimeError::Moved { wanted: tile_ref.0, found: found.0 });
        }
    }
    Ok(mesh)
}
