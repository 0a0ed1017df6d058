//! The settings of a bake: defaults or those of a geometry set, then the settings file, then options. Every
//! error names the place where the setting was given.

use crate::failure::{Detail, Failure};
use crate::report::rounded;
use crate::{files, values};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use navbake::settings::{Gathered, Origin, Overrides, Refusal};
use navdraw::number::counted;
use navinput::{Gset, INPUT_FILTERS, INPUT_SETTINGS, InputError, NameKind, NamePattern, SettingProblem};
use recast::settings::{Kind, Setting, Unit, Value, find, listed};
use recast::{FieldError, SETTINGS, Settings};
use std::path::Path;

/// Settings that are given as options, made from the tables of settings: `agent.radius` is `--agent-radius`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingArgs(Overrides);

/// The option for areas.
const AREA: &str = "area";
/// The settings of a bake of a map, other than areas.
const OF_MAPS: [&str; 8] = [
    "agent.radius",
    "agent.height",
    "agent.climb",
    "agent.slope",
    "max_vertices",
    "input.scale",
    "tile_size",
    "memory_bound",
];
/// The headings of the options.
const HEADING: &str = "Settings (`navtile init` explains them)";
const INPUT_HEADING: &str = "How the level is read";

impl Args for SettingArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let area = Arg::new(AREA)
            .long(AREA)
            .value_name("id=1,name=water,flags=2,cost=10")
            .value_parser(values::area)
            .action(ArgAction::Append)
            .help("Define an area, or redefine one; may be repeated")
            .help_heading(HEADING);
        let input = INPUT_SETTINGS.iter().map(|setting| option(setting, input_option(setting.path)));
        let input = input.chain(INPUT_FILTERS.iter().map(filter)).map(|arg| arg.help_heading(INPUT_HEADING));
        let settings = SETTINGS.iter().map(|setting| option(setting, setting.option()));
        command.args(input).args(settings.map(|arg| arg.help_heading(HEADING))).arg(area)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        SettingArgs::augment_args(command)
    }
}

