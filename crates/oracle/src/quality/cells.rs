//! Convex cells to find true shortest paths over: the floors themselves, or the polygons of a finished mesh.
//! Units: 1/256 cell. Cost: O(floors), O(openings log openings).

use super::any_angle::{Cells, Opening};
use super::ground::Ground;
use super::surface::PlanPoint;
use detour::{NavMesh, PolyRef, RefError, Vec3};
use navmath::FIXED_ONE;
use std::collections::{BTreeMap, BTreeSet};

/// The walkable floors, gathered into rectangles that contain no gaps and no steps that are too high, and the
/// rectangle of each floor. A path over floors exists exactly if a path over these cells exists.
pub fn of_ground(ground: &Ground) -> (Cells, Vec<Option<u32>>) {
    let mut owner = vec![None; ground.spans.len()];
    let mut rectangles: Vec<Vec<Vec<usize>>> = Vec::new();
    for first in 0..ground.spans.len() {
        if ground.spans[first].walkable && owner[first].is_none() {
            let rows = rectangle(ground, &owner, first);
            rows.iter().flatten().for_each(|&span| owner[span] = Some(rectangles.len() as u32));
            rectangles.push(rows);
        }
    }
    let corners = Corners::new(ground);
    let mut cells = Cells { offsets: vec![0], openings: Vec::new() };
    for rows in &rectangles {
        let (top, bottom) = (&rows[0], &rows[rows.len() - 1]);
        let left: Vec<usize> = rows.iter().map(|row| row[0]).collect();
        let right: Vec<usize> = rows.iter().map(|row| row[row.len() - 1]).collect();
        // Each side from its right end to its left, seen from inside the cell.
        let backwards = |side: &[usize]| side.iter().rev().copied().collect::<Vec<_>>();
        for (direction, side) in [left, bottom.clone(), backwards(&right), backwards(top)].iter().enumerate()
        {
            add_openings(ground, &owner, &corners, direction, side, &mut cells.openings);
        }
        cells.offsets.push(cells.openings.len() as u32);
    }
    (cells, owner)
}

/// The largest rectangle that starts with a floor: the longest possible row, then all rows that fit below it.
fn rectangle(ground: &Ground, owner: &[Option<u32>], first: usize) -> Vec<Vec<usize>> {
    let free = |span: usize, direction: usize| ground.step(span, direction).filter(|&to| owner[to].is_none());
    let mut row = vec![first];
    while let Some(next) = free(row[row.len() - 1], 2) {
        row.push(next);
    }
    let mut rows = vec![row];
    loop {
        let above = &rows[rows.len() - 1];
        let Some(below) = above.iter().map(|&span| free(span, 1)).collect::<Option<Vec<_>>>() else {
            return rows;
        };
        if below.windows(2).any(|pair| ground.step(pair[0], 2) != Some(pair[1])) {
            return rows;
        }
        rows.push(below);
    }
}

/// Adds the openings on one side of a rectangle. The floors are given from right to left, seen from inside.
fn add_openings(
    ground: &Ground,
    owner: &[Option<u32>],
    corners: &Corners,
    direction: usize,
    side: &[usize],
    openings: &mut Vec<Opening>,
) {
    let beyond = |span: usize| ground.step(span, direction).and_then(|to| owner[to]);
    for run in side.chunk_by(|&a, &b| beyond(a) == beyond(b)) {
        let Some(to) = beyond(run[0]) else { continue };
        // Corner `direction` of a floor is the right end of that side, the next corner the left end.
        let (right, left) = ((run[0], direction), (run[run.len() - 1], (direction + 1) % 4));
        openings.push(Opening {
            left: place(ground, left),
            right: place(ground, right),
            corners: [corners.bend(left), corners.bend(right)],
            to,
        });
    }
}

/// Position of a corner of a floor. Corner 0 is the right end of the side towards smaller x, seen from
/// inside.
fn place(ground: &Ground, (span, corner): (usize, usize)) -> PlanPoint {
    let (dx, dz) = [(0, 0), (0, 1), (1, 1), (1, 0)][corner];
    let span = &ground.spans[span];
    [span.x + dx, span.z + dz].map(|v| i64::from(v) * i64::from(FIXED_ONE))
}

/// Corners of floors, joined if the floors that share them can be stepped between.
struct Corners {
    /// The number of each corner of each floor: the number of the first corner joined with it.
    number: Vec<u32>,
    /// Number of steps between the floors around each corner.
    steps: Vec<u8>,
    /// Number of floors around each corner.
    floors: Vec<u8>,
}

impl Corners {
    fn new(ground: &Ground) -> Corners {
        let mut number: Vec<u32> = (0..4 * ground.spans.len() as u32).collect();
        let mut joins = Vec::new();
        for span in (0..ground.spans.len()).filter(|&span| ground.spans[span].walkable) {
            // The corners of a side as seen from the floor beyond: towards larger x, then towards larger z.
            for (direction, shared) in [(2, [(2, 1), (3, 0)]), (1, [(1, 0), (2, 3)])] {
                let Some(beside) = ground.step(span, direction) else { continue };
                joins.extend(shared.map(|(own, other)| (4 * span + own, 4 * beside + other)));
            }
        }
        for &(a, b) in &joins {
            let (a, b) = (root(&mut number, a as u32), root(&mut number, b as u32));
            number[a.max(b) as usize] = a.min(b);
        }
        let (mut steps, mut floors) = (vec![0; number.len()], vec![0; number.len()]);
        for corner in 0..number.len() as u32 {
            let root = root(&mut number, corner);
            number[corner as usize] = root;
            floors[root as usize] += 1;
        }
        joins.iter().for_each(|&(a, _)| steps[number[a] as usize] += 1);
        Corners { number, steps, floors }
    }

