//! The ground of a tile as bytes, for bakes in shares.
//!
//! | bytes | content |
//! |---|---|
//! | 4, 4, 4 | number of floors, spans and ladder surfaces |
//! | 4, then 8 and more of each | layers of spans, each after its length, packed as in [`super::spans`] |
//! | 8 and more | floors after their length: which spans have one, their islands, and their neighbours |
//! | 1, 8 and more | for each area of ladders: its id, then its heights after their length, as spans |
//!
//! The spans of a layer do not touch. Spans of the level never do, and make one layer; spans of obstacles may
//! overlap them and each other.
//!
//! Floors are tops of spans, so one decision per span says if it has a floor. The island is mostly that of
//! the floor to the left or above. Of two neighbouring floors, each mostly leads to the other, and to the
//! floor that is nearest in height.

use super::ladders::{pack_ladders, unpack_ladders};
use super::range_coder::{Coder, Probability, RangeDecoder, RangeEncoder};
use super::sections::{Sections, add_section};
use super::spans::{OF_NUMBER, code_number, pack_spans, unpack_spans};
use navlinks::GroundCounts;
use navmath::sort::SharedSort;
use navtile::TileCoord;
use navtile::area::AreaId;
use recast::TileGround;
use recast::input::{MAX_GRID_HEIGHT, MAX_GRID_SIDE};
use recast::inside::data::{Fragment, MergedSpans};
use recast::inside::ground::{GroundFloor, GroundLists, NO_FLOOR, OFFSETS, is_over_seam, over_seam};
use std::ops::Range;

/// Height differences from here on share a context.
const MOST_APART: usize = 7;

/// Contexts: span has a floor, by the floors to the left and above and by its being the highest.
const HAS_FLOOR: usize = 0;
/// The island is that of the left floor or the one above, by their having the same island; then its number.
const ISLAND_IS: usize = HAS_FLOOR + 2 * 9;
const ISLAND: usize = ISLAND_IS + 4;
/// The step leads back to the floor that leads here; to the nearest floor, by the difference in height;
/// nowhere; then its number.
const BACK: usize = ISLAND + OF_NUMBER;
const NEAREST: usize = BACK + 2;
const NOWHERE: usize = NEAREST + MOST_APART + 1;
const STEP: usize = NOWHERE + 1;
/// The step leads over a seam, by the side and by the answer for the last one there; then its height.
const SEAM: usize = STEP + OF_NUMBER;
const SEAM_HEIGHT: usize = SEAM + 8;
const CONTEXTS: usize = SEAM_HEIGHT + OF_NUMBER;

/// Packs the ground of a tile. After unpacking, the spans of a column are in the order of their tops.
pub fn pack_ground(ground: &TileGround) -> Vec<u8> {
    let mut out = Vec::new();
    for count in [ground.floors.len(), ground.spans.len(), ground.ladders.surfaces().len()] {
        out.extend((count as u32).to_le_bytes());
    }
    let spans = sorted(&ground.span_offsets, &ground.spans);
    let width = ground.size()[0] as usize;
    let layers = layers(&spans);
    out.extend((layers.len() as u32).to_le_bytes());
    layers.iter().for_each(|layer| add_section(&mut out, &pack_spans(width, layer)));
    let mut encoder = RangeEncoder::new();
    let coded = PackedFloors::code(&mut encoder, ground.size(), &spans, Some(ground));
    debug_assert!(coded.is_some_and(|coded| coded.floors.len() == ground.floors.len()), "floors off spans");
    add_section(&mut out, &encoder.finish());
    out.extend(pack_ladders(&ground.ladders, ground.size()));
    out
}

