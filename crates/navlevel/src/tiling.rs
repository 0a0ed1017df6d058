//! A level cut into square tiles, with the triangles that each tile needs, found once for all tiles and all
//! agents.
//! Cost: O(triangles + entries), two passes; an entry is a triangle in a tile's box, borders included.

mod grid;
mod obstacles;

pub use grid::{MAX_TILES, TileGrid};
use navmath::Digest;
use navmath::sort::SharedSort;
use navtile::TileCoord;
use obstacles::PlacedObstacles;
pub use obstacles::tiles_reached;
use recast::Baked;
use recast::Error;
use recast::Observer;
use recast::Scratch;
use recast::TileBuild;
use recast::input::{BYTES_PER_LISTED_TRIANGLE, PreparedLevel};
use recast::inside::bake;
use recast::inside::fast;
use recast::inside::input_hash::reaches;
use recast::inside::lists::bucket_sort;
use recast::inside::{Cut, Source};

/// A level cut into tiles. Tile (0, 0) starts at the lattice's zero; the last ones reach beyond the level.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navlevel::Tiling;
/// use recast::{Scratch, Silent};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let tiling = Tiling::new(&level, 20)?;
/// assert_eq!(tiling.size(), [2, 2]);
/// let mut scratch = Scratch::new();
/// for coord in tiling.coords() {
///     let baked = tiling.bake(coord, &Silent, &mut scratch)?;
///     assert_eq!(baked.tile.coord(), coord);
/// }
/// # Ok::<(), recast::Error>(())
/// ```
pub struct Tiling<'a> {
    /// One per agent; they share their geometry.
    levels: &'a [PreparedLevel],
    grid: TileGrid,
    /// Triangles of tile (x, z) are `triangles[offsets[i]..offsets[i + 1]]`, i = x * rows + z: in the
    /// canonical order of tiles.
    offsets: Vec<u32>,
    triangles: Vec<u32>,
    /// Memory of the level itself, bytes.
    level_memory: u64,
    /// For each agent, the obstacles in the level; empty if no agent has any.
    obstacles: Vec<PlacedObstacles>,
}

