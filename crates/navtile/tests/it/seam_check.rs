//! Whole sets of tiles: baked tiles fit together, and misfits are reported with their places.

use crate::common::{SIZE, WIDTH, empty, everything, random_tile, square, tile};
use navlevel::bake_tiles;
use navtile::content::Beyond;
use navtile::layout::{OffMeshLink, side};
use navtile::limits::SNAP_LIMIT;
use navtile::seam_check::{LinkFault, SeamFault, SeamReport, check_seams};
use navtile::{Tile, TileContent, TileCoord};
use proptest::prelude::*;
use recast::{PreparedLevel, Silent};

fn built(content: &TileContent) -> Tile {
    Tile::from_bytes(&content.write().unwrap().0).unwrap()
}

/// The tile moved by `x` and `z` tiles, at the same height.
fn moved(mut content: TileContent, x: i32, z: i32) -> TileContent {
    content.coord.x += x;
    content.coord.z += z;
    content.base_cell[0] += i64::from(x * SIZE);
    content.base_cell[2] += i64::from(z * SIZE);
    content
}

/// A polygon along the west border, or the east one, from z to z + length, at these heights; no other
/// portals.
fn patch(on: u8, z: i32, length: i32, [low, high]: [i32; 2]) -> TileContent {
    let (near, far) = if on == side::X_MIN { (0, 512) } else { (WIDTH - 512, WIDTH) };
    let corners = [[near, high, z + length], [far, high, z + length], [far, low, z], [near, low, z]];
    let mut content = tile(&[corners.to_vec()]);
    for edge in content.polygons.iter_mut().flat_map(|polygon| &mut polygon.edges) {
        if edge.beyond != Beyond::Portal(on) {
            edge.beyond = Beyond::Wall;
        }
    }
    content
}

/// A tile to the left with such a square, and one to the right.
fn pair(left: (i32, i32, [i32; 2]), right: (i32, i32, [i32; 2])) -> SeamReport {
    let left = patch(side::X_MAX, left.0, left.1, left.2);
    let right = moved(patch(side::X_MIN, right.0, right.1, right.2), 1, 0);
    check_seams(&[built(&left), built(&right)])
}

/// Fault, tile x, start and length of each exception in cells along the border.
fn summary(report: &SeamReport) -> Vec<(SeamFault, i32, f64, f64)> {
    let cells = |metres: f64| (metres / 0.3 * 100.0).round() / 100.0;
    let exceptions = report.exceptions.iter();
    // The tile's zero is 16 cells below the lattice's.
    exceptions.map(|e| (e.fault, e.tile.x, cells(e.at[2] - 1e6) + 16.0, cells(e.length))).collect()
}

#[test]
fn tiles_of_every_scene_fit_together() {
    let mut seen = 0.0;
    for scene in navscenes::all() {
        let level = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
        for tile_cells in [16, 24, 37, 48, 96] {
            let baked = bake_tiles(&level, tile_cells, &Silent).unwrap();
            let tiles: Vec<Tile> = baked.into_iter().map(|baked| baked.tile).collect();
            let report = check_seams(&tiles);
            let name = scene.name;
            assert_eq!(report.exceptions, [], "{name} in tiles of {tile_cells}");
            assert_eq!(report.matched, report.portals, "{name} in tiles of {tile_cells}");
            assert!(report.seams > 0 || tiles.len() < 2, "{name} in tiles of {tile_cells}");
            seen += report.matched_length;
        }
    }
    assert!(seen > 500.0, "{seen} m of seam");
}

#[test]
fn a_grid_of_tiles_fits_and_its_rim_does_not() {
    // Flat, so that every side equals the opposite one.
    let squares: Vec<_> = (0..16).map(|i| square(i % 4, i / 4, WIDTH / 4, |_, _| 0)).collect();
    let flat = tile(&squares);
    let tiles: Vec<Tile> = (0..9).map(|i| built(&moved(flat.clone(), i % 3, i / 3))).collect();
    let report = check_seams(&tiles);
    assert_eq!((report.seams, report.portals, report.matched), (12, 9 * 16, 12 * 8));
    assert!((report.matched_length - 12.0 * 16.0 * 0.3).abs() < 1e-9, "{}", report.matched_length);
    assert_eq!(report.exceptions.len(), 12 * 4);
    assert!(report.exceptions.iter().all(|e| e.fault == SeamFault::NoTile && e.partner.is_none()));
    assert!(report.exceptions.iter().all(|e| (e.length - 4.0 * 0.3).abs() < 1e-9));
    let first = report.exceptions[0];
    assert_eq!((first.tile, first.side), (TileCoord { x: 2, z: -1, layer: 0 }, side::X_MIN));
    // Base cell (32, 4, -16), lattice at (10, -5, 1e6), cells of 0.3 by 0.2; middle of the first four cells.
    let expected = [10.0 + 32.0 * 0.3, -5.0 + 4.0 * 0.2, 1e6 - 14.0 * 0.3];
    assert!((0..3).all(|axis| (first.at[axis] - expected[axis]).abs() < 1e-6), "{first:?}");
    assert_eq!(check_seams(&[]), SeamReport::default());
}

