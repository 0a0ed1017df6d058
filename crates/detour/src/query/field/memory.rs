//! The parts of a field: polygons, their portals, and the windows of these, through which a root is seen.

use crate::geometry::{flat, lerp};
use crate::mesh::Portal;
use crate::place::Place;
use crate::poly_ref::PolyRef;
use crate::query::nodes::{NO_NODE, NodePool, PoolNode};
use crate::query::straight_path::CornerKind;
use glam::{DVec2, Vec3};
use std::num::NonZeroU32;

/// Lengths up to this count as zero, metres: far below the resolution of any mesh, far above the rounding of
/// positions.
pub(super) const LEAST: f64 = 1e-6;

/// Number of times that a window is halved to find its bend: from 100 m to a tenth of a millimetre.
const REFRACTION_STEPS: u32 = 20;

/// A point where the rest of the path is known: a goal, a corner, a point where costs change, or the start of
/// an off-mesh link.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldRoot {
    pub(super) point: DVec2,
    /// The point in metres from the anchor.
    pub(super) at: Vec3,
    /// Cost from here to the goal.
    pub(super) cost: f64,
    /// The next root of the path; [`NO_NODE`] for a goal.
    pub(super) next: u32,
    pub(super) kind: CornerKind,
    /// For the start of an off-mesh link, its number among the arrivals.
    pub(super) arrival: u32,
}

/// The part of a portal of a polygon through which a root is seen from inside, and where no cheaper path is
/// known.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldWindow {
    pub(super) root: u32,
    pub(super) portal: u32,
    /// The next window of the portal, or [`NO_NODE`].
    pub(super) next: u32,
    /// True if it was continued over the polygon.
    pub(super) done: bool,
    /// Its ends, metres from the portal's right end. If they are in the wrong order, the window is empty.
    pub(super) ends: [f64; 2],
    pub(super) sight: Sightline,
    /// The least cost within it, as on the open list.
    pub(super) least: f64,
}

impl FieldWindow {
    pub(super) fn is_alive(&self) -> bool {
        self.ends[0] < self.ends[1]
    }
}

/// The cost along a portal by way of a root beyond it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sightline {
    /// Cost from the root.
    pub(super) cost: f64,
    /// Cost of a metre up to the root.
    pub(super) rate: f64,
    /// The foot of the root's perpendicular on the portal's line, metres from the portal's right end.
    pub(super) foot: f64,
    /// The length of the perpendicular.
    pub(super) away: f64,
}

impl Sightline {
    /// The cost from a point of the portal.
    #[inline]
    pub(super) fn at(&self, t: f64) -> f64 {
        let along = t - self.foot;
        self.cost + self.rate * (along * along + self.away * self.away).sqrt()
    }

    /// The least cost between two points of the portal.
    #[inline]
    pub(super) fn least(&self, [from, to]: [f64; 2]) -> f64 {
        self.at(self.foot.max(from).min(to))
    }

    /// The point of the portal, between two others, where the cheapest path from a point before the portal
    /// crosses it, and true if the path continues straight there. `foot` and `away` describe the
    /// perpendicular of the point before the portal, as in [`Sightline`]; `rate` is the cost of a metre
    /// before the portal.
    #[inline]
    pub(super) fn crossing(&self, foot: f64, away: f64, rate: f64, [from, to]: [f64; 2]) -> (f64, bool) {
        if rate != self.rate {
            return (self.refracted(foot, away, rate, [from, to]), false);
        }
        let sum = away + self.away;
        let t = if sum > 0.0 { (foot * self.away + self.foot * away) / sum } else { foot };
        (t.max(from).min(to), sum > 0.0 && (from..=to).contains(&t))
    }

    /// [`Sightline::crossing`] if a metre costs more on one side than on the other. The cost is convex along
    /// the portal.
    #[cold]
    fn refracted(&self, foot: f64, away: f64, rate: f64, [mut from, mut to]: [f64; 2]) -> f64 {
        let slope = |along: f64, away: f64, rate: f64| {
            let length = (along * along + away * away).sqrt();
            if length > 0.0 { rate * along / length } else { 0.0 }
        };
        for _ in 0..REFRACTION_STEPS {
            let t = (from + to) * 0.5;
            if slope(t - foot, away, rate) + slope(t - self.foot, self.away, self.rate) > 0.0 {
                to = t;
            } else {
                from = t;
            }
        }
        (from + to) * 0.5
    }

