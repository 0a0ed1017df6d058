//! A level of the hierarchy: its blocks, and the doors of their clusters.
//!
//! The doors of a cluster are the crossings of its four borders: those towards smaller x and z, which the
//! neighbours there list, then its own two lists. So a crossing is a door of both clusters.

use crate::block::{Block, Crossing, Draft, Jump, Members, NONE, SLOTS, slot_of};
use crate::costs::{Cost, Packed};
use crate::grid::{BRANCH, ClusterCoord, ClusterGrid};
use navtile::layout::side;
use std::ops::Range;

/// The sides whose crossings other clusters list, then those whose crossings the cluster lists itself.
pub(crate) const DOOR_SIDES: [u8; 4] = [side::X_MIN, side::Z_MIN, side::X_MAX, side::Z_MAX];

/// A door of a cluster, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DoorId {
    /// The number of the block, times [`SLOTS`], and the place in it.
    pub(crate) cluster: u32,
    pub(crate) door: u32,
}

/// A door of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Door<'a> {
    /// A crossing: its side, and its number in the border's list.
    Crossing(u8, u32, &'a Crossing),
    /// The start of a jump, which has this number.
    Exit(u32, &'a Jump),
    /// The end of a jump.
    Entry(u32, &'a Jump),
}

impl<'a> Door<'a> {
    /// The jump that it belongs to.
    pub(crate) fn jump(self) -> Option<&'a Jump> {
        match self {
            Door::Crossing(..) => None,
            Door::Exit(_, jump) | Door::Entry(_, jump) => Some(jump),
        }
    }
}

/// All clusters of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Level {
    /// Sorted by coordinate.
    pub(crate) blocks: Vec<Block>,
    /// The jumps between its clusters, sorted by the cluster where they start.
    pub(crate) jumps: Vec<Jump>,
    /// The numbers of the jumps, sorted by the cluster where they end.
    arrivals: Vec<u32>,
    /// The first jump that starts in each cluster, and the first arrival; both empty without jumps.
    first_exit: Vec<u32>,
    first_entry: Vec<u32>,
    /// The number of doors of the clusters before each, and of all.
    first_door: Vec<u32>,
    /// The doors that are shut, sorted; of the first level only.
    pub(crate) shut: Vec<DoorId>,
}

impl Level {
    /// A level of clusters, sorted by block and then by coordinate, and of jumps between them in any order.
    pub(crate) fn new(drafts: &[Draft], jumps: Vec<Jump>) -> Level {
        let blocks = drafts.chunk_by(|a, b| a.coord.parent() == b.coord.parent()).map(Block::new).collect();
        Level::of_blocks(blocks, jumps)
    }

    /// A level of blocks, sorted by coordinate, which it links.
    pub(crate) fn of_blocks(mut blocks: Vec<Block>, mut jumps: Vec<Jump>) -> Level {
        let coords: Vec<ClusterCoord> = blocks.iter().map(|block| block.coord).collect();
        let number = |coord: ClusterCoord| coords.binary_search(&coord).map_or(NONE, |at| at as u32);
        for block in &mut blocks {
            block.neighbours = [0u8, 1, 2, 3].map(|on| number(block.coord.across(on)));
        }
        let mut level = Level { blocks, ..Level::default() };
        if !jumps.is_empty() {
            let ends = |jump: &Jump| jump.clusters.map(|coord| level.find(coord).unwrap_or(NONE));
            jumps.sort_by_key(Jump::order);
            let [from, to] = [0, 1].map(|end| jumps.iter().map(|jump| ends(jump)[end]).collect::<Vec<u32>>());
            let mut arrivals: Vec<u32> = (0..jumps.len() as u32).collect();
            arrivals.sort_by_key(|jump| (to[*jump as usize], *jump));
            let clusters = (level.blocks.len() * SLOTS) as u32;
            let firsts = |sorted: Vec<u32>| -> Vec<u32> {
                (0..=clusters).map(|cluster| sorted.partition_point(|at| *at < cluster) as u32).collect()
            };
            level.first_exit = firsts(from);
            level.first_entry = firsts(arrivals.iter().map(|jump| to[*jump as usize]).collect());
            (level.jumps, level.arrivals) = (jumps, arrivals);
        }
        level.count_doors();
        level
    }

