//! Meshes small enough to read: ASCII grids and lists of rectangles, turned into verified tiles.
//!
//! A lattice cell is 0.25 m wide and 0.125 m high, so that a square of the grid is 1 m, 1,024 fixed-point
//! units wide, and everything is exact. Columns run along x, rows along z.

pub(crate) mod levels;
pub(crate) mod links;
pub(crate) mod visibility;
pub(crate) mod world;

use detour::{Filter, NavMesh, Place, PolyRef, Query, Vec3};
use navmath::Lattice;
use navtile::content::Beyond;
use navtile::layout::side;
use navtile::{DetailTriangleContent, EdgeContent, PolygonContent, Tile, TileContent, TileCoord};

/// Fixed-point units per metre, in x and z.
pub(crate) const METRE: i32 = 1024;
/// Fixed-point units per metre, in y.
pub(crate) const METRE_UP: i32 = 2048;
/// The agent's climb, metres.
pub(crate) const CLIMB: f32 = 0.5;

pub(crate) fn lattice() -> Lattice {
    Lattice::new([0.0; 3], 0.25, 0.125).unwrap()
}

/// A grid of one-metre squares. `#` has no floor; `.` is area 1; a digit is that area. Flags are
/// `1 << (area - 1)`.
pub(crate) struct Grid<'a> {
    pub(crate) coord: TileCoord,
    pub(crate) rows: Vec<&'a str>,
    /// True if the outer edges are portals.
    pub(crate) portals: bool,
    /// Position of the vertex at (column, row), relative to the tile, fixed-point.
    pub(crate) vertex: Box<dyn Fn(i32, i32) -> [i32; 3] + 'a>,
    /// Height of an extra detail vertex in the middle of each square above its corners' mean, fixed-point.
    pub(crate) bump: i32,
}

impl<'a> Grid<'a> {
    pub(crate) fn new(text: &'a str) -> Grid<'a> {
        Grid {
            coord: TileCoord::default(),
            rows: text.split_whitespace().collect(),
            portals: false,
            vertex: Box::new(|column, row| [column * METRE, 0, row * METRE]),
            bump: 0,
        }
    }

    /// A grid that is one tile of a grid of tiles of equal size.
    pub(crate) fn tiled(text: &'a str, x: i32, z: i32) -> Grid<'a> {
        Grid { coord: TileCoord { x, z, layer: 0 }, portals: true, ..Grid::new(text) }
    }

    fn area(&self, column: i32, row: i32) -> Option<u8> {
        let cell =
            *self.rows.get(usize::try_from(row).ok()?)?.as_bytes().get(usize::try_from(column).ok()?)?;
        match cell {
            b'#' => None,
            b'.' => Some(1),
            digit => Some(digit - b'0'),
        }
    }

    fn size(&self) -> (i32, i32) {
        (self.rows[0].len() as i32, self.rows.len() as i32)
    }

    fn beyond(&self, numbers: &[Vec<Option<u32>>], column: i32, row: i32, border: u8) -> Beyond {
        let (columns, rows) = self.size();
        if column < 0 || row < 0 || column >= columns || row >= rows {
            return if self.portals { Beyond::Portal(border) } else { Beyond::Wall };
        }
        numbers[row as usize][column as usize].map_or(Beyond::Wall, Beyond::Internal)
    }

    pub(crate) fn content(&self) -> TileContent {
        let (columns, rows) = self.size();
        let mut count = 0;
        let mut number = |column, row| {
            self.area(column, row).map(|_| {
                count += 1;
                count - 1
            })
        };
        let numbers: Vec<Vec<Option<u32>>> =
            (0..rows).map(|row| (0..columns).map(|column| number(column, row)).collect()).collect();
        let vertices: Vec<[i32; 3]> =
            (0..=rows).flat_map(|row| (0..=columns).map(move |column| (self.vertex)(column, row))).collect();
        let mut polygons = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let Some(area) = self.area(column, row) else { continue };
                let vertex = |column: i32, row: i32| (row * (columns + 1) + column) as u32;
                let beyond = |column, row, border| self.beyond(&numbers, column, row, border);
                let edge = |vertex, beyond| EdgeContent { vertex, beyond };
                let edges = vec![
                    edge(vertex(column, row + 1), beyond(column, row + 1, side::Z_MAX)),
                    edge(vertex(column + 1, row + 1), beyond(column + 1, row, side::X_MAX)),
                    edge(vertex(column + 1, row), beyond(column, row - 1, side::Z_MIN)),
                    edge(vertex(column, row), beyond(column - 1, row, side::X_MIN)),
                ];
                polygons.push(self.polygon(&edges, &vertices, area));
            }
        }
        TileContent {
            coord: self.coord,
            lattice: lattice(),
            base_cell: [i64::from(self.coord.x * columns * 4), 0, i64::from(self.coord.z * rows * 4)],
            size_cells: [columns as u32 * 4, rows as u32 * 4],
            agent: [0.0, 2.0, CLIMB, 45.0],
            vertices,
            polygons,
            off_mesh_links: Vec::new(),
        }
    }

