//! Levels that change at run time: obstacles that are added, moved and removed, and the tiles that change
//! with them.

use crate::convert::{Answer, fail, list, object};
use crate::mesh::WebMesh;
use crate::options::{Fields, Options, options};
use js_sys::Uint8Array;
use navlevel::{Body, Effect, Obstacle};
use recast::{AreaId, Transform};
use std::io::Cursor;
use tilecache::{Budget, ObstacleHandle, Stationary, TileCache, TileChange};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// An obstacle, with the keys of a list of obstacles.
#[derive(Default)]
struct ObstacleOptions {
    kind: String,
    at: [f64; 3],
    yaw: f64,
    size: Option<[f64; 3]>,
    radius: Option<f64>,
    height: Option<f64>,
    points: Vec<[f64; 3]>,
    solid: bool,
    blocks: bool,
    removes: bool,
    area: Option<String>,
    inflate: Option<bool>,
}

impl Options for ObstacleOptions {
    fn fields(&mut self) -> Fields<'_> {
        vec![
            ("kind", &mut self.kind),
            ("at", &mut self.at),
            ("yaw", &mut self.yaw),
            ("size", &mut self.size),
            ("radius", &mut self.radius),
            ("height", &mut self.height),
            ("points", &mut self.points),
            ("solid", &mut self.solid),
            ("blocks", &mut self.blocks),
            ("removes", &mut self.removes),
            ("area", &mut self.area),
            ("inflate", &mut self.inflate),
        ]
    }
}

/// A level with obstacles that are added, moved and removed, from a file of `navtile bake --dynamic`, or of
/// `bakeDynamic`. `free()` returns the memory.
#[wasm_bindgen(js_name = TileCache)]
pub struct WebCache {
    cache: TileCache<Vec<u8>>,
    /// Handles as numbers.
    handles: Vec<Option<ObstacleHandle>>,
}

impl WebCache {
    fn handle(&self, number: usize) -> Answer<ObstacleHandle> {
        let handle = self.handles.get(number).copied().flatten();
        handle.ok_or_else(|| fail(format!("there is no obstacle {number}")))
    }

    fn area(&self, name: &str) -> Answer<AreaId> {
        let areas = &self.cache.meta().areas;
        if name == "none" {
            return Ok(AreaId(0));
        }
        let found = areas.iter().find(|area| area.name == name).map(|area| AreaId(area.id));
        found.ok_or_else(|| {
            let known: Vec<&str> = areas.iter().map(|area| area.name.as_str()).collect();
            fail(format!("there is no area \"{name}\"; the file has {}", known.join(", ")))
        })
    }

    fn obstacle(&self, given: &ObstacleOptions) -> Answer<Obstacle> {
        let need = |key: &str, value: Option<f64>| {
            value.ok_or_else(|| fail(format!("a {} needs {key}", given.kind)))
        };
        let body = match given.kind.as_str() {
            "box" => Body::cuboid(given.size.ok_or_else(|| fail("a box needs size"))?),
            "cylinder" => Body::cylinder(need("radius", given.radius)?, need("height", given.height)?),
            "capsule" => Body::capsule(need("radius", given.radius)?, need("height", given.height)?),
            "hull" => Body::hull(&given.points),
            other => {
                return Err(fail(format!("kind is \"{other}\", expected box, cylinder, capsule or hull")));
            }
        };
        let area = given.area.as_deref().map(|name| self.area(name)).transpose()?;
        let effect = match (given.solid, given.blocks, given.removes, area) {
            (true, false, false, area) => Effect::Solid { area: area.unwrap_or(AreaId::GROUND) },
            (false, true, false, None) => Effect::Blocks { inflate: given.inflate.unwrap_or(true) },
            (false, false, true, None) => Effect::Removes,
            (false, false, false, Some(area)) => {
                Effect::Marks { area, inflate: given.inflate.unwrap_or(false) }
            }
            _ => return Err(fail("an obstacle does one thing: give solid, blocks, removes or area")),
        };
        Ok(Obstacle { body: body.map_err(fail)?, place: Transform::turned(given.yaw, given.at), effect })
    }
}

