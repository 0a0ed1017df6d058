//! The size of the island that a floor without a region belonged to. Cost: regions once more, and O(spans).

use crate::data::RegionField;
use crate::islands;
use crate::settings::{Config, Partition};
use crate::stage::{Context, distance_field, regions};

/// The size, in cells, of the island around `span` that was too small; `None` if it never was in a region.
///
/// Regions are made again without dropping any.
pub(super) fn dropped_cells(field: &RegionField, span: usize, config: &Config) -> Option<u32> {
    let params = regions::Params { min_cells: 0, merge_cells: 0 };
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
