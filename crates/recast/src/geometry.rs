//! The geometry of a prepared level: its triangles, numbered from one mesh to the next.
//! Cost: a mesh with several placements is kept once, and its corners are computed on request.

use crate::error::{Error, LevelError};
use crate::instances::{InstancedMesh, Transform};
use crate::observer::{Diagnostic, DiagnosticKind};
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
    instances: Vec<MeshInstance>,
    count: usize,
}

/// A mesh at one of its places.
#[derive(Clone, Debug)]
struct MeshInstance {
    /// Number of its first triangle.
    first: usize,
    vertices: Vertices,
    triangles: Arc<[[u32; 3]]>,
    /// Empty if all triangles are ground.
    areas: Arc<[AreaId]>,
}

/// The vertices of a placed mesh.
#[derive(Clone, Debug)]
enum Vertices {
    /// Metres from the lattice's zero.
    Local(Vec<[f32; 3]>),
    /// In the mesh's own space, shared with its other places.
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

/// From this many placements on, sharing a mesh's vertices in f64 takes less memory than a copy in f32 per
/// placement.
const SHARED_FROM: usize = 3;

impl Geometry {
    /// No triangles.
    pub(crate) fn none() -> Geometry {
        Geometry { instances: Vec::new(), count: 0 }
    }

