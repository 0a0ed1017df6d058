//! Buffer views that meshoptimizer's codecs compressed: their checked descriptions, and their bytes.
//!
//! Three codecs: attributes (any elements, as differences between neighbours), triangles (lists of indices)
//! and indices (any sequence of them). Attributes may have gone through a filter that made them smaller. A
//! stream ends with a part of known size, so its length must be the length in the file: missing or extra
//! bytes are errors.
//!
//! Memory: the count of elements comes from the file. Each codec compares it with the available bytes before
//! it allocates memory, and the caller also accounts for it. Cost: linear in the elements.
//! Source: EXT_meshopt_compression and KHR_meshopt_compression (Khronos), appendices A and B; Arseny
//! Kapoulkine, meshoptimizer.

mod attributes;
mod filters;
mod indices;
#[cfg(test)]
mod tests;

use super::error::GltfProblem;
use ::gltf::json::Value;
use ::gltf::json::buffer::View;
use filters::Filter;
use navmath::count::counted;

/// The extension names for descriptions of a view.
pub(super) const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
/// The widest element, bytes.
const MAX_STRIDE: u64 = 256;

/// A compressed view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compressed {
    /// The buffer that holds the stream.
    pub(super) buffer: usize,
    /// Start of the stream in the buffer, bytes.
    pub(super) offset: u64,
    /// Length of the stream, bytes.
    pub(super) length: u64,
    /// Bytes of an element.
    pub(super) stride: u64,
    /// Number of elements.
    pub(super) count: u64,
    codec: Codec,
    filter: Filter,
}

/// The encoding of the elements.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Codec {
    Attributes,
    Triangles,
    Indices,
}

impl Compressed {
    /// The description of a view, with the name of the extension; `None` if the view is plain.
    pub(super) fn of(view: &View) -> Option<(&'static str, Result<Compressed, GltfProblem>)> {
        let others = &view.extensions.as_ref()?.others;
        let (name, value) = NAMES.iter().find_map(|name| Some((*name, others.get(*name)?)))?;
        Some((name, Compressed::read(value).and_then(|compressed| compressed.checked(view))))
    }

    fn read(value: &Value) -> Result<Compressed, GltfProblem> {
        let number = |field: &'static str, absent: Option<u64>| match (value.get(field), absent) {
            (None, Some(absent)) => Ok(absent),
            (found, _) => found.and_then(Value::as_u64).ok_or_else(|| {
                let found = found.map_or("nothing".to_owned(), Value::to_string);
                unexpected(format!("{found} as `{field}`"), "a whole number")
            }),
        };
        let word = |field: &str| value.get(field).map(|word| word.as_str().unwrap_or("no text"));
        let codec = match word("mode") {
            Some("ATTRIBUTES") => Codec::Attributes,
            Some("TRIANGLES") => Codec::Triangles,
            Some("INDICES") => Codec::Indices,
            other => {
                let found = format!("the mode {}", other.unwrap_or("nothing").escape_debug());
                return Err(unexpected(found, "ATTRIBUTES, TRIANGLES or INDICES"));
            }
        };
        let filter = match word("filter") {
            None | Some("NONE") => Filter::None,
            Some("OCTAHEDRAL") => Filter::Octahedral,
            Some("QUATERNION") => Filter::Quaternion,
            Some("EXPONENTIAL") => Filter::Exponential,
            Some(other) => {
                let found = format!("the filter {}", other.escape_debug());
                return Err(unexpected(found, "NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL"));
            }
        };
        let buffer = number("buffer", None)?;
        Ok(Compressed {
            buffer: usize::try_from(buffer).map_err(|_| unexpected(buffer.to_string(), "a buffer"))?,
            offset: number("byteOffset", Some(0))?,
            length: number("byteLength", None)?,
            stride: number("byteStride", None)?,
            count: number("count", None)?,
            codec,
            filter,
        })
    }

    /// Checks that the numbers fit each other and the view.
    fn checked(self, view: &View) -> Result<Compressed, GltfProblem> {
        let stride = self.stride;
        let expected = match (self.codec, self.filter) {
            (Codec::Attributes, Filter::None | Filter::Exponential)
                if stride == 0 || stride > MAX_STRIDE || !stride.is_multiple_of(4) =>
            {
                "a multiple of 4 from 4 to 256 bytes"
            }
            (Codec::Attributes, Filter::Octahedral) if !matches!(stride, 4 | 8) => "4 or 8 bytes",
            (Codec::Attributes, Filter::Quaternion) if stride != 8 => "8 bytes",
            (Codec::Triangles | Codec::Indices, _) if !matches!(stride, 2 | 4) => "2 or 4 bytes",
            _ => "",
        };
        if !expected.is_empty() {
            return Err(unexpected(format!("elements of {stride} bytes"), expected));
        }
        if self.codec != Codec::Attributes && self.filter != Filter::None {
            return Err(unexpected("a filter of indices".to_owned(), "filters of attributes only"));
        }
        if self.codec == Codec::Triangles && !self.count.is_multiple_of(3) {
            let found = counted(self.count, "corner of triangles", "corners of triangles");
            return Err(unexpected(found, "a multiple of 3"));
        }
        if view.byte_stride.is_some_and(|own| own.0 as u64 != stride) {
            return Err(unexpected(format!("elements of {stride} bytes"), "the stride of the buffer view"));
        }
        if self.count.checked_mul(stride) != Some(view.byte_length.0) {
            let found = format!("{} elements of {stride} bytes for {} bytes", self.count, view.byte_length.0);
            return Err(unexpected(found, "the number of bytes of the buffer view"));
        }
        Ok(self)
    }

    /// The bytes of the view.
    pub(super) fn decoded(&self, stream: &[u8]) -> Result<Vec<u8>, GltfProblem> {
        // `checked` bounds the stride, and each codec the count.
        let (count, stride) = (self.count, self.stride as usize);
        let mut bytes = match self.codec {
            Codec::Attributes => attributes::decode(stream, count, stride)?,
            Codec::Triangles => indices::decode_triangles(stream, count, stride)?,
            Codec::Indices => indices::decode_sequence(stream, count, stride)?,
        };
        self.filter.apply(&mut bytes, stride);
        Ok(bytes)
    }
}

/// The bytes of a stream that are not read yet.
struct Stream<'a>(&'a [u8]);

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], GltfProblem> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| damaged("ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, GltfProblem> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Checks that all of it was read.
    fn finished(self) -> Result<(), GltfProblem> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(damaged(format!("has {left} bytes that no element uses"))),
        }
    }
}

/// Opens a stream and checks that it has at least the bytes that its elements take.
fn opened<'a>(stream: &'a [u8], least: u64, elements: u64) -> Result<Stream<'a>, GltfProblem> {
    if (stream.len() as u64) < least {
        let length = stream.len();
        return Err(damaged(format!("has {length} bytes, and {elements} elements take {least} at least")));
    }
    Ok(Stream(stream))
}

/// Refuses a stream that begins with another byte than those of its codec.
fn foreign(header: u8, codec: &str) -> GltfProblem {
    damaged(format!("begins with the byte {header:#04x}, which is not the header of {codec}"))
}

fn damaged(what: impl Into<String>) -> GltfProblem {
    GltfProblem::Compressed(what.into())
}

fn unexpected(found: String, expected: &'static str) -> GltfProblem {
    GltfProblem::Unexpected { found, expected }
}