impl<'a> Tiling<'a> {
    /// Cuts a level into tiles of `tile_cells` cells on a side.
    pub fn new(level: &'a PreparedLevel, tile_cells: u32) -> Result<Tiling<'a>, Error> {
        let remedy = "give each tile at least one cell";
        navmath::limit::check("tiles without a cell", u64::from(tile_cells == 0), 0, remedy)?;
        Tiling::for_agents(std::slice::from_ref(level), tile_cells)
    }

    /// Cuts a level into tiles of `tile_cells` cells on a side, or into one for 0. `levels` are the same
    /// level for several agents (see [`PreparedLevel::with_settings`]), at least one.
    pub fn for_agents(levels: &'a [PreparedLevel], tile_cells: u32) -> Result<Tiling<'a>, Error> {
        let grid = TileGrid::new(levels, tile_cells)?;
        let level_memory = levels[0].memory();
        let (offsets, triangles) = (Vec::new(), Vec::new());
        let obstacles = Vec::new();
        let mut tiling = Tiling { levels, grid, offsets, triangles, level_memory, obstacles };
        if tile_cells > 0 {
            (tiling.offsets, tiling.triangles) = tiling.bin()?;
        }
        Ok(tiling)
    }

    /// Number of tiles along x and z, those without triangles included.
    pub fn size(&self) -> [u32; 2] {
        self.grid.size()
    }

    /// Cells on a side of a tile, without its border; 0 if the level is one tile.
    pub fn tile_cells(&self) -> u32 {
        self.grid.tile_cells()
    }

    /// The grid of its tiles.
    pub fn grid(&self) -> &TileGrid {
        &self.grid
    }

    /// The levels, one per agent.
    pub fn levels(&self) -> &'a [PreparedLevel] {
        self.levels
    }

    /// Memory that the lists of triangles take, bytes.
    pub fn memory(&self) -> u64 {
        (size_of_val(self.offsets.as_slice()) + size_of_val(self.triangles.as_slice())) as u64
    }

    /// Memory of the level and of the lists of triangles, bytes.
    pub(crate) fn standing(&self) -> u64 {
        self.level_memory + self.memory()
    }

    /// The tiles that any triangle or solid obstacle reaches, in canonical order (x, z).
    pub fn coords(&self) -> Vec<TileCoord> {
        if self.tile_cells() == 0 {
            return vec![TileCoord::default()];
        }
        let [_, rows] = self.size();
        let filled = (0..self.offsets.len() - 1).filter(|&tile| self.offsets[tile] < self.offsets[tile + 1]);
        let at = |tile: usize| TileCoord {
            x: (tile / rows as usize) as i32,
            z: (tile % rows as usize) as i32,
            layer: 0,
        };
        let mut coords: Vec<TileCoord> = filled.map(at).collect();
        if !self.obstacles.is_empty() {
            coords.extend(self.obstacles.iter().flat_map(PlacedObstacles::filled));
            coords.shared_sort();
            coords.dedup();
        }
        coords
    }

    /// The tiles that any triangle reaches for one of the agents: those with a narrower border may have
    /// fewer.
    pub fn coords_of(&self, agent: usize) -> Result<Vec<TileCoord>, Error> {
        let (mut coords, level) = (self.coords(), &self.levels[agent]);
        let border = |level: &PreparedLevel| level.config.walkable_radius;
        if self.tile_cells() > 0 && self.levels.iter().any(|other| border(other) > border(level)) {
            let mut reached = Vec::with_capacity(coords.len());
            for coord in coords {
                let grid = self.build(agent, coord)?.grid;
                let ids = self.triangles(coord).unwrap_or_default();
                let filled = || self.obstacles.get(agent).is_some_and(|obstacles| obstacles.fills(coord));
                if ids.iter().any(|&id| reaches(level, &level.corners(id as usize), &grid)) || filled() {
                    reached.push(coord);
                }
            }
            coords = reached;
        }
        Ok(coords)
    }

    /// The triangles that may reach a tile and its border, in the level's order; none for a tile outside.
    /// `None` if the level is one tile: all of them.
    pub fn triangles(&self, coord: TileCoord) -> Option<&[u32]> {
        if self.tile_cells() == 0 {
            return None;
        }
        let [columns, rows] = self.size();
        let inside = (0..columns as i32).contains(&coord.x) && (0..rows as i32).contains(&coord.z);
        if !inside {
            return Some(&[]);
        }
        let tile = coord.x as usize * rows as usize + coord.z as usize;
        Some(&self.triangles[self.offsets[tile] as usize..self.offsets[tile + 1] as usize])
    }

    /// Number of triangles that may reach a tile and its border.
    pub fn triangle_count(&self, coord: TileCoord) -> usize {
        self.triangles(coord).map_or(self.levels[0].triangle_count(), <[u32]>::len)
    }

    /// The rectangle of the lattice that a tile covers, for one of the agents.
    pub fn build(&self, agent: usize, coord: TileCoord) -> Result<TileBuild, Error> {
        match self.tile_cells() {
            0 => Ok(TileBuild::solo(&self.levels[agent])),
            cells => TileBuild::tiled(&self.levels[agent], cells, coord),
        }
    }

    /// Adds the tile's place to an error. Errors that are not about the tile, or of a level in one piece,
    /// stay unchanged.
    pub(crate) fn in_tile(&self, coord: TileCoord, error: Error) -> Error {
        if self.tile_cells() == 0
            || matches!(error, Error::Cancelled | Error::Settings(_) | Error::Tile { .. })
        {
            return error;
        }
        let lattice = &self.levels[0].lattice;
        let side = f64::from(self.tile_cells()) * lattice.cell_size;
        let [x, z] = [coord.x, coord.z].map(|place| f64::from(place) * side);
        let [left, near] = [lattice.origin[0] + x, lattice.origin[2] + z];
        let place = [left, near, left + side, near + side];
        Error::Tile { x: coord.x, z: coord.z, place, error: Box::new(error) }
    }

    /// The triangles that a tile is baked from, for one of the agents.
    pub(crate) fn source(&self, agent: usize, coord: TileCoord) -> Source<'_> {
        Source { ids: self.triangles(coord), ..Source::all(&self.levels[agent]) }
    }

    /// The agent whose tiles have the widest border.
    fn widest(&self, agents: &[usize]) -> Option<usize> {
        agents.iter().copied().max_by_key(|&agent| self.levels[agent].config.walkable_radius)
    }

    /// Bakes one tile for the first agent, without obstacles.
    pub fn bake(
        &self,
        coord: TileCoord,
        observer: &dyn Observer,
        scratch: &mut Scratch,
    ) -> Result<Baked, Error> {
        bake(self.source(0, coord), &self.build(0, coord)?, observer, scratch, None)
    }

    /// Bakes one tile for several agents, given by index, and cuts its triangles once for all of them. `done`
    /// is called with each tile as soon as it is baked. The tiles are the same as if each agent's were baked
    /// alone.
    pub fn bake_agents<E: From<Error>>(
        &self,
        agents: &[usize],
        coord: TileCoord,
        observer: &dyn Observer,
        scratch: &mut Scratch,
        mut done: impl FnMut(usize, Baked) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.obstacles.is_empty() {
            return self
                .bake_agents_caching(agents, coord, observer, scratch, |agent, baked, _| done(agent, baked));
        }
        let placed = |error| self.in_tile(coord, error);
        let mut bake = |source, agent| {
            let build = self.build(agent, coord)?;
            bake(source, &build, observer, scratch, None)
        };
        if let [agent] = *agents {
            return done(agent, bake(self.source(agent, coord), agent).map_err(placed)?);
        }
        let Some(widest) = self.widest(agents) else { return Ok(()) };
        let grid = self.build(widest, coord)?.grid;
        let fragments = fast::cut(self.source(widest, coord), &grid).map_err(placed)?;
        for &agent in agents {
            let source = Source { cut: Cut::Triangles(&fragments), ..self.source(agent, coord) };
            done(agent, bake(source, agent).map_err(placed)?)?;
        }
        Ok(())
    }

