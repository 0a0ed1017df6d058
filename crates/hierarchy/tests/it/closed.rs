//! Closed portals: plans do not lead over them, and all levels are those of a world without them.

use crate::worlds::{TILE, hierarchy, mesh, place, settings, walled, world};
use detour::{NavMesh, Passable, PathStatus, PolyRef, Query, ShortestPath};
use hierarchy::{ClusterCoord, FarPlace, FarPlanner, Hierarchy, Portal};
use navmath::SplitMix64;
use navtile::Tile;
use navtile::layout::side;
use std::collections::BTreeSet;

/// Metres.
const SIDE: f64 = 130.0;

/// All portals of a hierarchy.
fn portals(hierarchy: &Hierarchy) -> Vec<Portal> {
    hierarchy.portals_in([-1e9; 3], [1e9; 3])
}

/// Each portal with a chance of `one_in`.
fn some(random: &mut SplitMix64, portals: &[Portal], one_in: usize) -> BTreeSet<Portal> {
    portals.iter().filter(|_| random.below(one_in) == 0).copied().collect()
}

/// A hierarchy that had the portals closed before it had tiles.
fn built_closed(mesh: &NavMesh, closed: &BTreeSet<Portal>) -> Hierarchy {
    let lattice = mesh.lattice().expect("tiles");
    let mut built = Hierarchy::build(&NavMesh::default(), lattice, TILE, &settings()).expect("a hierarchy");
    assert!(built.set_closed(closed.clone()).is_empty());
    let coords: Vec<_> = mesh.tiles().map(Tile::coord).collect();
    built.update(mesh, &coords).expect("sound tiles");
    built
}

/// The polygons that paths lead to from a polygon, over ground and links, with portals closed.
struct Flood<'a> {
    mesh: &'a NavMesh,
    hierarchy: &'a Hierarchy,
}

impl Flood<'_> {
    fn cluster(&self, polygon: PolyRef) -> ClusterCoord {
        let (tile, _) = self.mesh.tile_of(polygon).expect("a polygon");
        self.hierarchy.grid().cluster_of(tile.coord(), 0)
    }

    /// Returns true if a piece of a segment between two clusters is in no closed portal.
    fn is_open(&self, clusters: [ClusterCoord; 2], segment: [[f64; 3]; 2]) -> bool {
        let mut sorted = clusters;
        sorted.sort_unstable();
        let axis = if sorted[0].x == sorted[1].x { 0 } else { 2 };
        let height = (segment[0][1] + segment[1][1]) / 2.0;
        let closed = self.hierarchy.closed().iter().filter(|portal| portal.clusters() == sorted);
        let ends = closed.filter(|portal| matches!(portal, Portal::Border { .. })).filter_map(|portal| {
            let ends = self.hierarchy.portal_ends(portal)?;
            // Storeys are farther apart, and slopes less steep.
            ((ends[0][1] - height).abs() < 1.5).then(|| ends.map(|end| end[axis]))
        });
        let mut ends: Vec<[f64; 2]> = ends.collect();
        ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let [mut at, end] = [0, 1].map(|end| segment[end][axis]);
        let last = end.max(at);
        at = at.min(end);
        for [from, to] in ends {
            if from > at + 1e-3 {
                break;
            }
            at = at.max(to);
        }
        at < last - 1e-3
    }

    fn is_link_open(&self, ends: [[f64; 3]; 2]) -> bool {
        let is_same = |portal: &Portal| {
            let known = self.hierarchy.portal_ends(portal).unwrap_or([[f64::MAX; 3]; 2]);
            let apart = known.as_flattened().iter().zip(ends.as_flattened()).map(|(a, b)| (a - b).abs());
            matches!(portal, Portal::Link { .. }) && apart.fold(0.0, f64::max) < 0.02
        };
        !self.hierarchy.closed().iter().any(is_same)
    }

    fn neighbours(&self, polygon: PolyRef) -> Vec<PolyRef> {
        let mut links = Vec::new();
        self.mesh.visit_links(polygon, |link| links.push(link)).expect("a polygon");
        let own = self.cluster(polygon);
        let next = links.into_iter().filter_map(|link| {
            if link.edge.is_some() {
                let beyond = self.cluster(link.to);
                let segment = [link.left, link.right].map(|end| self.mesh.to_world(end));
                return (own == beyond || self.is_open([own, beyond], segment)).then_some(link.to);
            }
            let link = self.mesh.off_mesh(link.to).expect("a link");
            let [start, end] = link.ends?;
            let to = if start.polygon == polygon { end.polygon } else { start.polygon };
            let is_led = start.polygon == polygon || link.both_ways;
            let ends = [start, end].map(|end| self.mesh.to_world(end.point));
            (is_led && (own == self.cluster(to) || self.is_link_open(ends))).then_some(to)
        });
        next.collect()
    }

    fn from(&self, start: PolyRef) -> BTreeSet<PolyRef> {
        let (mut known, mut waiting) = (BTreeSet::from([start]), vec![start]);
        while let Some(polygon) = waiting.pop() {
            waiting.extend(self.neighbours(polygon).into_iter().filter(|next| known.insert(*next)));
        }
        known
    }
}

