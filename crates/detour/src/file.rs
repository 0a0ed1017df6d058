//! Meshes and filters from `.navtile` files, in one call each.

use crate::error::MeshError;
use crate::filter::{Filter, FilterError};
use crate::mesh::NavMesh;
use navtile::{AreaMeta, FileError, Meta, NavFile, StoreError, Tile};
use std::error::Error;
use std::fmt;
use std::path::Path;

/// The reason why a file could not be opened as a mesh.
#[derive(Debug)]
pub enum OpenError {
    /// The file cannot be read.
    Read(StoreError),
    /// It is not a `.navtile` file, it is damaged, or one of its tiles is invalid.
    File(FileError),
    /// Its tiles do not fit into a mesh.
    Mesh(MeshError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Read(error) => error.fmt(f),
            OpenError::File(error) => error.fmt(f),
            OpenError::Mesh(error) => error.fmt(f),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OpenError::Read(error) => error.source(),
            OpenError::File(error) => error.source(),
            OpenError::Mesh(_) => None,
        }
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> OpenError {
        OpenError::Read(error)
    }
}

impl From<FileError> for OpenError {
    fn from(error: FileError) -> OpenError {
        OpenError::File(error)
    }
}

impl From<MeshError> for OpenError {
    fn from(error: MeshError) -> OpenError {
        OpenError::Mesh(error)
    }
}

impl NavMesh {
    /// Opens a file. Returns a mesh of all its tiles, each verified, and the file's record of the bake.
    /// Positions are world metres. For a level far from the world's origin, where single precision is coarse,
    /// use [`NavMesh::of_file`] with an anchor.
    ///
    /// ```no_run
    /// use detour::{Filter, NavMesh, Query, RouteOptions, Vec3};
    ///
    /// let (mesh, meta) = NavMesh::open("level.navtile")?;
    /// let filter = Filter::of_areas(&meta.areas)?;
    /// let (from, to) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(10.0, 0.0, 2.0));
    /// let route = Query::new().route(&mesh, from, to, &filter, &RouteOptions::default())?;
    /// println!("{} m", route.length);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, is not a `.navtile` file, or is damaged; or it has more tiles than a mesh can
    /// hold.
    pub fn open(path: impl AsRef<Path>) -> Result<(NavMesh, Meta), OpenError> {
        let file = NavFile::read(path)?;
        Ok((NavMesh::of_file(&file, [0.0; 3])?, file.meta().clone()))
    }

    /// Makes a mesh of all tiles of an open file, each verified, around an anchor. It uses the same threads
    /// as [`NavMesh::add_tiles_from`].
    ///
    /// # Errors
    /// A tile is damaged; or the anchor is not finite, or is so far away that positions near the tiles are
    /// coarser than their cells.
    pub fn of_file<B: AsRef<[u8]> + Sync>(file: &NavFile<B>, anchor: [f64; 3]) -> Result<NavMesh, OpenError> {
        let mut mesh = NavMesh::new(anchor)?;
        let entries = file.entries();
        let take = |row: usize| -> Result<Tile, OpenError> { Ok(file.tile_of(&entries[row])?) };
        mesh.add_tiles_from(entries.len(), take)?;
        Ok(mesh)
    }
}

impl Filter {
    /// The filter for the areas of a file: a metre in each area costs what the file says, and a polygon
    /// passes if it has a flag of one of them. Without areas everything passes at a cost of 1.
    ///
    /// # Errors
    /// The cost of an area is outside [`Filter::MIN_COST`] to [`Filter::MAX_COST`].
    pub fn of_areas(areas: &[AreaMeta]) -> Result<Filter, FilterError> {
        if areas.is_empty() {
            return Ok(Filter::default());
        }
        let flags = areas.iter().fold(0, |flags, area| flags | area.flags);
        areas.iter().try_fold(Filter::default().with_include(flags), |filter, area| {
            filter.with_area_cost(area.id, area.cost)
        })
    }
}
