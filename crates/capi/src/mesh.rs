//! Meshes from files and tiles. They can change while other threads query an earlier snapshot.

use crate::bake::BYTES;
use crate::pointers::{fill, present, slice, text, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtBytes, NtFilter, NtMesh, NtPolyRef, NtTileCoord, NtVec3, polygon};
use detour::{Filter, LineKind, MeshLine, NavMesh};
use navtile::{AreaMeta, NavFile, SharedBytes, Tile, TileCoord};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

pub(crate) static MESHES: Table<Mesh> = Table::new(1, "mesh");
pub(crate) static FILTERS: Table<Filter> = Table::new(2, "filter");

/// A mesh, with the areas of its file.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) mesh: NavMesh,
    pub(crate) areas: Arc<[AreaMeta]>,
}

/// Figures of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtMeshInfo {
    /// The point that positions are relative to, world metres.
    pub anchor: [f64; 3],
    /// Lowest and highest corner of the box around all tiles; zeros without tiles.
    pub low: NtVec3,
    pub high: NtVec3,
    /// The agent that the mesh was baked for, metres and degrees; zeros without tiles.
    pub agent_radius: f32,
    pub agent_height: f32,
    pub agent_climb: f32,
    pub agent_slope: f32,
    pub tiles: u32,
    pub polygons: u32,
}

/// A polygon, or an off-mesh link.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtPolygonInfo {
    pub flags: u32,
    /// 1 to 255.
    pub area: u8,
    /// 1 for an off-mesh link, 0 for a polygon.
    pub is_off_mesh_link: u8,
    /// Corners of the polygon; 0 for a link.
    pub corners: u16,
}

/// The kinds of lines of nt_mesh_lines.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtLineKind {
    /// An edge between two polygons of a tile.
    NT_LINE_INNER = 0,
    /// An edge with no walkable ground beyond it.
    NT_LINE_WALL = 1,
    /// An edge on the border of its tile that leads into the next tile, if that is loaded.
    NT_LINE_PORTAL = 2,
    /// The border of a tile, at the height of its base.
    NT_LINE_TILE = 3,
    /// An off-mesh link: an arc, with an arrowhead at each end that it leads to.
    NT_LINE_LINK = 4,
}

/// A line to draw, from one point to another.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtLine {
    pub from: NtVec3,
    pub to: NtVec3,
    pub kind: NtLineKind,
}

impl NtLine {
    /// Returns `None` for a line of a path, which no mesh has.
    fn of(line: MeshLine) -> Option<NtLine> {
        let kind = match line.kind {
            LineKind::Inner => NtLineKind::NT_LINE_INNER,
            LineKind::Wall => NtLineKind::NT_LINE_WALL,
            LineKind::Portal => NtLineKind::NT_LINE_PORTAL,
            LineKind::Tile => NtLineKind::NT_LINE_TILE,
            LineKind::Link => NtLineKind::NT_LINE_LINK,
            LineKind::Path => return None,
        };
        Some(NtLine { from: line.from.into(), to: line.to.into(), kind })
    }
}

/// The point that positions are relative to: the world's origin unless the caller gives another.
pub(crate) fn point(anchor: *const f64) -> Answer<[f64; 3]> {
    let given = if anchor.is_null() { &[][..] } else { slice(anchor, 3, "anchor")? };
    Ok(given.try_into().unwrap_or_default())
}

fn opened(bytes: SharedBytes, at: [f64; 3]) -> Answer<Mesh> {
    let file = NavFile::open_shared(bytes)?;
    let mesh = NavMesh::of_file(&file, at)?;
    Ok(Mesh { mesh, areas: file.meta().areas.clone().into() })
}

pub(crate) fn keep(mesh: Mesh, out: Option<&mut MaybeUninit<NtMesh>>) -> Answer<()> {
    let out = present(out)?;
    out.write(NtMesh { id: MESHES.add(mesh)? });
    Ok(())
}

