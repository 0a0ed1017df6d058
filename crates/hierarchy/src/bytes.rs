//! A hierarchy as bytes, and back.
//!
//! Bytes may come from anywhere. Reading them checks every index that plans rely on; a wrong cost can only
//! make a plan worse. A cost is stored as its difference from the straight distance of its two doors, so
//! that most take one byte.

use crate::block::{Crossing, Draft, Jump, Members, SLOTS, order};
use crate::costs::{self, MOST_COST, Packed};
use crate::grid::{BRANCH, ClusterCoord, ClusterGrid, LEVELS, MOST_CELLS};
use crate::level::{DoorId, Level};
use crate::tiles::TilePolygon;
use crate::{Class, Hierarchy};
use detour::Filter;
use navmath::Lattice;
use navmath::bytes::{EndsEarly, Reader};
use navtile::TileCoord;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

/// The version of the format.
const VERSION: u32 = 1;
/// Places on the lattice are within this limit, 1/256 cell.
const MOST_FIXED: i64 = 1 << 48;
/// For a class that does not cross a jump.
const NO_COST: u64 = u64::MAX;

/// Bytes that are not a hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct HierarchyBytesError {
    /// The part that is wrong.
    pub part: &'static str,
    /// The fault.
    pub problem: String,
}

impl fmt::Display for HierarchyBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HierarchyBytesError { part, problem } = self;
        write!(f, "the hierarchy is damaged: {part}: {problem}; bake again with a hierarchy")
    }
}

impl Error for HierarchyBytesError {}

impl From<EndsEarly> for HierarchyBytesError {
    fn from(error: EndsEarly) -> HierarchyBytesError {
        HierarchyBytesError { part: "length", problem: error.to_string() }
    }
}

type Read<T> = Result<T, HierarchyBytesError>;

fn refuse<T>(part: &'static str, problem: impl Into<String>) -> Read<T> {
    Err(HierarchyBytesError { part, problem: problem.into() })
}

/// Checks a condition.
fn demand(holds: bool, part: &'static str, problem: &str) -> Read<()> {
    if holds { Ok(()) } else { refuse(part, problem) }
}

/// Bytes that are written front to back.
#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn put(&mut self, number: impl navmath::bytes::Pod) {
        self.0.extend_from_slice(bytemuck::bytes_of(&number));
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

/// A number of at most 63 bits.
fn varint(from: &mut Reader<'_>) -> Read<u64> {
    from.varint()?.map_or_else(|| refuse("number", "a number has more than nine bytes"), Ok)
}

/// A count of elements of at least one byte each.
fn count(from: &mut Reader<'_>) -> Read<usize> {
    let count = varint(from)?;
    Ok(from.expect(count, 1)?)
}

fn narrow<T: TryFrom<u64>>(part: &'static str, number: u64) -> Read<T> {
    T::try_from(number).or_else(|_| refuse(part, format!("{number} is too large")))
}

impl Hierarchy {
    /// The hierarchy as bytes: the same for the same tiles and settings. Closed portals are a state of the
    /// run and are not written: the bytes are those of the hierarchy with all portals open.
    pub fn to_bytes(&self) -> Vec<u8> {
        if !self.closed.is_empty() {
            let mut open = self.clone();
            open.set_closed(BTreeSet::new());
            return open.to_bytes();
        }
        let mut to = Writer::default();
        to.put(VERSION);
        to.put(self.lattice.origin);
        to.put([self.lattice.cell_size, self.lattice.cell_height]);
        to.put([self.grid.tile_cells, self.grid.tiles]);
        to.put(self.spacing);
        to.varint(self.classes.len() as u64);
        self.classes.iter().for_each(|class| write_class(&mut to, class));
        to.varint(self.links.len() as u64);
        self.links.iter().for_each(|link| to.put(link.map(|ClusterCoord { x, z }| [x, z])));
        for index in 0..LEVELS {
            write_level(&mut to, self, index);
        }
        to.0
    }

