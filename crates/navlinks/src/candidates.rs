//! All links that the profiles allow: from floors where the ground ends, along sixteen rays, to floors that
//! an agent can reach. Cost: O(border floors × rays × steps) for a quick check of a column, and a sweep for
//! each pair of floors that fits.

use crate::fits::{Fits, Wanted};
use crate::ground::LevelGround;
use crate::ladders::Ladders;
use crate::order::LinkOrder;
use crate::profile::Reach;
use crate::rays::Ray;
use crate::sweep::LinkBody;
use crate::ways::has_straight_way;
use crate::window::GroundWindow;
use crate::zone::Zone;
use navtile::LinkKind;
use rayon::prelude::*;
use recast::inside::ground::sides_of;
use recast::inside::ground::{CutRange, GroundColumn};
use std::cmp::Ordering;

/// A link that an agent can travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// Index of its profile.
    pub(super) profile: u16,
    /// Floors that it leads from and to.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) both_ways: bool,
    /// Length, metres.
    pub(super) length: f64,
}

impl Candidate {
    /// Its place in the order in which candidates are examined.
    pub(super) fn place(&self, ground: &LevelGround) -> LinkOrder {
        LinkOrder::new(self.length, self.profile, [self.start, self.end].map(|floor| ground.position(floor)))
    }

    /// Compares two places in that order. Ends are looked up only if they matter.
    pub(super) fn order(&self, other: &Candidate, ground: &LevelGround) -> Ordering {
        let ends =
            |candidate: &Candidate| [candidate.start, candidate.end].map(|floor| ground.position(floor));
        let lengths = self.length.to_bits().cmp(&other.length.to_bits());
        lengths.then_with(|| self.profile.cmp(&other.profile)).then_with(|| ends(self).cmp(&ends(other)))
    }
}

/// Everything that the search needs from any floor.
struct Search<'a> {
    ground: &'a LevelGround,
    body: LinkBody,
    reaches: &'a [Reach],
    /// The ladders of each profile of ladders.
    ladders: &'a [Option<Ladders>],
    wanted: Wanted,
    courses: Vec<Course>,
    /// Sides of a cell, metres.
    cell: [f64; 2],
}

/// A ray, and the profiles that are searched along it.
struct Course {
    ray: Ray,
    /// First and last step of each profile that is searched, by its index.
    profiles: Vec<(u16, [i32; 2])>,
    /// All of these profiles, a bit each, and the last step of any.
    all: u64,
    last: i32,
    /// The sides that it leads over, and the opposite ones, encoded as in [`GroundFloor::ends`].
    ahead: u32,
    behind: u32,
}

/// Step `k` of a ray from a floor, and the column that it ends in.
struct RayStep<'a> {
    window: &'a GroundWindow<'a>,
    start: u32,
    course: &'a Course,
    k: i32,
    column: &'a GroundColumn,
}

/// A drop or a climb along a ray that is possible if nothing blocks it.
struct Fall {
    candidate: Candidate,
    island: u32,
    step: i32,
    /// True if a straight path on foot makes it redundant; such a link is swept only if that matters.
    is_needless: bool,
    is_free: bool,
}

/// Cells along the side of a part of the level that is searched at once; a part holds several small tiles.
const WINDOW_CELLS: i32 = 192;
/// Border floors that one thread handles at a time.
const SHARE: usize = 256;

/// All links of all profiles that start in a zone and that no straight path on foot makes redundant, in an
/// order that depends on the tiles.
pub(super) fn find(
    ground: &LevelGround,
    body: LinkBody,
    reaches: &[Reach],
    (ladders, cell): (&[Option<Ladders>], [f64; 2]),
    zone: &Zone,
) -> Vec<Candidate> {
    let most = reaches.iter().map(|reach| reach.distance2.end().isqrt()).max().unwrap_or(0);
    let courses = Ray::all(body.radius, most).into_iter().map(|ray| Course::new(ray, reaches)).collect();
    let wanted = Wanted::new(reaches, &body);
    let search = Search { ground, body, reaches, ladders, wanted, courses, cell };
    let of_tiles = |columns: &mut Vec<GroundColumn>, tiles: Vec<usize>| {
        let window = GroundWindow::around(ground, &tiles, most + body.radius, columns);
        let Some(window) = window else { return Vec::new() };
        let from = |floors: &[u32]| {
            let mut found = Vec::new();
            // A climb starts where its ray ends.
            let near = floors.iter().filter(|&&floor| zone.is_within(ground.floors[floor as usize].at, most));
            near.for_each(|&floor| search.from(&window, floor, &mut found));
            found.retain(|candidate: &Candidate| zone.has(ground.floors[candidate.start as usize].at));
            found
        };
        let shares = tiles.iter().flat_map(|&tile| ground.borders_of(tile).chunks(SHARE));
        let shares: Vec<&[u32]> = shares.collect();
        shares.into_par_iter().flat_map_iter(from).collect::<Vec<Candidate>>()
    };
    ground.squares(WINDOW_CELLS).into_par_iter().map_init(Vec::new, of_tiles).flatten_iter().collect()
}

