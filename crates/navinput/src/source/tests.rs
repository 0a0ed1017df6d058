//! Tests of the common form: merging, turning, and the handling of names.

use super::*;
use crate::pattern::{AreaMapping, NameKind, NamePattern};
use crate::settings::{InputSettings, SettingsFile};
use crate::{read_gltf, read_obj, read_settings};
use proptest::prelude::*;
use recast::{AreaId, InstancedMesh};

/// A mesh of two triangles, of materials `grass` and `mud`, in one group.
fn mesh(group: &str) -> SourceMesh {
    let labels = |names: &[&str], ids: &[u32]| Labels {
        names: [""].iter().chain(names).map(|name| (*name).to_owned()).collect(),
        ids: ids.to_vec(),
    };
    SourceMesh {
        vertices: Arc::new([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        triangles: Arc::new([[0, 1, 2], [0, 2, 3]]),
        materials: labels(&["grass", "mud"], &[1, 2]),
        groups: labels(&[group], &[1, 1]),
        objects: labels(&[], &[0, 0]),
    }
}

fn at(mesh: usize, node: &str, x: f64) -> SourcePlacement {
    let transform = Transform([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    SourcePlacement { mesh, node: node.to_owned(), transform }
}

/// Two meshes, one with three placements.
fn level() -> SourceLevel {
    SourceLevel {
        meshes: vec![mesh("tile"), mesh("house")],
        placements: vec![
            at(0, "root/north/tile", 0.0),
            at(0, "root/south/tile", 1.0),
            at(1, "root/north/house", 2.0),
            at(0, "root/south/old/tile", 3.0),
        ],
        ..SourceLevel::default()
    }
}

fn settings(toml: &str) -> SettingsFile {
    read_settings(toml).unwrap_or_else(|error| panic!("{error}"))
}

fn meshes(toml: &str) -> Vec<InstancedMesh> {
    let file = settings(toml);
    into_meshes(&level(), &file.mappings, &file.input).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Of each mesh: its triangles, their areas, and its position along x.
fn summary(meshes: &[InstancedMesh]) -> Vec<(usize, Vec<u8>, Vec<f64>)> {
    let of = |mesh: &InstancedMesh| {
        let areas = mesh.areas.iter().map(|area| area.0).collect();
        (mesh.triangles.len(), areas, mesh.placements.iter().map(|place| place.0[0][3]).collect())
    };
    meshes.iter().map(of).collect()
}

fn refused(toml: &str) -> Vec<String> {
    let file = settings(toml);
    let problems = into_meshes(&level(), &file.mappings, &file.input).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn without_rules_parts_share_all_of_a_mesh() {
    let level = level();
    let meshes = into_meshes(&level, &[], &InputSettings::default()).unwrap();
    assert_eq!(summary(&meshes), [(2, vec![], vec![0.0, 1.0, 3.0]), (2, vec![], vec![2.0])]);
    for (made, mesh) in meshes.iter().zip(&level.meshes) {
        assert!(Arc::ptr_eq(&made.vertices, &mesh.vertices) && Arc::ptr_eq(&made.triangles, &mesh.triangles));
    }
}

#[test]
fn areas_of_materials_leave_instances_together() {
    let meshes = meshes("[[area]]\nid = 2\nname = \"mud\"\nmaterials = [\"mud\"]\n");
    assert_eq!(summary(&meshes), [(2, vec![63, 2], vec![0.0, 1.0, 3.0]), (2, vec![63, 2], vec![2.0])]);
}

#[test]
fn areas_of_nodes_part_instances_that_differ() {
    let toml = "[[area]]\nid = 2\nname = \"wet\"\nnodes = [\"south\"]\n[[area]]\nid = 3\nname = \"old\"\nnodes = [\"root/south/old\"]\n";
    assert_eq!(
        summary(&meshes(toml)),
        [
            (2, vec![], vec![0.0]),
            (2, vec![2, 2], vec![1.0]),
            (2, vec![3, 3], vec![3.0]),
            (2, vec![], vec![2.0])
        ]
    );
    let material_last = format!("{toml}[[area]]\nid = 4\nname = \"mud\"\nmaterials = [\"mud\"]\n");
    assert_eq!(summary(&meshes(&material_last))[1].1, [2, 4], "the last that fits counts, whatever it is of");
    let alike = "[[area]]\nid = 2\nname = \"a\"\nnodes = [\"south\"]\ngroups = [\"tile\"]\n";
    assert_eq!(
        summary(&meshes(alike))[0],
        (2, vec![2, 2], vec![0.0, 1.0, 3.0]),
        "what comes out alike is one mesh"
    );
}

#[test]
fn what_is_not_included_or_is_excluded_goes() {
    let include = "[input]\ninclude_materials = [\"grass\"]\n";
    assert_eq!(summary(&meshes(include)), [(1, vec![], vec![0.0, 1.0, 3.0]), (1, vec![], vec![2.0])]);
    let either = "[input]\ninclude_materials = [\"grass\"]\ninclude_nodes = [\"house\"]\n";
    assert_eq!(summary(&meshes(either)), [(1, vec![], vec![0.0, 1.0, 3.0]), (2, vec![], vec![2.0])]);
    let exclude = "[input]\nexclude_nodes = [\"root/south\"]\n";
    assert_eq!(summary(&meshes(exclude)), [(2, vec![], vec![0.0]), (2, vec![], vec![2.0])]);
    let both =
        "[input]\ninclude_groups = [\"tile\"]\nexclude_nodes = [\"old\"]\nexclude_materials = [\"m*\"]\n";
    assert_eq!(summary(&meshes(both)), [(1, vec![], vec![0.0, 1.0])]);
    assert_eq!(meshes("[input]\nexclude_nodes = [\"*\"]\n"), []);
    let area =
        "[input]\nexclude_materials = [\"grass\"]\n[[area]]\nid = 2\nname = \"mud\"\nmaterials = [\"mud\"]\n";
    let meshes = meshes(area);
    assert_eq!((&meshes[0].triangles[..], &meshes[0].areas[..]), (&[[0, 2, 3]][..], &[AreaId(2)][..]));
}

#[test]
fn names_that_are_not_there_are_all_reported() {
    let report = refused(
        "[input]\nexclude_nodes = [\"noth\", \"*/house\"]\ninclude_objects = [\"x\"]\n[[area]]\nid = 2\nname = \"a\"\n\
         nodes = [\"zzzzzzzz\"]\nmaterials = [\"mad\"]\n",
    );
    assert_eq!(
        report,
        [
            "line 2, column 18: `input.exclude_nodes[0]` is \"noth\", but the level has no node of that name; the \
             nearest node is \"north\"",
            "line 3, column 20: `input.include_objects[0]` is \"x\", but the level has no object of that name; the \
             level has no objects at all",
            "line 7, column 10: `area[0].nodes[0]` is \"zzzzzzzz\", but the level has no node of that name; its \
             nodes are \"house\", \"north\", \"old\", \"root\", \"south\", \"tile\"",
            "line 8, column 14: `area[0].materials[0]` is \"mad\", but the level has no material of that name; the \
             nearest material is \"mud\"",
        ]
    );
    let exclude = vec![NamePattern::given(NameKind::Node, "hause", "--exclude-node")];
    let problems =
        into_meshes(&level(), &[], &InputSettings { exclude, ..InputSettings::default() }).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "`--exclude-node` is \"hause\", but the level has no node of that name; the nearest node is \"house\""
    );
    assert_eq!((problems[0].place, problems[0].span.clone()), (None, None));
}

#[test]
fn levels_are_turned_by_their_placements() {
    let level = level();
    assert_eq!(level.clone().turned(UpAxis::Y, 1.0), Ok(level.clone()));
    let turned = level.clone().turned(UpAxis::Z, 0.5).unwrap();
    assert_eq!(turned.meshes, level.meshes, "nothing is copied");
    assert!(Arc::ptr_eq(&turned.meshes[0].vertices, &level.meshes[0].vertices));
    assert_eq!(turned.placements[2].transform.apply([1.0, 2.0, 3.0]), [1.5, 1.5, -1.0]);
    assert!(!turned.placements[2].transform.mirrors());
    assert_eq!(
        level.clone().turned(UpAxis::Y, 2.0).unwrap().placements[2].transform.apply([1.0, 2.0, 3.0]),
        [6.0, 4.0, 6.0]
    );
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = level.clone().turned(UpAxis::Z, scale).unwrap_err();
        assert!(error.field == "input.scale" && error.to_string().contains("greater than 0"), "{error}");
    }
}

#[test]
fn levels_are_merged_in_order() {
    let obj = SourceLevel::from(read_obj(b"v 0 0 0\nv 0 0 1\nv 1 0 0\nl 1 2\nzzz\ng a\nf 1 2 3\n").unwrap());
    assert_eq!(
        obj.placements,
        [SourcePlacement { mesh: 0, node: String::new(), transform: Transform::IDENTITY }]
    );
    assert_eq!(obj.meshes[0].groups.name_of(0), "a");
    assert_eq!(
        obj.ignored,
        [
            "1 line or point was ignored",
            "1 statement is not known and was ignored: `zzz` at line 5, column 1",
        ]
    );
    let merged = SourceLevel::merge(vec![obj.clone(), level(), obj.clone()]);
    let meshes: Vec<usize> = merged.placements.iter().map(|placement| placement.mesh).collect();
    assert_eq!((merged.meshes.len(), meshes), (4, vec![0, 1, 1, 2, 1, 3]));
    assert_eq!(merged.ignored.len(), 4);
    assert_eq!(SourceLevel::merge(Vec::new()), SourceLevel::default());
    // A mesh without a node fits no pattern of nodes.
    let input = InputSettings {
        include: vec![NamePattern::given(NameKind::Node, "*", "--node")],
        ..InputSettings::default()
    };
    assert_eq!(into_meshes(&merged, &[], &input).unwrap().len(), 2);
}

#[test]
fn a_gltf_becomes_parts() {
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"a.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"count":3,"componentType":5126,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "nodes":[{"mesh":0,"name":"a"},{"mesh":0,"name":"b"},{"mesh":0,"name":"c","scale":[1,-1,1]}]}"#;
    let corners = [0.0_f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    let bytes: Vec<u8> = corners.iter().flat_map(|value| value.to_le_bytes()).collect();
    let level = read_gltf(json.as_bytes(), &mut |_| Ok(bytes.clone())).unwrap();
    let file =
        settings("[input]\nexclude_nodes = [\"b\"]\n[[area]]\nid = 2\nname = \"x\"\ngroups = [\"mesh0\"]\n");
    let meshes = into_meshes(&level, &file.mappings, &file.input).unwrap();
    assert_eq!(meshes.iter().map(|mesh| mesh.placements.len()).collect::<Vec<_>>(), [1, 1]);
    assert_eq!((meshes[0].triangles[0], meshes[1].triangles[0]), ([0, 1, 2], [0, 2, 1]));
    assert_eq!(meshes[1].areas[..], [AreaId(2)]);
}

proptest! {
    /// Meshes follow the rules for each triangle on its own, for any grouping of placements.
    #[test]
    fn parts_hold_each_triangle_that_stays(
        nodes in proptest::collection::vec("[ab](/[ab]){0,2}", 1..8),
        rules in proptest::collection::vec(("include|exclude|area", 0..3_usize, "[ab]|a/b|\\*|g[01]|grass|mud"), 0..6),
    ) {
        let level = SourceLevel {
            meshes: vec![mesh("g0"), mesh("g1")],
            placements: nodes.iter().enumerate().map(|(index, node)| at(index % 2, node, index as f64)).collect(),
            ..SourceLevel::default()
        };
        let mut input = InputSettings::default();
        let mut mappings = Vec::new();
        for (index, (rule, by, pattern)) in rules.iter().enumerate() {
            let by = [NameKind::Material, NameKind::Group, NameKind::Node][*by];
            let names = NamePattern::given(by, pattern.as_str(), "--rule");
            match rule.as_str() {
                "include" => input.include.push(names),
                "exclude" => input.exclude.push(names),
                _ => mappings.push(AreaMapping { area: AreaId(index as u8 + 1), names }),
            }
        }
        let Ok(meshes) = into_meshes(&level, &mappings, &input) else { return Ok(()) };
        let mut expected = Vec::new();
        for placement in &level.placements {
            let mesh = &level.meshes[placement.mesh];
            for (index, triangle) in mesh.triangles.iter().enumerate() {
                let fits = |pattern: &NamePattern| pattern.fits(match pattern.by {
                    NameKind::Material => mesh.materials.name_of(index),
                    NameKind::Group => mesh.groups.name_of(index),
                    _ => &placement.node,
                });
                let included = input.include.is_empty() || input.include.iter().any(fits);
                if included && !input.exclude.iter().any(fits) {
                    let area = mappings.iter().rev().find(|mapping| fits(&mapping.names));
                    expected.push((placement.transform.0[0][3] as u32, *triangle, area.map_or(63, |mapping| mapping.area.0)));
                }
            }
        }
        let mut found = Vec::new();
        for mesh in &meshes {
            for place in &mesh.placements {
                for (index, triangle) in mesh.triangles.iter().enumerate() {
                    found.push((place.0[0][3] as u32, *triangle, mesh.areas.get(index).map_or(63, |area| area.0)));
                }
            }
        }
        expected.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn only_what_was_ignored_is_said() {
    let level = |text: &str| SourceLevel::from(read_obj(text.as_bytes()).unwrap()).ignored;
    let square = "v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\n";
    assert!(level(square).is_empty());
    assert_eq!(level(&format!("{square}l 1 2\np 3\n")), ["2 lines and points were ignored"]);
}

#[test]
fn a_level_is_moved_as_a_chunk_and_names_its_materials() {
    let text = "v 0 0 0\nv 0 0 1\nv 1 0 0\nusemtl mud\nf 1 2 3\nusemtl stone\nf 1 2 3\nusemtl\nf 1 2 3\n";
    let level = SourceLevel::from(read_obj(text.as_bytes()).unwrap());
    assert_eq!(level.materials().into_iter().collect::<Vec<_>>(), ["mud", "stone"]);
    assert_eq!(level.clone().placed(Transform::IDENTITY), level);
    let moved = level.placed(Transform::turned(0.0, [5.0, 6.0, 7.0]));
    assert_eq!(moved.placements[0].transform.apply([1.0, 2.0, 3.0]), [6.0, 8.0, 10.0]);
}
