//! Local avoidance: from the velocity that an agent wants to one that keeps clear of others and of walls.

pub(crate) mod decide;
pub(crate) mod half_planes;
pub(crate) mod orca;
pub(crate) mod sampling;
pub(crate) mod walls;