#[wasm_bindgen(js_class = TileCache)]
impl WebCache {
    /// Opens the content of a dynamic file.
    pub fn open(bytes: Vec<u8>) -> Answer<WebCache> {
        let cache = TileCache::open(bytes).map_err(fail)?;
        Ok(WebCache { cache, handles: Vec::new() })
    }

    /// Adds an obstacle; the tiles that it touches wait for `update`. Returns its number.
    pub fn add(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Obstacle")] obstacle: JsValue,
    ) -> Answer<usize> {
        let given: ObstacleOptions = options("obstacle", obstacle)?;
        let obstacle = self.obstacle(&given)?;
        let handle = self.cache.add(&obstacle).map_err(fail)?;
        self.handles.push(Some(handle));
        Ok(self.handles.len() - 1)
    }

    /// Moves an obstacle: the centre of its bottom, and degrees about the vertical. Returns true if the move
    /// counts: moves of less than half a cell count once they have added up.
    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(
        &mut self,
        obstacle: usize,
        #[wasm_bindgen(unchecked_param_type = "Point")] at: &[f64],
        yaw: Option<f64>,
    ) -> Answer<bool> {
        let place = Transform::turned(yaw.unwrap_or(0.0), crate::convert::point("at", at)?);
        self.cache.move_to(self.handle(obstacle)?, place).map_err(fail)
    }

    /// Gives an obstacle an effect only while it keeps still: `move` metres make it move, and after `time`
    /// seconds without such a move it has its effect again. Without numbers it has an effect at every place.
    /// `advance` counts the time.
    #[wasm_bindgen(js_name = setStationary)]
    pub fn set_stationary(
        &mut self,
        obstacle: usize,
        time: Option<f64>,
        #[wasm_bindgen(js_name = "move")] threshold: Option<f64>,
    ) -> Answer<()> {
        let own = Stationary::default();
        let rule = (time.is_some() || threshold.is_some()).then(|| Stationary {
            time_to_stationary: time.unwrap_or(own.time_to_stationary),
            move_threshold: threshold.unwrap_or(own.move_threshold),
        });
        self.cache.set_stationary(self.handle(obstacle)?, rule).map_err(fail)
    }

    /// Counts time for obstacles that have an effect only while they keep still: call it in each frame.
    pub fn advance(&mut self, seconds: f64) -> Answer<()> {
        self.cache.advance(seconds).map_err(fail)
    }

    /// Removes an obstacle.
    pub fn remove(&mut self, obstacle: usize) -> Answer<()> {
        self.cache.remove(self.handle(obstacle)?).map_err(fail)?;
        self.handles[obstacle] = None;
        Ok(())
    }

    /// Number of tiles that wait.
    #[wasm_bindgen(getter)]
    pub fn waiting(&self) -> usize {
        self.cache.waiting()
    }

    /// Bakes at most `tiles` waiting tiles, and replaces them in the mesh. Returns the number of baked tiles,
    /// and the tiles that changed: x, z and layer each.
    #[wasm_bindgen(
        unchecked_return_type = "{ baked: number, waiting: number, changed: [number, number, number][] }"
    )]
    pub fn update(&mut self, mesh: &mut WebMesh, tiles: usize) -> Answer<JsValue> {
        let update = self.cache.update(Budget::tiles(tiles)).map_err(fail)?;
        if let Some(failed) = update.failed.first() {
            return Err(fail(&failed.error));
        }
        tilecache::apply(&mut mesh.mesh, &update.changes).map_err(fail)?;
        let coord = |change: &TileChange| list([change.coord.x, change.coord.z, change.coord.layer]);
        Ok(object(&[
            ("baked", update.baked.into()),
            ("waiting", update.left.into()),
            ("changed", list(update.changes.iter().map(coord))),
        ]))
    }

    /// The current content of the file. No tile may wait.
    pub fn write(&self) -> Answer<Uint8Array> {
        let file = self.cache.write(Cursor::new(Vec::new())).map_err(fail)?;
        Ok(Uint8Array::from(file.into_inner().as_slice()))
    }
}
