//! Scenes imported from a cache have the same polygons as without it.

use crate::made::{Made, cache_of};
use navinterop::tset;
use navtile::islands::Islands;
use navtile::{NavFile, Tile};
use tilecache::detour_layers::{ImportedLayers, import};

fn imported(made: &Made) -> ImportedLayers {
    let bytes = tset::write(&made.set).unwrap();
    import(&tset::read(&bytes).unwrap()).unwrap()
}

/// Corners of all polygons seen from above, and their areas, in an order that does not depend on heights.
fn outlines(tile: &Tile) -> Vec<(Vec<[i32; 2]>, u8)> {
    let corner = |vertex: u32| {
        let [x, _, z] = tile.vertices()[vertex as usize];
        [x, z]
    };
    let outline = |polygon| tile.polygon_edges(polygon).iter().map(|edge| corner(edge.vertex)).collect();
    let mut outlines: Vec<_> =
        tile.polygons().iter().map(|polygon| (outline(polygon), polygon.area)).collect();
    outlines.sort_unstable();
    outlines
}

#[test]
fn scenes_come_out_as_they_are_without_a_cache() {
    let (mut count, mut other) = (0, 0);
    for scene in navscenes::all() {
        // Tiles narrower than their border take much time, so only a small scene has some.
        for side in if scene.name == "two_rooms" { [2, 7, 32] } else { [20, 32, 48] } {
            let made = cache_of(scene, side);
            let ImportedLayers { meta, tiles, diagnostics, largest_error } = imported(&made);
            let what = format!("{} in tiles of {side}", scene.name);
            assert_eq!(diagnostics, [], "{what}");
            assert!(largest_error.iter().all(|&metres| metres < 1e-5), "{what}: {largest_error:?}");
            assert_eq!(tiles.len(), made.tiles.len(), "{what}");
            for (tile, plain) in tiles.iter().zip(&made.tiles) {
                assert_eq!(tile.coord(), plain.coord(), "{what}");
                // Outlines are simplified by the heights along them.
                if made.raised.contains(&tile.coord()) && outlines(tile) != outlines(plain) {
                    other += 1;
                } else {
                    assert_eq!(outlines(tile), outlines(plain), "{what}");
                }
            }
            count += tiles.len();
            let [ours, plain] = [&tiles, &made.tiles].map(|tiles| Islands::find(tiles).area2);
            assert_eq!(ours.len(), plain.len(), "{what}");
            assert!(ours == plain || !made.raised.is_empty(), "{what}: {ours:?}, {plain:?}");
            let file = NavFile::open(navtile::write_file(&meta, &tiles).unwrap()).unwrap();
            assert_eq!(file.meta().tile_cells, side);
        }
    }
    assert!(other * 200 < count, "{other} of {count} tiles have other outlines");
}

#[test]
fn metadata_is_that_of_the_cache() {
    let scene = navscenes::by_name("courtyard").unwrap();
    let ImportedLayers { meta, .. } = imported(&cache_of(&scene, 32));
    let settings = (scene.settings)();
    assert_eq!(meta.cell, [settings.cell_size, settings.cell_height]);
    let agent = [meta.agent.radius, meta.agent.height, meta.agent.climb, meta.agent.slope];
    assert_eq!(agent, [settings.agent_radius, settings.agent_height, settings.agent_climb, 0.0]);
    assert_eq!((meta.tile_cells, meta.geometry_digest), (32, [0; 16]));
    assert_eq!(meta.settings.region_min_area, 0.0);
    let areas: Vec<(u8, &str)> = meta.areas.iter().map(|area| (area.id, area.name.as_str())).collect();
    assert!(areas.contains(&(63, "ground")) && areas.len() > 1, "{areas:?}");
}
