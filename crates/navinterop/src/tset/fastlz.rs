//! FastLZ, levels 1 and 2: the compression of layers. Source: the format of A. Hidayat's FastLZ 0.1; the code
//! is ours.
//!
//! A stream is a list of instructions. The top three bits of the first byte are the level minus one, and the
//! instruction is of literals.
//!
//! | first byte | instruction |
//! |---|---|
//! | `000LLLLL` | L + 1 literals follow |
//! | `LLLDDDDD` | a match: L + 2 bytes from D * 256 + (last byte) + 1 bytes back |
//!
//! If L is 7, level 1 adds the next byte to it, and level 2 all next bytes up to the first that is not 255.
//! If these 13 bits hold a distance of 8,192 in level 2, two more bytes, the higher one first, are added to
//! it.

use crate::bytes::Reader;
use crate::encoding::ByteOrder;
use crate::error::{FormatError, refuse};

/// Longest stretch of literals.
const MAX_LITERALS: usize = 32;
/// The distance that marks a longer one in level 2.
const FAR: usize = 8192;
/// Most bytes that the library packs at level 1.
const LEVEL_1_LIMIT: usize = 1 << 16;
/// Longest match of level 1.
const MAX_MATCH_1: usize = 264;
/// Bits of the table of places that may match.
const TABLE_BITS: u32 = 12;

/// Unpacks bytes that start at `offset` in their file and must give `length` bytes. Never holds more than
/// that.
pub(super) fn unpack(packed: &[u8], offset: u64, length: usize) -> Result<Vec<u8>, FormatError> {
    let mut reader = Reader::new(packed, offset, ByteOrder::Little);
    let what = "compressed cells of a layer";
    let first: u8 = reader.number(what)?;
    let level = first >> 5;
    if level > 1 {
        let expected = "FastLZ of level 1 or 2, the compression of RecastDemo";
        return refuse(what, offset, expected, format!("level {}", level + 1));
    }
    let mut unpacked = Vec::with_capacity(length.min(packed.len()));
    let mut control = first & 31;
    let end = offset + packed.len() as u64;
    loop {
        let at = reader.offset().saturating_sub(1);
        let count = if control < 32 {
            usize::from(control) + 1
        } else {
            match_length(&mut reader, control >> 5, level, length)?
        };
        if count > length - unpacked.len() {
            let expected = format!("{length} bytes, three for each cell");
            return refuse(what, at, expected, format!("{} or more", unpacked.len() + count));
        }
        if control < 32 {
            unpacked.extend(reader.take(what, count)?);
        } else {
            let back = match_distance(&mut reader, control & 31, level)?;
            let Some(from) = unpacked.len().checked_sub(back) else {
                let expected = format!("a distance of at most {}", unpacked.len());
                return refuse("match in compressed cells of a layer", at, expected, back);
            };
            copy(&mut unpacked, from, count);
        }
        if reader.offset() == end {
            break;
        }
        control = reader.number(what)?;
    }
    if unpacked.len() != length {
        let expected = format!("{length} bytes, three for each cell");
        return refuse(what, offset, expected, unpacked.len());
    }
    Ok(unpacked)
}

/// Bytes of a match, or any number above `most` if there are more.
fn match_length(reader: &mut Reader<'_>, bits: u8, level: u8, most: usize) -> Result<usize, FormatError> {
    let mut length = usize::from(bits) + 2;
    if bits == 7 {
        loop {
            let more: u8 = reader.number("length of a match in compressed cells of a layer")?;
            length += usize::from(more);
            if level == 0 || more < 255 || length > most {
                break;
            }
        }
    }
    Ok(length)
}

fn match_distance(reader: &mut Reader<'_>, bits: u8, level: u8) -> Result<usize, FormatError> {
    let what = "distance of a match in compressed cells of a layer";
    let distance = usize::from(bits) * 256 + usize::from(reader.number::<u8>(what)?) + 1;
    if level == 0 || distance < FAR {
        return Ok(distance);
    }
    Ok(FAR + usize::from(u16::from_be_bytes(reader.numbers(what)?)))
}

/// Appends `count` bytes of the list itself; source and result may overlap.
fn copy(bytes: &mut Vec<u8>, from: usize, count: usize) {
    let period = bytes.len() - from;
    let mut left = count;
    while left > 0 {
        // The copy repeats with the same period.
        let stretch = left.min(bytes.len() - from);
        let stretch = if stretch > period { stretch / period * period } else { stretch };
        bytes.extend_from_within(from..from + stretch);
        left -= stretch;
    }
}

