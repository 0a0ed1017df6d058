//! Buffers, views and accessors: the numbers of a glTF file, each range checked before it is read.
//! Source: glTF 2.0 specification, section 3.6 (binary data storage).

use super::error::{DRACO, GltfError, GltfProblem};
use super::meshopt::Compressed;
use super::uri::{self, Target};
use ::gltf::json::accessor::{Accessor, ComponentType, Type};
use ::gltf::json::buffer::View;
use ::gltf::json::validation::Checked;
use ::gltf::json::{Buffer, Root};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// Gives the bytes of an external buffer by its relative path.
pub(super) type Load<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// Bytes in memory that each byte of input may become. Compressed triangles, the densest legitimate form,
/// take a byte each and become 84 bytes if a node mirrors them; their vertices become half as much and take
/// more.
const GROWTH: u64 = 128;
/// Bytes in memory for each byte of a file with Draco streams. Smooth ground in a fine grid takes an eighth
/// of a byte for each triangle, and a triangle takes up to 144 bytes while it is decoded and mirrored.
const DRACO_GROWTH: u64 = 1280;
/// Bytes in memory that any file may become.
const FREE_BYTES: u64 = 16 << 20;

/// The data of a file. Buffers are loaded on first use, so buffers of textures are never loaded.
pub(super) struct Data<'a> {
    pub(super) root: &'a Root,
    binary: Option<&'a [u8]>,
    buffers: Vec<Option<Bytes<'a>>>,
    /// Files that were loaded, by their relative path.
    files: BTreeMap<String, Arc<[u8]>>,
    /// Compressed views that were decoded, by their index: meshes share them.
    views: BTreeMap<usize, Vec<u8>>,
    load: Load<'a>,
    /// Bytes in memory that each byte of input may become.
    growth: u64,
    used_bytes: u64,
    limit_bytes: u64,
}

/// The bytes of a buffer.
#[derive(Clone)]
enum Bytes<'a> {
    /// The binary chunk of a GLB.
    Chunk(&'a [u8]),
    /// From a data URI or a file.
    Owned(Arc<[u8]>),
}

/// The form that an accessor must have for its use.
pub(super) struct Form {
    pub(super) kind: Type,
    pub(super) components: &'static [ComponentType],
    /// The form in words.
    pub(super) expected: &'static str,
}

/// Positions: floats, and the integers that KHR_mesh_quantization allows.
pub(super) const POSITIONS: Form = Form {
    kind: Type::Vec3,
    components: &[
        ComponentType::F32,
        ComponentType::I8,
        ComponentType::U8,
        ComponentType::I16,
        ComponentType::U16,
    ],
    expected: "vectors of three 32-bit floats, or of 8- or 16-bit integers",
};
/// Indices of vertices.
pub(super) const INDICES: Form = Form {
    kind: Type::Scalar,
    components: &[ComponentType::U8, ComponentType::U16, ComponentType::U32],
    expected: "scalars of 8, 16 or 32 bits without sign",
};
/// Translations and scales of instances.
pub(super) const VECTORS: Form =
    Form { kind: Type::Vec3, components: &[ComponentType::F32], expected: "vectors of three 32-bit floats" };
/// Inverse bind matrices of joints, column after column.
pub(super) const MATRICES: Form =
    Form { kind: Type::Mat4, components: &[ComponentType::F32], expected: "4 x 4 matrices of 32-bit floats" };
/// Joints of a vertex.
pub(super) const JOINTS: Form = Form {
    kind: Type::Vec4,
    components: &[ComponentType::U8, ComponentType::U16],
    expected: "vectors of four 8- or 16-bit integers without sign",
};
/// Weights of the joints of a vertex.
pub(super) const WEIGHTS: Form = Form {
    kind: Type::Vec4,
    components: &[ComponentType::F32, ComponentType::U8, ComponentType::U16],
    expected: "vectors of four 32-bit floats, or of 8- or 16-bit integers without sign",
};
/// Rotations of instances.
pub(super) const ROTATIONS: Form = Form {
    kind: Type::Vec4,
    components: &[ComponentType::F32, ComponentType::I8, ComponentType::I16],
    expected: "vectors of four 32-bit floats, or of 8- or 16-bit integers with sign",
};

