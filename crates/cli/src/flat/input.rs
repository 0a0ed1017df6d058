//! Reads a map and its settings, refuses what has no meaning for it, and says what is wrong with it.

use super::Given;
use crate::args::{BakeArgs, SourceArgs};
use crate::failure::Failure;
use crate::files;
use crate::settings;
use navinput::{FlatLayer, FlatLevel, SettingsFile, UpAxis, read_corners, read_geojson};
use navplane::{Error, PolygonList};
use std::path::Path;

/// Refuses what has no meaning for a map, rather than pass over it.
pub(super) fn refuse_options(args: &BakeArgs) -> Result<(), Failure> {
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

/// Refuses keys of a settings file that have no meaning for a map.
fn refuse_keys(file: &SettingsFile) -> Result<(), Failure> {
    let given = [
        ("volume", !file.settings.volumes.is_empty()),
        ("bounds", file.settings.bounds.is_some()),
        ("reachable_from", file.reachable_from.is_some()),
        ("input.up", file.input.up != UpAxis::Y),
        ("input.include_*", !file.input.include.is_empty()),
        ("input.exclude_*", !file.input.exclude.is_empty()),
        ("area.materials and its like", !file.mappings.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => {
            Err(Failure::call(format!("`{key}` of the settings file: a map of polygons is baked without it"))
                .help("take it out; areas, obstacles and the outline are features of the map itself"))
        }
    }
}

/// The settings of the one agent, and of the map.
pub(super) fn settings_of(args: &SourceArgs) -> Result<Given, Failure> {
    let given = settings::gather(None, args.config.as_deref(), &args.settings)?;
    if let Some(file) = given.file() {
        refuse_keys(file)?;
    }
    let mut agents = given.agents(args.agent.as_deref(), &args.settings)?;
    let settings = match agents.pop() {
        Some((_, settings)) if agents.is_empty() => settings,
        _ => {
            return Err(Failure::call("a map is baked for one agent, but the settings have several")
                .help("choose one with --agent"));
        }
    };
    let file = given.file();
    Ok(Given {
        settings,
        map: file.map(|file| file.map.clone()).unwrap_or_default(),
        scale: args.scale.or(file.map(|file| file.input.scale)).unwrap_or(1.0),
        tile_size: file.and_then(|file| file.tile_size),
    })
}

/// Reads a map, and lays it as the settings say.
pub(super) fn read(path: &Path, given: &Given) -> Result<FlatLevel, Failure> {
    let bytes = files::read(path)?;
    let read = if super::ending(path) == super::CORNERS { read_corners } else { read_geojson };
    let wrong = |error: navinput::FlatError| {
        Failure::call(format!("{}: {}: {}", path.display(), error.place, error.what)).help(error.remedy)
    };
    let mut level = read(&bytes, &given.settings.areas).map_err(wrong)?;
    let scale = given.scale;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(Failure::call(format!("--scale is {scale}, expected a finite number of more than 0")));
    }
    for layer in &mut level.layers {
        if scale != 1.0 {
            layer.scale(scale);
        }
        layer.turn(&given.map);
    }
    level.layers.retain(|layer| !layer.map.outlines.is_empty());
    let unknown = given.map.layers.iter().find(|(number, _)| level.layers.iter().all(|l| l.layer != *number));
    if let Some((number, _)) = unknown {
        return Err(Failure::call(format!("{}: it has no ground on layer {number}", path.display()))
            .help("take the `[[layer]]` out of the settings file, or give features that \"layer\""));
    }
    Ok(level)
}

/// What is wrong with a layer.
pub(super) fn failed(path: &Path, layer: &FlatLayer, error: &Error) -> Failure {
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
pub(super) fn refuse_vanished(
    path: &Path,
    layer: &FlatLayer,
    vanished: &[usize],
    radius: f64,
) -> Result<(), Failure> {
    let Some(&first) = vanished.first() else { return Ok(()) };
    let place = layer.place(PolygonList::Outlines, first).map(ToString::to_string).unwrap_or_default();
    let more = match vanished.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let message =
        format!("{}: {place}: nothing of the outline is left at a radius of {radius}{more}", path.display());
    Err(Failure::call(message).help("give a smaller --agent-radius, widen the outline, or remove it"))
}
