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

static BAKES: Table<OpenBake> = Table::new(6, "bake");
pub(crate) static BYTES: Table<Box<[u8]>> = Table::new(7, "bytes");

#[derive(Debug)]
struct OpenBake {
    bake: Arc<LevelBake>,
    /// State of the run that began last.
    run: Arc<Run>,
}

/// Progress of a run, and the request to cancel it.
#[derive(Debug, Default)]
struct Run {
    stages: usize,
    done: AtomicUsize,
    has_ended: AtomicBool,
}

impl Run {
    fn part(&self) -> f32 {
        (self.done.load(Ordering::Relaxed) as f32 / self.stages.max(1) as f32).min(1.0)
    }
}

/// A file of a level: its content, and its name with extension, which other files refer to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtFile {
    pub name: *const c_char,
    pub bytes: *const u8,
    pub length: usize,
}

/// Called repeatedly during a bake with the finished part, 0 to 1. Threads of the library's pool call it,
/// several at once. Returns 0 to cancel the bake.
pub type NtProgress = Option<extern "C" fn(context: *mut c_void, part: f32) -> i32>;

/// Reads a level and its settings from OBJ, glTF, GLB or a geometry set, with the files that they refer to.
/// All files form one level. `settings` is the text of a settings file, or NULL for the library's defaults.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA (nt_last_error lists every problem, one per line). Any
/// thread.
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

/// Takes a level from arrays: `vertex_count` points of three numbers, world metres, y upwards, and
/// `triangle_count` triangles of three indices. Walkable triangles are counter-clockwise seen from above.
/// `settings` as in nt_bake_new.
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
        let level = SourceLevel { meshes: vec![mesh], placements: vec![placement], ..SourceLevel::default() };
        keep(LevelBake::of_level(level, "the level", optional_text(settings, "settings")?)?, out)
    })
}

fn keep(bake: LevelBake, out: Option<&mut MaybeUninit<NtBake>>) -> Answer<()> {
    let out = present(out)?;
    out.write(NtBake { id: BAKES.add(OpenBake { bake: Arc::new(bake), run: Arc::default() })? });
    Ok(())
}

/// Number of files that nt_bake_run makes: one for each agent of the settings.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_agents(bake: NtBake, out: Option<&mut MaybeUninit<usize>>) -> NtStatus {
    call(|| BAKES.with(bake.id, |kept| write(out, "out", kept.bake.levels().len())))
}

/// Observes a run, and calls the caller's function.
struct Watch<'a> {
    run: &'a Run,
    progress: NtProgress,
    /// An address that only the caller's function reads.
    context: usize,
}

impl Observer for Watch<'_> {
    fn stage_finished(&self, _tile: TileCoord, _stage: StageId, _elapsed: Duration) {
        self.run.done.fetch_add(1, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        if self.run.has_ended.load(Ordering::Relaxed) {
            return true;
        }
        let Some(progress) = self.progress else { return false };
        let ends = progress(std::ptr::with_exposed_provenance_mut(self.context), self.run.part()) == 0;
        self.run.has_ended.fetch_or(ends, Ordering::Relaxed);
        ends
    }
}

fn level_of(bake: NtBake) -> Answer<Arc<LevelBake>> {
    BAKES.with(bake.id, |kept| Ok(Arc::clone(&kept.bake)))
}

/// Begins a run of this many stages, and runs `work` with the caller's function observing it.
fn watched<T>(
    bake: NtBake,
    stages: usize,
    progress: NtProgress,
    context: *mut c_void,
    work: impl FnOnce(&Watch<'_>) -> Answer<T>,
) -> Answer<T> {
    let run = Arc::new(Run { stages, ..Run::default() });
    BAKES.with(bake.id, |kept| {
        kept.run = Arc::clone(&run);
        Ok(())
    })?;
    let made = work(&Watch { run: &run, progress, context: context.expose_provenance() });
    if run.has_ended.load(Ordering::Relaxed) {
        return Err(Fault::new(NtStatus::NT_ERROR_CANCELLED, "the caller ended the bake"));
    }
    let made = made?;
    // Bakes skip stages.
    run.done.store(stages, Ordering::Relaxed);
    Ok(made)
}

/// Bakes the level for all agents on the threads of the library's pool. Writes an array of `count` handles of
/// .navtile files, in the order of the settings' agents; nt_bake_agents returns the count. The bytes equal
/// those of the command line. `progress` may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; several
/// bakes at once share the pool.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_run(
    bake: NtBake,
    progress: NtProgress,
    context: *mut c_void,
    out: *mut NtBytes,
    count: usize,
) -> NtStatus {
    call(|| {
        let level = level_of(bake)?;
        let agents = level.levels().len();
        if count != agents {
            return Err(Fault::argument(format!(
                "count is {count}, and there are {agents} agents to bake for"
            )));
        }
        let stages = level.tiles()? * agents * StageId::ALL.len();
        let made = watched(bake, stages, progress, context, |watch| Ok(level.run(watch)?))?;
        let handles: Vec<NtBytes> = made
            .into_iter()
            .map(|file| Ok(NtBytes { id: BYTES.add(file.bytes.into())? }))
            .collect::<Answer<_>>()?;
        crate::pointers::fill(out, count, Some(&mut MaybeUninit::uninit()), handles.into_iter())
    })
}

/// The finished part of nt_bake_run or nt_bake_dynamic, 0 to 1, for another thread. If there are several
/// runs, it is that of the last one.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_progress(bake: NtBake, out: Option<&mut MaybeUninit<f32>>) -> NtStatus {
    call(|| BAKES.with(bake.id, |kept| write(out, "out", kept.run.part())))
}

/// Cancels a running nt_bake_run or nt_bake_dynamic from another thread. If there are several runs, the last
/// one is cancelled.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_cancel(bake: NtBake) -> NtStatus {
    call(|| {
        BAKES.with(bake.id, |kept| {
            kept.run.has_ended.store(true, Ordering::Relaxed);
            Ok(())
        })
    })
}

/// Bakes the level for the first agent of the settings into a .navtile file for nt_cache_open, as the command
/// line does with --dynamic. `progress` as in nt_bake_run.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_DATA, NT_ERROR_CANCELLED. Any thread; it works
/// on the threads of the library's pool.
#[unsafe(no_mangle)]
pub extern "C" fn nt_bake_dynamic(
    bake: NtBake,
    progress: NtProgress,
    context: *mut c_void,
    out: Option<&mut MaybeUninit<NtBytes>>,
) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let whole = level_of(bake)?;
        let level = whole.levels().first().ok_or_else(|| Fault::data("there is no agent to bake for"))?;
        let stages = whole.tiles()? * StageId::ALL.len();
        let file = watched(bake, stages, progress, context, |watch| {
            Ok(tilecache::bake_dynamic_observed(level, whole.tile_cells(), &[], watch)?)
        })?;
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

/// Writes the address and the length of the bytes. They are valid until nt_bytes_free.
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
