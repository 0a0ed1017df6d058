//! Polygons of a mesh as shapes, drawn in the order of their heights so that storeys cover each other.
//! Cost: O(n log n) for n edges.

use crate::cells::placement;
use crate::colour::Colour;
use crate::scene::{Picture, Point, Shape, Stroke, Style, Swatch, Window};
use navtile::Tile;
use navtile::layout::edge_kind;
use recast::data::{EdgeKind, PolyMesh};

/// A polygon in the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// Its corners, world metres.
    pub(crate) corners: Vec<[f64; 3]>,
    /// The other side of the edge that starts at each corner.
    pub(crate) beyond: Vec<Beyond>,
    /// Its area id.
    pub(crate) area: u8,
}

/// The other side of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    Wall,
    /// Another face, as an index.
    Internal(usize),
    /// A face that is not shown.
    Hidden,
    Portal,
}

impl Face {
    /// Size seen from above, m².
    pub(crate) fn area_m2(&self) -> f64 {
        let Some(&[ox, _, oz]) = self.corners.first() else { return 0.0 };
        let relative = |index: usize| {
            let [x, _, z] = self.corners[index % self.corners.len()];
            [x - ox, z - oz]
        };
        let twice: f64 = (0..self.corners.len())
            .map(|i| (relative(i), relative(i + 1)))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        twice.abs() * 0.5
    }

    /// Returns true if the face meets a part of the plane; `None` for the whole plane.
    pub(crate) fn meets(&self, window: Option<Window>) -> bool {
        let around = Window::around(self.corners.iter().map(|&[x, _, z]| [x, z]));
        window.is_none_or(|shown| around.is_some_and(|around| shown.meets(&around)))
    }

    /// Mean height of its corners.
    pub(crate) fn height(&self) -> f64 {
        self.corners.iter().map(|corner| corner[1]).sum::<f64>() / self.corners.len().max(1) as f64
    }
}

/// The polygons of all tiles, tile by tile; internal neighbours are indices into the result.
pub(crate) fn of_tiles(tiles: &[Tile]) -> Vec<Face> {
    let mut faces = Vec::with_capacity(tiles.iter().map(|tile| tile.polygons().len()).sum());
    for tile in tiles {
        let base = faces.len();
        for polygon in tile.polygons() {
            let edges = tile.polygon_edges(polygon);
            let beyond = edges.iter().map(|edge| match edge.kind {
                edge_kind::INTERNAL => Beyond::Internal(base + edge.neighbour as usize),
                edge_kind::PORTAL => Beyond::Portal,
                _ => Beyond::Wall,
            });
            let corner = |vertex: u32| tile.to_world(tile.vertices()[vertex as usize]);
            let corners = edges.iter().map(|edge| corner(edge.vertex)).collect();
            faces.push(Face { corners, beyond: beyond.collect(), area: polygon.area });
        }
    }
    faces
}

/// The faces to show, with the index of each in the list of all faces.
pub(crate) fn select(faces: &[Face], is_shown: impl Fn(&Face) -> bool) -> (Vec<Face>, Vec<usize>) {
    let numbers: Vec<usize> = (0..faces.len()).filter(|number| is_shown(&faces[*number])).collect();
    let beyond = |beyond: Beyond| match beyond {
        Beyond::Internal(other) => numbers.binary_search(&other).map_or(Beyond::Hidden, Beyond::Internal),
        other => other,
    };
    let shown = numbers
        .iter()
        .map(|&number| &faces[number])
        .map(|face| Face { beyond: face.beyond.iter().copied().map(beyond).collect(), ..face.clone() });
    (shown.collect(), numbers)
}

