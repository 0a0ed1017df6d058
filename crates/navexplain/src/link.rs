//! Explains why there is no link from one place to another.

use navlevel::{graph_grid, graph_node, min_island_cells};
use navlinks::{LinkExplanation, explain_links};
use navtile::IslandGraph;
use recast::Error;
use recast::Observer;
use recast::PreparedLevel;
use recast::Scratch;
use recast::bake_solo;

/// Explains, for each profile of links of a level, why no link leads from one place to another, world metres,
/// or returns the link if there is one. Searches the floors around each place: within a metre, or the agent's
/// radius and two cells, and no further above or below than the agent's climb and half a metre more. Of all
/// pairs of such floors, explains the pair that passes the most checks. Returns nothing for a level without
/// profiles. Cost: a bake of the level in one piece with its links.
///
/// # Errors
/// The errors of a bake in one piece.
pub fn explain_link(
    level: &PreparedLevel,
    ends: [[f64; 3]; 2],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Vec<LinkExplanation>, Error> {
    explain_between(level, (ends[0], Some(ends[1])), observer, scratch)
}

/// Explains, for each profile of links of a level, which link begins at a place, world metres. If no link
/// begins there, explains why, for the candidate that passes the most checks. Searches the floors around the
/// place as [`explain_link`] does, and all floors within the profiles' reach of them. Returns nothing for a
/// level without profiles. Cost: a bake of the level in one piece with its links.
///
/// # Errors
/// The errors of a bake in one piece.
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
    Ok(explain_links(level, *ground, &kept, places))
}
