//! Seams of generated levels: both sides of each have the same portals, and these lead exactly to the same
//! places as the floors.
//!
//! `NAVTILE_LEVELS` sets the number of levels that are baked and `NAVTILE_SEED` the first seed; the defaults
//! are quick.

mod cases;
mod ground;
pub(crate) mod levels;

use ground::{Ground, Seams};
use navlevel::Tiling;
use navlevel::prune_islands;
use navscenes::generated::{each_outlines, each_seed, volumes};
use navscenes::random::SplitMix64;
use navtile::Tile;
use navtile::seam_check::check_seams;
use recast::Snapshot;
use recast::{Baked, Level, Outlines, Partition, PreparedLevel, Scratch, Settings, Silent, bake_tapped};

/// Bakes a level in tiles, as the program does, and compares all seams with each other and with the floors.
fn check(level: &PreparedLevel, tile_cells: u32) -> Vec<Tile> {
    let tiling = Tiling::new(level, tile_cells).unwrap();
    let (mut baked, mut ground, mut scratch) = (Vec::new(), Ground::default(), Scratch::new());
    for coord in tiling.coords() {
        let build = tiling.build(0, coord).unwrap();
        let mut tap = |snapshot: Snapshot<'_>| {
            if let Snapshot::Regions(regions) = snapshot {
                ground.add(coord, regions);
            }
        };
        baked.push(bake_tapped(level, &build, &Silent, &mut scratch, &mut tap).unwrap());
    }
    let tiles = |baked: &[Baked]| baked.iter().map(|baked| baked.tile.clone()).collect::<Vec<_>>();
    let whole = tiles(&baked);
    check_equal(&whole, "as baked");
    // Edges of volumes cut cells in two, and so do exact ones of areas.
    let settings = &level.config.settings;
    if settings.volumes.is_empty() && (settings.outlines == Outlines::Cells || level.areas().len() < 2) {
        Seams::of(&whole).check(&ground);
    }
    prune_islands(level, tile_cells, &mut baked).unwrap();
    let pruned = tiles(&baked);
    check_equal(&pruned, "with small islands dropped");
    pruned
}

/// Both sides of each seam have the same portals.
fn check_equal(tiles: &[Tile], when: &str) {
    let report = check_seams(tiles);
    assert_eq!(report.exceptions, [], "{when}");
    assert_eq!(report.matched, report.portals, "{when}");
}

pub(crate) fn settings(random: &mut SplitMix64) -> Settings {
    let mut pick = |values: &[f64]| values[random.next_u64() as usize % values.len()];
    let cell_size = pick(&[0.1, 0.2, 0.3]);
    let agent_height = pick(&[1.0, 2.0]);
    Settings {
        cell_size,
        cell_height: pick(&[0.1, 0.2]),
        partition: Partition::NAMES[pick(&[0.0, 1.0, 2.0]) as usize].1,
        max_vertices: pick(&[3.0, 6.0, 6.0]) as u32,
        agent_radius: pick(&[0.0, 1.0, 2.0]) * cell_size,
        agent_height,
        // Floors one height apart cannot have corners at one place up to half of it.
        agent_climb: pick(&[0.2, 0.35, 0.5]) * agent_height,
        agent_slope: pick(&[45.0, 60.0]),
        region_min_area: [None, Some(0.0)][pick(&[0.0, 1.0]) as usize],
        region_merge_area: [None, Some(0.0), Some(1e4)][pick(&[0.0, 1.0, 2.0]) as usize],
        max_edge_length: pick(&[0.0, 2.0, 12.0]),
        contour_max_error: [None, Some(0.0), Some(cell_size * 6.0)][pick(&[0.0, 0.0, 1.0, 2.0]) as usize],
        split_areas: pick(&[0.0, 1.0]) > 0.0,
        // Height samples cost most and are tested elsewhere.
        detail_sample_distance: Some(0.0),
        ..Settings::default()
    }
}

fn bake(seed: u64) {
    each_outlines(|outlines| bake_with(seed, outlines, false));
}

fn bake_with(seed: u64, outlines: Outlines, has_volumes: bool) {
    let mut random = SplitMix64::new(seed);
    let mut settings = Settings { outlines, ..settings(&mut random) };
    let tile_cells = [8, 11, 16, 21][random.next_u64() as usize % 4];
    let side = f64::from(tile_cells) * random.between(1.2, 3.2) * settings.cell_size;
    let level: Level = levels::any(side, &settings, &mut random);
    if has_volumes {
        settings.volumes = volumes(&level, &mut random);
    }
    check(&PreparedLevel::new(&level, &settings).unwrap(), tile_cells);
}

// A wall within a region ends at a border. Its two corners there differ only in height, and the polygon
// between them had no area, but a portal.
#[test]
fn a_slit_that_ends_at_a_border_leaves_the_portals_beside_it() {
    bake(83_559);
}

// The ends of portals moved past the edges of volumes next to them.
#[test]
fn volumes_at_a_border_leave_the_portals_beside_them() {
    for seed in [30_504, 40_092, 40_591, 40_667] {
        bake_with(seed, Outlines::Exact, true);
    }
}

#[test]
fn seams_of_scenes_are_sound() {
    for scene in navscenes::all() {
        each_outlines(|outlines| {
            let settings = Settings { outlines, ..(scene.settings)() };
            let level = PreparedLevel::new(&(scene.level)(), &settings).unwrap();
            for tile_cells in [16, 37] {
                check(&level, tile_cells);
            }
        });
    }
}

#[test]
fn seams_of_generated_levels_are_sound() {
    each_seed(300, "have unsound seams", bake);
}

#[test]
fn seams_of_generated_levels_with_volumes_are_sound() {
    each_seed(200, "have unsound seams", |seed| {
        each_outlines(|outlines| bake_with(seed, outlines, true));
    });
}
