//! The settings of a bake: defaults or those of a geometry set, then the settings file, then options. Every error
//! names where it was given.

use crate::args::SettingArgs;
use crate::failure::{Detail, Failure};
use crate::files;
use navinput::{InputError, SettingProblem, SettingsFile};
use recast::{FieldError, Settings};
use std::path::Path;

/// Settings that a settings file stands on: those of a geometry set.
pub(crate) struct Base {
    /// Name of the file they come from.
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// The line they stand in; `None` if they are the defaults.
    pub(crate) line: Option<u64>,
}

/// Settings, and where they came from.
pub(crate) struct Given {
    pub(crate) settings: Settings,
    /// Name and line of the base, if it gives settings.
    base: Option<(String, u64)>,
    /// Name, text and content of the settings file.
    file: Option<(String, String, SettingsFile)>,
    /// Fields that options gave.
    options: Vec<String>,
}

/// Puts together and checks the settings of a bake.
pub(crate) fn gather(
    base: Option<Base>,
    config: Option<&Path>,
    options: &SettingArgs,
) -> Result<Given, Failure> {
    let (base, place) = match base {
        Some(base) => (base.settings, base.line.map(|line| (base.name, line))),
        None => (Settings::default(), None),
    };
    let file = config.map(|path| read_file(path, &base)).transpose()?;
    let settings = file.as_ref().map_or(base, |(_, _, file)| file.settings.clone());
    let mut given = Given { settings, base: place, file, options: Vec::new() };
    given.apply(options);
    match given.settings.validate() {
        Ok(_) => Ok(given),
        Err(errors) => Err(given.out_of_range(&errors)),
    }
}

fn read_file(path: &Path, base: &Settings) -> Result<(String, String, SettingsFile), Failure> {
    let name = path.display().to_string();
    let text = String::from_utf8(files::read(path)?).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&byte| byte == b'\n').count();
        Failure::call(format!("{name}: line {line}: the text is not UTF-8")).help("save the file as UTF-8")
    })?;
    match navinput::read_settings_over(&text, base) {
        Ok(file) => Ok((name, text, file)),
        Err(InputError::Settings(problems)) => Err(wrong_file(&name, &text, &problems)),
        Err(error) => Err(Failure::call(format!("{name}: {error}"))),
    }
}

fn wrong_file(name: &str, text: &str, problems: &[SettingProblem]) -> Failure {
    let details = problems
        .iter()
        .map(|problem| Detail { text: problem.to_string(), span: problem.span.clone() })
        .collect();
    let things = if problems.len() == 1 { "1 thing is" } else { &format!("{} things are", problems.len()) };
    Failure::call(format!("{name}: {things} wrong with the settings"))
        .details(details)
        .source(name, text)
        .help("`navtile init -` shows every key with its unit, limits and default")
}

impl Given {
    /// The settings file, if there is one.
    pub(crate) fn file(&self) -> Option<&SettingsFile> {
        self.file.as_ref().map(|(_, _, file)| file)
    }

    /// Names that a level does not have, told with their place.
    pub(crate) fn unknown_names(&self, problems: &[SettingProblem], level: &str) -> Failure {
        let details = problems
            .iter()
            .map(|problem| Detail { text: problem.to_string(), span: problem.span.clone() })
            .collect();
        let what = match problems.len() {
            1 => "a name fits nothing".to_owned(),
            count => format!("{count} names fit nothing"),
        };
        let help = "correct the names, or take those out that this level does not have";
        match &self.file {
            Some((name, text, _)) if problems.iter().any(|problem| problem.span.is_some()) => {
                Failure::call(format!("{name}: {what} in {level}"))
                    .details(details)
                    .source(name, text)
                    .help(help)
            }
            _ => Failure::call(format!("{what} in {level}")).details(details).help(help),
        }
    }

