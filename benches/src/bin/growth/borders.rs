//! Borders of tiles that many regions meet, and links that are found: between islands, terraces and blocks
//! that agents jump, drop and climb between.

use super::levels::{floor, islands, pillars, settings};
use super::{Family, Made, Member};
use navlevel::bake_tiles;
use navscenes::build::Builder;
use recast::{AreaId, Level, LinkKind, LinkProfile, PreparedLevel, Settings, Shape, Silent, Volume};

pub(super) const FAMILIES: [Family; 9] = [
    Family { name: "border/pillars-in-four-tiles", start: 64, make: pillars_in_four },
    Family {
        name: "links/jumps-between-islands",
        start: 100,
        make: |n| linked(n, islands(n), LinkKind::Jump),
    },
    Family { name: "links/drops-down-a-stair", start: 30, make: |n| linked(n, stair(n), LinkKind::Drop) },
    Family { name: "links/climbs-onto-steps", start: 60, make: |n| linked(n, steps(n), LinkKind::Climb) },
    Family { name: "links/jumps-along-a-gap", start: 30, make: |n| linked(n, gap(n), LinkKind::Jump) },
    Family {
        name: "links/ladders-along-a-wall",
        start: 40,
        make: |n| ladders(n, &along_a_wall(n), Vec::new()),
    },
    Family { name: "links/ladders-of-many-rungs", start: 200, make: |n| ladders(n, &rungs(n), Vec::new()) },
    Family {
        name: "links/ladders-over-each-other",
        start: 400,
        make: |n| ladders(n, &over_each_other(n), Vec::new()),
    },
    Family {
        name: "links/ladders-of-volumes",
        start: 400,
        make: |n| ladders(n, &wall(30.0, 5.0), volumes(n)),
    },
];

/// Pillars in four tiles, for any number of pillars. In the corner where the tiles meet, regions between
/// pillars leave vertices that are removed.
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

/// Two floors along a gap, with no path around it at either end.
fn gap(count: usize) -> Level {
    let (mut builder, length) = (Builder::new(), 6.0 * count as f64);
    for z in [0.0, 4.5] {
        floor(&mut builder, [0.0, z], [length, 3.0], 0.0);
    }
    builder.finish()
}

/// The area of ladders.
const LADDER: AreaId = AreaId(9);

/// A level in tiles, with ladders of an area and of volumes.
fn ladders(size: usize, level: &Level, volumes: Vec<Volume>) -> Made {
    let profile = LinkProfile { surface: Some(LADDER), ..LinkProfile::new(LinkKind::Ladder) };
    let (level, settings) = (level.clone(), Settings { links: vec![profile], volumes, ..settings() });
    Ok(Member::new(size, move || {
        tilecache::bake_dynamic(&PreparedLevel::new(&level, &settings)?, 32, &[])?;
        Ok(())
    }))
}

/// Ground before a block that is as high as a wall.
fn before_a_wall(length: f64, height: f64) -> Builder {
    let mut builder = Builder::new();
    floor(&mut builder, [0.0; 2], [length, 6.0], 0.0);
    builder.block([0.0, 0.0, 3.0], [length, height, 6.0]);
    builder.area(LADDER);
    builder
}

fn wall(length: f64, height: f64) -> Level {
    before_a_wall(length, height).finish()
}

/// A ladder for every three metres of a wall.
fn along_a_wall(count: usize) -> Level {
    let mut builder = before_a_wall(3.0 * count as f64, 5.0);
    for x in (0..count).map(|at| 3.0 * at as f64) {
        builder.block([x + 1.2, 0.0, 2.8], [x + 1.8, 5.0, 2.9]);
    }
    builder.finish()
}

/// A ladder of rungs with air between them, as high as their number.
fn rungs(count: usize) -> Level {
    let mut builder = before_a_wall(9.0, 0.5 * count as f64);
    for y in (0..count).map(|at| 0.5 * at as f64) {
        builder.block([4.2, y, 2.8], [4.8, y + 0.2, 2.9]);
    }
    builder.finish()
}

/// Ladders in one place, each a little deeper than the one before.
fn over_each_other(count: usize) -> Level {
    let mut builder = before_a_wall(9.0, 5.0);
    for y in (0..count).map(|at| 1e-4 * at as f64) {
        builder.block([4.2, y, 2.8], [4.8, 5.0, 2.9]);
    }
    builder.finish()
}

/// The ladders of `over_each_other`, marked by volumes.
fn volumes(count: usize) -> Vec<Volume> {
    let volume = |at: usize| Volume {
        shape: Shape::Box { min: [4.2, 1e-4 * at as f64, 2.6], max: [4.8, 5.0, 3.2] },
        area: LADDER,
    };
    (0..count).map(volume).collect()
}
