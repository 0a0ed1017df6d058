//! The bake of maps: polygons in the plane, from GeoJSON or lists of corners, without voxels.

mod estimate;
mod input;
mod report;

use crate::bake::args::BakeArgs;
use crate::bake::bound;
use crate::failure::{Answer, Failure};
use crate::files::{self, FileList, is_standard};
use crate::memory::{self, readable};
use crate::threads::thread_pool;
use input::{MapBake, failed, read, refuse_options, refuse_vanished, settings_of};
use navinput::{FlatLayer, FlatLevel, TileSize};
use navlevel::meta::{agent_meta, area_meta, marks_digest};
use navmath::{FIXED_ONE, Hasher};
use navplane::{Error, Mesh, PlaneTile};
use navtile::limits::SIZE_LIMIT;
use navtile::{Meta, SettingsMeta, Tile, TileCoord, write_file};
use rayon::prelude::*;
use recast::AreaDefinition;
use report::{BakedMap, report};
use std::path::Path;
use std::time::Instant;

/// The ground of a layer.
struct Layer {
    settings: navplane::Settings,
    /// Its ground, cut into tiles.
    parts: Vec<(TileCoord, Mesh)>,
}

impl Layer {
    fn count(&self, of: impl Fn(&Mesh) -> usize) -> usize {
        self.parts.iter().map(|(_, mesh)| of(mesh)).sum()
    }

    /// Square metres.
    fn area(&self) -> f64 {
        self.parts.iter().map(|(_, mesh)| mesh.area()).sum()
    }

    fn spacing(&self) -> f64 {
        self.parts.first().map_or(0.0, |(_, mesh)| mesh.grid.spacing)
    }
}

/// Bakes one map into one file: a tile for each layer, or tiles of `--tile-size`.
pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let started = Instant::now();
    let [path] = args.source.levels.as_slice() else {
        return Err(Failure::call("a map is baked by itself, but several levels are given")
            .help("give one file; a GeoJSON file may hold many features"));
    };
    refuse_options(args)?;
    let output = match &args.output {
        Some(path) => path.clone(),
        None if is_standard(path) => {
            return Err(Failure::call("a map from standard input has no name to name the result after")
                .help("name the result with -o; `-o -` is standard output"));
        }
        None => Path::new(path.file_stem().unwrap_or(path.as_os_str())).with_added_extension("navtile"),
    };
    files::refuse_shared_input(args.source.inputs())?;
    let mut list = FileList::reading(args.source.inputs());
    let target = if args.estimate { list.looked_at(&output)? } else { list.target(&output)? };
    let bake_settings = settings_of(&args.source)?;
    let bound = bake_settings.settings.memory_bound;
    if bound < memory::BASE {
        return Err(Failure::call(format!(
            "{}: memory_bound is {}, which cannot hold a map: at least {} are needed",
            path.display(),
            readable(bound),
            readable(memory::BASE)
        ))
        .help("allow more memory"));
    }
    bound::keep(bound, &path.display().to_string(), &[path], ["cut the map into several"; 2])?;
    let level = read(path, &bake_settings)?;
    let pool = thread_pool(args.threads)?;
    if args.estimate {
        return pool.install(|| estimate::print(path, &bake_settings, &level, started, args.json));
    }
    let (layers, tiles, cells) = pool.install(|| bake(path, &bake_settings, &level))?;
    let meta = meta(&bake_settings, &tiles, &level.areas, cells);
    let bytes = write_file(&meta, &tiles).map_err(|error| Failure::of(&output, error))?;
    target.write(&bytes)?;
    let map = BakedMap {
        input: path,
        target: &target,
        layers: &layers,
        tiles: &tiles,
        tile_cells: cells,
        bytes: bytes.len() as u64,
        started,
    };
    report(args, &map)?;
    Ok(Answer::Yes)
}

/// The layers, their tiles, and the side of a tile in cells, 0 for one tile per layer.
fn bake(path: &Path, bake: &MapBake, level: &FlatLevel) -> Result<(Vec<Layer>, Vec<Tile>, u32), Failure> {
    let spacing = spacing(path, level, bake.map.spacing)?;
    let cells = match bake.input.tile_size {
        Some(TileSize::Metres(metres)) => tile_cells(metres, spacing)?,
        _ => 0,
    };
    if cells > 0 {
        refuse_close_layers(path, level, bake)?;
    }
    let layers: Result<Vec<Layer>, Failure> = level
        .layers
        .iter()
        .map(|flat| layer(path, flat, flat_settings(bake, flat.layer, spacing, &level.areas), cells))
        .collect();
    let layers = layers?;
    let grounds: Vec<PlaneTile<'_>> = layers
        .iter()
        .flat_map(|layer| {
            let settings = &layer.settings;
            layer.parts.iter().map(move |(coord, mesh)| PlaneTile { coord: *coord, mesh, settings })
        })
        .collect();
    let wrong = |error: Error| match error {
        Error::OffMesh { .. } => Failure::call(format!("{}: {error}", path.display()))
            .help("connections count from 0; give ends on the map, at the heights of its layers"),
        other => Failure::of(path, other),
    };
    let links = navplane::links(&grounds, &bake.settings.off_mesh_connections).map_err(wrong)?;
    let tiles: Result<Vec<Tile>, Error> = grounds
        .par_iter()
        .zip(&links)
        .map(|(ground, links)| ground.mesh.tile_at(ground.settings, ground.coord, links))
        .collect();
    let tiles = tiles.map_err(wrong)?;
    Ok((layers, tiles, cells))
}

