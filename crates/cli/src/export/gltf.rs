//! glTF 2.0: one file that includes its buffer, with a node per tile and a material per area. Positions are
//! 32-bit floats around a whole metre near the centre, which the nodes' translation adds.

use super::args::{Product, polygon_count};
use super::scene::{areas, triangles};
use crate::{base64, mesh};
use navtile::{Meta, Tile};
use serde_json::{Value, json};

/// glTF's numbers for kinds of components and of buffer views.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The parts of a file that is being built.
#[derive(Default)]
struct GltfBuilder {
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
}

pub(super) fn write(meta: &Meta, tiles: &[Tile]) -> serde_json::Result<Product> {
    let areas = areas(meta, tiles);
    let middle = mesh::anchor(tiles);
    let mut parts = GltfBuilder::default();
    for tile in tiles.iter().filter(|tile| !tile.polygons().is_empty()) {
        let positions = parts.positions(tile, middle);
        let mut primitives = Vec::new();
        for (material, area) in areas.iter().enumerate() {
            let corners: Vec<u32> = triangles(tile, area.id)
                .flatten()
                // A tile's vertices are counted in 32 bits.
                .map(|corner| corner as u32)
                .collect();
            if !corners.is_empty() {
                let indices = parts.indices(&corners);
                let attributes = json!({ "POSITION": positions });
                primitives
                    .push(json!({ "attributes": attributes, "indices": indices, "material": material }));
            }
        }
        let coord = tile.coord();
        let name = format!("tile {} {} {}", coord.x, coord.z, coord.layer);
        parts.nodes.push(json!({ "name": name, "mesh": parts.meshes.len(), "translation": middle }));
        parts.meshes.push(json!({ "name": name, "primitives": primitives }));
    }
    let materials: Vec<Value> = areas
        .iter()
        .map(|area| {
            let [red, green, blue] = area.colour.0.map(linear);
            let surface = json!({
                "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0,
            });
            json!({ "name": area.name, "pbrMetallicRoughness": surface, "doubleSided": true })
        })
        .collect();
    let document = parts.document(&materials);
    let bytes = crate::report::json(&document)?;
    Ok(Product { bytes, tiles: tiles.len(), polygons: polygon_count(tiles), ..Product::default() })
}

impl GltfBuilder {
    /// Adds bytes to the buffer; returns the number of their view.
    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: u32) -> usize {
        let offset = self.buffer.len();
        self.buffer.extend(bytes);
        let length = self.buffer.len() - offset;
        self.views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target }));
        self.views.len() - 1
    }

    /// Adds a tile's vertices; returns the number of their accessor.
    fn positions(&mut self, tile: &Tile, middle: [f64; 3]) -> usize {
        let local = |vertex: [i32; 3]| -> [f32; 3] {
            let world = tile.to_world(vertex);
            std::array::from_fn(|axis| (world[axis] - middle[axis]) as f32)
        };
        let positions: Vec<[f32; 3]> = tile.vertices().iter().copied().map(local).collect();
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for position in &positions {
            for axis in 0..3 {
                min[axis] = min[axis].min(position[axis]);
                max[axis] = max[axis].max(position[axis]);
            }
        }
        let view =
            self.view(positions.as_flattened().iter().flat_map(|value| value.to_le_bytes()), ARRAY_BUFFER);
        self.accessors.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": positions.len(), "type": "VEC3",
            "min": min, "max": max,
        }));
        self.accessors.len() - 1
    }

    fn indices(&mut self, corners: &[u32]) -> usize {
        let view = self.view(corners.iter().flat_map(|corner| corner.to_le_bytes()), ELEMENT_ARRAY_BUFFER);
        self.accessors.push(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": corners.len(), "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    fn document(self, materials: &[Value]) -> Value {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("navtile ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{}],
        });
        // The format does not allow empty lists.
        if !self.nodes.is_empty() {
            document["scenes"][0]["nodes"] = (0..self.nodes.len()).collect();
            let uri = format!("data:application/octet-stream;base64,{}", base64::encode(&self.buffer));
            document["buffers"] = json!([{ "byteLength": self.buffer.len(), "uri": uri }]);
            document["bufferViews"] = self.views.into();
            document["accessors"] = self.accessors.into();
            document["meshes"] = self.meshes.into();
            document["nodes"] = self.nodes.into();
            document["materials"] = materials.into();
        }
        document
    }
}

/// An sRGB byte as linear light, 0 to 1.
fn linear(byte: u8) -> f64 {
    let value = f64::from(byte) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_linear() {
        assert_eq!((linear(0), linear(255)), (0.0, 1.0));
        assert!((linear(188) - 0.5).abs() < 0.01);
    }
}
