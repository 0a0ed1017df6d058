//! Stage 10: regions.

use super::compact::{ERODED_COLOUR, compact_fault};
use super::{StageOptions, each_shown, grid_facts, grid_picture, push_border, push_cells, unless_drawable};
use crate::cells::{CellLines, ColourGrid, Plane, hatch_every};
use crate::colour::{self, Colour};
use crate::number::counted;
use crate::scene::{Anchor, Geometry, Picture, Point, Shape, Stroke, Style, Swatch, Text};
use recast::data::{Direction, Grid, Region, RegionField};
use std::collections::BTreeMap;

const STAGE: &str = "10 \u{b7} Regions";
const BORDER_COLOUR: Colour = Colour::hex(0xb4bcc4);
/// Regions carry numbers if there are at most this many.
const NUMBERED: u32 = 60;

/// Floors coloured by region, with the region's number on it; the tile's border is grey and hatched.
pub fn region_field(regions: &RegionField, options: &StageOptions) -> Picture {
    let (field, count) = (&regions.field, regions.region.len());
    let fault = compact_fault(field)
        .or_else(|| (count != field.len()).then(|| format!("{count} regions for {} floors", field.len())));
    if let Some(said) = unless_drawable(STAGE, options, fault, field.len(), "floors") {
        return said;
    }
    let grid = &field.grid;
    let plane = Plane::new(grid, options.lattice_zero);
    let mut picture = grid_picture(grid, STAGE, options);
    let mut cells = ColourGrid::new(plane);
    let mut hatch = CellLines::default();
    let mut shown: Vec<Region> = vec![Region::None; grid.columns()];
    let every = hatch_every(&plane);
    let assigned = |span: usize| !regions.region[span].is_none();
    each_shown(grid, &field.offsets.to_vec(), options.floor, assigned, |x, z, span| {
        let kind = regions.region[span].kind();
        shown[grid.column(x, z)] = kind;
        match kind {
            Region::None => cells.set(x, z, ERODED_COLOUR),
            Region::Border(_) => {
                cells.set(x, z, BORDER_COLOUR);
                hatch.push_hatch(x, z, every);
            }
            Region::Inner(id) => cells.set(x, z, colour::region(id)),
        }
    });
    push_cells(&mut picture, "regions", &cells, &plane);
    let hatch = hatch.shapes(&plane, Stroke::new(BORDER_COLOUR.mix(Colour::INK, 0.3), 1.0));
    let hatched = !hatch.is_empty();
    picture.push_layer("border-regions", hatch);
    let seams = seams(regions, &shown).shapes(&plane, Stroke::new(Colour::INK.mix(Colour::WHITE, 0.25), 1.5));
    picture.push_layer("seams", seams);
    if regions.count <= NUMBERED {
        picture.push_layer("numbers", numbers(regions, &shown, &plane));
    }
    picture.subtitle = format!("{} \u{b7} {}", grid_facts(grid), counted(regions.count as usize, "region"));
    picture.push_legend(Swatch::Box(ERODED_COLOUR), "no region");
    if hatched {
        picture.push_legend(Swatch::Hatched(BORDER_COLOUR), "border, left to the neighbouring tile");
    }
    push_border(&mut picture, grid, options);
    picture
}

/// Lines between columns that show different regions.
fn seams(regions: &RegionField, shown: &[Region]) -> CellLines {
    let grid = &regions.field.grid;
    let mut lines = CellLines::default();
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let here = shown[grid.column(x, z)];
            for direction in [Direction::XMax, Direction::ZMax] {
                let there = grid.neighbour(x, z, direction).map(|(x, z)| shown[grid.column(x, z)]);
                if there.is_some_and(|there| there != here) {
                    lines.push_side(x, z, direction);
                }
            }
        }
    }
    lines
}

/// Each region's number at the column of it that is farthest from other regions.
fn numbers(regions: &RegionField, shown: &[Region], plane: &Plane) -> Vec<Shape> {
    let grid = &regions.field.grid;
    let depth = depths(grid, shown);
    let mut best: BTreeMap<u32, (u32, [u32; 2])> = BTreeMap::new();
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column = grid.column(x, z);
            if let Region::Inner(id) = shown[column] {
                let found = best.entry(id).or_insert((0, [x, z]));
                if depth[column] > found.0 {
                    *found = (depth[column], [x, z]);
                }
            }
        }
    }
    let text = |(id, (_, [x, z])): (u32, (u32, [u32; 2]))| {
        let corner = plane.corner(i64::from(x), i64::from(z));
        let at: Point = corner.map(|v| v + plane.cell * 0.5);
        let text = id.to_string();
        let text = Text { at, offset: [0.0, 6.0], text, size: 16.0, bold: true, anchor: Anchor::Middle };
        let casing = Stroke::new(colour::region(id).mix(Colour::WHITE, 0.35), 4.0);
        Shape { geometry: Geometry::Text(text), style: Style::fill(Colour::INK).outlined(casing) }
    };
    best.into_iter().map(text).collect()
}

/// Number of steps from each column to the nearest column that shows another region, or to the edge of the
/// grid. Two sweeps.
fn depths(grid: &Grid, shown: &[Region]) -> Vec<u32> {
    let mut depth = vec![u32::MAX; shown.len()];
    let mut relax = |x: u32, z: u32, directions: [Direction; 2]| {
        let column = grid.column(x, z);
        for direction in directions {
            let beside = grid.neighbour(x, z, direction).map(|(x, z)| grid.column(x, z));
            let steps = match beside {
                Some(beside) if shown[beside] == shown[column] => depth[beside].saturating_add(1),
                _ => 1,
            };
            depth[column] = depth[column].min(steps);
        }
    };
    for z in 0..grid.depth {
        (0..grid.width).for_each(|x| relax(x, z, [Direction::XMin, Direction::ZMin]));
    }
    for z in (0..grid.depth).rev() {
        (0..grid.width).rev().for_each(|x| relax(x, z, [Direction::XMax, Direction::ZMax]));
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_grow_inwards() {
        let grid =
            Grid { width: 5, depth: 3, border: 0, base_x: 0, base_z: 0, cell_size: 0.3, cell_height: 0.2 };
        let mut shown = vec![Region::Inner(1); 15];
        assert_eq!(depths(&grid, &shown), [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1]);
        shown[7] = Region::Inner(2);
        assert_eq!(depths(&grid, &shown), [1; 15]);
    }
}
