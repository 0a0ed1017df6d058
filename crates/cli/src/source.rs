//! Levels and their settings, from files: the start of `bake`, `bench` and `explain`.

mod chunks;

use crate::failure::Failure;
use crate::level_format::format_of;
use crate::settings::{self, SettingArgs, SettingsAndFile, details};
use crate::{files, memory};
pub(crate) use chunks::ChunkedSource;
use clap::Args;
use navbake::settings::Gathered;
use navdraw::number::counted;
use navinput::format::LevelFormat;
use navinput::{
    Chunk, GltfError, Gset, HierarchyInput, InputError, InputSettings, SettingProblem, SourceLevel,
    SourcePlacement, TileSize,
};
use recast::error::LevelError;
use recast::{BYTES_PER_LISTED_TRIANGLE, Error, InstancedMesh, PreparedLevel, Settings, Transform};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A level, its settings, and the parts of it to bake.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// The level: Wavefront OBJ (.obj), glTF 2.0 (.gltf, .glb), or a geometry set of RecastDemo (.gset),
    /// which names an OBJ file and holds settings, volumes and off-mesh connections. Several files form one
    /// level, and so do the files of a folder, and those of a list of chunks (.toml), which are loaded within
    /// the memory bound. Metres, Y up, faces counter-clockwise seen from above. `-` is standard input, in any
    /// of these formats.
    #[arg(required = true, value_name = "LEVEL")]
    pub(crate) levels: Vec<PathBuf>,
    /// A settings file from `navtile init`. Options override it, and it overrides a geometry set.
    #[arg(short = 'c', long = "config", alias = "settings", value_name = "SETTINGS.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Use only this agent of the settings file.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

impl SourceArgs {
    /// The named files.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.levels.iter().chain(&self.config).map(PathBuf::as_path)
    }

    /// Returns true if one of the levels is a map of polygons.
    pub(crate) fn is_map(&self) -> Result<bool, Failure> {
        for path in self.levels.iter().filter(|path| !path.is_dir()) {
            if format_of(path)?.is_map() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The files of a level, found but not yet read, and its settings, checked.
pub(crate) struct Source {
    /// Files and folders as given.
    levels: Vec<PathBuf>,
    config: Option<PathBuf>,
    /// The files that hold geometry, including those that a geometry set names.
    meshes: Vec<PathBuf>,
    /// The chunks of these files, if a list names them.
    list: Option<Vec<Chunk>>,
    settings: SettingsAndFile,
}

/// A level on its lattice, for each agent, with warnings about its files.
pub(crate) struct PreparedLevels {
    /// One level for each agent.
    pub(crate) levels: Vec<PreparedLevel>,
    /// Names of the files and folders given.
    pub(crate) names: Vec<String>,
    /// Its name in errors.
    pub(crate) title: PathBuf,
    pub(crate) warnings: Vec<String>,
}

/// The level that a mesh was baked from, to be shown with it, for the first agent of its settings; `None` if
/// they name none.
pub(crate) fn shown_level(level: &Path, config: Option<&Path>) -> Result<Option<PreparedLevel>, Failure> {
    let args = SourceArgs {
        levels: vec![level.to_owned()],
        config: config.map(Path::to_owned),
        agent: None,
        settings: Default::default(),
    };
    Ok(open(&args)?.prepare()?.levels.into_iter().next())
}

/// Finds the files of a level and gathers its settings: those of a geometry set, then the settings file, then
/// options.
pub(crate) fn open(args: &SourceArgs) -> Result<Source, Failure> {
    files::refuse_shared_input(args.inputs())?;
    let mut meshes = Vec::new();
    let (mut set, mut list) = (None, None);
    for path in &args.levels {
        if path.is_dir() {
            meshes.extend(files_of(path)?);
            continue;
        }
        let format = format_of(path)?;
        if format == LevelFormat::GeometrySet {
            let read = read_set(path)?;
            if set.is_some() {
                return Err(Failure::call(format!("{}: a second geometry set", path.display()))
                    .help("give one geometry set; further files may be OBJ or glTF"));
            }
            meshes.push(find_mesh(path, &read.mesh)?);
            set = Some((path, read));
        } else if format == LevelFormat::Chunks {
            if args.levels.len() > 1 {
                return Err(Failure::call(format!("{}: is a level by itself", path.display()))
                    .help("put the other files into the list of chunks, each under `[[chunk]]`"));
            }
            let chunks = chunks::read_list(path)?;
            let folder = path.parent().unwrap_or(Path::new(""));
            meshes.extend(chunks.iter().map(|chunk| folder.join(&chunk.file)));
            list = Some(chunks);
        } else if format.is_map() {
            return Err(Failure::call(format!(
                "{}: is a map of polygons, not a level of triangles",
                path.display()
            ))
            .help("only `navtile bake` reads maps, one at a time"));
        } else {
            meshes.push(path.clone());
        }
    }
    let set = set.as_ref().map(|(path, set)| (path.as_path(), set));
    let settings = settings::gather(set, args.config.as_deref(), args.agent.as_deref(), &args.settings)?;
    Ok(Source { levels: args.levels.clone(), config: args.config.clone(), meshes, list, settings })
}

/// The files that a level is read from: the file itself first, then the files that a geometry set or a glTF
/// refers to.
pub(crate) fn files_of_level(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = vec![path.to_owned()];
    match format_of(path)? {
        LevelFormat::GeometrySet => {
            let mesh = find_mesh(path, &read_set(path)?.mesh)?;
            protect_materials(&mesh, &files::read(&mesh)?);
            files.push(mesh);
        }
        LevelFormat::Gltf => drop(read_level(path, &mut files)?),
        format if format.is_map() => {
            return Err(Failure::call(format!("{}: is a map of polygons", path.display()))
                .help("`navtile bake` reads maps; the studio shows the .navtile file that it writes"));
        }
        LevelFormat::Chunks => {
            return Err(Failure::call(format!("{}: is a list of chunks", path.display()))
                .help("bake it with `navtile bake`; the studio shows the .navtile file"));
        }
        _ => protect_materials(path, &files::read(path)?),
    }
    Ok(files)
}

/// The files of geometry in a folder, by name; subfolders are not searched.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: io::Error| files::unreadable(folder, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && LevelFormat::of_name(&path).is_some_and(LevelFormat::is_geometry) {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() {
        return Err(Failure::circumstances(format!("{}: has no level files", folder.display()))
            .help("give a folder that contains .obj, .gltf or .glb files"));
    }
    Ok(found)
}