/// A snapshot of the current mesh. It costs a reference count, and later changes of the mesh do not affect
/// it.
pub(crate) fn snapshot(mesh: NtMesh) -> Answer<Mesh> {
    MESHES.with(mesh.id, |mesh| Ok(mesh.clone()))
}

/// Makes a mesh without tiles. `anchor`, three numbers, is the point that positions are relative to, world
/// metres; NULL for the world's origin. Single precision is finest near the anchor: if the level is far from
/// the origin, pass a point of the level.
/// Returns NT_OK, NT_ERROR_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_new(anchor: *const f64, out: Option<&mut MaybeUninit<NtMesh>>) -> NtStatus {
    call(|| keep(Mesh { mesh: NavMesh::new(point(anchor)?)?, areas: Arc::default() }, out))
}

/// Opens a .navtile file with all its tiles, each verified, on the threads of the library's pool. `anchor` as
/// in nt_mesh_new.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_open(
    path: *const c_char,
    anchor: *const f64,
    out: Option<&mut MaybeUninit<NtMesh>>,
) -> NtStatus {
    call(|| {
        let path = text(path, "path")?;
        let bytes = std::fs::read(path)
            .map_err(|error| Fault::new(NtStatus::NT_ERROR_FILE, format!("{path}: {error}")))?;
        let mesh = opened(SharedBytes::from(&*bytes), point(anchor)?)
            .map_err(|fault| Fault { text: format!("{path}: {}", fault.text), ..fault })?;
        keep(mesh, out)
    })
}

/// Opens a .navtile file from its bytes, which are copied. `anchor` as in nt_mesh_new.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_from_bytes(
    bytes: *const u8,
    length: usize,
    anchor: *const f64,
    out: Option<&mut MaybeUninit<NtMesh>>,
) -> NtStatus {
    call(|| keep(opened(SharedBytes::from(slice(bytes, length, "bytes")?), point(anchor)?)?, out))
}

/// Makes another handle of the current mesh. It costs a reference count; changes of one do not affect the
/// other.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_copy(mesh: NtMesh, out: Option<&mut MaybeUninit<NtMesh>>) -> NtStatus {
    call(|| keep(snapshot(mesh)?, out))
}

/// Frees a mesh. Queries and crowds that use it keep their snapshot.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_free(mesh: NtMesh) -> NtStatus {
    call(|| MESHES.remove(mesh.id).map(drop))
}

/// Writes the figures of a mesh.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_info(mesh: NtMesh, out: Option<&mut MaybeUninit<NtMeshInfo>>) -> NtStatus {
    call(|| {
        let Mesh { mesh, .. } = snapshot(mesh)?;
        let bounds = mesh.bounds();
        let [low, high] = match mesh.polygon_count() {
            0 => [NtVec3::default(); 2],
            _ => [bounds.min, bounds.max].map(NtVec3::from),
        };
        let [radius, height, climb, slope] = mesh.tiles().next().map_or([0.0; 4], |tile| tile.header().agent);
        let info = NtMeshInfo {
            anchor: mesh.anchor(),
            low,
            high,
            agent_radius: radius,
            agent_height: height,
            agent_climb: climb,
            agent_slope: slope,
            tiles: mesh.tile_count() as u32,
            polygons: mesh.polygon_count() as u32,
        };
        write(out, "out", info)
    })
}

/// The number of an area by its name in the file.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_area(
    mesh: NtMesh,
    name: *const c_char,
    out: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    call(|| {
        let (Mesh { areas, .. }, name) = (snapshot(mesh)?, text(name, "name")?);
        let area = areas.iter().find(|area| area.name == name).ok_or_else(|| {
            let known: Vec<&str> = areas.iter().map(|area| area.name.as_str()).collect();
            Fault::not_found(format!("there is no area `{name}`; the file has {}", known.join(", ")))
        })?;
        write(out, "out", area.id)
    })
}

