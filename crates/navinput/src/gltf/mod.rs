//! A level from a glTF 2.0 file, as JSON or as GLB: the meshes of a scene and their placements.
//!
//! The gltf crate turns the JSON into types. Its validation and its iterators are not used: they index lists
//! with unchecked values from the file, and panic if a value is wrong. Every index and range is checked here
//! before it is used, and memory is accounted for before it is allocated, against the size of the input.
//!
//! Units: metres, right-handed, Y up, as the format defines. Cost: linear in time; an instance costs a
//! transform.
//! Source: glTF 2.0 specification (Khronos, 2021), KHR_mesh_quantization, EXT_mesh_gpu_instancing,
//! KHR_node_visibility, EXT_meshopt_compression, KHR_draco_mesh_compression.

mod container;
mod data;
mod draco;
mod error;
mod meshes;
mod meshopt;
mod nodes;
mod skin;
#[cfg(test)]
mod tests;
mod uri;

pub use error::{GltfError, GltfProblem};

use crate::source::{SourceLevel, SourceMesh, SourcePlacement, turned_over};
use ::gltf::json::Root;
use data::Data;
use meshes::Meshes;
use navmath::count::counted;
use recast::Transform;
use skin::Pose;
use std::collections::BTreeMap;

/// Extensions that are read.
const KNOWN: [&str; 5] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    nodes::VISIBILITY,
    meshopt::NAMES[0],
    meshopt::NAMES[1],
];
/// Extensions that do not affect geometry, by the start of their name.
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
/// `load` gives the bytes of an external buffer by its path relative to the file's folder: decoded, never
/// absolute, never with `..`. It is called only for buffers of geometry, once for each.
///
/// Takes the default scene; without one the first scene; without any scene all root nodes. A mesh with
/// several placements is one [`SourceMesh`]. If a placement mirrors it, a second mesh shares its vertices and
/// has its triangles wound in the opposite direction. Materials are materials, meshes are groups, node names
/// make the path of a placement; items without a name are called `material0`, `mesh3` or `node12` by their
/// index.
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
/// [`GltfError`] gives the place in the file, the value found and expected, and the remedy. A file whose
/// scene has no triangles is an error.
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
    let mut scene = nodes::walk(&mut data)?;
    let mut meshes = Meshes::new();
    let mut level = SourceLevel::default();
    // The index in the level of each form of a mesh; `None` if it has no triangles.
    let mut placed = Placed::new();
    let stands = std::mem::take(&mut scene.stands);
    let count = stands.len() as u64;
    for (number, stand) in stands.into_iter().enumerate() {
        let form = match stand.skin {
            Some(_) => MeshForm::Posed(number),
            None if stand.transform.mirrors() => MeshForm::Mirrored,
            None => MeshForm::Stored,
        };
        let key = (stand.mesh, form);
        let place = match placed.get(&key) {
            Some(&place) => place,
            None => {
                let other = other_side(&placed, key).map(|other| other.map(|mesh| &level.meshes[mesh]));
                let mesh = match (other, stand.skin) {
                    (Some(other), _) => match other {
                        Some(other) => Some(turned_inside_out(&mut data, other, stand.mesh)?),
                        None => None,
                    },
                    (None, Some(skin)) => {
                        let pose = Pose::of(&mut data, &scene.parents, skin, stand.transform)?;
                        meshes.read(&mut data, stand.mesh, Some(&pose))?
                    }
                    (None, None) => match meshes.read(&mut data, stand.mesh, None)? {
                        Some(mesh) if form == MeshForm::Mirrored => {
                            Some(turned_inside_out(&mut data, &mesh, stand.mesh)?)
                        }
                        read => read,
                    },
                };
                let place = mesh.is_some().then_some(level.meshes.len());
                level.meshes.extend(mesh);
                placed.insert(key, place);
                place
            }
        };
        let transform = if stand.skin.is_some() { Transform::IDENTITY } else { stand.transform };
        let placement = place.map(|mesh| SourcePlacement { mesh, node: stand.path, transform });
        let placements = if stand.is_hidden { &mut level.hidden } else { &mut level.placements };
        placements.extend(placement);
    }
    if level.meshes.is_empty() {
        return Err(GltfProblem::NoTriangles { meshes: count, others: meshes.others }.at(""));
    }
    level.ignored = notes(&scene, &meshes);
    Ok(level)
}

/// Sentences about content that was left out, or that will look different in the game.
fn notes(scene: &nodes::Scene, meshes: &Meshes) -> Vec<String> {
    let notes = [
        (
            meshes.others,
            "primitive of lines or points was ignored",
            "primitives of lines or points were ignored",
        ),
        (
            meshes.nowhere,
            "primitive without positions was skipped",
            "primitives without positions were skipped",
        ),
        (
            scene.skinned,
            "node is skinned: its mesh has the pose that its joints are stored in",
            "nodes are skinned: their meshes have the pose that their joints are stored in",
        ),
        (
            meshes.unposed,
            "skinned primitive is compressed with Draco: its first joint places it",
            "skinned primitives are compressed with Draco: their first joints place them",
        ),
        (
            meshes.morphed,
            "mesh has morph targets: it has the shape without them",
            "meshes have morph targets: they have the shape without them",
        ),
        (
            scene.left_out,
            "node with a mesh is not in the scene that is shown and was left out",
            "nodes with a mesh are not in the scene that is shown and were left out",
        ),
    ];
    let some = notes.iter().filter(|(count, ..)| *count > 0);
    some.map(|(count, one, several)| counted(*count, one, several)).collect()
}

/// The index in the level of each form of a mesh.
type Placed = BTreeMap<(usize, MeshForm), Option<usize>>;

/// The form of a mesh with the opposite winding, if it was read.
fn other_side(placed: &Placed, (mesh, form): (usize, MeshForm)) -> Option<Option<usize>> {
    let other = match form {
        MeshForm::Stored => MeshForm::Mirrored,
        MeshForm::Mirrored => MeshForm::Stored,
        MeshForm::Posed(_) => return None,
    };
    placed.get(&(mesh, other)).copied()
}

/// The forms that a mesh of the file can have in the level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MeshForm {
    /// As it is stored.
    Stored,
    /// Wound in the opposite direction.
    Mirrored,
    /// As the joints of a skin pose it, for this placement.
    Posed(usize),
}

/// A mesh with its triangles wound in the opposite direction, over the same vertices.
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