#[test]
fn equal_portals_match_whatever_the_base_cells() {
    let ground = [(0, 1024, [0, 300]), (512, 1024, [-900, 40])];
    for part in ground {
        let report = pair(part, part);
        assert_eq!((report.seams, report.matched, &report.exceptions[..]), (1, 2, &[][..]));
    }
    let mut right = moved(patch(side::X_MIN, 256, 1024, [512, 512]), 1, 0);
    right.base_cell = [right.base_cell[0], right.base_cell[1] - 2, right.base_cell[2] + 1];
    let report = check_seams(&[built(&patch(side::X_MAX, 512, 1024, [0, 0])), built(&right)]);
    assert_eq!((report.matched, report.exceptions.len()), (2, 0));
}

#[test]
fn other_intervals_are_reported_part_by_part() {
    let report = pair((0, 1024, [0, 0]), (512, 2048, [0, 0]));
    let expected = [
        (SeamFault::NoPartner, 2, 1.0, 2.0),
        (SeamFault::Interval, 2, 3.0, 2.0),
        (SeamFault::Interval, 3, 3.0, 2.0),
        (SeamFault::NoPartner, 3, 7.0, 6.0),
    ];
    assert_eq!(summary(&report), expected);
    assert_eq!((report.matched, report.matched_length), (0, 0.0));
    assert_eq!(report.exceptions[1].partner, Some((TileCoord { x: 3, z: -1, layer: 0 }, 0)));
}

#[test]
fn other_heights_are_reported_with_their_difference() {
    // 128 of 256 per cell of 0.2 m: 0.1 m at the far end.
    let report = pair((0, 1024, [0, 0]), (0, 1024, [0, 128]));
    assert_eq!(report.exceptions.len(), 2);
    for exception in &report.exceptions {
        let SeamFault::Height { by } = exception.fault else { panic!("{exception:?}") };
        assert!((by - 0.1).abs() < 1e-9);
    }
    // The smallest possible difference counts.
    let report = pair((0, 1024, [0, 0]), (0, 1024, [1, 0]));
    assert!(
        matches!(report.exceptions[..], [a, _] if matches!(a.fault, SeamFault::Height { by } if by > 0.0))
    );
    // Above the climb there is no partner.
    let report = pair((0, 1024, [0, 0]), (0, 1024, [1153, 1153]));
    assert_eq!(summary(&report).iter().map(|e| e.0).collect::<Vec<_>>(), [SeamFault::NoPartner; 2]);
}

/// A floor on the left, and on the right two: one at `height` and one half a metre above the left floor.
fn below_a_gallery(height: i32) -> SeamReport {
    let mut right = patch(side::X_MIN, 0, 1024, [height, height]);
    let above = patch(side::X_MIN, 256, 512, [640, 640]);
    let first = right.vertices.len() as u32;
    right.vertices.extend(&above.vertices);
    let mut polygon = above.polygons[0].clone();
    polygon.edges.iter_mut().for_each(|edge| edge.vertex += first);
    right.polygons.push(polygon);
    check_seams(&[built(&patch(side::X_MAX, 0, 1024, [0, 0])), built(&moved(right, 1, 0))])
}

#[test]
fn the_nearest_of_several_partners_counts() {
    let report = below_a_gallery(128);
    let difference = |fault: &SeamFault| {
        let SeamFault::Height { by } = fault else { panic!("{report:?}") };
        (by * 10.0).round()
    };
    let differences: Vec<f64> = report.exceptions.iter().map(|e| difference(&e.fault)).collect();
    assert_eq!((report.matched, differences), (0, vec![1.0, 1.0, 5.0]), "{report:?}");
}

