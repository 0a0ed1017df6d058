//! Reads recordings.

use super::bytes::{checksum, count, signed, varint, wrong};
use super::{
    BLOCK_FRAMES, CAUSES, Change, Doing, END, FRAMES, Frame, HAS_BY, Held, MAGIC, Pose, RecordedBody,
    RecordingError, RecordingHeader, VERSION,
};
use detour::Vec3;
use navmath::bytes::Reader;

/// A recording that is read from its bytes.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    header: RecordingHeader,
    /// Reads the first block next.
    blocks: Reader<'a>,
}

impl<'a> Recording<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// Fails if the bytes are not a recording, have another version, or are damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Recording<'a>, RecordingError> {
        let mut from = Reader::new(bytes);
        if !bytes.starts_with(&MAGIC) {
            return Err(wrong(0, "it is not a recording of a crowd: it does not begin with `navcrowd`"));
        }
        from.read::<[u8; MAGIC.len()]>()?;
        if from.read::<u32>()? != VERSION {
            return Err(wrong(MAGIC.len(), "unsupported version, expected 2"));
        }
        let (rate, every, quantum): (f32, u32, f32) = (from.read()?, from.read()?, from.read()?);
        let anchor: [f64; 3] = from.read()?;
        let mut bodies = Vec::new();
        for _ in 0..count(&mut from, 8)? {
            bodies.push(RecordedBody { radius: from.read()?, height: from.read()? });
        }
        let mut cohorts = Vec::new();
        for _ in 0..count(&mut from, 5)? {
            let (agents, length) = (from.read()?, from.read::<u8>()?);
            let name = String::from_utf8_lossy(from.take(length.into())?).into_owned();
            cohorts.push((name, agents));
        }
        let doors = (0..count(&mut from, 48)?).map(|_| from.read()).collect::<Result<_, _>>()?;
        let tiles = (0..count(&mut from, 12)?).map(|_| from.read()).collect::<Result<_, _>>()?;
        let end = from.at();
        if from.read::<u32>()? != checksum(&bytes[..end]) {
            return Err(wrong(end, "the header is damaged: wrong checksum"));
        }
        let is_sound = rate > 0.0 && rate.is_finite() && quantum > 0.0 && quantum.is_finite() && every > 0;
        if !is_sound || !anchor.iter().all(|v| v.is_finite()) {
            return Err(wrong(MAGIC.len(), "rate, every, quantum or anchor is out of range"));
        }
        let header = RecordingHeader { rate, every, quantum, anchor, bodies, cohorts, doors, tiles };
        Ok(Recording { header, blocks: from })
    }

    /// Values that are the same for all frames.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// The frames, from the first one.
    pub fn frames(&self) -> Frames<'_> {
        Frames {
            header: &self.header,
            from: self.blocks,
            block_end: self.blocks.at(),
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
    from: Reader<'a>,
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
        if self.from.at() == self.block_end && !self.next_block()? {
            self.block_end = usize::MAX;
            return Ok(false);
        }
        self.take_frame()?;
        if self.from.at() > self.block_end || self.block_frames > BLOCK_FRAMES {
            let problem = "the frames of a block exceed its length, or there are too many";
            return Err(wrong(self.from.at(), problem));
        }
        if self.from.at() == self.block_end {
            self.from.read::<u32>()?;
            self.block_end = self.from.at();
        }
        self.count += 1;
        Ok(true)
    }

    /// Returns true if there is another block of frames. Checks the block's checksum before the block is
    /// read.
    fn next_block(&mut self) -> Result<bool, RecordingError> {
        let (tag, length) = (self.from.read()?, self.from.read::<u32>()?);
        let (start, mut ahead) = (self.from.at(), self.from);
        let payload = ahead.take(length.into())?;
        if ahead.read::<u32>()? != checksum(payload) {
            return Err(wrong(start, "the block is damaged: wrong checksum"));
        }
        match tag {
            FRAMES if length > 0 => {}
            END => {
                let is_whole = payload == self.count.to_le_bytes() && ahead.rest().is_empty();
                let problem = "frames are missing, or bytes follow the end";
                return if is_whole { Ok(false) } else { Err(wrong(start, problem)) };
            }
            _ => return Err(wrong(start, "unknown kind of block")),
        }
        self.block_end = start + payload.len();
        self.block_frames = 0;
        Ok(true)
    }

    fn take_frame(&mut self) -> Result<(), RecordingError> {
        let from = &mut self.from;
        self.frame.step = varint(from)?;
        self.frame.changes.clear();
        for _ in 0..varint(from)? {
            let at = from.at();
            let (kind, number) = (from.read()?, varint(from)?.min(u32::MAX.into()) as u32);
            let change = Change::of(kind, number, self.header);
            let change = change.ok_or_else(|| wrong(at, "a change has an unknown kind, door or tile"))?;
            self.frame.changes.push(change);
        }
        let is_first = self.block_frames == 0;
        for (pose, place) in self.frame.poses.iter_mut().zip(&mut self.places) {
            if is_first {
                (*pose, *place) = (Pose::default(), [0; 3]);
            }
            let flags: u8 = from.read()?;
            let doing = Doing::ALL.get(usize::from(flags & 7)).filter(|_| flags < 64);
            pose.doing = *doing.ok_or_else(|| wrong(from.at(), "an agent has an unknown state"))?;
            if flags & 8 != 0 {
                for v in place.iter_mut() {
                    *v = v.wrapping_add(signed(from)?);
                }
            }
            if flags & 16 != 0 {
                pose.heading = from.read()?;
            }
            if flags & 32 != 0 {
                pose.held = held(from, self.header.bodies.len())?;
            }
            pose.position = Vec3::from_array(place.map(|v| v as f32)) * self.header.quantum;
        }
        self.block_frames += 1;
        Ok(())
    }
}

/// The reason why one of `agents` agents is held up, if it is.
fn held(from: &mut Reader<'_>, agents: usize) -> Result<Option<Held>, RecordingError> {
    let (at, number): (usize, u8) = (from.at(), from.read()?);
    if number == 0 {
        return Ok(None);
    }
    let cause = usize::from(number & !HAS_BY).checked_sub(1).and_then(|cause| CAUSES.get(cause));
    let cause = *cause.ok_or_else(|| wrong(at, "an agent is held up for an unknown reason"))?;
    let by = if number & HAS_BY != 0 { Some(varint(from)?) } else { None };
    if by.is_some_and(|by| by >= agents as u64) {
        return Err(wrong(at, "an agent is held up by an agent that does not exist"));
    }
    Ok(Some(Held { cause, by: by.map(|by| by as u32) }))
}