fn read_set(path: &Path) -> Result<Gset, Failure> {
    let bytes = files::read(path)?;
    navinput::read_gset(&bytes).map_err(|error| {
        let name = path.display().to_string();
        let InputError::Gset(problems) = error else {
            return Failure::circumstances(format!("{name}: {error}"));
        };
        let errors = counted(problems.len(), "error");
        let failure = Failure::circumstances(format!("{name}: {errors} in the geometry set"))
            .details(details(&problems))
            .help("save it again with RecastDemo, or correct the lines by hand");
        match String::from_utf8(bytes) {
            Ok(text) => failure.source(&name, &text),
            Err(_) => failure,
        }
    })
}

/// The mesh that a geometry set names, in the set's own folder or below. RecastDemo writes the name with the
/// folder that it was started in, which may be anywhere, so the bare name is searched, too.
fn find_mesh(set: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = set.parent().unwrap_or(Path::new(""));
    let portable = name.replace('\\', "/");
    let bare = Path::new(&portable).file_name().and_then(|bare| bare.to_str());
    let names = [Some(name), Some(&*portable), bare].into_iter().flatten();
    let mut places: Vec<PathBuf> =
        names.filter(|name| is_below(name)).map(|name| folder.join(name)).collect();
    places.dedup();
    if let Some(place) = places.iter().find(|place| place.is_file()) {
        return Ok(place.clone());
    }
    let set = set.display();
    let looked: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    let failure = if is_below(name) && is_below(&portable) {
        Failure::circumstances(format!("{set}: its mesh is missing; looked for {}", looked.join(" and ")))
    } else {
        let name = navinput::escaped(name);
        Failure::circumstances(format!("{set}: its mesh {name} {OUTSIDE} of the geometry set"))
    };
    Err(failure.help("put the mesh next to the geometry set"))
}

