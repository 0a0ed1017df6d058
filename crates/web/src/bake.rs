//! Baking level files.

use crate::convert::{Answer, fail, object, plain};
use js_sys::{Array, Reflect, Uint8Array};
use navbake::{BakeError, BakeSummary, LevelBake, LevelFile, Observer, Silent, StageId, Warning};
use navinput::SourceLevel;
use navtile::TileCoord;
use serde::Serialize;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use wasm_bindgen::prelude::{JsCast, JsError, JsValue, wasm_bindgen};

/// A level and its settings, checked and ready to bake. `free()` returns the memory.
#[wasm_bindgen(js_name = LevelBake)]
pub struct WebBake {
    pub(crate) bake: LevelBake,
    /// The level as read from its files, for names.
    pub(crate) source: SourceLevel,
}

thread_local! {
    /// The function that is called during a bake on this thread. Any thread may call an observer, but only
    /// this thread may call a function of JavaScript. Here it is the only thread.
    static WATCHER: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

/// Calls this thread's watcher with the finished part, and stops the bake if it returns `false`.
struct Watch {
    /// Stages of all tiles.
    stages: usize,
    done: AtomicUsize,
}

impl Observer for Watch {
    fn stage_finished(&self, _tile: TileCoord, _stage: StageId, _elapsed: Duration) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        let part = self.done.load(Ordering::Relaxed) as f64 / self.stages.max(1) as f64;
        WATCHER.with_borrow(|watcher| {
            let answer = watcher.as_ref().map(|watcher| watcher.call1(&JsValue::NULL, &part.min(1.0).into()));
            matches!(answer, Some(Ok(answer)) if answer == JsValue::FALSE)
        })
    }
}

/// The report with the names that JavaScript uses.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    grid: [u32; 2],
    tile_cells: u32,
    tiles: usize,
    triangles: usize,
    spans: usize,
    compact_spans: usize,
    regions: u32,
    polygons: usize,
    vertices: usize,
    detail_triangles: usize,
    off_mesh_links: usize,
    walkable_area: f64,
    islands: usize,
    islands_dropped: usize,
    bytes: usize,
    hash: &'a str,
    warnings: Vec<Note<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Note<'a> {
    kind: &'a str,
    is_note: bool,
    message: &'a str,
    place: Option<[f64; 3]>,
    tile: Option<[i32; 3]>,
}

impl<'a> From<&'a Warning> for Note<'a> {
    fn from(warning: &'a Warning) -> Note<'a> {
        let Warning { kind, is_note, message, place, tile } = warning;
        Note { kind, is_note: *is_note, message, place: *place, tile: *tile }
    }
}

impl<'a> From<&'a BakeSummary> for Report<'a> {
    fn from(of: &'a BakeSummary) -> Report<'a> {
        Report {
            grid: of.grid,
            tile_cells: of.tile_cells,
            tiles: of.tiles,
            triangles: of.triangles,
            spans: of.spans,
            compact_spans: of.compact_spans,
            regions: of.regions,
            polygons: of.polygons,
            vertices: of.vertices,
            detail_triangles: of.detail_triangles,
            off_mesh_links: of.off_mesh_links,
            walkable_area: of.walkable_area,
            islands: of.islands,
            islands_dropped: of.islands_dropped,
            bytes: of.bytes,
            hash: &of.hash,
            warnings: of.warnings.iter().map(Note::from).collect(),
        }
    }
}

/// Bakes a level for the first agent of its settings. `agents` has the files of all agents.
#[wasm_bindgen(unchecked_return_type = "BakedFile & { agents: BakedFile[] }")]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn bake(
    #[wasm_bindgen(unchecked_param_type = "LevelFile[]")] files: &Array,
    #[wasm_bindgen(js_name = settingsToml)] settings: Option<String>,
) -> Result<JsValue, JsValue> {
    let bake = WebBake::new(files, settings)?;
    let agents = bake.run(None)?;
    let first = agents.get(0);
    Reflect::set(&first, &"agents".into(), &agents)?;
    Ok(first)
}

/// The digest of a file, equal to `report.hash` and to that of the command line. Files with the same digest
/// are the same.
#[wasm_bindgen(js_name = fileHash)]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn file_hash(bytes: &[u8]) -> String {
    navbake::file_hash(bytes)
}

/// An `Error` with the problems of the level and its settings, each with its line and the setting that it is
/// about.
pub(crate) fn thrown(error: BakeError) -> JsValue {
    let problems = plain(&error.problems).unwrap_or(JsValue::NULL);
    let value: JsValue = js_sys::Error::new(&error.to_string()).into();
    for (key, of) in [("problems", problems), ("remedy", error.remedy.map_or(JsValue::NULL, JsValue::from))] {
        // A new error accepts every key.
        let _ = Reflect::set(&value, &key.into(), &of);
    }
    value
}

