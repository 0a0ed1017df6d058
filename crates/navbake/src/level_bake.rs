//! A level and its settings, ready to bake.

use crate::error::BakeError;
use crate::files::{self, LevelFile, ReadFiles};
use crate::hierarchy::ONE_PIECE;
use crate::report::BakedFile;
use crate::settings::{self, Overrides};
use navinput::{HierarchyInput, SourceLevel};
use navlevel::Tiling;
use navtile::TileCoord;
use recast::{Observer, PreparedLevel};

/// A level on its lattice for each agent, cut into tiles, with its settings checked. Memory: the size of the
/// level.
///
/// ```
/// # use navbake::{LevelBake, LevelFile, Silent};
/// let floor = b"v 0 0 0\nv 0 0 90\nv 120 0 90\nv 120 0 0\nf 1 2 3 4\n";
/// let files = [LevelFile { name: "floor.obj", bytes: floor }];
/// let bake = LevelBake::new(&files, Some("tile_size = 30"))?;
/// assert_eq!(bake.tiles()?, 12);
/// // Each share may be made by another worker.
/// let shares = [bake.share(1, 2, &Silent)?, bake.share(0, 2, &Silent)?];
/// assert_eq!(bake.join(&shares)?[0].bytes, bake.run(&Silent)?[0].bytes);
/// # Ok::<(), navbake::BakeError>(())
/// ```
#[derive(Debug)]
pub struct LevelBake {
    /// One for each agent.
    pub(crate) levels: Vec<PreparedLevel>,
    /// Their names, if they have names.
    pub(crate) agents: Vec<Option<String>>,
    pub(crate) tile_cells: u32,
    pub(crate) reachable_from: Option<[f64; 3]>,
    /// The hierarchy of each file.
    pub(crate) hierarchy: Option<HierarchyInput>,
    /// About the level's files.
    pub(crate) warnings: Vec<String>,
    /// The level's name in errors.
    pub(crate) title: String,
}

impl LevelBake {
    /// Reads a level and its settings, the text of a settings file. All files of geometry form one level;
    /// other files count if one of these refers to them. The level is converted to the lattice of each agent.
    ///
    /// # Errors
    /// Fails if a file cannot be read or found, if settings are invalid or out of range (the error lists
    /// every problem), if names do not exist in the level, or if the level is too large for its cells.
    pub fn new(files: &[LevelFile<'_>], settings: Option<&str>) -> Result<LevelBake, BakeError> {
        LevelBake::with_source(files, settings).map(|(bake, _)| bake)
    }

    /// Like [`LevelBake::new`], but also returns the level as its files have it, rotated and scaled, to look
    /// up names in it.
    ///
    /// # Errors
    /// The errors of [`LevelBake::new`].
    pub fn with_source(
        files: &[LevelFile<'_>],
        settings: Option<&str>,
    ) -> Result<(LevelBake, SourceLevel), BakeError> {
        LevelBake::of_files(files::read(files)?, settings)
    }

    /// Like [`LevelBake::new`], with a level that is already in memory; `title` is its name in errors.
    ///
    /// # Errors
    /// The errors of [`LevelBake::new`].
    pub fn of_level(level: SourceLevel, title: &str, settings: Option<&str>) -> Result<LevelBake, BakeError> {
        let (levels, title) = (vec![level], title.to_owned());
        let read = ReadFiles { levels, set: None, title, warnings: Vec::new() };
        LevelBake::of_files(read, settings).map(|(bake, _)| bake)
    }

    fn of_files(read: ReadFiles, settings: Option<&str>) -> Result<(LevelBake, SourceLevel), BakeError> {
        let ReadFiles { levels, set, title, mut warnings } = read;
        let set = set.as_ref().map(|(_, set)| set);
        let gathered = settings::gather(set, settings, &Overrides::default(), None)?;
        let input = &gathered.input;
        let mut level = SourceLevel::merge(levels);
        let known = level.ignored.len();
        level = level.shown(input.hidden_nodes).wound(input.winding);
        warnings.extend(level.ignored[known..].iter().map(|what| format!("{title}: {what}")));
        let level = level.turned(input.up, input.scale).map_err(|error| {
            BakeError::from(gathered.out_of_range(vec![error]))
                .help("give the metres per unit of the level as input.scale")
        })?;
        let doubts = level.doubts(input.up, input.winding);
        warnings.extend(doubts.into_iter().map(|doubt| format!("{title}: {doubt}")));
        let meshes = navinput::into_meshes(&level, gathered.mappings(), input).map_err(|problems| {
            BakeError::of_text(format!("names match nothing in {title}"), &problems)
                .help("correct the names, or remove those that this level does not have")
        })?;
        if meshes.is_empty() {
            let [why, remedy] = level.nothing_left();
            return Err(BakeError::new(format!("{title}: {why}")).help(remedy));
        }
        let bake_error = |error: recast::Error| BakeError::of_bake(&title, &error);
        let levels = gathered.on_lattice(&meshes, None).map_err(bake_error)?;
        let tile_cells = gathered.tile_size.cells(&levels[0]).map_err(|error| {
            BakeError::from(gathered.out_of_range(vec![error]))
                .help("give the side of a tile in metres, \"auto\", or \"off\"")
        })?;
        let hierarchy = gathered.hierarchy().cloned();
        if hierarchy.is_some() && tile_cells == 0 {
            return Err(BakeError::new(format!("{title}: {ONE_PIECE}"))
                .help("give the side of a tile in metres as tile_size"));
        }
        let reachable_from = input.reachable_from;
        let agents = gathered.agents.into_iter().map(|(name, _)| name).collect();
        let bake = LevelBake { levels, agents, tile_cells, reachable_from, hierarchy, warnings, title };
        Ok((bake, level))
    }

    /// Bakes everything, on the threads of rayon's current pool: a file for each agent.
    ///
    /// # Errors
    /// Fails if the level is too large, or if the observer cancels the bake.
    pub fn run(&self, observer: &dyn Observer) -> Result<Vec<BakedFile>, BakeError> {
        let share = self.bake_share(0, 1, observer)?;
        self.join_shares(vec![share])
    }

    /// Number of tiles to bake, for the agent with the most tiles.
    ///
    /// # Errors
    /// Fails if the level is too large.
    pub fn tiles(&self) -> Result<usize, BakeError> {
        Ok(self.coords(&self.tiling()?)?.iter().map(Vec::len).max().unwrap_or(0))
    }

    /// Warnings about the level's files that are known before the bake, one sentence each: units, axes,
    /// winding, ignored statements.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The level on its lattice, one for each agent.
    pub fn levels(&self) -> &[PreparedLevel] {
        &self.levels
    }

    /// Side of a tile in cells; 0 if the level is one tile.
    pub fn tile_cells(&self) -> u32 {
        self.tile_cells
    }

    pub(crate) fn tiling(&self) -> Result<Tiling<'_>, BakeError> {
        Tiling::for_agents(&self.levels, self.tile_cells).map_err(|error| self.failed(&error))
    }

    /// For each agent, the tiles that have any content, in canonical order.
    pub(crate) fn coords(&self, tiling: &Tiling<'_>) -> Result<Vec<Vec<TileCoord>>, BakeError> {
        let of_agent = |agent| tiling.coords_of(agent).map_err(|error| self.failed(&error));
        (0..self.levels.len()).map(of_agent).collect()
    }

    pub(crate) fn failed(&self, error: &recast::Error) -> BakeError {
        BakeError::of_bake(&self.title, error)
    }
}
