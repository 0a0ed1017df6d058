//! The shard files of a bake: read, compared, and checked for completeness.

use super::handle::Handle;
use crate::bake::write::unjudged;
use crate::failure::Failure;
use crate::files;
use crate::inspect;
use navbake::shard::{
    AgentFacts, Difference, ReadChunks, ReadShard, ShardError, ShardFile, ShardHead, ShardRun, StoredTile,
};
use navdraw::number::counted;
use navlevel::assemble::AssembleError;
use navtile::{Tile, TileCoord};
use recast::TileGround;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A complete shard, and its file.
pub(crate) struct JoinedShard {
    pub(crate) path: PathBuf,
    pub(crate) read: ReadShard<Handle>,
    pub(crate) run: ShardRun,
}

/// Shard files of one bake, by their shares.
pub(crate) struct ShardSet {
    /// At least one.
    head: ShardHead,
    /// The chunks that the level was read from, if it was in chunks; those of all shard files.
    chunks: Option<ReadChunks>,
    pub(crate) shards: BTreeMap<u32, JoinedShard>,
    /// The share that each tile of each agent is in, and its place among the tiles of that shard.
    place_of: BTreeMap<(usize, TileCoord), (u32, usize)>,
}

impl ShardSet {
    /// Reads shard files. A shard file is refused if it is damaged, unfinished, a duplicate, or of another
    /// bake than the others.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<ShardSet, Failure> {
        let Some((first, rest)) = paths.split_first() else {
            return Err(Failure::call("no shard file is given"));
        };
        let first_shard = open(first)?;
        let head = first_shard.read.head.clone();
        let mut shards = ShardSet { head, chunks: None, shards: BTreeMap::new(), place_of: BTreeMap::new() };
        shards.add(first_shard)?;
        for path in rest {
            shards.add(open(path)?)?;
        }
        if let Some(whole) = shards.chunks.as_ref().and_then(ReadChunks::whole) {
            let agents = std::mem::take(&mut shards.head.agents).into_iter().enumerate();
            shards.head.agents = agents.map(|(agent, facts)| facts.with_chunks(agent, &whole)).collect();
        }
        Ok(shards)
    }

    fn add(&mut self, shard: JoinedShard) -> Result<(), Failure> {
        let name = shard.path.display();
        let share = shard.read.head.share;
        if let Some((_, first)) = self.shards.first_key_value() {
            let first_name = first.path.display();
            if let Some(difference) = self.head.difference(&shard.read.head) {
                let what = differs(difference, &self.head, &shard.read.head);
                return Err(Failure::circumstances(format!("{name}: {what} than {first_name}")).help(
                    "bake all shards from the same level with the same settings, by the same program",
                ));
            }
        }
        if let Some(other) = self.shards.get(&share[0]) {
            let message =
                format!("{name}: is share {} of {}, and so is {}", share[0], share[1], other.path.display());
            return Err(Failure::call(message).help("give the file of each shard once"));
        }
        if let Some(own) = &shard.read.chunks {
            self.chunks.get_or_insert_default().add(own).map_err(|chunk| {
                Failure::circumstances(format!(
                    "{name}: was baked from another version of chunk {chunk} of the level"
                ))
                .help("bake all shards again, from the same files")
            })?;
        }
        for (index, stored) in shard.read.tiles.iter().enumerate() {
            let place = (stored.agent, stored.node.coord());
            let known = self.place_of.insert(place, (share[0], index));
            if let Some((other, _)) = known.filter(|(other, _)| *other != share[0]) {
                let TileCoord { x, z, .. } = place.1;
                let other =
                    self.shards.get(&other).map_or(shard.path.display(), |other| other.path.display());
                return Err(Failure::circumstances(format!(
                    "{name}: has tile ({x}, {z}), and so does {other}"
                ))
                .help("bake both shards again"));
            }
        }
        self.shards.insert(share[0], shard);
        Ok(())
    }

    /// The bake of each agent.
    pub(crate) fn agents(&self) -> &[AgentFacts] {
        &self.head.agents
    }

    /// Number of shares.
    pub(crate) fn of(&self) -> u32 {
        self.head.share[1]
    }

    /// The missing shares, from the first to the last of each gap.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = RangeInclusive<u32>> {
        let ends = self.shards.keys().copied().chain([self.of() + 1]);
        let mut next = 1;
        ends.filter_map(move |share| {
            let gap = next..=share - 1;
            next = share + 1;
            (!gap.is_empty()).then_some(gap)
        })
    }

    /// The missing shares.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u32> {
        self.gaps().flatten()
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.shards.len() == self.of() as usize
    }

    /// Refuses an incomplete set of shares.
    pub(crate) fn check_complete(&self) -> Result<(), Failure> {
        /// Of more shares, only the number is given.
        const LISTED: usize = 20;
        let missing = self.of() as usize - self.shards.len();
        if missing == 0 {
            let unread = self
                .chunks
                .iter()
                .flat_map(|chunks| (0..chunks.of).filter(|index| !chunks.read.contains_key(index)));
            let Some(chunk) = unread.map(|index| index + 1).next() else { return Ok(()) };
            let message = format!("chunk {chunk} of the level was read by no shard");
            return Err(
                Failure::circumstances(message).help("bake all shards again, with the same list of chunks")
            );
        }
        let mut text: Vec<String> = self.missing().take(LISTED).map(|share| share.to_string()).collect();
        if missing > LISTED {
            text.push(format!("{} more", missing - LISTED));
        }
        let shares = counted(missing, "share");
        let verb = if missing == 1 { "is" } else { "are" };
        let message = format!("{shares} of {} {verb} missing: {}", self.of(), text.join(", "));
        Err(Failure::circumstances(message).help("nothing was written; bake them, and give their files too"))
    }

    /// The tiles of an agent, in canonical order.
    pub(crate) fn tiles_of(&self, agent: usize) -> impl Iterator<Item = &StoredTile> {
        let own = self.place_of.iter().filter(move |((of, _), _)| *of == agent);
        own.filter_map(|(_, (share, index))| self.shards.get(share)?.read.tiles.get(*index))
    }

    /// The shard file that holds a tile, and the tile's place in it.
    fn find(&self, agent: usize, coord: TileCoord) -> Option<(&JoinedShard, usize)> {
        let (share, index) = self.place_of.get(&(agent, coord))?;
        Some((self.shards.get(share)?, *index))
    }

    /// The shard file that holds a tile.
    pub(crate) fn shard_of(&self, agent: usize, coord: TileCoord) -> Option<&JoinedShard> {
        self.find(agent, coord).map(|(shard, _)| shard)
    }

    /// A tile before anything was removed from it, verified.
    pub(crate) fn tile(&self, agent: usize, coord: TileCoord) -> Result<Tile, Failure> {
        let TileCoord { x, z, .. } = coord;
        let Some((shard, index)) = self.find(agent, coord) else {
            return Err(Failure::circumstances(format!("tile ({x}, {z}) is in no shard")));
        };
        let tile = shard.read.tile(&shard.read.tiles[index]);
        tile.map_err(|error| damaged(&shard.path, &format!("tile ({x}, {z}): {error}")))
    }

    /// A tile, without its blob and its ground.
    pub(crate) fn stored(&self, agent: usize, coord: TileCoord) -> Option<&StoredTile> {
        self.find(agent, coord).map(|(shard, index)| &shard.read.tiles[index])
    }

    /// The ground of a tile, verified.
    pub(crate) fn ground(&self, agent: usize, coord: TileCoord) -> Result<TileGround, Failure> {
        let Some((shard, index)) = self.find(agent, coord) else {
            return Err(unjudged(AssembleError::Lost(coord)));
        };
        let damaged = |why: String| damaged(&shard.path, &format!("tile ({}, {}): {why}", coord.x, coord.z));
        let ground =
            shard.read.ground(&shard.read.tiles[index]).map_err(|error| damaged(error.to_string()))?;
        ground.ok_or_else(|| damaged("its ground is missing".to_owned()))
    }
}

