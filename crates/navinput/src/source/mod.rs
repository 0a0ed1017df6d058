//! The common form of a level file: meshes, their placements, and their names.
//!
//! OBJ and glTF both become a [`SourceLevel`]. Several levels can be merged into one. Turning to Y up and
//! scaling to metres is composed into the placements. Then the level is made into parts for the bake.
//! Vertices and triangles are shared throughout.

#[cfg(test)]
mod area_tests;
mod meshes;
mod name_check;
mod names;
mod plausible;
#[cfg(test)]
mod plausible_tests;
#[cfg(test)]
mod tests;

pub use meshes::{into_meshes, into_meshes_of_chunk};
pub use name_check::NameCheck;
pub use names::TriangleNames;
pub use plausible::LevelSums;

use crate::obj::{Labels, ObjLevel};
use crate::settings::{HiddenNodes, UpAxis, Winding};
use navmath::count::counted;
use recast::{FieldError, Transform};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Geometry of a file: meshes, and their placements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceLevel {
    /// Meshes.
    pub meshes: Vec<SourceMesh>,
    /// Placements of the meshes. A mesh may have several.
    pub placements: Vec<SourcePlacement>,
    /// Placements that the file hides. They are not baked unless [`SourceLevel::shown`] adds them to the
    /// others.
    pub hidden: Vec<SourcePlacement>,
    /// Content of the file that a level does not use, for warnings: one sentence each, with counts.
    pub ignored: Vec<String>,
}

/// A mesh in its own space.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceMesh {
    /// Vertices, finite.
    pub vertices: Arc<[[f64; 3]]>,
    /// Triangles as indices of vertices, all in range. A triangle that is counter-clockwise seen from above,
    /// as placed, is walkable.
    pub triangles: Arc<[[u32; 3]]>,
    /// Names of materials, one label per triangle.
    pub materials: Labels,
    /// Names of groups, one label per triangle; in glTF the mesh's name.
    pub groups: Labels,
    /// Names of objects, one label per triangle; empty for glTF.
    pub objects: Labels,
}

/// A placement of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcePlacement {
    /// Index of the mesh.
    pub mesh: usize,
    /// The path of its node's names: `root/house/door`. Empty for OBJ.
    pub node: String,
    /// From the mesh's space to the world's.
    pub transform: Transform,
}

/// Checks that a factor can scale a level; the error is for the settings field `input.scale`.
pub(crate) fn check_scale(scale: f64) -> Result<(), FieldError> {
    if scale.is_finite() && scale > 0.0 {
        return Ok(());
    }
    Err(FieldError {
        field: "input.scale".to_owned(),
        found: scale.to_string(),
        expected: "a finite number greater than 0: 0.01 for a level in centimetres".to_owned(),
    })
}

impl SourceLevel {
    /// The level turned so that Y is up, and scaled to metres: `scale` is the length of its unit in metres.
    /// Vertices stay unchanged; placements change.
    ///
    /// # Errors
    /// If the scale is not finite or not greater than 0, as the settings field `input.scale`.
    pub fn turned(mut self, up: UpAxis, scale: f64) -> Result<SourceLevel, FieldError> {
        check_scale(scale)?;
        if (up, scale) == (UpAxis::Y, 1.0) {
            return Ok(self);
        }
        let turn = Transform(up.rows().map(|row| {
            let [a, b, c] = row.map(|value| value * scale);
            [a, b, c, 0.0]
        }));
        for placement in &mut self.placements {
            placement.transform = turn.after(&placement.transform);
        }
        Ok(self)
    }

    /// The level moved, after it was turned, to be a chunk of a larger level.
    #[must_use]
    pub fn placed(mut self, transform: Transform) -> SourceLevel {
        if transform != Transform::IDENTITY {
            for placement in &mut self.placements {
                placement.transform = transform.after(&placement.transform);
            }
        }
        self
    }

