//! The first pass over a large mesh: its bounds, its areas and its islands. Memory: two columns of tiles, and
//! a few words for each connected part of a tile. Cost: close to linear in polygons and portals.
//! Source: union-find with path halving, R. Tarjan 1975.

use super::{Extent, count_area};
use crate::links::{Link, LinkClass, links_of};
use crate::scene::{Point, Window};
use crate::surface::{self, Face};
use navmath::Sets;
use navtile::islands::Islands;
use navtile::layout::side;
use navtile::seam::match_portals;
use navtile::{Tile, TileCoord};
use std::collections::{BTreeMap, BTreeSet};

/// The totals of a connected set of polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ComponentTotals {
    pub(super) extent: Extent,
    /// The centre of its largest polygon, world metres.
    pub(super) place: [f64; 3],
    /// Size of that polygon, m².
    largest: f64,
}

impl ComponentTotals {
    pub(super) fn add(&mut self, face: &Face) {
        let area_m2 = face.area_m2();
        let corners = face.corners.len().max(1) as f64;
        let place =
            std::array::from_fn(|axis| face.corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners);
        self.join(&ComponentTotals { extent: Extent { polygons: 1, area_m2 }, place, largest: area_m2 });
    }

    fn join(&mut self, other: &ComponentTotals) {
        if self.extent.polygons == 0 || other.largest > self.largest {
            (self.place, self.largest) = (other.place, other.largest);
        }
        self.extent.polygons += other.extent.polygons;
        self.extent.area_m2 += other.extent.area_m2;
    }
}

/// A tile that a later tile may be next to.
#[derive(Debug)]
struct Near {
    tile: Tile,
    first_part: u32,
    /// The part of each of its polygons, from 0.
    part_of: Vec<u32>,
}

/// An unfinished pass. Tiles are added in canonical order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    near: BTreeMap<TileCoord, Near>,
    parts: Vec<ComponentTotals>,
    sets: Sets,
    found: Found,
}

/// The result of the pass.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Around everything; `None` without polygons.
    pub(super) window: Option<Window>,
    /// Lowest and highest ground, metres.
    pub(super) heights: Option<[f64; 2]>,
    pub(super) polygons: usize,
    /// Size of all polygons, m².
    pub(super) area_m2: f64,
    /// The classes of its off-mesh links.
    pub(super) links: BTreeSet<LinkClass>,
    pub(super) areas: BTreeMap<u8, Extent>,
    pub(super) missing: usize,
    /// For each tile, its first part.
    first_part: Vec<usize>,
    /// For each part, the rank of its island.
    rank_of: Vec<usize>,
    /// Islands by size, the largest first.
    pub(super) islands: Vec<ComponentTotals>,
}

impl Survey {
    /// Adds the next tile.
    pub(super) fn add(&mut self, tile: Option<Tile>) {
        let first_part = self.parts.len();
        self.found.first_part.push(first_part);
        let Some(tile) = tile else {
            self.found.missing += 1;
            return;
        };
        let faces = surface::of_tiles(std::slice::from_ref(&tile));
        let parts = Islands::find(std::slice::from_ref(&tile));
        let part_of = parts.island_of.concat();
        self.parts.resize(first_part + parts.len(), ComponentTotals::default());
        for _ in 0..parts.len() {
            self.sets.add();
        }
        for (face, part) in faces.iter().zip(&part_of) {
            self.parts[first_part + *part as usize].add(face);
            count_area(&mut self.found.areas, face);
        }
        self.found.measure(&tile, &faces);
        let coord = tile.coord();
        self.near.retain(|other, _| other.x >= coord.x.saturating_sub(1));
        let new = Near { tile, first_part: first_part as u32, part_of };
        for on in [side::X_MIN, side::Z_MIN] {
            let across = coord.across(on).into_iter();
            for (_, old) in across.flat_map(|coords| self.near.range(coords)) {
                for pair in match_portals(&old.tile, Tile::opposite(on), &new.tile) {
                    self.sets.join(old.part(pair.a), new.part(pair.b));
                }
            }
        }
        self.near.insert(coord, new);
    }

    /// Ranks the islands.
    pub(super) fn finish(self) -> Found {
        let Survey { parts, sets, mut found, .. } = self;
        let (island_of, count) = sets.numbers();
        let mut islands = vec![ComponentTotals::default(); count as usize];
        for (part, &island) in parts.iter().zip(&island_of) {
            islands[island as usize].join(part);
        }
        let size = |island: usize| islands[island].extent.area_m2;
        let mut order: Vec<usize> = (0..islands.len()).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        let mut rank = vec![0; islands.len()];
        order.iter().enumerate().for_each(|(place, &island)| rank[island] = place);
        found.rank_of = island_of.iter().map(|&island| rank[island as usize]).collect();
        found.islands = order.iter().map(|&island| islands[island]).collect();
        found
    }
}

impl Near {
    /// The part that a portal of the tile belongs to.
    fn part(&self, portal: u32) -> u32 {
        self.first_part + self.part_of[self.tile.portals()[portal as usize].polygon as usize]
    }
}

impl Found {
    fn measure(&mut self, tile: &Tile, faces: &[Face]) {
        self.polygons += faces.len();
        self.area_m2 += faces.iter().map(Face::area_m2).sum::<f64>();
        let links: Vec<Link> = links_of(std::slice::from_ref(tile)).collect();
        self.links.extend(links.iter().map(|link| link.class));
        let links = links.into_iter().flat_map(|link| link.ends);
        let corners = faces.iter().flat_map(|face| face.corners.iter().copied());
        let plan = corners.chain(links).map(|[x, _, z]| [x, z]);
        let kept = self.window.into_iter().flat_map(|window| [window.min, window.max]);
        self.window = Window::around(plan.chain(kept).collect::<Vec<Point>>());
        if let Some([low, high]) = surface::height_range(faces) {
            let [least, most] = self.heights.unwrap_or([low, high]);
            self.heights = Some([least.min(low), most.max(high)]);
        }
    }

    /// The island of each polygon of a tile; empty if the tile is not the same as in the first pass.
    pub(super) fn ranks(&self, index: usize, tile: &Tile) -> Vec<usize> {
        let part_of = Islands::find(std::slice::from_ref(tile)).island_of.concat();
        let first = self.first_part.get(index).copied().unwrap_or(usize::MAX);
        let rank = |part: u32| self.rank_of.get(first.saturating_add(part as usize)).copied();
        part_of.into_iter().map_while(rank).collect()
    }
}