impl Source {
    /// All files given or found so far. Files that levels refer to are known once the levels are read.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        let all = self.levels.iter().chain(&self.meshes).chain(self.config.as_ref());
        all.map(PathBuf::as_path).collect()
    }

    /// The first file or folder of the level, as given.
    pub(crate) fn first_level(&self) -> &Path {
        self.levels.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Names of the agents, in the order of their bakes.
    pub(crate) fn agent_names(&self) -> Vec<Option<String>> {
        self.gathered().agents.iter().map(|(name, _)| name.clone()).collect()
    }

    fn gathered(&self) -> &Gathered {
        &self.settings.gathered
    }

    /// Side of a tile: from the settings, else from the geometry set.
    pub(crate) fn tile_size(&self) -> TileSize {
        self.gathered().tile_size
    }

    /// Returns true if the level is read chunk by chunk, and never held whole: a list of chunks, or files
    /// that do not fit in memory.
    pub(crate) fn is_chunked(&self) -> bool {
        /// While it is read, a level takes several times the bytes of its files.
        const FORMS: u64 = 4;
        let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |about| about.len());
        let text: u64 = self.meshes.iter().map(length).sum();
        let is_off = self.tile_size() == TileSize::Off;
        self.list.is_some() || (!is_off && text > self.memory_bound() / FORMS && text <= memory::installed())
    }

    /// The level chunk by chunk.
    ///
    /// # Errors
    /// Patterns of materials that no chunk of the list has.
    pub(crate) fn chunked(self) -> Result<ChunkedSource, Failure> {
        let chunks = self.list.as_deref().unwrap_or_default();
        let Gathered { input, .. } = self.gathered();
        let problems = navinput::unknown_materials(chunks, self.gathered().mappings(), input);
        self.check_names(&problems, &self.first_level().display().to_string())?;
        Ok(ChunkedSource::new(self))
    }

    /// Refuses patterns that do not match any name of the level.
    pub(crate) fn check_names(&self, unknown: &[SettingProblem], title: &str) -> Result<(), Failure> {
        if unknown.is_empty() { Ok(()) } else { Err(self.settings.unknown_names(unknown, title)) }
    }

    /// The settings of each agent.
    pub(crate) fn agent_settings(&self) -> impl Iterator<Item = &Settings> {
        self.gathered().agents.iter().map(|(_, settings)| settings)
    }

    /// Doubts about a level from its sums, as sentences.
    pub(crate) fn doubts(&self, sums: navinput::LevelSums, title: &str) -> Vec<String> {
        let InputSettings { up, winding, .. } = self.gathered().input;
        let doubts = sums.doubts(up, winding);
        doubts.into_iter().map(|doubt| format!("{title}: {doubt}")).collect()
    }

    /// The level of a file, with or without hidden nodes, with winding, rotation and scale applied.
    fn brought(&self, level: SourceLevel) -> Result<SourceLevel, Failure> {
        let InputSettings { hidden_nodes, winding, up, scale, .. } = self.gathered().input;
        level.shown(hidden_nodes).wound(winding).turned(up, scale).map_err(|error| {
            Failure::call(format!("{error}")).help("give the metres per unit of the level with --scale")
        })
    }

    /// Maximum memory of the bake, bytes.
    pub(crate) fn memory_bound(&self) -> u64 {
        self.gathered().settings.memory_bound
    }

    /// The point from which everything that is kept must be reachable, if there is one.
    pub(crate) fn reachable_from(&self) -> Option<[f64; 3]> {
        self.gathered().input.reachable_from
    }

    /// The hierarchy of each file: that of the settings file, or the default one if `wanted`.
    pub(crate) fn hierarchy(&self, wanted: bool) -> Option<HierarchyInput> {
        self.gathered().hierarchy().cloned().or_else(|| wanted.then(HierarchyInput::default))
    }

    /// Reads the files, assigns areas to triangles, applies include and exclude lists, and moves the rest
    /// onto the lattice.
    pub(crate) fn prepare(self) -> Result<PreparedLevels, Failure> {
        Ok(self.prepare_keeping(false)?.0)
    }

    /// Like [`Source::prepare`]; also returns the level as read from its files, rotated and scaled, with its
    /// names.
    pub(crate) fn prepare_named(self) -> Result<(PreparedLevels, SourceLevel), Failure> {
        let (prepared, level) = self.prepare_keeping(true)?;
        Ok((prepared, level.unwrap_or_default()))
    }

    fn prepare_keeping(self, keep: bool) -> Result<(PreparedLevels, Option<SourceLevel>), Failure> {
        let names = |paths: &[PathBuf]| -> Vec<String> {
            paths.iter().map(|path| path.display().to_string()).collect()
        };
        let (mut read, mut warnings) = (Vec::with_capacity(self.meshes.len()), Vec::new());
        let of_list = self.list.iter().flatten().map(|chunk| chunk.transform);
        for (path, place) in self.meshes.iter().zip(of_list.chain(std::iter::repeat(Transform::IDENTITY))) {
            let level = self.brought(read_level(path, &mut Vec::new())?)?.placed(place);
            warnings.extend(level.ignored.iter().map(|what| format!("{}: {what}", path.display())));
            read.push(level);
        }
        let level = SourceLevel::merge(read);
        let title = match self.meshes.len() {
            count if count <= MOST_NAMED => names(&self.meshes).join(", "),
            // The given names: a folder may hold thousands of files.
            _ => few(&names(&self.levels)),
        };
        self.check_count(&level, &title)?;
        let gathered = self.gathered();
        let doubts = level.doubts(gathered.input.up, gathered.input.winding);
        warnings.extend(doubts.into_iter().map(|doubt| format!("{title}: {doubt}")));
        let meshes = navinput::into_meshes(&level, gathered.mappings(), &gathered.input)
            .map_err(|problems| self.settings.unknown_names(&problems, &title))?;
        if meshes.is_empty() {
            let [why, remedy] = level.nothing_left();
            return Err(Failure::call(format!("{title}: {why}")).help(remedy));
        }
        let kept = keep.then_some(level);
        // The bounds in a list are the bounds of the level, even if they are too wide.
        let stated: Option<Vec<_>> = self.list.iter().flatten().map(|chunk| chunk.bounds).collect();
        let stated = stated.filter(|bounds| !bounds.is_empty()).map(chunks::union);
        let levels =
            gathered.on_lattice(&meshes, stated).map_err(|error| unusable(&title, &meshes, &error))?;
        let prepared =
            PreparedLevels { levels, names: names(&self.levels), title: PathBuf::from(title), warnings };
        Ok((prepared, kept))
    }

    /// Refuses a level with very many instances, if the lists of their triangles alone take more memory than
    /// is allowed, before any code visits each of them.
    fn check_count(&self, level: &SourceLevel, title: &str) -> Result<(), Failure> {
        let triangles = |placement: &SourcePlacement| level.meshes[placement.mesh].triangles.len() as u64;
        let count: u64 = level.placements.iter().map(triangles).sum();
        let needed = count.saturating_mul(BYTES_PER_LISTED_TRIANGLE);
        if needed <= self.memory_bound() {
            return Ok(());
        }
        Err(Failure::call(format!(
            "{title}: memory_bound is {}, which cannot hold the level: the lists of its {count} triangles alone take {}",
            memory::readable(self.memory_bound()),
            memory::readable(needed)
        ))
        .help("allow more memory with --memory, use fewer instances, or cut the level into several bakes"))
    }
}

