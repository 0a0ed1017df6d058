//! Corridors: the path that one character keeps while it walks.

use crate::pointers::{fill, present};
use crate::query::{Asker, NtCorner, NtWalkEnd, QUERIES, corner, walk_end};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtCorridor, NtPlace, NtQuery, NtVec3, place};
use detour::{Corridor, PathOptions, StraightOptions, StraightPath, Trimmed};
use std::mem::MaybeUninit;

pub(crate) static CORRIDORS: Table<WalkedCorridor> = Table::new(4, "corridor");

#[derive(Debug)]
pub(crate) struct WalkedCorridor {
    pub(crate) corridor: Corridor,
    corners: StraightPath,
}

/// Works on a corridor with a query. The query is always locked first, so that no two calls wait for each
/// other.
pub(crate) fn walk(
    corridor: NtCorridor,
    query: NtQuery,
    work: impl FnOnce(&mut WalkedCorridor, &mut Asker) -> Answer<()>,
) -> NtStatus {
    call(|| QUERIES.with(query.id, |asker| CORRIDORS.with(corridor.id, |walked| work(walked, asker))))
}

/// Makes the corridor of a character at a place. It has no target yet.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_new(at: NtPlace, out: Option<&mut MaybeUninit<NtCorridor>>) -> NtStatus {
    call(|| {
        let out = present(out)?;
        let walked = WalkedCorridor { corridor: Corridor::new(place(at)?), corners: StraightPath::default() };
        out.write(NtCorridor { id: CORRIDORS.add(walked)? });
        Ok(())
    })
}

/// Frees a corridor.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_free(corridor: NtCorridor) -> NtStatus {
    call(|| CORRIDORS.remove(corridor.id).map(drop))
}

/// Takes the last route of the query (nt_query_route) as the corridor's path; `target` is the end of the
/// route. The character may have moved along the route since.
/// Returns NT_OK, NT_NOT_FOUND (the route does not cross the polygon under the character: find a new one),
/// NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_set_path(corridor: NtCorridor, query: NtQuery, target: NtVec3) -> NtStatus {
    walk(corridor, query, |walked, asker| {
        match walked.corridor.set_path(&asker.mesh, &asker.polygons, target.into())? {
            true => Ok(()),
            false => Err(Fault::not_found("the route does not lead over the polygon under the character")),
        }
    })
}

/// Writes the places of the character and of its target. Either may be NULL.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_ends(
    corridor: NtCorridor,
    position: Option<&mut MaybeUninit<NtPlace>>,
    target: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    call(|| {
        CORRIDORS.with(corridor.id, |WalkedCorridor { corridor, .. }| {
            if let Some(position) = position {
                position.write(corridor.place().into());
            }
            if let Some(target) = target {
                let (polygon, point) = (corridor.last().to_bits(), corridor.target().into());
                target.write(NtPlace { polygon, point });
            }
            Ok(())
        })
    })
}

/// Writes the next corners to steer to, nearest first, at most `capacity` of them. There are no corners if
/// the character is at its target.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_corners(
    corridor: NtCorridor,
    query: NtQuery,
    out: *mut NtCorner,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    walk(corridor, query, |WalkedCorridor { corridor, corners }, asker| {
        let options = StraightOptions { max_corners: capacity.max(1), ..StraightOptions::default() };
        corridor.corners(&mut asker.query, &asker.mesh, &options, corners)?;
        let shown = &corners.corners[..corners.corners.len().min(capacity)];
        fill(out, capacity, count, shown.iter().map(corner))
    })
}

/// Moves the character towards a point along the surface, sliding along walls. The path follows.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_move(
    corridor: NtCorridor,
    query: NtQuery,
    to: NtVec3,
    end: Option<&mut MaybeUninit<NtWalkEnd>>,
) -> NtStatus {
    walk(corridor, query, |walked, Asker { mesh, filter, query, .. }| {
        let moved = walked.corridor.move_start(query, mesh, to.into(), filter)?;
        if let Some(end) = end {
            end.write(walk_end(moved));
        }
        Ok(())
    })
}

/// Moves the target towards a point along the surface, sliding along walls: a chase without a search.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_move_target(corridor: NtCorridor, query: NtQuery, to: NtVec3) -> NtStatus {
    walk(corridor, query, |walked, Asker { mesh, filter, query, .. }| {
        Ok(walked.corridor.move_target(query, mesh, to.into(), filter).map(drop)?)
    })
}

/// Shortens the path. It leads straight to `next`, a corner ahead within `reach` metres, if there is no
/// obstacle, and a search of 32 polygons around the character looks for a shorter one. An occasional call is
/// enough.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE (repair it). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_optimise(
    corridor: NtCorridor,
    query: NtQuery,
    next: NtVec3,
    reach: f32,
) -> NtStatus {
    const POLYGONS: u32 = 32;
    walk(corridor, query, |walked, Asker { mesh, filter, query, .. }| {
        walked.corridor.optimise_visibility(query, mesh, next.into(), reach, filter)?;
        walked.corridor.optimise_topology(query, mesh, POLYGONS, filter, PathOptions::default())?;
        Ok(())
    })
}

/// Cuts the path off where the mesh no longer leads along it, after nt_query_update. `safe` is a place for
/// the character if the polygon under it is gone.
/// Returns NT_OK (the whole path remains), NT_NOT_FOUND (it was cut: find a new path), NT_ERROR_ARGUMENT,
/// NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_corridor_repair(corridor: NtCorridor, query: NtQuery, safe: NtPlace) -> NtStatus {
    walk(corridor, query, |walked, asker| {
        match walked.corridor.trim_invalid(&asker.mesh, place(safe)?, &asker.filter)? {
            Trimmed::Whole => Ok(()),
            Trimmed::Cut => Err(Fault::not_found("the path was cut where the mesh no longer leads on")),
            Trimmed::Lost => Err(Fault::not_found("the ground under the character is gone")),
        }
    })
}
