//! Baking levels from memory.

use crate::pointers::{optional_text, present, slice, text, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtBake, NtBytes};
use navbake::{LevelBake, LevelFile, Observer, StageId};
use navinput::{Labels, SourceLevel, SourceMesh, SourcePlacement};
use navtile::TileCoord;
use recast::Transform;
use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

static BAKES: Table<Arc<LevelBake>> = Table::new(6, "bake");
pub(crate) static BYTES: Table<Box<[u8]>> = Table::new(7, "bytes");

/// A file of a level: its name with its ending, by which others name it, and its content.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtFile {
    pub name: *const c_char,
    pub bytes: *const u8,
    pub length: usize,
}

/// Is called again and again while a level is baked, by any thread of the library's pool, several at once, with the part that is
/// done, 0 to 1. Returns 0 to end the bake.
pub type NtProgress = Option<extern "C" fn(context: *mut c_void, part: f32) -> i32>;

/// Reads a level and its settings: OBJ, glTF, GLB or a geometry set, with the files that they name; all are one level.
/// `settings` is the text of a settings file, or NULL for the library's.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error has every problem, a line each). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_new(
    files: *const NtFile,
    count: usize,
    settings: *const c_char,
    out: Option<&mut MaybeUninit<NtBake>>,
) -> NtStatus {
    call(|| {
        let named = |file: &NtFile| -> Answer<LevelFile<'_>> {
            let name = text(file.name, "a file's name")?;
            Ok(LevelFile { name, bytes: slice(file.bytes, file.length, name)? })
        };
        let files = slice(files, count, "files")?;
        let files: Vec<LevelFile<'_>> = files.iter().map(named).collect::<Answer<_>>()?;
        keep(LevelBake::new(&files, optional_text(settings, "settings")?)?, out)
    })
}

/// An array of `count` times three numbers.
pub(crate) fn triples<'a, T>(data: *const T, count: usize, name: &str) -> Answer<&'a [[T; 3]]> {
    let length = count.checked_mul(3).ok_or_else(|| Fault::argument(format!("{name} are too many")))?;
    Ok(slice(data, length, name)?.as_chunks().0)
}

/// Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and `triangle_count` triangles of three
/// indices, counter-clockwise seen from above where they can be walked on. `settings` as in nt_bake_new.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_from_triangles(
    vertices: *const f32,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    settings: *const c_char,
    out: Option<&mut MaybeUninit<NtBake>>,
) -> NtStatus {
    call(|| {
        let vertices = triples(vertices, vertex_count, "vertices")?;
        let triangles = triples(triangles, triangle_count, "triangles")?;
        if let Some(at) = vertices.iter().position(|vertex| vertex.iter().any(|value| !value.is_finite())) {
            return Err(Fault::argument(format!("vertex {at} is not finite: {:?}", vertices[at])));
        }
        let beyond = |corners: &[u32; 3]| corners.iter().any(|corner| *corner as usize >= vertices.len());
        if let Some(at) = triangles.iter().position(beyond) {
            let text = format!("triangle {at} is {:?}, and there are {vertex_count} vertices", triangles[at]);
            return Err(Fault::argument(text));
        }
        let labels = || Labels { names: vec![String::new()], ids: vec![0; triangles.len()] };
        let mesh = SourceMesh {
            vertices: vertices.iter().map(|vertex| vertex.map(f64::from)).collect(),
            triangles: triangles.into(),
            materials: labels(),
            groups: labels(),
            objects: labels(),
        };
        let placement = SourcePlacement { mesh: 0, node: String::new(), transform: Transform::IDENTITY };
        let level = SourceLevel { meshes: vec![mesh], placements: vec![placement], ignored: Vec::new() };
        keep(LevelBake::of_level(level, "the level", optional_text(settings, "settings")?)?, out)
    })
}

fn keep(bake: LevelBake, out: Option<&mut MaybeUninit<NtBake>>) -> Answer<()> {
    let out = present(out)?;
    out.write(NtBake { id: BAKES.add(Arc::new(bake))? });
    Ok(())
}

