//! Kept spans: tiles baked from them are tiles baked from triangles.

use recast::{Error, KeptSpans, PreparedLevel, Scratch, Settings, Silent, Tiling, bake_kept};

/// Bakes all tiles of a scene from triangles, and from kept spans that went through their bytes.
fn compare(name: &str, settings: &Settings, tile_cells: u32) {
    let scene = navscenes::by_name(name).unwrap();
    let level = PreparedLevel::new(&(scene.level)(), settings).unwrap();
    let levels = [level];
    let tiling = Tiling::for_agents(&levels, tile_cells).unwrap();
    let mut scratch = Scratch::new();
    let (mut spans, mut bytes, mut columns) = (0, 0, 0);
    for coord in tiling.coords() {
        let plain = tiling.bake(coord, &Silent, &mut scratch).unwrap();
        let mut kept = None;
        tiling
            .bake_agents_kept(&[0], coord, &Silent, &mut Scratch::new(), |_, baked, spans| {
                assert_eq!(baked.tile.bytes(), plain.tile.bytes(), "{name} {coord:?}");
                kept = Some(spans);
                Ok::<(), Error>(())
            })
            .unwrap();
        let kept = kept.unwrap();
        let build = tiling.build(0, coord).unwrap();
        let packed = kept.pack();
        let read = KeptSpans::unpack(&packed, &build).unwrap();
        assert_eq!(read, kept, "{name} {coord:?}");
        let without = PreparedLevel::without_triangles(
            settings,
            levels[0].lattice.origin,
            levels[0].size,
            levels[0].height,
        );
        let again = bake_kept(&read, &without.unwrap(), &build, &[], &Silent, &mut scratch).unwrap();
        assert_eq!(again.tile.bytes(), plain.tile.bytes(), "{name} {coord:?}");
        assert_eq!(again.island_cells, plain.island_cells);
        spans += kept.len();
        bytes += packed.len();
        columns += kept.columns();
    }
    assert!(bytes < columns + 4 * spans, "{name}: {spans} spans of {columns} columns take {bytes} bytes");
}

#[test]
fn tiles_baked_from_kept_spans_are_those_baked_from_triangles() {
    for scene in navscenes::all() {
        let settings = (scene.settings)();
        for tile_cells in [0, 48, 17] {
            compare(scene.name, &settings, tile_cells);
        }
    }
}
