//! Meshes that joints place, hidden nodes, and data that the format requires to be skipped or read as zeros.

use super::file::{F32, File, SQUARE, U8, U16, primitive, square, world};
use crate::InputSettings;
use crate::settings::HiddenNodes;
use crate::source::{NameCheck, SourceLevel};

/// A square with a skin of two joints: the first two corners belong to the first, the others to the second,
/// which is one metre higher for each of `weights` of 255 that it has.
fn skinned(weight: u8) -> File {
    let mut file = File::default();
    let positions = file.floats(&SQUARE);
    let indices = file.indices(&[0, 1, 2, 0, 2, 3], U16);
    let joints: Vec<u8> = [0, 1, 0, 0].repeat(4);
    let weights: Vec<u8> =
        [[255, 0, 0, 0], [255, 0, 0, 0], [255 - weight, weight, 0, 0], [255 - weight, weight, 0, 0]].concat();
    let view = file.view(&joints, "");
    let joints = file.accessor(view, 4, U8, "VEC4", "");
    let view = file.view(&weights, "");
    let weights = file.accessor(view, 4, U8, "VEC4", r#","normalized":true"#);
    file.mesh(
        "cloth",
        &[format!(
            r#"{{"attributes":{{"POSITION":{positions},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}},"indices":{indices}}}"#
        )],
    );
    file.node("armature", r#","translation":[100,0,0],"scale":[0.01,0.01,0.01],"mesh":0,"skin":0"#);
    file.node("hip", r#","children":[2]"#);
    file.node("knee", r#","translation":[0,1,0]"#);
    file.more = r#""skins":[{"joints":[1,2]}],"scenes":[{"nodes":[0,1]}],"#.to_owned();
    file
}

fn heights(level: &SourceLevel) -> Vec<f64> {
    level.meshes[0].vertices.iter().map(|vertex| vertex[1]).collect()
}

#[test]
fn joints_place_a_skinned_mesh_and_its_node_does_not() {
    let level = skinned(0).read();
    assert_eq!(
        world(&level),
        world(&{
            let mut plain = square();
            plain.node("slab", r#","mesh":0"#);
            plain.read()
        })
    );
    assert_eq!(level.placements[0].node, "armature");
    let note = "1 node is skinned: its mesh has the pose that its joints are stored in";
    assert_eq!(level.ignored, [note]);
}

#[test]
fn weights_share_a_vertex_among_joints() {
    assert_eq!(heights(&skinned(255).read()), [0.0, 0.0, 1.0, 1.0]);
    let bent = heights(&skinned(51).read());
    assert!(
        bent.iter().zip([0.0, 0.0, 0.2, 0.2]).all(|(found, expected)| (found - expected).abs() < 1e-9),
        "{bent:?}"
    );
    // Inverse bind matrices take a vertex to its joint: bound where it is, the knee moves nothing.
    let mut bound = skinned(255);
    let matrix = |y: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0];
    let bytes: Vec<u8> =
        [matrix(0.0), matrix(-1.0)].concat().iter().flat_map(|value| value.to_le_bytes()).collect();
    let view = bound.view(&bytes, "");
    let matrices = bound.accessor(view, 2, F32, "MAT4", "");
    bound.more = bound.more.replace("[1,2]", &format!("[1,2],\"inverseBindMatrices\":{matrices}"));
    assert_eq!(heights(&bound.read()), [0.0; 4]);
}

#[test]
fn joints_that_mirror_keep_what_faces_up() {
    let mut file = skinned(0);
    file.nodes[1] = r#"{"name":"hip","children":[2],"scale":[-1,1,1]}"#.to_owned();
    let up = |corners: &[[f64; 3]; 3]| {
        let [[ax, _, az], [bx, _, bz], [cx, _, cz]] = *corners;
        (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
    };
    assert!(world(&file.read()).iter().all(|corners| up(corners) > 0.0));
}

#[test]
fn a_vertex_without_joints_is_where_its_node_is() {
    let mut file = skinned(0);
    file.meshes[0] = file.meshes[0].replace("WEIGHTS_0", "_WEIGHTS").replace("JOINTS_0", "_JOINTS");
    let corners = world(&file.read());
    assert!(corners.iter().flatten().all(|corner| (100.0..100.02).contains(&corner[0])), "{corners:?}");
}

#[test]
fn skins_that_lie_are_refused() {
    for (from, to, expected) in [
        ("[1,2]", "[1,9]", "skins[0].joints[1]: index 9 is out of range"),
        (
            "[1,2]",
            "[1]",
            "JOINTS_0, element 2: index 1 is out of range, expected less than 1, the number of joints in its skin",
        ),
        ("[1,2]", "[1,2],\"inverseBindMatrices\":0", "expected 4 x 4 matrices"),
    ] {
        let mut file = skinned(255);
        file.more = file.more.replace(from, to);
        assert!(file.refuse().contains(expected), "{expected}: {}", file.refuse());
    }
    let mut file = skinned(255);
    file.nodes[0] = file.nodes[0].replace("\"skin\":0", "\"skin\":3");
    assert!(file.refuse().contains("skins[3]: index 3"), "{}", file.refuse());
}

#[test]
fn a_primitive_without_positions_is_skipped_and_counted() {
    let mut file = square();
    file.mesh("notes", &[r#"{"attributes":{}}"#.to_owned(), r#"{"attributes":{"TEXCOORD_0":0}}"#.to_owned()]);
    file.node("slab", r#","mesh":0"#);
    file.node("notes", r#","mesh":1"#);
    let level = file.read();
    assert_eq!((level.meshes.len(), level.placements.len()), (1, 1));
    assert_eq!(level.ignored, ["2 primitives without positions were skipped"]);
}

#[test]
fn an_accessor_without_a_view_is_zeros() {
    let mut file = square();
    file.accessors.push(r#"{"count":3,"componentType":5126,"type":"VEC3"}"#.to_owned());
    let mesh = file.mesh("point", &[primitive(file.accessors.len() - 1, "")]);
    file.node("slab", r#","mesh":0"#);
    file.node("point", &format!(r#","mesh":{mesh}"#));
    let level = file.read();
    assert_eq!(level.meshes[1].vertices[..], [[0.0; 3]; 3]);
}

/// A shown square, and a hidden node with one of its own and one below it.
fn half_hidden() -> SourceLevel {
    let mut file = square();
    file.node("open", r#","mesh":0"#);
    file.node("closed", r#","mesh":0,"children":[2],"extensions":{"KHR_node_visibility":{"visible":false}}"#);
    file.node("below", r#","mesh":0,"extensions":{"KHR_node_visibility":{"visible":true}}"#);
    file.more = r#""scenes":[{"nodes":[0,1]}],"extensionsRequired":["KHR_node_visibility"],"#.to_owned();
    file.read()
}

#[test]
fn hidden_nodes_are_left_out_with_all_below_them_unless_they_are_asked_for() {
    let nodes = |level: &SourceLevel| -> Vec<String> {
        level.placements.iter().map(|placement| placement.node.clone()).collect()
    };
    let skipped = half_hidden().shown(HiddenNodes::Skip);
    assert_eq!(nodes(&skipped), ["open"]);
    assert!(skipped.ignored[0].starts_with("2 hidden meshes were left out"), "{:?}", skipped.ignored);
    let baked = half_hidden().shown(HiddenNodes::Bake);
    assert_eq!((nodes(&baked).join(" "), baked.ignored.len()), ("open closed closed/below".to_owned(), 0));
    let file: InputSettings =
        crate::read_settings("[input]\nhidden_nodes = \"bake\"\n").expect("it is a setting").input;
    assert_eq!(file.hidden_nodes, HiddenNodes::Bake);
}

#[test]
fn a_pattern_of_hidden_nodes_fits() {
    let settings = crate::read_settings("[input]\nexclude_nodes = [\"closed\", \"gone\"]\n").unwrap();
    let mut names = NameCheck::new(&[], &settings.input);
    names.add(&half_hidden().shown(HiddenNodes::Skip));
    let unknown: Vec<String> = names.unknown().into_iter().map(|problem| problem.what).collect();
    assert_eq!(unknown.len(), 1);
    assert!(unknown[0].contains("gone"), "{unknown:?}");
}
