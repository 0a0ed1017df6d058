//! Measure 5, paths: the runtime's paths compared with the true shortest, on the mesh itself and over the
//! floors.
//! Units: cells. Cost: one route and two exact searches a pair.
//!
//! Lengths are as seen from above, as in the exact search; both ends are middles of floors.

use super::any_angle::{At, Cells, NoLength};
use super::ground::Ground;
use super::surface::{Surface, middle};
use super::worst::{Spot, worst};
use detour::{
    Crossings, Filter, Islands, NavMesh, Path, PathOptions, PathStatus, Place, PolyRef, Query, QueryError,
    Reachable, StraightPath, Vec3,
};
use navmath::FIXED_ONE;

/// One end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Column along x.
    pub x: i32,
    /// Column along z.
    pub z: i32,
    /// Height of the floor.
    pub floor: i32,
}

/// A mesh that can be queried for paths.
#[derive(Debug)]
pub struct SearchedMesh<'a> {
    mesh: &'a NavMesh,
    surface: &'a Surface,
    ground: &'a Ground,
    footing: &'a [Option<(u32, f64)>],
    polygons: Vec<PolyRef>,
    islands: Islands,
    cells: Cells,
}

impl<'a> SearchedMesh<'a> {
    /// Prepares a mesh whose polygons are those of `surface`, in the same order.
    pub fn new(
        mesh: &'a NavMesh,
        surface: &'a Surface,
        ground: &'a Ground,
        footing: &'a [Option<(u32, f64)>],
    ) -> Result<SearchedMesh<'a>, QueryError> {
        let cells = super::cells::of_mesh(mesh)?;
        let polygons = mesh.polygons().collect();
        Ok(SearchedMesh { mesh, surface, ground, footing, polygons, islands: mesh.islands(), cells })
    }

    /// The openings between polygons, and the number of islands.
    pub fn graph(&self) -> (&Cells, usize) {
        (&self.cells, self.islands.list().len())
    }

    /// The polygon under an end, if the end's middle is strictly within it.
    fn polygon(&self, end: End) -> Option<u32> {
        let span = self.ground.find(end.x, end.z, end.floor)?;
        let (patch, _) = self.footing[span]?;
        self.surface.patches[patch as usize].contains_strictly(middle(end.x, end.z)).then_some(patch)
    }

    /// Returns true if both ends are on polygons.
    pub fn knows(&self, ends: [End; 2]) -> bool {
        ends.iter().all(|&end| self.polygon(end).is_some())
    }

    /// Returns true if the mesh may lead from one end to the other.
    pub fn connects(&self, ends: [End; 2]) -> bool {
        let [a, b] = ends.map(|end| self.polygon(end).map(|polygon| self.polygons[polygon as usize]));
        a.zip(b).is_some_and(|(a, b)| self.islands.reachable(a, b) == Reachable::Maybe)
    }

    /// Length of the runtime's path, cells; `None` if it finds no path.
    fn found(&self, query: &mut Query, ends: [End; 2]) -> Result<Option<f64>, QueryError> {
        let [start, goal] = ends.map(|end| self.place(end));
        let (Some(start), Some(goal)) = (start, goal) else { return Ok(None) };
        let (mut path, mut straight) = (Path::default(), StraightPath::default());
        query.find_path(self.mesh, start, goal, &Filter::default(), &PathOptions::default(), &mut path)?;
        if path.status != PathStatus::Complete {
            return Ok(None);
        }
        let crossings = Crossings::None;
        query.straight_path(self.mesh, start.point, goal.point, &path.polygons, crossings, &mut straight)?;
        let metres = straight.corners.windows(2).map(|pair| {
            let step = (pair[1].point - pair[0].point).as_dvec3();
            (step.x * step.x + step.z * step.z).sqrt()
        });
        let cell = self.mesh.lattice().map_or(1.0, |lattice| lattice.cell_size);
        Ok(Some(metres.sum::<f64>() / cell))
    }

    fn place(&self, end: End) -> Option<Place> {
        let patch = self.polygon(end)?;
        let lattice = self.mesh.lattice()?;
        let at = middle(end.x, end.z).map(|v| v as f64);
        let height = self.surface.patches[patch as usize].height(at);
        let point = [at[0], height, at[1]];
        let cell = lattice.cell();
        let point = std::array::from_fn(|axis| (point[axis] / f64::from(FIXED_ONE) * cell[axis]) as f32);
        Some(Place { polygon: self.polygons[patch as usize], point: Vec3::from_array(point) })
    }

    /// Length of the shortest path on the mesh, cells.
    fn shortest(&self, ends: [End; 2]) -> Result<f64, NoLength> {
        let at = |end: End| {
            self.polygon(end)
                .map(|cell| At { cell, point: middle(end.x, end.z) })
                .ok_or(NoLength::Unreachable)
        };
        let length = self.cells.shortest(at(ends[0])?, at(ends[1])?)?;
        Ok(length / f64::from(FIXED_ONE))
    }
}

/// Ratios of paths to the shortest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratios {
    /// Pairs compared.
    pub count: usize,
    /// Mean of the ratios.
    pub mean: f64,
    /// Smallest ratio.
    pub least: f64,
    /// The pairs with the largest ratios; value: ratio, at the start.
    pub worst: Vec<(f64, [End; 2])>,
}

