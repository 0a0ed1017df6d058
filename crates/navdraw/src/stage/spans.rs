//! Stage 2 and the filters: the span field from above.

use super::{
    StageOptions, cell_range, each_shown, grid_facts, grid_picture, height_ramp, push_border, push_cells,
    share, span_fault, unless_drawable,
};
use crate::cells::{ColourGrid, Plane};
use crate::colour::{self, Colour};
use crate::number::counted;
use crate::scene::{Picture, Swatch};
use recast::data::SpanField;

const STAGE: &str = "2 \u{b7} Span field";

/// The top of one span per column: walkable tops coloured by height, others grey.
pub fn span_field<S>(field: &SpanField<S>, options: &StageOptions) -> Picture {
    if let Some(said) = unless_drawable(STAGE, options, span_fault(field), field.len(), "spans") {
        return said;
    }
    let plane = Plane::new(&field.grid, options.lattice_zero);
    let mut picture = grid_picture(&field.grid, STAGE, options);
    let range = cell_range(field.max.iter().copied());
    let mut cells = ColourGrid::new(plane);
    let walkable = |span: usize| field.area[span].is_walkable();
    each_shown(&field.grid, &field.offsets, options.floor, walkable, |x, z, span| {
        let height = share(field.max[span], range);
        let blocked = Colour::BLOCKED.shaded((height * 8.0).round() / 8.0);
        cells.set(x, z, if walkable(span) { colour::ramp(height) } else { blocked });
    });
    push_cells(&mut picture, "spans", &cells, &plane);
    let count = field.area.iter().filter(|area| area.is_walkable()).count();
    picture.subtitle = format!(
        "{} \u{b7} {} \u{b7} {} of them walkable on top",
        grid_facts(&field.grid),
        counted(field.len(), "span"),
        crate::number::grouped(count as u64)
    );
    picture.ramp = Some(height_ramp(range, &field.grid, options));
    picture.push_legend(Swatch::Box(Colour::BLOCKED), "not walkable");
    push_border(&mut picture, &field.grid, options);
    picture
}
