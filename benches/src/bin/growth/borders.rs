//! What tiles have along their borders, and links that are found: ground that many regions meet the border of, ledges, storeys
//! and walls that agents jump, drop and climb between.

use super::levels::{floor, islands, pillars, settings};
use super::{Family, Member};
use navscenes::build::Builder;
use recast::{Level, LinkKind, LinkProfile, PreparedLevel, Settings, Silent, bake_tiles};
use std::error::Error;

type Made = Result<Member, Box<dyn Error>>;

pub(super) const FAMILIES: [Family; 6] = [
    Family { name: "border/pillars-along-a-tile", start: 100, make: pillars_along },
    Family { name: "border/pillars-in-few-tiles", start: 64, make: pillars_in_four },
    Family {
        name: "links/jumps-between-islands",
        start: 100,
        make: |n| linked(n, islands(n), LinkKind::Jump),
    },
    Family { name: "links/drops-down-a-stair", start: 30, make: |n| linked(n, stair(n), LinkKind::Drop) },
    Family { name: "links/climbs-onto-steps", start: 60, make: |n| linked(n, steps(n), LinkKind::Climb) },
    Family { name: "links/jumps-along-a-gap", start: 30, make: |n| linked(n, gap(n), LinkKind::Jump) },
];

/// A long floor that pillars stand on from end to end, in two tiles as long as it: where they meet, each pillar on the seam is
/// walked around.
fn pillars_along(count: usize) -> Made {
    let (mut builder, length) = (Builder::new(), 3.0 * count as f64);
    let seam = (length / 0.3).ceil() * 0.3;
    floor(&mut builder, [0.0, seam - 6.0], [length, 12.0], 0.0);
    for x in (0..count).map(|at| 3.0 * at as f64) {
        builder.block([x + 1.0, -1.0, seam - 2.5], [x + 2.0, 3.0, seam - 0.5]);
        builder.block([x + 0.4, -1.0, seam + 1.0], [x + 1.4, 3.0, seam + 2.0]);
    }
    tiled(count, builder.finish(), (length / 0.3).ceil() as u32)
}

/// Pillars in four tiles, however many there are.
fn pillars_in_four(count: usize) -> Made {
    let cells = (6.0 * count.isqrt() as f64 / 0.3).ceil() as u32;
    tiled(count, pillars(count), cells.div_ceil(2))
}

fn tiled(size: usize, level: Level, tile_cells: u32) -> Made {
    Ok(Member::new(size, move || {
        bake_tiles(&PreparedLevel::new(&level, &settings())?, tile_cells, &Silent)?;
        Ok(())
    }))
}

/// A level in tiles whose links are found.
fn linked(size: usize, level: Level, kind: LinkKind) -> Made {
    let settings = Settings { links: vec![LinkProfile::new(kind)], ..settings() };
    Ok(Member::new(size, move || {
        tilecache::bake_dynamic(&PreparedLevel::new(&level, &settings)?, 32, &[])?;
        Ok(())
    }))
}

/// Terraces two metres below each other.
fn stair(count: usize) -> Level {
    let mut builder = Builder::new();
    for at in 0..count {
        let along = 3.0 * at as f64;
        floor(&mut builder, [along, 0.0], [3.0, 3.0], -2.0 * along / 3.0);
    }
    builder.finish()
}

/// Blocks in rows on a floor, each as high as a person climbs.
fn steps(count: usize) -> Level {
    let (mut builder, length) = (Builder::new(), 5.0 * count as f64);
    floor(&mut builder, [0.0; 2], [length, 6.0], 0.0);
    for x in (0..count).map(|at| 5.0 * at as f64) {
        builder.block([x + 1.0, -1.0, 1.5], [x + 4.0, 1.0, 4.5]);
    }
    builder.finish()
}

/// Two floors along a gap, a way around at neither end.
fn gap(count: usize) -> Level {
    let (mut builder, length) = (Builder::new(), 6.0 * count as f64);
    for z in [0.0, 4.5] {
        floor(&mut builder, [0.0, z], [length, 3.0], 0.0);
    }
    builder.finish()
}
