//! Meshes: primitives as triangles, with the names they stand under. Vertices are decoded once for each set of
//! accessors, however many meshes use them.

use super::data::{Data, POSITIONS, get};
use super::draco::{DracoMesh, DracoStream};
use super::error::{GltfError, GltfProblem};
use crate::obj::{LabelBuilder, Labels};
use crate::source::SourceMesh;
use ::gltf::json::mesh::{Mode, Primitive, Semantic};
use ::gltf::json::validation::Checked;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A triangle and its three labels.
pub(super) const TRIANGLE_BYTES: u64 = 24;
/// Vertices of some accessors, one behind the other.
type Vertices = Arc<[[f64; 3]]>;

/// Reads meshes; keeps vertices, which several may share.
pub(super) struct Meshes {
    vertices: BTreeMap<Vec<Source>, Vertices>,
    /// Draco streams that were decoded.
    streams: BTreeMap<Source, Arc<DracoMesh>>,
    /// Primitives of lines and points.
    pub(super) others: u64,
    /// Meshes with morph targets.
    pub(super) morphed: u64,
}

/// The source of vertices: an accessor, and a Draco stream if the accessor has no data of its own.
type Source = (usize, Option<DracoStream>);

/// A primitive of triangles.
struct Surface<'r> {
    primitive: &'r Primitive,
    mode: Mode,
    positions: Source,
    at: String,
}

impl Meshes {
    pub(super) fn new() -> Meshes {
        Meshes { vertices: BTreeMap::new(), streams: BTreeMap::new(), others: 0, morphed: 0 }
    }

    /// Reads a mesh of the file; `None` if it has no triangles.
    pub(super) fn read(
        &mut self,
        data: &mut Data<'_>,
        index: usize,
    ) -> Result<Option<SourceMesh>, GltfError> {
        let mesh = get(&data.root.meshes, index, "meshes", "nodes")?;
        let mut surfaces = Vec::new();
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            match surface(data, primitive, format!("meshes[{index}].primitives[{place}]"))? {
                Some(surface) => surfaces.push(surface),
                None => self.others += 1,
            }
        }
        let morphs =
            |surface: &Surface<'_>| surface.primitive.targets.as_ref().is_some_and(|list| !list.is_empty());
        self.morphed += u64::from(surfaces.iter().any(morphs));
        let (vertices, ranges) = self.vertices(data, &surfaces)?;
        let mut triangles = Vec::new();
        let mut materials = LabelBuilder::new();
        for surface in &surfaces {
            let start = triangles.len();
            let [first, count] = ranges[&surface.positions];
            match self.streams.get(&surface.positions) {
                Some(stream) => add_decoded(data, stream, first, &surface.at, &mut triangles)?,
                None => add_triangles(data, surface, first, count, &mut triangles)?,
            }
            let name = material_name(data, surface)?;
            data.charge(1, name.len() as u64, &surface.at)?;
            let count = triangles.len() - start;
            if count > 0 {
                materials.set(name);
                materials.add_triangles(count);
            }
        }
        if triangles.is_empty() {
            return Ok(None);
        }
        let count = triangles.len();
        let name = match mesh.name.as_deref() {
            None | Some("") => format!("mesh{index}"),
            Some(name) => name.to_owned(),
        };
        let mut groups = LabelBuilder::new();
        groups.set(name);
        groups.add_triangles(count);
        let objects = Labels { names: vec![String::new()], ids: vec![0; count] };
        let (materials, groups) = (materials.finish(), groups.finish());
        Ok(Some(SourceMesh { vertices, triangles: triangles.into(), materials, groups, objects }))
    }

    /// The vertices of some primitives, and where those of each accessor are: first and count.
    fn vertices(
        &mut self,
        data: &mut Data<'_>,
        surfaces: &[Surface<'_>],
    ) -> Result<(Vertices, BTreeMap<Source, [u32; 2]>), GltfError> {
        let mut ranges = BTreeMap::new();
        let mut order = Vec::new();
        let mut total = 0_u64;
        for surface in surfaces.iter() {
            if ranges.contains_key(&surface.positions) {
                continue;
            }
            let at = format!("{}.attributes.POSITION", surface.at);
            let count = match surface.positions {
                (accessor, None) => data.count(accessor, &at)?,
                source => self.stream(data, source, &surface.at)?.positions.len() as u64,
            };
            let end = total.saturating_add(count);
            let limit = u64::from(u32::MAX);
            let (Ok(first), Ok(count), true) = (u32::try_from(total), u32::try_from(count), end <= limit)
            else {
                let remedy = "cut the mesh into several";
                let problem = GltfProblem::Limit { what: "vertices of a mesh", value: end, limit, remedy };
                return Err(problem.at(at));
            };
            ranges.insert(surface.positions, [first, count]);
            order.push((surface.positions, at));
            total = end;
        }
        let key: Vec<Source> = order.iter().map(|(source, _)| *source).collect();
        if let Some(known) = self.vertices.get(&key) {
            return Ok((known.clone(), ranges));
        }
        let mut vertices = Vec::new();
        for (source, at) in order {
            match self.streams.get(&source) {
                Some(stream) => {
                    data.charge(stream.positions.len() as u64, 24, &at)?;
                    vertices.extend_from_slice(&stream.positions);
                }
                None => vertices.extend(data.vectors::<3>(source.0, &POSITIONS, &at)?),
            }
        }
        let vertices: Vertices = vertices.into();
        self.vertices.insert(key, vertices.clone());
        Ok((vertices, ranges))
    }

    /// The triangles of a Draco stream.
    fn stream(&mut self, data: &mut Data<'_>, source: Source, at: &str) -> Result<&DracoMesh, GltfError> {
        let decoded = match (self.streams.get(&source), source) {
            (Some(known), _) => known.clone(),
            (None, (accessor, Some(stream))) => Arc::new(stream.read(data, accessor, at)?),
            (None, (_, None)) => return Err(GltfProblem::NoData("the primitive has no Draco stream").at(at)),
        };
        Ok(self.streams.entry(source).or_insert(decoded))
    }
}

