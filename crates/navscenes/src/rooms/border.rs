//! The border of a baked mesh, compared with the true one.

use super::truth::{distance, nearest_on};
use super::{Point, Rooms, TrueBorder};
use navtile::Tile;
use navtile::islands::Islands;
use navtile::layout::{self, edge_kind};

/// Distance between samples of the border, metres.
const STEP: f64 = 0.02;
/// Samples that are nearer to a wall than the radius by less than this count as exact, metres.
const SLACK: f64 = 1e-3;

/// Distances between the border of baked meshes and the true border, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BorderErrors {
    /// Meshes that were measured.
    pub meshes: usize,
    /// Meshes that connect the two ends of their rooms.
    pub open: usize,
    /// Polygons of all meshes.
    pub polygons: usize,
    /// Edges of polygons with a wall beyond.
    pub wall_edges: usize,
    /// Error of each sample of the border, see [`TrueBorder::error`]; sorted by size.
    pub errors: Vec<f64>,
    /// The smallest clearance of a sample, less the radius; positive if no sample is too near.
    pub nearest: f64,
    /// The largest distance of a corner of the true border, or of the middle of an arc, from the mesh's
    /// border.
    pub corner: f64,
}

impl BorderErrors {
    /// Measures the mesh of all tiles of a level, for an agent of this radius.
    pub fn measure(rooms: &Rooms, radius: f64, tiles: &[Tile]) -> BorderErrors {
        let truth = TrueBorder::new(&rooms.plan, radius);
        let edges: Vec<[[f64; 3]; 2]> = tiles.iter().flat_map(wall_edges).collect();
        let points = edges.iter().flat_map(samples).map(plan);
        let of_points = points.map(|point| (truth.error(point), truth.clearance(point) - radius));
        let BorderErrors { errors, nearest, .. } = BorderErrors::of_points(of_points);
        let edges: Vec<[Point; 2]> = edges.iter().map(|ends| ends.map(plan)).collect();
        let from_border = |mark: Point| {
            edges.iter().map(|&edge| distance(nearest_on(edge, mark), mark)).fold(f64::INFINITY, f64::min)
        };
        BorderErrors {
            meshes: 1,
            open: usize::from(is_open(rooms, tiles)),
            polygons: tiles.iter().map(|tile| tile.polygons().len()).sum(),
            wall_edges: edges.len(),
            errors,
            nearest,
            corner: truth.marks().map(from_border).fold(0.0, f64::max),
        }
    }

    /// Of single samples: the error of each, and its clearance less the radius.
    pub fn of_points(points: impl Iterator<Item = (f64, f64)>) -> BorderErrors {
        let (mut errors, nearest): (Vec<f64>, Vec<f64>) = points.unzip();
        errors.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let nearest = nearest.into_iter().fold(f64::INFINITY, f64::min);
        BorderErrors { errors, nearest, ..BorderErrors::default() }
    }

    /// The measures of several meshes as one.
    pub fn sum(all: impl IntoIterator<Item = BorderErrors>) -> BorderErrors {
        let mut sum = BorderErrors { nearest: f64::INFINITY, ..BorderErrors::default() };
        for one in all {
            sum.meshes += one.meshes;
            sum.open += one.open;
            sum.polygons += one.polygons;
            sum.wall_edges += one.wall_edges;
            sum.errors.extend(one.errors);
            sum.nearest = sum.nearest.min(one.nearest);
            sum.corner = sum.corner.max(one.corner);
        }
        sum.errors.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        sum
    }

    fn share(&self, sum: impl Fn(f64) -> f64) -> f64 {
        self.errors.iter().map(|&error| sum(error)).sum::<f64>() / self.errors.len().max(1) as f64
    }

    /// Mean distance.
    pub fn mean(&self) -> f64 {
        self.share(f64::abs)
    }

    /// The part of the mean due to samples too far from walls.
    pub fn inwards(&self) -> f64 {
        self.share(|error| error.max(0.0))
    }

    /// Share of samples that are too near to a wall, 0 to 1.
    pub fn too_near(&self) -> f64 {
        self.share(|error| if error < -SLACK { 1.0 } else { 0.0 })
    }

    /// The distance that this share of the samples does not exceed: 1 for the largest. 0 without samples.
    pub fn within(&self, share: f64) -> f64 {
        let last = self.errors.len().saturating_sub(1) as f64;
        self.errors.get((last * share).round() as usize).map_or(0.0, |error| error.abs())
    }
}

/// Samples of the border of a mesh, world metres.
pub fn border_samples(tile: &Tile) -> Vec<[f64; 3]> {
    wall_edges(tile).iter().flat_map(samples).collect()
}

fn samples([a, b]: &[[f64; 3]; 2]) -> impl Iterator<Item = [f64; 3]> {
    let parts = (distance(plan(*a), plan(*b)) / STEP).ceil();
    (0..parts as u32).map(move |part| {
        let t = f64::from(part) / parts;
        std::array::from_fn(|axis| a[axis] + t * (b[axis] - a[axis]))
    })
}

