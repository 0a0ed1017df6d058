//! Far paths: plans over a world whose tiles are not loaded, by the hierarchy of its file.

use crate::pointers::{fill, present, slice, text, write};
use crate::query::{Asker, ask};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::table::Table;
use crate::traveller::Traveller;
use crate::types::{NtFarStop, NtHierarchy, NtPlace, NtQuery, place};
use hierarchy::{ClusterCoord, FarPlace, Hierarchy};
use navtile::file::Seekable;
use navtile::{NavFile, NavStore};
use std::collections::BTreeSet;
use std::ffi::c_char;
use std::fs::File;
use std::mem::MaybeUninit;
use std::sync::Arc;

pub(crate) static HIERARCHIES: Table<Clusters> = Table::new(11, "hierarchy");

/// A hierarchy. Plans that run share it, and a change makes a copy then.
#[derive(Debug)]
pub(crate) struct Clusters {
    pub(crate) hierarchy: Arc<Hierarchy>,
    /// The clusters that the last change has changed.
    pub(crate) changed: BTreeSet<ClusterCoord>,
}

impl Clusters {
    /// Keeps the clusters that a change has changed, and writes their number.
    pub(crate) fn note(&mut self, changed: BTreeSet<ClusterCoord>, out: Option<&mut MaybeUninit<usize>>) {
        if let Some(out) = out {
            out.write(changed.len());
        }
        self.changed = changed;
    }
}

/// The bounds of the cost of the cheapest far path: metres, if a metre costs 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtFarBounds {
    pub lower: f64,
    /// The cost of the plan.
    pub upper: f64,
}

const NO_HIERARCHY: &str = "the file has no hierarchy: bake the level again with `navtile bake --hierarchy`";

fn keep(bytes: &[u8], out: Option<&mut MaybeUninit<NtHierarchy>>) -> Answer<()> {
    let out = present(out)?;
    let hierarchy = Hierarchy::from_bytes(bytes).map_err(Fault::data)?;
    out.write(NtHierarchy {
        id: HIERARCHIES.add(Clusters { hierarchy: Arc::new(hierarchy), changed: BTreeSet::new() })?,
    });
    Ok(())
}

fn shared(hierarchy: NtHierarchy) -> Answer<Arc<Hierarchy>> {
    HIERARCHIES.with(hierarchy.id, |clusters| Ok(Arc::clone(&clusters.hierarchy)))
}

/// Reads the hierarchy of a .navtile file, which `navtile bake --hierarchy` writes. The tiles are not read.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_FILE, NT_ERROR_DATA. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_open(
    path: *const c_char,
    out: Option<&mut MaybeUninit<NtHierarchy>>,
) -> NtStatus {
    call(|| {
        let path = text(path, "path")?;
        let failed = |error| Fault::new(NtStatus::NT_ERROR_FILE, format!("{path}: {error}"));
        let of_file = |error: &dyn std::fmt::Display| Fault::data(format!("{path}: {error}"));
        let store = NavStore::open(Seekable::new(File::open(path).map_err(failed)?));
        let store = store.map_err(|error| of_file(&error))?;
        let bytes = store.hierarchy().ok_or_else(|| of_file(&NO_HIERARCHY))?;
        keep(&bytes.map_err(|error| of_file(&error))?, out)
    })
}

/// Reads the hierarchy of the bytes of a .navtile file.
/// Returns NT_OK, NT_ERROR_ARGUMENT, NT_ERROR_DATA. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_from_bytes(
    bytes: *const u8,
    length: usize,
    out: Option<&mut MaybeUninit<NtHierarchy>>,
) -> NtStatus {
    call(|| {
        let file = NavFile::open(slice(bytes, length, "bytes")?)?;
        let bytes = file.hierarchy().ok_or_else(|| Fault::data(NO_HIERARCHY))?;
        keep(bytes?, out)
    })
}

/// Writes the number of a class of agents, which the settings of the bake name.
/// Returns NT_OK, NT_NOT_FOUND, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_class(
    hierarchy: NtHierarchy,
    name: *const c_char,
    out: Option<&mut MaybeUninit<u32>>,
) -> NtStatus {
    call(|| {
        let name = text(name, "name")?;
        let number = shared(hierarchy)?.class(name);
        let number =
            number.ok_or_else(|| Fault::not_found(format!("the hierarchy has no class {name:?}")))?;
        write(out, "out", number as u32)
    })
}

/// Frees a hierarchy.
/// Returns NT_OK, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_free(hierarchy: NtHierarchy) -> NtStatus {
    call(|| HIERARCHIES.remove(hierarchy.id).map(drop))
}

/// Plans a far path. `agents` is a class of agents (nt_hierarchy_class); its filter counts, not the query's.
/// Start and goal are places on the snapshot of the query, which must have the tiles around both; no other
/// tiles are needed. nt_query_far_stops then has the places of the plan.
/// Returns NT_OK, NT_NOT_FOUND (no path exists), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE, NT_ERROR_REFERENCE.
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_far_path(
    query: NtQuery,
    hierarchy: NtHierarchy,
    agents: u32,
    start: NtPlace,
    goal: NtPlace,
    out: Option<&mut MaybeUninit<NtFarBounds>>,
) -> NtStatus {
    ask(query, |Asker { mesh, planner, traveller, .. }| {
        let hierarchy = shared(hierarchy)?;
        let [start, goal] = [place(start)?, place(goal)?].map(|place| FarPlace { mesh, place });
        let plan = planner.plan(&hierarchy, agents as usize, start, goal)?;
        let plan = plan.ok_or_else(|| Fault::not_found("no path leads from the start to the goal"))?;
        *traveller = Some(Traveller { route: planner.route(&plan), grid: hierarchy.grid() });
        write(out, "out", NtFarBounds { lower: plan.lower, upper: plan.upper })
    })
}

/// Writes the places of the last far path of the query: the start, the crossings between clusters of tiles,
/// and the goal. Load the tiles of the first few legs, and find the route to the stop at their end;
/// nt_far_route_new makes a route that does this along the whole path.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_query_far_stops(
    query: NtQuery,
    stops: *mut NtFarStop,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    ask(query, |asker| match &asker.traveller {
        Some(traveller) => fill(stops, capacity, count, traveller.stops()),
        None => fill(stops, capacity, count, std::iter::empty()),
    })
}
