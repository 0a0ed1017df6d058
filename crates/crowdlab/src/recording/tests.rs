//! Recordings are read back as they were written, and damaged recordings are rejected.

use super::bytes::checksum;
use super::*;
use proptest::prelude::*;

fn header(agents: usize) -> RecordingHeader {
    RecordingHeader {
        rate: 60.0,
        every: 3,
        quantum: 1.0 / 256.0,
        anchor: [1e6, 0.5, -3.0],
        bodies: vec![RecordedBody { radius: 0.25, height: 1.75 }; agents],
        cohorts: vec![("guards".to_owned(), agents as u32)],
        doors: vec![[[0.0; 3], [1.0; 3]]],
        tiles: vec![[1, -2, 0]],
    }
}

/// Poses on the grid of the quantum, so that nothing is rounded.
fn pose() -> impl Strategy<Value = Pose> {
    let held = (0..CAUSES.len(), prop::option::of(0u32..3))
        .prop_map(|(cause, by)| Held { cause: CAUSES[cause], by });
    let at = prop::array::uniform3(-100_000i32..100_000);
    (at, any::<u8>(), 0usize..7, prop::option::of(held)).prop_map(|(at, heading, doing, held)| {
        let position = Vec3::from_array(at.map(|v| v as f32 / 256.0));
        Pose { position, heading, doing: Doing::ALL[doing], held }
    })
}

fn written(header: &RecordingHeader, frames: &[Frame]) -> Vec<u8> {
    let mut recorder = Recorder::new(Vec::new(), header).unwrap();
    for frame in frames {
        recorder.changed(&frame.changes);
        recorder.frame(frame.step, frame.poses.iter().copied()).unwrap();
    }
    recorder.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<(RecordingHeader, Vec<Frame>), RecordingError> {
    let recording = Recording::open(bytes)?;
    let (mut frames, mut all) = (recording.frames(), Vec::new());
    while let Some(frame) = frames.next()? {
        all.push(frame.clone());
    }
    Ok((recording.header().clone(), all))
}

/// Frames of two agents: one walks, the other keeps still and waits for the first one until frame 2.
fn frames(count: u64) -> Vec<Frame> {
    let frame = |number: u64| Frame {
        step: number * 3,
        changes: if number == 2 { vec![Change::DoorShut(0), Change::TileGone(0)] } else { Vec::new() },
        poses: vec![
            Pose { position: Vec3::X * number as f32, heading: 64, doing: Doing::Walking, held: None },
            Pose {
                position: Vec3::new(-1.0, 2.5, 0.25),
                heading: 0,
                doing: Doing::Waiting,
                held: (number < 2).then_some(Held { cause: HoldUpCause::LinkBusy, by: Some(0) }),
            },
        ],
    };
    (0..count).map(frame).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read(all in prop::collection::vec(prop::collection::vec(pose(), 3), 0..140)) {
        let step = |number: usize| number as u64 * 3;
        let frame = |(number, poses)| Frame { step: step(number), changes: Vec::new(), poses };
        let frames: Vec<Frame> = all.into_iter().enumerate().map(frame).collect();
        prop_assert_eq!(read(&written(&header(3), &frames)), Ok((header(3), frames)));
    }
}

#[test]
fn changes_come_back_with_their_frame() {
    assert_eq!(read(&written(&header(2), &frames(5))).unwrap().1, frames(5));
}

#[test]
fn one_that_stands_takes_a_byte() {
    let long = written(&header(2), &frames(60)).len() - written(&header(2), &frames(50)).len();
    // Step, changes, four or five bytes for the walking agent, and one byte for the other.
    assert!(long <= 10 * 9, "{long}");
}

#[test]
fn headings_are_turns() {
    let heading = |x: f32, z: f32| Pose::new(Vec3::ZERO, Vec3::new(x, 0.0, z), AgentState::Idle).heading;
    assert_eq!(
        [heading(0.0, 1.0), heading(1.0, 0.0), heading(0.0, -1.0), heading(-1.0, 0.0)],
        [0, 64, 128, 192]
    );
}

#[test]
fn every_prefix_and_every_damaged_byte_is_refused() {
    let whole = written(&header(2), &frames(3));
    for length in 0..whole.len() {
        let error = read(&whole[..length]).unwrap_err();
        assert!(error.at <= length, "{length}: {error}");
    }
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x11;
        assert!(read(&damaged).is_err(), "{at}");
    }
    let mut longer = whole;
    longer.push(0);
    assert!(read(&longer).unwrap_err().problem.contains("follow the end"));
}

#[test]
fn a_header_that_lies_takes_no_memory() {
    let mut bytes = written(&header(2), &[]);
    let count = MAGIC.len() + 4 * 4 + 3 * 8;
    bytes[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = Recording::open(&bytes).unwrap_err();
    assert_eq!((error.at, error.problem), (count, "a count exceeds the size of the file"));
}

#[test]
fn hold_ups_without_a_cause_or_an_agent_are_refused() {
    // The hold-up of the second agent follows its flags and its three coordinates.
    let whole = written(&header(2), &frames(1));
    let at = whole.windows(2).rposition(|pair| pair == [3 | HAS_BY, 0]).unwrap();
    let block = whole.windows(3).position(|tag| tag[0] == FRAMES && tag[2] == 0).unwrap();
    for (byte, value, problem) in [
        (at, 8 | HAS_BY, "unknown reason"),
        (at, HAS_BY, "unknown reason"),
        (at + 1, 2, "an agent that does not exist"),
    ] {
        let mut damaged = whole.clone();
        damaged[byte] = value;
        let length = damaged[block + 1] as usize;
        let end = block + 5 + length;
        let sum = checksum(&damaged[block + 5..end]);
        damaged[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        let error = read(&damaged).unwrap_err();
        assert!(error.at == at && error.problem.contains(problem), "{error}");
    }
}
