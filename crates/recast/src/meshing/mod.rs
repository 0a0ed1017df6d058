//! Algorithms on points, polygons and meshes that the stages use: triangulation, Delaunay, bridges to holes,
//! adjacency. They do not depend on fields, settings or reports.

pub(crate) mod adjacency;
pub(crate) mod box_tree;
pub(crate) mod bridges;
pub(crate) mod convex;
pub(crate) mod delaunay;
pub(crate) mod ear_clipping;
pub(crate) mod ring;
mod ring_order;
pub(crate) mod side_line;
#[cfg(test)]
pub(crate) mod steps;
pub(crate) mod vertices;