/// Adds a tile from its bytes, which are verified and copied, and links it to its neighbours.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there is a tile already, or it is of another lattice), NT_ERROR_HANDLE,
/// NT_ERROR_DATA, NT_ERROR_LIMIT. Any thread; until it returns, queries use the mesh before.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_add_tile(mesh: NtMesh, bytes: *const u8, length: usize) -> NtStatus {
    call(|| {
        let tile = Tile::from_bytes(slice(bytes, length, "bytes")?)?;
        MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.add_tile(tile)?))
    })
}

/// Replaces the tile at the coordinate of the tile in `bytes`; references to its polygons become stale.
/// Returns the results of nt_mesh_add_tile; NT_ERROR_ARGUMENT if there is no tile to replace. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_replace_tile(mesh: NtMesh, bytes: *const u8, length: usize) -> NtStatus {
    call(|| {
        let tile = Tile::from_bytes(slice(bytes, length, "bytes")?)?;
        MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.replace_tile(tile).map(drop)?))
    })
}

/// Removes a tile; references to its polygons become stale.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_remove_tile(mesh: NtMesh, x: i32, z: i32, layer: i32) -> NtStatus {
    call(|| MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.remove_tile(TileCoord { x, z, layer }).map(drop)?)))
}

/// The current flags and area of a polygon or an off-mesh link.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_polygon(
    mesh: NtMesh,
    reference: NtPolyRef,
    out: Option<&mut MaybeUninit<NtPolygonInfo>>,
) -> NtStatus {
    call(|| {
        let (Mesh { mesh, .. }, polygon) = (snapshot(mesh)?, polygon(reference)?);
        let is_link = mesh.is_off_mesh(polygon)?;
        let attributes = mesh.attributes(polygon)?;
        let corners = if is_link { 0 } else { mesh.corners(polygon)?.len() };
        let info = NtPolygonInfo {
            flags: attributes.flags,
            area: attributes.area,
            is_off_mesh_link: is_link.into(),
            corners: corners as u16,
        };
        write(out, "out", info)
    })
}

/// The corners of a polygon, counter-clockwise seen from above, into an array of `capacity` points.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_corners(
    mesh: NtMesh,
    reference: NtPolyRef,
    out: *mut NtVec3,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let (Mesh { mesh, .. }, polygon) = (snapshot(mesh)?, polygon(reference)?);
        fill(out, capacity, count, mesh.corners(polygon)?.map(NtVec3::from))
    })
}

/// All polygons of the mesh, tile by tile, into an array of `capacity` references.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_polygons(
    mesh: NtMesh,
    out: *mut NtPolyRef,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let Mesh { mesh, .. } = snapshot(mesh)?;
        let all: Vec<NtPolyRef> = mesh.polygons().map(|polygon| polygon.to_bits()).collect();
        fill(out, capacity, count, all.into_iter())
    })
}

/// Writes the lines of the mesh for a debug renderer into an array of `capacity` lines: edges tile by tile,
/// borders of tiles, off-mesh links. `kinds` has the bit 1 << kind for each NtLineKind; 0 means all kinds.
/// The lines are on the ground: raise them a little. They are the same until the mesh changes. For a path,
/// draw from point to point of nt_query_points.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_lines(
    mesh: NtMesh,
    kinds: u32,
    out: *mut NtLine,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let Mesh { mesh, .. } = snapshot(mesh)?;
        let is_wanted = |line: &NtLine| kinds == 0 || kinds & (1 << line.kind as u32) != 0;
        let lines: Vec<NtLine> = mesh.lines().filter_map(NtLine::of).filter(is_wanted).collect();
        fill(out, capacity, count, lines.into_iter())
    })
}

/// Sets the flags of a polygon or an off-mesh link at run time: doors that close, bridges that collapse.
/// Returns NT_OK, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_set_flags(mesh: NtMesh, reference: NtPolyRef, flags: u32) -> NtStatus {
    call(|| {
        let polygon = polygon(reference)?;
        MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.set_flags(polygon, flags)?))
    })
}

