//! Measure 3, connectivity: components of floors and islands of polygons, baked whole and in tiles.
//! Units: cells. Cost: O(floors log floors).
//!
//! Both bakes are compared by their common floors, which have the same place in each.

use super::ground::Ground;
use super::worst::Spot;
use std::collections::{BTreeMap, BTreeSet};

/// A label for each floor: a component, or the island of the polygon over it.
pub type Labels = Vec<Option<u32>>;

/// Differences between components of floors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// Components of the whole bake.
    pub solo: usize,
    /// Components of the tiled bake.
    pub tiled: usize,
    /// Components of either bake without an equal in the other.
    pub differing: usize,
    /// Walkable floors of either that the other does not have.
    pub floors_differing: usize,
    /// Steps over a seam that end on no floor of the next tile.
    pub broken_steps: usize,
}

/// Compares the components of walkable floors.
pub fn components(solo: &Ground, tiled: &Ground) -> Components {
    let (a, b) = (solo.components(), tiled.components());
    let count = |labels: &Labels| labels.iter().flatten().max().map_or(0, |&label| label as usize + 1);
    let overlaps = overlaps(solo, &a, tiled, &b);
    let shared: usize = overlaps.values().sum();
    let floors = |labels: &Labels| labels.iter().flatten().count();
    let sizes = |labels: &Labels| {
        let mut sizes = vec![0; count(labels)];
        labels.iter().flatten().for_each(|&label| sizes[label as usize] += 1);
        sizes
    };
    let (sizes_a, sizes_b) = (sizes(&a), sizes(&b));
    let equal = overlaps
        .iter()
        .filter(|&(&(a, b), &common)| sizes_a[a as usize] == common && sizes_b[b as usize] == common);
    Components {
        solo: count(&a),
        tiled: count(&b),
        differing: count(&a) + count(&b) - 2 * equal.count(),
        floors_differing: floors(&a) + floors(&b) - 2 * shared,
        broken_steps: tiled.broken_steps,
    }
}

/// Number of floors that each pair of labels has in common.
fn overlaps(one: &Ground, a: &Labels, other: &Ground, b: &Labels) -> BTreeMap<(u32, u32), usize> {
    let mut overlaps = BTreeMap::new();
    for (span, label) in one.spans.iter().zip(a) {
        let Some(label) = *label else { continue };
        let twin = other.find(span.x, span.z, span.floor).and_then(|index| b[index]);
        if let Some(twin) = twin {
            *overlaps.entry((label, twin)).or_insert(0) += 1;
        }
    }
    overlaps
}

/// The islands of a mesh, by the floors under them.
#[derive(Clone, Copy, Debug)]
pub struct Islands<'a> {
    /// The floors.
    pub ground: &'a Ground,
    /// The island over each.
    pub labels: &'a Labels,
    /// Area of each island, cells squared.
    pub areas: &'a [f64],
}

/// The fate of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The tiled mesh has no island there.
    Missing,
    /// Only the tiled mesh has it.
    Extra,
    /// The tiled mesh has several there.
    Split,
    /// In the tiled mesh it is joined with others.
    Joined,
    /// In the tiled mesh it is below the minimum size.
    Shrunk,
    /// In the whole mesh it is below the minimum size.
    Grown,
}

impl Change {
    /// Name of the change.
    pub fn name(self) -> &'static str {
        match self {
            Change::Missing => "missing",
            Change::Extra => "extra",
            Change::Split => "split",
            Change::Joined => "joined",
            Change::Shrunk => "too small in tiles",
            Change::Grown => "too small as a whole",
        }
    }
}

/// Differences between islands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IslandChanges {
    /// Islands of at least the minimum size, baked whole.
    pub solo: usize,
    /// Islands of at least the minimum size, baked in tiles.
    pub tiled: usize,
    /// Every difference; value: the island's area, cells squared.
    pub changes: Vec<(Change, Spot)>,
}

/// Compares the islands of at least `least` cells squared.
pub fn compare(solo: Islands<'_>, tiled: Islands<'_>, least: f64) -> IslandChanges {
    let overlaps = overlaps(solo.ground, solo.labels, tiled.ground, tiled.labels);
    let mut changes = Vec::new();
    let mut one_way =
        |from: &Islands<'_>, to: &Islands<'_>, swapped: bool, [none, small, many]: [Change; 3]| {
            let mut beyond: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for &(a, b) in overlaps.keys() {
                let (own, other) = if swapped { (b, a) } else { (a, b) };
                beyond.entry(own).or_default().insert(other);
            }
            let large = |area: &f64| *area >= least;
            for (island, &area) in from.areas.iter().enumerate().filter(|(_, area)| large(area)) {
                let met = beyond.get(&(island as u32));
                let large_met =
                    met.map_or(0, |met| met.iter().filter(|&&i| large(&to.areas[i as usize])).count());
                let change = match (met, large_met) {
                    (None, _) => none,
                    (_, 0) => small,
                    (_, 1) => continue,
                    _ => many,
                };
                changes.push((change, Spot { value: area, cells: place(from, island as u32) }));
            }
        };
    one_way(&solo, &tiled, false, [Change::Missing, Change::Shrunk, Change::Split]);
    one_way(&tiled, &solo, true, [Change::Extra, Change::Grown, Change::Joined]);
    let count = |islands: &Islands<'_>| islands.areas.iter().filter(|&&area| area >= least).count();
    IslandChanges { solo: count(&solo), tiled: count(&tiled), changes }
}

