//! The first walk over a large mesh: its bounds, its areas and its islands. Memory: two columns of tiles, and a
//! few words for each connected part of a tile. Cost: close to linear in polygons and portals.
//! Source: union-find with path halving, R. Tarjan 1975.

use super::{Extent, count_area};
use crate::islands::Islands;
use crate::scene::{Point, Window};
use crate::surface::{self, Beyond, Face};
use navtile::layout::side;
use navtile::seam::match_portals;
use navtile::{Tile, TileCoord};
use std::collections::BTreeMap;

/// The totals of a connected set of polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Part {
    pub(super) extent: Extent,
    /// The middle of its largest polygon, world metres.
    pub(super) place: [f64; 3],
    /// Size of that polygon, m².
    largest: f64,
}

impl Part {
    pub(super) fn add(&mut self, face: &Face) {
        let area_m2 = face.area_m2();
        let corners = face.corners.len().max(1) as f64;
        let place =
            std::array::from_fn(|axis| face.corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners);
        self.join(&Part { extent: Extent { polygons: 1, area_m2 }, place, largest: area_m2 });
    }

    fn join(&mut self, other: &Part) {
        if self.extent.polygons == 0 || other.largest > self.largest {
            (self.place, self.largest) = (other.place, other.largest);
        }
        self.extent.polygons += other.extent.polygons;
        self.extent.area_m2 += other.extent.area_m2;
    }
}

/// The parts of one tile: the part of each of its faces, numbered by their first face.
pub(super) fn parts_of(faces: &[Face]) -> (Vec<usize>, usize) {
    let mut sets = Sets((0..faces.len()).collect());
    for (index, face) in faces.iter().enumerate() {
        for beyond in &face.beyond {
            if let Beyond::Internal(other) = *beyond {
                sets.join(index, other);
            }
        }
    }
    let mut number = vec![usize::MAX; faces.len()];
    let mut count = 0;
    let of_face = (0..faces.len()).map(|index| {
        let root = sets.root(index);
        if number[root] == usize::MAX {
            number[root] = count;
            count += 1;
        }
        number[root]
    });
    (of_face.collect(), count)
}

#[derive(Debug, Default)]
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    /// The smaller root stays, so that the outcome does not depend on the order of joining.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// A tile that later ones may meet.
#[derive(Debug)]
struct Near {
    tile: Tile,
    first_part: usize,
    part_of: Vec<usize>,
}

/// A walk under way. Tiles are added in canonical order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    near: BTreeMap<TileCoord, Near>,
    parts: Vec<Part>,
    sets: Sets,
    found: Found,
}

/// The result of the walk.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Around everything; `None` without polygons.
    pub(super) window: Option<Window>,
    /// Lowest and highest ground, metres.
    pub(super) heights: Option<[f64; 2]>,
    pub(super) polygons: usize,
    /// Size of all polygons, m².
    pub(super) area_m2: f64,
    pub(super) links: bool,
    pub(super) areas: BTreeMap<u8, Extent>,
    pub(super) missing: usize,
    /// For each tile, its first part.
    first_part: Vec<usize>,
    /// For each part, the rank of its island.
    rank_of: Vec<usize>,
    /// Islands by size, the largest first.
    pub(super) islands: Vec<Part>,
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
        let (part_of, count) = parts_of(&faces);
        self.parts.resize(first_part + count, Part::default());
        self.sets.0.extend(first_part..first_part + count);
        for (face, part) in faces.iter().zip(&part_of) {
            self.parts[first_part + part].add(face);
            count_area(&mut self.found.areas, face);
        }
        self.found.measure(&tile, &faces);
        let coord = tile.coord();
        self.near.retain(|other, _| other.x >= coord.x.saturating_sub(1));
        let new = Near { tile, first_part, part_of };
        for (dx, dz, facing) in [(-1, 0, side::X_MAX), (0, -1, side::Z_MAX)] {
            let (Some(x), Some(z)) = (coord.x.checked_add(dx), coord.z.checked_add(dz)) else { continue };
            let at = |layer| TileCoord { x, z, layer };
            for old in self.near.range(at(i32::MIN)..=at(i32::MAX)).map(|(_, old)| old) {
                for pair in match_portals(&old.tile, facing, &new.tile) {
                    self.sets.join(old.part(pair.a), new.part(pair.b));
                }
            }
        }
        self.near.insert(coord, new);
    }

    /// Ranks the islands.
    pub(super) fn finish(self) -> Found {
        let Survey { parts, mut sets, mut found, .. } = self;
        let mut merged: Vec<Part> = vec![Part::default(); parts.len()];
        for (index, part) in parts.iter().enumerate() {
            merged[sets.root(index)].join(part);
        }
        let mut roots: Vec<usize> = (0..parts.len()).filter(|&index| sets.0[index] == index).collect();
        let size = |root: usize| merged[root].extent.area_m2;
        roots.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        let mut rank = vec![0; parts.len()];
        roots.iter().enumerate().for_each(|(place, &root)| rank[root] = place);
        found.rank_of = (0..parts.len()).map(|index| rank[sets.root(index)]).collect();
        found.islands = roots.iter().map(|&root| merged[root]).collect();
        found
    }
}

impl Near {
    /// The part that a portal of the tile belongs to.
    fn part(&self, portal: u32) -> usize {
        self.first_part + self.part_of[self.tile.portals()[portal as usize].polygon as usize]
    }
}

impl Found {
    fn measure(&mut self, tile: &Tile, faces: &[Face]) {
        self.polygons += faces.len();
        self.area_m2 += faces.iter().map(Face::area_m2).sum::<f64>();
        let links = crate::mesh::link_ends(std::slice::from_ref(tile));
        self.links |= !links.is_empty();
        let corners = faces.iter().flat_map(|face| face.corners.iter().copied());
        let plan = corners.chain(links.into_iter().flatten()).map(|[x, _, z]| [x, z]);
        let kept = self.window.into_iter().flat_map(|window| [window.min, window.max]);
        self.window = Window::around(plan.chain(kept).collect::<Vec<Point>>());
        if let Some([low, high]) = surface::height_range(faces) {
            let [least, most] = self.heights.unwrap_or([low, high]);
            self.heights = Some([least.min(low), most.max(high)]);
        }
    }

    /// The island of each face of a tile; nothing if the tile is not the one that was there before.
    pub(super) fn ranks(&self, tile: usize, faces: &[Face]) -> Vec<usize> {
        let (part_of, _) = parts_of(faces);
        let first = self.first_part.get(tile).copied().unwrap_or(usize::MAX);
        let rank = |part: usize| self.rank_of.get(first.saturating_add(part)).copied();
        part_of.into_iter().map_while(rank).collect()
    }

    /// The islands as the legend wants them.
    pub(super) fn for_legend(&self) -> Islands {
        let area = self.islands.iter().map(|island| island.extent.area_m2).collect();
        Islands { of_face: Vec::new(), area }
    }
}