/// With more files than this, messages do not name all of them.
const MOST_NAMED: usize = 4;

/// The first names of a list, and the number of the others.
fn few(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_NAMED)].join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Reads one file of geometry, by its extension; lists the files that it refers to.
fn read_level(path: &Path, named: &mut Vec<PathBuf>) -> Result<SourceLevel, Failure> {
    let format = format_of(path)?;
    let bytes = files::read(path)?;
    if format == LevelFormat::Gltf {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut load = |uri: &str| beside(folder, uri, named);
        return navinput::read_gltf(&bytes, &mut load).map_err(|error| bad_gltf(path, &error));
    }
    protect_materials(path, &bytes);
    let obj = navinput::read_obj(&bytes).map_err(|error| bad_level(path, &error))?;
    Ok(SourceLevel::from(obj))
}

/// Protects the files of materials that an OBJ refers to at its start. They are not read, but belong to the
/// level: no result may overwrite them.
fn protect_materials(path: &Path, obj: &[u8]) {
    /// Exporters name them before the first vertex.
    const START: usize = 1 << 16;
    let lines = obj[..obj.len().min(START)].split(|byte| *byte == b'\n');
    let names = lines.filter_map(|line| std::str::from_utf8(line.strip_prefix(b"mtllib ")?).ok());
    let folder = path.parent().unwrap_or(Path::new(""));
    names.for_each(|name| files::protect(&folder.join(name.trim())));
}

