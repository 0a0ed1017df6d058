//! The geometry of a prepared level: its triangles, numbered from one part to the next.
//! Cost: a part with several placements is kept once, and its corners are computed on request.

use crate::error::{Error, LevelError};
use crate::observer::{Diagnostic, DiagnosticKind};
use crate::parts::{Part, Transform};
use navmath::Lattice;
use navmath::count::counted;
use navtile::area::AreaId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Largest distance of a vertex from the lattice's zero, metres: farther away, differences could overflow
/// f32.
const MAX_DISTANCE: f32 = 1e15;

/// All triangles of a level that have an area.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    parts: Vec<PlacedPart>,
    count: usize,
}

/// A part at one of its places.
#[derive(Clone, Debug)]
struct PlacedPart {
    /// Number of its first triangle.
    first: usize,
    vertices: Vertices,
    triangles: Arc<[[u32; 3]]>,
    /// Empty if all triangles are ground.
    areas: Arc<[AreaId]>,
}

/// The vertices of a placed part.
#[derive(Clone, Debug)]
enum Vertices {
    /// Metres from the lattice's zero.
    Local(Vec<[f32; 3]>),
    /// In the part's own space, shared with its other places.
    Placed(Arc<[[f64; 3]]>, Transform),
}

impl Vertices {
    #[inline]
    fn local(&self, vertex: u32, lattice: &Lattice) -> [f32; 3] {
        match self {
            Vertices::Local(vertices) => vertices[vertex as usize],
            Vertices::Placed(vertices, place) => lattice.to_local(place.apply(vertices[vertex as usize])),
        }
    }
}

/// Triangles that were left out because they have no area.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Number of such triangles.
    pub count: usize,
    /// Number of the first one in the level, and its first corner, world metres.
    pub first: Option<(usize, [f64; 3])>,
}

impl Dropped {
    /// The diagnostic that reports them, if there are any.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (first, place) = self.first?;
        Some(Diagnostic {
            kind: DiagnosticKind::DegenerateTriangles,
            place: Some(place),
            message: format!(
                "{} {first}",
                counted(
                    self.count as u64,
                    "degenerate triangle (no area) was dropped: triangle",
                    "degenerate triangles (no area) were dropped; the first is triangle"
                )
            ),
        })
    }
}

/// From this many placements on, sharing a part's vertices in f64 takes less memory than a copy in f32 per
/// placement.
const SHARED_FROM: usize = 3;

impl Geometry {
    /// No triangles.
    pub(crate) fn none() -> Geometry {
        Geometry { parts: Vec::new(), count: 0 }
    }

    /// Brings parts onto the lattice. Indices must be in range, and vertices finite.
    pub(crate) fn new(parts: &[Part], lattice: &Lattice) -> Result<(Geometry, Dropped), Error> {
        let mut geometry = Geometry { parts: Vec::new(), count: 0 };
        let mut dropped = Dropped::default();
        let (mut first_vertex, mut first_triangle) = (0, 0);
        for part in parts {
            for place in &part.placements {
                check_distance(part, place, lattice, first_vertex)?;
                let placed = geometry.place_part(part, place, lattice, first_triangle, &mut dropped);
                geometry.count += placed.triangles.len();
                if !placed.triangles.is_empty() {
                    geometry.parts.push(placed);
                }
            }
            first_vertex += part.vertices.len();
            first_triangle += part.triangles.len();
        }
        let remedy = "cut the level into several bakes";
        navmath::limit::to_u32("triangles of a level", geometry.count, remedy)?;
        Ok((geometry, dropped))
    }