#[test]
fn equal_portals_have_no_third_partner() {
    let report = below_a_gallery(0);
    assert_eq!(report.matched, 2, "the floors are equal");
    let [only] = report.exceptions[..] else { panic!("{report:?}") };
    assert!(only.tile.x == 3 && only.fault == SeamFault::NoPartner, "{only:?}");
}

#[test]
fn layers_are_neighbours_and_tiles_elsewhere_are_not() {
    let left = patch(side::X_MAX, 0, 1024, [0, 0]);
    let mut right = moved(patch(side::X_MIN, 0, 1024, [0, 0]), 1, 0);
    right.coord.layer = 7;
    assert_eq!(check_seams(&[built(&left), built(&right)]).matched, 2);
    // One cell further along x the border is a different one.
    right.base_cell[0] += 1;
    let report = check_seams(&[built(&left), built(&right)]);
    assert_eq!((report.seams, report.exceptions.len()), (0, 2));
    assert!(report.exceptions.iter().all(|e| e.fault == SeamFault::NoTile));
    // At the end of the number range there is no tile beyond.
    let mut last = left;
    last.coord = TileCoord { x: i32::MAX, z: i32::MIN, layer: 0 };
    assert_eq!(check_seams(&[built(&last)]).exceptions.len(), 1);
}

#[test]
fn a_missing_tile_and_missing_ground_are_reported() {
    let level = navscenes::by_name("courtyard").unwrap();
    let level = PreparedLevel::new(&(level.level)(), &(level.settings)()).unwrap();
    let tiles: Vec<Tile> =
        bake_tiles(&level, 48, &Silent).unwrap().into_iter().map(|baked| baked.tile).collect();
    let middle = (0..tiles.len()).max_by_key(|&i| tiles[i].portals().len()).unwrap();
    let mut without = tiles.clone();
    let gone = without.remove(middle);
    let report = check_seams(&without);
    assert_eq!(report.exceptions.len(), gone.portals().len());
    assert!(report.exceptions.iter().all(|e| e.fault == SeamFault::NoTile));
    // With its border polygons removed instead: the same portals, now without partners.
    let mut pruned = tiles;
    let keep = vec![false; gone.polygons().len()];
    pruned[middle] = built(&TileContent::from_tile(&gone).retaining(&keep));
    let report = check_seams(&pruned);
    assert_eq!(report.exceptions.len(), gone.portals().len());
    assert!(report.exceptions.iter().all(|e| e.fault == SeamFault::NoPartner));
    let length: f64 = report.exceptions.iter().map(|e| e.length).sum();
    assert!(length > 1.0, "{length}");
}

/// A link within the tile of [`empty`].
fn link(start: [i32; 3], end: [i32; 3], radius: i32) -> OffMeshLink {
    let TileCoord { x, z, layer } = empty().coord;
    let end_tile = [x, z, layer];
    OffMeshLink { start, end, radius, end_tile, ..everything().off_mesh_links[0] }
}

#[test]
fn an_end_in_a_crowd_is_noted() {
    let mut content = empty();
    // Above each other, and all different.
    let floor = |at: i32| {
        let (low, high) = (1024 - at, 2048);
        vec![[low, 0, 2048], [high, 0, 2048], [high, 0, 1024], [low, 0, 1024]]
    };
    let storeys = tile(&(0..=SNAP_LIMIT as i32).map(floor).collect::<Vec<_>>());
    (content.vertices, content.polygons) = (storeys.vertices, storeys.polygons);
    content.polygons.iter_mut().flat_map(|p| &mut p.edges).for_each(|edge| edge.beyond = Beyond::Wall);
    content.off_mesh_links = vec![link([2078, 0, 1500], [1500, 0, 1500], 50)];
    let notes = check_seams(&[built(&content)]).notes;
    assert!(notes.iter().all(|note| note.fault == LinkFault::Crowded), "{notes:?}");
    assert_eq!(notes.len(), 2);
}

