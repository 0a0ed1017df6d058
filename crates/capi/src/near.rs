//! Queries about the ground near a place: nearest anywhere, above and below, in a box or a shape, and its
//! edges.

use crate::pointers::{fill, slice, write};
use crate::query::{Asker, ask, counted};
use crate::status::{Fault, NtStatus};
use crate::types::{NtPlace, NtPolyRef, NtQuery, NtVec3, place, polygon};
use detour::{Neighbourhood, Place, Vec3};
use std::mem::MaybeUninit;

/// A segment of a polygon's outline.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtSegment {
    pub from: NtVec3,
    pub to: NtVec3,
    /// The polygon on the other side; 0 for a wall.
    pub beyond: NtPolyRef,
}

/// Writes a place that a query has found.
fn found(place: Option<Place>, out: Option<&mut MaybeUninit<NtPlace>>) -> Result<(), Fault> {
    write(out, "out", place.ok_or_else(|| Fault::not_found("there is no such ground"))?.into())
}

/// Finds the ground nearest to a position, at any distance. Time is proportional to the number of tiles.
/// Returns NT_OK, NT_NOT_FOUND (nothing passes the filter), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_nearest_anywhere(
    query: NtQuery,
    position: NtVec3,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        found(query.nearest_anywhere(mesh, position.into(), filter)?, out)
    })
}

/// Finds the ground nearest to a goal on the island of a polygon: an alternative if the goal itself cannot be
/// reached.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_nearest_reachable(
    query: NtQuery,
    start: NtPolyRef,
    goal: NtVec3,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        found(query.nearest_reachable(mesh, polygon(start)?, goal.into(), filter)?, out)
    })
}

/// The highest ground straight below a position, or at its height, at most `reach` metres away.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_below(
    query: NtQuery,
    position: NtVec3,
    reach: f32,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        found(query.below(mesh, position.into(), reach, filter)?, out)
    })
}

/// The lowest ground straight above a position, or at its height, at most `reach` metres away.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_above(
    query: NtQuery,
    position: NtVec3,
    reach: f32,
    out: Option<&mut MaybeUninit<NtPlace>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        found(query.above(mesh, position.into(), reach, filter)?, out)
    })
}

/// Finds the polygons that intersect a box with a centre and half extents: `count` of them, read by
/// nt_query_polygons.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_box(
    query: NtQuery,
    centre: NtVec3,
    half_extents: NtVec3,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, .. }| {
        polygons.clear();
        let visit = |polygon| polygons.push(polygon);
        query.polygons_in_box(mesh, centre.into(), half_extents.into(), filter, visit)?;
        write(count, "count", polygons.len())
    })
}

/// Like nt_query_around, through portals that intersect a convex outline of `corners` points, as seen from
/// above.
/// Returns NT_OK, NT_ERROR_ARGUMENT (not convex), NT_ERROR_HANDLE, NT_ERROR_REFERENCE, NT_ERROR_LIMIT (the
/// list is not complete). Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_shape(
    query: NtQuery,
    start: NtPlace,
    outline: *const NtVec3,
    corners: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, around, .. }| {
        let outline: Vec<Vec3> =
            slice(outline, corners, "outline")?.iter().map(|point| (*point).into()).collect();
        query.around_shape(mesh, place(start)?, &outline, filter, around)?;
        counted(polygons, around, query, count)
    })
}

/// Finds at most `limit` polygons around a place, through portals within `radius` metres, that do not overlap
/// each other as seen from above: `count` of them, read by nt_query_polygons.
/// Returns NT_OK, NT_TRUNCATED (there are more), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any
/// thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_neighbourhood(
    query: NtQuery,
    start: NtPlace,
    radius: f32,
    limit: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, .. }| {
        let mut near = Neighbourhood::default();
        query.neighbourhood(mesh, place(start)?, radius, limit, filter, &mut near)?;
        polygons.clear();
        polygons.extend(near.polygons.iter().map(|neighbour| neighbour.polygon));
        write(count, "count", polygons.len())?;
        match near.complete {
            true => Ok(()),
            false => Err(Fault::new(NtStatus::NT_TRUNCATED, "there are more polygons than that")),
        }
    })
}

/// Writes the outline of a polygon into an array of `capacity` segments: walls, and edges to other polygons.
/// It is split where the polygon on the other side changes.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_outline(
    query: NtQuery,
    reference: NtPolyRef,
    out: *mut NtSegment,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let mut segments = Vec::new();
        query.outline(mesh, polygon(reference)?, filter, |segment| {
            let beyond = segment.beyond.map_or(0, |beyond| beyond.to_bits());
            segments.push(NtSegment { from: segment.from.into(), to: segment.to.into(), beyond });
        })?;
        fill(out, capacity, count, segments.into_iter())
    })
}

/// Writes the position itself, with its own height, if it is over a polygon; else the closest point of the
/// outline.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_boundary_point(
    query: NtQuery,
    reference: NtPolyRef,
    position: NtVec3,
    out: Option<&mut MaybeUninit<NtVec3>>,
) -> NtStatus {
    ask(query, |Asker { mesh, .. }| {
        write(out, "out", mesh.closest_point_on_boundary(polygon(reference)?, position.into())?.into())
    })
}