    /// Triangles that share no vertex, metres from the lattice's zero, and their areas.
    pub(crate) fn loose(corners: Vec<[[f32; 3]; 3]>, areas: Vec<AreaId>) -> Result<Geometry, Error> {
        let count = corners.len();
        let remedy = "cut the level into several bakes";
        let vertices = navmath::limit::to_u32("vertices of a level", 3 * count, remedy)?;
        let triangles = (0..vertices / 3).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner));
        let areas = if areas.iter().all(|area| *area == AreaId::GROUND) { Vec::new() } else { areas };
        let part = PlacedPart {
            first: 0,
            vertices: Vertices::Local(corners.into_flattened()),
            triangles: triangles.collect(),
            areas: areas.into(),
        };
        Ok(Geometry { parts: vec![part], count })
    }

    fn place_part(
        &self,
        part: &Part,
        place: &Transform,
        lattice: &Lattice,
        first_triangle: usize,
        dropped: &mut Dropped,
    ) -> PlacedPart {
        let vertices = if part.placements.len() >= SHARED_FROM {
            Vertices::Placed(Arc::clone(&part.vertices), *place)
        } else {
            let local = |vertex: &[f64; 3]| lattice.to_local(place.apply(*vertex));
            Vertices::Local(part.vertices.iter().map(local).collect())
        };
        let flat = |triangle: &[u32; 3]| is_degenerate(triangle.map(|v| vertices.local(v, lattice)));
        let flat: Vec<bool> = part.triangles.iter().map(flat).collect();
        let mut placed = PlacedPart {
            first: self.count,
            vertices,
            triangles: Arc::clone(&part.triangles),
            areas: Arc::clone(&part.areas),
        };
        if let Some(first) = flat.iter().position(|flat| *flat) {
            let corner = part.vertices[part.triangles[first][0] as usize];
            dropped.first.get_or_insert((first_triangle + first, place.apply(corner)));
            dropped.count += flat.iter().filter(|flat| **flat).count();
            placed.triangles = kept(&part.triangles, &flat);
            placed.areas = kept(&part.areas, &flat);
        }
        placed
    }

    /// Number of triangles.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The placed part that a triangle belongs to, and its number there.
    #[inline]
    fn find(&self, triangle: usize) -> (&PlacedPart, usize) {
        let part = match self.parts.len() {
            1 => 0,
            _ => self.parts.partition_point(|placed| placed.first <= triangle) - 1,
        };
        (&self.parts[part], triangle - self.parts[part].first)
    }

    #[inline]
    pub(crate) fn corners(&self, triangle: usize, lattice: &Lattice) -> [[f32; 3]; 3] {
        let (placed, index) = self.find(triangle);
        placed.triangles[index].map(|vertex| placed.vertices.local(vertex, lattice))
    }

    #[inline]
    pub(crate) fn area(&self, triangle: usize) -> AreaId {
        let (placed, index) = self.find(triangle);
        if placed.areas.is_empty() { AreaId::GROUND } else { placed.areas[index] }
    }

    pub(crate) fn areas(&self) -> Vec<AreaId> {
        let mut areas = BTreeSet::new();
        for placed in &self.parts {
            areas.extend(placed.areas.iter().copied());
            if placed.areas.is_empty() {
                areas.insert(AreaId::GROUND);
            }
        }
        areas.into_iter().collect()
    }

    pub(crate) fn memory(&self) -> u64 {
        let mut seen = BTreeSet::new();
        let mut bytes = self.parts.len() * size_of::<PlacedPart>();
        for placed in &self.parts {
            let (shared, own) = match &placed.vertices {
                Vertices::Local(vertices) => (None, size_of_val(vertices.as_slice())),
                Vertices::Placed(vertices, _) => {
                    (Some((vertices.as_ptr() as usize, size_of_val(&**vertices))), 0)
                }
            };
            bytes += own;
            let lists = [
                shared,
                Some((placed.triangles.as_ptr() as usize, size_of_val(&*placed.triangles))),
                Some((placed.areas.as_ptr() as usize, size_of_val(&*placed.areas))),
            ];
            for (address, size) in lists.into_iter().flatten() {
                if size > 0 && seen.insert(address) {
                    bytes += size;
                }
            }
        }
        bytes as u64
    }
}

fn kept<T: Copy>(values: &[T], flat: &[bool]) -> Arc<[T]> {
    values.iter().zip(flat).filter(|(_, flat)| !**flat).map(|(value, _)| *value).collect()
}

