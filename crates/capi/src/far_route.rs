//! Routes along far paths: an agent that follows the stops of a plan while the tiles around it come and go.

use crate::pointers::{fill, present, slice, write};
use crate::query::ask;
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::traveller::Traveller;
use crate::types::{NtCluster, NtColumn, NtFarRoute, NtFarStop, NtQuery};
use hierarchy::ClusterCoord;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;

static ROUTES: Table<Traveller> = Table::new(12, "far route");

fn with(route: NtFarRoute, work: impl FnOnce(&mut Traveller) -> Answer<()>) -> NtStatus {
    call(|| ROUTES.with(route.id, work))
}

/// Three numbers, world metres.
pub(crate) fn world(numbers: *const f64, name: &str) -> Answer<[f64; 3]> {
    let numbers: [f64; 3] = slice(numbers, 3, name)?.try_into().unwrap_or_default();
    if numbers.iter().all(|number| number.is_finite()) {
        Ok(numbers)
    } else {
        Err(Fault::argument(format!("{name} is not finite: {numbers:?}")))
    }
}

/// Makes a route along the last far path of a query (nt_query_far_path), for an agent at its start. The agent
/// walks to the stop that is `legs_ahead` legs ahead; 0 for the library's default, 4. More legs make shorter
/// paths, and need more tiles. The route needs neither the query nor the hierarchy from then on.
/// Returns NT_OK, NT_ERROR_ARGUMENT (there was no far path), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_new(
    query: NtQuery,
    legs_ahead: u32,
    out: Option<&mut MaybeUninit<NtFarRoute>>,
) -> NtStatus {
    ask(query, |asker| {
        let out = present(out)?;
        let last = asker.traveller.clone();
        let Traveller { mut route, grid } =
            last.ok_or_else(|| Fault::argument("there was no far path: call nt_query_far_path first"))?;
        if legs_ahead > 0 {
            route = route.with_legs_ahead(legs_ahead as usize);
        }
        out.write(NtFarRoute { id: ROUTES.add(Traveller { route, grid })? });
        Ok(())
    })
}

/// Frees a route.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_free(route: NtFarRoute) -> NtStatus {
    call(|| ROUTES.remove(route.id).map(drop))
}

/// Moves on with the agent at `position`: three numbers, world metres. Call it whenever the agent has walked.
/// `has_moved` gets 1 if the agent has come to a later leg, else 0; then nt_far_route_ahead and
/// nt_far_route_columns have other answers. It may be NULL.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_advance(
    route: NtFarRoute,
    position: *const f64,
    has_moved: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    with(route, |Traveller { route, .. }| {
        let moved = route.advance(world(position, "position")?);
        if let Some(has_moved) = has_moved {
            has_moved.write(moved.into());
        }
        Ok(())
    })
}

/// Writes the stop to walk to, by nt_query_route or by a crowd. Its height may be a metre or two off hilly
/// ground. If no path leads there although the tiles of nt_far_route_columns are loaded, plan again.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_ahead(
    route: NtFarRoute,
    out: Option<&mut MaybeUninit<NtFarStop>>,
) -> NtStatus {
    with(route, |traveller| write(out, "out", traveller.ahead()))
}

/// Writes the number of legs to the goal. The last leg, 1, ends at the goal.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_legs_left(route: NtFarRoute, out: Option<&mut MaybeUninit<u32>>) -> NtStatus {
    with(route, |Traveller { route, .. }| write(out, "out", route.legs_left() as u32))
}

/// Writes the columns of tiles that the agent needs for the next `legs` legs, the most urgent first, into an
/// array of `capacity` columns. Take no fewer legs than the agent looks ahead; with more, tiles are there
/// before they are needed. Some columns may have no tiles.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_columns(
    route: NtFarRoute,
    legs: u32,
    out: *mut NtColumn,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(route, |Traveller { route, .. }| {
        let columns = route.columns_ahead(legs as usize).into_iter();
        fill(out, capacity, count, columns.map(|[x, z]| NtColumn { x, z }))
    })
}

/// Writes 1 if one of `count` changed clusters (nt_hierarchy_changed) is still ahead, else 0. With 1, plan
/// again from where the agent is.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_far_route_needs_replan(
    route: NtFarRoute,
    clusters: *const NtCluster,
    count: usize,
    out: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    with(route, |Traveller { route, .. }| {
        let clusters = slice(clusters, count, "clusters")?.iter();
        let changed: BTreeSet<ClusterCoord> =
            clusters.map(|&NtCluster { x, z }| ClusterCoord { x, z }).collect();
        write(out, "out", route.needs_replan(&changed).into())
    })
}
