//! A tile cache as RecastDemo saves it: magic `TSET`, version 1. It has no polygons: its layers are the
//! ground from which a game builds tiles at run time, without the current obstacles.
//!
//! | part | bytes |
//! |---|---|
//! | magic, version, number of layers | 12 |
//! | parameters of the mesh, as in a tile set | 28 |
//! | parameters of the cache: the fields of [`CacheParams`], in their order | 52 |
//! | for each layer: reference, length of its data | 8 |
//! | and its data | its length |
//!
//! A layer's data are a header of 56 bytes and, compressed by FastLZ, its cells: all heights, all areas, all
//! connections, a byte each. References have 32 bits, for any build of Detour.

mod fastlz;
mod layer;

pub use layer::{LAYER_MAGIC, LAYER_VERSION, LayerCells, LayerHeader, StoredLayer};

use crate::bytes::{Reader, Writer, magic_order};
use crate::encoding::ByteOrder;
use crate::error::{FormatError, refuse};
use crate::mset::{self, NavMeshParams};
use layer::LAYER_HEADER;
use navmath::LimitError;

/// First number of a tile cache.
pub const MAGIC: u32 = u32::from_be_bytes(*b"TSET");
/// The version that is read and written.
pub const VERSION: i32 = 1;

/// The parameters of `dtTileCache::init`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CacheParams {
    /// World position of the corner of tile (0, 0), metres.
    pub origin: [f32; 3],
    /// Width of a cell, metres.
    pub cell_size: f32,
    /// Height of a cell, metres.
    pub cell_height: f32,
    /// Cells of a tile along x.
    pub width: u32,
    /// Cells of a tile along z.
    pub height: u32,
    /// Agent height, metres.
    pub walkable_height: f32,
    /// Agent radius, metres; layers are eroded by it.
    pub walkable_radius: f32,
    /// Highest step, metres.
    pub walkable_climb: f32,
    /// Largest distance of a simplified contour from the outline of the cells, in cells.
    pub max_simplification_error: f32,
    /// Most layers at a time.
    pub max_tiles: u32,
    /// Most obstacles at a time.
    pub max_obstacles: u32,
}

/// A layer of a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedLayer {
    /// The layer's reference, which it keeps when the cache is loaded.
    pub layer_ref: u32,
    /// The layer.
    pub layer: StoredLayer,
}

/// The layers of a tile cache.
///
/// ```
/// use navinterop::tset::{self, CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
///
/// // Ground of two cells, on which one can step from each to the other.
/// let header = LayerHeader { width: 2, height: 1, ..LayerHeader::default() };
/// let cells = LayerCells { heights: vec![0, 0], areas: vec![63, 63], connections: vec![4, 1] };
/// let layer = CachedLayer { layer_ref: 1, layer: StoredLayer::new(header, &cells)? };
/// let set = LayerSet { layers: vec![layer], ..LayerSet::default() };
///
/// let bytes = tset::write(&set)?;
/// let again = tset::read(&bytes)?;
/// assert_eq!(again.layers[0].layer.cells()?, cells);
/// assert_eq!(again, set);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerSet {
    /// Order of the bytes of its numbers.
    pub order: ByteOrder,
    /// The parameters of the mesh that tiles are built into.
    pub mesh_params: NavMeshParams,
    /// The parameters of the cache.
    pub cache_params: CacheParams,
    /// The layers, in the order of the file.
    pub layers: Vec<CachedLayer>,
}

/// The byte order of a tile cache; `None` if the bytes are not a tile cache.
pub fn order(bytes: &[u8]) -> Option<ByteOrder> {
    magic_order(bytes, MAGIC)
}

