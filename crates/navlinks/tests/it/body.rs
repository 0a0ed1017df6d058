//! An independent check of links: the path of the body against triangles, without any voxels.
//!
//! The path is cut into short segments. Over each, the body sweeps at least the prism over a stadium (all
//! points within the radius of a segment, seen from above) between two heights. A triangle is cut to these
//! heights, and its distance from the segment is measured in the plane.

use super::Subject;
use navtile::off_mesh::WorldLink;
use recast::{LinkKind, LinkProfile};

/// The corners of a triangle, metres.
pub(super) type Triangle = [[f64; 3]; 3];

/// A body, metres. `feet` is the height of its lowest part, which is left out while it is on ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cylinder {
    pub(super) radius: f64,
    pub(super) height: f64,
    pub(super) feet: f64,
}

/// A segment of a path, seen from above, and the heights between which the whole body is along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathSegment {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
    pub(super) heights: [f64; 2],
}

/// The segments of a body's path along a link.
pub(super) fn segments(
    kind: LinkKind,
    start: [f64; 3],
    end: [f64; 3],
    body: &Cylinder,
    arc: f64,
) -> Vec<PathSegment> {
    let flat = |[x, _, z]: [f64; 3]| [x, z];
    let (top, bottom) = if start[1] >= end[1] { (start, end) } else { (end, start) };
    match kind {
        LinkKind::Drop | LinkKind::Climb | LinkKind::Ladder => {
            let ceiling = top[1] + body.height;
            vec![
                PathSegment { from: flat(top), to: flat(bottom), heights: [top[1] + body.feet, ceiling] },
                PathSegment {
                    from: flat(bottom),
                    to: flat(bottom),
                    heights: [bottom[1] + body.feet, ceiling],
                },
            ]
        }
        LinkKind::Jump => {
            const SEGMENTS: u32 = 64;
            let length = (end[0] - start[0]).hypot(end[2] - start[2]);
            let up = end[1] - start[1];
            let bow = (arc.sqrt() + (arc + up.abs()).sqrt()).powi(2) / 4.0;
            let y = |u: f64| start[1] + up * u + 4.0 * bow * u * (1.0 - u);
            let at = |u: f64| [start[0] + (end[0] - start[0]) * u, start[2] + (end[2] - start[2]) * u];
            let segment = |index: u32| {
                let [a, b] = [index, index + 1].map(|i| f64::from(i) / f64::from(SEGMENTS));
                // The feet do not count near the ends, where the ground under them may reach.
                let is_low =
                    |u: f64| u * length < body.feet_reach() || (1.0 - u) * length < body.feet_reach();
                let feet = if is_low(a) || is_low(b) { body.feet } else { 0.0 };
                let heights = [y(a).max(y(b)) + feet, y(a).min(y(b)) + body.height];
                PathSegment { from: at(a), to: at(b), heights }
            };
            (0..SEGMENTS).map(segment).collect()
        }
    }
}

impl Cylinder {
    /// Up to this distance from an end, the body may be over the ground around it.
    fn feet_reach(&self) -> f64 {
        2.0 * self.radius + 1.0
    }

    /// The body of a subject's agent in whole cells, `less` cells thinner.
    pub(super) fn of(subject: &Subject, less: f64) -> Cylinder {
        let config = subject.settings.validate().unwrap();
        let [size, height] = [subject.settings.cell_size, subject.settings.cell_height];
        Cylinder {
            radius: ((f64::from(config.walkable_radius) - less) * size).max(0.0),
            height: f64::from(config.walkable_height) * height,
            feet: f64::from(config.walkable_climb) * height,
        }
    }

    /// The first triangle that the body passes through on a path, by more than `slack` metres of height.
    pub(super) fn hits(&self, segments: &[PathSegment], triangles: &[Triangle], slack: f64) -> Option<usize> {
        triangles
            .iter()
            .position(|triangle| segments.iter().any(|segment| self.hits_one(segment, triangle, slack)))
    }

    fn hits_one(&self, segment: &PathSegment, triangle: &Triangle, slack: f64) -> bool {
        let [low, high] = [segment.heights[0] + slack, segment.heights[1] - slack];
        let clipped = clip(&clip(triangle, |p| p[1] - low), |p| high - p[1]);
        let outline: Vec<[f64; 2]> = clipped.iter().map(|&[x, _, z]| [x, z]).collect();
        low < high && !outline.is_empty() && distance(&outline, segment.from, segment.to) < self.radius - 1e-4
            || (self.radius == 0.0 && low < high && crosses(&outline, segment.from, segment.to))
    }
}

/// The part of a convex polygon where `side` is not negative.
fn clip(polygon: &[[f64; 3]], side: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut kept = Vec::new();
    for (index, a) in polygon.iter().enumerate() {
        let b = &polygon[(index + 1) % polygon.len()];
        let (da, db) = (side(a), side(b));
        if da >= 0.0 {
            kept.push(*a);
        }
        if (da < 0.0) != (db < 0.0) {
            let t = da / (da - db);
            kept.push(std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t));
        }
    }
    kept
}

