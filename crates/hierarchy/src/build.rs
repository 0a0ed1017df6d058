//! Builds a hierarchy and keeps it up to date, by the same code.
//!
//! The crossings of a border depend on the tiles along both of its sides, the costs of a cluster on its own
//! tiles and its doors, and a cluster of a higher level on those in it. So a change rebuilds only the parts
//! that depend on it, and the result equals that of a fresh build. A fresh build changes every cluster of
//! an empty hierarchy.

use crate::block::{Block, Draft, Jump};
use crate::border::{BorderRows, FoundCrossing};
use crate::grid::{ClusterCoord, LEVELS, world};
use crate::jumps::{JumpError, JumpFinder};
use crate::level::{DOOR_SIDES, Level};
use crate::measure::{DoorPlace, Measure};
use crate::search::{DoorSearch, Rates};
use crate::tiles::Tiles;
use crate::upper::Base;
use crate::{Class, Hierarchy, HierarchyError, HierarchySettings};
use navmath::{FIXED_ONE, Lattice};
use navtile::layout::side;
use navtile::{Tile, TileCoord};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The crossings of a cluster's own two borders, with the polygons on their sides.
type OwnBorders = [Vec<FoundCrossing>; 2];
/// Packed costs for each class, known and least.
type ClassCosts = Vec<[Vec<u16>; 2]>;

/// A cluster has at most this many doors: costs between all of them are measured.
const MOST_DOORS: usize = 2000;

/// Tiles have coordinates up to this, so that those of all clusters around them fit.
const FARTHEST: u32 = 1 << 30;

impl Hierarchy {
    /// Builds the hierarchy of a world, on all threads of the current rayon pool. The result depends on the
    /// tiles and the settings alone. `lattice` and `tile_cells` are those of the tiles.
    ///
    /// # Errors
    /// The world is in one piece instead of tiles of one size; a size or a class of the settings is not
    /// usable; a tile cannot be taken.
    pub fn build<T: Tiles>(
        tiles: &T,
        lattice: Lattice,
        tile_cells: u32,
        settings: &HierarchySettings,
    ) -> Result<Hierarchy, HierarchyError<T::Error>> {
        let grid = settings.grid(lattice.cell_size, tile_cells)?;
        let spacing = (settings.spacing / lattice.cell_size * f64::from(FIXED_ONE)).ceil() as i64;
        let classes = settings.classes.clone();
        let levels = vec![Level::new(&[], Vec::new()); LEVELS];
        let (links, closed) = Default::default();
        let mut hierarchy = Hierarchy { grid, lattice, classes, spacing, links, closed, levels };
        hierarchy.update(tiles, &tiles.coords())?;
        Ok(hierarchy)
    }

    /// Updates the hierarchy after some tiles were added, replaced or removed. Afterwards it equals a fresh
    /// build with the same portals closed. `tiles` must have all tiles of the clusters with changed tiles and
    /// of the clusters next to them, loaded or not. If some differ from a file, a
    /// [`TileOverlay`](crate::TileOverlay) has them all.
    ///
    /// Returns the clusters of the first level that have really changed: their doors, or the costs between
    /// their doors, differ from before. Routes are still valid, and
    /// [`FarRoute::needs_replan`](crate::FarRoute::needs_replan) says whether to plan again.
    ///
    /// # Errors
    /// A tile cannot be taken, or is too far from the origin of the grid. Then the hierarchy is as before.
    pub fn update<T: Tiles>(
        &mut self,
        tiles: &T,
        changed: &[TileCoord],
    ) -> Result<BTreeSet<ClusterCoord>, HierarchyError<T::Error>> {
        if let Some(&tile) =
            changed.iter().find(|tile| tile.x.unsigned_abs().max(tile.z.unsigned_abs()) > FARTHEST)
        {
            return Err(HierarchyError::TooFar(tile));
        }
        let changed: BTreeSet<ClusterCoord> =
            changed.iter().map(|tile| self.grid.cluster_of(*tile, 0)).collect();
        let change = Builder { tiles, hierarchy: self }.first_level(&changed)?;
        self.links = change.links;
        let measured: BTreeSet<ClusterCoord> = change.clusters.keys().copied().collect();
        let before = self.levels[0].outlines(&measured);
        replace(&mut self.levels[0], change.clusters, change.jumps);
        self.shut_doors();
        let changed = self.levels[0].changed_since(&before, &measured);
        self.raise(&changed);
        Ok(changed)
    }

    /// Updates the levels above the first, some of whose clusters have changed.
    pub(crate) fn raise(&mut self, changed: &BTreeSet<ClusterCoord>) {
        let rates: Vec<Rates> =
            self.classes.iter().map(|class| class.rates(self.lattice.cell_size)).collect();
        let mut dirty = changed.clone();
        for index in 1..LEVELS {
            if dirty.is_empty() {
                return;
            }
            let (lower, upper) = self.levels.split_at_mut(index);
            let base = Base { levels: lower, grid: &self.grid, rates: &rates };
            dirty = update_above(&base, &mut upper[0], &dirty);
        }
    }
}

