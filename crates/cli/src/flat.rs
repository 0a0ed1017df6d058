//! `navtile bake` of a map: polygons in the plane, from GeoJSON or lists of corners, without voxels.

use crate::args::{BakeArgs, SourceArgs};
use crate::failure::{Answer, Failure};
use crate::files::{self, Target};
use crate::report;
use crate::settings;
use navinput::{FlatLayer, FlatLevel, read_corners, read_geojson};
use navmath::Hasher;
use navtile::{AgentMeta, AreaMeta, Meta, SettingsMeta, Tile, write_file};
use recast::planar::{self, Error, List, Mesh};
use recast::{AreaDefinition, Settings};
use serde_json::{Value, json};
use std::path::Path;

/// Endings of maps: GeoJSON, and lists of corners.
const GEOJSON: [&str; 2] = ["geojson", "json"];
const CORNERS: &str = "poly";

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

/// Whether one of the levels is a map.
pub(crate) fn is_map(args: &SourceArgs) -> bool {
    args.levels.iter().any(|path| {
        let ending = ending(path);
        ending == CORNERS || GEOJSON.contains(&ending.as_str())
    })
}

/// Bakes one map into one file, a tile for each layer.
pub(crate) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let [path] = args.source.levels.as_slice() else {
        return Err(Failure::call("a map is baked by itself, but several levels are given")
            .help("give one file; a GeoJSON file may hold many features"));
    };
    refuse_options(args)?;
    let output = match &args.output {
        Some(path) => path.clone(),
        None => Path::new(path.file_stem().unwrap_or(path.as_os_str())).with_added_extension("navtile"),
    };
    let mut inputs = vec![path.as_path()];
    inputs.extend(args.source.config.as_deref());
    let target = Target::new(&output, &inputs)?;
    let settings = settings_of(&args.source)?;
    let level = read(path, &args.source, &settings)?;
    let spacing = spacing(path, &level)?;
    let mut meshes = Vec::with_capacity(level.layers.len());
    for layer in level.layers.iter().filter(|layer| !layer.map.outlines.is_empty()) {
        let planar = planar_settings(&settings, layer.layer, spacing, &level.areas);
        let mesh = planar::mesh(&layer.map, &planar).map_err(|error| failed(path, layer, &error))?;
        refuse_vanished(path, layer, &mesh, settings.agent_radius)?;
        let tile = mesh.tile(&planar).map_err(|error| failed(path, layer, &error))?;
        meshes.push((mesh, tile));
    }
    let tiles: Vec<Tile> = meshes.iter().map(|(_, tile)| tile.clone()).collect();
    let meta = meta(&settings, &tiles, &level.areas);
    let bytes = write_file(&meta, &tiles)
        .map_err(|error| Failure::circumstances(format!("{}: {error}", output.display())))?;
    target.write(&bytes)?;
    tell(args, path, &target, &meshes, bytes.len())
}

/// Refuses what has no meaning for a map, rather than pass over it.
fn refuse_options(args: &BakeArgs) -> Result<(), Failure> {
    let given = [
        ("--changed", args.changed),
        ("--check", args.check),
        ("--estimate", args.estimate),
        ("--report", args.report.is_some()),
        ("--events", args.events.is_some()),
        ("--reachable-from", args.reachable_from.is_some()),
        ("--up", args.source.up.is_some()),
        ("--bounds", args.source.settings.bounds.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::call(format!("{option}: a map of polygons is baked without it"))
            .help("leave the option out, or bake a level of triangles")),
    }
}

/// The settings of the one agent.
fn settings_of(args: &SourceArgs) -> Result<Settings, Failure> {
    let given = settings::gather(None, args.config.as_deref(), &args.settings)?;
    let mut agents = given.agents(args.agent.as_deref(), &args.settings)?;
    match agents.pop() {
        Some((_, settings)) if agents.is_empty() => Ok(settings),
        _ => Err(Failure::call("a map is baked for one agent, but the settings have several")
            .help("choose one with --agent")),
    }
}

fn read(path: &Path, args: &SourceArgs, settings: &Settings) -> Result<FlatLevel, Failure> {
    let bytes = files::read(path)?;
    let read = if ending(path) == CORNERS { read_corners } else { read_geojson };
    let wrong = |error: navinput::FlatError| {
        Failure::call(format!("{}: {}: {}", path.display(), error.place, error.what)).help(error.remedy)
    };
    let mut level = read(&bytes, &settings.areas).map_err(wrong)?;
    if let Some(scale) = args.scale {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(Failure::call(format!(
                "--scale is {scale}, expected a finite number of more than 0"
            )));
        }
        level.layers.iter_mut().for_each(|layer| layer.scale(scale));
    }
    Ok(level)
}

/// One grid spacing for all layers, as they share a lattice.
fn spacing(path: &Path, level: &FlatLevel) -> Result<f64, Failure> {
    let mut largest = 0.0f64;
    for layer in level.layers.iter().filter(|layer| !layer.map.outlines.is_empty()) {
        largest = largest.max(planar::spacing(&layer.map).map_err(|error| failed(path, layer, &error))?);
    }
    Ok(largest)
}