/// The error for a name that is not [below](is_below) the folder of the file that has it; the kind of that
/// file follows.
pub(crate) const OUTSIDE: &str = "is outside the folder";

/// Returns true if a name is that of a file in the folder that it is searched in, or below. Files must not
/// refer to others: otherwise, a level from an untrusted source could have any file of the machine read, and
/// shown by the studio.
pub(crate) fn is_below(name: &str) -> bool {
    let mesh = |mesh| matches!(mesh, Component::Normal(_) | Component::CurDir);
    Path::new(name).components().all(mesh)
}

/// A file that a glTF refers to, in its folder or below.
fn beside(folder: &Path, uri: &str, named: &mut Vec<PathBuf>) -> Result<Vec<u8>, String> {
    if !is_below(uri) {
        return Err(format!("it {OUTSIDE} of the glTF file"));
    }
    let path = folder.join(uri);
    let bytes = files::bytes_of(&path).map_err(|error| format!("{}: {error}", path.display()));
    named.push(path);
    bytes
}

/// The failure of a level that cannot be moved onto the lattice.
fn unusable(title: &str, meshes: &[InstancedMesh], error: &Error) -> Failure {
    let failure = failed(Path::new(title), error);
    match error {
        Error::Level(LevelError::OutsideBounds { .. }) => {
            failure.help(format!("give bounds that overlap the level: {}", extent(meshes)))
        }
        Error::Limit(_) => failure.help(format!("check the units of the level: it spans {}", extent(meshes))),
        _ => failure,
    }
}

fn bad_gltf(path: &Path, error: &GltfError) -> Failure {
    let place = if error.at.is_empty() { String::new() } else { format!("{}: ", error.at) };
    Failure::circumstances(format!("{}: {place}{}", path.display(), error.problem))
        .help(error.problem.remedy())
}

fn bad_level(path: &Path, error: &InputError) -> Failure {
    let (place, problem) = match error {
        InputError::Obj { place, problem } => (format!("{place}: "), problem),
        InputError::ObjWhole { problem } => (String::new(), problem),
        other => return Failure::of(path, other),
    };
    Failure::circumstances(format!("{}: {place}{problem}", path.display())).help(problem.remedy())
}

/// The part of the world that a level fills.
fn extent(meshes: &[InstancedMesh]) -> String {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for mesh in meshes {
        for place in &mesh.placements {
            for vertex in mesh.vertices.iter() {
                for (axis, value) in place.apply(*vertex).into_iter().enumerate() {
                    bounds[0][axis] = bounds[0][axis].min(value);
                    bounds[1][axis] = bounds[1][axis].max(value);
                }
            }
        }
    }
    format!("{:?} to {:?}", bounds[0], bounds[1])
}

/// The failure of a bake. If other settings would avoid it, the command line is at fault.
pub(crate) fn failed(path: &Path, error: &Error) -> Failure {
    let message = format!("{}: {error}", path.display());
    match error.cause() {
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

/// The reason why tiles could not be baked.
#[derive(Debug)]
pub(crate) enum Stop {
    Bake(Error),
    Failure(Failure),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Bake(error)
    }
}

impl From<io::Error> for Stop {
    /// The temporary file of triangles cannot be read or written.
    fn from(error: io::Error) -> Stop {
        let failure = Failure::circumstances(format!("the temporary file of triangles: {error}"));
        failure.help("nothing was changed; free disk space, or name another folder with -o").into()
    }
}

impl Stop {
    /// The failure of the bake of a level, or of a chunk of it.
    pub(crate) fn failure(self, title: &Path) -> Failure {
        match self {
            Stop::Failure(failure) => failure,
            Stop::Bake(error) => failed(title, &error),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl PreparedLevels {
    /// The failure that results from a stop of the bake.
    pub(crate) fn stopped(&self, stop: Stop) -> Failure {
        stop.failure(&self.title)
    }
}