/// Unpacks the ground of a tile of `size` columns and `islands` local islands; `None` if the bytes are
/// malformed. Allocates in proportion to the [counts](GroundCounts::of).
pub fn unpack_ground(packed: &[u8], coord: TileCoord, size: [u32; 2], islands: usize) -> Option<TileGround> {
    let counts = GroundCounts::of(packed)?;
    if !size.iter().all(|side| (1..=MAX_GRID_SIDE).contains(side)) {
        return None;
    }
    let mut from = Sections(packed.get(12..)?);
    let spans = unpack_layers(&mut from, size, counts.spans)?;
    let mut decoder = RangeDecoder::new(from.next()?);
    let floors = PackedFloors::code(&mut decoder, size, &spans, None)?;
    if !decoder.is_at_end()
        || [floors.floors.len(), spans.spans.len()]
            != [counts.floors, counts.spans].map(|count| count as usize)
    {
        return None;
    }
    let ladders = unpack_ladders(from.0, size, counts.ladders)?;
    if ladders.surfaces().len() != counts.ladders as usize {
        return None;
    }
    let PackedFloors { offsets: floor_offsets, mut floors, .. } = floors;
    let base = TileGround::base(coord, size)?;
    floors.iter_mut().for_each(|floor| floor.at = [floor.at[0] + base[0], floor.at[1] + base[1]]);
    let of_spans = spans.spans.iter().map(|span| [span.bottom(), span.top()]).collect();
    TileGround::from_lists(GroundLists {
        coord,
        size,
        floor_offsets,
        floors,
        span_offsets: spans.offsets,
        spans: of_spans,
        islands: u32::try_from(islands).ok()?,
        ladders,
    })
}

/// Spans by column, in the order of their tops.
fn sorted(offsets: &[u32], spans: &[[i32; 2]]) -> MergedSpans {
    let mut sorted = MergedSpans { offsets: offsets.to_vec(), spans: Vec::with_capacity(spans.len()) };
    for ends in offsets.windows(2) {
        let first = sorted.spans.len();
        let own = spans[ends[0] as usize..ends[1] as usize].iter();
        sorted.spans.extend(own.map(|&[bottom, top]| Fragment::new(bottom, top, AreaId::NULL)));
        sorted.spans[first..].shared_sort();
    }
    sorted
}

/// The spans of each column in layers whose spans do not touch; those of each layer in the order of their
/// tops.
fn layers(spans: &MergedSpans) -> Vec<MergedSpans> {
    let mut layers: Vec<MergedSpans> = Vec::new();
    for (column, ends) in spans.offsets.windows(2).enumerate() {
        for span in &spans.spans[ends[0] as usize..ends[1] as usize] {
            let has_room = |layer: &MergedSpans| {
                let own = &layer.spans[layer.offsets[column] as usize..];
                own.last().is_none_or(|last| last.top() < span.bottom())
            };
            let place = layers.iter().position(has_room).unwrap_or(layers.len());
            if place == layers.len() {
                layers.push(MergedSpans { offsets: vec![0; column + 1], spans: Vec::new() });
            }
            layers[place].spans.push(*span);
        }
        // At most the number of all spans, which are counted in 32 bits.
        layers.iter_mut().for_each(|layer| layer.offsets.push(layer.spans.len() as u32));
    }
    layers
}

/// Reads layers of spans, with at most `most` spans in total; `None` if the bytes are malformed.
fn unpack_layers(from: &mut Sections<'_>, size: [u32; 2], most: u32) -> Option<MergedSpans> {
    let count = from.take(4)?.first_chunk().map(|count| u32::from_le_bytes(*count))?;
    let (mut layers, mut left) = (Vec::new(), most);
    for _ in 0..count {
        let layer = unpack_spans(from.next()?, size, left).ok()?;
        if layer.spans.is_empty() {
            return None;
        }
        left -= layer.spans.len() as u32;
        layers.push(layer);
    }
    let mut spans = MergedSpans { offsets: vec![0], spans: Vec::with_capacity((most - left) as usize) };
    for column in 0..size[0] as usize * size[1] as usize {
        let first = spans.spans.len();
        for layer in &layers {
            let [start, end] = [column, column + 1].map(|at| layer.offsets[at] as usize);
            spans.spans.extend_from_slice(&layer.spans[start..end]);
        }
        spans.spans[first..].shared_sort();
        spans.offsets.push(spans.spans.len() as u32);
    }
    Some(spans)
}

