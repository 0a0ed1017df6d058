//! The targets, a function each. They take bytes and return nothing; any fault ends the run.

mod c_calls;
mod crowds;
pub(crate) mod hierarchies;
mod inputs;
mod layers;
mod maps;
mod obstacles;
mod rules;
pub(crate) mod shards;
mod stores;
mod tiles;

pub use c_calls::c_calls;
pub use crowds::{crowd, crowd_toml, recording};
pub use hierarchies::hierarchy;
pub use inputs::{draco, gltf, gset, obj, settings_toml};
pub use layers::layers;
pub use maps::{corners, geojson, planar};
pub use obstacles::{obstacles, obstacles_toml};
pub use rules::{graph_mutations, rule_that_is_broken, tile_rules};
pub use shards::shard;
pub use stores::store_edits;
pub use tiles::{
    detour_import, file_bytes, file_mutations, graph_bytes, state_bytes, tile_bytes, tile_mutations,
    tile_round_trip,
};

/// All of them, by name.
pub const ALL: [(&str, fn(&[u8])); 28] = [
    ("tile_bytes", tile_bytes),
    ("tile_mutations", tile_mutations),
    ("tile_round_trip", tile_round_trip),
    ("file_bytes", file_bytes),
    ("file_mutations", file_mutations),
    ("graph_bytes", graph_bytes),
    ("hierarchy", hierarchy),
    ("state_bytes", state_bytes),
    ("detour_import", detour_import),
    ("layers", layers),
    ("obj", obj),
    ("gltf", gltf),
    ("draco", draco),
    ("gset", gset),
    ("settings_toml", settings_toml),
    ("tile_rules", tile_rules),
    ("graph_mutations", graph_mutations),
    ("store_edits", store_edits),
    ("geojson", geojson),
    ("corners", corners),
    ("planar", planar),
    ("crowd", crowd),
    ("crowd_toml", crowd_toml),
    ("recording", recording),
    ("shard", shard),
    ("obstacles", obstacles),
    ("obstacles_toml", obstacles_toml),
    ("c_calls", c_calls),
];

/// Memory that a reader may take beyond what its input's size justifies: errors, tables of fixed size.
const READER_BASE: usize = 1 << 20;
/// Memory that queries over a small mesh may take, all together.
const QUERIES: usize = 64 << 20;

/// The memory that a reader may hold at once: `factor` times its input, and a mebibyte.
fn reader_bound(data: &[u8], factor: usize) -> usize {
    READER_BASE + factor * data.len()
}
