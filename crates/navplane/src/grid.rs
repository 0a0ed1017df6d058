//! The integer grid that a map is put on, once: after that, all geometry is integers and every predicate is
//! exact.
//!
//! The spacing is a power of two, so that a grid position is exact in f64. A corner moves by at most half the
//! grid's diagonal: 0.71 of a spacing.

use crate::error::{Error, PointIndex, PolygonList};
use crate::map::Map;
use navmath::{FIXED_ONE, FieldError};

/// A position on the grid, in spacings from [`Grid::origin`]; x to the right, y upwards.
pub type Point = navmath::predicates::Point;

/// Most spacings along a side of a map, if the spacing is chosen here: the resolution of f32.
const SIDE: f64 = (1u32 << 24) as f64;
/// Most spacings along a side of a map with any settings: predicates stay well within their integers.
pub(crate) const SIDE_LIMIT: f64 = (1u32 << 26) as f64;
/// Most spacings between a map and the world's zero: positions stay exact in f64.
const DISTANCE: f64 = (1u64 << 46) as f64;
/// Smallest and largest spacing: 256 of them are a cell of the tile format.
const SPACINGS: [f64; 2] = [1.0 / (1u64 << 28) as f64, (1u64 << 12) as f64];

/// The grid of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Metres between neighbouring grid positions; a power of two.
    pub spacing: f64,
    /// The grid's own zero, in spacings from the map's zero; multiples of 256.
    pub origin: [i64; 2],
    /// Width and depth, in spacings; multiples of 256, at least 256.
    pub size: [i32; 2],
}

impl Grid {
    /// The grid of a map. Errors: coordinates that are not finite, no points, a spacing out of range.
    pub(crate) fn of(map: &Map, spacing: Option<f64>) -> Result<Grid, Error> {
        let [low, high] = bounds(map)?;
        let side = (high[0] - low[0]).max(high[1] - low[1]);
        let far = low.into_iter().chain(high).fold(0.0f64, |far, value| far.max(value.abs()));
        let least = (far / DISTANCE).max(SPACINGS[0]);
        let need = (side / if spacing.is_some() { SIDE_LIMIT } else { SIDE }).max(least);
        // An infinite side, of finite corners far apart, is also refused here.
        if need > SPACINGS[1] {
            return Err(Error::Limit(navmath::LimitError {
                what: "metres along a side of a map",
                value: side as u64,
                limit: (SPACINGS[1] * SIDE) as u64,
                remedy: "scale the map, or cut it into several",
            }));
        }
        let chosen = match spacing {
            None => at_least(need),
            Some(asked) => at_most(asked, at_least(need))?,
        };
        let cell = i64::from(FIXED_ONE);
        let start = low.map(|value| (value / chosen).floor() as i64).map(|at| at.div_euclid(cell) * cell);
        let end = high.map(|value| (value / chosen).ceil() as i64).map(|at| (at.div_euclid(cell) + 1) * cell);
        // Within SIDE_LIMIT and two cells, by the checks above.
        let size = [0, 1].map(|axis| (end[axis] - start[axis]) as i32);
        Ok(Grid { spacing: chosen, origin: start, size })
    }

    /// The grid position nearest to a point of the map, which must be within its bounds.
    pub(crate) fn snap(&self, point: [f64; 2]) -> Point {
        [0, 1].map(|axis| ((point[axis] / self.spacing).round() as i64 - self.origin[axis]) as i32)
    }

    /// The point of the map at a grid position, metres. Exact.
    pub fn to_map(&self, point: Point) -> [f64; 2] {
        [0, 1].map(|axis| (self.origin[axis] + i64::from(point[axis])) as f64 * self.spacing)
    }
}

/// The smallest power of two that is at least `value`, which must be within [`SPACINGS`].
fn at_least(value: f64) -> f64 {
    let mut power = SPACINGS[0];
    while power < value {
        power *= 2.0;
    }
    power
}

/// The largest power of two that is at most `asked`, which must be between `least` and the largest spacing.
fn at_most(asked: f64, least: f64) -> Result<f64, Error> {
    if !(least..=SPACINGS[1]).contains(&asked) {
        return Err(Error::Settings(vec![FieldError {
            field: "spacing".to_owned(),
            found: asked.to_string(),
            expected: format!("{least} to {} m for a map of this size at this place", SPACINGS[1]),
        }]));
    }
    let power = at_least(asked);
    Ok(if power > asked { power / 2.0 } else { power })
}

/// Smallest and largest corner of all polygons. Checks every point.
fn bounds(map: &Map) -> Result<[[f64; 2]; 2], Error> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let outlines = map.outlines.iter().enumerate().map(|(at, shape)| (PolygonList::Outlines, at, shape));
    let obstacles = map.obstacles.iter().enumerate().map(|(at, shape)| (PolygonList::Obstacles, at, shape));
    let areas = map.areas.iter().enumerate().map(|(at, area)| (PolygonList::Areas, at, &area.polygon));
    for (list, polygon, shape) in outlines.chain(obstacles).chain(areas) {
        for (ring, points) in shape.rings().enumerate() {
            for (point, position) in points.iter().enumerate() {
                if !position.iter().all(|value| value.is_finite()) {
                    let place = PointIndex { list, polygon, ring, point };
                    return Err(Error::NotFinite { place, position: *position });
                }
                for axis in 0..2 {
                    low[axis] = low[axis].min(position[axis]);
                    high[axis] = high[axis].max(position[axis]);
                }
            }
        }
    }
    if map.outlines.is_empty() || !low.iter().all(|value| value.is_finite()) {
        return Err(Error::Empty);
    }
    Ok([low, high])
}
