//! Swaps changed tiles in a mesh of the runtime.

use crate::update::TileChange;
use detour::{IslandChanges, MeshError, NavMesh};
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;

/// The result of swapping tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Tiles that were added.
    pub added: usize,
    /// Tiles that replaced others.
    pub replaced: usize,
    /// Tiles that were removed.
    pub removed: usize,
    /// Polygons and off-mesh links whose flags or area had been changed at run time, and that kept them
    /// because they still exist.
    pub kept: usize,
    /// Such polygons and links that no longer exist.
    pub lost: usize,
    /// The islands that were joined, and the islands that were split. Finding them takes time in proportion
    /// to the swapped tiles and their neighbours.
    pub islands: IslandChanges,
}

/// A polygon's corners and original attributes, or an off-mesh link: equal ones are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Ground(Vec<[i32; 3]>, u8, u32),
    Link(Vec<u8>),
}

/// Swaps tiles in a mesh: all changes of an update at once. Flags and areas that were set at run time are
/// kept on polygons that still exist, which are those with the same corners. Queries that run on a clone of
/// the mesh continue with the old tiles.
///
/// Islands that were joined or split are named by polygons of the current mesh: a door that shuts splits one
/// island into two, a new bridge joins two.
///
/// ```
/// # use detour::NavMesh;
/// # use navlevel::{Body, Effect, Obstacle};
/// # use recast::Transform;
/// # use tilecache::{Budget, TileCache};
/// # let mut cache = TileCache::open(tilecache::doctest_file())?;
/// let mut mesh = NavMesh::new([0.0; 3])?;
/// for coord in cache.coords() {
///     mesh.add_tile(cache.tile(coord).expect("it is listed")?)?;
/// }
/// let (body, place) = (Body::cylinder(1.0, 1.0)?, Transform::turned(0.0, [6.0, 0.0, 6.0]));
/// cache.add(&Obstacle { body, place, effect: Effect::Blocks { inflate: true } })?;
/// let update = cache.update(Budget::tiles(4))?;
/// let applied = tilecache::apply(&mut mesh, &update.changes)?;
/// assert_eq!(applied.replaced, update.changes.len());
/// assert!(applied.islands.parted().is_empty(), "there is a way around it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A tile that does not fit the mesh: one of another lattice. The mesh is then unchanged.
pub fn apply(mesh: &mut NavMesh, changes: &[TileChange]) -> Result<Applied, MeshError> {
    let mut next = mesh.clone();
    let mut applied = Applied::default();
    let mut states = BTreeMap::new();
    for change in changes {
        if let Some(tile) = next.tile(change.coord) {
            states.insert(change.coord, changed_state(&next, tile)?);
        }
        match (&change.tile, next.tile(change.coord).is_some()) {
            (Some(tile), true) => {
                next.replace_tile(tile.clone())?;
                applied.replaced += 1;
            }
            (Some(tile), false) => {
                next.add_tile(tile.clone())?;
                applied.added += 1;
            }
            (None, true) => {
                next.remove_tile(change.coord)?;
                applied.removed += 1;
            }
            (None, false) => {}
        }
    }
    for (coord, state) in states {
        let kept = restore(&mut next, coord, &state)?;
        applied.kept += kept;
        applied.lost += state.len() - kept;
    }
    applied.islands = IslandChanges::between(mesh, &next);
    *mesh = next;
    Ok(applied)
}

/// Flags and areas of the polygons of a tile that were changed at run time.
fn changed_state(mesh: &NavMesh, tile: &Tile) -> Result<BTreeMap<Shape, (u8, u32)>, MeshError> {
    let mut changed = BTreeMap::new();
    for (index, made_with) in (0..).zip(attributes(tile)) {
        let Some(reference) = mesh.reference(tile.coord(), index) else { continue };
        let now = mesh.attributes(reference)?;
        if (now.area, now.flags) != made_with {
            changed.insert(shape(tile, index), (now.area, now.flags));
        }
    }
    Ok(changed)
}

/// Sets them again on the polygons that still exist; returns the number of these.
fn restore(
    mesh: &mut NavMesh,
    coord: TileCoord,
    state: &BTreeMap<Shape, (u8, u32)>,
) -> Result<usize, MeshError> {
    let Some(tile) = mesh.tile(coord).filter(|_| !state.is_empty()).cloned() else { return Ok(0) };
    let mut kept = 0;
    for (index, _) in (0..).zip(attributes(&tile)) {
        let Some(&(area, flags)) = state.get(&shape(&tile, index)) else { continue };
        if let Some(reference) = mesh.reference(coord, index) {
            mesh.set_area(reference, area)?;
            mesh.set_flags(reference, flags)?;
            kept += 1;
        }
    }
    Ok(kept)
}

/// Original area and flags of all polygons of a tile, then of its off-mesh links.
fn attributes(tile: &Tile) -> impl Iterator<Item = (u8, u32)> {
    let polygons = tile.polygons().iter().map(|polygon| (polygon.area, polygon.flags));
    polygons.chain(tile.off_mesh_links().iter().map(|link| (link.area, link.flags)))
}

fn shape(tile: &Tile, index: u32) -> Shape {
    let polygons = tile.polygons();
    match polygons.get(index as usize) {
        Some(polygon) => {
            let edges = &tile.edges()[polygon.first_edge as usize..][..usize::from(polygon.edge_count)];
            let corners = edges.iter().map(|edge| tile.vertices()[edge.vertex as usize]).collect();
            Shape::Ground(corners, polygon.area, polygon.flags)
        }
        None => {
            let link = &tile.off_mesh_links()[index as usize - polygons.len()];
            Shape::Link(bytemuck::bytes_of(link).to_vec())
        }
    }
}
