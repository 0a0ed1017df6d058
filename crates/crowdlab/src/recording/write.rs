//! Writes recordings.

use super::bytes::{checksum, put_signed, put_varint};
use super::{BLOCK_FRAMES, CAUSES, Change, END, FRAMES, HAS_BY, Held, MAGIC, Pose, RecordingHeader, VERSION};
use std::io::{self, Write};

/// A pose in integers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Quantised {
    at: [i32; 3],
    heading: u8,
    doing: u8,
    held: Option<Held>,
}

/// Writes a recording frame by frame; [`Recorder::finish`] ends it.
#[derive(Debug)]
pub struct Recorder<W> {
    out: W,
    every: u32,
    quantum: f32,
    /// The poses of the frame before.
    last: Vec<Quantised>,
    /// Frames that are not yet written.
    block: Vec<u8>,
    block_frames: u32,
    frames: u64,
    changes: Vec<Change>,
}

impl<W: Write> Recorder<W> {
    /// Begins a recording.
    pub fn new(mut out: W, header: &RecordingHeader) -> io::Result<Recorder<W>> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(header.rate.to_le_bytes());
        bytes.extend(header.every.to_le_bytes());
        bytes.extend(header.quantum.to_le_bytes());
        bytes.extend(header.anchor.iter().flat_map(|v| v.to_le_bytes()));
        let count = |bytes: &mut Vec<u8>, count: usize| bytes.extend((count as u32).to_le_bytes());
        count(&mut bytes, header.bodies.len());
        for body in &header.bodies {
            bytes.extend([body.radius, body.height].iter().flat_map(|v| v.to_le_bytes()));
        }
        count(&mut bytes, header.cohorts.len());
        for (name, agents) in &header.cohorts {
            bytes.extend(agents.to_le_bytes());
            let mut length = name.len().min(255);
            while !name.is_char_boundary(length) {
                length -= 1;
            }
            bytes.push(length as u8);
            bytes.extend(&name.as_bytes()[..length]);
        }
        count(&mut bytes, header.doors.len());
        bytes.extend(header.doors.iter().flatten().flatten().flat_map(|v| v.to_le_bytes()));
        count(&mut bytes, header.tiles.len());
        bytes.extend(header.tiles.iter().flatten().flat_map(|v| v.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        out.write_all(&bytes)?;
        Ok(Recorder {
            out,
            every: header.every.max(1),
            quantum: header.quantum,
            last: vec![Quantised::default(); header.bodies.len()],
            block: Vec::new(),
            block_frames: 0,
            frames: 0,
            changes: Vec::new(),
        })
    }

    /// Adds changes of the world to the next frame.
    pub fn changed(&mut self, changes: &[Change]) {
        self.changes.extend_from_slice(changes);
    }

    /// Returns true if there is a frame after this step.
    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.every.into())
    }

    /// Adds a frame: the poses of all agents after a step.
    pub fn frame(&mut self, step: u64, poses: impl IntoIterator<Item = Pose>) -> io::Result<()> {
        let is_first = self.block_frames == 0;
        let block = &mut self.block;
        put_varint(block, step);
        put_varint(block, self.changes.len() as u64);
        for change in self.changes.drain(..) {
            let (kind, number) = change.parts();
            block.push(kind);
            put_varint(block, number.into());
        }
        let mut poses = poses.into_iter();
        for last in &mut self.last {
            let pose = poses.next().unwrap_or_default();
            let at = (pose.position / self.quantum).round().to_array().map(|v| v as i32);
            let now = Quantised { at, heading: pose.heading, doing: pose.doing as u8, held: pose.held };
            let before = if is_first { Quantised::default() } else { *last };
            let (moves, turns) = (now.at != before.at, now.heading != before.heading);
            let is_other = now.held != before.held;
            block.push(now.doing | u8::from(moves) << 3 | u8::from(turns) << 4 | u8::from(is_other) << 5);
            if moves {
                for (now, before) in now.at.into_iter().zip(before.at) {
                    put_signed(block, now.wrapping_sub(before));
                }
            }
            if turns {
                block.push(now.heading);
            }
            if is_other {
                put_held(block, now.held);
            }
            *last = now;
        }
        self.block_frames += 1;
        self.frames += 1;
        if self.block_frames == BLOCK_FRAMES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block_frames == 0 {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        self.put_block(FRAMES, &block)?;
        self.block = block;
        self.block.clear();
        self.block_frames = 0;
        Ok(())
    }

    fn put_block(&mut self, tag: u8, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len())
            .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a block of frames exceeds 4 GiB"))?;
        self.out.write_all(&[tag])?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(payload)?;
        self.out.write_all(&checksum(payload).to_le_bytes())
    }

    /// Ends the recording. Without this call, readers treat the recording as cut short.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        let frames = self.frames.to_le_bytes();
        self.put_block(END, &frames)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Zero, or the number of the cause plus one and the agent that is named.
fn put_held(block: &mut Vec<u8>, held: Option<Held>) {
    let number =
        |held: Held| CAUSES.iter().position(|cause| *cause == held.cause).map_or(0, |at| at as u8 + 1);
    let by = held.and_then(|held| held.by);
    block.push(held.map_or(0, number) | if by.is_some() { HAS_BY } else { 0 });
    if let Some(by) = by {
        put_varint(block, by.into());
    }
}
