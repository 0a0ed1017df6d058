//! Spans and ground as bytes: for files of dynamic levels, and for bakes in shares.

pub(crate) mod ground;
pub(crate) mod kept_ground;
pub(crate) mod ladders;
pub(crate) mod range_coder;
mod sections;
pub(crate) mod spans;
pub(crate) mod triangles;
