//! The targets of crowds: calls, scenarios, recordings.

use super::{QUERIES, reader_bound};
use crate::crowd_script;
use crate::memory::bounded;
use crate::script::Script;
use crowdlab::maps::{MapKind, Maps};
use crowdlab::recording::{RecordedBody, Recorder, Recording, RecordingHeader};
use crowdlab::scenario::{Agents, Region, Run, Scenario, Terrain};
use detour::NavMesh;
use navscenes::build::{Builder, rect};
use recast::settings::OffMeshConnection;
use recast::{AreaId, PreparedLevel, Settings, Silent};
use std::sync::LazyLock;

/// Two rooms, and two floors with an off-mesh link between them.
static MESHES: LazyLock<[NavMesh; 2]> = LazyLock::new(|| {
    let mut builder = Builder::new();
    builder.floor(rect(0.0, 0.0, 5.0, 8.0), 0.0).floor(rect(7.0, 0.0, 12.0, 8.0), 0.0);
    let mut settings = Settings { agent_radius: 0.3, cell_size: 0.1, ..Settings::default() };
    settings.off_mesh_connections.push(OffMeshConnection {
        start: [4.5, 0.0, 4.0],
        end: [7.5, 0.0, 4.0],
        radius: 0.5,
        both_ways: true,
        area: AreaId::GROUND,
        flags: None,
        user_id: 0,
        along: [0.0; 2],
    });
    let level = PreparedLevel::new(&builder.finish(), &settings).expect("the level is sound");
    let gap = recast::bake_solo(&level, &Silent, &mut recast::Scratch::new()).expect("the level bakes").tile;
    let rooms = navscenes::baked_tile("two_rooms").expect("the scene bakes");
    [rooms, gap].map(|tile| {
        let mut mesh = NavMesh::default();
        mesh.add_tile(tile).expect("the mesh is empty");
        mesh
    })
});

/// Calls of a crowd in any order, with any numbers, stale handles, tiles that go and come, and bytes that are
/// damaged.
pub fn crowd(data: &[u8]) {
    let (number, script) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let mesh = &MESHES[usize::from(number % 2)];
    bounded(QUERIES, || crowd_script::play(mesh, script));
}

/// A crowd.toml; one of few agents is put on a mesh and stepped.
pub fn crowd_toml(data: &[u8]) {
    /// The most agents, and the most doors, tiles and discs.
    const MOST: [usize; 2] = [30, 8];
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(scenario) = bounded(reader_bound(data, 512), || Scenario::read(text)) else { return };
    let count: usize = scenario.agents.iter().map(count_of).sum();
    let things = scenario.door.len() + scenario.tile.len() + scenario.disc.len() + scenario.gate.len();
    if count > MOST[0] || things > MOST[1] || scenario.kind.len() > MOST[1] {
        return;
    }
    bounded(QUERIES, || {
        let Ok(mut run) = Run::new(&scenario, MESHES[0].clone(), &Terrain::default()) else { return };
        for _ in 0..5 {
            run.step().expect("a scenario that was put on a mesh goes on");
            run.watch().expect("its agents are there");
        }
        for id in run.agents() {
            let view = run.crowd().agent(id).expect("nobody is removed");
            assert!(view.position.is_finite() && view.velocity.is_finite(), "{view:?}");
        }
        let report = run.report();
        assert!(report.trial.arrived <= report.trial.agents);
        assert!(scenario.check.broken(&report).iter().all(|broken| !broken.to_string().is_empty()));
    });
}

fn count_of(agents: &Agents) -> usize {
    match (&agents.start, agents.count) {
        (_, Some(count)) => count as usize,
        (Region::Places(places), None) => places.len(),
        _ => 0,
    }
}

/// Bytes as a recording, and as the frames of one whose header and checksums are sound.
pub fn recording(data: &[u8]) {
    bounded(reader_bound(data, 32), || read_frames(data));
    let mut script = Script::new(data);
    let header = RecordingHeader {
        rate: 60.0,
        every: 1,
        quantum: 1.0 / 256.0,
        bodies: vec![RecordedBody::default(); script.below(20)],
        doors: vec![Default::default(); script.below(3)],
        tiles: vec![Default::default(); script.below(3)],
        ..RecordingHeader::default()
    };
    let begun = Recorder::new(Vec::new(), &header).and_then(Recorder::finish);
    let mut bytes = begun.expect("a list takes all bytes");
    // Without the block at the end: tag, length, the number of frames, checksum.
    bytes.truncate(bytes.len() - 17);
    for (tag, payload) in [(b'F', script.rest()), (b'E', &u64::from(script.byte()).to_le_bytes()[..])] {
        bytes.push(tag);
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(payload);
        bytes.extend(checksum(payload).to_le_bytes());
    }
    bounded(reader_bound(&bytes, 32), || read_frames(&bytes));
    bounded(reader_bound(&bytes, 256), || read_maps(&bytes));
}

/// Reads all frames: each has all agents, at finite places.
fn read_frames(bytes: &[u8]) {
    let Ok(recording) = Recording::open(bytes) else { return };
    let mut frames = recording.frames();
    while let Ok(Some(frame)) = frames.next() {
        assert_eq!(frame.poses.len(), recording.header().bodies.len());
        assert!(frame.poses.iter().all(|pose| !pose.position.is_nan()));
        let named = frame.poses.iter().filter_map(|pose| pose.held?.by);
        assert!(named.into_iter().all(|by| (by as usize) < frame.poses.len()));
    }
    assert!(matches!(frames.next(), Ok(None)), "there is no more behind an end or an error");
}

/// Makes the maps of a recording: each has a value for each cell, at any time.
fn read_maps(bytes: &[u8]) {
    let Ok(recording) = Recording::open(bytes) else { return };
    let Ok(mut maps) = Maps::new(&recording) else { return };
    let cells = maps.cells().len();
    for kind in MapKind::ALL {
        for seconds in [f64::MAX, 1.0, -1.0, f64::NAN] {
            let values = maps.at(kind, seconds);
            assert!(values.len() == cells && values.iter().all(|value| *value >= 0.0), "{values:?}");
        }
    }
}

/// The checksum of a recording's blocks.
fn checksum(bytes: &[u8]) -> u32 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    (hash ^ hash >> 32) as u32
}