/// The first level after a change.
struct Change {
    /// The clusters that are new, changed or gone.
    clusters: BTreeMap<ClusterCoord, Option<Draft>>,
    jumps: Vec<Jump>,
    links: BTreeSet<[ClusterCoord; 2]>,
}

struct Builder<'a, T> {
    tiles: &'a T,
    /// The hierarchy before the change.
    hierarchy: &'a Hierarchy,
}

impl<T: Tiles> Builder<'_, T> {
    /// The first level after clusters have changed.
    fn first_level(&self, changed: &BTreeSet<ClusterCoord>) -> Result<Change, HierarchyError<T::Error>> {
        let level = &self.hierarchy.levels[0];
        let exists = |coord: &ClusterCoord| -> Result<bool, HierarchyError<T::Error>> {
            Ok(!self.tiles_of(*coord)?.is_empty())
        };
        let changed: Vec<ClusterCoord> = changed.iter().copied().collect();
        let exist: Vec<bool> = changed.par_iter().map(exists).collect::<Result<_, _>>()?;
        let exist: BTreeMap<ClusterCoord, bool> = changed.iter().copied().zip(exist).collect();
        let exists =
            |coord: ClusterCoord| exist.get(&coord).copied().unwrap_or_else(|| level.find(coord).is_some());
        let mut borders = BTreeMap::new();
        self.find_borders(changed.iter().copied(), &mut borders)?;
        let (jumps, links, touched) = self.jumps(&exist)?;
        let mut measured: BTreeSet<ClusterCoord> = touched;
        for (&coord, found) in &borders {
            for (on, list) in [side::X_MAX, side::Z_MAX].into_iter().zip(found) {
                let known = level.find(coord).map_or(&[][..], |cluster| level.border(cluster, on));
                if !list.iter().map(|found| &found.crossing).eq(known) {
                    measured.extend([coord, coord.across(on)]);
                }
            }
        }
        measured.extend(changed.iter());
        measured.retain(|coord| exists(*coord));
        self.find_borders(measured.iter().copied(), &mut borders)?;
        let measured: Vec<ClusterCoord> = measured.into_iter().collect();
        let mut ends: [BTreeMap<ClusterCoord, Vec<&Jump>>; 2] = Default::default();
        for (end, jump) in jumps.iter().flat_map(|jump| [(0, jump), (1, jump)]) {
            ends[end].entry(jump.clusters[end]).or_default().push(jump);
        }
        let doors = |coord: ClusterCoord| self.door_places(coord, &borders, &ends);
        let costs: Vec<ClassCosts> = measured
            .par_iter()
            .map_init(Measure::new, |measure, coord| self.measure(measure, *coord, &doors(*coord)))
            .collect::<Result<_, _>>()?;
        let mut clusters: BTreeMap<ClusterCoord, Option<Draft>> =
            exist.iter().filter(|(_, exists)| !**exists).map(|(coord, _)| (*coord, None)).collect();
        for (coord, costs) in measured.into_iter().zip(costs) {
            let found = &borders[&coord];
            let borders = found.each_ref().map(|list| list.iter().map(|found| found.crossing).collect());
            clusters.insert(coord, Some(Draft { coord, borders, costs, ..Draft::default() }));
        }
        Ok(Change { clusters, jumps, links })
    }

    /// Finds the crossings that are listed by clusters and by those whose borders they share, as far as
    /// they are not known yet.
    fn find_borders(
        &self,
        clusters: impl Iterator<Item = ClusterCoord>,
        known: &mut BTreeMap<ClusterCoord, OwnBorders>,
    ) -> Result<(), HierarchyError<T::Error>> {
        let owners = clusters.flat_map(|coord| [coord, coord.across(side::X_MIN), coord.across(side::Z_MIN)]);
        let owners: BTreeSet<ClusterCoord> = owners.filter(|coord| !known.contains_key(coord)).collect();
        let owners: Vec<ClusterCoord> = owners.into_iter().collect();
        let found: Vec<OwnBorders> =
            owners.par_iter().map(|coord| self.borders(*coord)).collect::<Result<_, _>>()?;
        known.extend(owners.into_iter().zip(found));
        Ok(())
    }

    /// The crossings of a cluster's own two borders.
    fn borders(&self, coord: ClusterCoord) -> Result<OwnBorders, HierarchyError<T::Error>> {
        let Hierarchy { grid, spacing, .. } = *self.hierarchy;
        let count = grid.tiles_of(0);
        let [x, z] = [coord.x * count, coord.z * count];
        let last = count - 1;
        let base = grid.base(coord, 0);
        let (tiles, step) = (self.tiles, grid.step(0));
        let rows = |first: [i32; 2], side: u8, base: i64| {
            let rows = BorderRows { tiles, first, side, count, base, step };
            rows.crossings(spacing).map_err(HierarchyError::Tile)
        };
        Ok([rows([x + last, z], side::X_MAX, base[1])?, rows([x, z + last], side::Z_MAX, base[0])?])
    }

    /// All jumps and links after clusters have changed, sorted, and the clusters whose jumps are others
    /// than before. Takes the changed clusters, and whether they exist.
    #[expect(clippy::type_complexity, reason = "three lists that one walk finds")]
    fn jumps(
        &self,
        exist: &BTreeMap<ClusterCoord, bool>,
    ) -> Result<(Vec<Jump>, BTreeSet<[ClusterCoord; 2]>, BTreeSet<ClusterCoord>), HierarchyError<T::Error>>
    {
        let Hierarchy { grid, lattice, ref classes, ref links, ref levels, .. } = *self.hierarchy;
        let finder = JumpFinder { tiles: self.tiles, grid, lattice, classes };
        let mut starts: BTreeSet<ClusterCoord> = exist.keys().copied().collect();
        let leads_there = links.iter().filter(|[_, to]| exist.contains_key(to));
        starts.extend(leads_there.map(|[from, _]| *from));
        let starts: Vec<ClusterCoord> = starts.into_iter().collect();
        let found = starts.par_iter().map(|&coord| {
            let tiles = self.tiles_of(coord)?;
            finder.jumps(coord, &tiles).map_err(|error| match error {
                JumpError::Tile(error) => HierarchyError::Tile(error),
                JumpError::Measure(source) => HierarchyError::Measure { cluster: coord, source },
            })
        });
        let found: Vec<(Vec<Jump>, Vec<ClusterCoord>)> = found.collect::<Result<_, _>>()?;
        let is_found = |jump: &Jump| starts.binary_search(&jump.listed_in()).is_ok();
        let mut jumps: Vec<Jump> = found.iter().flat_map(|(jumps, _)| jumps.iter().cloned()).collect();
        jumps.sort_by_key(Jump::order);
        let (known, kept): (Vec<&Jump>, Vec<&Jump>) = levels[0].jumps.iter().partition(|jump| is_found(jump));
        let (known, fresh): (BTreeSet<&Jump>, BTreeSet<&Jump>) =
            (known.into_iter().collect(), jumps.iter().collect());
        let touched = known.symmetric_difference(&fresh).flat_map(|jump| jump.clusters).collect();
        let mut links: BTreeSet<[ClusterCoord; 2]> =
            links.iter().filter(|[from, _]| starts.binary_search(from).is_err()).copied().collect();
        for (&from, (_, beyond)) in starts.iter().zip(&found) {
            links.extend(beyond.iter().map(|to| [from, *to]));
        }
        jumps.extend(kept.into_iter().cloned());
        jumps.sort_by_key(Jump::order);
        jumps.dedup();
        Ok((jumps, links, touched))
    }

    /// The tiles of a cluster.
    fn tiles_of(&self, coord: ClusterCoord) -> Result<Vec<Tile>, HierarchyError<T::Error>> {
        let count = self.hierarchy.grid.tiles_of(0);
        let mut tiles = Vec::new();
        for column in 0..count * count {
            let [x, z] = [coord.x * count + column / count, coord.z * count + column % count];
            tiles.extend(self.tiles.column(x, z).map_err(HierarchyError::Tile)?);
        }
        Ok(tiles)
    }

    /// The costs of a cluster, for each class.
    fn measure(
        &self,
        measure: &mut Measure,
        coord: ClusterCoord,
        doors: &[DoorPlace],
    ) -> Result<ClassCosts, HierarchyError<T::Error>> {
        if doors.len() > MOST_DOORS {
            return Err(HierarchyError::Crowded { cluster: coord, doors: doors.len() });
        }
        let failed = |source| HierarchyError::Measure { cluster: coord, source };
        let mesh = Measure::mesh(self.tiles_of(coord)?).map_err(failed)?;
        let of_class = |class: &Class| {
            let known = measure.costs(&mesh, doors, &class.filter).map_err(failed)?;
            Ok([known, Vec::new()])
        };
        self.hierarchy.classes.iter().map(of_class).collect()
    }

    /// The places of a cluster's doors on its own tiles, in the order of doors. Takes the jumps by the
    /// cluster where they start, and by the cluster where they end.
    fn door_places(
        &self,
        coord: ClusterCoord,
        borders: &BTreeMap<ClusterCoord, OwnBorders>,
        jumps: &[BTreeMap<ClusterCoord, Vec<&Jump>>; 2],
    ) -> Vec<DoorPlace> {
        let Hierarchy { ref grid, ref lattice, .. } = *self.hierarchy;
        let mut places = Vec::new();
        for on in DOOR_SIDES {
            let is_own = matches!(on, side::X_MAX | side::Z_MAX);
            let owner = if is_own { coord } else { coord.across(on) };
            let along_x = usize::from(matches!(on, side::Z_MAX | side::Z_MIN));
            let list = borders.get(&owner).map_or(&[][..], |borders| &borders[along_x]);
            for FoundCrossing { polygons, crossing } in list {
                let place = grid.place_on(coord, 0, on, crossing.along, crossing.height);
                places.push(DoorPlace {
                    polygon: polygons[usize::from(!is_own)],
                    point: world(lattice, place),
                });
            }
        }
        for (end, jumps) in jumps.iter().enumerate() {
            let there = jumps.get(&coord).into_iter().flatten();
            places.extend(there.map(|jump| DoorPlace {
                polygon: jump.polygons[end],
                point: world(lattice, jump.places[end]),
            }));
        }
        places
    }
}

