//! The head of a part: the index of the share, and the identity of the bake.

use super::Damage;
use super::bytes::{In, Out};
use super::profiles::{read_area, read_profile, read_volume, write_profile, write_volume};
use crate::loose_ends::{self, LinkEnds};
use crate::lost_areas::{self, AreaFloors};
use crate::warning::Warning;
use navinput::{ClassInput, HierarchyInput};
use navlevel::meta::settings_of;
use navlevel::min_island_cells;
use navmath::Digest;
use navtile::Meta;
use navtile::file::{decode_meta, encode_meta};
use recast::{BAKE_VERSION, LinkProfile, PreparedLevel, Settings, Volume, settings_digest};

/// The largest number of shares of a bake: more would be smaller than any tile.
pub const MOST_SHARES: u32 = 1 << 16;

/// Index of the share of a shard file, and identity of its bake.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardHead {
    /// The version of the bake that makes its tiles.
    pub version: u32,
    /// The share, from 1, and the number of shares, at most [`MOST_SHARES`].
    pub share: [u32; 2],
    /// The bake of each agent.
    pub agents: Vec<AgentFacts>,
}

/// The bake of one agent: everything about its level that is needed to join tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFacts {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The metadata of its file.
    pub meta: Meta,
    /// Digest of all settings that affect tiles, and of the obstacles in the level.
    pub settings_digest: [u8; 16],
    /// Size of the level in cells: along x, in height, along z.
    pub size: [u32; 3],
    /// Height of the level's bounds, metres.
    pub height: f32,
    /// Number of triangles in the level, including triangles without an area.
    pub triangles: u64,
    /// Number of cells of the smallest island that is kept.
    pub min_cells: u64,
    /// The settings that a dynamic file holds; `None` if the file is not to be dynamic.
    pub cache_settings: Option<Vec<u8>>,
    /// The hierarchy of the file.
    pub hierarchy: Option<HierarchyInput>,
    /// Warnings about the level as a whole.
    pub warnings: Vec<Warning>,
    /// The ends of its off-mesh connections.
    pub links: Vec<LinkEnds>,
    /// The floors of each of its areas.
    pub floors: Vec<AreaFloors>,
    /// Profiles of the links that are generated when shard files are joined.
    pub profiles: Vec<LinkProfile>,
    /// The volumes that mark ladders.
    pub ladders: Vec<Volume>,
}

/// A difference between the bakes of two shard files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Another version of the program made it.
    Version,
    /// It is for other agents.
    Agents,
    /// The triangles or the bounds of the level differ.
    Level,
    /// The settings differ, or the obstacles in the level.
    Settings,
    /// The level was divided into another number of shares.
    Shares,
}

impl AgentFacts {
    /// The facts of a level for the agent of this name, whose file has this metadata; `of_level` are warnings
    /// about its files.
    pub fn new(level: &PreparedLevel, name: Option<String>, meta: Meta, of_level: &[String]) -> AgentFacts {
        let tile_cells = meta.tile_cells;
        let mut warnings: Vec<Warning> =
            of_level.iter().map(|text| Warning::plain("level", text.clone())).collect();
        warnings.extend(Warning::of_level(level));
        let settings = &level.config.settings;
        let is_ladder = |area| settings.links.iter().any(|profile| profile.surface == Some(area));
        AgentFacts {
            name,
            meta,
            settings_digest: settings_digest(level).0,
            size: level.size,
            height: level.height,
            triangles: level.triangles_given as u64,
            min_cells: min_island_cells(level, tile_cells),
            cache_settings: None,
            hierarchy: None,
            warnings,
            links: loose_ends::ends(level),
            floors: lost_areas::floors(level),
            profiles: settings.links.clone(),
            ladders: settings.volumes.iter().filter(|volume| is_ladder(volume.area)).cloned().collect(),
        }
    }

    /// Adds the obstacles in the level to the facts.
    #[must_use]
    pub fn with_obstacles(mut self, obstacles: &[Digest]) -> AgentFacts {
        if !obstacles.is_empty() {
            let all = navlevel::tile_digest(Digest(self.settings_digest), obstacles.to_vec());
            self.settings_digest = all.0;
        }
        self
    }

    /// A level without triangles, but with all other properties. It has only the volumes that mark ladders.
    ///
    /// # Errors
    /// Fails if the metadata or the profiles cannot come from a bake.
    pub fn level(&self) -> Result<PreparedLevel, recast::Error> {
        let (links, volumes) = (self.profiles.clone(), self.ladders.clone());
        let settings = Settings { links, volumes, ..settings_of(&self.meta) };
        let mut level =
            PreparedLevel::without_triangles(&settings, self.meta.origin, self.size, self.height)?;
        level.triangles_given = usize::try_from(self.triangles).unwrap_or(usize::MAX);
        Ok(level)
    }

    fn write(&self, out: &mut Out) {
        out.option(self.name.as_deref(), |out, name| out.bytes(name.as_bytes()));
        // Metadata of a prepared level is valid.
        out.bytes(&encode_meta(&self.meta).unwrap_or_default());
        out.0.extend(self.settings_digest);
        self.size.into_iter().for_each(|cells| out.u32(cells));
        out.u32(self.height.to_bits());
        out.u64(self.triangles);
        out.u64(self.min_cells);
        out.option(self.cache_settings.as_deref(), Out::bytes);
        out.option(self.hierarchy.as_ref(), write_hierarchy);
        out.list(&self.warnings, Out::warning);
        out.list(&self.links, |out, link| {
            out.place(link.start);
            out.place(link.end);
            out.u64(link.radius.to_bits());
        });
        out.list(&self.floors, area_floors);
        out.list(&self.profiles, write_profile);
        out.list(&self.ladders, write_volume);
    }

