//! Reads the bytes of a tile. Counts are compared with the length before anything is allocated.

use super::indices::check;
use super::tile::{
    DetourBvNode, DetourDetailMesh, DetourOffMeshConnection, DetourPolygon, DetourTile, MAGIC, VERSION,
    order, starts,
};
use crate::bytes::Reader;
use crate::encoding::{Encoding, RefWidth};
use crate::error::{FormatError, refuse};

/// Reads a tile and the encoding of its numbers. A tile without space for links is read as 32 bits.
///
/// Errors: another magic number or version, counts that do not match the length, indices out of range,
/// numbers that are not finite.
pub fn read(bytes: &[u8]) -> Result<(DetourTile, Encoding), FormatError> {
    read_at(bytes, 0)
}

/// Reads a tile whose bytes are at `start` in their file; see [`read`].
pub(crate) fn read_at(bytes: &[u8], start: u64) -> Result<(DetourTile, Encoding), FormatError> {
    let Some(order) = order(bytes) else {
        let found = format!("{:?}", &bytes[..bytes.len().min(4)]);
        return refuse("magic number of a tile", start, "DNAV in either byte order", found);
    };
    let mut reader = Reader::new(bytes, start, order);
    let (mut tile, counts) = header(&mut reader)?;
    let width = width(counts, bytes.len() as u64, start)?;
    body(&mut reader, &mut tile, counts, width)?;
    check(&tile, start, width)?;
    Ok((tile, Encoding { order, width }))
}

/// The width of references for which the parts add up to the length.
fn width(counts: [u64; 8], length: u64, start: u64) -> Result<RefWidth, FormatError> {
    let [narrow, wide] = [RefWidth::Bits32, RefWidth::Bits64].map(|width| starts(counts, width)[8]);
    if length == narrow {
        return Ok(RefWidth::Bits32);
    }
    if length == wide {
        return Ok(RefWidth::Bits64);
    }
    let expected = format!("{narrow} bytes with 32-bit references, {wide} with 64-bit ones");
    refuse("length of the tile that its counts make", start, expected, format!("{length} bytes"))
}

/// The header, and the elements of each part in the order of the file.
fn header(reader: &mut Reader<'_>) -> Result<(DetourTile, [u64; 8]), FormatError> {
    let start = reader.offset();
    let magic: u32 = reader.number("magic number of a tile")?;
    debug_assert_eq!(magic, MAGIC, "the byte order was found by it");
    let version: i32 = reader.number("version of a tile")?;
    if version != VERSION {
        return Err(FormatError {
            what: "version of a tile".into(),
            offset: start + 4,
            expected: format!("version {VERSION}"),
            found: format!("version {version}"),
            remedy: "write the tile with a Detour of that version",
        });
    }
    let mut tile = DetourTile {
        x: reader.number("column of the tile")?,
        y: reader.number("row of the tile")?,
        layer: reader.number("layer of the tile")?,
        user_id: reader.number("user's number of the tile")?,
        ..DetourTile::default()
    };
    let polygons = reader.count("number of polygons")?;
    let vertices = reader.count("number of vertices")?;
    tile.max_links = reader.count("number of links")?;
    let counts = [
        vertices,
        polygons,
        tile.max_links,
        reader.count("number of detail meshes")?,
        reader.count("number of detail vertices")?,
        reader.count("number of detail triangles")?,
        reader.count("number of BV nodes")?,
        reader.count("number of off-mesh connections")?,
    ];
    tile.off_mesh_base = reader.count("number of the first off-mesh polygon")?;
    tile.walkable_height = reader.f32("agent height")?;
    tile.walkable_radius = reader.f32("agent radius")?;
    tile.walkable_climb = reader.f32("agent climb")?;
    tile.bounds_min = reader.f32s("smallest corner of the tile")?;
    tile.bounds_max = reader.f32s("largest corner of the tile")?;
    tile.bv_quant_factor = reader.f32("BV units per metre")?;
    Ok((tile, counts.map(u64::from)))
}

fn body(
    reader: &mut Reader<'_>,
    tile: &mut DetourTile,
    counts: [u64; 8],
    width: RefWidth,
) -> Result<(), FormatError> {
    let [vertices, polygons, _, meshes, detail_vertices, triangles, nodes, connections] =
        counts.map(|count| 0..count);
    tile.vertices = vertices.map(|_| reader.f32s("vertex")).collect::<Result<_, _>>()?;
    tile.polygons = polygons.map(|_| polygon(reader)).collect::<Result<_, _>>()?;
    // The counts add up to the length, so the difference fits it.
    let starts = starts(counts, width);
    reader.take("links", (starts[3] - starts[2]) as usize)?;
    tile.detail_meshes = meshes.map(|_| detail_mesh(reader)).collect::<Result<_, _>>()?;
    tile.detail_vertices = detail_vertices.map(|_| reader.f32s("detail vertex")).collect::<Result<_, _>>()?;
    tile.detail_triangles = triangles.map(|_| reader.numbers("detail triangle")).collect::<Result<_, _>>()?;
    tile.bv_nodes = nodes.map(|_| bv_node(reader)).collect::<Result<_, _>>()?;
    tile.off_mesh_connections = connections.map(|_| connection(reader)).collect::<Result<_, _>>()?;
    Ok(())
}

fn polygon(reader: &mut Reader<'_>) -> Result<DetourPolygon, FormatError> {
    // The first link, which only a runtime fills in.
    reader.number::<u32>("polygon")?;
    let (vertices, neighbours) = (reader.numbers("polygon")?, reader.numbers("polygon")?);
    let (flags, corner_count) = (reader.number("polygon")?, reader.number("polygon")?);
    let offset = reader.offset();
    let area_and_kind: u8 = reader.number("polygon")?;
    let (area, kind) = (area_and_kind & 0x3f, area_and_kind >> 6);
    if kind > 1 {
        return refuse("kind of a polygon", offset, "0 (ground) or 1 (off-mesh connection)", kind);
    }
    Ok(DetourPolygon { vertices, neighbours, flags, corner_count, area, off_mesh: kind == 1 })
}

fn detail_mesh(reader: &mut Reader<'_>) -> Result<DetourDetailMesh, FormatError> {
    let mesh = DetourDetailMesh {
        first_vertex: reader.number("detail mesh")?,
        first_triangle: reader.number("detail mesh")?,
        vertex_count: reader.number("detail mesh")?,
        triangle_count: reader.number("detail mesh")?,
    };
    // Two bytes of padding, which are not initialised.
    reader.take("detail mesh", 2)?;
    Ok(mesh)
}

fn bv_node(reader: &mut Reader<'_>) -> Result<DetourBvNode, FormatError> {
    Ok(DetourBvNode {
        min: reader.numbers("BV node")?,
        max: reader.numbers("BV node")?,
        index: reader.number("BV node")?,
    })
}

fn connection(reader: &mut Reader<'_>) -> Result<DetourOffMeshConnection, FormatError> {
    Ok(DetourOffMeshConnection {
        start: reader.f32s("start of an off-mesh connection")?,
        end: reader.f32s("end of an off-mesh connection")?,
        radius: reader.f32("radius of an off-mesh connection")?,
        polygon: reader.number("off-mesh connection")?,
        flags: reader.number("off-mesh connection")?,
        side: reader.number("off-mesh connection")?,
        user_id: reader.number("off-mesh connection")?,
    })
}
