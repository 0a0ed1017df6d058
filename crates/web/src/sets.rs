//! Detour's tile sets (MSET), and the other files that `navtile import` reads.

use crate::convert::{Answer, fail};
use crate::mesh::WebMesh;
use js_sys::Uint8Array;
use navinterop::{Foreign, RefWidth, import, mset};
use navtile::Tile;
use wasm_bindgen::prelude::wasm_bindgen;

/// A file of Detour, or of a program that uses it (MSET, DNAV, .mmtile), as the content of a `.navtile` file.
#[wasm_bindgen(js_name = fromDetour)]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn from_detour(bytes: &[u8]) -> Answer<Uint8Array> {
    let foreign = navinterop::read(bytes).map_err(fail)?;
    if matches!(foreign, Foreign::Layers(_)) {
        return Err(fail("the layers of a tile cache are read by `navtile import`"));
    }
    let imported = import::import_files(vec![foreign]).map_err(fail)?;
    let file = navtile::write_file(&imported.meta, &imported.tiles).map_err(fail)?;
    Ok(Uint8Array::from(file.as_slice()))
}

#[wasm_bindgen(js_class = NavMesh)]
impl WebMesh {
    /// The mesh as a tile set of Detour (MSET), with polygon references of 32 bits, or of 64.
    #[wasm_bindgen(js_name = toDetour)]
    pub fn to_detour(&self, #[wasm_bindgen(js_name = wide)] is_wide: Option<bool>) -> Answer<Uint8Array> {
        let tiles: Vec<Tile> = self.mesh.tiles().cloned().collect();
        let width = if is_wide == Some(true) { RefWidth::Bits64 } else { RefWidth::Bits32 };
        let exported = navinterop::export::export(&tiles, width).map_err(fail)?;
        let bytes = mset::write(&exported.set).map_err(fail)?;
        Ok(Uint8Array::from(bytes.as_slice()))
    }
}
