//! The mesh of a running scenario: doors that shut and open, tiles that are removed and come back.

use super::error::ScenarioError;
use super::plan::{Door, Scenario};
use crate::recording::Change;
use crowd::AgentParams;
use detour::{Filter, MeshError, NavMesh, PolyRef, Query, Vec3};
use navmath::sort::SharedSort;
use std::collections::BTreeMap;

/// Flags of shut doors if the file gives none.
const SHUT: u32 = 1 << 31;

/// Context of a scenario on a mesh: a filter, the names of areas, and defaults for agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terrain {
    /// Polygons that agents may enter, and their costs, unless a kind overrides them.
    pub filter: Filter,
    /// The areas' numbers by their names.
    pub areas: BTreeMap<String, u8>,
    /// Defaults for agents of any kind.
    pub walker: AgentParams,
}

impl Terrain {
    /// The number of an area by its name, or by the number itself.
    pub(super) fn area(&self, name: &str) -> Option<u8> {
        self.areas.get(name).copied().or_else(|| name.parse().ok().filter(|number| *number > 0))
    }
}

/// A door during a run.
#[derive(Clone, Debug)]
struct Leaf {
    within: [Vec3; 2],
    flags: u32,
    area: Option<u8>,
    is_shut: bool,
    /// The areas that polygons had before it shut.
    before: Vec<(PolyRef, u8)>,
}

/// The mesh and its changes.
#[derive(Debug)]
pub(super) struct World {
    pub(super) mesh: NavMesh,
    /// The mesh with all tiles.
    whole: NavMesh,
    doors: Vec<Leaf>,
    tiles: Vec<[i32; 3]>,
    /// In the order of time.
    changes: Vec<(f64, Change)>,
    next: usize,
    query: Query,
}

impl World {
    pub(super) fn new(scenario: &Scenario, mesh: NavMesh, terrain: &Terrain) -> Result<World, ScenarioError> {
        let mut changes = Vec::new();
        for (number, door) in (0..).zip(&scenario.door) {
            for [from, until] in &door.shut {
                changes.extend([(*from, Change::DoorShut(number)), (*until, Change::DoorOpened(number))]);
            }
        }
        for (number, tile) in (0..).zip(&scenario.tile) {
            for [from, until] in &tile.gone {
                changes.extend([(*from, Change::TileGone(number)), (*until, Change::TileBack(number))]);
            }
            changes.extend(tile.replaced.iter().map(|time| (*time, Change::TileReplaced(number))));
        }
        changes.shared_sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut world = World {
            whole: mesh.clone(),
            mesh,
            doors: Vec::new(),
            tiles: scenario.tile.iter().map(|tile| tile.at).collect(),
            changes,
            next: 0,
            query: Query::new(),
        };
        for (index, at) in world.tiles.iter().enumerate() {
            if !world.has_tile(*at) {
                let what = format!("the mesh has no tile {at:?}");
                let remedy = "`navtile info` lists the tiles; bake with --tile-size for more than one";
                return Err(ScenarioError::misfit(format!("tile[{index}].at"), what, remedy));
            }
        }
        for (index, door) in scenario.door.iter().enumerate() {
            let leaf = world.leaf(index, door, terrain)?;
            world.doors.push(leaf);
        }
        Ok(world)
    }

    fn leaf(&mut self, index: usize, door: &Door, terrain: &Terrain) -> Result<Leaf, ScenarioError> {
        let [a, b] = door.within.map(|corner| self.mesh.from_world(corner));
        let area = match &door.area {
            None => None,
            Some(name) => Some(terrain.area(name).ok_or_else(|| {
                let what = format!("the mesh has no area \"{name}\"");
                ScenarioError::misfit(
                    format!("door[{index}].area"),
                    what,
                    "give one of its areas, or a number",
                )
            })?),
        };
        let flags = door.flags.unwrap_or(if area.is_some() { 0 } else { SHUT });
        let leaf = Leaf { within: [a.min(b), a.max(b)], flags, area, is_shut: false, before: Vec::new() };
        if self.polygons(leaf.within).is_empty() {
            let remedy =
                "mark the door with a [[volume]] that has its own area in the bake, and give the same box";
            return Err(ScenarioError::misfit(
                format!("door[{index}].box"),
                "no polygon is within it",
                remedy,
            ));
        }
        Ok(leaf)
    }

    /// The boxes of the doors, world metres.
    pub(super) fn boxes(&self) -> Vec<[[f64; 3]; 2]> {
        self.doors.iter().map(|door| door.within.map(|corner| self.mesh.to_world(corner))).collect()
    }

    /// The tiles that change: x, z, layer.
    pub(super) fn tiles(&self) -> &[[i32; 3]] {
        &self.tiles
    }