/// The polygons of a mesh. The origin of the lattice is at `lattice_zero`. Corners with an invalid vertex are
/// left out.
pub(crate) fn of_poly_mesh(mesh: &PolyMesh, lattice_zero: [f64; 3]) -> Vec<Face> {
    let place = placement(&mesh.grid, lattice_zero);
    mesh.polygons
        .iter()
        .map(|polygon| {
            let range = polygon.range();
            let known = |edge: &usize| {
                let vertex = *mesh.corners.get(*edge)?;
                Some((*mesh.vertices.get(vertex as usize)?, *mesh.edges.get(*edge)?))
            };
            let found: Vec<([i32; 3], EdgeKind)> = range.clone().filter_map(|edge| known(&edge)).collect();
            let beyond = found.iter().map(|(_, kind)| match *kind {
                EdgeKind::Wall => Beyond::Wall,
                EdgeKind::Internal(other) => Beyond::Internal(other as usize),
                EdgeKind::Portal(_) => Beyond::Portal,
            });
            Face {
                beyond: beyond.collect(),
                corners: found.iter().map(|&(vertex, _)| place(vertex)).collect(),
                area: polygon.area.0,
            }
        })
        .collect()
}

/// Height range of faces; `None` without corners.
pub(crate) fn height_range(faces: &[Face]) -> Option<[f64; 2]> {
    let heights = faces.iter().flat_map(|face| &face.corners).map(|corner| corner[1]);
    let range = Window::around(heights.map(|height| [height, height]))?;
    Some([range.min[0], range.max[0]])
}

/// Position of a height between the lowest and the highest, about 0.5; small differences remain small.
pub(crate) fn height_share(height: f64, [low, high]: [f64; 2]) -> f64 {
    0.5 + (height - (low + high) * 0.5) / (high - low).max(2.0)
}

/// Style of the lines of a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) wall: Stroke,
    pub(crate) portal: Stroke,
    pub(crate) internal: f64,
    /// Opacity of a storey over the storeys below.
    pub(crate) cover: f64,
    /// Minimum height between two storeys, metres.
    pub(crate) storey: f64,
}

impl Look {
    /// Lines whose width suits the size of the polygons on a page that shows `window`.
    pub(crate) fn for_faces(faces: &[Face], window: Window, storey: f64) -> Look {
        let total: f64 = faces.iter().map(Face::area_m2).sum();
        let side = (total / faces.len().max(1) as f64).sqrt();
        let extent = (window.max[0] - window.min[0]).max(window.max[1] - window.min[1]);
        let on_page = side / extent.max(1e-9) * 1400.0;
        let weight = (on_page / 45.0).clamp(0.35, 1.0);
        Look {
            wall: Stroke::new(Colour::WALL, 3.2 * weight),
            portal: Stroke::new(Colour::PORTAL, 2.4 * weight).dashed(9.0, 6.0),
            internal: 1.2 * weight,
            cover: 0.84,
            storey: if storey.is_finite() { storey.max(0.1) } else { 1.0 },
        }
    }
}

/// One item of the drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Fill,
    Internal,
    Portal,
    Wall,
}

