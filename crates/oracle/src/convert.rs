//! The C++ library's results as our data types: packed bits and sentinels become indices, enums and options.
//!
//! Only values that our types do not hold are lost. Cost: O(size) each.

use navmath::FIXED_ONE;
use recast::AreaId;
use recast::data::compact::CompactArrays;
use recast::data::{
    CompactField, Contour, ContourSet, ContourVertex, DetailMesh, DetailTriangle, Direction, EdgeKind, Grid,
    NO_NEIGHBOUR, PolyMesh, Polygon, RawContour, RawContours, RawVertex, RegionId, Side, SpanField, SubMesh,
};
use recastnavigation_rs::recast as cpp;

/// A result of the C++ library that breaks its own rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConvertError {
    /// A column of the compact field does not begin at the end of the previous one.
    #[error("column {column} begins at span {found}, expected {expected}")]
    Column {
        /// Index of the column.
        column: usize,
        /// Expected start of the column.
        expected: u32,
        /// Actual start of the column.
        found: u32,
    },
    /// A connection leads out of the grid.
    #[error("span {span} is connected beyond the edge of the grid")]
    Connection {
        /// Index of the span.
        span: usize,
    },
    /// A region has a number that only the strips of a tile's border have.
    #[error("region {0} belongs to the border, yet it is not marked so")]
    Region(u16),
    /// A side of the tile is not one of four.
    #[error("polygon {polygon} has a portal on side {side}, expected 0 to 3")]
    Side {
        /// Index of the polygon.
        polygon: usize,
        /// The side it names.
        side: u16,
    },
    /// The height of a detail vertex is not a whole number of cells.
    #[error("detail vertex {vertex} has height {height} m: not a whole number of cells")]
    Height {
        /// Index of the vertex.
        vertex: usize,
        /// Its height, metres.
        height: f32,
    },
}

/// Spans of a heightfield. The caller knows which stages it has passed.
pub fn spans<S>(heightfield: &cpp::RcHeightfield, grid: &Grid) -> SpanField<S> {
    let mut offsets = Vec::with_capacity(grid.columns() + 1);
    let (mut min, mut max, mut area) = (Vec::new(), Vec::new(), Vec::new());
    offsets.push(0);
    for column in 0..grid.columns() {
        let mut next = heightfield.get_span(column);
        while let Some(span) = next {
            min.push(span.smin() as i32);
            max.push(span.smax() as i32);
            area.push(AreaId(span.area() as u8));
            next = span.next();
        }
        offsets.push(min.len() as u32);
    }
    SpanField::from_parts(*grid, offsets, min, max, area)
}

/// A compact field with its current areas.
pub fn compact<S>(field: &cpp::RcCompactHeightfield, grid: &Grid) -> Result<CompactField<S>, ConvertError> {
    let cells = field.cells();
    let offsets = compact_offsets(cells)?;
    let spans = field.spans();
    let mut neighbours = vec![[NO_NEIGHBOUR; 4]; spans.len()];
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column = grid.column(x, z);
            for span in offsets[column] as usize..offsets[column + 1] as usize {
                for direction in Direction::ALL {
                    let layer = spans[span].con() >> (6 * direction as u32) & 0x3f;
                    if layer as i32 == cpp::RC_NOT_CONNECTED {
                        continue;
                    }
                    let beside = grid.neighbour(x, z, direction).ok_or(ConvertError::Connection { span })?;
                    neighbours[span][direction as usize] = offsets[grid.column(beside.0, beside.1)] + layer;
                }
            }
        }
    }
    Ok(CompactField::from_arrays(CompactArrays {
        grid: *grid,
        walkable_height: field.walkable_height,
        walkable_climb: field.walkable_climb,
        offsets,
        floor: spans.iter().map(|span| i32::from(span.y)).collect(),
        clearance: spans.iter().map(|span| span.h() as u16).collect(),
        area: field.areas().iter().map(|&area| AreaId(area)).collect(),
        neighbours,
    }))
}

fn compact_offsets(cells: &[cpp::RcCompactCell]) -> Result<Vec<u32>, ConvertError> {
    let mut offsets = Vec::with_capacity(cells.len() + 1);
    let mut next = 0;
    offsets.push(next);
    for (column, cell) in cells.iter().enumerate() {
        if cell.count() > 0 && cell.index() != next {
            return Err(ConvertError::Column { column, expected: next, found: cell.index() });
        }
        next += cell.count();
        offsets.push(next);
    }
    Ok(offsets)
}

/// Region numbers that no region of the mesh has: a bordered tile's four strips use them up.
const STRIPS: u16 = 4;

