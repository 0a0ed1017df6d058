//! Paths between places as polygons, in one call or in slices.

use crate::pointers::{present, write};
use crate::query::{Asker, NtPathEnd, QUERIES, ask, path_end};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::types::{NtPlace, NtQuery, NtSearch, NtVec3, place};
use detour::{Filter, Path, PathOptions, Place, Progress, Query, SlicedPath};
use std::mem::MaybeUninit;

static SEARCHES: Table<Search> = Table::new(10, "search");

#[derive(Debug)]
struct Search {
    sliced: SlicedPath<Filter>,
    start: Place,
}

/// A path. Its polygons are read by nt_query_polygons, its corners by nt_query_corners.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtPath {
    pub end: NtPathEnd,
    pub polygons: u32,
    /// The end of the path: the goal, or the nearest point of the last polygon.
    pub last_point: NtVec3,
    /// Estimated cost of the path.
    pub cost: f64,
}

/// Makes a path the last answer of a query.
fn answer(asker: &mut Asker, start: Place, path: Path, out: Option<&mut MaybeUninit<NtPath>>) -> Answer<()> {
    let out = present(out)?;
    out.write(NtPath {
        end: path_end(path.status.reason()),
        polygons: path.polygons.len() as u32,
        last_point: path.end.into(),
        cost: path.cost,
    });
    asker.points.clear();
    asker.ends = [start.point, path.end];
    asker.polygons = path.polygons;
    Ok(())
}

/// Finds the path between two places as polygons, for corridors, without its points.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_path(
    query: NtQuery,
    start: NtPlace,
    goal: NtPlace,
    out: Option<&mut MaybeUninit<NtPath>>,
) -> NtStatus {
    ask(query, |asker| {
        let (start, goal, mut path) = (place(start)?, place(goal)?, Path::default());
        let Asker { mesh, filter, query, .. } = asker;
        query.find_path(mesh, start, goal, filter, &PathOptions::default(), &mut path)?;
        answer(asker, start, path, out)
    })
}

/// Shortens the last path or route of the query by straight legs of up to `reach` metres, and writes the
/// number of legs that were replaced. Then read its polygons and corners.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_shortcut(
    query: NtQuery,
    reach: f32,
    out: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, polygons, ends: [start, goal], .. }| {
        write(out, "out", query.shortcut(mesh, *start, *goal, reach, filter, polygons)?)
    })
}

/// Begins a search for the path between two places, with the query's current snapshot and filter.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_search_new(
    query: NtQuery,
    start: NtPlace,
    goal: NtPlace,
    out: Option<&mut MaybeUninit<NtSearch>>,
) -> NtStatus {
    ask(query, |Asker { mesh, filter, query, .. }| {
        let (out, start, goal) = (present(out)?, place(start)?, place(goal)?);
        let mut own = Query::with_max_nodes(query.max_nodes());
        let (mesh, filter) = (mesh.clone(), filter.clone());
        let sliced = SlicedPath::new(&mut own, mesh, start, goal, filter, PathOptions::default())?;
        out.write(NtSearch { id: SEARCHES.add(Search { sliced, start })? });
        Ok(())
    })
}

/// Visits at most `polygons` more polygons; `is_done` gets 1 once the path is found, else 0.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_search_update(
    search: NtSearch,
    polygons: u32,
    is_done: Option<&mut MaybeUninit<u8>>,
) -> NtStatus {
    call(|| {
        SEARCHES.with(search.id, |Search { sliced, .. }| {
            let progress = sliced.update(polygons)?;
            write(is_done, "is_done", (progress == Progress::Done).into())
        })
    })
}

/// Makes the path of a finished search the last answer of a query. nt_query_path would have found the same
/// path.
/// Returns NT_OK, NT_NOT_FOUND (the search is not done), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_search_finish(
    search: NtSearch,
    query: NtQuery,
    out: Option<&mut MaybeUninit<NtPath>>,
) -> NtStatus {
    call(|| {
        QUERIES.with(query.id, |asker| {
            SEARCHES.with(search.id, |Search { sliced, start }| {
                let mut path = Path::default();
                match sliced.finish(&mut path)? {
                    Progress::Done => answer(asker, *start, path, out),
                    Progress::Running => Err(Fault::not_found("the search is not done")),
                }
            })
        })
    })
}

/// Frees a search.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_search_free(search: NtSearch) -> NtStatus {
    call(|| SEARCHES.remove(search.id).map(drop))
}
