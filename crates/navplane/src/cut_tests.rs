//! Maps in tiles must equal maps in one piece: the same ground, the same islands, and seams that fit.

use super::tests::{assert_sound, cases, corners, heap, map, polygon, rect, star};
use super::*;
use navmath::SplitMix64;
use navtile::AreaId;
use navtile::islands::Islands;
use navtile::limits::SIZE_LIMIT;
use navtile::seam_check::check_seams;
use std::collections::BTreeMap;

/// Cuts a map and checks the rules of every cut.
fn sound(map: &Map, settings: &Settings, cells: u32) -> (TiledMesh, Vec<navtile::Tile>) {
    let cut = cut(map, settings, cells).unwrap();
    for part in &cut.parts {
        assert_sound(&part.mesh);
    }
    let tiles = cut.tiles(settings).unwrap();
    let report = check_seams(&tiles);
    assert!(report.exceptions.is_empty(), "{:?}", report.exceptions);
    assert_eq!(report.matched, report.portals);
    (cut, tiles)
}

/// Cells of a map's spacing that make `count` tiles along its longer side, or one more.
fn cells_for(map: &Map, settings: &Settings, count: u32) -> u32 {
    let grid = Grid::of(map, settings.spacing).unwrap();
    (grid.size[0].max(grid.size[1]).unsigned_abs() / 256 / count).max(1)
}

/// Largest change of area if borders are bent onto the corners that the seams give them: half a spacing's
/// diagonal along all of them. In map units.
fn slack(mesh: &Mesh) -> f64 {
    let mut length = 0.0;
    for polygon in &mesh.polygons {
        let ring = corners(mesh, polygon);
        for (at, &beyond) in polygon.beyond.iter().enumerate() {
            if mesh.polygons.get(beyond as usize).is_none_or(|other| other.area != polygon.area) {
                length += (exact::distance_squared(ring[at], ring[(at + 1) % ring.len()]) as f64).sqrt();
            }
        }
    }
    length * 0.7072 * mesh.grid.spacing * mesh.grid.spacing
}

/// Returns true if the seams bend all ground away. Only slivers may vanish: ground that is no larger than the
/// slack.
fn vanishes(map: &Map, settings: &Settings, cells: u32, whole: &Mesh) -> bool {
    let vanishes = matches!(cut(map, settings, cells), Err(Error::NothingLeft { .. }));
    assert!(!vanishes || whole.area() <= slack(whole), "{} are lost", whole.area());
    vanishes
}

#[test]
fn a_square_is_cut_into_squares() {
    let settings = Settings { spacing: Some(1.0 / 256.0), ..Settings::default() };
    let (cut, tiles) = sound(&map(vec![polygon(rect(-5.0, 1.0, 10.0, 9.0))]), &settings, 4);
    let places: Vec<(i32, i32)> = tiles.iter().map(|tile| (tile.coord().x, tile.coord().z)).collect();
    let expected = [-2, -1, 0, 1].map(|x| [(x, -1), (x, -2), (x, -3)]).concat();
    assert_eq!(places, expected);
    assert_eq!((cut.area(), cut.cells), (90.0, 4));
    assert!(cut.parts.iter().all(|part| part.mesh.polygons.len() == 1));
    let (_, tile) = (&cut.parts[0], &tiles[0]);
    let corners: Vec<[f64; 3]> = tile.vertices().iter().map(|&fixed| tile.to_world(fixed)).collect();
    assert!(corners.contains(&[-5.0, 0.0, -1.0]) && corners.contains(&[-4.0, 0.0, -4.0]), "{corners:?}");
    // Walls along a seam are not portals, and neither are sides without ground beyond.
    let holed = Polygon { outline: rect(0.0, 0.0, 12.0, 4.0), holes: vec![rect(4.0, 1.0, 4.0, 2.0)] };
    let (_, tiles) = sound(&map(vec![holed]), &settings, 4);
    let ends: Vec<(i32, i32)> = tiles[0].portals().iter().map(|p| (p.start, p.end)).collect();
    assert_eq!(ends, [(0, 256), (768, 1024)]);
}

#[test]
fn heaps_of_random_polygons_are_cut() {
    let mut cuts = 0;
    for seed in 0..cases() {
        let mut random = SplitMix64::new(seed ^ 0x711e);
        let map = heap(&mut random);
        let settings = Settings::default();
        let whole = match mesh(&map, &settings) {
            Err(Error::Empty | Error::NothingLeft { .. }) => continue,
            other => other.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
        };
        let cells = cells_for(&map, &settings, 1 + random.below(9) as u32);
        if vanishes(&map, &settings, cells, &whole) {
            continue;
        }
        let (cut, _) = sound(&map, &settings, cells);
        let (expected, found) = (whole.area(), cut.area());
        assert!((expected - found).abs() <= slack(&whole), "seed {seed}: {found}, not {expected}");
        cuts += usize::from(cut.parts.len() > 1);
    }
    assert!(cuts as u64 * 2 > cases(), "{cuts}");
}