/// Packs one byte or more: at level 1 if the library would, else at level 2. Simple rather than small: it
/// takes the first match found.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let wide = bytes.len() >= LEVEL_1_LIMIT;
    let mut packed = Vec::with_capacity(bytes.len() / 8 + 66);
    let mut table = vec![usize::MAX; 1 << TABLE_BITS];
    let (mut at, mut literals) = (1, 0);
    while at + 3 <= bytes.len() {
        let key = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0]);
        let slot = (key.wrapping_mul(0x9E37_79B1) >> (32 - TABLE_BITS)) as usize;
        let before = std::mem::replace(&mut table[slot], at);
        // A run is a match of the byte before.
        let candidates = [at - 1, before];
        let longest = if wide { usize::MAX } else { MAX_MATCH_1 };
        let found = candidates.into_iter().find_map(|from| {
            let back = at.checked_sub(from).filter(|&back| back < FAR)?;
            let pairs = bytes[from..].iter().zip(bytes[at..].iter().take(longest));
            let same = pairs.take_while(|(a, b)| a == b).count();
            (same >= 3).then_some((back, same))
        });
        let Some((back, count)) = found else {
            at += 1;
            continue;
        };
        put_literals(&mut packed, &bytes[literals..at]);
        put_match(&mut packed, back, count, wide);
        at += count;
        literals = at;
    }
    put_literals(&mut packed, &bytes[literals..]);
    // The first instruction always has literals, so its top bits are free.
    packed[0] |= u8::from(wide) << 5;
    packed
}

fn put_literals(packed: &mut Vec<u8>, literals: &[u8]) {
    for stretch in literals.chunks(MAX_LITERALS) {
        // At most 31.
        packed.push(stretch.len() as u8 - 1);
        packed.extend(stretch);
    }
}

fn put_match(packed: &mut Vec<u8>, back: usize, count: usize, wide: bool) {
    let [high, low] = [(back - 1) / 256, (back - 1) % 256].map(|part| part as u8);
    let length = count - 2;
    packed.push((length.min(7) as u8) << 5 | high);
    if length >= 7 {
        let mut more = length - 7;
        while wide && more >= 255 {
            packed.push(255);
            more -= 255;
        }
        packed.push(more as u8);
    }
    packed.push(low);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unpacked(packed: &[u8], length: usize) -> Result<Vec<u8>, String> {
        unpack(packed, 100, length).map_err(|error| error.to_string())
    }

    #[test]
    fn instructions_mean_what_the_format_says() {
        // Literals, a match of the last byte, and a match that overlaps itself.
        assert_eq!(unpacked(b"\x02abc\x20\x00\x40\x02", 10).unwrap(), b"abccccccccc"[..10]);
        assert_eq!(unpacked(b"\x02abc\x40\x02", 7).unwrap(), b"abcabca");
        assert_eq!(unpacked(b"\x00a\xe0\x03\x00", 13).unwrap(), [b'a'; 13]);
        // At level 2, lengths continue after 255.
        let long = [0x20, b'a', 0xe0, 255, 255, 1, 0];
        assert_eq!(unpacked(&long, 1 + 9 + 511).unwrap(), [b'a'; 521]);
        // And distances beyond 8191.
        let mut far = vec![0x20 | 31];
        let start: Vec<u8> = (0..32).collect();
        far.extend(&start);
        far.extend([0xe0, 255]);
        far.extend([255; 40]);
        far.extend([0, 31]);
        let begun = unpacked(&far, 32 + 9 + 41 * 255).unwrap();
        let [high, low] = ((begun.len() - 8192 - 32) as u16).to_be_bytes();
        far.extend([0x3f, 255, high, low]);
        let whole = unpacked(&far, begun.len() + 3).unwrap();
        assert_eq!(whole[begun.len()..], whole[32..35]);
    }

    #[test]
    fn streams_that_lie_are_refused_with_their_place() {
        let refused = |packed: &[u8], length: usize| unpacked(packed, length).unwrap_err();
        assert!(refused(b"", 3).starts_with("byte 100: "));
        assert!(refused(b"\x40a", 1).contains("level 3"));
        assert!(refused(b"\x02ab", 3).contains("expected 3 bytes, found 2 left"));
        assert!(refused(b"\x02abc", 2).contains("found 3 or more"));
        assert!(refused(b"\x02abc", 4).contains("expected 4 bytes"));
        assert!(refused(b"\x00a\x20\x01", 4).contains("byte 102: match"));
        assert!(refused(b"\x00a\x20", 4).contains("distance"));
        assert!(refused(b"\x00a\xe0", 40).contains("length of a match"));
        assert!(refused(b"\x20a\xe0\xff\xff\xff\xff\xff\x00\x00", 40).contains("or more"));
        assert!(refused(b"\x00a\x3f\xff", 40).contains("at most 1"));
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            runs in prop::collection::vec((0u8..6, 1usize..900), 1..300),
            tail in prop::collection::vec(any::<u8>(), 1..80),
        ) {
            let mut bytes: Vec<u8> =
                runs.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count)).collect();
            bytes.extend(&tail);
            let packed = pack(&bytes);
            prop_assert_eq!(unpack(&packed, 0, bytes.len()).unwrap(), bytes);
            prop_assert_eq!(unpack(&pack(&tail), 0, tail.len()).unwrap(), tail);
        }

        #[test]
        fn no_bytes_make_it_panic(packed in prop::collection::vec(any::<u8>(), 0..60), length in 0usize..700) {
            if let Ok(bytes) = unpack(&packed, 0, length) {
                prop_assert_eq!(bytes.len(), length);
            }
        }
    }
}