/// A region id with its border bit. Regions of a bordered tile are numbered from 5; ours from 1.
pub fn region(id: u16, grid: &Grid) -> Result<RegionId, ConvertError> {
    let number = id & !cpp::RC_BORDER_REG;
    let skipped = if grid.border > 0 { STRIPS } else { 0 };
    match number {
        0 => Ok(RegionId::NONE),
        _ if id & cpp::RC_BORDER_REG != 0 => Ok(RegionId::border(u32::from(number))),
        _ if number > skipped => Ok(RegionId::inner(u32::from(number - skipped))),
        _ => Err(ConvertError::Region(id)),
    }
}

/// The region of each span, and the largest number in use. The C++ library's own count is one more, as it
/// includes the next free number.
pub fn regions(field: &cpp::RcCompactHeightfield, grid: &Grid) -> Result<(Vec<RegionId>, u32), ConvertError> {
    let ids = field.spans().iter().map(|span| region(span.reg, grid)).collect::<Result<Vec<_>, _>>()?;
    let count = ids.iter().map(|id| id.index()).max().unwrap_or(0);
    Ok((ids, count as u32))
}

/// Traced outlines, except those whose simplification the C++ library dropped: it does not keep them.
pub fn raw_contours(
    set: &cpp::RcContourSet,
    grid: &Grid,
    region_count: u32,
) -> Result<RawContours, ConvertError> {
    let vertex = |corner: &[i32; 4]| {
        let TileCorner { position, beyond, area_border, border_vertex } = TileCorner::new(corner, grid)?;
        // The library does not report which corners are junctions.
        Ok(RawVertex { position, beyond, area_border, border_vertex, junction: false, exact: false })
    };
    let contour = |contour: &cpp::RcContour| {
        Ok(RawContour {
            region: region(contour.reg, grid)?,
            area: AreaId(contour.area),
            vertices: contour.rverts().iter().map(vertex).collect::<Result<_, ConvertError>>()?,
        })
    };
    let contours = set.conts().iter().map(contour).collect::<Result<_, ConvertError>>()?;
    Ok(RawContours { grid: *grid, region_count, contours })
}

/// Contours with holes joined to their outlines; a joined hole has no corners left.
pub fn contours(set: &cpp::RcContourSet, grid: &Grid, region_count: u32) -> Result<ContourSet, ConvertError> {
    let vertex = |corner: &[i32; 4]| {
        let TileCorner { position, beyond, area_border, border_vertex } = TileCorner::new(corner, grid)?;
        Ok(ContourVertex { position, beyond, area_border, border_vertex })
    };
    let contour = |contour: &cpp::RcContour| {
        // The library frees the corners of a joined hole, so there is no slice.
        let corners = if contour.nverts() == 0 { &[] } else { contour.verts() };
        Ok(Contour {
            region: region(contour.reg, grid)?,
            area: AreaId(contour.area),
            vertices: corners.iter().map(vertex).collect::<Result<_, ConvertError>>()?,
        })
    };
    let contours = set.conts().iter().map(contour).collect::<Result<_, ConvertError>>()?;
    Ok(ContourSet { grid: *grid, region_count, contours })
}

/// A place in cells in our units.
fn place([x, y, z]: [i32; 3]) -> [i32; 3] {
    [x * FIXED_ONE, y, z * FIXED_ONE]
}

/// A corner of a contour, its fourth number unpacked.
#[derive(Debug, PartialEq)]
struct TileCorner {
    position: [i32; 3],
    beyond: RegionId,
    area_border: bool,
    border_vertex: bool,
}

impl TileCorner {
    fn new(&[x, y, z, packed]: &[i32; 4], grid: &Grid) -> Result<TileCorner, ConvertError> {
        Ok(TileCorner {
            position: place([x, y, z]),
            beyond: region((packed & cpp::RC_CONTOUR_REG_MASK) as u16, grid)?,
            area_border: packed & cpp::RC_AREA_BORDER != 0,
            border_vertex: packed & cpp::RC_BORDER_VERTEX != 0,
        })
    }
}

/// A polygon mesh.
pub fn poly_mesh(mesh: &cpp::RcPolyMesh, grid: &Grid) -> Result<PolyMesh, ConvertError> {
    let mut converted = PolyMesh {
        grid: *grid,
        vertices: Vec::new(),
        polygons: Vec::new(),
        corners: Vec::new(),
        edges: Vec::new(),
    };
    if mesh.nverts() == 0 || mesh.npolys() == 0 {
        return Ok(converted);
    }
    converted.vertices = mesh.verts().iter().map(|vertex| place(vertex.map(i32::from))).collect();
    let most = mesh.nvp();
    for (index, both) in mesh.polys().chunks_exact(2 * most).enumerate() {
        let (corners, beyond) = both.split_at(most);
        let count = corners.iter().position(|&v| v == cpp::RC_MESH_NULL_IDX).unwrap_or(most);
        let origin = region(mesh.regs()[index], grid)?;
        converted.polygons.push(Polygon {
            first: converted.corners.len() as u32,
            count: count as u32,
            region: (!origin.is_none()).then_some(origin),
            first_region: origin,
            area: AreaId(mesh.areas()[index]),
        });
        converted.corners.extend(corners[..count].iter().map(|&v| u32::from(v)));
        for &neighbour in &beyond[..count] {
            converted.edges.push(edge(index, neighbour)?);
        }
    }
    Ok(converted)
}

