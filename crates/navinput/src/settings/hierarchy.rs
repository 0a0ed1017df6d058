//! `[hierarchy]`: clusters of tiles for planning far paths, and classes of agents.

use super::SettingsReader;
use crate::tables::{Key, Named, POSITIVE, Put, Schema, Table};
use recast::AreaId;

/// A hierarchy of clusters for planning far paths over tiles that are not loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct HierarchyInput {
    /// The side of the smallest clusters, metres, greater than 0; rounded to whole tiles.
    pub cluster: f64,
    /// The largest distance of two crossings of a border, metres, greater than 0.
    pub spacing: f64,
    /// The classes of agents, by their names; if empty, one class for all areas at their costs.
    pub classes: Vec<ClassInput>,
}

impl Default for HierarchyInput {
    /// Clusters of 64 m, crossings every 16 m, and no classes.
    fn default() -> HierarchyInput {
        HierarchyInput { cluster: 64.0, spacing: 16.0, classes: Vec::new() }
    }
}

/// A class of agents: the areas that it does not enter, and its own costs. For other areas, costs and flags
/// are those of the areas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassInput {
    /// Its name.
    pub name: String,
    /// The areas that it does not enter.
    pub exclude: Vec<AreaId>,
    /// The costs of a metre, 0.001 to 1e20.
    pub costs: Vec<(AreaId, f32)>,
}

/// The costs that a filter may have.
const COSTS: (f64, f64) = (1e-3, 1e20);

/// A hierarchy: a table.
pub(super) static HIERARCHY: Schema<HierarchyInput> = Named("hierarchy").keys(&[
    Key::new("cluster", |hierarchy, f| f.number(POSITIVE, " metres").put(&mut hierarchy.cluster)),
    Key::new("spacing", |hierarchy, f| f.number(POSITIVE, " metres").put(&mut hierarchy.spacing)),
    Key::new("classes", |hierarchy, f| {
        let classes = f.map(|f| {
            let mut class = ClassInput::default();
            f.table(&CLASS, &mut class);
            Some(class)
        });
        let named = |(name, class): (String, ClassInput)| ClassInput { name, ..class };
        hierarchy.classes = classes.into_iter().flatten().map(named).collect();
    }),
]);

/// A class of agents: a table.
static CLASS: Schema<ClassInput> = Named("hierarchy.classes").keys(&[
    Key::new("exclude", |class, f| f.each("a list of areas", |f| f.area()).put(&mut class.exclude)),
    Key::new("costs", |class, f| {
        let costs = f.map(|f| f.number(COSTS, ""));
        let of_area = |(name, cost): (String, f64)| Some((f.area_called(&name)?, cost as f32));
        class.costs = costs.into_iter().flatten().filter_map(of_area).collect();
    }),
]);

impl SettingsReader<'_> {
    pub(super) fn take_hierarchy(&mut self, table: &Table<'_>) {
        self.reader.read(&HIERARCHY, table, self.file.hierarchy.insert(HierarchyInput::default()));
    }
}