#[test]
fn ends_of_links_need_ground() {
    let mut content = empty();
    let squares = tile(&[square(1, 1, 1024, |_, _| 0)]);
    (content.vertices, content.polygons) = (squares.vertices, squares.polygons);
    content.polygons.iter_mut().flat_map(|p| &mut p.edges).for_each(|edge| edge.beyond = Beyond::Wall);
    let inside = [1500, 0, 1500];
    let faults = |links: &[OffMeshLink]| -> Vec<(bool, LinkFault)> {
        let content = TileContent { off_mesh_links: links.to_vec(), ..content.clone() };
        check_seams(&[built(&content)]).notes.iter().map(|note| (note.is_end, note.fault)).collect()
    };
    assert_eq!(faults(&[link(inside, [1024, 0, 2048], 1)]), []);
    // The square ends at 2048: 30 away along x, and 30 by 40 away from its corner.
    assert_eq!(faults(&[link([2078, 0, 1500], [2078, 0, 2088], 50)]), []);
    let radius = |radius: i32| LinkFault::NoPolygon { radius: f64::from(radius) * 0.3 / 256.0 };
    assert_eq!(faults(&[link([2078, 0, 1500], [2078, 0, 2088], 49)]), [(true, radius(49))]);
    assert_eq!(faults(&[link([2078, 0, 1500], inside, 29)]), [(false, radius(29))]);
    // Heights: the climb is 1152.
    assert_eq!(faults(&[link([1500, 1152, 1500], [1500, -1152, 1500], 9)]), []);
    assert_eq!(
        faults(&[link([1500, 1153, 1500], [1500, -1153, 1500], 9)]),
        [(false, radius(9)), (true, radius(9))]
    );
    // The named tile counts, as at run time, for any position of the end.
    let beside = [-1, 0, 1500];
    assert_eq!(faults(&[link(inside, beside, 5000)]), []);
    let elsewhere = OffMeshLink { end_tile: [1, -1, 0], ..link(inside, inside, 1) };
    assert_eq!(faults(&[elsewhere]), [(true, LinkFault::NoTile)]);
    // Far away is another tile, at another place in the grid.
    let far = [inside[0] + 5 * WIDTH, 0, 1500];
    let away = OffMeshLink { end_tile: [7, -1, 0], ..link(inside, far, 1) };
    let here = TileContent { off_mesh_links: vec![away], ..content.clone() };
    let there = moved(content.clone(), 5, 0);
    assert_eq!(check_seams(&[built(&here), built(&there)]).notes, []);
    let mut other = there.clone();
    other.lattice.cell_size = 0.25;
    assert_eq!(check_seams(&[built(&here), built(&other)]).notes[0].fault, LinkFault::NoTile);
    let notes = check_seams(&[built(&here)]).notes;
    assert_eq!(
        (notes.len(), notes[0].is_end, notes[0].link, notes[0].user_id),
        (1, true, 0, 0x0102_0304_0506_0708)
    );
    let x = 10.0 + (32.0 + (f64::from(inside[0] + 5 * WIDTH)) / 256.0) * 0.3;
    assert!((notes[0].at[0] - x).abs() < 1e-6);
}

proptest! {
    /// For any two neighbours, every part of every portal is either reported exactly once or matched.
    #[test]
    fn every_part_is_reported_once(a in random_tile(), b in random_tile(), along in -9..9i64, rise in -9..9i64) {
        let mut b = moved(b, 1, 0);
        b.base_cell[1] += rise;
        b.base_cell[2] += along;
        let tiles = [&a, &b].map(built);
        let report = check_seams(&tiles);
        let portals = tiles.iter().flat_map(|tile| tile.portals());
        let whole: f64 = portals.map(|portal| f64::from(portal.end - portal.start) * 0.3 / 256.0).sum();
        let reported: f64 = report.exceptions.iter().map(|exception| exception.length).sum();
        prop_assert!((reported + 2.0 * report.matched_length - whole).abs() < 1e-6, "{reported} of {whole}: {report:?}");
        prop_assert!(report.exceptions.iter().all(|exception| exception.fault != SeamFault::OneWay));
        prop_assert_eq!(report.seams, 1);
    }

    /// Tiles in another order give the same findings.
    #[test]
    fn the_order_of_tiles_does_not_count(a in random_tile(), b in random_tile()) {
        let b = moved(b, 0, -1);
        let (ab, ba) = ([&a, &b].map(built), [&b, &a].map(built));
        let (ab, ba) = (check_seams(&ab), check_seams(&ba));
        prop_assert_eq!((ab.matched, ab.portals, ab.exceptions.len()), (ba.matched, ba.portals, ba.exceptions.len()));
        prop_assert!((ab.matched_length - ba.matched_length).abs() < 1e-9);
        prop_assert!(ab.exceptions.iter().all(|exception| ba.exceptions.contains(exception)));
    }
}
