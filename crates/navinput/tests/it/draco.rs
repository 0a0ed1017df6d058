//! Draco streams of the reference encoder, compared with the triangles of the reference decoder.
//! `crates/oracle/node/draco.mjs` writes both. The variable `NAVTILE_DRACO` names a longer list: see `cargo
//! xtask draco`.

use navinput::{GltfError, SourceLevel, read_gltf};
use navmath::crc32;

/// A stream and its triangles.
struct Case {
    name: String,
    /// The identifier of its positions.
    id: u32,
    triangles: usize,
    /// The CRC-32 of their corners as 32-bit floats.
    sum: u32,
    stream: Vec<u8>,
}

/// The streams of a list.
fn cases(list: &str) -> impl Iterator<Item = Case> {
    list.lines().map(|line| Case::of(line).unwrap_or_else(|| panic!("a line has other words: {line}")))
}

impl Case {
    fn of(line: &str) -> Option<Case> {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, id, triangles, sum, hex] = words[..] else { return None };
        let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
        Some(Case {
            name: name.to_owned(),
            id: id.parse().ok()?,
            triangles: triangles.parse().ok()?,
            sum: u32::from_str_radix(sum, 16).ok()?,
            stream: (0..hex.len()).step_by(2).map(byte).collect::<Option<_>>()?,
        })
    }

    /// Reads a glTF whose one primitive is `stream`.
    fn read(&self, stream: &[u8]) -> Result<SourceLevel, GltfError> {
        self.read_as(stream, r#""componentType":5126"#)
    }

    /// Reads it with positions of another type.
    fn read_as(&self, stream: &[u8], positions: &str) -> Result<SourceLevel, GltfError> {
        let (id, length) = (self.id, stream.len());
        let document = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],
            "extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"extensions":{{"KHR_draco_mesh_compression":
            {{"bufferView":0,"attributes":{{"POSITION":{id}}}}}}}}}]}}],
            "accessors":[{{{positions},"type":"VEC3","count":3}},{{"componentType":5125,"type":"SCALAR","count":3}}],
            "bufferViews":[{{"buffer":0,"byteLength":{length}}}],"buffers":[{{"uri":"a","byteLength":{length}}}]}}"#
        );
        read_gltf(document.as_bytes(), &mut |_| Ok(stream.to_vec()))
    }

    /// Compares the triangles, corner by corner and in their order.
    fn check(&self) {
        let level = self.read(&self.stream).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mesh = &level.meshes[0];
        let corners = mesh.triangles.iter().flatten().flat_map(|&corner| mesh.vertices[corner as usize]);
        let bytes: Vec<u8> = corners.flat_map(|number| (number as f32).to_le_bytes()).collect();
        assert_eq!((mesh.triangles.len(), crc32(&bytes)), (self.triangles, self.sum), "{}", self.name);
    }
}

const FEW: &str = include_str!("draco.txt");

#[test]
fn triangles_are_those_of_the_reference_decoder() {
    cases(FEW).for_each(|case| case.check());
    if let Some(file) = std::env::var_os("NAVTILE_DRACO") {
        let list = std::fs::read_to_string(file).unwrap();
        cases(&list).for_each(|case| case.check());
    }
}

#[test]
fn whole_positions_may_be_parts_of_the_largest() {
    for case in cases(FEW).filter(|case| case.name.ends_with("w")) {
        let numbers = |positions| case.read_as(&case.stream, positions).unwrap().meshes[0].vertices.clone();
        let whole = numbers(r#""componentType":5122"#);
        let parts = numbers(r#""componentType":5122,"normalized":true"#);
        assert!(whole.iter().flatten().any(|&number| number > 1.0));
        assert!(
            whole.iter().flatten().zip(parts.iter().flatten()).all(|(whole, part)| whole / 32_767.0 == *part)
        );
    }
}

/// A stream that is cut off before the end of its positions is refused.
#[test]
fn streams_that_end_early_are_refused() {
    for case in cases(FEW) {
        let shortest = (0..=case.stream.len()).find(|&end| case.read(&case.stream[..end]).is_ok()).unwrap();
        // Positions come last, or before few other attributes.
        assert!(
            shortest > case.stream.len() / 4,
            "{}: {shortest} of {} bytes do",
            case.name,
            case.stream.len()
        );
        for end in 0..shortest {
            let message = case.read(&case.stream[..end]).unwrap_err().to_string();
            assert!(message.contains("the Draco stream "), "{}, {end} bytes: {message}", case.name);
        }
    }
}

/// Every byte changed in several ways: the stream is refused with its place, or has other triangles.
#[test]
fn changed_streams_are_refused_or_decoded() {
    let (mut refused, mut read) = (0, 0);
    for case in cases(FEW) {
        let mut stream = case.stream.clone();
        for at in 0..stream.len() {
            for change in [0x01, 0x10, 0x80, 0xFF] {
                stream[at] ^= change;
                match case.read(&stream) {
                    Ok(level) => {
                        let mesh = &level.meshes[0];
                        let count = mesh.vertices.len() as u32;
                        assert!(
                            mesh.triangles.iter().flatten().all(|&corner| corner < count),
                            "{}",
                            case.name
                        );
                        read += 1;
                    }
                    Err(error) => {
                        assert!(
                            error.at.contains("meshes[0].primitives[0]") || error.at.is_empty(),
                            "{error}"
                        );
                        refused += 1;
                    }
                }
                stream[at] ^= change;
            }
        }
    }
    assert!(refused > 1_000 && read > 1_000, "{refused} refused, {read} read");
}