    /// Reads what [`Hierarchy::to_bytes`] writes. Checks everything that plans rely on, but not that the
    /// costs are those of the tiles.
    ///
    /// # Errors
    /// The bytes are not a hierarchy of this version, or a part is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Hierarchy, HierarchyBytesError> {
        let from = &mut Reader::new(bytes);
        let version: u32 = from.read()?;
        demand(version == VERSION, "version", &format!("it is {version}, and {VERSION} is known"))?;
        let origin: [f64; 3] = from.read()?;
        let [cell_size, cell_height]: [f64; 2] = from.read()?;
        let lattice = Lattice::new(origin, cell_size, cell_height);
        let lattice = lattice.or_else(|error| refuse("lattice", error.to_string()))?;
        let [tile_cells, tiles]: [u32; 2] = from.read()?;
        let cells = u64::from(tile_cells) * u64::from(tiles);
        let is_sound = (1..=u64::from(MOST_CELLS)).contains(&cells);
        demand(is_sound, "grid", &format!("{tiles} tiles of {tile_cells} cells along a cluster"))?;
        let grid = ClusterGrid { tile_cells, tiles };
        let spacing: i64 = from.read()?;
        demand((1..MOST_FIXED).contains(&spacing), "spacing", "not a distance")?;
        let classes = (0..count(from)?).map(|_| read_class(from)).collect::<Read<Vec<Class>>>()?;
        demand(!classes.is_empty(), "classes", "none")?;
        let mut links = BTreeSet::new();
        for _ in 0..count(from)? {
            let link: [[i32; 2]; 2] = from.read()?;
            let link = link.map(|[x, z]| ClusterCoord { x, z });
            demand(links.last().is_none_or(|last| *last < link), "links", "not sorted")?;
            links.insert(link);
        }
        let (closed, levels) = (BTreeSet::new(), Vec::new());
        let mut hierarchy = Hierarchy { grid, lattice, classes, spacing, links, closed, levels };
        for index in 0..LEVELS {
            let level = read_level(from, &hierarchy, index)?;
            hierarchy.levels.push(level);
        }
        demand(from.rest().is_empty(), "length", "bytes are left at the end")?;
        Ok(hierarchy)
    }
}

fn write_class(to: &mut Writer, Class { name, filter }: &Class) {
    to.varint(name.len() as u64);
    to.0.extend_from_slice(name.as_bytes());
    to.put([filter.include(), filter.exclude()]);
    to.put(filter.closed_areas());
    let costs: Vec<(u8, f32)> =
        (0..=255).map(|area| (area, filter.area_cost(area))).filter(|(_, cost)| *cost != 1.0).collect();
    to.varint(costs.len() as u64);
    for (area, cost) in costs {
        to.put(area);
        to.put(cost);
    }
}

fn read_class(from: &mut Reader<'_>) -> Read<Class> {
    let length = varint(from)?;
    let name = String::from_utf8(from.take(length)?.to_vec());
    let name = name.or_else(|_| refuse("class", "its name is not text"))?;
    let [include, exclude]: [u32; 2] = from.read()?;
    let closed: [u64; 4] = from.read()?;
    let mut filter = Filter::default().with_include(include).with_exclude(exclude);
    for area in (0..=255u8).filter(|area| closed[usize::from(area / 64)] >> (area % 64) & 1 == 1) {
        filter = filter.without_area(area);
    }
    for _ in 0..count(from)? {
        let (area, cost): (u8, f32) = (from.read()?, from.read()?);
        filter = filter.with_area_cost(area, cost).or_else(|error| refuse("class", error.to_string()))?;
    }
    Ok(Class { name, filter })
}

fn write_level(to: &mut Writer, hierarchy: &Hierarchy, index: usize) {
    let level = &hierarchy.levels[index];
    to.varint(level.blocks.len() as u64);
    for block in &level.blocks {
        to.put([block.coord.x, block.coord.z]);
        to.put(block.exists);
        for slot in (0..SLOTS).filter(|slot| block.exists >> slot & 1 == 1) {
            for border in 0..2 {
                let crossings = block.border(slot, border);
                to.varint(crossings.len() as u64);
                for crossing in crossings {
                    to.varint(crossing.along.into());
                    to.varint(crossing.reach.into());
                    to.put(crossing.height);
                }
                for members in block.members(slot, border) {
                    let Members { child, first, end, same } = *members;
                    [child, first, end, same].iter().for_each(|number| to.varint((*number).into()));
                }
            }
        }
    }
    to.varint(level.jumps.len() as u64);
    level.jumps.iter().for_each(|jump| write_jump(to, jump));
    for cluster in level.clusters() {
        let guess = Guess::new(hierarchy.grid, &hierarchy.lattice, level, index, cluster);
        for class in 0..hierarchy.classes.len() {
            for least in kinds(index) {
                let packed = Packed::of(level.door_count(cluster), level.packed(cluster, class, least));
                to.varint(packed.head.into());
                packed.pieces.iter().for_each(|&pieces| to.put(pieces));
                for (pair, number) in packed.pairs().zip(packed.numbers) {
                    let difference = number.wrapping_sub(guess.number(pair, packed.shift())) as i16;
                    to.varint(((difference << 1) ^ (difference >> 15)) as u16 as u64);
                }
            }
        }
    }
}