impl SettingArgs {
    /// Returns true if the setting with this path is given.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.0.values.iter().any(|(given, _)| *given == path)
    }

    /// The first given option that has no effect on the bake of a map.
    pub(crate) fn without_effect_on_maps(&self) -> Option<String> {
        let given = self.0.values.iter().map(|(path, _)| *path).find(|path| !OF_MAPS.contains(path));
        let filter =
            self.0.include.iter().chain(&self.0.exclude).next().map(|_| "--include-... or --exclude-...");
        let setting = |path| find(path).map_or_else(|| format!("--{}", input_option(path)), Setting::option);
        given.map(setting).or_else(|| filter.map(str::to_owned))
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingArgs, clap::Error> {
        let paths = SETTINGS.iter().map(|setting| setting.path);
        let paths = paths.chain(INPUT_SETTINGS.iter().map(|setting| setting.path));
        let mut args = Overrides {
            values: paths.filter_map(|path| Some((path, *matches.get_one::<Value>(path)?))).collect(),
            areas: matches.get_many(AREA).into_iter().flatten().cloned().collect(),
            ..Overrides::default()
        };
        for (key, kind, is_included) in &INPUT_FILTERS {
            let option = format!("--{}", filter_option(key));
            let given = matches.get_many::<String>(key).into_iter().flatten();
            let list = if *is_included { &mut args.include } else { &mut args.exclude };
            list.extend(given.map(|name| NamePattern::given(*kind, name, option.as_str())));
        }
        Ok(SettingArgs(args))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SettingArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The first setting, by its path, that has no effect on the bake of a map and differs from its default.
pub(crate) fn without_effect_on_maps(settings: &Settings) -> Option<&'static str> {
    let default = Settings::default();
    let mut others = SETTINGS.iter().filter(|setting| !OF_MAPS.contains(&setting.path));
    others.find(|setting| (setting.get)(settings) != (setting.get)(&default)).map(|setting| setting.path)
}

/// The option of a setting for reading a level, `up` for `input.up`.
fn input_option(path: &str) -> String {
    path.trim_start_matches("input.").replace('_', "-")
}

/// The option for a list of names, which takes one name at a time: `include-material` for
/// `include_materials`.
fn filter_option(key: &str) -> String {
    key.trim_end_matches('s').replace('_', "-")
}

fn filter((key, kind, is_included): &'static (&str, NameKind, bool)) -> Arg {
    let what = match kind {
        NameKind::Material => "triangles of this material",
        NameKind::Group => "this group of an OBJ file, or mesh of a glTF file",
        NameKind::Object => "this object of an OBJ file",
        NameKind::Node => "this node of a glTF file, and everything below it",
    };
    let verb = if *is_included { "Bake only" } else { "Leave out" };
    Arg::new(*key)
        .long(filter_option(key))
        .value_name("NAME")
        .action(ArgAction::Append)
        .help(format!("{verb} {what}; `*` matches anything, may be repeated"))
}

/// The option of a setting.
fn option<S: Default>(setting: &'static Setting<S>, long: String) -> Arg {
    let value = match (setting.kind, setting.unit) {
        (Kind::Switch, _) => "true|false".to_owned(),
        (Kind::Choice(names), _) => listed(names, "|"),
        (Kind::ChoiceOrNumber(names), _) => listed(names, "|") + "|METRES",
        (Kind::Point, _) => "X,Y,Z".to_owned(),
        (Kind::Box, _) => "X,Y,Z,X,Y,Z".to_owned(),
        (_, Unit::Metres) => "METRES".to_owned(),
        (_, Unit::SquareMetres) => "M2".to_owned(),
        (_, Unit::Degrees) => "DEGREES".to_owned(),
        (_, Unit::Bytes) => "SIZE".to_owned(),
        (Kind::Whole { .. }, Unit::None) => "COUNT".to_owned(),
        (_, Unit::None) => "NUMBER".to_owned(),
    };
    let zero = setting.zero.map_or_else(String::new, |zero| format!(", 0 for {zero}"));
    let size = if setting.unit == Unit::Bytes { ": bytes, or with a unit such as MiB or GB" } else { "" };
    let (first, others) = match setting.aliases {
        [first, others @ ..] => (Some(*first), others),
        [] => (None, &[][..]),
    };
    Arg::new(setting.path)
        .long(long)
        .visible_aliases(first)
        .aliases(others.iter().copied())
        .value_name(value)
        .value_parser(move |text: &str| {
            let value = setting.parse(text)?;
            let fits = (setting.set)(&mut S::default(), value);
            if fits { Ok(value) } else { Err("expected a smaller number".to_owned()) }
        })
        .allow_hyphen_values(matches!(setting.kind, Kind::Box | Kind::Point))
        .allow_negative_numbers(true)
        .help(format!("{}{size}{zero} [default: {}]", setting.help, setting.initial))
}

/// Settings, and the name and text of their file.
pub(crate) struct SettingsAndFile {
    pub(crate) gathered: Gathered,
    file: Option<(String, String)>,
}

/// Combines and checks the settings of a bake for all agents of the settings file, or for the chosen one.
/// Options describe one agent, so they override only one.
pub(crate) fn gather(
    set: Option<(&Path, &Gset)>,
    config: Option<&Path>,
    chosen: Option<&str>,
    options: &SettingArgs,
) -> Result<SettingsAndFile, Failure> {
    let file = config.map(read_file).transpose()?;
    let text = file.as_ref().map(|(_, text)| text.as_str());
    let gathered = navbake::settings::gather(set.map(|(_, set)| set), text, &options.0, chosen)
        .map_err(|refusal| refused(refusal, set.map(|(path, _)| path), file.as_ref()))?;
    let agents = gathered.file.iter().flat_map(|file| &file.agents);
    let known = agents.map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
    if let (Some(chosen), []) = (chosen, &gathered.agents[..]) {
        let help = match known.is_empty() {
            true => "give a settings file with `[[agent]]` sections".to_owned(),
            false => format!("its agents are: {known}"),
        };
        return Err(Failure::call(format!("--agent {chosen}: the settings have no such agent")).help(help));
    }
    let paths = options.0.values.iter().map(|(path, _)| *path);
    let of_agent: Vec<String> = paths.filter(|path| path.starts_with("agent.")).map(option_of).collect();
    if gathered.agents.len() > 1 && !of_agent.is_empty() {
        return Err(Failure::call(format!("{}: the settings have several agents", of_agent.join(", ")))
            .help(format!("choose one of them with --agent: {known}")));
    }
    Ok(SettingsAndFile { gathered, file })
}

/// The name and the text of a settings file.
fn read_file(path: &Path) -> Result<(String, String), Failure> {
    let name = path.display().to_string();
    let text = String::from_utf8(files::read_once(path)?).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&byte| byte == b'\n').count();
        Failure::call(format!("{name}: line {line}: the text is not UTF-8")).help("save the file as UTF-8")
    })?;
    Ok((name, text))
}

