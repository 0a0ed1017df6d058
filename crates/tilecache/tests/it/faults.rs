//! Caches whose layers do not fit together: each refusal names the error, and missing data is reported.

use crate::made::cache_of;
use navinterop::tset::{CacheParams, CachedLayer, LayerCells, LayerHeader, LayerSet, StoredLayer};
use tilecache::detour_layers::import;

fn courtyard() -> LayerSet {
    cache_of(&navscenes::by_name("courtyard").unwrap(), 32).set
}

/// The cache with a change to its first layer's header.
fn moved(change: impl Fn(&mut LayerHeader)) -> LayerSet {
    let mut set = courtyard();
    let (mut header, cells) = (*set.layers[0].layer.header(), set.layers[0].layer.cells().unwrap());
    change(&mut header);
    set.layers[0].layer = StoredLayer::new(header, &cells).unwrap();
    set
}

fn refused(set: &LayerSet) -> String {
    import(set).unwrap_err().to_string()
}

#[test]
fn layers_out_of_place_are_refused() {
    assert!(refused(&moved(|header| header.bounds_min[0] += 0.2)).contains("corner along x"));
    assert!(refused(&moved(|header| header.y = 1)).contains("corner along z"));
    assert!(refused(&moved(|header| header.x = i32::MIN)).contains("from the cache's origin"));
    assert!(refused(&moved(|header| header.bounds_min[1] = 1e9)).contains("lowest floor"));
    let mut twice = courtyard();
    twice.layers.push(twice.layers[0].clone());
    assert!(refused(&twice).contains("one layer at a place"));
    let mut crowded = courtyard();
    for layer in 0..40 {
        let (header, cells) = (twice.layers[0].layer.header(), twice.layers[0].layer.cells().unwrap());
        let header = LayerHeader { layer: 100 + layer, ..*header };
        let layer = StoredLayer::new(header, &cells).unwrap();
        crowded.layers.push(CachedLayer { layer_ref: 1, layer });
    }
    assert!(refused(&crowded).contains("at most 32 in a tile"));
    assert!(refused(&LayerSet { layers: Vec::new(), ..courtyard() }).contains("no layers"));
}

#[test]
fn parameters_that_are_no_settings_are_refused() {
    let with = |change: fn(&mut CacheParams)| {
        let mut set = courtyard();
        change(&mut set.cache_params);
        refused(&set)
    };
    assert!(with(|params| params.width = 0).contains("cells of a tile along x"));
    assert!(with(|params| params.height = 256).contains("1 to 255"));
    assert!(with(|params| params.height = 31).contains("at most 32 by 31 cells"));
    assert!(with(|params| params.cell_size = 0.0).contains("cell_size"));
    assert!(with(|params| params.walkable_climb = 9.0).contains("agent.climb"));
    assert!(with(|params| params.max_simplification_error = -1.0).contains("contours.max_error"));
}

#[test]
fn heights_between_cells_are_moved_and_measured() {
    let mut set = courtyard();
    let plain = import(&set).unwrap();
    for cached in &mut set.layers {
        let (mut header, cells) = (*cached.layer.header(), cached.layer.cells().unwrap());
        header.bounds_min[1] += 0.05;
        // Counted from another floor, as some tools do.
        (header.lowest, header.highest) = (0, 200);
        cached.layer = StoredLayer::new(header, &cells).unwrap();
    }
    let moved = import(&set).unwrap();
    assert_eq!(moved.tiles, plain.tiles);
    assert!((moved.largest_error[1] - 0.05).abs() < 1e-4, "{:?}", moved.largest_error);
}

#[test]
fn ground_that_is_missing_is_reported() {
    let mut set = courtyard();
    let all = import(&set).unwrap();
    let gone = *set.layers.remove(0).layer.header();
    let left = import(&set).unwrap();
    assert_eq!(left.tiles.len() + 1, all.tiles.len());
    assert!(left.diagnostics.len() >= 2, "{:?}", left.diagnostics);
    for diagnostic in &left.diagnostics {
        assert!(diagnostic.to_string().contains("steps lead to ground that the file does not have"));
        let away = [diagnostic.coord.x - gone.x, diagnostic.coord.z - gone.y];
        assert_eq!(away.map(i32::abs).iter().sum::<i32>(), 1);
    }
}

#[test]
fn layers_without_ground_are_no_tiles() {
    let params = CacheParams { width: 3, height: 2, ..courtyard().cache_params };
    let cells = LayerCells { heights: vec![255; 6], areas: vec![0; 6], connections: vec![255; 6] };
    let header = LayerHeader {
        bounds_min: params.origin,
        bounds_max: params.origin,
        width: 3,
        height: 2,
        ..LayerHeader::default()
    };
    let layer = CachedLayer { layer_ref: 9, layer: StoredLayer::new(header, &cells).unwrap() };
    let imported = import(&LayerSet { cache_params: params, layers: vec![layer], ..courtyard() }).unwrap();
    assert_eq!((imported.tiles.len(), imported.diagnostics.len(), imported.meta.areas.len()), (0, 0, 0));
}