pub(crate) fn check_distance(
    part: &Part,
    place: &Transform,
    lattice: &Lattice,
    first: usize,
) -> Result<(), LevelError> {
    let far = |vertex: &[f64; 3]| {
        !lattice.to_local(place.apply(*vertex)).iter().all(|value| value.abs() < MAX_DISTANCE)
    };
    match part.vertices.iter().position(far) {
        None => Ok(()),
        Some(vertex) => {
            let position = place.apply(part.vertices[vertex]);
            Err(LevelError::TooFar { vertex: first + vertex, position, origin: lattice.origin })
        }
    }
}

/// Returns true if a triangle has no area: two corners are the same, or all three are on one line.
pub fn is_degenerate([a, b, c]: [[f32; 3]; 3]) -> bool {
    let sub =
        |p: [f32; 3], q: [f32; 3]| -> [f64; 3] { std::array::from_fn(|i| f64::from(p[i]) - f64::from(q[i])) };
    let (u, v) = (sub(b, a), sub(c, a));
    // Differences of f32 are exact in f64 over the range that matters. So is the test for a zero cross
    // product if corners coincide or are on an axis.
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    cross == [0.0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, PreparedLevel, Settings};

    fn wedge() -> Part {
        Part::from(&Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 1.0, 0.0], [3.0, 1.0, 3.0]],
            triangles: vec![[0, 1, 2], [2, 1, 3]],
            areas: vec![AreaId(4), AreaId(5)],
        })
    }

    fn at(x: f64, z: f64) -> Transform {
        Transform([[0.0, 0.0, 1.0, x], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, z]])
    }

    /// The part's triangles, each placement written out.
    fn copied(part: &Part) -> Level {
        let mut level = Level::default();
        for place in &part.placements {
            let first = level.vertices.len() as u32;
            level.vertices.extend(part.vertices.iter().map(|vertex| place.apply(*vertex)));
            level.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|v| first + v)));
            level.areas.extend(part.areas.iter());
        }
        level
    }

    #[test]
    fn a_part_in_many_places_is_its_copies() {
        for count in [1, 2, 3, 40] {
            let placements = (0..count).map(|index| at(f64::from(index) * 3.1, 0.7 * f64::from(index % 5)));
            let part = Part { placements: placements.collect(), ..wedge() };
            let settings = Settings::default();
            let placed = PreparedLevel::from_parts(std::slice::from_ref(&part), &settings).unwrap();
            let copies = PreparedLevel::new(&copied(&part), &settings).unwrap();
            assert_eq!(placed.triangle_count(), copies.triangle_count());
            assert_eq!((placed.lattice, placed.size), (copies.lattice, copies.size));
            for triangle in 0..placed.triangle_count() {
                assert_eq!(placed.corners(triangle), copies.corners(triangle));
                assert_eq!(placed.area(triangle), copies.area(triangle));
            }
            assert_eq!(placed.geometry_digest(), copies.geometry_digest());
            assert_eq!(placed.areas(), [AreaId(4), AreaId(5)]);
        }
    }

    #[test]
    fn many_places_take_little_memory() {
        let placements = |count: u32| (0..count).map(|index| at(f64::from(index), 0.0)).collect();
        let memory = |count| {
            let part = Part { placements: placements(count), ..wedge() };
            PreparedLevel::from_parts(&[part], &Settings::default()).unwrap().memory()
        };
        let instance = size_of::<PlacedPart>() as u64;
        assert_eq!(memory(1000) - memory(500), 500 * instance);
    }

    #[test]
    fn a_place_that_flattens_drops_its_triangles_only() {
        let flat = Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        let part = Part { placements: vec![at(0.0, 0.0), flat, at(9.0, 0.0)], ..wedge() };
        let level = PreparedLevel::from_parts(&[part], &Settings::default()).unwrap();
        assert_eq!((level.triangle_count(), level.triangles_given), (4, 6));
        assert!(level.diagnostics[0].message.contains("2 degenerate"), "{:?}", level.diagnostics);
    }

    #[test]
    fn what_stands_nowhere_is_empty() {
        let part = Part { placements: Vec::new(), ..wedge() };
        let error = PreparedLevel::from_parts(&[part], &Settings::default()).unwrap_err();
        assert!(matches!(error, Error::Level(LevelError::Empty)));
    }
}
