//! Bytes to a tile. Counts are compared with the length before anything is allocated.

use super::check::check;
use super::{
    BV_NODE, CONNECTION, DETAIL_MESH, DETAIL_TRIANGLE, DetourBvNode, DetourDetailMesh,
    DetourOffMeshConnection, DetourPolygon, DetourTile, HEADER, MAGIC, POLYGON, VERSION, VERTEX, link_bytes,
    order,
};
use crate::interop::bytes::{Reader, refuse};
use crate::interop::{Encoding, FormatError, RefWidth};

/// Reads a tile and how its numbers are written. A tile without space for links reads as one of 32 bits.
///
/// Errors: another magic number or version, counts that the length does not bear out, indices that point nowhere,
/// numbers that are not finite.
pub fn read(bytes: &[u8]) -> Result<(DetourTile, Encoding), FormatError> {
    read_at(bytes, 0)
}

/// As [`read`], for bytes that stand at `start` in their file.
pub(in crate::interop) fn read_at(bytes: &[u8], start: u64) -> Result<(DetourTile, Encoding), FormatError> {
    let Some(order) = order(bytes) else {
        let found = format!("{:?}", &bytes[..bytes.len().min(4)]);
        return refuse("magic number of a tile", start, "DNAV in either byte order", found);
    };
    let mut reader = Reader::new(bytes, start, order);
    let (mut tile, counts) = header(&mut reader)?;
    let width = counts.width(&tile, bytes.len(), start)?;
    body(&mut reader, &mut tile, &counts, width)?;
    check(&tile, start, width)?;
    Ok((tile, Encoding { order, width }))
}

/// What the header says there is of each part.
struct Counts {
    polygons: u32,
    vertices: u32,
    detail_meshes: u32,
    detail_vertices: u32,
    detail_triangles: u32,
    bv_nodes: u32,
    connections: u32,
}

impl Counts {
    /// The width of references with which the counts make up the length.
    fn width(&self, tile: &DetourTile, length: usize, start: u64) -> Result<RefWidth, FormatError> {
        let parts = [
            (self.vertices, VERTEX),
            (self.polygons, POLYGON),
            (self.detail_meshes, DETAIL_MESH),
            (self.detail_vertices, VERTEX),
            (self.detail_triangles, DETAIL_TRIANGLE),
            (self.bv_nodes, BV_NODE),
            (self.connections, CONNECTION),
        ];
        // Seven products of 31 and 6 bits: far from overflow.
        let fixed: u64 = parts.iter().map(|&(count, bytes)| u64::from(count) * bytes as u64).sum();
        let total = |width| HEADER as u64 + fixed + u64::from(tile.max_links) * link_bytes(width);
        let fits = |width: &RefWidth| total(*width) == length as u64;
        [RefWidth::Bits32, RefWidth::Bits64].into_iter().find(fits).map_or_else(
            || {
                let expected = format!(
                    "{} bytes with 32-bit references, {} with 64-bit ones",
                    total(RefWidth::Bits32),
                    total(RefWidth::Bits64)
                );
                refuse("length of the tile that its counts make", start, expected, format!("{length} bytes"))
            },
            Ok,
        )
    }
}

fn header(reader: &mut Reader<'_>) -> Result<(DetourTile, Counts), FormatError> {
    let start = reader.offset();
    let magic = reader.u32("magic number of a tile")?;
    debug_assert_eq!(magic, MAGIC, "the byte order was told by it");
    let version = reader.i32("version of a tile")?;
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
        x: reader.i32("column of the tile")?,
        y: reader.i32("row of the tile")?,
        layer: reader.i32("layer of the tile")?,
        user_id: reader.u32("user's number of the tile")?,
        ..DetourTile::default()
    };
    let polygons = reader.count("number of polygons")?;
    let vertices = reader.count("number of vertices")?;
    tile.max_links = reader.count("number of links")?;
    let counts = Counts {
        polygons,
        vertices,
        detail_meshes: reader.count("number of detail meshes")?,
        detail_vertices: reader.count("number of detail vertices")?,
        detail_triangles: reader.count("number of detail triangles")?,
        bv_nodes: reader.count("number of BV nodes")?,
        connections: reader.count("number of off-mesh connections")?,
    };
    tile.off_mesh_base = reader.count("number of the first off-mesh polygon")?;
    tile.walkable_height = reader.f32("agent height")?;
    tile.walkable_radius = reader.f32("agent radius")?;
    tile.walkable_climb = reader.f32("agent climb")?;
    tile.bounds_min = reader.f32s("smallest corner of the tile")?;
    tile.bounds_max = reader.f32s("largest corner of the tile")?;
    tile.bv_quant_factor = reader.f32("BV units a metre")?;
    Ok((tile, counts))
}

