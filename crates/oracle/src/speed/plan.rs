//! Levels to measure: under names, with a cell size, a partition and a tile size.

use super::SpeedError;
use crate::subject::{self, Subject};
use navlevel::bake_tiles;
use navtile::Tile;
use recast::{Level, Partition, PreparedLevel, Settings, Silent};
use std::path::{Path, PathBuf};

/// Triangles of the rolling terrain.
pub const TERRAIN_TRIANGLES: usize = 8_000;
/// Its side, metres.
pub const TERRAIN_SIZE: f64 = 100.0;
/// Cells along a tile, for levels that are cut.
pub const TILE_CELLS: u32 = 48;

/// Source of a level.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// An OBJ file.
    File(PathBuf),
    /// One of the project's scenes.
    Scene(&'static str),
    /// Rolling terrain: metres along a side, triangles.
    Terrain(f64, usize),
}

/// A level and the parameters of its bake.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Source of the level.
    pub origin: Origin,
    /// Number of copies along x and z.
    pub copies: u32,
    /// Metres.
    pub cell_size: f64,
    /// The partition that finds regions.
    pub partition: Partition,
    /// Cells along a tile; `None` for one tile.
    pub tile_cells: Option<u32>,
}

/// A level that is ready to be baked.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Its name, with everything that is unusual about it.
    pub name: String,
    /// The level.
    pub level: Level,
    /// Checked and on its lattice.
    pub prepared: PreparedLevel,
    /// Cells along a tile; `None` for one tile.
    pub tile_cells: Option<u32>,
}

impl Plan {
    /// A bake as one tile, by watershed.
    pub fn solo(origin: Origin, cell_size: f64) -> Plan {
        Plan { origin, copies: 1, cell_size, partition: Partition::Watershed, tile_cells: None }
    }

    /// Name of the level, with everything that is unusual about it.
    pub fn name(&self) -> String {
        let mut name = match &self.origin {
            Origin::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Origin::Scene(name) => (*name).to_owned(),
            Origin::Terrain(size, triangles) => format!("rolling {size:.0} m, {triangles} triangles"),
        };
        if self.copies > 1 {
            name += &format!(" {0} x {0}", self.copies);
        }
        name += &format!(", {} m", self.cell_size);
        if let Some((partition, _)) = Partition::NAMES
            .iter()
            .find(|(_, known)| *known == self.partition && self.partition != Partition::Watershed)
        {
            name += &format!(", {partition}");
        }
        if let Some(cells) = self.tile_cells {
            name += &format!(", tiles of {cells}");
        }
        name
    }

    /// Makes the level.
    pub fn bench(&self) -> Result<Bench, SpeedError> {
        let missing = |name: &str| SpeedError::Level(format!("{name} is not a scene"));
        let Subject { level, settings, .. } = match &self.origin {
            Origin::File(path) => Subject::from_file(path)?,
            Origin::Scene(name) => Subject::from_scene(name).ok_or_else(|| missing(name))?,
            Origin::Terrain(size, triangles) => Subject {
                name: self.name(),
                level: navscenes::sine_terrain(*size, *triangles),
                settings: Settings::default(),
            },
        };
        let level = if self.copies > 1 { navscenes::repeat(&level, self.copies, self.copies) } else { level };
        let settings = Settings { cell_size: self.cell_size, partition: self.partition, ..settings };
        let prepared = PreparedLevel::new(&level, &settings)?;
        Ok(Bench { name: self.name(), level, prepared, tile_cells: self.tile_cells })
    }
}

impl Bench {
    /// The level in tiles of [`TILE_CELLS`].
    pub fn tiles(&self) -> Result<Vec<Tile>, SpeedError> {
        let baked = bake_tiles(&self.prepared, TILE_CELLS, &Silent)?;
        Ok(baked.into_iter().map(|baked| baked.tile).collect())
    }
}