    /// Digest of everything that an agent's tile at `coord` is baked from: its triangles and obstacles as
    /// sets, the volumes and off-mesh connections that reach it, settings, lattice, and the version of the
    /// bake. Equal digests mean equal bytes.
    ///
    /// ```
    /// # use navlevel::Tiling;
    /// # use recast::{Level, PreparedLevel, Settings};
    /// # let level = Level {
    /// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
    /// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
    /// #     ..Level::default()
    /// # };
    /// let prepare = |level: &Level| PreparedLevel::new(level, &Settings::default());
    /// let mut moved = level.clone();
    /// moved.vertices[2][1] = 0.5;
    /// let (before, after) = (prepare(&level)?, prepare(&moved)?);
    /// let (before, after) = (Tiling::new(&before, 20)?, Tiling::new(&after, 20)?);
    /// let coord = before.coords()[0];
    /// // The tile has to be baked again: the triangles that reach it have changed.
    /// assert_ne!(before.input_hash(0, coord)?, after.input_hash(0, coord)?);
    /// # Ok::<(), recast::Error>(())
    /// ```
    pub fn input_hash(&self, agent: usize, coord: TileCoord) -> Result<Digest, Error> {
        self.hash_with_obstacles(agent, coord)
    }

    fn bin(&self) -> Result<(Vec<u32>, Vec<u32>), Error> {
        let count = self.levels[0].triangle_count();
        let reached = |triangle: usize| self.grid.reached(&self.levels[0].corners(triangle));
        let entries = (0..count).map(|triangle| {
            let [columns, rows] = reached(triangle);
            columns.count() as u64 * rows.count() as u64
        });
        let remedy = "choose larger tiles, allow more memory, or cut the level into several bakes";
        let of_memory = self.levels[0].config.settings.memory_bound / BYTES_PER_LISTED_TRIANGLE;
        let most = of_memory.min(u64::from(u32::MAX));
        navmath::limit::check("triangles of all tiles", entries.sum(), most, remedy)?;
        let (mut offsets, mut triangles) = (Vec::new(), Vec::new());
        let [width, depth] = self.size().map(|count| count as usize);
        let entries = (0..count).flat_map(|triangle| {
            let [columns, rows] = reached(triangle);
            let tiles = columns.flat_map(move |x| rows.clone().map(move |z| x as usize * depth + z as usize));
            tiles.map(move |tile| (tile, triangle as u32))
        });
        bucket_sort(width * depth, entries, &mut offsets, &mut triangles);
        Ok((offsets, triangles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{Level, Settings, Silent, bake_tile};

    fn boxes() -> PreparedLevel {
        let level: Level = scattered(40);
        PreparedLevel::new(&level, &Settings::default()).unwrap()
    }

    /// Ground and loose triangles scattered by a fixed rule.
    fn scattered(count: u32) -> Level {
        let mut level = Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, 0.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            areas: Vec::new(),
        };
        for index in 0..count {
            let at = |factor: u32, range: u32| f64::from(index * factor % range) / 10.0;
            let first = level.vertices.len() as u32;
            let (x, z) = (at(77, 250), at(131, 250));
            level.vertices.extend([
                [x, at(13, 20), z],
                [x + at(17, 40), 1.0, z + 2.0],
                [x + 3.0, 0.5, z + at(7, 30)],
            ]);
            level.triangles.push([first, first + 1, first + 2]);
        }
        level
    }

    #[test]
    fn a_tile_baked_from_its_own_triangles_is_the_tile_baked_from_all() {
        let level = boxes();
        let tiling = Tiling::new(&level, 24).unwrap();
        let mut scratch = Scratch::new();
        assert!(tiling.coords().len() > 4);
        for coord in tiling.coords() {
            let some = tiling.bake(coord, &Silent, &mut scratch).unwrap();
            let all = bake_tile(&level, 24, coord, &Silent, &mut scratch).unwrap();
            assert_eq!(some.tile.bytes(), all.tile.bytes(), "{coord:?}");
            assert_eq!(some.counts, all.counts);
        }
    }

    #[test]
    fn small_triangles_reach_few_tiles() {
        let level = boxes();
        let tiling = Tiling::new(&level, 24).unwrap();
        let [columns, rows] = tiling.size();
        let entries: usize = tiling.coords().iter().map(|&coord| tiling.triangle_count(coord)).sum();
        assert!(entries < level.triangle_count() * (columns * rows) as usize / 3, "{entries}");
        assert_eq!(tiling.triangle_count(TileCoord { x: -1, z: 0, layer: 0 }), 0);
    }

    #[test]
    fn a_tile_needs_a_cell() {
        let Err(error) = Tiling::new(&boxes(), 0) else { panic!("no cell is refused") };
        assert!(error.to_string().contains("at least one cell"));
    }
}
