//! LZ4 blocks. `lz4_flex` reads them. The encoder is our own, because the output of `lz4_flex` depends on its
//! version and on the width of a pointer, and ours has to be the same everywhere.
//!
//! Cost: O(bytes), and 64 KiB. Source: Y. Collet, LZ4 block format description; the encoder is the plain
//! greedy one, which remembers the last position of each hash of four bytes.

/// Shortest match.
const MATCH_MIN: usize = 4;
/// The number of bytes at the end that are always literals.
const LITERALS_AT_END: usize = 5;
/// A match starts at least this many bytes before the end.
const LAST_MATCH: usize = 12;
/// Largest distance back to a match.
const FARTHEST: usize = 65_535;
/// Bits of a hash.
const HASH_BITS: u32 = 14;
/// From this value on, a length does not fit its half of the token.
const NIBBLE: usize = 15;

/// The last position of each hash of four bytes.
struct Places(Vec<Option<u32>>);

impl Places {
    /// Stores `position` and returns the last position with the same hash. Blobs are shorter than 2^32 bytes.
    fn replace(&mut self, raw: &[u8], position: usize) -> Option<usize> {
        let four = [0, 1, 2, 3].map(|byte| raw[position + byte]);
        let hash = u32::from_le_bytes(four).wrapping_mul(2_654_435_761) >> (u32::BITS - HASH_BITS);
        self.0[hash as usize].replace(position as u32).map(|position| position as usize)
    }
}

/// `raw` as an LZ4 block; the same bytes always give the same block.
pub(super) fn compress(raw: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(raw.len() / 2);
    let mut places = Places(vec![None; 1 << HASH_BITS]);
    // Everything before this is in the block; later literals are still collected.
    let mut written = 0;
    let mut position = 0;
    while position + LAST_MATCH <= raw.len() {
        let earlier = places.replace(raw, position).filter(|earlier| position - earlier <= FARTHEST);
        let Some((earlier, length)) = earlier
            .map(|earlier| (earlier, common(raw, earlier, position)))
            .filter(|found| found.1 >= MATCH_MIN)
        else {
            position += 1;
            continue;
        };
        put_sequence(&mut block, &raw[written..position], Some((position - earlier, length)));
        let end = position + length;
        for inside in (position + 1..end).take_while(|inside| inside + LAST_MATCH <= raw.len()) {
            places.replace(raw, inside);
        }
        (position, written) = (end, end);
    }
    put_sequence(&mut block, &raw[written..], None);
    block
}

/// Number of equal bytes from `earlier` and from `position` on, not counting the last literals.
fn common(raw: &[u8], earlier: usize, position: usize) -> usize {
    let end = raw.len() - LITERALS_AT_END;
    raw[position..end].iter().zip(&raw[earlier..]).take_while(|(a, b)| a == b).count()
}

/// Writes literals, then a match (distance back, length); the last sequence has no match.
fn put_sequence(block: &mut Vec<u8>, literals: &[u8], found: Option<(usize, usize)>) {
    let beyond = found.map_or(0, |(_, length)| length - MATCH_MIN);
    block.push((literals.len().min(NIBBLE) << 4 | beyond.min(NIBBLE)) as u8);
    put_length(block, literals.len());
    block.extend_from_slice(literals);
    if let Some((back, _)) = found {
        block.extend_from_slice(&(back as u16).to_le_bytes());
        put_length(block, beyond);
    }
}

/// The rest of a length that does not fit the token: bytes of 255, then a smaller byte.
fn put_length(block: &mut Vec<u8>, length: usize) {
    if let Some(rest) = length.checked_sub(NIBBLE) {
        block.resize(block.len() + rest / 255, 255);
        block.push((rest % 255) as u8);
    }
}

/// The `raw_length` bytes that `block` decodes to; `Err` describes the fault.
pub(super) fn decompress(block: &[u8], raw_length: usize) -> Result<Vec<u8>, String> {
    let mut raw = vec![0; raw_length];
    match lz4_flex::block::decompress_into(block, &mut raw) {
        Ok(length) if length == raw_length => Ok(raw),
        Ok(length) => Err(format!("a block of {length} bytes")),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_have_the_form_of_the_format() {
        assert_eq!(compress(b""), [0]);
        assert_eq!(compress(b"abc"), *b"\x30abc");
        // One literal, a match of 26 bytes one byte back, five literals at the end.
        let zeros = compress(&[0; 32]);
        assert_eq!(zeros, [0x1f, 0, 1, 0, 26 - 4 - 15, 0x50, 0, 0, 0, 0, 0]);
        let literals: Vec<u8> = (0..=255).collect();
        assert_eq!(compress(&literals)[..2], [0xf0, 241]);
        assert_eq!(compress(&literals[..15])[..2], [0xf0, 0]);
    }

    #[test]
    fn blocks_that_lie_are_refused() {
        let raw: Vec<u8> = (0..200).map(|byte| byte % 7).collect();
        let block = compress(&raw);
        assert_eq!(decompress(&block, 200).unwrap(), raw);
        assert!(decompress(&block, 199).is_err() && decompress(&block, 201).is_err());
        assert!(decompress(b"", 16).is_err());
        // A match that reaches back before the start, and a match with distance 0.
        assert!(decompress(&[0x10, 7, 9, 0, 0x50, 1, 2, 3, 4, 5], 10).is_err());
        assert!(decompress(&[0x10, 7, 0, 0, 0x50, 1, 2, 3, 4, 5], 10).is_err());
    }

    proptest! {
        #[test]
        fn what_is_compressed_comes_back(
            parts in prop::collection::vec((any::<u8>(), 1..400usize, any::<bool>()), 0..40)
        ) {
            let mut raw = Vec::new();
            for (byte, count, steady) in parts {
                raw.extend((0..count).map(|i| if steady { byte } else { byte.wrapping_mul(i as u8) }));
            }
            let block = compress(&raw);
            // A token and a length for literals without a match.
            prop_assert!(block.len() <= raw.len() + raw.len() / 255 + 2);
            prop_assert_eq!(decompress(&block, raw.len()).unwrap(), raw);
        }

        #[test]
        fn arbitrary_blocks_are_read_or_refused(block in prop::collection::vec(any::<u8>(), 0..200), length in 0..1600usize) {
            if let Ok(raw) = decompress(&block, length) {
                prop_assert_eq!(raw.len(), length);
            }
        }
    }
}
