//! Stage 9: the distance field.

use super::compact::{ERODED_COLOUR, compact_fault};
use super::{
    StageOptions, each_shown, grid_facts, grid_picture, push_border, push_cells, ramp_colours,
    unless_drawable,
};
use crate::cells::{ColourGrid, Plane};
use crate::colour;
use crate::number::fixed;
use crate::scene::{Picture, Ramp, Swatch};
use recast::data::DistanceField;

const STAGE: &str = "9 \u{b7} Distance field";

/// Floors coloured by their distance to the nearest border.
pub fn distance_field(distances: &DistanceField, options: &StageOptions) -> Picture {
    let (field, count) = (&distances.field, distances.distance.len());
    let fault = compact_fault(field)
        .or_else(|| (count != field.len()).then(|| format!("{count} distances for {} floors", field.len())));
    if let Some(said) = unless_drawable(STAGE, options, fault, field.len(), "floors") {
        return said;
    }
    let plane = Plane::new(&field.grid, options.lattice_zero);
    let mut picture = grid_picture(&field.grid, STAGE, options);
    let largest = distances.distance.iter().copied().max().unwrap_or(0);
    let mut cells = ColourGrid::new(plane);
    let walkable = |span: usize| field.area[span].is_walkable();
    each_shown(&field.grid, &field.offsets.to_vec(), options.floor, walkable, |x, z, span| {
        let share = f64::from(distances.distance[span]) / f64::from(largest.max(1));
        cells.set(x, z, if walkable(span) { colour::ramp(share) } else { ERODED_COLOUR });
    });
    push_cells(&mut picture, "distances", &cells, &plane);
    let metres = f64::from(largest) * 0.5 * f64::from(field.grid.cell_size);
    picture.subtitle = format!("{} \u{b7} largest distance {largest} half cells", grid_facts(&field.grid));
    picture.ramp = Some(Ramp {
        title: "distance to the border".to_owned(),
        colours: ramp_colours(),
        low: "0 m".to_owned(),
        high: format!("{} m", fixed(metres, 2)),
    });
    picture.push_legend(Swatch::Box(ERODED_COLOUR), "not walkable");
    push_border(&mut picture, &field.grid, options);
    picture
}
