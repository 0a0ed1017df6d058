//! The settings of a bake: defaults or those of a geometry set, then those of a settings file, then single
//! values. Errors are data, so that each caller words them for its users.

use navinput::{
    AgentSettings, AreaMapping, Gset, HierarchyInput, INPUT_SETTINGS, InputError, InputSettings, NamePattern,
    SettingsFile, TileSize,
};
use recast::settings::{Value, find};
use recast::{AreaDefinition, FieldError, InstancedMesh, PreparedLevel, Settings};
use std::ops::Range;

/// Values that override all others, such as those of a command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Paths of settings, and their values, for the bake and for the reading of its level.
    pub values: Vec<(&'static str, Value)>,
    /// Areas to define. They replace those with the same ids.
    pub areas: Vec<AreaDefinition>,
    /// Further names of the parts to bake.
    pub include: Vec<NamePattern>,
    /// Further names of the parts to leave out.
    pub exclude: Vec<NamePattern>,
}

/// The place that gives a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It has its default.
    Default,
    /// The geometry set, in this line.
    GeometrySet(u64),
    /// The settings file: the line, and the bytes of the value.
    File(u64, Range<usize>),
    /// An override: the path of the setting, or `area[1]`.
    Override(String),
}

/// The reason why settings cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The settings file is wrong.
    File(InputError),
    /// These settings are out of range.
    OutOfRange(Vec<(FieldError, Origin)>),
}

/// Checked settings.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The settings that all agents have in common, with the first agent.
    pub settings: Settings,
    /// The agents to bake for, with names if they have any.
    pub agents: Vec<(Option<String>, Settings)>,
    /// The settings for reading the level.
    pub input: InputSettings,
    /// Side of a tile.
    pub tile_size: TileSize,
    /// The settings file, if there is one.
    pub file: Option<SettingsFile>,
    /// The line of the settings in the geometry set.
    set_line: Option<u64>,
    /// The settings that overrides give.
    overridden: Vec<String>,
}

/// Combines and checks the settings: those of a geometry set, the text of a settings file, and overrides. The
/// agents are all agents of the file, or only the one called `agent`, if the file has it. If the file has no
/// agents, there is one without a name. If no cell size is given, it is derived from the agents.
///
/// # Errors
/// Fails if the file is wrong, or if settings are out of range.
pub fn gather(
    set: Option<&Gset>,
    file: Option<&str>,
    overrides: &Overrides,
    agent: Option<&str>,
) -> Result<Gathered, Refusal> {
    let base = set.map_or_else(Settings::default, |set| set.settings.clone());
    let file = file.map(|text| navinput::read_settings_over(text, &base));
    let file = file.transpose().map_err(Refusal::File)?;
    let mut settings = file.as_ref().map_or(base, |file| file.settings.clone());
    let overridden = overrides.apply(&mut settings);
    let input = overrides.input(file.as_ref());
    let set_line = set.and_then(|set| set.settings_line);
    let (agents, tile_size) = (Vec::new(), TileSize::Auto);
    let mut gathered = Gathered { settings, agents, input, tile_size, file, set_line, overridden };
    let own = |agent: &AgentSettings, settings: &Settings| {
        let mut own = agent.apply(settings);
        overrides.apply(&mut own);
        own
    };
    let agents = gathered.file.as_ref().map_or(&[][..], |file| &file.agents);
    // A geometry set always has a cell size, at least the default.
    if set.is_none() && gathered.origin("cell_size") == Origin::Default {
        let sizes = agents.iter().map(|agent| own(agent, &gathered.settings).derived_cell_size());
        let smallest = sizes.min_by(f64::total_cmp);
        gathered.settings.cell_size = smallest.unwrap_or_else(|| gathered.settings.derived_cell_size());
    }
    gathered.settings.validate().map_err(|errors| gathered.out_of_range(errors))?;
    let of_set = set.and_then(|set| set.tile_cells).map(|cells| cells * gathered.settings.cell_size);
    gathered.tile_size = gathered.input.tile_size.or(of_set.map(TileSize::Metres)).unwrap_or(TileSize::Auto);
    let mut chosen = Vec::with_capacity(agents.len());
    for (index, known) in agents.iter().enumerate().filter(|(_, known)| agent.is_none_or(|a| a == known.name))
    {
        let own = own(known, &gathered.settings);
        own.validate().map_err(|mut errors| {
            for error in &mut errors {
                if let Some(key) = error.field.strip_prefix("agent.") {
                    error.field = format!("agent[{index}].{key}");
                }
            }
            gathered.out_of_range(errors)
        })?;
        chosen.push((Some(known.name.clone()), own));
    }
    if agents.is_empty() && agent.is_none() {
        chosen.push((None, gathered.settings.clone()));
    }
    gathered.agents = chosen;
    Ok(gathered)
}