/// Replaces clusters of a level, and all its jumps.
fn replace(level: &mut Level, clusters: BTreeMap<ClusterCoord, Option<Draft>>, jumps: Vec<Jump>) {
    let mut by_block: BTreeMap<ClusterCoord, Vec<(ClusterCoord, Option<Draft>)>> = BTreeMap::new();
    for (coord, draft) in clusters {
        by_block.entry(coord.parent()).or_default().push((coord, draft));
    }
    let mut blocks: BTreeMap<ClusterCoord, Block> =
        std::mem::take(&mut level.blocks).into_iter().map(|block| (block.coord, block)).collect();
    for (coord, changed) in by_block {
        let known = blocks.remove(&coord).map_or(Vec::new(), |block| block.drafts());
        let mut drafts: BTreeMap<ClusterCoord, Draft> =
            known.into_iter().map(|draft| (draft.coord, draft)).collect();
        for (coord, draft) in changed {
            match draft {
                Some(draft) => drafts.insert(coord, draft),
                None => drafts.remove(&coord),
            };
        }
        if !drafts.is_empty() {
            blocks.insert(coord, Block::new(&drafts.into_values().collect::<Vec<_>>()));
        }
    }
    *level = Level::of_blocks(blocks.into_values().collect(), jumps);
}

/// Updates the level above a base whose clusters have changed in part. Returns its own clusters that have
/// really changed.
fn update_above(
    base: &Base<'_>,
    above: &mut Level,
    dirty: &BTreeSet<ClusterCoord>,
) -> BTreeSet<ClusterCoord> {
    let parents: BTreeSet<ClusterCoord> = dirty.iter().map(|coord| coord.parent()).collect();
    let owners =
        parents.iter().flat_map(|coord| [*coord, coord.across(side::X_MIN), coord.across(side::Z_MIN)]);
    let owners: BTreeSet<ClusterCoord> = owners.collect();
    let exists =
        |coord: &ClusterCoord| base.level().blocks.binary_search_by_key(coord, |block| block.coord).is_ok();
    let mut changed = parents;
    for coord in owners {
        let draft = if exists(&coord) { base.cluster_above(coord) } else { Draft::default() };
        let known = above.find(coord);
        for (border, on) in [side::X_MAX, side::Z_MAX].into_iter().enumerate() {
            let list = known.map_or(&[][..], |cluster| above.border(cluster, on));
            let members = known.map_or(&[][..], |cluster| above.members(cluster, on));
            if draft.borders[border] != list || draft.members[border] != members {
                changed.extend([coord, coord.across(on)]);
            }
        }
    }
    let before = above.outlines(&changed);
    let drafts = || changed.iter().map(|coord| (*coord, exists(coord).then(|| base.cluster_above(*coord))));
    let drafts: BTreeMap<ClusterCoord, Option<Draft>> = drafts().collect();
    replace(above, drafts.clone(), base.jumps_above());
    let clusters: Vec<ClusterCoord> = changed.iter().copied().filter(exists).collect();
    let level = &*above;
    let of_cluster = |search: &mut DoorSearch, coord: &ClusterCoord| -> ClassCosts {
        let Some(cluster) = level.find(*coord) else { return Vec::new() };
        (0..base.rates.len()).map(|class| base.costs_above(search, level, cluster, class)).collect()
    };
    let costs: Vec<ClassCosts> = clusters.par_iter().map_init(DoorSearch::default, of_cluster).collect();
    let mut drafts = drafts;
    for (coord, costs) in clusters.iter().zip(costs) {
        if let Some(Some(draft)) = drafts.get_mut(coord) {
            draft.costs = costs;
        }
    }
    let jumps = std::mem::take(&mut above.jumps);
    replace(above, drafts, jumps);
    above.changed_since(&before, &changed)
}