/// The failure of settings that cannot be used.
fn refused(refusal: Refusal, set: Option<&Path>, file: Option<&(String, String)>) -> Failure {
    let name = file.map_or("", |(name, _)| name);
    let failure = match refusal {
        Refusal::File(error) => {
            let text = file.map_or("", |(_, text)| text);
            return wrong_file((Path::new(name), text), "settings", &error)
                .help("`navtile init -` shows every key with its unit, limits and default");
        }
        Refusal::OutOfRange(errors) => {
            let detail = |(error, origin): &(FieldError, Origin)| {
                let (place, span) = match origin {
                    Origin::Default => (String::new(), None),
                    Origin::GeometrySet(line) => {
                        let set = set.unwrap_or(Path::new("")).display();
                        (format!(" ({set}, line {line})"), None)
                    }
                    Origin::File(line, span) => (format!(" ({name}, line {line})"), Some(span.clone())),
                    Origin::Override(path) => (format!(" (given by {})", option_of(path)), None),
                };
                Detail { text: format!("{error}{place}"), span }
            };
            let are = if errors.len() == 1 { "is" } else { "are" };
            Failure::call(format!("{} {are} out of range", counted(errors.len(), "setting")))
                .details(errors.iter().map(detail).collect())
        }
    };
    match file {
        Some((name, text)) => failure.source(name, text),
        None => failure,
    }
}

/// The failure of a TOML file that cannot be used; `what` is its content.
pub(crate) fn wrong_file((path, text): (&Path, &str), what: &str, error: &InputError) -> Failure {
    let InputError::Settings(problems) = error else { return Failure::of(path, error) };
    let (name, count) = (path.display().to_string(), counted(problems.len(), "error"));
    Failure::call(format!("{name}: {count} in the {what}")).details(details(problems)).source(&name, text)
}

/// Problems of a file, each with its place.
pub(crate) fn details(problems: &[SettingProblem]) -> Vec<Detail> {
    problems.iter().map(|problem| Detail { text: problem.to_string(), span: problem.span.clone() }).collect()
}

impl SettingsAndFile {
    /// Names that a level does not have, with their places.
    pub(crate) fn unknown_names(&self, problems: &[SettingProblem], level: &str) -> Failure {
        let what = match problems.len() {
            1 => "a name matches nothing".to_owned(),
            count => format!("{count} names match nothing"),
        };
        let failure = match &self.file {
            Some((name, text)) if problems.iter().any(|problem| problem.span.is_some()) => {
                Failure::call(format!("{name}: {what} in {level}")).source(name, text)
            }
            _ => Failure::call(format!("{what} in {level}")),
        };
        failure
            .details(details(problems))
            .help("correct the names, or remove those that this level does not have")
    }
}

/// A line for each setting that affects the mesh, with the value that the bake uses.
pub(crate) fn lines(settings: &Settings) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    for setting in SETTINGS.iter().filter(|setting| setting.shapes_tiles) {
        let (Some(stated), Some(used)) = (setting.value(settings), setting.used(settings)) else { continue };
        let cells = match used.cells {
            Some(cells) => format!(", {} cells", rounded(cells)),
            None if used.value != stated => format!(", used as {}", setting.words(used.value)),
            None => String::new(),
        };
        let text = format!("{:<24} {}{cells}", setting.path, setting.words(stated));
        lines.push((if lines.is_empty() { "settings" } else { "" }, text));
    }
    lines
}

