//! Off-mesh links snap to the nearest polygon within reach; a search through all polygons gives the same
//! result.

use crate::common;
use crate::common::{Dice, tile};
use navtile::limits::SNAP_LIMIT;
use navtile::off_mesh::{Snap, end_tile, global, snap};
use navtile::{Tile, TileContent, TileCoord};

fn built(content: &TileContent) -> Tile {
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

/// A flat rectangle: x, z, width, depth, height.
fn flat([x, z, width, depth, height]: [i32; 5]) -> Vec<[i32; 3]> {
    let at = |x: i32, z: i32| [x, height, z];
    vec![at(x, z + depth), at(x + width, z + depth), at(x + width, z), at(x, z)]
}

/// The climb of the tiles of the tests: 0.9 m of 0.2 m cells, fixed-point.
const CLIMB: i32 = 1152;

fn snapped(tile: &Tile, at: [i32; 3], radius: i32) -> Option<Snap> {
    snap(tile, global(tile, at), radius)
}

#[test]
fn reach_ends_at_the_radius_and_at_the_climb() {
    let tile = built(&tile(&[flat([100, 100, 200, 200, 50])]));
    let found = |at, radius| snapped(&tile, at, radius).map(|snap| snap.point);
    assert_eq!(found([150, 50, 250], 1), Some([150.0, 50.0, 250.0]));
    assert_eq!(found([330, 60, 340], 50), Some([300.0, 50.0, 300.0]));
    assert_eq!(found([330, 60, 340], 49), None);
    assert_eq!(found([150, 50 + CLIMB, 250], 1), Some([150.0, 50.0, 250.0]));
    assert_eq!(found([150, 50 - CLIMB, 250], 1), Some([150.0, 50.0, 250.0]));
    assert_eq!(found([150, 51 + CLIMB, 250], 1), None);
    assert_eq!(found([150, 49 - CLIMB, 250], 1), None);
    let far = [i64::MAX, 0, i64::MIN];
    assert_eq!(snap(&tile, far, i32::MAX), None);
}

#[test]
fn what_is_out_of_reach_hides_nothing() {
    // One straight above, but higher than a climb; and one to the side, lower by less.
    let tile = built(&tile(&[flat([0, 0, 100, 100, CLIMB + 1]), flat([110, 0, 100, 100, -CLIMB])]));
    let found = snapped(&tile, [95, 0, 50], 20).unwrap();
    assert_eq!(found.point, [110.0, f64::from(-CLIMB), 50.0]);
    assert_eq!(snapped(&tile, [95, 0, 50], 14), None);
}

#[test]
fn of_equals_the_smaller_index_wins() {
    let tile = built(&tile(&[flat([0, 0, 100, 100, 0]), flat([200, 0, 100, 100, 0])]));
    let middle = snapped(&tile, [150, 0, 50], 60).unwrap();
    assert_eq!(middle.polygon, 0);
    let right = snapped(&tile, [151, 0, 50], 60).unwrap();
    assert_eq!(right.polygon, 1);
}

#[test]
fn an_end_near_more_polygons_than_the_limit_has_no_ground() {
    // Equally near, and all different.
    let storeys = |count: u32| {
        let polygons: Vec<Vec<[i32; 3]>> =
            (0..count as i32).map(|at| flat([1, 1, 100 + at, 100, 0])).collect();
        built(&tile(&polygons))
    };
    assert_eq!(snapped(&storeys(SNAP_LIMIT), [-50, 0, 50], 60).map(|snap| snap.polygon), Some(0));
    let crowded = storeys(SNAP_LIMIT + 1);
    assert_eq!(snapped(&crowded, [-50, 0, 50], 60), None);
    // Out of reach of all polygons there is no crowd, only no ground.
    assert_eq!(snapped(&crowded, [-50, 0, 50], 40), None);
}

#[test]
fn heights_are_those_of_the_detail_surface() {
    let content = common::everything();
    let tile = built(&content);
    for (index, polygon) in tile.polygons().iter().enumerate().filter(|(_, p)| p.detail_vertex_count > 0) {
        let vertex = tile.vertices()[polygon.first_detail_vertex as usize];
        let found = snapped(&tile, vertex, 1).unwrap();
        assert_eq!((found.polygon as usize, found.point), (index, vertex.map(f64::from)));
    }
}

#[test]
fn the_end_may_be_given_relative_to_another_tile() {
    let content = tile(&[flat([0, 0, 100, 100, 0])]);
    let here = built(&content);
    let other = TileContent { base_cell: [-40, 900, 1 << 33], ..content };
    let there = built(&other);
    let link = common::everything().off_mesh_links[0];
    assert_eq!(end_tile(&link), TileCoord { x: -4, z: -1, layer: 0 });
    // The base cells are too far apart along z for a link; along the other axes the same position has the
    // same number.
    let offset =
        |axis: usize| ((here.header().base_cell[axis] - there.header().base_cell[axis]) * 256) as i32;
    let (a, b) = (global(&here, [7, 5, 0]), global(&there, [7 + offset(0), 5 + offset(1), 0]));
    assert_eq!((a[0], a[1]), (b[0], b[1]));
    assert_eq!(snap(&here, global(&here, [7, 5, 3]), 9), snap(&there, global(&there, [7, 5, 3]), 9));
}

#[test]
fn the_tree_leaves_out_nothing() {
    let mut met = 0;
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let rectangles: Vec<[i32; 5]> = (0..60)
            .map(|_| {
                [dice.roll(3800), dice.roll(3800), 1 + dice.roll(300), 1 + dice.roll(300), dice.roll(6000)]
            })
            .collect();
        let corners: Vec<_> = rectangles.iter().map(|rectangle| flat(*rectangle)).collect();
        let tile = built(&tile(&corners));
        for _ in 0..50 {
            let at = [dice.roll(4500) - 200, dice.roll(6500), dice.roll(4500) - 200];
            let radius = 1 + dice.roll(1000);
            let found = snapped(&tile, at, radius);
            let expected = tile.polygons().iter().enumerate().filter_map(|(index, polygon)| {
                let edges = tile.polygon_edges(polygon);
                let corner = |i: usize| tile.vertices()[edges[i].vertex as usize];
                let (low, high) = (
                    std::array::from_fn::<i32, 3, _>(|axis| (0..4).map(|i| corner(i)[axis]).min().unwrap()),
                    std::array::from_fn::<i32, 3, _>(|axis| (0..4).map(|i| corner(i)[axis]).max().unwrap()),
                );
                let away: [i64; 3] = std::array::from_fn(|axis| {
                    i64::from(at[axis].clamp(low[axis], high[axis])) - i64::from(at[axis])
                });
                let within = away[0] * away[0] + away[2] * away[2] <= i64::from(radius) * i64::from(radius)
                    && away[1].abs() <= i64::from(CLIMB);
                // A cell is 0.3 m wide and 0.2 m high: squared distances times 100, in whole numbers.
                let distance = 9 * (away[0] * away[0] + away[2] * away[2]) + 4 * away[1] * away[1];
                within.then_some((distance, index as u32))
            });
            assert_eq!(found.map(|snap| snap.polygon), expected.min().map(|best| best.1), "seed {seed}");
            met += usize::from(found.is_some());
        }
    }
    assert!(met > 400, "{met}: the rectangles are too sparse");
}
