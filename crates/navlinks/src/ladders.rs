//! Ladders: the columns in which tiles or volumes have ladder surfaces, and the check that an agent can climb
//! along them.
//! Units: cells from the lattice's zero. Cost: O(columns of marked surfaces × log of their number).

use crate::ground::LevelGround;
use crate::rays::Ray;
use crate::zone::Rect;
use navmath::sort::SharedSort;
use navtile::area::AreaId;
use recast::PreparedLevel;
use recast::inside::Footprint;
use recast::inside::ground::GroundFloor;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The columns with surfaces of one area, each with the height ranges of these, bottom and top, ascending and
/// not touching.
#[derive(Default)]
pub(super) struct Ladders {
    columns: BTreeMap<[i32; 2], Vec<[i32; 2]>>,
}

impl Ladders {
    /// The surfaces of an area in the ground of a level, and in the volumes that mark it.
    pub(super) fn new(level: &PreparedLevel, ground: &LevelGround, area: AreaId) -> Ladders {
        let mut columns: BTreeMap<[i32; 2], Vec<[i32; 2]>> = BTreeMap::new();
        for (column, heights) in ground.ladders(area) {
            columns.entry(column).or_default().push(heights);
        }
        for volume in level.config.settings.volumes.iter().filter(|volume| volume.area == area) {
            let footprint = Footprint::new(&volume.shape, &level.lattice);
            let [across, rows] = columns_of(&footprint, level, &ground.bounds());
            let [low, high] = footprint.heights();
            let levels = low.max(0)..=high.min(i64::from(level.size[1]));
            for x in across {
                for z in rows.clone() {
                    let covered = |height: &i64| footprint.covers([x, z], *height as i32);
                    let mut heights = levels.clone().filter(covered);
                    if let Some(low) = heights.next() {
                        let top = heights.next_back().unwrap_or(low) + 1;
                        columns.entry([x as i32, z as i32]).or_default().push([low as i32, top as i32]);
                    }
                }
            }
        }
        columns.values_mut().for_each(|ranges| *ranges = joined(std::mem::take(ranges)));
        Ladders { columns }
    }

    fn at(&self, column: [i32; 2]) -> &[[i32; 2]] {
        self.columns.get(&column).map_or(&[], Vec::as_slice)
    }

    /// Returns true if the part of a span between two heights belongs entirely to a ladder.
    pub(super) fn hold(&self, column: [i32; 2], [bottom, top]: [i32; 2], [low, high]: [i32; 2]) -> bool {
        let (mut reached, end) = (bottom.max(low), top.min(high));
        for range in self.at(column).iter().filter(|range| range[0] <= end) {
            if range[0] <= reached {
                reached = reached.max(range[1]);
            }
        }
        reached >= end
    }

    /// Returns true if a ladder connects a floor with another one, `foot` high, at the end of step `k` of a
    /// ray: surfaces along the ray's line lead up without gaps, except for steps that an agent can climb.
    pub(super) fn lead(&self, top: &GroundFloor, (ray, k): (&Ray, i32), foot: i32, climb: i32) -> bool {
        let [dx, dz] = ray.direction;
        let is_on_line = |[x, z]: [i32; 2]| {
            let beside = x * dz - z * dx;
            // Three quarters of a cell, so that no line passes between two columns.
            16 * beside * beside <= 9 * ray.length2 && (0..=k * ray.length2).contains(&(x * dx + z * dz))
        };
        let places = ray.passed(k).map(|column| column.at).filter(|&at| is_on_line(at));
        let ranges: Vec<[i32; 2]> =
            places.flat_map(|[x, z]| self.at([top.at[0] + x, top.at[1] + z])).copied().collect();
        let mut reached = foot;
        for [bottom, end] in joined(ranges) {
            if bottom - reached > climb.max(1) {
                break;
            }
            reached = reached.max(end);
        }
        reached > foot && top.height - reached <= climb.max(1)
    }
}

/// The columns of a volume that are in the level and in a rectangle, along x and z.
pub(super) fn columns_of(
    footprint: &Footprint,
    level: &PreparedLevel,
    within: &Rect,
) -> [RangeInclusive<i64>; 2] {
    let of_axis = |axis: usize, [first, last]: [i64; 2], cells: u32| {
        let first = first.max(0).max(i64::from(within.low[axis]));
        first..=last.min(i64::from(cells) - 1).min(i64::from(within.high[axis]) - 1)
    };
    [of_axis(0, footprint.columns, level.size[0]), of_axis(1, footprint.rows, level.size[2])]
}

/// Ranges in ascending order, merged if they touch.
fn joined(mut ranges: Vec<[i32; 2]>) -> Vec<[i32; 2]> {
    ranges.shared_sort();
    let mut joined: Vec<[i32; 2]> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range[0] <= last[1] => last[1] = last[1].max(range[1]),
            _ => joined.push(range),
        }
    }
    joined
}
