//! A layer of a tile cache: magic `DTLR`, version 1, 56 bytes, then its cells, compressed.

use super::fastlz;
use crate::bytes::{Reader, Writer};
use crate::encoding::ByteOrder;
use crate::error::{FormatError, refuse};
use navmath::LimitError;

/// First number of a layer.
pub const LAYER_MAGIC: u32 = u32::from_be_bytes(*b"DTLR");
/// The version that is read and written.
pub const LAYER_VERSION: i32 = 1;
/// Bytes before the compressed cells.
pub(super) const LAYER_HEADER: usize = 56;

/// The position of a layer: `dtTileCacheLayerHeader`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerHeader {
    /// Column of its tile.
    pub x: i32,
    /// Row of its tile.
    pub y: i32,
    /// Its number within the tile.
    pub layer: i32,
    /// Smallest corner of the layer, metres.
    pub bounds_min: [f32; 3],
    /// Largest corner of the layer, metres.
    pub bounds_max: [f32; 3],
    /// Height of its lowest floor, cells above the cache's origin.
    pub lowest: u16,
    /// Height of its highest floor, cells above the cache's origin.
    pub highest: u16,
    /// Cells along x.
    pub width: u8,
    /// Cells along z.
    pub height: u8,
    /// The part of it that contains floors: smallest and largest x, smallest and largest z. Obstacles are
    /// searched there.
    pub used: [u8; 4],
}

/// The cells of a layer, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerCells {
    /// Height of each floor, cells above the lowest; 255 for cells without floor.
    pub heights: Vec<u8>,
    /// Area of each floor; 0 for cells without floor.
    pub areas: Vec<u8>,
    /// Directions in which one can step from each floor, bits 0 to 3 for -x, +z, +x and -z: to a floor of the
    /// layer. Bits 4 to 7 are the same for steps to another layer or tile.
    pub connections: Vec<u8>,
}

/// A layer as stored in a file: its cells stay compressed until they are requested.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLayer {
    header: LayerHeader,
    packed: Vec<u8>,
}

impl StoredLayer {
    /// Compresses a layer.
    ///
    /// # Errors
    /// A layer without cells, or lists whose length does not match its sides; the error gives the number and
    /// its limit.
    pub fn new(header: LayerHeader, cells: &LayerCells) -> Result<StoredLayer, LimitError> {
        let count = cell_count(&header);
        let remedy = "give a layer of 1 to 255 cells a side, and as much in each list as these make";
        let wrong =
            |what, value: usize| LimitError { what, value: value as u64, limit: count as u64, remedy };
        let LayerCells { heights, areas, connections } = cells;
        for (what, list) in [("heights", heights), ("areas", areas), ("connections", connections)] {
            if list.len() != count || count == 0 {
                return Err(wrong(what, list.len()));
            }
        }
        let packed = fastlz::pack(&[&heights[..], areas, connections].concat());
        Ok(StoredLayer { header, packed })
    }

    /// Its position.
    pub fn header(&self) -> &LayerHeader {
        &self.header
    }

    /// The compressed cells.
    pub fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// Its cells. A layer that was read, or made by [`StoredLayer::new`], gives no error, because it was
    /// checked before.
    pub fn cells(&self) -> Result<LayerCells, FormatError> {
        unpack(&self.header, &self.packed, LAYER_HEADER as u64)
    }

    /// Reads a layer that starts at `offset` in its file, and checks its cells.
    pub(super) fn read_at(bytes: &[u8], offset: u64, order: ByteOrder) -> Result<StoredLayer, FormatError> {
        let mut reader = Reader::new(bytes, offset, order);
        let header = read_header(&mut reader)?;
        let start = reader.offset();
        let packed = reader.take("compressed cells of a layer", bytes.len() - LAYER_HEADER)?;
        let cells = unpack(&header, packed, start)?;
        check(&header, &cells, start)?;
        Ok(StoredLayer { header, packed: packed.to_vec() })
    }

