//! Seams whose border edges differ: an edge meets parts of several others, on two storeys, and of several
//! tiles. Checked by every pair of edges, one by one.

use crate::common::{CLIMB, METRE, METRE_UP, Random, lattice, tile};
use detour::{Crossings, NavMesh, PolyRef, Query, StraightPath, Vec3};
use navtile::content::Beyond;
use navtile::layout::side;
use navtile::{EdgeContent, PolygonContent, Tile, TileContent, TileCoord};

/// Length of the seam, fixed-point; tiles are as deep.
const LENGTH: i32 = 8 * METRE;

/// The axis across a seam at zero, and the side of the seam that a tile is on: -1 or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Across {
    axis: usize,
    sign: i32,
}

impl Across {
    fn side(self) -> u8 {
        match (self.axis, self.sign) {
            (0, -1) => side::X_MAX,
            (0, _) => side::X_MIN,
            (_, -1) => side::Z_MAX,
            _ => side::Z_MIN,
        }
    }

    /// The position at distance `away` from the seam, on the tile's side.
    fn at(self, along: i32, height: i32, away: i32) -> [i32; 3] {
        let mut at = [along, height, along];
        at[self.axis] = self.sign * away;
        at
    }

    /// The ends of a part of the seam, left and right as seen when leaving the tile: left is up times
    /// outwards.
    fn left_and_right(self, [low, high]: [Vec3; 2]) -> [Vec3; 2] {
        let outwards = if self.axis == 0 { Vec3::X } else { Vec3::Z } * -self.sign as f32;
        let left = Vec3::Y.cross(outwards);
        if left.dot(high - low) > 0.0 { [high, low] } else { [low, high] }
    }
}

/// A polygon at the seam: positions along it and heights there, in ascending order, fixed-point. It reaches
/// inwards by two metres.
type Border = Vec<[i32; 2]>;

/// A tile at the seam with these polygons. Its base cell is `shift` cells from the seam's start, and the same
/// number of cells up.
fn beside(across: Across, layer: i32, shift: i32, borders: &[Border]) -> Tile {
    tile(&content(across, layer, shift, borders))
}

fn content(across: Across, layer: i32, shift: i32, borders: &[Border]) -> TileContent {
    let along = 2 - across.axis;
    let mut base = [0, shift, 0];
    base[along] = shift;
    base[across.axis] = (across.sign - 1) / 2 * LENGTH / 256;
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for border in borders {
        let [[start, low], .., [end, high]] = border[..] else { panic!("a border of one point") };
        let mut corners: Vec<[i32; 3]> =
            border.iter().map(|[along, height]| across.at(*along, *height, 0)).collect();
        corners.extend([across.at(end, high, 2 * METRE), across.at(start, low, 2 * METRE)]);
        // Edges have the interior to their left.
        if (across.axis == 0) != (across.sign > 0) {
            corners.reverse();
        }
        let first = vertices.len() as u32;
        let is_border = |corner: &[i32; 3]| corner[across.axis] == 0;
        let edges = (0..corners.len()).map(|at| {
            let next = &corners[(at + 1) % corners.len()];
            let is_portal = is_border(&corners[at]) && is_border(next);
            let beyond = if is_portal { Beyond::Portal(across.side()) } else { Beyond::Wall };
            EdgeContent { vertex: first + at as u32, beyond }
        });
        polygons.push(PolygonContent {
            edges: edges.collect(),
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        });
        vertices.extend(corners.iter().map(|corner| [0, 1, 2].map(|axis| corner[axis] - 256 * base[axis])));
    }
    let mut coord = TileCoord { x: 0, z: 0, layer };
    *(if across.axis == 0 { &mut coord.x } else { &mut coord.z }) = across.sign;
    if across.sign < 0 {
        (coord.x, coord.z) = (0, 0);
    }
    let mut size_cells = [LENGTH as u32 / 256; 2];
    size_cells[along / 2] += 64;
    TileContent {
        coord,
        lattice: lattice(),
        base_cell: base.map(i64::from),
        size_cells,
        agent: [0.0, 2.0, CLIMB, 45.0],
        vertices,
        polygons,
        off_mesh_links: Vec::new(),
    }
}

fn metres(at: [i32; 3]) -> Vec3 {
    let [x, y, z] = at.map(|value| value as f32);
    Vec3::new(x / METRE as f32, y / METRE_UP as f32, z / METRE as f32)
}

