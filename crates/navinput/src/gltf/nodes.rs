//! The nodes of a scene: a tree of transforms, walked without recursion, and the meshes in it.
//! Cost: O(nodes + instances).

use super::data::{Data, Form, ROTATIONS, VECTORS, get};
use super::error::{GltfError, GltfProblem};
use ::gltf::json::{Node, Root, Value};
use navmath::count::counted;
use recast::Transform;
use std::collections::BTreeMap;

const INSTANCING: &str = "EXT_mesh_gpu_instancing";
/// The extension that hides nodes and everything below them.
pub(super) const VISIBILITY: &str = "KHR_node_visibility";
/// Most nodes above each other. Levels are not deeper, and deep nodes make paths of names long.
const MAX_DEPTH: usize = 256;
/// Approximate memory of a placement without its path.
const PLACEMENT_BYTES: u64 = 160;

/// A placement of a mesh of the file.
pub(super) struct Stand {
    pub(super) mesh: usize,
    /// Names of the nodes from the scene's root down, with `/` between them.
    pub(super) path: String,
    pub(super) transform: Transform,
    /// The skin that moves its vertices.
    pub(super) skin: Option<usize>,
    /// True if its node, or one above it, is hidden.
    pub(super) is_hidden: bool,
}

/// The content of a scene.
pub(super) struct Scene {
    pub(super) stands: Vec<Stand>,
    /// The parent of each node of the file.
    pub(super) parents: Vec<Option<usize>>,
    /// Nodes with a mesh and a skin.
    pub(super) skinned: u64,
    /// Nodes with a mesh that the scene does not show.
    pub(super) left_out: u64,
}

/// A node on the path from the root to the node being walked.
struct Frame<'r> {
    node: &'r Node,
    next_child: usize,
    /// Length of the path above it.
    path_length: usize,
    transform: Transform,
    is_hidden: bool,
}

/// Walks the default scene; without one the first scene; without any scene all root nodes.
pub(super) fn walk(data: &mut Data<'_>) -> Result<Scene, GltfError> {
    let root = data.root;
    let parents = parents(root)?;
    check_tree(root, &parents)?;
    let roots = roots(root, &parents)?;
    let mut scene = Scene { stands: Vec::new(), parents, skinned: 0, left_out: 0 };
    let mut shown = 0;
    for index in roots {
        let mut path = String::new();
        let mut frames = vec![enter(data, index, None, &mut path, &mut scene)?];
        while let Some(frame) = frames.last_mut() {
            let children = frame.node.children.as_deref().unwrap_or_default();
            let Some(child) = children.get(frame.next_child) else {
                shown += u64::from(frame.node.mesh.is_some());
                path.truncate(frame.path_length);
                frames.pop();
                continue;
            };
            frame.next_child += 1;
            let above = (frame.transform, frame.is_hidden);
            if frames.len() >= MAX_DEPTH {
                let (what, limit) = ("depth of nodes", MAX_DEPTH as u64);
                let remedy = "export the level with fewer nodes above each other";
                let problem = GltfProblem::Limit { what, value: limit + 1, limit, remedy };
                return Err(problem.at(format!("nodes[{}]", child.value())));
            }
            frames.push(enter(data, child.value(), Some(above), &mut path, &mut scene)?);
        }
    }
    scene.left_out = root.nodes.iter().filter(|node| node.mesh.is_some()).count() as u64 - shown;
    Ok(scene)
}

/// The parent of each node.
fn parents(root: &Root) -> Result<Vec<Option<usize>>, GltfError> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for (place, child) in node.children.iter().flatten().enumerate() {
            let at = format!("nodes[{index}].children[{place}]");
            get(&root.nodes, child.value(), "nodes", &at)?;
            if let Some(other) = parents[child.value()].replace(index) {
                let what = format!("nodes[{}] is a child of nodes[{other}] already", child.value());
                return Err(GltfProblem::Tree(what).at(at));
            }
        }
    }
    Ok(parents)
}

/// Checks that every node can be reached from a node without a parent. No node has two parents, so an
/// unreachable node is on a cycle or below one.
fn check_tree(root: &Root, parents: &[Option<usize>]) -> Result<(), GltfError> {
    let mut reached = vec![false; parents.len()];
    let mut open: Vec<usize> = (0..parents.len()).filter(|&node| parents[node].is_none()).collect();
    while let Some(node) = open.pop() {
        reached[node] = true;
        open.extend(root.nodes[node].children.iter().flatten().map(|child| child.value()));
    }
    let Some(mut lost) = reached.iter().position(|reached| !reached) else { return Ok(()) };
    // After one step up per node, the walk is inside the cycle.
    for _ in 0..parents.len() {
        lost = parents[lost].unwrap_or(lost);
    }
    Err(GltfProblem::Tree("the node is below itself".to_owned()).at(format!("nodes[{lost}]")))
}

