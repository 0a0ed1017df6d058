//! Obstacles: bodies that appear, move and disappear in a finished level, such as crates, doors, bridges and
//! holes in walls.
//!
//! An obstacle is a [`Body`] at a place, and its [`Effect`]. Obstacles are a set: the result does not depend
//! on their order or on the number of their moves. A solid obstacle adds its surface to the level's and is
//! merged with it span by span. A hole removes parts of the level's spans. A mark changes the ground after
//! erosion, as a [`recast::Volume`] does.
//!
//! - [`Obstacle`]: the description by a game or a file, in metres.
//! - [`PreparedObstacle`]: the same on the lattice of a level, for one agent.

mod body;
mod gathered;
mod hull;
mod ladders;
mod of_tile;
mod prepared;
#[cfg(test)]
mod tests;
mod triangles;

pub use body::{Body, MAX_HULL_POINTS, MAX_MESH_TRIANGLES, ObstacleError};
pub use prepared::{PreparedObstacle, tile_digest};

pub(crate) use gathered::cut_holes;
pub(crate) use ladders::ladders_with;
pub(crate) use of_tile::TileObstacles;
pub(crate) use triangles::{outline_triangles, triangles_with};

use navtile::area::AreaId;
use recast::Transform;

/// A thing in a level: a body, its place, and its effect.
///
/// ```
/// use navlevel::{Body, Effect, Obstacle};
/// use recast::{AreaId, Transform};
///
/// // A crate of one metre, which can be stood on, at (3, 0, 4).
/// let body = Body::cuboid([1.0, 1.0, 1.0])?;
/// let place = Transform::turned(30.0, [3.0, 0.0, 4.0]);
/// let obstacle = Obstacle { body, place, effect: Effect::Solid { area: AreaId::GROUND } };
/// assert_eq!(obstacle.bounds()[1][1], 1.0);
/// # Ok::<(), navlevel::ObstacleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its shape, in its own space.
    pub body: Body,
    /// Maps that space to world metres, right-handed, Y up.
    pub place: Transform,
    /// The effect on the level.
    pub effect: Effect,
}

/// The effect of an obstacle on the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is an obstacle. An agent can walk on it if it is flat enough, and pass under it. Use
    /// [`AreaId::NULL`] for an obstacle whose top is not walkable.
    Solid {
        /// The area of its top.
        area: AreaId,
    },
    /// Keeps agents off the ground if their body would meet the obstacle. Unlike a solid obstacle it leaves
    /// no surface, and it costs less.
    Blocks {
        /// Keep the agent's radius away from it. Otherwise only the agent's middle stays outside.
        inflate: bool,
    },
    /// The ground within it has another area.
    Marks {
        /// The area. If several marks overlap, the one with the highest priority counts.
        area: AreaId,
        /// Extend it by the agent's radius.
        inflate: bool,
    },
    /// Removes the level within it, from one cell above its bottom on, so that the ground under it is kept. A
    /// wall or floor that is cut ends flat and is ground there: the ground under a wall, the bottom of a pit.
    /// Other obstacles are not cut. A mesh, which has no inside, cannot do this.
    Removes,
}

impl Obstacle {
    /// Smallest and largest corner of a box around the obstacle, world metres.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for vertex in self.body.vertices() {
            for (axis, value) in self.place.apply(*vertex).into_iter().enumerate() {
                bounds[0][axis] = bounds[0][axis].min(value);
                bounds[1][axis] = bounds[1][axis].max(value);
            }
        }
        bounds
    }
}
