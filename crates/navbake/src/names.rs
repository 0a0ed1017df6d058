//! The names in the files of the level for triangles at a place, for explanations. Cost: O(triangles) per
//! place.

use navinput::{SourceLevel, TriangleNames, escaped};
use recast::PreparedLevel;
use std::collections::BTreeSet;

/// Further names at the same place are only counted.
const SHOWN: usize = 3;

/// The level as its files have it, and the same level on its lattice.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The level, rotated and scaled.
    pub level: &'a SourceLevel,
    /// The level on its lattice.
    pub prepared: &'a PreparedLevel,
}

impl Names<'_> {
    /// The names of the triangles that make a top of a column at `height`, which the bake rounded up.
    pub fn of_top(&self, cell: [i64; 2], height: f64) -> BTreeSet<TriangleNames> {
        let lattice = &self.prepared.lattice;
        let along = |axis: usize, cell: i64| {
            [cell, cell + 1].map(|line| lattice.origin[axis] + line as f64 * lattice.cell_size)
        };
        // A little more than a cell, for rounding in the conversion to the lattice.
        let slack = lattice.cell_height * 1e-3;
        let heights = [height - lattice.cell_height - slack, height + slack];
        self.level.names_over([along(0, cell[0]), along(2, cell[1])], heights)
    }

    /// The names of the triangles that make the top of the column at a place.
    pub fn at(&self, [x, y, z]: [f64; 3]) -> BTreeSet<TriangleNames> {
        let lattice = &self.prepared.lattice;
        let cell =
            |value: f64, axis: usize| ((value - lattice.origin[axis]) / lattice.cell_size).floor() as i64;
        self.of_top([cell(x, 0), cell(z, 2)], y)
    }

    /// Texts for people: ``object `Door`, material `wood` ``.
    pub fn texts(&self, found: BTreeSet<TriangleNames>) -> Vec<String> {
        let words = |names: &TriangleNames| {
            let kinds = [
                ("object", &names.object),
                ("node", &names.node),
                ("group", &names.group),
                ("material", &names.material),
            ];
            let given = kinds.into_iter().filter(|(_, name)| !name.is_empty());
            given.map(|(kind, name)| format!("{kind} `{}`", escaped(name))).collect::<Vec<_>>().join(", ")
        };
        let mut texts: Vec<String> = found.iter().map(words).filter(|text| !text.is_empty()).collect();
        let more = texts.len().saturating_sub(SHOWN);
        if more > 0 {
            texts.truncate(SHOWN);
            texts.push(format!("{more} more"));
        }
        texts
    }
}
