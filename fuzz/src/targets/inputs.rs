//! Targets about levels and settings.

use super::reader_bound;
use crate::level::bake;
use crate::memory::bounded;
use navinput::{ObjStream, SourceLevel, StreamError};
use recast::Settings;

/// Memory that a glTF may become whatever its size: compressed views hold up to a thousand times their bytes.
const GLTF_FREE: usize = 16 << 20;

/// Bytes in memory for each byte of a Draco stream: entropy coding writes equal values in next to no bytes.
const DRACO_FACTOR: usize = 1400;

/// Bytes as an OBJ file, at once and as a stream, which must be the same; a small level is baked.
pub fn obj(data: &[u8]) {
    let read = bounded(reader_bound(data, 100), || navinput::read_obj(data));
    let mut streamed = Vec::new();
    let mut take = |batch: SourceLevel| -> Result<(), StreamError> {
        for mesh in &batch.meshes {
            let corner = |vertex: u32| mesh.vertices[vertex as usize].map(f64::to_bits);
            streamed.extend(mesh.triangles.iter().map(|triangle| triangle.map(corner)));
        }
        Ok(())
    };
    let stream = bounded(reader_bound(data, 200), || ObjStream::vertices(data)?.faces(data, 3, &mut take));
    let Ok(level) = read else { return assert!(stream.is_err(), "a stream takes what is refused at once") };
    assert_eq!(stream.expect("it was read at once"), level.ignored);
    let corner = |vertex: u32| level.level.vertices[vertex as usize].map(f64::to_bits);
    assert!(
        streamed.iter().eq(level
            .level
            .triangles
            .iter()
            .map(|triangle| triangle.map(corner))
            .collect::<Vec<_>>()
            .iter())
    );
    assert!(level.level.vertices.as_flattened().iter().all(|value| value.is_finite()));
    bake(SourceLevel::from(level));
}

/// Bytes as a glTF file that brings its buffers along; a small level is baked.
pub fn gltf(data: &[u8]) {
    let mut load = |uri: &str| Err(format!("{uri}: there are no files here"));
    // Names may be written with escapes.
    let has = |text: &str| data.windows(text.len()).any(|part| part == text.as_bytes());
    let factor = if has(DRACO) || has("\\u") { DRACO_FACTOR } else { 150 };
    let level = bounded(GLTF_FREE + reader_bound(data, factor), || navinput::read_gltf(data, &mut load));
    if let Ok(level) = level {
        check(level);
    }
}

const DRACO: &str = "KHR_draco_mesh_compression";

/// Bytes as a Draco stream, after the identifier of its positions; a small level is baked.
pub fn draco(data: &[u8]) {
    let Some((id, stream)) = data.split_first() else { return };
    let length = stream.len();
    let document = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"extensionsUsed":["{DRACO}"],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},
        "extensions":{{"{DRACO}":{{"bufferView":0,"attributes":{{"POSITION":{id}}}}}}}}}]}}],
        "accessors":[{{"componentType":5126,"type":"VEC3","count":3}}],
        "bufferViews":[{{"buffer":0,"byteLength":{length}}}],"buffers":[{{"uri":"a","byteLength":{length}}}]}}"#
    );
    let bound = GLTF_FREE + DRACO_FACTOR * (document.len() + length);
    let read = || navinput::read_gltf(document.as_bytes(), &mut |_| Ok(stream.to_vec()));
    if let Ok(level) = bounded(reader_bound(data, 0) + bound, read) {
        check(level);
    }
}

/// Checks a level that was read, and bakes it if it is small.
fn check(level: SourceLevel) {
    for mesh in &level.meshes {
        assert!(mesh.vertices.as_flattened().iter().all(|value| value.is_finite()));
        assert!(mesh.triangles.as_flattened().iter().all(|index| (*index as usize) < mesh.vertices.len()));
    }
    assert!(level.placements.iter().all(|placement| placement.mesh < level.meshes.len()));
    bake(level);
}

/// Bytes as a geometry set.
pub fn gset(data: &[u8]) {
    let Ok(set) = bounded(reader_bound(data, 10), || navinput::read_gset(data)) else { return };
    let _ = set.settings.validate();
}

/// Text as a settings file, and over other settings.
pub fn settings_toml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = bounded(reader_bound(data, 100), || navinput::read_settings(text));
    if let Ok(file) = read {
        // Values out of range are reported with their place.
        for error in file.settings.validate().err().unwrap_or_default() {
            let _ = file.place_of(&error.field);
        }
        for agent in &file.agents {
            let _ = agent.apply(&file.settings).validate();
        }
        let base = Settings { cell_size: 0.1, agent_radius: 0.2, ..Settings::default() };
        let _ = navinput::read_settings_over(text, &base);
    }
}
