//! Navmeshes as assets: `.navtile` files, loaded by the asset server.

use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetLoader, LoadContext};
use bevy_reflect::TypePath;
use hierarchy::{Hierarchy, HierarchyBytesError};
use navtile::file::Source;
use navtile::{Meta, NavFile, NavStore, StoreError, Tile};
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// A navmesh from a `.navtile` file: its verified tiles, and the file's data about the bake.
///
/// A file of `navtile bake --dynamic` keeps the data to bake tiles again, so that
/// [`NavObstacle`](crate::NavObstacle) has an effect. Put a handle into a
/// [`NavMeshHandle`](crate::NavMeshHandle) to use the mesh.
#[derive(Asset, TypePath, Clone)]
pub struct NavMeshAsset {
    pub(crate) bytes: FileBytes,
    pub(crate) meta: Meta,
    pub(crate) tiles: Vec<Tile>,
    is_dynamic: bool,
    pub(crate) hierarchy: Option<Arc<Hierarchy>>,
}

impl NavMeshAsset {
    /// Reads a file from memory and verifies every tile.
    ///
    /// # Errors
    /// Fails if the bytes are not a `.navtile` file, or are damaged.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<NavMeshAsset, LoadProblem> {
        let bytes = FileBytes(bytes.into());
        let file = NavFile::open(&*bytes.0).map_err(StoreError::from)?;
        let tiles = file.tiles().collect::<Result<_, _>>().map_err(StoreError::from)?;
        let hierarchy = match file.hierarchy() {
            Some(bytes) => Some(Arc::new(Hierarchy::from_bytes(bytes.map_err(StoreError::from)?)?)),
            None => None,
        };
        let is_dynamic = NavStore::open(bytes.clone())?.span_cache().is_some();
        let meta = file.meta().clone();
        Ok(NavMeshAsset { bytes, meta, tiles, is_dynamic, hierarchy })
    }

    /// The file: the same bytes that `navtile bake` writes for the same triangles and settings.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes.0
    }

    /// The bake: agent, cells, areas with their names and costs.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Its tiles.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns true if the file keeps the data to bake tiles again, so that obstacles have an effect.
    pub fn is_dynamic(&self) -> bool {
        self.is_dynamic
    }

    /// The hierarchy for planning far paths; `None` if the file was baked without `--hierarchy`.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_deref()
    }
}

/// The bytes of a file, shared by the asset and the tile cache.
#[derive(Clone)]
pub(crate) struct FileBytes(pub(crate) Arc<[u8]>);

impl Source for FileBytes {
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(offset, buffer)
    }
}

/// Loads [`NavMeshAsset`] from files whose names end in `.navtile`.
#[derive(Default, TypePath)]
pub struct NavMeshLoader;

/// The reason why a file is not a navmesh.
#[derive(Debug, Error)]
#[error("{path}: {problem}")]
pub struct NavMeshLoadError {
    /// The asset's path.
    pub path: String,
    /// The problem, with its remedy.
    #[source]
    pub problem: LoadProblem,
}

/// The fault of a file, and its remedy.
#[derive(Debug, Error)]
pub enum LoadProblem {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is damaged, or is not a `.navtile` file.
    #[error("{0}; `navtile verify` shows the faults, and `navtile bake` makes a new file")]
    File(#[from] StoreError),
    /// The hierarchy of the file is damaged.
    #[error("{0}; `navtile bake` makes a new file")]
    Hierarchy(#[from] HierarchyBytesError),
}

impl AssetLoader for NavMeshLoader {
    type Asset = NavMeshAsset;
    type Settings = ();
    type Error = NavMeshLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _: &(),
        load_context: &mut LoadContext<'_>,
    ) -> Result<NavMeshAsset, NavMeshLoadError> {
        let path = load_context.path().to_string();
        let mut bytes = Vec::new();
        let read = reader.read_to_end(&mut bytes).await.map_err(LoadProblem::from);
        let asset = read.and_then(|_| NavMeshAsset::from_bytes(bytes));
        asset.map_err(|problem| NavMeshLoadError { path, problem })
    }

    fn extensions(&self) -> &[&str] {
        &["navtile"]
    }
}
