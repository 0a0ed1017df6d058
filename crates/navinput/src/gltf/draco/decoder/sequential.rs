//! Connectivity as a list of indices: as they are, or as differences from the one before.
//! Source: Draco bitstream specification 2.2, sequential connectivity.

use super::bytes::{Budget, Cursor, Fault, fault};
use super::entropy::symbols;

/// Triangles of points, and the number of points.
pub(super) struct Indices {
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) points: u64,
}

pub(super) fn decode(bytes: &mut Cursor<'_>, budget: &mut Budget) -> Result<Indices, Fault> {
    let (count, points) = (u64::from(bytes.index()?), u64::from(bytes.index()?));
    let way = bytes.read::<u8>()?;
    let corners = budget.take(count, 24, "triangles")? * 3;
    let indices = match way {
        0 => differences(&symbols(bytes, corners, 1)?)?,
        1 => plain(bytes, corners, points)?,
        other => return Err(fault(format_args!("uses the index encoding {other}, expected 0 or 1"))),
    };
    if let Some(index) = indices.iter().find(|&&index| u64::from(index) >= points) {
        return Err(fault(format_args!("has a triangle at point {index} of {points}")));
    }
    let triangles = indices.chunks_exact(3).map(|triple| [triple[0], triple[1], triple[2]]).collect();
    Ok(Indices { triangles, points })
}

/// Indices from their differences, whose lowest bit is the sign.
fn differences(symbols: &[u32]) -> Result<Vec<u32>, Fault> {
    let mut last = 0_u32;
    let mut index = |&symbol: &u32| {
        let step = symbol >> 1;
        let index = if symbol & 1 == 1 { last.checked_sub(step) } else { last.checked_add(step) };
        last = index.ok_or_else(|| fault("has an index that is less than zero, or too large"))?;
        Ok(last)
    };
    symbols.iter().map(&mut index).collect()
}

fn plain(bytes: &mut Cursor<'_>, count: usize, points: u64) -> Result<Vec<u32>, Fault> {
    let width = match points {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        0x1_0000..0x20_0000 => return (0..count).map(|_| bytes.index()).collect(),
        _ => 4,
    };
    let taken = bytes.take(count.saturating_mul(width) as u64)?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
    Ok(taken.chunks_exact(width).map(number).collect())
}