/// The nodes that a scene starts from.
fn roots(root: &Root, parents: &[Option<usize>]) -> Result<Vec<usize>, GltfError> {
    let scene = match &root.scene {
        Some(scene) => scene.value(),
        None if root.scenes.is_empty() => {
            return Ok((0..parents.len()).filter(|&node| parents[node].is_none()).collect());
        }
        None => 0,
    };
    let nodes = &get(&root.scenes, scene, "scenes", "scene")?.nodes;
    let mut listed = vec![false; parents.len()];
    for (place, node) in nodes.iter().enumerate() {
        let at = format!("scenes[{scene}].nodes[{place}]");
        get(&root.nodes, node.value(), "nodes", &at)?;
        if let Some(parent) = parents[node.value()] {
            let what =
                format!("nodes[{}] is a root of the scene and a child of nodes[{parent}]", node.value());
            return Err(GltfProblem::Tree(what).at(at));
        }
        if std::mem::replace(&mut listed[node.value()], true) {
            let what = format!("nodes[{}] is a root of the scene twice", node.value());
            return Err(GltfProblem::Tree(what).at(at));
        }
    }
    Ok(nodes.iter().map(|node| node.value()).collect())
}

/// Visits a node: records its mesh with its transform, and adds its name to the path. `above` is the
/// transform of its parent, and true if the parent is hidden.
fn enter<'r>(
    data: &mut Data<'r>,
    index: usize,
    above: Option<(Transform, bool)>,
    path: &mut String,
    scene: &mut Scene,
) -> Result<Frame<'r>, GltfError> {
    let at = format!("nodes[{index}]");
    let node = get(&data.root.nodes, index, "nodes", &at)?;
    let path_length = path.len();
    if path_length > 0 {
        path.push('/');
    }
    match node.name.as_deref() {
        None | Some("") => path.push_str(&format!("node{index}")),
        Some(name) => path.push_str(name),
    }
    let (above, is_hidden) = above.unwrap_or((Transform::IDENTITY, false));
    let transform = finite(above.after(&local(node, &at)?), &at)?;
    let extension = |name: &str| node.extensions.as_ref().and_then(|known| known.others.get(name));
    let visible = extension(VISIBILITY).and_then(|visibility| visibility.get("visible")?.as_bool());
    let is_hidden = is_hidden || visible == Some(false);
    if let Some(mesh) = &node.mesh {
        get(&data.root.meshes, mesh.value(), "meshes", &format!("{at}.mesh"))?;
        let skin = node.skin.as_ref().map(|skin| skin.value());
        scene.skinned += u64::from(skin.is_some() && !is_hidden);
        let transforms = match extension(INSTANCING) {
            // Only joints place a mesh with a skin.
            Some(instancing) if skin.is_none() => instances(data, instancing, &transform, &at)?,
            _ => vec![transform],
        };
        data.charge(transforms.len() as u64, PLACEMENT_BYTES + path.len() as u64, &at)?;
        let stand = |transform| Stand { mesh: mesh.value(), path: path.clone(), transform, skin, is_hidden };
        scene.stands.extend(transforms.into_iter().map(stand));
    }
    Ok(Frame { node, next_child: 0, path_length, transform, is_hidden })
}

/// World transform of a node. The nodes above it are looked up in `known`, and added to it.
pub(super) fn place_of(
    root: &Root,
    parents: &[Option<usize>],
    node: usize,
    known: &mut BTreeMap<usize, Transform>,
) -> Result<Transform, GltfError> {
    let mut open = Vec::new();
    let mut at = Some(node);
    while let Some(node) = at.filter(|node| !known.contains_key(node)) {
        open.push(node);
        at = parents[node];
    }
    let mut place = at.map_or(Transform::IDENTITY, |node| known[&node]);
    for node in open.into_iter().rev() {
        let name = format!("nodes[{node}]");
        place = finite(place.after(&local(&root.nodes[node], &name)?), &name)?;
        known.insert(node, place);
    }
    Ok(place)
}