    /// The agents to bake for, each with its settings: those of the settings file, or the one that is chosen of
    /// them; else the one there is, without a name. Options speak of one agent, so they win only over one.
    pub(crate) fn agents(
        &self,
        chosen: Option<&str>,
        options: &SettingArgs,
    ) -> Result<Vec<(Option<String>, Settings)>, Failure> {
        let agents = self.file().map_or(&[][..], |file| &file.agents);
        let listed = agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
        let agents: Vec<_> = match chosen {
            None => agents.iter().enumerate().collect(),
            Some(chosen) => agents.iter().enumerate().filter(|(_, agent)| agent.name == chosen).collect(),
        };
        if let (Some(chosen), true) = (chosen, agents.is_empty()) {
            let help = match listed.is_empty() {
                true => "give a settings file with `[[agent]]` sections".to_owned(),
                false => format!("its agents are: {listed}"),
            };
            return Err(
                Failure::call(format!("--agent {chosen}: the settings have no such agent")).help(help)
            );
        }
        if agents.is_empty() {
            return Ok(vec![(None, self.settings.clone())]);
        }
        let given: Vec<String> = self
            .options
            .iter()
            .filter(|field| field.starts_with("agent."))
            .map(|field| option_of(field))
            .collect();
        if agents.len() > 1 && !given.is_empty() {
            return Err(Failure::call(format!("{}: the settings have several agents", given.join(", ")))
                .help(format!("choose the one that is meant with --agent: {listed}")));
        }
        let mut settings = Vec::with_capacity(agents.len());
        for (index, agent) in agents {
            let mut own = Given {
                settings: agent.apply(&self.settings),
                base: self.base.clone(),
                file: self.file.clone(),
                options: Vec::new(),
            };
            own.apply_agent(options);
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

    /// Takes the options that speak of the agent.
    fn apply_agent(&mut self, args: &SettingArgs) {
        let Given { settings, options, .. } = self;
        let mut take = |field: &str, value: Option<f64>, target: &mut f64| {
            if let Some(value) = value {
                *target = value;
                options.push(field.to_owned());
            }
        };
        take("agent.radius", args.agent_radius, &mut settings.agent_radius);
        take("agent.height", args.agent_height, &mut settings.agent_height);
        take("agent.climb", args.agent_climb, &mut settings.agent_climb);
        take("agent.slope", args.agent_slope, &mut settings.agent_slope);
        if args.regions_min_area.is_some() {
            settings.region_min_area = args.regions_min_area;
        }
    }

    fn apply(&mut self, args: &SettingArgs) {
        self.apply_agent(args);
        let Given { settings, options, .. } = self;
        let mut take = |field: &str, value: Option<f64>, target: &mut f64| {
            if let Some(value) = value {
                *target = value;
                options.push(field.to_owned());
            }
        };
        take("cell_size", args.cell_size, &mut settings.cell_size);
        take("cell_height", args.cell_height, &mut settings.cell_height);
        take("contours.max_edge_length", args.contours_max_edge_length, &mut settings.max_edge_length);
        let mut take_optional = |field: &str, value: Option<f64>, target: &mut Option<f64>| {
            if value.is_some() {
                *target = value;
                options.push(field.to_owned());
            }
        };
        take_optional("regions.min_area", args.regions_min_area, &mut settings.region_min_area);
        take_optional("regions.merge_area", args.regions_merge_area, &mut settings.region_merge_area);
        take_optional("contours.max_error", args.contours_max_error, &mut settings.contour_max_error);
        take_optional(
            "detail.sample_distance",
            args.detail_sample_distance,
            &mut settings.detail_sample_distance,
        );
        take_optional("detail.max_error", args.detail_max_error, &mut settings.detail_max_error);
        settings.split_walls = args.contours_split_walls.unwrap_or(settings.split_walls);
        settings.split_areas = args.contours_split_areas.unwrap_or(settings.split_areas);
        settings.median_filter = args.median_filter.unwrap_or(settings.median_filter);
        if let Some(partition) = args.partition {
            settings.partition = partition;
        }
        if let Some(count) = args.max_vertices {
            settings.max_vertices = count;
            options.push("max_vertices".to_owned());
        }
        if let Some(bytes) = args.memory_bound {
            settings.memory_bound = bytes;
        }
        if let Some([x0, y0, z0, x1, y1, z1]) = args.bounds {
            settings.bounds = Some([[x0, y0, z0], [x1, y1, z1]]);
            options.push("bounds".to_owned());
        }
        for area in &args.area {
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
        let count = match errors.len() {
            1 => "1 setting is".to_owned(),
            count => format!("{count} settings are"),
        };
        let failure = Failure::call(format!("{count} out of range")).details(details);
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

/// The option that gives a field.
fn option_of(field: &str) -> String {
    format!("--{}", field.split('[').next().unwrap_or(field).replace(['.', '_'], "-"))
}

/// Whether `field` is `whole` or a part of it, as `area[1].cost` is of `area[1]`.
fn is_within(field: &str, whole: &str) -> bool {
    field.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recast::{AreaDefinition, AreaId};

    #[test]
    fn options_win_and_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.toml");
        std::fs::write(&path, "cell_size = 0.5\n[agent]\nradius = -1\nslope = 30\n").unwrap();
        let options = SettingArgs {
            agent_radius: Some(0.25),
            contours_split_walls: Some(false),
            median_filter: Some(true),
            ..SettingArgs::default()
        };
        let given = gather(None, Some(&path), &options).map_err(|failure| failure.plain()).unwrap();
        assert_eq!(
            (given.settings.cell_size, given.settings.agent_radius, given.settings.agent_slope),
            (0.5, 0.25, 30.0)
        );
        assert!(given.settings.median_filter && !given.settings.split_walls);
        let options = SettingArgs { cell_size: Some(0.0), ..SettingArgs::default() };
        let plain = gather(None, Some(&path), &options).map(|_| ()).unwrap_err().plain();
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
            flags: 1,
            cost,
        };
        let options =
            SettingArgs { area: vec![area(63, "road", 0.5), area(2, "mud", 4.0)], ..SettingArgs::default() };
        let given = gather(None, None, &options).map_err(|failure| failure.plain()).unwrap();
        assert_eq!(given.settings.areas, [area(63, "road", 0.5), area(2, "mud", 4.0)]);
        let options = SettingArgs { area: vec![area(2, "mud", -4.0)], ..SettingArgs::default() };
        let plain = gather(None, None, &options).map(|_| ()).unwrap_err().plain();
        assert!(plain.contains("area[1].cost is -4") && plain.contains("(given by --area)"), "{plain}");
    }
}
