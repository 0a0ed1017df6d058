//! Moves traced outlines onto the places at the radius from the wall lines.
//!
//! Each traced corner along a wall has a nearest wall line: a side of it or an end. Corners one after the
//! other with the same side become one straight line, with the same end one arc; where the lines and arcs
//! of two of them meet, the outline has its corner. Corners that no triangle explains move to the radius
//! one by one. Corners of borders between regions move only if they are nearer to a wall than the radius,
//! and corners on a tile's border move along it, by what both tiles know.

use super::curves::{self, Moved, SAME, Seen};
use super::fewer;
use super::lines::{FloorsAround, WallLines};
use super::shape::Nearest;
use super::vector::{Plan, add, scale};
use crate::data::{Grid, RawVertex, RegionId};
use navmath::FIXED_ONE;
use navmath::predicates::{Point, cross_properly};

/// Moves outlines, one after the other.
pub(crate) struct WallMover<'a> {
    lines: &'a WallLines,
    /// Cells of the tile along x and z.
    size: [i32; 2],
    /// True if other tiles may be beyond its border.
    has_neighbours: bool,
}

impl<'a> WallMover<'a> {
    pub(crate) fn new(lines: &'a WallLines, grid: &Grid) -> WallMover<'a> {
        let size = [grid.inner_width() as i32, grid.inner_depth() as i32];
        WallMover { lines, size, has_neighbours: grid.border > 0 }
    }

    /// Moves each corner of an outline by itself: the last resort, if the lines of the walls lead to an
    /// outline that crosses others.
    pub(crate) fn push_outline(&self, vertices: &mut [RawVertex], floors: &[FloorsAround]) {
        let moved = (0..vertices.len()).map(|corner| self.anchor(&vertices[corner], &floors[corner]));
        vertices.copy_from_slice(&moved.collect::<Vec<_>>());
    }

    /// Replaces the corners of an outline. `floors` are those around each corner.
    pub(crate) fn move_outline(&self, vertices: &mut Vec<RawVertex>, floors: &[FloorsAround]) {
        let count = vertices.len();
        // An edge ends at the corner of its number.
        let is_wall = |edge: usize| vertices[edge % count].beyond.is_none();
        let is_inside =
            |corner: usize| is_wall(corner) && is_wall(corner + 1) && !vertices[corner % count].junction;
        let see = |corner: usize| {
            let at = corner % count;
            self.see(self.place_of(&vertices[at]), &floors[at])
        };
        let mut moved: Vec<RawVertex> = Vec::with_capacity(count);
        let Some(start) = (0..count).find(|&corner| !is_inside(corner)) else {
            let seen: Vec<Option<Seen>> = (0..count).map(see).collect();
            let places = curves::closed(&seen, self.lines);
            let places = self.fewer(places, None, |corner| floors[corner % count]);
            let ring = places.iter().chain(places.first()).map(|moved| self.to_fixed(moved.place));
            if crosses_itself(&ring.collect::<Vec<_>>()) {
                self.push_outline(vertices, floors);
            } else {
                self.append(vertices, places, 0, &mut moved);
                *vertices = moved;
            }
            return;
        };
        let anchor = |corner: usize| self.anchor(&vertices[corner % count], &floors[corner % count]);
        let mut corner = start;
        while corner < start + count {
            moved.push(anchor(corner));
            let end = (corner + 1..start + count).find(|&end| !is_inside(end)).unwrap_or(start + count);
            if is_wall(end) {
                let seen: Vec<Option<Seen>> = (corner..=end).map(see).collect();
                let ends = [corner, end].map(|corner| self.place_of(&anchor(corner)));
                let places = curves::open(&seen, ends, self.lines);
                let places = self.fewer(places, Some(ends), |at| floors[(corner + at) % count]);
                let inside = places.iter().map(|moved| self.to_fixed(moved.place));
                let [from, to] = ends.map(|end| self.to_fixed(end));
                if crosses_itself(&std::iter::once(from).chain(inside).chain([to]).collect::<Vec<_>>()) {
                    let pushed = (corner + 1..end).map(&anchor);
                    moved.extend(pushed);
                } else {
                    self.append(vertices, places, corner, &mut moved);
                }
            }
            corner = end;
        }
        *vertices = moved;
    }

    /// Leaves out corners on the tile's border or beyond it, which belong to the tile there; then short
    /// loops, bays and steps. `floors` finds the floors around a traced corner.
    fn fewer(
        &self,
        mut places: Vec<Moved>,
        ends: Option<[Plan; 2]>,
        floors: impl Fn(usize) -> FloorsAround,
    ) -> Vec<Moved> {
        places.retain(|moved| {
            let place = self.to_fixed(moved.place);
            self.kept_inside(place) == place
        });
        fewer::drop_loops(&mut places, ends, self.lines.radius);
        fewer::cut(&mut places, ends, self.lines.radius, &|place: Plan, corner: usize| {
            self.lines.clearance(place, floors(corner))
        });
        places
    }

    /// Appends the moved corners of a wall that starts at a corner.
    fn append(&self, vertices: &[RawVertex], places: Vec<Moved>, start: usize, moved: &mut Vec<RawVertex>) {
        for place in places {
            let [x, z] = self.to_fixed(place.place);
            if moved.last().is_some_and(|known| known.plan() == [x, z]) {
                continue;
            }
            moved.push(RawVertex {
                position: [x, vertices[(start + place.corner) % vertices.len()].position[1], z],
                beyond: RegionId::NONE,
                area_border: false,
                border_vertex: false,
                junction: false,
                exact: place.exact,
            });
        }
    }

    fn to_fixed(&self, place: Plan) -> [i32; 2] {
        [0, 1].map(|axis| ((place[axis] - self.lines.base[axis]) * f64::from(FIXED_ONE) + 0.5).floor() as i32)
    }

    /// The wall line nearest to a place. Of lines equally near, a line that passes the place comes
    /// before the end of another.
    fn see(&self, place: Plan, floors: &FloorsAround) -> Option<Seen> {
        let nearest = |line: u32| self.lines.lines[line as usize].segment.nearest(place);
        let near: Vec<_> = self.lines.around(*floors).map(|line| (nearest(line), line)).collect();
        let least = near.iter().map(|(to, _)| to.squared).fold(f64::INFINITY, f64::min);
        let reach = (least.sqrt() + SAME).powi(2);
        let order = |(to, line): &&(Nearest, u32)| (to.contact.is_end(), *line);
        let (_, line) = *near.iter().filter(|(to, _)| to.squared <= reach).min_by_key(order)?;
        Seen::new(place, &self.lines.lines[line as usize], *floors)
    }

    /// The place of a corner that both outlines at a border between regions have, or both tiles.
    fn anchor(&self, vertex: &RawVertex, floors: &FloorsAround) -> RawVertex {
        let place = self.place_of(vertex);
        let [x, z] = match (self.borders(vertex), floors.steps) {
            ([true, true], _) | (_, [true, true]) => self.to_fixed(place),
            ([on_x, on_z], [before, behind]) if (on_x || on_z) && before != behind => {
                self.to_fixed(self.along_border(place, usize::from(on_x), floors))
            }
            _ => self.kept_inside(self.to_fixed(self.pushed(place, floors))),
        };
        let exact = self.see(place, floors).is_none_or(|seen| seen.line.exact);
        RawVertex { position: [x, vertex.position[1], z], exact, ..*vertex }
    }

    /// The nearest place inside the tile. Places beyond its border, or on it, belong to the tile there.
    fn kept_inside(&self, place: [i32; 2]) -> [i32; 2] {
        let least = i32::from(self.has_neighbours);
        [0, 1].map(|axis| place[axis].clamp(least, self.size[axis] * FIXED_ONE - least))
    }

    /// True along each axis if a corner is on the border to another tile there.
    pub(crate) fn borders(&self, vertex: &RawVertex) -> [bool; 2] {
        let [x, _, z] = vertex.position;
        let on_border = |at: i32, size: i32| self.has_neighbours && (at == 0 || at == size * FIXED_ONE);
        [on_border(x, self.size[0]), on_border(z, self.size[1])]
    }

    /// Moves a place away from walls nearer than the radius.
    fn pushed(&self, place: Plan, floors: &FloorsAround) -> Plan {
        const TRIES: usize = 8;
        let mut at = place;
        for _ in 0..TRIES {
            let Some(seen) = self.see(at, floors) else { break };
            let missing = self.lines.radius - seen.distance;
            if missing <= SAME {
                break;
            }
            at = add(at, scale(seen.normal, missing));
        }
        at
    }

    /// Moves a place along one axis to the end of the shadow over it, in the direction of the only step over
    /// the border.
    fn along_border(&self, place: Plan, axis: usize, floors: &FloorsAround) -> Plan {
        let [is_down, _] = floors.steps;
        let mut shadows: Vec<[f64; 2]> = self
            .lines
            .around(*floors)
            .filter_map(|line| {
                let segment = &self.lines.lines[line as usize].segment;
                segment.shadow(axis, place[1 - axis], self.lines.radius)
            })
            .collect();
        shadows.sort_unstable_by(|one, two| one[0].total_cmp(&two[0]));
        let mut at = place[axis];
        let mut over: Option<[f64; 2]> = None;
        for [start, end] in shadows {
            match &mut over {
                Some(over) if start < over[1] => over[1] = over[1].max(end),
                Some(over) if over[1] > at => break,
                _ => over = Some([start, end]),
            }
        }
        if let Some([start, end]) = over.filter(|[start, end]| *start < at && at < *end) {
            at = if is_down { start } else { end };
        }
        if (at - place[axis]).abs() > 1.0 {
            return place;
        }
        let mut moved = place;
        moved[axis] = at;
        moved
    }

    /// The place of a corner, cells from the lattice's zero.
    fn place_of(&self, vertex: &RawVertex) -> Plan {
        let [x, _, z] = vertex.position;
        let base = self.lines.base;
        [f64::from(x) / f64::from(FIXED_ONE) + base[0], f64::from(z) / f64::from(FIXED_ONE) + base[1]]
    }
}

/// Returns true if two edges of a line cross. Few walls have many corners.
fn crosses_itself(corners: &[Point]) -> bool {
    let edges: Vec<[Point; 2]> = corners.array_windows::<2>().copied().collect();
    edges
        .iter()
        .enumerate()
        .any(|(index, [a, b])| edges[index + 1..].iter().skip(1).any(|[c, d]| cross_properly(*a, *b, *c, *d)))
}