/// The name and the content of a file.
fn named(file: &JsValue) -> Answer<(String, Vec<u8>)> {
    let key = |key: &str| Reflect::get(file, &key.into()).unwrap_or(JsValue::UNDEFINED);
    let name = key("name").as_string().ok_or_else(|| fail("a file has no name: give { name, bytes }"))?;
    let bytes = key("bytes");
    let bytes = match bytes.dyn_into::<Uint8Array>() {
        Ok(bytes) => bytes.to_vec(),
        Err(other) if other.is_instance_of::<js_sys::ArrayBuffer>() => Uint8Array::new(&other).to_vec(),
        Err(_) => return Err(fail(format!("{name}: its bytes are not a Uint8Array"))),
    };
    Ok((name, bytes))
}

#[wasm_bindgen(js_class = LevelBake)]
impl WebBake {
    /// Reads a level and its settings. All files of geometry form one level; other files count if one of them
    /// refers to them. Throws an `Error` with `problems` and a `remedy`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "LevelFile[]")] files: &Array,
        #[wasm_bindgen(js_name = settingsToml)] settings: Option<String>,
    ) -> Result<WebBake, JsValue> {
        let files: Vec<(String, Vec<u8>)> =
            files.iter().map(|file| named(&file)).collect::<Result<_, JsError>>()?;
        let files: Vec<LevelFile<'_>> = files.iter().map(|(name, bytes)| LevelFile { name, bytes }).collect();
        let (bake, source) = LevelBake::with_source(&files, settings.as_deref()).map_err(thrown)?;
        Ok(WebBake { bake, source })
    }

    /// Warnings about the level's files that are known before the bake, one sentence each. Warnings about its
    /// unit, its axes and its winding name the option that would help.
    pub fn warnings(&self) -> Vec<String> {
        self.bake.warnings().to_vec()
    }

    /// Number of tiles to bake.
    pub fn tiles(&self) -> Result<usize, JsValue> {
        self.bake.tiles().map_err(thrown)
    }

    /// Bakes everything: a file for each agent. `progress` is called repeatedly with the finished part, 0 to
    /// 1, and cancels the bake by returning `false`.
    #[wasm_bindgen(unchecked_return_type = "BakedFile[]")]
    pub fn run(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "(part: number) => boolean | void")] progress: Option<
            js_sys::Function,
        >,
    ) -> Result<Array, JsValue> {
        let stages = self.bake.tiles().map_err(thrown)? * self.bake.levels().len() * StageId::ALL.len();
        WATCHER.set(progress);
        let made = self.bake.run(&Watch { stages, done: AtomicUsize::new(0) });
        WATCHER.set(None);
        files(made.map_err(thrown)?)
    }

    /// The level, for the first agent, as a dynamic file for `TileCache.open`, like `navtile bake --dynamic`.
    #[cfg(feature = "obstacles")]
    pub fn dynamic(&self) -> Result<Uint8Array, JsValue> {
        let Some(level) = self.bake.levels().first() else { return Ok(Uint8Array::new_with_length(0)) };
        let file = tilecache::bake_dynamic(level, self.bake.tile_cells(), &[]);
        Ok(Uint8Array::from(file.map_err(fail)?.as_slice()))
    }

    /// Bakes one of `of` shares of the tiles; `index` counts from 0. Each share may be baked by another
    /// worker.
    pub fn share(&self, index: u32, of: u32) -> Result<Uint8Array, JsValue> {
        self.bake.share(index, of, &Silent).map(|bytes| Uint8Array::from(bytes.as_slice())).map_err(thrown)
    }

    /// Joins the shares, in any order, into a file for each agent, with the same bytes as `run`.
    #[wasm_bindgen(unchecked_return_type = "BakedFile[]")]
    pub fn join(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array[]")] shares: &Array,
    ) -> Result<Array, JsValue> {
        let bytes: Vec<Vec<u8>> = shares.iter().map(|share| Uint8Array::new(&share).to_vec()).collect();
        files(self.bake.join(&bytes).map_err(thrown)?)
    }
}

fn files(files: Vec<navbake::BakedFile>) -> Result<Array, JsValue> {
    let list = Array::new();
    for file in files {
        list.push(&object(&[
            ("agent", file.agent.map_or(JsValue::NULL, JsValue::from)),
            ("file", Uint8Array::from(file.bytes.as_slice()).into()),
            ("report", plain(&Report::from(&file.report))?),
        ]));
    }
    Ok(list)
}
