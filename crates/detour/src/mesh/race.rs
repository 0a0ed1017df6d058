//! Searches that take turns. They find out which of several components are connected over the rest of an
//! island, at the cost of the smaller parts.
//! Source: S. Even, Y. Shiloach, An on-line edge-deletion problem (1981).

use super::Inner;
use super::labels::{Component, Labels};
use navmath::Sets;
use std::collections::HashMap;

/// The contacts of examined tiles, by slot: see [`Labels::contacts`].
pub(super) type KnownContacts = HashMap<u32, Vec<(u32, Component)>>;

/// The outcome of a race.
pub(super) struct Race {
    /// The seed of the search that was still running, or the first seed if all searches ended.
    pub(super) kept: usize,
    /// All components that each of the other searches found.
    pub(super) others: Vec<Vec<Component>>,
}

impl Labels {
    /// Searches from several components at once, each within its own island, one step each in turn, until all
    /// searches that are still running have met. `known` keeps the contacts of tiles between races.
    pub(super) fn race(&self, inner: &Inner, known: &mut KnownContacts, seeds: &[Component]) -> Race {
        let mut found: Vec<Vec<Component>> = seeds.iter().map(|seed| vec![*seed]).collect();
        let mut owners: HashMap<Component, usize> =
            seeds.iter().enumerate().map(|(number, seed)| (*seed, number)).collect();
        let mut sets = Sets::new(seeds.len() as u32);
        let mut next = vec![0usize; seeds.len()];
        let mut running: Vec<usize> = (0..seeds.len()).collect();
        while let Some(first) = running.first() {
            let first = sets.root(*first as u32);
            if running.iter().all(|number| sets.root(*number as u32) == first) {
                break;
            }
            for number in &running {
                let component = found[*number][next[*number]];
                next[*number] += 1;
                let tile = known.entry(component.0).or_insert_with(|| self.contacts(inner, component.0));
                let start = tile.partition_point(|contact| contact.0 < component.1);
                let island = self.island(component);
                for (_, other) in tile[start..].iter().take_while(|contact| contact.0 == component.1) {
                    if self.island(*other) != island {
                        continue;
                    }
                    match owners.get(other) {
                        Some(owner) => sets.join(*owner as u32, *number as u32),
                        None => {
                            owners.insert(*other, *number);
                            found[*number].push(*other);
                        }
                    }
                }
            }
            running.retain(|number| next[*number] < found[*number].len());
        }
        // The searches still running have become one. If all have ended, each has seen its whole part, and
        // the first may keep its number.
        let kept = running.first().copied().unwrap_or(0);
        let root = sets.root(kept as u32);
        // Indexed by the root of the set.
        let mut others: Vec<Vec<Component>> = vec![Vec::new(); seeds.len()];
        let mut order = Vec::new();
        for (number, components) in found.into_iter().enumerate() {
            let set = sets.root(number as u32);
            if set != root {
                if set == number as u32 {
                    order.push(set);
                }
                others[set as usize].extend(components);
            }
        }
        let others = order.into_iter().map(|set| std::mem::take(&mut others[set as usize])).collect();
        Race { kept, others }
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::NavMesh;
    use navlevel::bake_tiles;
    use navscenes::build::{Builder, Rect};
    use navtile::{Tile, TileCoord};
    use recast::{PreparedLevel, Settings, Silent};

    const COUNT: i32 = 9;

    /// A floor in a row of tiles along x.
    fn row() -> Vec<Tile> {
        let mut builder = Builder::new();
        builder.floor(Rect { min: [0.0; 2], max: [f64::from(COUNT) * 8.0 * 0.3, 8.0 * 0.3] }, 0.0);
        let level = PreparedLevel::new(&builder.finish(), &Settings::default()).unwrap();
        bake_tiles(&level, 8, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect()
    }

    /// The number of the only island that a tile of the row belongs to.
    fn island(mesh: &NavMesh, x: i32) -> u64 {
        let slot = mesh.inner.index.slot(TileCoord { x, z: 0, layer: 0 }).unwrap();
        let mut islands = mesh
            .polygons()
            .filter(|polygon| polygon.slot() == slot)
            .map(|polygon| mesh.inner.all.of(polygon));
        let first = islands.next().unwrap();
        assert!(islands.all(|island| island == first), "{x}");
        first.unwrap()
    }

    #[test]
    fn the_larger_part_of_an_island_keeps_its_number() {
        let tiles = row();
        assert_eq!(tiles.len(), COUNT as usize);
        for ascends in [true, false] {
            // Slots are given in the order of loading: the smaller part is the first of the seeds, then the
            // last.
            let mut mesh = NavMesh::default();
            let order = |at: usize| if ascends { at } else { tiles.len() - 1 - at };
            for at in 0..tiles.len() {
                mesh.add_tile(tiles[order(at)].clone()).unwrap();
            }
            for (gap, smaller, larger) in [(1, 0..1, 2..9), (7, 8..9, 0..7), (3, 0..3, 4..9)] {
                let before = island(&mesh, 4);
                let coord = TileCoord { x: gap, z: 0, layer: 0 };
                let tile = mesh.remove_tile(coord).unwrap();
                assert!(larger.clone().all(|x| island(&mesh, x) == before), "{gap} is gone, {ascends}");
                let split_off = island(&mesh, smaller.start);
                assert_ne!(split_off, before);
                assert!(smaller.clone().all(|x| island(&mesh, x) == split_off), "{gap} is gone, {ascends}");
                mesh.add_tile(tile).unwrap();
                assert!((0..COUNT).all(|x| island(&mesh, x) == before), "{gap} is back, {ascends}");
            }
        }
    }
}
