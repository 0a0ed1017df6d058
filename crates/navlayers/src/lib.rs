//! Two parts of Recast that a bake of ours does not need, for users of Recast's tile cache:
//! [`heightfield_layers`] flattens a tile into layers, and [`merge_meshes`] joins the meshes of tiles.

#![forbid(unsafe_code)]

pub mod heightfield_layers;
pub mod merge_meshes;
