//! Reads a map and its settings, refuses options that do not apply to maps, and formats the errors of maps.

use crate::bake::args::BakeArgs;
use crate::failure::Failure;
use crate::level_format::format_of;
use crate::source::SourceArgs;
use crate::{files, settings};
use navinput::format::LevelFormat;
use navinput::{
    FlatLayer, FlatLevel, HiddenNodes, InputSettings, MapSettings, SettingsFile, UpAxis, Winding,
    read_corners, read_geojson,
};
use navplane::{Error, PolygonList};
use recast::Settings;
use std::path::Path;

/// The settings of the bake of a map.
pub(crate) struct MapBake {
    pub(crate) settings: Settings,
    pub(crate) map: MapSettings,
    pub(crate) input: InputSettings,
}

/// Refuses options that do not apply to maps, instead of ignoring them.
pub(crate) fn refuse_options(args: &BakeArgs) -> Result<(), Failure> {
    let given = [
        ("--changed", args.changed),
        ("--check", args.check),
        ("--dynamic", args.dynamic),
        ("--hierarchy", args.hierarchy),
        ("--report", args.report.is_some()),
        ("--resume", args.resume),
        ("--shard", args.shard.is_some()),
        ("--events", args.events.is_some()),
        ("--reachable-from", args.source.settings.has("reachable_from")),
        ("--up", args.source.settings.has("input.up")),
        ("--winding", args.source.settings.has("input.winding")),
        ("--hidden-nodes", args.source.settings.has("input.hidden_nodes")),
        ("--bounds", args.source.settings.has("bounds")),
    ];
    let given = given.into_iter().find(|(_, given)| *given).map(|(option, _)| option.to_owned());
    match given.or_else(|| args.source.settings.without_effect_on_maps()) {
        None => Ok(()),
        Some(option) => Err(Failure::call(format!("{option} does not apply to maps of polygons"))
            .help("remove the option, or bake a level of triangles")),
    }
}

/// Refuses keys of a settings file that do not apply to maps.
fn refuse_keys(file: &SettingsFile) -> Result<(), Failure> {
    let given = [
        ("volume", !file.settings.volumes.is_empty()),
        ("bounds", file.settings.bounds.is_some()),
        ("reachable_from", file.input.reachable_from.is_some()),
        ("hierarchy", file.hierarchy.is_some()),
        ("input.up", file.input.up != UpAxis::Y),
        ("input.winding", file.input.winding != Winding::Spec),
        ("input.hidden_nodes", file.input.hidden_nodes != HiddenNodes::Skip),
        ("input.include_*", !file.input.include.is_empty()),
        ("input.exclude_*", !file.input.exclude.is_empty()),
        ("area.materials and the like", !file.mappings.is_empty()),
    ];
    let given = given.into_iter().find(|(_, given)| *given).map(|(key, _)| key);
    match given.or_else(|| settings::without_effect_on_maps(&file.settings)) {
        None => Ok(()),
        Some(key) => {
            Err(Failure::call(format!("`{key}` of the settings file does not apply to maps of polygons"))
                .help("remove it; areas, obstacles and the outline are features of the map itself"))
        }
    }
}

/// The settings of the one agent, and of the map.
pub(crate) fn settings_of(args: &SourceArgs) -> Result<MapBake, Failure> {
    let (config, agent) = (args.config.as_deref(), args.agent.as_deref());
    let mut gathered = settings::gather(None, config, agent, &args.settings)?.gathered;
    if let Some(file) = &gathered.file {
        refuse_keys(file)?;
    }
    let settings = match gathered.agents.pop() {
        Some((_, settings)) if gathered.agents.is_empty() => settings,
        _ => {
            return Err(Failure::call("a map is baked for one agent, but the settings have several")
                .help("choose one with --agent"));
        }
    };
    let map = gathered.file.map(|file| file.map).unwrap_or_default();
    Ok(MapBake { settings, map, input: gathered.input })
}

/// Reads a map, and places it in the world as the settings say.
pub(crate) fn read(path: &Path, bake: &MapBake) -> Result<FlatLevel, Failure> {
    let format = format_of(path)?;
    let read = if format == LevelFormat::Corners { read_corners } else { read_geojson };
    let bytes = files::read(path)?;
    let wrong = |error: navinput::FlatError| {
        Failure::call(format!("{}: {}: {}", path.display(), error.place, error.what)).help(error.remedy)
    };
    let mut level = read(&bytes, &bake.settings.areas).map_err(wrong)?;
    let scale = bake.input.scale;
    if !(scale.is_finite() && scale > 0.0) {
        return Err(Failure::call(format!("--scale is {scale}, expected a finite number greater than 0")));
    }
    // A scale in the settings means that the unit is known.
    if let Some(degrees) = level.degrees().filter(|_| format != LevelFormat::Corners && scale == 1.0) {
        return Err(Failure::call(format!("{}: {degrees}", path.display()))
            .help(degrees.remedy(&path.display().to_string())));
    }
    for layer in &mut level.layers {
        if scale != 1.0 {
            layer.scale(scale);
        }
        layer.turn(&bake.map);
    }
    level.layers.retain(|layer| !layer.map.outlines.is_empty());
    let unknown = bake.map.layers.iter().find(|(number, _)| level.layers.iter().all(|l| l.layer != *number));
    if let Some((number, _)) = unknown {
        return Err(Failure::call(format!("{}: has no ground on layer {number}", path.display()))
            .help("remove the `[[layer]]` from the settings file, or give features this \"layer\""));
    }
    Ok(level)
}

/// The failure of a layer.
pub(crate) fn failed(path: &Path, layer: &FlatLayer, error: &Error) -> Failure {
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

/// Refuses a map with outlines that vanish at the agent's radius: their absence would only be noticed in the
/// game.
pub(crate) fn refuse_vanished(
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
    let message = format!(
        "{}: {place}: the agent's radius of {radius} leaves nothing of the outline{more}",
        path.display()
    );
    Err(Failure::call(message).help("give a smaller --agent-radius, widen the outline, or remove it"))
}
