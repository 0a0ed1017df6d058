//! Explains why there is no link from one place to another: tries all pairs of floors near the two places,
//! and reports, for each profile, the pair that passes the most checks. Units: cells inside, metres outside.
//! Cost: that of all links, and O(floors near one place × floors near the other) for each profile.

use crate::choose::{ChosenLink, choose};
use crate::ground::LevelGround;
use crate::ladders::Ladders;
use crate::profile::Reach;
use crate::rays::Ray;
use crate::reason::{Reason, ReasonCode};
use crate::sweep::LinkBody;
use crate::ways::FloorWalker;
use crate::window::GroundWindow;
use navtile::graph::SurvivingIslands;
use navtile::{LinkKind, TileCoord};
use recast::PreparedLevel;
use recast::TileGround;
use recast::inside::ground::GroundFloor;

/// The answer for one profile.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkExplanation {
    /// The kind of its links.
    pub kind: LinkKind,
    /// Index of the profile in the settings, from 0.
    pub profile: u16,
    /// The link, or the reason why it is missing.
    pub reason: Reason,
    /// Start and end of the link that the reason is about, world metres; `None` if there is no pair of
    /// floors.
    pub ends: Option<[[f64; 3]; 2]>,
}

impl LinkExplanation {
    /// Returns true if there is a link.
    pub fn is_linked(&self) -> bool {
        matches!(self.reason.code, ReasonCode::Linked(_))
    }
}

/// Explains, for each profile of a level, why no link leads from one place to another, or to any place if
/// `end` is `None`, on the ground of a level in one tile.
pub fn explain_links(
    level: &PreparedLevel,
    ground: TileGround,
    kept: &SurvivingIslands,
    (start, end): ([f64; 3], Option<[f64; 3]>),
) -> Vec<LinkExplanation> {
    let coords: [TileCoord; 1] = [ground.coord];
    let ground = LevelGround::new(vec![ground], &coords, kept);
    let chosen = choose(&ground, level);
    let reaches: Vec<Reach> =
        level.config.settings.links.iter().map(|profile| Reach::new(profile, &level.config)).collect();
    let body = LinkBody::from(&level.config);
    let most = reaches.iter().map(|reach| reach.distance2.end().isqrt()).max().unwrap_or(0);
    let starts = floors_near(level, &ground, start);
    let ends = match end {
        Some(end) => floors_near(level, &ground, end),
        None => floors_within(&ground, &starts, most),
    };
    let near = [starts, ends];
    let mut columns = Vec::new();
    let window = GroundWindow::around(&ground, &[0], most + body.radius, &mut columns);
    let rays = Ray::all(body.radius, most);
    let explained = (0..).zip(&reaches).map(|(profile, reach)| {
        let surface = level.config.settings.links[usize::from(profile)].surface;
        let (reason, ends) = match near.iter().position(Vec::is_empty) {
            Some(end) => (ReasonCode::NoGround(end).into(), None),
            None => {
                let ladders = surface.map(|surface| Ladders::new(level, &ground, surface));
                let window = window.as_ref();
                Explainer {
                    level,
                    ground: &ground,
                    window,
                    body,
                    rays: &rays,
                    profile,
                    reach,
                    ladders,
                    chosen: &chosen,
                }
                .best(&near)
            }
        };
        LinkExplanation { kind: reach.kind, profile, reason, ends }
    });
    explained.collect()
}

/// The floors around a place, world metres.
fn floors_near(level: &PreparedLevel, ground: &LevelGround, place: [f64; 3]) -> Vec<u32> {
    let (lattice, settings) = (&level.lattice, &level.config.settings);
    let across = (settings.agent_radius + 2.0 * lattice.cell_size).max(1.0);
    let up = settings.agent_climb + 0.5;
    let is_near = |floor: &u32| {
        let at = world(level, ground.position(*floor));
        ground.is_ground(&ground.floors[*floor as usize])
            && (at[0] - place[0]).hypot(at[2] - place[2]) <= across
            && (at[1] - place[1]).abs() <= up
    };
    (0..ground.floors.len() as u32).filter(is_near).collect()
}

/// The floors within reach of any of some other floors, as seen from above.
fn floors_within(ground: &LevelGround, others: &[u32], reach: i32) -> Vec<u32> {
    let places: Vec<[i32; 2]> = others.iter().map(|&floor| ground.floors[floor as usize].at).collect();
    let is_near = |floor: &u32| {
        let [x, z] = ground.floors[*floor as usize].at;
        let mut steps = places.iter().map(|place| [i64::from(x - place[0]), i64::from(z - place[1])]);
        steps.any(|[dx, dz]| dx * dx + dz * dz <= i64::from(reach).pow(2))
    };
    (0..ground.floors.len() as u32).filter(is_near).collect()
}

