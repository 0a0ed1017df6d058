//! Writes the file of one agent: tiles in canonical order, from the spool or from the previous file, without
//! dropped islands; then the island graph.

use super::baked::AgentTiles;
use crate::failure::Failure;
use crate::files::{Pending, Target};
use crate::written::Written;
use navinput::HierarchyInput;
use navlevel::assemble::{AssembleError, LevelSpans, TileStore, write_level};
use navtile::{Meta, Tile, TileCoord, WriteFileError};
use recast::{LinkKind, PreparedLevel};

/// A tile of the file.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTile {
    pub(crate) coord: TileCoord,
    pub(crate) bytes: u64,
    pub(crate) polygons: usize,
    pub(crate) vertices: usize,
    pub(crate) detail_vertices: usize,
    pub(crate) detail_triangles: usize,
    /// Off-mesh links, and generated ones among them by kind.
    pub(crate) links: usize,
    pub(crate) generated: [usize; LinkKind::ALL.len()],
    /// Area of its polygons, m².
    pub(crate) area: f64,
    /// For each area id, true if a polygon has that area.
    pub(crate) areas: [bool; 256],
    /// Reused from the previous file, and not baked.
    pub(crate) taken_over: bool,
}

/// The baked tiles of an agent, and the rest of the file.
pub(crate) trait BakedStore: TileStore<Error = Failure> {
    /// The spans that a dynamic file also keeps; `None` if the file is not dynamic.
    fn cached_spans(&self) -> Result<Option<LevelSpans>, Failure>;

    /// The hierarchy of the file, if it is to have one.
    fn hierarchy(&self) -> Option<&HierarchyInput>;

    /// Memory for tiles that are prepared, bytes.
    fn memory(&self) -> u64;

    /// Refuses a file with invalid cached spans that were copied from elsewhere.
    fn check(&self, written: &mut Pending) -> Result<(), Failure>;
}

/// Writes the file of one agent; returns its tiles and its size in bytes.
pub(crate) fn write(
    target: &Target,
    meta: &Meta,
    tiles: &AgentTiles,
    store: &impl BakedStore,
) -> Result<(Vec<WrittenTile>, u64), Failure> {
    let mut written = Vec::new();
    let seen = &mut |tile: &Tile| {
        let taken_over = !tiles.baked.tiles.contains_key(&tile.coord());
        written.push(WrittenTile::of(tile, taken_over));
    };
    let (spans, memory) = (store.cached_spans()?, store.memory());
    let pending = write_level(target.begin()?, meta, (&tiles.level, store), spans, memory, seen);
    let mut pending = pending.map_err(|error| unassembled(target, error))?;
    store.check(&mut pending)?;
    if let Some(input) = store.hierarchy() {
        Written::add_hierarchy(target, &mut pending, input)?;
    }
    let size = pending.get_ref().as_file().metadata().map_err(|error| target.unwritable(&error))?.len();
    target.commit(pending)?;
    Ok((written, size))
}

/// The failure of a file that cannot be written.
fn unassembled(target: &Target, error: AssembleError<Failure>) -> Failure {
    match error {
        AssembleError::Write(WriteFileError::Io(error)) => target.unwritable(&error),
        AssembleError::Write(WriteFileError::File(error)) => Failure::of(target.path(), error),
        error => unjudged(error),
    }
}

/// The failure of tiles that cannot be judged.
pub(crate) fn unjudged(error: AssembleError<Failure>) -> Failure {
    match error {
        AssembleError::Store(failure) => failure,
        AssembleError::Lost(_) => {
            Failure::circumstances(error.to_string()).help("nothing was changed; run the bake again")
        }
        AssembleError::NoGround(_) => Failure::call(error.to_string())
            .help("give a place on the ground; `navtile explain --at` shows why there is no ground"),
        AssembleError::Tile(_) | AssembleError::Write(_) => Failure::circumstances(error.to_string()),
    }
}

/// The settings that a dynamic file holds.
pub(crate) fn cache_settings(level: &PreparedLevel) -> Result<Vec<u8>, Failure> {
    tilecache::write_settings(&level.config.settings)
        .map_err(|error| Failure::circumstances(error.to_string()).help("use fewer volumes"))
}

impl WrittenTile {
    fn of(tile: &Tile, taken_over: bool) -> WrittenTile {
        let count = |polygon: &navtile::layout::Polygon| {
            usize::from(polygon.edge_count) + usize::from(polygon.detail_vertex_count)
        };
        let mut generated = [0; LinkKind::ALL.len()];
        let kinds = tile.off_mesh_links().iter().filter_map(|link| LinkKind::of_user_id(link.user_id));
        kinds.for_each(|(kind, _)| generated[kind as usize] += 1);
        let mut areas = [false; 256];
        tile.polygons().iter().for_each(|polygon| areas[usize::from(polygon.area)] = true);
        WrittenTile {
            coord: tile.coord(),
            bytes: tile.bytes().len() as u64,
            polygons: tile.polygons().len(),
            vertices: tile.header().polygon_vertex_count as usize,
            detail_vertices: tile.polygons().iter().map(count).sum(),
            detail_triangles: tile.detail_triangles().len(),
            links: tile.off_mesh_links().len(),
            generated,
            area: tile.area(|_| true),
            areas,
            taken_over,
        }
    }
}
