//! The places at the radius from a wall, as lines: what the traced corners along it see becomes straight
//! lines and arcs, and arcs become tangents. The outline has its corners where one line meets the next.

use super::arcs::{ArcEnd, SPARE, TangentDirection, tangents, turn};
use super::lines::{FloorsAround, WallLine, WallLines};
use super::shape::{Contact, Nearest};
use super::vector::{Plan, add, cross, dot, length, quarter, scale, sub, unit};

/// Two places closer than this are the same, cells.
pub(super) const SAME: f64 = 1.0 / 512.0;
/// Ends of wall lines closer than this are one corner of a wall, cells: triangles are cut where a wall is as
/// high as the climb, and neighbours not at quite the same place.
const NEAR: f64 = 1.0 / 16.0;
/// Farthest distance of a corner from the traced corners between the same lines, cells.
pub(super) const FARTHEST: f64 = 3.0;
/// Two lines that cross at a smaller sine than this have no corner of their own.
const PARALLEL: f64 = 0.02;
/// In gaps up to this much wider than the agent, a chord leaves all of the gap open.
const NARROW: f64 = 1.1;
/// Places nearer to a wall than the radius by more than this are no part of an outline, cells.
const HIDDEN: f64 = 1.0 / 16.0;
/// Tangents of one arc differ by at least this angle, radians.
const LEAST_TURN: f64 = 0.05;

/// A traced corner, and the wall line nearest to it.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) nearest: Nearest,
    /// From the wall to the corner.
    pub(super) normal: Plan,
    pub(super) distance: f64,
    pub(super) line: WallLine,
    floors: FloorsAround,
}

/// A corner of the moved outline, and the traced corner that it takes its height from.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    pub(super) place: Plan,
    pub(super) corner: usize,
    /// False if no triangle explains it.
    pub(super) exact: bool,
}

/// The places at the radius from a part of a wall line.
#[derive(Clone, Copy, Debug)]
enum CurveKind {
    /// The places `p` with `dot(normal, p) == support`, and the ends of the wall line.
    Straight { normal: Plan, support: f64, ends: [Plan; 2] },
    /// The places around one end of a wall line or two that are [`NEAR`], from one direction to another.
    Arc { middles: [Plan; 2], from: Plan, to: Plan },
}

/// The part of a wall that several consecutive traced corners see.
#[derive(Clone, Copy, Debug)]
struct Curve {
    kind: CurveKind,
    /// The first and the last of these corners.
    first: usize,
    last: usize,
}

/// A line of the moved outline.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    normal: Plan,
    support: f64,
    curve: usize,
    /// True if the outline must have it: it is an end, or leaves a narrow gap open.
    fixed: bool,
    /// True if lines between this one and the next were left out.
    joined: bool,
}

/// The curves along a wall.
struct Wall<'a> {
    seen: &'a [Option<Seen>],
    lines: &'a WallLines,
    curves: Vec<Curve>,
    /// True if the last curve is followed by the first.
    is_ring: bool,
}

impl TangentDirection {
    /// The tangent of an arc in this direction.
    fn of(self, middles: [Plan; 2], lines: &WallLines, curve: usize) -> Tangent {
        let [one, two] = middles.map(|middle| dot(self.normal, middle));
        let support = one.max(two) + lines.radius;
        Tangent { normal: self.normal, support, curve, fixed: self.fixed, joined: false }
    }
}

impl Seen {
    pub(super) fn new(place: Plan, line: &WallLine, floors: FloorsAround) -> Option<Seen> {
        let nearest = line.segment.nearest(place);
        let away = sub(place, nearest.place);
        Some(Seen { nearest, normal: unit(away)?, distance: length(away), line: *line, floors })
    }

    /// The nearest place at the radius from the line.
    fn at_radius(&self, radius: f64) -> Plan {
        add(self.nearest.place, scale(self.normal, radius))
    }