impl Ratios {
    fn new(mut pairs: Vec<(f64, [End; 2])>) -> Ratios {
        // The pairs' own order decides ties.
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let count = pairs.len();
        let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / count.max(1) as f64;
        let least = pairs.last().map_or(0.0, |pair| pair.0);
        pairs.truncate(super::worst::NAMED);
        Ratios { count, mean, least, worst: pairs }
    }

    /// The largest ratio.
    pub fn largest(&self) -> f64 {
        self.worst.first().map_or(0.0, |worst| worst.0)
    }
}

/// The result of the measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    /// Pairs that were queried.
    pub pairs: usize,
    /// Pairs for which the runtime returned no complete path.
    pub not_found: usize,
    /// Lengths compared with the shortest paths on the same mesh: the loss of the runtime's search.
    pub on_mesh: Ratios,
    /// Lengths compared with the shortest paths over the floors: the loss of mesh and search together.
    pub over_floors: Ratios,
    /// Starts of pairs whose exact search took too many steps; such pairs are not compared.
    pub given_up: Vec<Spot>,
}

/// Searches paths between pairs; `floor_lengths` are the shortest lengths over the floors, cells.
pub fn measure(
    asked: &SearchedMesh<'_>,
    pairs: &[[End; 2]],
    floor_lengths: &[Result<f64, NoLength>],
) -> Result<Paths, QueryError> {
    let mut paths = Paths { pairs: pairs.len(), ..Paths::default() };
    let (mut on_mesh, mut over_floors, mut given_up) = (Vec::new(), Vec::new(), Vec::new());
    let mut query = Query::new();
    for (&ends, over) in pairs.iter().zip(floor_lengths) {
        let Some(length) = asked.found(&mut query, ends)? else {
            paths.not_found += 1;
            continue;
        };
        for (shortest, ratios) in [(asked.shortest(ends), &mut on_mesh), (*over, &mut over_floors)] {
            match shortest {
                // A pair at one place has no ratio.
                Ok(shortest) if shortest > 0.0 => ratios.push((length / shortest, ends)),
                Ok(_) | Err(NoLength::Unreachable) => {}
                Err(NoLength::TooLong) => {
                    let End { x, z, floor } = ends[0];
                    given_up.push(Spot { value: length, cells: [x, floor, z].map(f64::from) });
                }
            }
        }
    }
    paths.on_mesh = Ratios::new(on_mesh);
    paths.over_floors = Ratios::new(over_floors);
    paths.given_up = worst(given_up);
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::testing::two_storeys;
    use crate::quality::{Whole, bake};
    use recast::TileBuild;
    use recast::{PreparedLevel, Settings};

    #[test]
    fn ratios_name_the_longest_first() {
        let end = End { x: 1, z: 1, floor: 0 };
        let ratios = Ratios::new(vec![(1.0, [end; 2]), (1.5, [end; 2]), (1.1, [end; 2])]);
        assert_eq!((ratios.count, ratios.mean, ratios.least, ratios.largest()), (3, 1.2, 1.0, 1.5));
        assert_eq!(Ratios::new(Vec::new()).largest(), 0.0);
    }

    #[test]
    fn paths_on_open_floors_are_the_shortest() {
        let prepared = PreparedLevel::new(&two_storeys(), &Settings::default()).unwrap();
        let (bake, _) = bake::ours(&prepared, &TileBuild::solo(&prepared)).unwrap();
        let whole = Whole::new(&prepared, vec![bake]).unwrap();
        let asked = SearchedMesh::new(&whole.mesh, &whole.surface, &whole.ground, &whole.footing).unwrap();
        let end = |x, z, floor| End { x, z, floor };
        let low = whole.ground.spans[0].floor;
        let high = whole.ground.spans.iter().map(|span| span.floor).max().unwrap();
        let pairs = [[end(4, 4, low), end(35, 25, low)], [end(14, 11, high), end(25, 22, high)]];
        assert!(pairs.iter().all(|&ends| asked.knows(ends) && asked.connects(ends)));
        let lengths = pairs.map(|ends| asked.shortest(ends));
        let found = measure(&asked, &pairs, &lengths).unwrap();
        assert_eq!((found.not_found, found.on_mesh.count), (0, 2));
        assert!((found.on_mesh.largest() - 1.0).abs() < 1e-6 && found.on_mesh.least > 1.0 - 1e-6);
        // No path leads from one storey to the other, although they are over each other.
        let apart = [end(14, 11, low), end(25, 22, high)];
        assert!(asked.knows(apart) && !asked.connects(apart));
        assert_eq!(asked.shortest(apart), Err(NoLength::Unreachable));
        assert_eq!(measure(&asked, &[apart], &[Ok(10.0)]).unwrap().not_found, 1);
        // Half the true length is a ratio of two.
        let halved = [lengths[0].map(|length| length / 2.0)];
        let found = measure(&asked, &pairs[..1], &halved).unwrap();
        assert!((found.over_floors.mean - 2.0).abs() < 1e-6, "{found:?}");
    }
}