/// Opens one shard file, and reads all of it except the blobs and the ground.
fn open(path: &Path) -> Result<JoinedShard, Failure> {
    files::open(path).map_err(|error| files::unreadable(path, &error))?;
    let handle = Handle::new(path.to_owned());
    let read = ShardFile::read(handle.clone()).map_err(|error| match error {
        ShardError::NotShard => Failure::circumstances(format!("{}: {error}", path.display()))
            .help("give the files that `navtile bake --shard` wrote"),
        _ => damaged(path, &error.to_string()),
    })?;
    handle.release();
    if let Some(why) = &read.damage {
        return Err(damaged(path, why));
    }
    let version = recast::BAKE_VERSION;
    if read.head.version != version {
        let message = format!(
            "{}: was baked by another version of the program: its bake is version {}, this one is {version}",
            path.display(),
            read.head.version
        );
        return Err(Failure::circumstances(message).help("bake and join with the same version"));
    }
    let Some(run) = read.run else {
        return Err(Failure::circumstances(format!(
            "{}: the bake of this shard did not finish",
            path.display()
        ))
        .help("nothing was written; bake it again, with --resume"));
    };
    Ok(JoinedShard { path: path.to_owned(), read, run })
}

/// The failure of a file that is not a shard file, or is incomplete.
pub(crate) fn damaged(path: &Path, why: &str) -> Failure {
    Failure::circumstances(format!("{}: is damaged: {why}", path.display()))
        .help("nothing was written; bake this shard again")
}

/// The difference of the second bake from the first, as words that `than` can follow.
fn differs(difference: Difference, first: &ShardHead, second: &ShardHead) -> String {
    match difference {
        Difference::Version => "was baked by another version of the program".to_owned(),
        Difference::Agents => "is for other agents".to_owned(),
        Difference::Level => "is of another level".to_owned(),
        Difference::Shares => {
            format!("is one of {} shares, a different number", second.share[1])
        }
        Difference::Settings => {
            let fields = |head: &ShardHead| -> BTreeMap<String, serde_json::Value> {
                head.agents.iter().flat_map(|agent| inspect::fields(&agent.meta)).collect()
            };
            let (one, two) = (fields(first), fields(second));
            let names: Vec<&str> = two
                .iter()
                .filter(|(name, value)| one.get(*name) != Some(value))
                .map(|(name, _)| name.as_str())
                .collect();
            match names.is_empty() {
                true => "was baked with other settings, or other obstacles,".to_owned(),
                false => format!("was baked with other settings ({})", names.join(", ")),
            }
        }
    }
}
