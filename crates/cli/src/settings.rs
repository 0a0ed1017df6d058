//! The settings of a bake: defaults or those of a geometry set, then the settings file, then options. Every
//! error names the place where the setting was given.

use crate::failure::{Detail, Failure};
use crate::report::rounded;
use crate::{files, values};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use navdraw::number::counted;
use navinput::{
    INPUT_FILTERS, INPUT_SETTINGS, InputError, InputSettings, NameKind, NamePattern, SettingProblem,
    SettingsFile,
};
use recast::settings::{Kind, Setting, Unit, Value, find, listed};
use recast::{AreaDefinition, FieldError, SETTINGS, Settings};
use std::path::Path;

/// Settings that are given as options, made from the tables of settings: `agent.radius` is `--agent-radius`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingArgs {
    /// Paths of settings, and their values, for the bake and for the reading of its level.
    values: Vec<(&'static str, Value)>,
    areas: Vec<AreaDefinition>,
    include: Vec<NamePattern>,
    exclude: Vec<NamePattern>,
}

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
        self.values.iter().any(|(given, _)| *given == path)
    }

    /// The first given option that has no effect on the bake of a map.
    pub(crate) fn without_effect_on_maps(&self) -> Option<String> {
        let given = self.values.iter().map(|(path, _)| *path).find(|path| !OF_MAPS.contains(path));
        let filter =
            self.include.iter().chain(&self.exclude).next().map(|_| "--include-... or --exclude-...");
        let setting = |path| find(path).map_or_else(|| format!("--{}", input_option(path)), Setting::option);
        given.map(setting).or_else(|| filter.map(str::to_owned))
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SettingArgs, clap::Error> {
        let paths = SETTINGS.iter().map(|setting| setting.path);
        let paths = paths.chain(INPUT_SETTINGS.iter().map(|setting| setting.path));
        let mut args = SettingArgs {
            values: paths.filter_map(|path| Some((path, *matches.get_one::<Value>(path)?))).collect(),
            areas: matches.get_many(AREA).into_iter().flatten().cloned().collect(),
            ..SettingArgs::default()
        };
        for (key, kind, is_included) in &INPUT_FILTERS {
            let option = format!("--{}", filter_option(key));
            let given = matches.get_many::<String>(key).into_iter().flatten();
            let list = if *is_included { &mut args.include } else { &mut args.exclude };
            list.extend(given.map(|name| NamePattern::given(*kind, name, option.as_str())));
        }
        Ok(args)
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

/// Settings below the settings file: those of a geometry set.
pub(crate) struct Base {
    /// Name of the file they come from.
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// The line that gives them; `None` for the defaults.
    pub(crate) line: Option<u64>,
}

/// Settings, and the origin of each.
pub(crate) struct SettingsWithOrigin {
    pub(crate) settings: Settings,
    /// Name and line of the base, if it gives settings.
    base: Option<(String, u64)>,
    /// Name, text and content of the settings file.
    file: Option<(String, String, SettingsFile)>,
    /// Paths of the settings that options gave.
    options: Vec<String>,
}

/// Combines and checks the settings of a bake.
pub(crate) fn gather(
    base: Option<Base>,
    config: Option<&Path>,
    options: &SettingArgs,
) -> Result<SettingsWithOrigin, Failure> {
    // A geometry set always has a cell size, at least the default.
    let is_free = base.is_none();
    let (base, place) = match base {
        Some(base) => (base.settings, base.line.map(|line| (base.name, line))),
        None => (Settings::default(), None),
    };
    let file = config.map(|path| read_file(path, &base)).transpose()?;
    let settings = file.as_ref().map_or(base, |(_, _, file)| file.settings.clone());
    let mut gathered = SettingsWithOrigin { settings, base: place, file, options: Vec::new() };
    gathered.apply(options);
    if is_free && !gathered.gives("cell_size") {
        gathered.settings.cell_size = gathered.derived_cell_size(options);
    }
    match gathered.settings.validate() {
        Ok(_) => Ok(gathered),
        Err(errors) => Err(gathered.out_of_range(&errors)),
    }
}

fn read_file(path: &Path, base: &Settings) -> Result<(String, String, SettingsFile), Failure> {
    let name = path.display().to_string();
    let text = String::from_utf8(files::read_once(path)?).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&byte| byte == b'\n').count();
        Failure::call(format!("{name}: line {line}: the text is not UTF-8")).help("save the file as UTF-8")
    })?;
    match navinput::read_settings_over(&text, base) {
        Ok(file) => Ok((name, text, file)),
        Err(error) => Err(wrong_file((path, &text), "settings", &error)
            .help("`navtile init -` shows every key with its unit, limits and default")),
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

impl SettingsWithOrigin {
    fn gives_by_option(&self, path: &str) -> bool {
        self.options.iter().any(|given| given == path)
    }

    /// The cell size that the agents need, if none is given.
    fn derived_cell_size(&self, options: &SettingArgs) -> f64 {
        let agents = self.file().map_or(&[][..], |file| &file.agents);
        let sizes = agents.iter().map(|agent| {
            let mut own = agent.apply(&self.settings);
            for (path, value) in &options.values {
                if let Some(setting) = find(path) {
                    (setting.set)(&mut own, *value);
                }
            }
            own.derived_cell_size()
        });
        sizes.min_by(f64::total_cmp).unwrap_or_else(|| self.settings.derived_cell_size())
    }

    /// Returns true if the settings file or an option gives a setting.
    fn gives(&self, path: &str) -> bool {
        self.gives_by_option(path) || self.file().is_some_and(|file| file.place_of(path).is_some())
    }

    /// The settings file, if there is one.
    pub(crate) fn file(&self) -> Option<&SettingsFile> {
        self.file.as_ref().map(|(_, _, file)| file)
    }

    /// The settings for reading the level: from the settings file, overridden by options.
    pub(crate) fn input(&self, options: &SettingArgs) -> InputSettings {
        let mut input = self.file().map_or_else(InputSettings::default, |file| file.input.clone());
        for (path, value) in &options.values {
            if let Some(setting) = INPUT_SETTINGS.iter().find(|setting| setting.path == *path) {
                (setting.set)(&mut input, *value);
            }
        }
        input.include.extend_from_slice(&options.include);
        input.exclude.extend_from_slice(&options.exclude);
        input
    }

    /// Names that a level does not have, with their places.
    pub(crate) fn unknown_names(&self, problems: &[SettingProblem], level: &str) -> Failure {
        let what = match problems.len() {
            1 => "a name matches nothing".to_owned(),
            count => format!("{count} names match nothing"),
        };
        let failure = match &self.file {
            Some((name, text, _)) if problems.iter().any(|problem| problem.span.is_some()) => {
                Failure::call(format!("{name}: {what} in {level}")).source(name, text)
            }
            _ => Failure::call(format!("{what} in {level}")),
        };
        failure
            .details(details(problems))
            .help("correct the names, or remove those that this level does not have")
    }

    /// The agents to bake for, each with its settings: all agents of the settings file, or the chosen one.
    /// Without agents in the file, it is the agent of the settings, without a name. Options describe one
    /// agent, so they override only one.
    pub(crate) fn agents(
        &self,
        chosen: Option<&str>,
        options: &SettingArgs,
    ) -> Result<Vec<(Option<String>, Settings)>, Failure> {
        let agents = self.file().map_or(&[][..], |file| &file.agents);
        let known = agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
        let agents: Vec<_> = match chosen {
            None => agents.iter().enumerate().collect(),
            Some(chosen) => agents.iter().enumerate().filter(|(_, agent)| agent.name == chosen).collect(),
        };
        if let (Some(chosen), true) = (chosen, agents.is_empty()) {
            let help = match known.is_empty() {
                true => "give a settings file with `[[agent]]` sections".to_owned(),
                false => format!("its agents are: {known}"),
            };
            return Err(
                Failure::call(format!("--agent {chosen}: the settings have no such agent")).help(help)
            );
        }
        if agents.is_empty() {
            return Ok(vec![(None, self.settings.clone())]);
        }
        let of_agent: Vec<String> = self
            .options
            .iter()
            .filter(|field| field.starts_with("agent."))
            .map(|field| option_of(field))
            .collect();
        if agents.len() > 1 && !of_agent.is_empty() {
            return Err(Failure::call(format!("{}: the settings have several agents", of_agent.join(", ")))
                .help(format!("choose one of them with --agent: {known}")));
        }
        let mut settings = Vec::with_capacity(agents.len());
        for (index, agent) in agents {
            let mut own = SettingsWithOrigin {
                settings: agent.apply(&self.settings),
                base: self.base.clone(),
                file: self.file.clone(),
                options: Vec::new(),
            };
            own.apply(options);
            own.settings.validate().map_err(|mut errors| {
                for error in &mut errors {
                    if let Some(key) = error.field.strip_prefix("agent.") {
                        error.field = format!("agent[{index}].{key}");
                    }
                }
                own.out_of_range(&errors)
            })?;
            settings.push((Some(agent.name.clone()), own.settings));
        }
        Ok(settings)
    }

    /// Overrides settings by options.
    fn apply(&mut self, args: &SettingArgs) {
        let SettingsWithOrigin { settings, options, .. } = self;
        for (path, value) in &args.values {
            if find(path).is_some_and(|setting| (setting.set)(settings, *value)) {
                options.push((*path).to_owned());
            }
        }
        for area in &args.areas {
            let index = settings.areas.iter().position(|known| known.id == area.id);
            let index = index.unwrap_or_else(|| {
                settings.areas.push(area.clone());
                settings.areas.len() - 1
            });
            settings.areas[index] = area.clone();
            options.push(format!("area[{index}]"));
        }
    }

    fn out_of_range(&self, errors: &[FieldError]) -> Failure {
        let details = errors.iter().map(|error| self.detail(error)).collect();
        let are = if errors.len() == 1 { "is" } else { "are" };
        let failure = Failure::call(format!("{} {are} out of range", counted(errors.len(), "setting")))
            .details(details);
        match &self.file {
            Some((name, text, _)) => failure.source(name, text),
            None => failure,
        }
    }

    fn detail(&self, error: &FieldError) -> Detail {
        let field = error.field.as_str();
        if let Some(option) = self.options.iter().find(|option| is_within(field, option)) {
            return Detail { text: format!("{error} (given by {})", option_of(option)), span: None };
        }
        match &self.file {
            Some((name, _, file)) if file.place_of(field).is_some() => {
                let line = file.place_of(field).map_or(0, |place| place.line);
                Detail { text: format!("{error} ({name}, line {line})"), span: file.span_of(field) }
            }
            _ => match &self.base {
                Some((name, line)) => Detail { text: format!("{error} ({name}, line {line})"), span: None },
                None => Detail { text: error.to_string(), span: None },
            },
        }
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

/// Returns true if `field` is `whole` or a part of it: `area[1].cost` is a part of `area[1]`.
fn is_within(field: &str, whole: &str) -> bool {
    field.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::AreaId;

    fn options(args: &[&str]) -> SettingArgs {
        let command = SettingArgs::augment_args(clap::Command::new("bake").no_binary_name(true));
        SettingArgs::from_arg_matches(&command.get_matches_from(args)).unwrap()
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
                assert_eq!(given.values, [(setting.path, setting.parse(text).unwrap())], "{name}");
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
        let gathered = gather(None, Some(&path), &given).map_err(|failure| failure.plain()).unwrap();
        let settings = &gathered.settings;
        assert_eq!((settings.cell_size, settings.agent_radius, settings.agent_slope), (0.5, 0.25, 30.0));
        assert!(settings.median_filter && !settings.split_walls);
        let given = options(&["--cell-size", "0"]);
        let plain = gather(None, Some(&path), &given).map(|_| ()).unwrap_err().plain();
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
        let gathered = gather(None, None, &given).map_err(|failure| failure.plain()).unwrap();
        assert_eq!(gathered.settings.areas, [area(63, "road", 0.5), area(2, "mud", 4.0)]);
        let plain = gather(None, None, &options(&["--area", "id=2,name=mud,cost=-4"]))
            .map(|_| ())
            .unwrap_err()
            .plain();
        assert!(plain.contains("area[1].cost is -4") && plain.contains("(given by --area)"), "{plain}");
    }
}
