//! Boolean operations on polygons of the grid: they make the ground, and remove the strips along its walls.
//!
//! A ring encloses the places it winds around, in either direction, even if it crosses itself. A polygon
//! encloses the places of its outline without those of its holes. Ground is the union of all outlines without
//! the union of all obstacles. If edges cross, their crossing is put on the grid. i_overlay repeats this
//! until no edges cross, so the rings of the ground touch at most in corners.

use crate::exact::polygon_area2;
use crate::grid::{Grid, Point};
use crate::map::Polygon;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::{Precision, Solver};
use i_overlay::i_float::int::point::IntPoint;

/// A ring of the grid. The first point is not repeated at the end.
pub(crate) type Ring = Vec<Point>;

/// Connected ground: the outline counter-clockwise, then holes clockwise, so that ground is left of every
/// edge.
pub(crate) type HoledPolygon = Vec<Ring>;

/// A polygon on the grid, in canonical form: rings run counter-clockwise from their smallest corner, holes
/// are sorted, and repeated points and rings of fewer than three points are removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GridPolygon {
    outline: Ring,
    holes: Vec<Ring>,
}

impl GridPolygon {
    pub(crate) fn new(polygon: &Polygon, grid: &Grid) -> GridPolygon {
        let mut rings = polygon.rings().map(|ring| canonical(ring.iter().map(|&p| grid.snap(p)).collect()));
        let outline = rings.next().unwrap_or_default();
        let mut holes: Vec<Ring> = rings.filter(|ring| !ring.is_empty()).collect();
        holes.sort_unstable();
        holes.dedup();
        GridPolygon { outline, holes }
    }

    /// The outline.
    pub(crate) fn ring(&self) -> &[Point] {
        &self.outline
    }

    /// The outline and the holes.
    pub(crate) fn rings(&self) -> impl Iterator<Item = &Ring> {
        std::iter::once(&self.outline).chain(&self.holes)
    }

    /// Returns true if the outline certainly encloses nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.outline.is_empty()
    }
}

fn canonical(mut ring: Ring) -> Ring {
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        return Ring::new();
    }
    if polygon_area2(ring.iter().copied()) < 0 {
        ring.reverse();
    }
    let smallest = (0..ring.len()).min_by_key(|&at| (ring[at], at)).unwrap_or(0);
    ring.rotate_left(smallest);
    ring
}

/// Boolean operations that share their memory.
pub(crate) struct Booleans {
    overlay: Overlay<i32>,
    path: Vec<IntPoint<i32>>,
}

impl Booleans {
    pub(crate) fn new() -> Booleans {
        // The radius within which an end snaps to an edge starts at one spacing and grows slowly.
        let solver = Solver { precision: Precision::HIGH, ..Solver::default() };
        let overlay = Overlay::new_custom(0, Default::default(), solver);
        Booleans { overlay, path: Vec::new() }
    }

    /// The places that one ring encloses, as rings that wind around them once.
    fn enclosed(&mut self, ring: &[Point]) -> Vec<Ring> {
        if ring.is_empty() {
            return Vec::new();
        }
        self.path.clear();
        self.path.extend(ring.iter().map(|p| IntPoint::new(p[0], p[1])));
        match self.overlay.simplify_contour(&self.path, FillRule::NonZero) {
            None => vec![ring.to_vec()],
            Some(shapes) => shapes.into_iter().flatten().map(|contour| points(&contour)).collect(),
        }
    }

    /// The places that one polygon encloses, as rings that wind around them once.
    pub(crate) fn polygon(&mut self, polygon: &GridPolygon) -> Vec<Ring> {
        let outline = self.enclosed(&polygon.outline);
        if polygon.holes.is_empty() {
            return outline;
        }
        let holes: Vec<Ring> = polygon.holes.iter().flat_map(|hole| self.enclosed(hole)).collect();
        self.difference(&outline, &holes).into_iter().flatten().collect()
    }

    /// The places that `from` winds around, without the places that `less` winds around, as polygons.
    pub(crate) fn difference(&mut self, from: &[Ring], less: &[Ring]) -> Vec<HoledPolygon> {
        self.overlay.clear();
        for (rings, kind) in [(from, ShapeType::Subject), (less, ShapeType::Clip)] {
            for ring in rings {
                self.overlay.add_path_iter(ring.iter().map(|p| IntPoint::new(p[0], p[1])), kind);
            }
        }
        let shapes = self.overlay.overlay(OverlayRule::Difference, FillRule::NonZero);
        let mut polygons: Vec<HoledPolygon> =
            shapes.iter().map(|shape| shape.iter().map(|contour| points(contour)).collect()).collect();
        polygons.retain(|polygon| polygon.first().is_some_and(|outline| outline.len() > 2));
        polygons.sort_unstable();
        polygons
    }

    /// The union of all outlines, without the union of all obstacles.
    pub(crate) fn ground(
        &mut self,
        outlines: &[GridPolygon],
        obstacles: &[GridPolygon],
    ) -> Vec<HoledPolygon> {
        let from: Vec<Ring> = outlines.iter().flat_map(|polygon| self.polygon(polygon)).collect();
        let less: Vec<Ring> = obstacles.iter().flat_map(|polygon| self.polygon(polygon)).collect();
        self.difference(&from, &less)
    }
}

fn points(contour: &[IntPoint<i32>]) -> Ring {
    contour.iter().map(|p| [p.x, p.y]).collect()
}
