//! The hierarchy of a file, built from the tiles that the file holds, so that it may be larger than memory.

use detour::Filter;
use hierarchy::{Class, Hierarchy, HierarchyError, HierarchySettings};
use navinput::{ClassInput, HierarchyInput};
use navmath::Lattice;
use navtile::file::{DirectoryEntry, Source, Storage};
use navtile::{Meta, NavStore, StoreError, TileCoord};
use recast::AreaId;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

/// A hierarchy that cannot be added to a file.
#[derive(Debug)]
pub enum AddError {
    /// The file cannot be read or changed.
    Store(StoreError),
    /// It cannot be built.
    Build(String),
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddError::Store(error) => error.fmt(f),
            AddError::Build(why) => write!(f, "its hierarchy cannot be built: {why}"),
        }
    }
}

impl Error for AddError {}

impl From<StoreError> for AddError {
    fn from(error: StoreError) -> AddError {
        AddError::Store(error)
    }
}

/// The reason why a level in one piece is refused.
pub const ONE_PIECE: &str = "a hierarchy is made of tiles, and this level is baked in one piece";

/// The name of the class of a hierarchy without classes.
const ONLY_CLASS: &str = "default";

/// Completes a file that was just written with the hierarchy of its tiles, on the threads of rayon's current
/// pool. The bytes are those of a file written at once with it.
///
/// # Errors
/// Fails if the file cannot be read or written, or if its tiles and the sizes do not make a hierarchy.
pub fn add<S: Storage + Sync>(file: S, input: &HierarchyInput) -> Result<S, AddError> {
    let store = NavStore::open(file)?;
    let hierarchy = bytes(&store, input)?;
    Ok(store.complete(&hierarchy)?)
}

/// Completes a file that was just written from an earlier one with the hierarchy of that one, brought up to
/// date where tiles differ. Does nothing if the earlier file has no hierarchy. The result is the same as
/// that of [`add`].
///
/// # Errors
/// Fails if a file cannot be read or written, if the earlier hierarchy is damaged, or if the tiles do not
/// make one.
pub fn update<S: Storage + Sync>(file: S, before: &NavStore<impl Source>) -> Result<S, AddError> {
    let Some(bytes) = before.hierarchy() else { return Ok(file) };
    let mut hierarchy = Hierarchy::from_bytes(&bytes?).map_err(|error| AddError::Build(error.to_string()))?;
    let store = NavStore::open(file)?;
    let coords: BTreeSet<TileCoord> = before.coords().into_iter().chain(store.coords()).collect();
    let stored = |row: &DirectoryEntry| (row.checksum, row.length, row.flags);
    let differs = |coord: &TileCoord| before.find(*coord).map(stored) != store.find(*coord).map(stored);
    let changed: Vec<TileCoord> = coords.into_iter().filter(differs).collect();
    hierarchy.update(&store, &changed).map_err(unbuilt)?;
    Ok(store.complete(&hierarchy.to_bytes())?)
}

/// Returns true if a file has the hierarchy that its tiles and these settings give, or rightly no hierarchy.
///
/// # Errors
/// Fails if the file cannot be read, or if its tiles and the sizes do not make a hierarchy.
pub fn is_current<S: Source + Sync>(
    file: &NavStore<S>,
    input: Option<&HierarchyInput>,
) -> Result<bool, AddError> {
    let stored = file.hierarchy().transpose()?;
    let built = input.map(|input| bytes(file, input)).transpose()?;
    Ok(stored.as_deref() == built.as_deref())
}

/// The hierarchy of a file's tiles, as bytes.
fn bytes<S: Source + Sync>(store: &NavStore<S>, input: &HierarchyInput) -> Result<Vec<u8>, AddError> {
    let meta = store.meta();
    let [cell_size, cell_height] = meta.cell;
    let lattice = Lattice { origin: meta.origin, cell_size, cell_height };
    let settings = settings(input, meta)?;
    Ok(Hierarchy::build(store, lattice, meta.tile_cells, &settings).map_err(unbuilt)?.to_bytes())
}

fn unbuilt(error: HierarchyError<StoreError>) -> AddError {
    match error {
        HierarchyError::Tile(error) => AddError::Store(error),
        error => AddError::Build(error.to_string()),
    }
}

/// The settings of the hierarchy of a file with this metadata.
fn settings(input: &HierarchyInput, meta: &Meta) -> Result<HierarchySettings, AddError> {
    let HierarchyInput { cluster, spacing, ref classes } = *input;
    let only = [ClassInput { name: ONLY_CLASS.to_owned(), ..ClassInput::default() }];
    let classes = if classes.is_empty() { &only[..] } else { classes };
    let classes = classes.iter().map(|class| of_class(class, meta)).collect::<Result<_, _>>()?;
    Ok(HierarchySettings { cluster, spacing, classes })
}

/// A class for the areas of a file.
fn of_class(class: &ClassInput, meta: &Meta) -> Result<Class, AddError> {
    let filter = || {
        let filter = Filter::of_areas(&meta.areas)?;
        let with_cost = |filter: Filter, (area, cost): &(AreaId, f32)| filter.with_area_cost(area.0, *cost);
        let filter = class.costs.iter().try_fold(filter, with_cost)?;
        Ok(class.exclude.iter().fold(filter, |filter, area| filter.without_area(area.0)))
    };
    let wrong = |error: detour::FilterError| AddError::Build(format!("class {:?}: {error}", class.name));
    Ok(Class { name: class.name.clone(), filter: filter().map_err(wrong)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_defaults_of_hierarchies() {
        let HierarchyInput { cluster, spacing, classes } = HierarchyInput::default();
        let HierarchySettings { cluster: side, spacing: apart, classes: only } = HierarchySettings::default();
        assert_eq!((cluster, spacing), (side, apart));
        assert_eq!((classes.len(), only[0].name.as_str()), (0, ONLY_CLASS));
    }
}