/// The transform of a node within its parent.
fn local(node: &Node, at: &str) -> Result<Transform, GltfError> {
    let parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if let Some(matrix) = &node.matrix {
        if parts {
            let found = "a matrix together with translation, rotation or scale".to_owned();
            return Err(GltfProblem::Unexpected { found, expected: "one or the other" }.at(at));
        }
        // Columns are stored one after the other.
        let m = matrix.map(f64::from);
        if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
            let found = format!("a last row of {:?}", [m[3], m[7], m[11], m[15]]);
            let expected = "0, 0, 0, 1: an affine matrix";
            return Err(GltfProblem::Unexpected { found, expected }.at(format!("{at}.matrix")));
        }
        let row = |row: usize| [m[row], m[row + 4], m[row + 8], m[row + 12]];
        return Ok(Transform([row(0), row(1), row(2)]));
    }
    composed(
        node.translation.unwrap_or([0.0; 3]).map(f64::from),
        node.rotation.unwrap_or_default().0.map(f64::from),
        node.scale.unwrap_or([1.0; 3]).map(f64::from),
        &format!("{at}.rotation"),
    )
}

/// Scale, then rotate, then move. The quaternion (x, y, z, w) need not have length 1, because files round it
/// to 32 bits. Dividing by its square makes the rotation exact again without a square root.
fn composed(
    translation: [f64; 3],
    [x, y, z, w]: [f64; 4],
    scale: [f64; 3],
    at: &str,
) -> Result<Transform, GltfError> {
    let square = x * x + y * y + z * z + w * w;
    if !(square.is_finite() && square > 0.0) {
        let found = format!("the quaternion {:?}", [x, y, z, w]);
        return Err(GltfProblem::Unexpected { found, expected: "a unit quaternion" }.at(at));
    }
    let s = 2.0 / square;
    let rotation = [
        [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
    ];
    Ok(Transform(std::array::from_fn(|row| {
        let [a, b, c] = rotation[row];
        [a * scale[0], b * scale[1], c * scale[2], translation[row]]
    })))
}

fn finite(transform: Transform, at: &str) -> Result<Transform, GltfError> {
    if transform.0.as_flattened().iter().all(|value| value.is_finite()) {
        return Ok(transform);
    }
    let found = "a place in the world that is not finite".to_owned();
    Err(GltfProblem::Unexpected { found, expected: "finite numbers" }.at(at))
}

/// The transforms of a node's instances. Source: EXT_mesh_gpu_instancing.
fn instances(
    data: &mut Data<'_>,
    extension: &Value,
    node: &Transform,
    at: &str,
) -> Result<Vec<Transform>, GltfError> {
    let at = format!("{at}.extensions.{INSTANCING}.attributes");
    let expected = "TRANSLATION, ROTATION or SCALE with the index of an accessor";
    let wrong = |found: String| GltfProblem::Unexpected { found, expected }.at(&*at);
    let attributes = extension.get("attributes").and_then(Value::as_object);
    let attributes = attributes.ok_or_else(|| wrong("no table of attributes".to_owned()))?;
    let accessor = |name: &str| match attributes.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64().and_then(|index| usize::try_from(index).ok()) {
            Some(index) => Ok(Some((index, format!("{at}.{name}")))),
            None => Err(wrong(format!("{name} that is not an index"))),
        },
    };
    let (translations, rotations, scales) =
        (accessor("TRANSLATION")?, accessor("ROTATION")?, accessor("SCALE")?);
    let mut count = None;
    for (index, at) in [&translations, &rotations, &scales].into_iter().flatten() {
        let own = data.count(*index, at)?;
        if own != *count.get_or_insert(own) {
            let found =
                format!("{} beside {}", counted(own, "element", "elements"), count.unwrap_or_default());
            return Err(GltfProblem::Unexpected { found, expected: "attributes of the same count" }.at(at));
        }
    }
    if count.is_none() {
        return Err(wrong("none of them".to_owned()));
    }
    let translations = vectors::<3>(data, &translations, &VECTORS)?;
    let rotations = vectors::<4>(data, &rotations, &ROTATIONS)?;
    let scales = vectors::<3>(data, &scales, &VECTORS)?;
    let lengths = [&translations, &scales].into_iter().flatten().map(Vec::len);
    let count = lengths.chain(rotations.as_ref().map(Vec::len)).min().unwrap_or(0);
    let transforms = (0..count).map(|index| {
        let of = |list: &Option<Vec<[f64; 3]>>, default| list.as_ref().map_or(default, |list| list[index]);
        let rotation = rotations.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |list| list[index]);
        let at = format!("{at}.ROTATION, element {index}");
        let instance = composed(of(&translations, [0.0; 3]), rotation, of(&scales, [1.0; 3]), &at)?;
        finite(node.after(&instance), &at)
    });
    transforms.collect()
}

/// The vectors of an accessor, if there is one.
fn vectors<const N: usize>(
    data: &mut Data<'_>,
    accessor: &Option<(usize, String)>,
    form: &Form,
) -> Result<Option<Vec<[f64; N]>>, GltfError> {
    accessor.as_ref().map(|(index, at)| data.vectors(*index, form, at)).transpose()
}