impl Course {
    fn new(ray: Ray, reaches: &[Reach]) -> Course {
        // Symmetric bidirectional jumps are found from their smaller end only.
        let is_forward = ray.direction > [0, 0];
        let looked_for = (0..).zip(reaches).filter(|(_, reach)| is_forward || !reach.is_symmetric());
        let profiles = looked_for.map(|(profile, reach)| {
            let [least, most] = [reach.distance2.start(), reach.distance2.end()].map(|&across2| {
                // Whole steps: k² times the squared length of one.
                let step = (across2.max(0) / ray.length2).isqrt();
                (step, step * step * ray.length2 == across2)
            });
            (profile, [least.0 + i32::from(!least.1), most.0])
        });
        let profiles: Vec<(u16, [i32; 2])> = profiles.collect();
        let (ahead, behind) = (sides_of(ray.direction), sides_of(ray.backwards()));
        // There are at most 64 profiles.
        let all = profiles.iter().fold(0, |all, (profile, _)| all | 1u64 << profile);
        let mut course = Course { ray, profiles, all, last: 0, ahead, behind };
        course.last = course.last(all);
        course
    }

    /// The last step of some profiles.
    fn last(&self, profiles: u64) -> i32 {
        let own = self.profiles.iter().filter(|(profile, _)| profiles >> profile & 1 == 1);
        own.map(|(_, [_, last])| *last).max().unwrap_or(0)
    }
}

