//! Scenarios of crowds: a level and a `crowd.toml` each. Tests run them, the docs show them, and the program
//! can run them too.

mod changing;
mod doors;
mod groups;
mod open;
pub mod rimea;
mod storeys;

use navlevel::bake_tiles;
use navtile::Tile;
use recast::{Level, PreparedLevel, Scratch, Settings, Silent, bake_solo};

/// A scenario under a name.
#[derive(Clone, Copy, Debug)]
pub struct CrowdScene {
    /// Name, as in file names: lower case, underscores.
    pub name: &'static str,
    /// Its content, in a few words.
    pub title: &'static str,
    /// Builds the level.
    pub level: fn() -> Level,
    /// Builds the settings for its bake.
    pub settings: fn() -> Settings,
    /// Side of a tile, cells; `None` for one tile.
    pub tile_cells: Option<u32>,
    /// The text of its `crowd.toml`.
    pub crowd: &'static str,
}

impl CrowdScene {
    /// Bakes the level.
    pub fn bake(&self) -> Result<Vec<Tile>, recast::Error> {
        let level = PreparedLevel::new(&(self.level)(), &(self.settings)())?;
        match self.tile_cells {
            Some(cells) => {
                Ok(bake_tiles(&level, cells, &Silent)?.into_iter().map(|baked| baked.tile).collect())
            }
            None => Ok(vec![bake_solo(&level, &Silent, &mut Scratch::new())?.tile]),
        }
    }
}

/// All scenarios, in the order of the docs.
pub fn all() -> &'static [CrowdScene] {
    &[
        open::RING,
        open::CROSSING,
        open::CORRIDOR,
        open::OVERTAKING,
        doors::ONE_WIDE,
        doors::TWO_WIDE,
        doors::EXIT,
        storeys::LINK,
        storeys::STAIRS,
        groups::FORMATIONS,
        changing::MAZE,
        changing::ROOMS,
    ]
}

/// The scenario of this name.
pub fn by_name(name: &str) -> Option<CrowdScene> {
    all().iter().copied().find(|scene| scene.name == name)
}

/// Settings for agents of 0.3 m.
fn slim() -> Settings {
    Settings { agent_radius: 0.3, cell_size: 0.15, ..Settings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_a_sound_level_and_a_name_of_its_own() {
        for (index, scene) in all().iter().enumerate() {
            let prepared = PreparedLevel::new(&(scene.level)(), &(scene.settings)()).unwrap();
            assert!(prepared.diagnostics.is_empty(), "{}: {:?}", scene.name, prepared.diagnostics);
            assert!(all()[..index].iter().all(|other| other.name != scene.name), "{}", scene.name);
            assert!(by_name(scene.name).is_some());
        }
        assert!(by_name("nowhere").is_none());
    }
}
