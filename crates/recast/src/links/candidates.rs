//! All links that the profiles allow: from floors where the ground ends, along sixteen rays, to floors that an agent gets to.
//! Cost: O(border floors × rays × steps), and a sweep for each pair of floors that fits.

use super::ground::{GroundFloor, LevelGround};
use super::ladders::Ladders;
use super::profile::Reach;
use super::rays::Ray;
use super::sweep::LinkBody;
use super::ways::FloorWalker;
use super::window::{GroundWindow, WindowColumn};
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
    /// How long it is, metres.
    pub(super) length: f64,
}

/// The search around one tile.
struct Search<'a> {
    window: GroundWindow<'a>,
    body: LinkBody,
    rays: &'a [Ray],
    reaches: &'a [Reach],
    /// The ladders of each profile of ladders.
    ladders: &'a [Option<Ladders>],
    /// For each profile, the columns that no link gets over: those with a span whose bottom is lower than the first and whose top is
    /// higher than the second, above the floor.
    stops: &'a [[i32; 2]],
}

/// Floors that a way on foot is looked for on, before the choice; few ways are longer, and those that are may be needless for
/// another reason.
pub(super) const FLOORS_WALKED: u32 = 12;

/// All links of all profiles that no short way on foot makes needless at first glance, those of a tile together, in the order of
/// tiles.
pub(super) fn find(
    ground: &LevelGround,
    body: LinkBody,
    (reaches, ladders): (&[Reach], &[Option<Ladders>]),
    cell: [f64; 2],
) -> Vec<Candidate> {
    let most = reaches.iter().map(|reach| reach.distance2.end().isqrt()).max().unwrap_or(0);
    let rays = Ray::all(body.radius, most);
    let stops: Vec<[i32; 2]> = reaches.iter().map(|reach| reach.stops(&body)).collect();
    let of_tile = |(walker, columns): &mut (FloorWalker<'_>, Vec<WindowColumn>), tile: usize| {
        let mut found = Vec::new();
        let window = GroundWindow::around(ground, tile, most + body.radius, columns);
        let Some(window) = window else { return found };
        let search = Search { window, body, rays: &rays, reaches, ladders, stops: &stops };
        let mut from_floor = Vec::new();
        for start in ground.floors_of(tile).filter(|&floor| ground.floors[floor].is_border()) {
            search.from(start as u32, &mut from_floor);
            for mut candidate in from_floor.drain(..) {
                candidate.length = ground.length([candidate.start, candidate.end], cell);
                let most = reaches[usize::from(candidate.profile)].longest_way(candidate.length, cell[0]);
                if !walker.is_near(candidate.start, candidate.end, most, FLOORS_WALKED) {
                    found.push(candidate);
                }
            }
        }
        found
    };
    let tiles = 0..ground.tiles.len();
    tiles
        .into_par_iter()
        .map_init(|| (FloorWalker::new(ground), Vec::new()), of_tile)
        .flatten_iter()
        .collect()
}

impl Reach {
    /// The heights above a floor by which a column stops all links from it: it has a span whose bottom is lower than the first
    /// and whose top is higher than the second.
    fn stops(&self, body: &LinkBody) -> [i32; 2] {
        match self.kind {
            LinkKind::Jump => {
                // The feet are between these on each arc, or on steps around its ends.
                let [down, up] = self.height;
                [body.height - down, self.highest().max(up + body.climb)]
            }
            // The body walks level; steps that its feet pass over do not count.
            LinkKind::Drop | LinkKind::Climb => [body.height, body.climb],
            // A ladder may reach above the floor that it leads to.
            LinkKind::Ladder => [i32::MIN, i32::MAX],
        }
    }
}