/// Edges with a wall beyond.
fn wall_edges(tile: &Tile) -> Vec<[[f64; 3]; 2]> {
    let mut edges = Vec::new();
    for polygon in tile.polygons() {
        let own = tile.polygon_edges(polygon);
        for (edge, next) in own.iter().zip(own.iter().cycle().skip(1)) {
            if edge.kind == edge_kind::WALL {
                edges.push([edge.vertex, next.vertex].map(|vertex| corner(tile, vertex)));
            }
        }
    }
    edges
}

fn corner(tile: &Tile, vertex: u32) -> [f64; 3] {
    tile.to_world(tile.vertices()[vertex as usize])
}

fn plan([x, _, z]: [f64; 3]) -> Point {
    [x, z]
}

/// Returns true if both ends of the rooms are on one island.
fn is_open(rooms: &Rooms, tiles: &[Tile]) -> bool {
    let islands = Islands::find(tiles).island_of;
    let island = |end: Point| {
        tiles.iter().zip(&islands).find_map(|(tile, islands)| {
            let over = |polygon: &layout::Polygon| {
                let corners = tile.polygon_edges(polygon).iter().map(|edge| plan(corner(tile, edge.vertex)));
                let corners: Vec<Point> = corners.collect();
                corners
                    .iter()
                    .zip(corners.iter().cycle().skip(1))
                    .all(|(a, b)| (end[0] - a[0]) * (b[1] - a[1]) - (b[0] - a[0]) * (end[1] - a[1]) >= 0.0)
            };
            tile.polygons().iter().position(over).map(|polygon| islands[polygon])
        })
    };
    let [first, last] = rooms.ends.map(island);
    first.is_some() && first == last
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmath::{FIXED_ONE, Lattice};
    use navtile::content::Beyond;
    use navtile::{EdgeContent, PolygonContent, TileContent, TileCoord};

    /// A tile of one rectangle, in cells of 0.1 m: smallest and largest corner.
    fn tile([[x0, z0], [x1, z1]]: [[i32; 2]; 2]) -> Tile {
        let vertices =
            [[x0, z0], [x0, z1], [x1, z1], [x1, z0]].map(|[x, z]| [x, 0, z].map(|c| c * FIXED_ONE));
        let wall = |vertex| EdgeContent { vertex, beyond: Beyond::Wall };
        let polygon = PolygonContent {
            edges: (0..4).map(wall).collect(),
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: Vec::new(),
        };
        let content = TileContent {
            coord: TileCoord::default(),
            lattice: Lattice { origin: [-15.0, 0.0, -5.0], cell_size: 0.1, cell_height: 0.1 },
            base_cell: [0; 3],
            size_cells: [300, 100],
            agent: [0.5, 2.0, 0.5, 45.0],
            vertices: vertices.to_vec(),
            polygons: vec![polygon],
            off_mesh_links: Vec::new(),
        };
        Tile::from_bytes(&content.write().unwrap().0).unwrap()
    }

    /// A room of 10 x 7 m. Its true border for a radius of 0.5 is at cells 55 to 145 and 20 to 80.
    fn measured(mesh: [[i32; 2]; 2]) -> BorderErrors {
        let outline = vec![[-10.0, -3.5], [-10.0, 3.5], [0.0, 3.5], [0.0, -3.5]];
        let plan = navplane::Polygon { outline, holes: Vec::new() };
        let rooms = Rooms { level: recast::Level::default(), plan, ends: [[-9.0, 0.0], [-1.0, 0.0]] };
        BorderErrors::measure(&rooms, 0.5, &[tile(mesh)])
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn a_perfect_mesh_has_no_error() {
        let found = measured([[55, 20], [145, 80]]);
        assert!(near(found.within(1.0), 0.0) && near(found.nearest, 0.0) && near(found.corner, 0.0));
        assert_eq!((found.wall_edges, found.polygons, found.open, found.too_near()), (4, 1, 1, 0.0));
    }

    #[test]
    fn a_border_too_far_from_walls_is_an_error_inwards() {
        let found = measured([[56, 21], [144, 79]]);
        assert!(near(found.mean(), 0.1) && near(found.inwards(), 0.1) && near(found.within(1.0), 0.1));
        assert!(near(found.nearest, 0.1) && near(found.corner, 0.02f64.sqrt()));
    }

    #[test]
    fn a_border_too_near_to_walls_is_the_other_error() {
        let found = measured([[54, 19], [146, 81]]);
        assert!(near(found.nearest, -0.1) && found.inwards() == 0.0 && found.too_near() == 1.0);
        // Near the corners of this mesh the true border's own corner is nearest.
        assert!(near(found.within(1.0), 0.02f64.sqrt()) && near(found.within(0.5), 0.1));
    }

    #[test]
    fn a_mesh_of_half_the_room_connects_nothing() {
        let found = measured([[55, 20], [95, 80]]);
        assert!(near(found.corner, 5.0) && near(found.within(1.0), 3.0) && found.open == 0);
        let sum = BorderErrors::sum([found, measured([[55, 20], [145, 80]])]);
        assert_eq!((sum.meshes, sum.open, sum.wall_edges), (2, 1, 8));
        assert!(near(sum.corner, 5.0) && near(sum.within(1.0), 3.0) && near(sum.nearest, 0.0));
    }
}
