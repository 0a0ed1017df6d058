//! A tile of a shard file, before anything was removed from it.

use super::Damage;
use super::bytes::{In, Out};
use crate::warning::Warning;
use navlevel::{GroundKeeper, KeptGround, graph_node};
use navlinks::GroundCounts;
use navtile::graph::TileNode;
use navtile::{IslandGraph, Tile, TileCoord};
use recast::{Baked, Counts, DiagnosticKind, PreparedLevel, StageId};
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest number of spans, vertices and the like in a tile. The largest grid has fewer columns, and sums
/// over all tiles of a shard file do not overflow.
const MOST_OF_TILE: u64 = 1 << 40;
/// The index of the walkable area after the counts of a tile.
const AREA: usize = 10;

/// The report of a tile's bake.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileFacts {
    /// Counts of everything that the stages made. The grid and the triangles are not kept.
    pub counts: Counts,
    /// Warnings and notes about the tile, without warnings about the whole level.
    pub warnings: Vec<Warning>,
    /// Duration of each stage.
    pub stage_times: Vec<(StageId, Duration)>,
}

/// A baked tile, before anything was removed from it.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeTile {
    /// The tile.
    pub tile: Tile,
    /// Its node of the island graph.
    pub node: TileNode,
    /// The report of its bake.
    pub facts: TileFacts,
    /// The ground for link generation, if the settings have link profiles.
    pub ground: Option<KeptGround>,
}

/// Baked tiles by agent and place.
pub(crate) type Share = BTreeMap<(usize, TileCoord), WholeTile>;

impl WholeTile {
    /// A new tile from a bake, of a level in tiles or not; `input_hash` is the digest of its input.
    pub fn new(
        level: &PreparedLevel,
        baked: Baked,
        (input_hash, is_tiled): ([u8; 16], bool),
        keeper: &GroundKeeper,
    ) -> WholeTile {
        let coord = baked.tile.coord();
        let node = graph_node(level, &baked, input_hash);
        // Warnings about the whole level, which every tile would repeat, are made from the level and the
        // file.
        let of_level = |kind| matches!(kind, DiagnosticKind::DegenerateTriangles | DiagnosticKind::EmptyMesh);
        let own = baked.diagnostics.iter().filter(|diagnostic| !of_level(diagnostic.kind));
        let warnings = own.map(|diagnostic| Warning::of(diagnostic, is_tiled.then_some(coord))).collect();
        let facts = TileFacts { counts: baked.counts, warnings, stage_times: baked.stage_times };
        let ground = baked.ground.map(|ground| keeper.keep(ground));
        WholeTile { tile: baked.tile, node, facts, ground }
    }
}

impl TileFacts {
    /// Duration of its bake.
    pub fn elapsed(&self) -> Duration {
        self.stage_times.iter().map(|(_, elapsed)| *elapsed).sum()
    }

    fn write(&self, out: &mut Out) {
        let counts = &self.counts;
        let numbers = [
            counts.spans as u64,
            counts.compact_spans as u64,
            u64::from(counts.max_distance),
            u64::from(counts.regions),
            counts.contours as u64,
            counts.contour_vertices as u64,
            counts.vertices as u64,
            counts.polygons as u64,
            counts.detail_vertices as u64,
            counts.detail_triangles as u64,
            counts.walkable_area.to_bits(),
            counts.walls.to_bits(),
            counts.exact_walls.to_bits(),
        ];
        numbers.into_iter().for_each(|number| out.u64(number));
        out.list(&self.warnings, Out::warning);
        out.list(&self.stage_times, |out, (stage, elapsed)| {
            out.u32(*stage as u32);
            out.u64(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX));
        });
    }

    fn read(from: &mut In<'_>) -> Result<TileFacts, Damage> {
        let numbers: [u64; AREA + 3] = from.read()?;
        if let Some(count) = numbers[..AREA].iter().find(|count| **count > MOST_OF_TILE) {
            return Err(format!("a tile with {count} elements of a kind, expected at most {MOST_OF_TILE}"));
        }
        let size = |index: usize| usize::try_from(numbers[index]).unwrap_or(usize::MAX);
        let counts = Counts {
            spans: size(0),
            compact_spans: size(1),
            max_distance: u16::try_from(numbers[2]).unwrap_or(u16::MAX),
            regions: u32::try_from(numbers[3]).unwrap_or(u32::MAX),
            contours: size(4),
            contour_vertices: size(5),
            vertices: size(6),
            polygons: size(7),
            detail_vertices: size(8),
            detail_triangles: size(9),
            walkable_area: f64::from_bits(numbers[AREA]),
            walls: f64::from_bits(numbers[AREA + 1]),
            exact_walls: f64::from_bits(numbers[AREA + 2]),
            ..Counts::default()
        };
        let warnings = from.list(In::warning)?;
        let stage_times = from.list(|from| {
            let stage = StageId::ALL.get(from.read::<u32>()? as usize).copied();
            let stage = stage.ok_or_else(|| "the time of an unknown stage".to_owned())?;
            Ok((stage, Duration::from_nanos(from.read()?)))
        })?;
        Ok(TileFacts { counts, warnings, stage_times })
    }
}

