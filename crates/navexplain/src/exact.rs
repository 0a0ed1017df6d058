//! Finds out if only cells keep the mesh away from a place. Cost: a bake of the surroundings with exact
//! outlines, and another explanation if they have mesh at the place.

use super::explanation::{Explanation, Location};
use super::way::{Change, LOST, exact_outlines};
use super::{explain_once, tile_at};
use navlinks::{Reason, ReasonCode};
use recast::{Error, Observer, Outlines, PreparedLevel, Scratch, TileBuild};

/// Cells along the tile of the surroundings.
const SURROUNDINGS: u32 = 48;

/// Suggests exact outlines for a place without mesh, if a bake with them has mesh there. `again` explains the
/// place on the level with other settings.
pub(super) fn remedy(
    level: &PreparedLevel,
    explanation: &Explanation,
    (observer, scratch): (&dyn Observer, &mut Scratch),
    again: impl FnOnce(&PreparedLevel, &mut Scratch) -> Result<Explanation, Error>,
) -> Result<Vec<Change>, Error> {
    let mut settings = level.config.settings.clone();
    if settings.outlines == Outlines::Exact || !may_be_cells(level, explanation) {
        return Ok(Vec::new());
    }
    let exact = exact_outlines();
    exact.apply(&mut settings);
    let exact_level = level.with_settings(&settings)?;
    let at = explanation.at;
    // Most places are too near to a wall in truth. The surroundings show this at a lower cost, unless the
    // radius makes them too large for a bake.
    if let Ok(around) = TileBuild::tiled(&exact_level, SURROUNDINGS, tile_at(&exact_level, SURROUNDINGS, at))
        && explain_once(&exact_level, &around, at, observer, scratch)?.polygon().is_none()
    {
        return Ok(Vec::new());
    }
    let has_mesh = again(&exact_level, scratch)?.polygon().is_some();
    Ok(if has_mesh { vec![exact] } else { Vec::new() })
}

/// Returns true if a place has no mesh for a reason that depends on the outlines.
fn may_be_cells(level: &PreparedLevel, explanation: &Explanation) -> bool {
    let Location::Column(column) = &explanation.location else { return false };
    let by_cells = |cause: Reason| match cause.code {
        ReasonCode::Eroded => {
            let most = cause.found.unwrap_or_default() + LOST * level.lattice.cell_size;
            most >= level.config.settings.agent_radius
        }
        ReasonCode::RegionTooSmall | ReasonCode::OutsidePolygons => true,
        _ => false,
    };
    explanation.polygon().is_none() && column.floors.iter().filter_map(|floor| floor.cause).any(by_cells)
}
