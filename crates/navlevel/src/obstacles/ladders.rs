//! The ladders of a tile with the obstacles in it: solid obstacles with a ladder's area are ladders too, and
//! holes remove the parts of ladders within them.

use super::gathered::{ColumnHole, left_of};
use super::{Effect, PreparedObstacle};
use recast::PreparedLevel;
use recast::data::Grid;
use recast::inside::ground::{LadderCutter, LadderSurface, TileLadders};

/// The ladders of a tile. `own` are the level's ladders; `holes` are those of the obstacles, sorted by
/// columns of the grid.
pub(crate) fn ladders_with(
    own: &TileLadders,
    (obstacles, holes): (&[&PreparedObstacle], &[(u32, ColumnHole)]),
    level: &PreparedLevel,
    grid: &Grid,
) -> TileLadders {
    let Some(mut cutter) = LadderCutter::new(level, grid) else { return TileLadders::default() };
    for obstacle in obstacles.iter().filter(|obstacle| obstacle.reaches(grid)) {
        let Effect::Solid { area } = obstacle.effect else { continue };
        if !cutter.takes(area) {
            continue;
        }
        for (corners, _) in &obstacle.triangles {
            // Use all of its faces, not only its top. Like its spans, they are not cut off at the top of the
            // level.
            cutter.cut(corners, area, f32::INFINITY);
        }
    }
    let left = own.surfaces().iter().flat_map(|surface| {
        let (x, z) = (surface.column % grid.inner_width(), surface.column / grid.inner_width());
        let column = grid.column(grid.border + x, grid.border + z) as u32;
        let first = holes.partition_point(|(other, _)| *other < column);
        let count = holes[first..].partition_point(|(other, _)| *other == column);
        let own = &holes[first..first + count];
        left_of(own, surface.heights).map(|heights| LadderSurface { heights, ..*surface })
    });
    cutter.with(left)
}