/// Reads a tile cache. Every layer is unpacked once, to check it, and stays in the form of the file.
///
/// Errors: another magic number or version, of the set or of a layer; lengths that do not fit, bytes left
/// over; layers without cells, that do not unpack to three bytes a cell, or with steps out of their grid.
pub fn read(bytes: &[u8]) -> Result<LayerSet, FormatError> {
    let Some(order) = order(bytes) else {
        let found = format!("{:?}", &bytes[..bytes.len().min(4)]);
        return refuse("magic number of a tile cache", 0, "TSET in either byte order", found);
    };
    let mut reader = Reader::new(bytes, 0, order);
    reader.number::<u32>("magic number of a tile cache")?;
    let version: i32 = reader.number("version of a tile cache")?;
    if version != VERSION {
        let found = format!("version {version}");
        return refuse("version of a tile cache", 4, format!("version {VERSION}"), found);
    }
    let count = reader.count("number of layers")?;
    let mesh_params = mset::read_params(&mut reader)?;
    let cache_params = read_cache_params(&mut reader)?;
    // Grows with the layers present, not with the count.
    let mut layers = Vec::new();
    for index in 0..count {
        layers.push(read_layer(&mut reader, order, index)?);
    }
    let end = reader.offset();
    if end != bytes.len() as u64 {
        let found = format!("{} bytes more", bytes.len() as u64 - end);
        return refuse("end of the tile cache", end, format!("nothing after {count} layers"), found);
    }
    Ok(LayerSet { order, mesh_params, cache_params, layers })
}

fn read_cache_params(reader: &mut Reader<'_>) -> Result<CacheParams, FormatError> {
    Ok(CacheParams {
        origin: reader.f32s("origin of the cache")?,
        cell_size: reader.f32("cell size of the cache")?,
        cell_height: reader.f32("cell height of the cache")?,
        width: reader.count("cells of a tile along x")?,
        height: reader.count("cells of a tile along z")?,
        walkable_height: reader.f32("agent height")?,
        walkable_radius: reader.f32("agent radius")?,
        walkable_climb: reader.f32("agent climb")?,
        max_simplification_error: reader.f32("largest error of contours")?,
        // Not used here, and not always set correctly.
        max_tiles: reader.number("most layers")?,
        max_obstacles: reader.number("most obstacles")?,
    })
}

fn read_layer(reader: &mut Reader<'_>, order: ByteOrder, index: u32) -> Result<CachedLayer, FormatError> {
    let what = format!("layer {index} of the cache");
    let start = reader.offset();
    let layer_ref: u32 = reader.number(&what)?;
    let length = reader.count(&what)?;
    if layer_ref == 0 || (length as usize) < LAYER_HEADER {
        let found = format!("reference {layer_ref} and {length} bytes");
        let expected = format!("a reference other than 0 and at least {LAYER_HEADER} bytes");
        return refuse(what, start, expected, found);
    }
    let offset = reader.offset();
    let layer = StoredLayer::read_at(reader.take(&what, length as usize)?, offset, order)?;
    Ok(CachedLayer { layer_ref, layer })
}

/// The bytes of a tile cache. Errors: more than 2^31 - 1 layers, or cells of a tile.
pub fn write(set: &LayerSet) -> Result<Vec<u8>, LimitError> {
    let limit = i32::MAX as u64;
    navmath::limit::check("layers of a cache", set.layers.len() as u64, limit, "write several caches")?;
    let params = &set.cache_params;
    for cells in [params.width, params.height] {
        navmath::limit::check("cells along a tile", cells.into(), limit, "give smaller tiles")?;
    }
    let mut out = Writer::new(set.order);
    out.u32s(&[MAGIC]);
    // Below 2^31, as just checked.
    out.i32s(&[VERSION, set.layers.len() as i32]);
    mset::write_params(&mut out, &set.mesh_params);
    out.f32s(&params.origin);
    out.f32s(&[params.cell_size, params.cell_height]);
    out.u32s(&[params.width, params.height]);
    out.f32s(&[params.walkable_height, params.walkable_radius, params.walkable_climb]);
    out.f32s(&[params.max_simplification_error]);
    out.u32s(&[params.max_tiles, params.max_obstacles]);
    for CachedLayer { layer_ref, layer } in &set.layers {
        // At most 255 x 255 cells of three bytes, and little more if they do not compress.
        out.u32s(&[*layer_ref, layer.length() as u32]);
        layer.write(&mut out);
    }
    Ok(out.bytes)
}
