//! Algorithms on points, polygons and meshes that the stages use: chains as few edges, triangulation,
//! Delaunay, bridges to holes, adjacency. They do not depend on fields, settings or reports.

pub(crate) mod adjacency;
pub(crate) mod box_tree;
pub(crate) mod bridges;
pub(crate) mod convex;
pub(crate) mod delaunay;
pub(crate) mod ear_clipping;
pub(crate) mod fewest_edges;
pub(crate) mod flips;
pub(crate) mod merge;
pub(crate) mod ring;
mod ring_order;
mod shared_edges;
pub(crate) mod side_line;
#[cfg(test)]
pub(crate) mod steps;
pub(crate) mod vertices;
