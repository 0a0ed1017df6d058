//! Cached spans: the result of rasterizing a tile, kept so that the tile can be baked again without
//! triangles, with obstacles that appear and disappear.
//!
//! A level with obstacles is the level's spans, without the parts that obstacles remove, merged with the
//! spans of solid obstacles as if these were fragments of triangles. So the effect of an obstacle depends
//! only on the level's spans, and not on the triangles that they came from. The bake of cached spans without
//! obstacles has the same bytes as the bake of the triangles.
//!
//! Marks are applied at stage 8, after erosion. [`CachedFloors`] are the floors before that stage: if only
//! marks change, a bake begins there.

mod floors;
#[cfg(test)]
mod tests;

use crate::obstacles::{
    PreparedObstacle, TileObstacles, cut_holes, ladders_with, outline_triangles, triangles_with,
};
use crate::packing::ladders::{pack_ladders, unpack_ladders};
use crate::packing::spans::{CachedSpansError, pack_spans, refuse, unpack_first};
use crate::packing::triangles::{pack_triangles, unpack_triangles};
pub use floors::CachedFloors;
use navmath::Digest;
use navtile::TileCoord;
use navtile::area::AreaId;
use recast::Baked;
use recast::Error;
use recast::Outlines;
use recast::PreparedLevel;
use recast::Scratch;
use recast::TileBuild;
use recast::data::Grid;
use recast::data::compact::CompactArrays;
use recast::inside::AreaOrder;
use recast::inside::TileBake;
use recast::inside::bake_marked;
use recast::inside::data::{Fragment, FragmentField};
use recast::inside::data::{KnownFloors, MergedSpans, SpanColumns};
use recast::inside::fast;
use recast::inside::ground::TileLadders;
use recast::inside::memory;
use recast::inside::stage::merge_column;
use recast::inside::{Cut, OutlineTriangle, Source};
use recast::{Observer, Silent};
use std::borrow::Cow;
use std::ops::Range;

/// The spans of a tile and its border by column, from bottom to top and without contact, each with the rank
/// of its area.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedSpans {
    grid: Grid,
    merged: MergedSpans,
    /// The surfaces of ladders among the triangles, if profiles of links ask for them.
    ladders: TileLadders,
    /// The triangles that exact outlines follow, if they are asked for.
    triangles: Vec<OutlineTriangle>,
    /// The floors among the spans, if they were found.
    floors: Option<Box<CompactArrays>>,
}

impl CachedSpans {
    /// No spans at all: for a tile that no triangle reaches.
    pub fn empty(build: &TileBuild) -> CachedSpans {
        let offsets = vec![0; build.grid.columns() + 1];
        CachedSpans::new(build.grid, MergedSpans { offsets, spans: Vec::new() })
    }

    /// Spans whose columns are yet to be added.
    #[cfg(test)]
    pub(crate) fn without_columns(build: &TileBuild) -> CachedSpans {
        CachedSpans::new(build.grid, MergedSpans { offsets: vec![0], spans: Vec::new() })
    }

    /// The spans of cut triangles within a grid; `areas` holds the rank of each triangle's area, and
    /// `threshold` is as in [`merge_column`].
    pub(crate) fn of_cut(
        field: &FragmentField,
        areas: &[AreaId],
        grid: &Grid,
        threshold: i32,
    ) -> CachedSpans {
        let mut merged = MergedSpans { offsets: Vec::with_capacity(grid.columns() + 1), spans: Vec::new() };
        merged.offsets.push(0);
        let mut column = Vec::new();
        for z in 0..grid.depth {
            for x in 0..grid.width {
                column.clear();
                column.extend(field.column(grid, x, z, areas));
                merged.spans.extend_from_slice(merge_column(&mut column, threshold));
                // There are no more spans than fragments, whose number is limited.
                merged.offsets.push(merged.spans.len() as u32);
            }
        }
        CachedSpans::new(*grid, merged)
    }

    fn new(grid: Grid, merged: MergedSpans) -> CachedSpans {
        let (ladders, triangles) = (TileLadders::default(), Vec::new());
        CachedSpans { grid, merged, ladders, triangles, floors: None }
    }

    /// These spans with what a bake needs of their triangles: the surfaces of ladders, and all of them for
    /// exact outlines. `areas` are as in [`CachedSpans::of_cut`].
    #[must_use]
    pub(crate) fn with_triangles_of(mut self, source: Source<'_>, areas: &[AreaId]) -> CachedSpans {
        self.ladders = TileLadders::of_triangles(source, &self.grid);
        if source.level.config.settings.outlines == Outlines::Exact {
            self.triangles = outline_triangles(source, |index| areas[index].is_walkable(), &self.grid);
        }
        self
    }

