//! All links that the profiles allow: from floors where the ground ends, along sixteen rays, to floors that an agent gets to.
//! Cost: O(border floors × rays × steps), and a sweep for each pair of floors that fits.

use super::ground::{GroundFloor, LevelGround};
use super::profile::Reach;
use super::rays::Ray;
use super::sweep::{LinkBody, div_ceil};
use navmath::FIXED_ONE;
use navtile::LinkKind;
use rayon::prelude::*;

/// A link that an agent can travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Index of its profile.
    pub(super) profile: u16,
    /// Floors that it leads from and to.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) both_ways: bool,
}

/// The search of one profile.
struct Search<'a> {
    ground: &'a LevelGround,
    body: LinkBody,
    rays: &'a [Ray],
    reach: &'a Reach,
    profile: u16,
    /// The tile that links are looked for in.
    tile: usize,
}

/// All links of all profiles, those of a tile together, in the order of tiles.
pub(super) fn find(ground: &LevelGround, body: LinkBody, reaches: &[Reach]) -> Vec<Candidate> {
    let most = reaches.iter().map(|reach| reach.distance2.end().isqrt()).max().unwrap_or(0);
    let rays = Ray::all(body.radius, most);
    let of_tile = |tile: usize| {
        let mut found = Vec::new();
        for start in ground.floors_of(tile).filter(|&floor| ground.floors[floor].is_border()) {
            for (profile, reach) in (0..).zip(reaches) {
                Search { ground, body, rays: &rays, reach, profile, tile }.from(start as u32, &mut found);
            }
        }
        found
    };
    (0..ground.tiles.len()).into_par_iter().flat_map_iter(of_tile).collect()
}

impl Search<'_> {
    fn from(&self, start: u32, found: &mut Vec<Candidate>) {
        let floor = &self.ground.floors[start as usize];
        for ray in self.rays.iter().filter(|ray| floor.ends_towards(ray.direction)) {
            match self.reach.kind {
                LinkKind::Jump => self.jumps(start, ray, found),
                LinkKind::Drop | LinkKind::Climb => self.falls(start, ray, found),
            }
        }
    }

    /// The steps of a ray that are as long as the profile wants them, up to the first column that no link gets over: one with a
    /// span that stops each body whose feet are between two heights in it.
    fn steps(
        &self,
        floor: &GroundFloor,
        ray: &Ray,
        [low, high]: [i32; 2],
        height: i32,
    ) -> impl Iterator<Item = i32> {
        let (length2, distance2) = (ray.length2, self.reach.distance2.clone());
        let (least, most) = (*distance2.start(), *distance2.end());
        let is_open = move |k: &i32| {
            let [dx, dz] = ray.end(*k);
            let spans = self.ground.spans_at([floor.at[0] + dx, floor.at[1] + dz], self.tile);
            !spans.iter().any(|&[bottom, top]| bottom < low + height && top > high)
        };
        (1..)
            .take_while(move |k| k * k * length2 <= most)
            .take_while(is_open)
            .filter(move |k| k * k * length2 >= least)
    }

    /// The floors of the column at the end of a step.
    fn floors(&self, floor: &GroundFloor, ray: &Ray, k: i32) -> std::ops::Range<usize> {
        let [dx, dz] = ray.end(k);
        self.ground.floors_at([floor.at[0] + dx, floor.at[1] + dz], self.tile)
    }

    /// Jumps to floors where the ground ends too, towards the start.
    fn jumps(&self, start: u32, ray: &Ray, found: &mut Vec<Candidate>) {
        let floor = &self.ground.floors[start as usize];
        // The feet are between these on each arc, or on steps around its ends.
        let [down, up] = self.reach.height;
        let rise = div_ceil(self.reach.arc, i64::from(FIXED_ONE)) as i32;
        let feet = [floor.height - down, floor.height + up + rise.max(self.body.climb)];
        for k in self.steps(floor, ray, feet, self.body.height) {
            for end in self.floors(floor, ray, k) {
                let other = &self.ground.floors[end];
                let up = other.height - floor.height;
                if !self.reach.jumps(up) || !other.ends_towards(ray.backwards()) {
                    continue;
                }
                let both_ways = self.reach.both_ways && self.reach.jumps(-up);
                // A link in both directions is found from its smaller end.
                if (!both_ways || floor.at < other.at)
                    && self.body.jumps((self.ground, self.tile), floor, other, (ray, k), self.reach.arc)
                {
                    found.push(Candidate { profile: self.profile, start, end: end as u32, both_ways });
                }
            }
        }
    }

    /// Drops and climbs between a ledge and floors below it: on a ray, the nearest one of each island.
    fn falls(&self, top: u32, ray: &Ray, found: &mut Vec<Candidate>) {
        let floor = &self.ground.floors[top as usize];
        let first = found.len();
        // The body walks level; what its feet step over does not count.
        let feet = [floor.height + self.body.climb; 2];
        for k in self.steps(floor, ray, feet, self.body.height - self.body.climb) {
            for below in self.floors(floor, ray, k).rev() {
                let other = &self.ground.floors[below];
                if !self.reach.falls(floor.height - other.height) {
                    continue;
                }
                let (start, end) = match self.reach.kind {
                    LinkKind::Climb => (below as u32, top),
                    LinkKind::Drop | LinkKind::Jump => (top, below as u32),
                };
                let island = |of: &Candidate| {
                    let low = if self.reach.kind == LinkKind::Climb { of.start } else { of.end };
                    self.ground.floors[low as usize].island
                };
                let is_known = found[first..].iter().any(|known| island(known) == other.island);
                if !is_known && self.body.falls((self.ground, self.tile), floor, (ray, k), other.height) {
                    let both_ways = self.reach.both_ways;
                    found.push(Candidate { profile: self.profile, start, end, both_ways });
                }
            }
        }
    }
}
