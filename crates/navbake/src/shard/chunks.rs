//! The chunks of a level that a share was baked from: everything that a bake needs of a level as a whole,
//! chunk by chunk, so that a join can combine it without reading a chunk.

use super::Damage;
use super::bytes::{In, Out};
use super::head::{AgentFacts, area_floors, read_area_floors};
use crate::lost_areas::{AreaFloors, joined_floors};
use crate::warning::Warning;
use navlevel::meta::{area_meta, settings_of};
use navmath::Lattice;
use recast::{AreaId, ChunkTriangles, Dropped, TriangleSum};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that a bake needs of a chunk as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkFacts {
    /// Its triangles.
    pub triangles: ChunkTriangles,
    /// The areas that the triangles use.
    pub areas: BTreeSet<u8>,
    /// For each agent, the floors of its areas.
    pub floors: Vec<Vec<AreaFloors>>,
    /// Content of its file that a level does not use, one sentence each.
    pub ignored: Vec<String>,
}

/// The chunks that were read, by their index in the list of all chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadChunks {
    /// Number of chunks in all.
    pub of: u32,
    /// The chunks that were read.
    pub read: BTreeMap<u32, ChunkFacts>,
}

impl ChunkFacts {
    /// Combines this chunk with the next.
    #[must_use]
    pub fn and(self, next: &ChunkFacts) -> ChunkFacts {
        let none = Vec::new();
        let agents = self.floors.len().max(next.floors.len());
        let mut own = self.floors.into_iter();
        let floors = (0..agents)
            .map(|agent| {
                joined_floors(own.next().unwrap_or_default(), next.floors.get(agent).unwrap_or(&none))
            })
            .collect();
        ChunkFacts {
            triangles: self.triangles.and(next.triangles.clone()),
            areas: &self.areas | &next.areas,
            floors,
            ignored: self.ignored.into_iter().chain(next.ignored.iter().cloned()).collect(),
        }
    }
}

impl ReadChunks {
    /// All chunks as one; `None` if some were not read.
    pub fn whole(&self) -> Option<ChunkFacts> {
        let is_whole = self.read.len() == self.of as usize;
        is_whole.then(|| self.read.values().fold(ChunkFacts::default(), ChunkFacts::and))
    }

    /// Adds chunks that were read elsewhere.
    ///
    /// # Errors
    /// The number, from 1, of a chunk with different content in the other read.
    pub fn add(&mut self, other: &ReadChunks) -> Result<(), u32> {
        self.of = self.of.max(other.of);
        for (index, facts) in &other.read {
            let known = self.read.entry(*index).or_insert_with(|| facts.clone());
            if known != facts {
                return Err(index + 1);
            }
        }
        Ok(())
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.u32(self.of);
        let chunks: Vec<(&u32, &ChunkFacts)> = self.read.iter().collect();
        out.list(&chunks, |out, (index, facts)| {
            let ChunkTriangles { sum, dropped, meets_bounds } = &facts.triangles;
            out.u32(**index);
            out.u64(sum.count);
            out.0.extend(sum.sum.to_le_bytes());
            out.u64(dropped.count as u64);
            out.option(dropped.first, |out, (index, place)| {
                out.u64(index as u64);
                out.place(place);
            });
            out.u32(u32::from(*meets_bounds));
            out.bytes(&facts.areas.iter().copied().collect::<Vec<u8>>());
            out.list(&facts.floors, |out, floors| out.list(floors, area_floors));
            out.list(&facts.ignored, |out, text| out.bytes(text.as_bytes()));
        });
        out.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<ReadChunks, Damage> {
        let mut from = In::new(bytes);
        let of: u32 = from.read()?;
        let triangles = |from: &mut In<'_>| {
            let count = from.triangles()?;
            usize::try_from(count)
                .map_err(|_| format!("{count} triangles are more than this machine can count"))
        };
        let chunks = from.list(|from| {
            let index = from.read()?;
            let sum = TriangleSum { count: from.triangles()?, sum: from.read()? };
            let count = triangles(from)?;
            let first = from.option(|from| Ok((triangles(from)?, from.read()?)))?;
            let meets_bounds = from.read::<u32>()? != 0;
            Ok((
                index,
                ChunkFacts {
                    triangles: ChunkTriangles { sum, dropped: Dropped { count, first }, meets_bounds },
                    areas: from.bytes()?.iter().copied().collect(),
                    floors: from.list(|from| from.list(read_area_floors))?,
                    ignored: from.list(In::text)?,
                },
            ))
        })?;
        from.end()?;
        if let Some((index, _)) = chunks.iter().find(|(index, _)| *index >= of) {
            return Err(format!("chunk {index} is out of range, expected less than {of}"));
        }
        Ok(ReadChunks { of, read: chunks.into_iter().collect() })
    }
}