impl Search<'_> {
    fn from(&self, window: &GroundWindow<'_>, start: u32, found: &mut Vec<Candidate>) {
        let floor = &self.ground.floors[start as usize];
        let (ends, fits, mut falls) = (floor.ends(), self.wanted.from(floor.height), Vec::new());
        for course in self.courses.iter().filter(|course| course.ahead & ends != 0) {
            self.along(window, start, &fits, course, found, &mut falls);
            let is_kept = |fall: &Fall| fall.is_free && !fall.is_needless;
            found.extend(falls.drain(..).filter(is_kept).map(|fall| fall.candidate));
        }
    }

    /// Examines the steps of a ray, for each profile up to the first column that none of its links can cross.
    fn along(
        &self,
        window: &GroundWindow<'_>,
        start: u32,
        fits: &Fits,
        course: &Course,
        found: &mut Vec<Candidate>,
        falls: &mut Vec<Fall>,
    ) {
        let (ray, floor) = (&course.ray, &self.ground.floors[start as usize]);
        let [step, front] = [ray.direction, ray.ahead(0)].map(|offset| window.stride(offset));
        // The window holds everything in reach.
        let within = window.steps_within(floor.at, ray.direction);
        let [dx, dz] = ray.ahead(0);
        let watched = window.steps_within([floor.at[0] + dx, floor.at[1] + dz], ray.direction);
        let (mut open, mut end, mut at, mut k) =
            (course.all, course.last.min(within), window.index(floor.at), 0);
        while k < end {
            k += 1;
            at = at.wrapping_add_signed(step);
            if k <= watched && fits.may_stop(window.column(at.wrapping_add_signed(front))) {
                let ahead = window.column(at.wrapping_add_signed(front));
                let [dx, dz] = ray.ahead(k);
                let place = [floor.at[0] + dx, floor.at[1] + dz];
                let meets = |low, high| window.meets(place, ahead, low, high);
                let stopped = self.wanted.stopped(open, floor.height, meets);
                if stopped != 0 {
                    open &= !stopped;
                    end = course.last(open).min(within);
                }
            }
            let column = window.column(at);
            if !fits.may_end(column, course.behind) {
                continue;
            }
            let step = RayStep { window, start, course, k, column };
            for &(profile, [first, last]) in &course.profiles {
                if open >> profile & 1 == 0 || !(first..=last).contains(&k) {
                    continue;
                }
                if self.reaches[usize::from(profile)].kind == LinkKind::Jump {
                    self.jumps(&step, profile, found);
                } else {
                    self.falls(&step, profile, falls);
                }
            }
        }
    }

    /// Jumps to floors on which the ground also ends, towards the start.
    fn jumps(&self, step: &RayStep<'_>, profile: u16, found: &mut Vec<Candidate>) {
        let &RayStep { window, start, course, k, column } = step;
        let reach = &self.reaches[usize::from(profile)];
        let [down, up] = reach.height;
        let floor = &self.ground.floors[start as usize];
        let heights = [floor.height - down, floor.height + up];
        if !column.ends_on(course.behind) || !column.may_have_floors(CutRange::through(heights)) {
            return;
        }
        let [dx, dz] = course.ray.end(k);
        for end in window.floors([floor.at[0] + dx, floor.at[1] + dz]) {
            let other = &self.ground.floors[end];
            let up = other.height - floor.height;
            let fits = reach.jumps(up) && other.ends() & course.behind != 0 && self.ground.is_ground(other);
            if !fits {
                continue;
            }
            let across2 = k * k * course.ray.length2;
            let Some(bow) = reach.bow(up, across2) else { continue };
            let back = reach.bow(-up, across2).filter(|_| reach.both_ways && reach.jumps(-up));
            let both_ways = back.is_some();
            // A bidirectional link is found from its smaller end.
            if both_ways && floor.at >= other.at {
                continue;
            }
            let candidate = self.candidate(profile, [start, end as u32], both_ways);
            let is_free = |bow| self.body.jump_hit(window, floor, other, (&course.ray, k), bow).is_none();
            if !self.is_needless(&candidate)
                && is_free(bow)
                && back.is_none_or(|back| back == bow || is_free(back))
            {
                found.push(candidate);
            }
        }
    }

    /// Drops and climbs between a ledge and floors below it: on each ray, the nearest floor of each island.
    fn falls(&self, step: &RayStep<'_>, profile: u16, falls: &mut Vec<Fall>) {
        let &RayStep { window, start: top, course, k, column } = step;
        let reach = &self.reaches[usize::from(profile)];
        let [least, most] = reach.height;
        let floor = &self.ground.floors[top as usize];
        if !column.may_have_floors(CutRange::through([floor.height - most, floor.height - least])) {
            return;
        }
        let is_climb = matches!(reach.kind, LinkKind::Climb | LinkKind::Ladder);
        let ladders = self.ladders[usize::from(profile)].as_ref();
        let [dx, dz] = course.ray.end(k);
        for below in window.floors([floor.at[0] + dx, floor.at[1] + dz]).rev() {
            let other = &self.ground.floors[below];
            if !reach.falls(floor.height - other.height) || !self.ground.is_ground(other) {
                continue;
            }
            let island = self.ground.island(other);
            let is_same = |fall: &Fall| fall.candidate.profile == profile && fall.island == island;
            let is_known = falls.iter().any(|fall| fall.is_free && is_same(fall));
            let leads =
                |ladders: &Ladders| ladders.lead(floor, (&course.ray, k), other.height, self.body.climb);
            if is_known || !ladders.is_none_or(leads) {
                continue;
            }
            let ends = if is_climb { [below as u32, top] } else { [top, below as u32] };
            let candidate = self.candidate(profile, ends, reach.both_ways);
            let is_needless = self.is_needless(&candidate);
            let mut fall = Fall { candidate, island, step: k, is_needless, is_free: false };
            if !is_needless {
                let is_free = |height, step| {
                    self.body.fall_hit(window, floor, (&course.ray, step), (height, ladders)).is_none()
                };
                // The nearer ones are swept now, because it matters here.
                let nearer = falls.iter_mut().filter(|fall| is_same(fall)).find(|fall| {
                    let [start, end] = [fall.candidate.start, fall.candidate.end];
                    let low = if is_climb { start } else { end };
                    is_free(self.ground.floors[low as usize].height, fall.step)
                });
                match nearer {
                    Some(nearer) => {
                        nearer.is_free = true;
                        continue;
                    }
                    None => {
                        falls.retain(|fall| !is_same(fall));
                        fall.is_free = is_free(other.height, k);
                        if !fall.is_free {
                            continue;
                        }
                    }
                }
            }
            falls.push(fall);
        }
    }

    fn candidate(&self, profile: u16, [start, end]: [u32; 2], both_ways: bool) -> Candidate {
        Candidate { profile, start, end, both_ways, length: self.ground.length([start, end], self.cell) }
    }

    /// Returns true if a straight path on foot is short enough.
    fn is_needless(&self, candidate: &Candidate) -> bool {
        let Candidate { profile, start, end, length, .. } = *candidate;
        let most = self.reaches[usize::from(profile)].longest_way(length, self.cell[0]);
        has_straight_way(self.ground, [start, end], most)
    }
}