/// The kinds of costs that a level stores: known ones, and least ones.
fn kinds(index: usize) -> impl Iterator<Item = bool> {
    [false, true].into_iter().take(if index == 0 { 1 } else { 2 })
}

fn write_jump(to: &mut Writer, jump: &Jump) {
    to.put(jump.clusters.map(|ClusterCoord { x, z }| [x, z]));
    to.put(jump.places);
    to.put(u8::from(jump.backwards));
    for TilePolygon { tile: TileCoord { x, z, layer }, polygon } in jump.polygons {
        to.put([x, z, layer]);
        to.put(polygon);
    }
    to.put(jump.reach);
    jump.costs.iter().for_each(|cost| to.put(cost.unwrap_or(NO_COST)));
    to.varint(jump.below.into());
}

fn read_jump(from: &mut Reader<'_>, classes: usize) -> Read<Jump> {
    let clusters: [[i32; 2]; 2] = from.read()?;
    let places: [[i64; 3]; 2] = from.read()?;
    let is_near = places.as_flattened().iter().all(|at| (-MOST_FIXED..=MOST_FIXED).contains(at));
    demand(is_near, "jump", "its places are too far away")?;
    let backwards: u8 = from.read()?;
    demand(backwards <= 1, "jump", "its direction is not known")?;
    let mut polygons = [TilePolygon { tile: TileCoord::default(), polygon: 0 }; 2];
    for polygon in &mut polygons {
        let [x, z, layer]: [i32; 3] = from.read()?;
        *polygon = TilePolygon { tile: TileCoord { x, z, layer }, polygon: from.read()? };
    }
    let reach: u32 = from.read()?;
    let mut costs = Vec::new();
    for _ in 0..classes {
        let cost: u64 = from.read()?;
        demand(cost == NO_COST || cost <= MOST_COST, "jump", "its cost is too large")?;
        costs.push((cost != NO_COST).then_some(cost));
    }
    let below = narrow("jump", varint(from)?)?;
    let clusters = clusters.map(|[x, z]| ClusterCoord { x, z });
    Ok(Jump { clusters, places, backwards: backwards == 1, polygons, reach, costs: costs.into(), below })
}

fn read_level(from: &mut Reader<'_>, hierarchy: &Hierarchy, index: usize) -> Read<Level> {
    let grid = hierarchy.grid;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut last: Option<ClusterCoord> = None;
    for _ in 0..count(from)? {
        let [x, z]: [i32; 2] = from.read()?;
        let coord = ClusterCoord { x, z };
        // Tiles of all clusters in the block, and of those beyond, have coordinates.
        let most = i32::MAX / grid.tiles_of(index + 1) - 2;
        let is_near = (-most..=most).contains(&x) && (-most..=most).contains(&z);
        demand(is_near && last.is_none_or(|last| last < coord), "block", "its place is not after the last")?;
        last = Some(coord);
        read_block(from, &grid, index, coord, &mut drafts)?;
    }
    let below = index.checked_sub(1).map(|below| &hierarchy.levels[below]);
    if let Some(below) = below {
        check_members(&drafts, below)?;
    }
    let mut jumps = Vec::new();
    for _ in 0..count(from)? {
        jumps.push(read_jump(from, hierarchy.classes.len())?);
    }
    let level = Level::new(&drafts, jumps.clone());
    check_jumps(&level, &jumps, below)?;
    let clusters: Vec<u32> = level.clusters().collect();
    for (draft, cluster) in drafts.iter_mut().zip(clusters) {
        let guess = Guess::new(grid, &hierarchy.lattice, &level, index, cluster);
        for _ in 0..hierarchy.classes.len() {
            let mut of_class = [Vec::new(), Vec::new()];
            for least in kinds(index) {
                of_class[usize::from(least)] = read_costs(from, level.door_count(cluster), &guess)?;
            }
            draft.costs.push(of_class);
        }
    }
    Ok(Level::new(&drafts, jumps))
}

