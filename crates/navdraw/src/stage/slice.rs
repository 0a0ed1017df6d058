//! A vertical slice through a row of the span field: floors, ceilings and climbs.

use super::{Areas, StageOptions, cell_range, span_fault, unless_drawable};
use crate::colour::Colour;
use crate::number::{counted, fixed};
use crate::scene::{Geometry, Picture, Point, Shape, Stroke, Style, Swatch, View, Window};
use recast::AreaId;
use recast::data::SpanField;
use std::collections::BTreeMap;

const STAGE: &str = "2 \u{b7} Slice through the span field";
const BODY: Colour = Colour::hex(0xaab6bf);
const BLOCKED_TOP: Colour = Colour::hex(0x7a8790);

/// Spans of row `z` (counted from the grid's first row) seen from larger z: bodies, with their tops coloured
/// by area. Heights are stretched if the row is much longer than it is high.
pub fn span_slice<S>(field: &SpanField<S>, z: u32, options: &StageOptions) -> Picture {
    let fault = span_fault(field)
        .or_else(|| (z >= field.grid.depth).then(|| format!("row {z} of {}", field.grid.depth)));
    if let Some(said) = unless_drawable(STAGE, options, fault, field.len(), "spans") {
        return said;
    }
    let row = field.grid.column(0, z)..field.grid.column(0, z) + field.grid.width as usize;
    let spans = field.offsets[row.start] as usize..field.offsets[row.end] as usize;
    if spans.is_empty() {
        let note = format!("Nothing to draw: row {z} has no spans.");
        return Picture::empty(options.title(STAGE), note);
    }
    let cell = [f64::from(field.grid.cell_size), f64::from(field.grid.cell_height)];
    let left = options.lattice_zero[0] + f64::from(field.grid.base_x) * cell[0];
    let place = |x: u32, y: i32| -> Point {
        [left + f64::from(x) * cell[0], options.lattice_zero[1] + f64::from(y) * cell[1]]
    };
    let low = cell_range(field.min[spans.clone()].iter().copied())[0];
    let high = cell_range(field.max[spans.clone()].iter().copied())[1];
    let window = Window { min: place(0, low), max: place(field.grid.width, high) };
    let stretch = stretch(window);
    let padding = (window.max[0] - window.min[0]) * 0.02;
    let mut picture = Picture::new(
        options.title(STAGE),
        Window {
            min: [window.min[0] - padding, window.min[1] - padding / stretch],
            max: [window.max[0] + padding, window.max[1] + 3.0 * padding / stretch],
        },
    );
    picture.view = View::Slice { stretch };
    let blocks = blocks(field, z);
    let bodies = blocks.iter().map(|block| {
        let (min, max) = (place(block.x[0], block.min), place(block.x[1], block.max));
        [min[0], min[1], max[0], max[1]]
    });
    let bodies = Shape { geometry: Geometry::Rectangles(bodies.collect()), style: Style::fill(BODY) };
    picture.push_layer("spans", vec![Shape { style: Style { crisp: true, ..bodies.style }, ..bodies }]);
    let areas = Areas::new(&options.areas, field.area[spans.clone()].iter().copied());
    let mut tops: BTreeMap<AreaId, Vec<[Point; 2]>> = BTreeMap::new();
    for block in &blocks {
        let ends = [place(block.x[0], block.max), place(block.x[1], block.max)];
        tops.entry(block.area).or_default().push(ends);
    }
    let weight = if field.grid.width > 120 { 2.6 } else { 4.0 };
    let shapes = tops.into_iter().map(|(area, ends)| {
        let walkable = area.is_walkable();
        let colour = if walkable { areas.colour(area).mix(Colour::INK, 0.12) } else { BLOCKED_TOP };
        Shape::segments(ends, Stroke::new(colour, if walkable { weight } else { weight * 0.5 }))
    });
    picture.push_layer("tops", shapes.collect());
    let z_metres = options.lattice_zero[2]
        + (f64::from(field.grid.base_z) + f64::from(z) + 0.5) * f64::from(field.grid.cell_size);
    picture.subtitle =
        format!("row {z}, z = {} m \u{b7} {}", fixed(z_metres, 2), counted(spans.len(), "span"));
    picture.push_legend(Swatch::Box(BODY), "solid");
    let line = |colour| Swatch::Line(Stroke::new(colour, weight));
    areas.legend(&mut picture, &field.area[spans], line);
    picture.push_legend(Swatch::Line(Stroke::new(BLOCKED_TOP, weight * 0.5)), "top that is not walkable");
    picture
}

/// The row whose spans change most often along it, the first of several; 0 if there are no spans.
pub fn busiest_row<S>(field: &SpanField<S>) -> u32 {
    if span_fault(field).is_some() {
        return 0;
    }
    (0..field.grid.depth).rev().max_by_key(|&z| blocks(field, z).len()).unwrap_or(0)
}

/// Factor by which heights are stretched so that a row fills a page.
fn stretch(window: Window) -> f64 {
    let [width, height] = [window.max[0] - window.min[0], window.max[1] - window.min[1]];
    let wanted = 0.16 * width / height.max(1e-6);
    [10.0, 5.0, 4.0, 3.0, 2.0].into_iter().find(|&factor| factor <= wanted).unwrap_or(1.0)
}

/// Spans of one height and area in consecutive columns.
struct Block {
    x: [u32; 2],
    min: i32,
    max: i32,
    area: AreaId,
}

fn blocks<S>(field: &SpanField<S>, z: u32) -> Vec<Block> {
    let mut done = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    for x in 0..field.grid.width {
        let mut next = Vec::new();
        for span in field.column(field.grid.column(x, z)) {
            let (min, max, area) = (field.min[span], field.max[span], field.area[span]);
            let same = |block: &Block| (block.min, block.max, block.area) == (min, max, area);
            let start = match open.iter().position(same) {
                Some(index) => open.swap_remove(index).x[0],
                None => x,
            };
            next.push(Block { x: [start, x + 1], min, max, area });
        }
        done.append(&mut open);
        open = next;
    }
    done.append(&mut open);
    done.sort_by_key(|block| (block.x, block.min));
    done
}