fn planar_settings(
    settings: &Settings,
    layer: i32,
    spacing: f64,
    areas: &[AreaDefinition],
) -> planar::Settings {
    planar::Settings {
        agent_radius: settings.agent_radius,
        agent_height: settings.agent_height,
        agent_climb: settings.agent_climb,
        agent_slope: settings.agent_slope,
        max_vertices: settings.max_vertices,
        spacing: Some(spacing),
        layer,
        areas: areas.to_vec(),
        ..planar::Settings::default()
    }
}

fn failed(path: &Path, layer: &FlatLayer, error: &Error) -> Failure {
    let name = path.display();
    match error {
        Error::NotFinite { place, position } => {
            let known =
                layer.place(place.list, place.polygon).map(|known| format!("{known}, ")).unwrap_or_default();
            let ring = place.ring + 1;
            let point = place.point + 1;
            Failure::call(format!("{name}: {known}ring {ring}, point {point} is {position:?}"))
                .help("give finite coordinates")
        }
        Error::Settings(_) | Error::Empty | Error::NothingLeft { .. } | Error::Limit(_) => {
            Failure::call(format!("{name}: layer {}: {error}", layer.layer))
        }
        other => Failure::circumstances(format!("{name}: layer {}: {other}", layer.layer)),
    }
}

/// Ground that was asked for and is not there would be missed only in the game.
fn refuse_vanished(path: &Path, layer: &FlatLayer, mesh: &Mesh, radius: f64) -> Result<(), Failure> {
    let Some(&first) = mesh.vanished.first() else { return Ok(()) };
    let place = layer.place(List::Outlines, first).map(ToString::to_string).unwrap_or_default();
    let more = match mesh.vanished.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let message =
        format!("{}: {place}: nothing of the outline is left at a radius of {radius}{more}", path.display());
    Err(Failure::call(message).help("give a smaller --agent-radius, widen the outline, or remove it"))
}

fn meta(settings: &Settings, tiles: &[Tile], areas: &[AreaDefinition]) -> Meta {
    let lattice = tiles.first().map(Tile::lattice);
    let mut digest = Hasher::new();
    tiles.iter().for_each(|tile| {
        digest.write_u8s(tile.bytes());
    });
    let area = |area: &AreaDefinition| AreaMeta {
        id: area.id.0,
        name: area.name.clone(),
        flags: area.flags,
        cost: area.cost,
    };
    Meta {
        agent: AgentMeta {
            radius: settings.agent_radius,
            height: settings.agent_height,
            climb: settings.agent_climb,
            slope: settings.agent_slope,
        },
        settings: SettingsMeta {
            partition: 0,
            max_vertices: settings.max_vertices,
            region_min_area: 0.0,
            region_merge_area: 0.0,
            max_edge_length: 0.0,
            contour_max_error: 0.0,
            detail_sample_distance: 0.0,
            detail_max_error: 0.0,
            split_walls: false,
            split_areas: false,
            median_filter: false,
            volumes: 0,
            off_mesh_connections: 0,
            marks_digest: [0; 16],
            reachable_from: None,
        },
        origin: [0.0; 3],
        cell: lattice.map_or([1.0; 2], |lattice| [lattice.cell_size, lattice.cell_height]),
        tile_cells: 0,
        geometry_digest: digest.finish().0,
        areas: areas.iter().map(area).collect(),
    }
}

/// Tells what was made.
fn tell(
    args: &BakeArgs,
    path: &Path,
    target: &Target,
    meshes: &[(Mesh, Tile)],
    bytes: usize,
) -> Result<Answer, Failure> {
    let output = target.path().display();
    if args.json {
        let layers: Vec<Value> = meshes
            .iter()
            .map(|(mesh, tile)| {
                json!({
                    "layer": tile.coord().layer,
                    "polygons": mesh.polygons.len(),
                    "triangles": mesh.triangles.len(),
                    "vertices": mesh.vertices.len(),
                    "area": mesh.area(),
                    "spacing": mesh.grid.spacing,
                })
            })
            .collect();
        let input = path.display().to_string();
        report::print_json(
            &json!({ "map": input, "file": output.to_string(), "bytes": bytes, "layers": layers }),
        )?;
        return Ok(Answer::Yes);
    }
    let mut text = format!("{}: a map of {} layers\n", path.display(), meshes.len());
    for (mesh, tile) in meshes {
        text.push_str(&format!(
            "layer {}: {} polygons of {} triangles, {} vertices, {:.3} m\u{b2}, on a grid of {} m\n",
            tile.coord().layer,
            mesh.polygons.len(),
            mesh.triangles.len(),
            mesh.vertices.len(),
            mesh.area(),
            mesh.grid.spacing,
        ));
    }
    text.push_str(&format!("wrote {output}, {bytes} bytes\n"));
    report::print(&text)?;
    Ok(Answer::Yes)
}
