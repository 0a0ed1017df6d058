//! Recordings of crowds, read for rendering.

use crate::convert::{Answer, fail, floats, object};
use crowdlab::recording::{Change, Doing, Frame, Recording, RecordingHeader};
use js_sys::{Array, Float32Array, Uint8Array, Uint32Array};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// All frames, one after another.
#[derive(Default)]
struct Track {
    positions: Vec<[f64; 3]>,
    headings: Vec<u8>,
    states: Vec<u8>,
    steps: Vec<u32>,
    changes: Array,
}

impl Track {
    fn push(&mut self, header: &RecordingHeader, frame: &Frame) {
        let number = self.steps.len();
        for pose in &frame.poses {
            let [x, y, z] = pose.position.to_array().map(f64::from);
            self.positions.push([header.anchor[0] + x, header.anchor[1] + y, header.anchor[2] + z]);
            self.headings.push(pose.heading);
            self.states.push(state(pose.doing));
        }
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
        ("changes", track.changes.into()),
    ]))
}
