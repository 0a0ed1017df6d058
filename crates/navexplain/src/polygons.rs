//! The polygons of a tile that cover a place, and the distance of the nearest one. Cost: O(polygons + edges).

use super::explanation::Covering;
use navmath::FIXED_ONE;
use navmath::predicates::{area2, left_on};
use navtile::Tile;
use navtile::area::AreaId;
use navtile::layout::{COORD_LIMIT, Polygon};

/// All polygons that cover the place as seen from above, at any height.
pub(super) fn covering(tile: &Tile, at: [f64; 3]) -> Vec<Covering> {
    let Some(point) = tile.lattice().world_to_fixed(at, tile.header().base_cell) else { return Vec::new() };
    if point.iter().any(|value| value.abs() > COORD_LIMIT) {
        return Vec::new();
    }
    let point = [point[0], point[2]];
    let polygons = tile.polygons().iter().enumerate();
    let found = polygons.filter(|(_, polygon)| contains(tile, polygon, point));
    found
        .map(|(index, polygon)| Covering {
            polygon: index,
            area: AreaId(polygon.area),
            flags: polygon.flags,
            height: height(tile, polygon, point),
        })
        .collect()
}

fn flat(corner: [i32; 3]) -> [i32; 2] {
    [corner[0], corner[2]]
}

fn corners<'a>(tile: &'a Tile, polygon: &Polygon) -> impl ExactSizeIterator<Item = [i32; 3]> + Clone + 'a {
    tile.polygon_edges(polygon).iter().map(|edge| tile.vertices()[edge.vertex as usize])
}

/// The edges of a polygon, from corner to corner.
fn edges<'a>(tile: &'a Tile, polygon: &Polygon) -> impl Iterator<Item = ([i32; 3], [i32; 3])> + 'a {
    let corners = corners(tile, polygon);
    corners.clone().zip(corners.clone().cycle().skip(1))
}

fn contains(tile: &Tile, polygon: &Polygon, point: [i32; 2]) -> bool {
    edges(tile, polygon).all(|(from, to)| left_on(flat(from), flat(to), point))
}

/// World height of a polygon at a point within it: that of the detail triangle there, or else of the nearest
/// corner.
fn height(tile: &Tile, polygon: &Polygon, point: [i32; 2]) -> f64 {
    let world = |height: f64| {
        let lattice = tile.lattice();
        let base = tile.header().base_cell[1] as f64;
        lattice.origin[1] + (base + height / f64::from(FIXED_ONE)) * lattice.cell_height
    };
    for triangle in tile.polygon_detail_triangles(polygon) {
        let [a, b, c] =
            triangle.vertices.map(|local| tile.vertices()[tile.detail_vertex_index(polygon, local)]);
        let whole = area2(flat(a), flat(b), flat(c));
        let shares = [(b, c), (c, a), (a, b)].map(|(from, to)| area2(flat(from), flat(to), point));
        let within = shares.iter().all(|&share| share == 0 || (share < 0) == (whole < 0));
        if whole != 0 && within {
            let sum: f64 = shares.iter().zip([a, b, c]).map(|(&s, v)| s as f64 * f64::from(v[1])).sum();
            return world(sum / whole as f64);
        }
    }
    let distance = |corner: &[i32; 3]| navmath::predicates::distance_squared(flat(*corner), point);
    let nearest = corners(tile, polygon).min_by_key(distance);
    world(nearest.map_or(0.0, |corner| f64::from(corner[1])))
}

/// Distance, seen from above, from a place to the nearest polygon whose border there is within `reach` of the
/// place's height; metres. The place must not be inside a polygon.
pub(super) fn distance(tile: &Tile, at: [f64; 3], reach: f64) -> Option<f64> {
    let mut nearest: Option<f64> = None;
    for polygon in tile.polygons() {
        for (from, to) in edges(tile, polygon) {
            let [a, b] = [from, to].map(|corner| tile.to_world(corner));
            let along = [b[0] - a[0], b[2] - a[2]];
            let length = along[0] * along[0] + along[1] * along[1];
            let share = ((at[0] - a[0]) * along[0] + (at[2] - a[2]) * along[1]) / length;
            let share = share.clamp(0.0, 1.0);
            let foot: [f64; 3] = std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share);
            let (dx, dz) = (at[0] - foot[0], at[2] - foot[2]);
            let distance = (dx * dx + dz * dz).sqrt();
            if (foot[1] - at[1]).abs() <= reach && nearest.is_none_or(|nearest| distance < nearest) {
                nearest = Some(distance);
            }
        }
    }
    nearest
}
