//! Draco streams: triangles and their positions. Other attributes are skipped.
//!
//! A stream has a head, connectivity and attributes. Connectivity is a list of indices (`sequential`), or a
//! symbol for each triangle (`edgebreaker`), and fills a table of corners (`corners`). A walk over the table
//! gives the order of values (`traversal`). A value is the sum of a prediction (`prediction`) and a
//! correction, which is entropy coded (`entropy`). Triangles have vertices here, not points: seams of other
//! attributes split points.
//!
//! Counts are checked against a budget of memory before they are used. Cost: near linear in the triangles.
//! Source: Draco bitstream specification 2.2 (Google, 2017), the version that KHR_draco_mesh_compression is
//! written in.

mod attributes;
mod bytes;
mod corners;
mod edgebreaker;
mod entropy;
mod prediction;
mod sequential;
mod traversal;

use super::DracoMesh;
use attributes::Points;
pub(super) use bytes::{Budget, Fault};
use bytes::{Cursor, fault};
use navmath::bytes::Reader;

/// The version that is read.
const VERSION: [u8; 2] = [2, 2];
/// The kind of geometry: triangles, not points.
const TRIANGLES: u8 = 1;
const SEQUENTIAL: u8 = 0;
const EDGEBREAKER: u8 = 1;
/// The flag of metadata.
const HAS_METADATA: u16 = 0x8000;

/// Decodes the triangles of a stream, and the positions that its attribute `id` holds.
pub(super) fn decode(stream: &[u8], id: u32, budget: &mut Budget) -> Result<DracoMesh, Fault> {
    let mut bytes = Cursor(Reader::new(stream));
    if header(&mut bytes)? == SEQUENTIAL {
        let indices = sequential::decode(&mut bytes, budget)?;
        let values = attributes::read(&mut bytes, id, &mut Points::InOrder(indices.points), budget)?;
        return Ok(DracoMesh { positions: values.numbers, triangles: indices.triangles });
    }
    let edgebreaker::Connectivity { corners, seams } = edgebreaker::decode(&mut bytes, budget)?;
    let mut points = Points::ByCorner { corners, seams };
    let values = attributes::read(&mut bytes, id, &mut points, budget)?;
    let (Points::ByCorner { corners, .. }, Some(of_vertex)) = (points, values.of_vertex) else {
        return Err(fault("has no values for its corners"));
    };
    let value = |corner: u32| of_vertex[corners.vertex(corner) as usize];
    let count = budget.take(u64::from(corners.count() / 3), 12, "triangles")? as u32;
    let triangles: Vec<_> = (0..count).map(|at| [3 * at, 3 * at + 1, 3 * at + 2].map(value)).collect();
    if triangles.iter().flatten().any(|&value| value as usize >= values.numbers.len()) {
        return Err(fault("has a corner without a position"));
    }
    Ok(DracoMesh { positions: values.numbers, triangles })
}

/// Reads the head and skips the metadata; returns the method of connectivity.
fn header(bytes: &mut Cursor<'_>) -> Result<u8, Fault> {
    if bytes.take(5)? != b"DRACO" {
        return Err(fault("does not begin with `DRACO`"));
    }
    let [major, minor, kind, method]: [u8; 4] = bytes.read()?;
    let flags: u16 = bytes.read()?;
    if [major, minor] != VERSION {
        return Err(fault(format_args!("has version {major}.{minor}, expected 2.2")));
    }
    if kind != TRIANGLES || !matches!(method, SEQUENTIAL | EDGEBREAKER) {
        return Err(fault(format_args!(
            "holds a geometry of the kind {kind} by the method {method}, expected triangles"
        )));
    }
    if flags & HAS_METADATA != 0 {
        skip_metadata(bytes)?;
    }
    Ok(method)
}

fn skip_metadata(bytes: &mut Cursor<'_>) -> Result<(), Fault> {
    for _ in 0..bytes.number()? {
        bytes.number()?;
        skip_element(bytes)?;
    }
    skip_element(bytes)
}

/// Skips an element of metadata and those within it, which follow it depth first.
fn skip_element(bytes: &mut Cursor<'_>) -> Result<(), Fault> {
    let mut left = 1_u64;
    let mut is_root = true;
    while left > 0 {
        if !std::mem::take(&mut is_root) {
            skip_name(bytes)?;
        }
        for _ in 0..bytes.number()? {
            skip_name(bytes)?;
            bytes.part()?;
        }
        left = (left - 1).saturating_add(bytes.number()?);
    }
    Ok(())
}

fn skip_name(bytes: &mut Cursor<'_>) -> Result<(), Fault> {
    let length = bytes.read::<u8>()?;
    bytes.take(length.into()).map(drop)
}
