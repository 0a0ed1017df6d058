//! Local avoidance: turns the preferred velocity of an agent into one without collisions with others or
//! walls.

pub(crate) mod decide;
pub(crate) mod density;
pub(crate) mod half_planes;
pub(crate) mod orca;
pub(crate) mod walls;
