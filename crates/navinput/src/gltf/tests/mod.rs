//! Tests of the glTF reader: files that are read.

mod charges;
pub(crate) mod file;
mod posed;
mod refusals;

use crate::settings::{UpAxis, Winding};
use crate::source::SourceLevel;
use crate::{read_gltf, read_obj};
use file::{F32, File, SQUARE, U8, U16, U32, primitive, read, square, world};
use recast::Transform;
use std::sync::Arc;

fn paths(level: &SourceLevel) -> Vec<&str> {
    level.placements.iter().map(|placement| placement.node.as_str()).collect()
}

/// Returns true if all triangles of a level on the ground face upwards.
fn faces_up(level: &SourceLevel) -> bool {
    world(level).iter().all(|[a, b, c]| (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0.0)
}

#[test]
fn the_three_containers_hold_the_same_level() {
    let mut file = square();
    file.node("floor", r#","mesh":0"#);
    let level = file.read();
    assert_eq!(level.meshes.len(), 1);
    let mesh = &level.meshes[0];
    assert_eq!(mesh.vertices[..], SQUARE.map(|vertex| vertex.map(f64::from)));
    assert_eq!(mesh.triangles[..], [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(
        (&mesh.materials.names[1..], &mesh.materials.ids[..]),
        (&["stone".to_owned()][..], &[1, 1][..])
    );
    assert_eq!((mesh.groups.name_of(1), mesh.objects.name_of(1)), ("slab", ""));
    assert_eq!((paths(&level), level.placements[0].transform), (vec!["floor"], Transform::IDENTITY));
    assert!(level.ignored.is_empty() && faces_up(&level));
    assert_eq!(read(file.embedded().as_bytes()), Ok(level.clone()));
    let with_mark = format!("\u{FEFF} \n{}", file.embedded());
    assert_eq!(read(with_mark.as_bytes()), Ok(level.clone()));
    let mut asked = Vec::new();
    let mut load = |uri: &str| {
        asked.push(uri.to_owned());
        Ok(file.bytes.clone())
    };
    assert_eq!(read_gltf(file.json(Some("parts/the%20floor.bin")).as_bytes(), &mut load), Ok(level));
    assert_eq!(asked, ["parts/the floor.bin"], "asked for once");
}

#[test]
fn instances_share_one_mesh() {
    let mut file = square();
    for x in 0..50 {
        file.node("tile", &format!(r#","mesh":0,"translation":[{x},0,0]"#));
    }
    let level = file.read();
    assert_eq!((level.meshes.len(), level.placements.len()), (1, 50));
    assert_eq!(level.placements[7].transform.apply([0.0; 3]), [7.0, 0.0, 0.0]);
    assert_eq!(world(&level).len(), 100);
}

#[test]
fn meshes_over_the_same_accessor_share_vertices() {
    let mut file = square();
    let more = file.indices(&[3, 2, 1], U32);
    file.mesh("half", &[primitive(0, &format!(r#","indices":{more}"#))]);
    file.node("a", r#","mesh":0"#);
    file.node("b", r#","mesh":1"#);
    let level = file.read();
    assert!(Arc::ptr_eq(&level.meshes[0].vertices, &level.meshes[1].vertices));
    assert_eq!(level.meshes[1].materials.name_of(0), "", "no material, no name");
}

#[test]
fn primitives_of_a_mesh_are_put_together() {
    let mut file = square();
    let above = file.floats(&SQUARE.map(|[x, _, z]| [x, 2.0, z]));
    let indices = file.indices(&[1, 2, 3], U8);
    file.materials.push("{}".to_owned());
    let same = primitive(0, &format!(r#","indices":{indices},"material":1"#));
    let other = primitive(above, &format!(r#","indices":{indices},"material":0"#));
    let first = primitive(0, r#","indices":1,"material":0"#);
    file.meshes[0] = format!(r#"{{"primitives":[{first},{same},{other}]}}"#);
    file.nodes.push(r#"{"mesh":0}"#.to_owned());
    let level = file.read();
    let mesh = &level.meshes[0];
    assert_eq!(mesh.vertices.len(), 8, "the first accessor is decoded once");
    assert_eq!(mesh.triangles[..], [[0, 1, 2], [0, 2, 3], [1, 2, 3], [5, 6, 7]]);
    assert_eq!(
        (&mesh.materials.names[1..], &mesh.materials.ids[..]),
        (&["stone".to_owned(), "material1".to_owned()][..], &[1, 1, 2, 1][..])
    );
    assert_eq!((mesh.groups.name_of(0), paths(&level)), ("mesh0", vec!["node0"]));
}

#[test]
fn lists_strips_and_fans_are_cut_alike() {
    // The square as two triangles, in the order of corners for each mode.
    let orders: [(u32, &[usize]); 3] = [(4, &[0, 1, 2, 0, 2, 3]), (5, &[0, 1, 3, 2]), (6, &[0, 1, 2, 3])];
    for (mode, order) in orders {
        let mut file = File::default();
        let positions = file.floats(&order.iter().map(|&corner| SQUARE[corner]).collect::<Vec<_>>());
        file.mesh("m", &[primitive(positions, &format!(r#","mode":{mode}"#))]);
        file.node("n", r#","mesh":0"#);
        let level = file.read();
        assert!(faces_up(&level), "mode {mode}");
        assert_eq!(level.meshes[0].triangles.len(), 2, "mode {mode}");
    }
    let mut file = File::default();
    let positions = file.floats(&SQUARE);
    let indices = file.indices(&[0, 1, 3, 2, 2, 0, 0, 1, 3], U16);
    file.mesh("m", &[primitive(positions, &format!(r#","mode":5,"indices":{indices}"#))]);
    file.node("n", r#","mesh":0"#);
    let level = file.read();
    assert!(faces_up(&level), "repeated corners turn nothing round");
    assert_eq!(level.meshes[0].triangles.len(), 3, "and make no triangles");
}

#[test]
fn materials_without_triangles_are_not_named() {
    let mut file = square();
    file.materials.push(r#"{"name":"dust"}"#.to_owned());
    let corners = file.indices(&[0, 0, 0, 1], U16);
    let dust = primitive(0, &format!(r#","mode":5,"indices":{corners},"material":1"#));
    file.meshes[0] = format!(r#"{{"primitives":[{dust},{}]}}"#, primitive(0, r#","indices":1,"material":0"#));
    file.node("n", r#","mesh":0"#);
    assert_eq!(file.read().meshes[0].materials.names, ["", "stone"]);
}

#[test]
fn every_width_of_index_is_read() {
    for component in [U8, U16, U32] {
        let mut file = File::default();
        let positions = file.floats(&SQUARE);
        let indices = file.indices(&[0, 1, 2], component);
        file.mesh("m", &[primitive(positions, &format!(r#","indices":{indices}"#))]);
        file.node("n", r#","mesh":0"#);
        assert_eq!(file.read().meshes[0].triangles[..], [[0, 1, 2]]);
    }
}

#[test]
fn sparse_accessors_replace_some_elements() {
    let mut file = square();
    let places = file.view(&[1, 3], "");
    let values: Vec<u8> =
        [9.0_f32, 8.0, 7.0, 6.0, 5.0, 4.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let values = file.view(&values, "");
    let sparse = format!(
        r#""count":4,"componentType":{F32},"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":{places},"componentType":{U8}}},"values":{{"bufferView":{values}}}}}"#
    );
    file.node("n", r#","mesh":0"#);
    for (base, corner) in [(r#""bufferView":0,"#, [1.0, 0.0, 1.0]), ("", [0.0; 3])] {
        file.accessors[0] = format!("{{{base}{sparse}}}");
        let vertices = &file.read().meshes[0].vertices;
        assert_eq!(vertices[..], [[0.0; 3], [9.0, 8.0, 7.0], corner, [6.0, 5.0, 4.0]]);
    }
}

#[test]
fn interleaved_and_offset_data_is_read() {
    let mut file = square();
    let mut bytes = vec![7; 8];
    for vertex in SQUARE {
        bytes.extend(vertex.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend_from_slice(&[0xFF; 8]);
    }
    bytes.truncate(bytes.len() - 8);
    let view = file.view(&bytes, r#","byteStride":20"#);
    file.accessors[0] =
        format!(r#"{{"bufferView":{view},"byteOffset":8,"count":4,"componentType":{F32},"type":"VEC3"}}"#);
    file.node("n", r#","mesh":0"#);
    assert_eq!(file.read().meshes[0].vertices[..], SQUARE.map(|vertex| vertex.map(f64::from)));
}

#[test]
fn quantised_positions_are_read() {
    let cases: [(u32, &str, &[u8], [f64; 3]); 4] = [
        (5120, "", &[1, 0x80, 0x7F], [1.0, -128.0, 127.0]),
        (5120, r#","normalized":true"#, &[0, 0x80, 0x7F], [0.0, -1.0, 1.0]),
        (5122, r#","normalized":true"#, &[0, 0, 1, 0x80, 0xFF, 0x7F], [0.0, -1.0, 1.0]),
        (5123, "", &[1, 0, 0, 1, 0xFF, 0xFF], [1.0, 256.0, 65_535.0]),
    ];
    for (component, more, bytes, expected) in cases {
        let mut file =
            File { more: r#""extensionsRequired":["KHR_mesh_quantization"],"#.to_owned(), ..File::default() };
        let view = file.view(&bytes.repeat(3), "");
        let positions = file.accessor(view, 3, component, "VEC3", more);
        file.mesh("m", &[primitive(positions, "")]);
        file.node("n", r#","mesh":0"#);
        assert_eq!(file.read().meshes[0].vertices[2], expected, "{component} {more}");
    }
}

#[test]
fn transforms_follow_each_other_down_the_tree() {
    let mut file = square();
    // A quarter turn about Y takes z to x and x to -z; the quaternion is rounded to 32 bits.
    let turn = "[0,0.70710678,0,0.70710678]";
    file.node("root", r#","translation":[10,0,0],"children":[1]"#);
    file.node("house", &format!(r#","rotation":{turn},"scale":[2,3,4],"children":[2,3]"#));
    file.node("door", r#","mesh":0,"translation":[0,1,0]"#);
    file.node("", r#","matrix":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 5,6,7,1],"mesh":0"#);
    let level = file.read();
    assert_eq!(paths(&level), ["root/house/door", "root/house/node3"]);
    let at = |index: usize, point| level.placements[index].transform.apply(point);
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(at(0, [0.0; 3]), [10.0, 3.0, 0.0]));
    assert!(near(at(0, [1.0, 0.0, 0.0]), [10.0, 3.0, -2.0]));
    assert!(near(at(0, [0.0, 0.0, 1.0]), [14.0, 3.0, 0.0]));
    // The matrix is the same turn, then a move.
    assert!(near(at(1, [0.0, 0.0, 1.0]), [10.0 + 4.0 * 7.0, 18.0, -2.0 * 6.0]));
}

#[test]
fn mirrored_meshes_are_wound_the_other_way() {
    let mut file = square();
    file.node("a", r#","mesh":0,"scale":[-1,1,1]"#);
    file.node("b", r#","mesh":0"#);
    file.node("c", r#","mesh":0,"scale":[1,1,-2]"#);
    file.node("d", r#","mesh":0,"scale":[-1,1,-1]"#);
    let level = file.read();
    assert_eq!(level.placements.iter().map(|placement| placement.mesh).collect::<Vec<_>>(), [0, 1, 0, 1]);
    assert!(Arc::ptr_eq(&level.meshes[0].vertices, &level.meshes[1].vertices));
    assert_eq!(level.meshes[0].triangles[..], [[0, 2, 1], [0, 3, 2]]);
    assert!(faces_up(&level));
}

#[test]
fn instances_of_the_graphics_card_are_placements() {
    let mut file = square();
    let places = file.floats(&[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let turns = file.floats(&[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]]);
    let scales = file.floats(&[[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]);
    let instancing = format!(
        r#","extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{places},"ROTATION":{turns},"SCALE":{scales},"_ID":0}}}}}}"#
    );
    file.node("root", r#","translation":[0,5,0],"children":[1]"#);
    file.node("trees", &format!(r#","mesh":0{instancing}"#));
    file.more = r#""extensionsRequired":["EXT_mesh_gpu_instancing"],"#.to_owned();
    let level = file.read();
    assert_eq!(paths(&level), ["root/trees"; 3]);
    let corner = |index: usize| level.placements[index].transform.apply([1.0, 0.0, 0.0]);
    assert_eq!([corner(0), corner(1), corner(2)], [[2.0, 5.0, 0.0], [0.0, 5.0, 0.0], [2.0, 5.0, 0.0]]);
    assert_eq!((level.meshes.len(), level.placements[2].mesh), (2, 1), "the third is mirrored");
    assert!(faces_up(&level));
}

#[test]
fn the_default_scene_is_read_or_the_first_or_all_roots() {
    let mut file = square();
    file.node("a", r#","mesh":0"#);
    file.node("b", r#","mesh":0,"children":[2]"#);
    file.node("c", r#","mesh":0"#);
    assert_eq!(paths(&file.read()), ["a", "b", "b/c"]);
    let scenes = r#""scenes":[{"nodes":[0]},{"nodes":[1,0]}],"#;
    file.more = scenes.to_owned();
    let level = file.read();
    assert_eq!(paths(&level), ["a"]);
    assert!(level.ignored[0].starts_with("2 nodes with a mesh are not in the scene"), "{:?}", level.ignored);
    file.more = format!(r#"{scenes}"scene":1,"#);
    let level = file.read();
    assert_eq!(paths(&level), ["b", "b/c", "a"]);
    assert!(level.ignored.is_empty());
}

#[test]
fn what_is_left_out_is_counted() {
    let mut file = square();
    let lines = [0, 1, 2, 3].map(|mode| primitive(0, &format!(r#","mode":{mode}"#)));
    let morphed = primitive(0, r#","indices":1,"targets":[{"POSITION":0}]"#);
    file.mesh("mixed", &[lines.to_vec(), vec![morphed]].concat());
    file.mesh("wire", &lines);
    file.more =
        r#""skins":[{"joints":[0]}],"extensionsRequired":["KHR_materials_unlit","KHR_texture_transform"],"#
            .to_owned();
    file.node("a", r#","mesh":1,"skin":0"#);
    file.node("b", r#","mesh":2"#);
    let level = file.read();
    assert_eq!((level.meshes.len(), level.placements.len()), (1, 1));
    assert_eq!(
        level.ignored,
        [
            "8 primitives of lines or points were ignored",
            "1 node is skinned: its mesh has the pose that its joints are stored in",
            "1 mesh has morph targets: it has the shape without them",
        ]
    );
}

#[test]
fn a_level_is_the_same_from_obj_and_gltf() {
    let mut file = File::default();
    let mut corners = Vec::new();
    for corner in 0..8 {
        corners.push([(corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32]);
    }
    // Two triangles a side, outwards.
    let sides: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices: Vec<u32> = sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
    let positions = file.floats(&corners);
    let indices = file.indices(&indices, U8);
    file.mesh("box", &[primitive(positions, &format!(r#","indices":{indices}"#))]);
    let boxes = [([0.0, 0.0, 0.0], 1.0), ([4.5, 0.25, -3.0], 2.0), ([-8.0, 0.0, 1.5], 0.5)];
    let mut obj = String::new();
    for (index, (place, scale)) in boxes.iter().enumerate() {
        let [x, y, z] = place;
        file.node(
            "box",
            &format!(r#","mesh":0,"translation":[{x},{y},{z}],"scale":[{scale},{scale},{scale}]"#),
        );
        for corner in &corners {
            let at: Vec<String> =
                (0..3).map(|axis| (place[axis] + scale * f64::from(corner[axis])).to_string()).collect();
            obj.push_str(&format!("v {}\n", at.join(" ")));
        }
        for side in &sides {
            let names: Vec<String> =
                side.iter().map(|corner| (corner + 8 * index as u32 + 1).to_string()).collect();
            obj.push_str(&format!("f {}\n", names.join(" ")));
        }
    }
    let from_obj = world(&SourceLevel::from(read_obj(obj.as_bytes()).unwrap()));
    assert_eq!(from_obj.len(), 36);
    assert_eq!(world(&file.read()), from_obj);
}

/// A floor under a node that mirrors it. Viewers show doubleSided materials from both sides, which hides a
/// problem: a floor stored as it should look is turned over if such nodes are read as the format defines.
#[test]
fn mirrored_floors_are_wound_as_the_setting_says() {
    let level = |corners: [u32; 6]| {
        let mut file = square();
        file.materials[0] = r#"{"name":"stone","doubleSided":true}"#.to_owned();
        let indices = file.indices(&corners, U16);
        file.meshes[0] = format!(
            r#"{{"primitives":[{}]}}"#,
            primitive(0, &format!(r#","indices":{indices},"material":0"#))
        );
        file.node("mirror", r#","mesh":0,"scale":[-1,1,1]"#);
        file.read()
    };
    let by_format = level([0, 1, 2, 0, 2, 3]);
    let as_seen = level([0, 2, 1, 0, 3, 2]);
    let faces = |level: &SourceLevel, winding| {
        let wound = level.clone().wound(winding);
        (faces_up(&wound), wound.doubts(UpAxis::Y, winding).iter().any(|doubt| doubt.contains("--winding")))
    };
    assert_eq!(faces(&by_format, Winding::Spec), (true, false));
    assert_eq!(faces(&by_format, Winding::Stored), (false, true));
    assert_eq!(faces(&as_seen, Winding::Spec), (false, true), "doubleSided turns nothing over by itself");
    assert_eq!(faces(&as_seen, Winding::Stored), (true, false));
    for level in [by_format, as_seen] {
        let either = level.wound(Winding::Either);
        let up = world(&either);
        assert_eq!((up.len(), faces_up(&either)), (4, false), "both sides are there");
        assert!(either.doubts(UpAxis::Y, Winding::Either).iter().all(|doubt| !doubt.contains("--winding")));
    }
}

/// A vector turned by a quaternion, by its cross products with the vector part.
fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let ([x, y, z], w) = ([x, y, z].map(|part| part / length), w / length);
    let cross = |[a, b, c]: [f64; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
    let once = cross(v);
    let twice = cross(once);
    std::array::from_fn(|axis| v[axis] + 2.0 * w * once[axis] + 2.0 * twice[axis])
}

#[test]
fn nodes_turn_about_any_axis() {
    for rotation in
        [[0.5, -0.25, 0.75, 0.125], [0.0, 0.0, 0.5, 0.5], [-1.0, 2.0, 0.5, -3.0], [0.25, 0.0, 0.0, 1.0]]
    {
        let mut file = square();
        let [x, y, z, w] = rotation;
        file.node(
            "a",
            &format!(r#","mesh":0,"scale":[2,3,5],"translation":[7,-8,9],"rotation":[{x},{y},{z},{w}]"#),
        );
        let transform = file.read().placements[0].transform;
        for corner in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, -2.0, 3.0]] {
            let [a, b, c] = turned(rotation, [2.0 * corner[0], 3.0 * corner[1], 5.0 * corner[2]]);
            let expected = [a + 7.0, b - 8.0, c + 9.0];
            let found = transform.apply(corner);
            let off = (0..3).map(|axis| (found[axis] - expected[axis]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{rotation:?}: {found:?}, expected {expected:?}");
        }
    }
}

#[test]
fn a_matrix_stands_column_by_column_and_alone() {
    let matrix = r#","mesh":0,"matrix":[1,2,3,0,4,5,7,0,8,10,9,0,11,12,13,1]"#;
    let mut file = square();
    file.node("a", matrix);
    let rows = [[1.0, 4.0, 8.0, 11.0], [2.0, 5.0, 10.0, 12.0], [3.0, 7.0, 9.0, 13.0]];
    assert_eq!(file.read().placements[0].transform, Transform(rows));
    for part in [r#""translation":[0,0,0]"#, r#""rotation":[0,0,0,1]"#, r#""scale":[1,1,1]"#] {
        let mut file = square();
        file.node("a", &format!("{matrix},{part}"));
        let error = file.try_read().unwrap_err().to_string();
        assert!(error.contains("a matrix together with translation, rotation or scale"), "{error}");
    }
}

#[test]
fn long_strips_go_on_from_their_last_edge() {
    let mut file = square();
    let indices = file.indices(&[0, 1, 3, 2, 0], U8);
    file.meshes[0] =
        format!(r#"{{"primitives":[{}]}}"#, primitive(0, &format!(r#","mode":5,"indices":{indices}"#)));
    file.node("a", r#","mesh":0"#);
    assert_eq!(file.read().meshes[0].triangles[..], [[0, 1, 3], [1, 2, 3], [3, 2, 0]]);
}

#[test]
fn of_two_binary_chunks_the_first_counts_and_only_the_first_buffer_has_it() {
    let mut file = square();
    file.node("floor", r#","mesh":0"#);
    let json = file.json(None);
    let twice = File::glb_of(&json, &[&file.bytes, &[0xFF; 400]]);
    assert_eq!(read(&twice), Ok(file.read()));
    let second = json
        .replace(r#""buffer":0"#, r#""buffer":1"#)
        .replace(r#""buffers":["#, r#""buffers":[{"byteLength":4},"#);
    let error = read(&File::glb_of(&second, &[&file.bytes])).unwrap_err().to_string();
    assert!(error.contains("buffers[1]") && error.contains("the buffer has no URI"), "{error}");
}