/// The middle of the list of an island's floors; the lattice's zero if it is over no floor.
fn place(islands: &Islands<'_>, island: u32) -> [f64; 3] {
    let own: Vec<usize> = (0..islands.labels.len()).filter(|&i| islands.labels[i] == Some(island)).collect();
    own.get(own.len() / 2).map_or([0.0; 3], |&index| {
        let span = &islands.ground.spans[index];
        [f64::from(span.x) + 0.5, f64::from(span.floor), f64::from(span.z) + 0.5]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::testing::room;

    #[test]
    fn the_same_ground_has_the_same_components() {
        let ground = room("##.##\n##.##", 2);
        let found = components(&ground, &ground);
        assert_eq!(found, Components { solo: 2, tiled: 2, ..Components::default() });
    }

    #[test]
    fn a_seam_that_does_not_connect_is_seen() {
        let (solo, mut tiled) = (room("####\n####", 2), room("####\n####", 2));
        // Between columns 1 and 2.
        for (span, steps) in tiled.spans.iter().zip(&mut tiled.neighbours) {
            match span.x {
                1 => steps[2] = recast::data::NO_NEIGHBOUR,
                2 => steps[0] = recast::data::NO_NEIGHBOUR,
                _ => {}
            }
        }
        let found = components(&solo, &tiled);
        assert_eq!((found.solo, found.tiled, found.differing, found.floors_differing), (1, 2, 3, 0));
    }

    #[test]
    fn a_floor_too_many_is_seen() {
        let found = components(&room("##.##\n##.##", 2), &room("##.##\n##.#.", 2));
        assert_eq!((found.differing, found.floors_differing), (2, 1));
    }

    fn changes(solo: &str, tiled: &str, areas: [&[f64]; 2]) -> Vec<(Change, f64)> {
        // Islands are drawn as letters, floors without one as dots.
        let read = |picture: &str| -> (Ground, Labels) {
            let ground = room(&picture.replace(|c: char| c != '\n', "#"), 2);
            let labels = picture.bytes().filter(|&c| c != b'\n');
            (ground, labels.map(|c| (c != b'.').then(|| u32::from(c - b'a'))).collect())
        };
        let ((ground, labels), (other, other_labels)) = (read(solo), read(tiled));
        let found = compare(
            Islands { ground: &ground, labels: &labels, areas: areas[0] },
            Islands { ground: &other, labels: &other_labels, areas: areas[1] },
            5.0,
        );
        found.changes.into_iter().map(|(change, spot)| (change, spot.value)).collect()
    }

    #[test]
    fn islands_go_missing_split_and_join() {
        assert_eq!(changes("aaab", "bbba", [&[9.0, 6.0], &[6.0, 9.0]]), []);
        assert_eq!(changes("aaab", "aaa.", [&[9.0, 6.0], &[9.0]]), [(Change::Missing, 6.0)]);
        assert_eq!(changes("aa..", "aabb", [&[9.0], &[9.0, 7.0]]), [(Change::Extra, 7.0)]);
        assert_eq!(changes("aaaa", "aabb", [&[9.0], &[5.0, 5.0]]), [(Change::Split, 9.0)]);
        assert_eq!(changes("aabb", "aaaa", [&[5.0, 5.0], &[9.0]]), [(Change::Joined, 9.0)]);
    }

    #[test]
    fn small_islands_do_not_count() {
        assert_eq!(changes("aaab", "aaa.", [&[9.0, 4.0], &[9.0]]), []);
        assert_eq!(changes("aaaa", "aaab", [&[9.0], &[9.0, 1.0]]), []);
        // On either side of the limit the same island is a difference.
        assert_eq!(changes("aa..", "aa..", [&[5.1], &[4.9]]), [(Change::Shrunk, 5.1)]);
        assert_eq!(changes("aa..", "aa..", [&[4.9], &[5.1]]), [(Change::Grown, 5.1)]);
    }
}