/// Shapes of faces, lower ones first. An edge comes half a storey after its faces: above everything that
/// meets it on its own storey, below the storey over it.
pub(crate) fn shapes(faces: &[Face], look: &Look, colour: impl Fn(usize) -> Colour) -> Vec<Shape> {
    let mut order: Vec<(f64, Kind, usize, usize)> = Vec::new();
    for (index, face) in faces.iter().enumerate() {
        if face.corners.len() < 3 {
            continue;
        }
        order.push((face.height(), Kind::Fill, index, 0));
        for (edge, beyond) in face.beyond.iter().enumerate() {
            let [a, b] = ends(face, edge);
            let height = (a[1] + b[1]) * 0.5;
            match *beyond {
                Beyond::Internal(other) if other < index => {}
                Beyond::Internal(_) | Beyond::Hidden => {
                    order.push((height + look.storey * 0.25, Kind::Internal, index, edge))
                }
                Beyond::Portal => order.push((height + look.storey * 0.45, Kind::Portal, index, edge)),
                Beyond::Wall => order.push((height + look.storey * 0.5, Kind::Wall, index, edge)),
            }
        }
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
    let style_of = |kind: Kind, face: usize| {
        let colour = colour(face);
        match kind {
            Kind::Fill => Style { cover: look.cover, ..Style::fill(colour) },
            Kind::Internal => Style::line(Stroke::new(colour.mix(Colour::INK, 0.34), look.internal)),
            Kind::Portal => Style::line(look.portal),
            Kind::Wall => Style::line(look.wall),
        }
    };
    let mut shapes: Vec<Shape> = Vec::new();
    for (_, kind, index, edge) in order {
        let face = &faces[index];
        let shape = if kind == Kind::Fill {
            let outline = face.corners.iter().map(|&[x, _, z]| [x, z]).collect();
            Shape::filled(vec![outline], style_of(kind, index))
        } else {
            let mut shape = Shape::segments([plan_ends(face, edge)], Stroke::new(Colour::INK, 0.0));
            shape.style = style_of(kind, index);
            shape
        };
        push_joined(&mut shapes, shape);
    }
    shapes
}

/// Appends a shape, or appends its paths to the previous shape if that has the same style. Transparent fills
/// are not joined, because the even-odd rule would open the overlaps.
pub(crate) fn push_joined(shapes: &mut Vec<Shape>, shape: Shape) {
    use crate::scene::Geometry::Paths;
    if let Some(last) = shapes.last_mut()
        && last.style == shape.style
        && last.style.fill.is_none()
        && let (Paths(before), Paths(paths)) = (&mut last.geometry, &shape.geometry)
    {
        before.extend_from_slice(paths);
        return;
    }
    shapes.push(shape);
}

fn ends(face: &Face, edge: usize) -> [[f64; 3]; 2] {
    [face.corners[edge], face.corners[(edge + 1) % face.corners.len()]]
}

/// Ends of an edge seen from above, the smaller first: the dashes of two portals on each other coincide.
fn plan_ends(face: &Face, edge: usize) -> [Point; 2] {
    let [a, b] = ends(face, edge).map(|[x, _, z]| [x, z]);
    let ordered = a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).is_le();
    if ordered { [a, b] } else { [b, a] }
}

/// The legend of walls and portals, if the faces have any.
pub(crate) fn line_legend(picture: &mut Picture, faces: &[Face], look: &Look) {
    let occurs = |what: Beyond| faces.iter().any(|face| face.beyond.contains(&what));
    if occurs(Beyond::Wall) {
        picture.push_legend(Swatch::Line(Stroke { width: 3.2, ..look.wall }), "wall");
    }
    if occurs(Beyond::Portal) {
        let stroke = Stroke { width: 2.4, ..look.portal };
        picture.push_legend(Swatch::Line(stroke), "portal to the next tile");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(height: f64) -> Face {
        let corners = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]].map(|[x, z]| [x, height, z]);
        Face { corners: corners.to_vec(), beyond: vec![Beyond::Wall; 4], area: 63 }
    }

    #[test]
    fn lower_storeys_come_first() {
        let faces = [square(5.0), square(0.0)];
        let window = Window { min: [0.0; 2], max: [2.0; 2] };
        let shapes =
            shapes(&faces, &Look::for_faces(&faces, window, 2.0), |i| [Colour::START, Colour::PATH][i]);
        let fills: Vec<_> = shapes.iter().map(|shape| shape.style.fill).collect();
        assert_eq!(fills, [Some(Colour::PATH), None, Some(Colour::START), None]);
    }

    #[test]
    fn neighbours_that_are_not_shown_are_hidden() {
        let mut faces = [square(0.0), square(3.0), square(0.0)];
        faces[2].beyond = vec![Beyond::Internal(1), Beyond::Internal(0), Beyond::Wall, Beyond::Portal];
        let (shown, numbers) = select(&faces, |face| face.height() < 1.0);
        assert_eq!(numbers, [0, 2]);
        let expected = [Beyond::Hidden, Beyond::Internal(0), Beyond::Wall, Beyond::Portal];
        assert_eq!(shown[1].beyond, expected);
    }

    #[test]
    fn measures() {
        assert_eq!(square(3.0).area_m2(), 4.0);
        assert_eq!(square(3.0).height(), 3.0);
        assert_eq!(height_range(&[square(1.0), square(4.0)]), Some([1.0, 4.0]));
        assert_eq!(height_share(1.0, [1.0, 5.0]), 0.0);
        assert_eq!(height_share(0.1, [0.0, 0.1]), 0.525);
    }
}
