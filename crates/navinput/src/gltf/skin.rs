//! Meshes with a skin: joints move their vertices, with the nodes in the pose that the file stores. The node
//! that shows such a mesh does not place it.
//! Cost: O(vertices x joints of a vertex). Source: glTF 2.0 specification, section 3.7.3 (skins).

use super::data::{Data, JOINTS, MATRICES, WEIGHTS, get};
use super::error::{GltfError, GltfProblem};
use super::nodes::place_of;
use ::gltf::json::mesh::{Primitive, Semantic};
use ::gltf::json::validation::Checked;
use recast::Transform;
use std::collections::BTreeMap;

/// The transforms that a skin's joints apply to vertices.
pub(super) struct Pose {
    /// For each joint, from the space of the mesh to the world.
    joints: Vec<Transform>,
    /// For vertices without joints: the transform of the node.
    node: Transform,
}

/// Memory for the joints of a vertex while they are summed.
const SUM_BYTES: u64 = 112;

/// Accessors of the joints and weights of a primitive; each pair holds four joints per vertex.
pub(super) type Influences = Vec<[usize; 2]>;

/// Reads the joints and weights that a primitive names.
pub(super) fn influences(primitive: &Primitive) -> Influences {
    let accessor = |semantic| primitive.attributes.get(&Checked::Valid(semantic)).map(|index| index.value());
    let pair = |set: u32| Some([accessor(Semantic::Joints(set))?, accessor(Semantic::Weights(set))?]);
    (0..).map_while(pair).collect()
}

impl Pose {
    /// The pose of a skin, for a node that shows a mesh with it.
    pub(super) fn of(
        data: &mut Data<'_>,
        parents: &[Option<usize>],
        skin: usize,
        node: Transform,
    ) -> Result<Pose, GltfError> {
        let at = format!("skins[{skin}]");
        let root = data.root;
        let skin = get(&root.skins, skin, "skins", &at)?;
        let matrices = match &skin.inverse_bind_matrices {
            None => None,
            Some(accessor) => {
                let at = format!("{at}.inverseBindMatrices");
                Some(data.vectors::<16>(accessor.value(), &MATRICES, &at)?)
            }
        };
        data.charge(skin.joints.len() as u64, size_of::<Transform>() as u64, &at)?;
        let mut known = BTreeMap::new();
        let mut joints = Vec::with_capacity(skin.joints.len());
        for (place, joint) in skin.joints.iter().enumerate() {
            let at = format!("{at}.joints[{place}]");
            get(&root.nodes, joint.value(), "nodes", &at)?;
            let to_world = place_of(root, parents, joint.value(), &mut known)?;
            let to_joint = match &matrices {
                None => Transform::IDENTITY,
                Some(matrices) => {
                    let m = get(matrices, place, "inverse bind matrices", &at)?;
                    let row = |row: usize| [m[row], m[row + 4], m[row + 8], m[row + 12]];
                    Transform([row(0), row(1), row(2)])
                }
            };
            joints.push(to_world.after(&to_joint));
        }
        Ok(Pose { joints, node })
    }

    /// Moves vertices as their joints do. Returns for each vertex true if it is mirrored.
    pub(super) fn apply(
        &self,
        data: &mut Data<'_>,
        influences: &Influences,
        vertices: &mut [[f64; 3]],
        at: &str,
    ) -> Result<Vec<bool>, GltfError> {
        data.charge(vertices.len() as u64, SUM_BYTES, at)?;
        let mut sums = vec![([[0.0; 4]; 3], 0.0); vertices.len()];
        for (set, [joints, weights]) in influences.iter().enumerate() {
            let joints_at = format!("{at}.attributes.JOINTS_{set}");
            let joints = data.vectors::<4>(*joints, &JOINTS, &joints_at)?;
            let weights_at = format!("{at}.attributes.WEIGHTS_{set}");
            let weights = data.vectors::<4>(*weights, &WEIGHTS, &weights_at)?;
            for (list, at) in [(&joints, &joints_at), (&weights, &weights_at)] {
                if list.len() != vertices.len() {
                    let found = format!("{} elements for {} vertices", list.len(), vertices.len());
                    return Err(GltfProblem::Unexpected { found, expected: "one for each vertex" }.at(at));
                }
            }
            for (vertex, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
                let (sum, whole) = &mut sums[vertex];
                for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
                    let index = *joint as usize;
                    let Some(joint) = self.joints.get(index) else {
                        let (index, count) = (index as u64, self.joints.len() as u64);
                        let at = format!("{joints_at}, element {vertex}");
                        return Err(GltfProblem::Index { of: "joints in its skin", index, count }.at(at));
                    };
                    *whole += weight;
                    for (to, from) in sum.as_flattened_mut().iter_mut().zip(joint.0.as_flattened()) {
                        *to += weight * from;
                    }
                }
            }
        }
        let mut mirrored = Vec::with_capacity(vertices.len());
        for (index, (vertex, (sum, whole))) in vertices.iter_mut().zip(sums).enumerate() {
            // Weights add up to 1 except for rounding; a vertex without weights has no joint.
            let place = if whole > 0.0 {
                Transform(sum.map(|row| row.map(|value| value / whole)))
            } else {
                self.node
            };
            moved(vertex, &place, index, at)?;
            mirrored.push(place.mirrors());
        }
        Ok(mirrored)
    }

    /// Like [`Pose::apply`], for vertices whose joints are not known: moves them with the first joint. In the
    /// pose that a skin was bound in, all joints move a vertex to the same place.
    pub(super) fn apply_first(&self, vertices: &mut [[f64; 3]], at: &str) -> Result<Vec<bool>, GltfError> {
        let place = self.joints.first().unwrap_or(&self.node);
        for (index, vertex) in vertices.iter_mut().enumerate() {
            moved(vertex, place, index, at)?;
        }
        Ok(vec![place.mirrors(); vertices.len()])
    }
}

/// Moves a vertex of a primitive.
fn moved(vertex: &mut [f64; 3], place: &Transform, index: usize, at: &str) -> Result<(), GltfError> {
    *vertex = place.apply(*vertex);
    if vertex.iter().all(|value| value.is_finite()) {
        return Ok(());
    }
    Err(GltfProblem::NotFinite { element: index as u64 }.at(format!("{at}, as its joints move it")))
}