#[test]
fn plans_exist_where_paths_over_open_portals_exist() {
    for (seed, with_links, one_in) in [(31, false, 2), (32, true, 2), (33, true, 3), (34, false, 5)] {
        let mesh = mesh(&world(seed, SIDE, with_links));
        let mut hierarchy = hierarchy(&mesh);
        let all = portals(&hierarchy);
        assert_eq!(all.iter().any(|portal| matches!(portal, Portal::Link { .. })), with_links);
        let (mut query, mut planner, mut random) = (Query::new(), FarPlanner::new(), SplitMix64::new(seed));
        let (mut found, mut cut_off) = (0, 0);
        for _ in 0..8 {
            hierarchy.set_closed(some(&mut random, &all, one_in));
            let flood = Flood { mesh: &mesh, hierarchy: &hierarchy };
            for _ in 0..6 {
                let start = place(&mut random, &mut query, &mesh);
                let reached = flood.from(start.polygon);
                for _ in 0..8 {
                    let goal = place(&mut random, &mut query, &mesh);
                    let ends = [start, goal].map(|place| FarPlace { mesh: &mesh, place });
                    let plan = planner.plan(&hierarchy, 0, ends[0], ends[1]).unwrap();
                    let is_there = reached.contains(&goal.polygon);
                    assert_eq!(plan.is_some(), is_there, "seed {seed}: {start:?} {goal:?}");
                    found += usize::from(is_there);
                    cut_off += usize::from(!is_there);
                    for stops in plan.iter().map(|plan| planner.stops(plan)) {
                        assert!(stops.len() > 1);
                    }
                }
            }
        }
        assert!(found > 20 && cut_off > 20, "seed {seed}: {found} {cut_off}");
    }
}

#[test]
fn all_levels_are_those_built_with_the_portals_closed() {
    for (seed, with_links) in [(41, false), (42, true)] {
        let tiles = world(seed, SIDE, with_links);
        let mut mesh = mesh(&tiles);
        let open = hierarchy(&mesh);
        let mut random = SplitMix64::new(seed);
        let mut changing = open.clone();
        for step in 0..8 {
            let closed = some(&mut random, &portals(&changing), 2 + step);
            let expected: BTreeSet<ClusterCoord> =
                changing.closed().symmetric_difference(&closed).flat_map(Portal::clusters).collect();
            assert_eq!(changing.set_closed(closed.clone()), expected);
            assert!(changing == built_closed(&mesh, &closed), "seed {seed}, step {step}");
            assert_eq!(changing.closed(), &closed);
        }
        let stored = changing.to_bytes();
        assert!(stored == open.to_bytes(), "closed portals are not written");
        changing.set_closed(BTreeSet::new());
        assert!(changing == open);
        // A hierarchy has the same portals after it was stored and read.
        assert_eq!(portals(&Hierarchy::from_bytes(&stored).unwrap()), portals(&open));
        // The set outlives its portals.
        let closed = some(&mut random, &portals(&open), 3);
        changing.set_closed(closed.clone());
        for _ in 0..12 {
            let tile = &tiles[random.below(tiles.len())];
            if mesh.remove_tile(tile.coord()).is_err() {
                mesh.add_tile(tile.clone()).unwrap();
            }
            changing.update(&mesh, &[tile.coord()]).unwrap();
            assert!(changing == built_closed(&mesh, &closed), "seed {seed}");
        }
    }
}

