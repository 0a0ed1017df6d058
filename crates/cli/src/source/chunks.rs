//! Levels that are read chunk by chunk, and never held whole: lists of chunks, and files that do not fit in
//! memory.

use super::{OUTSIDE, Source, bad_level, is_below};
use crate::failure::Failure;
use crate::files;
use crate::level_format::format_of;
use crate::settings::wrong_file;
use navinput::format::LevelFormat;
use navinput::{Chunk, LevelSums, NameCheck, ObjStream, SourceLevel, StreamError};
use navmath::{Digest, Hasher};
use recast::{InstancedMesh, Transform, level_bounds};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Number of triangles that are read at a time from a file that is read as a stream.
const BATCH: usize = 1 << 19;
/// The share of the bake's memory that a file may have to be read at once, as a divisor. In memory it becomes
/// several times as large.
const AT_ONCE: u64 = 16;

/// A level in chunks, and the settings of its bake.
pub(crate) struct ChunkedSource {
    pub(crate) source: Source,
    pub(crate) chunks: Vec<FileChunk>,
    /// The vertices of the file that was last read as a stream.
    vertices: Mutex<Option<(usize, ObjStream)>>,
}

/// A chunk of a level: a file of geometry, and its placement.
pub(crate) struct FileChunk {
    pub(crate) path: PathBuf,
    transform: Transform,
    /// Bounds of its triangles from the list of chunks, world metres.
    pub(crate) bounds: Option<[[f64; 3]; 2]>,
    /// Number of triangles, if the list states it.
    pub(crate) triangles: Option<u64>,
    /// The names of its materials, if they are known.
    materials: Option<Vec<String>>,
}

/// Bounds, world metres, the number of triangles, names of materials.
type Measured = ([[f64; 3]; 2], u64, Vec<String>);

/// The chunks of a list, with the files that they are in, and the list itself.
pub(super) fn read_list(path: &Path) -> Result<Vec<Chunk>, Failure> {
    let text = files::read_text(path)?;
    let chunks = navinput::read_chunks(&text).map_err(|error| {
        wrong_file((path, &text), "list of chunks", &error)
            .help("docs/farm.md lists every key; `navtile chunks` writes such a list")
    })?;
    for (index, chunk) in chunks.iter().enumerate() {
        let name = Path::new(&chunk.file);
        if !is_below(&chunk.file) {
            let message = format!("{}: chunk[{index}].file {OUTSIDE} of the list", path.display());
            return Err(Failure::circumstances(message)
                .help("put the list into the folder of its files, or above it"));
        }
        if !LevelFormat::of_name(name).is_some_and(LevelFormat::is_geometry) {
            let message = format!("{}: chunk[{index}].file is {}", path.display(), name.display());
            return Err(Failure::circumstances(message).help("chunks are .obj, .gltf or .glb files"));
        }
    }
    Ok(chunks)
}

impl ChunkedSource {
    /// The level of a source in chunks: from its list, or file by file.
    pub(super) fn new(source: Source) -> ChunkedSource {
        let plain = |path: &PathBuf| FileChunk {
            path: path.clone(),
            transform: Transform::IDENTITY,
            bounds: None,
            triangles: None,
            materials: None,
        };
        let chunks = match &source.list {
            None => source.meshes.iter().map(plain).collect(),
            Some(list) => {
                let paths = source.meshes.iter();
                let chunks = list.iter().zip(paths).map(|(chunk, path)| FileChunk {
                    path: path.clone(),
                    transform: chunk.transform,
                    bounds: chunk.bounds,
                    triangles: chunk.triangles,
                    materials: chunk.materials.clone(),
                });
                chunks.collect()
            }
        };
        ChunkedSource { source, chunks, vertices: Mutex::default() }
    }

    /// Reads a chunk, rotated, scaled and placed, a batch of triangles at a time; `take` gets each. Returns a
    /// sentence for each kind of content of its file that a level does not use.
    pub(crate) fn read(
        &self,
        index: usize,
        take: &mut dyn FnMut(SourceLevel) -> Result<(), Failure>,
    ) -> Result<Vec<String>, Failure> {
        let chunk = &self.chunks[index];
        let mut placed = |level: SourceLevel| -> Result<Vec<String>, Failure> {
            let mut level = self.source.brought(level)?.placed(chunk.transform);
            let ignored = std::mem::take(&mut level.ignored);
            take(level)?;
            Ok(ignored)
        };
        if !self.is_stream(&chunk.path)? {
            return placed(super::read_level(&chunk.path, &mut Vec::new())?);
        }
        let stream = self.vertices(index)?;
        let file = || files::open(&chunk.path).map_err(|error| files::unreadable(&chunk.path, &error));
        let mut batch = |level: SourceLevel| -> Result<(), Cut> { Ok(placed(level).map(drop)?) };
        let ignored = stream.faces(file()?.0, BATCH, &mut batch).map_err(|cut| cut.failure(&chunk.path))?;
        Ok(ignored.sentences())
    }

    /// The meshes that a chunk puts into the bake.
    pub(crate) fn meshes(&self, level: &SourceLevel) -> Vec<InstancedMesh> {
        let gathered = self.source.gathered();
        navinput::into_meshes_of_chunk(level, gathered.mappings(), &gathered.input)
    }