    /// Counts the doors again after a block has changed.
    pub(crate) fn count_doors(&mut self) {
        let mut sum = 0;
        let mut first_door = vec![0];
        for cluster in 0..self.blocks.len() * SLOTS {
            sum += self.door_count(cluster as u32) as u32;
            first_door.push(sum);
        }
        self.first_door = first_door;
    }

    /// The numbers of all clusters, in order.
    pub(crate) fn clusters(&self) -> impl Iterator<Item = u32> {
        let of_block = |(number, block): (usize, &Block)| {
            let exists = block.exists;
            (0..SLOTS)
                .filter(move |slot| exists >> slot & 1 == 1)
                .map(move |slot| (number * SLOTS + slot) as u32)
        };
        self.blocks.iter().enumerate().flat_map(of_block)
    }

    #[inline]
    fn block(&self, cluster: u32) -> (&Block, usize) {
        (&self.blocks[cluster as usize / SLOTS], cluster as usize % SLOTS)
    }

    /// The coordinate of a cluster.
    pub(crate) fn coord(&self, cluster: u32) -> ClusterCoord {
        let (block, slot) = self.block(cluster);
        let slot = slot as i32;
        ClusterCoord { x: block.coord.x * BRANCH + slot / BRANCH, z: block.coord.z * BRANCH + slot % BRANCH }
    }

    /// The coordinate of the cluster of the next level around a cluster.
    #[inline]
    pub(crate) fn parent(&self, cluster: u32) -> ClusterCoord {
        self.blocks[cluster as usize / SLOTS].coord
    }

    /// The number of a cluster.
    pub(crate) fn find(&self, coord: ClusterCoord) -> Option<u32> {
        let block = self.blocks.binary_search_by_key(&coord.parent(), |block| block.coord).ok()?;
        let slot = slot_of(coord);
        (self.blocks[block].exists >> slot & 1 == 1).then_some((block * SLOTS + slot) as u32)
    }

    /// The cluster beyond a side.
    #[inline]
    pub(crate) fn beyond(&self, cluster: u32, on: u8) -> Option<u32> {
        let (block, slot) = self.block(cluster);
        let (x, z) = (slot as i32 / BRANCH, slot as i32 % BRANCH);
        let (x, z) = match on {
            side::X_MIN => (x - 1, z),
            side::Z_MAX => (x, z + 1),
            side::X_MAX => (x + 1, z),
            _ => (x, z - 1),
        };
        let is_inside = (0..BRANCH).contains(&x) && (0..BRANCH).contains(&z);
        let number = if is_inside { cluster / SLOTS as u32 } else { block.neighbours[usize::from(on)] };
        let slot = x.rem_euclid(BRANCH) * BRANCH + z.rem_euclid(BRANCH);
        let exists = number != NONE && self.blocks[number as usize].exists >> slot & 1 == 1;
        exists.then(|| number * SLOTS as u32 + slot as u32)
    }

    /// The cluster that lists the crossings of a side, and the number of its border.
    #[inline]
    fn owner(&self, cluster: u32, on: u8) -> Option<(u32, usize)> {
        match on {
            side::X_MAX => Some((cluster, 0)),
            side::Z_MAX => Some((cluster, 1)),
            side::X_MIN => self.beyond(cluster, on).map(|other| (other, 0)),
            _ => self.beyond(cluster, on).map(|other| (other, 1)),
        }
    }

    /// The crossings of a side of a cluster.
    #[inline]
    pub(crate) fn border(&self, cluster: u32, on: u8) -> &[Crossing] {
        let Some((owner, border)) = self.owner(cluster, on) else { return &[] };
        let (block, slot) = self.block(owner);
        block.border(slot, border)
    }

