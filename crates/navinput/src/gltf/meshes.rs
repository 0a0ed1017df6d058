//! Meshes: primitives as triangles, with the names that they are under. Vertices are decoded once for each
//! set of accessors and shared by all meshes that use them.

use super::data::{Data, POSITIONS, get};
use super::draco::{DracoMesh, DracoStream};
use super::error::{GltfError, GltfProblem};
use super::skin::{Influences, Pose, influences};
use crate::obj::{LabelBuilder, Labels};
use crate::source::{SourceMesh, turned_over};
use ::gltf::json::mesh::{Mode, Primitive, Semantic};
use ::gltf::json::validation::Checked;
use navmath::count::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A triangle and its three labels.
pub(super) const TRIANGLE_BYTES: u64 = 24;
/// Vertices of some accessors, one after the other.
type Vertices = Arc<[[f64; 3]]>;

/// Reads meshes; keeps vertices, which several may share.
pub(super) struct Meshes {
    vertices: BTreeMap<Vec<Source>, Vertices>,
    /// Draco streams that were decoded.
    streams: BTreeMap<Source, Arc<DracoMesh>>,
    /// Primitives of lines and points.
    pub(super) others: u64,
    /// Primitives without positions.
    pub(super) nowhere: u64,
    /// Meshes with morph targets.
    pub(super) morphed: u64,
    /// Primitives with a skin whose joints are in a Draco stream.
    pub(super) unposed: u64,
    /// Meshes that are included in these counts.
    counted: BTreeSet<usize>,
}

/// The source of positions: an accessor, and a Draco stream if the accessor has no data of its own.
type Source = (usize, Option<DracoStream>);

/// A primitive of triangles.
struct Surface<'r> {
    primitive: &'r Primitive,
    mode: Mode,
    vertices: VertexKey,
    at: String,
}

/// The key of vertices: the source of their positions, and with a skin the accessors of their joints and
/// weights.
type VertexKey = (Source, Influences);

/// The kind of a primitive.
enum Kind<'r> {
    Triangles(Surface<'r>),
    LinesOrPoints,
    /// Without positions: the format requires skipping it.
    Nowhere,
}

impl Meshes {
    pub(super) fn new() -> Meshes {
        Meshes {
            vertices: BTreeMap::new(),
            streams: BTreeMap::new(),
            others: 0,
            nowhere: 0,
            morphed: 0,
            unposed: 0,
            counted: BTreeSet::new(),
        }
    }

