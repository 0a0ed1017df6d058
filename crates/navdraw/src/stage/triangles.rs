//! Stage 1: triangles of the level from above, walkable or not.

use super::{Areas, StageOptions};
use crate::colour::Colour;
use crate::number::counted;
use crate::scene::{Picture, Point, Shape, Stroke, Style, Swatch, Window};
use crate::surface::height_share;
use recast::{AreaId, PreparedLevel};

const STAGE: &str = "1 \u{b7} Walkable triangles";

/// Triangles coloured by their areas; unwalkable ones are grey. Walkable ones are drawn last, lower ones
/// first, so that ground under a roof is visible.
pub fn marked_triangles(level: &PreparedLevel, marked: &[AreaId], options: &StageOptions) -> Picture {
    if marked.len() != level.triangle_count() {
        let note =
            format!("Cannot be drawn: {} areas for {} triangles.", marked.len(), level.triangle_count());
        return Picture::empty(options.title(STAGE), note);
    }
    let zero = options.lattice_zero;
    let corners: Vec<[[f64; 3]; 3]> =
        (0..level.triangle_count()).map(|triangle| world_corners(level, triangle, zero)).collect();
    let known = corners.iter().flatten();
    let Some(window) = Window::around(known.clone().map(|&[x, _, z]| [x, z])) else {
        return Picture::empty(options.title(STAGE), "Nothing to draw: there are no triangles.");
    };
    let heights = Window::around(known.map(|&[_, y, _]| [y, y])).map_or([0.0; 2], |w| [w.min[0], w.max[0]]);
    let mut order: Vec<(bool, f64, usize)> = corners
        .iter()
        .enumerate()
        .map(|(index, corners)| {
            let height = corners.iter().map(|corner| corner[1]).sum::<f64>() / 3.0;
            (marked[index].is_walkable(), height, index)
        })
        .collect();
    order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let areas = Areas::new(&options.areas, marked.iter().copied());
    let mut picture = Picture::new(options.title(STAGE), window.padded(0.025));
    let weight = if order.len() > 3000 { 0.5 } else { 1.0 };
    let shapes = order.into_iter().map(|(_, height, index)| {
        let colour = areas.colour(marked[index]).shaded(height_share(height, heights));
        let outline: Vec<Point> = corners[index].iter().map(|&[x, _, z]| [x, z]).collect();
        let edge = Stroke::new(colour.mix(Colour::INK, 0.3), weight);
        Shape::filled(vec![outline], Style::fill(colour).outlined(edge))
    });
    let shapes = shapes.collect();
    picture.push_layer("triangles", shapes);
    let walkable = marked.iter().filter(|area| area.is_walkable()).count();
    picture.subtitle = format!("{} \u{b7} {walkable} walkable", counted(marked.len(), "triangle"));
    areas.legend(&mut picture, marked, Swatch::Box);
    if walkable < marked.len() {
        picture.push_legend(Swatch::Box(Colour::BLOCKED), "too steep, or upside down");
    }
    picture
}

fn world_corners(level: &PreparedLevel, triangle: usize, zero: [f64; 3]) -> [[f64; 3]; 3] {
    level.corners(triangle).map(|local| std::array::from_fn(|axis| zero[axis] + f64::from(local[axis])))
}