    /// The sightline as seen from the portal's other side.
    #[inline]
    pub(super) fn flipped(&self, length: f64) -> Sightline {
        Sightline { foot: length - self.foot, ..*self }
    }
}

/// A portal of a polygon: the windows through which an agent leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldPortal {
    /// The polygon beyond.
    pub(super) to: PolyRef,
    /// Ends as seen when leaving the polygon, metres from the anchor.
    pub(super) left_at: Vec3,
    pub(super) right_at: Vec3,
    /// The right end, and the unit vector from there to the left.
    pub(super) right: DVec2,
    pub(super) along: DVec2,
    pub(super) length: f64,
    /// The number of the polygon that it belongs to.
    pub(super) polygon: u32,
    /// The counterpart of this portal in the polygon beyond, once it was looked up.
    pub(super) twin: u32,
    /// The first window, or [`NO_NODE`].
    pub(super) windows: u32,
    /// True if the ground ends about the right and about the left end; `None` until it was looked up.
    pub(super) corners: [Option<bool>; 2],
}

impl FieldPortal {
    pub(super) fn new(portal: &Portal, polygon: u32) -> FieldPortal {
        let right = flat(portal.right);
        let along = flat(portal.left) - right;
        let length = along.length();
        FieldPortal {
            to: portal.to,
            left_at: portal.left,
            right_at: portal.right,
            right,
            along: if length > LEAST { along / length } else { DVec2::ZERO },
            length,
            polygon,
            twin: NO_NODE,
            windows: NO_NODE,
            corners: [None; 2],
        }
    }

    /// A point of the portal; its ends are exact, so that a root there has no view past itself.
    #[inline]
    pub(super) fn point(&self, t: f64) -> DVec2 {
        if t >= self.length { flat(self.left_at) } else { self.right + self.along * t }
    }

    /// A point of the portal, metres from the anchor; its ends are exact.
    pub(super) fn at(&self, t: f64) -> Vec3 {
        if t <= 0.0 {
            self.right_at
        } else if t >= self.length {
            self.left_at
        } else {
            lerp(self.right_at, self.left_at, t / self.length)
        }
    }

    /// The end at a point: 0 for the right end, 1 for the left end.
    #[inline]
    pub(super) fn end(&self, t: f64) -> Option<usize> {
        if t <= 0.0 {
            Some(0)
        } else if t >= self.length {
            Some(1)
        } else {
            None
        }
    }

    /// The distance of a point beyond the line of the portal; negative on the polygon's side.
    #[inline]
    pub(super) fn outside(&self, p: DVec2) -> f64 {
        self.along.perp_dot(p - self.right)
    }

    /// The cost along the portal by way of a root beyond it.
    #[inline]
    pub(super) fn sightline(&self, root: &FieldRoot, rate: f64) -> Sightline {
        Sightline {
            cost: root.cost,
            rate,
            foot: self.along.dot(root.point - self.right),
            away: self.outside(root.point).max(0.0),
        }
    }

    /// Moves a point that is nearly at an end of the portal to that end.
    #[inline]
    pub(super) fn snapped(&self, t: f64) -> f64 {
        if t < LEAST {
            0.0
        } else if t > self.length - LEAST {
            self.length
        } else {
            t
        }
    }
}

/// A polygon that the search has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldPolygon {
    pub(super) polygon: PolyRef,
    /// True if it may be entered. If false, only its own points are on the field, not the ground beyond it.
    pub(super) passes: bool,
    /// Cost of a metre.
    pub(super) rate: f64,
    /// The first of its portals, and their number.
    pub(super) first_portal: u32,
    pub(super) portal_count: u32,
    /// The first root within it, or [`NO_NODE`].
    pub(super) sources: u32,
    /// The first off-mesh link that ends on it, and their number.
    pub(super) first_arrival: u32,
    pub(super) arrival_count: u32,
}

impl PoolNode for FieldPolygon {
    #[inline]
    fn polygon(&self) -> PolyRef {
        self.polygon
    }

    #[inline]
    fn parent(&self) -> u32 {
        NO_NODE
    }
}

/// A root within a polygon: a goal, or the start of an off-mesh link.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldSource {
    pub(super) root: u32,
    /// The next source of the polygon, or [`NO_NODE`].
    pub(super) next: u32,
}