fn read_block(
    from: &mut Reader<'_>,
    grid: &ClusterGrid,
    index: usize,
    coord: ClusterCoord,
    drafts: &mut Vec<Draft>,
) -> Read<()> {
    let exists: u16 = from.read()?;
    demand(exists != 0, "block", "it has no cluster")?;
    let steps = (grid.side(index) / grid.step(index)) as u64;
    let mut crossings = 0;
    for slot in (0..SLOTS as i32).filter(|slot| exists >> slot & 1 == 1) {
        let (x, z) = (coord.x * BRANCH + slot / BRANCH, coord.z * BRANCH + slot % BRANCH);
        let mut draft = Draft { coord: ClusterCoord { x, z }, ..Draft::default() };
        for border in 0..2 {
            let count = count(from)?;
            crossings += count;
            demand(crossings <= usize::from(u16::MAX), "block", "it has too many crossings")?;
            for _ in 0..count {
                let along = varint(from)?;
                demand(along <= steps, "crossing", "it is not on the border")?;
                let reach = narrow("crossing", varint(from)?)?;
                draft.borders[border].push(Crossing { along: along as u16, reach, height: from.read()? });
            }
            for _ in 0..if index == 0 { 0 } else { count } {
                let mut number = || narrow("members", varint(from)?);
                let [child, first, end, same] = [number()?, number()?, number()?, number()?];
                draft.members[border].push(Members { child, first, end, same });
            }
        }
        drafts.push(draft);
    }
    Ok(())
}

/// Checks that the clusters of a level are those around the clusters below, and that all crossings
/// represent some below.
fn check_members(drafts: &[Draft], below: &Level) -> Read<()> {
    let mut parents: Vec<ClusterCoord> = below.blocks.iter().map(|block| block.coord).collect();
    parents.sort_by_key(|coord| order(*coord));
    demand(
        drafts.iter().map(|draft| draft.coord).eq(parents),
        "clusters",
        "not those around the ones below",
    )?;
    for draft in drafts {
        for (border, on) in
            [navtile::layout::side::X_MAX, navtile::layout::side::Z_MAX].into_iter().enumerate()
        {
            for members in &draft.members[border] {
                let child = crate::twins::child_at(draft.coord, on, i32::from(members.child) % BRANCH);
                let list = below.find(child).map_or(0, |child| below.border(child, on).len());
                let is_sound = i32::from(members.child) < BRANCH
                    && (members.first..members.end).contains(&members.same)
                    && usize::from(members.end) <= list;
                demand(is_sound, "members", "not a part of the border below")?;
            }
        }
    }
    Ok(())
}

/// Checks that jumps are in order, lead from one cluster to another, and represent jumps below.
fn check_jumps(level: &Level, jumps: &[Jump], below: Option<&Level>) -> Read<()> {
    demand(level.jumps == jumps, "jumps", "not sorted")?;
    for jump in jumps {
        let [one, two] = jump.clusters;
        let is_known = one != two && level.find(one).is_some() && level.find(two).is_some();
        demand(is_known, "jump", "it does not lead from one cluster to another")?;
        let Some(below) = below else { continue };
        let same = below.jumps.get(jump.below as usize);
        let is_same = same.is_some_and(|same| same.clusters.map(ClusterCoord::parent) == jump.clusters);
        demand(is_same, "jump", "it represents another one below")?;
    }
    Ok(())
}

/// Reads the packed costs between the doors of a cluster.
fn read_costs(from: &mut Reader<'_>, doors: usize, guess: &Guess) -> Read<Vec<u16>> {
    let mut packed = vec![narrow::<u16>("costs", varint(from)?)?];
    let Some(pieces) = costs::piece_numbers(packed[0], doors) else {
        return refuse("costs", "their form is not known");
    };
    for _ in 0..from.expect(pieces as u64, size_of::<u16>())? {
        packed.push(from.read()?);
    }
    let head = packed.clone();
    let of_head = Packed::of(doors, &head);
    let shift = of_head.shift();
    let most = (doors as u64).saturating_mul(doors as u64);
    let bound = from.rest().len() as u64;
    for pair in of_head.pairs().take(most.min(bound) as usize + 1) {
        let coded: u16 = narrow("costs", varint(from)?)?;
        let difference = (coded >> 1) as i16 ^ -((coded & 1) as i16);
        packed.push(guess.number(pair, shift).wrapping_add(difference as u16));
    }
    Ok(packed)
}

/// The straight distances between the doors of a cluster.
struct Guess {
    places: Vec<[f64; 2]>,
    /// The cost of 1/256 cell.
    unit: f64,
}

impl Guess {
    fn new(grid: ClusterGrid, lattice: &Lattice, level: &Level, index: usize, cluster: u32) -> Guess {
        let place = |door: u32| level.place(&grid, index, DoorId { cluster, door }).unwrap_or_default();
        let places = (0..level.door_count(cluster) as u32).map(|door| {
            let [x, _, z] = place(door);
            [x as f64, z as f64]
        });
        Guess { places: places.collect(), unit: lattice.cell_size }
    }

    fn number(&self, (one, two): (usize, usize), shift: u8) -> u16 {
        let [a, b] = [self.places[one], self.places[two]];
        let [x, z] = [a[0] - b[0], a[1] - b[1]];
        (((x * x + z * z).sqrt() * self.unit) as u64 >> shift) as u16
    }
}
