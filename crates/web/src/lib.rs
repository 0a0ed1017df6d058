//! navtile for JavaScript, with wasm-bindgen. `cargo xtask web` builds it and packs it with the files in
//! `npm/`. On native targets it is empty.
//!
//! - `mesh`: a navigation mesh and its queries.
//! - `filters`: the areas that may be entered, and their costs.
//! - `far`, `far_route`: plans over worlds that are not loaded, and agents that follow them; `far_values` has
//!   their values.
//! - `corridor`: a path that an agent keeps while it walks.
//! - `geometry`: the mesh as arrays for rendering.
//! - `bake`: level files to meshes.
//! - `settings_table`, `level`, `explain`, `stages`: details of a bake for a page: settings, the level,
//!   explanations, intermediate results.
//! - `walkers`: crowds.
//! - `obstacles`: levels that change at run time.
//! - `sets`: Detour's tile sets.
//! - `options`: options from JavaScript.
//! - `convert`: points from JavaScript, and answers.
#![cfg(target_family = "wasm")]

#[cfg(feature = "bake")]
mod bake;
mod convert;
mod corridor;
#[cfg(feature = "bake")]
mod explain;
#[cfg(feature = "far")]
mod far;
#[cfg(feature = "far")]
mod far_route;
#[cfg(feature = "far")]
mod far_values;
mod filters;
mod geometry;
#[cfg(feature = "bake")]
mod level;
mod mesh;
#[cfg(feature = "obstacles")]
mod obstacles;
mod options;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(feature = "crowd")]
mod recordings;
#[cfg(feature = "interop")]
mod sets;
#[cfg(feature = "bake")]
mod settings_table;
#[cfg(feature = "bake")]
mod stages;
#[cfg(feature = "crowd")]
mod walkers;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &'static str = include_str!("types.ts");

/// The version of navtile.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