    fn polygon(&self, edges: &[EdgeContent], vertices: &[[i32; 3]], area: u8) -> PolygonContent {
        let (detail_vertices, detail_triangles) = if self.bump == 0 {
            (
                Vec::new(),
                vec![triangle([0, 1, 2], [true, true, false]), triangle([0, 2, 3], [false, true, true])],
            )
        } else {
            let mut middle = [0; 3];
            for edge in edges {
                (0..3).for_each(|axis| middle[axis] += vertices[edge.vertex as usize][axis]);
            }
            let mut middle = middle.map(|sum| sum / 4);
            middle[1] += self.bump;
            let fan = (0..4).map(|i| triangle([i, (i + 1) % 4, 4], [true, false, false])).collect();
            (vec![middle], fan)
        };
        let flags = 1 << (area - 1);
        PolygonContent { edges: edges.to_vec(), area, flags, detail_vertices, detail_triangles }
    }

    pub(crate) fn tile(&self) -> Tile {
        tile(&self.content())
    }

    pub(crate) fn mesh(&self) -> NavMesh {
        mesh([self.tile()])
    }
}

pub(crate) fn triangle(vertices: [u32; 3], boundary: [bool; 3]) -> DetailTriangleContent {
    DetailTriangleContent { vertices, boundary }
}

/// Writes and verifies a tile. Nothing may have been repaired.
pub(crate) fn tile(content: &TileContent) -> Tile {
    let (bytes, diagnostics) = content.write().unwrap();
    assert_eq!(diagnostics, []);
    Tile::from_bytes(&bytes).unwrap()
}

pub(crate) fn mesh(tiles: impl IntoIterator<Item = Tile>) -> NavMesh {
    let mut mesh = NavMesh::default();
    for tile in tiles {
        mesh.add_tile(tile).unwrap();
    }
    mesh
}

/// Unconnected rectangles: x, z, width, depth, height of the start and the end along x; all fixed-point.
pub(crate) fn rectangles(list: &[[i32; 6]]) -> Tile {
    let mut vertices = Vec::new();
    let mut polygons = Vec::new();
    for &[x, z, width, depth, low, high] in list {
        let first = vertices.len() as u32;
        vertices.extend([
            [x, low, z + depth],
            [x + width, high, z + depth],
            [x + width, high, z],
            [x, low, z],
        ]);
        polygons.push(PolygonContent {
            edges: (first..first + 4).map(|vertex| EdgeContent { vertex, beyond: Beyond::Wall }).collect(),
            area: 1,
            flags: 1,
            detail_vertices: Vec::new(),
            detail_triangles: vec![
                triangle([0, 1, 2], [true, true, false]),
                triangle([0, 2, 3], [false, true, true]),
            ],
        });
    }
    tile(&TileContent {
        coord: TileCoord::default(),
        lattice: lattice(),
        base_cell: [0; 3],
        size_cells: [400, 400],
        agent: [0.0, 2.0, CLIMB, 45.0],
        vertices,
        polygons,
        off_mesh_links: Vec::new(),
    })
}

