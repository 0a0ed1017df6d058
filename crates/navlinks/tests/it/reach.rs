//! The part of the ground that an agent reaches, with links and without.

use super::{Subject, bake};
use navscenes::shooter;
use navtile::graph::local_islands;
use navtile::off_mesh::{global, middle, snap};
use recast::Settings;
use std::collections::BTreeSet;

/// The area of each island of a level in one tile, and the islands that each link leads between.
fn islands(subject: &Subject) -> (Vec<f64>, Vec<[u32; 2]>) {
    let tiles = bake(&subject.prepared(), 0);
    let tile = &tiles[0].tile;
    let local = local_islands(tile);
    let mut areas = vec![0.0; local.iter().max().map_or(0, |&last| last as usize + 1)];
    for (polygon, &island) in tile.polygons().iter().zip(&local) {
        areas[island as usize] += tile.area(|other| std::ptr::eq(other, polygon));
    }
    let mut pairs = Vec::new();
    for link in tile.off_mesh_links() {
        let island =
            |end| local[snap(tile, global(tile, middle(link, end)), link.radius).unwrap().polygon as usize];
        let [a, b] = [link.start, link.end].map(island);
        pairs.push([a, b]);
        if link.direction == 1 {
            pairs.push([b, a]);
        }
    }
    (areas, pairs)
}

/// The islands that links lead to from one island, including that island.
fn reached(pairs: &[[u32; 2]], from: u32) -> BTreeSet<u32> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let next: BTreeSet<u32> =
            pairs.iter().filter(|[a, _]| reached.contains(a)).map(|[_, b]| *b).collect();
        let before = reached.len();
        reached.extend(next);
        if reached.len() == before {
            return reached;
        }
    }
}

/// Number of groups of islands with links; within a group, any place can be reached from any other.
fn groups(islands: usize, pairs: &[[u32; 2]]) -> usize {
    let reached: Vec<BTreeSet<u32>> = (0..islands as u32).map(|island| reached(pairs, island)).collect();
    let is_first = |island: &usize| {
        let leads_back = |other: &usize| {
            reached[*other].contains(&(*island as u32)) && reached[*island].contains(&(*other as u32))
        };
        !(0..*island).any(|other| leads_back(&other))
    };
    (0..islands).filter(is_first).count()
}

/// Shares of the ground that are reached from the largest island on foot, and with links.
fn reach(subject: &Subject) -> [f64; 2] {
    let (areas, pairs) = islands(subject);
    let total: f64 = areas.iter().sum();
    let largest = (0..areas.len()).max_by(|a, b| areas[*a].total_cmp(&areas[*b])).unwrap() as u32;
    let with: f64 = reached(&pairs, largest).iter().map(|island| areas[*island as usize]).sum();
    [areas[largest as usize] / total, with / total]
}

/// Prints the effect of links on the islands of a level; returns the shares of [`reach`].
fn print(subject: &Subject) -> [f64; 2] {
    let (areas, pairs) = islands(subject);
    let [before, after] = reach(subject);
    let groups = groups(areas.len(), &pairs);
    println!(
        "| {} | {} | {groups} | {:.1} % | {:.1} % |",
        subject.name,
        areas.len(),
        100.0 * before,
        100.0 * after
    );
    assert!(groups <= areas.len() && after >= before, "{}: links take nothing away", subject.name);
    [before, after]
}

#[test]
fn jumping_agents_reach_most_of_shooters_levels() {
    for scene in shooter::scenes() {
        let [before, after] = print(&Subject::new(scene.name, (scene.level)(), (scene.settings)()));
        assert!(after >= 0.85 && after > before, "{}: {before} {after}", scene.name);
    }
}

#[test]
fn the_reach_of_jumping_agents_on_public_levels_is_printed() {
    let public = navscenes::public_levels();
    if public.is_empty() {
        println!("skipped: the folder of public levels is missing");
    }
    for (name, level) in public {
        print(&Subject::new(name, level, Settings::default()));
    }
}
