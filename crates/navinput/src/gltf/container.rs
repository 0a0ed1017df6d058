//! The two forms of a glTF file: JSON text, and GLB, which is JSON and binary data in chunks.
//! Source: glTF 2.0 specification, section 4 (GLB file format).

use super::error::{GltfError, GltfProblem};
use navmath::count::counted;

/// Larger version numbers mean that the bytes are something else.
const MOST_VERSION: u32 = 99;
const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// The parts of a glTF file.
pub(super) struct Container<'a> {
    /// JSON text.
    pub(super) json: &'a [u8],
    /// The binary chunk of a GLB.
    pub(super) binary: Option<&'a [u8]>,
}

/// Splits a file.
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, GltfError> {
    if bytes.starts_with(MAGIC) {
        return split_glb(bytes).map_err(|problem| problem.at(""));
    }
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    match json.first() {
        Some(b'{') => Ok(Container { json: &bytes[bytes.len() - json.len()..], binary: None }),
        Some(_) => Err(GltfProblem::NotGltf.at("")),
        None => Err(GltfProblem::Empty.at("")),
    }
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, GltfProblem> {
    let wrong = |what: String| Err(GltfProblem::Container(what));
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        return wrong(format!(
            "has {}, expected a header of {HEADER_BYTES}",
            counted(bytes.len() as u64, "byte", "bytes")
        ));
    };
    // Text that begins with these four letters has no version number here.
    if version > MOST_VERSION {
        return wrong("has no version after `glTF`, so the file is not a GLB".to_owned());
    }
    if version != 2 {
        return Err(GltfProblem::Version(format!("{version} (GLB)")));
    }
    if length as usize != bytes.len() {
        return wrong(format!("has {} bytes, but its header says {length}", bytes.len()));
    }
    let mut json = None;
    let mut binary = None;
    let mut at = HEADER_BYTES;
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
            return wrong(format!("ends within the header of the chunk at byte {at}"));
        };
        let start = at + CHUNK_HEADER_BYTES;
        let Some(chunk) = bytes[start..].get(..length as usize) else {
            return wrong(format!(
                "has a chunk at byte {at} of {length} bytes, which reaches beyond its end"
            ));
        };
        match kind {
            JSON_CHUNK if json.is_none() && at == HEADER_BYTES => json = Some(chunk),
            JSON_CHUNK => return wrong(format!("has a second JSON chunk, at byte {at}")),
            BINARY_CHUNK if binary.is_none() => binary = Some(chunk),
            // Chunks of other kinds belong to extensions; the format requires skipping them.
            _ => {}
        }
        at = start + chunk.len();
    }
    match json {
        Some(json) => Ok(Container { json, binary }),
        None => wrong("does not begin with a JSON chunk".to_owned()),
    }
}

/// The little-endian number at a byte offset.
fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
