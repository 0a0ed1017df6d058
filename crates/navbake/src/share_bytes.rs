//! A share as bytes: numbers in little-endian order, lists behind their lengths, all of it behind its digest.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NVSHARE2` |
//! | 16 | digest of all that follows |
//! | 4, and 16 each | digests of the agents' bakes |
//! | 4 | side of a tile, cells |
//! | 4 | tiles: agent, blob, cells of each island, three counts, warnings, ground for links |

use crate::warning::Warning;
use crate::whole_tile::{Share, WholeTile};
use navmath::Hasher;
use navtile::Tile;
use recast::{Counts, TileGround};

const MAGIC: &[u8; 8] = b"NVSHARE2";
/// Where the part that the digest covers begins.
const BODY: usize = 24;

/// The bake that a share belongs to: the digests of the agents' bakes, and the side of a tile in cells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) digests: Vec<[u8; 16]>,
    pub(crate) tile_cells: u32,
}

fn digest(body: &[u8]) -> [u8; 16] {
    Hasher::new().write_u8s(body).finish().0
}

#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Bytes behind their length.
    fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn warning(&mut self, warning: &Warning) {
        self.bytes(warning.kind.as_bytes());
        self.bytes(warning.message.as_bytes());
        self.u32(u32::from(warning.is_note));
        self.u32(u32::from(warning.place.is_some()));
        warning.place.iter().flatten().for_each(|value| self.u64(value.to_bits()));
        self.u32(u32::from(warning.tile.is_some()));
        warning.tile.iter().flatten().for_each(|value| self.u32(value.cast_unsigned()));
    }
}

pub(crate) fn encode(identity: &Identity, share: &Share) -> Vec<u8> {
    let mut out = Out::default();
    out.0.extend(MAGIC);
    out.0.extend([0; 16]);
    out.u32(identity.digests.len() as u32);
    identity.digests.iter().for_each(|digest| out.0.extend(digest));
    out.u32(identity.tile_cells);
    out.u32(share.len() as u32);
    for ((agent, _), whole) in share {
        out.u32(*agent as u32);
        out.bytes(whole.tile.bytes());
        out.u32(whole.island_cells.len() as u32);
        whole.island_cells.iter().for_each(|cells| out.u64(*cells));
        let Counts { spans, compact_spans, regions, .. } = whole.counts;
        [spans as u64, compact_spans as u64, u64::from(regions)].into_iter().for_each(|count| out.u64(count));
        out.u32(whole.warnings.len() as u32);
        whole.warnings.iter().for_each(|warning| out.warning(warning));
        out.u32(u32::from(whole.ground.is_some()));
        whole.ground.iter().for_each(|ground| out.bytes(&ground.to_bytes()));
    }
    let digest = digest(&out.0[BODY..]);
    out.0[8..BODY].copy_from_slice(&digest);
    out.0
}

/// Bytes left to read. Nothing is allocated by a length that the bytes do not have.
struct In<'a>(&'a [u8]);

/// Why bytes are no share.
type Damage = String;

impl<'a> In<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], Damage> {
        let (taken, rest) =
            usize::try_from(length)
                .ok()
                .and_then(|length| self.0.split_at_checked(length))
                .ok_or_else(|| format!("{length} bytes are expected where {} are left", self.0.len()))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64)?);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, Damage> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Damage> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String, Damage> {
        let length = self.u64()?;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| "a text is not UTF-8".to_owned())
    }

    /// A list behind its length, of entries that take at least a byte each.
    fn list<T>(&mut self, read: impl Fn(&mut In<'a>) -> Result<T, Damage>) -> Result<Vec<T>, Damage> {
        let mut list = Vec::new();
        for _ in 0..self.u32()? {
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn warning(&mut self) -> Result<Warning, Damage> {
        let (kind, message) = (self.text()?, self.text()?);
        let is_note = self.u32()? != 0;
        let mut place = None;
        if self.u32()? != 0 {
            place = Some([self.u64()?, self.u64()?, self.u64()?].map(f64::from_bits));
        }
        let mut tile = None;
        if self.u32()? != 0 {
            tile = Some([self.u32()?, self.u32()?, self.u32()?].map(u32::cast_signed));
        }
        Ok(Warning { kind, is_note, message, place, tile })
    }

    fn ground(&mut self, tile: &Tile, islands: usize) -> Result<TileGround, Damage> {
        let length = self.u64()?;
        let size = [tile.header().width, tile.header().depth];
        TileGround::from_bytes(self.take(length)?, tile.coord(), size, islands)
            .ok_or_else(|| "the ground of a tile is none".to_owned())
    }

    fn whole_tile(&mut self) -> Result<(usize, WholeTile), Damage> {
        let agent = self.u32()? as usize;
        let length = self.u64()?;
        let tile = Tile::from_bytes(self.take(length)?).map_err(|error| error.to_string())?;
        let island_cells = self.list(In::u64)?;
        let [spans, compact_spans] = [self.u64()? as usize, self.u64()? as usize];
        let counts = Counts { spans, compact_spans, regions: self.u64()? as u32, ..Counts::default() };
        let warnings = self.list(In::warning)?;
        let ground = if self.u32()? == 0 { None } else { Some(self.ground(&tile, island_cells.len())?) };
        Ok((agent, WholeTile { tile, island_cells, counts, warnings, ground }))
    }
}

pub(crate) fn decode(bytes: &[u8]) -> Result<(Identity, Vec<(usize, WholeTile)>), Damage> {
    let mut rest = In(bytes);
    if rest.take(8)? != MAGIC {
        return Err("it does not begin as a share does".to_owned());
    }
    if rest.array()? != digest(rest.0) {
        return Err("its digest is wrong".to_owned());
    }
    let identity = Identity { digests: rest.list(In::array)?, tile_cells: rest.u32()? };
    let tiles = rest.list(In::whole_tile)?;
    match rest.0.len() {
        0 => Ok((identity, tiles)),
        more => Err(format!("{more} bytes follow its end")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A share with the right digest over this body.
    fn sealed(body: &[u8]) -> Vec<u8> {
        [MAGIC.as_slice(), &digest(body), body].concat()
    }

    #[test]
    fn a_lie_about_a_length_takes_no_memory() {
        for body in [
            [0xff; 4].as_slice(),
            &[0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
            &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        ] {
            let damage = decode(&sealed(body)).map(|_| ()).unwrap_err();
            assert!(damage.contains("are left"), "{damage}");
        }
        let damage = decode(b"NVSHARE2").map(|_| ()).unwrap_err();
        assert!(damage.contains("16 bytes are expected"), "{damage}");
    }
}
