//! The codec of attributes: elements of any content, as differences from the element before, byte by byte.
//!
//! ```text
//! header │ block │ block │ ... │ padding │ first element's base │ channels (version 1)
//!
//! block:  controls (version 1) │ plane of byte 0 │ plane of byte 1 │ ... one per byte of an element
//! plane:  2 bits for each 16 elements: how many bits a difference has │ differences of 16 elements │ ...
//! ```
//!
//! A block holds up to 256 elements. Differences that are too large for their bits have all bits set, and
//! follow as whole bytes after the sixteen. A channel is four bytes of an element. Its differences are of
//! bytes, of 16-bit numbers, or the changed bits of a 32-bit number, rotated.

use super::{Stream, damaged, foreign, opened};
use crate::gltf::error::GltfProblem;

/// Elements of a group, whose differences have the same number of bits.
const GROUP: usize = 16;
/// Most elements of a block.
const MAX_BLOCK: usize = 256;
/// Most bytes of a block, decoded.
const MAX_BLOCK_BYTES: usize = 8192;
/// Number of bits of differences for the two bits of their group: in version 0, and in version 1 for each
/// control of the plane.
const WIDTHS: [u8; 4] = [0, 2, 4, 8];
const NARROW_WIDTHS: [u8; 4] = [0, 1, 2, 4];
const WIDE_WIDTHS: [u8; 4] = [1, 2, 4, 8];

/// Differences of one byte of all elements of a block.
type Plane = [u8; MAX_BLOCK];

/// Relation of the four bytes of a channel to those of the element before.
#[derive(Clone, Copy)]
enum Channel {
    /// Each byte has its own difference.
    Bytes,
    /// Two 16-bit numbers each have their own difference.
    Shorts,
    /// The bits of a 32-bit number that differ, rotated to the left by this much.
    Bits(u32),
}

/// Elements of `stride` bytes, a multiple of 4 up to 256.
pub(super) fn decode(stream: &[u8], count: u64, stride: usize) -> Result<Vec<u8>, GltfProblem> {
    let (&header, _) = stream.split_first().ok_or_else(|| damaged("is empty"))?;
    let versioned = match header {
        0xA0 => false,
        0xA1 => true,
        other => return Err(foreign(other, "attributes")),
    };
    let channels = if versioned { stride / 4 } else { 0 };
    let tail = (stride + channels).max(if versioned { 24 } else { 32 });
    let block_elements = ((MAX_BLOCK_BYTES / stride) & !(GROUP - 1)).min(MAX_BLOCK);
    let blocks = count.div_ceil(block_elements as u64);
    let block_bytes = if versioned { channels } else { stride };
    let least = blocks.saturating_mul(block_bytes as u64).saturating_add(1 + tail as u64);
    let mut data = opened(stream, least, count)?;
    data.take(1)?;
    let (body, tail) = data.0.split_at(data.0.len() - tail);
    let mut body = Stream(body);
    let (base, kinds) = tail[tail.len() - stride - channels..].split_at(stride);
    let kinds = channels_of(kinds, stride)?;
    let mut previous = base.to_vec();
    // The stream has bytes for each block, so the product fits.
    let mut elements = vec![0; count as usize * stride];
    let mut planes = vec![[0; MAX_BLOCK]; stride];
    for block in elements.chunks_mut(block_elements * stride) {
        let controls = body.take(channels)?;
        for (byte, plane) in planes.iter_mut().enumerate() {
            let control = controls.get(byte / 4).map(|four| four >> (2 * (byte % 4)) & 3);
            read_plane(&mut body, control, block.len() / stride, plane)?;
        }
        for (place, element) in block.chunks_exact_mut(stride).enumerate() {
            for (channel, kind) in kinds.iter().enumerate() {
                let at = 4 * channel..4 * channel + 4;
                let differences = [0, 1, 2, 3].map(|byte| planes[4 * channel + byte][place]);
                let before = [0, 1, 2, 3].map(|byte| previous[4 * channel + byte]);
                element[at].copy_from_slice(&kind.next(before, differences));
            }
            previous.copy_from_slice(element);
        }
    }
    body.finished()?;
    Ok(elements)
}

/// The channels of an element; those of version 0 if none are given.
fn channels_of(kinds: &[u8], stride: usize) -> Result<Vec<Channel>, GltfProblem> {
    if kinds.is_empty() {
        return Ok(vec![Channel::Bytes; stride / 4]);
    }
    let kind = |&kind: &u8| match kind {
        0 => Ok(Channel::Bytes),
        1 => Ok(Channel::Shorts),
        rotated if rotated & 0xF == 2 => Ok(Channel::Bits(u32::from(rotated >> 4))),
        other => Err(damaged(format!("has a channel of the unknown kind {other}"))),
    };
    kinds.iter().map(kind).collect()
}

/// Reads the differences of one byte of all elements of a block.
fn read_plane(
    body: &mut Stream<'_>,
    control: Option<u8>,
    elements: usize,
    plane: &mut Plane,
) -> Result<(), GltfProblem> {
    let widths = match control {
        None => WIDTHS,
        Some(0) => NARROW_WIDTHS,
        Some(1) => WIDE_WIDTHS,
        Some(2) => {
            plane.fill(0);
            return Ok(());
        }
        Some(_) => {
            plane[..elements].copy_from_slice(body.take(elements)?);
            return Ok(());
        }
    };
    let groups = elements.div_ceil(GROUP);
    let headers = body.take(groups.div_ceil(4))?;
    for (group, differences) in plane.chunks_exact_mut(GROUP).take(groups).enumerate() {
        let width = headers[group / 4] >> (2 * (group % 4)) & 3;
        read_group(body, widths[usize::from(width)], differences)?;
    }
    Ok(())
}

/// Reads sixteen differences of `width` bits: 0, 1, 2, 4 or 8.
fn read_group(body: &mut Stream<'_>, width: u8, differences: &mut [u8]) -> Result<(), GltfProblem> {
    match width {
        0 => differences.fill(0),
        8 => differences.copy_from_slice(body.take(GROUP)?),
        _ => {
            let packed = body.take(2 * usize::from(width))?;
            let per_byte = 8 / usize::from(width);
            let all_set = (1 << width) - 1;
            for (place, difference) in differences.iter_mut().enumerate() {
                let within = (place % per_byte) as u8;
                // Single bits begin with the lowest of a byte, wider ones with the highest.
                let shift = if width == 1 { within } else { 8 - width * (within + 1) };
                let stored = packed[place / per_byte] >> shift & all_set;
                *difference = if stored == all_set { body.byte()? } else { stored };
            }
        }
    }
    Ok(())
}

impl Channel {
    /// The four bytes that follow `before`.
    fn next(self, before: [u8; 4], differences: [u8; 4]) -> [u8; 4] {
        match self {
            Channel::Bytes => {
                let signed = |difference: u8| difference >> 1 ^ (difference & 1).wrapping_neg();
                [0, 1, 2, 3].map(|byte| before[byte].wrapping_add(signed(differences[byte])))
            }
            Channel::Shorts => {
                let short = |bytes: [u8; 4], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                let signed = |difference: u16| difference >> 1 ^ (difference & 1).wrapping_neg();
                let next = |at| short(before, at).wrapping_add(signed(short(differences, at))).to_le_bytes();
                let ([a, b], [c, d]) = (next(0), next(2));
                [a, b, c, d]
            }
            Channel::Bits(rotated) => {
                let changed = u32::from_le_bytes(differences).rotate_right(rotated);
                (u32::from_le_bytes(before) ^ changed).to_le_bytes()
            }
        }
    }
}