/// A small generator, so that a failing case can be named by its seed. Source: G. Marsaglia, Xorshift (2003).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

/// The generator of a case, and its walls written into `text`; floor has areas 1 to 4.
fn random_text(seed: u64, size: usize, walls_percent: u64, text: &mut String) -> Random {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..size {
        for _ in 0..size {
            let wall = random.below(100) < walls_percent;
            text.push(if wall { '#' } else { char::from(b'1' + random.below(4) as u8) });
        }
        text.push(' ');
    }
    random
}

/// A random grid whose rows and columns are a quarter of a metre to twelve metres wide.
pub(crate) fn uneven_grid(seed: u64, size: usize, walls_percent: u64, text: &mut String) -> Grid<'_> {
    let mut random = random_text(seed, size, walls_percent, text);
    let mut lines = || {
        let mut lines = vec![0];
        for at in 0..size {
            let (least, range) = if random.below(3) == 0 { (4 * METRE, 8) } else { (METRE / 4, 1) };
            lines.push(lines[at] + least + random.below(range * METRE as u64) as i32);
        }
        lines
    };
    let (columns, rows) = (lines(), lines());
    let mut grid = Grid::new(text);
    grid.vertex = Box::new(move |column, row| [columns[column as usize], 0, rows[row as usize]]);
    grid
}

/// A random grid whose inner vertices are moved a little, so that squares become convex quadrangles.
pub(crate) fn random_grid(seed: u64, size: usize, walls_percent: u64, text: &mut String) -> Grid<'_> {
    let mut random = random_text(seed, size, walls_percent, text);
    let mut jitter = || random.below(400) as i32 - 200;
    let moved: Vec<[i32; 2]> = (0..(size + 1) * (size + 1)).map(|_| [jitter(), jitter()]).collect();
    let mut grid = Grid::new(text);
    grid.vertex = Box::new(move |column, row| {
        let inner = |v: i32| v > 0 && v < size as i32;
        let [dx, dz] = if inner(column) && inner(row) {
            moved[row as usize * (size + 1) + column as usize]
        } else {
            [0, 0]
        };
        [column * METRE + dx, 0, row * METRE + dz]
    });
    grid
}

pub(crate) fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// The point of the mesh nearest to a position.
pub(crate) fn place(mesh: &NavMesh, position: Vec3) -> Place {
    Query::new().nearest(mesh, position, Vec3::splat(0.5), &Filter::default()).unwrap().place()
}

/// Returns true if each polygon has a link to the next.
pub(crate) fn is_linked(mesh: &NavMesh, polygons: &[PolyRef]) -> bool {
    polygons.windows(2).all(|pair| {
        let mut linked = false;
        mesh.visit_links(pair[0], |link| linked |= link.to == pair[1]).unwrap();
        linked
    })
}

/// The edges of a mesh of one tile that no other polygon shares: its walls, found without links.
pub(crate) fn walls(mesh: &NavMesh) -> Vec<[Vec3; 2]> {
    let mut edges = Vec::new();
    for polygon in mesh.polygons() {
        let corners: Vec<Vec3> = mesh.corners(polygon).unwrap().collect();
        edges.extend((0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]]));
    }
    edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a])).copied().collect()
}

/// A number from 0 to 1.
pub(crate) fn unit(random: &mut Random) -> f64 {
    random.below(1 << 40) as f64 / (1u64 << 40) as f64
}

/// A spiral ramp: each column is an eighth of a turn and half a metre up, 1 m to 3 m from the axis.
pub(crate) fn helix(column: i32, row: i32) -> [i32; 3] {
    let ring =
        [(1024, 0), (724, 724), (0, 1024), (-724, 724), (-1024, 0), (-724, -724), (0, -1024), (724, -724)];
    let (x, z) = ring[column as usize % 8];
    let away = 3 - 2 * row;
    [4096 + x * away, column * METRE_UP / 2, 4096 + z * away]
}