/// Sets the area of a polygon or an off-mesh link at run time, 1 to 255.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_set_area(mesh: NtMesh, reference: NtPolyRef, area: u8) -> NtStatus {
    call(|| {
        let polygon = polygon(reference)?;
        MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.set_area(polygon, area)?))
    })
}

/// Writes the coordinates of the mesh's tiles into an array of `capacity` coordinates.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_tiles(
    mesh: NtMesh,
    out: *mut NtTileCoord,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let coord = |tile: &Tile| {
            let TileCoord { x, z, layer } = tile.coord();
            NtTileCoord { x, z, layer }
        };
        let all: Vec<NtTileCoord> = snapshot(mesh)?.mesh.tiles().map(coord).collect();
        fill(out, capacity, count, all.into_iter())
    })
}

/// Saves the flags and areas of a tile that were set at run time as bytes for nt_mesh_restore_state.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_store_state(
    mesh: NtMesh,
    x: i32,
    z: i32,
    layer: i32,
    out: Option<&mut MaybeUninit<NtBytes>>,
) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let bytes = snapshot(mesh)?.mesh.store_state(TileCoord { x, z, layer })?;
        out.write(NtBytes { id: BYTES.add(bytes.into())? });
        Ok(())
    })
}

/// Sets the flags and areas of a tile from bytes of nt_mesh_store_state. All other polygons of the tile get
/// their baked values again.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there is no such tile), NT_ERROR_HANDLE, NT_ERROR_DATA (damaged, or of
/// another tile; nothing changes). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_restore_state(
    mesh: NtMesh,
    x: i32,
    z: i32,
    layer: i32,
    bytes: *const u8,
    length: usize,
) -> NtStatus {
    call(|| {
        let bytes = slice(bytes, length, "bytes")?;
        MESHES.with(mesh.id, |mesh| Ok(mesh.mesh.restore_state(TileCoord { x, z, layer }, bytes)?))
    })
}

/// Makes a filter that allows every polygon with a flag of the mesh's areas, at the costs of its file. For a
/// mesh without a file, or a handle of zeros, everything is allowed at a cost of 1.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_filter_new(mesh: NtMesh, out: Option<&mut MaybeUninit<NtFilter>>) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let filter = if mesh.id == 0 { Filter::default() } else { Filter::of_areas(&snapshot(mesh)?.areas)? };
        out.write(NtFilter { id: FILTERS.add(filter)? });
        Ok(())
    })
}

/// Replaces a filter with the result of `work` on it.
fn change(filter: NtFilter, work: impl FnOnce(Filter) -> Answer<Filter>) -> NtStatus {
    call(|| {
        FILTERS.with(filter.id, |filter| {
            *filter = work(filter.clone())?;
            Ok(())
        })
    })
}

/// Sets the cost of a metre in an area: 0.001 to 1e20. Queries copy the filter that they are given.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_filter_set_cost(filter: NtFilter, area: u8, cost: f32) -> NtStatus {
    change(filter, |filter| Ok(filter.with_area_cost(area, cost)?))
}

/// Excludes an area.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_filter_exclude_area(filter: NtFilter, area: u8) -> NtStatus {
    change(filter, |filter| Ok(filter.without_area(area)))
}

/// Allows only polygons with a flag of `include` and no flag of `exclude`. With UINT32_MAX for `include`,
/// polygons without flags are allowed, too.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_filter_set_flags(filter: NtFilter, include: u32, exclude: u32) -> NtStatus {
    change(filter, |filter| Ok(filter.with_include(include).with_exclude(exclude)))
}

/// Frees a filter. Queries that use it keep their copy.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_filter_free(filter: NtFilter) -> NtStatus {
    call(|| FILTERS.remove(filter.id).map(drop))
}
