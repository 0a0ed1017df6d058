//! The walls near an agent, gathered from time to time and kept in between.

use crate::filters::Ground;
use detour::{Place, PolyRef, Query, QueryError};
use glam::{Vec2, Vec3Swizzles};

/// Points nearer than this to a wall's line or to its end count as on the wall, metres.
pub(crate) const AT_WALL: f32 = 1e-3;
/// A wall runs along a direction if the cosine of the angle between them is larger.
const ALONG: f32 = 0.8;
/// Half of the room that a lane takes, in radii.
pub(crate) const HALF_LANE: f32 = 1.05;
/// The largest number of walls that are kept: the nearest.
const MOST_WALLS: usize = 8;
/// The largest number of polygons that are visited.
const MOST_POLYGONS: usize = 32;

/// The walls near a place, in plan: x and z. The ground is to the left, with x to the right and z up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walls {
    segments: [[Vec2; 2]; MOST_WALLS],
    count: u8,
    /// The place around which they were gathered, and the distance up to which they are known. 0 at first.
    centre: Vec2,
    reach: f32,
}

/// Scratch memory for gathering walls.
#[derive(Debug, Default)]
pub(crate) struct WallScratch {
    polygons: Vec<PolyRef>,
    found: Vec<(f32, [Vec2; 2])>,
}

impl Walls {
    /// The walls, sorted by their distance at the time when they were gathered.
    pub(crate) fn segments(&self) -> &[[Vec2; 2]] {
        &self.segments[..usize::from(self.count)]
    }

    /// The place around which they were gathered, and the distance up to which they are known.
    pub(crate) fn around(&self) -> (Vec2, f32) {
        (self.centre, self.reach)
    }

    /// Stored walls; `None` if there are too many.
    pub(crate) fn from_parts(
        segments: impl ExactSizeIterator<Item = [Vec2; 2]>,
        centre: Vec2,
        reach: f32,
    ) -> Option<Walls> {
        let mut walls =
            Walls { count: u8::try_from(segments.len()).ok()?, centre, reach, ..Walls::default() };
        if segments.len() > MOST_WALLS {
            return None;
        }
        walls.segments.iter_mut().zip(segments).for_each(|(kept, segment)| *kept = segment);
        Some(walls)
    }

    /// The distances from a place to the nearest known walls to the right and left of a direction, a unit
    /// vector. `None` unless walls on both sides run along it.
    pub(crate) fn beside(&self, at: Vec2, direction: Vec2) -> Option<[f32; 2]> {
        let room = |side: Vec2| Some(self.room(at, side, ALONG)).filter(|room| room.is_finite());
        Some([room(direction.perp())?, room(-direction.perp())?])
    }

    /// Returns true if there is no room for two agents of this radius next to each other.
    pub(crate) fn leave_room_for_one(&self, at: Vec2, direction: Vec2, radius: f32) -> bool {
        let room = self.beside(at, direction);
        room.is_some_and(|[right, left]| right + left < radius * HALF_LANE * 2.0)
    }

    /// A direction, a unit vector, turned to the side with more room if a wall is right ahead.
    pub(crate) fn round_bend(&self, at: Vec2, direction: Vec2, least: f32) -> Vec2 {
        if self.room(at, direction, 0.0) > least {
            return direction;
        }
        let sides = [direction.perp(), -direction.perp()];
        let [right, left] = sides.map(|side| self.room(at, side, 0.0));
        if right > left { sides[0] } else { sides[1] }
    }

    /// The distance from a place to the nearest known wall in a direction, a unit vector, that faces it: the
    /// cosine of the angle between the direction and the wall's normal is larger than `facing`. Infinite if
    /// no wall does.
    fn room(&self, at: Vec2, direction: Vec2, facing: f32) -> f32 {
        let faces = |[from, to]: &&[Vec2; 2]| {
            let along = *to - *from;
            direction.perp_dot(along) > along.length() * facing
        };
        let facing = self.segments().iter().filter(faces);
        let crossings = facing.filter_map(|wall| ray_to_wall(at, direction, *wall));
        crossings.filter(|away| *away > -AT_WALL).map(|away| away.max(0.0)).fold(f32::INFINITY, f32::min)
    }

    /// Clears the walls.
    pub(crate) fn clear(&mut self) {
        *self = Walls::default();
    }

    /// Returns true if the walls are still valid for an agent at `at`, which must have moved by less than a
    /// quarter of the distance up to which they are known.
    pub(crate) fn are_valid(&self, at: Vec2, reach: f32) -> bool {
        self.reach >= reach && self.centre.distance_squared(at) <= (reach * 0.25) * (reach * 0.25)
    }

    /// Gathers the walls within `reach` of a place and up to `height` above or below it, through portals
    /// within the same distance.
    pub(crate) fn gather(
        &mut self,
        ground: Ground<'_>,
        place: Place,
        reach: f32,
        height: f32,
        query: &mut Query,
        scratch: &mut WallScratch,
    ) -> Result<(), QueryError> {
        let WallScratch { polygons, found } = scratch;
        let centre = place.point.xz();
        polygons.clear();
        polygons.push(place.polygon);
        found.clear();
        let mut next = 0;
        while let Some(&polygon) = polygons.get(next) {
            next += 1;
            query.outline(ground.mesh, polygon, ground.filter, |segment| {
                let (from, to) = (segment.from.xz(), segment.to.xz());
                let near = nearest_on(from, to, centre).distance_squared(centre);
                let low = segment.from.y.min(segment.to.y) - place.point.y;
                let high = segment.from.y.max(segment.to.y) - place.point.y;
                if near > reach * reach || low > height || high < -height {
                    return;
                }
                match segment.beyond {
                    None => found.push((near, [to, from])),
                    Some(beyond) if polygons.len() < MOST_POLYGONS && !polygons.contains(&beyond) => {
                        polygons.push(beyond);
                    }
                    Some(_) => {}
                }
            })?;
        }
        // Stable, so that walls at the same distance keep the order in which they were found.
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.truncate(MOST_WALLS);
        self.count = found.len() as u8;
        self.segments = [[Vec2::ZERO; 2]; MOST_WALLS];
        self.segments.iter_mut().zip(found.iter()).for_each(|(kept, (_, segment))| *kept = *segment);
        (self.centre, self.reach) = (centre, reach);
        Ok(())
    }
}

/// Distance from `at` to the crossing of a line along `direction` with a wall, in lengths of `direction`:
/// negative behind `at`. `None` if the line misses the wall.
pub(crate) fn ray_to_wall(at: Vec2, direction: Vec2, [from, to]: [Vec2; 2]) -> Option<f32> {
    let (along, offset) = (to - from, from - at);
    let across = direction.perp_dot(along);
    if across == 0.0 {
        return None;
    }
    let [away, part] = [along, direction].map(|other| offset.perp_dot(other) / across);
    (0.0..=1.0).contains(&part).then_some(away)
}

/// The point of segment `ab` nearest to `p`.
pub(crate) fn nearest_on(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + along * ((p - a).dot(along) / length_squared).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_wall_at_its_distance() {
        let wall = [Vec2::new(2.0, -1.0), Vec2::new(2.0, 1.0)];
        assert_eq!(ray_to_wall(Vec2::ZERO, Vec2::new(0.5, 0.0), wall), Some(4.0));
        assert_eq!(ray_to_wall(Vec2::ZERO, Vec2::new(-0.5, 0.0), wall), Some(-4.0));
        assert_eq!(ray_to_wall(Vec2::new(0.0, 2.0), Vec2::X, wall), None);
        assert_eq!(ray_to_wall(Vec2::ZERO, Vec2::Y, wall), None);
    }
}
