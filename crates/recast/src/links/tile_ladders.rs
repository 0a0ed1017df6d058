//! The surfaces of ladders in a tile: the parts of triangles whose area a profile of ladders names, by column.
//! Units: cells from the lattice's zero. Cost: O(columns that these triangles reach × log of their number).

use crate::area::AreaId;
use crate::data::Grid;
use crate::stage::rasterize::{Source, cut, quantise};
use navmath::sort::SharedSort;

/// A range of heights in a column of a tile, where it has surfaces of one area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LadderSurface {
    pub(super) area: AreaId,
    /// x + z * width, the border of the tile left out.
    pub(super) column: u32,
    /// Bottom and top.
    pub(super) heights: [i32; 2],
}

/// The surfaces of all ladders in a tile, its border left out: by area, column and height, those of one area apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TileLadders(Vec<LadderSurface>);

impl TileLadders {
    /// Those of the triangles that a tile is baked from. The part of a triangle in a column depends on these two alone, and not
    /// on the tile.
    pub(crate) fn of_triangles(source: Source<'_>, grid: &Grid) -> TileLadders {
        let level = source.level;
        let profiles = &level.config.settings.links;
        let is_ladder = |area: AreaId| profiles.iter().any(|profile| profile.surface == Some(area));
        if profiles.iter().all(|profile| profile.surface.is_none()) {
            return TileLadders::default();
        }
        let (width, depth, [x, _, z]) = (grid.inner_width(), grid.inner_depth(), grid.inner_base());
        // Within the lattice's 32-bit cells, as the grid is.
        let inner = Grid { width, depth, border: 0, base_x: x as i32, base_z: z as i32, ..*grid };
        let lines = cut::Lines::new(&inner, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
        let mut surfaces = Vec::new();
        let mut take = |triangle: usize| {
            let area = level.area(triangle);
            if !is_ladder(area) {
                return;
            }
            cut::cut(&level.corners(triangle), &lines, |x, z, low, high| {
                if let Some((bottom, top)) = quantise(low, high, level.height, grid.cell_height) {
                    surfaces.push(LadderSurface { area, column: x + z * width, heights: [bottom, top] });
                }
            });
        };
        match source.ids {
            Some(ids) => ids.iter().for_each(|&id| take(id as usize)),
            None => (0..level.triangle_count()).for_each(&mut take),
        }
        TileLadders::new(surfaces)
    }

    /// Those in any order.
    pub(super) fn new(mut surfaces: Vec<LadderSurface>) -> TileLadders {
        surfaces.shared_sort();
        let mut apart: Vec<LadderSurface> = Vec::with_capacity(surfaces.len());
        for surface in surfaces {
            let is_beside = |last: &&mut LadderSurface| {
                (last.area, last.column) == (surface.area, surface.column)
                    && surface.heights[0] <= last.heights[1]
            };
            match apart.last_mut().filter(is_beside) {
                Some(last) => last.heights[1] = last.heights[1].max(surface.heights[1]),
                None => apart.push(surface),
            }
        }
        TileLadders(apart)
    }

    pub(super) fn surfaces(&self) -> &[LadderSurface] {
        &self.0
    }

    /// Memory that they take, bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}