#[test]
fn areas_go_on_across_seams() {
    for seed in 0..cases() {
        let mut random = SplitMix64::new(seed ^ 0xa7ea);
        let mut map = heap(&mut random);
        for polygon in heap(&mut random).outlines {
            map.areas.push(AreaPolygon { polygon, area: AreaId(random.below(4) as u8) });
        }
        let settings = Settings::default();
        let whole = match mesh(&map, &settings) {
            Err(Error::Empty | Error::NothingLeft { .. }) => continue,
            other => other.unwrap_or_else(|error| panic!("seed {seed}: {error}")),
        };
        let by_area = |meshes: &[&Mesh]| {
            let mut areas: BTreeMap<u8, f64> = BTreeMap::new();
            for mesh in meshes {
                for polygon in &mesh.polygons {
                    let ring = corners(mesh, polygon);
                    let area = exact::polygon_area2(ring.iter().copied()) as f64 / 2.0
                        * mesh.grid.spacing
                        * mesh.grid.spacing;
                    *areas.entry(polygon.area).or_default() += area;
                }
            }
            areas
        };
        let cells = cells_for(&map, &settings, 2 + random.below(6) as u32);
        if vanishes(&map, &settings, cells, &whole) {
            continue;
        }
        let (cut, _) = sound(&map, &settings, cells);
        let parts: Vec<&Mesh> = cut.parts.iter().map(|part| &part.mesh).collect();
        let (expected, found) = (by_area(&[&whole]), by_area(&parts));
        for area in 0..=u8::MAX {
            let [expected, found] = [&expected, &found].map(|areas| areas.get(&area).copied().unwrap_or(0.0));
            assert!(
                (expected - found).abs() <= slack(&whole),
                "seed {seed}, area {area}: {found}, {expected}"
            );
        }
    }
}

#[test]
fn islands_stay_what_they_are() {
    for seed in 0..cases() / 3 {
        let mut random = SplitMix64::new(seed ^ 0x15);
        let obstacles = (0..30).map(|_| polygon(star(&mut random, [50.0; 2], 50.0, 16.0)));
        let map = Map { obstacles: obstacles.collect(), ..map(vec![polygon(rect(0.0, 0.0, 100.0, 100.0))]) };
        let settings = Settings { agent_radius: random.unit(), ..Settings::default() };
        let Ok(whole) = bake(&map, &settings) else { continue };
        let (_, tiles) = sound(&map, &settings, cells_for(&map, &settings, 5));
        let areas = |tiles: &[navtile::Tile]| -> Vec<f64> {
            let islands = Islands::find(tiles).area2;
            // Smaller ones may be slivers that rounding closes.
            islands.iter().map(|&area2| area2 as f64).filter(|&area2| area2 > 1e6).collect()
        };
        let (expected, found) = (areas(&[whole]), areas(&tiles));
        assert_eq!(expected.len(), found.len(), "seed {seed}");
        let near = expected.iter().zip(&found).all(|(a, b)| (a - b).abs() <= a * 1e-6 + 1e9);
        assert!(near, "seed {seed}: {found:?}, not {expected:?}");
    }
}

#[test]
fn the_order_of_polygons_and_threads_do_not_matter() {
    let settings = Settings { agent_radius: 0.01, ..Settings::default() };
    let bytes = |map: &Map, threads: usize| -> Vec<Vec<u8>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let tiles = pool.install(|| cut(map, &settings, cells_for(map, &settings, 4))?.tiles(&settings));
        tiles.map_or(Vec::new(), |tiles| tiles.iter().map(|tile| tile.bytes().to_vec()).collect())
    };
    for seed in 0..10 {
        let map = heap(&mut SplitMix64::new(seed));
        let mut other = map.clone();
        other.outlines.reverse();
        other.obstacles.iter_mut().for_each(|polygon| polygon.outline.reverse());
        assert!(bytes(&map, 1) == bytes(&other, 8), "seed {seed}");
    }
}

#[test]
fn tiles_too_many_or_too_large_are_refused() {
    let map = map(vec![polygon(rect(0.0, 0.0, 100.0, 100.0))]);
    let settings = Settings::default();
    assert!(matches!(cut(&map, &settings, 0), Err(Error::Settings(_))));
    assert!(matches!(cut(&map, &settings, SIZE_LIMIT + 1), Err(Error::Settings(_))));
    assert!(matches!(cut(&map, &settings, 1), Err(Error::Limit(_))));
    assert_eq!(sound(&map, &settings, SIZE_LIMIT).0.parts.len(), 1);
    let far = Map { outlines: vec![polygon(rect(1e9, 0.0, 1.0, 1.0))], ..Map::default() };
    assert!(matches!(cut(&far, &settings, 1), Err(Error::Limit(_))));
}
