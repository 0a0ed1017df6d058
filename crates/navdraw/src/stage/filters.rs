//! The changes of a filter: spans that became walkable, and spans that no longer are.

use super::{StageOptions, grid_facts, grid_picture, push_border, push_cells, span_fault, unless_drawable};
use crate::cells::{ColourGrid, Plane};
use crate::colour::Colour;
use crate::number::grouped;
use crate::scene::{Picture, Swatch};
use recast::data::SpanField;
use std::ops::Range;

const STAGE: &str = "3 to 5 \u{b7} Changes of a filter";

/// The change of a column. Later variants hide earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Blocked,
    Walkable,
    Gained,
    Lost,
}

impl Change {
    fn colour(self) -> Colour {
        match self {
            Change::Blocked => Colour::BLOCKED.mix(Colour::WHITE, 0.25),
            Change::Walkable => Colour::GROUND.mix(Colour::WHITE, 0.5),
            Change::Gained => Colour::GAINED,
            Change::Lost => Colour::LOST,
        }
    }
}

/// The difference between a span field before and after a filter. A column with any changed span shows the
/// change; others show whether anything in them is walkable.
pub fn filter_changes<A, B>(before: &SpanField<A>, after: &SpanField<B>, options: &StageOptions) -> Picture {
    let same = before.grid == after.grid && before.offsets == after.offsets;
    let fault = span_fault(before)
        .or_else(|| span_fault(after))
        .or_else(|| (!same).then(|| "the two fields do not have the same spans".to_owned()));
    if let Some(said) = unless_drawable(STAGE, options, fault, after.len(), "spans") {
        return said;
    }
    let grid = &after.grid;
    let plane = Plane::new(grid, options.lattice_zero);
    let mut picture = grid_picture(grid, STAGE, options);
    let change = |span: usize| match (before.area[span].is_walkable(), after.area[span].is_walkable()) {
        (false, false) => Change::Blocked,
        (true, true) => Change::Walkable,
        (false, true) => Change::Gained,
        (true, false) => Change::Lost,
    };
    let mut cells = ColourGrid::new(plane);
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column: Range<usize> = after.column(grid.column(x, z));
            if let Some(change) = column.map(change).max() {
                cells.set(x, z, change.colour());
            }
        }
    }
    push_cells(&mut picture, "changes", &cells, &plane);
    let count = |wanted: Change| (0..after.len()).filter(|&span| change(span) == wanted).count() as u64;
    let [gained, lost] = [Change::Gained, Change::Lost].map(count).map(grouped);
    picture.subtitle = format!("{} \u{b7} {gained} spans gained, {lost} lost", grid_facts(grid));
    for (change, words) in [
        (Change::Gained, "now walkable"),
        (Change::Lost, "no longer walkable"),
        (Change::Walkable, "walkable, unchanged"),
        (Change::Blocked, "not walkable, unchanged"),
    ] {
        picture.push_legend(Swatch::Box(change.colour()), words);
    }
    push_border(&mut picture, grid, options);
    picture
}
