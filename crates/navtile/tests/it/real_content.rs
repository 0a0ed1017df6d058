//! The values that baked levels reach for the limits that exist for hostile content.

use navlevel::bake_tiles;
use navtile::Tile;
use navtile::layout::{Polygon, side};
use navtile::limits::{MEETING_LIMIT, SNAP_LIMIT};
use navtile::seam::{Match, SeamPlace, match_portals};
use recast::{Level, PreparedLevel, Settings, Silent};

/// Radius of a link's ends, cells: wider than any in the scenes.
const RADIUS: i32 = 8;

/// The most portals beyond a seam that one portal meets from one place on, and the most polygons near the
/// middle of a portal: within [`RADIUS`] by their boxes seen from above, and within a climb in height.
fn needs(tiles: &[Tile]) -> [usize; 2] {
    let [mut meetings, mut near] = [0; 2];
    for tile in tiles {
        for (dx, dz, on) in [(1, 0, side::X_MAX), (0, 1, side::Z_MAX)] {
            let (x, z) = (tile.coord().x + dx, tile.coord().z + dz);
            let beyond = tiles.iter().filter(|other| (other.coord().x, other.coord().z) == (x, z));
            for other in beyond {
                let found = match_portals(tile, on, other);
                let with = |of: fn(&Match) -> u32, at: &Match| {
                    found.iter().filter(|other| (of(other), other.start) == (of(at), at.start)).count()
                };
                let most = found.iter().map(|at| with(|it| it.a, at).max(with(|it| it.b, at)));
                meetings = meetings.max(most.max().unwrap_or(0));
            }
        }
        let boxes: Vec<[[i32; 3]; 2]> = tile.polygons().iter().map(|polygon| bounds(tile, polygon)).collect();
        let up = SeamPlace::of(tile.header()).climb as i32;
        for [low, high] in &boxes {
            let middle = [0, 1, 2].map(|axis| (low[axis] + high[axis]) / 2);
            let is_near = |[low, high]: &&[[i32; 3]; 2]| {
                (0..3).all(|axis| {
                    let reach = if axis == 1 { up } else { 256 * RADIUS };
                    low[axis] - reach <= middle[axis] && middle[axis] <= high[axis] + reach
                })
            };
            near = near.max(boxes.iter().filter(is_near).count());
        }
    }
    [meetings, near]
}

fn bounds(tile: &Tile, polygon: &Polygon) -> [[i32; 3]; 2] {
    let corners = || tile.polygon_edges(polygon).iter().map(|edge| tile.vertices()[edge.vertex as usize]);
    let fold = |pick: fn(i32, i32) -> i32| {
        corners().reduce(|a, b| [0, 1, 2].map(|axis| pick(a[axis], b[axis]))).unwrap()
    };
    [fold(i32::min), fold(i32::max)]
}

fn most_of(level: &Level, settings: &Settings, sizes: &[u32]) -> [usize; 2] {
    let level = PreparedLevel::new(level, settings).unwrap();
    let mut most = [0; 2];
    for &cells in sizes {
        let tiles: Vec<Tile> =
            bake_tiles(&level, cells, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect();
        let found = needs(&tiles);
        most = [0, 1].map(|at| most[at].max(found[at]));
    }
    most
}

#[test]
fn scenes_need_a_sixteenth_of_what_links_and_seams_may_take() {
    let of_scenes =
        navscenes::all().iter().map(|scene| most_of(&(scene.level)(), &(scene.settings)(), &[24, 48, 96]));
    let most = of_scenes.fold([0; 2], |most, found| [0, 1].map(|at| most[at].max(found[at])));
    let [meetings, near] = most;
    assert!(meetings > 0 && near > 8, "{most:?}");
    assert!(16 * meetings <= MEETING_LIMIT && 16 * near <= SNAP_LIMIT as usize, "{most:?}");
}