/// The option that gives a field.
fn option_of(field: &str) -> String {
    format!("--{}", field.split('[').next().unwrap_or(field).replace(['.', '_'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{AreaDefinition, AreaId, LinkKind, LinkProfile, Outlines};

    fn options(args: &[&str]) -> SettingArgs {
        let command = SettingArgs::augment_args(clap::Command::new("bake").no_binary_name(true));
        SettingArgs::from_arg_matches(&command.get_matches_from(args)).unwrap()
    }

    #[test]
    fn settings_that_a_program_stores_come_back_whole() {
        let settings = Settings {
            outlines: Outlines::Exact,
            links: vec![LinkProfile::new(LinkKind::Jump)],
            ..Settings::default()
        };
        let stored = serde_json::to_value(&settings).unwrap();
        assert_eq!(serde_json::from_value::<Settings>(stored.clone()).unwrap(), settings);
        // Settings that were stored before there was a choice.
        let mut older = stored;
        for key in ["outlines", "links"] {
            assert!(older.as_object_mut().unwrap().remove(key).is_some(), "{key}");
        }
        assert_eq!(serde_json::from_value::<Settings>(older).unwrap(), Settings::default());
    }

    #[test]
    fn every_setting_is_an_option_under_its_names() {
        for setting in &SETTINGS {
            let text = match setting.kind {
                Kind::Switch => "true",
                Kind::Choice(names) => names[0].0,
                Kind::Box => "-1,-1,-1,1,1,1",
                _ => "5",
            };
            for name in setting.aliases.iter().map(|alias| (*alias).to_owned()).chain([setting.option()]) {
                let given = options(&[&format!("--{name}"), text]);
                assert_eq!(given.0.values, [(setting.path, setting.parse(text).unwrap())], "{name}");
            }
        }
        let command = SettingArgs::augment_args(clap::Command::new("bake").no_binary_name(true));
        assert!(command.try_get_matches_from(["--max-vertices", "4294967296"]).is_err());
    }

    #[test]
    fn options_win_and_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        std::fs::write(&path, "cell_size = 0.5\n[agent]\nradius = -1\nslope = 30\n").unwrap();
        let given = options(&[
            "--agent-radius",
            "0.25",
            "--contours-split-walls",
            "false",
            "--median-filter",
            "true",
        ]);
        let gathered = gather(None, Some(&path), None, &given).map_err(|failure| failure.plain()).unwrap();
        let settings = &gathered.gathered.settings;
        assert_eq!((settings.cell_size, settings.agent_radius, settings.agent_slope), (0.5, 0.25, 30.0));
        assert!(settings.median_filter && !settings.split_walls);
        let given = options(&["--cell-size", "0"]);
        let plain = gather(None, Some(&path), None, &given).map(|_| ()).unwrap_err().plain();
        assert!(plain.contains("2 settings are out of range"), "{plain}");
        assert!(
            plain.contains("cell_size is 0, expected") && plain.contains("(given by --cell-size)"),
            "{plain}"
        );
        assert!(plain.contains("agent.radius is -1") && plain.contains("s.toml, line 3)"), "{plain}");
    }

    #[test]
    fn areas_are_added_or_replaced() {
        let area = |id: u8, name: &str, cost: f32| AreaDefinition {
            id: AreaId(id),
            name: name.to_owned(),
            cost,
            ..AreaDefinition::ground()
        };
        let given = options(&["--area", "id=63,name=road,cost=0.5", "--area", "id=2,name=mud,cost=4"]);
        let gathered = gather(None, None, None, &given).map_err(|failure| failure.plain()).unwrap();
        assert_eq!(gathered.gathered.settings.areas, [area(63, "road", 0.5), area(2, "mud", 4.0)]);
        let plain = gather(None, None, None, &options(&["--area", "id=2,name=mud,cost=-4"]))
            .map(|_| ())
            .unwrap_err()
            .plain();
        assert!(plain.contains("area[1].cost is -4") && plain.contains("(given by --area)"), "{plain}");
    }
}
