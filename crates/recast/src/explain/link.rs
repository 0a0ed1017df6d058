//! Why there is no link from one place to another.

use crate::build::bake_solo;
use crate::error::Error;
use crate::input::PreparedLevel;
use crate::links::{LinkExplanation, explain_on};
use crate::observer::Observer;
use crate::prune::{graph_grid, graph_node, min_island_cells};
use crate::scratch::Scratch;
use navtile::IslandGraph;

/// Explains, for each profile of links of a level, why no link leads from one place to another, world metres; or which one does. Floors
/// within a metre, or the agent's radius and two cells, of each place are looked at, no further above or below it than the agent
/// climbs and half a metre more. Of all pairs of such floors the one that comes furthest is explained. Nothing for a level without
/// profiles. Cost: a bake of the level in one piece with its links.
///
/// # Errors
/// Those of a bake in one piece.
pub fn explain_link(
    level: &PreparedLevel,
    ends: [[f64; 3]; 2],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Vec<LinkExplanation>, Error> {
    explain_between(level, (ends[0], Some(ends[1])), observer, scratch)
}

/// Explains, for each profile of links of a level, which link begins at a place, world metres; or of all that could, the one that comes furthest,
/// and why there is none. Floors around the place are looked at as [`explain_link`] does, and all that are within the profiles' reach
/// of them. Nothing for a level without profiles. Cost: a bake of the level in one piece with its links.
///
/// # Errors
/// Those of a bake in one piece.
pub fn explain_links_from(
    level: &PreparedLevel,
    start: [f64; 3],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Vec<LinkExplanation>, Error> {
    explain_between(level, (start, None), observer, scratch)
}

fn explain_between(
    level: &PreparedLevel,
    places: ([f64; 3], Option<[f64; 3]>),
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Vec<LinkExplanation>, Error> {
    if level.config.settings.links.is_empty() {
        return Ok(Vec::new());
    }
    let mut baked = bake_solo(level, observer, scratch)?;
    let Some(ground) = baked.ground.take() else { return Ok(Vec::new()) };
    let graph = IslandGraph::new(vec![graph_node(level, &baked, [0; 16])]);
    let kept = graph.judge(&graph_grid(level, 0), min_island_cells(level, 0), None);
    Ok(explain_on(level, *ground, &kept, places))
}
