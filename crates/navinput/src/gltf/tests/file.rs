//! Builds small glTF files, to be read as JSON with a data URI, as JSON with a buffer next to it, or as GLB.

use crate::source::SourceLevel;
use crate::{GltfError, read_gltf};

/// A file under construction: lists of JSON objects, and one buffer.
#[derive(Clone, Default)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) views: Vec<String>,
    pub(crate) accessors: Vec<String>,
    pub(crate) materials: Vec<String>,
    pub(crate) meshes: Vec<String>,
    pub(crate) nodes: Vec<String>,
    /// Further members of the root, each followed by a comma.
    pub(crate) more: String,
}

pub(crate) const F32: u32 = 5126;
pub(crate) const U8: u32 = 5121;
pub(crate) const U16: u32 = 5123;
pub(crate) const U32: u32 = 5125;

impl File {
    /// Adds a view over bytes, aligned to 4.
    pub(crate) fn view(&mut self, bytes: &[u8], more: &str) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let length = bytes.len();
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{more}}}"#));
        self.views.len() - 1
    }

    pub(crate) fn accessor(
        &mut self,
        view: usize,
        count: usize,
        component: u32,
        kind: &str,
        more: &str,
    ) -> usize {
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"count":{count},"componentType":{component},"type":"{kind}"{more}}}"#
        ));
        self.accessors.len() - 1
    }

    pub(crate) fn floats<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = vectors.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes, "");
        self.accessor(view, vectors.len(), F32, if N == 3 { "VEC3" } else { "VEC4" }, "")
    }

    /// Indices of 8, 16 or 32 bits.
    pub(crate) fn indices(&mut self, indices: &[u32], component: u32) -> usize {
        let width = match component {
            U8 => 1,
            U16 => 2,
            _ => 4,
        };
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()[..width].to_vec()).collect();
        let view = self.view(&bytes, "");
        self.accessor(view, indices.len(), component, "SCALAR", "")
    }

    pub(crate) fn mesh(&mut self, name: &str, primitives: &[String]) -> usize {
        let primitives = primitives.join(",");
        self.meshes.push(format!(r#"{{"name":"{name}","primitives":[{primitives}]}}"#));
        self.meshes.len() - 1
    }

    /// Adds a node; `more` are its other members.
    pub(crate) fn node(&mut self, name: &str, more: &str) -> usize {
        self.nodes.push(format!(r#"{{"name":"{name}"{more}}}"#));
        self.nodes.len() - 1
    }

    pub(crate) fn json(&self, uri: Option<&str>) -> String {
        let uri = uri.map(|uri| format!(r#","uri":"{uri}""#)).unwrap_or_default();
        let lists = [
            ("bufferViews", &self.views),
            ("accessors", &self.accessors),
            ("materials", &self.materials),
            ("meshes", &self.meshes),
            ("nodes", &self.nodes),
        ];
        let lists: String =
            lists.iter().map(|(name, list)| format!("\"{name}\":[{}],", list.join(","))).collect();
        let (length, more) = (self.bytes.len(), &self.more);
        format!(r#"{{{lists}{more}"buffers":[{{"byteLength":{length}{uri}}}],"asset":{{"version":"2.0"}}}}"#)
    }

    /// As JSON with the buffer in a data URI.
    pub(crate) fn embedded(&self) -> String {
        self.json(Some(&format!("data:application/octet-stream;base64,{}", base64(&self.bytes))))
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        File::glb_of(&self.json(None), &[&self.bytes])
    }

    /// A GLB with these chunks of bytes.
    pub(crate) fn glb_of(json: &str, binaries: &[&[u8]]) -> Vec<u8> {
        let filled = |bytes: &[u8], with: u8| {
            let mut bytes = bytes.to_vec();
            bytes.resize(bytes.len().next_multiple_of(4), with);
            bytes
        };
        let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        let binaries = binaries.iter().map(|bytes| (b"BIN\0", filled(bytes, 0)));
        for (kind, chunk) in std::iter::once((b"JSON", filled(json.as_bytes(), b' '))).chain(binaries) {
            glb.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
            glb.extend_from_slice(kind);
            glb.extend_from_slice(&chunk);
        }
        let length = glb.len() as u32;
        glb[8..12].copy_from_slice(&length.to_le_bytes());
        glb
    }

    pub(crate) fn read(&self) -> SourceLevel {
        self.try_read().unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn try_read(&self) -> Result<SourceLevel, GltfError> {
        read(&self.glb())
    }

    pub(crate) fn refuse(&self) -> String {
        self.try_read().unwrap_err().to_string()
    }
}

/// Reads a file that has no other files next to it.
pub(crate) fn read(bytes: &[u8]) -> Result<SourceLevel, GltfError> {
    read_gltf(bytes, &mut |uri| Err(format!("nothing is next to the level, and no `{uri}`")))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for letter in 0..4 {
            let value = (bits >> (18 - 6 * letter)) as usize % 64;
            text.push(if letter <= group.len() { char::from(LETTERS[value]) } else { '=' });
        }
    }
    text
}

/// A triangle primitive of an accessor of positions; `more` are its other members.
pub(crate) fn primitive(positions: usize, more: &str) -> String {
    format!(r#"{{"attributes":{{"POSITION":{positions}}}{more}}}"#)
}

/// Corners of a square on the ground, around from the origin: counter-clockwise seen from above.
pub(crate) const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

/// A file with one square of two triangles, without nodes.
pub(crate) fn square() -> File {
    let mut file = File::default();
    let positions = file.floats(&SQUARE);
    let indices = file.indices(&[0, 1, 2, 0, 2, 3], U16);
    file.materials.push(r#"{"name":"stone"}"#.to_owned());
    file.mesh("slab", &[primitive(positions, &format!(r#","indices":{indices},"material":0"#))]);
    file
}

/// The triangles of a level in world space, in a canonical order.
pub(crate) fn world(level: &SourceLevel) -> Vec<[[f64; 3]; 3]> {
    let mut triangles = Vec::new();
    for placement in &level.placements {
        let mesh = &level.meshes[placement.mesh];
        for corners in mesh.triangles.iter() {
            let mut corners = corners.map(|index| placement.transform.apply(mesh.vertices[index as usize]));
            // Sums with zeros leave zeros of both signs.
            corners.as_flattened_mut().iter_mut().for_each(|value| *value += 0.0);
            let least = (0..3).min_by(|&a, &b| corners[a].partial_cmp(&corners[b]).unwrap()).unwrap();
            corners.rotate_left(least);
            triangles.push(corners);
        }
    }
    triangles.sort_by(|a, b| a.partial_cmp(b).unwrap());
    triangles
}
