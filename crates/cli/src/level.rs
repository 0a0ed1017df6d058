//! A level and the settings it is baked with, from their files: what `bake` and `explain` start from.

use crate::args::SettingArgs;
use crate::failure::{Detail, Failure};
use crate::files;
use crate::settings::{self, Base, Given};
use navinput::{Gset, InputError, ObjLevel};
use recast::error::LevelError;
use recast::{Error, Level, PreparedLevel};
use std::path::{Path, PathBuf};

/// The files of a level, read but not yet parsed, and its settings, checked.
pub(crate) struct Source {
    /// As it was given.
    level: PathBuf,
    config: Option<PathBuf>,
    /// The file that holds the mesh: the level itself, or the one that a geometry set names.
    mesh: PathBuf,
    bytes: Vec<u8>,
    given: Given,
    warnings: Vec<String>,
}

/// A level on its lattice, and what its user should know of.
pub(crate) struct Ready {
    pub(crate) prepared: PreparedLevel,
    pub(crate) warnings: Vec<String>,
}

/// Reads the files of a level and gathers its settings: those of a geometry set, then the settings file, then
/// options.
pub(crate) fn open(level: &Path, config: Option<&Path>, options: &SettingArgs) -> Result<Source, Failure> {
    let is_set = level.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gset"));
    let (base, mesh, warnings) = if is_set {
        let Gset { mesh, settings, settings_line, warnings, .. } = read_set(level)?;
        let name = level.display().to_string();
        let warnings = warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        let mesh = find_mesh(level, &mesh)?;
        (Some(Base { name, settings, line: settings_line }), mesh, warnings)
    } else {
        (None, level.to_owned(), Vec::new())
    };
    let given = settings::gather(base, config, options)?;
    let bytes = files::read(&mesh)?;
    Ok(Source { level: level.to_owned(), config: config.map(Path::to_owned), mesh, bytes, given, warnings })
}

fn read_set(path: &Path) -> Result<Gset, Failure> {
    let bytes = files::read(path)?;
    navinput::read_gset(&bytes).map_err(|error| {
        let name = path.display().to_string();
        let InputError::Gset(problems) = error else {
            return Failure::circumstances(format!("{name}: {error}"));
        };
        let details = problems
            .iter()
            .map(|problem| Detail { text: problem.to_string(), span: Some(problem.span.clone()) })
            .collect();
        let things =
            if problems.len() == 1 { "1 thing is" } else { &format!("{} things are", problems.len()) };
        let failure = Failure::circumstances(format!("{name}: {things} wrong with the geometry set"))
            .details(details)
            .help("save it again with RecastDemo, or mend the lines by hand");
        match String::from_utf8(bytes) {
            Ok(text) => failure.source(&name, &text),
            Err(_) => failure,
        }
    })
}

/// The mesh that a geometry set names, relative to the set's own folder. RecastDemo writes the name with the folder
/// that it was started in, so the bare name is looked for too.
fn find_mesh(set: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = set.parent().unwrap_or(Path::new(""));
    let portable = name.replace('\\', "/");
    let bare = Path::new(&portable).file_name().map(PathBuf::from);
    let mut places = vec![folder.join(name), folder.join(&portable)];
    places.extend(bare.map(|bare| folder.join(bare)));
    places.dedup();
    if let Some(place) = places.iter().find(|place| place.is_file()) {
        return Ok(place.clone());
    }
    let looked: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    Err(Failure::circumstances(format!(
        "{}: its mesh is not there; looked for {}",
        set.display(),
        looked.join(" and ")
    ))
    .help("put the mesh beside the geometry set"))
}

impl Source {
    /// All files that were read: none of them may be written over.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        [Some(&self.level), Some(&self.mesh), self.config.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect()
    }

    /// Parses the mesh, gives its triangles their areas, and brings it onto the lattice.
    pub(crate) fn prepare(self) -> Result<Ready, Failure> {
        let mut obj = navinput::read_obj(&self.bytes).map_err(|error| bad_level(&self.mesh, &error))?;
        obj.level.areas = self.given.areas_of(&obj.names(), &self.mesh)?;
        let prepared = PreparedLevel::new(&obj.level, &self.given.settings)
            .map_err(|error| self.unusable(&obj.level, &error))?;
        let mut warnings = self.warnings;
        warnings.extend(ignored_statements(&obj));
        Ok(Ready { prepared, warnings })
    }

    fn unusable(&self, level: &Level, error: &Error) -> Failure {
        let failure = failed(&self.mesh, error);
        match error {
            Error::Level(LevelError::OutsideBounds { .. }) => {
                failure.help(format!("give bounds that meet the level: {}", extent(level)))
            }
            Error::Limit(_) => {
                failure.help(format!("check the units of the level: it spans {}", extent(level)))
            }
            _ => failure,
        }
    }
}

fn bad_level(path: &Path, error: &InputError) -> Failure {
    let (place, problem) = match error {
        InputError::Obj { place, problem } => (format!("{place}: "), problem),
        InputError::ObjWhole { problem } => (String::new(), problem),
        other => return Failure::circumstances(format!("{}: {other}", path.display())),
    };
    Failure::circumstances(format!("{}: {place}{problem}", path.display())).help(problem.remedy())
}

/// The part of the world that a level fills.
fn extent(level: &Level) -> String {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for vertex in &level.vertices {
        for (axis, &value) in vertex.iter().enumerate() {
            bounds[0][axis] = bounds[0][axis].min(value);
            bounds[1][axis] = bounds[1][axis].max(value);
        }
    }
    format!("{:?} to {:?}", bounds[0], bounds[1])
}

/// A bake that gave up. What other settings would mend is the call's fault.
pub(crate) fn failed(path: &Path, error: &Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    match error {
        Error::Settings(_)
        | Error::TooLarge { .. }
        | Error::Limit(_)
        | Error::Level(LevelError::OutsideBounds { .. } | LevelError::OffMeshTooLong { .. }) => {
            Failure::call(message)
        }
        Error::Level(_) => {
            Failure::circumstances(message).help("export the level again, with triangles that have an area")
        }
        _ => Failure::circumstances(message),
    }
}

/// What the level's file holds and the bake does not use.
fn ignored_statements(level: &ObjLevel) -> Vec<String> {
    let ignored = &level.ignored;
    let mut warnings = Vec::new();
    if ignored.lines_and_points > 0 {
        warnings.push(format!("{} lines and points of the level were ignored", ignored.lines_and_points));
    }
    if let Some((place, keyword)) = &ignored.first_unknown {
        warnings.push(format!(
            "{} statements of the level are not known and were ignored; the first is `{keyword}` at {place}",
            ignored.unknown
        ));
    }
    warnings
}
