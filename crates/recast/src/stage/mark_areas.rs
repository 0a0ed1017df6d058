//! Stage 8, mark areas: `CompactField<Eroded>` -> `CompactField<Eroded>`.
//! Units: metres. Cost: O(columns under the volumes). Figure: docs/figures/08-mark-areas.svg.
//! Source: M. Mononen, Recast (RecastArea.cpp: rcMarkBoxArea, rcMarkConvexPolyArea, rcMarkCylinderArea,
//! rcMedianFilterWalkableArea). Deviations: columns are found on the global lattice in f64, so that tiles
//! agree; a volume that ends below the lattice's zero marks nothing; prisms need not be convex; rotated boxes
//! and capsules are ours.
//!
//! Gives the floors within volumes another area, or makes them unwalkable. Eroded floors remain eroded.

use super::Context;
use crate::data::compact::state::Eroded;
use crate::data::{CompactField, Direction};
use crate::error::Error;
use crate::ground_mark::GroundMark;
use crate::settings::Config;
use crate::volume::{Footprint, Volume};
use navmath::Lattice;
use navmath::sort::SharedSort;
use navtile::area::AreaId;

/// Parameters of the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Params {
    /// Replace each area by the median of its neighbourhood afterwards. Default off: it rounds off marked
    /// volumes.
    pub median_filter: bool,
}

impl From<&Config> for Params {
    fn from(config: &Config) -> Params {
        Params { median_filter: config.settings.median_filter }
    }
}

