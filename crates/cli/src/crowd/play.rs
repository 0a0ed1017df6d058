//! `navtile crowd --play`: shows the content of a recording, and draws a picture of it at one time.

use super::CrowdArgs;
use crate::failure::{Answer, Failure};
use crate::files;
use crate::mesh;
use crate::render::{Picture, title};
use crate::report::{answer, columns, rounded};
use crowdlab::recording::{Doing, Frame, Recording, RecordingHeader};
use navdraw::number::counted;
use navdraw::{MeshOptions, TrackGroup, Tracks};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::Path;

/// Length of the paths behind the bodies, seconds.
const TAIL: f64 = 3.0;

/// Figures of a recording.
#[derive(Debug, Default, Serialize)]
struct RecordingReport {
    agents: usize,
    frames: u64,
    seconds: f64,
    /// At the end, or at the requested time.
    at: f64,
    arrived: usize,
    /// Agents that were held up at that time.
    held_up: usize,
    changes: usize,
    bytes: usize,
}

pub(super) fn run(args: &CrowdArgs, path: &Path, picture: Option<&Picture>) -> Result<Answer, Failure> {
    let bytes = files::read(path)?;
    let damaged = |error: crowdlab::recording::RecordingError| {
        Failure::of(path, error).help("record it again by `navtile crowd --record`")
    };
    let recording = Recording::open(&bytes).map_err(damaged)?;
    let header = recording.header();
    let second = |step: u64| step as f64 / f64::from(header.rate);
    let mut report =
        RecordingReport { agents: header.bodies.len(), bytes: bytes.len(), ..RecordingReport::default() };
    // The frames up to the shown time that the paths need.
    let mut shown: VecDeque<Frame> = VecDeque::new();
    let mut frames = recording.frames();
    while let Some(frame) = frames.next().map_err(damaged)? {
        report.frames += 1;
        report.seconds = rounded(second(frame.step));
        report.changes += frame.changes.len();
        if args.at.is_none_or(|at| second(frame.step) <= at) {
            shown.push_back(frame.clone());
            while shown.front().is_some_and(|first| second(first.step) < second(frame.step) - TAIL) {
                shown.pop_front();
            }
        }
    }
    if let Some(last) = shown.back() {
        report.at = rounded(second(last.step));
        report.arrived = last.poses.iter().filter(|pose| pose.doing == Doing::Arrived).count();
        report.held_up = last.poses.iter().filter(|pose| pose.held.is_some()).count();
    }
    if let Some(picture) = picture {
        let title = format!("{} after {:.1} s", title(path), report.at);
        let tracks = Some(tracks(header, &shown));
        picture.draw(&mesh::load(&args.file)?, &MeshOptions { title, tracks, ..MeshOptions::default() })?;
    }
    answer(args.json, &report, || report.text())?;
    Ok(Answer::Yes)
}

/// The bodies in the last of these frames, and the paths that led there.
fn tracks(header: &RecordingHeader, frames: &VecDeque<Frame>) -> Tracks {
    let world = |position: detour::Vec3| {
        std::array::from_fn(|axis| header.anchor[axis] + f64::from(position.to_array()[axis]))
    };
    let mut groups = Vec::new();
    let mut first = 0;
    for (name, count) in &header.cohorts {
        let members = first..(first + *count as usize).min(header.bodies.len());
        first = members.end;
        let way = |number: usize| frames.iter().map(|frame| world(frame.poses[number].position)).collect();
        let body = |number: usize| {
            let at = world(frames.back()?.poses[number].position);
            Some((at, f64::from(header.bodies[number].radius)))
        };
        groups.push(TrackGroup {
            name: name.clone(),
            ways: members.clone().map(way).collect(),
            bodies: members.filter_map(body).collect(),
        });
    }
    Tracks { groups }
}

impl RecordingReport {
    fn text(&self) -> String {
        let RecordingReport { agents, frames, seconds, at, arrived, held_up, changes, bytes } = self;
        columns([
            ("agents", agents.to_string()),
            ("frames", format!("{frames} over {seconds:.1} s, {bytes} bytes")),
            ("changes", counted(*changes, "change of doors and tiles")),
            ("arrived", format!("{arrived} of {agents} after {at:.1} s")),
            ("held up", held_up.to_string()),
        ])
    }
}
