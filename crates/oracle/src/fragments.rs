//! Our span fragments, one triangle at a time, for the C++ library to merge.
//!
//! A fragment depends only on its triangle and its lattice cell. So each triangle is rasterized on its own,
//! on the small grid around it, and every column holds at most one fragment. Cost: O(columns touched).

use recast::data::Grid;
use recast::stage::rasterize::{self, Source};
use recast::{AreaId, Context, Error, PreparedLevel};

/// A fragment and the column of the whole grid it falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnFragment {
    /// Column along x.
    pub x: u32,
    /// Column along z.
    pub z: u32,
    /// Bottom, cells.
    pub min: i32,
    /// Top, cells.
    pub max: i32,
    /// Area of its triangle.
    pub area: AreaId,
}

/// The fragments of all triangles on `grid`, in the order of triangles.
pub fn of_level(level: &PreparedLevel, areas: &[AreaId], grid: &Grid) -> Result<Vec<ColumnFragment>, Error> {
    let context = &mut Context::new();
    let mut fragments = Vec::new();
    for (triangle, &area) in areas.iter().enumerate() {
        let Some(part) = around(&level.corners(triangle), grid) else { continue };
        let params = rasterize::Params { merge_threshold: 0 };
        let id = [triangle as u32];
        let spans = rasterize::run((Source::some(level, &id), &[area], &part), &params, context)?;
        let (left, top) = ((part.base_x - grid.base_x) as u32, (part.base_z - grid.base_z) as u32);
        for z in 0..part.depth {
            for x in 0..part.width {
                for span in spans.column(part.column(x, z)) {
                    let (min, max, area) = (spans.min[span], spans.max[span], spans.area[span]);
                    fragments.push(ColumnFragment { x: left + x, z: top + z, min, max, area });
                }
            }
        }
    }
    Ok(fragments)
}

/// Sorts fragments by (top, bottom, area) within each column: the order in which ours are merged.
pub fn sort(fragments: &mut [ColumnFragment]) {
    fragments.sort_by_key(|f| (f.z, f.x, f.max, f.min, f.area));
}

/// The part of `grid` around a triangle, a column wider on each side; `None` if they do not meet.
fn around(corners: &[[f32; 3]], grid: &Grid) -> Option<Grid> {
    let reach = |axis: usize, base: i32, count: u32| {
        let cell = |corner: &[f32; 3]| (f64::from(corner[axis]) / f64::from(grid.cell_size)).floor() as i64;
        let first = corners.iter().map(cell).min()? - 1;
        let last = corners.iter().map(cell).max()? + 1;
        let (base, end) = (i64::from(base), i64::from(base) + i64::from(count));
        let (first, end) = (first.max(base), (last + 1).min(end));
        (first < end).then_some((first as i32, (end - first) as u32))
    };
    let (base_x, width) = reach(0, grid.base_x, grid.width)?;
    let (base_z, depth) = reach(2, grid.base_z, grid.depth)?;
    Some(Grid { width, depth, border: 0, base_x, base_z, ..*grid })
}