impl Search<'_> {
    fn from(&self, start: u32, found: &mut Vec<Candidate>) {
        let floor = &self.window.ground.floors[start as usize];
        for ray in self.rays.iter().filter(|ray| floor.ends_towards(ray.direction)) {
            self.along(ray, start, floor, found);
        }
    }

    /// Looks at the steps of a ray, for each profile up to the first column that none of its links gets over.
    fn along(&self, ray: &Ray, start: u32, floor: &GroundFloor, found: &mut Vec<Candidate>) {
        let first = found.len();
        // There are at most 64 profiles. Jumps that all lead both ways are found from their smaller end.
        let is_forward = ray.direction > [0, 0];
        let looked_for = (0..).zip(self.reaches).filter(|(_, reach)| is_forward || !reach.is_symmetric());
        let mut open = looked_for.fold(0u64, |open, (profile, _)| open | 1 << profile);
        if open == 0 {
            return;
        }
        for k in 1.. {
            let at = |[dx, dz]: [i32; 2]| self.window.column([floor.at[0] + dx, floor.at[1] + dz]);
            let (column, ahead) = (at(ray.end(k)), at(ray.ahead(k)));
            let length2 = k * k * ray.length2;
            for (profile, (reach, [below, above])) in self.reaches.iter().zip(self.stops).enumerate() {
                let bit = 1 << profile;
                if open & bit == 0 {
                    continue;
                }
                if length2 > *reach.distance2.end()
                    || self.window.meets(
                        ahead,
                        floor.height.saturating_add(*above),
                        floor.height.saturating_add(*below),
                    )
                {
                    open &= !bit;
                } else if length2 >= *reach.distance2.start() && column.has_floors() {
                    let profile = profile as u16;
                    match reach.kind {
                        LinkKind::Jump => self.jumps((profile, reach), start, (ray, k), column, found),
                        LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => {
                            self.falls((profile, reach), start, (ray, k), column, (found, first));
                        }
                    }
                }
            }
            if open == 0 {
                break;
            }
        }
    }

    /// Jumps to floors where the ground ends too, towards the start.
    fn jumps(
        &self,
        (profile, reach): (u16, &Reach),
        start: u32,
        (ray, k): (&Ray, i32),
        column: &WindowColumn,
        found: &mut Vec<Candidate>,
    ) {
        let floors = &self.window.ground.floors;
        let floor = &floors[start as usize];
        for end in self.window.floors(column) {
            let other = &floors[end];
            let up = other.height - floor.height;
            if !reach.jumps(up) || !other.ends_towards(ray.backwards()) {
                continue;
            }
            let across2 = k * k * ray.length2;
            let Some(bow) = reach.bow(up, across2) else { continue };
            let back = reach.bow(-up, across2).filter(|_| reach.both_ways && reach.jumps(-up));
            let both_ways = back.is_some();
            let is_free = |bow| self.body.jump_hit(&self.window, floor, other, (ray, k), bow).is_none();
            // A link in both directions is found from its smaller end.
            if (!both_ways || floor.at < other.at)
                && is_free(bow)
                && back.is_none_or(|back| back == bow || is_free(back))
            {
                found.push(Candidate { profile, start, end: end as u32, both_ways, length: 0.0 });
            }
        }
    }

    /// Drops and climbs between a ledge and floors below it: on a ray, the nearest one of each island. Candidates of the ray are
    /// those from `first` on.
    fn falls(
        &self,
        (profile, reach): (u16, &Reach),
        top: u32,
        (ray, k): (&Ray, i32),
        column: &WindowColumn,
        (found, first): (&mut Vec<Candidate>, usize),
    ) {
        let floors = &self.window.ground.floors;
        let floor = &floors[top as usize];
        for below in self.window.floors(column).rev() {
            let other = &floors[below];
            if !reach.falls(floor.height - other.height) {
                continue;
            }
            let is_climb = matches!(reach.kind, LinkKind::Climb | LinkKind::Ladder);
            let ladders = self.ladders[usize::from(profile)].as_ref();
            let (start, end) = if is_climb { (below as u32, top) } else { (top, below as u32) };
            let is_known = found[first..].iter().any(|known| {
                let low = if is_climb { known.start } else { known.end };
                known.profile == profile && floors[low as usize].island == other.island
            });
            let leads = |ladders: &Ladders| ladders.lead(floor, (ray, k), other.height, self.body.climb);
            if !is_known
                && ladders.is_none_or(leads)
                && self.body.fall_hit(&self.window, floor, (ray, k), (other.height, ladders)).is_none()
            {
                let both_ways = reach.both_ways;
                found.push(Candidate { profile, start, end, both_ways, length: 0.0 });
            }
        }
    }
}