/// Elements of an accessor, packed.
struct Packed {
    bytes: Vec<u8>,
    component: ComponentType,
    normalized: bool,
}

/// The place of data: a view, and a range within it.
struct Range<'p> {
    view: usize,
    offset: u64,
    count: u64,
    /// Bytes of an element.
    size: u64,
    at: &'p str,
}

impl<'a> Data<'a> {
    pub(super) fn new(
        root: &'a Root,
        binary: Option<&'a [u8]>,
        file_bytes: usize,
        load: Load<'a>,
    ) -> Data<'a> {
        let has_draco = cfg!(feature = "draco") && root.extensions_used.iter().any(|name| name == DRACO);
        let growth = if has_draco { DRACO_GROWTH } else { GROWTH };
        Data {
            root,
            binary,
            buffers: vec![None; root.buffers.len()],
            files: BTreeMap::new(),
            views: BTreeMap::new(),
            load,
            growth,
            used_bytes: 0,
            limit_bytes: FREE_BYTES + growth * file_bytes as u64,
        }
    }

    /// Accounts for memory before it is allocated, so that counts without input behind them are refused
    /// first.
    pub(super) fn charge(&mut self, count: u64, bytes: u64, at: &str) -> Result<(), GltfError> {
        self.used_bytes = self.used_bytes.saturating_add(count.saturating_mul(bytes));
        if self.used_bytes <= self.limit_bytes {
            return Ok(());
        }
        let (value, limit) = (self.used_bytes, self.limit_bytes);
        let what = "bytes that the file becomes in memory";
        let remedy = "check the counts of its accessors, or cut the level into several files";
        Err(GltfProblem::Limit { what, value, limit, remedy }.at(at))
    }

    /// Bytes in memory that the file may still become.
    #[cfg(feature = "draco")]
    pub(super) fn left(&self) -> u64 {
        self.limit_bytes - self.used_bytes
    }

    /// The number of elements of an accessor.
    pub(super) fn count(&self, accessor: usize, at: &str) -> Result<u64, GltfError> {
        self.accessor(accessor, at).map(|accessor| accessor.count.0)
    }

    /// Returns true if an accessor has data of its own.
    pub(super) fn is_stored(&self, accessor: usize, at: &str) -> Result<bool, GltfError> {
        let accessor = self.accessor(accessor, at)?;
        Ok(accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    fn accessor(&self, index: usize, at: &str) -> Result<&'a Accessor, GltfError> {
        get(&self.root.accessors, index, "accessors", at)
    }

    /// Vectors of an accessor as numbers; normalised integers become -1..=1.
    pub(super) fn vectors<const N: usize>(
        &mut self,
        accessor: usize,
        form: &Form,
        at: &str,
    ) -> Result<Vec<[f64; N]>, GltfError> {
        let packed = self.packed(accessor, form, at)?;
        let count = packed.bytes.len() / (N * packed.component.size());
        self.charge(count as u64, 8 * N as u64, at)?;
        let elements = packed.bytes.chunks_exact(N * packed.component.size());
        let vectors: Vec<[f64; N]> = elements
            .map(|element| {
                let mut components = element.chunks_exact(packed.component.size());
                std::array::from_fn(|_| components.next().map_or(0.0, |bytes| packed.number(bytes)))
            })
            .collect();
        check_finite(accessor, &vectors, at)?;
        Ok(vectors)
    }

    /// Converts decoded numbers to the form of an accessor that has no data of its own.
    pub(super) fn as_accessor<const N: usize>(
        &self,
        accessor: usize,
        form: &Form,
        vectors: &mut [[f64; N]],
        at: &str,
    ) -> Result<(), GltfError> {
        let component = self.component(accessor, form, at)?;
        if self.accessor(accessor, at)?.normalized {
            vectors.as_flattened_mut().iter_mut().for_each(|number| *number = normalized(*number, component));
        }
        check_finite(accessor, vectors, at)
    }

    /// Indices of an accessor.
    pub(super) fn indices(&mut self, accessor: usize, at: &str) -> Result<Vec<u32>, GltfError> {
        let packed = self.packed(accessor, &INDICES, at)?;
        let size = packed.component.size();
        self.charge((packed.bytes.len() / size) as u64, 4, at)?;
        Ok(packed.bytes.chunks_exact(size).map(whole).collect())
    }

    /// The type of an accessor's numbers. The accessor must have this form.
    fn component(&self, index: usize, form: &Form, used_at: &str) -> Result<ComponentType, GltfError> {
        let accessor = self.accessor(index, used_at)?;
        match (&accessor.type_, &accessor.component_type) {
            (Checked::Valid(kind), Checked::Valid(component))
                if *kind == form.kind && form.components.contains(&component.0) =>
            {
                Ok(component.0)
            }
            _ => {
                let at = format!("accessors[{index}] (of {used_at})");
                let found = shape_of(accessor);
                Err(GltfProblem::Unexpected { found, expected: form.expected }.at(at))
            }
        }
    }

    fn packed(&mut self, index: usize, form: &Form, used_at: &str) -> Result<Packed, GltfError> {
        let accessor = self.accessor(index, used_at)?;
        let at = format!("accessors[{index}] (of {used_at})");
        let component = self.component(index, form, used_at)?;
        let size = (form.kind.multiplicity() * component.size()) as u64;
        let offset = accessor.byte_offset.unwrap_or_default().0;
        let count = accessor.count.0;
        let bytes = match &accessor.buffer_view {
            Some(view) => self.gather(&Range { view: view.value(), offset, count, size, at: &at })?,
            None => {
                self.charge(count, size, &at)?;
                // Zeros, as the format requires. The charge bounds them.
                vec![0; (count * size) as usize]
            }
        };
        let mut packed = Packed { bytes, component, normalized: accessor.normalized };
        self.substitute(accessor, &mut packed.bytes, size, &at)?;
        Ok(packed)
    }

    /// Writes the values of a sparse accessor to their places.
    fn substitute(
        &mut self,
        accessor: &Accessor,
        bytes: &mut [u8],
        size: u64,
        at: &str,
    ) -> Result<(), GltfError> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let indices_at = format!("{at}.sparse.indices");
        let Checked::Valid(component) = &sparse.indices.component_type else {
            let found = "another component type".to_owned();
            return Err(GltfProblem::Unexpected { found, expected: INDICES.expected }.at(indices_at));
        };
        let (view, offset) = (sparse.indices.buffer_view.value(), sparse.indices.byte_offset.0);
        let (count, width) = (sparse.count.0, component.0.size());
        let indices = self.gather(&Range { view, offset, count, size: width as u64, at: &indices_at })?;
        let values_at = format!("{at}.sparse.values");
        let (view, offset) = (sparse.values.buffer_view.value(), sparse.values.byte_offset.0);
        let values = self.gather(&Range { view, offset, count, size, at: &values_at })?;
        let size = size as usize;
        let mut least = 0;
        for (index, value) in indices.chunks_exact(width).map(whole).zip(values.chunks_exact(size)) {
            if u64::from(index) < least {
                let found = format!("index {index} after index {}", least - 1);
                return Err(GltfProblem::Unexpected { found, expected: "ascending indices" }.at(indices_at));
            }
            least = u64::from(index) + 1;
            let Some(target) = bytes.chunks_exact_mut(size).nth(index as usize) else {
                let (index, count) = (u64::from(index), accessor.count.0);
                return Err(
                    GltfProblem::Index { of: "elements in this accessor", index, count }.at(indices_at)
                );
            };
            target.copy_from_slice(value);
        }
        Ok(())
    }

    /// The bytes of a range's elements, packed.
    fn gather(&mut self, range: &Range<'_>) -> Result<Vec<u8>, GltfError> {
        let view = get(&self.root.buffer_views, range.view, "buffer views", range.at)?;
        let view_at = format!("bufferViews[{}] (of {})", range.view, range.at);
        let beyond = |what, end, within, length| GltfProblem::Beyond { what, end, within, length };
        let stride = view.byte_stride.map_or(range.size, |stride| stride.0 as u64);
        if stride < range.size {
            let found = format!("a stride of {stride} bytes for elements of {}", range.size);
            return Err(
                GltfProblem::Unexpected { found, expected: "a stride that holds an element" }.at(view_at)
            );
        }
        let length = view.byte_length.0;
        let span = match range.count {
            0 => 0,
            count => (count - 1).saturating_mul(stride).saturating_add(range.size),
        };
        let end = range.offset.saturating_add(span);
        if end > length {
            return Err(beyond("the data", end, "its buffer view", length).at(range.at));
        }
        self.charge(range.count, range.size, range.at)?;
        // The span is within the view, which is in memory, so it fits a usize.
        let data = &self.view(range.view, view, &view_at)?[range.offset as usize..][..span as usize];
        if stride == range.size {
            return Ok(data.to_vec());
        }
        let elements = data.chunks(stride as usize).map(|chunk| &chunk[..range.size as usize]);
        Ok(elements.flatten().copied().collect())
    }

    /// The bytes of a view.
    fn view(&mut self, index: usize, view: &'a View, at: &str) -> Result<&[u8], GltfError> {
        if let Some((name, compressed)) = Compressed::of(view) {
            if !self.views.contains_key(&index) {
                let at = format!("{at}.extensions.{name}");
                let decoded =
                    compressed.map_err(|problem| problem.at(&*at)).and_then(|view| self.decode(view, &at))?;
                self.views.insert(index, decoded);
            }
            return Ok(&self.views[&index]);
        }
        let (start, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        self.part(view.buffer.value(), start, length, at)
    }

    /// The bytes of a view by its number, copied.
    pub(super) fn copy_of_view(&mut self, index: usize, at: &str) -> Result<Vec<u8>, GltfError> {
        let view = get(&self.root.buffer_views, index, "buffer views", at)?;
        self.charge(view.byte_length.0, 1, at)?;
        self.view(index, view, &format!("bufferViews[{index}] (of {at})")).map(<[u8]>::to_vec)
    }

    fn decode(&mut self, view: Compressed, at: &str) -> Result<Vec<u8>, GltfError> {
        self.charge(view.count, view.stride, at)?;
        let stream = self.part(view.buffer, view.offset, view.length, at)?;
        view.decoded(stream).map_err(|problem| problem.at(at))
    }

    /// Bytes of a buffer, those of a view.
    fn part(&mut self, buffer: usize, start: u64, length: u64, at: &str) -> Result<&[u8], GltfError> {
        let buffer = self.buffer(buffer, at)?;
        let end = start.saturating_add(length);
        if end > buffer.len() as u64 {
            let (within, length) = ("its buffer", buffer.len() as u64);
            return Err(GltfProblem::Beyond { what: "the view", end, within, length }.at(at));
        }
        // Within the buffer, so both fit a usize.
        Ok(&buffer[start as usize..][..length as usize])
    }

    /// The bytes of a buffer. It may have more than its stated length.
    fn buffer(&mut self, index: usize, used_at: &str) -> Result<&[u8], GltfError> {
        let buffer = get(&self.root.buffers, index, "buffers", used_at)?;
        let bytes = match &self.buffers[index] {
            Some(bytes) => bytes.clone(),
            None => self.fetch(index, buffer)?,
        };
        Ok(self.buffers[index].insert(bytes))
    }

    fn fetch(&mut self, index: usize, buffer: &Buffer) -> Result<Bytes<'a>, GltfError> {
        let at = format!("buffers[{index}]");
        let bytes = match (&buffer.uri, self.binary) {
            (Some(uri), _) => match uri::parse(uri).map_err(|problem| problem.at(format!("{at}.uri")))? {
                Target::Data(bytes) => Bytes::Owned(bytes.into()),
                Target::File(path) => Bytes::Owned(self.file(path).map_err(|problem| problem.at(&*at))?),
            },
            (None, Some(binary)) if index == 0 => Bytes::Chunk(binary),
            (None, _) => return Err(GltfProblem::NoData("the buffer has no URI, expected one").at(at)),
        };
        let (end, length) = (buffer.byte_length.0, bytes.len() as u64);
        if end > length {
            let within = "what was found for it";
            return Err(GltfProblem::Beyond { what: "the buffer", end, within, length }.at(at));
        }
        Ok(bytes)
    }

    /// A file next to the level. Buffers of the same file share it.
    fn file(&mut self, path: String) -> Result<Arc<[u8]>, GltfProblem> {
        if let Some(known) = self.files.get(&path) {
            return Ok(known.clone());
        }
        match (self.load)(&path) {
            Ok(bytes) => {
                let bytes: Arc<[u8]> = bytes.into();
                self.limit_bytes = self.limit_bytes.saturating_add(self.growth * bytes.len() as u64);
                self.files.insert(path, bytes.clone());
                Ok(bytes)
            }
            Err(reason) => Err(GltfProblem::Load { uri: path, reason }),
        }
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Chunk(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

impl Packed {
    fn number(&self, bytes: &[u8]) -> f64 {
        let bits = whole(bytes);
        let value = match self.component {
            ComponentType::F32 => f64::from(f32::from_bits(bits)),
            // The low bits, sign-extended.
            ComponentType::I8 => f64::from(bits as i8),
            ComponentType::I16 => f64::from(bits as i16),
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => f64::from(bits),
        };
        if self.normalized { normalized(value, self.component) } else { value }
    }
}

/// A number divided by the largest of its type.
fn normalized(value: f64, component: ComponentType) -> f64 {
    let most = match component {
        ComponentType::I8 => 127.0,
        ComponentType::I16 => 32_767.0,
        ComponentType::U8 => 255.0,
        ComponentType::U16 => 65_535.0,
        // Whole numbers, or floats: no use of vectors allows normalised 32-bit integers.
        ComponentType::U32 | ComponentType::F32 => return value,
    };
    (value / most).max(-1.0)
}

/// Refuses numbers that are not finite.
fn check_finite<const N: usize>(accessor: usize, vectors: &[[f64; N]], at: &str) -> Result<(), GltfError> {
    match vectors.iter().position(|vector| !vector.iter().all(|value| value.is_finite())) {
        Some(element) => {
            let at = format!("accessors[{accessor}] (of {at})");
            Err(GltfProblem::NotFinite { element: element as u64 }.at(at))
        }
        None => Ok(()),
    }
}

/// A little-endian number of up to four bytes.
fn whole(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// The content of an accessor, in words.
fn shape_of(accessor: &Accessor) -> String {
    let kind = match &accessor.type_ {
        Checked::Valid(kind) => format!("{kind:?}").to_uppercase(),
        Checked::Invalid => "an unknown type".to_owned(),
    };
    match &accessor.component_type {
        Checked::Valid(component) => format!("{kind} of {:?}", component.0),
        Checked::Invalid => format!("{kind} of an unknown component type"),
    }
}

/// An element of a list of the file.
pub(super) fn get<'r, T>(
    list: &'r [T],
    index: usize,
    of: &'static str,
    at: &str,
) -> Result<&'r T, GltfError> {
    list.get(index)
        .ok_or_else(|| GltfProblem::Index { of, index: index as u64, count: list.len() as u64 }.at(at))
}
