//! Tests of the glTF reader: files that are refused. None of them may cause a panic.

use super::file::{F32, File, SQUARE, U8, U16, primitive, read, square};
use crate::source::SourceLevel;
use crate::{GltfProblem, read_gltf};
use proptest::prelude::*;

/// A square with one placement.
fn level() -> File {
    let mut file = square();
    file.node("n", r#","mesh":0"#);
    file
}

/// Asserts that a level is refused after `change`, with a message that contains each of the given parts.
fn refused(change: impl Fn(&mut File), parts: &[&str]) {
    let mut file = level();
    change(&mut file);
    let message = file.refuse();
    for part in parts {
        assert!(message.contains(part), "{message}\nlacks {part}");
    }
}

#[test]
fn other_files_are_reported_from_gltf() {
    let report = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert!(report(b"").contains("empty"));
    assert!(report(b" \r\n").contains("empty"));
    assert!(report(b"v 0 0 0\n").contains("neither JSON"));
    assert!(report(b"{").contains("line 1"));
    assert!(report(b"{\n\"meshes\": 3}").contains("line 2"));
    assert!(report(br#"{"asset":{"version":"1.0"}}"#).contains("glTF 1.0, expected glTF 2.0"));
    assert!(
        report(br#"{"asset":{"version":"2.0","minVersion":"2.1"}}"#)
            .contains("asset.minVersion: the file is glTF 2.1")
    );
    assert!(report(b"glTF\x01\0\0\0\x0C\0\0\0").contains("glTF 1 (GLB)"));
    assert!(
        report(b"glTF only in name, and long")
            .contains("has no version after `glTF`, so the file is not a GLB")
    );
}

#[test]
fn every_prefix_and_every_longer_glb_is_refused() {
    let glb = level().glb();
    assert!(read(&glb).is_ok());
    for length in 0..glb.len() {
        assert!(read(&glb[..length]).is_err(), "{length} bytes of {}", glb.len());
    }
    let longer = [&glb[..], &[0]].concat();
    assert!(read(&longer).unwrap_err().to_string().contains("but its header says"));
    // The same with correct lengths in the headers, so that the missing data is noticed later.
    for length in 12..glb.len() {
        let mut cut = glb[..length].to_vec();
        cut[8..12].copy_from_slice(&(length as u32).to_le_bytes());
        assert!(read(&cut).is_err(), "{length} bytes of {}", glb.len());
    }
}

#[test]
fn chunks_must_be_in_order() {
    let chunk =
        |kind: &[u8; 4], bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes(), &kind[..], bytes].concat();
    let glb = |chunks: &[Vec<u8>]| {
        let body = chunks.concat();
        [b"glTF\x02\0\0\0", &(12 + body.len() as u32).to_le_bytes()[..], &body].concat()
    };
    let file = level();
    let json = chunk(b"JSON", file.json(None).as_bytes());
    let binary = chunk(b"BIN\0", &file.bytes);
    let other = chunk(b"XXXX", b"other");
    assert!(read(&glb(&[json.clone(), binary.clone(), other.clone()])).is_ok());
    assert!(read(&glb(&[json.clone(), other, binary.clone()])).is_ok());
    let report = |chunks: &[Vec<u8>]| read(&glb(chunks)).unwrap_err().to_string();
    assert!(report(&[]).contains("does not begin with a JSON chunk"));
    assert!(report(&[binary.clone(), json.clone()]).contains("second JSON chunk"));
    assert!(report(&[json.clone(), json.clone()]).contains("second JSON chunk"));
    assert!(report(&[json]).contains("buffers[0]: the buffer has no URI"));
}

#[test]
fn buffers_that_cannot_be_had_are_named() {
    let file = level();
    let report = |uri: &str| read(file.json(Some(uri)).as_bytes()).unwrap_err().to_string();
    let missing = report("a%20b.bin");
    assert!(
        missing.starts_with("buffers[0]: the buffer `a b.bin` cannot be read: nothing is next to"),
        "{missing}"
    );
    assert!(report("../up.bin").starts_with("buffers[0].uri: the URI `../up.bin` leads out"));
    assert!(report("https://host/x.bin").contains("scheme"));
    assert!(
        report("data:;base64,AAAA")
            .contains("the buffer ends at byte 60, but what was found for it has 3 bytes")
    );
    let short = read_gltf(file.json(Some("x.bin")).as_bytes(), &mut |_| Ok(vec![0; 59])).unwrap_err();
    assert!(matches!(short.problem, GltfProblem::Beyond { end: 60, length: 59, .. }), "{short}");
}

#[test]
fn buffers_of_textures_are_not_asked_for() {
    let mut file = level();
    file.more = r#""images":[{"bufferView":2,"mimeType":"image/png"}],"#.to_owned();
    file.views.push(r#"{"buffer":1,"byteLength":4}"#.to_owned());
    let bytes = file.bytes.clone();
    let json =
        file.json(Some("a.bin")).replace("\"buffers\":[", r#""buffers":[{"byteLength":1,"uri":"a.bin"},"#);
    // The geometry is now in the second buffer.
    let json = json.replace("\"buffer\":1", "\"buffer\":2").replace("\"buffer\":0", "\"buffer\":1");
    let json = json.replace("\"buffer\":2", "\"buffer\":0").replacen("a.bin", "texture.bin", 1);
    let mut asked = Vec::new();
    let level = read_gltf(json.as_bytes(), &mut |uri| {
        asked.push(uri.to_owned());
        Ok(bytes.clone())
    });
    assert!(level.is_ok(), "{level:?}");
    assert_eq!(asked, ["a.bin"]);
}

#[test]
fn a_file_of_several_buffers_is_asked_for_once() {
    let file = level();
    let json = file.json(Some("a.bin")).replacen(
        "\"buffers\":[",
        r#""buffers":[{"byteLength":48,"uri":"./a.bin"},"#,
        1,
    );
    // Positions from the first buffer, indices from the second.
    let second = json.rfind("\"buffer\":0").unwrap();
    let json = format!("{}\"buffer\":1{}", &json[..second], &json[second + 10..]);
    let mut asked = 0;
    let read = read_gltf(json.as_bytes(), &mut |uri| {
        asked += 1;
        if uri == "a.bin" { Ok(file.bytes.clone()) } else { Err("not there".to_owned()) }
    });
    assert_eq!(read, Ok(file.read()));
    assert_eq!(asked, 1);
}

#[test]
fn nodes_must_form_a_tree() {
    refused(
        |file| {
            file.node("a", r#","children":[2]"#);
            file.node("b", r#","children":[3]"#);
            file.node("c", r#","children":[1]"#);
        },
        &["nodes[", "the node is below itself"],
    );
    refused(|file| file.nodes[0] = r#"{"children":[0]}"#.to_owned(), &["nodes[0]: the node is below itself"]);
    refused(
        |file| {
            file.node("a", r#","children":[0]"#);
            file.node("b", r#","children":[0]"#);
        },
        &["nodes[2].children[0]: nodes[0] is a child of nodes[1] already"],
    );
    refused(
        |file| {
            file.node("a", r#","children":[0, 0]"#);
        },
        &["nodes[1].children[1]", "a child of nodes[1] already"],
    );
    let scene = |nodes: &'static str| {
        move |file: &mut File| {
            file.node("a", r#","children":[0]"#);
            file.more = format!(r#""scenes":[{{"nodes":[{nodes}]}}],"#);
        }
    };
    refused(scene("1,0"), &["scenes[0].nodes[1]: nodes[0] is a root of the scene and a child of nodes[1]"]);
    refused(scene("1,1"), &["scenes[0].nodes[1]: nodes[1] is a root of the scene twice"]);
    refused(
        scene("1,2"),
        &["scenes[0].nodes[1]: index 2 is out of range, expected less than 2, the number of nodes"],
    );
}

#[test]
fn deep_trees_are_refused_and_long_ones_are_not() {
    let chain = |length: usize| {
        let mut file = square();
        for node in 1..length {
            file.node("n", &format!(r#","children":[{node}]"#));
        }
        file.node("n", r#","mesh":0"#);
        file
    };
    assert_eq!(chain(256).read().placements[0].node.len(), 511);
    assert!(chain(257).refuse().contains("depth of nodes is 257, more than the limit of 256"));
    assert!(chain(50_000).refuse().contains("depth of nodes"));
}

#[test]
fn transforms_that_cannot_be_are_refused() {
    let node = |more: &'static str| move |file: &mut File| file.nodes[0] = format!(r#"{{"mesh":0,{more}}}"#);
    refused(
        node(r#""rotation":[0,0,0,0]"#),
        &["nodes[0].rotation: found the quaternion [0.0, 0.0, 0.0, 0.0]"],
    );
    refused(
        node(r#""translation":[1e39,0,0]"#),
        &["nodes[0]: found a place in the world that is not finite"],
    );
    let matrix = r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"#;
    assert!(
        read(level().embedded().replace("\"mesh\":0", &format!("\"mesh\":0,{matrix}")).as_bytes()).is_ok()
    );
    refused(node(r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]"#), &["nodes[0].matrix", "affine"]);
    refused(
        node(r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"scale":[1,1,1]"#),
        &["a matrix together with translation, rotation or scale"],
    );
    refused(node(r#""matrix":[1,0]"#), &["JSON", "line 1"]);
}

#[test]
fn levels_without_triangles_are_refused() {
    refused(|file| file.nodes.clear(), &["the scene has no triangles: 0 meshes are placed in it"]);
    refused(|file| file.nodes[0] = r#"{"name":"empty"}"#.to_owned(), &["no triangles"]);
    refused(
        |file| file.meshes[0] = format!(r#"{{"primitives":[{}]}}"#, primitive(0, r#","mode":1"#)),
        &["1 mesh is placed in it, 1 primitive is lines or points"],
    );
    assert!(read(br#"{"asset":{"version":"2.0"}}"#).unwrap_err().to_string().contains("no triangles"));
}

#[test]
fn required_extensions_are_named() {
    let require = |names: &'static str| {
        move |file: &mut File| file.more = format!(r#""extensionsRequired":[{names}],"#)
    };
    refused(
        require(r#""ACME_curved_space""#),
        &["extensionsRequired", "ACME_curved_space", "export the level without them"],
    );
}

#[test]
fn ranges_beyond_the_data_are_refused() {
    let accessor = |index: usize, text: &'static str| {
        move |file: &mut File| file.accessors[index] = format!("{{{text}}}")
    };
    let view = |text: &'static str| move |file: &mut File| file.views[0] = format!("{{{text}}}");
    refused(
        accessor(0, r#""bufferView":0,"count":5,"componentType":5126,"type":"VEC3""#),
        &[
            "accessors[0] (of meshes[0].primitives[0].attributes.POSITION)",
            "the data ends at byte 60, but its buffer view has 48 bytes",
        ],
    );
    refused(
        accessor(0, r#""bufferView":0,"byteOffset":4,"count":4,"componentType":5126,"type":"VEC3""#),
        &["ends at byte 52"],
    );
    for count in ["18446744073709551615", "1537228672809129302", "4294967296", "1000000000"] {
        let huge = format!(r#"{{"bufferView":0,"count":{count},"componentType":5126,"type":"VEC3"}}"#);
        refused(|file| file.accessors[0] = huge.clone(), &["meshes[0].primitives[0]"]);
        let huge = format!(r#"{{"bufferView":1,"count":{count},"componentType":5123,"type":"SCALAR"}}"#);
        refused(
            |file| file.accessors[1] = huge.clone(),
            &["accessors[1] (of meshes[0].primitives[0].indices)"],
        );
    }
    refused(
        accessor(
            0,
            r#""bufferView":0,"byteOffset":18446744073709551615,"count":4,"componentType":5126,"type":"VEC3""#,
        ),
        &["accessors[0]"],
    );
    refused(
        accessor(0, r#""bufferView":9,"count":4,"componentType":5126,"type":"VEC3""#),
        &["expected less than 2, the number of buffer views"],
    );
    refused(
        accessor(0, r#""count":4000000000,"componentType":5126,"type":"VEC3""#),
        &["bytes that the file becomes in memory"],
    );
    refused(
        accessor(0, r#""bufferView":0,"count":4,"componentType":5126,"type":"VEC2""#),
        &["found VEC2 of F32, expected vectors of three"],
    );
    refused(accessor(0, r#""bufferView":0,"count":4,"componentType":5125,"type":"VEC3""#), &["VEC3 of U32"]);
    refused(accessor(0, r#""bufferView":0,"count":4,"componentType":9,"type":"VEC9""#), &["unknown"]);
    refused(
        accessor(1, r#""bufferView":1,"count":6,"componentType":5122,"type":"SCALAR""#),
        &["expected scalars"],
    );
    refused(
        view(r#""buffer":0,"byteOffset":40,"byteLength":48"#),
        &["bufferViews[0]", "the view ends at byte 88, but its buffer has 60"],
    );
    refused(
        view(r#""buffer":3,"byteLength":48"#),
        &["bufferViews[0]", "expected less than 1, the number of buffers"],
    );
    refused(
        view(r#""buffer":0,"byteLength":48,"byteStride":8"#),
        &["a stride of 8 bytes for elements of 12"],
    );
    refused(
        view(r#""buffer":0,"byteLength":18446744073709551615,"byteOffset":18446744073709551615"#),
        &["bufferViews[0]"],
    );
}

#[test]
fn indices_and_numbers_that_cannot_be_are_refused() {
    let primitive = |text: &'static str| {
        move |file: &mut File| file.meshes[0] = format!(r#"{{"primitives":[{{{text}}}]}}"#)
    };
    refused(
        |file| {
            let indices = file.indices(&[0, 1, 4], U16);
            file.meshes[0] =
                format!(r#"{{"primitives":[{}]}}"#, super::primitive(0, &format!(r#","indices":{indices}"#)));
        },
        &[
            "meshes[0].primitives[0].indices, element 2: index 4 is out of range, expected less than 4, the number of vertices in this primitive",
        ],
    );
    refused(
        primitive(r#""attributes":{"POSITION":0},"mode":4"#),
        &["found 4 corners of triangles, expected a multiple of 3"],
    );
    refused(primitive(r#""attributes":{"POSITION":0},"mode":7"#), &["meshes[0].primitives[0].mode"]);
    refused(primitive(r#""attributes":{}"#), &["the scene has no triangles: 1 mesh is placed in it"]);
    refused(
        primitive(r#""attributes":{"POSITION":77}"#),
        &["index 77", "less than 2, the number of accessors"],
    );
    refused(
        primitive(r#""attributes":{"POSITION":0},"indices":77"#),
        &["index 77", "less than 2, the number of accessors"],
    );
    refused(
        primitive(r#""attributes":{"POSITION":0},"indices":1,"material":5"#),
        &["primitives[0].material: index 5"],
    );
    refused(
        |file| file.nodes[0] = r#"{"mesh":5}"#.to_owned(),
        &["nodes[0].mesh: index 5 is out of range, expected less than 1, the number of meshes"],
    );
    refused(
        |file| file.nodes[0] = r#"{"mesh":0,"children":[5]}"#.to_owned(),
        &["nodes[0].children[0]: index 5"],
    );
    refused(|file| file.more = r#""scene":3,"scenes":[{"nodes":[0]}],"#.to_owned(), &["scene: index 3"]);
    refused(
        |file| {
            let mut square = SQUARE;
            square[2][1] = f32::NAN;
            let positions = file.floats(&square);
            file.meshes[0] =
                format!(r#"{{"primitives":[{}]}}"#, super::primitive(positions, r#","indices":1"#));
        },
        &["accessors[2] (of meshes[0].primitives[0].attributes.POSITION): element 2 is not finite"],
    );
}

#[test]
fn sparse_indices_must_grow_and_be_in_range() {
    for (places, parts) in [
        ([3, 1], "index 1 after index 3, expected ascending indices"),
        ([1, 1], "index 1 after index 1"),
        ([0, 4], "index 4 is out of range, expected less than 4, the number of elements"),
    ] {
        refused(
            |file| {
                let places = file.view(&places, "");
                let values = file.view(&[0; 24], "");
                file.accessors[0] = format!(
                    r#"{{"bufferView":0,"count":4,"componentType":{F32},"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":{places},"componentType":{U8}}},"values":{{"bufferView":{values}}}}}}}"#
                );
            },
            &["sparse.indices", parts],
        );
    }
}

#[test]
fn memory_is_asked_for_by_what_is_there() {
    // Zeros without any bytes in the file.
    let sparse = |count: u64| {
        format!(
            r#"{{"count":{count},"componentType":{F32},"type":"VEC3","sparse":{{"count":0,"indices":{{"bufferView":0,"componentType":{U8}}},"values":{{"bufferView":0}}}}}}"#
        )
    };
    for count in [4_000_000_000, u64::MAX, 2_000_000] {
        refused(|file| file.accessors[0] = sparse(count), &["more than the limit"]);
    }
    let mut file = level();
    file.accessors[0] = sparse(4);
    assert!(file.try_read().is_ok());
    // One megabyte of positions that a hundred accessors share.
    let mut file = File::default();
    file.view(&vec![0; 1_200_000], "");
    for index in 0..100 {
        file.accessor(0, 99_999, F32, "VEC3", "");
        file.mesh("m", &[primitive(index, "")]);
        file.node("n", &format!(r#","mesh":{index}"#));
    }
    assert!(file.refuse().contains("bytes that the file becomes in memory"));
    // A long name that each of many placements would repeat.
    let mut file = square();
    let children: Vec<String> = (1..2000).map(|child| child.to_string()).collect();
    file.node(&"n".repeat(100_000), &format!(r#","children":[{}]"#, children.join(",")));
    for _ in 1..2000 {
        file.node("n", r#","mesh":0"#);
    }
    assert!(file.refuse().contains("bytes that the file becomes in memory"));
}

#[test]
fn instances_that_cannot_be_are_refused() {
    let with = |attributes: &'static str| {
        move |file: &mut File| {
            file.floats(&[[0.0; 3]; 2]);
            file.floats(&[[0.0; 4]; 2]);
            file.floats(&[[1.0; 3]; 3]);
            file.nodes[0] = format!(
                r#"{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{attributes}}}}}}}"#
            );
        }
    };
    let path = "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes";
    refused(with("3"), &[path, "no table of attributes"]);
    refused(with("{}"), &[path, "expected TRANSLATION, ROTATION or SCALE"]);
    refused(with(r#"{"TRANSLATION":-1}"#), &[path, "TRANSLATION that is not an index"]);
    refused(with(r#"{"TRANSLATION":9}"#), &[path, "index 9"]);
    refused(with(r#"{"TRANSLATION":2,"SCALE":4}"#), &[path, "found 3 elements beside 2"]);
    refused(with(r#"{"TRANSLATION":3}"#), &["found VEC4 of F32"]);
    refused(with(r#"{"ROTATION":3}"#), &[path, "ROTATION, element 0: found the quaternion"]);
}

/// Invariants of every level that is read.
fn check(level: &SourceLevel) {
    for mesh in &level.meshes {
        let count = mesh.triangles.len();
        assert!(mesh.triangles.as_flattened().iter().all(|&index| (index as usize) < mesh.vertices.len()));
        assert!(mesh.vertices.as_flattened().iter().all(|value| value.is_finite()));
        for labels in [&mesh.materials, &mesh.groups, &mesh.objects] {
            assert_eq!(labels.ids.len(), count);
            assert!(labels.ids.iter().all(|&id| (id as usize) < labels.names.len()));
        }
    }
    assert!(level.placements.iter().all(|placement| placement.mesh < level.meshes.len()));
}

/// A file with something of everything.
fn rich() -> File {
    let mut file = level();
    let places = file.view(&[1, 3], "");
    let values = file.view(&[0; 24], "");
    file.accessors.push(format!(
        r#"{{"bufferView":0,"count":4,"componentType":{F32},"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":{places},"componentType":{U8}}},"values":{{"bufferView":{values}}}}}}}"#
    ));
    let moves = file.floats(&[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    file.mesh(
        "strip",
        &[primitive(2, r#","mode":5"#), primitive(0, r#","mode":6"#), primitive(0, r#","mode":1"#)],
    );
    file.node("a", r#","children":[0,2],"rotation":[0,1,0,1],"scale":[-1,1,1]"#);
    file.node("b", &format!(r#","mesh":1,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{moves}}}}}}}"#));
    file.more = r#""scene":0,"scenes":[{"nodes":[1]}],"#.to_owned();
    file
}

#[test]
fn something_of_everything_is_read() {
    let level = rich().read();
    check(&level);
    assert_eq!(level.placements.len(), 3);
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), glb in any::<bool>()) {
        let bytes = if glb { [b"glTF\x02\0\0\0", &bytes[..]].concat() } else { bytes };
        let _ = read(&bytes);
    }

    #[test]
    fn changed_bytes_are_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut glb = rich().glb();
        for (place, byte) in changes {
            let place = place.index(glb.len());
            glb[place] = byte;
        }
        if let Ok(level) = read(&glb) {
            check(&level);
        }
    }

    #[test]
    fn changed_numbers_are_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), "-1|[0-9]|[1-9][0-9]{1,3}|4294967296|18446744073709551615|1e300|null|\\[\\]"), 1..4),
    ) {
        let mut json = rich().embedded();
        // The data URI is left as it is.
        let end = json.find("\"buffers\"").unwrap();
        for (place, number) in changes {
            let numbers: Vec<usize> = (0..end.min(json.len()))
                .filter(|&at| json.as_bytes()[at].is_ascii_digit() && matches!(json.as_bytes()[at - 1], b':' | b',' | b'['))
                .collect();
            let start = numbers[place.index(numbers.len())];
            let length = json[start..].find(|c: char| !c.is_ascii_digit()).unwrap();
            json.replace_range(start..start + length, &number);
        }
        if let Ok(level) = read(json.as_bytes()) {
            check(&level);
        }
    }
}