    /// The bounds of all triangles, world metres. Bounds that the list does not state are found by reading,
    /// together with the numbers of triangles, and are known after that.
    pub(crate) fn find_bounds(&mut self) -> Result<[[f64; 3]; 2], Failure> {
        for index in 0..self.chunks.len() {
            if self.chunks[index].bounds.is_none() {
                let (bounds, triangles, materials) = self.measured(index)?;
                let chunk = &mut self.chunks[index];
                (chunk.bounds, chunk.triangles) = (Some(bounds), Some(triangles));
                chunk.materials.get_or_insert(materials);
            }
        }
        let all = union(self.chunks.iter().filter_map(|chunk| chunk.bounds));
        if all[0][0] > all[1][0] {
            return Err(Failure::circumstances(format!("{}: no chunk has triangles to bake", self.title()))
                .help("check the include and exclude lists of the settings and options"));
        }
        Ok(all)
    }

    /// The chunks with names relative to the folder of their list, and the content of each.
    pub(crate) fn listed(&self, folder: &Path) -> Result<Vec<Chunk>, Failure> {
        let chunks = self.chunks.iter().map(|chunk| {
            // Compares names as given on the command line: neither side is resolved.
            let below = chunk.path.strip_prefix(folder).ok().and_then(Path::to_str);
            let file = below.map(|name| name.replace('\\', "/")).ok_or_else(|| {
                let message = format!("{}: is not below the folder of the list", chunk.path.display());
                Failure::call(message)
                    .help("write the list into the folder of the files or above it, and name that folder in the same way each time")
            })?;
            Ok(Chunk {
                file,
                transform: chunk.transform,
                bounds: chunk.bounds,
                triangles: chunk.triangles,
                materials: chunk.materials.clone(),
            })
        });
        chunks.collect()
    }

    /// The bounds of the triangles that a chunk puts into the bake, their number, and its materials.
    fn measured(&self, index: usize) -> Result<Measured, Failure> {
        let (mut all, mut triangles, mut materials) = (union([]), 0, BTreeSet::new());
        self.read(index, &mut |level| {
            materials.extend(level.materials().into_iter().map(str::to_owned));
            let meshes = self.meshes(&level);
            all = union([all, level_bounds(&meshes)]);
            triangles +=
                meshes.iter().map(|mesh| (mesh.triangles.len() * mesh.placements.len()) as u64).sum::<u64>();
            Ok(())
        })?;
        Ok((all, triangles, materials.into_iter().collect()))
    }

    /// A digest of the list: its files, their placement, and their content.
    pub(crate) fn list_digest(&self) -> Digest {
        let mut hasher = Hasher::new();
        hasher.write_u8s(b"chunks");
        for chunk in &self.chunks {
            let name = chunk.path.file_name().unwrap_or_default();
            hasher.write_u64s(&[name.len() as u64]).write_u8s(name.as_encoded_bytes());
            hasher.write_f64s(chunk.transform.0.as_flattened());
            hasher.write_f64s(chunk.bounds.unwrap_or_default().as_flattened());
            hasher.write_u64s(&[chunk.triangles.unwrap_or(0)]);
        }
        hasher.finish()
    }

    /// The patterns of names that must match something.
    pub(crate) fn names(&self) -> NameCheck {
        let gathered = self.source.gathered();
        NameCheck::new(gathered.mappings(), &gathered.input)
    }

    /// The sums that doubts about the level are based on.
    pub(crate) fn sums(&self) -> LevelSums {
        let stated: Option<u64> = self.chunks.iter().map(|chunk| chunk.triangles).sum();
        LevelSums::new(usize::try_from(stated.unwrap_or(1 << 20)).unwrap_or(usize::MAX))
    }

    /// The level's name in errors.
    pub(crate) fn title(&self) -> String {
        self.source.first_level().display().to_string()
    }

    /// Frees the data that was kept for reading a file again.
    pub(crate) fn forget(&self) {
        *self.vertices.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn is_stream(&self, path: &Path) -> Result<bool, Failure> {
        let (_, length) = files::open(path).map_err(|error| files::unreadable(path, &error))?;
        let is_large = length as u64 > self.source.memory_bound() / AT_ONCE;
        Ok(is_large && format_of(path)? == LevelFormat::Obj)
    }

    /// The vertices of a file that is read as a stream.
    fn vertices(&self, index: usize) -> Result<ObjStream, Failure> {
        let path = &self.chunks[index].path;
        let mut known = self.vertices.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, stream)) = known.as_ref().filter(|(of, _)| *of == index) {
            return Ok(stream.clone());
        }
        *known = None;
        let (file, _) = files::open(path).map_err(|error| files::unreadable(path, &error))?;
        let stream = ObjStream::vertices(file).map_err(|error| Cut::from(error).failure(path))?;
        *known = Some((index, stream.clone()));
        Ok(stream)
    }
}

/// The smallest bounds that hold all the others; if there are none, the largest value comes first.
pub(super) fn union(all: impl IntoIterator<Item = [[f64; 3]; 2]>) -> [[f64; 3]; 2] {
    let mut union = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for [min, max] in all {
        for axis in 0..3 {
            // Adding zero turns -0 into +0.
            union[0][axis] = union[0][axis].min(min[axis] + 0.0);
            union[1][axis] = union[1][axis].max(max[axis] + 0.0);
        }
    }
    union
}

/// The reason why a stream ended early.
enum Cut {
    Stream(StreamError),
    Failure(Failure),
}

impl From<StreamError> for Cut {
    fn from(error: StreamError) -> Cut {
        Cut::Stream(error)
    }
}

impl From<Failure> for Cut {
    fn from(failure: Failure) -> Cut {
        Cut::Failure(failure)
    }
}

impl Cut {
    fn failure(self, path: &Path) -> Failure {
        match self {
            Cut::Failure(failure) => failure,
            Cut::Stream(StreamError::Io(error)) => files::unreadable(path, &error),
            Cut::Stream(StreamError::Input(error)) => bad_level(path, &error),
        }
    }
}