/// Places in a payload.
pub(super) struct InPayload {
    /// Start and end of the packed ground.
    pub(super) ground: [u64; 2],
    /// Start of the blob, which ends with the payload.
    pub(super) blob: u64,
}

/// A tile as the payload of a frame.
pub(super) fn encode(agent: usize, whole: &WholeTile) -> (Vec<u8>, InPayload) {
    let WholeTile { tile, node, facts, ground } = whole;
    let mut out = Out::default();
    out.u32(agent as u32);
    out.bytes(&IslandGraph::new(vec![node.clone()]).encode());
    facts.write(&mut out);
    let ground = ground.as_ref().map(KeptGround::packed).unwrap_or_default();
    out.bytes(&ground);
    let blob = out.0.len() as u64;
    out.0.extend(tile.bytes());
    (out.0, InPayload { ground: [blob - ground.len() as u64, blob], blob })
}

/// A tile of a shard file, without its blob and its ground.
pub(super) struct TileEntry {
    pub(super) agent: usize,
    pub(super) node: TileNode,
    pub(super) facts: TileFacts,
    pub(super) ground: Option<GroundCounts>,
    pub(super) place: InPayload,
}

pub(super) fn decode(payload: &[u8]) -> Result<TileEntry, Damage> {
    let mut from = In::new(payload);
    let agent = from.read::<u32>()? as usize;
    let graph = IslandGraph::decode(from.bytes()?).map_err(|error| error.to_string())?;
    let [node] = graph.nodes() else {
        return Err(format!("{} nodes of the island graph for a tile", graph.nodes().len()));
    };
    let facts = TileFacts::read(&mut from)?;
    let packed = from.bytes()?;
    let blob = from.0.at() as u64;
    let cut = || "the ground of a tile is cut short".to_owned();
    let ground = match packed {
        [] => None,
        packed => Some(GroundCounts::of(packed).ok_or_else(cut)?),
    };
    let place = InPayload { ground: [blob - packed.len() as u64, blob], blob };
    Ok(TileEntry { agent, node: node.clone(), facts, ground, place })
}

/// Cached spans as the payload of a frame, and their offset in it.
pub(super) fn encode_spans(
    agent: usize,
    coord: TileCoord,
    level_hash: [u8; 16],
    spans: &[u8],
) -> (Vec<u8>, u64) {
    let mut out = Out::default();
    out.u32(agent as u32);
    [coord.x, coord.z, coord.layer].into_iter().for_each(|number| out.u32(number.cast_unsigned()));
    out.0.extend(level_hash);
    let start = out.0.len() as u64;
    out.0.extend(spans);
    (out.0, start)
}

/// Cached spans of a shard file, without their bytes.
pub(super) struct SpansEntry {
    pub(super) agent: usize,
    pub(super) coord: TileCoord,
    pub(super) level_hash: [u8; 16],
    /// Offset of the spans in the payload.
    pub(super) start: u64,
}

pub(super) fn decode_spans(payload: &[u8]) -> Result<SpansEntry, Damage> {
    let mut from = In::new(payload);
    let agent = from.read::<u32>()? as usize;
    let [x, z, layer] = from.read()?;
    let level_hash = from.read()?;
    Ok(SpansEntry { agent, coord: TileCoord { x, z, layer }, level_hash, start: from.0.at() as u64 })
}
