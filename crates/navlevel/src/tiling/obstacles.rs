//! Obstacles in a tiling: the tiles that they reach, and the bake of tiles that keeps their spans.

use super::Tiling;
use crate::obstacles::{PreparedObstacle, tile_digest};
use crate::span_cache::{CachedSpans, bake_cached};
use navmath::Digest;
use navtile::TileCoord;
use recast::Baked;
use recast::Error;
use recast::Observer;
use recast::Scratch;
use recast::inside::AreaOrder;
use recast::inside::fast;
use recast::inside::{Cut, Source};
use recast::stage::Context;
use recast::stage::mark_walkable;
use std::collections::BTreeMap;

/// Obstacles of one agent by the tiles that they reach.
#[derive(Debug, Default)]
pub(super) struct PlacedObstacles {
    obstacles: Vec<PreparedObstacle>,
    of_tile: BTreeMap<TileCoord, Vec<u32>>,
}

impl PlacedObstacles {
    fn of(&self, coord: TileCoord) -> impl Iterator<Item = &PreparedObstacle> {
        let numbers = self.of_tile.get(&coord).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|&number| &self.obstacles[number as usize])
    }

    /// Returns true if a solid obstacle reaches a tile.
    pub(super) fn fills(&self, coord: TileCoord) -> bool {
        self.of(coord).any(PreparedObstacle::is_solid)
    }

    /// Tiles that a solid obstacle reaches.
    pub(super) fn filled(&self) -> impl Iterator<Item = TileCoord> {
        self.of_tile.keys().filter(|coord| self.fills(**coord)).copied()
    }
}

impl<'a> Tiling<'a> {
    /// Puts obstacles into the level: for each of its agents, the obstacles prepared for that agent.
    ///
    /// # Errors
    /// Obstacles for another number of agents.
    pub fn with_obstacles(mut self, obstacles: Vec<Vec<PreparedObstacle>>) -> Result<Tiling<'a>, Error> {
        let (given, agents) = (obstacles.len() as u64, self.levels.len() as u64);
        navmath::limit::check("lists of obstacles", given.abs_diff(agents), 0, "give one for each agent")?;
        for (agent, obstacles) in obstacles.into_iter().enumerate() {
            let mut of_tile: BTreeMap<TileCoord, Vec<u32>> = BTreeMap::new();
            for (number, obstacle) in (0u32..).zip(&obstacles) {
                for coord in self.reached_by(agent, obstacle)? {
                    of_tile.entry(coord).or_default().push(number);
                }
            }
            self.obstacles.push(PlacedObstacles { obstacles, of_tile });
        }
        Ok(self)
    }

    /// The obstacles in the level, for one of the agents.
    pub fn obstacles(&self, agent: usize) -> impl Iterator<Item = &PreparedObstacle> {
        self.obstacles.get(agent).into_iter().flat_map(|placed| &placed.obstacles)
    }

    /// The tiles that an obstacle may reach, borders included.
    fn reached_by(&self, agent: usize, obstacle: &PreparedObstacle) -> Result<Vec<TileCoord>, Error> {
        let grid = self.build(agent, TileCoord::default())?.grid;
        Ok(tiles_reached(obstacle, self.tile_cells(), grid.border, self.size())
            .filter(|_| self.tile_cells() > 0 || obstacle.reaches(&grid))
            .collect())
    }

    /// The digest of an agent's tile without obstacles: see [`Tiling::input_hash`].
    pub fn level_hash(&self, agent: usize, coord: TileCoord) -> Result<Digest, Error> {
        let build = self.build(agent, coord)?;
        Ok(recast::inside::input_hash::of_tile(&self.levels[agent], self.triangles(coord), &build))
    }

    /// The digest of the level with the obstacles that reach the tile.
    pub(super) fn hash_with_obstacles(&self, agent: usize, coord: TileCoord) -> Result<Digest, Error> {
        let own = self.obstacles.get(agent).into_iter().flat_map(|obstacles| obstacles.of(coord));
        Ok(tile_digest(self.level_hash(agent, coord)?, own.map(PreparedObstacle::digest).collect()))
    }

    /// Bakes one tile for several agents, given by index, with its obstacles, and keeps its spans without
    /// them. Its triangles are cut once for all agents. Tiles without obstacles are the same as those of
    /// [`Tiling::bake_agents`].
    pub fn bake_agents_caching<E: From<Error>>(
        &self,
        agents: &[usize],
        coord: TileCoord,
        observer: &dyn Observer,
        scratch: &mut Scratch,
        mut done: impl FnMut(usize, Baked, CachedSpans) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(widest) = self.widest(agents) else { return Ok(()) };
        let fragments = fast::cut(self.source(widest, coord), &self.build(widest, coord)?.grid)?;
        for &agent in agents {
            let level = &self.levels[agent];
            let build = self.build(agent, coord)?;
            let source = Source { cut: Cut::Triangles(&fragments), ..self.source(agent, coord) };
            let placed = |error| self.in_tile(coord, error);
            recast::inside::memory::check(source, &build.grid, level.config.settings.memory_bound)
                .map_err(placed)?;
            let params = mark_walkable::Params::from(&level.config);
            let mut ranks = mark_walkable::run(source, &params, &mut Context::new())?;
            AreaOrder::new(&level.config.settings).rank(&mut ranks);
            let cached = CachedSpans::of_cut(&fragments, &ranks, &build.grid, level.config.walkable_climb);
            let cached = cached.with_triangles_of(source, &ranks);
            let obstacles: Vec<&PreparedObstacle> =
                self.obstacles.get(agent).into_iter().flat_map(|obstacles| obstacles.of(coord)).collect();
            let baked = bake_cached(&cached, level, &build, &obstacles, observer, scratch).map_err(placed)?;
            done(agent, baked, cached)?;
        }
        Ok(())
    }
}

/// The tiles of a level of `size` tiles whose box, border included, meets that of an obstacle; one for 0
/// `tile_cells`.
pub fn tiles_reached(
    obstacle: &PreparedObstacle,
    tile_cells: u32,
    border: u32,
    size: [u32; 2],
) -> impl Iterator<Item = TileCoord> {
    let range = |[first, last]: [i64; 2], count: u32| {
        if tile_cells == 0 {
            return 0..1;
        }
        let (tile, border) = (i64::from(tile_cells), i64::from(border));
        let first = (first - border).div_euclid(tile).max(0);
        let end = ((last + border).div_euclid(tile) + 1).min(i64::from(count));
        first as i32..end.max(first) as i32
    };
    let [columns, rows] = obstacle.columns();
    let rows = range(rows, size[1]);
    range(columns, size[0]).flat_map(move |x| rows.clone().map(move |z| TileCoord { x, z, layer: 0 }))
}
