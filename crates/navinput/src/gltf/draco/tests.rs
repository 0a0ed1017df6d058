//! Tests of primitives with Draco streams: the data that are read, and the refusals. `tests/it/draco.rs`
//! decodes streams of the reference encoder.

use crate::gltf::tests::file::{F32, File, primitive, square};

/// The square with a stream as well; its accessors have their own data.
fn with_stream(description: &str, stream: &[u8]) -> File {
    let mut file = square();
    let start = file.bytes.len();
    file.bytes.extend_from_slice(stream);
    file.views.push(format!(r#"{{"buffer":0,"byteOffset":{start},"byteLength":{}}}"#, stream.len()));
    let view = file.views.len() - 1;
    let description = description.replace("VIEW", &view.to_string());
    let more = format!(r#","indices":1,"extensions":{{"KHR_draco_mesh_compression":{{{description}}}}}"#);
    file.meshes[0] = format!(r#"{{"primitives":[{}]}}"#, primitive(0, &more));
    file.more = r#""extensionsRequired":["KHR_draco_mesh_compression"],"#.to_owned();
    file.node("n", r#","mesh":0"#);
    file
}

/// The square only as a stream: its accessors have no data of their own.
fn with_stream_alone(description: &str, stream: &[u8]) -> File {
    let mut file = with_stream(description, stream);
    file.accessors[0] = format!(r#"{{"count":4,"componentType":{F32},"type":"VEC3"}}"#);
    file
}

const DESCRIPTION: &str = r#""bufferView":VIEW,"attributes":{"POSITION":0}"#;

#[cfg(feature = "draco")]
mod read {
    use super::*;

    #[track_caller]
    fn refused(description: &str, stream: &[u8], expected: &str) {
        let message = with_stream_alone(description, stream).refuse();
        let start = "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: ";
        assert!(message.starts_with(start) && message.contains(expected), "{message}");
    }

    /// The head of a stream with a list of indices, and counts of triangles and of points.
    fn head(triangles: &[u8], points: &[u8]) -> Vec<u8> {
        [b"DRACO\x02\x02\x01\x00\x00\x00", triangles, points].concat()
    }

    #[test]
    fn data_that_are_there_plain_are_taken() {
        assert_eq!(with_stream(DESCRIPTION, b"nothing").read().meshes[0].triangles.len(), 2);
    }

    #[test]
    fn descriptions_are_checked() {
        refused(r#""attributes":{"POSITION":0}"#, b"", "found nothing, expected the number of a buffer view");
        refused(r#""bufferView":VIEW,"attributes":{}"#, b"", "found nothing, expected the identifier");
        refused(
            r#""bufferView":VIEW,"attributes":{"POSITION":-1}"#,
            b"",
            "found -1, expected the identifier",
        );
        let other = r#""bufferView":77,"attributes":{"POSITION":0}"#;
        refused(other, b"", "index 77 is out of range");
    }

    #[test]
    fn heads_are_checked() {
        refused(DESCRIPTION, b"", "the Draco stream ends too early; decompress the level with `npx");
        refused(DESCRIPTION, b"DRACULA", "the Draco stream does not begin with `DRACO`");
        refused(DESCRIPTION, b"DRACO\x01\x03\x01\x00\0\0", "has version 1.3, expected 2.2");
        refused(DESCRIPTION, b"DRACO\x02\x02\x00\x00\0\0", "a geometry of the kind 0");
        refused(DESCRIPTION, b"DRACO\x02\x02\x01\x02\0\0", "by the method 2");
        refused(DESCRIPTION, b"DRACO\x02\x02\x01\x01\0\0\x01", "uses the traversal 1");
    }

    #[test]
    fn counts_beyond_what_the_file_accounts_for_are_refused() {
        let million = [0xC0, 0x84, 0x3D];
        let billion = [0x80, 0x94, 0xEB, 0xDC, 0x03];
        refused(
            DESCRIPTION,
            &[head(&million, &[3]), vec![0]].concat(),
            "declares 1000000 triangles, and the size",
        );
        refused(DESCRIPTION, &[head(&billion, &[3]), vec![1]].concat(), "declares 1000000000 triangles");
        let positions = [1, 1, 0, 9, 3, 0, 0, 2, 0xFE, 1, 1];
        let points = [head(&[0], &billion), vec![1], positions.to_vec()].concat();
        refused(DESCRIPTION, &points, "declares 1000000000 positions");
        let plain = [1, 1, 0, 9, 3, 0, 0, 0];
        refused(
            DESCRIPTION,
            &[head(&[0], &million), vec![1], plain.to_vec()].concat(),
            "declares 1000000 positions",
        );
        let fifteen = [0xFF; 9];
        refused(DESCRIPTION, &head(&fifteen, &[3]), "a number of more than nine bytes");
    }

    #[test]
    fn indices_beyond_the_points_are_refused() {
        let stream = [head(&[1], &[3]), vec![1, 0, 1, 3]].concat();
        refused(DESCRIPTION, &stream, "has a triangle at point 3 of 3");
    }

    #[test]
    fn other_attributes_are_not_taken_for_positions() {
        let attribute = [1, 1, 0, 9, 3, 0, 7, 0];
        let stream = [&head(&[1], &[3])[..], &[1, 0, 1, 2], &attribute, &[0; 36]].concat();
        refused(DESCRIPTION, &stream, "has no attribute with the identifier 0");
        let narrow = [1, 1, 0, 9, 2, 0, 0, 0];
        let stream = [&head(&[1], &[3])[..], &[1, 0, 1, 2], &narrow, &[0; 36]].concat();
        refused(DESCRIPTION, &stream, "has positions of 2 numbers, expected 3");
    }

    #[test]
    fn positions_that_are_not_finite_are_refused() {
        let attribute = [1, 1, 0, 9, 3, 0, 0, 0];
        let stream = [&head(&[1], &[3])[..], &[1, 0, 1, 2], &attribute, &[0xFF; 36]].concat();
        let message = with_stream_alone(DESCRIPTION, &stream).refuse();
        assert!(message.contains("accessors[0]") && message.contains("element 0 is not finite"), "{message}");
    }
}

#[cfg(not(feature = "draco"))]
#[test]
fn streams_say_how_to_convert() {
    let message = with_stream(DESCRIPTION, b"").refuse();
    assert!(message.contains("requires KHR_draco_mesh_compression") && message.contains("`npx"), "{message}");
    let mut file = with_stream_alone(DESCRIPTION, b"");
    file.more.clear();
    let message = file.refuse();
    assert!(
        message.contains("compressed with Draco, which this build of navtile does not read"),
        "{message}"
    );
}