/// A storey cut into pieces at random, some of them left out, whose heights differ by less than a climb.
fn storey(random: &mut Random, from: i32, to: i32, height: i32, borders: &mut Vec<Border>) {
    let step = METRE / 16;
    let mut cuts: Vec<i32> = (0..random.below(6))
        .map(|_| from + step * (1 + random.below(((to - from) / step) as u64 - 1) as i32))
        .collect();
    cuts.extend([from, to]);
    cuts.sort_unstable();
    cuts.dedup();
    let points: Vec<[i32; 2]> =
        cuts.iter().map(|at| [*at, height + random.below(METRE_UP as u64 / 4) as i32]).collect();
    borders.extend(points.windows(2).filter(|_| random.below(6) != 0).map(<[_]>::to_vec));
}

/// The height of a border of one edge at a position along it.
fn height([[start, low], [end, high]]: [[i32; 2]; 2], along: i32) -> f32 {
    let t = f64::from(along - start) / f64::from(end - start);
    ((f64::from(low) + f64::from(high - low) * t) / f64::from(METRE_UP)) as f32
}

/// A tile as it was drawn: its position, and its polygons.
type Drawn = (Across, Vec<Border>);

/// The tile and the index of a polygon.
fn drawn_at(mesh: &NavMesh, tiles: &[Drawn], polygon: PolyRef) -> (usize, usize) {
    let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
    let is_it = |across: Across, border: &Border| {
        let mut ends = border.iter().map(|[along, height]| metres(across.at(*along, *height, 0)));
        let inner = metres(across.at(border[0][0], border[0][1], 2 * METRE));
        ends.all(|end| corners.contains(&end)) && corners.contains(&inner)
    };
    let places = tiles.iter().enumerate().flat_map(|(number, (across, borders))| {
        borders
            .iter()
            .enumerate()
            .filter(|(_, border)| is_it(*across, border))
            .map(move |(at, _)| (number, at))
    });
    let found: Vec<_> = places.collect();
    assert_eq!(found.len(), 1, "{corners:?}");
    found[0]
}

/// A link: the polygon that it leads to, and its left and right end.
type Expected = ((usize, usize), [Vec3; 2]);

/// The links of a polygon: to each polygon on the other side of the seam that shares a part with it, on its
/// storey.
fn expected(tiles: &[Drawn], (number, at): (usize, usize)) -> Vec<Expected> {
    let (across, borders) = &tiles[number];
    let [here_start, here_end] = borders[at][..] else { panic!("a border of one edge") };
    let mut links = Vec::new();
    for (other, (there, others)) in
        tiles.iter().enumerate().filter(|(_, (there, _))| there.sign != across.sign)
    {
        for (index, border) in others.iter().enumerate() {
            let [start, end] = border[..] else { panic!("a border of one edge") };
            let shared = [here_start[0].max(start[0]), here_end[0].min(end[0])];
            let is_same_storey = (start[1] - here_start[1]).abs() < METRE_UP;
            if shared[0] < shared[1] && is_same_storey {
                let ends = shared.map(|along| {
                    metres(across.at(along, 0, 0)).with_y(height([here_start, here_end], along))
                });
                assert_eq!(there.axis, across.axis);
                links.push(((other, index), across.left_and_right(ends)));
            }
        }
    }
    links
}

/// Compares the links of all polygons with those expected, and returns them in their order.
fn check(mesh: &NavMesh, tiles: &[Drawn], case: &str) -> Vec<Vec<(usize, usize)>> {
    let mut all = Vec::new();
    for polygon in mesh.polygons() {
        let place = drawn_at(mesh, tiles, polygon);
        let (mut expected, mut order) = (expected(tiles, place), Vec::new());
        mesh.visit_links(polygon, |link| {
            let to = drawn_at(mesh, tiles, link.to);
            order.push(to);
            let found = expected.iter().position(|(other, [left, right])| {
                let is_near = |a: Vec3, b: Vec3| a.distance(b) < 1e-5;
                *other == to && is_near(*left, link.left) && is_near(*right, link.right)
            });
            let Some(found) = found else { panic!("{case}: {place:?} has {link:?} to {to:?}") };
            expected.swap_remove(found);
        })
        .unwrap();
        assert!(expected.is_empty(), "{case}: {place:?} lacks {expected:?}");
        all.push((place, order));
    }
    all.sort();
    all.into_iter().map(|(_, order)| order).collect()
}

