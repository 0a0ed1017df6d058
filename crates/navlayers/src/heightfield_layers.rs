//! Heightfield layers: `CompactField<Eroded>` -> HeightfieldLayer, several per tile.
//! Units: cells. Cost: O(spans + layers²) expected; the cells of every layer cover the whole tile.
//! Source: M. Mononen, Recast (RecastLayers.cpp, rcBuildHeightfieldLayers). Deviations: any number of
//! regions, neighbours of a region and layers (the reference: 255, 16 and 63); heights are wide, so a layer
//! need not be cut for its height.
//!
//! Flattens a tile for obstacles that come and go: each layer is a plain rectangle of cells with at most one
//! floor per column, small to store, and quick to stamp obstacles into and to build a mesh from. A side
//! branch after erosion and marking areas: [`recast::build`] does not need it. [`join`] reverses it.

mod group;
mod join;
mod layer;

pub use join::{JoinParams, Joined, join};
pub use layer::{CellRectangle, DirectionSet, HeightfieldLayer, LayerCell};
use recast::Error;
use recast::data::compact::state::Eroded;
use recast::data::{CompactField, RegionId};
use recast::inside::stage::sweep;
use recast::stage::Context;

/// Represents a missing region or layer.
const NONE: u32 = u32::MAX;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Pieces of the surface are not joined into a layer whose lowest and highest floor would be further
    /// apart than this, cells. Default `u32::MAX`: no limit. 254 if each height must fit in a byte, and for
    /// layers equal to the reference's.
    pub max_range: u32,
}

impl Default for Params {
    fn default() -> Params {
        Params { max_range: u32::MAX }
    }
}

/// Cuts the walkable floors inside the tile's border into layers; none if nothing is walkable.
///
/// Every such floor is in exactly one layer. Layers come in the order of their first spans.
///
/// ```
/// # use recast::{Level, PreparedLevel, Settings};
/// use navlayers::heightfield_layers::{self, Params};
/// use recast::{Context, Scratch, Silent, StageResults, TileBuild, bake_tapped};
/// # let level = Level {
/// #     vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [12.0, 0.0, 9.0], [12.0, 0.0, 0.0]],
/// #     triangles: vec![[0, 1, 2], [0, 2, 3]],
/// #     ..Level::default()
/// # };
/// # let level = PreparedLevel::new(&level, &Settings::default())?;
/// let (build, mut results) = (TileBuild::solo(&level), StageResults::default());
/// bake_tapped(&level, &build, &Silent, &mut Scratch::new(), &mut |result| results.keep(result))?;
/// let field = results.marked.expect("every bake marks areas");
/// let layers = heightfield_layers::run(&field, &Params::default(), &mut Context::new())?;
/// assert_eq!(layers.len(), 1); // no storeys
/// # Ok::<(), recast::Error>(())
/// ```
pub fn run(
    field: &CompactField<Eroded>,
    params: &Params,
    _: &mut Context,
) -> Result<Vec<HeightfieldLayer>, Error> {
    let mut labels = vec![RegionId::NONE; field.len()];
    let count = sweep(field, |_, _| true, &mut labels);
    let region = |label: RegionId| if label.is_inner() { label.index() as u32 - 1 } else { NONE };
    let region_of: Vec<u32> = labels.into_iter().map(region).collect();
    let groups = group::group_regions(field, &region_of, count, params);
    let layer_of: Vec<u32> = region_of
        .iter()
        .map(|&region| if region == NONE { NONE } else { groups.layer_of_region[region as usize] })
        .collect();
    Ok(layer::cut(field, &layer_of, &groups.bounds))
}

#[cfg(test)]
mod tests;