    fn read(from: &mut In<'_>) -> Result<AgentFacts, Damage> {
        let name = from.option(In::text)?;
        if let Some(name) = name.as_ref().filter(|name| !navinput::is_agent_name(name)) {
            return Err(format!(
                "an agent has the name `{}`, which the settings do not allow",
                navinput::escaped(name)
            ));
        }
        let meta = decode_meta(from.bytes()?).map_err(|error| error.to_string())?;
        Ok(AgentFacts {
            name,
            meta,
            settings_digest: from.read()?,
            size: from.read()?,
            height: from.read()?,
            triangles: from.read()?,
            min_cells: from.read()?,
            cache_settings: from.option(|from| from.bytes().map(<[u8]>::to_vec))?,
            hierarchy: from.option(read_hierarchy)?,
            warnings: from.list(In::warning)?,
            links: from
                .list(|from| Ok(LinkEnds { start: from.read()?, end: from.read()?, radius: from.read()? }))?,
            floors: from.list(read_area_floors)?,
            profiles: from.list(read_profile)?,
            ladders: from.list(read_volume)?,
        })
    }
}

/// Writes the floors of an area.
pub(super) fn area_floors(out: &mut Out, area: &AreaFloors) {
    out.u32(u32::from(area.id));
    out.u64(area.triangles);
    out.list(&area.middles, |out, middle| out.place(*middle));
}

/// Reads the floors of an area.
pub(super) fn read_area_floors(from: &mut In<'_>) -> Result<AreaFloors, Damage> {
    let id = read_area(from)?.0;
    Ok(AreaFloors { id, triangles: from.triangles()?, middles: from.list(In::read)? })
}

fn write_hierarchy(out: &mut Out, hierarchy: &HierarchyInput) {
    out.u64(hierarchy.cluster.to_bits());
    out.u64(hierarchy.spacing.to_bits());
    out.list(&hierarchy.classes, |out, class| {
        out.bytes(class.name.as_bytes());
        out.list(&class.exclude, |out, area| out.u32(u32::from(area.0)));
        out.list(&class.costs, |out, (area, cost)| {
            out.u32(u32::from(area.0));
            out.u32(cost.to_bits());
        });
    });
}

fn read_hierarchy(from: &mut In<'_>) -> Result<HierarchyInput, Damage> {
    Ok(HierarchyInput {
        cluster: from.read()?,
        spacing: from.read()?,
        classes: from.list(|from| {
            Ok(ClassInput {
                name: from.text()?,
                exclude: from.list(read_area)?,
                costs: from.list(|from| Ok((read_area(from)?, from.read()?)))?,
            })
        })?,
    })
}

impl ShardHead {
    /// The head of a share, from 1, of a bake for these agents.
    pub fn new(share: [u32; 2], agents: Vec<AgentFacts>) -> ShardHead {
        ShardHead { version: BAKE_VERSION, share, agents }
    }

    /// The first difference between two bakes. The shard files may be any shares of them.
    pub fn difference(&self, other: &ShardHead) -> Option<Difference> {
        if self.version != other.version {
            return Some(Difference::Version);
        }
        let names =
            |head: &ShardHead| -> Vec<_> { head.agents.iter().map(|agent| agent.name.clone()).collect() };
        if names(self) != names(other) {
            return Some(Difference::Agents);
        }
        for (one, two) in self.agents.iter().zip(&other.agents) {
            let geometry =
                |agent: &AgentFacts| (agent.meta.geometry_digest, agent.meta.origin.map(f64::to_bits));
            // A level with other cells also has other digests.
            let level = one.meta.cell == two.meta.cell && geometry(one) != geometry(two);
            if level || (one.meta == two.meta && (one.size, one.triangles) != (two.size, two.triangles)) {
                return Some(Difference::Level);
            }
            let settings = |agent: &AgentFacts| {
                let AgentFacts { settings_digest, min_cells, cache_settings, hierarchy, .. } = agent;
                (*settings_digest, *min_cells, cache_settings.clone(), hierarchy.clone())
            };
            if one.meta != two.meta || settings(one) != settings(two) {
                return Some(Difference::Settings);
            }
        }
        (self.share[1] != other.share[1]).then_some(Difference::Shares)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.u32(self.version);
        self.share.into_iter().for_each(|number| out.u32(number));
        out.list(&self.agents, |out, agent| agent.write(out));
        out.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<ShardHead, Damage> {
        let mut from = In::new(bytes);
        let (version, share): (u32, [u32; 2]) = (from.read()?, from.read()?);
        if version != BAKE_VERSION {
            // Everything that follows may have another format.
            return Ok(ShardHead { version, share, agents: Vec::new() });
        }
        let [index, of] = share;
        if index == 0 || index > of || of > MOST_SHARES {
            return Err(format!("it is share {index} of {of}, expected 1 to N of N, at most {MOST_SHARES}"));
        }
        let agents = from.list(AgentFacts::read)?;
        from.end()?;
        if agents.is_empty() {
            return Err("it has no agents".to_owned());
        }
        Ok(ShardHead { version, share, agents })
    }
}