impl Overrides {
    /// Changes settings of the bake. Returns their paths.
    fn apply(&self, settings: &mut Settings) -> Vec<String> {
        let mut changed = Vec::new();
        for (path, value) in &self.values {
            if find(path).is_some_and(|setting| (setting.set)(settings, *value)) {
                changed.push((*path).to_owned());
            }
        }
        for area in &self.areas {
            let index = settings.areas.iter().position(|known| known.id == area.id);
            let index = index.unwrap_or_else(|| {
                settings.areas.push(area.clone());
                settings.areas.len() - 1
            });
            settings.areas[index] = area.clone();
            changed.push(format!("area[{index}]"));
        }
        changed
    }

    fn input(&self, file: Option<&SettingsFile>) -> InputSettings {
        let mut input = file.map_or_else(InputSettings::default, |file| file.input.clone());
        for (path, value) in &self.values {
            if let Some(setting) = INPUT_SETTINGS.iter().find(|setting| setting.path == *path) {
                (setting.set)(&mut input, *value);
            }
        }
        input.include.extend_from_slice(&self.include);
        input.exclude.extend_from_slice(&self.exclude);
        input
    }
}

impl Gathered {
    /// The origin of a setting, by its path or its name in [`FieldError`].
    pub fn origin(&self, field: &str) -> Origin {
        let is_part = |rest: &str| rest.is_empty() || rest.starts_with('.');
        let gives = |whole: &&String| field.strip_prefix(whole.as_str()).is_some_and(is_part);
        if let Some(path) = self.overridden.iter().find(gives) {
            return Origin::Override(path.clone());
        }
        let of_file = |file: &SettingsFile| Some((file.place_of(field)?.line, file.span_of(field)?));
        match (self.file.as_ref().and_then(of_file), self.set_line) {
            (Some((line, span)), _) => Origin::File(line, span),
            (None, Some(line)) => Origin::GeometrySet(line),
            (None, None) => Origin::Default,
        }
    }

    /// The refusal of settings that turned out to be out of range.
    pub(crate) fn out_of_range(&self, errors: Vec<FieldError>) -> Refusal {
        let with_origin = |error: FieldError| {
            let origin = self.origin(&error.field);
            (error, origin)
        };
        Refusal::OutOfRange(errors.into_iter().map(with_origin).collect())
    }

    /// The areas of materials, groups, objects and nodes.
    pub fn mappings(&self) -> &[AreaMapping] {
        self.file.as_ref().map_or(&[][..], |file| &file.mappings)
    }

    /// The hierarchy of each file, if the settings file has one.
    pub fn hierarchy(&self) -> Option<&HierarchyInput> {
        self.file.as_ref()?.hierarchy.as_ref()
    }

    /// The level on its lattice, for each agent; `bounds` are those of the level, if they are stated.
    ///
    /// # Errors
    /// The errors of [`PreparedLevel::from_meshes_within`].
    pub fn on_lattice(
        &self,
        meshes: &[InstancedMesh],
        bounds: Option<[[f64; 3]; 2]>,
    ) -> Result<Vec<PreparedLevel>, recast::Error> {
        let mut levels: Vec<PreparedLevel> = Vec::with_capacity(self.agents.len());
        for (_, settings) in &self.agents {
            levels.push(match levels.first() {
                None => PreparedLevel::from_meshes_within(meshes, settings, bounds)?,
                Some(first) => first.with_settings(settings)?,
            });
        }
        Ok(levels)
    }
}