/// The middle of a lattice column at a height, world metres.
fn world(level: &PreparedLevel, [x, y, z]: [i32; 3]) -> [f64; 3] {
    let (lattice, [x, y, z]) = (&level.lattice, [x, y, z].map(f64::from));
    [
        lattice.origin[0] + (x + 0.5) * lattice.cell_size,
        lattice.origin[1] + y * lattice.cell_height,
        lattice.origin[2] + (z + 0.5) * lattice.cell_size,
    ]
}

/// Rank of a pair of floors by the checks that it passes: larger is better.
type Rank = (u32, i64);

struct Explainer<'a> {
    level: &'a PreparedLevel,
    ground: &'a LevelGround,
    window: Option<&'a GroundWindow<'a>>,
    body: LinkBody,
    rays: &'a [Ray],
    profile: u16,
    reach: &'a Reach,
    ladders: Option<Ladders>,
    chosen: &'a [ChosenLink],
}

impl Explainer<'_> {
    /// The link between floors near the places, or the fault of the pair that ranks best; and the ends of
    /// that pair.
    fn best(&self, near: &[Vec<u32>; 2]) -> (Reason, Option<[[f64; 3]; 2]>) {
        let mut own = self.chosen.iter().filter(|link| link.profile == self.profile);
        // Of a link between edges, the crossing that the caller asks about.
        let crossing = |link: &ChosenLink| {
            let goes = |[start, end]: [u32; 2]| near[0].contains(&start) && near[1].contains(&end);
            let goes_back = |[start, end]: [u32; 2]| link.both_ways && goes([end, start]);
            link.run.iter().copied().find(|pair| goes(*pair) || goes_back(*pair))
        };
        if let Some(ends) = own.find_map(crossing) {
            let ends = self.places(ends);
            return (ReasonCode::Linked(ends).into(), Some(ends));
        }
        // Finding out why a link is redundant takes a search, so only the best pair is examined.
        let mut best: Option<(Rank, Option<Reason>, [u32; 2])> = None;
        for &start in &near[0] {
            for &end in near[1].iter().filter(|&&end| end != start) {
                let (rank, reason) = self.pair(start, end);
                if best.as_ref().is_none_or(|(known, ..)| rank > *known) {
                    best = Some((rank, reason, [start, end]));
                }
            }
        }
        // Both places are near one and the same floor only.
        let Some((_, reason, pair)) = best else { return (ReasonCode::SamePlace.into(), None) };
        (reason.unwrap_or_else(|| self.needless(pair)), Some(self.places(pair)))
    }

    fn places(&self, ends: [u32; 2]) -> [[f64; 3]; 2] {
        ends.map(|floor| world(self.level, self.ground.position(floor)))
    }

    /// The first fault of a link between two floors; `None` if the link is possible, and so redundant.
    fn pair(&self, start: u32, end: u32) -> (Rank, Option<Reason>) {
        let (from, to) = (&self.ground.floors[start as usize], &self.ground.floors[end as usize]);
        let step = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
        let distance2 = step[0] * step[0] + step[1] * step[1];
        let settings = &self.level.config.settings;
        let profile = &settings.links[usize::from(self.profile)];
        let near = -i64::from(distance2);
        if !self.reach.distance2.contains(&distance2) {
            let off = i64::from(
                (distance2 - *self.reach.distance2.end()).max(*self.reach.distance2.start() - distance2),
            );
            let margin = 2.0 * f64::from(self.level.config.walkable_radius) + 3.0;
            let found = (f64::from(distance2).sqrt() - margin).max(0.0) * settings.cell_size;
            let [least, most] = profile.used_distance(settings.agent_radius, settings.cell_size);
            return ((1, -off), Some(Reason::compared(ReasonCode::Distance(least), found, most)));
        }
        let up = to.height - from.height;
        let (fits, [least, most]) = match self.reach.kind {
            LinkKind::Jump => (self.reach.jumps(up), [-profile.height[0], profile.height[1]]),
            LinkKind::Drop => (self.reach.falls(-up), [-profile.height[1], -profile.height[0]]),
            LinkKind::Climb | LinkKind::Ladder => (self.reach.falls(up), profile.height),
        };
        if !fits {
            let found = f64::from(up) * settings.cell_height;
            let off = (least - found).max(found - most) / settings.cell_height;
            return ((2, -(off as i64)), Some(Reason::compared(ReasonCode::Height(least), found, most)));
        }
        let back = step.map(|step| -step);
        let open = match self.reach.kind {
            LinkKind::Jump => [from.ends_towards(step), to.ends_towards(back)],
            LinkKind::Drop => [from.ends_towards(step), true],
            LinkKind::Climb | LinkKind::Ladder => [true, to.ends_towards(back)],
        };
        if let Some(end) = open.iter().position(|open| !open) {
            return ((3, near), Some(ReasonCode::NoBorder(end).into()));
        }
        // Drops, climbs and ladders are searched from their tops.
        let is_up = matches!(self.reach.kind, LinkKind::Climb | LinkKind::Ladder);
        let (first, other, step) = if is_up { (to, from, back) } else { (from, to, step) };
        let along = self.rays.iter().find_map(|ray| Some((ray, steps_along(ray, step)?)));
        let (Some(along), Some(window)) = (along, self.window) else {
            return ((4, near), Some(ReasonCode::NoDirection.into()));
        };
        match self.travel((first, other, along), window) {
            Some((rank, reason)) => ((rank, near), Some(reason)),
            None => ((7, near), None),
        }
    }

    /// The obstacle or limit that keeps an agent from travelling between two floors.
    fn travel(
        &self,
        (first, other, (ray, k)): (&GroundFloor, &GroundFloor, (&Ray, i32)),
        window: &GroundWindow<'_>,
    ) -> Option<(u32, Reason)> {
        let hit = if self.reach.kind == LinkKind::Jump {
            let (up, across2) = (other.height - first.height, k * k * ray.length2);
            let Some(bow) = self.reach.bow(up, across2) else {
                return Some((5, ReasonCode::Speed.into()));
            };
            // A bidirectional jump needs room for both arcs.
            let back = self.reach.bow(-up, across2).filter(|_| self.reach.both_ways && self.reach.jumps(-up));
            let hit = |bow| self.body.jump_hit(window, first, other, (ray, k), bow);
            hit(bow).or_else(|| hit(back?))
        } else {
            let ladders = self.ladders.as_ref();
            if ladders.is_some_and(|ladders| !ladders.lead(first, (ray, k), other.height, self.body.climb)) {
                return Some((5, ReasonCode::NoLadder.into()));
            }
            self.body.fall_hit(window, first, (ray, k), (other.height, ladders))
        }?;
        let span = window.spans(hit.column).iter().find(|[bottom, top]| *bottom < hit.high && *top > hit.low);
        let [bottom, top] = span.copied().unwrap_or([hit.low, hit.high]);
        let [x, z] = hit.column;
        let place = world(self.level, [x, bottom.max(hit.low), z]);
        let top = world(self.level, [x, top, z]);
        // Within the body's radius of either end.
        let over = |floor: &GroundFloor| {
            let [dx, dz] = [x - floor.at[0], z - floor.at[1]];
            dx * dx + dz * dz <= self.body.radius * self.body.radius
        };
        let code =
            if over(first) || over(other) { ReasonCode::NoRoom(top) } else { ReasonCode::Blocked(top) };
        Some((6, Reason::from(code).at(place)))
    }

    /// The reason why a link that is possible is not kept.
    fn needless(&self, [start, end]: [u32; 2]) -> Reason {
        let settings = &self.level.config.settings;
        let cell = [settings.cell_size, settings.cell_height];
        let metres = |tenths: u32| f64::from(tenths) / 10.0 * cell[0];
        let length = self.ground.length([start, end], cell);
        let most = self.reach.longest_way(length, cell[0]);
        let mut walker = FloorWalker::new(self.ground);
        if let Some(way) = walker.way(start, end, most) {
            return Reason::compared(ReasonCode::OnFoot(self.reach.worth), metres(way), length);
        }
        let own = self.chosen.iter().filter(|link| link.profile == self.profile);
        for link in own {
            let by = self.ground.length([link.start, link.end], cell);
            let limit = most.saturating_sub((by / cell[0] * 10.0) as u32).max(2 * self.reach.spacing);
            let turned = if link.both_ways { Some([link.end, link.start]) } else { None };
            for [from, to] in [Some([link.start, link.end]), turned].into_iter().flatten() {
                let Some(before) = walker.way(start, from, limit) else { continue };
                let Some(after) = walker.way(to, end, limit - before) else { continue };
                let code = ReasonCode::ByLink(self.reach.worth, self.places([from, to]));
                return Reason::compared(code, metres(before) + by + metres(after), length);
            }
        }
        ReasonCode::Nearer.into()
    }
}

/// Number of steps along a ray to a place, if the ray leads there.
fn steps_along(ray: &Ray, [x, z]: [i32; 2]) -> Option<i32> {
    let [dx, dz] = ray.direction;
    let k = if dx == 0 { z / dz } else { x / dx };
    (k > 0 && ray.end(k) == [x, z]).then_some(k)
}