/// How many files nt_bake_run makes: one for each agent of the settings.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_agents(bake: NtBake, out: Option<&mut MaybeUninit<usize>>) -> NtStatus {
    call(|| BAKES.with(bake.id, |bake| write(out, "out", bake.levels().len())))
}

/// The caller's function, as an observer.
struct Caller {
    progress: extern "C" fn(*mut c_void, f32) -> i32,
    /// An address, which only the function reads.
    context: usize,
    stages: usize,
    done: AtomicUsize,
    has_ended: AtomicBool,
}

impl Observer for Caller {
    fn stage_finished(&self, _tile: TileCoord, _stage: StageId, _elapsed: Duration) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        if self.has_ended.load(Ordering::Relaxed) {
            return true;
        }
        let part = (self.done.load(Ordering::Relaxed) as f32 / self.stages.max(1) as f32).min(1.0);
        let ends = (self.progress)(std::ptr::with_exposed_provenance_mut(self.context), part) == 0;
        self.has_ended.fetch_or(ends, Ordering::Relaxed);
        ends
    }
}

/// Bakes the level for all agents, on the threads of the library's pool, into an array of `count` handles of .navtile files, in the
/// order of the settings' agents: the number that nt_bake_agents gives. The bytes are those of the program. `progress` may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several bakes at once share the pool.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_run(
    bake: NtBake,
    progress: NtProgress,
    context: *mut c_void,
    out: *mut NtBytes,
    count: usize,
) -> NtStatus {
    call(|| {
        let bake = BAKES.with(bake.id, |bake| Ok(Arc::clone(bake)))?;
        let agents = bake.levels().len();
        if count != agents {
            return Err(Fault::argument(format!(
                "count is {count}, and there are {agents} agents to bake for"
            )));
        }
        let stages = bake.tiles()? * agents * StageId::ALL.len();
        let made = match progress {
            None => bake.run(&navbake::Silent)?,
            Some(progress) => {
                let (done, has_ended) = (AtomicUsize::new(0), AtomicBool::new(false));
                let caller =
                    Caller { progress, context: context.expose_provenance(), stages, done, has_ended };
                let made = bake.run(&caller);
                if caller.has_ended.load(Ordering::Relaxed) {
                    let text = "the caller ended the bake";
                    return Err(Fault::new(NtStatus::NT_ERROR_CANCELLED, text));
                }
                made?
            }
        };
        let handles: Vec<NtBytes> = made
            .into_iter()
            .map(|file| Ok(NtBytes { id: BYTES.add(file.bytes.into())? }))
            .collect::<Answer<_>>()?;
        crate::pointers::fill(out, count, Some(&mut MaybeUninit::uninit()), handles.into_iter())
    })
}

/// Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open: what the program bakes with --dynamic.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA. Any thread; it works on the threads of the library's pool.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_dynamic(bake: NtBake, out: Option<&mut MaybeUninit<NtBytes>>) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let bake = BAKES.with(bake.id, |bake| Ok(Arc::clone(bake)))?;
        let level = bake.levels().first().ok_or_else(|| Fault::data("there is no agent to bake for"))?;
        let file = tilecache::bake_dynamic(level, bake.tile_cells(), &[])?;
        out.write(NtBytes { id: BYTES.add(file.into())? });
        Ok(())
    })
}

/// Frees a bake.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_free(bake: NtBake) -> NtStatus {
    call(|| BAKES.remove(bake.id).map(drop))
}

/// Where the bytes are, and how many. They stay there until nt_bytes_free.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bytes_data(
    bytes: NtBytes,
    data: Option<&mut MaybeUninit<*const u8>>,
    length: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        BYTES.with(bytes.id, |bytes| {
            write(data, "data", bytes.as_ptr())?;
            write(length, "length", bytes.len())
        })
    })
}

/// Frees bytes.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bytes_free(bytes: NtBytes) -> NtStatus {
    call(|| BYTES.remove(bytes.id).map(drop))
}
