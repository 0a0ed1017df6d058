//! Moves traced outlines onto the places at the radius from the wall lines.
//!
//! Each traced corner along a wall has a nearest wall line: a side of it or an end. Corners one after the
//! other with the same side become one straight line, with the same end one arc; where the lines and arcs
//! of two of them meet, the outline has its corner. Corners that no triangle explains move to the radius
//! one by one. Corners of borders between regions move only if they are nearer to a wall than the radius,
//! and corners on a tile's border move along it, by what both tiles know.

use super::curves::{self, Moved, SAME, Seen};
use super::fewer;
use super::lines::{AtBorder, FloorsAround, WallLines};
use super::shadows::shadow_over;
use super::vector::{Plan, add, scale};
use super::volumes::VolumeEdges;
use crate::data::{Grid, RawVertex, RegionId};
use navmath::FIXED_ONE;

/// Moves outlines, one after the other.
pub(crate) struct WallMover<'a> {
    lines: &'a WallLines,
    volumes: VolumeEdges<'a>,
    /// Cells of the tile along x and z.
    size: [i32; 2],
    /// True if other tiles may be beyond its border.
    has_neighbours: bool,
}

impl<'a> WallMover<'a> {
    pub(crate) fn new(lines: &'a WallLines, volumes: VolumeEdges<'a>, grid: &Grid) -> WallMover<'a> {
        let size = [grid.inner_width() as i32, grid.inner_depth() as i32];
        WallMover { lines, volumes, size, has_neighbours: grid.border > 0 }
    }

    /// Replaces the corners of an outline. `floors` are those around each corner.
    pub(crate) fn move_outline(&self, vertices: &mut Vec<RawVertex>, floors: &[FloorsAround]) {
        let count = vertices.len();
        let at_volume: Vec<Option<Plan>> =
            vertices.iter().zip(floors).map(|(vertex, floors)| self.at_volume(vertex, floors)).collect();
        // An edge ends at the corner of its number.
        let is_wall = |edge: usize| vertices[edge % count].beyond.is_none();
        let is_inside = |corner: usize| {
            let at = corner % count;
            let is_free = !floors[at].alone && !vertices[at].junction && at_volume[at].is_none();
            is_free && is_wall(corner) && is_wall(corner + 1)
        };
        let see = |corner: usize| {
            let at = corner % count;
            self.see(self.place_of(&vertices[at]), &floors[at])
        };
        let mut moved: Vec<RawVertex> = Vec::with_capacity(count);
        let Some(start) = (0..count).find(|&corner| !is_inside(corner)) else {
            let seen: Vec<Option<Seen>> = (0..count).map(see).collect();
            let places = curves::closed(&seen, self.lines);
            let places = self.fewer(places, None, |corner| floors[corner % count]);
            self.append(vertices, places, 0, &mut moved);
            *vertices = moved;
            return merge_equal(vertices);
        };
        let anchor = |corner: usize| {
            let at = corner % count;
            self.anchor(&vertices[at], &floors[at], at_volume[at])
        };
        let mut corner = start;
        while corner < start + count {
            moved.push(anchor(corner));
            let end = (corner + 1..start + count).find(|&end| !is_inside(end)).unwrap_or(start + count);
            // Along the edge of a volume, and between corners that move alone, every corner is known.
            let is_known = |corner: usize| {
                let at = corner % count;
                floors[at].alone || at_volume[at].is_some()
            };
            if is_wall(end) && !(is_known(corner) && is_known(end) && end == corner + 1) {
                let seen: Vec<Option<Seen>> = (corner..=end).map(see).collect();
                let ends = [corner, end].map(|corner| self.place_of(&anchor(corner)));
                let places = curves::open(&seen, ends, self.lines);
                let places = self.fewer(places, Some(ends), |at| floors[(corner + at) % count]);
                self.append(vertices, places, corner, &mut moved);
            }
            corner = end;
        }
        *vertices = moved;
        merge_equal(vertices);
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
        let reach = (self.lines.clearance(place, *floors) + SAME).powi(2);
        let near = self.lines.around(*floors).filter_map(|line| {
            let to = nearest(line);
            (to.squared <= reach).then_some((to.contact.is_end(), line))
        });
        let (_, line) = near.min()?;
        Seen::new(place, &self.lines.lines[line as usize], *floors)
    }

    /// The place of a corner on the edge of a volume that leads over it.
    fn at_volume(&self, vertex: &RawVertex, floors: &FloorsAround) -> Option<Plan> {
        let axis = match floors.border {
            AtBorder::Corner => return None,
            AtBorder::Inside => None,
            AtBorder::Along { axis, .. } => Some(axis),
        };
        self.volumes.place(self.place_of(vertex), floors, axis)
    }

    /// The place of a corner that both outlines at a border between regions have, or both tiles.
    fn anchor(&self, vertex: &RawVertex, floors: &FloorsAround, at_volume: Option<Plan>) -> RawVertex {
        let traced = self.place_of(vertex);
        let place = at_volume.unwrap_or(traced);
        let [x, z] = match floors.border {
            AtBorder::Corner | AtBorder::Along { steps: [true, true], .. } => self.to_fixed(place),
            AtBorder::Along { axis, steps: [before, behind] } if before != behind => {
                self.to_fixed(self.along_border(place, axis, before, floors))
            }
            _ => self.kept_inside(self.to_fixed(self.pushed(place, floors))),
        };
        let is_exact = || self.see(traced, floors).is_some_and(|seen| seen.line.exact);
        // Corners that move alone are many. As with cells, few edges near them take their place.
        let exact = !floors.alone && (at_volume.is_some() || is_exact());
        let moved = RawVertex { position: [x, vertex.position[1], z], exact, ..*vertex };
        let height = at_volume.and_then(|_| self.volumes.height(self.place_of(&moved), floors));
        RawVertex { position: [x, height.unwrap_or(vertex.position[1]), z], ..moved }
    }

    /// The nearest place inside the tile. Places beyond its border, or on it, belong to the tile there.
    fn kept_inside(&self, place: [i32; 2]) -> [i32; 2] {
        let least = i32::from(self.has_neighbours);
        [0, 1].map(|axis| place[axis].clamp(least, self.size[axis] * FIXED_ONE - least))
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
    /// the border: down if `is_down`.
    fn along_border(&self, place: Plan, axis: usize, is_down: bool, floors: &FloorsAround) -> Plan {
        let shadow = |line: u32| {
            let segment = &self.lines.lines[line as usize].segment;
            segment.shadow(axis, place[1 - axis], self.lines.radius)
        };
        let mut shadows: Vec<[f64; 2]> = self.lines.around(*floors).filter_map(shadow).collect();
        let Some([start, end]) = shadow_over(place[axis], &mut shadows) else { return place };
        let at = if is_down { start } else { end };
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

/// Keeps one of several consecutive corners at the same place: a junction if there is one, else the highest.
/// The outline on the other side of a border between regions has the same corners in the opposite order, and
/// keeps the same one.
fn merge_equal(vertices: &mut Vec<RawVertex>) {
    let merge = |known: &mut RawVertex, next: &RawVertex| {
        let is_same = known.plan() == next.plan() && !(known.junction && next.junction);
        if is_same {
            let [own, other] = [known.position[1], next.position[1]];
            known.position[1] = match (known.junction, next.junction) {
                (true, _) => own,
                (_, true) => other,
                _ => own.max(other),
            };
            known.junction |= next.junction;
            known.border_vertex &= next.border_vertex;
            known.exact |= next.exact;
        }
        is_same
    };
    vertices.dedup_by(|next, known| merge(known, next));
    while let [first, .., last] = &mut vertices[..]
        && merge(last, first)
    {
        vertices.remove(0);
    }
}