#[test]
fn bounds_hold_the_shortest_path_around_closed_borders() {
    for seed in [51, 52] {
        let tiles: Vec<Tile> = world(seed, SIDE, false).iter().map(|tile| walled(tile, &[])).collect();
        let mesh_open = mesh(&tiles);
        let mut hierarchy = hierarchy(&mesh_open);
        let all = portals(&hierarchy);
        let mut random = SplitMix64::new(seed);
        let borders: BTreeSet<[ClusterCoord; 2]> = all.iter().map(Portal::clusters).collect();
        let borders: BTreeSet<_> = borders.into_iter().filter(|_| random.below(6) == 0).collect();
        hierarchy.set_closed(all.into_iter().filter(|portal| borders.contains(&portal.clusters())).collect());
        let grid = hierarchy.grid();
        let of_tile = |tile: &Tile| {
            let mut sides = Vec::new();
            let coord = tile.coord();
            for (on, dx, dz) in
                [(side::X_MAX, 1, 0), (side::Z_MAX, 0, 1), (side::X_MIN, -1, 0), (side::Z_MIN, 0, -1)]
            {
                let next = navtile::TileCoord { x: coord.x + dx, z: coord.z + dz, ..coord };
                let mut clusters = [coord, next].map(|coord| grid.cluster_of(coord, 0));
                clusters.sort_unstable();
                sides.extend(borders.contains(&clusters).then_some(on));
            }
            walled(tile, &sides)
        };
        let shut = mesh(&tiles.iter().map(of_tile).collect::<Vec<_>>());
        let (mut query, mut planner, mut shortest) =
            (Query::new(), FarPlanner::new(), ShortestPath::default());
        let (mut found, mut missing, mut longer) = (0, 0, 0);
        for _ in 0..150 {
            let [start, goal] = [0; 2].map(|_| place(&mut random, &mut query, &shut));
            let ends = [start, goal].map(|place| FarPlace { mesh: &shut, place });
            let plan = planner.plan(&hierarchy, 0, ends[0], ends[1]).unwrap();
            query.shortest_path(&shut, start, goal, &Passable::default(), &mut shortest).unwrap();
            assert_eq!(plan.is_some(), shortest.status == PathStatus::Complete);
            let Some(plan) = plan else {
                missing += 1;
                continue;
            };
            found += 1;
            let length = shortest.length_from_above;
            longer += usize::from(length > 1.2 * f64::from(start.point.distance(goal.point)));
            let is_held =
                plan.lower <= length * (1.0 + 1e-4) + 1e-4 && length <= plan.upper * (1.0 + 1e-4) + 1e-4;
            assert!(is_held, "seed {seed}: {} {length} {}", plan.lower, plan.upper);
        }
        assert!(found > 40 && missing > 5 && longer > 10, "{found} {missing} {longer}");
    }
}

#[test]
fn portals_are_found_by_the_place_where_they_are() {
    let mesh = mesh(&world(32, SIDE, true));
    let hierarchy = hierarchy(&mesh);
    let all = portals(&hierarchy);
    for portal in &all {
        let ends = hierarchy.portal_ends(portal).unwrap();
        let around = |at: [f64; 3]| {
            hierarchy.portals_in(at.map(|at| at - 0.05), at.map(|at| at + 0.05)).contains(portal)
        };
        assert!(ends.into_iter().all(around), "{portal:?} at {ends:?}");
        let middle = [0, 1, 2].map(|axis| (ends[0][axis] + ends[1][axis]) / 2.0);
        assert!(around(middle) || matches!(portal, Portal::Link { .. }));
        let above = [0, 1].map(|end| ends[end][1]).into_iter().fold(0.0, f64::max) + 1.0;
        let high = hierarchy.portals_in([-1e9, above, -1e9], [1e9; 3]);
        assert!(!high.contains(portal) && high.len() < all.len());
    }
    assert!(hierarchy.portals_in([f64::NAN; 3], [1e9; 3]).is_empty());
    let nowhere = Portal::Link { clusters: [ClusterCoord { x: 90, z: 90 }; 2], places: [[0; 3]; 2] };
    assert_eq!(hierarchy.portal_ends(&nowhere), None);
    let mut closed = hierarchy.clone();
    assert!(closed.set_closed(BTreeSet::from([nowhere])).is_empty());
    assert_eq!(closed.to_bytes(), hierarchy.to_bytes());
}