    fn kind(&self, radius: f64) -> CurveKind {
        let segment = &self.line.segment;
        match (self.nearest.contact, segment.normal()) {
            (Contact::Left | Contact::Right, Some(left)) => {
                let sign = if self.nearest.contact == Contact::Left { 1.0 } else { -1.0 };
                let normal = scale(left, sign);
                CurveKind::Straight { normal, support: dot(normal, segment.a) + radius, ends: segment.ends() }
            }
            _ => CurveKind::Arc { middles: [self.nearest.place; 2], from: self.normal, to: self.normal },
        }
    }
}

fn is_exact(seen: &Option<Seen>) -> bool {
    seen.as_ref().is_some_and(|seen| seen.line.exact)
}

/// The corners of a wall between two places, which belong to its first and last traced corner.
pub(super) fn open(seen: &[Option<Seen>], ends: [Plan; 2], lines: &WallLines) -> Vec<Moved> {
    let mut moved = Vec::new();
    stretches(seen, [Some(ends[0]), Some(ends[1])], lines, &mut moved);
    moved
}

/// The corners of a wall all around.
pub(super) fn closed(seen: &[Option<Seen>], lines: &WallLines) -> Vec<Moved> {
    let mut moved = Vec::new();
    let count = seen.len();
    if let Some(start) = seen.iter().position(|seen| !is_exact(seen)) {
        let turned: Vec<Option<Seen>> = (0..count).map(|corner| seen[(start + corner) % count]).collect();
        stretches(&turned, [None, None], lines, &mut moved);
        moved.iter_mut().for_each(|place| place.corner = (place.corner + start) % count);
        return moved;
    }
    // Start where one curve ends, so that none is cut in two.
    let radius = lines.radius;
    let kinds: Vec<CurveKind> = seen.iter().flatten().map(|seen| seen.kind(radius)).collect();
    let start = (0..count).find(|&corner| !goes_on(&kinds[corner], &kinds[(corner + 1) % count]));
    let start = start.map_or(0, |last| (last + 1) % count);
    let turned: Vec<Option<Seen>> = (0..count).map(|corner| seen[(start + corner) % count]).collect();
    let mut wall = Wall::new(&turned, 0..count, lines);
    wall.is_ring = true;
    wall.add_corners(None, None, &mut moved);
    moved.iter_mut().for_each(|place| place.corner = (place.corner + start) % count);
    moved
}

/// Stretches of exact corners become curves; the others move one by one. The corners at `ends` are known.
fn stretches(seen: &[Option<Seen>], ends: [Option<Plan>; 2], lines: &WallLines, moved: &mut Vec<Moved>) {
    let last = seen.len() - 1;
    let mut at = 0;
    while at <= last {
        if !is_exact(&seen[at]) {
            let known = (at == 0 && ends[0].is_some()) || (at == last && ends[1].is_some());
            if let Some(seen) = seen[at].filter(|_| !known) {
                moved.push(Moved { place: seen.at_radius(lines.radius), corner: at, exact: false });
            }
            at += 1;
            continue;
        }
        let end = (at..=last).find(|&next| !is_exact(&seen[next])).unwrap_or(last + 1);
        let project = |corner: usize| seen[corner].map(|seen| seen.at_radius(lines.radius));
        let from = if at == 0 { ends[0] } else { None };
        let to = if end == last + 1 { ends[1] } else { None };
        let push = |place: Option<Plan>, corner: usize, moved: &mut Vec<Moved>| {
            moved.extend(place.map(|place| Moved { place, corner, exact: true }));
        };
        if from.is_none() {
            push(project(at), at, moved);
        }
        let wall = Wall::new(seen, at..end, lines);
        wall.add_corners(from.or(project(at)), to.or(project(end - 1)), moved);
        if to.is_none() {
            push(project(end - 1), end - 1, moved);
        }
        at = end;
    }
}

