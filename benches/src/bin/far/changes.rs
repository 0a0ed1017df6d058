//! Random changes of tiles and portals, each followed by an update, compared with hierarchies built afresh.

use crate::Failed;
use crate::world::World;
use hierarchy::{Hierarchy, HierarchySettings, TileOverlay, Tiles};
use navmath::Lattice;
use navscenes::random::SplitMix64;
use std::time::Instant;

/// The number of changes between two comparisons.
const ROUND: usize = 100;

/// Removes tiles and puts them back, closes portals and opens them. Returns the number of comparisons that
/// found other bytes or another state.
pub(crate) fn check(world: World, count: usize) -> Result<usize, Failed> {
    let World { store, hierarchy: mut updated, .. } = world;
    let meta = store.meta();
    let lattice = Lattice::new(meta.origin, meta.cell[0], meta.cell[1])?;
    let tile_cells = meta.tile_cells;
    let settings = HierarchySettings { classes: updated.classes().to_vec(), ..HierarchySettings::default() };
    let coords = store.coords();
    let portals = updated.portals_in([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
    let mut tiles = TileOverlay::new(store);
    let mut random = SplitMix64::new(17);
    let (mut wrong, mut clusters, mut seconds) = (0, 0, 0.0);
    for change in 1..=count {
        let some = [0; 2].map(|_| coords[random.below(coords.len())]);
        for tile in some {
            // Half of the changes put a tile back, if it is gone.
            if random.below(2) == 0 { tiles.remove(tile) } else { tiles.restore(tile) }
        }
        let start = Instant::now();
        clusters += updated.update(&tiles, &some)?.len();
        seconds += start.elapsed().as_secs_f64();
        if random.below(4) == 0 {
            let mut closed = updated.closed().clone();
            let portal = portals[random.below(portals.len())];
            if !closed.remove(&portal) {
                closed.insert(portal);
            }
            updated.set_closed(closed);
        }
        if change % ROUND == 0 || change == count {
            let mut built = Hierarchy::build(&tiles, lattice, tile_cells, &settings)?;
            built.set_closed(updated.closed().clone());
            wrong += usize::from(built != updated || built.to_bytes() != updated.to_bytes());
        }
    }
    println!("changes                {count}, {clusters} clusters changed; {wrong} comparisons differ");
    println!("  an update of 2 tiles mean {:.2} ms", seconds / count.max(1) as f64 * 1e3);
    Ok(wrong)
}
