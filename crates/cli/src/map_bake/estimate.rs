//! The time and memory of the bake of a map, from a sample: every n-th of its polygons is baked and
//! discarded. A map smaller than the sample is baked whole.

use super::bake;
use super::input::MapBake;
use crate::bake::estimate::{Expected, WRITING};
use crate::failure::{Answer, Failure};
use crate::{memory, report};
use navdraw::number::counted;
use navinput::{FlatLayer, FlatLevel};
use navplane::Polygon;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Number of corners of a sample, unless a single polygon has more: a quarter of a second of one core.
const CORNERS: usize = 20_000;

/// Bakes a sample of a map and prints the estimate for the whole map. The program began to read it at
/// `started`.
pub(crate) fn print(
    path: &Path,
    settings: &MapBake,
    level: &FlatLevel,
    started: Instant,
    as_json: bool,
) -> Result<Answer, Failure> {
    let read = started.elapsed();
    let corners: usize = level.layers.iter().map(corners_of).sum();
    let before = memory::peak().unwrap_or(0);
    let sample = sample_of(level, corners.div_ceil(CORNERS));
    let share = corners as f64 / sample.layers.iter().map(corners_of).sum::<usize>().max(1) as f64;
    let sampling = Instant::now();
    let (_, tiles, cells) = bake(path, settings, &sample)?;
    let expected = Expected {
        time: read + sampling.elapsed().mul_f64(share) + WRITING,
        memory: before + ((memory::peak().unwrap_or(0) - before) as f64 * share) as u64,
    };
    let fits = expected.memory <= settings.settings.memory_bound;
    if as_json {
        report::print_json(&json!({
            "layers": level.layers.len(),
            "corners": corners,
            "side_cells": cells,
            "tiles": if share > 1.0 { json!(null) } else { json!(tiles.len()) },
            "peak_memory": expected.memory,
            "total_ms": expected.total_ms(),
            "memory_bound": settings.settings.memory_bound,
            "fits": fits,
        }))?;
    } else {
        let (layers, corners) = (counted(level.layers.len(), "layer"), counted(corners, "corner"));
        let bound = memory::readable(settings.settings.memory_bound);
        report::print(&format!("{layers}, {corners}: {}, {bound} allowed\n", expected.text()))?;
    }
    Ok(if fits { Answer::Yes } else { Answer::No })
}

fn corners_of(layer: &FlatLayer) -> usize {
    let map = &layer.map;
    let polygons =
        map.outlines.iter().chain(&map.obstacles).chain(map.areas.iter().map(|area| &area.polygon));
    polygons.map(corners).sum()
}

fn corners(polygon: &Polygon) -> usize {
    polygon.outline.len() + polygon.holes.iter().map(Vec::len).sum::<usize>()
}

/// One of `each` polygons of every list; always the first outline.
fn sample_of(level: &FlatLevel, each: usize) -> FlatLevel {
    let each = each.max(1);
    let mut sample = level.clone();
    for layer in &mut sample.layers {
        thin_out(&mut layer.map.outlines, each);
        thin_out(&mut layer.map.obstacles, each);
        thin_out(&mut layer.map.areas, each);
        layer.places.iter_mut().for_each(|places| thin_out(places, each));
    }
    sample
}

fn thin_out<T>(list: &mut Vec<T>, each: usize) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        (index - 1) % each == 0
    });
}
