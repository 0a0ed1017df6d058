//! The floors along the borders of tiles, from the compact fields, and portals compared with them.

use navmath::FIXED_ONE;
use navtile::layout::{Portal, side};
use navtile::seam::{Match, match_portals};
use navtile::{Tile, TileCoord};
use recast::data::{Direction, RegionField};
use std::collections::BTreeMap;

/// A step over a border: its floors on this side and beyond.
type Step = [i32; 2];

/// The steps over the borders of all tiles, by tile, side and cell along the side, from bottom to top.
#[derive(Default)]
pub(super) struct Ground(BTreeMap<(TileCoord, u8, u32), Vec<Step>>);

impl Ground {
    /// Adds the steps of a tile.
    pub(super) fn add(&mut self, coord: TileCoord, regions: &RegionField) {
        let field = &regions.field;
        let grid = &field.grid;
        field.for_each_span(|x, z, span| {
            for (direction, on) in
                Direction::ALL.into_iter().zip([side::X_MIN, side::Z_MAX, side::X_MAX, side::Z_MIN])
            {
                let Some(other) = field.neighbour(span, direction) else { continue };
                if regions.region[span].is_inner() && regions.region[other].is_border() {
                    let along = if on & 1 == 0 { z } else { x } - grid.border;
                    let step = [field.floor[span], field.floor[other]];
                    self.0.entry((coord, on, along)).or_default().push(step);
                }
            }
        });
    }
}

/// Tiles by coordinate.
pub(super) struct Seams<'a>(BTreeMap<TileCoord, &'a Tile>);

/// The height of a portal in the middle of a cell, cells.
fn height(portal: &Portal, cell: u32) -> f64 {
    let [start, end, low, high] =
        [portal.start, portal.end, portal.start_height, portal.end_height].map(f64::from);
    let one = f64::from(FIXED_ONE);
    (low + (high - low) * ((f64::from(cell) + 0.5) * one - start) / (end - start)) / one
}

/// Returns true if a range along a side is over a cell. Ranges of exact outlines may end within a cell.
fn covers(start: i32, end: i32, cell: u32) -> bool {
    start < (cell as i32 + 1) * FIXED_ONE && cell as i32 * FIXED_ONE < end
}

impl<'a> Seams<'a> {
    pub(super) fn of(tiles: &'a [Tile]) -> Seams<'a> {
        Seams(tiles.iter().map(|tile| (tile.coord(), tile)).collect())
    }

    /// The portals of a tile over a cell of a side, from bottom to top.
    fn portals(&self, coord: TileCoord, on: u8, cell: u32) -> Vec<u32> {
        let Some(tile) = self.0.get(&coord) else { return Vec::new() };
        let mut found: Vec<(u32, f64)> = (0..)
            .zip(tile.portals())
            .filter(|(_, portal)| portal.side == on && covers(portal.start, portal.end, cell))
            .map(|(index, portal)| (index, height(portal, cell)))
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found.into_iter().map(|(index, _)| index).collect()
    }

    /// There must be a portal for each step and for nothing else, and portals must match as the steps lead.
    pub(super) fn check(&self, ground: &Ground) {
        for (&coord, tile) in &self.0 {
            for on in side::X_MIN..=side::Z_MIN {
                let beyond = match on {
                    side::X_MIN => TileCoord { x: coord.x - 1, ..coord },
                    side::Z_MAX => TileCoord { z: coord.z + 1, ..coord },
                    side::X_MAX => TileCoord { x: coord.x + 1, ..coord },
                    _ => TileCoord { z: coord.z - 1, ..coord },
                };
                let matches = self.0.get(&beyond).map_or(Vec::new(), |other| match_portals(tile, on, other));
                let size = if on & 1 == 0 { tile.header().depth } else { tile.header().width };
                for cell in 0..size {
                    self.check_cell(ground, (coord, on, cell), beyond, &matches);
                }
            }
        }
    }

    fn check_cell(
        &self,
        ground: &Ground,
        (coord, on, cell): (TileCoord, u8, u32),
        beyond: TileCoord,
        matches: &[Match],
    ) {
        let none = Vec::new();
        let steps = ground.0.get(&(coord, on, cell)).unwrap_or(&none);
        let place = format!("tile {coord:?}, side {on}, cell {cell}, steps {steps:?}");
        let back: Vec<Step> = ground.0.get(&(beyond, Tile::opposite(on), cell)).unwrap_or(&none).clone();
        let turned: Vec<Step> = back.iter().map(|&[floor, other]| [other, floor]).collect();
        assert_eq!(steps, &turned, "{place}: the tile beyond has other steps");
        let ours = self.portals(coord, on, cell);
        let theirs = self.portals(beyond, Tile::opposite(on), cell);
        assert_eq!([ours.len(), theirs.len()], [steps.len(); 2], "{place}: portals {ours:?} and {theirs:?}");
        let led = |&&Match { start, end, .. }: &&Match| covers(start, end, cell);
        let mut found: Vec<(u32, u32)> = matches.iter().filter(led).map(|m| (m.a, m.b)).collect();
        let mut expected: Vec<(u32, u32)> = ours.into_iter().zip(theirs).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{place}: links that are not those of the floors");
    }
}