/// The floors of a tile that are coded so far. Columns are counted from the tile's first.
struct PackedFloors<'a> {
    size: [u32; 2],
    contexts: [Probability; CONTEXTS],
    offsets: Vec<u32>,
    floors: Vec<GroundFloor>,
    /// For each floor, the floors that lead to it from smaller x and from smaller z.
    back: Vec<[u32; 2]>,
    /// True if the last step over each side of the tile led somewhere.
    seams: [bool; 4],
    /// The ground to write; `None` while reading.
    own: Option<&'a TileGround>,
}

impl<'a> PackedFloors<'a> {
    /// Codes the floors on these spans; `None` if the data that is read is malformed.
    fn code(
        coder: &mut impl Coder,
        size: [u32; 2],
        spans: &MergedSpans,
        own: Option<&'a TileGround>,
    ) -> Option<PackedFloors<'a>> {
        let mut packed = PackedFloors {
            size,
            contexts: [Probability::EVEN; CONTEXTS],
            offsets: vec![0],
            floors: Vec::new(),
            back: Vec::new(),
            seams: [false; 4],
            own,
        };
        for column in 0..spans.offsets.len() - 1 {
            let [first, end] = [column, column + 1].map(|at| spans.offsets[at] as usize);
            for span in first..end {
                packed.code_floor(coder, column, (spans.spans[span].top(), span + 1 == end))?;
            }
            // At most the number of spans, which are counted in 32 bits.
            packed.offsets.push(packed.floors.len() as u32);
        }
        packed.back = vec![[NO_FLOOR; 2]; packed.floors.len()];
        for floor in 0..packed.floors.len() {
            for direction in 0..4 {
                packed.floors[floor].beside[direction] = packed.code_step(coder, floor, direction)?;
            }
            if coder.is_short() {
                return None;
            }
        }
        Some(packed)
    }

    /// The floors of a column that was coded.
    fn of_column(&self, column: usize) -> Range<usize> {
        self.offsets[column] as usize..self.offsets[column + 1] as usize
    }

    /// The floor of a column that is nearest in height, and the difference in height.
    fn nearest(&self, column: usize, height: i32) -> Option<(usize, usize)> {
        let range = self.of_column(column);
        let own = &self.floors[range.clone()];
        let above = own.partition_point(|floor| floor.height < height);
        let near = [above.checked_sub(1), (above < own.len()).then_some(above)].into_iter().flatten();
        let apart = |index: usize| own[index].height.abs_diff(height) as usize;
        near.min_by_key(|&index| apart(index)).map(|index| (range.start + index, apart(index)))
    }

    /// Codes if the span with this top has a floor, and the floor's island.
    fn code_floor(
        &mut self,
        coder: &mut impl Coder,
        column: usize,
        (top, is_highest): (i32, bool),
    ) -> Option<()> {
        let width = self.size[0] as usize;
        let (x, z) = (column % width, column / width);
        let left = (x > 0).then(|| self.nearest(column - 1, top)).flatten();
        let above = (z > 0).then(|| self.nearest(column - width, top)).flatten();
        let known = |near: Option<(usize, usize)>| match near {
            None => 0,
            Some((_, apart)) => 1 + usize::from(apart <= MOST_APART),
        };
        let context = HAS_FLOOR + 9 * usize::from(is_highest) + 3 * known(left) + known(above);
        let next = self.floors.len();
        let own =
            self.own.filter(|own| next < own.floor_offsets[column + 1] as usize).map(|own| own.floors[next]);
        if !coder.decide(&mut self.contexts[context], || own.is_some_and(|own| own.height == top)) {
            return Some(());
        }
        let island_of = |near: Option<(usize, usize)>| near.map(|(floor, _)| self.floors[floor].island);
        let (of_left, of_above) = (island_of(left), island_of(above));
        let own = own.map_or(0, |own| own.island);
        let island = self.code_island(coder, of_left, of_above, own)?;
        let at = [x as i32, z as i32];
        self.floors.push(GroundFloor { at, height: top, island, beside: [NO_FLOOR; 4] });
        (!coder.is_short()).then_some(())
    }

    fn code_island(
        &mut self,
        coder: &mut impl Coder,
        left: Option<u32>,
        above: Option<u32>,
        own: u32,
    ) -> Option<u32> {
        let last = self.floors.last().map_or(0, |floor| floor.island);
        let first = left.or(above).unwrap_or(last);
        let context = ISLAND_IS + usize::from(left == above) + 2 * usize::from(left.or(above).is_none());
        if coder.decide(&mut self.contexts[context], || own == first) {
            return Some(first);
        }
        let numbers = &mut self.contexts[ISLAND..][..OF_NUMBER];
        let island = code_number(coder, numbers, i64::from(own) - i64::from(first)).ok()?;
        u32::try_from(island + i64::from(first)).ok()
    }

    /// Codes the target of a step from a floor.
    fn code_step(&mut self, coder: &mut impl Coder, floor: usize, direction: usize) -> Option<u32> {
        let own = self.own.map_or(NO_FLOOR, |own| own.floors[floor].beside[direction]);
        let GroundFloor { at: [x, z], height, .. } = self.floors[floor];
        let [dx, dz] = OFFSETS[direction];
        let (x, z) = ((x + dx).cast_unsigned(), (z + dz).cast_unsigned());
        if x >= self.size[0] || z >= self.size[1] {
            return self.code_seam(coder, direction, height, own);
        }
        let column = x as usize + z as usize * self.size[0] as usize;
        let Some((nearest, apart)) = self.nearest(column, height) else { return Some(NO_FLOOR) };
        let is_forward = direction == 1 || direction == 2;
        let (expected, context) = match is_forward {
            true => (nearest as u32, NEAREST + apart.min(MOST_APART)),
            false => {
                let back = self.back[floor][usize::from(direction == 3)];
                (back, BACK + usize::from(back == NO_FLOOR))
            }
        };
        let leads_to = if coder.decide(&mut self.contexts[context], || own == expected) {
            expected
        } else if expected != NO_FLOOR && coder.decide(&mut self.contexts[NOWHERE], || own == NO_FLOOR) {
            NO_FLOOR
        } else {
            let range = self.of_column(column);
            let numbers = &mut self.contexts[STEP..][..OF_NUMBER];
            let index = code_number(coder, numbers, i64::from(own) - range.start as i64).ok()?;
            let index = usize::try_from(index).ok().filter(|index| *index < range.len())?;
            (range.start + index) as u32
        };
        if is_forward && leads_to != NO_FLOOR {
            self.back[leads_to as usize][usize::from(direction == 1)] = floor as u32;
        }
        Some(leads_to)
    }

    fn code_seam(&mut self, coder: &mut impl Coder, direction: usize, height: i32, own: u32) -> Option<u32> {
        let context = SEAM + 2 * direction + usize::from(self.seams[direction]);
        let leads = coder.decide(&mut self.contexts[context], || own != NO_FLOOR);
        self.seams[direction] = leads;
        if !leads {
            return Some(NO_FLOOR);
        }
        let own = if is_over_seam(own) && own != NO_FLOOR { i64::from(over_seam(own)) } else { 0 };
        let numbers = &mut self.contexts[SEAM_HEIGHT..][..OF_NUMBER];
        let reached = code_number(coder, numbers, own - i64::from(height)).ok()? + i64::from(height);
        u32::try_from(reached).ok().filter(|reached| *reached <= MAX_GRID_HEIGHT).map(over_seam)
    }
}