    pub(super) fn write(&self, out: &mut Writer) {
        let header = &self.header;
        out.u32s(&[LAYER_MAGIC]);
        out.i32s(&[LAYER_VERSION, header.x, header.y, header.layer]);
        out.f32s(&header.bounds_min);
        out.f32s(&header.bounds_max);
        out.u16s(&[header.lowest, header.highest]);
        out.u8s(&[header.width, header.height]);
        out.u8s(&header.used);
        // Padding up to a multiple of four.
        out.zeros(2);
        out.u8s(&self.packed);
    }

    /// Bytes of the layer in a file.
    pub(super) fn length(&self) -> usize {
        LAYER_HEADER + self.packed.len()
    }
}

fn cell_count(header: &LayerHeader) -> usize {
    usize::from(header.width) * usize::from(header.height)
}

fn read_header(reader: &mut Reader<'_>) -> Result<LayerHeader, FormatError> {
    let offset = reader.offset();
    let magic: u32 = reader.number("magic number of a layer")?;
    if magic != LAYER_MAGIC {
        let found = format!("{:?}", magic.to_be_bytes());
        return refuse("magic number of a layer", offset, "DTLR in the byte order of the set", found);
    }
    let version: i32 = reader.number("version of a layer")?;
    if version != LAYER_VERSION {
        let expected = format!("version {LAYER_VERSION}");
        return refuse("version of a layer", offset + 4, expected, format!("version {version}"));
    }
    let header = LayerHeader {
        x: reader.number("column of a layer")?,
        y: reader.number("row of a layer")?,
        layer: reader.number("number of a layer")?,
        bounds_min: reader.f32s("smallest corner of a layer")?,
        bounds_max: reader.f32s("largest corner of a layer")?,
        lowest: reader.number("lowest floor of a layer")?,
        highest: reader.number("highest floor of a layer")?,
        width: reader.number("cells of a layer along x")?,
        height: reader.number("cells of a layer along z")?,
        used: reader.numbers("used cells of a layer")?,
    };
    // Padding, which is not initialised.
    reader.take("end of a layer's header", 2)?;
    if header.lowest > header.highest {
        let found = format!("{} and {}", header.lowest, header.highest);
        return refuse("heights of a layer", offset + 44, "the lowest floor first", found);
    }
    if header.width == 0 || header.height == 0 {
        let found = format!("{} by {}", header.width, header.height);
        return refuse("size of a layer", offset + 48, "1 to 255 cells a side", found);
    }
    Ok(header)
}

fn unpack(header: &LayerHeader, packed: &[u8], offset: u64) -> Result<LayerCells, FormatError> {
    let count = cell_count(header);
    let mut heights = fastlz::unpack(packed, offset, 3 * count)?;
    let connections = heights.split_off(2 * count);
    let areas = heights.split_off(count);
    Ok(LayerCells { heights, areas, connections })
}

/// Checks that no step leads from a floor to a cell outside the layer. Detour would read beyond the end of
/// its list.
fn check(header: &LayerHeader, cells: &LayerCells, offset: u64) -> Result<(), FormatError> {
    let (width, height) = (usize::from(header.width), usize::from(header.height));
    let floors = cells.areas.iter().zip(&cells.connections).enumerate();
    for (cell, (_, &connections)) in floors.filter(|(_, (area, _))| **area != 0) {
        let (x, z) = (cell % width, cell / width);
        let outwards = [x == 0, z + 1 == height, x + 1 == width, z == 0];
        let leaves = |&side: &usize| connections >> side & 1 == 1 && outwards[side];
        if let Some(side) = (0..4).find(leaves) {
            let side = ["-x", "+z", "+x", "-z"][side];
            let found = format!("one at ({x}, {z}) towards {side}");
            return refuse("cells of a layer", offset, "connections that stay within the layer", found);
        }
    }
    Ok(())
}