/// Returns true if two kinds are the same curve.
fn goes_on(one: &CurveKind, two: &CurveKind) -> bool {
    match (one, two) {
        (
            CurveKind::Straight { normal, ends, .. },
            CurveKind::Straight { normal: other, ends: other_ends, .. },
        ) => {
            dot(*normal, *other) > 0.0
                && cross(*normal, *other).abs() < PARALLEL
                && touches(*normal, ends, other_ends)
        }
        (CurveKind::Arc { middles, .. }, CurveKind::Arc { middles: [other, _], .. }) => {
            is_near(middles[0], *other)
        }
        _ => false,
    }
}

/// Returns true if the ends of one wall line are on another one, both at the same distance from their
/// outlines.
fn touches(normal: Plan, ends: &[Plan; 2], other: &[Plan; 2]) -> bool {
    let off = |place: Plan| dot(normal, place);
    other.iter().all(|&place| (off(place) - off(ends[0])).abs() < SAME)
}

fn is_same(a: Plan, b: Plan) -> bool {
    length(sub(a, b)) < SAME
}

fn is_near(a: Plan, b: Plan) -> bool {
    length(sub(a, b)) < NEAR
}

impl<'a> Wall<'a> {
    fn new(seen: &'a [Option<Seen>], corners: std::ops::Range<usize>, lines: &'a WallLines) -> Wall<'a> {
        let mut wall = Wall { seen, lines, curves: Vec::new(), is_ring: false };
        for corner in corners {
            let Some(seen) = seen[corner] else { continue };
            let kind = seen.kind(lines.radius);
            match wall.curves.last_mut() {
                Some(known) if goes_on(&known.kind, &kind) => {
                    known.last = corner;
                    if let (
                        CurveKind::Arc { middles, to, .. },
                        CurveKind::Arc { middles: [middle, _], to: other, .. },
                    ) = (&mut known.kind, kind)
                    {
                        (middles[1], *to) = (middle, other);
                    }
                }
                _ => wall.curves.push(Curve { kind, first: corner, last: corner }),
            }
        }
        wall.drop_hidden();
        wall.add_short_sides();
        wall
    }

    /// Leaves out curves without a place for an agent: traced corners in the narrow end of a place see them.
    fn drop_hidden(&mut self) {
        let mut index = 1;
        while index + 1 < self.curves.len() {
            let [before, after] = [self.curves[index - 1], self.curves[index + 1]];
            let near = self.between(&before, &after);
            let is_free = |place: Plan| {
                [before.last, after.first]
                    .into_iter()
                    .all(|corner| self.clearance(place, corner) >= self.lines.radius - HIDDEN)
            };
            if !self.is_hidden(&self.curves[index])
                || !crossing(&before.kind, &after.kind, near, self.lines.radius).is_some_and(is_free)
            {
                index += 1;
                continue;
            }
            self.curves.remove(index);
            if goes_on(&before.kind, &after.kind) {
                self.curves[index - 1].last = after.last;
                self.curves.remove(index);
            }
            index = index.saturating_sub(1).max(1);
        }
    }

    /// Returns true if all places of a curve that traced corners see are nearer to another wall line.
    fn is_hidden(&self, curve: &Curve) -> bool {
        (curve.first..=curve.last).all(|corner| {
            let place = self.seen[corner].map(|seen| seen.at_radius(self.lines.radius));
            place.is_some_and(|place| self.clearance(place, corner) < self.lines.radius - HIDDEN)
        })
    }

    /// The distance from a place to the lines near a traced corner.
    fn clearance(&self, place: Plan, corner: usize) -> f64 {
        self.lines.clearance(place, self.floors(corner))
    }

    /// Between the two ends of a wall line that no traced corner is nearest to, adds its side.
    fn add_short_sides(&mut self) {
        let mut index = 1;
        while index < self.curves.len() {
            let [one, two] = [self.curves[index - 1], self.curves[index]];
            if let (CurveKind::Arc { middles: [_, a], .. }, CurveKind::Arc { middles: [b, _], .. }) =
                (one.kind, two.kind)
                && let Some(kind) = self.side_between(a, b, two.first)
            {
                self.curves.insert(index, Curve { kind, first: one.last, last: two.first });
                index += 1;
            }
            index += 1;
        }
    }

    /// The side of a wall line from one end to the other.
    fn side_between(&self, a: Plan, b: Plan, corner: usize) -> Option<CurveKind> {
        let found = self.lines.around(self.floors(corner)).any(|line| {
            let [from, to] = self.lines.lines[line as usize].segment.ends();
            (is_same(from, a) && is_same(to, b)) || (is_same(from, b) && is_same(to, a))
        });
        // The outline walks with the wall to its left, seen with z upwards.
        let normal = unit(quarter(sub(a, b)))?;
        found.then(|| CurveKind::Straight {
            normal,
            support: dot(normal, a) + self.lines.radius,
            ends: [a, b],
        })
    }

    /// The floors around a traced corner.
    fn floors(&self, corner: usize) -> FloorsAround {
        self.seen[corner].map_or(FloorsAround::NONE, |seen| seen.floors)
    }

    /// The place at the radius near the traced corners between two curves.
    fn between(&self, one: &Curve, two: &Curve) -> Plan {
        let place =
            |corner: usize| self.seen[corner].map_or([0.0; 2], |seen| seen.at_radius(self.lines.radius));
        scale(add(place(one.last), place(two.first)), 0.5)
    }

    /// Appends the corners of the outline between two places, or all around.
    fn add_corners(&self, from: Option<Plan>, to: Option<Plan>, moved: &mut Vec<Moved>) {
        let tangents = self.fewer(self.tangents(from, to));
        let count = tangents.len();
        let pairs = if self.is_ring { count } else { count.saturating_sub(1) };
        for index in 0..pairs {
            let (one, two) = (&tangents[index], &tangents[(index + 1) % count]);
            self.add_corner(one, two, moved);
        }
    }

    /// Leaves out lines around corners that turn away from the ground, as long as the outline stays as near
    /// to the wall as chords do.
    fn fewer(&self, lines: Vec<Tangent>) -> Vec<Tangent> {
        let count = lines.len();
        let is_round =
            |index: usize| cross(lines[index % count].normal, lines[(index + 1) % count].normal) > 0.0;
        let start = if self.is_ring {
            (0..count).find(|&index| !is_round(index)).map_or(0, |last| (last + 1) % count)
        } else {
            0
        };
        let end = if self.is_ring { start + count } else { count.saturating_sub(1) };
        let mut kept: Vec<Tangent> = Vec::with_capacity(count);
        let mut at = start;
        while at < end {
            let first = lines[at % count];
            let can_skip_to = |next: &usize| {
                let skipped = &lines[(next - 1) % count];
                !skipped.fixed && is_round(next - 2) && is_round(next - 1)
            };
            let is_close = |next: usize| {
                let last = &lines[next % count];
                let turns = dot(first.normal, last.normal) > -0.5;
                turns
                    && meeting(&first, last).is_some_and(|place| {
                        (at + 1..next).all(|skipped| {
                            let line = &lines[skipped % count];
                            dot(line.normal, place) - line.support <= SPARE * self.lines.radius
                        })
                    })
            };
            let next = (at + 2..=end).take_while(can_skip_to).take_while(|&next| is_close(next)).last();
            kept.push(Tangent { joined: next.is_some(), ..first });
            at = next.unwrap_or(at + 1);
        }
        if !self.is_ring {
            kept.extend(lines.last());
        }
        kept
    }

    /// Appends the corner between two lines.
    fn add_corner(&self, one: &Tangent, two: &Tangent, moved: &mut Vec<Moved>) {
        let (first, second) = (&self.curves[one.curve], &self.curves[two.curve]);
        let corner = if one.curve == two.curve { first.first } else { first.last };
        let near = self.between(first, second);
        let meeting = meeting(one, two);
        let is_near =
            |place: &Plan| one.joined || one.curve == two.curve || length(sub(*place, near)) <= FARTHEST;
        let mut push = |place: Plan| moved.push(Moved { place, corner, exact: true });
        match meeting.filter(is_near) {
            Some(place) => push(place),
            None => {
                let foot =
                    |line: &Tangent| add(near, scale(line.normal, line.support - dot(line.normal, near)));
                let (a, b) = (foot(one), foot(two));
                push(a);
                if !is_same(a, b) {
                    push(b);
                }
            }
        }
    }

    /// The lines of all curves, in their order.
    fn tangents(&self, from: Option<Plan>, to: Option<Plan>) -> Vec<Tangent> {
        let mut lines: Vec<Tangent> = Vec::new();
        let count = self.curves.len();
        for (index, curve) in self.curves.iter().enumerate() {
            let goes_around = self.is_ring && count > 1;
            let before = (goes_around || index > 0).then(|| &self.curves[(index + count - 1) % count]);
            let after = (goes_around || index + 1 < count).then(|| &self.curves[(index + 1) % count]);
            match curve.kind {
                CurveKind::Straight { normal, support, .. } => {
                    self.add_chords_before(index, before, &mut lines);
                    lines.push(Tangent { normal, support, curve: index, fixed: false, joined: false });
                }
                CurveKind::Arc { middles, from: first, to: last } => {
                    let start = self.arc_end(curve, before, from, middles[0], first);
                    let end = self.arc_end(curve, after, to, middles[1], last);
                    let angle = if count == 1 && self.is_ring {
                        2.0 * std::f64::consts::PI
                    } else {
                        turn(start.normal, end.normal)
                    };
                    let mut directions = Vec::new();
                    if before.is_none() && from.is_some() {
                        directions.push(TangentDirection::fixed(start.normal));
                    }
                    self.add_directions(curve, middles[0], [start, end], angle, &mut directions);
                    if after.is_none() && to.is_some() && angle > LEAST_TURN {
                        directions.push(TangentDirection::fixed(end.normal));
                    }
                    lines
                        .extend(directions.into_iter().map(|tangent| tangent.of(middles, self.lines, index)));
                }
            }
        }
        lines
    }

    /// Adds the chords around a corner between two straight sides that no traced corner is nearest to.
    fn add_chords_before(&self, index: usize, before: Option<&Curve>, lines: &mut Vec<Tangent>) {
        let (Some(before), CurveKind::Straight { normal, ends, .. }) = (before, self.curves[index].kind)
        else {
            return;
        };
        let CurveKind::Straight { normal: last, ends: other_ends, .. } = before.kind else { return };
        let shared = ends.into_iter().find_map(|end| {
            let other = other_ends.into_iter().find(|&other| is_near(end, other));
            other.map(|other| [other, end])
        });
        let angle = turn(last, normal);
        if let Some(middles) = shared.filter(|_| angle < std::f64::consts::PI) {
            let mut directions = Vec::new();
            let ends = [last, normal].map(|normal| ArcEnd { normal, tangent: true });
            tangents(ends, angle, &mut directions);
            lines.extend(directions.into_iter().map(|tangent| tangent.of(middles, self.lines, index)));
        }
    }

    /// Adds the directions of the tangents of an arc: those in the narrowest places of gaps, and enough
    /// between them.
    fn add_directions(
        &self,
        curve: &Curve,
        middle: Plan,
        [start, end]: [ArcEnd; 2],
        angle: f64,
        directions: &mut Vec<TangentDirection>,
    ) {
        let width = 2.0 * self.lines.radius;
        let mut narrow: Vec<(f64, Plan)> = Vec::new();
        for corner in [curve.first, curve.last] {
            for line in self.lines.around(self.floors(corner)) {
                let nearest = self.lines.lines[line as usize].segment.nearest(middle);
                let distance = nearest.squared.sqrt();
                if let Some(normal) = unit(sub(nearest.place, middle))
                    && (width..width * NARROW).contains(&distance)
                {
                    narrow.push((turn(start.normal, normal), normal));
                }
            }
        }
        let least = |end: ArcEnd| if end.tangent { LEAST_TURN } else { SAME };
        narrow.retain(|(at, _)| (least(start)..=angle - least(end)).contains(at));
        narrow.sort_by(|one, two| one.0.total_cmp(&two.0));
        narrow.dedup_by(|next, known| next.0 - known.0 < LEAST_TURN);
        let (mut from, mut passed) = (start, 0.0);
        for (at, normal) in narrow {
            let stop = ArcEnd { normal, tangent: true };
            tangents([from, stop], at - passed, directions);
            directions.push(TangentDirection::fixed(normal));
            (from, passed) = (stop, at);
        }
        tangents([from, end], angle - passed, directions);
    }

    /// The end of an arc at a neighbouring curve, or at a known place.
    fn arc_end(
        &self,
        curve: &Curve,
        beside: Option<&Curve>,
        known: Option<Plan>,
        middle: Plan,
        seen: Plan,
    ) -> ArcEnd {
        let Some(beside) = beside else {
            let normal = known.and_then(|place| unit(sub(place, middle))).unwrap_or(seen);
            return ArcEnd { normal, tangent: known.is_some() };
        };
        let radius = self.lines.radius;
        let near = if beside.first >= curve.last {
            self.between(curve, beside)
        } else {
            self.between(beside, curve)
        };
        // The middle is on the wall line: the outline turns from the line into the arc.
        if let CurveKind::Straight { normal, support, .. } = beside.kind
            && (dot(normal, middle) + radius - support).abs() < NEAR / 2.0
        {
            return ArcEnd { normal, tangent: true };
        }
        let place = crossing(&curve.kind, &beside.kind, near, radius);
        let crossing = place.and_then(|place| unit(sub(place, middle)));
        ArcEnd { normal: crossing.unwrap_or(seen), tangent: false }
    }
}

