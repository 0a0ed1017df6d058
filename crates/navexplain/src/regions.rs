//! The size of the island that a floor without a region belonged to. Cost: another run of the regions stage,
//! and O(spans).

use recast::data::RegionField;
use recast::inside::islands;
use recast::settings::{Config, Partition};
use recast::stage::{Context, distance_field, regions};

/// Size, in cells, of the island around `span` that was too small; `None` if the span never was in a region.
///
/// Makes the regions again without dropping any.
pub(super) fn dropped_cells(field: &RegionField, span: usize, config: &Config) -> Option<u32> {
    let params = regions::Params { min_cells: 0, merge_cells: 0, join: false };
    let context = &mut Context::new();
    let eroded = field.field.clone();
    let all = match config.settings.partition {
        Partition::Watershed => {
            regions::watershed(distance_field::run(eroded, &(), context).ok()?, &params, context)
        }
        Partition::Monotone => regions::monotone(eroded, &params, context),
        Partition::Layers => regions::layers(eroded, &params, context),
    };
    let all = all.ok()?;
    let own = all.region[span].index();
    if own == 0 {
        return None;
    }
    Some(islands::reachable(&islands::beside(&all), own).into_iter().map(|region| all.cells[region]).sum())
}
