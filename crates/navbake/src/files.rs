//! Level files in memory: the files that form the level, and the files that these refer to.

use crate::error::BakeError;
use navinput::format::{LEVEL_ENDINGS, LevelFormat};
use navinput::{Gset, InputError, SourceLevel};

/// A file: its content, and the name that other files may use to refer to it.
#[derive(Clone, Copy, Debug)]
pub struct LevelFile<'a> {
    /// Its name with its extension. If other files refer to it by a path, that path, relative to the common
    /// folder and with `/`.
    pub name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

/// The files of a level after reading.
pub(crate) struct ReadFiles {
    /// The geometry of each file, in the order given.
    pub(crate) levels: Vec<SourceLevel>,
    /// The geometry set, and its name.
    pub(crate) set: Option<(String, Gset)>,
    /// The level's name in errors.
    pub(crate) title: String,
    pub(crate) warnings: Vec<String>,
}

/// Reads all files of the level. Files with other extensions count only if a file refers to them.
pub(crate) fn read(files: &[LevelFile<'_>]) -> Result<ReadFiles, BakeError> {
    let mut set: Option<(String, Gset)> = None;
    let mut meshes: Vec<&LevelFile<'_>> = Vec::new();
    for file in files {
        match LevelFormat::of_name(file.name) {
            Some(LevelFormat::GeometrySet) => {
                if let Some((other, _)) = &set {
                    let message = format!("{}: a second geometry set in addition to {other}", file.name);
                    return Err(BakeError::new(message)
                        .help("give one geometry set; further files may be OBJ or glTF"));
                }
                set = Some((file.name.to_owned(), read_set(file)?));
            }
            Some(format) if format.is_map() => {
                return Err(BakeError::new(format!(
                    "{}: is a map of polygons, which only the program can bake",
                    file.name
                ))
                .help("bake it with `navtile bake`, or give levels of triangles"));
            }
            Some(format) if format.is_geometry() => meshes.push(file),
            _ => {}
        }
    }
    if let Some((name, set)) = &set
        && !meshes.iter().any(|file| is_called(file.name, &set.mesh))
    {
        return Err(BakeError::new(format!("{name}: its mesh {} is missing", set.mesh))
            .help("give the mesh together with the geometry set"));
    }
    if meshes.is_empty() {
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        let given = if names.is_empty() { "no files are given".to_owned() } else { names.join(", ") };
        return Err(BakeError::new(format!("{given}: no level among them")).help(LEVEL_ENDINGS));
    }
    let (mut levels, mut warnings) = (Vec::with_capacity(meshes.len()), Vec::new());
    for file in &meshes {
        let level = read_geometry(file, files)?;
        warnings.extend(level.ignored.iter().map(|what| format!("{}: {what}", file.name)));
        levels.push(level);
    }
    let title = meshes.iter().map(|file| file.name).collect::<Vec<_>>().join(", ");
    Ok(ReadFiles { levels, set, title, warnings })
}

/// Returns true if a file is the file that another refers to, perhaps with a folder of some other machine.
fn is_called(name: &str, wanted: &str) -> bool {
    let bare = |path: &str| path.rsplit(['/', '\\']).next().map(str::to_owned);
    name == wanted || bare(name) == bare(wanted)
}

fn read_set(file: &LevelFile<'_>) -> Result<Gset, BakeError> {
    navinput::read_gset(file.bytes).map_err(|error| match error {
        InputError::Gset(problems) => {
            BakeError::of_text(format!("{}: the geometry set is wrong", file.name), &problems)
                .help("save it again with RecastDemo, or correct the lines by hand")
        }
        other => BakeError::new(format!("{}: {other}", file.name)),
    })
}

fn read_geometry(file: &LevelFile<'_>, files: &[LevelFile<'_>]) -> Result<SourceLevel, BakeError> {
    let name = file.name;
    if LevelFormat::of_name(name) == Some(LevelFormat::Gltf) {
        let folder = name.rfind('/').map_or("", |end| &name[..=end]);
        let mut load = |uri: &str| {
            let wanted = format!("{folder}{uri}");
            let found = files.iter().find(|other| other.name == wanted);
            let found = found.or_else(|| files.iter().find(|other| is_called(other.name, uri)));
            found
                .map(|other| other.bytes.to_vec())
                .ok_or_else(|| format!("{uri} is not among the files; give it together with {name}"))
        };
        return navinput::read_gltf(file.bytes, &mut load).map_err(|error| {
            let place = if error.at.is_empty() { String::new() } else { format!("{}: ", error.at) };
            BakeError::new(format!("{name}: {place}{}", error.problem)).help(error.problem.remedy())
        });
    }
    match navinput::read_obj(file.bytes) {
        Ok(obj) => Ok(SourceLevel::from(obj)),
        Err(InputError::Obj { place, problem }) => {
            Err(BakeError::new(format!("{name}: {place}: {problem}")).help(problem.remedy()))
        }
        Err(InputError::ObjWhole { problem }) => {
            Err(BakeError::new(format!("{name}: {problem}")).help(problem.remedy()))
        }
        Err(other) => Err(BakeError::new(format!("{name}: {other}"))),
    }
}
