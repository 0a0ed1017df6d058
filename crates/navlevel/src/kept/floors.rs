//! Kept floors: the floors of a tile before anything is marked, for bakes in which only marks change. Source
//! of the idea: M. Mononen, Detour's tile cache, whose layers are eroded floors too.

use super::KeptSpans;
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
use recast::inside::memory;

/// The floors of a tile with its solid obstacles and holes, eroded: the result of stages 1 to 7. They stay
/// valid until an obstacle that [changes floors](PreparedObstacle::changes_floors) appears, moves or
/// disappears.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptFloors {
    field: CompactField<Eroded>,
    /// Number of spans that the floors were found among.
    spans: usize,
}

impl KeptFloors {
    /// Finds the floors of a tile from its kept spans and the obstacles in it. The obstacles may include
    /// marks.
    pub fn find(
        kept: &KeptSpans,
        level: &PreparedLevel,
        build: &TileBuild,
        obstacles: &[&PreparedObstacle],
        observer: &dyn Observer,
        scratch: &mut Scratch,
    ) -> Result<KeptFloors, Error> {
        let obstacles: Vec<&PreparedObstacle> =
            obstacles.iter().filter(|obstacle| obstacle.changes_floors()).copied().collect();
        let obstacles =
            TileObstacles::new(&obstacles, &build.grid, level, &AreaOrder::new(&level.config.settings))?;
        let spans = kept.with(&obstacles, level)?;
        let source = spans.source(level);
        memory::check(source, &build.grid, level.config.settings.memory_bound)?;
        let mut bake = TileBake::new(level, build, observer, None);
        let field = bake.with_scratch(scratch, |bake| bake.find_floors(source))?;
        Ok(KeptFloors { field, spans: bake.counts.spans })
    }

    /// Bakes the tile with the obstacles in it. The obstacles that change floors must be the same as when the
    /// floors were found. The tile is the same as [`crate::bake_kept`] makes of these obstacles.
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
            let field = bake.mark(self.field.clone(), &obstacles.marks)?;
            bake.build_mesh(field)
        })
    }

    /// Memory that they take, bytes.
    pub fn memory(&self) -> u64 {
        self.field.memory()
    }
}