    /// The flags that shut doors have.
    pub(super) fn door_flags(&self) -> u32 {
        self.doors.iter().fold(0, |flags, door| flags | door.flags)
    }

    /// Makes all changes that are due, and adds them to `made`.
    pub(super) fn change(&mut self, time: f64, made: &mut Vec<Change>) -> Result<(), MeshError> {
        let mut tiles_changed = false;
        while let Some((_, change)) = self.changes.get(self.next).copied().filter(|(due, _)| *due <= time) {
            self.next += 1;
            made.push(change);
            match change {
                Change::DoorShut(number) => self.shut(number as usize)?,
                Change::DoorOpened(number) => self.open(number as usize)?,
                Change::TileGone(number) => self.remove_tile(self.tiles[number as usize])?,
                Change::TileBack(number) => self.put_back(self.tiles[number as usize])?,
                Change::TileReplaced(number) => {
                    let at = self.tiles[number as usize];
                    if self.has_tile(at) {
                        self.remove_tile(at)?;
                        self.put_back(at)?;
                    }
                }
            }
            tiles_changed |= !matches!(change, Change::DoorShut(_) | Change::DoorOpened(_));
        }
        if tiles_changed {
            // A tile that comes back does not have the state of the doors.
            for door in 0..self.doors.len() {
                if self.doors[door].is_shut {
                    self.shut(door)?;
                }
            }
        }
        Ok(())
    }

    fn has_tile(&self, at: [i32; 3]) -> bool {
        number_of(&self.mesh, at).is_some()
    }

    fn remove_tile(&mut self, at: [i32; 3]) -> Result<(), MeshError> {
        let coord = number_of(&self.mesh, at).and_then(|number| Some(self.mesh.tiles().nth(number)?.coord()));
        coord.map_or(Ok(()), |coord| self.mesh.remove_tile(coord).map(drop))
    }

    fn put_back(&mut self, at: [i32; 3]) -> Result<(), MeshError> {
        let number = number_of(&self.whole, at).filter(|_| !self.has_tile(at));
        let tile = number.and_then(|number| self.whole.tiles().nth(number));
        tile.map_or(Ok(()), |tile| self.mesh.add_tile(tile.clone()))
    }

    fn shut(&mut self, number: usize) -> Result<(), MeshError> {
        let polygons = self.polygons(self.doors[number].within);
        let door = &mut self.doors[number];
        door.is_shut = true;
        for polygon in polygons {
            let Ok(now) = self.mesh.attributes(polygon) else { continue };
            self.mesh.set_flags(polygon, now.flags | door.flags)?;
            if let Some(area) = door.area.filter(|area| *area != now.area) {
                self.mesh.set_area(polygon, area)?;
                door.before.push((polygon, now.area));
            }
        }
        Ok(())
    }

    fn open(&mut self, number: usize) -> Result<(), MeshError> {
        let polygons = self.polygons(self.doors[number].within);
        let door = &mut self.doors[number];
        door.is_shut = false;
        for polygon in polygons {
            let Ok(now) = self.mesh.attributes(polygon) else { continue };
            self.mesh.set_flags(polygon, now.flags & !door.flags)?;
        }
        for (polygon, area) in std::mem::take(&mut door.before) {
            // The polygons of a removed tile no longer exist.
            if self.mesh.attributes(polygon).is_ok() {
                self.mesh.set_area(polygon, area)?;
            }
        }
        Ok(())
    }

    /// The polygons within a door's box, to within a cell.
    fn polygons(&mut self, [min, max]: [Vec3; 2]) -> Vec<PolyRef> {
        let cell = self.mesh.lattice().map_or(0.0, |lattice| lattice.cell_size as f32);
        let (min, max) = (min - cell, max + cell);
        let lies_within = |corner: Vec3| corner.cmpge(min).all() && corner.cmple(max).all();
        let mut found = Vec::new();
        let half_extents = ((max - min) * 0.5).max(Vec3::splat(0.01));
        let everything = Filter::default();
        let visit = |polygon| found.push(polygon);
        let met = self.query.polygons_in_box(&self.mesh, (min + max) * 0.5, half_extents, &everything, visit);
        if met.is_err() {
            return Vec::new();
        }
        found.retain(|polygon| self.mesh.corners(*polygon).is_ok_and(|mut corners| corners.all(lies_within)));
        found.sort();
        found
    }
}

/// The index of the tile at these coordinates.
fn number_of(mesh: &NavMesh, at: [i32; 3]) -> Option<usize> {
    mesh.tiles().map(|tile| tile.coord()).position(|coord| [coord.x, coord.z, coord.layer] == at)
}