fn body(
    reader: &mut Reader<'_>,
    tile: &mut DetourTile,
    counts: &Counts,
    width: RefWidth,
) -> Result<(), FormatError> {
    let all = |count: u32| 0..count;
    tile.vertices = all(counts.vertices).map(|_| reader.f32s("vertex")).collect::<Result<_, _>>()?;
    tile.polygons = all(counts.polygons).map(|_| polygon(reader)).collect::<Result<_, _>>()?;
    // The counts make up the length, so the product fits it.
    reader.take("links", (u64::from(tile.max_links) * link_bytes(width)) as usize)?;
    tile.detail_meshes = all(counts.detail_meshes).map(|_| detail_mesh(reader)).collect::<Result<_, _>>()?;
    tile.detail_vertices =
        all(counts.detail_vertices).map(|_| reader.f32s("detail vertex")).collect::<Result<_, _>>()?;
    tile.detail_triangles =
        all(counts.detail_triangles).map(|_| detail_triangle(reader)).collect::<Result<_, _>>()?;
    tile.bv_nodes = all(counts.bv_nodes).map(|_| bv_node(reader)).collect::<Result<_, _>>()?;
    tile.off_mesh_connections =
        all(counts.connections).map(|_| connection(reader)).collect::<Result<_, _>>()?;
    Ok(())
}

fn polygon(reader: &mut Reader<'_>) -> Result<DetourPolygon, FormatError> {
    // The first link, which only a runtime knows.
    reader.u32("polygon")?;
    let (vertices, neighbours) = (reader.u16s("polygon")?, reader.u16s("polygon")?);
    let (flags, corner_count) = (reader.u16("polygon")?, reader.u8("polygon")?);
    let offset = reader.offset();
    let area_and_kind = reader.u8("polygon")?;
    let (area, kind) = (area_and_kind & 0x3f, area_and_kind >> 6);
    if kind > 1 {
        return refuse(
            "kind of a polygon",
            offset,
            "0 (ground) or 1 (off-mesh connection)",
            kind.to_string(),
        );
    }
    Ok(DetourPolygon { vertices, neighbours, flags, corner_count, area, off_mesh: kind == 1 })
}

fn detail_mesh(reader: &mut Reader<'_>) -> Result<DetourDetailMesh, FormatError> {
    let mesh = DetourDetailMesh {
        first_vertex: reader.u32("detail mesh")?,
        first_triangle: reader.u32("detail mesh")?,
        vertex_count: reader.u8("detail mesh")?,
        triangle_count: reader.u8("detail mesh")?,
    };
    // Two bytes of padding, which nobody sets.
    reader.take("detail mesh", 2)?;
    Ok(mesh)
}

fn detail_triangle(reader: &mut Reader<'_>) -> Result<[u8; 4], FormatError> {
    let bytes = reader.take("detail triangle", 4)?;
    Ok([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn bv_node(reader: &mut Reader<'_>) -> Result<DetourBvNode, FormatError> {
    Ok(DetourBvNode {
        min: reader.u16s("BV node")?,
        max: reader.u16s("BV node")?,
        index: reader.i32("BV node")?,
    })
}

fn connection(reader: &mut Reader<'_>) -> Result<DetourOffMeshConnection, FormatError> {
    Ok(DetourOffMeshConnection {
        start: reader.f32s("start of an off-mesh connection")?,
        end: reader.f32s("end of an off-mesh connection")?,
        radius: reader.f32("radius of an off-mesh connection")?,
        polygon: reader.u16("off-mesh connection")?,
        flags: reader.u8("off-mesh connection")?,
        side: reader.u8("off-mesh connection")?,
        user_id: reader.u32("off-mesh connection")?,
    })
}

/// Where the parts of a tile start, bytes from its own start.
pub(super) struct Places {
    pub(super) polygons: u64,
    pub(super) detail_meshes: u64,
    pub(super) detail_triangles: u64,
    pub(super) bv_nodes: u64,
    pub(super) connections: u64,
}

impl Places {
    pub(super) fn of(tile: &DetourTile, width: RefWidth) -> Places {
        let after = |start: u64, count: usize, bytes: usize| start + count as u64 * bytes as u64;
        let polygons = after(HEADER as u64, tile.vertices.len(), VERTEX);
        let links = after(polygons, tile.polygons.len(), POLYGON);
        let detail_meshes = links + u64::from(tile.max_links) * link_bytes(width);
        let detail_vertices = after(detail_meshes, tile.detail_meshes.len(), DETAIL_MESH);
        let detail_triangles = after(detail_vertices, tile.detail_vertices.len(), VERTEX);
        let bv_nodes = after(detail_triangles, tile.detail_triangles.len(), DETAIL_TRIANGLE);
        let connections = after(bv_nodes, tile.bv_nodes.len(), BV_NODE);
        Places { polygons, detail_meshes, detail_triangles, bv_nodes, connections }
    }
}
