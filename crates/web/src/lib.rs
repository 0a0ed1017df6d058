//! navtile for JavaScript, over wasm-bindgen. It is built by `cargo xtask web` and packed with what `npm/` holds beside it; natively it is
//! empty.
//!
//! - `mesh`: a navigation mesh and the questions one asks of it.
//! - `filters`: which areas may be entered, and their costs.
//! - `corridor`: a path that is kept while its agent walks.
//! - `geometry`: the mesh as arrays for a picture.
//! - `bake`: level files to meshes.
//! - `settings_table`, `level`, `explain`, `stages`: what a page shows of a bake: settings, the level, reasons, results between.
//! - `walkers`: crowds.
//! - `pieces`: worlds that change.
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
mod filters;
mod geometry;
#[cfg(feature = "bake")]
mod level;
mod mesh;
mod options;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(feature = "pieces")]
mod pieces;
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
