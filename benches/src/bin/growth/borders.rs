//! Borders of tiles that many regions meet, and links that are found: between islands, terraces and blocks that agents jump,
//! drop and climb between.

use super::levels::{floor, islands, pillars, settings};
use super::{Family, Member};
use navscenes::build::Builder;
use recast::{Level, LinkKind, LinkProfile, PreparedLevel, Settings, Silent, bake_tiles};
use std::error::Error;

type Made = Result<Member, Box<dyn Error>>;

pub(super) const FAMILIES: [Family; 5] = [
    Family { name: "border/pillars-in-four-tiles", start: 64, make: pillars_in_four },
    Family {
        name: "links/jumps-between-islands",
        start: 100,
        make: |n| linked(n, islands(n), LinkKind::Jump),
    },
    Family { name: "links/drops-down-a-stair", start: 30, make: |n| linked(n, stair(n), LinkKind::Drop) },
    Family { name: "links/climbs-onto-steps", start: 60, make: |n| linked(n, steps(n), LinkKind::Climb) },
    Family { name: "links/jumps-along-a-gap", start: 30, make: |n| linked(n, gap(n), LinkKind::Jump) },
];

/// Pillars in four tiles, however many there are: where these meet, regions between pillars leave vertices that are removed.
fn pillars_in_four(count: usize) -> Made {
    let cells = (6.0 * count.isqrt() as f64 / 0.3).ceil() as u32;
    let level = pillars(count);
    Ok(Member::new(count, move || {
        bake_tiles(&PreparedLevel::new(&level, &settings())?, cells.div_ceil(2), &Silent)?;
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