/// Marks the floors within each volume in turn, then the floors within obstacles: if several overlap, the
/// later one wins.
pub fn run(
    (mut field, volumes, marks, lattice): (CompactField<Eroded>, &[Volume], &[GroundMark<'_>], &Lattice),
    params: &Params,
    _: &mut Context,
) -> Result<CompactField<Eroded>, Error> {
    for volume in volumes {
        mark(&mut field, volume, lattice);
    }
    for obstacle in marks {
        mark_obstacle(&mut field, obstacle, lattice);
    }
    if params.median_filter {
        median_filter(&mut field);
    }
    Ok(field)
}

fn mark(field: &mut CompactField<Eroded>, volume: &Volume, lattice: &Lattice) {
    let footprint = Footprint::new(&volume.shape, lattice);
    let grid = field.grid;
    let clip = |range: [i64; 2], base: i32, count: u32| {
        let first = (range[0] - i64::from(base)).clamp(0, i64::from(count));
        let end = (range[1] + 1 - i64::from(base)).clamp(first, i64::from(count));
        first as u32..end as u32
    };
    let columns = clip(footprint.columns, grid.base_x, grid.width);
    for z in clip(footprint.rows, grid.base_z, grid.depth) {
        for x in columns.clone() {
            let column = [i64::from(grid.base_x) + i64::from(x), i64::from(grid.base_z) + i64::from(z)];
            for span in field.column(grid.column(x, z)) {
                if field.area[span].is_walkable() && footprint.covers(column, field.floor[span]) {
                    field.area[span] = volume.area;
                }
            }
        }
    }
}

fn mark_obstacle(field: &mut CompactField<Eroded>, obstacle: &GroundMark<'_>, lattice: &Lattice) {
    let grid = field.grid;
    obstacle.for_each_column(&grid, lattice.cell_size, |column, [low, high]| {
        for span in field.column(column) {
            if field.area[span].is_walkable() && (low..=high).contains(&i64::from(field.floor[span])) {
                field.area[span] = obstacle.area;
            }
        }
    });
}

/// Replaces the area of each walkable span by the median of its own area and those of its eight neighbours;
/// missing or unwalkable neighbours count as its own. Of two areas this is the one with more spans.
/// Priorities do not matter, because they are about surfaces above each other. Of three or more areas it may
/// be one with an id between the others.
pub fn median_filter(field: &mut CompactField<Eroded>) {
    let filtered: Vec<AreaId> = (0..field.len())
        .map(|span| {
            let own = field.area[span];
            if !own.is_walkable() {
                return own;
            }
            let mut around = [own; 9];
            for direction in Direction::ALL {
                let slot = direction as usize * 2;
                let beside = field.neighbour(span, direction);
                let across = field.diagonal(span, direction, direction.next());
                for (slot, other) in [(slot, beside), (slot + 1, across)] {
                    if let Some(area) = other.map(|other| field.area[other]).filter(|area| area.is_walkable())
                    {
                        around[slot] = area;
                    }
                }
            }
            around.shared_sort();
            around[4]
        })
        .collect();
    field.area = filtered;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::testing::{compact_picture, flat};
    use crate::volume::Shape;

    fn marked(shape: Shape, area: u8) -> String {
        let room = vec!["1".repeat(8); 6].join("\n");
        let lattice = Lattice { origin: [10.0, 0.0, 20.0], cell_size: 1.0, cell_height: 1.0 };
        let volume = Volume { shape, area: AreaId(area) };
        let field =
            run((flat(&room), &[volume], &[], &lattice), &Params::default(), &mut Context::new()).unwrap();
        compact_picture(&field, |span| char::from_digit(u32::from(field.area[span].0), 10).unwrap())
    }

    #[test]
    fn a_box_marks_every_column_it_reaches() {
        let shape = Shape::Box { min: [11.5, 0.0, 22.0], max: [13.5, 2.0, 23.5] };
        assert_eq!(marked(shape, 2), "11111111\n11111111\n12221111\n12221111\n11111111\n11111111");
    }

    #[test]
    fn a_box_above_the_floor_marks_nothing() {
        let shape = Shape::Box { min: [11.5, 3.0, 22.0], max: [13.5, 4.0, 23.5] };
        assert!(!marked(shape, 2).contains('2'));
    }

    #[test]
    fn a_prism_need_not_be_convex() {
        let corner = [[10.0, 20.0], [10.0, 26.0], [18.0, 26.0], [18.0, 24.0], [12.0, 24.0], [12.0, 20.0]];
        let shape = Shape::Prism { outline: corner.to_vec(), bottom: 0.0, top: 3.0 };
        assert_eq!(marked(shape, 2), "22111111\n22111111\n22111111\n22111111\n22222222\n22222222");
    }

    #[test]
    fn round_shapes_mark_by_the_middle_of_the_cell() {
        let cylinder = Shape::Cylinder { base: [14.0, 0.5, 23.0], radius: 2.0, height: 1.0 };
        let expected = "11111111\n11122111\n11222211\n11222211\n11122111\n11111111";
        assert_eq!(marked(cylinder, 2), expected);
        let capsule = Shape::Capsule { a: [14.0, 1.0, 23.0], b: [14.0, 1.0, 23.0], radius: 2.0 };
        assert_eq!(marked(capsule, 2), expected);
    }

    #[test]
    fn a_box_can_be_turned() {
        let shape = Shape::RotatedBox { centre: [14.0, 1.0, 23.0], half_extents: [3.0, 1.0, 0.6], yaw: 90.0 };
        assert_eq!(marked(shape, 2), "11122111\n11122111\n11122111\n11122111\n11122111\n11122111");
    }

    #[test]
    fn null_takes_the_ground_away() {
        let shape = Shape::Box { min: [0.0; 3], max: [99.0; 3] };
        assert!(marked(shape, 0).chars().all(|c| c == '0' || c == '\n'));
    }

    #[test]
    fn the_median_removes_specks() {
        let field = flat("111111\n121111\n111222\n111222\n111222");
        let lattice = Lattice { origin: [0.0; 3], cell_size: 1.0, cell_height: 1.0 };
        let params = Params { median_filter: true };
        let field = run((field, &[], &[], &lattice), &params, &mut Context::new()).unwrap();
        let picture =
            compact_picture(&field, |span| char::from_digit(u32::from(field.area[span].0), 10).unwrap());
        assert_eq!(picture, "111111\n111111\n111122\n111222\n111222");
    }
}
