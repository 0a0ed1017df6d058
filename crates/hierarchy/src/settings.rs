//! The settings of a hierarchy.

use crate::HierarchyError;
use crate::grid::{ClusterGrid, MOST_CELLS};
use crate::search::Rates;
use detour::{CostModel, Filter};
use navmath::FIXED_ONE;

/// A kind of agents: what they may enter, and what a metre costs them.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its filter.
    pub filter: Filter,
}

/// The sizes and classes of a hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct HierarchySettings {
    /// The side of the smallest clusters, metres; rounded to whole tiles, at least one.
    pub cluster: f64,
    /// The largest distance of two crossings of an open border, metres. A quarter of `cluster` makes a hop on
    /// open ground at most 0.8 % longer.
    pub spacing: f64,
    /// The classes; at least one.
    pub classes: Vec<Class>,
}

impl Default for HierarchySettings {
    /// Clusters of 64 m, crossings every 16 m, and one class for [`Filter::default`].
    fn default() -> HierarchySettings {
        let class = Class { name: "default".to_owned(), filter: Filter::default() };
        HierarchySettings { cluster: 64.0, spacing: 16.0, classes: vec![class] }
    }
}

impl HierarchySettings {
    /// The grid for tiles of `tile_cells` cells of `cell_size` metres along a side.
    pub(crate) fn grid<E>(&self, cell_size: f64, tile_cells: u32) -> Result<ClusterGrid, HierarchyError<E>> {
        for (name, value) in [("cluster", self.cluster), ("spacing", self.spacing)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(HierarchyError::Size { name, value });
            }
        }
        if tile_cells == 0 {
            return Err(HierarchyError::NoTiles);
        }
        let names: Vec<&str> = self.classes.iter().map(|class| class.name.as_str()).collect();
        if names.is_empty() {
            return Err(HierarchyError::Classes("a hierarchy needs at least one class".to_owned()));
        }
        if let Some(at) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            return Err(HierarchyError::Classes(format!(
                "two classes are called {:?}: rename one",
                names[at]
            )));
        }
        let most = MOST_CELLS / tile_cells;
        if most == 0 {
            let value = cell_size * f64::from(tile_cells);
            return Err(HierarchyError::Size { name: "tile", value });
        }
        let tiles = (self.cluster / (cell_size * f64::from(tile_cells))).round().clamp(1.0, most.into());
        Ok(ClusterGrid { tile_cells, tiles: tiles as u32 })
    }
}

impl Class {
    pub(crate) fn rates(&self, cell_size: f64) -> Rates {
        let costs = (1..=255).map(|area| f64::from(self.filter.area_cost(area)));
        let most = costs.fold(0.0, f64::max);
        let unit = cell_size * crate::costs::UNITS / f64::from(FIXED_ONE);
        Rates { unit, least: f64::from(self.filter.minimum_cost()), most }
    }
}
