//! Cached floors: the floors of a tile before anything is marked, for bakes in which only marks change.
//! Source of the idea: M. Mononen, Detour's tile cache, whose layers are eroded floors too.

use super::CachedSpans;
use crate::obstacles::{PreparedObstacle, TileObstacles};
use recast::Baked;
use recast::Error;
use recast::Observer;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use recast::data::CompactField;
use recast::data::compact::state::Eroded;
use recast::inside::AreaOrder;
use recast::inside::TileBake;
use recast::inside::WallLines;
use recast::inside::memory;
use std::sync::Arc;

/// The floors of a tile with its solid obstacles and holes, eroded: the result of stages 1 to 7. They stay
/// valid until an obstacle that [changes floors](PreparedObstacle::changes_floors) appears, moves or
/// disappears.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedFloors {
    field: CompactField<Eroded>,
    /// The lines of walls, if outlines are exact.
    wall_lines: Option<Arc<WallLines>>,
    /// Number of spans that the floors were found among.
    spans: usize,
}

impl CachedFloors {
    /// Finds the floors of a tile from its cached spans and the obstacles in it. The obstacles may include
    /// marks.
    pub fn find(
        cached: &CachedSpans,
        level: &PreparedLevel,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        observer: &dyn Observer,
        scratch: &mut Scratch,
    ) -> Result<CachedFloors, Error> {
        let obstacles: Vec<&PreparedObstacle> =
            obstacles.iter().filter(|obstacle| obstacle.changes_floors()).copied().collect();
        let of_tile =
            TileObstacles::new(&obstacles, &build.grid, level, &AreaOrder::new(&level.config.settings))?;
        let spans = cached.with((&obstacles, &of_tile), level)?;
        let source = spans.source(level);
        memory::check(source, &build.grid, level.config.settings.memory_bound)?;
        let mut bake = TileBake::new(level, build, observer, None);
        let field = bake.with_scratch(scratch, |bake| bake.find_floors(source))?;
        Ok(CachedFloors { field, wall_lines: bake.wall_lines, spans: bake.counts.spans })
    }

    /// Bakes the tile with the obstacles in it. The obstacles that change floors must be the same as when the
    /// floors were found. The tile is the same as [`crate::bake_cached`] makes of these obstacles.
    pub fn bake(
        &self,
        level: &PreparedLevel,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        observer: &dyn Observer,
        scratch: &mut Scratch,
    ) -> Result<Baked, Error> {
        let marks: Vec<&PreparedObstacle> =
            obstacles.iter().filter(|obstacle| !obstacle.changes_floors()).copied().collect();
        let obstacles =
            TileObstacles::new(&marks, &build.grid, level, &AreaOrder::new(&level.config.settings))?;
        TileBake::new(level, build, observer, None).finish(scratch, |bake| {
            (bake.counts.spans, bake.counts.compact_spans) = (self.spans, self.field.len());
            bake.wall_lines.clone_from(&self.wall_lines);
            let field = bake.mark(self.field.clone(), &obstacles.marks)?;
            bake.build_mesh(field)
        })
    }

    /// Memory that they take, bytes.
    pub fn memory(&self) -> u64 {
        self.field.memory() + self.wall_lines.as_ref().map_or(0, |lines| lines.memory())
    }
}