impl AgentFacts {
    /// The facts of the bake of one agent, once all chunks of its level are known.
    #[must_use]
    pub fn with_chunks(mut self, agent: usize, whole: &ChunkFacts) -> AgentFacts {
        let ChunkTriangles { sum, dropped, .. } = &whole.triangles;
        let lattice = Lattice {
            origin: self.meta.origin,
            cell_size: self.meta.cell[0],
            cell_height: self.meta.cell[1],
        };
        self.meta.geometry_digest = sum.digest(&lattice).0;
        let settings = settings_of(&self.meta);
        for id in whole.areas.iter().filter(|id| **id > 0) {
            if let Err(place) = self.meta.areas.binary_search_by_key(id, |area| area.id) {
                self.meta.areas.insert(place, area_meta(&settings.area(AreaId(*id))));
            }
        }
        self.triangles = sum.count + dropped.count as u64;
        let of_files = whole.ignored.iter().map(|text| Warning::plain("level", text.clone()));
        self.warnings.splice(0..0, of_files);
        self.warnings.extend(dropped.diagnostic().iter().map(|diagnostic| Warning::of(diagnostic, None)));
        self.floors = whole.floors.get(agent).cloned().unwrap_or_default();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::MOST_TRIANGLES;
    use super::*;

    fn facts(count: u64, ignored: &str) -> ChunkFacts {
        let floors = vec![AreaFloors { id: 7, triangles: count, middles: vec![[1.0, 2.0, count as f64]] }];
        ChunkFacts {
            triangles: ChunkTriangles {
                sum: TriangleSum { count, sum: u128::MAX - u128::from(count) },
                dropped: Dropped { count: 1, first: Some((2, [count as f64; 3])) },
                meets_bounds: count > 3,
            },
            areas: BTreeSet::from([7, 63]),
            floors: vec![floors, Vec::new()],
            ignored: vec![ignored.to_owned()],
        }
    }

    #[test]
    fn chunks_are_put_together_in_their_order() {
        let mut all = ReadChunks { of: 2, read: BTreeMap::from([(1, facts(5, "b"))]) };
        assert_eq!(all.whole(), None);
        assert_eq!(ReadChunks::decode(&all.encode()), Ok(all.clone()));
        all.add(&ReadChunks { of: 2, read: BTreeMap::from([(0, facts(3, "a")), (1, facts(5, "b"))]) })
            .unwrap();
        let whole = all.whole().unwrap();
        assert_eq!((whole.triangles.sum.count, whole.triangles.dropped.count), (8, 2));
        assert_eq!(whole.triangles.dropped.first, Some((2, [3.0; 3])));
        assert_eq!(whole.ignored, ["a", "b"]);
        assert_eq!(whole.floors[0][0].middles, [[1.0, 2.0, 3.0], [1.0, 2.0, 5.0]]);
        assert_eq!(all.add(&ReadChunks { of: 2, read: BTreeMap::from([(1, facts(6, "b"))]) }), Err(2));
        let mut cut = all.encode();
        cut.pop();
        assert!(ReadChunks::decode(&cut).is_err());
    }

    #[test]
    fn counts_that_no_chunk_has_are_refused() {
        let most = ReadChunks { of: 1, read: BTreeMap::from([(0, facts(MOST_TRIANGLES, ""))]) };
        assert_eq!(ReadChunks::decode(&most.encode()), Ok(most));
        let more = ReadChunks { of: 1, read: BTreeMap::from([(0, facts(MOST_TRIANGLES + 1, ""))]) };
        let damage = ReadChunks::decode(&more.encode()).unwrap_err();
        assert_eq!(damage, "68719476737 triangles, but a chunk has at most 68719476736");
    }
}
