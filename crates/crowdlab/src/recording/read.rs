//! Reads recordings.

use super::bytes::{Cursor, checksum};
use super::{
    BLOCK_FRAMES, Change, Doing, END, FRAMES, Frame, MAGIC, Pose, RecordedBody, RecordingError,
    RecordingHeader, VERSION,
};
use detour::Vec3;

/// A recording that is read from its bytes.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    header: RecordingHeader,
    bytes: &'a [u8],
    /// Offset of the first block.
    blocks: usize,
}

impl<'a> Recording<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// Fails if the bytes are not a recording, have another version, or are damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Recording<'a>, RecordingError> {
        let mut cursor = Cursor::new(bytes, 0);
        if !bytes.starts_with(&MAGIC) {
            return Err(cursor.wrong("it is not a recording of a crowd: it does not begin with `navcrowd`"));
        }
        cursor.take(MAGIC.len())?;
        if cursor.u32()? != VERSION {
            return Err(RecordingError { at: MAGIC.len(), problem: "unsupported version, expected 1" });
        }
        let (rate, every, quantum) = (cursor.f32()?, cursor.u32()?, cursor.f32()?);
        let anchor = [cursor.f64()?, cursor.f64()?, cursor.f64()?];
        let mut bodies = Vec::new();
        for _ in 0..cursor.count(8)? {
            bodies.push(RecordedBody { radius: cursor.f32()?, height: cursor.f32()? });
        }
        let mut cohorts = Vec::new();
        for _ in 0..cursor.count(5)? {
            let (agents, length) = (cursor.u32()?, cursor.byte()?);
            let name = String::from_utf8_lossy(cursor.take(length.into())?).into_owned();
            cohorts.push((name, agents));
        }
        let mut doors = Vec::new();
        for _ in 0..cursor.count(48)? {
            let mut corner = || Ok([cursor.f64()?, cursor.f64()?, cursor.f64()?]);
            doors.push([corner()?, corner()?]);
        }
        let mut tiles = Vec::new();
        for _ in 0..cursor.count(12)? {
            let mut number = || Ok(i32::from_le_bytes(cursor.array()?));
            tiles.push([number()?, number()?, number()?]);
        }
        let end = cursor.at;
        if cursor.u32()? != checksum(&bytes[..end]) {
            return Err(RecordingError { at: end, problem: "the header is damaged: wrong checksum" });
        }
        let is_sound = rate > 0.0 && rate.is_finite() && quantum > 0.0 && quantum.is_finite() && every > 0;
        if !is_sound || !anchor.iter().all(|v| v.is_finite()) {
            return Err(RecordingError {
                at: MAGIC.len(),
                problem: "rate, every, quantum or anchor is out of range",
            });
        }
        let header = RecordingHeader { rate, every, quantum, anchor, bodies, cohorts, doors, tiles };
        Ok(Recording { header, bytes, blocks: cursor.at })
    }

    /// Values that are the same for all frames.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The frames, from the first one.
    pub fn frames(&self) -> Frames<'_> {
        Frames {
            header: &self.header,
            cursor: Cursor::new(self.bytes, self.blocks),
            block_end: self.blocks,
            block_frames: 0,
            count: 0,
            places: vec![[0; 3]; self.header.bodies.len()],
            frame: Frame { poses: vec![Pose::default(); self.header.bodies.len()], ..Frame::default() },
        }
    }
}

/// The frames of a recording, one after another.
#[derive(Debug)]
pub struct Frames<'a> {
    header: &'a RecordingHeader,
    cursor: Cursor<'a>,
    /// End of the payload of the current block.
    block_end: usize,
    block_frames: u32,
    count: u64,
    places: Vec<[i32; 3]>,
    frame: Frame,
}

impl Frames<'_> {
    /// The next frame; `None` at the end.
    ///
    /// # Errors
    /// Fails if the bytes are damaged. After an error there are no more frames.
    #[expect(clippy::should_implement_trait)] // A frame is lent until the next call.
    pub fn next(&mut self) -> Result<Option<&Frame>, RecordingError> {
        match self.advance() {
            Ok(true) => Ok(Some(&self.frame)),
            Ok(false) => Ok(None),
            Err(error) => {
                self.block_end = usize::MAX;
                Err(error)
            }
        }
    }

    fn advance(&mut self) -> Result<bool, RecordingError> {
        if self.block_end == usize::MAX {
            return Ok(false);
        }
        if self.cursor.at == self.block_end && !self.next_block()? {
            self.block_end = usize::MAX;
            return Ok(false);
        }
        self.take_frame()?;
        if self.cursor.at > self.block_end || self.block_frames > BLOCK_FRAMES {
            return Err(self.cursor.wrong("the frames of a block exceed its length, or there are too many"));
        }
        if self.cursor.at == self.block_end {
            self.cursor.u32()?;
            self.block_end = self.cursor.at;
        }
        self.count += 1;
        Ok(true)
    }

    /// Returns true if there is another block of frames. Checks the block's checksum before the block is
    /// read.
    fn next_block(&mut self) -> Result<bool, RecordingError> {
        let (tag, length) = (self.cursor.byte()?, self.cursor.u32()? as usize);
        let start = self.cursor.at;
        let payload = self.cursor.take(length)?;
        if self.cursor.u32()? != checksum(payload) {
            return Err(RecordingError { at: start, problem: "the block is damaged: wrong checksum" });
        }
        match tag {
            FRAMES if length > 0 => {}
            END => {
                let is_whole = payload == self.count.to_le_bytes() && self.cursor.left() == 0;
                let problem = "frames are missing, or bytes follow the end";
                return if is_whole { Ok(false) } else { Err(RecordingError { at: start, problem }) };
            }
            _ => {
                return Err(RecordingError { at: start, problem: "unknown kind of block" });
            }
        }
        self.cursor.at = start;
        self.block_end = start + length;
        self.block_frames = 0;
        Ok(true)
    }

    fn take_frame(&mut self) -> Result<(), RecordingError> {
        let cursor = &mut self.cursor;
        self.frame.step = cursor.varint()?;
        self.frame.changes.clear();
        for _ in 0..cursor.varint()? {
            let at = cursor.at;
            let (kind, number) = (cursor.byte()?, cursor.varint()?.min(u32::MAX.into()) as u32);
            let problem = "a change has an unknown kind, door or tile";
            let change = Change::of(kind, number, self.header).ok_or(RecordingError { at, problem })?;
            self.frame.changes.push(change);
        }
        let is_first = self.block_frames == 0;
        for (pose, place) in self.frame.poses.iter_mut().zip(&mut self.places) {
            if is_first {
                (*pose, *place) = (Pose::default(), [0; 3]);
            }
            let flags = cursor.byte()?;
            let doing = Doing::ALL.get(usize::from(flags & 7)).filter(|_| flags < 32);
            pose.doing = *doing.ok_or_else(|| cursor.wrong("an agent has an unknown state"))?;
            if flags & 8 != 0 {
                for v in place.iter_mut() {
                    *v = v.wrapping_add(cursor.signed()?);
                }
            }
            if flags & 16 != 0 {
                pose.heading = cursor.byte()?;
            }
            pose.position = Vec3::from_array(place.map(|v| v as f32)) * self.header.quantum;
        }
        self.block_frames += 1;
        Ok(())
    }
}
