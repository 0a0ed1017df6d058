//! Tests of compressed views in files: the resulting levels, and the refusals.

use super::encode::{self, Choices};
use super::{grid_of_indices, grid_of_shorts};
use crate::gltf::tests::file::{F32, File, U16, primitive, read};

/// Adds a view over a stream, which is `length` bytes long when decoded.
fn view(file: &mut File, stream: &[u8], length: usize, more: &str) -> usize {
    let at = file.view(stream, "");
    let described =
        file.views[at].replace("}", &format!(r#",{more}}}"#)).replace("{", "{\"EXT_meshopt_compression\":{");
    // The view itself is in a buffer that does not exist.
    file.views[at] = format!(r#"{{"buffer":7,"byteLength":{length},"extensions":{described}}}}}"#);
    at
}

fn attributes(bytes: &[u8], stride: usize) -> Vec<u8> {
    encode::attributes(bytes, stride, 0, &mut Choices::new(&[1, 2, 3, 0, 7]))
}

/// The grid of five by five vertices, compressed; the last view, accessor, mesh and node are its own.
fn compressed_grid() -> File {
    let mut file = File::default();
    let bytes = grid_of_shorts();
    let stream = attributes(&bytes, 8);
    let positions = view(&mut file, &stream, bytes.len(), r#""byteStride":8,"count":25,"mode":"ATTRIBUTES""#);
    file.views[positions] = file.views[positions].replacen("{", r#"{"byteStride":8,"#, 1);
    let (stream, corners) = encode::triangles(&grid_of_indices(), &mut Choices::new(&[3, 1, 4]));
    let mode = r#""byteStride":2,"count":96,"mode":"TRIANGLES","filter":"NONE""#;
    let indices = view(&mut file, &stream, 2 * corners.len(), mode);
    let positions = file.accessor(positions, 25, U16, "VEC3", "");
    let indices = file.accessor(indices, 96, U16, "SCALAR", "");
    file.mesh("grid", &[primitive(positions, &format!(r#","indices":{indices}"#))]);
    file.node("n", r#","mesh":0"#);
    file.more = r#""extensionsRequired":["EXT_meshopt_compression","KHR_mesh_quantization"],"#.to_owned();
    file
}

/// The same grid, with the encoder's order of corners, but plain.
fn plain_grid() -> File {
    let mut file = File::default();
    let positions = file.view(&grid_of_shorts(), r#","byteStride":8"#);
    let positions = file.accessor(positions, 25, U16, "VEC3", "");
    let (_, corners) = encode::triangles(&grid_of_indices(), &mut Choices::new(&[3, 1, 4]));
    let indices = file.indices(&corners, U16);
    file.mesh("grid", &[primitive(positions, &format!(r#","indices":{indices}"#))]);
    file.node("n", r#","mesh":0"#);
    file
}

#[test]
fn compressed_levels_are_those_that_are_plain() {
    let file = compressed_grid();
    assert_eq!(file.read(), plain_grid().read());
    let khronos = file.embedded().replace("EXT_meshopt_compression", "KHR_meshopt_compression");
    assert_eq!(read(khronos.as_bytes()), Ok(plain_grid().read()));
}

/// gltfpack puts the attributes of all meshes into one view.
#[test]
fn meshes_share_a_view() {
    let mut file = compressed_grid();
    let second = file.accessor(0, 20, U16, "VEC3", r#","byteOffset":40"#);
    let first_corners = file.accessor(1, 6, U16, "SCALAR", r#","byteOffset":24"#);
    file.mesh("half", &[primitive(second, &format!(r#","indices":{first_corners}"#))]);
    file.node("m", r#","mesh":1"#);
    let level = file.read();
    assert_eq!(level.meshes[1].vertices[..], level.meshes[0].vertices[5..]);
    assert_eq!(level.meshes[1].triangles[..], level.meshes[0].triangles[4..6]);
}

#[test]
fn instances_and_sparse_values_are_decompressed() {
    let mut file = compressed_grid();
    // 2.0 and 0.5 times whole numbers.
    let numbers: Vec<u8> =
        [1_i32 << 24 | 3, 0xFF << 24 | 5, 7].iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let filter = r#""byteStride":12,"count":1,"mode":"ATTRIBUTES","filter":"EXPONENTIAL""#;
    let moved = view(&mut file, &attributes(&numbers, 12), 12, filter);
    let moved = file.accessor(moved, 1, F32, "VEC3", "");
    // Half a turn about y: the largest part is the second.
    let parts: Vec<u8> = [0_i16, 0, 0, 0x7FFD].iter().flat_map(|part| part.to_le_bytes()).collect();
    let filter = r#""byteStride":8,"count":1,"mode":"ATTRIBUTES","filter":"QUATERNION""#;
    let turned = view(&mut file, &attributes(&parts, 8), 8, filter);
    let turned = file.accessor(turned, 1, 5122, "VEC4", r#","normalized":true"#);
    file.nodes[0] = format!(
        r#"{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{moved},"ROTATION":{turned}}}}}}}}}"#
    );
    let places = encode::sequence(&[1, 3], &mut Choices::new(&[0, 1]));
    let mode = r#""byteStride":4,"count":2,"mode":"INDICES""#;
    let places = view(&mut file, &places, 8, mode);
    let values = file.view(&[7, 0, 8, 0, 9, 0, 4, 0, 5, 0, 6, 0], "");
    file.accessors[0] = format!(
        r#"{{"bufferView":0,"count":25,"componentType":{U16},"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":{places},"componentType":5125}},"values":{{"bufferView":{values}}}}}}}"#
    );
    let level = file.read();
    let placed = level.placements[0].transform;
    assert_eq!(placed.apply([1.0, 2.0, 3.0]), [6.0 - 1.0, 2.5 + 2.0, 7.0 - 3.0]);
    assert_eq!(level.meshes[0].vertices[1..4], [[7.0, 8.0, 9.0], [200.0, 4.0, 0.0], [4.0, 5.0, 6.0]]);
}

/// Asserts that the grid is refused once a text of its JSON was replaced.
fn refused(from: &str, to: &str, parts: &[&str]) {
    let text = compressed_grid().embedded();
    assert!(text.contains(from), "{text}\nlacks {from}");
    let message = read(text.replace(from, to).as_bytes()).unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "{message}\nlacks {part}");
    }
}

#[test]
fn descriptions_that_do_not_fit_are_refused() {
    let place = "bufferViews[0] (of accessors[0] (of meshes[0].primitives[0].attributes.POSITION)).extensions.EXT_meshopt";
    refused(
        r#""byteStride":8,"count":25,"#,
        r#""byteStride":8,"count":26,"#,
        &[
            place,
            "found 26 elements of 8 bytes for 200 bytes, expected the number of bytes of the buffer view",
        ],
    );
    refused(
        r#""byteStride":8,"count":25,"#,
        r#""byteStride":8,"count":18446744073709551615,"#,
        &["for 200 bytes"],
    );
    refused(
        r#""byteStride":8,"count":25,"#,
        r#""byteStride":8,"#,
        &["found nothing as `count`, expected a whole"],
    );
    refused(r#""byteStride":8,"count":25,"#, r#""byteStride":8,"count":-1,"#, &["found -1 as `count`"]);
    refused(
        r#""byteStride":8,"count":25,"#,
        r#""byteStride":"8","count":25,"#,
        &["found \"8\" as `byteStride`"],
    );
    refused(
        r#""byteStride":8,"count":25,"#,
        r#""byteStride":20,"count":10,"#,
        &["the stride of the buffer view"],
    );
    for stride in ["0", "2", "260"] {
        let to = format!(r#""byteStride":{stride},"count":25,"#);
        refused(r#""byteStride":8,"count":25,"#, &to, &["a multiple of 4 from 4 to 256 bytes"]);
    }
    refused(
        r#""mode":"ATTRIBUTES""#,
        r#""mode":"LINES\n""#,
        &["the mode LINES\\n, expected ATTRIBUTES, TRIANGLES"],
    );
    refused(r#","mode":"ATTRIBUTES""#, "", &["the mode nothing"]);
    refused(
        r#""mode":"ATTRIBUTES""#,
        r#""mode":"TRIANGLES""#,
        &["elements of 8 bytes, expected 2 or 4 bytes"],
    );
    refused(r#""filter":"NONE""#, r#""filter":"COLOR""#, &["the filter COLOR, expected NONE"]);
    refused(r#""filter":"NONE""#, r#""filter":"EXPONENTIAL""#, &["filters of attributes only"]);
    refused(r#""byteStride":2,"count":96"#, r#""byteStride":2,"count":95"#, &["95 corners", "multiple of 3"]);
    refused(
        r#"EXT_meshopt_compression":{"buffer":0"#,
        r#"EXT_meshopt_compression":{"buffer":9"#,
        &["index 9 is out"],
    );
    refused(r#"{"buffer":0,"byteOffset":0"#, r#"{"buffer":0,"byteOffset":99999"#, &["the view ends at byte"]);
    refused(
        r#"{"buffer":0,"byteOffset":0"#,
        r#"{"buffer":0,"byteOffset":1"#,
        &["the compressed stream begins with the byte", "compress the level again with `gltfpack`"],
    );
    let filters = [("OCTAHEDRAL", "16", "4 or 8 bytes"), ("QUATERNION", "4", "8 bytes")];
    for (filter, stride, expected) in filters {
        let to = format!(r#""byteStride":{stride},"count":25,"filter":"{filter}","#);
        refused(r#""byteStride":8,"count":25,"#, &to, &[expected]);
    }
}

/// A stream of zeros may become a thousand times its size; the file's size bounds the total.
#[test]
fn dense_streams_are_bounded() {
    let mut file = File::default();
    let (count, blocks) = (1 << 20, 1 << 12);
    // Version 1: for each block of 256 elements, one byte says that all four planes are zero.
    let mut stream = vec![0xA1];
    stream.resize(1 + blocks, 0b1010_1010);
    stream.resize(stream.len() + 24, 0);
    let mode = format!(r#""byteStride":4,"count":{count},"mode":"ATTRIBUTES""#);
    let base = view(&mut file, &stream, 4 * count, &mode);
    let description = file.views[base].clone();
    let mut primitives = Vec::new();
    for _ in 0..64 {
        file.views.push(description.clone());
        let accessor = file.accessor(file.views.len() - 1, count / 3, F32, "VEC3", "");
        primitives.push(primitive(accessor, ""));
    }
    file.mesh("m", &primitives);
    file.node("n", r#","mesh":0"#);
    let message = file.try_read().unwrap_err().to_string();
    assert!(message.contains("bytes that the file becomes in memory"), "{message}");
}
