//! The target of shard files: tiles of a share, before they are joined.

use super::reader_bound;
use crate::memory::bounded;
use crate::script::Script;
use navbake::lost_areas::AreaFloors;
use navbake::shard::{ChunkFacts, ReadChunks, ReadShard, ShardError, ShardFile, StoredTile, WholeTile};
use navbake::{LevelBake, LevelFile, Silent};
use navlevel::KeptGround;
use navlinks::ground_memory;
use std::sync::LazyLock;

/// Bytes before the first frame, and those of a frame before its payload.
const START: usize = 8;
const FRAME: usize = 16;

/// A shard file of a level of four tiles; one of them has an island of its own.
pub(crate) static SHARD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let level =
        b"v 0 0 0\nv 0 0 12\nv 12 0 12\nv 12 0 0\nf 1 2 3 4\nv 2 5 2\nv 2 5 4\nv 4 5 4\nv 4 5 2\nf 5 6 7 8\n";
    let files = [LevelFile { name: "level.obj", bytes: level }];
    let settings = "tile_size = 6.0\n[[off_mesh]]\nstart = [1.0, 0.0, 1.0]\nend = [9.0, 0.0, 9.0]\nradius = 0.5\n\
                    [[area]]\nid = 9\nname = \"rungs\"\n[[links]]\nkind = \"drop\"\nheight = [0.5, 6.0]\n\
                    [[links]]\nkind = \"ladder\"\nheight = [1.0, 6.0]\nsurface = \"rungs\"\n\
                    [[volume]]\nshape = \"box\"\nmin = [2.0, 0.0, 1.0]\nmax = [4.0, 5.0, 2.0]\narea = \"rungs\"\n";
    let bake = LevelBake::new(&files, Some(settings)).expect("the level can be baked");
    let bytes = bake.share(0, 1, &Silent).expect("the level can be baked");
    with_chunks(bytes).expect("a shard file in memory can be written")
});

/// That shard file, as one of a level in two chunks.
fn with_chunks(bytes: Vec<u8>) -> Result<Vec<u8>, ShardError> {
    let read = ShardFile::read(bytes)?;
    let mut shard = ShardFile::create(Vec::new(), &read.head)?;
    for stored in &read.tiles {
        let (tile, ground) = (read.tile(stored)?, read.file.ground(stored.agent, stored.node.coord())?);
        let ground = ground.map(KeptGround::Packed);
        let (node, facts) = (stored.node.clone(), stored.facts.clone());
        shard.put(stored.agent, &WholeTile { tile, node, facts, ground })?;
    }
    let floors = vec![vec![AreaFloors { id: 7, triangles: 2, middles: vec![[1.0, 2.0, 3.0]] }]];
    let chunk = ChunkFacts {
        areas: [7, 63].into(),
        floors,
        ignored: vec!["a line".to_owned()],
        ..ChunkFacts::default()
    };
    shard.put_chunks(&ReadChunks { of: 2, read: [(0, chunk.clone()), (1, chunk)].into() })?;
    shard.finish(&read.run.unwrap_or_default())?;
    Ok(shard.into_storage())
}

/// Bytes as a shard file, and the shard file of a bake with some payloads changed and their checksums
/// corrected.
pub fn shard(data: &[u8]) {
    bounded(reader_bound(data, 64), || read(data));
    let mut script = Script::new(data);
    let mut bytes = SHARD.clone();
    while !script.is_done() {
        change(&mut bytes, &mut script);
    }
    bounded(reader_bound(&bytes, 64), || read(&bytes));
}

/// Changes a few bytes of one frame's payload, and mends its checksum.
fn change(bytes: &mut [u8], script: &mut Script<'_>) {
    let mut frames = Vec::new();
    let mut at = START;
    while let Some(head) = bytes.get(at..at + FRAME) {
        let length = u64::from_le_bytes(head[8..].try_into().expect("eight bytes")) as usize;
        frames.push((at, length));
        at += FRAME + length;
    }
    let (start, length) = frames[script.below(frames.len())];
    for _ in 0..=script.below(4) {
        let place = start + FRAME + script.below(length);
        bytes[place] = script.byte();
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[start..start + 4]);
    hasher.update(&bytes[start + 8..start + FRAME + length]);
    let sum = hasher.finalize();
    bytes[start + 4..start + 8].copy_from_slice(&sum.to_le_bytes());
}

/// Reads a shard file, and all tiles of it that are sound.
fn read(bytes: &[u8]) {
    let Ok(shard) = ShardFile::read(bytes.to_vec()) else { return };
    assert!(shard.head.difference(&shard.head).is_none(), "it differs from itself");
    for agent in &shard.head.agents {
        let _ = agent.level().map(|level| level.lattice);
    }
    if let Some(whole) = shard.chunks.as_ref().and_then(ReadChunks::whole) {
        for (agent, facts) in shard.head.agents.iter().enumerate() {
            let _ = facts.clone().with_chunks(agent, &whole);
        }
    }
    for stored in &shard.tiles {
        if let Ok(tile) = shard.tile(stored) {
            assert_eq!(tile.coord(), stored.node.coord());
        }
        let _ = shard.file.spans(stored.agent, stored.node.coord());
        read_ground(&shard, stored);
    }
}

/// Reads the ground of a tile, unless it says that this is too much.
fn read_ground(shard: &ReadShard<Vec<u8>>, stored: &StoredTile) {
    /// Less than a reader may take in any case.
    const MOST: u64 = 1 << 20;
    let level = shard.head.agents[stored.agent].level();
    let (Ok(level), Some(counts)) = (level, stored.ground) else { return };
    let tile_cells = shard.head.agents[stored.agent].meta.tile_cells;
    if ground_memory(&level, tile_cells, [(stored.node.coord(), counts)].into_iter(), u64::MAX) <= MOST {
        let _ = shard.ground(stored);
    }
}
