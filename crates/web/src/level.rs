//! The level of a bake, as arrays for a picture.

use crate::bake::WebBake;
use crate::convert::{Answer, area, list, object, plain};
use js_sys::{Float32Array, Uint8Array};
use recast::PreparedLevel;
use serde::Serialize;
use std::collections::BTreeSet;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// The names in the files of a level.
#[derive(Serialize)]
struct LevelNames<'a> {
    materials: BTreeSet<&'a str>,
    groups: BTreeSet<&'a str>,
    objects: BTreeSet<&'a str>,
    nodes: BTreeSet<&'a str>,
}

#[wasm_bindgen(js_class = LevelBake)]
impl WebBake {
    /// The triangles that are baked, rotated and scaled; three vertices each, world metres, with the area of
    /// each triangle.
    #[wasm_bindgen(unchecked_return_type = "LevelGeometry")]
    pub fn geometry(&self) -> Answer<JsValue> {
        let Some(level) = self.bake.levels().first() else { return plain(&()) };
        let count = level.triangle_count();
        let (mut positions, mut areas) = (Vec::with_capacity(9 * count), Vec::with_capacity(count));
        for triangle in 0..count {
            for corner in level.corners(triangle) {
                positions.extend(world(level, corner).map(|value| value as f32));
            }
            areas.push(level.area(triangle).0);
        }
        Ok(object(&[
            ("positions", Float32Array::from(positions.as_slice()).into()),
            ("areas", Uint8Array::from(areas.as_slice()).into()),
        ]))
    }

    /// The names of materials, groups, objects and nodes that areas and lists in the settings refer to.
    #[wasm_bindgen(unchecked_return_type = "LevelNames")]
    pub fn names(&self) -> Answer<JsValue> {
        let mut names = LevelNames {
            materials: BTreeSet::new(),
            groups: BTreeSet::new(),
            objects: BTreeSet::new(),
            nodes: BTreeSet::new(),
        };
        for mesh in &self.source.meshes {
            let tables = [
                (&mut names.materials, &mesh.materials),
                (&mut names.groups, &mesh.groups),
                (&mut names.objects, &mesh.objects),
            ];
            for (set, labels) in tables {
                set.extend(labels.names.iter().map(String::as_str).filter(|name| !name.is_empty()));
            }
        }
        let nodes = self.source.placements.iter().map(|placement| placement.node.as_str());
        names.nodes.extend(nodes.filter(|node| !node.is_empty()));
        plain(&names)
    }

    /// The areas of the settings.
    #[wasm_bindgen(unchecked_return_type = "AreaInfo[]")]
    pub fn areas(&self) -> JsValue {
        let areas = self.bake.levels().first().map_or(&[][..], |level| &level.config.settings.areas);
        list(areas.iter().map(|of| area(of.id.0, &of.name, of.flags, of.cost, of.colour)))
    }
}

/// A position of the lattice in the world, metres.
fn world(level: &PreparedLevel, corner: [f32; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| level.lattice.origin[axis] + f64::from(corner[axis]))
}