/// The ground of a layer, in tiles of `cells` cells, or in one.
fn layer(path: &Path, flat: &FlatLayer, settings: navplane::Settings, cells: u32) -> Result<Layer, Failure> {
    let wrong = |error: Error| failed(path, flat, &error);
    let (parts, vanished) = if cells == 0 {
        let mut mesh = navplane::mesh(&flat.map, &settings).map_err(wrong)?;
        let vanished = std::mem::take(&mut mesh.vanished);
        (vec![(TileCoord { x: 0, z: 0, layer: flat.layer }, mesh)], vanished)
    } else {
        let cut = navplane::cut(&flat.map, &settings, cells).map_err(wrong)?;
        (cut.parts.into_iter().map(|part| (part.coord, part.mesh)).collect(), cut.vanished)
    };
    refuse_vanished(path, flat, &vanished, settings.agent_radius)?;
    Ok(Layer { settings, parts })
}

/// The side of a tile in whole cells; a cell is 256 grid spacings.
fn tile_cells(metres: f64, spacing: f64) -> Result<u32, Failure> {
    let cell = spacing * f64::from(FIXED_ONE);
    let cells = (metres / cell).round();
    match (1.0..=f64::from(SIZE_LIMIT)).contains(&cells) {
        true => Ok(cells as u32),
        false => Err(Failure::call(format!(
            "tile_size is {metres} m, expected {cell} to {} m for a map of this size",
            f64::from(SIZE_LIMIT) * cell
        ))
        .help("give the side of a tile in metres, or `off`")),
    }
}

/// Refuses layers that are too close. Ground of two layers is connected across seams if its heights are
/// within a climb.
fn refuse_close_layers(path: &Path, level: &FlatLevel, bake: &MapBake) -> Result<(), Failure> {
    let mut heights: Vec<(f64, i32)> =
        level.layers.iter().map(|layer| (bake.map.height_of(layer.layer), layer.layer)).collect();
    heights.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let climb = bake.settings.agent_climb;
    match heights.windows(2).find(|pair| pair[1].0 - pair[0].0 <= climb) {
        None => Ok(()),
        Some(pair) => Err(Failure::call(format!(
            "{}: layers {} and {} are at heights {} and {}, expected more than the agent's climb of {climb} between \
             them, as their tiles would be connected",
            path.display(),
            pair[0].1,
            pair[1].1,
            pair[0].0,
            pair[1].0
        ))
        .help("give heights in the settings file: `[[layer]]` with number and height")),
    }
}

/// One grid spacing for all layers, because they share a lattice: the given one, or the largest that a layer
/// needs.
fn spacing(path: &Path, level: &FlatLevel, set: Option<f64>) -> Result<f64, Failure> {
    if let Some(set) = set {
        // The bake rounds it down to a power of two.
        return Ok(power_of_two(set));
    }
    let mut largest = 0.0f64;
    for layer in &level.layers {
        largest = largest.max(navplane::spacing(&layer.map).map_err(|error| failed(path, layer, &error))?);
    }
    Ok(largest)
}

/// The largest power of two that is at most a finite number greater than 0.
fn power_of_two(number: f64) -> f64 {
    let mut power = 1.0;
    while power > number {
        power /= 2.0;
    }
    while power * 2.0 <= number {
        power *= 2.0;
    }
    power
}

fn flat_settings(bake: &MapBake, layer: i32, spacing: f64, areas: &[AreaDefinition]) -> navplane::Settings {
    let settings = &bake.settings;
    navplane::Settings {
        agent_radius: settings.agent_radius,
        agent_height: settings.agent_height,
        agent_climb: settings.agent_climb,
        agent_slope: settings.agent_slope,
        max_vertices: settings.max_vertices,
        spacing: Some(spacing),
        height: bake.map.height_of(layer),
        layer,
        areas: areas.to_vec(),
        ..navplane::Settings::default()
    }
}

/// The metadata of a map in tiles of `tile_cells` cells, 0 for one tile per layer.
fn meta(bake: &MapBake, tiles: &[Tile], areas: &[AreaDefinition], tile_cells: u32) -> Meta {
    let lattice = tiles.first().map(Tile::lattice);
    let mut digest = Hasher::new();
    tiles.iter().for_each(|tile| {
        digest.write_u8s(tile.bytes());
    });
    let settings = &bake.settings;
    Meta {
        agent: agent_meta(settings),
        settings: SettingsMeta {
            max_vertices: settings.max_vertices,
            // More than fit 32 bits could not have been held in memory.
            off_mesh_connections: settings.off_mesh_connections.len() as u32,
            marks_digest: marks_digest(settings),
            ..SettingsMeta::default()
        },
        origin: [0.0; 3],
        cell: lattice.map_or([1.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]),
        tile_cells,
        geometry_digest: digest.finish().0,
        areas: areas.iter().map(area_meta).collect(),
    }
}