/// A primitive as triangles; `None` for lines and points.
fn surface<'r>(
    data: &Data<'r>,
    primitive: &'r Primitive,
    at: String,
) -> Result<Option<Surface<'r>>, GltfError> {
    let mode = match primitive.mode {
        Checked::Valid(mode) => mode,
        Checked::Invalid => {
            let found = "an unknown mode".to_owned();
            return Err(
                GltfProblem::Unexpected { found, expected: "a mode of 0 to 6" }.at(format!("{at}.mode"))
            );
        }
    };
    match mode {
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => return Ok(None),
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => {}
    }
    let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
    match positions.map(|positions| positions.value()) {
        Some(positions) => {
            // A file may hold the same triangles plain, for readers without Draco.
            let stream =
                if data.is_stored(positions, &at)? { None } else { DracoStream::of(primitive, &at)? };
            Ok(Some(Surface { primitive, mode, positions: (positions, stream), at }))
        }
        None => {
            let found = "no POSITION".to_owned();
            Err(GltfProblem::Unexpected { found, expected: "positions" }.at(format!("{at}.attributes")))
        }
    }
}

fn material_name(data: &Data<'_>, surface: &Surface<'_>) -> Result<String, GltfError> {
    let Some(index) = &surface.primitive.material else { return Ok(String::new()) };
    let at = format!("{}.material", surface.at);
    let material = get(&data.root.materials, index.value(), "materials", &at)?;
    Ok(match material.name.as_deref() {
        None | Some("") => format!("material{}", index.value()),
        Some(name) => name.to_owned(),
    })
}

/// Adds the triangles of a Draco stream, whose vertices begin at `first`. The mode of the primitive does not matter.
fn add_decoded(
    data: &mut Data<'_>,
    stream: &DracoMesh,
    first: u32,
    at: &str,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), GltfError> {
    data.charge(stream.triangles.len() as u64, TRIANGLE_BYTES, at)?;
    // Indices are below the number of positions, which was added to `first` before.
    triangles.extend(stream.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    Ok(())
}

/// Adds the triangles of a primitive, whose vertices are `count` from `first`.
fn add_triangles(
    data: &mut Data<'_>,
    surface: &Surface<'_>,
    first: u32,
    count: u32,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), GltfError> {
    let at = &surface.at;
    let indices = match &surface.primitive.indices {
        None => None,
        Some(accessor) => {
            let at = format!("{at}.indices");
            let indices = data.indices(accessor.value(), &at)?;
            if let Some(place) = indices.iter().position(|&index| index >= count) {
                let (index, count) = (u64::from(indices[place]), u64::from(count));
                let at = format!("{at}, element {place}");
                return Err(GltfProblem::Index { of: "vertices in this primitive", index, count }.at(at));
            }
            Some(indices)
        }
    };
    let corners = indices.as_ref().map_or(count as usize, Vec::len);
    let number = match surface.mode {
        Mode::Triangles if !corners.is_multiple_of(3) => {
            let found = format!("{corners} corners of triangles");
            return Err(GltfProblem::Unexpected { found, expected: "a multiple of 3" }.at(&**at));
        }
        Mode::Triangles => corners / 3,
        _ => corners.saturating_sub(2),
    };
    data.charge(number as u64, TRIANGLE_BYTES, at)?;
    // Below `count`, so the casts and the sum hold.
    let corner = |place: usize| first + indices.as_ref().map_or(place as u32, |indices| indices[place]);
    triangles.reserve(number);
    for triangle in 0..number {
        let corners = match surface.mode {
            Mode::Triangles => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            // Every other triangle of a strip is wound the other way.
            Mode::TriangleStrip if triangle % 2 == 1 => [triangle, triangle + 2, triangle + 1],
            Mode::TriangleStrip => [triangle, triangle + 1, triangle + 2],
            _ => [triangle + 1, triangle + 2, 0],
        };
        let [a, b, c] = corners.map(corner);
        // Strips repeat corners on purpose, to jump from one piece to the next.
        let jump = surface.mode == Mode::TriangleStrip && (a == b || b == c || c == a);
        if !jump {
            triangles.push([a, b, c]);
        }
    }
    Ok(())
}