    /// Brings meshes onto the lattice. Indices must be in range, and vertices finite.
    pub(crate) fn new(meshes: &[InstancedMesh], lattice: &Lattice) -> Result<(Geometry, Dropped), Error> {
        let mut geometry = Geometry { instances: Vec::new(), count: 0 };
        let mut dropped = Dropped::default();
        let (mut first_vertex, mut first_triangle) = (0, 0);
        for mesh in meshes {
            for place in &mesh.placements {
                check_distance(mesh, place, lattice, first_vertex)?;
                let placed = geometry.place_mesh(mesh, place, lattice, first_triangle, &mut dropped);
                geometry.count += placed.triangles.len();
                if !placed.triangles.is_empty() {
                    geometry.instances.push(placed);
                }
            }
            first_vertex += mesh.vertices.len();
            first_triangle += mesh.triangles.len();
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
        let instance = MeshInstance {
            first: 0,
            vertices: Vertices::Local(corners.into_flattened()),
            triangles: triangles.collect(),
            areas: areas.into(),
        };
        Ok(Geometry { instances: vec![instance], count })
    }

    fn place_mesh(
        &self,
        mesh: &InstancedMesh,
        place: &Transform,
        lattice: &Lattice,
        first_triangle: usize,
        dropped: &mut Dropped,
    ) -> MeshInstance {
        let vertices = if mesh.placements.len() >= SHARED_FROM {
            Vertices::Placed(Arc::clone(&mesh.vertices), *place)
        } else {
            let local = |vertex: &[f64; 3]| lattice.to_local(place.apply(*vertex));
            Vertices::Local(mesh.vertices.iter().map(local).collect())
        };
        let flat = |triangle: &[u32; 3]| is_degenerate(triangle.map(|v| vertices.local(v, lattice)));
        let flat: Vec<bool> = mesh.triangles.iter().map(flat).collect();
        let mut placed = MeshInstance {
            first: self.count,
            vertices,
            triangles: Arc::clone(&mesh.triangles),
            areas: Arc::clone(&mesh.areas),
        };
        if let Some(first) = flat.iter().position(|flat| *flat) {
            let corner = mesh.vertices[mesh.triangles[first][0] as usize];
            dropped.first.get_or_insert((first_triangle + first, place.apply(corner)));
            dropped.count += flat.iter().filter(|flat| **flat).count();
            placed.triangles = kept(&mesh.triangles, &flat);
            placed.areas = kept(&mesh.areas, &flat);
        }
        placed
    }

    /// Number of triangles.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The placed mesh that a triangle belongs to, and its number there.
    #[inline]
    fn find(&self, triangle: usize) -> (&MeshInstance, usize) {
        let index = match self.instances.len() {
            1 => 0,
            _ => self.instances.partition_point(|placed| placed.first <= triangle) - 1,
        };
        (&self.instances[index], triangle - self.instances[index].first)
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
        for placed in &self.instances {
            areas.extend(placed.areas.iter().copied());
            if placed.areas.is_empty() {
                areas.insert(AreaId::GROUND);
            }
        }
        areas.into_iter().collect()
    }

    pub(crate) fn memory(&self) -> u64 {
        let mut seen = BTreeSet::new();
        let mut bytes = self.instances.len() * size_of::<MeshInstance>();
        for placed in &self.instances {
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
    mesh: &InstancedMesh,
    place: &Transform,
    lattice: &Lattice,
    first: usize,
) -> Result<(), LevelError> {
    let far = |vertex: &[f64; 3]| {
        !lattice.to_local(place.apply(*vertex)).iter().all(|value| value.abs() < MAX_DISTANCE)
    };
    match mesh.vertices.iter().position(far) {
        None => Ok(()),
        Some(vertex) => {
            let position = place.apply(mesh.vertices[vertex]);
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

    fn wedge() -> InstancedMesh {
        InstancedMesh::from(&Level {
            vertices: vec![[0.0, 0.0, 0.0], [0.0, 0.0, 3.0], [3.0, 1.0, 0.0], [3.0, 1.0, 3.0]],
            triangles: vec![[0, 1, 2], [2, 1, 3]],
            areas: vec![AreaId(4), AreaId(5)],
        })
    }

    fn at(x: f64, z: f64) -> Transform {
        Transform([[0.0, 0.0, 1.0, x], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, z]])
    }

    /// The mesh's triangles, each placement written out.
    fn copied(mesh: &InstancedMesh) -> Level {
        let mut level = Level::default();
        for place in &mesh.placements {
            let first = level.vertices.len() as u32;
            level.vertices.extend(mesh.vertices.iter().map(|vertex| place.apply(*vertex)));
            level.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|v| first + v)));
            level.areas.extend(mesh.areas.iter());
        }
        level
    }

    #[test]
    fn a_part_in_many_places_is_its_copies() {
        for count in [1, 2, 3, 40] {
            let placements = (0..count).map(|index| at(f64::from(index) * 3.1, 0.7 * f64::from(index % 5)));
            let mesh = InstancedMesh { placements: placements.collect(), ..wedge() };
            let settings = Settings::default();
            let placed = PreparedLevel::from_meshes(std::slice::from_ref(&mesh), &settings).unwrap();
            let copies = PreparedLevel::new(&copied(&mesh), &settings).unwrap();
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
            let mesh = InstancedMesh { placements: placements(count), ..wedge() };
            PreparedLevel::from_meshes(&[mesh], &Settings::default()).unwrap().memory()
        };
        let instance = size_of::<MeshInstance>() as u64;
        assert_eq!(memory(1000) - memory(500), 500 * instance);
    }

    #[test]
    fn a_place_that_flattens_drops_its_triangles_only() {
        let flat = Transform([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        let mesh = InstancedMesh { placements: vec![at(0.0, 0.0), flat, at(9.0, 0.0)], ..wedge() };
        let level = PreparedLevel::from_meshes(&[mesh], &Settings::default()).unwrap();
        assert_eq!((level.triangle_count(), level.triangles_given), (4, 6));
        assert!(level.diagnostics[0].message.contains("2 degenerate"), "{:?}", level.diagnostics);
    }

    #[test]
    fn what_stands_nowhere_is_empty() {
        let mesh = InstancedMesh { placements: Vec::new(), ..wedge() };
        let error = PreparedLevel::from_meshes(&[mesh], &Settings::default()).unwrap_err();
        assert!(matches!(error, Error::Level(LevelError::Empty)));
    }
}
