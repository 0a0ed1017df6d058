//! From a level file to meshes for the bake: selects the geometry to bake, and the area of each triangle.
//! Cost: O(names x patterns + triangles + placements). Triangles are copied only if some of their mesh are
//! left out.

use super::{NameCheck, SourceLevel, SourceMesh, SourcePlacement};
use crate::error::SettingProblem;
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::settings::InputSettings;
use recast::{AreaId, InstancedMesh, Transform};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The effect of the patterns that fit a name, or several names, on everything below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    included: bool,
    excluded: bool,
    /// The last area mapping that fits.
    mapping: Option<usize>,
}

impl Fit {
    fn and(self, other: Fit) -> Fit {
        Fit {
            included: self.included || other.included,
            excluded: self.excluded || other.excluded,
            mapping: self.mapping.max(other.mapping),
        }
    }
}

struct Rules<'a> {
    mappings: &'a [AreaMapping],
    input: &'a InputSettings,
}

/// Makes meshes for the bake: applies the include and exclude lists, and the areas of names.
///
/// Placements of a mesh with the same result become one part, which shares the vertices of the mesh, and also
/// its triangles if all of them stay. If several mappings fit a triangle, the last one counts; if none does,
/// it is ground. Meshes without a placement or without a remaining triangle make no part; the list is empty
/// if nothing stays.
///
/// ```
/// use navinput::{InputSettings, SourceLevel, into_meshes, read_obj};
///
/// let level = SourceLevel::from(read_obj(b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n")?);
/// let meshes = into_meshes(&level, &[], &InputSettings::default()).expect("no names are given");
/// assert_eq!((meshes.len(), meshes[0].triangles.len()), (1, 1));
/// # Ok::<(), navinput::InputError>(())
/// ```
///
/// # Errors
/// Every pattern that fits no name of the level, with the nearest name there is.
pub fn into_meshes(
    level: &SourceLevel,
    mappings: &[AreaMapping],
    input: &InputSettings,
) -> Result<Vec<InstancedMesh>, Vec<SettingProblem>> {
    let mut names = NameCheck::new(mappings, input);
    names.add(level);
    let unknown = names.unknown();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    Ok(into_meshes_of_chunk(level, mappings, input))
}

/// Like [`into_meshes`], for a chunk of a level: patterns may fit names of other chunks only.
pub fn into_meshes_of_chunk(
    level: &SourceLevel,
    mappings: &[AreaMapping],
    input: &InputSettings,
) -> Vec<InstancedMesh> {
    let rules = Rules { mappings, input };
    let mut by_mesh: Vec<Vec<&SourcePlacement>> = vec![Vec::new(); level.meshes.len()];
    for placement in &level.placements {
        // Ignores placements of meshes that do not exist.
        if let Some(placements) = by_mesh.get_mut(placement.mesh) {
            placements.push(placement);
        }
    }
    let mut known = BTreeMap::new();
    let mut meshes = Vec::new();
    for (mesh, placements) in level.meshes.iter().zip(by_mesh) {
        let mut groups: Vec<(Fit, Vec<Transform>)> = Vec::new();
        for placement in placements {
            let fit = *known
                .entry(placement.node.as_str())
                .or_insert_with(|| rules.fit(NameKind::Node, &placement.node));
            match groups.iter_mut().find(|(other, _)| *other == fit) {
                Some((_, transforms)) => transforms.push(placement.transform),
                None => groups.push((fit, vec![placement.transform])),
            }
        }
        rules.add_meshes(mesh, groups, &mut meshes);
    }
    meshes
}

impl Rules<'_> {
    /// The effect of the patterns on a name.
    fn fit(&self, by: NameKind, name: &str) -> Fit {
        let fits = |pattern: &NamePattern| pattern.by == by && pattern.fits(name);
        Fit {
            included: self.input.include.iter().any(fits),
            excluded: self.input.exclude.iter().any(fits),
            mapping: self.mappings.iter().rposition(|mapping| fits(&mapping.names)),
        }
    }

    /// The instanced meshes of a source mesh: one for each different outcome.
    fn add_meshes(
        &self,
        mesh: &SourceMesh,
        groups: Vec<(Fit, Vec<Transform>)>,
        meshes: &mut Vec<InstancedMesh>,
    ) {
        let labels = [
            (NameKind::Material, &mesh.materials),
            (NameKind::Group, &mesh.groups),
            (NameKind::Object, &mesh.objects),
        ];
        let fits =
            labels.map(|(by, labels)| labels.names.iter().map(|name| self.fit(by, name)).collect::<Vec<_>>());
        let first = meshes.len();
        for (node, placements) in groups {
            let of = |triangle: usize| {
                let by_kind = labels.iter().zip(&fits).map(|((_, labels), fits)| {
                    let id = labels.ids.get(triangle).map_or(0, |&id| id as usize);
                    fits.get(id).copied().unwrap_or_default()
                });
                by_kind.fold(node, Fit::and)
            };
            let (triangles, areas) = self.outcome(mesh, of);
            if triangles.is_empty() {
                continue;
            }
            // Placements that fit different patterns may still have the same result.
            let same = |made: &&mut InstancedMesh| made.triangles == triangles && made.areas == areas;
            match meshes[first..].iter_mut().find(same) {
                Some(made) => made.placements.extend(placements),
                None => {
                    let vertices = mesh.vertices.clone();
                    meshes.push(InstancedMesh { vertices, triangles, areas, placements });
                }
            }
        }
    }

    /// The triangles that stay, and their areas.
    fn outcome(&self, mesh: &SourceMesh, fit: impl Fn(usize) -> Fit) -> (Arc<[[u32; 3]]>, Arc<[AreaId]>) {
        let any = self.input.include.is_empty();
        let stays = |fit: &Fit| (any || fit.included) && !fit.excluded;
        let staying = (0..mesh.triangles.len()).map(|triangle| (triangle, fit(triangle)));
        let (kept, areas): (Vec<usize>, Vec<AreaId>) = staying
            .filter(|(_, fit)| stays(fit))
            .map(|(triangle, fit)| {
                (triangle, fit.mapping.map_or(AreaId::GROUND, |index| self.mappings[index].area))
            })
            .unzip();
        let triangles = if kept.len() == mesh.triangles.len() {
            mesh.triangles.clone()
        } else {
            kept.iter().map(|&triangle| mesh.triangles[triangle]).collect()
        };
        let plain = areas.iter().all(|area| *area == AreaId::GROUND);
        (triangles, if plain { Arc::default() } else { areas.into() })
    }
}
