//! The ground of a map: outlines, without obstacles and without the agent's radius, and the borders of areas
//! on it.

use crate::boolean::{Booleans, GridPolygon, HoledPolygon, Ring};
use crate::erode::{self, RoundJoin};
use crate::error::Error;
use crate::grid::Grid;
use crate::map::{Map, Polygon};
use crate::noding::check_crossings;
use crate::segment::{Segment, Windings, add_ring};
use crate::settings::Settings;
use crate::vanished;
use navtile::AreaId;

/// The ground of a map, before areas.
pub(crate) struct Ground {
    pub(crate) grid: Grid,
    /// Outlines without any ground left, as [`Mesh::vanished`](crate::Mesh::vanished).
    pub(crate) vanished: Vec<usize>,
    booleans: Booleans,
    polygons: Vec<HoledPolygon>,
}

impl Ground {
    /// The ground of a map, without the agent's radius along walls.
    pub(crate) fn new(map: &Map, settings: &Settings) -> Result<Ground, Error> {
        settings.check()?;
        let grid = Grid::of(map, settings.spacing)?;
        let snapped = |polygons: &[Polygon]| -> Vec<GridPolygon> {
            polygons.iter().map(|polygon| GridPolygon::new(polygon, &grid)).collect()
        };
        let outlines = snapped(&map.outlines);
        let (sorted, obstacles) = (sorted(outlines.clone()), sorted(snapped(&map.obstacles)));
        check_crossings(sorted.iter().chain(&obstacles).flat_map(GridPolygon::rings))?;
        let mut booleans = Booleans::new();
        let polygons = booleans.ground(&sorted, &obstacles);
        if polygons.is_empty() {
            return Err(if sorted.is_empty() || obstacles.is_empty() {
                Error::Empty
            } else {
                Error::NothingLeft { radius: settings.agent_radius }
            });
        }
        let Some(join) = round_join(settings, &grid) else {
            return Ok(Ground { grid, vanished: Vec::new(), booleans, polygons });
        };
        let swept = erode::sweep(&polygons, join);
        let rings: Vec<Ring> = polygons.iter().flatten().cloned().collect();
        let left = booleans.difference(&rings, &swept);
        let vanished = vanished::outlines(&outlines, &polygons, &left);
        Ok(Ground { grid, vanished, booleans, polygons: left })
    }

    /// The walls of the ground, which are shape 0, and the borders of areas, which are shapes 1 and up.
    pub(crate) fn borders(&mut self, map: &Map) -> Result<Vec<Segment>, Error> {
        let mut segments: Vec<Segment> = Vec::new();
        for ring in self.polygons.iter().flatten() {
            add_ring(&mut segments, ring, 0);
        }
        for (at, labelled) in map.areas.iter().enumerate() {
            let shape = navmath::limit::to_u32("areas of a map", at + 1, "join areas that are alike")?;
            for ring in self.booleans.polygon(&GridPolygon::new(&labelled.polygon, &self.grid)) {
                add_ring(&mut segments, &ring, shape);
            }
        }
        Ok(segments)
    }
}

/// Sorts polygons, so that the result does not depend on their order in the map.
fn sorted(mut polygons: Vec<GridPolygon>) -> Vec<GridPolygon> {
    polygons.retain(|polygon| !polygon.is_empty());
    polygons.sort_unstable();
    polygons.dedup();
    polygons
}

/// The agent's radius on the grid; `None` without a radius.
fn round_join(settings: &Settings, grid: &Grid) -> Option<RoundJoin> {
    if settings.agent_radius == 0.0 {
        return None;
    }
    let error = settings.join_error.unwrap_or(settings.agent_radius / 100.0) / grid.spacing;
    // A radius as large as the map leaves nothing, so larger ones need not be represented.
    let largest = f64::from(grid.size[0].max(grid.size[1])) * 2.0;
    let radius = settings.agent_radius / grid.spacing;
    let scale = (largest / radius).min(1.0);
    Some(RoundJoin { radius: radius * scale, error: error * scale })
}

/// The area of a place from the winding numbers of [`Ground::borders`] there.
pub(crate) fn area_by_shape(map: &Map) -> impl Fn(&Windings) -> u8 {
    let area =
        |shape: u32| map.areas.get(shape as usize - 1).map_or(AreaId::GROUND, |labelled| labelled.area);
    move |windings: &Windings| {
        if windings.get(&0).is_none_or(|&count| count <= 0) {
            return AreaId::NULL.0;
        }
        let last = windings.range(1..).rev().find(|(_, count)| **count > 0);
        last.map_or(AreaId::GROUND, |(&shape, _)| area(shape)).0
    }
}

/// The area of a place from its winding numbers, if shapes are areas.
pub(crate) fn area_of_area(windings: &Windings) -> u8 {
    windings.iter().find(|(_, count)| **count > 0).map_or(0, |(&area, _)| area as u8)
}
