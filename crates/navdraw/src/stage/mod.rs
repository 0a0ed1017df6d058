//! Pictures of stage results, one function each. Positions are metres from [`StageOptions::lattice_zero`].
//!
//! Results that cannot be drawn, because they are empty or their arrays do not match, are described in words.

mod compact;
mod contours;
mod distance;
mod filters;
mod meshes;
mod regions;
mod slice;
mod spans;
mod triangles;

pub use compact::{compact_field, eroded_field};
pub use contours::{contours, raw_contours, simplified_contours};
pub use distance::distance_field;
pub use filters::filter_changes;
pub use meshes::{detail_mesh, poly_mesh};
pub use regions::region_field;
pub use slice::{busiest_row, span_slice};
pub use spans::span_field;
pub use triangles::marked_triangles;

use crate::cells::{ColourGrid, Plane};
use crate::colour::{self, Colour};
use crate::number::fixed;
use crate::scene::{Picture, Ramp, Shape, Stroke, Style, Swatch, Window};
use navtile::AreaMeta;
use recast::AreaId;
use recast::data::{Grid, SpanField};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Options of a picture of a stage result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageOptions {
    /// The title; by default that of the stage.
    pub title: Option<String>,
    /// World position of the lattice's origin, metres (`PreparedLevel::lattice.origin`); zero if the picture
    /// need not agree with others.
    pub lattice_zero: [f64; 3],
    /// The floor of a column to show if there are several.
    pub floor: Floor,
    /// Areas with their names and colours, for legends. The same list gives areas the same colours in every
    /// picture.
    pub areas: Vec<AreaMeta>,
}

/// The span of a column to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floor {
    /// The uppermost walkable one, else the uppermost.
    #[default]
    Uppermost,
    /// The lowest walkable one, else the lowest.
    Lowest,
    /// The n-th from below, walkable or not, counted from 0; columns without it are empty.
    Level(usize),
}

impl Floor {
    /// The span of a column to show.
    fn pick(self, mut column: Range<usize>, walkable: impl Fn(usize) -> bool) -> Option<usize> {
        match self {
            Floor::Uppermost => {
                let last = column.clone().next_back();
                column.rfind(|&span| walkable(span)).or(last)
            }
            Floor::Lowest => {
                let first = column.clone().next();
                column.find(|&span| walkable(span)).or(first)
            }
            Floor::Level(level) => column.nth(level),
        }
    }
}

impl StageOptions {
    fn title(&self, stage: &str) -> String {
        self.title.clone().unwrap_or_else(|| stage.to_owned())
    }
}

/// Colours and names of areas.
pub(crate) struct Areas(BTreeMap<AreaId, (Colour, String)>);

impl Areas {
    /// The known areas, and the areas that `occur`, which get a name if they have no name.
    pub(crate) fn new(known: &[AreaMeta], occur: impl Iterator<Item = AreaId>) -> Areas {
        let look = |area: &AreaMeta| (colour::area(area), area.name.clone());
        let mut areas: BTreeMap<AreaId, (Colour, String)> =
            known.iter().map(|area| (AreaId(area.id), look(area))).collect();
        for id in occur {
            areas.entry(id).or_insert_with(|| look(&AreaMeta::unnamed(id.0)));
        }
        Areas(areas)
    }

    pub(crate) fn colour(&self, id: AreaId) -> Colour {
        self.0.get(&id).map_or(Colour::BLOCKED, |area| area.0)
    }

    pub(crate) fn name(&self, id: AreaId) -> &str {
        self.0.get(&id).map_or("", |area| area.1.as_str())
    }

    /// A legend line for each walkable area that occurs.
    fn legend(&self, picture: &mut Picture, occur: &[AreaId], swatch: impl Fn(Colour) -> Swatch) {
        let occurring: BTreeSet<AreaId> = occur.iter().copied().filter(|id| id.is_walkable()).collect();
        for id in occurring {
            picture.push_legend(swatch(self.colour(id)), self.name(id));
        }
    }
}

/// An empty picture of a grid, its border marked.
fn grid_picture(grid: &Grid, stage: &str, options: &StageOptions) -> Picture {
    let plane = Plane::new(grid, options.lattice_zero);
    let max = plane.corner(i64::from(grid.width), i64::from(grid.depth));
    Picture::new(options.title(stage), Window { min: plane.origin, max }.padded(0.025))
}

/// Adds cells, and the lines between them if they are large enough.
fn push_cells(picture: &mut Picture, name: &'static str, cells: &ColourGrid, plane: &Plane) {
    let mut shapes = cells.shapes();
    shapes.extend(plane.lines(Colour::MAP));
    picture.push_layer(name, shapes);
}

/// Marks the tile within its border, on top of all else.
fn push_border(picture: &mut Picture, grid: &Grid, options: &StageOptions) {
    let doubled = u64::from(grid.border) * 2;
    if grid.border == 0 || doubled >= u64::from(grid.width.min(grid.depth)) {
        return;
    }
    let plane = Plane::new(grid, options.lattice_zero);
    let border = i64::from(grid.border);
    let min = plane.corner(border, border);
    let max = plane.corner(i64::from(grid.width) - border, i64::from(grid.depth) - border);
    let stroke = Stroke::new(Colour::PORTAL, 2.2).dashed(10.0, 6.0);
    let outline = vec![min, [min[0], max[1]], max, [max[0], min[1]]];
    picture.push_layer("border", vec![Shape::filled(vec![outline], Style::line(stroke))]);
    picture.push_legend(Swatch::Line(stroke), "edge of the tile, its border outside");
}