    /// The vertex of a corner, if a path can bend there: if there are three floors around it, or four with a
    /// step missing.
    fn bend(&self, (span, corner): (usize, usize)) -> Option<u32> {
        let number = self.number[4 * span + corner];
        let (floors, steps) = (self.floors[number as usize], self.steps[number as usize]);
        (floors >= 3 && (floors, steps) != (4, 4)).then_some(number)
    }
}

fn root(number: &mut [u32], mut at: u32) -> u32 {
    while number[at as usize] != at {
        let above = number[number[at as usize] as usize];
        number[at as usize] = above;
        at = above;
    }
    at
}

/// The polygons of a mesh, in the order of `NavMesh::polygons`. The mesh must be placed at its lattice's
/// origin.
pub fn of_mesh(mesh: &NavMesh) -> Result<Cells, RefError> {
    let polygons: Vec<PolyRef> = mesh.polygons().collect();
    let number: BTreeMap<PolyRef, u32> = polygons.iter().copied().zip(0..).collect();
    let cell = mesh.lattice().map_or([1.0; 3], |lattice| lattice.cell());
    let fixed = |p: Vec3| -> [i64; 3] {
        let p = p.to_array();
        std::array::from_fn(|axis| (f64::from(p[axis]) / cell[axis] * f64::from(FIXED_ONE)).round() as i64)
    };
    let mut ways: Vec<Vec<[[i64; 3]; 2]>> = Vec::with_capacity(polygons.len());
    let mut to = Vec::new();
    let mut ends_of_ground = BTreeSet::new();
    for &polygon in &polygons {
        let mut own = Vec::new();
        mesh.visit_links(polygon, |link| {
            own.push([fixed(link.left), fixed(link.right)]);
            to.push(number.get(&link.to).copied());
        })?;
        let corners: Vec<[i64; 3]> = mesh.corners(polygon)?.map(fixed).collect();
        for (index, &a) in corners.iter().enumerate() {
            let edge = [corners[(index + 1) % corners.len()], a];
            if !own.contains(&edge) {
                ends_of_ground.extend(edge);
            }
        }
        // An opening on a part of an edge ends at a point beyond which the edge may be a wall.
        let whole = |way: &&[[i64; 3]; 2]| {
            let next = |index: usize| corners[(index + 1) % corners.len()];
            (0..corners.len()).any(|index| **way == [next(index), corners[index]])
        };
        ends_of_ground.extend(own.iter().filter(|way| !whole(way)).flatten());
        ways.push(own);
    }
    let vertices: BTreeMap<[i64; 3], u32> = ends_of_ground.into_iter().zip(0..).collect();
    let mut cells = Cells { offsets: vec![0], openings: Vec::new() };
    let mut to = to.into_iter();
    for own in &ways {
        for way in own {
            let Some(to) = to.next().flatten() else { continue };
            let [left, right] = way.map(|[x, _, z]| [x, z]);
            let corners = way.map(|end| vertices.get(&end).copied());
            cells.openings.push(Opening { left, right, corners, to });
        }
        cells.offsets.push(cells.openings.len() as u32);
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::testing::room;

    #[test]
    fn rectangles_cover_every_floor_once() {
        let ground = room("####\n##.#\n####", 0);
        let (cells, owner) = of_ground(&ground);
        assert!(owner.iter().all(Option::is_some));
        // The first row; two columns below it; one column right of the wall; the rest of the last row.
        assert_eq!(cells.offsets.len() - 1, 4);
        assert_eq!(cells.openings.len(), 8);
    }

    #[test]
    fn openings_have_their_left_end_on_the_left() {
        let (cells, _) = of_ground(&room("##.\n###\n.##", 0));
        for opening in &cells.openings {
            let is_back = |other: &&Opening| other.left == opening.right && other.right == opening.left;
            assert!(cells.openings.iter().any(|other| is_back(&other)), "{opening:?}");
        }
        // From the first square towards larger x: z points down, so smaller z is to the left.
        let first = &cells.openings[..cells.offsets[1] as usize];
        assert!(first.iter().any(|o| (o.left, o.right) == ([512, 256], [512, 512])), "{first:?}");
        assert!(first.iter().any(|o| (o.left, o.right) == ([512, 512], [256, 512])), "{first:?}");
    }

    #[test]
    fn paths_bend_at_inner_corners_alone() {
        let (cells, _) = of_ground(&room("##\n#.", 0));
        let corners: Vec<_> =
            cells.openings.iter().flat_map(|o| [(o.left, o.corners[0]), (o.right, o.corners[1])]).collect();
        assert!(
            corners.iter().all(|&(place, corner)| (place == [256, 256]) == corner.is_some()),
            "{corners:?}"
        );
    }
}