fn edge(polygon: usize, neighbour: u16) -> Result<EdgeKind, ConvertError> {
    const SIDES: [Side; 4] = [Side::XMin, Side::ZMax, Side::XMax, Side::ZMin];
    if neighbour == cpp::RC_MESH_NULL_IDX {
        return Ok(EdgeKind::Wall);
    }
    if neighbour & cpp::RC_BORDER_REG == 0 {
        return Ok(EdgeKind::Internal(u32::from(neighbour)));
    }
    let side = neighbour & !cpp::RC_BORDER_REG;
    SIDES
        .get(usize::from(side))
        .map(|&side| EdgeKind::Portal(side))
        .ok_or(ConvertError::Side { polygon, side })
}

/// A detail mesh made with its origin at zero.
///
/// The C++ library adds one cell height to every vertex. Heights are whole numbers of cells, so the
/// subtraction is exact: the number of cells is computed, and must give the same float after the cell is
/// added.
pub fn detail_mesh(mesh: &cpp::RcPolyMeshDetail, cell_height: f32) -> Result<DetailMesh, ConvertError> {
    let mut converted = DetailMesh::default();
    if mesh.nmeshes() == 0 {
        return Ok(converted);
    }
    converted.meshes = mesh
        .meshes()
        .iter()
        .map(|&[first_vertex, vertex_count, first_triangle, triangle_count]| SubMesh {
            first_vertex,
            vertex_count,
            first_triangle,
            triangle_count,
        })
        .collect();
    for (vertex, &[x, raised, z]) in mesh.verts().iter().enumerate() {
        let height = ((raised - cell_height) / cell_height).round() * cell_height;
        if height + cell_height != raised {
            return Err(ConvertError::Height { vertex, height: raised });
        }
        converted.vertices.push([x, height, z]);
    }
    if mesh.ntris() > 0 {
        converted.triangles = mesh.tris().iter().map(detail_triangle).collect();
    }
    Ok(converted)
}

fn detail_triangle(&[a, b, c, flags]: &[u8; 4]) -> DetailTriangle {
    DetailTriangle {
        vertices: [a, b, c].map(u32::from),
        boundary: [0, 2, 4].map(|shift| flags >> shift & 3 == 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(border: u32) -> Grid {
        Grid { width: 20, depth: 20, border, base_x: 0, base_z: 0, cell_size: 1.0, cell_height: 1.0 }
    }

    #[test]
    fn region_ids_lose_their_border_bit() {
        assert_eq!(region(0, &grid(0)), Ok(RegionId::NONE));
        assert_eq!(region(7, &grid(0)), Ok(RegionId::inner(7)));
        assert_eq!(region(0x8003, &grid(5)), Ok(RegionId::border(3)));
        assert_eq!(region(5, &grid(5)), Ok(RegionId::inner(1)));
        assert_eq!(region(4, &grid(5)), Err(ConvertError::Region(4)));
    }

    #[test]
    fn contour_flags_are_unpacked() {
        let expected = TileCorner {
            position: [3 * FIXED_ONE, 4, 5 * FIXED_ONE],
            beyond: RegionId::border(2),
            area_border: false,
            border_vertex: true,
        };
        assert_eq!(TileCorner::new(&[3, 4, 5, 0x18002], &grid(5)), Ok(expected));
        assert_eq!(TileCorner::new(&[0, 0, 0, 0x20007], &grid(0)).map(|c| c.area_border), Ok(true));
    }

    #[test]
    fn neighbours_become_edge_kinds() {
        assert_eq!(edge(0, 0xffff), Ok(EdgeKind::Wall));
        assert_eq!(edge(0, 12), Ok(EdgeKind::Internal(12)));
        assert_eq!(edge(0, 0x8001), Ok(EdgeKind::Portal(Side::ZMax)));
        assert_eq!(edge(5, 0x8004), Err(ConvertError::Side { polygon: 5, side: 4 }));
    }

    #[test]
    fn detail_flags_are_two_bits_an_edge() {
        let triangle = detail_triangle(&[3, 1, 2, 0b01_00_01]);
        assert_eq!(triangle.vertices, [3, 1, 2]);
        assert_eq!(triangle.boundary, [true, false, true]);
    }
}