/// The distance of a convex polygon, seen from above, from a segment; 0 if they meet.
fn distance(outline: &[[f64; 2]], a: [f64; 2], b: [f64; 2]) -> f64 {
    if crosses(outline, a, b) {
        return 0.0;
    }
    let edges = || (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]));
    let of_corners = edges().map(|(p, _)| to_segment(p, a, b));
    let of_ends = edges().flat_map(|(p, q)| [to_segment(a, p, q), to_segment(b, p, q)]);
    of_corners.chain(of_ends).fold(f64::INFINITY, f64::min)
}

fn cross(o: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}

/// Returns true if a segment meets a convex polygon: an end is within it, or the segment crosses an edge.
fn crosses(outline: &[[f64; 2]], a: [f64; 2], b: [f64; 2]) -> bool {
    let edges = || (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]));
    let contains = |p: [f64; 2]| {
        outline.len() > 2
            && (edges().all(|(q, r)| cross(q, r, p) > 0.0) || edges().all(|(q, r)| cross(q, r, p) < 0.0))
    };
    let is_cut = |(p, q): ([f64; 2], [f64; 2])| {
        cross(a, b, p) * cross(a, b, q) < 0.0 && cross(p, q, a) * cross(p, q, b) < 0.0
    };
    contains(a) || contains(b) || edges().any(is_cut)
}

fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length2 = along[0] * along[0] + along[1] * along[1];
    let foot = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    let t = if length2 > 0.0 { (foot / length2).clamp(0.0, 1.0) } else { 0.0 };
    (p[0] - a[0] - along[0] * t).hypot(p[1] - a[1] - along[1] * t)
}

/// The triangles of a level, except those without area, which a bake drops.
pub(super) fn triangles(subject: &Subject) -> Vec<Triangle> {
    triangles_by(subject, |_| true)
}

/// The triangles whose index is wanted.
pub(super) fn triangles_by(subject: &Subject, is_wanted: impl Fn(usize) -> bool) -> Vec<Triangle> {
    let level = &subject.level;
    let wanted = level.triangles.iter().enumerate().filter(|(index, _)| is_wanted(*index));
    let places = wanted.map(|(_, corners)| corners.map(|vertex| level.vertices[vertex as usize]));
    places.filter(|[a, b, c]| a != b && b != c && c != a).collect()
}

/// An axis, and the range along it.
pub(super) type Slab = (usize, [f64; 2]);

/// The part of a polygon within slabs.
fn within(polygon: &[[f64; 3]], slabs: &[Slab]) -> Vec<[f64; 3]> {
    slabs.iter().fold(polygon.to_vec(), |part, &(axis, [low, high])| {
        clip(&clip(&part, |p| p[axis] - low), |p| high - p[axis])
    })
}

/// The heights of the part of a triangle within slabs; `None` if there is no such part.
pub(super) fn heights_within(triangle: &Triangle, slabs: &[Slab]) -> Option<[f64; 2]> {
    let part = within(triangle, slabs);
    let heights = || part.iter().map(|corner| corner[1]);
    Some([heights().reduce(f64::min)?, heights().reduce(f64::max)?])
}

/// The part of a triangle within slabs, except the part at a range of heights, as triangles.
pub(super) fn parts_outside(triangle: &Triangle, slabs: &[Slab], range: Option<[f64; 2]>) -> Vec<Triangle> {
    let part = within(triangle, slabs);
    let parts = match range {
        Some([low, high]) => vec![clip(&part, |p| low - p[1]), clip(&part, |p| p[1] - high)],
        None => vec![part],
    };
    let fan = |part: &Vec<[f64; 3]>| {
        (2..part.len()).map(|last| [part[0], part[last - 1], part[last]]).collect::<Vec<Triangle>>()
    };
    parts.iter().flat_map(fan).collect()
}

/// The triangles near a path.
pub(super) fn near(all: &[Triangle], start: [f64; 3], end: [f64; 3], reach: f64) -> Vec<Triangle> {
    let is_near = |triangle: &&Triangle| {
        [0, 2].into_iter().all(|axis| {
            let values = triangle.map(|corner| corner[axis]);
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            low <= start[axis].max(end[axis]) + reach && high >= start[axis].min(end[axis]) - reach
        })
    };
    all.iter().filter(is_near).copied().collect()
}

/// The profile of a link's kind.
pub(super) fn profile(subject: &Subject, kind: LinkKind) -> &LinkProfile {
    subject.settings.links.iter().find(|profile| profile.kind == kind).unwrap()
}

/// The path of a link.
pub(super) fn way(subject: &Subject, kind: LinkKind, link: &WorldLink, body: &Cylinder) -> Vec<PathSegment> {
    segments(kind, link.start, link.end, body, profile(subject, kind).arc)
}
