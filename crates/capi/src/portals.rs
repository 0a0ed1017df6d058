//! Hierarchies of worlds that change: portals that are closed, and tiles that are others than before.

use crate::far::{Clusters, HIERARCHIES};
use crate::far_route::world;
use crate::mesh::snapshot;
use crate::pointers::{fill, slice, write};
use crate::status::{Answer, Fault, NtStatus, call};
use crate::types::{NtCluster, NtHierarchy, NtMesh, NtTileCoord};
use bytemuck::{Pod, Zeroable};
use hierarchy::{ClusterCoord, Portal};
use navtile::TileCoord;
use std::collections::BTreeSet;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// A part of the open border between two clusters, up to 16 metres of it.
pub const NT_PORTAL_BORDER: u32 = 0;
/// An off-mesh link from one cluster to another.
pub const NT_PORTAL_LINK: u32 = 1;

/// A connection between two clusters, which can be closed. It keeps its numbers while the tiles at its ends
/// stay as they are, also from one run to the next, so that a game can save it. It has no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct NtPortal {
    /// NT_PORTAL_BORDER or NT_PORTAL_LINK.
    pub kind: u32,
    /// The middle of a part of a border: steps along the border; 0 for a link.
    pub along: u32,
    /// Its height, on the lattice of the bake; 0 for a link.
    pub height: i64,
    /// The clusters that it connects.
    pub from: NtCluster,
    pub to: NtCluster,
    /// The start and the end of a link on the lattice of the bake, x, height and z; zeros for a border.
    pub start: [i64; 3],
    pub end: [i64; 3],
}

/// The ends of a portal, for drawing: of a part of a border, or of an off-mesh link.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NtPortalEnds {
    /// World metres.
    pub start: [f64; 3],
    pub end: [f64; 3],
}

fn cluster(ClusterCoord { x, z }: ClusterCoord) -> NtCluster {
    NtCluster { x, z }
}

/// A portal as C has it.
fn described(portal: &Portal) -> NtPortal {
    let [from, to] = portal.clusters().map(cluster);
    match *portal {
        Portal::Border { along, height, .. } => {
            let (kind, along, height) = (NT_PORTAL_BORDER, along.into(), height.into());
            NtPortal { kind, along, height, from, to, start: [0; 3], end: [0; 3] }
        }
        Portal::Link { places: [start, end], .. } => {
            NtPortal { kind: NT_PORTAL_LINK, along: 0, height: 0, from, to, start, end }
        }
    }
}

/// The portal that C describes.
fn parsed(portal: &NtPortal) -> Answer<Portal> {
    let NtPortal { kind, along, height, from, to, start, end } = *portal;
    let clusters = [from, to].map(|NtCluster { x, z }| ClusterCoord { x, z });
    match (kind, u16::try_from(along), i32::try_from(height)) {
        (NT_PORTAL_BORDER, Ok(along), Ok(height)) => Ok(Portal::Border { clusters, along, height }),
        (NT_PORTAL_LINK, _, _) => Ok(Portal::Link { clusters, places: [start, end] }),
        _ => Err(Fault::argument(format!(
            "there is no portal of kind {kind} at {along}, {height}: take those of nt_hierarchy_portals_in"
        ))),
    }
}

fn with(hierarchy: NtHierarchy, work: impl FnOnce(&mut Clusters) -> Answer<()>) -> NtStatus {
    call(|| HIERARCHIES.with(hierarchy.id, work))
}

/// Writes the portals in a box into an array of `capacity` portals. `low` and `high` are three numbers each,
/// world metres. A part of a border counts with the height of its middle, so a box around a gate on a slope
/// should be a few metres high. An off-mesh link counts if it starts or ends in the box.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_portals_in(
    hierarchy: NtHierarchy,
    low: *const f64,
    high: *const f64,
    out: *mut NtPortal,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(hierarchy, |Clusters { hierarchy, .. }| {
        let found = hierarchy.portals_in(world(low, "low")?, world(high, "high")?);
        fill(out, capacity, count, found.iter().map(described))
    })
}