    /// Reads a mesh of the file, in its own space, or in world space if it has a pose; `None` if it has no
    /// triangles.
    pub(super) fn read(
        &mut self,
        data: &mut Data<'_>,
        index: usize,
        pose: Option<&Pose>,
    ) -> Result<Option<SourceMesh>, GltfError> {
        let mesh = get(&data.root.meshes, index, "meshes", "nodes")?;
        let mut surfaces = Vec::new();
        let once = u64::from(self.counted.insert(index));
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            let at = format!("meshes[{index}].primitives[{place}]");
            match kind(data, primitive, pose.is_some(), at)? {
                Kind::Triangles(surface) => surfaces.push(surface),
                Kind::LinesOrPoints => self.others += once,
                Kind::Nowhere => self.nowhere += once,
            }
        }
        let morphs =
            |surface: &Surface<'_>| surface.primitive.targets.as_ref().is_some_and(|list| !list.is_empty());
        self.morphed += once * u64::from(surfaces.iter().any(morphs));
        let ranges = self.ranges(data, &surfaces)?;
        let (vertices, mirrored) = match pose {
            None => (self.vertices(data, &surfaces, &ranges)?, Vec::new()),
            Some(pose) => {
                let unposed = surfaces.iter().filter(|surface| surface.vertices.0.1.is_some());
                self.unposed += once * unposed.count() as u64;
                self.posed_vertices(data, &surfaces, &ranges, pose)?
            }
        };
        let mut triangles = Vec::new();
        let mut materials = LabelBuilder::new();
        for surface in &surfaces {
            let start = triangles.len();
            let [first, count] = ranges[&surface.vertices];
            match self.streams.get(&surface.vertices.0) {
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
        for triangle in &mut triangles {
            if mirrored.get(triangle[0] as usize) == Some(&true) {
                *triangle = turned_over(*triangle);
            }
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

    /// The vertices of some primitives, one after the other.
    fn vertices(
        &mut self,
        data: &mut Data<'_>,
        surfaces: &[Surface<'_>],
        ranges: &Ranges,
    ) -> Result<Vertices, GltfError> {
        let firsts = firsts(surfaces, ranges);
        let key: Vec<Source> = firsts.iter().map(|surface| surface.vertices.0).collect();
        if let Some(known) = self.vertices.get(&key) {
            return Ok(known.clone());
        }
        let mut vertices = Vec::new();
        for surface in firsts {
            vertices.extend(self.positions(data, surface)?);
        }
        let vertices: Vertices = vertices.into();
        self.vertices.insert(key, vertices.clone());
        Ok(vertices)
    }

    fn ranges(&mut self, data: &mut Data<'_>, surfaces: &[Surface<'_>]) -> Result<Ranges, GltfError> {
        let mut ranges = Ranges::new();
        let mut total = 0_u64;
        for surface in surfaces.iter() {
            if ranges.contains_key(&surface.vertices) {
                continue;
            }
            let at = format!("{}.attributes.POSITION", surface.at);
            let count = match surface.vertices.0 {
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
            ranges.insert(surface.vertices.clone(), [first, count]);
            total = end;
        }
        Ok(ranges)
    }

    /// The positions of a primitive's vertices.
    fn positions(&self, data: &mut Data<'_>, surface: &Surface<'_>) -> Result<Vec<[f64; 3]>, GltfError> {
        let at = format!("{}.attributes.POSITION", surface.at);
        let source = surface.vertices.0;
        match self.streams.get(&source) {
            Some(stream) => {
                data.charge(stream.positions.len() as u64, 24, &at)?;
                Ok(stream.positions.clone())
            }
            None => data.vectors::<3>(source.0, &POSITIONS, &at),
        }
    }

    /// The vertices of some primitives as posed by the joints, and for each vertex true if it is mirrored.
    fn posed_vertices(
        &self,
        data: &mut Data<'_>,
        surfaces: &[Surface<'_>],
        ranges: &Ranges,
        pose: &Pose,
    ) -> Result<(Vertices, Vec<bool>), GltfError> {
        let (mut vertices, mut mirrored) = (Vec::new(), Vec::new());
        for surface in firsts(surfaces, ranges) {
            let mut places = self.positions(data, surface)?;
            let is_draco = surface.vertices.0.1.is_some();
            mirrored.extend(match is_draco {
                true => pose.apply_first(&mut places, &surface.at)?,
                false => pose.apply(data, &surface.vertices.1, &mut places, &surface.at)?,
            });
            vertices.append(&mut places);
        }
        Ok((vertices.into(), mirrored))
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

/// The range of each key's vertices among those of a mesh: index of the first, and count.
type Ranges = BTreeMap<VertexKey, [u32; 2]>;

/// The first primitive with each key, in the order of their vertices.
fn firsts<'s, 'r>(surfaces: &'s [Surface<'r>], ranges: &Ranges) -> Vec<&'s Surface<'r>> {
    let mut next = 0;
    let is_first = |surface: &&Surface<'_>| {
        let [first, count] = ranges[&surface.vertices];
        let is_next = first == next && count > 0;
        next += if is_next { count } else { 0 };
        is_next
    };
    surfaces.iter().filter(is_first).collect()
}

/// Sorts a primitive by its kind; with a skin, its vertices have joints and weights.
fn kind<'r>(
    data: &Data<'r>,
    primitive: &'r Primitive,
    has_skin: bool,
    at: String,
) -> Result<Kind<'r>, GltfError> {
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
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => return Ok(Kind::LinesOrPoints),
        Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan => {}
    }
    let Some(positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else {
        return Ok(Kind::Nowhere);
    };
    let positions = positions.value();
    // A file may hold the same triangles plain, for readers without Draco.
    let stream = if data.is_stored(positions, &at)? { None } else { DracoStream::of(primitive, &at)? };
    // Joints and weights in a Draco stream are not read.
    let has_joints = has_skin && stream.is_none();
    let influences = if has_joints { influences(primitive) } else { Influences::new() };
    Ok(Kind::Triangles(Surface { primitive, mode, vertices: ((positions, stream), influences), at }))
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

/// Adds the triangles of a Draco stream, whose vertices begin at `first`. The mode of the primitive has no
/// effect.
fn add_decoded(
    data: &mut Data<'_>,
    stream: &DracoMesh,
    first: u32,
    at: &str,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), GltfError> {
    data.charge(stream.triangles.len() as u64, TRIANGLE_BYTES, at)?;
    // Indices are less than the number of positions. `first` plus that number was checked before.
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
            let found = counted(corners as u64, "corner of triangles", "corners of triangles");
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
            // Every second triangle of a strip is wound in the opposite direction.
            Mode::TriangleStrip if triangle % 2 == 1 => [triangle, triangle + 2, triangle + 1],
            Mode::TriangleStrip => [triangle, triangle + 1, triangle + 2],
            _ => [triangle + 1, triangle + 2, 0],
        };
        let [a, b, c] = corners.map(corner);
        // Strips repeat corners intentionally, to jump from one piece to the next.
        let jump = surface.mode == Mode::TriangleStrip && (a == b || b == c || c == a);
        if !jump {
            triangles.push([a, b, c]);
        }
    }
    Ok(())
}