/// The place where two curves cross: of two, the one nearer to a place.
fn crossing(one: &CurveKind, two: &CurveKind, near: Plan, radius: f64) -> Option<Plan> {
    match (one, two) {
        (
            CurveKind::Straight { normal, support, .. },
            CurveKind::Straight { normal: other, support: by, .. },
        ) => meet([*normal, *other], [*support, *by]),
        (CurveKind::Straight { normal, support, .. }, CurveKind::Arc { middles: [middle, _], .. })
        | (CurveKind::Arc { middles: [_, middle], .. }, CurveKind::Straight { normal, support, .. }) => {
            let off = support - dot(*normal, *middle);
            Some(add(*middle, scale(nearer_of(near, *middle, *normal, off, radius)?, radius)))
        }
        (CurveKind::Arc { middles: [_, middle], .. }, CurveKind::Arc { middles: [other, _], .. }) => {
            let apart = sub(*other, *middle);
            let direction = nearer_of(near, *middle, unit(apart)?, 0.5 * length(apart), radius)?;
            Some(add(*middle, scale(direction, radius)))
        }
    }
}

/// The direction to the crossing of a circle with a line at the distance `off` in the direction `normal`: the
/// one of the two that is nearer to a place.
fn nearer_of(near: Plan, middle: Plan, normal: Plan, off: f64, radius: f64) -> Option<Plan> {
    let half = radius * radius - off * off;
    if half < 0.0 {
        return None;
    }
    let along = scale(quarter(normal), half.sqrt());
    let [one, two] = [along, scale(along, -1.0)].map(|along| add(scale(normal, off), along));
    let apart = |vector: Plan| length(sub(add(middle, vector), near));
    unit(if apart(two) < apart(one) { two } else { one })
}

/// The place where two lines cross.
fn meeting(one: &Tangent, two: &Tangent) -> Option<Plan> {
    meet([one.normal, two.normal], [one.support, two.support])
}

fn meet([a, b]: [Plan; 2], [by_a, by_b]: [f64; 2]) -> Option<Plan> {
    let sine = cross(a, b);
    let place = [(by_a * b[1] - by_b * a[1]) / sine, (by_b * a[0] - by_a * b[0]) / sine];
    (sine.abs() >= PARALLEL).then_some(place)
}