    /// The crossings below that those of a side represent.
    pub(crate) fn members(&self, cluster: u32, on: u8) -> &[Members] {
        let Some((owner, border)) = self.owner(cluster, on) else { return &[] };
        let (block, slot) = self.block(owner);
        block.members(slot, border)
    }

    /// The costs between the doors of a cluster.
    #[inline]
    pub(crate) fn costs(&self, cluster: u32, class: usize, least: bool) -> Packed<'_> {
        Packed::of(self.door_count(cluster), self.packed(cluster, class, least))
    }

    /// The same as stored.
    #[inline]
    pub(crate) fn packed(&self, cluster: u32, class: usize, least: bool) -> &[u16] {
        let (block, slot) = self.block(cluster);
        block.packed(slot, class, least)
    }

    /// The packed costs of all classes, known and least.
    pub(crate) fn all_costs(&self, cluster: u32) -> Vec<Vec<u16>> {
        let (block, slot) = self.block(cluster);
        block.all_costs(slot).map(<[u16]>::to_vec).collect()
    }

    /// The number of crossings among the doors of a cluster.
    #[inline]
    fn crossing_count(&self, cluster: u32) -> usize {
        DOOR_SIDES.iter().map(|&on| self.border(cluster, on).len()).sum()
    }

    /// A part of a list with an entry for each cluster.
    #[inline]
    fn of_cluster(firsts: &[u32], cluster: u32) -> Range<u32> {
        match firsts.get(cluster as usize..cluster as usize + 2) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        }
    }

    /// The numbers of the jumps that start in a cluster.
    pub(crate) fn exits(&self, cluster: u32) -> Range<u32> {
        Level::of_cluster(&self.first_exit, cluster)
    }

    /// The numbers of the jumps that end in a cluster.
    pub(crate) fn entries(&self, cluster: u32) -> &[u32] {
        let range = Level::of_cluster(&self.first_entry, cluster);
        &self.arrivals[range.start as usize..range.end as usize]
    }

    /// The number of doors of a cluster.
    #[inline]
    pub(crate) fn door_count(&self, cluster: u32) -> usize {
        self.crossing_count(cluster) + self.exits(cluster).len() + self.entries(cluster).len()
    }

    /// All doors of a cluster: its crossings, side by side, the starts of jumps, and the ends of jumps.
    pub(crate) fn doors(&self, cluster: u32) -> impl Iterator<Item = Door<'_>> {
        let on_side = move |on: u8| {
            let numbered = self.border(cluster, on).iter().zip(0..);
            numbered.map(move |(crossing, number)| Door::Crossing(on, number, crossing))
        };
        let exits = self.exits(cluster).map(|number| Door::Exit(number, &self.jumps[number as usize]));
        let entries = self.entries(cluster).iter();
        let entries = entries.map(|&number| Door::Entry(number, &self.jumps[number as usize]));
        DOOR_SIDES.into_iter().flat_map(on_side).chain(exits).chain(entries)
    }

    /// The crossing or the end of a jump that a door is.
    #[inline]
    pub(crate) fn door(&self, DoorId { cluster, door }: DoorId) -> Option<Door<'_>> {
        let mut rest = door;
        for on in DOOR_SIDES {
            let border = self.border(cluster, on);
            match border.get(rest as usize) {
                Some(crossing) => return Some(Door::Crossing(on, rest, crossing)),
                None => rest -= border.len() as u32,
            }
        }
        let exits = self.exits(cluster);
        if rest < exits.len() as u32 {
            let number = exits.start + rest;
            return Some(Door::Exit(number, &self.jumps[number as usize]));
        }
        let number = *self.entries(cluster).get(rest as usize - exits.len())?;
        Some(Door::Entry(number, &self.jumps[number as usize]))
    }

    /// The number of the first door on a side.
    pub(crate) fn first_on(&self, cluster: u32, on: u8) -> u32 {
        let before = DOOR_SIDES.into_iter().take_while(|&side| side != on);
        before.map(|side| self.border(cluster, side).len() as u32).sum()
    }

    /// The start or the end of a jump as a door.
    pub(crate) fn jump_end(&self, number: u32, end: usize) -> Option<DoorId> {
        let cluster = self.find(self.jumps[number as usize].clusters[end])?;
        let crossings = self.crossing_count(cluster) as u32;
        let exits = self.exits(cluster);
        let door = match end {
            0 => crossings + number.checked_sub(exits.start)?,
            _ => {
                let at = self.entries(cluster).iter().position(|entry| *entry == number)?;
                crossings + exits.len() as u32 + at as u32
            }
        };
        Some(DoorId { cluster, door })
    }

    /// Returns true if a door is shut.
    #[inline]
    pub(crate) fn is_shut(&self, door: DoorId) -> bool {
        !self.shut.is_empty() && self.shut.binary_search(&door).is_ok()
    }

    /// The door in the cluster that a path comes to when it passes a door, and what that costs; `None` if it
    /// does not pass. With `backwards`, the door that it comes from.
    #[inline]
    pub(crate) fn across(&self, door: DoorId, class: usize, backwards: bool) -> Option<(DoorId, Cost)> {
        if self.is_shut(door) {
            return None;
        }
        match self.door(door)? {
            Door::Crossing(on, number, _) => {
                let cluster = self.beyond(door.cluster, on)?;
                Some((DoorId { cluster, door: self.first_on(cluster, on ^ 2) + number }, 0))
            }
            Door::Exit(number, jump) if !backwards => {
                Some((self.jump_end(number, 1)?, *jump.costs.get(class)?.as_ref()?))
            }
            Door::Entry(number, jump) if backwards => {
                Some((self.jump_end(number, 0)?, *jump.costs.get(class)?.as_ref()?))
            }
            Door::Exit(..) | Door::Entry(..) => None,
        }
    }

    /// The place of a door on the lattice: x, height, z; 1/256 cell.
    pub(crate) fn place(&self, grid: &ClusterGrid, level: usize, door: DoorId) -> Option<[i64; 3]> {
        let (on, crossing) = match self.door(door)? {
            Door::Crossing(on, _, crossing) => (on, crossing),
            Door::Exit(_, jump) => return Some(jump.places[0]),
            Door::Entry(_, jump) => return Some(jump.places[1]),
        };
        Some(grid.place_on(self.coord(door.cluster), level, on, crossing.along, crossing.height))
    }

    /// The number of all doors.
    pub(crate) fn all_doors(&self) -> usize {
        self.first_door.last().map_or(0, |count| *count as usize)
    }

    /// The number of the first door of the clusters inside of a cluster of the next level, and the count of
    /// them.
    pub(crate) fn doors_inside(&self, coord: ClusterCoord) -> [usize; 2] {
        let Ok(block) = self.blocks.binary_search_by_key(&coord, |block| block.coord) else { return [0; 2] };
        let [first, end] = [block, block + 1].map(|block| self.first_door[block * SLOTS] as usize);
        [first, end - first]
    }

    /// The number of a door among all doors of the level.
    #[inline]
    pub(crate) fn number(&self, DoorId { cluster, door }: DoorId) -> usize {
        (self.first_door[cluster as usize] + door) as usize
    }

    /// Bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        let lists = [&self.first_door, &self.first_exit, &self.first_entry, &self.arrivals];
        let lists: usize = lists.iter().map(|list| size_of_val(&list[..])).sum();
        let jumps: usize =
            self.jumps.iter().map(|jump| size_of_val(jump) + size_of_val(&jump.costs[..])).sum();
        self.blocks.iter().map(Block::memory).sum::<usize>() + lists + jumps
    }

    /// The number of crossings.
    pub(crate) fn crossings(&self) -> usize {
        self.clusters()
            .map(|cluster| self.border(cluster, side::X_MAX).len() + self.border(cluster, side::Z_MAX).len())
            .sum()
    }
}