/// Writes the ends of a portal, for drawing.
/// Returns NT_OK, NT_NOT_FOUND (there is no such portal), NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_portal_ends(
    hierarchy: NtHierarchy,
    portal: Option<&NtPortal>,
    out: Option<&mut MaybeUninit<NtPortalEnds>>,
) -> NtStatus {
    with(hierarchy, |Clusters { hierarchy, .. }| {
        let portal = portal.ok_or_else(|| Fault::null("portal"))?;
        let ends = hierarchy.portal_ends(&parsed(portal)?);
        let [start, end] =
            ends.ok_or_else(|| Fault::not_found("the hierarchy has no such portal at the moment"))?;
        write(out, "out", NtPortalEnds { start, end })
    })
}

/// Closes `count` portals and opens all others: far paths do not lead over a closed portal, and their bounds
/// are those of a world without it. A portal that does not exist has no effect. nt_hierarchy_changed has the
/// clusters that changed, for nt_far_route_needs_replan; `changed` gets their number and may be NULL. A far
/// path that another thread plans at the same time is that of before or of after.
/// Returns NT_OK, NT_ERROR_ARGUMENT (nothing changes), NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_set_closed(
    hierarchy: NtHierarchy,
    portals: *const NtPortal,
    count: usize,
    changed: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(hierarchy, |clusters| {
        let portals = slice(portals, count, "portals")?.iter();
        let closed: BTreeSet<Portal> = portals.map(parsed).collect::<Answer<_>>()?;
        // Plans that run hold the hierarchy of before; it is copied only then.
        let after = Arc::make_mut(&mut clusters.hierarchy).set_closed(closed);
        clusters.note(after, changed);
        Ok(())
    })
}

/// Writes the portals that are closed into an array of `capacity` portals, for a saved game.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_closed(
    hierarchy: NtHierarchy,
    out: *mut NtPortal,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(hierarchy, |Clusters { hierarchy, .. }| {
        fill(out, capacity, count, hierarchy.closed().iter().map(described))
    })
}

/// Updates the hierarchy after `count` tiles of a mesh were added for the first time, replaced or removed for
/// good. The mesh must have all other tiles of their clusters and of the clusters next to these: a tile that
/// it does not have counts as gone. So take a mesh of the whole level, or one that has at least these tiles.
/// Closed portals stay closed. `changed` and threads as in nt_hierarchy_set_closed.
/// Returns NT_OK, NT_ERROR_ARGUMENT (the mesh is of another bake; nothing changes), NT_ERROR_HANDLE,
/// NT_ERROR_LIMIT. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_update(
    hierarchy: NtHierarchy,
    mesh: NtMesh,
    tiles: *const NtTileCoord,
    count: usize,
    changed: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    call(|| {
        let mesh = snapshot(mesh)?.mesh;
        let coord = |&NtTileCoord { x, z, layer }: &NtTileCoord| TileCoord { x, z, layer };
        let tiles: Vec<TileCoord> = slice(tiles, count, "tiles")?.iter().map(coord).collect();
        HIERARCHIES.with(hierarchy.id, |clusters| {
            clusters.hierarchy.check_tiles(&mesh)?;
            let updated = Arc::make_mut(&mut clusters.hierarchy).update(&mesh, &tiles);
            let after = updated.map_err(|error| Fault::new(NtStatus::NT_ERROR_LIMIT, error))?;
            clusters.note(after, changed);
            Ok(())
        })
    })
}

/// Writes the clusters that really changed in the last call of nt_hierarchy_set_closed or nt_hierarchy_update
/// of this hierarchy into an array of `capacity` clusters: their portals, or the costs between them.
/// Returns NT_OK, NT_TRUNCATED, NT_ERROR_ARGUMENT, NT_ERROR_HANDLE. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_hierarchy_changed(
    hierarchy: NtHierarchy,
    out: *mut NtCluster,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
) -> NtStatus {
    with(hierarchy, |Clusters { changed, .. }| {
        fill(out, capacity, count, changed.iter().copied().map(cluster))
    })
}
