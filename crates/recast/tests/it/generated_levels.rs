//! Generated levels: for any triangles, the bake ends, every result is sound, and no ground is lost between
//! contours and polygons.
//!
//! `navscenes::generated` makes the levels and says how to choose others.

use navscenes::generated::{each_outlines, each_seed, level, settings, volumes};
use navscenes::random::SplitMix64;
use recast::data::PolyMesh;
use recast::{DiagnosticKind, Outlines, PreparedLevel, Scratch, Settings, Silent, TileBuild};
use recast::{Snapshot, bake_tapped};
use recast::{bake_solo, bake_tile};
use std::collections::BTreeMap;

/// Twice the area by region of contours, without holes, and of polygons.
#[derive(Default)]
struct Areas {
    contours: BTreeMap<usize, i128>,
    polygons: BTreeMap<usize, i128>,
}

fn check(snapshot: Snapshot<'_>, areas: &mut Areas, mesh: &mut Option<PolyMesh>) {
    match snapshot {
        Snapshot::Rasterized(spans) => spans.check(),
        Snapshot::ObstaclesDone(spans) => spans.check(),
        Snapshot::LedgesDone(spans) => spans.check(),
        Snapshot::Filtered(spans) => spans.check(),
        Snapshot::Compacted(field) => field.check(),
        Snapshot::Eroded(field) | Snapshot::Marked(field) => field.check(),
        Snapshot::Distance(distance) => distance.check(),
        Snapshot::Regions(regions) => regions.check(),
        Snapshot::RawContours(raw) => raw.check(),
        Snapshot::Simplified(simplified) => {
            // Outlines that cross are traced again, moved less.
            areas.contours.clear();
            for contour in &simplified.contours {
                *areas.contours.entry(contour.region.index()).or_default() += contour.area2();
            }
            simplified.check()
        }
        Snapshot::Contours(contours) => contours.check(),
        Snapshot::PolyMesh(polygons) => {
            for polygon in &polygons.polygons {
                let region = polygon.region.map_or(0, |region| region.index());
                *areas.polygons.entry(region).or_default() += polygons.polygon_area2(polygon);
            }
            *mesh = Some(polygons.clone());
            polygons.check()
        }
        Snapshot::DetailMesh(detail) => detail.check(mesh.as_ref().unwrap()),
    }
    .unwrap();
}

fn bake(seed: u64) {
    each_outlines(|outlines| bake_with(seed, outlines, false));
}

fn bake_with(seed: u64, outlines: Outlines, has_volumes: bool) {
    let mut random = SplitMix64::new(seed);
    let (level, mut settings) = (level(&mut random), Settings { outlines, ..settings(&mut random) });
    if has_volumes {
        settings.volumes = volumes(&level, &mut random);
    }
    let prepared = PreparedLevel::new(&level, &settings).unwrap();
    let tiled = random.next_u64().is_multiple_of(4);
    let build = if tiled {
        let coord = navtile::TileCoord { x: 0, z: 0, layer: 0 };
        TileBuild::tiled(&prepared, 32, coord).unwrap()
    } else {
        TileBuild::solo(&prepared)
    };
    let (mut areas, mut mesh) = (Areas::default(), None);
    let mut tap = |snapshot: Snapshot<'_>| check(snapshot, &mut areas, &mut mesh);
    let baked = bake_tapped(&prepared, &build, &Silent, &mut Scratch::new(), &mut tap).unwrap();
    let plain = if tiled {
        bake_tile(&prepared, 32, build.coord, &Silent, &mut Scratch::new())
    } else {
        bake_solo(&prepared, &Silent, &mut Scratch::new())
    };
    assert!(plain.unwrap().tile.bytes() == baked.tile.bytes(), "what nobody watches comes out otherwise");
    let lost = |kind| {
        matches!(
            kind,
            DiagnosticKind::BadTriangulation | DiagnosticKind::BadOutline | DiagnosticKind::UnmergedHole
        )
    };
    let faults: Vec<_> = baked.diagnostics.iter().filter(|d| lost(d.kind)).collect();
    assert!(faults.is_empty(), "{faults:?}");
    areas.contours.retain(|_, area| *area != 0);
    areas.polygons.retain(|_, area| *area != 0);
    if tiled {
        // Removing border vertices may join polygons of several regions.
        assert_eq!(areas.contours.values().sum::<i128>(), areas.polygons.values().sum::<i128>());
    } else {
        assert_eq!(areas.contours, areas.polygons);
    }
}

#[test]
fn a_cliff_in_a_region_that_another_continues_bakes() {
    // The watershed of this level has a region with a slit next to another region.
    bake(65_862);
}

#[test]
fn outlines_stay_at_the_cells_of_their_region() {
    // The wall lines behind a single cell of this level cross two cells away from it.
    bake(4_113);
}

#[test]
fn generated_levels_bake_soundly() {
    each_seed(200, "do not bake soundly", bake);
}

#[test]
fn generated_levels_with_volumes_bake_soundly() {
    each_seed(200, "do not bake soundly", |seed| {
        each_outlines(|outlines| bake_with(seed, outlines, true));
    });
}
