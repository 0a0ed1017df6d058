//! Off-mesh links of a mesh and on the path of a character.

use crate::corridor::{CORRIDORS, walk};
use crate::mesh::snapshot;
use crate::pointers::{fill, write};
use crate::query::Asker;
use crate::status::{Fault, NtStatus, call};
use crate::types::{NtCorridor, NtMesh, NtPlace, NtPolyRef, NtQuery, NtVec3, place, polygon};
use std::mem::MaybeUninit;

/// An off-mesh link: a ladder, a jump, a door.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtOffMeshLink {
    /// The number that the level's author gave to the link.
    pub user_id: u64,
    /// The link's ends on the ground, or the midpoints of its edges if it leads between edges; zeros while
    /// one end has no ground.
    pub start: NtPlace,
    pub end: NtPlace,
    /// From the midpoint of either edge to its end, metres. The link can be crossed anywhere along the edges.
    /// Zeros if it leads between points.
    pub half_edge: NtVec3,
    pub flags: u32,
    /// 1 to 255.
    pub area: u8,
    /// 1 if the link can also be taken from end to start.
    pub both_ways: u8,
    /// 1 if both ends are on ground.
    pub is_joined: u8,
}

/// The next off-mesh link on a character's path.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtLinkAhead {
    pub link: NtPolyRef,
    /// The places where the link is entered and left.
    pub start: NtPlace,
    pub end: NtPlace,
    /// Distance from the character to the start as seen from above, metres.
    pub distance: f32,
    /// 1 if the character is on the polygon that the link starts on, and so can walk straight to it.
    pub is_on_start_polygon: u8,
}

/// Writes all off-mesh links of a mesh, joined to ground or not, into an array of `capacity` references.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_off_mesh_links(
    mesh: NtMesh,
    out: *mut NtPolyRef,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let links: Vec<NtPolyRef> =
            snapshot(mesh)?.mesh.off_mesh_links().map(|link| link.to_bits()).collect();
        fill(out, capacity, count, links.into_iter())
    })
}

/// Describes an off-mesh link.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (a polygon, or a link that is gone).
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_off_mesh(
    mesh: NtMesh,
    link: NtPolyRef,
    out: Option<&mut MaybeUninit<NtOffMeshLink>>,
) -> NtStatus {
    call(|| {
        let link = snapshot(mesh)?.mesh.off_mesh(polygon(link)?)?;
        let [start, end] = link.ends.map_or([NtPlace::default(); 2], |ends| ends.map(NtPlace::from));
        let described = NtOffMeshLink {
            user_id: link.user_id,
            start,
            end,
            half_edge: link.half_edge.into(),
            flags: link.flags,
            area: link.area,
            both_ways: link.both_ways.into(),
            is_joined: link.ends.is_some().into(),
        };
        write(out, "out", described)
    })
}

/// Finds the crossing of an off-mesh link that begins nearest to a point: its start and its end.
/// `is_backwards` is 0 to take the link from its start, 1 from its end. `start` and `end` may be NULL.
/// Returns NT_OK, NT_NOT_FOUND (the link is not joined to ground), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE (a polygon, or a link that is gone). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_mesh_link_crossing(
    mesh: NtMesh,
    link: NtPolyRef,
    is_backwards: u8,
    point: NtVec3,
    start: Option<&mut MaybeUninit<NtPlace>>,
    end: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    call(|| {
        let found = snapshot(mesh)?.mesh.link_crossing(polygon(link)?, is_backwards != 0, point.into())?;
        let [from, to] = found.ok_or_else(|| Fault::not_found("the link is not joined to ground"))?;
        for (out, place) in [(start, from), (end, to)] {
            if let Some(out) = out {
                out.write(place.into());
            }
        }
        Ok(())
    })
}

/// Writes the next off-mesh link on the path of a character.
/// Returns NT_OK, NT_NOT_FOUND (there is no link ahead, or the mesh no longer has it), NT_ERROR_ARGUMENT,
/// NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_link_ahead(
    corridor: NtCorridor,
    query: NtQuery,
    out: Option<&mut MaybeUninit<NtLinkAhead>>,
) -> NtStatus {
    walk(corridor, query, |kept, Asker { mesh, .. }| {
        let ahead = kept.corridor.link_ahead(mesh)?;
        let ahead = ahead.ok_or_else(|| Fault::not_found("there is no off-mesh link ahead"))?;
        let answer = NtLinkAhead {
            link: ahead.link.to_bits(),
            start: ahead.start.into(),
            end: ahead.end.into(),
            distance: ahead.distance,
            is_on_start_polygon: ahead.on_start_polygon.into(),
        };
        write(out, "out", answer)
    })
}

/// Moves the character over the next off-mesh link, once it is near enough; `out` gets the far end, and may
/// be NULL.
/// Returns NT_OK, NT_NOT_FOUND (the next link is another one, or there is no link; nothing changes),
/// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_move_over_link(
    corridor: NtCorridor,
    query: NtQuery,
    link: NtPolyRef,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    walk(corridor, query, |kept, Asker { mesh, .. }| {
        let end = kept.corridor.move_over_link(mesh, polygon(link)?)?;
        let end = end.ok_or_else(|| Fault::not_found("the link is not the next one on the path"))?;
        if let Some(out) = out {
            out.write(end.into());
        }
        Ok(())
    })
}

/// Puts the character at a place by force, for example after it was pushed, and keeps the part of its path
/// that is still valid.
/// Returns NT_OK, NT_NOT_FOUND (nothing could be kept: find a new path), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE,
/// NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_fix_start(corridor: NtCorridor, query: NtQuery, at: NtPlace) -> NtStatus {
    walk(corridor, query, |kept, Asker { mesh, filter, .. }| {
        match kept.corridor.fix_start(mesh, place(at)?, filter)? {
            true => Ok(()),
            false => Err(Fault::not_found("the path does not lead over the place")),
        }
    })
}

/// Puts the character at a place, without a target.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_reset(corridor: NtCorridor, at: NtPlace) -> NtStatus {
    call(|| {
        let at = place(at)?;
        CORRIDORS.with(corridor.id, |kept| {
            kept.corridor.reset(at);
            Ok(())
        })
    })
}

/// Writes the polygons and off-mesh links from the character to its target into an array of `capacity`
/// references.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_polygons(
    corridor: NtCorridor,
    out: *mut NtPolyRef,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        CORRIDORS.with(corridor.id, |kept| {
            fill(out, capacity, count, kept.corridor.polygons().iter().map(|polygon| polygon.to_bits()))
        })
    })
}

/// Writes 1 if the next `lookahead` polygons of the path are still in the query's snapshot and pass its
/// filter, or 0 if the path needs nt_corridor_repair.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_is_valid(
    corridor: NtCorridor,
    query: NtQuery,
    lookahead: usize,
    out: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    walk(corridor, query, |kept, Asker { mesh, filter, .. }| {
        write(out, "out", kept.corridor.is_valid(mesh, lookahead, filter).into())
    })
}
