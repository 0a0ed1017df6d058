//! Checks that every pattern of names fits some name of a level, which may be read chunk by chunk. Cost:
//! O(names x patterns); each name is examined once.

use super::{SourceLevel, SourceMesh};
use crate::error::SettingProblem;
use crate::obj::Labels;
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::settings::InputSettings;
use navmath::sort::SharedSort;
use std::collections::{BTreeMap, BTreeSet};

/// Most names of a kind that are kept for suggestions; later names are checked, but not kept.
const KEPT: usize = 20_000;

/// The patterns of settings, and the names that were seen so far.
#[derive(Clone, Debug)]
pub struct NameCheck {
    /// Patterns that have not fit any name yet.
    open: Vec<NamePattern>,
    names: BTreeMap<NameKind, BTreeSet<String>>,
}

impl NameCheck {
    /// Starts without any names.
    pub fn new(mappings: &[AreaMapping], input: &InputSettings) -> NameCheck {
        let mappings = mappings.iter().map(|mapping| &mapping.names);
        let open: Vec<NamePattern> = mappings.chain(&input.include).chain(&input.exclude).cloned().collect();
        let names = open.iter().map(|pattern| (pattern.by, BTreeSet::new())).collect();
        NameCheck { open, names }
    }

    /// Checks the names of a level, or of a chunk of it.
    pub fn add(&mut self, level: &SourceLevel) {
        for (by, known) in &mut self.names {
            for name in names(level, *by) {
                if known.contains(name) {
                    continue;
                }
                self.open.retain(|pattern| pattern.by != *by || !pattern.fits(name));
                if known.len() < KEPT {
                    known.insert(name.to_owned());
                }
            }
        }
    }

    /// Every pattern that fits no name, with the nearest existing name.
    pub fn unknown(&self) -> Vec<SettingProblem> {
        let problem = |pattern: &NamePattern| {
            let names = self.names.get(&pattern.by).into_iter().flatten().map(String::as_str);
            match pattern.by {
                // The nearest name is searched among the names themselves, not among paths of them.
                NameKind::Node => pattern.unknown(&names.flat_map(|path| path.split('/')).collect()),
                _ => pattern.unknown(&names.collect()),
            }
        };
        let mut problems: Vec<SettingProblem> = self.open.iter().map(problem).collect();
        problems.shared_sort_by_key(|problem| problem.place);
        problems
    }
}

/// The names of a kind that a level has: for nodes, paths of names.
fn names(level: &SourceLevel, by: NameKind) -> BTreeSet<&str> {
    let of = |labels: for<'m> fn(&'m SourceMesh) -> &'m Labels| {
        level.meshes.iter().flat_map(move |mesh| labels(mesh).given()).collect()
    };
    match by {
        NameKind::Material => of(|mesh| &mesh.materials),
        NameKind::Group => of(|mesh| &mesh.groups),
        NameKind::Object => of(|mesh| &mesh.objects),
        NameKind::Node => {
            // A name that only hidden nodes have still belongs to the level.
            let all = level.placements.iter().chain(&level.hidden);
            let paths = all.map(|placement| placement.node.as_str());
            paths.filter(|path| !path.is_empty()).collect()
        }
    }
}
