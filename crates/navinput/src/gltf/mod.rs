//! A level from a glTF 2.0 file, as JSON or as GLB: the meshes of a scene and where they stand.
//!
//! The gltf crate turns the JSON into types. Its validation and its iterators are not used: they index lists with what
//! the file says, and panic where it lies. Every index and range is checked here before it is used, and memory is
//! accounted for before it is asked for, against the size of what was read.
//!
//! Units: metres, right-handed, Y up, as the format says. Cost: linear in time; an instance costs a transform.
//! Source: glTF 2.0 specification (Khronos, 2021), KHR_mesh_quantization, EXT_mesh_gpu_instancing,
//! EXT_meshopt_compression, KHR_draco_mesh_compression.

mod container;
mod data;
mod draco;
mod error;
mod meshes;
mod meshopt;
mod nodes;
#[cfg(test)]
mod tests;
mod uri;

pub use error::{GltfError, GltfProblem};

use crate::source::{SourceLevel, SourceMesh, SourcePlacement, turned_over};
use ::gltf::json::Root;
use data::Data;
use meshes::Meshes;
use std::collections::BTreeMap;

/// Extensions that are read.
const KNOWN: [&str; 4] =
    ["KHR_mesh_quantization", "EXT_mesh_gpu_instancing", meshopt::NAMES[0], meshopt::NAMES[1]];
/// Extensions that geometry does not depend on, by the start of their name.
const HARMLESS: [&str; 9] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "MSFT_packing_",
];

/// Reads a level from the bytes of a .gltf or .glb file.
///
/// `load` gives the bytes of an external buffer by its path relative to the file's folder: decoded, never absolute,
/// never with `..`. It is asked for buffers of geometry only, once each.
///
/// Takes the default scene, else the first, else all root nodes. A mesh that stands several times is one
/// [`SourceMesh`] with several placements; where a placement mirrors it, a second mesh shares its vertices and has its
/// triangles wound the other way. Materials are materials, meshes are groups, node names make the path of a placement;
/// what has no name is called `material0`, `mesh3` or `node12` by its index.
///
/// ```
/// let file = br#"{
///   "asset": { "version": "2.0" },
///   "nodes": [{ "mesh": 0 }],
///   "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
///   "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
///   "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
///   "buffers": [{ "uri": "level.bin", "byteLength": 36 }]
/// }"#;
/// let corners = [0.0f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
/// let mut load = |uri: &str| match uri {
///     "level.bin" => Ok(corners.iter().flat_map(|value| value.to_le_bytes()).collect()),
///     other => Err(format!("no buffer {other}")),
/// };
/// let level = navinput::read_gltf(file, &mut load)?;
/// assert_eq!(level.meshes[0].triangles.len(), 1);
/// # Ok::<(), navinput::GltfError>(())
/// ```
///
/// # Errors
/// [`GltfError`] says where in the file, what was found and expected, and the remedy. A file whose scene has no
/// triangles is an error.
pub fn read_gltf(
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<SourceLevel, GltfError> {
    let container = container::split(bytes)?;
    let root: Root =
        Root::from_slice(container.json).map_err(|error| GltfProblem::Json(error.to_string()).at(""))?;
    check_version(&root)?;
    check_extensions(&root)?;
    let mut data = Data::new(&root, container.binary, bytes.len(), load);
    let scene = nodes::walk(&mut data)?;
    let mut meshes = Meshes::new();
    let mut level = SourceLevel::default();
    // Where a mesh of the file is among those of the level, as it is and mirrored; `None` if it has no triangles.
    let mut placed: BTreeMap<(usize, bool), Option<usize>> = BTreeMap::new();
    let stands = scene.stands.len() as u64;
    for nodes::Stand { mesh: index, path, transform } in scene.stands {
        let mirrored = transform.mirrors();
        let place = match placed.get(&(index, mirrored)) {
            Some(&place) => place,
            None => {
                let mesh = match placed.get(&(index, !mirrored)) {
                    Some(Some(other)) => Some(turned_inside_out(&mut data, &level.meshes[*other], index)?),
                    Some(None) => None,
                    None => match meshes.read(&mut data, index)? {
                        Some(mesh) if mirrored => Some(turned_inside_out(&mut data, &mesh, index)?),
                        read => read,
                    },
                };
                let place = mesh.is_some().then_some(level.meshes.len());
                level.meshes.extend(mesh);
                placed.insert((index, mirrored), place);
                place
            }
        };
        let placement = place.map(|mesh| SourcePlacement { mesh, node: path, transform });
        level.placements.extend(placement);
    }
    if level.meshes.is_empty() {
        return Err(GltfProblem::NoTriangles { meshes: stands, others: meshes.others }.at(""));
    }
    let notes = [
        (meshes.others, "primitives of lines or points were ignored"),
        (scene.skinned, "nodes are skinned: their meshes stand in the pose that they are stored in"),
        (meshes.morphed, "meshes have morph targets: they have the shape without them"),
        (scene.left_out, "nodes with a mesh are not in the scene that is shown and were left out"),
    ];
    level.ignored =
        notes.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    Ok(level)
}

/// A mesh with its triangles wound the other way, over the same vertices.
fn turned_inside_out(data: &mut Data<'_>, mesh: &SourceMesh, index: usize) -> Result<SourceMesh, GltfError> {
    data.charge(mesh.triangles.len() as u64, meshes::TRIANGLE_BYTES, &format!("meshes[{index}]"))?;
    let triangles = mesh.triangles.iter().copied().map(turned_over).collect();
    Ok(SourceMesh { triangles, ..mesh.clone() })
}

fn check_version(root: &Root) -> Result<(), GltfError> {
    let version = &root.asset.version;
    let least = root.asset.min_version.as_ref();
    if version.split('.').next() != Some("2") {
        return Err(GltfProblem::Version(version.escape_debug().to_string()).at("asset.version"));
    }
    match least.filter(|least| *least != "2.0") {
        Some(least) => Err(GltfProblem::Version(least.escape_debug().to_string()).at("asset.minVersion")),
        None => Ok(()),
    }
}

fn check_extensions(root: &Root) -> Result<(), GltfError> {
    let unknown = |name: &&String| {
        let is_draco = cfg!(feature = "draco") && *name == error::DRACO;
        !is_draco && !KNOWN.contains(&name.as_str()) && !HARMLESS.iter().any(|start| name.starts_with(start))
    };
    let unknown: Vec<String> =
        root.extensions_required.iter().filter(unknown).map(|name| name.escape_debug().to_string()).collect();
    if unknown.is_empty() { Ok(()) } else { Err(GltfProblem::Extensions(unknown).at("extensionsRequired")) }
}
