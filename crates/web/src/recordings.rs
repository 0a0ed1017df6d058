//! Recordings of crowds, read for rendering, and their maps.

use crate::convert::{Answer, fail, floats, object};
use crowd::HoldUpCause;
use crowdlab::maps::{MapKind, Maps, Move};
use crowdlab::recording::{Change, Doing, Frame, Held, Pose, Recording, RecordingHeader};
use js_sys::{Array, Float32Array, Int32Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// All frames, one after another.
#[derive(Default)]
struct Track {
    positions: Vec<[f64; 3]>,
    headings: Vec<u8>,
    states: Vec<u8>,
    waits: Vec<u8>,
    causes: Vec<u8>,
    held_by: Vec<i32>,
    steps: Vec<u32>,
    changes: Array,
    /// The poses and the step of the frame before.
    before: (Vec<Pose>, u64),
}

impl Track {
    fn push(&mut self, header: &RecordingHeader, frame: &Frame) {
        let number = self.steps.len();
        let seconds = frame.step.saturating_sub(self.before.1) as f32 / header.rate;
        for (index, pose) in frame.poses.iter().enumerate() {
            let before = self.before.0.get(index);
            self.waits.push(before.is_some_and(|before| Move::between(before, pose, seconds).waits).into());
            self.causes.push(pose.held.map_or(0, cause));
            self.held_by.push(pose.held.and_then(|held| held.by).map_or(-1, |by| by as i32));
            let [x, y, z] = pose.position.to_array().map(f64::from);
            self.positions.push([header.anchor[0] + x, header.anchor[1] + y, header.anchor[2] + z]);
            self.headings.push(pose.heading);
            self.states.push(state(pose.doing));
        }
        self.before.0.clone_from(&frame.poses);
        self.before.1 = frame.step;
        self.steps.push(frame.step.min(u32::MAX.into()) as u32);
        for change in &frame.changes {
            let (kind, about) = match *change {
                Change::DoorShut(door) => ("door-shut", door),
                Change::DoorOpened(door) => ("door-opened", door),
                Change::TileGone(tile) => ("tile-gone", tile),
                Change::TileBack(tile) => ("tile-back", tile),
                Change::TileReplaced(tile) => ("tile-replaced", tile),
            };
            let entries = [("frame", number.into()), ("kind", kind.into()), ("number", about.into())];
            self.changes.push(&object(&entries));
        }
    }
}

/// The number of a state in `Crowd.states`.
fn state(doing: Doing) -> u8 {
    match doing {
        Doing::Idle => 0,
        Doing::Searching => 1,
        Doing::Walking => 2,
        Doing::Arrived => 3,
        Doing::Waiting => 4,
        Doing::OnLink => 5,
        Doing::Lost => 6,
    }
}

/// The number of a cause in `CrowdRecording.causes`.
fn cause(held: Held) -> u8 {
    match held.cause {
        HoldUpCause::Crowded => 1,
        HoldUpCause::RightOfWay => 2,
        HoldUpCause::LinkBusy => 3,
        HoldUpCause::Followers => 4,
        HoldUpCause::Searching => 5,
        HoldUpCause::NoWay => 6,
        HoldUpCause::GroundLost => 7,
    }
}

/// Reads a recording of `navtile crowd --record`: every frame of it.
#[wasm_bindgen(js_name = readRecording, unchecked_return_type = "CrowdRecording")]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub fn read_recording(bytes: &[u8]) -> Answer<JsValue> {
    let recording = Recording::open(bytes).map_err(fail)?;
    let header = recording.header();
    let (mut frames, mut track) = (recording.frames(), Track::default());
    while let Some(frame) = frames.next().map_err(fail)? {
        track.push(header, frame);
    }
    let bodies: Vec<f32> = header.bodies.iter().flat_map(|body| [body.radius, body.height]).collect();
    let cohorts: Array = header
        .cohorts
        .iter()
        .map(|(name, agents)| object(&[("name", name.as_str().into()), ("agents", (*agents).into())]))
        .collect();
    Ok(object(&[
        ("agents", header.bodies.len().into()),
        ("rate", header.rate.into()),
        ("bodies", Float32Array::from(bodies.as_slice()).into()),
        ("cohorts", cohorts.into()),
        ("doors", floats(header.doors.iter().flatten().copied()).into()),
        ("steps", Uint32Array::from(track.steps.as_slice()).into()),
        ("positions", floats(track.positions).into()),
        ("headings", Uint8Array::from(track.headings.as_slice()).into()),
        ("states", Uint8Array::from(track.states.as_slice()).into()),
        ("waits", Uint8Array::from(track.waits.as_slice()).into()),
        ("causes", Uint8Array::from(track.causes.as_slice()).into()),
        ("heldBy", Int32Array::from(track.held_by.as_slice()).into()),
        ("changes", track.changes.into()),
    ]))
}

/// Maps of a recording: its ground in cells, with the density, the flow and the waiting time there.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
pub struct CrowdMaps(Maps);

#[wasm_bindgen]
#[allow(unreachable_pub, reason = "JavaScript reaches it")]
impl CrowdMaps {
    /// Reads a recording of `navtile crowd --record`.
    pub fn open(bytes: &[u8]) -> Answer<CrowdMaps> {
        let recording = Recording::open(bytes).map_err(fail)?;
        Maps::new(&recording).map(CrowdMaps).map_err(fail)
    }

    /// The side of a cell, metres.
    #[wasm_bindgen(getter)]
    pub fn side(&self) -> f32 {
        self.0.side()
    }

    /// Four corners of each cell, counter-clockwise as seen from above: x, y and z, world metres. Cells of
    /// different storeys are different cells.
    pub fn cells(&self) -> Float32Array {
        floats(self.0.cells().into_iter().flatten())
    }

    /// The largest value of any cell at any time.
    pub fn peak(&self, #[wasm_bindgen(unchecked_param_type = "CrowdMap")] map: &str) -> Answer<f32> {
        Ok(self.0.peak(kind(map)?))
    }

    /// The value of each cell, some seconds after the first frame.
    pub fn at(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "CrowdMap")] map: &str,
        seconds: f64,
    ) -> Answer<Float32Array> {
        Ok(Float32Array::from(self.0.at(kind(map)?, seconds).as_slice()))
    }
}

fn kind(map: &str) -> Answer<MapKind> {
    match map {
        "density" => Ok(MapKind::Density),
        "flow" => Ok(MapKind::Flow),
        "waiting" => Ok(MapKind::Waiting),
        _ => Err(fail(format!("there is no map \"{map}\", expected \"density\", \"flow\" or \"waiting\""))),
    }
}