    /// The spans as bytes.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = pack_spans(self.grid.width as usize, &self.merged);
        bytes.extend(pack_triangles(&self.triangles));
        bytes.extend(pack_ladders(&self.ladders, [self.grid.inner_width(), self.grid.inner_depth()]));
        bytes
    }

    /// Reads the packed spans of a tile and checks all their rules.
    pub fn unpack(bytes: &[u8], build: &TileBuild) -> Result<CachedSpans, CachedSpansError> {
        CachedSpans::unpack_within(bytes, build, u64::MAX)
    }

    /// Like [`CachedSpans::unpack`], but refuses spans that take more than `memory` bytes before it allocates
    /// more, with an error that [says so](CachedSpansError::is_over_memory). A few packed bytes may represent
    /// thousands of spans.
    pub fn unpack_within(
        bytes: &[u8],
        build: &TileBuild,
        memory: u64,
    ) -> Result<CachedSpans, CachedSpansError> {
        let grid = &build.grid;
        // A list that grows takes up to twice its length.
        let most = u32::try_from(memory / 2 / size_of::<Fragment>() as u64).unwrap_or(u32::MAX);
        let (merged, rest) = unpack_first(bytes, [grid.width, grid.depth], most)?;
        let unpacked = unpack_triangles(rest, grid).and_then(|(triangles, rest)| {
            let ladders = unpack_ladders(rest, [grid.inner_width(), grid.inner_depth()], u32::MAX)?;
            Some(CachedSpans { ladders, triangles, ..CachedSpans::new(*grid, merged) })
        });
        unpacked.map_or_else(
            || {
                let found = format!("{} of {} bytes", bytes.len() - rest.len(), bytes.len());
                refuse("spans-end", "an end after the last column, or triangles, or ladders", found)
            },
            Ok,
        )
    }

    /// Number of spans.
    pub fn len(&self) -> usize {
        self.merged.spans.len()
    }

    /// Returns true if there are no spans.
    pub fn is_empty(&self) -> bool {
        self.merged.spans.is_empty()
    }

    /// Number of columns, those of the border included.
    pub fn columns(&self) -> usize {
        self.grid.columns()
    }

    /// Memory that the spans take, bytes.
    pub fn memory(&self) -> u64 {
        let spans = size_of_val(self.merged.offsets.as_slice()) + size_of_val(self.merged.spans.as_slice());
        let triangles = size_of_val(self.triangles.as_slice());
        (spans + triangles + self.ladders.memory()) as u64
            + self.floors.as_ref().map_or(0, |floors| floors.memory())
    }

    /// Memory that a bake takes, bytes: for these spans, for a copy with obstacles in it, and for the results
    /// of all stages.
    pub fn bake_memory(&self) -> u64 {
        let copied = size_of_val(self.merged.offsets.as_slice()) + size_of_val(self.merged.spans.as_slice());
        self.memory() + copied as u64 + memory::of_spans(self.len(), &self.grid)
    }

    /// Returns true if the floors among the spans are known.
    pub fn has_floors(&self) -> bool {
        self.floors.is_some()
    }

    /// Finds the floors among the spans, for tiles that are baked more than once: each bake then examines
    /// only the rows with solid obstacles and holes.
    pub fn find_floors(&mut self, level: &PreparedLevel, scratch: &mut Scratch) -> Result<(), Error> {
        let (offsets, spans) = (self.merged.offsets.as_slice(), self.merged.spans.as_slice());
        let columns = SpanColumns { offsets, spans, known: None, triangles: &[] };
        let source = Source { level, ids: Some(&[]), cut: Cut::Merging(columns) };
        memory::check(source, &self.grid, level.config.settings.memory_bound)?;
        let build = TileBuild { coord: TileCoord::default(), grid: self.grid };
        let params = fast::Params::from(&level.config);
        let swept = TileBake::new(level, &build, &Silent, None).with_scratch(scratch, |bake| {
            fast::floors((source, &[], &build.grid), &params, &mut bake.context)
        })?;
        self.floors = Some(Box::new(swept.parts));
        Ok(())
    }

    /// The spans of a column.
    #[inline]
    pub(crate) fn column(&self, column: usize) -> &[Fragment] {
        &self.merged.spans[self.range(column)]
    }

    #[inline]
    fn range(&self, column: usize) -> Range<usize> {
        self.merged.offsets[column] as usize..self.merged.offsets[column + 1] as usize
    }

    /// Ends the next column.
    pub(crate) fn push(&mut self, column: &[Fragment]) {
        self.merged.spans.extend_from_slice(column);
        // There are no more spans than fragments, whose number is limited.
        self.merged.offsets.push(self.merged.spans.len() as u32);
    }

    /// These spans without everything that obstacles remove, and with everything that they add; and the known
    /// floors.
    fn with(
        &self,
        (all, obstacles): (&[&PreparedObstacle], &TileObstacles<'_>),
        level: &PreparedLevel,
    ) -> Result<ChangedSpans<'_>, Error> {
        let changed = if obstacles.spans.is_empty() && obstacles.holes.is_empty() {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.changed(obstacles, level)?)
        };
        let triangles = match level.config.settings.outlines {
            Outlines::Cells => Cow::Borrowed(self.triangles.as_slice()),
            Outlines::Exact => triangles_with(&self.triangles, all, &self.grid),
        };
        Ok(ChangedSpans {
            spans: changed,
            triangles,
            known: self.floors.as_deref().map(|parts| self.known(parts, obstacles)),
        })
    }

    /// The known floors that remain valid with these obstacles. The floors of a row depend on this row and
    /// its neighbours.
    fn known<'a>(&self, parts: &'a CompactArrays, obstacles: &TileObstacles<'_>) -> KnownFloors<'a> {
        let width = self.grid.width;
        let of_spans = obstacles.spans.iter().map(|(column, _)| column / width);
        let rows = of_spans.chain(obstacles.holes.iter().map(|(column, _)| column / width));
        let (first, last) = rows.fold((u32::MAX, 0), |(first, last), row| (first.min(row), last.max(row)));
        let changed = match first {
            u32::MAX => [0; 2],
            _ => [first.saturating_sub(1), (last + 2).min(self.grid.depth)],
        };
        let [start, end] = changed.map(|row| self.merged.offsets[row as usize * width as usize] as usize);
        KnownFloors { parts, changed, spans: self.merged.spans.len() - (end - start) }
    }

    fn changed(&self, obstacles: &TileObstacles<'_>, level: &PreparedLevel) -> Result<CachedSpans, Error> {
        let threshold = level.config.walkable_climb;
        let ground = AreaOrder::new(&level.config.settings).rank_of(AreaId::GROUND);
        // Each hole cuts at most one span in two, and most added spans merge.
        let most = self.merged.spans.len() + obstacles.spans.len() + obstacles.holes.len();
        navmath::limit::to_u32(
            "spans of a tile",
            most,
            "use fewer obstacles in one place, or smaller tiles",
        )?;
        let offsets = Vec::with_capacity(self.merged.offsets.len());
        let spans = Vec::with_capacity(self.merged.spans.len());
        let mut changed = CachedSpans::new(self.grid, MergedSpans { offsets, spans });
        changed.merged.offsets.push(0);
        let (mut spans, mut holes) = (obstacles.spans.as_slice(), obstacles.holes.as_slice());
        let (mut column, mut next) = (Vec::new(), 0);
        loop {
            let firsts = [spans.first().map(|(column, _)| *column), holes.first().map(|(column, _)| *column)];
            let Some(touched) = firsts.into_iter().flatten().min() else { break };
            changed.copy(self, next..touched as usize);
            column.clear();
            let own_holes = take_column(&mut holes, touched);
            cut_holes(self.column(touched as usize), own_holes, ground, &mut column);
            column.extend(take_column(&mut spans, touched).iter().map(|(_, span)| *span));
            changed.push(merge_column(&mut column, threshold));
            next = touched as usize + 1;
        }
        changed.copy(self, next..self.columns());
        Ok(changed)
    }

    /// Ends the next columns, which are copied from `other`.
    fn copy(&mut self, other: &CachedSpans, columns: Range<usize>) {
        let first = other.merged.offsets[columns.start];
        let here = self.merged.spans.len() as u32;
        self.merged.spans.extend_from_slice(
            &other.merged.spans[first as usize..other.merged.offsets[columns.end] as usize],
        );
        let ends = &other.merged.offsets[columns.start + 1..=columns.end];
        self.merged.offsets.extend(ends.iter().map(|end| end - first + here));
    }
}

