//! Brings a part of a level onto the lattice of the whole, triangle by triangle: for levels that are not held
//! in memory.

use crate::error::Error;
use crate::geometry::{Dropped, check_distance, is_degenerate};
use crate::input::{PreparedLevel, any_meets, check_meshes};
use crate::instances::InstancedMesh;
use crate::triangle_sum::TriangleSum;
use navtile::area::AreaId;

/// The triangles of a chunk, in the form that a bake takes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkTriangles {
    /// Sum over the triangles that have an area.
    pub sum: TriangleSum,
    /// Triangles that were left out, counted from the chunk's first triangle.
    pub dropped: Dropped,
    /// True if the box of any triangle meets the bounds of the level.
    pub meets_bounds: bool,
}

impl ChunkTriangles {
    /// Adds the triangles of the next chunk to those of this one.
    #[must_use]
    pub fn and(self, next: ChunkTriangles) -> ChunkTriangles {
        let kept = usize::try_from(self.sum.count).unwrap_or(usize::MAX);
        let given = kept.saturating_add(self.dropped.count);
        let next_first = next.dropped.first.map(|(index, place)| (given.saturating_add(index), place));
        ChunkTriangles {
            sum: self.sum.and(next.sum),
            dropped: Dropped {
                count: self.dropped.count.saturating_add(next.dropped.count),
                first: self.dropped.first.or(next_first),
            },
            meets_bounds: self.meets_bounds || next.meets_bounds,
        }
    }
}

impl PreparedLevel {
    /// Brings meshes onto the lattice of this level, which need not have triangles of its own
    /// ([`PreparedLevel::outline`]). Passes on each triangle that has an area: its corners, metres from the
    /// lattice's zero, and the area that it asks for. The triangles and their order are the same as in a
    /// level that is prepared with these meshes among others.
    ///
    /// # Errors
    /// Meshes that break a rule of [`InstancedMesh`], or are too far away.
    pub fn place_chunk(
        &self,
        meshes: &[InstancedMesh],
        take: &mut dyn FnMut([[f32; 3]; 3], AreaId),
    ) -> Result<ChunkTriangles, Error> {
        check_meshes(meshes)?;
        let mut chunk =
            ChunkTriangles { meets_bounds: any_meets(meshes, self.bounds()), ..Default::default() };
        let (mut first_vertex, mut first_triangle) = (0, 0);
        for mesh in meshes {
            for place in &mesh.placements {
                check_distance(mesh, place, &self.lattice, first_vertex)?;
                for (index, triangle) in mesh.triangles.iter().enumerate() {
                    let world = triangle.map(|vertex| place.apply(mesh.vertices[vertex as usize]));
                    let corners = world.map(|corner| self.lattice.to_local(corner));
                    if is_degenerate(corners) {
                        chunk.dropped.first.get_or_insert((first_triangle + index, world[0]));
                        chunk.dropped.count += 1;
                        continue;
                    }
                    let area = mesh.areas.get(index).copied().unwrap_or(AreaId::GROUND);
                    chunk.sum = chunk.sum.and(TriangleSum::of_triangle(corners, area));
                    take(corners, area);
                }
            }
            first_vertex += mesh.vertices.len();
            first_triangle += mesh.triangles.len();
        }
        Ok(chunk)
    }

    /// The bounds of the level, world metres.
    fn bounds(&self) -> [[f64; 3]; 2] {
        if let Some(bounds) = self.config.settings.bounds {
            return bounds;
        }
        let origin = self.lattice.origin;
        let extent = [self.size[0], 0, self.size[2]].map(|cells| f64::from(cells) * self.lattice.cell_size);
        let height = f64::from(self.height);
        [origin, [origin[0] + extent[0], origin[1] + height, origin[2] + extent[2]]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::Transform;
    use crate::{Level, Settings, TileBuild, input_hash};
    use navtile::TileCoord;

    fn meshes() -> Vec<InstancedMesh> {
        let level = |shift: f64| Level {
            vertices: vec![
                [shift, 0.0, 0.0],
                [shift, 0.0, 9.0],
                [shift + 9.0, 1.0, 9.0],
                [shift + 9.0, 1.0, 0.0],
            ],
            triangles: vec![[0, 1, 2], [0, 0, 1], [0, 2, 3]],
            areas: vec![AreaId(3), AreaId(4), AreaId::GROUND],
        };
        let mut twice = InstancedMesh::from(&level(9.0));
        twice.placements.push(Transform::turned(30.0, [2.0, 1.0, 4.0]));
        vec![InstancedMesh::from(&level(0.0)), twice]
    }

    #[test]
    fn chunks_are_the_level() {
        let settings = Settings::default();
        let whole = PreparedLevel::from_meshes(&meshes(), &settings).unwrap();
        let outline = PreparedLevel::outline(&settings, crate::input::level_bounds(&meshes())).unwrap();
        assert_eq!(
            (outline.lattice, outline.size, outline.height),
            (whole.lattice, whole.size, whole.height)
        );
        let (mut corners, mut areas) = (Vec::new(), Vec::new());
        let mut chunks = ChunkTriangles::default();
        for mesh in meshes() {
            let chunk = outline.place_chunk(&[mesh], &mut |triangle, area| {
                corners.push(triangle);
                areas.push(area);
            });
            chunks = chunks.and(chunk.unwrap());
        }
        assert_eq!(chunks.sum.digest(&outline.lattice), whole.geometry_digest());
        assert_eq!(chunks.dropped.count, whole.triangles_given - whole.triangle_count());
        assert_eq!(chunks.dropped.diagnostic().into_iter().collect::<Vec<_>>(), whole.diagnostics);
        let loose = outline.with_triangles(corners, areas).unwrap();
        for (x, z) in (0..8).flat_map(|x| (0..4).map(move |z| (x, z))) {
            let build = TileBuild::tiled(&whole, 12, TileCoord { x, z, layer: 0 }).unwrap();
            let of = |level: &PreparedLevel| input_hash::of_tile(level, None, &build);
            assert_eq!(of(&whole), of(&loose), "tile ({x}, {z})");
        }
    }
}