    /// The names of its materials.
    pub fn materials(&self) -> BTreeSet<&str> {
        self.meshes.iter().flat_map(|mesh| mesh.materials.given()).collect()
    }

    /// The reason why a level has no parts, and the remedy.
    pub fn nothing_left(&self) -> [&'static str; 2] {
        if self.placements.is_empty() && !self.hidden.is_empty() {
            return [
                "every mesh of it is hidden (KHR_node_visibility)",
                "bake hidden nodes with --hidden-nodes bake",
            ];
        }
        if self.meshes.iter().all(|mesh| mesh.triangles.is_empty()) {
            return ["no face of it has an area", "export the level again, with faces that have an area"];
        }
        [
            "the include and exclude lists leave nothing to bake",
            "check the include and exclude lists of the settings and options",
        ]
    }

    /// The level with its hidden placements, or with a note that they are left out.
    #[must_use]
    pub fn shown(mut self, hidden: HiddenNodes) -> SourceLevel {
        match (hidden, self.hidden.len() as u64) {
            (HiddenNodes::Bake, _) => self.placements.append(&mut self.hidden),
            (HiddenNodes::Skip, 0) => {}
            (HiddenNodes::Skip, count) => self.ignored.push(format!(
                "{} (KHR_node_visibility); to bake hidden nodes, use --hidden-nodes bake",
                counted(count, "hidden mesh was left out", "hidden meshes were left out")
            )),
        }
        self
    }

    /// The level with the sides of its triangles that count facing outwards. With [`Winding::Either`] every
    /// triangle is present twice, once for each side.
    #[must_use]
    pub fn wound(mut self, winding: Winding) -> SourceLevel {
        match winding {
            Winding::Spec => {}
            Winding::Stored => {
                // The reader turned the meshes of mirroring placements over, which no other placement shares.
                let mirrored = self.placements.iter().filter(|placement| placement.transform.mirrors());
                let meshes: BTreeSet<usize> = mirrored.map(|placement| placement.mesh).collect();
                for mesh in meshes {
                    let mesh = &mut self.meshes[mesh];
                    mesh.triangles = mesh.triangles.iter().copied().map(turned_over).collect();
                }
            }
            Winding::Either => {
                for mesh in &mut self.meshes {
                    let backs = mesh.triangles.iter().copied().map(turned_over);
                    mesh.triangles = mesh.triangles.iter().copied().chain(backs).collect();
                    for labels in [&mut mesh.materials, &mut mesh.groups, &mut mesh.objects] {
                        labels.ids.extend_from_within(..);
                    }
                }
            }
        }
        self
    }

    /// Several levels as one, in their order.
    pub fn merge(levels: Vec<SourceLevel>) -> SourceLevel {
        let mut merged = SourceLevel::default();
        for level in levels {
            let first = merged.meshes.len();
            merged.meshes.extend(level.meshes);
            let moved =
                |placement: SourcePlacement| SourcePlacement { mesh: first + placement.mesh, ..placement };
            merged.placements.extend(level.placements.into_iter().map(moved));
            merged.hidden.extend(level.hidden.into_iter().map(moved));
            merged.ignored.extend(level.ignored);
        }
        merged
    }
}

/// A triangle with the opposite winding.
pub(crate) fn turned_over([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

impl From<ObjLevel> for SourceLevel {
    /// One mesh with one placement that does not move it.
    fn from(obj: ObjLevel) -> SourceLevel {
        SourceLevel {
            meshes: vec![SourceMesh {
                vertices: obj.level.vertices.into(),
                triangles: obj.level.triangles.into(),
                materials: obj.materials,
                groups: obj.groups,
                objects: obj.objects,
            }],
            placements: vec![SourcePlacement {
                mesh: 0,
                node: String::new(),
                transform: Transform::IDENTITY,
            }],
            hidden: Vec::new(),
            ignored: obj.ignored.sentences(),
        }
    }
}