/// Takes the items of a column off the start of a list that is sorted by columns.
fn take_column<'a, T>(items: &mut &'a [(u32, T)], column: u32) -> &'a [(u32, T)] {
    let count = items.iter().take_while(|(other, _)| *other == column).count();
    let (own, rest) = items.split_at(count);
    *items = rest;
    own
}

/// The spans of a tile with obstacles.
struct ChangedSpans<'a> {
    spans: Cow<'a, CachedSpans>,
    triangles: Cow<'a, [OutlineTriangle]>,
    known: Option<KnownFloors<'a>>,
}

impl ChangedSpans<'_> {
    /// The source of a bake of these spans.
    fn source<'a>(&'a self, level: &'a PreparedLevel) -> Source<'a> {
        let MergedSpans { offsets, spans } = &self.spans.merged;
        let columns = SpanColumns { offsets, spans, known: self.known, triangles: &self.triangles };
        Source { level, ids: Some(&[]), cut: Cut::Merging(columns) }
    }
}

/// The digest of a tile that no triangle reaches: see [`crate::Tiling::level_hash`].
pub fn empty_tile_hash(level: &PreparedLevel, build: &TileBuild) -> Digest {
    recast::inside::input_hash::of_tile(level, Some(&[]), build)
}

/// Bakes a tile from its cached spans and the obstacles in it; obstacles that do not reach the tile may be
/// included. The tile has the same bytes as a bake of the level's triangles with these obstacles.
pub fn bake_cached(
    cached: &CachedSpans,
    level: &PreparedLevel,
    build: &TileBuild,
    obstacles: &[&PreparedObstacle],
    observer: &dyn Observer,
    scratch: &mut Scratch,
) -> Result<Baked, Error> {
    let of_tile = TileObstacles::new(obstacles, &build.grid, level, &AreaOrder::new(&level.config.settings))?;
    let ladders = ladders_with(&cached.ladders, (obstacles, &of_tile.holes), level, &build.grid);
    let spans = cached.with((obstacles, &of_tile), level)?;
    bake_marked((spans.source(level), &of_tile.marks, ladders), build, observer, scratch, None)
}
