//! Stages 6 to 8: the compact field, then erosion and area marking.

use super::{
    Areas, StageOptions, cell_range, column_fault, each_shown, grid_facts, grid_picture, height_ramp,
    push_border, push_cells, share, unless_drawable,
};
use crate::cells::{CellLines, ColourGrid, Plane, hatch_every};
use crate::colour::{self, Colour};
use crate::number::{counted, grouped};
use crate::scene::{Picture, Stroke, Swatch};
use recast::AreaId;
use recast::data::{CompactField, Direction};

const COMPACT: &str = "6 \u{b7} Compact field";
const ERODED: &str = "7 and 8 \u{b7} Eroded field and its areas";
/// Ground an agent's centre cannot reach.
pub(super) const ERODED_COLOUR: Colour = Colour::hex(0xcfd4d6);

/// The fault in a compact field's arrays, if there is one.
pub(super) fn compact_fault<S>(field: &CompactField<S>) -> Option<String> {
    let lengths = [field.floor.len(), field.area.len(), field.neighbours.len()];
    column_fault(&field.grid, &field.offsets.to_vec(), &lengths)
}

/// Floors coloured by height, with a line at every side of a floor without a neighbour to step to.
pub fn compact_field<S>(field: &CompactField<S>, options: &StageOptions) -> Picture {
    if let Some(said) = unless_drawable(COMPACT, options, compact_fault(field), field.len(), "floors") {
        return said;
    }
    let plane = Plane::new(&field.grid, options.lattice_zero);
    let mut picture = grid_picture(&field.grid, COMPACT, options);
    let range = cell_range(field.floor.iter().copied());
    let mut cells = ColourGrid::new(plane);
    let mut edges = CellLines::default();
    let walkable = |span: usize| field.area[span].is_walkable();
    each_shown(&field.grid, &field.offsets.to_vec(), options.floor, walkable, |x, z, span| {
        cells.set(x, z, colour::ramp(share(field.floor[span], range)));
        for direction in Direction::ALL {
            if field.neighbour(span, direction).is_none() {
                edges.push_side(x, z, direction);
            }
        }
    });
    push_cells(&mut picture, "floors", &cells, &plane);
    let stroke = Stroke::new(Colour::INK, if plane.size[0].max(plane.size[1]) > 300 { 1.2 } else { 2.2 });
    picture.push_layer("edges", edges.shapes(&plane, stroke));
    picture.subtitle = format!("{} \u{b7} {}", grid_facts(&field.grid), counted(field.len(), "floor"));
    picture.ramp = Some(height_ramp(range, &field.grid, options));
    picture.push_legend(Swatch::Line(stroke), "no neighbour to step to");
    push_border(&mut picture, &field.grid, options);
    picture
}

/// Floors coloured by area. Floors that erosion or a marked volume removed are grey and hatched.
pub fn eroded_field<S>(field: &CompactField<S>, options: &StageOptions) -> Picture {
    if let Some(said) = unless_drawable(ERODED, options, compact_fault(field), field.len(), "floors") {
        return said;
    }
    let plane = Plane::new(&field.grid, options.lattice_zero);
    let mut picture = grid_picture(&field.grid, ERODED, options);
    let areas = Areas::new(&options.areas, field.area.iter().copied());
    let range = cell_range(field.floor.iter().copied());
    let mut cells = ColourGrid::new(plane);
    let mut hatch = CellLines::default();
    let every = hatch_every(&plane);
    let walkable = |span: usize| field.area[span].is_walkable();
    each_shown(&field.grid, &field.offsets.to_vec(), options.floor, walkable, |x, z, span| {
        if walkable(span) {
            let shade = 0.38 + (share(field.floor[span], range) * 10.0).round() * 0.024;
            cells.set(x, z, areas.colour(field.area[span]).shaded(shade));
        } else {
            cells.set(x, z, ERODED_COLOUR);
            hatch.push_hatch(x, z, every);
        }
    });
    push_cells(&mut picture, "floors", &cells, &plane);
    picture.push_layer("eroded", hatch.shapes(&plane, Stroke::new(ERODED_COLOUR.mix(Colour::INK, 0.4), 1.0)));
    let lost = field.area.iter().filter(|&&area| area == AreaId::NULL).count();
    picture.subtitle = format!(
        "{} \u{b7} {}, {} of them taken away",
        grid_facts(&field.grid),
        counted(field.len(), "floor"),
        grouped(lost as u64)
    );
    areas.legend(&mut picture, &field.area, Swatch::Box);
    picture.push_legend(Swatch::Hatched(ERODED_COLOUR), "taken away");
    push_border(&mut picture, &field.grid, options);
    picture
}