/// An off-mesh link in one direction in which it can be taken, listed by the polygon that it ends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldArrival {
    pub(super) link: PolyRef,
    /// The places where it is entered and left.
    pub(super) start: Place,
    pub(super) end: Place,
    /// Its own cost; `None` if it must not be entered.
    pub(super) over: Option<f64>,
    /// The least known cost from its end, and the next root from there.
    pub(super) cost: f64,
    pub(super) next: u32,
}

/// The memory of a field.
#[derive(Clone, Debug)]
pub(super) struct FieldMemory {
    pub(super) polygons: NodePool<FieldPolygon>,
    pub(super) portals: Vec<FieldPortal>,
    pub(super) windows: Vec<FieldWindow>,
    pub(super) roots: Vec<FieldRoot>,
    pub(super) sources: Vec<FieldSource>,
    pub(super) arrivals: Vec<FieldArrival>,
    /// Parts of a window that is being added, and of a window that it takes parts from.
    pub(super) parts: Vec<[f64; 2]>,
    pub(super) rest: Vec<[f64; 2]>,
    pub(super) lost: Vec<[f64; 2]>,
}

impl Default for FieldMemory {
    fn default() -> FieldMemory {
        FieldMemory {
            polygons: NodePool::new(NonZeroU32::MAX),
            portals: Vec::new(),
            windows: Vec::new(),
            roots: Vec::new(),
            sources: Vec::new(),
            arrivals: Vec::new(),
            parts: Vec::new(),
            rest: Vec::new(),
            lost: Vec::new(),
        }
    }
}

/// The cheapest path from a point of a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Onward {
    pub(super) cost: f64,
    pub(super) root: u32,
    /// The portal through which the path leaves the polygon and the point there, if it bends at that point.
    pub(super) bend: Option<(u32, f64)>,
}

impl FieldMemory {
    pub(super) fn clear(&mut self) {
        self.polygons.clear();
        self.portals.clear();
        self.windows.clear();
        self.roots.clear();
        self.sources.clear();
        self.arrivals.clear();
    }

    pub(super) fn root(&self, root: u32) -> &FieldRoot {
        &self.roots[root as usize]
    }

    pub(super) fn portal(&self, portal: u32) -> &FieldPortal {
        &self.portals[portal as usize]
    }

    /// The portals of a polygon, by number.
    pub(super) fn portals_of(&self, polygon: u32) -> std::ops::Range<u32> {
        let FieldPolygon { first_portal, portal_count, .. } = *self.polygons.get(polygon);
        first_portal..first_portal + portal_count
    }

    /// The cheapest path from a point of a polygon. The first one wins a tie.
    pub(super) fn onward(&self, polygon: u32, p: DVec2) -> Option<Onward> {
        let here = self.polygons.get(polygon);
        let mut best: Option<Onward> = None;
        let mut take = |way: Onward| {
            if best.is_none_or(|best| way.cost < best.cost) {
                best = Some(way);
            }
        };
        let mut source = here.sources;
        while let Some(FieldSource { root, next }) = self.sources.get(source as usize).copied() {
            let FieldRoot { point, cost, .. } = *self.root(root);
            take(Onward { cost: cost + here.rate * p.distance(point), root, bend: None });
            source = next;
        }
        for portal in self.portals_of(polygon) {
            let mut window = self.portal(portal).windows;
            while let Some(here_is) = self.windows.get(window as usize) {
                take(self.through(portal, here_is, here.rate, p));
                window = here_is.next;
            }
        }
        best
    }

    /// The path from a point of a polygon through a window: straight to its root, or bent in the window.
    #[inline]
    pub(super) fn through(&self, number: u32, window: &FieldWindow, rate: f64, p: DVec2) -> Onward {
        let (portal, FieldWindow { root, ends, sight, .. }) = (self.portal(number), *window);
        let (foot, away) = (portal.along.dot(p - portal.right), (-portal.outside(p)).max(0.0));
        let (t, is_straight) = sight.crossing(foot, away, rate, ends);
        if is_straight {
            let cost = sight.cost + rate * p.distance(self.root(root).point);
            return Onward { cost, root, bend: None };
        }
        let cost = rate * p.distance(portal.point(t)) + sight.at(t);
        Onward { cost, root, bend: Some((number, t)) }
    }
}