/// The level that a word names: a scene, `nav_test` or `dungeon` of the folder of meshes, or an OBJ file.
pub fn origin(named: &str, meshes: Option<&Path>) -> Result<Origin, SpeedError> {
    if let Some(scene) = subject::scene_names().into_iter().find(|scene| *scene == named) {
        return Ok(Origin::Scene(scene));
    }
    let known = subject::well_known_levels(meshes).map_err(SpeedError::Level)?;
    let stem = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_str() == Some(named));
    if let Some(path) = known.into_iter().find(stem) {
        return Ok(Origin::File(path));
    }
    let path = Path::new(named);
    if path.is_file() {
        return Ok(Origin::File(path.to_owned()));
    }
    let scenes = subject::scene_names().join(", ");
    Err(SpeedError::Level(format!(
        "there is no level {named}: expected an OBJ file, nav_test or dungeon if they are in the folder of meshes, \
         or one of {scenes}"
    )))
}

/// Everything that is measured by default: the well-known levels that exist, all scenes and rolling terrain
/// as one tile at 0.3 and 0.1 m, with each partition, and many copies of nav_test in tiles.
pub fn everything(quick: bool, meshes: Option<&Path>) -> Result<Vec<Plan>, SpeedError> {
    let files = subject::well_known_levels(meshes).map_err(SpeedError::Level)?;
    let mut origins: Vec<Origin> = files.into_iter().map(Origin::File).collect();
    origins.extend(subject::scene_names().into_iter().map(Origin::Scene));
    origins.push(Origin::Terrain(TERRAIN_SIZE, TERRAIN_TRIANGLES));
    let cell_sizes: &[f64] = if quick { &[0.3] } else { &[0.3, 0.1] };
    let mut plans = Vec::new();
    for origin in &origins {
        plans.extend(cell_sizes.iter().map(|&cell_size| Plan::solo(origin.clone(), cell_size)));
    }
    let first = origins[0].clone();
    for partition in [Partition::Monotone, Partition::Layers] {
        plans.push(Plan { partition, ..Plan::solo(first.clone(), 0.3) });
    }
    let copies = if quick { 2 } else { 10 };
    plans.push(Plan { copies, tile_cells: Some(TILE_CELLS), ..Plan::solo(first, 0.3) });
    Ok(plans)
}

/// The bakes of one named level.
pub fn of_level(origin: &Origin, quick: bool) -> Vec<Plan> {
    let cell_sizes: &[f64] = if quick { &[0.3] } else { &[0.3, 0.1] };
    cell_sizes.iter().map(|&cell_size| Plan::solo(origin.clone(), cell_size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_unusual() {
        let plain = Plan::solo(Origin::Scene("plane"), 0.3);
        assert_eq!(plain.name(), "plane, 0.3 m");
        let plan = Plan { copies: 3, partition: Partition::Layers, tile_cells: Some(48), ..plain };
        assert_eq!(plan.name(), "plane 3 x 3, 0.3 m, layers, tiles of 48");
    }

    #[test]
    fn levels_are_found_by_name() {
        assert_eq!(origin("spiral", None).unwrap(), Origin::Scene("spiral"));
        assert!(origin("nowhere", None).unwrap_err().to_string().contains("courtyard"));
    }

    #[test]
    fn everything_has_all_scenes_partitions_and_tiles() {
        let plans = everything(false, None).unwrap();
        assert!(plans.iter().any(|plan| plan.origin == Origin::Scene("terrain") && plan.cell_size == 0.1));
        assert!(Partition::NAMES.iter().all(|(_, wanted)| plans.iter().any(|p| p.partition == *wanted)));
        assert!(plans.iter().any(|plan| plan.copies == 10 && plan.tile_cells == Some(TILE_CELLS)));
        assert!(everything(true, None).unwrap().len() < plans.len());
    }

    #[test]
    fn terrain_is_as_large_as_asked_for() {
        let bench = Plan::solo(Origin::Terrain(30.0, 200), 0.3).bench().unwrap();
        assert_eq!((bench.prepared.size[0], bench.level.triangles.len()), (100, 200));
    }
}