/// The fault in the arrays of a field of columns, if there is one.
fn column_fault(grid: &Grid, offsets: &[u32], lengths: &[usize]) -> Option<String> {
    let count = lengths.first().copied().unwrap_or(0);
    if offsets.len() != grid.columns() + 1 {
        return Some(format!("{} offsets for {} columns", offsets.len(), grid.columns()));
    }
    if !offsets.is_sorted() || offsets.first() != Some(&0) {
        return Some("offsets of columns do not rise from 0".to_owned());
    }
    if offsets.last().is_none_or(|&last| last as usize != count) || lengths.iter().any(|&l| l != count) {
        return Some(format!("arrays of different lengths: {lengths:?}"));
    }
    None
}

/// A picture with a message, if a field is broken or empty.
fn unless_drawable(
    stage: &str,
    options: &StageOptions,
    fault: Option<String>,
    count: usize,
    what: &str,
) -> Option<Picture> {
    let note = match (fault, count) {
        (Some(fault), _) => format!("Cannot be drawn: {fault}."),
        (None, 0) => format!("Nothing to draw: there are no {what}."),
        _ => return None,
    };
    Some(Picture::empty(options.title(stage), note))
}

fn span_fault<S>(field: &SpanField<S>) -> Option<String> {
    column_fault(&field.grid, &field.offsets, &[field.min.len(), field.max.len(), field.area.len()])
}

/// Smallest and largest of some heights in cells; 0 without any.
fn cell_range(heights: impl Iterator<Item = i32>) -> [i32; 2] {
    heights
        .fold(None, |range: Option<[i32; 2]>, height| {
            let [low, high] = range.unwrap_or([height, height]);
            Some([low.min(height), high.max(height)])
        })
        .unwrap_or([0, 0])
}

/// Position of a value within a range of cells, 0 to 1; 0.5 in a range without extent.
fn share(value: i32, [low, high]: [i32; 2]) -> f64 {
    let extent = f64::from(high) - f64::from(low);
    if extent > 0.0 { (f64::from(value) - f64::from(low)) / extent } else { 0.5 }
}

/// The ramp of heights, with the ends in metres.
fn height_ramp(range: [i32; 2], grid: &Grid, options: &StageOptions) -> Ramp {
    let metres = |cells: i32| {
        let height = options.lattice_zero[1] + f64::from(cells) * f64::from(grid.cell_height);
        format!("{} m", fixed(height, 2))
    };
    Ramp {
        title: "height".to_owned(),
        colours: ramp_colours(),
        low: metres(range[0]),
        high: metres(range[1]),
    }
}

fn ramp_colours() -> Vec<Colour> {
    let steps = colour::RAMP_STEPS;
    (0..steps).map(|i| colour::ramp(f64::from(i) / f64::from(steps - 1))).collect()
}

/// `122 x 104 columns of 0.3 m`.
fn grid_facts(grid: &Grid) -> String {
    let cell = fixed(f64::from(grid.cell_size), 4);
    format!("{} \u{d7} {} columns of {cell} m", grid.width, grid.depth)
}

/// Calls `visit` with the coordinates and the shown span of each column that has one.
fn each_shown(
    grid: &Grid,
    offsets: &[u32],
    floor: Floor,
    walkable: impl Fn(usize) -> bool,
    mut visit: impl FnMut(u32, u32, usize),
) {
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column = grid.column(x, z);
            let range = offsets[column] as usize..offsets[column + 1] as usize;
            if let Some(span) = floor.pick(range, &walkable) {
                visit(x, z, span);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_picked() {
        let walkable = |span: usize| span == 4 || span == 5;
        assert_eq!(Floor::Uppermost.pick(3..8, walkable), Some(5));
        assert_eq!(Floor::Lowest.pick(3..8, walkable), Some(4));
        assert_eq!(Floor::Level(4).pick(3..8, walkable), Some(7));
        assert_eq!(Floor::Level(5).pick(3..8, walkable), None);
        assert_eq!(Floor::Uppermost.pick(6..8, walkable), Some(7));
        assert_eq!(Floor::Lowest.pick(8..8, walkable), None);
    }

    #[test]
    fn areas_have_colours_of_their_own() {
        let named = |id, name: &str| AreaMeta { name: name.to_owned(), ..AreaMeta::unnamed(id) };
        let given = AreaMeta { colour: Some([1, 2, 3]), ..named(12, "water") };
        let areas =
            Areas::new(&[named(9, "mud"), given], [AreaId::GROUND, AreaId(5), AreaId::NULL].into_iter());
        assert_eq!(areas.colour(AreaId::GROUND), Colour::GROUND);
        assert_eq!(areas.colour(AreaId::NULL), Colour::BLOCKED);
        assert_ne!(areas.colour(AreaId(5)), areas.colour(AreaId(9)));
        assert_eq!(areas.colour(AreaId(12)), Colour([1, 2, 3]));
        assert_eq!([5, 9, 63].map(|id| areas.name(AreaId(id))), ["area 5", "mud", "ground"]);
    }

    #[test]
    fn shares_of_a_range() {
        assert_eq!(share(3, [1, 5]), 0.5);
        assert_eq!(share(3, [3, 3]), 0.5);
        assert_eq!(cell_range([4, -2, 3].into_iter()), [-2, 4]);
    }
}
