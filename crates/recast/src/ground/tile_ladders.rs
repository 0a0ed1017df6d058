//! The ladder surfaces of a tile: the parts of the triangles whose area is named by a ladder profile, by
//! column. Units: cells from the lattice's zero. Cost: O(columns that these triangles reach × log of their
//! number).

use crate::data::Grid;
use crate::input::PreparedLevel;
use crate::source::Source;
use crate::stage::rasterize::{cut, quantise};
use navmath::sort::SharedSort;
use navtile::area::AreaId;

/// A range of heights with surfaces of one area in a column of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LadderSurface {
    /// Area of the surface.
    pub area: AreaId,
    /// x + z * width, without the border of the tile.
    pub column: u32,
    /// Bottom and top.
    pub heights: [i32; 2],
}

/// All ladder surfaces of a tile without its border, by area, column and height; those of one area do not
/// touch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileLadders(Vec<LadderSurface>);

impl TileLadders {
    /// The surfaces of the triangles that a tile is baked from. The part of a triangle in a column depends on
    /// these two alone, not on the tile.
    pub fn of_triangles(source: Source<'_>, grid: &Grid) -> TileLadders {
        let level = source.level;
        let Some(mut cutter) = LadderCutter::new(level, grid) else { return TileLadders::default() };
        let mut take = |triangle: usize| {
            let area = level.area(triangle);
            if cutter.takes(area) {
                cutter.cut(&level.corners(triangle), area, level.height);
            }
        };
        match source.ids {
            Some(ids) => ids.iter().for_each(|&id| take(id as usize)),
            None => (0..level.triangle_count()).for_each(&mut take),
        }
        cutter.with([])
    }

    /// Builds the list from surfaces in any order.
    pub fn new(mut surfaces: Vec<LadderSurface>) -> TileLadders {
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

    /// The surfaces, by area, column and height.
    pub fn surfaces(&self) -> &[LadderSurface] {
        &self.0
    }

    /// Memory of the list, bytes.
    pub fn memory(&self) -> usize {
        size_of_val(self.0.as_slice())
    }
}

/// Cuts triangles of ladders into the columns of a tile, without its border.
pub struct LadderCutter {
    areas: Vec<AreaId>,
    lines: cut::Lines,
    cell_height: f32,
    width: u32,
    surfaces: Vec<LadderSurface>,
}

impl LadderCutter {
    /// A cutter for a tile of a level; `None` if no profile asks for ladders.
    pub fn new(level: &PreparedLevel, grid: &Grid) -> Option<LadderCutter> {
        let areas: Vec<AreaId> =
            level.config.settings.links.iter().filter_map(|profile| profile.surface).collect();
        if areas.is_empty() {
            return None;
        }
        let (width, depth, [x, _, z]) = (grid.inner_width(), grid.inner_depth(), grid.inner_base());
        // Fits in the lattice's 32-bit cells, as the grid does.
        let inner = Grid { width, depth, border: 0, base_x: x as i32, base_z: z as i32, ..*grid };
        let lines = cut::Lines::new(&inner, level.lattice.cell_size).clipped(level.size[0], level.size[2]);
        Some(LadderCutter { areas, lines, cell_height: grid.cell_height, width, surfaces: Vec::new() })
    }

    /// Returns true if triangles of an area are ladders.
    pub fn takes(&self, area: AreaId) -> bool {
        self.areas.contains(&area)
    }

    /// Adds the part of a ladder's triangle that is between 0 and a height in metres.
    pub fn cut(&mut self, corners: &[[f32; 3]; 3], area: AreaId, height: f32) {
        cut::cut(corners, &self.lines, |x, z, low, high| {
            if let Some((bottom, top)) = quantise(low, high, height, self.cell_height) {
                let column = x + z * self.width;
                self.surfaces.push(LadderSurface { area, column, heights: [bottom, top] });
            }
        });
    }

    /// The surfaces that were added, together with others.
    pub fn with(mut self, others: impl IntoIterator<Item = LadderSurface>) -> TileLadders {
        self.surfaces.extend(others);
        TileLadders::new(self.surfaces)
    }
}