#[test]
fn border_edges_link_to_all_that_they_share_a_part_with() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let (mut several, mut of_several_tiles) = (0, 0);
    for seed in 1..120 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (axis, sign) = (2 * random.below(2) as usize, 2 * random.below(2) as i32 - 1);
        let (here, there) = (Across { axis, sign }, Across { axis, sign: -sign });
        let split = METRE * (2 + random.below(5) as i32);
        let mut tiles: Vec<Drawn> = vec![(here, Vec::new()), (there, Vec::new()), (there, Vec::new())];
        for storey_height in [0, 4 * METRE_UP] {
            let ranges = [(0, LENGTH), (0, split), (split, LENGTH)];
            for ((_, borders), (from, to)) in tiles.iter_mut().zip(ranges) {
                storey(&mut random, from, to, storey_height, borders);
            }
        }
        let shifts: [i32; 3] = std::array::from_fn(|_| -(random.below(20) as i32));
        let blobs: Vec<Tile> = (0..3)
            .map(|number| beside(tiles[number].0, (number / 2) as i32, shifts[number], &tiles[number].1))
            .collect();
        let mut orders = ORDERS.iter().map(|order| {
            let mesh = crate::common::mesh(order.map(|number| blobs[number].clone()));
            check(&mesh, &tiles, &format!("seed {seed}, order {order:?}"))
        });
        let first = orders.next().unwrap();
        several += first.iter().filter(|links| links.len() > 1).count();
        of_several_tiles += first.iter().filter(|links| links.iter().any(|to| to.0 != links[0].0)).count();
        assert!(
            orders.all(|links| links == first),
            "seed {seed}: the order of links depends on that of loading"
        );
    }
    assert!(several > 500 && of_several_tiles > 50, "{several} {of_several_tiles}");
}

/// A point within a polygon of the whole seam.
fn inside(random: &mut Random, across: Across) -> Vec3 {
    metres(across.at(random.below(LENGTH as u64) as i32, 0, 1 + random.below(2 * METRE as u64 - 2) as i32))
}

/// A whole border with up to three cuts.
fn cut(random: &mut Random) -> Border {
    let mut cuts: Vec<i32> =
        (0..random.below(4)).map(|_| 64 * (1 + random.below(126) as i32)).chain([0, LENGTH]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.into_iter().map(|at| [at, 0]).collect()
}

/// The point where the string between random places of the two polygons crosses the seam, metres along it,
/// and the points of the string.
fn crossing(random: &mut Random, mesh: &NavMesh, from: Across) -> (f32, Vec<Vec3>) {
    let to = Across { sign: -from.sign, ..from };
    let points = [from, to].map(|across| inside(random, across));
    let way = points.map(|at| crate::common::place(mesh, at).polygon);
    let mut straight = StraightPath::default();
    Query::new().straight_path(mesh, points[0], points[1], &way, Crossings::None, &mut straight).unwrap();
    let corners: Vec<Vec3> = straight.corners.iter().map(|corner| corner.point).collect();
    let across = |point: Vec3| point[from.axis] * from.sign as f32;
    let leg = corners.windows(2).find(|leg| across(leg[0]) >= 0.0 && across(leg[1]) <= 0.0).unwrap();
    let [here, there] = [leg[0], leg[1]].map(across);
    let t = if here == there { 0.0 } else { here / (here - there) };
    (leg[0].lerp(leg[1], t)[2 - from.axis], corners)
}

#[test]
fn edges_in_a_row_to_one_neighbour_are_one_opening() {
    for seed in 1..200 {
        let mut random = Random(seed * 0x9E37_79B9);
        let axis = 2 * random.below(2) as usize;
        let sides = [-1, 1].map(|sign| Across { axis, sign });
        let borders = [cut(&mut random), cut(&mut random)];
        let mesh =
            crate::common::mesh([0, 1].map(|number| beside(sides[number], 0, 0, &borders[number..][..1])));
        for from in sides {
            let (_, corners) = crossing(&mut random, &mesh, from);
            assert_eq!(corners.len(), 2, "seed {seed}, cut at {borders:?}: {corners:?}");
        }
    }
}

#[test]
fn openings_with_a_wall_between_them_are_not_one() {
    let mut bent = 0;
    for seed in 1..200 {
        let mut random = Random(seed * 0x9E37_79B9);
        let axis = 2 * random.below(2) as usize;
        let sides = [-1, 1].map(|sign| Across { axis, sign });
        let [low, high] = [2 * METRE, 5 * METRE];
        let mut content = content(sides[0], 0, 0, &[vec![[0, 0], [low, 0], [high, 0], [LENGTH, 0]]]);
        let is_wall = |at: usize, next: usize| {
            [at, next].iter().all(|at| [low, high].contains(&content.vertices[*at][2 - axis]))
        };
        let count = content.vertices.len();
        let wall = (0..count).find(|at| is_wall(*at, (at + 1) % count)).unwrap();
        content.polygons[0].edges[wall].beyond = Beyond::Wall;
        let mesh = crate::common::mesh([tile(&content), beside(sides[1], 0, 0, &[cut(&mut random)])]);
        for from in sides {
            let (along, corners) = crossing(&mut random, &mesh, from);
            assert!(along <= 2.0 || along >= 5.0, "seed {seed}: through the wall at {along}, {corners:?}");
            bent += usize::from(corners.len() > 2);
        }
    }
    assert!(bent > 50, "{bent}");
}
